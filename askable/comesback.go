package askable

import (
	"bytes"

	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
)

// ComesBack reports whether it is certain that the packet that was read last, of
// which nothing was told but of unknown words, is put back from the tree that it
// became just as it was, but for the order of what is no opaque value. It is certain of
// packets that strict readers take, with nothing in them that is secure, a picture,
// or listed as visible twice.
func (d *Decoder) ComesBack() bool {
	s := d.S
	raw := s.RawOrNil
	if d.Quiet || s.Secure || d.secureEntries || string(raw(d.Protocol)) != `"askable.context"` || string(raw(d.Version)) != `"0.1"` ||
		d.source.timestamp.IsZero() || d.documentFound && !d.spelledAlike() {
		return false
	}
	if !has(raw(d.capture), captureShape, "mode") || !has(raw(d.privacy), privacyShape, "redacted", "consent") ||
		!has(raw(d.provenance), provenanceShape, "producer", "method") || !onlyValues(raw(d.history)) || !onlyValues(raw(d.sources)) {
		return false
	}
	if d.hasTarget && !d.comesBack(&d.target) {
		return false
	}
	for _, list := range [][]value{d.ancestors, d.nearby, d.visible} {
		for i := range list {
			if !d.comesBack(&list[i]) {
				return false
			}
		}
	}
	return true
}

// comesBack is ComesBack for one value.
func (d *Decoder) comesBack(v *value) bool {
	return v.elem != model.None && !v.secure && v.shot.IsZero() && (v.bounds.IsZero() || isBounds(d.S.Raw(v.bounds)))
}

// spelledAlike reports whether the Document that was found spells title, url and
// route as the source does.
func (d *Decoder) spelledAlike() bool {
	s, e := d.S, &d.S.Elements[d.document]
	route, _ := s.Attribute(d.document, "route")
	same := func(a, b model.Span) bool { return bytes.Equal(s.RawOrNil(a), s.RawOrNil(b)) }
	return same(e.Title, d.source.title) && same(e.URL, d.source.url) && same(route, d.source.route)
}

// has reports whether an object has the members named, and only members that a
// shape allows.
func has(object []byte, sh shape, names ...string) bool {
	ok, found := object != nil, 0
	if ok {
		jsontree.Members(object, func(name, v []byte) bool {
			word := string(jsontree.Unquote(name))
			fits := sh[word]
			ok = fits != nil && fits(v)
			for _, n := range names {
				if n == word {
					found++
				}
			}
			return ok
		})
	}
	return ok && found == len(names)
}

// onlyValues reports whether a list has only target-shaped values as strict readers
// take them; absent it has none.
func onlyValues(list []byte) bool {
	ok := true
	if list != nil {
		jsontree.Entries(list, func(e []byte) bool {
			ok = has(e, valueShape)
			return ok
		})
	}
	return ok
}
