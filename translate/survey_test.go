package translate_test

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"ctxmigrate/internal/docgen"
	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
	"ctxmigrate/v01"
)

func TestSurvey(t *testing.T) {
	var s translate.Survey
	for i, doc := range []string{
		`{"protocol":"0.1","items":[{"id":"l","type":"list"},{"id":"t","type":"task","parent":"l","payload":{"assigneeId":"u","n":1}},{"id":"u","type":"gadget","payload":{"meta":{"by":"A"},"by":{"name":"A"}}},{"id":"x"}]}`,
		`{"protocol":"0.2.0","root":{"id":"app","role":"Application"}}`,
		`{"protocol":"0.1","items":[{"id":"t","type":"task"},{"id":"g","type":"gadget","parent":"t","payload":{"creator":"A","author":"A","assigneeId":"t"}}]}`,
	} {
		s.File, s.Record = 7, i+1
		if err := s.Add([]byte(doc), nil); err != nil {
			t.Fatal(err)
		}
	}
	got := fmt.Sprintln(s.Answers, s.Items, s.Untyped, s.Others)
	for _, w := range s.Words() {
		got += fmt.Sprintln(w.Word, w.Count, w.Choice.Known, w.Ambiguous(), w.Parents, w.Children, w.Examples)
		for why, n := range w.Why {
			if n > 0 {
				got += fmt.Sprintln(" ", n, v01.Why(why))
			}
		}
	}
	for _, m := range s.Members() {
		got += fmt.Sprintln(m.Name, m.Count, m.Links, m.Authors, m.Example)
	}
	const want = `2 6 1 1
gadget 2 false false map[:1 task:1] map[] [{7 1 /items/2} {7 3 /items/1}]
  2 the word is not known, and its place says the role
task 2 true true map[:1 list:1] map[gadget:1] [{7 1 /items/1} {7 3 /items/0}]
  1 the word is an entry, whose parent says the role
  1 the word is an entry, whose parent says nothing
list 1 true false map[:1] map[task:1] [{7 1 /items/0}]
  1 the word has one role
assigneeId 2 2 0 {7 1 /items/1/payload/assigneeId}
by.name 1 0 1 {7 1 /items/2/payload/by/name}
creator 1 0 1 {7 3 /items/1/payload/creator}
meta.by 1 0 1 {7 1 /items/2/payload/meta/by}
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestSurveyMapping holds that a mapping file of the present choices changes nothing
// but what is said of unknown words, whether or not a mapping file was given.
func TestSurveyMapping(t *testing.T) {
	first, err := v01.ParseMapping([]byte(`{"types":{"note":{"role":"Row","subrole":"memo"},"gallery":{"drop":true},"widget":{"role":"Image"}},"links":{"k":"of"},"author":"meta.by","secure":["pin pad"]}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, given := range []*v01.Mapping{nil, first} {
		opts := plainOptions()
		opts.Mapping = given
		var survey translate.Survey
		var docs [][]byte
		samples(t, 900, docgen.Options{}, func(s sample) {
			if s.form == translate.V01 {
				docs = append(docs, s.doc)
				survey.Add(s.doc, opts)
			}
		})
		text, _ := survey.AppendMapping(nil)
		again, err := v01.ParseMapping(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		mapped := plainOptions()
		mapped.Mapping = again
		for _, doc := range docs {
			for _, to := range []translate.Form{translate.V020, translate.Askable} {
				one, err1 := translate.Convert(doc, to, opts)
				two, err2 := translate.Convert(doc, to, mapped)
				if (err1 == nil) != (err2 == nil) || !bytes.Equal(one.Document, two.Document) {
					t.Fatalf("%s\nbecame\n%s\nand with the mapping file\n%s\n%s", doc, one.Document, two.Document, text)
				}
				if a, b := reported(one.Report), reported(two.Report); a != b {
					t.Fatalf("%s\nis told of as\n%s\nand with the mapping file\n%s", doc, a, b)
				}
			}
		}
		var twice translate.Survey
		for _, doc := range docs {
			twice.Add(doc, mapped)
		}
		if more, _ := twice.AppendMapping(nil); !bytes.Equal(sortedLines(more), sortedLines(text)) {
			t.Errorf("the mapping file of the mapping file is\n%s\nnot\n%s", more, text)
		}
	}
}

func reported(list []diag.Diagnostic) (text string) {
	for _, d := range list {
		if d.Code != diag.TypeUnknown {
			text += fmt.Sprintln(d.Code, d.Pointer, d.Args)
		}
	}
	return text
}

// sortedLines are the lines of a mapping file in one order, since words that are
// known now are listed elsewhere.
func sortedLines(text []byte) []byte {
	lines := bytes.Split(bytes.ReplaceAll(text, []byte("},\n"), []byte("}\n")), []byte{'\n'})
	slices.SortFunc(lines, bytes.Compare)
	return bytes.Join(lines, []byte{'\n'})
}

// TestSurveyMemory holds that a survey of many words takes bounded memory.
func TestSurveyMemory(t *testing.T) {
	var s translate.Survey
	measure := func(from, to int) uint64 {
		for i := from; i < to; i++ {
			doc := fmt.Sprintf(`{"protocol":"0.1","items":[{"id":"a","type":"w%d","payload":{"m%d":"a","n":{"by%d":"x"}}},{"id":"b","type":"v%d","parent":"a"}]}`, i, i, i, i)
			if err := s.Add([]byte(doc), nil); err != nil {
				t.Fatal(err)
			}
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	first := measure(0, 10_000)
	second := measure(10_000, 60_000)
	if second > first+first/4 {
		t.Errorf("%d bytes after 10000 answers, %d after 60000", first, second)
	}
	if s.Uncounted == 0 || len(s.Words()) == 0 {
		t.Error("the bound was not reached")
	}
}
