package askable

import (
	"bytes"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
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
