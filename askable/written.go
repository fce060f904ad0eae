package askable

import (
	"bytes"

	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
	"ctxmigrate/translate/wire"
)

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
		_, number := d.R.Run(elementNames, &f, d.watchAttributes) // which leaves what is odd, and what is near the end of the text
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
