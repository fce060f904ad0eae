package translate_test

import (
	"bytes"
	"fmt"
	"testing"

	"ctxmigrate/internal/docgen"
	"ctxmigrate/translate"
)

// carriedAnything holds that a document may bear whatever it likes under the name
// that carries: reading it never fails for that, what comes out is JSON, and
// stripping it twice is stripping it once.
func carriedAnything(doc []byte) string {
	var c translate.Converter
	opts := &translate.Options{Timestamp: stamp}
	stripped, err := c.Strip(nil, doc, nil)
	if err != nil {
		return ""
	}
	form := c.From()
	if twice, err := c.Strip(nil, stripped, nil); err != nil || !bytes.Equal(twice, stripped) {
		return fmt.Sprintf("strip: once\n%s\ntwice\n%s %v", stripped, twice, err)
	}
	for _, to := range others(form) {
		_, plainErr := c.Append(nil, stripped, to, opts)
		out, err := c.Append(nil, doc, to, opts)
		c.Report() // places it, whatever was cut
		if plainErr == nil && err != nil {
			return fmt.Sprintf("%s: is refused for what it carries: %v", to, err)
		}
		if err == nil && docgen.Parse(out) == nil {
			return fmt.Sprintf("%s: no JSON: %s", to, out)
		}
	}
	return ""
}

// TestCarriedAnything scrambles what lossless conversions carry.
func TestCarriedAnything(t *testing.T) {
	var c translate.Converter
	hold(t, *lawsN, docgen.Options{}, func(s sample) string {
		if bad := carriedAnything(s.doc); bad != "" { // of a document that was made smaller
			return bad
		}
		for _, to := range others(s.form) {
			there, err := c.Append(nil, s.doc, to, &translate.Options{Timestamp: stamp, Lossless: true})
			if err != nil {
				return ""
			}
			v := docgen.Parse(there)
			g := docgen.New(s.seed, docgen.Options{})
			for range 3 {
				if g.Scramble(v, "ctxmigrate") == 0 {
					break
				}
				if doc := v.Append(nil); docgen.Parse(doc) != nil {
					if bad := carriedAnything(doc); bad != "" {
						return bad + "\nscrambled\n" + string(doc)
					}
				}
			}
		}
		return ""
	})
}

// FuzzCarry is TestCarriedAnything with whatever a fuzzer makes of it.
func FuzzCarry(f *testing.F) {
	for i := range uint64(60) {
		g := docgen.New(i, docgen.Options{Odd: i%3 > 0, Secure: i%5 == 0})
		from := forms[i%3]
		doc := g.Document(docgen.Form(from.String()))
		f.Add(doc)
		for _, to := range others(from) {
			if out, err := translate.Convert(doc, to, &translate.Options{Timestamp: stamp, Lossless: true}); err == nil {
				f.Add(out.Document)
			}
		}
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		if bad := carriedAnything(doc); bad != "" {
			t.Fatalf("%s\n%s", doc, bad)
		}
	})
}
