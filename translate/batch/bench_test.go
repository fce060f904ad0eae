package batch

import (
	"bytes"
	"strings"
	"testing"

	"ctxmigrate/internal/docgen"
	"ctxmigrate/translate"
)

// BenchmarkProve measures what a proof costs beside the conversion itself.
func BenchmarkProve(b *testing.B) {
	for name, docs := range map[string][][]byte{"generated": generated(500), "ordinary": ordinary(500)} {
		for _, proven := range []bool{false, true} {
			b.Run(name+map[bool]string{false: "/converted", true: "/proven"}[proven], func(b *testing.B) {
				var c translate.Converter
				var p prover
				opts := &translate.Options{Timestamp: "2026-01-01T00:00:00Z"}
				size := len(bytes.Join(docs, nil))
				b.SetBytes(int64(size))
				var out []byte
				for b.Loop() {
					for _, d := range docs {
						out, _ = c.Append(out[:0], d, translate.V020, opts)
						if proven {
							if _, err := p.prove(d, out, c.From(), translate.V020, opts, c.Counts()); err != nil {
								b.Fatal(err)
							}
						}
					}
				}
			})
		}
	}
}

func generated(n int) (docs [][]byte) {
	for i := range n {
		docs = append(docs, docgen.New(uint64(i), docgen.Options{}).Document(docgen.V01))
	}
	return docs
}

// ordinary are answers as apps give them: a window, a list and its rows.
func ordinary(n int) (docs [][]byte) {
	for range n {
		docs = append(docs, []byte(`{"protocol":"0.1","instance":"k3f9x2","items":[{"id":"w-1","type":"pane","title":"Inbox"},{"id":"th-2","type":"list","parent":"w-1","title":"Launch plan"}`+
			strings.Repeat(`,{"id":"c-3`+`","type":"comment","parent":"th-2","title":"By Ada","content":[{"type":"text","text":"what it shows, in some more words than that"}],"payload":{"author":"Ada","at":"2026-01-01"}}`, 1)+
			`],"focus":["c-3"]}`))
	}
	return docs
}
