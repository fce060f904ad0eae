package jsontree

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"
)

// readAll reads a whole document by Skip.
func readAll(r *Reader, src []byte, maxDepth int) (Span, *Error) {
	r.Reset(src, maxDepth)
	span := r.Skip()
	r.End()
	return span, r.Err()
}

// walkAll reads a whole document step by step, as a caller who looks at every
// member and entry does. It answers the names that it met, resolved.
func walkAll(r *Reader, src []byte, maxDepth int) (names []string, err *Error) {
	r.Reset(src, maxDepth)
	var open []bool // for each container whether it is an object
	value := func() {
		switch r.Kind() {
		case Object:
			if r.Enter() {
				open = append(open, true)
			}
		case Array:
			if r.Enter() {
				open = append(open, false)
			}
		default:
			r.Skip()
		}
	}
	value()
	for len(open) > 0 {
		top := len(open) - 1
		more := false
		if open[top] {
			if more = r.Next(); more {
				names = append(names, string(r.Key()))
			}
		} else {
			more = r.More()
		}
		if more {
			value()
		} else {
			open = open[:top]
		}
	}
	r.End()
	return names, r.Err()
}

var fuzzDocuments = []string{
	``, ` `, `null`, `[true, false]`, `-0.10e+5`, `"a\n\u0041\ud83d\ude00\ud800"`, `{"a":1,"\u0061":2}`,
	`{"a":{"b/c":[1,{"~":[]}]},"":""}`, "\ufeff{\"\":\"\u00e9\u20ac\U0001F600\"}", "[\"abcdefg\xe2\x82\"]", "\"a\xed\xa0\x80\"",
	`[[[[[[1]]]]]]`, `{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":10,"k":11,"l":12,"m":13,"n":14,"o":15,"p":16,"q":17,"r":18,"a":19}`,
	`[1,]`, `{"a":}`, `{"a" "b"}`, `[1 2]`, `{"a\u`, `{"a\"`, `[1.`, `[-]`, `[tru`, `{"a":1}x`, "[\n 1,\r\n\t2 ]\n", "[\x00", "\x00\x00\x00[", "\xef\xbb",
	"[]\xff", "\"\\u12\xff\"", `{"eightchars1":1,"eightchars2":2,"eightchars1":3}`,
}

// FuzzReader holds the Reader and the functions on raw values against the plain
// reader and against encoding/json.
func FuzzReader(f *testing.F) {
	for _, doc := range fuzzDocuments {
		f.Add([]byte(doc), uint8(6))
	}
	var r Reader
	f.Fuzz(func(t *testing.T, src []byte, depth uint8) {
		if len(src) > 4000 {
			t.Skip("too long for the plain reader")
		}
		maxDepth := int(depth)%64 + 1
		root, fault := readPlain(src, maxDepth)
		for src := range fenced(src) {
			if span, err := readAll(&r, src, maxDepth); err == nil {
				checkRaw(t, span.In(src), root)
			}
		}
		span, err := readAll(&r, src, maxDepth)
		if (err == nil) != (fault == nil) {
			t.Fatalf("%q: the plain reader says %+v, the Reader %+v", src, fault, err)
		}
		checkStandard(t, src, err)
		checkBoundary(t, src, maxDepth, root, fault)
		if err != nil {
			checkFault(t, src, maxDepth, fault, *err)
			return
		}
		if r.Depth() != 0 || r.Pos() != len(src) || r.Deepest() != root.levels() {
			t.Errorf("%q: depth %d, pos %d, deepest %d at the end", src, r.Depth(), r.Pos(), r.Deepest())
		}
		if int(span.Off) != root.from || span.End() != root.to || span.Marked() != (root.spaced || root.escaped) {
			t.Errorf("%q: span %d to %d, marked %v; the plain reader says %+v", src, span.Off, span.End(), span.Marked(), root)
		}
		checkWalk(t, src, maxDepth, root)
		checkWatch(t, src, maxDepth, root)
		checkRaw(t, span.In(src), root)
		if len(src) <= 400 {
			checkPlaces(t, src, root)
		}
	})
}

// checkStandard holds the judgement against encoding/json, which knows neither
// duplicates nor depth limits as we do, and no UTF-8.
func checkStandard(t *testing.T, src []byte, err *Error) {
	t.Helper()
	valid := json.Valid(src) && utf8.Valid(src)
	if err == nil && !valid && !bytes.HasPrefix(src, []byte("\ufeff")) {
		t.Errorf("%q: accepted against encoding/json", src)
	}
	if err != nil && valid && err.Fault != DuplicateMember && err.Fault != TooDeep {
		t.Errorf("%q: refused against encoding/json: %v", src, err)
	}
}

func checkFault(t *testing.T, src []byte, maxDepth int, fault *plainFault, err Error) {
	t.Helper()
	if err.Fault != fault.fault || err.Offset != fault.offset || err.End != fault.end || err.Msg == "" {
		t.Errorf("%q: %+v; the plain reader says %+v", src, err, fault)
	}
	place := Locate(src, []int{err.Offset})[0]
	line, column := plainLineColumn(src, err.Offset)
	if want := (Place{line, column, fault.pointer}); place != want {
		t.Errorf("%q: fault at %d is at %+v, want %+v", src, err.Offset, place, want)
	}
	var r Reader
	if _, walked := walkAll(&r, src, maxDepth); walked == nil || *walked != err {
		t.Errorf("%q: skipped: %+v; walked: %+v", src, err, walked)
	}
	if r.Next() || r.More() || r.Enter() || r.End() || !r.Skip().IsZero() || r.Kind() != None {
		t.Errorf("%q: the Reader goes on after its fault", src)
	}
	if r.Exit(); *r.Err() != err {
		t.Errorf("%q: a second fault replaced the first", src)
	}
}

// checkBoundary cuts the first value out of a text, given at once and in pieces
// of all lengths up to eight. The cut may not change what a Reader says of it.
func checkBoundary(t *testing.T, src []byte, maxDepth int, root *plainNode, fault *plainFault) {
	t.Helper()
	var whole Boundary
	end, ok := whole.Scan(src)
	for step := 1; step <= 8; step++ {
		var b Boundary
		pieceEnd, pieceOK := 0, false
		for n := 0; n < len(src) && !pieceOK; {
			n = min(n+step, len(src))
			pieceEnd, pieceOK = b.Scan(src[:n])
		}
		if pieceOK != ok || ok && pieceEnd != end {
			t.Fatalf("%q: ends at %d, %v; in pieces of %d at %d, %v", src, end, ok, step, pieceEnd, pieceOK)
		}
	}
	switch {
	case root != nil && (root.kind == Object || root.kind == Array || root.kind == String):
		if !ok || end != root.to {
			t.Errorf("%q: ends at %d, %v, want %d", src, end, ok, root.to)
		}
	case root != nil:
		if ok != (root.to < len(src)) || ok && end != root.to+1 {
			t.Errorf("%q: ends at %d, %v, want the byte after %d", src, end, ok, root.to)
		}
	case ok:
		if _, cut := readPlain(src[:end], maxDepth); cut != nil && (cut.fault != fault.fault || cut.offset != fault.offset || cut.end) {
			t.Errorf("%q: the fault is %+v, but %+v where it is cut at %d", src, fault, cut, end)
		}
	}
}

// checkWatch looks at the names of the first level while they are skipped.
func checkWatch(t *testing.T, src []byte, maxDepth int, root *plainNode) {
	t.Helper()
	var r Reader
	r.Reset(src, maxDepth)
	k := 0
	span := r.Watch(func(key []byte, kind Kind) {
		if k >= len(root.names) || string(key) != wtf8(root.names[k].units) || kind != root.kids[k].kind {
			t.Fatalf("%q: name %d is %q, of a value that is %v", src, k, key, kind)
		}
		k++
	})
	if k != len(root.names) || span.Len() != root.to-root.from {
		t.Errorf("%q: %d names were seen, of %d", src, k, len(root.names))
	}
}

func checkWalk(t *testing.T, src []byte, maxDepth int, root *plainNode) {
	t.Helper()
	var r Reader
	names, err := walkAll(&r, src, maxDepth)
	if err != nil {
		t.Fatalf("%q: skipped well, walked with %v", src, err)
	}
	i := 0
	var visit func(n *plainNode)
	visit = func(n *plainNode) { // in document order, as the walk
		for k, kid := range n.kids {
			if n.kind == Object {
				if i >= len(names) || names[i] != wtf8(n.names[k].units) {
					t.Fatalf("%q: the walk met the names %q", src, names)
				}
				i++
			}
			visit(kid)
		}
	}
	if visit(root); i != len(names) {
		t.Errorf("%q: the walk met the names %q", src, names)
	}
}

// checkRaw holds the functions on raw values against the plain value.
func checkRaw(t *testing.T, raw []byte, root *plainNode) {
	t.Helper()
	var want bytes.Buffer
	if err := json.Compact(&want, raw); err != nil {
		t.Fatal(err)
	}
	if got := AppendCompact([]byte("x"), raw); string(got) != "x"+want.String() {
		t.Errorf("%q: compact %q, want %q", raw, got[1:], want.Bytes())
	}
	got := []byte{}
	Tokens(raw, func(token []byte) {
		if k := KindOf(token); k == None && len(token) != 1 {
			t.Errorf("%q: token %q", raw, token)
		}
		got = append(got, token...)
	})
	if !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%q: the tokens are %q, want %q", raw, got, want.Bytes())
	}
	if !root.spaced && (root.kind == Object || root.kind == Array) && want.Len() != len(raw) {
		t.Errorf("%q: the plain reader missed white space", raw)
	}
	root.each(func(n *plainNode) {
		raw := []byte(n.raw)
		if KindOf(raw) != n.kind || Levels(raw) != n.levels() {
			t.Errorf("%q: %v of %d levels, want %v of %d", raw, KindOf(raw), Levels(raw), n.kind, n.levels())
		}
		k := 0
		switch n.kind {
		case String:
			text := wtf8(n.units)
			if got := AppendUnquoted([]byte("x"), raw); string(got) != "x"+text {
				t.Errorf("%q: unquoted %q, want %q", raw, got[1:], text)
			}
			if string(Unquote(raw)) != text || !EqualText(raw, text) || EqualText(raw, text+"x") {
				t.Errorf("%q does not say %q", raw, text)
			}
			if !EqualStrings(raw, []byte(n.respelled(false))) {
				t.Errorf("%q is not %q", raw, n.respelled(false))
			}
		case Array:
			Entries(raw, func(value []byte) bool {
				if k >= len(n.kids) || string(value) != n.kids[k].raw {
					t.Fatalf("%q: entry %d is %q", raw, k, value)
				}
				k++
				return true
			})
		case Object:
			Members(raw, func(name, value []byte) bool {
				if k >= len(n.kids) || string(name) != n.names[k].raw || string(value) != n.kids[k].raw {
					t.Fatalf("%q: member %d is %q: %q", raw, k, name, value)
				}
				if got := Member(raw, wtf8(n.names[k].units)); string(got) != string(value) {
					t.Errorf("%q: member %q is %q", raw, name, got)
				}
				k++
				return true
			})
			k = 0
			MembersAt(raw, func(name, nameEnd, value, valueEnd int) bool {
				if from := n.from; name+from != n.names[k].from || nameEnd+from != n.names[k].to || value+from != n.kids[k].from || valueEnd+from != n.kids[k].to {
					t.Fatalf("%q: member %d is at %d to %d, its value at %d to %d", raw, k, name, nameEnd, value, valueEnd)
				}
				k++
				return true
			})
		}
		if k != len(n.kids) {
			t.Errorf("%q: %d entries, want %d", raw, k, len(n.kids))
		}
	})
}

// checkPlaces locates every offset of a document, at once and one by one.
func checkPlaces(t *testing.T, src []byte, root *plainNode) {
	t.Helper()
	offsets := make([]int, 0, len(src)+1)
	for i := range len(src) + 1 {
		offsets = append(offsets, i)
	}
	places := Locate(src, offsets)
	for i, got := range places {
		line, column := plainLineColumn(src, i)
		if want := (Place{line, column, root.pointerAt("", i)}); got != want {
			t.Errorf("%q: offset %d is at %+v, want %+v", src, i, got, want)
		}
		if i%7 == len(src)%7 && pointerAt(src, i) != got.Pointer {
			t.Errorf("%q: offset %d alone is at %q, among others at %q", src, i, pointerAt(src, i), got.Pointer)
		}
	}
}

// FuzzQuoted takes text through AppendQuoted and back. The input is read as
// UTF-16, so that lone surrogates are common, and as UTF-8 where it is.
func FuzzQuoted(f *testing.F) {
	for _, s := range []string{"", "a", "\x00\x00\x00\"\x00\\\x00/", "\xd8\x3d\xde\x00", "\xd8\x3d\xd8\x3d\xde\x00\xde\x00", "\x20\x28\x00<\xff\xff\xff\xfe\xd7\xff\xe0\x00", "\u00ed\ud7ff\ue000\u2028\x7f\t\b"} {
		f.Add([]byte(s))
	}
	var r Reader
	f.Fuzz(func(t *testing.T, in []byte) {
		units := make([]uint16, len(in)/2)
		for i := range units {
			units[i] = uint16(in[2*i])<<8 | uint16(in[2*i+1])
		}
		texts := []string{wtf8(units)}
		if utf8.Valid(in) {
			texts = append(texts, string(in))
		}
		for _, text := range texts {
			quoted := AppendQuoted([]byte("x"), []byte(text))[1:]
			if span, err := readAll(&r, quoted, 0); err != nil || span.Len() != len(quoted) {
				t.Fatalf("%q became %q, which is no string: %v", text, quoted, err)
			}
			if got := AppendUnquoted([]byte("x"), quoted); string(got) != "x"+text {
				t.Errorf("%q became %q, which says %q", text, quoted, got[1:])
			}
			if escaped := AppendEscaped([]byte("x"), []byte(text)); string(escaped[1:]) != string(Inner(quoted)) {
				t.Errorf("%q: escaped %q, quoted %q", text, escaped[1:], quoted)
			}
			if !EqualText(quoted, text) {
				t.Errorf("%q does not say %q", quoted, text)
			}
			var standard string
			if err := json.Unmarshal(quoted, &standard); err != nil || utf8.ValidString(text) && standard != text {
				t.Errorf("%q became %q, which encoding/json reads as %q (%v)", text, quoted, standard, err)
			}
			again := AppendQuoted(nil, Unquote(quoted))
			if !bytes.Equal(again, quoted) {
				t.Errorf("%q: quoted %q, then %q", text, quoted, again)
			}
		}
		spelled := (&plainNode{kind: String, units: units}).respelled(false)
		if got := AppendUnquoted(nil, []byte(spelled)); string(got) != texts[0] {
			t.Errorf("%q says %q, want %q", spelled, got, texts[0])
		}
		if !EqualStrings([]byte(spelled), AppendQuoted(nil, []byte(texts[0]))) {
			t.Errorf("%q and %q are not equal", spelled, texts[0])
		}
	})
}

// FuzzDigest holds equality of digests against equality by comparison: of two
// documents, of all values within them, and of other spellings of them.
func FuzzDigest(f *testing.F) {
	for i, doc := range fuzzDocuments {
		f.Add([]byte(doc), []byte(fuzzDocuments[len(fuzzDocuments)-1-i]))
	}
	f.Add([]byte(`{"a":[1,1.0,"1",null,"null"],"b":{"c":{},"d":[]}}`), []byte(` {"b":{"d":[ ],"\u0063":{}},"a":[1,1.0,"1",null,"null"]}`))
	f.Add([]byte(`[[1],[[1]],[1,[1]],[[1],1],{"a":[1]},[{"a":1}]]`), []byte(`[[],[[]],[[],[]],[[[]]],{"":[]},{"":{}}]`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if len(a)+len(b) > 1000 {
			t.Skip("too long to compare everything with everything")
		}
		var nodes []*plainNode
		for _, doc := range [][]byte{a, b} {
			root, _ := readPlain(doc, 64)
			if root == nil {
				continue
			}
			root.each(func(n *plainNode) {
				if len(nodes) < 60 {
					nodes = append(nodes, n)
				}
			})
		}
		for _, ordered := range []bool{false, true} {
			digests := make([]Digest, len(nodes))
			for i, n := range nodes {
				digests[i] = DigestOf([]byte(n.raw), ordered)
				for _, turned := range []bool{false, true} {
					spelled := n.respelled(turned)
					m, _ := readPlain([]byte(spelled), 64)
					if same := DigestOf([]byte(spelled), ordered) == digests[i]; same != n.equal(m, ordered) {
						t.Errorf("%q and %q, ordered %v: same digest %v", n.raw, spelled, ordered, same)
					}
				}
				for j := range i {
					if same := digests[i] == digests[j]; same != n.equal(nodes[j], ordered) {
						t.Errorf("%q and %q, ordered %v: same digest %v", n.raw, nodes[j].raw, ordered, same)
					}
				}
			}
		}
	})
}
