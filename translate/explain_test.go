package translate_test

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"ctxmigrate/internal/docgen"
	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
)

// at is the raw value at a JSON Pointer, nil where there is none.
func at(doc []byte, pointer string) []byte {
	raw := bytes.TrimSpace(bytes.TrimPrefix(doc, []byte("\ufeff")))
	for _, token := range docgen.Tokens(pointer) {
		var found []byte
		switch jsontree.KindOf(raw) {
		case jsontree.Object:
			found = jsontree.Member(raw, token)
		case jsontree.Array:
			n := 0
			jsontree.Entries(raw, func(e []byte) bool {
				if docgen.Pointer(token) == docgen.Pointer(strconv.Itoa(n)) {
					found = e
				}
				n++
				return found == nil
			})
		}
		if raw = found; raw == nil {
			return nil
		}
	}
	return raw
}

// idAt is the id of an element as any form has it, "" where it has none.
func idAt(raw []byte) string {
	for _, path := range [][]string{{"id"}, {"metadata", "element", "id"}} {
		v := raw
		for _, name := range path {
			v = jsontree.Member(v, name)
		}
		if jsontree.KindOf(v) == jsontree.String {
			return string(jsontree.Unquote(v))
		}
	}
	return ""
}

// TestExplain holds that the map from result to source says the truth, for documents
// of every form and for each pair: pointers lead to the element that they name, each
// element of the result is told once, and the reasons say the role that came out.
func TestExplain(t *testing.T) {
	mapped, gone := 0, 0
	samples(t, max(600, *lawsN/2), docgen.Options{}, func(s sample) {
		for _, to := range forms {
			plain, err := translate.Convert(s.doc, to, plainOptions())
			x, err2 := translate.Explain(s.doc, to, plainOptions())
			if (err == nil) != (err2 == nil) || !bytes.Equal(plain.Document, x.Document) {
				t.Fatalf("%v and %v; %s and %s", err, err2, plain.Document, x.Document)
			}
			if err != nil {
				continue
			}
			targets := map[string]bool{}
			for i := range x.Elements {
				o := &x.Elements[i]
				fail := func(what string) {
					t.Errorf("%s to %s: %s: %+v\n%s\n%s", s.form, to, what, *o, s.doc, x.Document)
				}
				if o.Gone {
					gone++
				} else {
					mapped++
					if targets[o.Target] {
						fail("two elements have one target")
					}
					targets[o.Target] = true
					raw := at(x.Document, o.Target)
					id := idAt(raw)
					if to == translate.Askable && bytes.Contains(s.doc, []byte(`"askable"`)) {
						id = "" // the packet may be put back, whose metadata are its own
					}
					if raw == nil || to != s.form && id != "" && id != o.ID {
						fail("the target is another element")
					}
					if to == translate.V020 && s.form != to {
						role := jsontree.Member(raw, "role")
						if !jsontree.EqualText(role, o.Role) || reason(o, "role") != o.Role {
							fail("the role is another")
						}
						sub := jsontree.Member(raw, "subrole")
						if sub != nil && !jsontree.EqualText(sub, reason(o, "subrole")) {
							fail("the subrole is another")
						}
						for _, state := range []string{"selected", "focused", "hovered"} {
							if (string(jsontree.Member(raw, state)) == "true") != has(o, state) {
								fail(state + " is not told")
							}
						}
					}
					if o.Written.Section == "" || o.Written.Text == "" {
						fail("no rule says why it stands there")
					}
				}
				if !o.Made && at(s.doc, o.Source) == nil {
					fail("the source is nothing")
				}
				for _, r := range o.Reasons {
					if r.Section == "" || r.Text == "" || r.Of == "" {
						fail("a reason is not told in full")
					}
				}
			}
			for _, u := range docgen.Units(docgen.Parse(x.Document), docgen.Form(to.String())) {
				if to != s.form && to != translate.Askable && !targets[u.Pointer] {
					t.Errorf("%s to %s: %s is not told of\n%s\n%s", s.form, to, u.Pointer, s.doc, x.Document)
				}
			}
		}
	})
	if mapped < 1000 || gone < 100 {
		t.Errorf("%d elements were mapped and %d left out", mapped, gone)
	}
}

func reason(o *translate.Origin, of string) string {
	for _, r := range o.Reasons {
		if r.Of == of {
			return r.Is
		}
	}
	return ""
}

func has(o *translate.Origin, of string) bool {
	for _, r := range o.Reasons {
		if r.Of == of && r.Is != "no" {
			return true
		}
	}
	return false
}

// TestExplainReasons shows the reasons of each kind.
func TestExplainReasons(t *testing.T) {
	for _, c := range []struct{ doc, want string }{
		{`{"protocol":"0.1","items":[{"id":"l","type":"list"},{"id":"t","type":"task","parent":"l"},{"id":"t","type":"task"},{"type":"gadget","parent":"gone"},{"id":"p","type":"note","parent":"l","payload":{"role":"Cell","subrole":"memo","visible":false}},{"id":"s","type":"selection"}],"focus":["t"]}`,
			`Application app: role 4.1 a root was made up, since no item is the application | id 4.1, 4.5 made up, apart from all ids of the answer
List l: role 4.3 the type "list" has this role wherever it is | subrole 4.3 there is none: the type says no more than role and states do | id 4.5 as it was written | place 4.2 it names no parent | focused 4.4 it lies on the path to what the focus list names
Row t: role 4.3 the type "task" is an entry, and what it is in says the role | subrole 4.3 the type as it was written | id 4.5 as it was written | place 4.2 its parent says so | focused 4.4 the focus list names it
Text s: role 4.3 the type is selection | subrole 4.3 there is none: the type says no more than role and states do | id 4.5 as it was written | place 4.2 a selection without a parent goes where the focus is | selected 4.3 a selection is selected
Cell p: role 4.3 payload.role says so | subrole 4.3 payload.subrole says so | id 4.5 as it was written | place 4.2 its parent says so | visible 4.6 payload.visible says so
Group t~2: role 4.3 the type "task" is an entry that stands in no list, table or row | subrole 4.3 the type as it was written | id 4.5 it appears again, and was told apart by a number | place 4.2 it names no parent
Group item-3: role 4.3 the type "gadget" is in no vocabulary, and its place says the role | subrole 4.3 the type as it was written | id 4.5 made up, since there was none | place 4.2 the parent that it names is not in the answer`},
		{`{"protocol":"0.2.0","instance":"i","root":{"id":"r","role":"Window","children":[{"id":"a","role":"Odd","children":[{"id":"b","focused":true,"hovered":true}]},{"id":"b","role":"Row","subrole":"x","focused":true}]}}`,
			`Application r: role 5.3 a root of another role, or none, is read as Application | subrole 5.3 there is none | id 4.5 as it was written | place 5.3 it is the root
Odd a: role 5.3 as it was written; it is no word of the role language, and acted on as Group | subrole 5.3 there is none | id 4.5 as it was written | place 5.3 where it was written | focused 5.3 a gap of the focused path was filled
Group b: role 5.3 there was none | subrole 5.3 there is none | id 4.5 as it was written | place 5.3 where it was written | focused 5.3 as it was written | hovered 5.3 as it was written
Row b~2: role 5.3 as it was written | subrole 5.3 as it was written | id 4.5 it appears again, and was told apart by a number | place 5.3 where it was written | focused 5.3 what is focused beside the path was unmarked`},
		{`{"protocol":"askable.context","version":"0.1","source":{"url":"u","timestamp":"t"},"capture":{"mode":"element-focus"},"target":{"role":"listitem","text":"t"},"surrounding":{"ancestors":[{"role":"row","selector":"e","metadata":{"element":{"id":"e","role":"Row"}}}],"nearby":[{"role":"nothing"}],"visible":[{"text":"v"}]},"privacy":{"redacted":false,"consent":"none"},"provenance":{"producer":"p","method":"app"}}`,
			`Application app: role 6.1 a packet has no root, and one was made up; its title is source.app | id 6.1 made up
Document page: role 6.1 source names a page | id 6.1 made up | place 6.1 the page stands in the root | focused 6.1 it lies on the path to the target, which is focused
Row e: role 6.1 restored from metadata.element | subrole 6.1 metadata.element has none | id 6.1 restored from metadata.element | place 6.1 ancestors are a chain in the page, the outermost first | focused 6.1 it lies on the path to the target, which is focused
Row target: role 6.1 the ARIA role "listitem" says so | subrole 6.1 the role as it was written | id 6.1 made up of its place in the packet | place 6.1 the target stands in the last ancestor | focused 6.1 mode and gesture of the capture say so
Group nearby-1: role 6.1 the role "nothing" is no ARIA word that says more | subrole 6.1 the role as it was written | id 6.1 made up of its place in the packet | place 6.1 what is nearby stands beside the target
Group visible-1: role 6.1 it has no role | subrole 6.1 there is none, since there is no role | id 6.1 made up of its place in the packet | place 6.1 what is visible and nowhere else stands in the page | visible 6.1 it is listed as visible`},
	} {
		to := translate.V020
		if strings.Contains(c.doc, "0.2.0") {
			to = translate.V01
		}
		x, err := translate.Explain([]byte(c.doc), to, plainOptions())
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, o := range x.Elements {
			var parts []string
			for _, r := range o.Reasons {
				parts = append(parts, r.Of+" "+r.Section+" "+r.Text)
			}
			lines = append(lines, o.Role+" "+o.ID+": "+strings.Join(parts, " | "))
		}
		if got := strings.Join(lines, "\n"); got != c.want {
			t.Errorf("got\n%s\nwant\n%s", got, c.want)
		}
	}
}

// TestExplainWithheld holds that what is told of a conversion names nothing that
// stands in or below a secure element, and still tells of it.
func TestExplainWithheld(t *testing.T) {
	for form, src := range map[string]string{
		"0.1":   `{"protocol":"0.1","instance":"n","items":[{"id":"p","type":"password","payload":{"hunterA":1}},{"id":"hunterB","type":"hunterC","parent":"p","hunterX":1},{"id":"hunterB","parent":"p"},{"id":"hunterB","parent":"p"},{"id":"q","type":"note","parent":"gone"}],"focus":["hunterB"]}`,
		"0.2.0": `{"protocol":"0.2.0","instance":"n","root":{"id":"app","role":"Application","children":[{"id":"p","role":"Text","subrole":"password","children":[{"id":"hunterB","role":"hunterC","hunterX":1},{"id":"hunterB","role":"Row"}],"hunterY":3},{"id":"q","role":"Row"},{"id":"q","role":"Row"}]}}`,
	} {
		for _, to := range forms {
			x, err := translate.Explain([]byte(src), to, nil)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			told := 0
			say := func(list []diag.Diagnostic) {
				for i := range list {
					b.WriteString(list[i].Pointer + " " + list[i].Message() + "\n")
					told++
				}
			}
			say(x.Notes)
			for _, o := range x.Elements {
				b.WriteString(o.ID + o.Source + "\n")
				say(o.Notes)
			}
			for _, l := range x.LeftOut {
				b.WriteString(l.Source + " " + l.Message + "\n")
			}
			if strings.Contains(b.String(), "hunter") || told != len(x.Report) || told == 0 && to.String() != form {
				t.Errorf("%s to %v tells %d of %d: %s", form, to, told, len(x.Report), b.String())
			}
			if form == "0.1" && to != translate.V01 && !strings.Contains(b.String(), `"gone"`) {
				t.Errorf("what stands elsewhere is not named: %s", b.String())
			}
		}
	}
}
