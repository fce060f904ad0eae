package translate_test

import (
	"bytes"
	"testing"

	"ctxmigrate/translate"
)

// TestRestoredElementIsWithheld is about values that are secure by an opaque attribute
// alone: what is carried back beside them lets none of their text pass.
func TestRestoredElementIsWithheld(t *testing.T) {
	for _, name := range []string{`"element"`, `"el\u0065ment"`} {
		value := `{"text":"S3CRET","metadata":{` + name + `:{"subrole":"password"}}}`
		src := []byte(`{"protocol":"askable.context","version":"0.1","source":{"timestamp":"2026-01-31T12:00:00Z"},"capture":{"mode":"custom"},` +
			`"surrounding":{"nearby":[` + value + `],"visible":[{"text":"b"},` + value + `]},` +
			`"privacy":{"redacted":false,"consent":"none"},"provenance":{"producer":"p","method":"app"}}`)
		for _, to := range []translate.Form{translate.V01, translate.V020} {
			there, err := translate.Convert(src, to, &translate.Options{Lossless: true, KeepSecure: true})
			if err != nil {
				t.Fatal(err)
			}
			back, err := translate.Convert(there.Document, translate.Askable, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Contains(there.Document, []byte("S3CRET")) || bytes.Contains(back.Document, []byte("S3CRET")) {
				t.Errorf("by %s: %s\nbecame %s", to, there.Document, back.Document)
			}
		}
	}
}

// TestElementSecureByItsAttributeIsWithheld is about elements that are secure to readers
// of packets alone, by an attribute: plainly and in lossless mode none of their text
// passes, which is told, and a value that only looks like one is left as it is.
func TestElementSecureByItsAttributeIsWithheld(t *testing.T) {
	src := func(word string) []byte {
		element := `"content":[{"type":"text","text":"S3CRET"}],"attributes":{"metadata":{"el\u0065ment":{"subrole":"` + word + `"}}}`
		return []byte(`{"protocol":"0.2.0","instance":"i","root":{"id":"app","role":"Application","attributes":{"askable":{"timestamp":"2026-01-31T12:00:00Z",` +
			`"capture":{"mode":"element-focus"},"privacy":{"redacted":false,"consent":"none"},"provenance":{"producer":"p","method":"app"}}},"children":[` +
			`{"id":"target","role":"Group","subrole":"button","title":"l","focused":true,` + element + `},` +
			`{"id":"visible-1","role":"Group","visible":true,` + element + `}]}}`)
	}
	for _, test := range []struct {
		word string
		o    translate.Options
		told int
	}{
		{"password", translate.Options{}, 2},
		{"password", translate.Options{Lossless: true}, 2},
		{"password", translate.Options{KeepSecure: true}, 0},
		{"button", translate.Options{}, 0},
		{"button", translate.Options{Lossless: true}, 0},
	} {
		r, err := translate.Convert(src(test.word), translate.Askable, &test.o)
		if err != nil {
			t.Fatal(err)
		}
		told := 0
		for _, d := range r.Report {
			if d.Code.String() == "secure-withheld" {
				told++
			}
		}
		withheld := test.told > 0
		if told != test.told || bytes.Contains(r.Document, []byte("S3CRET")) == withheld ||
			bytes.Contains(r.Document, []byte(`"redacted":true`)) != withheld || bytes.Contains(r.Document, []byte("secure-text")) != withheld {
			t.Errorf("%s, %+v: told %d times\n%s", test.word, test.o, told, r.Document)
		}
	}
}
