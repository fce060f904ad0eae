package translate_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"ctxmigrate/internal/docgen"
	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
)

func told(list []translate.Difference) string {
	var lines []string
	for _, d := range list {
		line := d.Kind.String()
		if d.What != "" {
			line += " " + strings.TrimSpace(d.What+" "+d.Name)
		}
		line += fmt.Sprintf(" %q %q", d.From, d.To)
		if d.Old != nil || d.New != nil {
			line += fmt.Sprintf(" %s => %s", d.Old, d.New)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// TestDiff shows each kind of difference.
func TestDiff(t *testing.T) {
	tree := func(children string) string {
		return `{"protocol":"0.2.0","instance":"i","root":{"id":"app","role":"Application","children":[` + children + `]}}`
	}
	a := tree(`{"id":"w","role":"Window","children":[{"id":"a","role":"Row","title":"A","attributes":{"k":1,"l":{"x":1,"y":2}}},{"id":"b","role":"Row","content":[{"type":"text","text":"t"}]},{"id":"c","role":"Row"}]},{"id":"v","role":"Window"}`)
	for _, c := range []struct {
		name, a, b string
		opts       translate.DiffOptions
		want       string
	}{
		{"the same", a, a, translate.DiffOptions{}, ``},
		{"the same in another order of members and of spelling", a, strings.NewReplacer(`"x":1,"y":2`, `"y": 2, "x": 1`, `"title":"A"`, `"title":"\u0041"`).Replace(a), translate.DiffOptions{}, ``},
		{"title, text and attributes", a, strings.NewReplacer(`"A"`, `"B"`, `"t"`, `"u"`, `"k":1`, `"m":1`, `"x":1`, `"x":1.0`).Replace(a), translate.DiffOptions{},
			`changed title "/root/children/0/children/0/title" "/root/children/0/children/0/title" "A" => "B"
changed attribute k "/root/children/0/children/0/attributes/k" "/root/children/0/children/0" 1 => 
changed attribute l "/root/children/0/children/0/attributes/l" "/root/children/0/children/0/attributes/l" {"x":1,"y":2} => {"x":1.0,"y":2}
changed attribute m "/root/children/0/children/0" "/root/children/0/children/0/attributes/m"  => 1
changed content "/root/children/0/children/1/content" "/root/children/0/children/1/content" [{"type":"text","text":"t"}] => [{"type":"text","text":"u"}]`},
		{"states, of which visible counts as what it comes to", a, strings.NewReplacer(`"id":"w"`, `"id":"w","focused":true,"visible":true`, `"id":"v"`, `"id":"v","visible":false`).Replace(a), translate.DiffOptions{},
			`changed focused "/root/children/0" "/root/children/0" false => true
changed visible "/root/children/1" "/root/children/1" true => false`},
		{"removed and added, with all that is in them", a, tree(`{"id":"v","role":"Window"},{"id":"n","role":"List","children":[{"id":"m","role":"Row"}]}`), translate.DiffOptions{},
			`removed "/root/children/0" ""
added "" "/root/children/1"`},
		{"moved into another, and among siblings", a, tree(`{"id":"w","role":"Window","children":[{"id":"b","role":"Row","content":[{"type":"text","text":"t"}]},{"id":"a","role":"Row","title":"A","attributes":{"k":1,"l":{"x":1,"y":2}}}]},{"id":"v","role":"Window","children":[{"id":"c","role":"Row"}]}`), translate.DiffOptions{},
			`moved "/root/children/0/children/0" "/root/children/0/children/1"
moved "/root/children/0/children/2" "/root/children/1/children/0"`},
		{"any order of siblings", a, tree(`{"id":"v","role":"Window"},` + a[len(tree(""))-len(`]}}`):len(a)-len(`,{"id":"v","role":"Window"}]}}`)]), translate.DiffOptions{IgnoreOrder: true}, ``},
		{"ids of another run", a, strings.NewReplacer(`"id":"w"`, `"id":"1"`, `"id":"a"`, `"id":"2"`, `"id":"b"`, `"id":"3"`, `"id":"c"`, `"id":"4"`, `"instance":"i"`, `"instance":"j"`).Replace(a), translate.DiffOptions{IgnoreIDs: true}, ``},
		{"ids that differ", tree(`{"id":"a","role":"Row","title":"A"}`), tree(`{"id":"b","role":"Row","title":"A"}`), translate.DiffOptions{},
			`changed id "/root/children/0/id" "/root/children/0/id" "a" => "b"`},
		{"one more at the front, without ids", tree(`{"id":"1","role":"Row","title":"A"},{"id":"2","role":"Row","title":"B"}`), tree(`{"id":"x","role":"Row","title":"N"},{"id":"y","role":"Row","title":"A"},{"id":"z","role":"Row","title":"B"}`), translate.DiffOptions{IgnoreIDs: true},
			`added "" "/root/children/0"`},
		{"the only one of its kind, of another title", tree(`{"id":"1","role":"Row","title":"A"},{"id":"2","role":"List"}`), tree(`{"id":"3","role":"Row","title":"B"},{"id":"4","role":"List"}`), translate.DiffOptions{IgnoreIDs: true},
			`changed title "/root/children/0/title" "/root/children/0/title" "A" => "B"`},
		{"instances", tree(``), strings.Replace(tree(``), `"i"`, `"j"`, 1), translate.DiffOptions{}, `changed instance "/instance" "/instance" "i" => "j"`},
		{"what a password field holds is not told", tree(`{"id":"p","role":"Text","subrole":"password","content":[{"type":"text","text":"1"}]}`), tree(`{"id":"p","role":"Text","subrole":"password","content":[{"type":"text","text":"2"}]}`), translate.DiffOptions{},
			`changed content "/root/children/0/content" "/root/children/0/content"`},
		{"the names of attributes in a password field are not told", tree(`{"id":"p","role":"Text","subrole":"password","attributes":{"x1":1}}`), tree(`{"id":"p","role":"Text","subrole":"password","attributes":{"x2":1}}`), translate.DiffOptions{},
			`changed attribute "/root/children/0" "/root/children/0"
changed attribute "/root/children/0" "/root/children/0"`},
		{"0.1 and native 0.2.0", `{"protocol":"0.1","instance":"i","items":[{"id":"w","type":"window"},{"id":"n","type":"note","parent":"w","title":"N","payload":{"author":"A"}}],"focus":["n"]}`,
			tree(`{"id":"w","role":"Window","focused":true,"children":[{"id":"n","role":"Document","subrole":"note","title":"N","focused":true,"attributes":{"author":"B"}}]}`), translate.DiffOptions{},
			`changed attribute author "/items/1/payload/author" "/root/children/0/children/0/attributes/author" "A" => "B"`},
	} {
		list, err := translate.Diff([]byte(c.a), []byte(c.b), &c.opts)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := told(list); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestDiffRefused(t *testing.T) {
	good := []byte(`{"protocol":"0.1","items":[]}`)
	for _, second := range []bool{false, true} {
		a, b := []byte(`{"protocol":"0.1"}`), good
		if second {
			a, b = b, a
		}
		_, err := translate.Diff(a, b, nil)
		var refused *translate.DiffError
		if !errors.As(err, &refused) || refused.Second != second || refused.Code != diag.MissingMember {
			t.Errorf("got %v", err)
		}
	}
}

// TestDiffConverted holds that a document and what a conversion makes of it say the
// same, wherever the conversion has lost nothing; and that either says the same as
// itself.
func TestDiffConverted(t *testing.T) {
	n := 0
	var d translate.Differ
	samples(t, *lawsN, docgen.Options{}, func(s sample) {
		if list, err := d.Diff(s.doc, s.doc, nil); err == nil && len(list) > 0 {
			t.Errorf("%s differs from itself:\n%s\n%s", s.form, told(list), s.doc)
		}
		for _, to := range []translate.Form{translate.V01, translate.V020} {
			o := plainOptions()
			o.KeepSecure = true
			r, err := translate.Convert(s.doc, to, o)
			if err != nil || to == s.form {
				continue
			}
			lost := false
			for _, g := range r.Report {
				lost = lost || g.Severity == diag.Loss || g.Code == diag.RoleUnknown // a word that becomes another
			}
			if lost {
				continue
			}
			n++
			list, err := d.Diff(s.doc, r.Document, &translate.DiffOptions{IgnoreInstance: true})
			if err != nil || len(list) > 0 {
				t.Errorf("%s to %s: %v\n%s\n%s\n%s", s.form, to, err, told(list), s.doc, r.Document)
			}
		}
	})
	if n < *lawsN/4 {
		t.Errorf("only %d conversions", n)
	}
}

// TestDiffEdits holds that each edit of a document is a difference, and that it is
// one either way round.
func TestDiffEdits(t *testing.T) {
	seen := map[docgen.Change]int{}
	for i := range max(300, *lawsN/2) {
		form := []docgen.Form{docgen.V01, docgen.V020}[i%2]
		g := docgen.New(uint64(i)+7_000_000, docgen.Options{})
		v := g.Value(form)
		before := v.Append(nil)
		edit := g.Edit(v, form)
		after := v.Append(nil)
		if edit.Change == docgen.NoChange {
			continue
		}
		seen[edit.Change]++
		there, err := translate.Diff(before, after, nil)
		back, err2 := translate.Diff(after, before, nil)
		if err != nil || err2 != nil {
			continue
		}
		if (len(there) == 0) != (len(back) == 0) || len(there) == 0 && edit.Change != docgen.Moved {
			t.Errorf("%s: %d differences, %d the other way\n%s\n%s", edit.Change, len(there), len(back), before, after)
		}
		kinds := map[translate.DiffKind]int{}
		for _, d := range there {
			kinds[d.Kind]++
		}
		for _, d := range back {
			switch d.Kind {
			case translate.Added:
				kinds[translate.Removed]--
			case translate.Removed:
				kinds[translate.Added]--
			default:
				kinds[d.Kind]--
			}
		}
		if kinds[translate.Added] != 0 || kinds[translate.Removed] != 0 {
			t.Errorf("%s: not the same the other way round:\n%s\n\n%s\n%s\n%s", edit.Change, told(there), told(back), before, after)
		}
	}
	for c := docgen.TitleChanged; c <= docgen.Moved; c++ {
		if seen[c] == 0 {
			t.Errorf("no edit was %s", c)
		}
	}
}

// TestDiffWithheld holds that no text of what stands below a secure element is told,
// in whichever of the answers it stands there, and that the difference itself is.
func TestDiffWithheld(t *testing.T) {
	in := func(field, child string) []byte {
		return []byte(`{"protocol":"0.2.0","instance":"i","root":{"id":"app","role":"Application","children":[{"id":"p","role":"Text"` + field + `,"children":[` + child + `]}]}}`)
	}
	const secure = `,"subrole":"password"`
	child := `{"id":"hunter0","role":"hunter1","subrole":"hunter2","title":"hunter3","url":"hunter4","content":[{"type":"text","text":"hunter5"}],"attributes":{"hunter6":"hunter7"}}`
	deep := `{"id":"c","role":"Row","children":[` + child + `]}`
	out := []byte(`{"protocol":"0.2.0","instance":"i","root":{"id":"app","role":"Application","children":[{"id":"p","role":"Text","subrole":"password"},` + child + `]}}`)
	for name, c := range map[string]struct{ a, b []byte }{
		"changed":       {in(secure, child), in(secure, strings.NewReplacer("hunter2", "q", "hunter3", "q", "hunter4", "q", "hunter5", "q", "hunter6", "q").Replace(child))},
		"changed id":    {in(secure, child), in(secure, strings.Replace(child, "hunter0", "q", 1))},
		"deep":          {in(secure, deep), in(secure, strings.ReplaceAll(deep, "hunter", "r"))},
		"whole":         {in(secure, child), in(secure, ``)},
		"whole, other":  {in(``, child), in(secure, ``)},
		"secure in one": {in(secure, child), in(``, strings.Replace(child, "hunter3", "q", 1))},
		"moved out":     {in(secure, child), out},
	} {
		for _, turned := range []bool{false, true} {
			if turned {
				c.a, c.b = c.b, c.a
			}
			list, err := translate.Diff(c.a, c.b, nil)
			if err != nil || len(list) == 0 {
				t.Errorf("%s: %v, %d differences", name, err, len(list))
			}
			withheld := false
			for _, d := range list {
				withheld = withheld || d.Withheld
			}
			if said := fmt.Sprintf("%+v %s", list, told(list)); strings.Contains(said, "hunter") || strings.Contains(said, `"r0`) || !withheld {
				t.Errorf("%s (turned: %t): %s", name, turned, said)
			}
		}
	}
}
