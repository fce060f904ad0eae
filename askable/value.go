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
	known                                       model.Role // by the word role
	id, role, subrole, url, content, attributes model.Span
	selected, focused, hovered                  bool
	visible                                     model.Visible
}

// kept is what the attributes of an element in metadata are.
type kept uint8

const (
	empty kept = iota // also where there are none
	plain             // none is a state
	withState
)

// place is where in a packet a value stands.
type place uint8

const (
	ofTarget place = iota
	ofAncestor
	ofNearby
	ofVisible
)

// value reads the target-shaped value that comes next.
func (d *Decoder) value(v *value, p place) {
	*v = value{at: uint32(d.R.Pos()), elem: model.None}
	first := len(d.Extra)
	d.hasElement, d.written = false, false
	v.whole = d.object(valueNames, (*Decoder).oddOfValue)
	if d.R.Err() != nil {
		return
	}
	f := &d.fields
	v.text, v.role, v.label, v.selector = f[valueText], f[valueRole], f[valueLabel], f[valueSelector]
	v.bounds, v.metadata, v.shot = f[valueBounds], f[valueMetadata], f[valueScreenshot]
	if len(d.Extra) > first {
		from := len(d.ofValues)
		d.ofValues = d.takeExtra(d.ofValues, first)
		v.extras = d.ofValues[from:]
	}
	v.restored = d.restorable(v, p)
	v.secure = d.isSecure(v.role)
	if v.restored {
		v.secure = v.secure || d.isSecure(v.element.role) || d.isSecure(v.element.subrole)
	} else {
		v.secure = v.secure || d.secureElement(v.metadata)
	}
}

// oddOfValue reads a member of a value that is not as it should be, or the string
// that metadata may be too.
func (d *Decoder) oddOfValue(number int) {
	switch number {
	case valueText, valueRole, valueLabel, valueSelector:
		d.String(&d.fields[number])
	case valueMetadata:
		if d.R.Kind() == jsontree.String {
			d.fields[number] = d.R.Skip()
		} else if d.isObject() {
			d.fields[number] = d.metadata()
		}
	case valueBounds, valueScreenshot:
		if d.isObject() {
			d.fields[number] = d.R.Skip()
		}
	default:
		d.Unknown()
	}
}

// isSecure reports whether a value is a string that is a secure word.
func (d *Decoder) isSecure(word model.Span) bool {
	return !word.IsZero() && d.S.Raw(word)[0] == '"' && d.words.secure(d.S.Text(word))
}

// secureElement is secureElement for the metadata of the value that was read last.
func (d *Decoder) secureElement(metadata model.Span) bool {
	return d.hasElement && !metadata.IsZero() && secureElement(d.S.Raw(metadata), &d.words)
}

// secureElement reports whether metadata holds an element of a secure role or
// subrole.
func secureElement(metadata []byte, words *secureWords) bool {
	element := jsontree.Member(metadata, "element")
	for _, name := range []string{"role", "subrole"} {
		if word := jsontree.Member(element, name); jsontree.KindOf(word) == jsontree.String && words.secure(jsontree.Unquote(word)) {
			return true
		}
	}
	return false
}

// metadata reads metadata that is an object. Where it is as it is written for an
// element, d.written is set, and d.element what it says.
func (d *Decoder) metadata() model.Span {
	from := d.R.Pos()
	if !beginsElement(d.S.Src[from:]) {
		return d.R.Watch(d.watch)
	}
	d.hasElement = true
	var f jsontree.Fields
	d.kept = empty
	d.R.Enter()
	d.R.Next()
	d.R.Enter()
	written := true
	for {
		if _, end := d.R.Run(elementNames, &f, d.watchAttributes); end {
			break
		}
		number := d.R.NextOf(elementNames) // Run leaves what is odd, and what is near the end of the text
		if number == 0 {
			break
		}
		name, kind := d.R.KeySpan(), d.R.Kind()
		value := d.R.Watch(d.watchAttributes)
		if number == jsontree.Other || name.Marked() || kind != elements[number-1].Kind {
			written = false
		} else {
			f[number] = value
		}
	}
	for d.R.Next() {
		written = false
		d.R.Skip()
	}
	if written && d.R.Err() == nil {
		d.element, d.written = d.parts(&f)
	}
	return jsontree.MakeSpan(from, d.R.Pos()-from, true)
}

// beginsElement reports whether an object begins with an object named element.
func beginsElement(object []byte) bool {
	if bytes.HasPrefix(object, []byte(`{"element":{`)) {
		return true
	}
	for _, token := range []string{"{", `"element"`, ":", "{"} {
		ok := false
		if object, ok = bytes.CutPrefix(bytes.TrimLeft(object, " \t\r\n"), []byte(token)); !ok {
			return false
		}
	}
	return true
}

// restorable reports whether a value is an element that was written as one:
// its metadata has the one member element, and writing that element gives just
// this value. What the element says is left in v.element.
func (d *Decoder) restorable(v *value, p place) bool {
	if !d.written || len(v.extras) > 0 || !v.bounds.IsZero() || !v.shot.IsZero() || v.selector.IsZero() || v.role.IsZero() {
		return false
	}
	s, e := d.S, &d.element
	if !bytes.Equal(s.Raw(e.id), s.Raw(v.selector)) ||
		e.focused && p != ofTarget && p != ofAncestor || e.visible != model.Shown && p == ofVisible {
		return false
	}
	role, ok := s.Raw(v.role), false
	if e.known != model.Unknown {
		ok = string(jsontree.Inner(role)) == ariaWords[e.known] && !e.role.Marked()
	} else {
		ok = bytes.Equal(role, s.Raw(e.role))
	}
	if ok {
		v.element = *e
	}
	return ok
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

// parts takes an element as 6.2 writes it; anything else about it is refused, the
// order of its members too.
func (d *Decoder) parts(f *jsontree.Fields) (e parts, ok bool) {
	last := uint32(0)
	for _, v := range f {
		if !v.IsZero() && v.Off < last {
			return e, false
		}
		last = max(last, v.Off)
	}
	s := d.S
	said := func(number int) bool { return !f[number].IsZero() }
	says := func(number int) bool { return said(number) && s.Src[f[number].Off] == 't' }
	e = parts{id: f[elementID], role: f[elementRole], subrole: f[elementSubrole], url: f[elementURL],
		selected: says(elementSelected), focused: says(elementFocused), hovered: says(elementHovered),
		content: f[elementContent], attributes: f[elementAttributes]}
	if said(elementVisible) {
		e.visible = model.Hidden
	}
	if says(elementVisible) {
		e.visible = model.Shown
	}
	if e.id.Len() <= len(`""`) || e.role.IsZero() || said(elementSelected) != e.selected || said(elementFocused) != e.focused ||
		said(elementHovered) != e.hovered || said(elementContent) && !onlyOther(s.Raw(e.content)) ||
		said(elementAttributes) && d.kept != plain {
		return e, false
	}
	e.known = model.ParseRole(s.Text(e.role))
	return e, true
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
	s.EachMember(shot, func(m model.Member) bool {
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
		return true
	})
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
