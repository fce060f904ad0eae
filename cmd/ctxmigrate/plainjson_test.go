package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// TestNoEscapesReachTerminals holds that no command hands on what a terminal obeys,
// from documents or from the names of files.
func TestNoEscapesReachTerminals(t *testing.T) {
	const odd = "a\u009b2Jb\u202ec\u2028d\U000e0001e\x7f"
	dir := t.TempDir()
	write := func(name, id string) string {
		path := filepath.Join(dir, name)
		doc, _ := json.Marshal(map[string]any{"protocol": "0.1", "instance": "i", "focus": []string{odd},
			"items": []any{map[string]any{"id": id, "type": odd, "parent": odd + "x", "title": id, "payload": map[string]any{odd: 1}}}})
		doc = bytes.ReplaceAll(doc, []byte(`\u2028`), []byte("\u2028"))
		if err := os.WriteFile(path, doc, 0o666); err != nil {
			t.Skip(err) // no such names here
		}
		return path
	}
	a, b := write("n\x1b[2J\u009b1\u202e.json", "1"+odd), write("m.json", "2"+odd)
	for _, args := range [][]string{
		{"check", "--level", "note", a},
		{"check", "--level", "note", "--format", "json", a},
		{"check", "--level", "note", "--format", "github", a},
		{"check", "--level", "note", "--format", "sarif", a},
		{"diff", a, b},
		{"diff", "--format", "json", a, b},
		{"types", "--format", "json", a},
		{"types", a},
		{"tree", "--ids", a},
		{"explain", "--to", "0.2.0", a},
		{"explain", "--to", "0.2.0", "--format", "json", a},
		{"convert", "--to", "0.2.0", "-o", filepath.Join(dir, "out"), "--report", filepath.Join(dir, "report"), a},
	} {
		var out, errs bytes.Buffer
		if status := Run(args, nil, &out, &errs); status == statusUsage && args[0] != "diff" {
			t.Fatalf("%v: %s", args, errs.String())
		}
		report, _ := os.ReadFile(filepath.Join(dir, "report"))
		said := append(append(out.Bytes(), errs.Bytes()...), report...)
		if len(said) == 0 {
			t.Errorf("%q says nothing", args)
		}
		for _, bad := range []string{"\x1b", "\u009b", "\u202e", "\u2028", "\U000e0001", "\x7f"} {
			if bytes.Contains(said, []byte(bad)) {
				t.Errorf("%q writes %q: %.300q", args, bad, said)
			}
		}
	}
}

// TestPlainJSON holds that the JSON says the same.
func TestPlainJSON(t *testing.T) {
	const odd = "é\u009b😀\u202e\U000e0001\x7f"
	raw, _ := json.Marshal(odd)
	got := plainJSON(append([]byte("\u009b"), raw...), 2)
	if string(got[:2]) != "\u009b" || bytes.IndexFunc(got[2:], obeyed) >= 0 {
		t.Errorf("got %q", got)
	}
	var back string
	if err := json.Unmarshal(got[2:], &back); err != nil || back != odd {
		t.Errorf("got %q, %v", back, err)
	}
}
