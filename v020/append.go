package v020

import (
	"ctxmigrate/translate/model"
	"ctxmigrate/translate/wire"
)

// Append appends a snapshot as an answer on one line, without white space
// between tokens: members in the order protocol, instance, root, and for each
// element id, role, subrole, title, url, selected, focused, visible, hovered,
// content, attributes, children; states only where they are true, visible where
// it is stated.
func Append(dst []byte, s *model.Snapshot) []byte { return AppendPieces(dst, s, nil) }

// AppendPieces is Append that hands what was appended to spill, which answers where
// to go on, whenever that has come to model.Piece bytes. Spill may be nil.
func AppendPieces(dst []byte, s *model.Snapshot, spill func([]byte) []byte) []byte {
	dst = append(dst, `{"protocol":"0.2.0"`...)
	dst = s.AppendMember(dst, `,"instance":`, s.Instance)
	dst = append(dst, `,"root":`...)
	for i := s.Root; i != model.None; {
		if len(dst) >= model.Piece && spill != nil {
			dst = spill(dst)
		}
		dst = AppendElement(dst, s, i)
		next, deeper := s.After(i, s.Root)
		switch {
		case deeper > 0:
			dst = append(dst, `,"children":[`...)
		default:
			dst = append(dst, '}')
			for ; deeper < 0; deeper++ {
				dst = append(dst, ']', '}')
			}
			if next != model.None {
				dst = append(dst, ',')
			}
		}
		i = next
	}
	return append(dst, '}')
}

// AppendElement appends an element without its children and without the brace
// that ends it.
func AppendElement(dst []byte, s *model.Snapshot, i int32) []byte {
	e := &s.Elements[i]
	dst = append(dst, `{"id":`...)
	dst = s.AppendString(dst, e.ID)
	dst = wire.AppendRole(dst, s, e)
	dst = s.AppendMember(dst, `,"subrole":`, e.Subrole)
	dst = s.AppendMember(dst, `,"title":`, e.Title)
	dst = s.AppendMember(dst, `,"url":`, e.URL)
	dst = wire.AppendStates(dst, e.Selected, e.Focused, e.Visible, e.Hovered)
	if !e.Content.IsZero() {
		dst = append(dst, `,"content":`...)
		dst = s.AppendRaw(dst, e.Content)
	}
	if e.HasAttributes() {
		dst = append(dst, `,"attributes":`...)
		dst = s.AppendAttributes(dst, i)
	}
	return dst
}
