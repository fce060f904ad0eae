package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ctxmigrate/internal/docgen"
	"ctxmigrate/translate"
)

var looks = flag.Int("looks", 150, "how many documents of each form the tests of what looks at documents draw")

// TestLooksTellNoSecrets plants canaries in what secure elements must not hand out,
// and looks for them in everything that the commands that look at answers write.
func TestLooksTellNoSecrets(t *testing.T) {
	dir := t.TempDir()
	planted := 0
	for f, form := range docgen.Forms {
		var docs [][]byte
		for i := range *looks {
			g := docgen.New(uint64(i)+uint64(f)<<32+99, docgen.Options{Secure: true, Odd: i%3 == 2})
			v := g.Value(form)
			planted += g.PlantCanaries(v, form)
			docs = append(docs, v.Append(nil))
		}
		src := filepath.Join(dir, string(form)+".ndjson")
		if err := os.WriteFile(src, append(bytes.Join(docs, []byte("\n")), '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
		page := filepath.Join(dir, "page.html")
		for _, args := range [][]string{
			{"check", "--level", "note", src},
			{"check", "--level", "note", "--format", "json", src},
			{"check", "--level", "note", "--format", "github", src},
			{"check", "--level", "note", "--format", "sarif", src},
			{"check", "--level", "note", "--html", page, src},
			{"tree", "--keep-going", "--ids", "--width", "2000", src},
			{"tree", "--keep-going", "--html", page, src},
			{"explain", "--keep-going", "--to", "0.2.0", src},
			{"explain", "--keep-going", "--to", "askable", "--format", "json", src},
			{"explain", "--keep-going", "--to", "0.1", "--html", page, src},
			{"types", "--keep-going", "--format", "json", src},
		} {
			os.Remove(page)
			var out, errs bytes.Buffer
			if status := Run(args, nil, &out, &errs); status == statusUsage {
				t.Fatalf("%v: %s", args, errs.String())
			}
			text, _ := os.ReadFile(page)
			for where, b := range map[string][]byte{"output": out.Bytes(), "errors": errs.Bytes(), "page": text} {
				// ids may be told, and be cut
				said := strings.NewReplacer(docgen.Canary+"-", "", docgen.Canary+"…", "").Replace(string(b))
				if i := strings.Index(said, docgen.Canary); i >= 0 {
					t.Errorf("the %s of %v holds a canary: %.300s", where, args[:len(args)-1], said[max(0, i-200):])
				}
			}
			if out.Len() == 0 {
				t.Errorf("%v says nothing", args)
			}
		}
	}
	if planted < *looks {
		t.Errorf("only %d canaries were planted", planted)
	}
}

// TestBrokenTellNoSecrets breaks answers at every byte, and looks for what stands in
// them in everything that is said of those that cannot be read any more.
func TestBrokenTellNoSecrets(t *testing.T) {
	var lines [][]byte
	for _, doc := range []string{
		`{"protocol":"0.1","items":[{"id":"p","type":"password","title":"CANARY one","content":"CANARY","payload":{"pin":99887766,"x":["CANARY two"]}}],"focus":["p"]}`,
		`{"protocol":"0.2.0","root":{"id":"app","role":"Application","children":[{"id":"p","role":"Text","subrole":"password","content":[{"type":"text","text":"CANARY, \"CANARY\""}]}]}}`,
		`{"protocol":"askable.context","version":"0.1","target":{"role":"password","text":"CANARY","metadata":{"n":-99887766,"t":"{\"CANARY\":1}"}},"source":{"timestamp":"CANARY"}}`,
	} {
		for i := range len(doc) {
			for _, with := range []string{"", `"`, "'", "\n", "\t", `\`, "{", "}", ",", "x", "7", "\x80", "\u2028"} {
				to := i
				if with == "" {
					to++
				}
				broken := []byte(doc[:i] + with + doc[to:])
				if refusedLines(broken) {
					lines = append(lines, broken)
				}
			}
		}
	}
	if len(lines) < 3000 {
		t.Fatalf("only %d answers were broken", len(lines))
	}
	dir := t.TempDir()
	src, page, report := filepath.Join(dir, "broken.ndjson"), filepath.Join(dir, "page.html"), filepath.Join(dir, "report")
	if err := os.WriteFile(src, append(bytes.Join(lines, []byte("\n")), '\n'), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"check", src}, {"check", "--format", "json", src}, {"check", "--format", "github", src}, {"check", "--format", "sarif", src},
		{"check", "--html", page, src}, {"check", "--at", "answer", src},
		{"tree", "--keep-going", src}, {"explain", "--keep-going", "--to", "0.2.0", src}, {"types", "--keep-going", src},
		{"convert", "--keep-going", "--to", "0.2.0", "--report", report, src},
	} {
		var out, errs bytes.Buffer
		if status := Run(args, nil, &out, &errs); status != statusFailed {
			t.Fatalf("%v: status %d, %s", args, status, errs.String())
		}
		for _, path := range []string{page, report} {
			text, _ := os.ReadFile(path)
			out.Write(text)
			os.Remove(path)
		}
		said := out.String() + errs.String()
		for _, secret := range []string{"CANARY", "ANAR", "99887", "87766"} {
			if i := strings.Index(said, secret); i >= 0 {
				t.Errorf("%v tells %s: %.300s", args[:len(args)-1], secret, said[max(0, i-200):])
			}
		}
	}
}

// refusedLines reports whether each line of a text is no answer and no packet.
func refusedLines(text []byte) bool {
	for line := range bytes.Lines(text) {
		if len(bytes.TrimSpace(line)) > 0 && !translate.Check(line, nil).Refused {
			return false
		}
	}
	return true
}
