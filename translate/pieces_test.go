package translate_test

import (
	"bytes"
	"errors"
	"testing"

	"ctxmigrate/internal/docgen"
	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
)

// TestPieces holds that what is handed on in pieces is what Append answers, and that
// a document that is refused hands on nothing.
func TestPieces(t *testing.T) {
	var c translate.Converter
	for _, from := range forms {
		form := docgen.Form(from.String())
		for _, doc := range [][]byte{docgen.Items(form, 3), docgen.Items(form, 5000), docgen.Chain(form, 4000), docgen.Items(form, 5000)[1:]} {
			for _, to := range forms {
				for _, lossless := range []bool{false, true} {
					opts := &translate.Options{Timestamp: stamp, Lossless: lossless}
					want, wantErr := c.Append([]byte("before"), doc, to, opts)
					counts := *c.Counts()
					var sum [diag.NumCodes]int
					if c.AddCounts(&sum); sum != counts {
						t.Errorf("%s to %s, lossless %v: the counts are %v, those that are added up %v", from, to, lossless, counts, sum)
					}
					var got []byte
					pieces := 0
					rest, err := c.AppendPieces([]byte("before"), doc, to, opts, func(b []byte) []byte {
						pieces++
						got = append(got, b...)
						return b[:0]
					})
					got = append(got, rest...)
					if (err == nil) != (wantErr == nil) || err != nil && (pieces > 0 || err.Error() != wantErr.Error()) {
						t.Errorf("%s to %s: %d pieces, then %v; else %v", from, to, pieces, err, wantErr)
					}
					if !bytes.Equal(got, want) || *c.Counts() != counts {
						t.Errorf("%s to %s, lossless %v: %d bytes in %d pieces, else %d bytes", from, to, lossless, len(got), pieces, len(want))
					}
					if large := len(want) > 1<<18 && to != from && to != translate.Askable && !lossless; large && pieces == 0 {
						t.Errorf("%s to %s: %d bytes came at once", from, to, len(want))
					}
				}
			}
		}
	}
}

// TestDepthAsWritten holds that the limit of depth is kept to the level for what is
// written: the levels of the result pass, one less refuses it.
func TestDepthAsWritten(t *testing.T) {
	var c translate.Converter
	gen := docgen.New(3, docgen.Options{Odd: true})
	refused := 0
	for i := range 6000 {
		from := docgen.Forms[i%3]
		doc := gen.Document(from)
		if i%100 == 0 && from != docgen.Askable {
			doc = docgen.Chain(from, 1+i/100)
		}
		for _, to := range forms {
			opts := &translate.Options{Timestamp: stamp}
			out, err := c.Append(nil, doc, to, opts)
			if err != nil || to == c.From() {
				continue
			}
			source, written := jsontree.Levels(doc), jsontree.Levels(out)
			opts.MaxDepth = max(source, written)
			if again, err := c.Append(nil, doc, to, opts); err != nil || !bytes.Equal(again, out) {
				t.Errorf("%s\nto %s nests %d levels and is refused at %d: %v", doc, to, written, opts.MaxDepth, err)
			}
			if opts.MaxDepth = written - 1; opts.MaxDepth < source {
				continue
			}
			refused++
			var why *translate.Refused
			if _, err := c.Append(nil, doc, to, opts); !errors.As(err, &why) || why.Code != diag.TooDeep {
				t.Errorf("%s\nto %s nests %d levels and passes at %d: %v", doc, to, written, opts.MaxDepth, err)
			}
		}
	}
	if refused < 1000 {
		t.Errorf("only %d results nested deeper than their sources", refused)
	}
}
