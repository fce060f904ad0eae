package askable

import (
	"bytes"

	"github.com/tidwall/sjson"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
)

// secureWords asks whether words are secure, and remembers what was answered of
// late.
type secureWords struct {
	words model.Words
	memo  model.Memo[bool]
	ask   func(word []byte) bool
}

// use makes the words that are asked for those of a vocabulary.
func (w *secureWords) use(words model.Words) {
	if w.ask == nil || !words.Same(w.words) {
		w.memo.Forget()
		w.words, w.ask = words, words.Secure
	}
}

func (w *secureWords) secure(word []byte) bool { return w.memo.Of(word, w.ask) }

// markSecure appends a privacy object that says that secure text was withheld:
// redacted is true and omitted lists secure-text. Its other members stay.
func markSecure(dst, privacy []byte) []byte {
	out := jsontree.AppendCompact(nil, privacy)
	if jsontree.Member(out, "redacted") == nil {
		rest := out[1:]
		with := []byte(`{"redacted":true`)
		if rest[0] != '}' {
			with = append(with, ',')
		}
		out = append(with, rest...)
	} else {
		out = set(out, "redacted", "true")
	}
	omitted := jsontree.Member(out, "omitted")
	switch jsontree.KindOf(omitted) {
	case jsontree.Array:
		listed := false
		jsontree.Entries(omitted, func(e []byte) bool {
			listed = listed || jsontree.EqualText(e, "secure-text")
			return !listed
		})
		if !listed {
			list := append([]byte(nil), omitted[:len(omitted)-1]...)
			if len(list) > 1 {
				list = append(list, ',')
			}
			out = set(out, "omitted", string(append(list, `"secure-text"]`...)))
		}
	case jsontree.String:
		out = set(out, "omitted", "["+string(omitted)+`,"secure-text"]`)
	default:
		out = set(out, "omitted", `["secure-text"]`)
	}
	return append(dst, out...)
}

// set is a point edit at a fixed name. The object was passed by our own reader,
// so the name is there once at most; one that is spelled with an escape is
// written anew in its plain spelling.
func set(object []byte, name, value string) []byte {
	if v, err := sjson.SetRawBytes(object, name, []byte(value)); err == nil {
		return v
	}
	return object
}

// withholdEntries appends a list of target-shaped values with what is secure in
// it withheld. Told is called with the offset of each entry of which something
// went; any is set where an entry is secure.
func withholdEntries(dst, list []byte, words *secureWords, told func(at int), any *bool) (out []byte, changed bool) {
	dst = append(dst, '[')
	n := 0
	jsontree.Entries(list, func(e []byte) bool {
		if n++; n > 1 {
			dst = append(dst, ',')
		}
		var secure, less bool
		dst, secure, less = appendWithheld(dst, e, words)
		*any = *any || secure
		if less {
			changed = true
			told(cap(list) - cap(e))
		}
		return true
	})
	return append(dst, ']'), changed
}

// appendWithheld appends a target-shaped value, or, where it is secure, what of
// it may be passed on. Less tells whether something went.
func appendWithheld(dst, raw []byte, words *secureWords) (out []byte, secure, less bool) {
	if !isSecureValue(raw, words) {
		return jsontree.AppendCompact(dst, raw), false, false
	}
	out, less = appendBare(dst, raw)
	return out, true, less
}

// isSecureValue reports whether the role of a target-shaped value, or the role or
// subrole of an element in its metadata, is a secure word.
func isSecureValue(raw []byte, words *secureWords) bool {
	secure := false
	if jsontree.KindOf(raw) != jsontree.Object {
		return false
	}
	jsontree.Members(raw, func(name, v []byte) bool {
		switch {
		case v[0] == '"':
			secure = jsontree.EqualText(name, "role") && words.secure(jsontree.Unquote(v))
		case v[0] == '{':
			secure = jsontree.EqualText(name, "metadata") && secureElement(v, words)
		}
		return !secure
	})
	return secure
}

// appendBare appends what may be passed on of a value that is secure: its role and
// label, or the bare element where it was written as one. Less tells whether
// something went.
func appendBare(dst, raw []byte) (out []byte, less bool) {
	if bare, more := bareElement(raw); bare != nil {
		if !more {
			return jsontree.AppendCompact(dst, raw), false
		}
		return append(dst, bare...), true
	}
	dst = append(dst, '{')
	first := true
	jsontree.Members(raw, func(name, v []byte) bool {
		if v[0] != '"' || !jsontree.EqualText(name, "role") && !jsontree.EqualText(name, "label") {
			less = true
			return true
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(append(append(dst, name...), ':'), v...)
		return true
	})
	return append(dst, '}'), less
}

// bareElement is a value that is an element written as one, with nothing of it
// but its id, role, subrole, title and states; nil where it is no such value.
// More tells whether it had more.
func bareElement(raw []byte) (bare []byte, more bool) {
	said := true
	jsontree.Members(raw, func(name, m []byte) bool {
		said = m[0] == '"' || jsontree.EqualText(name, "metadata")
		return said
	})
	if !said {
		return nil, false
	}
	var d Decoder
	var s model.Snapshot
	var c diag.Collector
	d.Begin(raw, &s, &c, len(raw)) // which nests no deeper
	d.words.use(model.Words{})     // the value is secure, whatever they say
	d.watchAll()
	var v value
	if d.value(&v, ofNearby); !v.restored {
		return nil, false
	}
	more = v.bare()
	return appendRestored(nil, &s, &v), more
}

// AppendWithheld appends the packet that was read last as it may be passed on:
// without what is withheld, and otherwise as it was, without white space between
// tokens.
func (d *Decoder) AppendWithheld(dst []byte) []byte {
	s := d.S
	packet := s.Src[bytes.IndexByte(s.Src, '{'):]
	if !d.secureValues {
		return jsontree.AppendCompact(dst, packet)
	}
	dst = append(dst, '{')
	put := func(name []byte) {
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		}
		dst = append(append(dst, name...), ':')
	}
	jsontree.Members(packet, func(name, v []byte) bool {
		word := string(jsontree.Unquote(name))
		object := jsontree.KindOf(v) == jsontree.Object
		switch {
		case word == "target" && object && d.target.gone:
			return true
		case word == "target" && object:
			put(name)
			dst = s.AppendRaw(dst, d.target.whole)
		case word == "surrounding" && object:
			put(name)
			dst = d.appendSurroundingWithheld(dst, v)
		case word == "privacy" && object:
			put(name)
			dst = markSecure(dst, v)
		default:
			put(name)
			dst = jsontree.AppendCompact(dst, v)
		}
		return true
	})
	return append(dst, '}')
}

func (d *Decoder) appendSurroundingWithheld(dst, surrounding []byte) []byte {
	dst = append(dst, '{')
	first := true
	list := func(values []value) {
		dst = append(dst, '[')
		n := 0
		for i := range values {
			if values[i].gone {
				continue
			}
			if n++; n > 1 {
				dst = append(dst, ',')
			}
			dst = d.S.AppendRaw(dst, values[i].whole)
		}
		dst = append(dst, ']')
	}
	jsontree.Members(surrounding, func(name, v []byte) bool {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(append(dst, name...), ':')
		word := string(jsontree.Unquote(name))
		array := jsontree.KindOf(v) == jsontree.Array
		switch {
		case word == "ancestors" && array:
			list(d.ancestors)
		case word == "nearby" && array:
			list(d.nearby)
		case word == "visible" && array:
			list(d.visible)
		case word == "history" && !d.history.IsZero():
			dst = d.S.AppendRaw(dst, d.history)
		case word == "sources" && !d.sources.IsZero():
			dst = d.S.AppendRaw(dst, d.sources)
		default:
			dst = jsontree.AppendCompact(dst, v)
		}
		return true
	})
	return append(dst, '}')
}
