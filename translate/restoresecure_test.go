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
