package translate_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/tidwall/gjson"

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

// BenchmarkAnswers converts thousands of different answers in turn, as a stream
// brings them, each with the converter of the one before: from 0.1, and all that
// follows from it. The figures to look at are MB/s beside those of
// BenchmarkAnswersLimits, and that nothing is allocated between 0.1 and 0.2.0.
func BenchmarkAnswers(b *testing.B) {
	flat := docgen.Answers(1, 4000)
	convert := func(docs [][]byte, to translate.Form, opts *translate.Options) (list [][]byte) {
		for _, doc := range docs {
			r, err := translate.Convert(doc, to, opts)
			if err != nil {
				b.Fatal(err)
			}
			list = append(list, r.Document)
		}
		return list
	}
	tree := convert(flat, translate.V020, plainOptions())
	packets := convert(tree, translate.Askable, plainOptions())
	lossless := &translate.Options{Timestamp: stamp, Lossless: true}
	for _, c := range []struct {
		name string
		docs [][]byte
		to   translate.Form
		opts *translate.Options
	}{
		{"0.1-0.2.0", flat, translate.V020, plainOptions()},
		{"0.2.0-0.1", tree, translate.V01, plainOptions()},
		{"0.1-askable", flat, translate.Askable, plainOptions()},
		{"0.2.0-askable", tree, translate.Askable, plainOptions()},
		{"askable-0.1", packets, translate.V01, plainOptions()},
		{"askable-0.2.0", packets, translate.V020, plainOptions()},
		{"0.1-0.2.0-lossless", flat, translate.V020, lossless},
		{"0.2.0-0.1-lossless", tree, translate.V01, lossless},
		{"0.1-askable-lossless", flat, translate.Askable, lossless},
		{"askable-0.2.0-lossless", packets, translate.V020, lossless},
		{"0.2.0-0.1-carried", convert(flat, translate.V020, lossless), translate.V01, plainOptions()},
	} {
		b.Run(c.name, func(b *testing.B) {
			var conv translate.Converter
			var out []byte
			each(b, c.docs, func(doc []byte) (err error) {
				out, err = conv.Append(out[:0], doc, c.to, c.opts)
				return err
			})
		})
	}
}

// BenchmarkAnswersLimits is what others take to look at the same answers.
func BenchmarkAnswersLimits(b *testing.B) {
	flat := docgen.Answers(1, 4000)
	b.Run("gjson.Valid", func(b *testing.B) {
		each(b, flat, func(doc []byte) error {
			if !gjson.ValidBytes(doc) {
				return errors.New("not valid")
			}
			return nil
		})
	})
	b.Run("json.Unmarshal", func(b *testing.B) {
		type item struct {
			ID, Type, Parent, Title, URL string
			Content                      []json.RawMessage
			Payload                      json.RawMessage
		}
		each(b, flat, func(doc []byte) error {
			var answer struct {
				Protocol, Instance string
				Items              []item
				Focus              []string
			}
			return json.Unmarshal(doc, &answer)
		})
	})
}

// each gives one document after another to f.
func each(b *testing.B, docs [][]byte, f func(doc []byte) error) {
	total := 0
	for _, doc := range docs {
		total += len(doc)
	}
	b.SetBytes(int64(total / len(docs)))
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if err := f(docs[i]); err != nil {
			b.Fatal(err)
		}
		if i++; i == len(docs) {
			i = 0
		}
	}
}
