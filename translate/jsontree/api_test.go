package jsontree

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestKinds(t *testing.T) {
	for _, c := range []struct {
		raw, words string
		kind       Kind
	}{
		{``, "nothing", None}, {`null`, "null", Null}, {`true`, "a boolean", Bool}, {`false`, "a boolean", Bool}, {`0`, "a number", Number},
		{`9`, "a number", Number}, {`-1`, "a number", Number}, {`""`, "a string", String}, {`[]`, "an array", Array}, {`{}`, "an object", Object},
		{`]`, "nothing", None}, {` 1`, "nothing", None}, {`+1`, "nothing", None},
	} {
		if got := KindOf([]byte(c.raw)); got != c.kind || got.String() != c.words {
			t.Errorf("KindOf(%q) = %v", c.raw, got)
		}
	}
}

func TestSpan(t *testing.T) {
	doc := []byte(`{"a":"b\n"}`)
	s := MakeSpan(5, 5, true)
	if s.Off != 5 || s.Len() != 5 || s.End() != 10 || !s.Marked() || s.IsZero() || string(s.In(doc)) != `"b\n"` {
		t.Errorf("%+v in %q is %q", s, doc, s.In(doc))
	}
	if !(Span{}).IsZero() || MakeSpan(0, 1, false).IsZero() || MakeSpan(0, 1, false).Marked() {
		t.Error("only the zero Span is no value, and a plain one has no mark")
	}
	if s := MakeSpan(0, MaxBytes, true); s.Len() != MaxBytes || s.End() != MaxBytes || !s.Marked() {
		t.Errorf("the largest span ends at %d", s.End())
	}
}

func TestSkipMark(t *testing.T) {
	for _, c := range []struct {
		doc    string
		marked bool
	}{
		{`1`, false}, {` 1 `, false}, {`"a"`, false}, {`"a b"`, false}, {`"\n"`, true}, {`"\u0041"`, true}, {`[]`, false}, {`{}`, false}, {` [] `, false},
		{`[ ]`, true}, {`{ }`, true}, {`[1,2]`, false}, {`[ 1,2]`, true}, {`[1 ,2]`, true}, {`[1, 2]`, true}, {`[1,2 ]`, true}, {`[[[ ]]]`, true}, {`[[]	]`, true},
		{`{"a":1}`, false}, {`{"a b":" c "}`, false}, {`{ "a":1}`, true}, {`{"a" :1}`, true}, {`{"a": 1}`, true}, {`{"a":1 }`, true}, {`{"a":1 ,"b":2}`, true}, {"{\"a\":1,\n\"b\":2}", true}, {`{"a":{"b": 1}}`, true},
		{`["\n"]`, false}, {`{"\n":"\t"}`, false},
	} {
		var r Reader
		if span, err := readAll(&r, []byte(c.doc), 0); err != nil || span.Marked() != c.marked {
			t.Errorf("%q: marked %v (%v)", c.doc, span.Marked(), err)
		}
	}
}

// TestReaderByHand drives a Reader through a document and looks at everything
// that it tells on the way.
func TestReaderByHand(t *testing.T) {
	doc := []byte(` { "\u0061" : [ 1 , {"x":null} ] , "b":true,"c":[],"d":{"e":[[2]]} } `)
	var r Reader
	r.Reset(doc, 0)
	is := func(what string, got, want any) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	is("kind at first", r.Kind(), Object)
	is("pos at first", r.Pos(), 1)
	is("depth at first", r.Depth(), 0)
	is("enter", r.Enter(), true)
	is("depth inside", r.Depth(), 1)
	is("next", r.Next(), true)
	is("key", string(r.Key()), "a")
	is("key as written", string(r.KeySpan().In(doc)), `"\u0061"`)
	is("mark of the key", r.KeySpan().Marked(), true)
	is("kind of a", r.Kind(), Array)
	is("enter a", r.Enter(), true)
	is("first entry", r.More(), true)
	is("kind of it", r.Kind(), Number)
	is("it", string(r.Skip().In(doc)), "1")
	is("second entry", r.More(), true)
	is("the object", string(r.Skip().In(doc)), `{"x":null}`)
	is("deepest", r.Deepest(), 3)
	is("depth after it", r.Depth(), 2)
	is("no third entry", r.More(), false)
	is("next", r.Next(), true)
	is("key", string(r.Key()), "b")
	is("mark of the key", r.KeySpan().Marked(), false)
	is("value", string(r.Skip().In(doc)), "true")
	is("next", r.Next(), true)
	is("enter c", r.Enter(), true)
	is("no entry", r.More(), false)
	is("next", r.Next(), true)
	is("key", string(r.Key()), "d")
	is("enter d", r.Enter(), true)
	is("next", r.Next(), true)
	is("key", string(r.Key()), "e")
	is("enter e", r.Enter(), true)
	is("entry", r.More(), true)
	r.Exit()
	is("depth after an exit before an entry", r.Depth(), 3)
}

func TestExit(t *testing.T) {
	for _, c := range []struct {
		doc   string
		steps string // e enters, n is Next, m is More, s skips, x exits
		fault int    // its offset, or -1
	}{
		{`[]`, "ex", -1}, {`{}`, "ex", -1}, {`[1,[2,{"a":3}],4]`, "ex", -1}, {`[1,2,3]`, "emsx", -1}, {`{"a":1,"b":{"c":2}}`, "ex", -1}, {`{"a":1,"b":2}`, "ensx", -1},
		{`[[1,2],3]`, "emexx", -1}, {`{"a":{"b":1},"c":2}`, "enexx", -1}, {`[[1,2],3]`, "emexmsx", -1},
		{`[1,2,]`, "emsx", 5}, {`[1,[2,,3]]`, "ex", 6}, {`{"a":1,"a":2}`, "ensx", 7}, {`[1,2`, "ex", 4}, {`[[1,2],3}`, "emexx", 8},
	} {
		var r Reader
		r.Reset([]byte(c.doc), 0)
		for _, step := range c.steps {
			switch step {
			case 'e':
				r.Enter()
			case 'n':
				r.Next()
			case 'm':
				r.More()
			case 's':
				r.Skip()
			case 'x':
				r.Exit()
			}
		}
		r.End()
		if err := r.Err(); err == nil && (c.fault >= 0 || r.Depth() != 0 || r.Pos() != len(c.doc)) || err != nil && err.Offset != c.fault {
			t.Errorf("%s by %s: %v, depth %d, pos %d", c.doc, c.steps, err, r.Depth(), r.Pos())
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		doc, message string
		end          bool
	}{
		{``, "the input ended where a value was expected at byte 0", true},
		{`[1,`, "the input ended where a value was expected at byte 3", true},
		{`[1`, "the input ended where a comma or ] was expected at byte 2", true},
		{`{"a":1`, "the input ended where a comma or } was expected at byte 6", true},
		{`{`, "the input ended where a member name was expected at byte 1", true},
		{`{"a"`, "the input ended where a colon was expected at byte 4", true},
		{`"a`, "the input ended inside a string at byte 2", true},
		{`tr`, "the input ended inside true at byte 2", true},
		{`-`, "the input ended inside a number at byte 1", true},
		{"\"\xe2\x82", "the input ended inside a character at byte 1", true},
		{"\xef\xbb", "the input ended inside a byte order mark at byte 0", true},
		{`[x]`, "a value was expected at byte 1", false},
		{"[\x01]", "a value was expected at byte 1", false},
		{"[\ufeff1]", "a value was expected, not a byte order mark at byte 1", false},
		{"[\xff]", "these bytes are not UTF-8 at byte 1", false},
		{`[1}`, "a comma or ] was expected, not '}' at byte 2", false},
		{`{"a":1]`, "a comma or } was expected, not ']' at byte 6", false},
		{`{1:2}`, "a member name was expected at byte 1", false},
		{`{"a";1}`, "a colon was expected at byte 4", false},
		{`[-x]`, "a digit was expected at byte 2", false},
		{`["\q"]`, "there is no such escape at byte 2", false},
		{`["\u12"]`, "four hexadecimal digits must follow \\u at byte 6", false},
		{"[\"\n\"]", "a control character in a string must be escaped at byte 2", false},
		{`{"a":1,"a":2}`, "the object has two members of this name at byte 7", false},
		{`[[[]]]`, "the document nests more than 2 levels at byte 2", false},
		{`1 2`, "there is something after the end of the value at byte 2", false},
		{"[\x00", "this looks like UTF-16 or UTF-32; UTF-8 is wanted at byte 0", false},
	} {
		var r Reader
		_, err := readAll(&r, []byte(c.doc), 2)
		if err == nil || err.Error() != c.message || err.End != c.end {
			t.Errorf("%q: %v, end %v", c.doc, err, err != nil && err.End)
		}
	}
}

func TestTooLarge(t *testing.T) {
	if testing.Short() || strconv.IntSize < 64 {
		t.Skip("needs two gigabytes of address space")
	}
	size := MaxBytes
	var r Reader
	r.Reset(make([]byte, size+1), 0) // the pages are never touched
	if err := r.Err(); err == nil || err.Fault != TooLarge || err.Offset != 0 {
		t.Error(err)
	}
}

func TestReuse(t *testing.T) {
	var r Reader
	for _, doc := range []string{`{"a":{"a":[{`, `{"a":1}`, `[1,]`, `{"a":1,"a":2}`, `{"a":1}`, `["\q"]`, `{"\u0061":1}`} {
		_, got := readAll(&r, []byte(doc), 0)
		var fresh Reader
		_, want := readAll(&fresh, []byte(doc), 0)
		if (got == nil) != (want == nil) || got != nil && *got != *want {
			t.Errorf("%q: %v in a Reader that was used before, %v in a new one", doc, got, want)
		}
		if got == nil && r.Deepest() != 1 {
			t.Errorf("%q: deepest %d", doc, r.Deepest())
		}
	}
}

func TestLineColumn(t *testing.T) {
	src := []byte("ab\nc\r\n\n\u00e9d\r")
	for _, c := range []struct{ offset, line, column int }{
		{0, 1, 1}, {1, 1, 2}, {2, 1, 3}, {3, 2, 1}, {4, 2, 2}, {5, 2, 3}, {6, 3, 1}, {7, 4, 1}, {9, 4, 3}, {10, 4, 4}, {11, 4, 5}, {100, 4, 5},
	} {
		if line, column := LineColumn(src, c.offset); line != c.line || column != c.column {
			t.Errorf("offset %d: line %d, column %d", c.offset, line, column)
		}
		if p := Locate(src, []int{c.offset})[0]; p.Line != c.line || p.Column != c.column {
			t.Errorf("offset %d: located at %+v", c.offset, p)
		}
	}
}

func TestLocate(t *testing.T) {
	// Each mark is an offset; the pointers answer them in order.
	for _, c := range []struct {
		doc      string
		pointers []string
	}{
		{`^1`, []string{""}},
		{`^ ^1^ ^`, []string{"", "", "", ""}},
		{`^[^1^,^ ^2^]^`, []string{"", "/0", "", "", "/1", "", ""}},
		{`{^"a"^:^1^,^"b"^ :^ ^{^"c"^:^[^]^}^}^`, []string{"/a", "", "/a", "", "/b", "", "", "/b", "/b/c", "/b", "/b/c", "/b/c", "/b", "", ""}},
		{`[[^1],^[],^[^[^"x^y"]]]`, []string{"/0/0", "/1", "/2", "/2/0", "/2/0/0", "/2/0/0"}},
		{`{"a/b":{"m~n":{"":^1}}}`, []string{"/a~1b/m~0n/"}},
		{`{"\u0061\n":[{"\"^":^1}]}`, []string{"/a\n/0/\"", "/a\n/0/\""}},
		{`{"\ud83d\ude00":^1,"\ud800":^2}`, []string{"/\U0001F600", "/\xed\xa0\x80"}},
		{"^\ufeff^ ^[^1]", []string{"", "", "", "/0"}},
		{`[true^,null,"a\"^,]",^-1.5e+^3]`, []string{"", "/2", "/3", "/3"}},
		// texts that are cut
		{`[1^`, []string{""}}, {`[1.^`, []string{"/0"}}, {`[tr^`, []string{"/0"}}, {`["a^`, []string{"/0"}}, {`["a\^`, []string{"/0"}}, {`{"a":"^`, []string{"/a"}}, {`{"a^`, []string{""}}, {`{"a\"^`, []string{""}}, {`{"a"^`, []string{""}}, {`{"a":^`, []string{""}}, {`{"a":[{"b":1^`, []string{"/a/0"}},
		// faults
		{`{"a\u^":1}`, []string{""}}, {`{"\ud83d\u12^`, []string{""}}, {"{\"a^\xff\":1}", []string{""}}, {`{"a" ^"b"}`, []string{""}}, {`{"a":1 ^"b":2}`, []string{""}}, {`{"a":^x}`, []string{"/a"}}, {`{"a":^,}`, []string{""}}, {`{^:}`, []string{""}}, {`^]`, []string{""}}, {`[1 ^2]`, []string{""}}, {`[1^x]`, []string{"/0"}}, {`{"o":{^x:1}}`, []string{"/o"}},
	} {
		var doc []byte
		var offsets []int
		for _, b := range []byte(c.doc) {
			if b == '^' {
				offsets = append(offsets, len(doc))
			} else {
				doc = append(doc, b)
			}
		}
		doc = slices.Clip(doc)
		var got []string
		for i, p := range Locate(doc, offsets) {
			got = append(got, p.Pointer)
			if alone := pointerAt(doc, offsets[i]); alone != p.Pointer {
				t.Errorf("%s: the %d. place alone is %q", c.doc, i, alone)
			}
		}
		if !slices.Equal(got, c.pointers) {
			t.Errorf("%s: %q", c.doc, got)
		}
		backwards := slices.Clone(offsets)
		slices.Reverse(backwards)
		places := SortedPlaces(doc, backwards)
		slices.Reverse(places)
		if !slices.Equal(places, Locate(doc, offsets)) {
			t.Errorf("%s: backwards %v", c.doc, places)
		}
	}
	if len(Locate([]byte("1"), nil)) != 0 || len(SortedPlaces([]byte("1"), nil)) != 0 {
		t.Error("places of no offsets")
	}
	twice := Locate([]byte("[1,\n2]"), []int{1, 1, 4, 4, 99})
	if want := []Place{{1, 2, "/0"}, {1, 2, "/0"}, {2, 1, "/1"}, {2, 1, "/1"}, {2, 3, ""}}; !slices.Equal(twice, want) {
		t.Errorf("offsets that come twice: %v", twice)
	}
}

// TestLocateAnything takes text that is not JSON at all: places mean little
// there, but asking must not crash.
func TestLocateAnything(t *testing.T) {
	pieces := []string{`{`, `}`, `[`, `]`, `,`, `:`, `"`, `"a"`, `\`, `"\u`, `1`, `-`, `t`, " ", "\n", "\xff", "\xef\xbb\xbf", `"\q":`}
	n := uint32(1)
	for range 20000 {
		var doc []byte
		for range 1 + n>>8%12 {
			n = n*1664525 + 1013904223
			doc = append(doc, pieces[n>>16%uint32(len(pieces))]...)
		}
		doc = slices.Clip(doc)
		offsets := make([]int, 0, len(doc)+1)
		for i := range len(doc) + 1 {
			offsets = append(offsets, i)
		}
		Locate(doc, offsets)
	}
}

func TestStrings(t *testing.T) {
	for _, c := range []struct{ raw, text, quoted string }{
		{`""`, "", `""`}, {`"a"`, "a", `"a"`}, {`"\u0041\/"`, "A/", `"A/"`}, {`"\"\\\b\f\n\r\t"`, "\"\\\b\f\n\r\t", `"\"\\\b\f\n\r\t"`},
		{`"\u0000\u001F\u007f"`, "\x00\x1f\x7f", "\"\\u0000\\u001f\x7f\""}, {`"\ud83d\ude00"`, "\U0001F600", "\"\U0001F600\""}, {`"\uD800"`, "\xed\xa0\x80", `"\ud800"`}, {`"\udfff\ud800\u0041"`, "\xed\xbf\xbf\xed\xa0\x80A", `"\udfff\ud800A"`},
		{`"\ud83d\ud83d\ude00\ude00"`, "\xed\xa0\xbd\U0001F600\xed\xb8\x80", "\"\\ud83d\U0001F600\\ude00\""}, {`"\u2028<>&"`, "\u2028<>&", "\"\u2028<>&\""}, {`"\ud7ff\ue000\uffff"`, "\ud7ff\ue000\uffff", "\"\ud7ff\ue000\uffff\""}, {`"\u0080\u07ff\u0800"`, "\u0080\u07ff\u0800", "\"\u0080\u07ff\u0800\""}, {`"\\u0041"`, `\u0041`, `"\\u0041"`},
	} {
		raw := []byte(c.raw)
		if got := AppendUnquoted([]byte("+"), raw); string(got) != "+"+c.text {
			t.Errorf("AppendUnquoted(%s) = %q", c.raw, got)
		}
		if got := Unquote(raw); string(got) != c.text {
			t.Errorf("Unquote(%s) = %q", c.raw, got)
		}
		if got := AppendQuoted([]byte("+"), []byte(c.text)); string(got) != "+"+c.quoted {
			t.Errorf("AppendQuoted(%q) = %q", c.text, got)
		}
		if got := AppendEscaped([]byte("+"), []byte(c.text)); string(got) != "+"+c.quoted[1:len(c.quoted)-1] {
			t.Errorf("AppendEscaped(%q) = %q", c.text, got)
		}
		if string(Inner(raw)) != c.raw[1:len(c.raw)-1] {
			t.Errorf("Inner(%s) = %q", c.raw, Inner(raw))
		}
		if !EqualText(raw, c.text) || EqualText(raw, c.text+"x") || EqualText(raw, "x"+c.text) {
			t.Errorf("EqualText(%s, …) is wrong", c.raw)
		}
		if !EqualStrings(raw, []byte(c.quoted)) || !EqualStrings([]byte(c.quoted), raw) || EqualStrings(raw, []byte(`"another"`)) {
			t.Errorf("EqualStrings(%s, …) is wrong", c.raw)
		}
	}
	for _, raw := range []string{``, `1`, `null`, `[""]`, `{}`} {
		if EqualText([]byte(raw), "") || EqualText([]byte(raw), raw) {
			t.Errorf("%q says something though it is no string", raw)
		}
	}
	if b := []byte(`"plain"`); &Unquote(b)[0] != &b[1] {
		t.Error("Unquote copies a string without escapes")
	}
}

func TestCompact(t *testing.T) {
	for _, c := range [][2]string{
		{`1`, `1`}, {" 1\n", `1`}, {`[ ]`, `[]`}, {"{ \"a b\" :\t[ 1 , \" \" ,\r\n{ } ] }", `{"a b":[1," ",{}]}`}, {`[" \" ", "\\", "]"]`, `[" \" ","\\","]"]`}, {`{"a":1.0, "b":-0}`, `{"a":1.0,"b":-0}`},
	} {
		if got := AppendCompact([]byte("+"), []byte(c[0])); string(got) != "+"+c[1] {
			t.Errorf("AppendCompact(%q) = %q", c[0], got)
		}
	}
}

func TestMembersAndEntries(t *testing.T) {
	object := []byte("{ \"a\" : 1 ,\n\"\\u0062\":[ 2, {} ],\"c\":{\"a\":\"}\"},\"d\":\"\\\"\" , \"\":null }")
	var got []string
	Members(object, func(name, value []byte) bool {
		got = append(got, string(name)+"="+string(value))
		return true
	})
	if want := []string{`"a"=1`, `"\u0062"=[ 2, {} ]`, `"c"={"a":"}"}`, `"d"="\""`, `""=null`}; !slices.Equal(got, want) {
		t.Errorf("members %q", got)
	}
	got = nil
	Entries([]byte("[ 1 ,[ 2,3 ] , \"],\\\"\",{\"a\":[]}\n,true]"), func(value []byte) bool {
		got = append(got, string(value))
		return true
	})
	if want := []string{`1`, `[ 2,3 ]`, `"],\""`, `{"a":[]}`, `true`}; !slices.Equal(got, want) {
		t.Errorf("entries %q", got)
	}
	calls := 0
	Members(object, func(_, _ []byte) bool { calls++; return calls < 2 })
	Entries([]byte(`[1,2,3]`), func([]byte) bool { calls++; return calls < 4 })
	Members([]byte(`{}`), func(_, _ []byte) bool { calls++; return true })
	Members([]byte(`{ }`), func(_, _ []byte) bool { calls++; return true })
	Entries([]byte(`[]`), func([]byte) bool { calls++; return true })
	Entries([]byte(`[ ]`), func([]byte) bool { calls++; return true })
	if calls != 4 {
		t.Errorf("%d calls, want 2 and 2", calls)
	}
	for name, want := range map[string]string{"a": "1", "b": "[ 2, {} ]", "c": `{"a":"}"}`, "": "null"} {
		if got := Member(object, name); string(got) != want {
			t.Errorf("Member %q is %q", name, got)
		}
	}
	for _, c := range [][2]string{{string(object), "A"}, {string(object), "e"}, {`{}`, ""}, {`["a"]`, "a"}, {`"a"`, "a"}, {``, "a"}, {`null`, "a"}} {
		if got := Member([]byte(c[0]), c[1]); got != nil {
			t.Errorf("Member %q of %s is %q", c[1], c[0], got)
		}
	}
}

func TestLevels(t *testing.T) {
	for raw, want := range map[string]int{`1`: 0, `"[[["`: 0, `[]`: 1, `{}`: 1, `[1,"]"]`: 1, `[[],[[]],[]]`: 3, `{"a":[{"[":1}]}`: 3} {
		if got := Levels([]byte(raw)); got != want {
			t.Errorf("Levels(%s) = %d", raw, got)
		}
	}
}

func TestDigest(t *testing.T) {
	// Values of one row are equal in any order of members; those with the same
	// letter before them also in this one.
	rows := [][]string{
		{`a null`}, {`a true`}, {`a false`}, {`a "null"`}, {`a "true"`}, {`a ""`, `a  "" `}, {`a 1`}, {`a 1.0`}, {`a 1e0`}, {`a -0`}, {`a 0`}, {`a "1"`},
		{`a []`, `a [ ]`}, {`a {}`, "a {\n}"}, {`a [[]]`}, {`a [{}]`}, {`a [[],[]]`}, {`a [[[]]]`}, {`a [[],[[]]]`}, {`a [[[]],[]]`}, {`a [1,2]`, `a [1 ,2]`}, {`a [2,1]`}, {`a [12]`}, {`a [[1,2]]`}, {`a [[1],2]`}, {`a [1,[2]]`}, {`a ["1,2"]`}, {`a ["1","2"]`},
		{`a "a"`, `a "\u0061"`}, {`a "\n"`, `a "\u000A"`}, {`a "/"`, `a "\/"`}, {"a \"\U0001F600\"", `a "\ud83d\ude00"`}, {`a "\ud83d"`}, {`a "\ude00"`}, {`a ["a"]`},
		{`a {"a":"a"}`}, {`a {"b":"b"}`}, {`a {"a":"b"}`}, {`a {"b":"a"}`}, {`a {"a":"a","b":"b"}`, `b {"b":"b","a":"a"}`}, {`a {"a":"b","b":"a"}`, `b {"b":"a","a":"b"}`},
		{`a {"a":1,"b":2}`, `a { "a" : 1 , "\u0062" : 2 }`, `b {"b":2,"a":1}`}, {`a {"a":2,"b":1}`, `b {"b":1,"a":2}`}, {`a {"a":1,"b":2,"c":3}`, `b {"c":3,"a":1,"b":2}`, `c {"b":2,"c":3,"a":1}`}, {`a {"a":1}`}, {`a {"b":2}`}, {`a {"":null}`}, {`a {"":{}}`}, {`a {"":[]}`}, {`a {"a":{"b":1}}`}, {`a {"a":["b",1]}`}, {`a ["a",{"b":1}]`}, {`a [{"a":1},{"b":2}]`}, {`a [{"b":2},{"a":1}]`},
		{`a {"x":{"a":1,"b":2},"y":0}`, `b {"x":{"b":2,"a":1},"y":0}`, `c {"y":0,"x":{"a":1,"b":2}}`},
	}
	type value struct {
		row    int
		letter byte
		raw    string
	}
	var values []value
	for i, row := range rows {
		for _, s := range row {
			values = append(values, value{i, s[0], s[2:]})
		}
	}
	for _, v := range values {
		for _, w := range values {
			if same := DigestOf([]byte(v.raw), false) == DigestOf([]byte(w.raw), false); same != (v.row == w.row) {
				t.Errorf("%s and %s: same digest %v", v.raw, w.raw, same)
			}
			if same := DigestOf([]byte(v.raw), true) == DigestOf([]byte(w.raw), true); same != (v.row == w.row && v.letter == w.letter) {
				t.Errorf("%s and %s, ordered: same digest %v", v.raw, w.raw, same)
			}
		}
	}
}

// TestNothingAllocated holds the cost of reading to the bytes read: a Reader
// that has its working memory takes no more, whatever the shape of documents.
func TestNothingAllocated(t *testing.T) {
	for name, doc := range shapes(1 << 16) {
		var r Reader
		if _, err := readAll(&r, doc, len(doc)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if n := testing.AllocsPerRun(5, func() { readAll(&r, doc, len(doc)) }); n != 0 {
			t.Errorf("%s: %v allocations in a Reader that was used before", name, n)
		}
		buf := make([]byte, 0, len(doc))
		if n := testing.AllocsPerRun(5, func() { buf = AppendCompact(buf[:0], doc); Levels(doc) }); n != 0 {
			t.Errorf("%s: %v allocations where there is room", name, n)
		}
	}
}

// TestMemoryFollowsLength compares what a new Reader allocates for a document
// and for one eight times as long: it may not be out of proportion. Bytes, not
// time, so that a busy machine changes nothing.
func TestMemoryFollowsLength(t *testing.T) {
	bytesOf := func(doc []byte) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var r Reader
		if _, err := readAll(&r, doc, len(doc)); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	small, large := shapes(1<<12), shapes(1<<15)
	for name := range small {
		s, l := bytesOf(small[name]), bytesOf(large[name])
		if l > 16*s+4096 {
			t.Errorf("%s: %d bytes for %d, %d bytes for %d", name, s, len(small[name]), l, len(large[name]))
		}
	}
}

// TestNameTables reuses the tables of objects with many names, next to each
// other and within each other, in one Reader.
func TestNameTables(t *testing.T) {
	members := func(n int, extra string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"member %d":%d,`, i, i)
		}
		return "{" + b.String() + extra + "}"
	}
	var r Reader
	for _, n := range []int{0, 1, 15, 16, 17, 31, 32, 33, 100, 17, 1000, 20} {
		inner := members(n, `"z":0`)
		good := "[" + members(n, `"o":`+inner+`,"p":`+inner+`,"z":`+inner) + "," + inner + "]"
		if _, err := readAll(&r, []byte(good), 0); err != nil {
			t.Errorf("%d names: %v", n, err)
		}
		bad := "[" + inner + "," + members(n, `"o":`+inner+`,"o":1`) + "]"
		if _, err := readAll(&r, []byte(bad), 0); err == nil || err.Fault != DuplicateMember || err.Offset != strings.LastIndex(bad, `"o"`) {
			t.Errorf("%d names and one twice: %v", n, err)
		}
		for k := range min(n, 40) {
			twice := fmt.Sprintf(`"\u006dember %d"`, k)
			bad := members(n, `"q":`+inner+","+twice+":1")
			if _, err := readAll(&r, []byte(bad), 0); err == nil || err.Fault != DuplicateMember || err.Offset != strings.Index(bad, twice) {
				t.Errorf("%d names and the %d. twice: %v", n, k, err)
			}
		}
	}
}

func TestDeepDocuments(t *testing.T) {
	const depth = 200000
	doc := append(bytes.Repeat([]byte(`[{"a":`), depth), bytes.Repeat([]byte(`}]`), depth)...)
	doc = slices.Insert(doc, 6*depth, '1')
	var r Reader
	span, err := readAll(&r, doc, 2*depth)
	if err != nil || span.Len() != len(doc) || r.Deepest() != 2*depth || Levels(doc) != 2*depth {
		t.Fatalf("%v, deepest %d", err, r.Deepest())
	}
	if got := pointerAt(doc, 6*depth); got != strings.Repeat("/0/a", depth) {
		t.Errorf("the pointer to the innermost value is %d bytes long", len(got))
	}
	if got := AppendCompact(nil, doc); !bytes.Equal(got, doc) {
		t.Error("compacting changed a document without white space")
	}
	if DigestOf(doc, true) == DigestOf(doc[6:len(doc)-2], true) {
		t.Error("a document has the digest of one that is a level less deep")
	}
}

// TestNameTablesAreReused looks inside: many names get a table, since comparing
// each with all would cost their square; tables go from one object to the next.
func TestNameTablesAreReused(t *testing.T) {
	var r Reader
	few, many := namesObject(16), namesObject(17)
	for _, c := range []struct {
		doc    string
		tables int
	}{
		{string(few), 0},
		{strings.Repeat(string(few)+",", 20) + "0", 0},
		{string(many), 1},
		{strings.Repeat(string(many)+",", 20) + "0", 1},
		{strings.TrimSuffix(string(many), "}") + `,"in":` + strings.TrimSuffix(string(many), "}") + `,"in":` + string(many) + `},"on":` + string(many) + "}", 3},
	} {
		r = Reader{}
		if _, err := readAll(&r, []byte("["+c.doc+"]"), 0); err != nil || len(r.names.tables) != c.tables {
			t.Errorf("%.60s: %d tables, want %d (%v)", c.doc, len(r.names.tables), c.tables, err)
		}
	}
	for range 100 { // documents that end within objects leave nothing behind
		readAll(&r, many[:len(many)-1], 0)
	}
	if n := cap(r.names.names); n > 1000 || len(r.names.tables) > 3 {
		t.Errorf("%d names and %d tables are kept", n, len(r.names.tables))
	}
}

func TestWatchAndTokens(t *testing.T) {
	doc := []byte(`[0, { "\u0061":{"x":1}, "b":[{"y":2}], "c":"s" } ]`)
	var r Reader
	var seen []string
	note := func(key []byte, kind Kind) { seen = append(seen, string(key)+" is "+kind.String()) }
	r.Reset(doc, 0)
	r.Enter()
	for r.More() {
		r.Watch(note) // a scalar has no names
	}
	if want := []string{"a is an object", "b is an array", "c is a string"}; !r.End() || !slices.Equal(seen, want) {
		t.Errorf("watched %q (%v)", seen, r.Err())
	}
	r.Reset(doc, 0)
	if r.Skip(); len(seen) != 3 {
		t.Error("a watch outlasts its value")
	}
	var tokens []string
	Tokens(doc, func(token []byte) { tokens = append(tokens, string(token)) })
	if got, want := strings.Join(tokens, "_"), `[_0_,_{_"\u0061"_:_{_"x"_:_1_}_,_"b"_:_[_{_"y"_:_2_}_]_,_"c"_:_"s"_}_]`; got != want {
		t.Errorf("tokens %s", got)
	}
}

func TestBoundary(t *testing.T) {
	for _, c := range []struct {
		src string
		end int // -1 for none
	}{
		{``, -1}, {` `, -1}, {`1`, -1}, {`1 `, 2}, {" 12\n3", 4}, {`null`, -1}, {`"a"`, 3}, {`"a\"`, -1}, {`"a\"" `, 5}, {`{}`, 2}, {` {"a":"}"}x`, 10}, {`[[]`, -1}, {`[[]][`, 4}, {`["\\"]]`, 6}, {"\ufeff[]", 5}, {"\xef\xbb", -1}, {`{}{}`, 2},
	} {
		var b Boundary
		if end, ok := b.Scan([]byte(c.src)); ok != (c.end >= 0) || ok && end != c.end {
			t.Errorf("%q ends at %d, %v", c.src, end, ok)
		}
	}
}

// pointerAt is the JSON Pointer of the innermost value at an offset.
func pointerAt(src []byte, offset int) string { return Locate(src, []int{offset})[0].Pointer }

// TestLocateManyDeep holds that the pointers of many deep places take memory in
// proportion to the document, and that of those that are not whole the end is right.
func TestLocateManyDeep(t *testing.T) {
	const depth, wide = 3000, 20000
	src := []byte(strings.Repeat(`{"a/b":[`, depth) + strings.Repeat("0,", wide) + "0" + strings.Repeat("]}", depth))
	var offsets []int
	for i := range wide {
		offsets = append(offsets, 8*depth+2*i)
	}
	total, whole := 0, 0
	for i, p := range Locate(src, offsets) {
		total += len(p.Pointer)
		end := fmt.Sprintf("/a~1b/0/a~1b/%d", i)
		if !strings.HasSuffix(p.Pointer, end) {
			t.Fatalf("place %d is at ...%s", i, p.Pointer[max(0, len(p.Pointer)-40):])
		}
		if p.Pointer[0] == '/' {
			whole++
		} else if !strings.HasPrefix(p.Pointer, ".../") {
			t.Fatalf("place %d is at %.40s...", i, p.Pointer)
		}
	}
	if most := 16*len(src) + 2<<20 + 250*wide; total > most || whole == 0 || whole == wide {
		t.Errorf("pointers of %d bytes in all, %d of %d whole; at most %d", total, whole, wide, most)
	}
}

// TestAllowTwice holds that members of one name are read where that is allowed, and
// only there.
func TestAllowTwice(t *testing.T) {
	many := `{"a":1` + strings.Repeat(`,"x":{"y":[1],"y":2},"a":3`, 40) + `}`
	var r Reader
	for range 2 {
		for _, text := range []string{`{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, many} {
			r.Reset([]byte(text), 0)
			r.AllowTwice()
			n := 0
			for r.Enter(); r.Next(); n++ {
				r.Skip()
			}
			if !r.End() || n < 2 {
				t.Errorf("%.40s: %d members, %v", text, n, r.Err())
			}
			r.Reset([]byte(text), 0)
			if r.Skip(); r.End() || r.Err().Fault != DuplicateMember {
				t.Errorf("%.40s: %v", text, r.Err())
			}
			r.Reset([]byte(text[:len(text)-1]), 0)
			r.AllowTwice()
			if r.Skip(); r.End() || r.Err().Fault != Syntax {
				t.Errorf("%.40s, cut: %v", text, r.Err())
			}
		}
	}
}
