package translate_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
)

// TestMadeIDs holds that the ids which were made up are those of the report.
func TestMadeIDs(t *testing.T) {
	for _, doc := range []string{
		`{"protocol":"0.1","instance":"x","items":[{"id":"a"},{"id":"a"},{"type":"x"},{"id":"\u00e4"},{"id":"ä"}],"focus":[]}`,
		`{"protocol":"0.2.0","instance":"x","root":{"id":"r","role":"application","children":[{"role":"x"},{"id":"r","role":"y"},{}]}}`,
		`{"protocol":"0.1","instance":"x","items":[{"id":"a"}],"focus":[]}`,
	} {
		for _, to := range []translate.Form{translate.V01, translate.V020, translate.Askable} {
			var c translate.Converter
			if _, err := c.Append(nil, []byte(doc), to, nil); err != nil {
				t.Fatal(err)
			}
			var got, want []string
			c.MadeIDs(func(made, was []byte) { got = append(got, fmt.Sprintf("%s for %s", made, was)) })
			for _, d := range c.Report() {
				switch d.Code {
				case diag.MissingID:
					want = append(want, d.Args[0]+" for ")
				case diag.DuplicateID:
					want = append(want, d.Args[1]+" for "+d.Args[0])
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s to %v: %q, not %q", doc, to, got, want)
			}
			if to != c.From() && len(got) == 0 && strings.Count(doc, `"a"`) != 1 {
				t.Errorf("%s to %v: none", doc, to)
			}
		}
	}
}

// TestMadeIDsCost holds that they cost no pointers: here one alone has 2.5 kB.
func TestMadeIDsCost(t *testing.T) {
	const levels, children = 200, 20000
	doc := `{"protocol":"0.2.0","instance":"x","root":` + strings.Repeat(`{"role":"g","children":[`, levels) +
		strings.Repeat(`{},`, children) + `{}` + strings.Repeat(`]}`, levels) + `}`
	var c translate.Converter
	if _, err := c.Append(nil, []byte(doc), translate.V01, nil); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n := 0
	c.MadeIDs(func(made, was []byte) { n++ })
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; n <= children || took > 8<<20 {
		t.Errorf("%d ids took %d bytes", n, took)
	}
}
