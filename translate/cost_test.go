package translate_test

import (
	"fmt"
	"runtime"
	"testing"

	"ctxmigrate/internal/docgen"
	"ctxmigrate/translate"
)

// TestLawCost is law 9, by what can be counted: ten times the document takes about
// ten times the memory, whatever its shape; an element that stands deep takes no
// more than one that does not; and a converter that is used again needs hardly any
// more. What it takes in time is for the benchmarks.
func TestLawCost(t *testing.T) {
	for _, s := range docgen.Shapes {
		from, err := translate.ParseForm(string(s.Form))
		if err != nil {
			t.Fatal(err)
		}
		for _, to := range others(from) {
			for _, lossless := range []bool{false, true} {
				opts := &translate.Options{Timestamp: stamp, Lossless: lossless, MaxDepth: 1 << 20}
				small, large := s.Make(1000), s.Make(10000)
				a, b := allocated(t, small, to, opts), allocated(t, large, to, opts)
				bytes := float64(len(large)) / float64(len(small))
				if ratio := float64(b) / float64(a); ratio > 1.6*bytes {
					t.Errorf("%s to %s, lossless %v: %.1f times the bytes take %.1f times the memory", s.Name, to, lossless, bytes, ratio)
				}
			}
		}
	}
}

func TestLawCostOfDepth(t *testing.T) {
	for _, from := range []translate.Form{translate.V01, translate.V020} {
		for _, to := range others(from) {
			for _, lossless := range []bool{false, true} {
				opts := &translate.Options{Timestamp: stamp, Lossless: lossless, MaxDepth: 1 << 20}
				form := docgen.Form(from.String())
				flat, chain := allocated(t, docgen.Flat(form, 4000), to, opts), allocated(t, docgen.Chain(form, 4000), to, opts)
				if chain > flat*3 {
					t.Errorf("%s to %s, lossless %v: a chain takes %d bytes of memory, a flat list %d", from, to, lossless, chain, flat)
				}
			}
		}
	}
}

func TestLawCostUsedAgain(t *testing.T) {
	for _, from := range forms {
		form := docgen.Form(from.String())
		for _, to := range others(from) {
			var c translate.Converter
			out := make([]byte, 0, 1<<20)
			each := func(n int) float64 {
				doc := docgen.Items(form, n)
				return testing.AllocsPerRun(5, func() {
					if _, err := c.Append(out[:0], doc, to, plainOptions()); err != nil {
						t.Fatal(err)
					}
				})
			}
			each(1000)
			few, many := each(10), each(1000)
			t.Logf("%s to %s: %.0f allocations for 10 items, %.0f for 1000", from, to, few, many)
			if from != translate.Askable && to != translate.Askable && many > few+10 {
				t.Errorf("%s to %s: %.0f allocations for 10 items and %.0f for 1000", from, to, few, many)
			}
		}
	}
}

// allocated is how many bytes of memory a conversion takes, with a converter that
// is new.
func allocated(t *testing.T, doc []byte, to translate.Form, opts *translate.Options) uint64 {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var c translate.Converter
	_, err := c.Append(nil, doc, to, opts)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(fmt.Errorf("%.200s: %w", doc, err))
	}
	return after.TotalAlloc - before.TotalAlloc
}
