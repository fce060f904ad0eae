package model_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
)

// tree builds a snapshot of lines, each an id with two spaces for each level, and
// marks: * focused, ! secure. An id of - is none.
func tree(lines ...string) *model.Snapshot {
	s := &model.Snapshot{}
	s.Reset([]byte("{}"))
	var open []int32
	for n, l := range lines {
		word := strings.TrimLeft(l, " ")
		depth := (len(l) - len(word)) / 2
		i := s.Add(uint32(n))
		e := &s.Elements[i]
		e.Focused, e.Secure = strings.Contains(word, "*"), strings.Contains(word, "!")
		if id := strings.Trim(word, "*!"); id != "-" {
			e.ID = s.MakeString(id)
		}
		if depth == 0 {
			s.Root = i
		} else {
			s.Link(open[depth-1], i)
		}
		open = append(open[:depth], i)
	}
	return s
}

// ids are the ids of elements, in the order of the tree, with a star where focused.
func ids(s *model.Snapshot) string {
	var out []string
	for i := s.Root; i != model.None; i, _ = s.After(i, s.Root) {
		id := string(s.Text(s.Elements[i].ID))
		if s.Elements[i].Focused {
			id += "*"
		}
		out = append(out, id)
	}
	return strings.Join(out, " ")
}

func TestRoles(t *testing.T) {
	for r := model.Application; r <= model.Document; r++ {
		if got := model.ParseRole([]byte(r.String())); got != r {
			t.Errorf("%s is read as %s", r, got)
		}
		if strings.ToLower(r.String()) != r.Lower() || r.Acts() != r {
			t.Errorf("%s: %s in lower case, acts as %s", r, r.Lower(), r.Acts())
		}
	}
	for _, w := range []string{"", "group", "Carousel", "Group ", "GROUP"} {
		if got := model.ParseRole([]byte(w)); got != model.Unknown || got.Acts() != model.Group {
			t.Errorf("%q is read as %s", w, got)
		}
	}
}

func TestFold(t *testing.T) {
	for word, want := range map[string]string{"note": "note", "Data-Grid": "datagrid", "pin_code ": "pincode", "AXRow": "row", "axrow": "axrow",
		"AX_Row": "row", "A-X.Note": "x.note", "AXAXRow": "axrow", "AX": "ax", "AXrow": "axrow", "": "", "İmage": "İmage", "tab\tword": "tab\tword",
		strings.Repeat("a", 41): ""} {
		if word == "A-X.Note" {
			want = "ax.note" // no capital follows
		}
		f := model.Fold([]byte(word))
		if got := string(f.Bytes()); got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}

func TestSecure(t *testing.T) {
	more := model.NewWords([]string{"licence-key", ""})
	for _, c := range []struct {
		word      string
		base, add bool
	}{
		{"password", true, true}, {"AXSecureTextField", true, true}, {"my.Pass-Word", true, true}, {"a/b:otp", true, true}, {"one passcode", true, true},
		{"text\tcvv", true, true}, {"tab\u00a0otp", true, true}, {"passwords", false, false}, {"", false, false}, {"note", false, false},
		{"Licence Key", false, true}, {"x licence_key", false, true}, {"pin code", true, true}, {"pin\u2003code", false, false}, {"secret.note", false, false},
	} {
		if got := (model.Words{}).Secure([]byte(c.word)); got != c.base {
			t.Errorf("%q: secure %v", c.word, got)
		}
		if got := more.Secure([]byte(c.word)); got != c.add {
			t.Errorf("%q: secure %v with more words", c.word, got)
		}
	}
	if more.Same(model.Words{}) || !more.Same(model.NewWords([]string{"licence-key", ""})) {
		t.Error("vocabularies are told apart by their words")
	}
}

func TestTokens(t *testing.T) {
	for text, want := range map[string]string{"": "", " ": "", "a": "a", " a\u00a0b\u3000 c\u200bd ": "a|b|c\u200bd", "a\nb": "a|b"} {
		var got []string
		for rest := []byte(text); len(rest) > 0; {
			var token []byte
			if token, rest = model.NextToken(rest); len(token) > 0 {
				got = append(got, string(token))
			}
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestIdentify(t *testing.T) {
	for _, c := range []struct {
		have []string
		want string
	}{
		{[]string{"a", "  b"}, "a b"},
		{[]string{"a", "  a", "  a"}, "a a~2 a~3"},
		{[]string{"a", "  a~2", "  a", "  a"}, "a a~2 a~3 a~4"},
		{[]string{"a", "  a", "  a~2"}, "a a~3 a~2"},
		{[]string{"-", "  -"}, "item-0 item-1"},
		{[]string{"-", "  item-0"}, "item-0~2 item-0"},
		{[]string{"-", "  item-0", "  item-0~2"}, "item-0~3 item-0 item-0~2"},
		{[]string{"item-1", "  -", "  item-1"}, "item-1 item-1~2 item-1~3"},
	} {
		s := tree(c.have...)
		changed := 0
		s.Identify(nil, func(i int32, was model.Span) { changed++ })
		if got := ids(s); got != c.want {
			t.Errorf("%q: got %s, want %s", c.have, got, c.want)
		}
		made := 0
		for i, e := range s.Elements {
			if e.MadeID {
				made++
			} else if s.Find([]byte(strings.Trim(c.have[i], " "))) != int32(i) {
				t.Errorf("%q: the first bearer of an id is not found", c.have)
			}
		}
		if made != changed {
			t.Errorf("%q: told of %d ids that were made, there are %d", c.have, changed, made)
		}
	}
}

// TestFindMany holds that elements are found by ids of all lengths, those that are
// claimed long after the table was made among them.
func TestFindMany(t *testing.T) {
	id := func(i int) string { return strings.Repeat("x", i%50) + strconv.Itoa(i) }
	s := tree("root")
	s.Identify(nil, func(int32, model.Span) {})
	for i := 1; i < 3000; i++ {
		s.Add(0)
		if i%97 != 0 { // some never get one
			s.Elements[i].ID = s.MakeString(id(i))
		}
	}
	for i := 2999; i > 1500; i-- { // the last ones first
		if s.Elements[i].ID.IsZero() {
			continue
		}
		s.Claim(int32(i), s.Elements[i].ID)
		if s.Find([]byte(id(i))) != model.None {
			t.Fatalf("%s counts as one of the answer's own", id(i))
		}
		if got := s.Text(s.MakeID(id(i))); string(got) != id(i)+"~2" {
			t.Fatalf("%s is made of %s, which is there", got, id(i))
		}
	}
	s = tree("root")
	for i := 1; i < 3000; i++ {
		s.Add(0)
		s.Elements[i].ID = s.MakeString(id(i))
	}
	s.Identify(nil, func(i int32, was model.Span) { t.Errorf("%d was changed", i) })
	for i := 1; i < 3000; i++ {
		if got := s.Find([]byte(id(i))); got != int32(i) {
			t.Fatalf("%s is found at %d, not %d", id(i), got, i)
		}
		if got := s.Find([]byte(id(i) + "\x00")); got != model.None {
			t.Fatalf("an id that none has is found at %d", got)
		}
	}
}

// TestMemo holds that a memo answers of each word what was found of it, however
// words fall on one another in it.
func TestMemo(t *testing.T) {
	var m model.Memo[string]
	finds := 0
	find := func(word []byte) string { finds++; return "found " + string(word) }
	doc := []byte(strings.Repeat("abcdefghij", 10))
	for round := range 3 {
		for from := range 60 {
			for _, n := range []int{0, 1, 7, 8, 9, 16, 22, 23, 24, 30} {
				word := doc[from : from+n]
				if got := m.Of(word, find); got != "found "+string(word) {
					t.Fatalf("of %s it says %q", word, got)
				}
				if got := m.Of([]byte(string(word)+"\x00"), find); got != "found "+string(word)+"\x00" {
					t.Fatalf("of %s and a zero it says %q", word, got)
				}
			}
		}
		if round == 0 {
			finds = 0
			m.Of([]byte("text"), find)
			m.Of([]byte("some text")[5:], find)
			if finds != 1 {
				t.Errorf("a word that was asked for was looked for %d times", finds)
			}
		}
	}
}

func TestMakeID(t *testing.T) {
	s := tree("x", "  app", "  app~2")
	s.Identify(nil, func(int32, model.Span) {})
	if got := string(s.Text(s.MakeID("app"))); got != "app~3" {
		t.Errorf("got %s", got)
	}
	if got := string(s.Text(s.MakeID("new"))); got != "new" {
		t.Errorf("got %s", got)
	}
}

func TestOnePath(t *testing.T) {
	for _, c := range []struct {
		have           []string
		want, position string
		gaps, off      int
	}{
		{[]string{"r", "  a", "  b"}, "r a b", "", 0, 0},
		{[]string{"r", "  a*", "    b*", "  c"}, "r a* b* c", "b", 0, 0},
		{[]string{"r", "  a", "    b*"}, "r a* b*", "b", 1, 0},
		{[]string{"r", "  a*", "    b", "  c*"}, "r a* b c", "a", 0, 1},
		{[]string{"r", "  a*", "    b", "      c*", "    d*"}, "r a* b* c* d", "c", 1, 1},
		{[]string{"r*", "  a"}, "r a", "", 0, 1},
		{[]string{"r*", "  a*"}, "r a*", "a", 0, 1},
	} {
		s := tree(c.have...)
		gaps, off := 0, 0
		s.OnePath(func(int32) { gaps++ }, func(int32) { off++ })
		position := ""
		if at := s.Position(); at != model.None {
			position = string(s.Text(s.Elements[at].ID))
		}
		if got := ids(s); got != c.want || position != c.position || gaps != c.gaps || off != c.off {
			t.Errorf("%q: got %s at %q, %d gaps, %d off; want %s at %q, %d, %d", c.have, got, position, gaps, off, c.want, c.position, c.gaps, c.off)
		}
	}
}

func TestMarkPath(t *testing.T) {
	s := tree("r", "  a", "    b", "  c")
	s.MarkPath(2)
	if got := ids(s); got != "r a* b* c" {
		t.Errorf("got %s", got)
	}
	s.MarkPath(s.Root)
	if s.Elements[s.Root].Focused {
		t.Error("the root is marked")
	}
}

func TestWithhold(t *testing.T) {
	s := tree("r", "  a!", "    b", "  c", "    d!")
	s.Secure = true
	s.Elements[1].Content, s.Elements[1].URL = s.MakeString("x"), s.MakeString("y")
	s.Elements[1].Title = s.MakeString("t")
	var told []int32
	s.Withhold(func(i int32) { told = append(told, i) })
	e := &s.Elements[1]
	if got := ids(s); got != "r a c d" || fmt.Sprint(told) != "[1]" {
		t.Errorf("got %s, told of %v", got, told)
	}
	if !e.Content.IsZero() || !e.URL.IsZero() || e.HasAttributes() || e.Title.IsZero() {
		t.Error("a title is to stay, and nothing else")
	}
}

func TestWalks(t *testing.T) {
	s := tree("r", "  a", "    b", "      c", "  d")
	if got := ids(s); got != "r a b c d" {
		t.Errorf("got %s", got)
	}
	depth := 0
	for i, d := s.Root, 0; i != model.None; i, d = s.After(i, s.Root) {
		if depth += d; depth != s.Depth(i) {
			t.Errorf("element %d: at depth %d, told %d", i, s.Depth(i), depth)
		}
	}
	if next, up := s.Past(1, s.Root); next != 4 || up != 0 {
		t.Errorf("past a comes %d, %d", next, up)
	}
	if next, _ := s.After(3, 1); next != model.None {
		t.Errorf("past the end below a comes %d", next)
	}
}

// withAttributes is a snapshot of one element with raw attributes.
func withAttributes(raw string) *model.Snapshot {
	s := &model.Snapshot{}
	s.Reset([]byte(raw))
	s.Root = s.Add(0)
	s.Elements[0].Attributes = jsontree.MakeSpan(0, len(raw), true)
	return s
}

func TestAttributes(t *testing.T) {
	s := withAttributes(`{"a": 1, "b\u0063": [ 2 ], "d":null}`)
	if v, ok := s.Attribute(0, "bc"); !ok || string(s.Raw(v)) != "[ 2 ]" {
		t.Errorf("bc is %s", s.Raw(v))
	}
	if _, ok := s.Attribute(0, "x"); ok {
		t.Error("there is no x")
	}
	if got := string(s.AppendAttributes(nil, 0)); got != `{"a":1,"b\u0063":[2],"d":null}` {
		t.Errorf("got %s", got)
	}
	member := func(name, value string) model.Member {
		return model.Member{Name: s.MakeString(name), Value: s.Make([]byte(value), true)}
	}
	var lost []string
	s.Join(0, []model.Member{member("e", "3"), member("bc", "4"), member("e", "5")}, func(m model.Member, taken bool) {
		if taken {
			lost = append(lost, string(s.Raw(m.Value)))
		}
	})
	if got := string(s.AppendAttributes(nil, 0)); got != `{"a":1,"b\u0063":[2],"d":null,"e":3}` || fmt.Sprint(lost) != "[4 5]" {
		t.Errorf("got %s, lost %v", got, lost)
	}
	s.Keep(0, func(m model.Member) bool { return string(s.Text(m.Name)) != "a" })
	if got := string(s.AppendAttributes(nil, 0)); got != `{"b\u0063":[2],"d":null,"e":3}` {
		t.Errorf("got %s", got)
	}
	s.Keep(0, func(model.Member) bool { return false })
	if s.Elements[0].HasAttributes() {
		t.Error("attributes of which none is kept are gone")
	}
}

// TestEmptyAttributes: {} stays, what was emptied does not.
func TestEmptyAttributes(t *testing.T) {
	s := withAttributes(`{}`)
	s.Keep(0, func(model.Member) bool { return false })
	if got := string(s.AppendAttributes(nil, 0)); !s.Elements[0].HasAttributes() || got != `{}` {
		t.Errorf("got %s", got)
	}
}

// TestJoinMany holds that names are found among many.
func TestJoinMany(t *testing.T) {
	s := withAttributes(`{}`)
	var list []model.Member
	for i := range 100 {
		list = append(list, model.Member{Name: s.MakeString(fmt.Sprint("m", i%60)), Value: s.Make([]byte("1"), false)})
	}
	lost := 0
	s.Join(0, list, func(_ model.Member, taken bool) {
		if taken {
			lost++
		}
	})
	n := 0
	s.EachAttribute(0, func(model.Member) bool { n++; return true })
	if n != 60 || lost != 40 {
		t.Errorf("%d joined, %d lost", n, lost)
	}
}
