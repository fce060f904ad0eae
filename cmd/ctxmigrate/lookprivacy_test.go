package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ctxmigrate/internal/docgen"
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
