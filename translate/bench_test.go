package translate_test

import (
	"fmt"
	"testing"

	"ctxmigrate/internal/docgen"
	"ctxmigrate/translate"
)

// convertBench converts a document again and again with one converter.
func convertBench(b *testing.B, doc []byte, to translate.Form, opts *translate.Options) {
	var c translate.Converter
	opts.MaxDepth = 1 << 20
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	var out []byte
	for b.Loop() {
		var err error
		if out, err = c.Append(out[:0], doc, to, opts); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkConvert is each pair, on answers of the usual size, ten times that, far
// from ASCII, and rich in content.
func BenchmarkConvert(b *testing.B) {
	for _, from := range forms {
		for _, doc := range []struct {
			name    string
			size    int
			flavour docgen.Flavour
		}{{"small", 2000, docgen.Plain}, {"medium", 20000, docgen.Plain}, {"unicode", 2000, docgen.Unicode}, {"content", 20000, docgen.Content}} {
			src := docgen.Sized(docgen.Form(from.String()), doc.size, doc.flavour)
			for _, to := range others(from) {
				b.Run(fmt.Sprintf("%s-%s/%s", from, to, doc.name), func(b *testing.B) { convertBench(b, src, to, plainOptions()) })
			}
		}
	}
}

// BenchmarkLossless is each pair in lossless mode, and the way back.
func BenchmarkLossless(b *testing.B) {
	for _, from := range forms {
		src := docgen.Sized(docgen.Form(from.String()), 2000, docgen.Plain)
		for _, to := range others(from) {
			opts := &translate.Options{Timestamp: stamp, Lossless: true}
			b.Run(fmt.Sprintf("%s-%s/there", from, to), func(b *testing.B) { convertBench(b, src, to, opts) })
			there, err := translate.Convert(src, to, opts)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%s-%s/back", from, to), func(b *testing.B) { convertBench(b, there.Document, from, plainOptions()) })
		}
	}
}

// BenchmarkDepth compares a chain of 4,000 elements with as many side by side: the
// bytes a second are to be about the same.
func BenchmarkDepth(b *testing.B) {
	for _, from := range []translate.Form{translate.V01, translate.V020} {
		form := docgen.Form(from.String())
		for _, to := range others(from) {
			b.Run(fmt.Sprintf("%s-%s/chain", from, to), func(b *testing.B) { convertBench(b, docgen.Chain(form, 4000), to, plainOptions()) })
			b.Run(fmt.Sprintf("%s-%s/flat", from, to), func(b *testing.B) { convertBench(b, docgen.Flat(form, 4000), to, plainOptions()) })
		}
	}
}

// BenchmarkShapes compares documents of hard shapes with others ten times as
// large: the bytes a second are to be about the same.
func BenchmarkShapes(b *testing.B) {
	for _, s := range docgen.Shapes {
		from, err := translate.ParseForm(string(s.Form))
		if err != nil {
			b.Fatal(err)
		}
		for _, to := range others(from) {
			for _, lossless := range []bool{false, true} {
				for _, n := range []int{2000, 20000} {
					b.Run(fmt.Sprintf("%s/%s/lossless=%v/n=%d", s.Name, to, lossless, n), func(b *testing.B) {
						convertBench(b, s.Make(n), to, &translate.Options{Timestamp: stamp, Lossless: lossless})
					})
				}
			}
		}
	}
}
