package v020_test

import (
	"testing"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/model"
	"ctxmigrate/v020"
)

// FuzzV020 holds that whatever reads as an answer is written as one that reads
// the same again.
func FuzzV020(f *testing.F) {
	for _, seed := range []string{
		`{"protocol":"0.2.0","instance":"i","root":{"id":"app","role":"Application","children":[{"id":"w","role":"Window","subrole":"pane","focused":true,"visible":false,"hovered":true,"children":[{"id":"t","role":"Text","selected":true,"content":[{"type":"text","text":"x"}],"attributes":{"author":"A","related":[]}}]}]}}`,
		`{"root":{"role":"Carousel","children":[{"id":"a","focused":true,"children":[{"id":"b","children":[{"id":"a","focused":true}]}]},{"id":"c","focused":true}],"x":1},"y":[]}`,
		`{"root":{"id":5,"title":7,"content":"t","attributes":{"selected":true,"role":"Row"},"children":[{"role":"password","content":[],"children":[{"id":"z"}]}]}}`,
		`{"root":{"children":null,"attributes":null,"subrole":"secret","url":""}}`,
	} {
		f.Add([]byte(seed))
	}
	var (
		dec         v020.Decoder
		snap, again model.Snapshot
		said        diag.Collector
	)
	f.Fuzz(func(t *testing.T, src []byte) {
		said.Reset(false)
		if err := dec.Decode(src, &snap, &said, v020.Options{}); err != nil || said.Refused() {
			return
		}
		first := v020.Append(nil, &snap)
		said.Reset(false)
		if err := dec.Decode(first, &again, &said, v020.Options{}); err != nil || said.Refused() {
			t.Fatalf("%s\nbecame\n%s\nwhich is refused: %v", src, first, err)
		}
		if second := v020.Append(nil, &again); string(second) != string(first) {
			t.Fatalf("%s\nbecame\n%s\nand then\n%s", src, first, second)
		}
	})
}
