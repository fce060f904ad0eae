package askable

import (
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
)

// shape is what the strict reading allows of an object: what each member may be.
type shape map[string]func(raw []byte) bool

func isString(raw []byte) bool { return raw[0] == '"' }
func isBool(raw []byte) bool   { return jsontree.KindOf(raw) == jsontree.Bool }

func isStrings(raw []byte) bool {
	if raw[0] != '[' {
		return false
	}
	ok := true
	jsontree.Entries(raw, func(e []byte) bool {
		ok = e[0] == '"'
		return ok
	})
	return ok
}

// isBounds reports whether raw is {x,y,width,height}, each a number.
func isBounds(raw []byte) bool {
	if raw[0] != '{' {
		return false
	}
	n, ok := 0, true
	jsontree.Members(raw, func(name, v []byte) bool {
		switch string(jsontree.Unquote(name)) {
		case "x", "y", "width", "height":
			n++
			ok = jsontree.KindOf(v) == jsontree.Number
		default:
			ok = false
		}
		return ok
	})
	return ok && n == 4
}

func isScreenshot(raw []byte) bool {
	if raw[0] != '{' {
		return false
	}
	ok, mime := true, false
	jsontree.Members(raw, func(name, v []byte) bool {
		ok = v[0] == '"'
		switch string(jsontree.Unquote(name)) {
		case "mimeType":
			mime = true
		case "data", "url":
		default:
			ok = false
		}
		return ok
	})
	return ok && mime
}

func isMetadata(raw []byte) bool { return raw[0] == '"' || raw[0] == '{' }

var (
	captureShape    = shape{"mode": isString, "gesture": isString, "intent": isString}
	privacyShape    = shape{"redacted": isBool, "consent": isString, "omitted": isStrings}
	provenanceShape = shape{"producer": isString, "method": isString}
	valueShape      = shape{"text": isString, "role": isString, "label": isString, "selector": isString,
		"bounds": isBounds, "metadata": isMetadata, "screenshot": isScreenshot}
)

// appendStrict appends the members of an object that a shape allows, as they
// came, to an object of which the brace was written; refused is called with the
// name of each other.
func appendStrict(dst, object []byte, sh shape, refused func(name, v []byte)) []byte {
	jsontree.Members(object, func(name, v []byte) bool {
		ok := sh[string(jsontree.Unquote(name))]
		if ok != nil && jsontree.KindOf(v) == jsontree.Null {
			return true // absent
		}
		if ok == nil || !ok(v) {
			refused(name, v)
			return true
		}
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		}
		dst = append(append(dst, name...), ':')
		dst = jsontree.AppendCompact(dst, v)
		return true
	})
	return dst
}

// dropped tells of a member that the strict reading does not allow.
func (w *Encoder) dropped(name, v []byte) {
	w.c.AddArgs(diag.MemberDropped, w.s.Elements[w.s.Root].At, w.s.Make(name, true), model.Span{})
}

// appendStrictEntries appends the entries of a list of target-shaped values as the
// strict reading allows them; secure ones are withheld. The name is the list's.
func (w *Encoder) appendStrictEntries(dst []byte, name string, list []byte) []byte {
	jsontree.Entries(list, func(e []byte) bool {
		if e[0] != '{' {
			w.dropped([]byte(`"`+name+`"`), e)
			return true
		}
		if !w.KeepSecure && isSecureValue(e, &w.words) {
			bare, less := appendBare(nil, e)
			if less {
				w.c.AddArgs(diag.SecureWithheld, w.s.Elements[w.s.Root].At, w.s.Make([]byte("an entry of "+name), false), model.Span{})
			}
			e, w.s.Secure = bare, true
		}
		if dst[len(dst)-1] != '[' {
			dst = append(dst, ',')
		}
		dst = append(dst, '{')
		dst = append(appendStrict(dst, e, valueShape, w.dropped), '}')
		return true
	})
	return dst
}

// appendCapture appends the capture that was kept, with a mode.
func (w *Encoder) appendCapture(dst []byte) []byte {
	dst = append(dst, '{')
	assumed := jsontree.KindOf(jsontree.Member(w.facts.capture, "mode")) != jsontree.String
	if assumed {
		dst = append(appendName(dst, "mode"), `"custom"`...)
	}
	if w.facts.capture != nil {
		dst = appendStrict(dst, w.facts.capture, captureShape, w.dropped)
	}
	if assumed {
		w.c.Add(diag.CaptureAssumed, 0)
	}
	return append(dst, '}')
}

// appendPrivacy appends the privacy that was kept, or one that is given or
// assumed. It never says less than it did: redacted stays true, and what is not
// said counts as redacted and as no consent.
func (w *Encoder) appendPrivacy(dst []byte) []byte {
	secure := w.s.Secure && !w.KeepSecure
	kept := w.facts.privacy
	if kept == nil {
		consent := w.Consent
		if consent == "" {
			consent = "none"
		}
		if w.Consent == "" {
			w.c.Add(diag.ConsentAssumed, 0)
		}
		dst = append(dst, `{"redacted":`...)
		if w.Redacted || secure {
			dst = append(dst, "true"...)
		} else {
			dst = append(dst, "false"...)
		}
		dst = append(dst, `,"consent":`...)
		dst = jsontree.AppendQuoted(dst, []byte(consent))
		if secure {
			dst = append(dst, `,"omitted":["secure-text"]`...)
		}
		return append(dst, '}')
	}
	if omitted := jsontree.Member(kept, "omitted"); omitted != nil && !isStrings(omitted) {
		kept = w.mendOmitted(kept, omitted)
	}
	if secure {
		kept = markSecure(nil, kept)
	}
	dst = append(dst, '{')
	redacted := jsontree.KindOf(jsontree.Member(kept, "redacted")) == jsontree.Bool
	if !redacted {
		dst = append(appendName(dst, "redacted"), "true"...)
	}
	dst = appendStrict(dst, kept, privacyShape, w.dropped)
	if !redacted {
		w.c.Add(diag.ConsentAssumed, 0)
	}
	if jsontree.KindOf(jsontree.Member(kept, "consent")) != jsontree.String {
		dst = append(appendName(dst, "consent"), `"none"`...)
		w.c.Add(diag.ConsentAssumed, 0)
	}
	return append(dst, '}')
}

// mendOmitted makes omitted a list of strings: of another list, its strings; of
// a string, that.
func (w *Encoder) mendOmitted(privacy, omitted []byte) []byte {
	list := []byte{'['}
	put := func(e []byte) {
		if len(list) > 1 {
			list = append(list, ',')
		}
		list = append(list, e...)
	}
	switch omitted[0] {
	case '"':
		put(omitted)
	case '[':
		jsontree.Entries(omitted, func(e []byte) bool {
			if e[0] == '"' {
				put(e)
			} else {
				w.dropped([]byte(`"omitted"`), e)
			}
			return true
		})
	default:
		return privacy // no list at all: the strict reading drops it
	}
	return set(jsontree.AppendCompact(nil, privacy), "omitted", string(append(list, ']')))
}

// appendProvenance appends the provenance that was kept, or one that is given or
// assumed.
func (w *Encoder) appendProvenance(dst []byte) []byte {
	producer, method := w.Producer, w.Method
	if producer == "" {
		producer = "ctxmigrate"
	}
	if method == "" {
		method = "app"
	}
	kept, assumed := w.facts.provenance, false
	dst = append(dst, '{')
	if jsontree.KindOf(jsontree.Member(kept, "producer")) != jsontree.String {
		dst, assumed = jsontree.AppendQuoted(appendName(dst, "producer"), []byte(producer)), true
	}
	if kept != nil {
		dst = appendStrict(dst, kept, provenanceShape, w.dropped)
	}
	if jsontree.KindOf(jsontree.Member(kept, "method")) != jsontree.String {
		dst, assumed = jsontree.AppendQuoted(appendName(dst, "method"), []byte(method)), true
	}
	if assumed {
		w.c.Add(diag.ProvenanceAssumed, 0)
	}
	return append(dst, '}')
}
