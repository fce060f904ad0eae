// Package model is the form between the forms: one snapshot of what an app says
// about itself, as a tree of elements.
//
// It is a superset of the 0.2.0 answer and nothing of any one form: an element
// has an id, a role, a subrole, a title, content, an address, states and
// attributes. What is opaque to the protocols stays raw text: a value of the
// model is a span of the document that it was read from, or of the text that was
// made up beside it.
//
// A snapshot of a packet bears the facts that are no elements (capture, privacy,
// provenance, timestamp, history, sources) as the attribute "askable" of its
// root, which is where a tree form carries them too.
package model

import (
	"bytes"
	"slices"

	"ctxmigrate/translate/jsontree"
)

// Span is a raw value of a snapshot: of its source, or of what was made up.
type Span = jsontree.Span

// Visible is what an element says of being drawn on screen.
type Visible uint8

// Unstated means the parent's value; the root is visible.
const (
	Unstated Visible = iota
	Shown
	Hidden
)

// Piece is the size, in bytes, of the pieces in which encoders hand on what would
// otherwise be gathered.
const Piece = 128 << 10

// MostRoom is how many times as long as it is a list of what a document has may be
// made at once, while the document is read: see jsontree.Room.
const MostRoom = 256

// OneText is what content mostly is: one block of text.
var OneText = jsontree.NewUsual(`[{"type":"text","text":""}]`)

// None is no element.
const None int32 = -1

// Element is one element of a snapshot. Links to other elements are indexes into
// Snapshot.Elements.
type Element struct {
	ID       Span // raw string; never absent once the snapshot is whole
	RoleWord Span // raw string: the role where it is Unknown
	Subrole  Span // raw string
	Title    Span // raw string
	URL      Span // raw string
	Content  Span // raw array of content blocks

	// Attributes are either a raw object as it was written, or, where they had
	// to be put together, members of the snapshot.
	Attributes Span
	From, To   uint32 // of Snapshot.Members, where Composed

	Parent, First, Last, Next int32

	At uint32 // offset in the source, for diagnostics

	Role     Role
	Visible  Visible
	Selected bool
	Focused  bool
	Hovered  bool
	Composed bool // the attributes are Members[From:To]
	Secure   bool // it bears a secure word
	MadeID   bool // the id is none of the answer's own
}

// Member is one attribute.
type Member struct {
	Name  Span // raw string
	Value Span
	At    uint32 // offset in the source
}

// Snapshot is one answer. Reset makes it ready for another, keeping its memory.
type Snapshot struct {
	Src      []byte // the document
	Made     []byte // what was made up: spans past the end of Src lie here
	Elements []Element
	Members  []Member
	Root     int32
	Instance Span // raw string, absent where the form has none
	Secure   bool // an element or a value bears a secure word
	Reserved bool // some attributes may bear the name of a role, a subrole or a state

	ids     idTable
	scratch []byte
	onPath  []bool
}

// Reset begins a snapshot of src.
func (s *Snapshot) Reset(src []byte) {
	s.Src, s.Made = src[:len(src):len(src)], s.Made[:0]
	s.Elements, s.Members = s.Elements[:0], s.Members[:0]
	s.Root, s.Instance, s.Secure, s.Reserved = None, Span{}, false, false
	s.ids.n = 0
}

// Raw is the text of a span.
func (s *Snapshot) Raw(sp Span) []byte {
	if int(sp.Off) < len(s.Src) {
		return sp.In(s.Src)
	}
	off := int(sp.Off) - len(s.Src)
	return s.Made[off : off+sp.Len()]
}

// RawOrNil is Raw, or nil where there is no value.
func (s *Snapshot) RawOrNil(sp Span) []byte {
	if sp.IsZero() {
		return nil
	}
	return s.Raw(sp)
}

// Text is what a raw string says. It holds until the next call.
func (s *Snapshot) Text(sp Span) []byte {
	if text, ok := sp.Plain(s.Src); ok {
		return text
	}
	return s.oddText(sp)
}

func (s *Snapshot) oddText(sp Span) []byte {
	raw := s.Raw(sp)
	if !sp.Marked() {
		return jsontree.Inner(raw)
	}
	s.scratch = jsontree.AppendUnquoted(s.scratch[:0], raw)
	return s.scratch
}

// Make adds raw text to what was made up. Marked is as for jsontree.Span.
func (s *Snapshot) Make(raw []byte, marked bool) Span {
	off := len(s.Src) + len(s.Made)
	s.Made = append(s.Made, raw...)
	return jsontree.MakeSpan(off, len(raw), marked)
}

// MakeString is Make with the string form of text.
func (s *Snapshot) MakeString(text string) Span {
	off := len(s.Made)
	s.Made = jsontree.AppendQuoted(s.Made, []byte(text))
	return jsontree.MakeSpan(len(s.Src)+off, len(s.Made)-off, hasEscape(s.Made[off:]))
}

// MadeSince is the span of what was appended to Made since it was at from.
func (s *Snapshot) MadeSince(from int, marked bool) Span {
	return jsontree.MakeSpan(len(s.Src)+from, len(s.Made)-from, marked)
}

func hasEscape(raw []byte) bool { return bytes.IndexByte(raw, '\\') >= 0 }

// AppendRaw appends the text of a span without white space between tokens.
func (s *Snapshot) AppendRaw(dst []byte, sp Span) []byte {
	raw := s.Raw(sp)
	if sp.Marked() && raw[0] != '"' {
		return jsontree.AppendCompact(dst, raw)
	}
	return append(dst, raw...)
}

// AppendString appends the text of a span that is a string, most of which are short:
// of these more is copied than there is, so that it is one step for all lengths.
func (s *Snapshot) AppendString(dst []byte, sp Span) []byte {
	const short = 64
	raw, n := s.Raw(sp), len(dst)
	if len(raw) <= short && cap(raw) >= short && cap(dst)-n >= short {
		*(*[short]byte)(dst[n : n+short]) = *(*[short]byte)(raw[:short])
		return dst[:n+len(raw)]
	}
	return append(dst, raw...)
}

// AppendMember appends a member that is a string, where it is there: prefix is
// the comma, the name and the colon before it.
func (s *Snapshot) AppendMember(dst []byte, prefix string, sp Span) []byte {
	if sp.IsZero() {
		return dst
	}
	return s.AppendString(append(dst, prefix...), sp)
}

// Add appends an element with no links and answers its index.
func (s *Snapshot) Add(at uint32) int32 {
	if len(s.Elements) == cap(s.Elements) {
		s.Elements = jsontree.Room(s.Elements, int(at), len(s.Src), MostRoom)
	}
	s.Elements = append(s.Elements, Element{At: at, Parent: None, First: None, Last: None, Next: None})
	return int32(len(s.Elements) - 1)
}

// Link makes child the last child of parent.
func (s *Snapshot) Link(parent, child int32) {
	p := &s.Elements[parent]
	if p.First == None {
		p.First = child
	} else {
		s.Elements[p.Last].Next = child
	}
	p.Last = child
	s.Elements[child].Parent = parent
}

// After is the element that follows i in document order within the tree below
// top, or None, and by how much deeper it lies.
func (s *Snapshot) After(i, top int32) (next int32, deeper int) {
	if c := s.Elements[i].First; c != None {
		return c, 1
	}
	return s.Past(i, top)
}

// Past is After that leaves out what is below i.
func (s *Snapshot) Past(i, top int32) (next int32, deeper int) {
	for i != top {
		if n := s.Elements[i].Next; n != None {
			return n, deeper
		}
		i = s.Elements[i].Parent
		deeper--
	}
	return None, deeper
}

// Places appends, for each element, its place in document order: 0 of the root.
func (s *Snapshot) Places(dst []int32) []int32 {
	from := len(dst)
	for range s.Elements {
		dst = append(dst, 0)
	}
	n := int32(0)
	for i := s.Root; i != None; i, _ = s.After(i, s.Root) {
		dst[from+int(i)] = n
		n++
	}
	return dst
}

// Depth is how far an element lies below the root.
func (s *Snapshot) Depth(i int32) (d int) {
	for i != s.Root {
		i = s.Elements[i].Parent
		d++
	}
	return d
}

// Compose turns the attributes of an element, raw until now or none, into
// members that may be edited. They are the last ones of the snapshot, so that
// AddMember can add to them until another element is composed.
func (s *Snapshot) Compose(i int32) {
	e := &s.Elements[i]
	if e.Composed {
		if int(e.To) != len(s.Members) {
			from := uint32(len(s.Members))
			s.Members = append(s.Members, s.Members[e.From:e.To]...)
			e.From, e.To = from, uint32(len(s.Members))
		}
		return
	}
	e.From = uint32(len(s.Members))
	if !e.Attributes.IsZero() {
		s.Members = s.AppendMembers(s.Members, e.Attributes)
	}
	e.To, e.Composed, e.Attributes = uint32(len(s.Members)), true, Span{}
}

// DropMember takes the k-th of its attributes from an element that was composed last.
func (s *Snapshot) DropMember(i int32, k int) {
	e := &s.Elements[i]
	at := int(e.From) + k
	s.Members = slices.Delete(s.Members, at, at+1)
	e.To--
}

// AppendMembers appends the members of a raw object.
func (s *Snapshot) AppendMembers(list []Member, object Span) []Member {
	s.EachMember(object, func(m Member) bool {
		list = append(list, m)
		return true
	})
	return list
}

// EachMember calls f with each member of a raw object until f answers false.
func (s *Snapshot) EachMember(object Span, f func(Member) bool) {
	raw := s.Raw(object)
	at := object.Off
	jsontree.MembersAt(raw, func(n, nEnd, v, vEnd int) bool {
		return f(Member{
			Name:  jsontree.MakeSpan(int(at)+n, nEnd-n, hasEscape(raw[n:nEnd])),
			Value: jsontree.MakeSpan(int(at)+v, vEnd-v, marked(raw[v:vEnd], object.Marked())),
			At:    at + uint32(n),
		})
	})
}

func marked(raw []byte, spaced bool) bool {
	switch raw[0] {
	case '"':
		return hasEscape(raw)
	case '{', '[':
		return spaced
	}
	return false
}

// AddMember adds an attribute to an element whose attributes were composed last.
func (s *Snapshot) AddMember(i int32, m Member) {
	s.Members = append(s.Members, m)
	s.Elements[i].To++
}

// Join adds members to the attributes of an element. A name that is there
// already is taken: the member is left out. Told is told of each.
func (s *Snapshot) Join(i int32, more []Member, told func(m Member, taken bool)) {
	s.Compose(i)
	e := &s.Elements[i]
	var names map[string]bool // only where comparing one by one would be slow
	if int(e.To-e.From)+len(more) > 32 {
		names = make(map[string]bool, int(e.To-e.From)+len(more))
		for _, m := range s.Members[e.From:e.To] {
			names[string(s.Text(m.Name))] = true
		}
	}
	for _, m := range more {
		taken := false
		if names != nil {
			taken = names[string(s.Text(m.Name))]
			names[string(s.Text(m.Name))] = true
		} else {
			for _, o := range s.Members[e.From:e.To] {
				if jsontree.EqualStrings(s.Raw(o.Name), s.Raw(m.Name)) {
					taken = true
					break
				}
			}
		}
		if told(m, taken); !taken {
			s.AddMember(i, m)
		}
	}
}

// Keep leaves only the attributes of which keep answers true; an element left
// with none has no attributes.
func (s *Snapshot) Keep(i int32, keep func(Member) bool) {
	s.Compose(i)
	e := &s.Elements[i]
	to := e.From
	for _, m := range s.Members[e.From:e.To] {
		if keep(m) {
			s.Members[to] = m
			to++
		}
	}
	gone := to < e.To
	s.Members, e.To = s.Members[:to], to
	if gone && to == e.From {
		e.DropAttributes()
	}
}

// Attribute is the value of the attribute of that name.
func (s *Snapshot) Attribute(i int32, name string) (value Span, ok bool) {
	e := &s.Elements[i]
	if e.Composed {
		for _, m := range s.Members[e.From:e.To] {
			if jsontree.EqualText(s.Raw(m.Name), name) {
				return m.Value, true
			}
		}
		return Span{}, false
	}
	if e.Attributes.IsZero() {
		return Span{}, false
	}
	return s.Field(e.Attributes, name)
}

// Field is the value of the member of that name in a raw object; nothing where
// it is no object.
func (s *Snapshot) Field(object Span, name string) (value Span, ok bool) {
	if object.IsZero() {
		return Span{}, false
	}
	raw := s.Raw(object)
	if raw[0] != '{' {
		return Span{}, false
	}
	jsontree.MembersAt(raw, func(n, nEnd, v, vEnd int) bool {
		if jsontree.EqualText(raw[n:nEnd], name) {
			value = jsontree.MakeSpan(int(object.Off)+v, vEnd-v, marked(raw[v:vEnd], object.Marked()))
			ok = true
			return false
		}
		return true
	})
	return value, ok
}

// EachAttribute calls f with each attribute of an element until f answers false.
func (s *Snapshot) EachAttribute(i int32, f func(Member) bool) {
	e := &s.Elements[i]
	if !e.Composed && !e.Attributes.IsZero() {
		s.EachMember(e.Attributes, f)
		return
	}
	for _, m := range s.Members[e.From:e.To] {
		if !f(m) {
			return
		}
	}
}

// HasAttributes reports whether the element has attributes, be they empty.
func (e *Element) HasAttributes() bool { return e.Composed || !e.Attributes.IsZero() }

// AppendAttributes appends the attributes of an element as an object.
func (s *Snapshot) AppendAttributes(dst []byte, i int32) []byte {
	e := &s.Elements[i]
	if !e.Composed {
		return s.AppendRaw(dst, e.Attributes)
	}
	dst = append(dst, '{')
	for k, m := range s.Members[e.From:e.To] {
		if k > 0 {
			dst = append(dst, ',')
		}
		dst = s.AppendRaw(dst, m.Name)
		dst = append(dst, ':')
		dst = s.AppendRaw(dst, m.Value)
	}
	return append(dst, '}')
}

// DropAttributes leaves the element without attributes.
func (e *Element) DropAttributes() {
	e.Attributes, e.Composed, e.From, e.To = Span{}, false, 0, 0
}
