package proxy

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"ctxmigrate/translate"
	"ctxmigrate/translate/jsontree"
)

// TestMemoryBounds holds that what is remembered of ids is bounded, and that the
// oldest go first.
func TestMemoryBounds(t *testing.T) {
	var m memory
	for i := range 3 * MaxIDs {
		m.add(fmt.Sprint("id~", i), origin{`"id"`})
	}
	if len(m.made) != MaxIDs || len(m.order) != MaxIDs {
		t.Errorf("%d and %d are remembered", len(m.made), len(m.order))
	}
	if _, changed, _ := m.original("id~0"); changed {
		t.Error("the oldest is remembered")
	}
	if raw, changed, _ := m.original(fmt.Sprint("id~", 3*MaxIDs-1)); !changed || raw != `"id"` {
		t.Error("the newest is not remembered")
	}
	m.add(strings.Repeat("x", maxIDBytes+1), origin{})
	if len(m.made) != MaxIDs {
		t.Error("a very long id is remembered")
	}
	// ids that come and go do not let the order grow
	for i := range 3 * MaxIDs {
		m.add("again", origin{})
		delete(m.made, "again")
		if i%1000 == 0 && len(m.order) > MaxIDs {
			t.Fatalf("the order holds %d", len(m.order))
		}
	}
}

// FuzzEvents holds that events come apart and together to the same bytes, whatever
// the pieces that they come in.
func FuzzEvents(f *testing.F) {
	f.Add([]byte("id: 1\ndata: a\ndata: b\n\n: c\n\r\n\rdata:x\r\r\n"), byte(3))
	f.Add([]byte("\ufeffdata: {\n\nevent: x\n"), byte(1))
	f.Fuzz(func(t *testing.T, src []byte, size byte) {
		var whole, pieces []byte
		var says, saysToo []string
		collect := func(r io.Reader, all *[]byte, says *[]string) {
			s := newEvents(r, 1<<20)
			for {
				e, err := s.next()
				*all = append(*all, e.raw...)
				if err != nil {
					if err != io.EOF && !errors.Is(err, errLarge) {
						t.Fatal(err)
					}
					return
				}
				*says = append(*says, string(e.data()))
				if len(e.lines) > 0 && e.raw[0] != '\n' { // which belongs to the event before
					again := newEvents(bytes.NewReader(e.with([]byte("{\n}"))), 1<<20)
					again.begun = len(*says) > 1
					if e2, err := again.next(); err == nil && len(e2.lines) > 0 && string(bytes.TrimSpace(e2.data())) != "{\n}" {
						t.Errorf("%q with other data says %q", e.raw, e2.data())
					}
				}
			}
		}
		collect(bytes.NewReader(src), &whole, &says)
		collect(iotest.OneByteReader(bytes.NewReader(src)), &pieces, &saysToo)
		if !bytes.Equal(whole, src) || !bytes.Equal(pieces, src) {
			t.Errorf("%q became %q and %q", src, whole, pieces)
		}
		if fmt.Sprint(says) != fmt.Sprint(saysToo) {
			t.Errorf("%q says %q, and byte by byte %q", src, says, saysToo)
		}
	})
}

// FuzzReplies holds that what becomes of a reply is JSON, and that nothing panics.
func FuzzReplies(f *testing.F) {
	for _, s := range []string{
		`{"id":1,"result":{"contents":[{"text":"{\"protocol\":\"0.1\",\"items\":[{\"id\":\"a\"},{\"id\":\"a\"}],\"focus\":[]}","size":1}],"tools":[{"name":"get_current_context","outputSchema":1}],"resources":[{"uri":"/current","size":2}]}}`,
		`[{"id":1,"result":{"structuredContent":{"protocol":"0.1","instance":"x","items":[],"focus":[]},"content":[{"text":"{}"}]}}]`,
		`{"id":1,"method":"resources/read","params":{"uri":"a://locate/x~2?id=%41"}}`,
	} {
		f.Add([]byte(s), byte(readCurrent))
		f.Add([]byte(s), byte(callCurrent))
		f.Add([]byte(s), byte(listResources))
	}
	f.Fuzz(func(t *testing.T, src []byte, k byte) {
		o := Options{To: translate.V020}
		o.fill()
		h := &core{&o, newTranslator(&o, true)}
		h.tr.ids.add("x~2", origin{`"x"`})
		var e Event
		out, fault := h.replies(src, k&64 != 0, func(id []byte) (request, bool) { return request{id, kind(k & 63)}, true }, &e, func(request, *Fault) {})
		if fault == nil && out != nil {
			var r jsontree.Reader
			r.Reset(out, passDepth)
			r.AllowTwice()
			if r.Skip(); !r.End() {
				t.Errorf("%q became %q: %v", src, out, r.Err())
			}
		}
		list, _, err := readMessages(src, o.Limits.Depth)
		if err != nil {
			return
		}
		for _, m := range list {
			h.kindOf(src, m)
			if to, ok := h.locate(src, m); ok {
				var r jsontree.Reader
				r.Reset(to.text, passDepth)
				r.AllowTwice()
				if r.Skip(); !r.End() {
					t.Errorf("%q became %q: %v", src, to.text, r.Err())
				}
			}
		}
		if d, err := ReadDescriptor(src, DescriptorPaths{}); err == nil {
			d.Announce("http://127.0.0.1:1", nil, "t", translate.V01)
		}
	})
}
