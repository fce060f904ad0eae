package translate

import (
	"bytes"
	"testing"

	"ctxmigrate/internal/docgen"
)

// TestShortWay holds that the short way of keeping gives the bytes of the long
// one, and that ordinary answers take it.
func TestShortWay(t *testing.T) {
	opts := &Options{Lossless: true, Timestamp: "2026-01-01T00:00:00Z"}
	short, long := Converter{}, Converter{longWay: true}
	taken := 0
	for seed := range uint64(6000) {
		form := []Form{V01, V020}[seed%2]
		g := docgen.New(seed, docgen.Options{Odd: seed%4 > 1})
		doc := g.Document(docgen.Form(form.String()))
		to := V01 + V020 - form
		a, errA := short.Append(nil, doc, to, opts)
		b, errB := long.Append(nil, doc, to, opts)
		if (errA == nil) != (errB == nil) {
			t.Fatalf("%s\n%v\n%v", doc, errA, errB)
		}
		if !bytes.Equal(a, b) {
			t.Fatalf("%s\nshort %s\nlong  %s", doc, a, b)
		}
		if errA == nil && (short.keptShort || short.nothingToKeep(to)) {
			taken++
		}
	}
	if taken < 300 {
		t.Errorf("only %d answers took the short way", taken)
	}
}
