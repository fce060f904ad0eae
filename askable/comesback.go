package askable

import (
	"bytes"
	"slices"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
)

// ComesBack reports whether it is certain that the packet that was read last, of
// which nothing was told but of unknown words and a changed order, is put back from the
// tree that it became just as it was, but for the order of members that are no opaque
// value, and of what is visible where that was told: see AppendVisible. It is certain
// of packets that strict readers take, with nothing in them that is secure, a picture,
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
	if len(d.marked) != len(d.visible) {
		return false
	}
	for i := range d.visible {
		if !bytes.Equal(raw(d.visible[i].whole), raw(d.made[d.marked[i]].whole)) {
			return false
		}
	}
	return true
}

// VisibleOrder is, for each entry of what the packet lists as visible, which entry
// it will be when it is put back. It is for packets that come back.
func (d *Decoder) VisibleOrder() []int {
	sorted := slices.Sorted(slices.Values(d.marked))
	order := make([]int, len(sorted))
	for k, i := range d.marked {
		order[k], _ = slices.BinarySearch(sorted, i)
	}
	return order
}

// AppendVisible appends the list of what is visible as w will put it back. It is for
// packets that come back and have such a list in another order.
func (d *Decoder) AppendVisible(dst []byte, w *Encoder) []byte {
	var told diag.Collector // of nothing: all of them come back
	w.s, w.c = d.S, &told
	w.words.use(w.Words)
	dst = append(dst, '[')
	for k, i := range slices.Sorted(slices.Values(d.marked)) {
		if k > 0 {
			dst = append(dst, ',')
		}
		role := model.Group
		if d.hasTarget && i == d.target.elem && jsontree.EqualText(d.S.RawOrNil(d.mode), "text-selection") {
			role = model.Text
		}
		dst, _ = w.appendPlain(dst, i, role)
	}
	return append(dst, ']')
}

// comesBack is ComesBack for one value.
func (d *Decoder) comesBack(v *value) bool {
	return !v.gone && !v.secure && v.shot.IsZero() && (v.bounds.IsZero() || isBounds(d.S.Raw(v.bounds)))
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
