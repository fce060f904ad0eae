package askable_test

import (
	"testing"

	"ctxmigrate/askable"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/model"
)

// FuzzAskable holds that whatever reads as a packet is put back as one that reads
// and is put back the same again.
func FuzzAskable(f *testing.F) {
	for _, seed := range []string{
		`{"protocol":"askable.context","version":"0.1","source":{"url":"u:1","title":"T","app":"A","route":"/r","timestamp":"2026-01-02T03:04:05Z"},"capture":{"mode":"element-focus","gesture":"click","intent":"i"},"target":{"text":"t","role":"listitem","label":"L","selector":"#x","bounds":{"x":0,"y":1.5,"width":2,"height":3},"metadata":{"k":1},"screenshot":{"mimeType":"image/png","data":"data:image/png;base64,AA==","url":"u:2"}},"surrounding":{"ancestors":[{"role":"list","text":"a t b"}],"nearby":[{"label":"n"}],"visible":[{"label":"n"},{"text":"v"}],"history":[{"role":"password","text":"s"}],"sources":[{"label":"s"}]},"privacy":{"redacted":false,"consent":"explicit","omitted":["x"]},"provenance":{"producer":"p","method":"app"}}`,
		`{"source":{"title":"D"},"capture":{"mode":"region"},"target":{"text":"in","role":"document","label":"D","selector":"d","metadata":{"element":{"id":"d","role":"Document","focused":true}}},"surrounding":{"ancestors":[{"role":"password","text":"in"},{"text":"in it"}],"visible":[{"role":"row","selector":"r","metadata":{"element":{"id":"r","role":"Row","visible":true}}},{"role":"row","selector":"r","metadata":{"element":{"id":"r","role":"Row","visible":true}}}]}}`,
		`{"source":5,"capture":{"mode":7},"target":{"text":1,"metadata":null,"bounds":[],"screenshot":{},"selected":true,"z":2},"privacy":{"omitted":[1]},"surrounding":{"ancestors":{},"nearby":null},"q":1}`,
	} {
		f.Add([]byte(seed))
	}
	var (
		dec         askable.Decoder
		enc         askable.Encoder
		snap, again model.Snapshot
		said        diag.Collector
	)
	f.Fuzz(func(t *testing.T, src []byte) {
		said.Reset(false)
		if err := dec.Decode(src, &snap, &said, askable.Options{}); err != nil || said.Refused() {
			return
		}
		first := enc.Append(nil, &snap, &said)
		said.Reset(false)
		if err := dec.Decode(first, &again, &said, askable.Options{}); err != nil || said.Refused() {
			t.Fatalf("%s\nbecame\n%s\nwhich is refused: %v", src, first, err)
		}
		enc.Append(nil, &again, &said)
	})
}
