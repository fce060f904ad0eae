package jsontree

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
)

// nameSet holds the member names of all objects that are open, the innermost
// last, to tell when a name comes twice. An object of few members compares each
// new name with all before it, by their first eight bytes; one of many gets a
// hash table, seeded so that no input can be made to collide.
type nameSet struct {
	names   []name
	tables  []table // those in use first; objects end in the order of a stack
	used    int
	scratch []byte // the last name that had escapes, resolved
	other   []byte
	seed    maphash.Seed
}

type name struct {
	head uint64 // first bytes and length
	span Span   // with its quotes
}

// group is the part of a nameSet that belongs to one object.
type group struct {
	first uint32
	table int32  // from 1; 0 for none
	bits  uint64 // one for the head of each name: where it is not set, the name is new
}

// table is an open-addressing hash table of indexes into names, from 1.
type table struct {
	slots []uint32
	n     int
}

// few is how many names an object compares one by one.
const few = 16

func (s *nameSet) reset() {
	s.names = s.names[:0]
	s.used = 0
}

func (s *nameSet) open() group { return group{first: uint32(len(s.names))} }

func (s *nameSet) close(g group) {
	s.names = s.names[:g.first]
	if g.table > 0 {
		s.used = int(g.table) - 1
	}
}

// unescape resolves the escapes of a name. What it answers holds until the next
// call.
func (s *nameSet) unescape(inner []byte) []byte {
	s.scratch = appendUnescaped(s.scratch[:0], inner)
	return s.scratch
}

// fresh puts a name into g where it is seen at once that g has not got it and is
// small, and answers false otherwise.
func (s *nameSet) fresh(g *group, span Span, head uint64) bool {
	bit := uint64(1) << (head * 0x9E3779B97F4A7C15 >> 58)
	if g.bits&bit != 0 || len(s.names)-int(g.first) >= few {
		return false
	}
	g.bits |= bit
	s.names = append(s.names, name{head, span})
	return true
}

// add puts the name text, written at span in src, into g and answers false
// where g has it already. Head is that of the text.
func (s *nameSet) add(g *group, src []byte, span Span, text []byte, head uint64) bool {
	if s.fresh(g, span, head) {
		return true
	}
	if g.table == 0 {
		mine := s.names[g.first:]
		for i := range mine {
			if mine[i].head == head && s.same(src, mine[i].span, text) {
				return false
			}
		}
		s.names = append(s.names, name{head, span})
		if len(mine) == few {
			s.promote(g, src)
		}
		return true
	}
	t := &s.tables[g.table-1]
	if !s.find(t, src, head, text) {
		return false
	}
	s.names = append(s.names, name{head, span})
	s.put(t, text, uint32(len(s.names)))
	if t.n*2 > len(t.slots) {
		s.fill(t, g, src, len(t.slots)*2)
	}
	return true
}

// headOf is the first eight bytes of a name, or, of one with less, these and in
// the highest byte their number: names of less than eight bytes differ where their
// heads do.
func headOf(text []byte) uint64 {
	if len(text) >= 8 {
		return binary.LittleEndian.Uint64(text)
	}
	w := uint64(len(text)) << 56
	for i, c := range text {
		w |= uint64(c) << (8 * i)
	}
	return w
}

// shortHead is headOf the first n bytes of a word, fewer than eight.
func shortHead(w uint64, n int) uint64 { return w&shortMasks[n&7] | uint64(n)<<56 }

var shortMasks = [8]uint64{0, 1<<8 - 1, 1<<16 - 1, 1<<24 - 1, 1<<32 - 1, 1<<40 - 1, 1<<48 - 1, 1<<56 - 1}

// same compares a name in src with text.
func (s *nameSet) same(src []byte, span Span, text []byte) bool {
	inner := src[span.Off+1 : span.End()-1]
	if span.Marked() {
		s.other = appendUnescaped(s.other[:0], inner)
		inner = s.other
	}
	return bytes.Equal(inner, text)
}

// promote gives g a table.
func (s *nameSet) promote(g *group, src []byte) {
	if s.seed == (maphash.Seed{}) {
		s.seed = maphash.MakeSeed()
	}
	if s.used == len(s.tables) {
		s.tables = append(s.tables, table{})
	}
	s.used++
	g.table = int32(s.used)
	s.fill(&s.tables[s.used-1], g, src, few*4)
}

// fill makes t a table of so many slots with all names of g in it.
func (s *nameSet) fill(t *table, g *group, src []byte, slots int) {
	if cap(t.slots) < slots {
		t.slots = make([]uint32, slots)
	}
	t.slots = t.slots[:slots]
	clear(t.slots)
	t.n = 0
	for i := int(g.first); i < len(s.names); i++ {
		sp := s.names[i].span
		inner := src[sp.Off+1 : sp.End()-1]
		if sp.Marked() {
			s.other = appendUnescaped(s.other[:0], inner)
			inner = s.other
		}
		s.put(t, inner, uint32(i+1))
	}
}

func (s *nameSet) put(t *table, text []byte, index uint32) {
	mask := uint64(len(t.slots) - 1)
	i := maphash.Bytes(s.seed, text) & mask
	for t.slots[i] != 0 {
		i = (i + 1) & mask
	}
	t.slots[i] = index
	t.n++
}

// find answers false where t has text.
func (s *nameSet) find(t *table, src []byte, head uint64, text []byte) bool {
	mask := uint64(len(t.slots) - 1)
	for i := maphash.Bytes(s.seed, text) & mask; t.slots[i] != 0; i = (i + 1) & mask {
		n := s.names[t.slots[i]-1]
		if n.head == head && s.same(src, n.span, text) {
			return false
		}
	}
	return true
}
