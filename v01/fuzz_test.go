package v01_test

import (
	"testing"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/model"
	"ctxmigrate/v01"
)

// FuzzV01 holds that whatever reads as an answer is written as one that reads
// the same again.
func FuzzV01(f *testing.F) {
	for _, seed := range []string{
		`{"protocol":"0.1","instance":"i","items":[{"id":"w","type":"pane"},{"id":"n","type":"note","parent":"w","title":"T","content":[{"type":"text","text":"x"}],"url":"u:1","locatable":true,"payload":{"author":"A"}}],"focus":["n"]}`,
		`{"protocol":"0.1","items":[{"id":"a","type":"row","parent":"b"},{"id":"b","type":"cell","parent":"c"},{"id":"c","parent":"a"},{"id":"d","parent":"d"}],"focus":["c","a"]}`,
		`{"items":[{"type":"selection","content":[{"type":"image"}]},{"id":"a"},{"id":"a","payload":{"role":"Row","subrole":"x","selected":false,"visible":true,"hovered":true,"focused":true}}],"focus":"a","x":1}`,
		`{"items":[{"id":1,"type":2,"parent":3,"title":null,"content":"t","payload":[],"locatable":0,"y":{}},{"id":"app","type":"app"},{"id":"app","type":"app","parent":"app"}],"focus":[1,null,{}]}`,
		`{"items":[{"id":"p","type":"password","content":[],"payload":{"subrole":"note"}},{"id":"q","type":"note","parent":"p"},{"id":"t","type":"board"},{"id":"c","type":"card","parent":"t"}],"focus":["q"]}`,
	} {
		f.Add([]byte(seed))
	}
	var (
		dec         v01.Decoder
		enc         v01.Encoder
		snap, again model.Snapshot
		said        diag.Collector
	)
	f.Fuzz(func(t *testing.T, src []byte) {
		said.Reset(false)
		if err := dec.Decode(src, &snap, &said, v01.Options{}); err != nil || said.Refused() {
			return
		}
		first := enc.Append(nil, &snap, &said)
		said.Reset(false)
		if err := dec.Decode(first, &again, &said, v01.Options{}); err != nil || said.Refused() {
			t.Fatalf("%s\nbecame\n%s\nwhich is refused: %v", src, first, err)
		}
		if second := enc.Append(nil, &again, &said); string(second) != string(first) && said.Counts[diag.NameTaken] == 0 {
			t.Fatalf("%s\nbecame\n%s\nand then\n%s", src, first, second)
		}
	})
}

// FuzzMapping holds that a mapping file is read or refused, and that what is read
// can be used.
func FuzzMapping(f *testing.F) {
	for _, seed := range []string{
		`{"types":{"sprint":{"role":"List","subrole":"sprint"},"spinner":{"drop":true},"note":{"class":"entry"}},"links":{"assigneeId":"assignee"},"author":"meta.by.name","secure":["licence-key"]}`,
		`{"types":{"x":{"role":"Nope"}}}`, `{"types":{"a-b":{},"a b":{}}}`, `{"links":{"a":1}}`, `{"author":"@this"}`, `{"secure":"x"}`, `[]`, `{`,
		`{"author":"a.0.b","links":{"k":"r"}}`,
	} {
		f.Add([]byte(seed))
	}
	src := []byte(`{"items":[{"id":"a","type":"spinner","payload":{"k":"b","a":[{"b":"N"}],"meta":{"by":{"name":"M"}},"assigneeId":7}},` +
		`{"id":"b","type":"x","parent":"a","payload":{"related":[],"k":"a"}},{"id":"c","type":"selection"},{"id":"d","type":"a.licence_key","content":[1]}],"focus":["a"]}`)
	f.Fuzz(func(t *testing.T, file []byte) {
		m, err := v01.ParseMapping(file)
		if (m == nil) == (err == nil) {
			t.Fatalf("%q: both or neither of a mapping and an error", file)
		}
		if err != nil {
			return
		}
		var (
			dec  v01.Decoder
			enc  v01.Encoder
			snap model.Snapshot
			said diag.Collector
		)
		if err := dec.Decode(src, &snap, &said, v01.Options{Mapping: m, Words: model.NewWords(m.Secure)}); err != nil || said.Refused() {
			t.Fatalf("%q: %v", file, err)
		}
		out := enc.Append(nil, &snap, &said)
		if err := dec.Decode(out, &snap, &said, v01.Options{}); err != nil {
			t.Fatalf("%q\ngives\n%s\n%v", file, out, err)
		}
	})
}
