package stream

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
)

// found is what a stream gave: its documents without the white space around
// them, each with its place, and the error at its end.
type found struct {
	docs []string
	err  string
}

// read reads a stream as the command does: each document is read, and cut anew
// where it turns out to end elsewhere; the first that is refused ends it, but in
// lines.
func read(r *Reader, src io.Reader, opts Options) (f found) {
	r.Reset(src, opts)
	var check jsontree.Reader
	for {
		d, err := r.Next()
		if err == io.EOF {
			return f
		}
		if err != nil {
			f.err = err.Error()
			var e *Error
			if errors.As(err, &e) && e.Code == diag.TooLarge && opts.Lines {
				f.docs = append(f.docs, f.err)
				continue
			}
			return f
		}
		check.Reset(d.Data, 0)
		check.Skip()
		check.End()
		text := strings.Trim(strings.TrimPrefix(string(d.Data), mark), " \t\r\n")
		if e := check.Err(); e != nil {
			if r.Recut(e.Offset) {
				continue
			}
			line, col := jsontree.LineColumn(d.Data, e.Offset)
			at := d.At(line, col, e.Offset)
			text = fmt.Sprintf("%d:%d+%d %s", at.Line, at.Column, at.Offset, e.Msg)
			if !opts.Lines {
				f.err = text
				return f
			}
		}
		f.docs = append(f.docs, fmt.Sprintf("#%d %d:%d+%d %s", d.Record, d.Line, d.Column, d.Offset, text))
	}
}

func sameFound(a, b found) bool {
	return a.err == b.err && fmt.Sprint(a.docs) == fmt.Sprint(b.docs)
}

var streams = []string{
	"",
	" \r\n\t\n",
	mark,
	mark + "\n\n",
	`{"a":1}`,
	"{\"a\":1}\n{\"a\":2}\n",
	"{\"a\":1}\r\n\r\n{\"a\":2}\r\n",
	mark + "{\"a\":1}\n" + mark + "{\"a\":2}\n",
	`{"a":1}{"a":2}[3]"4"5 6 true null`,
	"{\"a\":1}{\"a\":2}\n{\"a\":3}{\"a\":4}\n",
	"{\n  \"a\": [\n 1 ]\n}\n{\n}\n",
	"{\"a\":1}\n{\n \"b\":2}\n{\"c\":3}\n",
	`{"a":"}]\"\\"}{"b":"\\\\"}`,
	"{\"a\":1}\n{\"a\":\n{\"a\":3}\n",
	"{\"a\":1}\n{\"a\":1,}\n{\"a\":3}\n",
	"{\"a\":1}\n}\n{\"a\":3}\n",
	"{\"a\":1}\n{\"a\":\"x\ny\"}\n{\"a\":3}\n",
	"{\"a\":1} {\"a\":tru}",
	"{\"a\":1}\n{\"a\":\"\xff\"}\n{\"a\":3}\n",
	"[1,2\n,3]\n[4]\n[5] [6]\n[7]",
	"\xff\xfe{\x00}\x00",
	"{\"é\":\"日本\"}\n{\"é\":\"日本\"}",
	"1\n22\n333\n",
}

func bySize(src string, n int) io.Reader { return &pieces{[]byte(src), n} }

// pieces gives a text n bytes at a time.
type pieces struct {
	rest []byte
	n    int
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(b, p.rest[:min(p.n, len(p.rest))])
	p.rest = p.rest[n:]
	return n, nil
}

func TestPieces(t *testing.T) {
	var r, again Reader
	for _, lines := range []bool{false, true} {
		for _, src := range streams {
			opts := Options{Lines: lines}
			want := read(&r, strings.NewReader(src), opts)
			for n := 1; n < len(src); n++ {
				if got := read(&again, bySize(src, n), opts); !sameFound(got, want) {
					t.Errorf("lines %v, %q in pieces of %d:\n got %q\nwant %q", lines, src, n, got, want)
				}
			}
		}
	}
}

func TestDocuments(t *testing.T) {
	for _, c := range []struct {
		lines bool
		src   string
		want  string
	}{
		{false, `{"a":1}{"b":2}`, `[#1 1:1+0 {"a":1} #2 1:8+7 {"b":2}] `},
		{false, "{\"a\":1}\n\n {\"b\":2}\n", `[#1 1:1+0 {"a":1} #2 3:2+10 {"b":2}] `},
		{false, "{\"a\":\n1}\n[\n2,3 x]", `[#1 1:1+0 {"a":` + "\n" + `1}] 4:5+15 a comma or ] was expected`},
		{false, "{\"a\":1}\n{\"b\":", `[#1 1:1+0 {"a":1}] 2:6+13 the input ended where a value was expected`},
		{false, "{\"a\":1} 5", `[#1 1:1+0 {"a":1} #2 1:9+8 5] `},
		{true, "{\"a\":1}\n\r\n {\"b\":2}\r\n{\"c\":\n{}", `[#1 1:1+0 {"a":1} #2 3:1+10 {"b":2} #3 4:1+20 4:6+25 the input ended where a value was expected #4 5:1+26 {}] `},
		{true, "1 2\n3", `[#1 1:1+0 1:3+2 there is something after the end of the value #2 2:1+4 3] `},
		{true, mark + "\n" + mark + "1\n", `[#1 2:1+4 1] `},
	} {
		f := read(new(Reader), strings.NewReader(c.src), Options{Lines: c.lines})
		if got := fmt.Sprint(f.docs, " ", f.err); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.src, got, c.want)
		}
	}
}

// TestBlocks puts documents of many sizes across the ends of blocks.
func TestBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, sep := range []string{"\n", "", " ", "\n\n", "\r\n"} {
		var b strings.Builder
		var docs []string
		for b.Len() < 6*blockSize {
			n := rng.IntN(3000)
			if rng.IntN(40) == 0 {
				n = rng.IntN(3 * blockSize)
			}
			d := fmt.Sprintf(`{"a":"%s\\","b":[{}]}`, strings.Repeat("x", n))
			if sep != "\n" && sep != "\r\n" && rng.IntN(3) == 0 {
				d = strings.ReplaceAll(d, ",", ",\n")
			}
			docs = append(docs, d)
			b.WriteString(d + sep)
		}
		for _, size := range []int{1000, 65536, 1 << 30} {
			for _, lines := range []bool{false, true} {
				if lines && !strings.Contains(sep, "\n") || lines && sep == "\n\n" {
					continue
				}
				var r Reader
				r.Reset(bySize(b.String(), size), Options{Lines: lines})
				var check jsontree.Reader
				for i := 0; ; i++ {
					d, err := r.Next()
					if err == io.EOF && i == len(docs) {
						break
					}
					if err != nil {
						t.Fatalf("sep %q, size %d, document %d: %v", sep, size, i, err)
					}
					check.Reset(d.Data, 0)
					check.Skip()
					if check.End(); check.Err() != nil {
						if i--; !r.Recut(check.Err().Offset) {
							t.Fatalf("sep %q, size %d, document %d: %v", sep, size, i+1, check.Err())
						}
						continue
					}
					if got := strings.TrimSpace(string(d.Data)); got != docs[i] || d.Record != i+1 {
						t.Fatalf("sep %q, size %d: document %d is another", sep, size, i)
					}
				}
				if len(r.buf) > 4*blockSize {
					t.Errorf("sep %q, size %d: the block grew to %d", sep, size, len(r.buf))
				}
			}
		}
	}
}

func TestTooLarge(t *testing.T) {
	src := "{\"a\":1}\n" + `{"b":"` + strings.Repeat("x", 1<<20) + "\"}\n{\"c\":3}\n"
	f := read(new(Reader), strings.NewReader(src), Options{Lines: true, MaxBytes: 1000})
	if got := fmt.Sprint(f.docs); got != `[#1 1:1+0 {"a":1} 2:1: the document is larger than 1000 bytes (too-large) #3 3:1+1048593 {"c":3}]` {
		t.Errorf("lines: %s", got)
	}
	f = read(new(Reader), bySize(src, 100), Options{MaxBytes: 1000})
	if got := fmt.Sprint(f.docs, f.err); got != `[#1 1:1+0 {"a":1}]2:1: the document is larger than 1000 bytes (too-large)` {
		t.Errorf("values: %s", got)
	}
	unclosed := "{\"a\":[1,2}\n" + strings.Repeat("{\"b\":1}\n", 1000)
	f = read(new(Reader), bySize(unclosed, 100), Options{MaxBytes: 1000})
	if f.err != "1:10+9 a comma or ] was expected, not '}'" {
		t.Errorf("a bracket forgotten: %s", f.err)
	}
	f = read(new(Reader), bySize("[\n"+unclosed, 100), Options{MaxBytes: 1000})
	if f.err != "2:10: a comma or ] was expected, not '}' (syntax)" {
		t.Errorf("a bracket forgotten on a later line: %s", f.err)
	}
	exact := `{"a":"` + strings.Repeat("x", 100) + "\"}"
	f = read(new(Reader), strings.NewReader(exact+"   \n"+exact), Options{MaxBytes: len(exact)})
	if len(f.docs) != 2 || f.err != "" {
		t.Errorf("just large enough: %q", f)
	}
}

func zip(t testing.TB, parts ...string) []byte {
	var b bytes.Buffer
	for _, p := range parts {
		w := gzip.NewWriter(&b)
		io.WriteString(w, p)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func zst(t testing.TB, parts ...string) []byte {
	var b bytes.Buffer
	for _, p := range parts {
		w, err := zstd.NewWriter(&b)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, p)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func TestPacked(t *testing.T) {
	parts := []string{"{\"a\":1}\n{\"b\":", "2}\n", "", "{\"c\":3}"}
	want := read(new(Reader), strings.NewReader(strings.Join(parts, "")), Options{})
	var r Reader // one for all, to see it used again
	for _, packed := range [][]byte{zip(t, parts...), zst(t, parts...),
		append([]byte("\x50\x2a\x4d\x18\x03\x00\x00\x00abc"), zst(t, parts...)...)} {
		for _, n := range []int{1, 2, 7, 1 << 20} {
			if got := read(&r, bySize(string(packed), n), Options{}); !sameFound(got, want) {
				t.Errorf("%x in pieces of %d:\n got %q\nwant %q", packed[:4], n, got, want)
			}
		}
		for cut := range packed {
			got := read(&r, bytes.NewReader(packed[:cut]), Options{})
			whole := true
			for i, d := range got.docs {
				whole = whole && d == want.docs[i]
			}
			if !whole || cut > 4 && got.err == "" && !boundary(t, packed, cut) {
				t.Errorf("%x cut at %d of %d: %q", packed[:4], cut, len(packed), got)
			}
			if cut > 8 && got.err != "" && !strings.Contains(got.err, "the compressed data ended early (compressed-data)") &&
				!strings.Contains(got.err, "the input ended") {
				t.Errorf("%x cut at %d: %s", packed[:4], cut, got.err)
			}
		}
	}
}

// boundary reports whether a cut lies between members or frames, where nobody
// can see it.
func boundary(t *testing.T, packed []byte, cut int) bool {
	rest := packed[cut:]
	return formatOf(rest[:min(4, len(rest))]) == gzipped || formatOf(rest[:min(4, len(rest))]) == zstandard
}

func TestDamaged(t *testing.T) {
	packed := zip(t, strings.Repeat("{\"a\":1}\n", 100))
	packed[len(packed)-6]++ // the checksum
	f := read(new(Reader), bytes.NewReader(packed), Options{})
	if len(f.docs) != 100 || f.err != "101:1: the compressed data is damaged: gzip: invalid checksum (compressed-data)" {
		t.Errorf("%d documents, %s", len(f.docs), f.err)
	}
	f = read(new(Reader), bytes.NewReader(append(zip(t, "1\n"), "junk that follows"...)), Options{})
	if len(f.docs) != 1 || f.err != "2:1: the compressed data is damaged: what follows is no gzip member (compressed-data)" {
		t.Errorf("%q", f)
	}
}

// TestFarWindow reads frames of zstd that say how far they refer back: 2 GiB, and as much
// as their one segment has.
func TestFarWindow(t *testing.T) {
	for _, frame := range []string{"\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00", "\x28\xb5\x2f\xfd\xe0\x00\x00\x00\x00\x20\x00\x00\x00\x01\x00\x00"} {
		f := read(new(Reader), strings.NewReader(frame), Options{})
		if len(f.docs) != 0 || !strings.Contains(f.err, "refers back further than 128 MiB") {
			t.Errorf("%x: %q", frame, f)
		}
	}
}

// TestPadded reads gzip files behind whose members stands padding, or what is none.
func TestPadded(t *testing.T) {
	one, zeros := zip(t, "1\n"), make([]byte, 600)
	var r Reader
	for _, c := range []struct {
		packed [][]byte
		docs   int
		err    string
	}{
		{[][]byte{one, zeros[:1]}, 1, ""},
		{[][]byte{one, zeros}, 1, ""},
		{[][]byte{one, zeros, one, zeros, one}, 3, ""},
		{[][]byte{one, []byte("a")}, 1, "what follows is no gzip member"},
		{[][]byte{one, zeros, []byte("\x1fa")}, 1, "what follows is no gzip member"},
		{[][]byte{one, []byte("\x1f")}, 1, "ended early"},
		{[][]byte{one, one[:8]}, 1, "ended early"},
		{[][]byte{one, one[:len(one)-1]}, 2, "ended early"},
	} {
		packed := string(bytes.Join(c.packed, nil))
		for _, n := range []int{1, 3, 1 << 20} {
			f := read(&r, bySize(packed, n), Options{})
			if len(f.docs) != c.docs || (f.err == "") != (c.err == "") || !strings.Contains(f.err, c.err) {
				t.Errorf("%x in pieces of %d: %q", packed, n, f)
			}
		}
	}
}

func TestFailingReader(t *testing.T) {
	src := io.MultiReader(strings.NewReader("{\"a\":1}\n{\"b\":2"), iotest.ErrReader(errors.New("the disk is gone")))
	f := read(new(Reader), src, Options{})
	if got := fmt.Sprint(f.docs, f.err); got != `[#1 1:1+0 {"a":1}]2:7: the disk is gone (input-failed)` {
		t.Error(got)
	}
}

// TestIdle sees each line of a pipe handed out before more is asked for.
func TestIdle(t *testing.T) {
	for _, lines := range []bool{false, true} {
		asked, given := 0, 0
		var r Reader
		r.Reset(bySize("[1]\n[2]\n[3]\n", 4), Options{Lines: lines, Idle: func() error {
			if given != asked {
				t.Errorf("lines %v: asked for piece %d when %d documents were given", lines, asked+1, given)
			}
			asked++
			return nil
		}})
		for {
			if _, err := r.Next(); err != nil {
				break
			}
			given++
		}
	}
}

func TestMemory(t *testing.T) {
	var r Reader
	doc := `{"a":"` + strings.Repeat("x", 1000) + `"}`
	for _, sep := range []string{"", "\n"} {
		r.Reset(io.LimitReader(&forever{text: doc + sep}, 100<<20), Options{})
		n := 0
		for {
			d, err := r.Next()
			if err != nil {
				break
			}
			if n++; sep == "" && len(d.Data) != len(doc) && n < 1000 {
				t.Fatalf("a document of %d bytes", len(d.Data))
			}
		}
		if len(r.buf) != blockSize || n < 100000 {
			t.Errorf("separator %q: %d documents, the block grew to %d", sep, n, len(r.buf))
		}
	}
}

type forever struct {
	text string
	at   int
}

func (f *forever) Read(b []byte) (n int, err error) {
	for n < len(b) {
		k := copy(b[n:], f.text[f.at:])
		n += k
		f.at = (f.at + k) % len(f.text)
	}
	return n, nil
}

// FuzzCut holds that the pieces in which a stream comes, and the size of the
// block, change nothing.
func FuzzCut(f *testing.F) {
	for _, s := range streams {
		f.Add([]byte(s), byte(3), false)
		f.Add([]byte(s), byte(1), true)
	}
	f.Fuzz(func(t *testing.T, src []byte, n byte, lines bool) {
		opts := Options{Lines: lines, MaxBytes: 1 << 16}
		want := read(new(Reader), bytes.NewReader(src), opts)
		size := 1 + int(n)%97
		if got := read(new(Reader), bySize(string(src), size), opts); !sameFound(got, want) {
			t.Errorf("in pieces of %d:\n got %q\nwant %q", size, got, want)
		}
		small := Reader{buf: make([]byte, 1+int(n)%13)}
		if got := read(&small, bytes.NewReader(src), opts); !sameFound(got, want) {
			t.Errorf("in a block of %d:\n got %q\nwant %q", 1+int(n)%13, got, want)
		}
		if lines || want.err != "" {
			return
		}
		if slow := plainCut(src); fmt.Sprint(slow) != fmt.Sprint(want.docs) {
			t.Errorf("plainly cut:\n got %q\nwant %q", want.docs, slow)
		}
	})
}

// plainCut is the documents of a stream without fault, each found by reading all
// that is left.
func plainCut(src []byte) (docs []string) {
	var r jsontree.Reader
	for at := 0; ; {
		rest := bytes.TrimLeft(src[at:], " \t\r\n")
		at = len(src) - len(rest)
		if len(bytes.TrimLeft(bytes.TrimPrefix(rest, []byte(mark)), " \t\r\n")) == 0 {
			return docs
		}
		r.Reset(rest, 0)
		span := r.Skip()
		line, col := jsontree.LineColumn(src, at)
		text := strings.Trim(string(rest[:span.End()]), " \t\r\n")
		text = strings.Trim(strings.TrimPrefix(text, mark), " \t\r\n")
		docs = append(docs, fmt.Sprintf("#%d %d:%d+%d %s", len(docs)+1, line, col, at, text))
		at += span.End()
	}
}
