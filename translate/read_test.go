package translate_test

import (
	"strings"
	"testing"

	"ctxmigrate/translate"
	"ctxmigrate/translate/model"
)

// TestReaderOfStates is R2 of RFC-0001 (7), for the readers here: on fixed trees, an
// absent selected, focused or hovered is false, and an absent visible the parent's
// value; the root is visible.
func TestReaderOfStates(t *testing.T) {
	for _, c := range []struct{ doc, want string }{
		{`{"protocol":"0.2.0","instance":"i","root":{"id":"app","role":"Application","children":[
			{"id":"a","role":"Window","visible":false,"focused":true,"children":[
				{"id":"b","role":"List","children":[{"id":"c","role":"Row","visible":true,"children":[{"id":"d","role":"Text"}]},{"id":"e","role":"Row","selected":true}]}]},
			{"id":"f","role":"Window","selected":false,"focused":null,"hovered":true}]}}`,
			`app: visible; a: focused; b:; c: visible; d: visible; e: selected; f: hovered visible`},
		{`{"protocol":"0.1","instance":"i","items":[{"id":"d","type":"text","parent":"c"},{"id":"a","type":"window","payload":{"visible":false}},
			{"id":"c","type":"row","parent":"a"},{"id":"s","type":"selection","parent":"c","payload":{"visible":true}},{"id":"w","type":"window"}],"focus":["c"]}`,
			`app: visible; a: focused; c: focused; d:; s: selected visible; w: visible`},
		{`{"protocol":"askable.context","version":"0.1","source":{"timestamp":"t"},"capture":{"mode":"semantic","gesture":"hover"},"target":{},"surrounding":{"nearby":[{}],"visible":[{"text":"x"}]},"privacy":{"redacted":false,"consent":"none"},"provenance":{"producer":"p","method":"app"}}`,
			`app: visible; target: hovered visible; nearby-1: visible; visible-1: visible`},
	} {
		var reader translate.Converter
		s, err := reader.Read([]byte(c.doc), nil)
		if err != nil {
			t.Fatal(err)
		}
		drawn := s.AppendDrawn(nil)
		var parts []string
		for i := s.Root; i != model.None; i, _ = s.After(i, s.Root) {
			e := &s.Elements[i]
			text := string(s.Text(e.ID)) + ":"
			for _, state := range []struct {
				is   bool
				word string
			}{{e.Selected, " selected"}, {e.Focused, " focused"}, {e.Hovered, " hovered"}, {drawn[i], " visible"}} {
				if state.is {
					text += state.word
				}
			}
			parts = append(parts, text)
		}
		if got := strings.Join(parts, "; "); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
