package model

import (
	"bytes"
	"hash/maphash"
	"math/bits"
	"strconv"

	"ctxmigrate/translate/jsontree"
)

// idTable finds elements by id: an open-addressing table of indexes from 1. What a
// slot has room for beside its index is taken from the hash, so that elements of
// other ids are seldom looked at.
type idTable struct {
	slots []uint32
	n     int
	index uint32 // the bits of a slot that are its index
	seed  maphash.Seed
	salt  key // made of the seed, to hash short ids with
}

// Identify makes the ids of all elements unique, in the order of Elements: the
// first appearance of an id keeps it, the n-th becomes id~n, and an element
// without one gets what base appends, or item-<index> where base is nil; one that
// base appends nothing for is left for Claim. What is made up steps aside, by the next
// number, for every id that is in the answer. Changed is told of each, with the
// id as it was (absent where there was none).
func (s *Snapshot) Identify(base func(dst []byte, i int32) []byte, changed func(i int32, was Span)) {
	s.ids.reset(len(s.Elements))
	odd := false
	for i := range s.Elements {
		e := &s.Elements[i]
		if e.ID.IsZero() {
			odd = true
			continue
		}
		if s.insert(s.Text(e.ID), int32(i)) != int32(i) {
			odd = true
			e.MadeID = true // to be renamed below
		}
	}
	if !odd {
		return
	}
	var next map[int32]int // by first bearer: the number of its last appearance
	for i := range s.Elements {
		e := &s.Elements[i]
		was := e.ID
		switch {
		case was.IsZero():
			name := s.scratch[:0]
			if base != nil {
				name = base(name, int32(i))
			} else {
				name = strconv.AppendInt(append(name, "item-"...), int64(i), 10)
			}
			if s.scratch = name; len(name) == 0 {
				continue
			}
			e.ID = s.makeID(name)
		case e.MadeID:
			first := s.find(s.Text(was))
			n := max(next[first], 1)
			for taken := true; taken; taken = s.find(s.Text(e.ID)) != None {
				n++
				e.ID = s.numbered(was, n)
			}
			if next == nil {
				next = map[int32]int{}
			}
			next[first] = n
		default:
			continue
		}
		e.MadeID = true
		s.insert(s.Text(e.ID), int32(i))
		changed(int32(i), was)
	}
}

// MakeID makes an id that is none of the snapshot's: base, or base~2, base~3…
func (s *Snapshot) MakeID(base string) Span {
	s.scratch = append(s.scratch[:0], base...)
	return s.makeID(s.scratch)
}

func (s *Snapshot) makeID(base []byte) Span {
	id := base
	for n := int64(2); s.find(id) != None; n++ {
		id = strconv.AppendInt(append(base, '~'), n, 10)
	}
	from := len(s.Made)
	s.Made = jsontree.AppendQuoted(s.Made, id)
	return s.MadeSince(from, hasEscape(s.Made[from:]))
}

// Claim gives an element an id that was made for it.
func (s *Snapshot) Claim(i int32, id Span) {
	s.Elements[i].ID, s.Elements[i].MadeID = id, true
	s.insert(s.Text(id), i)
}

// numbered is the id was~n.
func (s *Snapshot) numbered(was Span, n int) Span {
	from := len(s.Made)
	raw := s.Raw(was)
	s.Made = append(s.Made, raw[:len(raw)-1]...)
	s.Made = append(s.Made, '~')
	s.Made = strconv.AppendInt(s.Made, int64(n), 10)
	s.Made = append(s.Made, '"')
	return s.MadeSince(from, was.Marked())
}

// Find is the first element that bears an id of the answer's own, or None.
func (s *Snapshot) Find(id []byte) int32 {
	if i := s.find(id); i != None && !s.Elements[i].MadeID {
		return i
	}
	return None
}

func (t *idTable) reset(n int) {
	if t.seed == (maphash.Seed{}) {
		t.seed = maphash.MakeSeed()
		t.salt = key{maphash.String(t.seed, "a"), maphash.String(t.seed, "b"), maphash.String(t.seed, "c")}
	}
	size := 16
	for size < 2*n+8 {
		size *= 2
	}
	if cap(t.slots) < size {
		t.slots = make([]uint32, size)
	}
	t.slots = t.slots[:size]
	clear(t.slots)
	t.n, t.index = 0, uint32(size-1)
}

// hash is a number that nobody who does not know the seed can make two ids share.
func (t *idTable) hash(id []byte) uint64 {
	if len(id) > maxKey {
		return maphash.Bytes(t.seed, id)
	}
	k := keyOf(id)
	high, low := bits.Mul64(k.a^t.salt.a, k.b^t.salt.b)
	high, low = bits.Mul64(high^low^t.salt.c, k.c^t.salt.a)
	return high ^ low
}

// place is where the search for an id begins, and what a slot of it holds beside
// its index.
func (t *idTable) place(id []byte) (at, tag uint32) {
	h := t.hash(id)
	return uint32(h) & t.index, uint32(h>>32) &^ t.index
}

func (s *Snapshot) find(id []byte) int32 {
	t := &s.ids
	for k, tag := t.place(id); t.slots[k] != 0; k = (k + 1) & t.index {
		if slot := t.slots[k]; slot&^t.index == tag {
			if i := int32(slot&t.index - 1); s.says(s.Elements[i].ID, id) {
				return i
			}
		}
	}
	return None
}

// insert puts an id in the table and answers its first bearer.
func (s *Snapshot) insert(id []byte, i int32) int32 {
	t := &s.ids
	for 2*(t.n+1) > len(t.slots) || uint32(i) >= t.index {
		s.grow()
	}
	k, tag := t.place(id)
	for ; t.slots[k] != 0; k = (k + 1) & t.index {
		if slot := t.slots[k]; slot&^t.index == tag {
			if j := int32(slot&t.index - 1); j != i && s.says(s.Elements[j].ID, id) {
				return j
			}
		}
	}
	t.slots[k] = tag | uint32(i+1)
	t.n++
	return i
}

// grow doubles the table, for ids that were made up.
func (s *Snapshot) grow() {
	t := &s.ids
	old, was := t.slots, t.index
	t.slots = make([]uint32, 2*len(old))
	t.index = uint32(len(t.slots) - 1)
	for _, slot := range old {
		if slot == 0 {
			continue
		}
		k, tag := t.place(jsontree.Unquote(s.Raw(s.Elements[slot&was-1].ID)))
		for t.slots[k] != 0 {
			k = (k + 1) & t.index
		}
		t.slots[k] = tag | slot&was
	}
}

// says compares a raw string with text, which may lie in s.scratch.
func (s *Snapshot) says(id Span, text []byte) bool {
	raw := s.Raw(id)
	if !id.Marked() {
		return bytes.Equal(jsontree.Inner(raw), text)
	}
	return bytes.Equal(jsontree.Unquote(raw), text)
}
