package askable

import (
	"bytes"
	"slices"
	"strconv"

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
	i := s.Add(0)
	s.Link(s.Root, i)
	e := &s.Elements[i]
	e.Role, e.Title, e.URL = model.Document, src.title, src.url
	d.names[i] = "page"
	if !src.route.IsZero() {
		s.Compose(i)
		s.AddMember(i, model.Member{Name: s.MakeString("route"), Value: src.route, At: src.route.Off})
	}
	d.document, d.base = i, i
}

// isDocument reports whether a value is a Document of the title, url and route
// that the source has.
func (d *Decoder) isDocument(v *value) bool {
	if v.secure {
		return false
	}
	s, src := d.S, &d.source
	var url, route model.Span
	if v.restored {
		if model.ParseRole(s.Text(v.element.role)) != model.Document {
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
		d.add(v, at, "ancestor-"+strconv.Itoa(i+1))
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
	want := appendFolded(nil, d.S.Text(d.target.text))
	if len(want) == 0 {
		return d.base
	}
	var text []byte
	for i := len(d.ancestors) - 1; i >= 0; i-- {
		v := &d.ancestors[i]
		if v.gone || v.text.IsZero() {
			continue
		}
		if text = appendFolded(text[:0], d.S.Text(v.text)); bytes.Contains(text, want) {
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
	placed := map[jsontree.Digest][]*value{}
	put := func(v *value) {
		if v.elem != model.None {
			g := jsontree.DigestOf(s.Raw(v.whole), false)
			placed[g] = append(placed[g], v)
		}
	}
	for i := range d.ancestors {
		put(&d.ancestors[i])
	}
	if d.hasTarget {
		put(&d.target)
	}
	for i := range d.nearby {
		put(&d.nearby[i])
	}
	n := 0
	seen := map[int32]bool{}
	last, moved := model.None, uint32(0)
	for i := range d.visible {
		v := &d.visible[i]
		same := model.None
		for _, o := range placed[jsontree.DigestOf(s.Raw(v.whole), false)] {
			if !o.restored || o.element.visible == model.Shown {
				same = o.elem
				break
			}
		}
		if same == model.None {
			n++
			d.add(v, d.base, "visible-"+strconv.Itoa(n))
			same = v.elem
			put(v)
		}
		s.Elements[same].Visible = model.Shown
		if seen[same] {
			d.C.Add(diag.VisibleMerged, v.at)
			continue
		}
		seen[same] = true
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

// tellsPlaces reports whether the root tells the places of the elements: where
// something was restored, or the Document is an ancestor or the target.
func (d *Decoder) tellsPlaces() bool {
	placed := func(v value) bool { return v.restored && v.elem != model.None }
	return d.documentFound || d.hasTarget && placed(d.target) || slices.ContainsFunc(d.ancestors, placed) ||
		slices.ContainsFunc(d.nearby, placed) || slices.ContainsFunc(d.visible, placed)
}

// rootAttributes gives the root what is no element: the facts of the packet, and
// the members that are not known.
func (d *Decoder) rootAttributes() {
	s := d.S
	b := append(d.text[:0], '{')
	put := func(name string, raw []byte) {
		if len(raw) == 0 {
			return
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), name...), `":`...)
		b = jsontree.AppendCompact(b, raw)
	}
	raw := func(v model.Span) []byte {
		if v.IsZero() {
			return nil
		}
		return s.Raw(v)
	}
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
	put("places", d.places())
	d.text = append(b, '}')
	facts := s.Make(d.text, false)
	s.Compose(s.Root)
	s.AddMember(s.Root, model.Member{Name: s.MakeString("askable"), Value: facts})
	d.Extra = append(append(d.Extra, d.ofSource...), d.ofSurrounding...)
	d.Join(0, s.Root, wire.IsState)
}

// places tells where the elements of the packet are, where their ids do not tell.
func (d *Decoder) places() []byte {
	s := d.S
	if !d.tellsPlaces() {
		return nil
	}
	var restored []int32
	each := func(v *value) {
		if v.elem != model.None && v.restored {
			restored = append(restored, v.elem)
		}
	}
	var ancestors, nearby []int32
	for i := range d.ancestors {
		if v := &d.ancestors[i]; v.elem != model.None {
			ancestors = append(ancestors, v.elem)
			each(v)
		}
	}
	if d.hasTarget {
		each(&d.target)
	}
	for i := range d.nearby {
		if v := &d.nearby[i]; v.elem != model.None {
			nearby = append(nearby, v.elem)
			each(v)
		}
	}
	for i := range d.visible {
		each(&d.visible[i])
	}
	b := []byte{'{'}
	name := func(n string) {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(b, '"')
		b = append(b, n...)
		b = append(b, `":`...)
	}
	one := func(n string, i int32) {
		if i != model.None {
			name(n)
			b = append(b, s.Raw(s.Elements[i].ID)...)
		}
	}
	list := func(n string, l []int32) {
		if len(l) == 0 {
			return
		}
		name(n)
		for k, i := range l {
			b = append(b, "[,"[min(k, 1)])
			b = append(b, s.Raw(s.Elements[i].ID)...)
		}
		b = append(b, ']')
	}
	one("document", d.document)
	list("ancestors", ancestors)
	if d.hasTarget {
		one("target", d.target.elem)
	}
	list("nearby", nearby)
	list("visible", d.marked)
	list("restored", restored)
	return append(b, '}')
}
