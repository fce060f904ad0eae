package translate_test

import (
	"bytes"
	"testing"

	"ctxmigrate/internal/docgen"
	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
)

const fuzzTime = "2026-01-02T03:04:05Z"

var fuzzSeeds = map[translate.Form][]string{
	translate.V01: {
		`{"protocol":"0.1","instance":"i","items":[{"id":"w","type":"pane"},{"id":"n","type":"note","parent":"w","title":"T","content":[{"type":"text","text":"x"},{"type":"image","data":"A"}],"url":"u:1","locatable":true,"payload":{"author":"A","visible":true}},{"id":"s","type":"selection","content":[{"type":"text","text":"y","annotations":{}}]}],"focus":["w","n"]}`,
		`{"protocol":"0.1.2","items":[{"id":"a","type":"app","x":1},{"id":"a","type":"row","parent":"gone"},{"type":"password","content":[]},{"id":"l","type":"board","payload":{"role":"List","k":null}},{"id":9,"parent":"l","title":null,"type":"card"}],"focus":["q"],"z":[1.0]}`,
	},
	translate.V020: {
		`{"protocol":"0.2.0","instance":"i","root":{"id":"app","role":"Application","title":"A","children":[{"id":"d","role":"Document","title":"D","url":"u:1","focused":true,"attributes":{"route":"/r"},"children":[{"id":"t","role":"Text","selected":true,"focused":true,"content":[{"type":"text","text":"x"}]},{"id":"r","role":"Row","subrole":"task","visible":true,"title":"V"}]}]}}`,
		`{"protocol":"0.2.7","root":{"id":"app","role":"Application","children":[{"id":"c","role":"Carousel","subrole":"selection","selected":false,"children":[]},{"id":"c","role":"text","selected":true,"attributes":{"selected":true,"role":"Row","x":{}}},{"title":5}]}}`,
	},
	translate.Askable: {
		`{"protocol":"askable.context","version":"0.1","source":{"url":"u:1","title":"T","timestamp":"2026-01-02T03:04:05Z"},"capture":{"mode":"element-focus","gesture":"click"},"target":{"text":"t","role":"listitem","selector":"#x","metadata":{"k":1}},"surrounding":{"ancestors":[{"role":"list","text":"a t b"}],"nearby":[{"label":"n"}],"visible":[{"label":"n"},{"text":"v"}],"history":[{"role":"password","text":"s"}]},"privacy":{"redacted":false,"consent":"explicit"},"provenance":{"producer":"p","method":"app"}}`,
		`{"protocol":"askable.context","version":"0.1","source":{"title":"D"},"capture":{"mode":"lasso"},"target":{"text":"in","role":"document","label":"D","selector":"d","metadata":{"element":{"id":"d","role":"Document","focused":true}}},"privacy":{"redacted":true,"consent":"none","omitted":["a"]},"provenance":{}}`,
	},
}

// addSeeds adds the seeds of a form, and some documents drawn for it.
func addSeeds(f *testing.F, form translate.Form) {
	for _, seed := range fuzzSeeds[form] {
		f.Add([]byte(seed))
	}
	for i := range uint64(40) {
		g := docgen.New(i, docgen.Options{Odd: i%4 > 0, Secure: i%4 == 3})
		f.Add(g.Document(docgen.Form(form.String())))
	}
}

// fuzzPair fuzzes the conversion from one form to another, and the way back: what
// converts is valid, is read again, converts back, and converts again.
func fuzzPair(f *testing.F, from, to translate.Form) {
	addSeeds(f, from)
	var c translate.Converter
	opts := &translate.Options{From: from, Timestamp: fuzzTime}
	f.Fuzz(func(t *testing.T, src []byte) {
		b, err := c.Append(nil, src, to, opts)
		if err != nil || c.From() != from {
			return
		}
		if bad := valid(to, b, src, opts); bad != "" {
			t.Fatalf("%s\nbecame\n%s\nwhich is not valid: %s", src, b, bad)
		}
		back, err := c.Append(nil, b, from, &translate.Options{Timestamp: fuzzTime})
		if err != nil {
			t.Fatalf("%s\nbecame\n%s\nwhich is refused: %v", src, b, err)
		}
		again, err := c.Append(nil, back, to, opts)
		if err != nil {
			t.Fatalf("%s\nbecame\n%s\nand\n%s\nwhich is refused: %v", src, b, back, err)
		}
		if jsontree.KindOf(again) != jsontree.Object {
			t.Fatalf("%s", again)
		}
	})
}

func FuzzConvert01To020(f *testing.F)      { fuzzPair(f, translate.V01, translate.V020) }
func FuzzConvert01ToAskable(f *testing.F)  { fuzzPair(f, translate.V01, translate.Askable) }
func FuzzConvert020To01(f *testing.F)      { fuzzPair(f, translate.V020, translate.V01) }
func FuzzConvert020ToAskable(f *testing.F) { fuzzPair(f, translate.V020, translate.Askable) }
func FuzzConvertAskableTo01(f *testing.F)  { fuzzPair(f, translate.Askable, translate.V01) }
func FuzzConvertAskableTo020(f *testing.F) { fuzzPair(f, translate.Askable, translate.V020) }

// FuzzLossless holds the second law: there and back in lossless mode is the same
// document, but for what is withheld.
func FuzzLossless(f *testing.F) {
	for _, form := range forms {
		addSeeds(f, form)
	}
	var c translate.Converter
	opts := &translate.Options{Lossless: true, Timestamp: fuzzTime}
	f.Fuzz(func(t *testing.T, src []byte) {
		if stripped, err := translate.Strip(nil, src, nil); err == nil && !bytes.Equal(stripped, src) {
			return // what was carried before is another law's
		}
		for to := translate.V01; to <= translate.Askable; to++ {
			b, err := c.Append(nil, src, to, opts)
			if err != nil {
				return
			}
			from, secure := c.From(), c.Counts()[diag.SecureWithheld] > 0 || bytes.Contains(b, []byte("secure-text"))
			back, err := c.Append(nil, b, from, &translate.Options{Timestamp: "2026-05-05T05:05:05Z"})
			if err != nil {
				t.Fatalf("%s\nbecame\n%s\nwhich is refused: %v", src, b, err)
			}
			secure = secure || secureRoot(src) || secureRoot(b) || secureHolds(src, from)
			trimmed := bytes.TrimPrefix(src, []byte("\ufeff"))
			if !secure && jsontree.DigestOf(back, false) != jsontree.DigestOf(trimmed, false) {
				t.Fatalf("%s\nbecame\n%s\nand came back as\n%s", src, b, back)
			}
			if _, err := translate.Strip(nil, b, nil); err != nil {
				t.Fatalf("%s\ncannot be stripped: %v", b, err)
			}
		}
	})
}
