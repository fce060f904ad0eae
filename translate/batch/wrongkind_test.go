package batch

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"ctxmigrate/internal/docgen"
	"ctxmigrate/translate"
)

// changed calls f after each value below v was replaced by another for as long as
// f runs.
func changed(v, by any, f func()) {
	switch v := v.(type) {
	case map[string]any:
		for name, old := range v {
			v[name] = by
			f()
			v[name] = old
			changed(old, by, f)
		}
	case []any:
		for i, old := range v {
			v[i] = by
			f()
			v[i] = old
			changed(old, by, f)
		}
	}
}

// TestWrongKinds converts documents in which each value in turn is of another
// kind: they are converted or refused, and all are counted.
func TestWrongKinds(t *testing.T) {
	dir := t.TempDir()
	var b strings.Builder
	docs := 0
	add := func(text []byte) {
		var doc any
		read := json.NewDecoder(bytes.NewReader(text))
		read.UseNumber()
		if err := read.Decode(&doc); err != nil {
			t.Fatal(err)
		}
		for _, by := range []any{3, true, nil, []any{}, map[string]any{}, ""} {
			changed(doc, by, func() {
				line, err := json.Marshal(doc)
				if err != nil {
					t.Fatal(err)
				}
				b.Write(line)
				b.WriteByte('\n')
				docs++
			})
		}
	}
	for seed := range uint64(4) {
		g := docgen.New(seed, docgen.Options{Odd: seed%2 == 1})
		add(g.Document(docgen.V01))
		add(g.Document(docgen.V020))
		add(g.Document(docgen.Askable))
	}
	put(t, dir+"/src/lines.ndjson", b.String())
	for _, to := range []translate.Form{translate.V01, translate.V020, translate.Askable} {
		o := Options{Sources: []string{dir + "/src"}, Out: dir + "/out" + to.String(), Rejects: dir + "/bad" + to.String(), To: to, Words: true, Verify: true}
		sum, err := Run(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		if d := sum.Documents; d.Read != docs || d.Lost() != 0 || d.Written < docs/2 {
			t.Errorf("to %s: %+v of %d documents", to, d, docs)
		}
	}
}

// TestWordsOfNoString counts an element by its role where its subrole is no
// string.
func TestWordsOfNoString(t *testing.T) {
	dir := t.TempDir()
	put(t, dir+"/a.json", `{"protocol":"0.2.0","instance":"n","root":{"id":"a","role":"Application","children":[{"id":"b","role":"Group","subrole":3},{"id":"c","role":4}]}}`)
	sum := runs(t, Options{Sources: []string{dir + "/a.json"}, Out: dir + "/out", Words: true})
	if sum.Documents.Written != 1 || sum.Roles["Group"] != 1 || sum.Roles[other] != 1 || sum.Words["group"] == nil || sum.Words["group"].Count != 1 {
		t.Errorf("%+v: %v, %v", sum.Documents, sum.Roles, sum.Words)
	}
}
