package batch

import (
	"flag"
	"fmt"
	"testing"

	"ctxmigrate/internal/docgen"
	"ctxmigrate/translate"
	"ctxmigrate/v01"
)

var proofsN = flag.Int("proofs", 600, "how many documents the proofs are tested with")

var forms = []translate.Form{translate.V01, translate.V020, translate.Askable}

func ptr[T any](v T) *T { return &v }

// proofOptions are the options that proofs must hold with.
func proofOptions(t *testing.T) map[string]translate.Options {
	mapping, err := v01.ParseMapping([]byte(`{"types":{"note":{"role":"Image"},"thread":{"drop":true}},"author":"author","secure":["comment"]}`))
	if err != nil {
		t.Fatal(err)
	}
	return map[string]translate.Options{
		"plain":       {},
		"lossless":    {Lossless: true},
		"secure kept": {KeepSecure: true},
		"short lists": {MaxSurrounding: 1},
		"all focus":   {AllFocus: true, AppTitle: "An app", Instance: "i"},
		"locatable":   {Locatable: ptr(true)},
		"mapping":     {Mapping: mapping},
		"kept both":   {Lossless: true, KeepSecure: true},
	}
}

// TestProofs holds that every document that is converted is proven, with all
// options and whatever it looks like, and that no proof is left that holds of
// another document.
func TestProofs(t *testing.T) {
	for name, opts := range proofOptions(t) {
		t.Run(name, func(t *testing.T) {
			opts.Timestamp = "2026-01-01T00:00:00Z"
			var c translate.Converter
			var p prover
			proofs := map[Proof]int{}
			failed := map[string]int{}
			for i := range *proofsN {
				from := forms[i%3]
				g := docgen.New(uint64(i)<<8+7, docgen.Options{Odd: i/3%2 == 1, Secure: i/6%4 == 0})
				doc := g.Document(docgen.Form(from.String()))
				for _, to := range forms {
					out, err := c.Append(nil, doc, to, &opts)
					if err != nil {
						continue
					}
					proof, err := p.prove(doc, out, from, to, &opts, c.Counts())
					if err != nil {
						key := fmt.Sprintf("%s to %s: %v", from, to, err)
						if failed[key]++; failed[key] == 1 {
							t.Errorf("%s: %v\n%s\n%s", key, err, doc, out)
						}
					}
					proofs[proof]++
				}
			}
			t.Log(proofs, failed)
			if proofs[Returns] == 0 || proofs[Kept] == 0 && !opts.Lossless {
				t.Error("a kind of proof was never tried")
			}
		})
	}
}
