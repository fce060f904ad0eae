package v020_test

import (
	"testing"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/model"
	"ctxmigrate/v020"
)

// TestReadAndWrite is section 5.3, as far as one element shows it.
func TestReadAndWrite(t *testing.T) {
	var (
		dec  v020.Decoder
		snap model.Snapshot
		said diag.Collector
	)
	for _, c := range []struct{ root, want string }{
		{`{"id":"a","role":"Application"}`, `{"id":"a","role":"Application"}`},
		{`{}`, `{"id":"item-0","role":"Application"}`},
		{`{"id":"a","role":"Window"}`, `{"id":"a","role":"Application"}`},
		{`{"role":"Application","id":"a","focused":true}`, `{"id":"a","role":"Application"}`},
		{`{"id":"a","role":"Application","children":[],"attributes":{},"content":[]}`, `{"id":"a","role":"Application","content":[],"attributes":{}}`},
		{`{"id":7,"role":"Application","x":1,"attributes":{"y":2,"visible":true}}`, `{"id":"7","role":"Application","attributes":{"y":2,"x":1}}`},
		{`{"id":"a","role":"Application","title":null,"url":5,"content":"t"}`,
			`{"id":"a","role":"Application","content":[{"type":"text","text":"t"}],"attributes":{"url":5}}`},
		{`{"id":"a","role":"Application","children":[{"id":"a","role":"Carousel"},{"subrole":"s"}]}`,
			`{"id":"a","role":"Application","children":[{"id":"a~2","role":"Carousel"},{"id":"item-2","role":"Group","subrole":"s"}]}`},
		{`{"id":"a","role":"Application","children":[{"id":"b","role":"Row","visible":false,"hovered":true,"selected":false},{"id":"c","role":"Row","children":[{"id":"d","role":"Row","focused":true}]}]}`,
			`{"id":"a","role":"Application","children":[{"id":"b","role":"Row","visible":false,"hovered":true},{"id":"c","role":"Row","focused":true,"children":[{"id":"d","role":"Row","focused":true}]}]}`},
		{`{"id":"a","role":"Application","children":[{"id":"b","role":"Text","subrole":"otp","selected":true,"url":"u","title":"t","children":[{"id":"c","role":"Row"}]}]}`,
			`{"id":"a","role":"Application","children":[{"id":"b","role":"Text","subrole":"otp","title":"t","selected":true}]}`},
	} {
		said.Reset(false)
		err := dec.Decode([]byte(`{"protocol":"0.2.0","instance":"i","root":`+c.root+`}`), &snap, &said, v020.Options{})
		if err != nil || said.Refused() {
			t.Errorf("%s: %v, refused %v", c.root, err, said.Refused())
			continue
		}
		if got, want := string(v020.Append(nil, &snap)), `{"protocol":"0.2.0","instance":"i","root":`+c.want+`}`; got != want {
			t.Errorf("%s: got\n%s, want\n%s", c.root, got, want)
		}
	}
}

func TestRefused(t *testing.T) {
	var (
		dec  v020.Decoder
		snap model.Snapshot
		said diag.Collector
	)
	for _, doc := range []string{`{}`, `{"root":null}`, `{"root":[]}`, `{"root":{"children":[1]}}`, `{"root":{"children":[{},null]}}`, `[]`, `"x"`} {
		said.Reset(false)
		if err := dec.Decode([]byte(doc), &snap, &said, v020.Options{}); err != nil || !said.Refused() {
			t.Errorf("%s: %v, refused %v", doc, err, said.Refused())
		}
	}
	for _, doc := range []string{`{"root":{"children":[{"id":1}`, `{"root":{"id":1,"id":2}}`, `{"root":{}} {}`, ``} {
		said.Reset(false)
		if err := dec.Decode([]byte(doc), &snap, &said, v020.Options{}); err == nil {
			t.Errorf("%s was read", doc)
		}
	}
}

// TestKept: what is secure passes where that is asked for.
func TestKept(t *testing.T) {
	var (
		dec  v020.Decoder
		snap model.Snapshot
		said diag.Collector
	)
	doc := `{"protocol":"0.2.0","root":{"id":"a","role":"Application","children":[{"id":"b","role":"Text","subrole":"otp","url":"u"}]}}`
	if err := dec.Decode([]byte(doc), &snap, &said, v020.Options{KeepSecure: true}); err != nil {
		t.Fatal(err)
	}
	if got := string(v020.Append(nil, &snap)); got != doc {
		t.Errorf("got %s", got)
	}
}
