package main

import (
	"bytes"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"ctxmigrate/translate"
)

// plainText answers what a line could do to a terminal, or "".
func plainText(line string) string {
	depth := 0
	for _, r := range line {
		switch {
		case r == '\u2068':
			depth++
		case r == '\u2069':
			depth--
		case r == '\u200d' || r == '\u200c' || r == '\ufe0f' || r == '\ufe0e' || unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r):
		case r == utf8.RuneError:
			return "a byte that is no UTF-8"
		case !unicode.IsPrint(r):
			return "a character that is not printed"
		}
		if depth < 0 {
			return "an isolate that was not begun"
		}
	}
	if depth != 0 {
		return "an isolate that does not end"
	}
	return ""
}

// FuzzPen holds that whatever text is written on a line, the line does nothing to a
// terminal and is no wider than it may be.
func FuzzPen(f *testing.F) {
	for _, s := range []string{"plain", "日本語", "\x1b[31m\x07\u202e\u0085\xff\xed\xa0\xbd", "👩‍👩‍👧 é\u0301\u0301", "שלום abc مرحبا", strings.Repeat("x", 100), "\t\n\r", "\u200b\u2069\u2068"} {
		f.Add(s, 20, false)
		f.Add(s, 40, true)
	}
	f.Fuzz(func(t *testing.T, text string, room int, ascii bool) {
		if room = room&0x7f + 8; !utf8.ValidString(text) {
			text = strings.ToValidUTF8(text, "\ufffd!")
		}
		p := pen{room: room, ascii: ascii}
		p.begin([]byte("before"))
		p.put("├─ Row ")
		p.text([]byte(text))
		p.put(`"`)
		p.text([]byte(text))
		line := strings.TrimPrefix(string(p.dst), "before")
		if ascii {
			for i := range len(line) {
				if c := line[i]; (c < ' ' || c > 0x7e) && !strings.Contains("├─", line[i:i+1]) && i > 10 {
					t.Fatalf("%q holds %q", line, c)
				}
			}
		}
		if bad := plainText(strings.ReplaceAll(line, "\ufffd", "")); bad != "" {
			t.Fatalf("%q: %s", line, bad)
		}
		if w := uniseg.StringWidth(strings.NewReplacer("\u2068", "", "\u2069", "").Replace(line)); w > room+2 {
			t.Fatalf("%q is %d columns wide, of %d", line, w, room)
		}
	})
}

// FuzzLook holds that whatever is given to the commands that look at documents, they
// answer, and what they print does nothing to a terminal.
func FuzzLook(f *testing.F) {
	for _, doc := range []string{hostile, flat, tree, `{"protocol":"askable.context","version":"0.1","target":{"role":"password","text":"\u001b"},"surrounding":{"ancestors":[{"x":"\u202e"}]}}`,
		"{\"protocol\":\"0.1\",\"items\":[\x1b", "\ufeff[", `{"protocol":"0.2.0","root":{"children":[{"id":"\u0007"},{"id":"\u0007","content":[{"type":"\u001b"}]}]}}`} {
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		for _, args := range [][]string{{"check", "--level", "note"}, {"tree", "--ids"}, {"explain", "--to", "0.2.0"}, {"types"}} {
			var out, errs bytes.Buffer
			if status := Run(args, bytes.NewReader(doc), &out, &errs); status == statusUsage {
				t.Fatalf("%v: %s", args, errs.String())
			}
			for _, text := range []string{out.String(), errs.String()} {
				for line := range strings.Lines(text) {
					line = strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\t", "")
					if bad := plainText(strings.ReplaceAll(line, "\ufffd", "")); bad != "" && args[0] != "types" {
						t.Fatalf("%v prints %q: %s", args, line, bad)
					}
				}
			}
		}
		found := translate.Check(doc, nil)
		if found.Refused {
			return
		}
		var k translate.Checker
		k.Check(doc, nil)
		l := sourceOf(doc, k.Masked())
		for _, g := range found.List {
			l.note(g.Offset, pageNote{})
		}
	})
}
