package askable

import (
	"bytes"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
	"ctxmigrate/translate/wire"
)

// placeDocument finds the Document that the page is: the outermost ancestor that
// is one of that title, url and route, or the restored target, or one made up;
// where the source names no page it is the root.
func (d *Decoder) placeDocument() {
	s, src := d.S, &d.source
	d.document, d.base = model.None, s.Root
	if src.url.IsZero() && src.title.IsZero() && src.route.IsZero() {
		return
	}
	for i := range d.ancestors {
		if v := &d.ancestors[i]; !v.gone && d.isDocument(v) {
			d.documentFound, d.page = true, i
			return
		}
	}
	if d.hasTarget && !d.target.gone && d.target.restored && d.isDocument(&d.target) {
		d.documentFound = true
		return
	}
	i := d.make(0, made{name: "page"})
	s.Link(s.Root, i)
	e := &s.Elements[i]
	e.Role, e.Title, e.URL = model.Document, src.title, src.url
	if !src.route.IsZero() {
		s.Compose(i)
		s.AddMember(i, model.Member{Name: s.MakeString("route"), Value: src.route, At: src.route.Off})
	}
	d.document, d.base = i, i
}

// isDocument reports whether a value is a Document of the title, url and route
// that the source has.
func (d *Decoder) isDocument(v *value) bool {
	// One that was secure by its metadata alone is that no longer where these were
	// withheld, and will not be that when it comes back.
	if v.secure && (d.opts.KeepSecure || v.restored || d.isSecure(v.role)) {
		return false
	}
	s, src := d.S, &d.source
	var url, route model.Span
	if v.restored {
		if v.element.known != model.Document {
			return false
		}
		url = v.element.url
		route, _ = s.Field(v.element.attributes, "route")
	} else {
		if v.role.IsZero() || roleOf(s.Text(v.role)) != model.Document {
			return false
		}
		for _, m := range v.extras {
			if jsontree.EqualText(s.Raw(m.Name), "route") {
				route = m.Value
			}
		}
	}
	return d.equal(v.label, src.title) && d.equal(url, src.url) && d.equal(route, src.route)
}

// equal reports whether two strings say the same, or are both absent.
func (d *Decoder) equal(a, b model.Span) bool {
	if a.IsZero() || b.IsZero() {
		return a.IsZero() && b.IsZero()
	}
	return jsontree.EqualStrings(d.S.Raw(a), d.S.Raw(b))
}

// chain makes the ancestors elements, each in the one before it, and answers
// where the target stands by the ordinary rule.
func (d *Decoder) chain() int32 {
	at := d.base
	for i := range d.ancestors {
		v := &d.ancestors[i]
		if v.gone {
			break
		}
		d.add(v, at, made{name: "ancestor-", number: i + 1})
		at = v.elem
		if d.documentFound && i == d.page {
			d.document, d.base = v.elem, v.elem
		}
	}
	return at
}

// selectedIn is where a selected target goes: under the deepest ancestor whose
// text has the target's text in it, else under the Document.
func (d *Decoder) selectedIn() int32 {
	if !d.hasTarget || d.target.text.IsZero() {
		return d.base
	}
	d.want = appendFolded(d.want[:0], d.S.Text(d.target.text))
	if len(d.want) == 0 {
		return d.base
	}
	for i := len(d.ancestors) - 1; i >= 0; i-- {
		v := &d.ancestors[i]
		if v.gone || v.text.IsZero() {
			continue
		}
		if d.text = appendFolded(d.text[:0], d.S.Text(v.text)); bytes.Contains(d.text, d.want) {
			return v.elem
		}
	}
	return d.base
}

// appendFolded appends text with each run of white space as one space, and none
// at the ends.
func appendFolded(dst, text []byte) []byte {
	for len(text) > 0 {
		var token []byte
		if token, text = model.NextToken(text); len(token) == 0 {
			break
		}
		if len(dst) > 0 {
			dst = append(dst, ' ')
		}
		dst = append(dst, token...)
	}
	return dst
}

// placeVisible marks the elements that are listed as visible, and makes the
// others children of the Document.
func (d *Decoder) placeVisible() {
	if len(d.visible) == 0 {
		return
	}
	s := d.S
	d.equals = emptied(d.equals) // the first element of each value, of those that may be listed as visible
	put := func(v *value, g jsontree.Digest) {
		if _, has := d.equals[g]; !has && v.elem != model.None && (!v.restored || v.element.visible == model.Shown) {
			d.equals[g] = v.elem
		}
	}
	whole := func(v *value) jsontree.Digest { return jsontree.DigestOf(s.Raw(v.whole), false) }
	for i := range d.ancestors {
		put(&d.ancestors[i], whole(&d.ancestors[i]))
	}
	if d.hasTarget {
		put(&d.target, whole(&d.target))
	}
	for i := range d.nearby {
		put(&d.nearby[i], whole(&d.nearby[i]))
	}
	n := 0
	last, moved := model.None, uint32(0)
	for i := range d.visible {
		v := &d.visible[i]
		g := whole(v)
		same, has := d.equals[g]
		if !has {
			n++
			d.add(v, d.base, made{name: "visible-", number: n})
			same = v.elem
			put(v, g)
		}
		s.Elements[same].Visible = model.Shown
		if d.made[same].listed {
			d.C.Add(diag.VisibleMerged, v.at)
			continue
		}
		d.made[same].listed = true
		d.marked = append(d.marked, same)
		if same < last && moved == 0 {
			moved = v.at
		}
		last = max(last, same)
	}
	// Elements are added in the order in which the entries are put back where no
	// places are told.
	if moved > 0 && !d.tellsPlaces() {
		d.C.Add(diag.OrderChanged, moved)
	}
}

// emptied is a map without entries: the same one, unless it is so large that
// emptying it would cost each small packet after a large one more than a new map.
func emptied(m map[jsontree.Digest]int32) map[jsontree.Digest]int32 {
	const large = 1000
	if m == nil || len(m) > large {
		return map[jsontree.Digest]int32{}
	}
	clear(m)
	return m
}

// tellsPlaces reports whether the root tells the places of the elements: where
// something was restored, or the Document is an ancestor or the target.
func (d *Decoder) tellsPlaces() bool { return d.documentFound || len(d.restored) > 0 }

// rootAttributes gives the root what is no element: the facts of the packet, and
// the members that are not known.
func (d *Decoder) rootAttributes() {
	s := d.S
	from := len(s.Made)
	b := append(s.Made, '{')
	put := func(name string, raw []byte) {
		if len(raw) > 0 {
			b = jsontree.AppendCompact(appendName(b, name), raw)
		}
	}
	raw := s.RawOrNil
	privacy := raw(d.privacy)
	if privacy != nil && d.secureValues {
		privacy = markSecure(nil, privacy)
	}
	put("timestamp", raw(d.source.timestamp))
	put("capture", raw(d.capture))
	put("privacy", privacy)
	put("provenance", raw(d.provenance))
	put("history", raw(d.history))
	put("sources", raw(d.sources))
	if d.tellsPlaces() {
		b = d.appendPlaces(appendName(b, "places"))
	}
	s.Made = append(b, '}')
	facts := s.MadeSince(from, false)
	s.Compose(s.Root)
	s.AddMember(s.Root, model.Member{Name: s.MakeString("askable"), Value: facts})
	d.Extra = append(append(d.Extra, d.ofSource...), d.ofSurrounding...)
	d.Join(0, s.Root, wire.IsState)
}

// appendName appends the name of a member to an object, with the comma that it
// needs.
func appendName(dst []byte, name string) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	return append(append(append(dst, '"'), name...), `":`...)
}

// appendPlaces appends an object that tells where the elements of the packet are,
// where their ids do not tell.
func (d *Decoder) appendPlaces(b []byte) []byte {
	s := d.S
	one := func(name string, i int32) {
		if i != model.None {
			b = append(appendName(b, name), s.Raw(s.Elements[i].ID)...)
		}
	}
	list := func(name string, n int, elem func(k int) int32) {
		from := len(b)
		b = append(appendName(b, name), '[')
		at := len(b)
		for k := range n {
			if i := elem(k); i != model.None {
				b = append(append(b, s.Raw(s.Elements[i].ID)...), ',')
			}
		}
		if len(b) == at {
			b = b[:from]
		} else {
			b[len(b)-1] = ']'
		}
	}
	b = append(b, '{')
	one("document", d.document)
	list("ancestors", len(d.ancestors), func(k int) int32 { return d.ancestors[k].elem })
	if d.hasTarget {
		one("target", d.target.elem)
	}
	list("nearby", len(d.nearby), func(k int) int32 { return d.nearby[k].elem })
	list("visible", len(d.marked), func(k int) int32 { return d.marked[k] })
	list("restored", len(d.restored), func(k int) int32 { return d.restored[k] })
	return append(b, '}')
}
