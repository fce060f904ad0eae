package askable

import (
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
	"ctxmigrate/translate/wire"
)

// appendElement appends an element as a target-shaped value that keeps it in its
// metadata.
func (w *Encoder) appendElement(dst []byte, i int32, p place) []byte {
	return w.appendElementText(dst, i, p, p != ofAncestor)
}

func (w *Encoder) appendElementText(dst []byte, i int32, p place, deep bool) []byte {
	s := w.s
	e := &s.Elements[i]
	dst = append(dst, '{')
	from := len(dst)
	dst = append(dst, `"text":"`...)
	dst, blocks, lower := w.appendText(dst, i, deep)
	if blocks == 0 {
		dst = dst[:from]
	} else {
		dst = append(dst, '"', ',')
		if blocks > 1 || lower {
			w.c.AddArgs(diag.TextJoined, e.At, e.ID, model.Span{})
		}
	}
	dst = append(dst, `"role":`...)
	if e.Role == model.Unknown {
		dst = append(dst, s.Raw(e.RoleWord)...)
	} else {
		dst = append(dst, '"')
		dst = append(dst, ariaWords[e.Role]...)
		dst = append(dst, '"')
	}
	dst = s.AppendMember(dst, `,"label":`, e.Title)
	dst = append(dst, `,"selector":`...)
	dst = append(dst, s.Raw(e.ID)...)
	dst = append(dst, `,"metadata":{"element":{"id":`...)
	dst = append(dst, s.Raw(e.ID)...)
	dst = wire.AppendRole(dst, s, e)
	dst = s.AppendMember(dst, `,"subrole":`, e.Subrole)
	dst = s.AppendMember(dst, `,"url":`, e.URL)
	visible, focused := e.Visible, e.Focused && (p == ofTarget || p == ofAncestor)
	if p == ofVisible {
		visible = model.Shown
	}
	if visible != e.Visible || focused != e.Focused {
		w.c.AddArgs(diag.StateMoved, e.At, e.ID, model.Span{})
	}
	dst = wire.AppendStates(dst, e.Selected, focused, visible, e.Hovered)
	if !e.Content.IsZero() {
		dst = w.appendOtherContent(dst, i)
	}
	if e.HasAttributes() {
		from := len(dst)
		dst = append(dst, `,"attributes":`...)
		at := len(dst)
		if dst = s.AppendAttributes(dst, i); len(dst) == at+2 {
			dst = dst[:from]
		}
	}
	return append(dst, '}', '}', '}')
}

// appendText appends the text blocks of an element, and where deep of all below
// it, with a newline between, as the inside of a string. Lower tells whether one
// came from below.
func (w *Encoder) appendText(dst []byte, i int32, deep bool) (out []byte, blocks int, lower bool) {
	s := w.s
	for k := i; k != model.None; {
		e := &s.Elements[k]
		if !e.Content.IsZero() {
			jsontree.Entries(s.Raw(e.Content), func(b []byte) bool {
				text := textOf(b)
				if text == nil {
					return true
				}
				if blocks++; blocks > 1 {
					dst = append(dst, '\\', 'n')
				}
				lower = lower || k != i
				dst = append(dst, jsontree.Inner(text)...)
				return true
			})
		}
		if !deep {
			break
		}
		k, _ = s.After(k, i)
	}
	return dst, blocks, lower
}

// appendOtherContent appends the blocks that are no text, where there are any.
func (w *Encoder) appendOtherContent(dst []byte, i int32) []byte {
	from, n := len(dst), 0
	dst = append(dst, `,"content":[`...)
	e := &w.s.Elements[i]
	late, more := false, false // text stands, or is spelled, in another order; it says more
	jsontree.Entries(w.s.Raw(e.Content), func(b []byte) bool {
		if textOf(b) != nil {
			late = late || n > 0
			members := 0
			jsontree.Members(b, func(name, _ []byte) bool {
				members++
				late = late || members == 1 && !jsontree.EqualText(name, "type")
				return true
			})
			more = more || members > 2
			return true
		}
		if n++; n > 1 {
			dst = append(dst, ',')
		}
		dst = jsontree.AppendCompact(dst, b)
		return true
	})
	if more {
		w.c.AddArgs(diag.TextAnnotations, e.At, e.ID, model.Span{})
	}
	if late {
		w.c.AddArgs(diag.TextJoined, e.At, e.ID, model.Span{})
	}
	if n == 0 {
		return dst[:from]
	}
	return append(dst, ']')
}
