// Package wire holds what the codecs share in reading members off a document:
// what becomes of a member of the wrong type, of an id that is a number, of
// content that is no list, and of members that the form does not know.
package wire

import (
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
)

// Source is a document being read into a snapshot.
type Source struct {
	R jsontree.Reader
	S *model.Snapshot
	C *diag.Collector
	// Quiet is set where the document says something in more words than it need
	// and nothing is noted of it: a member that is null, a state that is false, an
	// empty parent, an empty list of children, a word spelled with an escape.
	Quiet bool
	Extra []model.Member // members that the form does not know, or knows with another type, waiting to join attributes
}

// Begin starts reading src.
func (w *Source) Begin(src []byte, s *model.Snapshot, c *diag.Collector, maxDepth int) {
	w.S, w.C, w.Extra, w.Quiet = s, c, w.Extra[:0], false
	s.Reset(src)
	w.R.Reset(src, maxDepth)
}

// At is the offset of the name of the member that is being read.
func (w *Source) At() uint32 { return w.R.KeySpan().Off }

// Unknown keeps the member that is being read among the extras.
func (w *Source) Unknown() {
	name := w.R.KeySpan()
	w.Extra = append(w.Extra, model.Member{Name: name, Value: w.R.Skip(), At: name.Off})
}

// Wrong keeps the member that is being read among the extras, and says that it
// is of the wrong type; null reads as absent.
func (w *Source) Wrong() {
	if w.R.Kind() == jsontree.Null {
		w.Quiet = true
		w.R.Skip()
		return
	}
	w.TellWrong(w.At(), w.R.KeySpan(), w.R.Kind())
	w.Unknown()
}

// TellWrong says that a member is of the wrong type.
func (w *Source) TellWrong(at uint32, name model.Span, kind jsontree.Kind) {
	w.C.AddArgs(diag.WrongType, at, name, w.S.Make([]byte(kind.String()), false))
}

// String reads a member that is to be a string.
func (w *Source) String(to *model.Span) {
	if w.R.Kind() == jsontree.String {
		*to = w.R.Skip()
		return
	}
	w.Wrong()
}

// Bool reads a member that is to be true or false.
func (w *Source) Bool() (value, ok bool) {
	if w.R.Kind() != jsontree.Bool {
		w.Wrong()
		return false, false
	}
	at := w.R.Pos()
	w.R.Skip()
	return w.S.Src[at] == 't', true
}

// ID reads a member that is to be an id: a string, or a number, which is taken
// by its text. An empty id is no id.
func (w *Source) ID(to *model.Span) {
	switch w.R.Kind() {
	case jsontree.String:
		if sp := w.R.Skip(); sp.Len() > 2 {
			*to = sp
		} else {
			w.Quiet = true
		}
	case jsontree.Number:
		name := w.R.KeySpan()
		w.TellWrong(name.Off, name, jsontree.Number)
		*to = w.Quoted(w.R.Skip())
	default:
		w.Wrong()
	}
}

// Quoted is a number as a string of the same text.
func (w *Source) Quoted(number model.Span) model.Span {
	from := len(w.S.Made)
	w.S.Made = append(w.S.Made, '"')
	w.S.Made = append(w.S.Made, w.S.Raw(number)...)
	w.S.Made = append(w.S.Made, '"')
	return w.S.MadeSince(from, false)
}

// Content reads a member that is to be a list of content blocks: a string
// becomes one text block, an object a list of one.
func (w *Source) Content(to *model.Span) {
	name, kind := w.R.KeySpan(), w.R.Kind()
	switch kind {
	case jsontree.Array:
		*to = w.R.Skip()
	case jsontree.String, jsontree.Object:
		w.TellWrong(name.Off, name, kind)
		sp := w.R.Skip()
		s, from := w.S, len(w.S.Made)
		s.Made = append(s.Made, '[')
		if kind == jsontree.String {
			s.Made = append(s.Made, `{"type":"text","text":`...)
		}
		s.Made = s.AppendRaw(s.Made, sp)
		if kind == jsontree.String {
			s.Made = append(s.Made, '}')
		}
		s.Made = append(s.Made, ']')
		*to = s.MadeSince(from, false)
	default:
		w.Wrong()
	}
}

// Noted is what a look at the names of attributes finds.
type Noted uint8

// What is of interest among attributes.
const (
	HasState   Noted = 1 << iota // a boolean selected, focused, visible or hovered
	HasRole                      // a string role or subrole
	HasName                      // a role, subrole or state of whatever type
	HasCarried                   // a member ctxmigrate
	HasPacket                    // a member askable
)

// NoteAttribute looks at one attribute, says so where author or related is not
// of the reserved shape, and answers what is of interest.
func (w *Source) NoteAttribute(key []byte, kind jsontree.Kind, name model.Span) Noted {
	switch len(key) {
	case 4, 7, 8, 10, 6:
	default:
		return 0
	}
	switch string(key) {
	case "selected", "focused", "visible", "hovered":
		if kind == jsontree.Bool {
			return HasState | HasName
		}
		return HasName
	case "role", "subrole":
		if kind == jsontree.String {
			return HasRole | HasName
		}
		return HasName
	case "author":
		if kind != jsontree.String {
			w.C.AddArgs(diag.ReservedAttribute, name.Off, name, model.Span{})
		}
	case "related":
		if kind != jsontree.Array {
			w.C.AddArgs(diag.ReservedAttribute, name.Off, name, model.Span{})
		}
	case "ctxmigrate":
		if kind == jsontree.Object {
			return HasCarried
		}
	case "askable":
		return HasPacket
	}
	return 0
}

// Join moves the extras from index from on into the attributes of an element,
// and answers what is of interest among them. A name that drop answers true of
// is lost, like one that is taken.
func (w *Source) Join(from int, i int32, drop func(name []byte) bool) (noted Noted) {
	if len(w.Extra) == from {
		return 0
	}
	list := make([]model.Member, 0, len(w.Extra)-from)
	for _, x := range w.Extra[from:] {
		name := w.S.Text(x.Name)
		if drop != nil && drop(name) {
			w.C.AddArgs(diag.MemberLost, x.At, x.Name, model.Span{})
			continue
		}
		list = append(list, x)
	}
	if len(list) > 0 {
		w.S.Join(i, list, func(m model.Member, taken bool) {
			if taken {
				w.C.AddArgs(diag.MemberLost, m.At, m.Name, model.Span{})
				return
			}
			w.C.AddArgs(diag.MemberMoved, m.At, m.Name, model.Span{})
			noted |= w.NoteAttribute(w.S.Text(m.Name), jsontree.KindOf(w.S.Raw(m.Value)), m.Name)
		})
	}
	w.Extra = w.Extra[:from]
	return noted
}

// AppendRole appends the member role of an element, with a comma before it, as 0.2.0
// spells it.
func AppendRole(dst []byte, s *model.Snapshot, e *model.Element) []byte {
	if e.Role == model.Unknown {
		return append(append(dst, `,"role":`...), s.Raw(e.RoleWord)...)
	}
	return append(dst, roleMembers[e.Role]...)
}

var roleMembers = func() (list [model.Document + 1]string) {
	for r := model.Application; r <= model.Document; r++ {
		list[r] = `,"role":"` + r.String() + `"`
	}
	return list
}()

// AppendStates appends the states of an element as 0.2.0 says them: only those
// that are true, and whether it is visible where that is stated.
func AppendStates(dst []byte, selected, focused bool, visible model.Visible, hovered bool) []byte {
	if selected {
		dst = append(dst, `,"selected":true`...)
	}
	if focused {
		dst = append(dst, `,"focused":true`...)
	}
	switch visible {
	case model.Shown:
		dst = append(dst, `,"visible":true`...)
	case model.Hidden:
		dst = append(dst, `,"visible":false`...)
	}
	if hovered {
		dst = append(dst, `,"hovered":true`...)
	}
	return dst
}

// IsState reports whether a name is that of a role, a subrole or a state, which
// no unknown member of an answer may bring to the root.
func IsState(name []byte) bool {
	switch string(name) {
	case "role", "subrole", "selected", "focused", "visible", "hovered":
		return true
	}
	return false
}

// BoolState reports whether a member is a boolean named as a state.
func (w *Source) BoolState(m model.Member) bool {
	return IsBoolState(w.S.Text(m.Name), jsontree.KindOf(w.S.Raw(m.Value)))
}

// IsBoolState reports whether a name is that of a state, of a value that is a
// boolean.
func IsBoolState(name []byte, kind jsontree.Kind) bool {
	if kind != jsontree.Bool {
		return false
	}
	switch string(name) {
	case "selected", "focused", "visible", "hovered":
		return true
	}
	return false
}

// Shape refuses the document for the value that comes next: what it is, and what
// it is to be.
func (w *Source) Shape(what, want string) {
	msg := what + " is " + w.R.Kind().String() + ", not " + want
	w.C.AddArgs(diag.WrongShape, uint32(w.R.Pos()), w.S.Make([]byte(msg), false), model.Span{})
	w.R.Skip()
}

// Missing refuses the document for a member that it does not have, unless it was
// refused for that member's shape.
func (w *Source) Missing(at int, name string) {
	if w.C.Counts[diag.WrongShape] == 0 {
		w.C.AddArgs(diag.MissingMember, uint32(at), w.S.Make([]byte(name), false), model.Span{})
	}
}

// Identify makes the ids unique and tells of each that was not. Base is as for
// Snapshot.Identify.
func (w *Source) Identify(base func(dst []byte, i int32) []byte) {
	s := w.S
	s.Identify(base, func(i int32, was model.Span) {
		switch e := &s.Elements[i]; {
		case !was.IsZero():
			w.C.AddArgs(diag.DuplicateID, e.At, was, e.ID)
		case base == nil:
			w.C.AddArgs(diag.MissingID, e.At, e.ID, model.Span{})
		}
	})
}

// OnePath makes the focus one path and tells what that changed.
func (w *Source) OnePath() {
	w.S.OnePath(w.teller(diag.FocusGap), w.teller(diag.FocusOffPath))
}

// Withhold withholds what is secure and tells of it.
func (w *Source) Withhold() { w.S.Withhold(w.teller(diag.SecureWithheld)) }

// teller tells of an element by its id.
func (w *Source) teller(code diag.Code) func(i int32) {
	return func(i int32) { w.C.AddArgs(code, w.S.Elements[i].At, w.S.Elements[i].ID, model.Span{}) }
}
