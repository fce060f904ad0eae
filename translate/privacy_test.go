package translate_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ctxmigrate/internal/docgen"
	"ctxmigrate/translate"
	"ctxmigrate/translate/jsontree"
)

// privacyOf is the privacy of a packet, or the one that an answer keeps of a
// packet; nil where there is none.
func privacyOf(doc *docgen.Value, form translate.Form) *docgen.Value {
	switch form {
	case translate.Askable:
		return doc.Get("privacy")
	case translate.V020:
		return doc.At("root", "attributes", "askable", "privacy")
	}
	var privacy *docgen.Value
	for _, u := range docgen.Units(doc, docgen.V01) {
		if p := u.Value.At("payload", "askable", "privacy"); p != nil && u.Get("parent") == nil && privacy == nil {
			privacy = p
		}
	}
	return privacy
}

// weaker answers how one privacy is weaker than another, or "". What is not said
// counts as redacted, and as no consent.
func weaker(was, is *docgen.Value, packet bool) string {
	if !was.Is(jsontree.Object) {
		return ""
	}
	if !is.Is(jsontree.Object) {
		return "it is gone"
	}
	redacted := func(v *docgen.Value) bool { return !v.Get("redacted").Is(jsontree.Bool) || v.Get("redacted").True() }
	if redacted(was) && !redacted(is) {
		return "redacted is no more"
	}
	rank := map[string]int{"none": 0, "implicit": 1, "explicit": 2}
	a, b := was.Get("consent"), is.Get("consent")
	x, known := rank[a.Says()]
	y, knownToo := rank[b.Says()]
	switch {
	case a.Says() == b.Says():
	case !a.Is(jsontree.String) && b.Says() == "none":
	case !packet && a.String() == b.String():
	case known && knownToo && y <= x:
	default:
		return fmt.Sprintf("consent was %s and is %s", a, b)
	}
	var omitted []string
	if o := is.Get("omitted"); o != nil {
		for _, e := range o.Entries {
			omitted = append(omitted, e.Says())
		}
		omitted = append(omitted, o.Says())
	}
	if o := was.Get("omitted"); o != nil {
		for _, e := range append(o.Entries, o) {
			if e.Kind == jsontree.String && !slices.Contains(omitted, e.Says()) {
				return "omitted has no more " + e.String()
			}
		}
	}
	return ""
}

// TestLawPrivacy is law 10.
func TestLawPrivacy(t *testing.T) {
	var c translate.Converter
	hold(t, *lawsN, docgen.Options{}, func(s sample) string {
		was := docgen.Parse(s.doc)
		for _, lossless := range []bool{false, true} {
			for _, to := range others(s.form) {
				there, err := c.Append(nil, s.doc, to, &translate.Options{Timestamp: stamp, Lossless: lossless, Consent: "explicit"})
				if err != nil {
					return ""
				}
				v := docgen.Parse(there)
				if bad := weaker(privacyOf(was, s.form), privacyOf(v, to), to == translate.Askable); bad != "" && s.form == translate.Askable {
					return fmt.Sprintf("weaker: %s: in\n%s", bad, there)
				}
				back, err := c.Append(nil, there, s.form, &translate.Options{Timestamp: stamp, Consent: "explicit"})
				if err != nil {
					return "refused: " + err.Error()
				}
				if bad := weaker(privacyOf(was, s.form), privacyOf(docgen.Parse(back), s.form), false); bad != "" && s.form == translate.Askable {
					return fmt.Sprintf("weaker: back: %s: there\n%s\nback\n%s", bad, there, back)
				}
			}
		}
		return ""
	})
}

// TestSecureIsMarked: a packet that was made of something secure says so.
func TestSecureIsMarked(t *testing.T) {
	var c translate.Converter
	hold(t, *lawsN/2, docgen.Options{Secure: true}, func(s sample) string {
		if s.form == translate.Askable {
			return ""
		}
		v := docgen.Parse(s.doc)
		if docgen.New(s.seed, docgen.Options{}).PlantCanaries(v, docgen.Form(s.form.String())) == 0 {
			return ""
		}
		out, err := c.Append(nil, v.Append(nil), translate.Askable, plainOptions())
		if err != nil {
			return ""
		}
		p := docgen.Parse(out).Get("privacy")
		if !p.Get("redacted").True() || !strings.Contains(p.Get("omitted").String(), `"secure-text"`) {
			return fmt.Sprintf("unmarked: %s of\n%s", out, v)
		}
		return ""
	})
}

// TestSecureNeverPasses: nothing of what is withheld is in any output, plain or
// lossless, there and back, nor in any report.
func TestSecureNeverPasses(t *testing.T) {
	var c translate.Converter
	heard := 0 // where secure text may pass
	hold(t, *lawsN, docgen.Options{Secure: true}, func(s sample) string {
		v := docgen.Parse(s.doc)
		if !bytes.Contains(s.doc, []byte(docgen.Canary)) && docgen.New(s.seed, docgen.Options{}).PlantCanaries(v, docgen.Form(s.form.String())) == 0 {
			return ""
		}
		planted := v.Append(nil)
		if out, err := c.Append(nil, planted, others(s.form)[0], &translate.Options{Timestamp: stamp, KeepSecure: true}); err == nil && sings(out, err, &c) != "" {
			heard++
		}
		for _, to := range others(s.form) {
			for _, lossless := range []bool{false, true} {
				opts := &translate.Options{Timestamp: stamp, Lossless: lossless}
				there, err := c.Append(nil, planted, to, opts)
				if bad := sings(there, err, &c); bad != "" {
					return fmt.Sprintf("%s %s: lossless %v: %s\nplanted\n%s", to, bad, lossless, there, planted)
				}
				if err != nil {
					return ""
				}
				back, err := c.Append(nil, there, s.form, opts)
				if bad := sings(back, err, &c); bad != "" || err != nil {
					return fmt.Sprintf("%s back %s: lossless %v %v: %s\nback\n%s\nplanted\n%s", to, bad, lossless, err, there, back, planted)
				}
			}
		}
		return ""
	})
	if heard < *lawsN/4 {
		t.Errorf("only %d of %d documents had something to withhold", heard, *lawsN)
	}
}

// sings answers where a canary is heard, or "".
func sings(out []byte, err error, c *translate.Converter) string {
	if bytes.Contains(out, []byte(docgen.Canary)) {
		return "output"
	}
	said := fmt.Sprint(err)
	for _, d := range c.Report() {
		said += d.Message() + strings.Join(d.Args, " ")
	}
	if strings.Contains(strings.ReplaceAll(said, docgen.CanaryID, ""), docgen.Canary) {
		return "report"
	}
	return ""
}
