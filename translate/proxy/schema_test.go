package proxy_test

import (
	"encoding/json"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"ctxmigrate/internal/docgen"
	"ctxmigrate/translate"
	"ctxmigrate/translate/proxy"
)

// TestSchemas holds what conversions write, from conforming documents and from odd
// ones, to the schemas that tools announce, and that these refuse what is wrong.
func TestSchemas(t *testing.T) {
	forms := []translate.Form{translate.V01, translate.V020, translate.Askable}
	schemas := map[translate.Form]*jsonschema.Resolved{}
	for _, f := range forms {
		var s jsonschema.Schema
		if err := json.Unmarshal([]byte(proxy.Schema(f)), &s); err != nil {
			t.Fatal(err)
		}
		r, err := s.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		schemas[f] = r
	}
	valid := func(f translate.Form, doc string) error {
		var v any
		if err := json.Unmarshal([]byte(doc), &v); err != nil {
			return nil // a number that Go has no place for
		}
		return schemas[f].Validate(v)
	}
	n := 0
	for seed := range uint64(200) {
		for _, from := range forms {
			doc := docgen.New(seed, docgen.Options{Odd: seed%2 == 1}).Document(docgen.Form(from.String()))
			for _, to := range forms {
				out, err := translate.Convert(doc, to, &translate.Options{Timestamp: "2026-01-01T00:00:00Z"})
				if err != nil || to == from {
					continue
				}
				n++
				if err := valid(to, string(out.Document)); err != nil {
					t.Errorf("seed %d, %s to %s: %v\n%s", seed, from, to, err, out.Document)
				}
			}
		}
	}
	if n < 500 {
		t.Errorf("only %d conversions", n)
	}
	for form, doc := range map[translate.Form]string{
		translate.V01:     `{"protocol":"0.10","instance":"i","items":[],"focus":[]}`,
		translate.V020:    `{"protocol":"0.2.0","instance":"i","root":{"id":"a","role":"Application","children":[{"id":"b"}]}}`,
		translate.Askable: `{"protocol":"askable.context","version":"0.1","source":{"timestamp":"t"},"capture":{"mode":"x"},"privacy":{"redacted":true,"consent":"none"},"provenance":{"producer":"p","method":"m"},"more":1}`,
	} {
		if valid(form, doc) == nil {
			t.Errorf("%s is taken", doc)
		}
	}
}
