package batch

import (
	"testing"

	"ctxmigrate/internal/docgen"
	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
)

// TestReturned holds what counts as the same list, and what only where it was
// reported.
func TestReturned(t *testing.T) {
	const a = `{"protocol":"0.1","instance":"n","items":[{"id":"a","type":"note","locatable":true,"payload":{"x":1,"y":[ "s p", 2 ]}},{"id":"b"}],"focus":["a","b"]}`
	for _, c := range []struct {
		b     string
		named diag.Code // without which it is not proven; Syntax stands for none
		want  Proof
	}{
		{a, diag.Syntax, Returns},
		{`{"focus":["\u0061","b"],"items":[{"locatable":true,"type":"note","payload":{"x":1,"y":["s p",2]},"id":"a"},{"id":"b"}],"instance":"n","protocol":"0.1"}`, diag.Syntax, Returns},
		{`{"protocol":"0.1","instance":"n","items":[{"id":"a","type":"note","payload":{"x":1,"y":["s p",2]}},{"id":"b"}],"focus":["a","b"]}`, diag.LocatableRetired, Named},
		{`{"protocol":"0.1","instance":"n","items":[{"id":"b"},{"id":"a","type":"note","locatable":true,"payload":{"x":1,"y":["s p",2]}}],"focus":["a","b"]}`, diag.OrderChanged, Named},
		{`{"protocol":"0.1","instance":"n","items":[{"id":"a","type":"note","locatable":true,"payload":{"x":1,"y":["s p",2]}},{"id":"b"}],"focus":["b"]}`, diag.FocusNormalized, Named},
	} {
		var one, two list
		if !one.split([]byte(a)) || !two.split([]byte(c.b)) {
			t.Fatal("not taken apart")
		}
		var counts [diag.NumCodes]int
		if got := one.returned(&two, &counts); (c.named == diag.Syntax) != (got == Returns) {
			t.Errorf("%s: %d without a report", c.b, got)
		}
		counts[c.named] = 1
		if got := one.returned(&two, &counts); got != c.want {
			t.Errorf("%s: %d, not %d", c.b, got, c.want)
		}
	}
	all := [diag.NumCodes]int{diag.LocatableRetired: 1, diag.OrderChanged: 1, diag.FocusNormalized: 1}
	for _, b := range []string{
		`{"protocol":"0.1","instance":"m","items":[{"id":"a","type":"note","payload":{"x":1,"y":["s p",2]}},{"id":"b"}],"focus":["a"]}`,
		`{"protocol":"0.1","instance":"n","items":[{"id":"a","payload":{"x":1,"y":["s p",2]}},{"id":"b"}],"focus":["a"]}`,
		`{"protocol":"0.1","instance":"n","items":[{"id":"a","type":"note","payload":{"y":["s p",2],"x":1}},{"id":"b"}],"focus":["a"]}`,
		`{"protocol":"0.1","instance":"n","items":[{"id":"a","type":"note","payload":{"x":1,"y":["sp",2]}},{"id":"b"}],"focus":["a"]}`,
		`{"protocol":"0.1","instance":"n","items":[{"id":"a","type":"note","payload":{"x":1,"y":["s p",2.0]}},{"id":"b"}],"focus":["a"]}`,
		`{"protocol":"0.1","instance":"n","items":[{"id":"a","type":"note","payload":{"x":1,"y":["s p",2]}},{"id":"b","title":""}],"focus":["a"]}`,
		`{"protocol":"0.1","instance":"n","items":[{"id":"a","type":"note","payload":{"x":1,"y":["s p",2]}},{"id":"b"}],"focus":["c"]}`,
		`{"protocol":"0.1","instance":"n","items":[{"id":"a","type":"note","payload":{"x":1,"y":["s p",2]}},{"id":"b"}],"focus":[]}`,
		`{"protocol":"0.1","instance":"n","items":[{"id":"a","type":"note","payload":{"x":1,"y":["s p",2]}}],"focus":["a"]}`,
		`{"protocol":"0.1","instance":"n","items":[{"id":"a","type":"note","payload":{"x":1,"y":["s p",2]}},{"id":"b"},{"id":"b"}],"focus":["a"]}`,
		`{"protocol":"0.1","instance":"n","items":[{"id":"b"},{"id":"b"}],"focus":["a"]}`,
		`{"protocol":"0.1","instance":"n","items":[{"id":"a","type":"note","payload":{"x":1,"y":["s p",2]}},{"id":"b"}],"focus":["a"],"more":1}`,
	} {
		var one, two list
		if one.split([]byte(a)); two.split([]byte(b)) && one.returned(&two, &all) != Unproven {
			t.Errorf("%s is taken for\n%s", b, a)
		}
	}
}

// TestReturnedAgrees holds the quick comparison to the thorough one.
func TestReturnedAgrees(t *testing.T) {
	equal, differ := 0, 0
	var none [diag.NumCodes]int
	for i := range 2000 {
		doc := docgen.New(uint64(i), docgen.Options{Odd: i%2 == 1}).Document(docgen.V01)
		there, err := translate.Convert(doc, translate.V020, nil)
		if err != nil {
			continue
		}
		back, err := translate.Convert(there.Document, translate.V01, nil)
		if err != nil {
			continue
		}
		var one, two list
		if !one.split(trimmed(doc)) || !two.split(back.Document) {
			continue
		}
		src, err := translate.Convert(doc, translate.V01, nil) // without white space
		if err != nil {
			t.Fatal(err)
		}
		want := same(src.Document, back.Document, translate.V01)
		if got := one.returned(&two, &none) == Returns; got && !want {
			t.Errorf("%s\nis taken for\n%s", back.Document, doc)
		} else if want && got {
			equal++
		} else if !want {
			differ++
		}
	}
	if equal < 20 || differ < 20 {
		t.Errorf("%d were the same and %d were not", equal, differ)
	}
}
