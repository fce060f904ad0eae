package report

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ctxmigrate/translate"
	"ctxmigrate/translate/batch"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/stream"
)

var keep = flag.String("keep", "", "a folder for the page and pictures of it, to look at")

// evil is text of an archive that would like to be markup.
const evil = `</script><script>document.title="taken"</script><img src=x onerror='document.title="taken"'>"&'{{.}}`

// sample writes the report of a run that met everything.
func sample(t *testing.T, dir string, refusals int) {
	t.Helper()
	w, err := New(dir, About{Program: "ctxmigrate test", To: translate.V020, Verified: true})
	if err != nil {
		t.Fatal(err)
	}
	for i := range refusals {
		w.Refused(batch.Refusal{File: []string{"logs/b.ndjson", "logs/a.ndjson", evil, "\xff.json"}[i%4], Record: i % 7, Rejected: i%2 == 0,
			Finding: batch.Finding{Code: []diag.Code{diag.Syntax, diag.WrongType, diag.TooDeep}[i%3], Severity: diag.Error,
				Place: stream.Place{Line: (i*37)%100 + 1, Column: i, Offset: int64(i) * 100}, Pointer: "/items/" + fmt.Sprint(i) + "/" + evil, Message: "a value was expected " + evil}})
	}
	sum := &batch.Summary{Words: map[string]*batch.Word{}, Roles: map[string]int{"Row": 900, "Group": 150, "(other)": 3, "Window": 20}, Elapsed: 12 * time.Second, Start: time.Unix(1<<30, 0)}
	for i := range 40 {
		sum.Words[fmt.Sprintf("word%02d", i)] = &batch.Word{Count: 10 + i, Roles: map[string]int{"Row": 9 + i, "Group": 1}}
	}
	for i := range 60 {
		sum.Timeline = append(sum.Timeline, batch.Sample{At: time.Duration(i+1) * 200 * time.Millisecond, Documents: i * i * 30, Bytes: int64(i) << 20})
	}
	sum.Files = batch.Files{Found: 1200, Converted: 1100, Already: 60, Failed: 40, Empty: 2}
	sum.Documents = batch.Documents{Read: 108_000, Written: 104_400, Verified: 104_400, Withheld: 12, Refused: 3600, Rejected: 3000, Left: 600}
	sum.Forms = [4]int{0, 100_000, 4_000, 400}
	for i, c := range []diag.Code{diag.Syntax, diag.NameTaken, diag.OrphanParent, diag.RootMadeUp, diag.TypeUnknown} {
		sum.Codes[c] = 1 + i*i*i*700
	}
	sum.Read, sum.Written = 3<<30, 2<<30
	if err := w.Close(sum); err != nil {
		t.Fatal(err)
	}
}

func TestJSON(t *testing.T) {
	for _, n := range []int{0, 1, 5000} {
		dir := t.TempDir()
		sample(t, dir, n)
		text, err := os.ReadFile(filepath.Join(dir, JSONName))
		if err != nil {
			t.Fatal(err)
		}
		var doc struct {
			Document
			Refused []Refused `json:"refused"`
		}
		if err := json.Unmarshal(text, &doc); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if len(doc.Refused) != n || doc.Documents.Lost != 0 || doc.Documents.Verified != 104_400 || doc.Codes[0].Code != "syntax" || doc.Forms["0.1"] != 100_000 {
			t.Errorf("%d refused: %+v", len(doc.Refused), doc.Document)
		}
		if n > 0 && (doc.Refused[0].Code != "syntax" || doc.Refused[0].Line != 1) {
			t.Errorf("%+v", doc.Refused[0])
		}
		if left, _ := filepath.Glob(dir + "/.*"); left != nil {
			t.Errorf("%s is left", left)
		}
	}
}

// TestPage holds that no text becomes markup, and that the page needs nothing
// beside itself.
func TestPage(t *testing.T) {
	dir := t.TempDir()
	sample(t, dir, 3000)
	page, err := os.ReadFile(filepath.Join(dir, HTMLName))
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	for what, n := range map[string]int{"<script": 1, "<img": 0, "onerror='": 0, "src=": 0, "http://": 0, "https://": 0, "url(": 0, "<link": 0,
		"ZgotmplZ": 0, "<tr><td>": shown + 5, "104\u202f400 documents, 104\u202f400 verified, 0 lost": 1, "1\u202f000 more are in report.json": 1, "<svg": 3} {
		if got := strings.Count(text, what); got != n && !(what == "src=" && got == strings.Count(text, "img src=x")) {
			t.Errorf("%q comes %d times, not %d", what, got, n)
		}
	}
	if !strings.Contains(text, "&lt;/script&gt;&lt;script&gt;") {
		t.Error("the text that would like to be markup is not there")
	}
}

// TestPageOfNothing is the page of a run that did nothing.
func TestPageOfNothing(t *testing.T) {
	dir := t.TempDir()
	w, err := New(dir, About{DryRun: true, To: translate.Askable})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(&batch.Summary{}); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, HTMLName))
	if err != nil || strings.Contains(string(page), "NaN") || !strings.Contains(string(page), "<p>Nothing.</p>") || !strings.Contains(string(page), "a dry run") {
		t.Errorf("%v\n%s", err, page)
	}
}
