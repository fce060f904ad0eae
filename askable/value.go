package askable

import (
	"bytes"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
	"ctxmigrate/translate/wire"
)

// value is a target-shaped value: the target, or an entry of surrounding.
type value struct {
	at                          uint32
	whole                       model.Span
	text, role, label, selector model.Span // raw strings
	bounds, shot                model.Span // raw objects
	metadata                    model.Span // a raw object or string
	extras                      []model.Member
	secure                      bool
	gone                        bool  // it stands below a secure ancestor
	elem                        int32 // the element that it became
	restored                    bool
	element                     parts // where it is restored
}

// parts are what metadata says of an element that is restored.
type parts struct {
	id, role, subrole, url, content, attributes model.Span
	selected, focused, hovered                  bool
	visible                                     model.Visible
}

// place is where in a packet a value stands.
type place uint8

const (
	ofTarget place = iota
	ofAncestor
	ofNearby
	ofVisible
)

// value reads the target-shaped value that comes next.
func (d *Decoder) value(p place) (v value) {
	from := d.R.Pos()
	v.at, v.elem = uint32(from), model.None
	first := len(d.Extra)
	d.R.Enter()
	for d.R.Next() {
		switch string(d.R.Key()) {
		case "text":
			d.String(&v.text)
		case "role":
			d.String(&v.role)
		case "label":
			d.String(&v.label)
		case "selector":
			d.String(&v.selector)
		case "bounds":
			d.object(&v.bounds)
		case "screenshot":
			d.object(&v.shot)
		case "metadata":
			if d.R.Kind() == jsontree.String {
				v.metadata = d.R.Skip()
			} else {
				d.object(&v.metadata)
			}
		default:
			d.Unknown()
		}
	}
	if d.R.Err() != nil {
		return v
	}
	v.whole = jsontree.MakeSpan(from, d.R.Pos()-from, true)
	if len(d.Extra) > first {
		v.extras = append([]model.Member(nil), d.Extra[first:]...)
		d.Extra = d.Extra[:first]
	}
	v.restored = d.restorable(&v, p)
	v.secure = d.isSecure(&v)
	return v
}

// object reads a member that is to be an object.
func (d *Decoder) object(to *model.Span) {
	if d.R.Kind() == jsontree.Object {
		*to = d.R.Skip()
		return
	}
	d.Wrong()
}

// isSecure reports whether the role of a value, or the role or subrole of an
// element in its metadata, is a secure word.
func (d *Decoder) isSecure(v *value) bool {
	s, words := d.S, d.opts.Words
	if !v.role.IsZero() && words.Secure(s.Text(v.role)) {
		return true
	}
	if v.restored {
		return words.Secure(s.Text(v.element.role)) || !v.element.subrole.IsZero() && words.Secure(s.Text(v.element.subrole))
	}
	return !v.metadata.IsZero() && secureElement(s.Raw(v.metadata), words)
}

// secureElement reports whether metadata holds an element of a secure role or
// subrole.
func secureElement(metadata []byte, words model.Words) bool {
	element := jsontree.Member(metadata, "element")
	for _, name := range []string{"role", "subrole"} {
		if word := jsontree.Member(element, name); jsontree.KindOf(word) == jsontree.String && words.Secure(jsontree.Unquote(word)) {
			return true
		}
	}
	return false
}

// restorable reports whether a value is an element that was written as one:
// its metadata has the one member element, and writing that element gives just
// this value. What the element says is left in v.element.
func (d *Decoder) restorable(v *value, p place) bool {
	s := d.S
	if v.metadata.IsZero() || len(v.extras) > 0 || !v.bounds.IsZero() || !v.shot.IsZero() || v.selector.IsZero() || v.role.IsZero() {
		return false
	}
	raw := s.Raw(v.metadata)
	if raw[0] != '{' {
		return false
	}
	n := 0
	var element model.Span
	for _, m := range s.AppendMembers(nil, v.metadata) {
		if n++; jsontree.EqualText(s.Raw(m.Name), "element") {
			element = m.Value
		}
	}
	if n != 1 || element.IsZero() || s.Raw(element)[0] != '{' {
		return false
	}
	e, ok := d.parts(element)
	if !ok || !bytes.Equal(s.Raw(e.id), s.Raw(v.selector)) ||
		e.focused && p != ofTarget && p != ofAncestor || e.visible != model.Shown && p == ofVisible {
		return false
	}
	role := s.Raw(v.role)
	if r := model.ParseRole(s.Text(e.role)); r != model.Unknown {
		ok = string(jsontree.Inner(role)) == ariaWords[r] && !e.role.Marked()
	} else {
		ok = bytes.Equal(role, s.Raw(e.role))
	}
	if !ok {
		return false
	}
	v.element = e
	d.text = append(d.text[:0], `{"element":`...)
	d.text = append(e.append(d.text, s), '}')
	d.text = append(d.text, '\n')
	n = len(d.text)
	d.text = s.AppendRaw(d.text, v.metadata)
	return bytes.Equal(d.text[:n-1], d.text[n:])
}

// append appends the element as 6.2 writes it into metadata.
func (e *parts) append(dst []byte, s *model.Snapshot) []byte {
	put := func(name string, v model.Span) {
		if !v.IsZero() {
			dst = append(append(append(dst, ','), name...), ':')
			dst = s.AppendRaw(dst, v)
		}
	}
	dst = append(dst, `{"id":`...)
	dst = append(dst, s.Raw(e.id)...)
	put(`"role"`, e.role)
	put(`"subrole"`, e.subrole)
	put(`"url"`, e.url)
	dst = wire.AppendStates(dst, e.selected, e.focused, e.visible, e.hovered)
	put(`"content"`, e.content)
	put(`"attributes"`, e.attributes)
	return append(dst, '}')
}

// parts reads an element as 6.2 writes it; anything else about it is refused.
func (d *Decoder) parts(element model.Span) (e parts, ok bool) {
	s := d.S
	ok = true
	for _, m := range s.AppendMembers(nil, element) {
		raw := s.Raw(m.Value)
		kind := jsontree.KindOf(raw)
		truth := string(raw) == "true"
		switch string(s.Text(m.Name)) {
		case "id":
			e.id = m.Value
			ok = ok && kind == jsontree.String && len(raw) > 2
		case "role":
			e.role = m.Value
			ok = ok && kind == jsontree.String
		case "subrole":
			e.subrole = m.Value
			ok = ok && kind == jsontree.String
		case "url":
			e.url = m.Value
			ok = ok && kind == jsontree.String
		case "selected":
			e.selected = truth
			ok = ok && truth
		case "focused":
			e.focused = truth
			ok = ok && truth
		case "hovered":
			e.hovered = truth
			ok = ok && truth
		case "visible":
			e.visible = model.Hidden
			if truth {
				e.visible = model.Shown
			}
			ok = ok && kind == jsontree.Bool
		case "content":
			e.content = m.Value
			ok = ok && kind == jsontree.Array && onlyOther(raw)
		case "attributes":
			e.attributes = m.Value
			ok = ok && kind == jsontree.Object && d.plainAttributes(m.Value)
		default:
			ok = false
		}
	}
	return e, ok && !e.id.IsZero() && !e.role.IsZero()
}

// onlyOther reports whether content has blocks, and none of them text.
func onlyOther(content []byte) bool {
	n, text := 0, false
	jsontree.Entries(content, func(b []byte) bool {
		n++
		text = text || textOf(b) != nil
		return true
	})
	return n > 0 && !text
}

// plainAttributes reports whether attributes are there, with no states among
// them.
func (d *Decoder) plainAttributes(attributes model.Span) bool {
	list := d.S.AppendMembers(nil, attributes)
	for _, m := range list {
		if d.BoolState(m) {
			return false
		}
	}
	return len(list) > 0
}

// withhold leaves a secure value with its role and label, or, where it is an
// element restored, as 7.1 leaves that. It answers whether anything went.
func (d *Decoder) withhold(v *value) bool {
	s := d.S
	from := len(s.Made)
	if v.restored {
		more := v.bare()
		if more {
			s.Made = appendRestored(s.Made, s, v)
			v.whole = s.MadeSince(from, true)
		}
		return more
	}
	more := !v.text.IsZero() || !v.selector.IsZero() || !v.bounds.IsZero() || !v.metadata.IsZero() || !v.shot.IsZero() || len(v.extras) > 0
	if !more {
		return false
	}
	*v = value{at: v.at, role: v.role, label: v.label, secure: true, elem: model.None}
	s.Made = append(s.Made, '{')
	if !v.role.IsZero() {
		s.Made = append(s.Made, `"role":`...)
		s.Made = append(s.Made, s.Raw(v.role)...)
	}
	if !v.label.IsZero() {
		if !v.role.IsZero() {
			s.Made = append(s.Made, ',')
		}
		s.Made = append(s.Made, `"label":`...)
		s.Made = append(s.Made, s.Raw(v.label)...)
	}
	s.Made = append(s.Made, '}')
	v.whole = s.MadeSince(from, true)
	return true
}

// bare leaves a restored value with id, role, subrole, title and states, and
// answers whether it had more.
func (v *value) bare() (more bool) {
	e := &v.element
	more = !v.text.IsZero() || !e.url.IsZero() || !e.content.IsZero() || !e.attributes.IsZero()
	v.text, e.url, e.content, e.attributes = model.Span{}, model.Span{}, model.Span{}, model.Span{}
	return more
}

// appendRestored appends a restored value that was withheld.
func appendRestored(dst []byte, s *model.Snapshot, v *value) []byte {
	e := &v.element
	dst = append(dst, `{"role":`...)
	dst = append(dst, s.Raw(v.role)...)
	if !v.label.IsZero() {
		dst = append(dst, `,"label":`...)
		dst = append(dst, s.Raw(v.label)...)
	}
	dst = append(dst, `,"selector":`...)
	dst = append(dst, s.Raw(v.selector)...)
	dst = append(dst, `,"metadata":{"element":`...)
	return append(e.append(dst, s), '}', '}')
}

// screenshot reads a screenshot that can become content: its media type, and
// its data or its address. Any other stays whole in the attributes.
func (d *Decoder) screenshot(shot model.Span) (mime, data, url model.Span, ok bool) {
	s := d.S
	ok = true
	for _, m := range s.AppendMembers(nil, shot) {
		ok = ok && jsontree.KindOf(s.Raw(m.Value)) == jsontree.String
		switch string(s.Text(m.Name)) {
		case "mimeType":
			mime = m.Value
		case "data":
			data = m.Value
		case "url":
			url = m.Value
		default:
			ok = false
		}
	}
	return mime, data, url, ok && !mime.IsZero() && !(data.IsZero() && url.IsZero())
}

// content makes the content of a value: its text, then its screenshot.
func (d *Decoder) content(v *value) (content model.Span, shotKept bool) {
	s := d.S
	from := len(s.Made)
	if v.restored {
		return d.restoredContent(v), false
	}
	mime, data, url, ok := model.Span{}, model.Span{}, model.Span{}, false
	if !v.shot.IsZero() {
		mime, data, url, ok = d.screenshot(v.shot)
		shotKept = !ok
	}
	if v.text.IsZero() && !ok {
		return model.Span{}, shotKept
	}
	s.Made = append(s.Made, '[')
	if !v.text.IsZero() {
		s.Made = append(s.Made, `{"type":"text","text":`...)
		s.Made = append(s.Made, s.Raw(v.text)...)
		s.Made = append(s.Made, '}')
	}
	comma := func() {
		if s.Made[len(s.Made)-1] == '}' {
			s.Made = append(s.Made, ',')
		}
	}
	if ok && !data.IsZero() {
		comma()
		s.Made = append(s.Made, `{"type":"image","data":`...)
		raw := s.Raw(data)
		if k := bytes.IndexByte(raw, ','); bytes.HasPrefix(raw, []byte(`"data:`)) && k >= 0 {
			d.C.Add(diag.DataPrefix, data.Off)
			s.Made = append(s.Made, '"')
			raw = raw[k+1:]
		}
		s.Made = append(s.Made, raw...)
		s.Made = append(s.Made, `,"mimeType":`...)
		s.Made = append(s.Made, s.Raw(mime)...)
		s.Made = append(s.Made, '}')
	}
	if ok && !url.IsZero() {
		comma()
		s.Made = append(s.Made, `{"type":"resource_link","uri":`...)
		s.Made = append(s.Made, s.Raw(url)...)
		s.Made = append(s.Made, `,"name":"screenshot","mimeType":`...)
		s.Made = append(s.Made, s.Raw(mime)...)
		s.Made = append(s.Made, '}')
	}
	s.Made = append(s.Made, ']')
	return s.MadeSince(from, false), shotKept
}

// restoredContent is the text of a restored value as a block, before the blocks
// that its metadata kept.
func (d *Decoder) restoredContent(v *value) model.Span {
	s := d.S
	if v.text.IsZero() {
		return v.element.content
	}
	from := len(s.Made)
	s.Made = append(s.Made, `[{"type":"text","text":`...)
	s.Made = append(s.Made, s.Raw(v.text)...)
	s.Made = append(s.Made, '}')
	if !v.element.content.IsZero() {
		s.Made = append(s.Made, ',')
		at := len(s.Made)
		s.Made = s.AppendRaw(s.Made, v.element.content)
		s.Made = append(s.Made[:at], s.Made[at+1:]...)
		return s.MadeSince(from, false)
	}
	s.Made = append(s.Made, ']')
	return s.MadeSince(from, false)
}
