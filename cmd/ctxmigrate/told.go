package main

import (
	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
)

// told is why a document was refused, at its place in the file.
type told struct {
	finding
	said   bool // the viewer has said it
	passed bool // the document was read to its end all the same, so that another may follow
}

func (t *told) Error() string { return t.message }

// teller is a viewer that says itself what is wrong with documents that it cannot be
// shown.
type teller interface {
	// tell appends what is to be said of a document that is refused for a finding.
	tell(dst []byte, s *sight, f finding) []byte
}

// told is the refusal of a document, which the viewer says where it can.
func (c *watcher) told(text *[]byte, s *sight, f finding) error {
	t, ok := c.viewer.(teller)
	if ok {
		*text = t.tell(*text, s, f)
	}
	return &told{finding: f, said: ok, passed: ok && readable(f.code)}
}

// readable reports whether what is refused with a code was read as JSON.
func readable(code diag.Code) bool {
	return !(&translate.Refused{Diagnostic: diag.Diagnostic{Code: code}}).Unreadable()
}

// again reports whether a document was cut at a wrong place and comes again.
func (s *sight) again(refused *translate.Refused) bool {
	return s.record == nil && s.recut != nil && refused.Unreadable() && s.recut(refused.Offset)
}

// refusal is why a document is refused, which says what else it is.
func (s *sight) refusal(refused *translate.Refused) finding {
	f := findingOf(&refused.Diagnostic)
	if refused.Code <= diag.UnknownForm {
		if kind := otherKind(s.src); kind != "" {
			f.message += "; this is " + kind
		}
	}
	return s.found(f)
}
