package translate_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"ctxmigrate/internal/docgen"
	"ctxmigrate/translate"
	"ctxmigrate/translate/model"
)

// TestCostOfLooking is law 9 for what looks at documents: ten times the document
// takes about ten times the memory, and no more time than a square would need the
// tenth of.
func TestCostOfLooking(t *testing.T) {
	opts := &translate.Options{MaxDepth: 1 << 20, Timestamp: stamp}
	for name, look := range map[string]func([]byte) error{
		"check": func(doc []byte) error {
			var k translate.Checker
			k.Check(doc, opts)
			k.Findings()
			k.Masked()
			return nil
		},
		"diff": func(doc []byte) error {
			_, err := translate.Diff(doc, doc, &translate.DiffOptions{IgnoreIDs: true})
			return err
		},
		"explain": func(doc []byte) error {
			_, err := translate.Explain(doc, translate.V020, opts)
			return err
		},
		"survey": func(doc []byte) error { var s translate.Survey; return s.Add(doc, opts) },
	} {
		for _, s := range docgen.Shapes {
			measure := func(doc []byte) (uint64, time.Duration) {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				begin := time.Now()
				if err := look(doc); err != nil {
					t.Fatal(err)
				}
				took := time.Since(begin)
				runtime.ReadMemStats(&after)
				return after.TotalAlloc - before.TotalAlloc, took
			}
			if name == "explain" && deepest(s.Make(5000)) > 100 {
				continue // the pointers grow with the depth
			}
			small, large := s.Make(500), s.Make(5000)
			bytes := float64(len(large)) / float64(len(small))
			wrong := ""
			for range 4 { // a busy machine may be slow for a while
				a, fast := measure(small)
				b, slow := measure(large)
				wrong = ""
				if ratio := float64(b) / float64(a); ratio > 1.8*bytes && b > 1<<19 {
					wrong = fmt.Sprintf("%.1f times the bytes take %.1f times the memory", bytes, ratio)
				} else if slow > 60*fast && slow > 300*time.Millisecond {
					wrong = fmt.Sprintf("%v for %d bytes, %v for %d", fast, len(small), slow, len(large))
				}
				if wrong == "" {
					break
				}
			}
			if wrong != "" {
				t.Errorf("%s of %s: %s", name, s.Name, wrong)
			}
		}
	}
}

// deepest is how many levels below the root a document has.
func deepest(doc []byte) (most int) {
	var reader translate.Converter
	s, err := reader.Read(doc, &translate.Options{MaxDepth: 1 << 20})
	if err != nil {
		return 0
	}
	for i, depth := s.Root, 0; i != model.None; {
		most = max(most, depth)
		next, deeper := s.After(i, s.Root)
		i, depth = next, depth+deeper
	}
	return most
}
