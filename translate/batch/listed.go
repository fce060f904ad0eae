package batch

import (
	"bytes"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
)

// list is a 0.1 answer taken apart in one pass. Its slices are those of the
// document.
type list struct {
	answer  []member // but for items and focus
	focus   []byte
	members []member // of all items, one item after another
	ends    []int    // where the members of each item end
	byID    map[string]int
}

type member struct{ name, value []byte }

// split takes a document apart that a reader has passed as a 0.1 answer. It
// answers false where it is not built as usual.
func (l *list) split(doc []byte) bool {
	l.answer, l.members, l.ends, l.focus, l.byID = l.answer[:0], l.members[:0], l.ends[:0], nil, nil
	s := scanner{doc: doc}
	ok := s.object(func(name []byte) bool {
		switch string(name) {
		case `"items"`:
			return s.array(func() bool {
				if !s.members(&l.members) {
					return false
				}
				l.ends = append(l.ends, len(l.members))
				return true
			})
		case `"focus"`:
			l.focus = s.value()
		default:
			l.answer = append(l.answer, member{name, s.value()})
		}
		return true
	})
	return ok && l.focus != nil
}

func (l *list) item(i int) []member {
	from := 0
	if i > 0 {
		from = l.ends[i-1]
	}
	return l.members[from:l.ends[i]]
}

// index finds items by their ids. It answers false where one comes twice.
func (l *list) index() bool {
	l.byID = make(map[string]int, len(l.ends))
	for i := range l.ends {
		raw := find(l.item(i), []byte(`"id"`))
		if jsontree.KindOf(raw) != jsontree.String {
			return false
		}
		id := string(jsontree.Unquote(raw))
		if _, twice := l.byID[id]; twice {
			return false
		}
		l.byID[id] = i
	}
	return true
}

// find is the value of a member, nil where there is none.
func find(list []member, name []byte) []byte {
	for _, m := range list {
		if bytes.Equal(m.name, name) {
			return m.value
		}
	}
	return nil
}

// returned compares a list with what came back of it. It answers Returns where
// both say the same, Named where they do but for what the report of the conversion
// there names (see Proof), and Unproven otherwise.
func (l *list) returned(back *list, counts *[diag.NumCodes]int) Proof {
	proof := Returns
	if len(l.ends) != len(back.ends) || !equalMembers(l.answer, back.answer, nil) {
		return Unproven
	}
	if !equalRaw(l.focus, back.focus) {
		if counts[diag.FocusNormalized]+counts[diag.FocusOffPath] == 0 || !partOf(back.focus, l.focus) {
			return Unproven
		}
		proof = Named
	}
	var retired []byte
	if counts[diag.LocatableRetired] > 0 {
		retired = []byte(`"locatable"`)
	}
	for i := range l.ends {
		item := l.item(i)
		other := back.item(i)
		id := find(item, []byte(`"id"`))
		if id == nil {
			return Unproven
		}
		if !equalRaw(id, find(other, []byte(`"id"`))) {
			if counts[diag.OrderChanged] == 0 || back.byID == nil && !(l.index() && back.index()) {
				return Unproven
			}
			at, ok := back.byID[textOf(id)]
			if !ok || jsontree.KindOf(id) != jsontree.String {
				return Unproven
			}
			other, proof = back.item(at), Named
		}
		if !equalMembers(item, other, retired) {
			return Unproven
		}
		if retired != nil && len(item) != len(other) {
			proof = Named
		}
	}
	return proof
}

// equalMembers reports whether two objects have the same members, in any order;
// the second may be without one of the name that is retired.
func equalMembers(a, b []member, retired []byte) bool {
	found := 0
	for _, m := range a {
		value := find(b, m.name)
		switch {
		case value == nil && bytes.Equal(m.name, retired):
		case value == nil || !equalRaw(m.value, value):
			return false
		default:
			found++
		}
	}
	return found == len(b)
}

func equalRaw(a, b []byte) bool {
	return bytes.Equal(a, b) || a != nil && b != nil && (equalSpaced(a, b) || jsontree.DigestOf(a, true) == jsontree.DigestOf(b, true))
}

// equalSpaced reports whether two raw values are the same but for white space
// outside of strings. No token of JSON but a string has any in it.
func equalSpaced(a, b []byte) bool {
	x, y := scanner{doc: a}, scanner{doc: b}
	for {
		c := x.next()
		if c != y.next() {
			return false
		}
		if c == 0 {
			return true
		}
		if c == '"' {
			if !bytes.Equal(x.value(), y.value()) {
				return false
			}
			continue
		}
		x.i++
		y.i++
	}
}

// partOf reports whether a list has entries, and each is in another.
func partOf(part, whole []byte) bool {
	if jsontree.KindOf(part) != jsontree.Array || jsontree.KindOf(whole) != jsontree.Array {
		return false
	}
	all := false
	jsontree.Entries(part, func(entry []byte) bool {
		in := false
		jsontree.Entries(whole, func(other []byte) bool {
			in = equalRaw(entry, other)
			return !in
		})
		all = in
		return all
	})
	return all
}

// scanner passes over a document that a reader has passed.
type scanner struct {
	doc []byte
	i   int
}

// next is the next byte that is no white space.
func (s *scanner) next() byte {
	for s.i < len(s.doc) && s.doc[s.i] <= ' ' {
		s.i++
	}
	if s.i == len(s.doc) {
		return 0
	}
	return s.doc[s.i]
}

// object calls f with each name of an object; f passes over the value.
func (s *scanner) object(f func(name []byte) bool) bool {
	if s.next() != '{' {
		return false
	}
	s.i++
	for s.next() != '}' {
		name := s.value()
		s.next() // the colon
		s.i++
		if !f(name) {
			return false
		}
		if s.next() == ',' {
			s.i++
		}
	}
	s.i++
	return true
}

// members appends the members of an object.
func (s *scanner) members(to *[]member) bool {
	return s.object(func(name []byte) bool {
		*to = append(*to, member{name, s.value()})
		return true
	})
}

// array calls f at each entry of an array; f passes over it.
func (s *scanner) array(f func() bool) bool {
	if s.next() != '[' {
		return false
	}
	s.i++
	for s.next() != ']' {
		if !f() {
			return false
		}
		if s.next() == ',' {
			s.i++
		}
	}
	s.i++
	return true
}

// value passes over a value.
func (s *scanner) value() []byte {
	c := s.next()
	from := s.i
	switch {
	case c == '"':
		s.i = jsontree.StringEnd(s.doc, s.i)
	case c == '{' || c == '[':
		s.i++
		for level := 1; level > 0; {
			switch s.doc[s.i] {
			case '"':
				s.i = jsontree.StringEnd(s.doc, s.i)
				continue
			case '{', '[':
				level++
			case '}', ']':
				level--
			}
			s.i++
		}
	default:
		for s.i < len(s.doc) && s.doc[s.i] > ' ' && s.doc[s.i] != ',' && s.doc[s.i] != '}' && s.doc[s.i] != ']' {
			s.i++
		}
	}
	return s.doc[from:s.i]
}
