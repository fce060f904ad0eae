package translate_test

import (
	"errors"
	"strings"
	"testing"

	"ctxmigrate/translate"
)

// TestOptionsCheck holds that what no reader would take is refused before anything is
// written, and is not laid at the document's door.
func TestOptionsCheck(t *testing.T) {
	src := []byte(`{"protocol":"0.1","instance":"a","items":[],"focus":[]}`)
	for _, x := range []struct {
		to   translate.Form
		opts translate.Options
		says string
	}{
		{translate.Auto, translate.Options{}, "auto is no form to convert to"},
		{9, translate.Options{}, "Form(9) is no form to convert to"},
		{translate.V020, translate.Options{From: 9}, "Form(9) is no form to convert from"},
		{translate.V020, translate.Options{Instance: "a\xff"}, "UTF-8"},
		{translate.V020, translate.Options{AppTitle: "a\xff"}, "UTF-8"},
		{translate.Askable, translate.Options{Producer: "a\xff"}, "UTF-8"},
		{translate.Askable, translate.Options{Consent: "maybe"}, `"maybe" is no word for Options.Consent`},
		{translate.Askable, translate.Options{Method: "zzz"}, `"zzz" is no word for Options.Method`},
		{translate.Askable, translate.Options{Timestamp: "yesterday"}, `"yesterday" is no time in RFC 3339`},
	} {
		res, err := translate.Convert(src, x.to, &x.opts)
		var refused *translate.Refused
		if err == nil || !strings.Contains(err.Error(), x.says) || errors.As(err, &refused) || len(res.Document) > 0 {
			t.Errorf("to %s with %+v: %q, %v; want an error that says %q", x.to, x.opts, res.Document, err, x.says)
		}
	}
	for _, o := range []translate.Options{
		{Consent: "explicit", Method: "dom", Timestamp: "2026-01-31T12:00:00Z", Instance: "é"},
		{Consent: "none", Method: "manual", Timestamp: "2026-01-31T12:00:00.5+01:00"},
	} {
		res, err := translate.Convert(src, translate.Askable, &o)
		if err != nil {
			t.Fatal(err)
		}
		if found := translate.Check(res.Document, nil); found.Form != translate.Askable || len(found.List) > 0 {
			t.Errorf("%s: form %s, %v", res.Document, found.Form, found.List)
		}
	}
}
