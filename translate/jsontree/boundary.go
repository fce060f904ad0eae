package jsontree

import (
	"encoding/binary"
	"math/bits"
)

// Boundary finds where a value ends by its brackets and strings alone, so that
// a document can be cut out of a stream before it is read. It checks nothing: of
// text that is no JSON it answers some end, but never one that lies before the
// first fault that a Reader would find. What is cut is still to be read.
//
// It may be given a value in pieces. The zero Boundary is ready for a value.
type Boundary struct {
	pos   int // what is before has been looked at
	depth int // of brackets that are open
	in    state
}

type state uint8

const (
	before state = iota // in the white space before the value
	word                // in a number, a literal, or what stands in place of one
	text                // in a string
	among               // in an object or array, outside strings
)

// Scan goes on over src, which begins with what the calls before were given, and
// answers the offset after the value. It answers false where the value does not
// end in src. What is neither object, array nor string ends with the white space
// behind it.
func (b *Boundary) Scan(src []byte) (end int, ok bool) {
	for b.pos < len(src) {
		switch b.in {
		case before:
			b.pos = skipSpace(src, b.pos)
			if b.pos == 0 && src[0] == 0xEF {
				if len(src) < 3 {
					return 0, false
				}
				if string(src[:3]) == "\ufeff" {
					b.pos = 3
					continue
				}
			}
			if b.pos < len(src) {
				b.begin(src[b.pos])
			}
		case word:
			for b.pos < len(src) {
				b.pos++
				if isSpace(src[b.pos-1]) {
					return b.pos, true
				}
			}
		case text:
			if !b.str(src) {
				return 0, false
			}
			if b.depth == 0 {
				return b.pos, true
			}
			b.in = among
		case among:
			if b.brackets(src) {
				return b.pos, true
			}
		}
	}
	return 0, false
}

// begin looks at the first byte of the value.
func (b *Boundary) begin(c byte) {
	b.pos++
	switch c {
	case '{', '[':
		b.in, b.depth = among, 1
	case '"':
		b.in = text
	default:
		b.in = word
	}
}

// str goes to the end of the string that pos is in. An escape that is cut is
// left for the next call.
func (b *Boundary) str(src []byte) bool {
	for i := b.pos; ; {
		for i+8 <= len(src) {
			w := binary.LittleEndian.Uint64(src[i:])
			if m := zeros(w^ones*'"') | zeros(w^ones*'\\'); m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				break
			}
			i += 8
		}
		b.pos = i
		if i == len(src) {
			return false
		}
		switch src[i] {
		case '"':
			b.pos++
			return true
		case '\\':
			if i++; i == len(src) {
				return false
			}
		}
		i++
	}
}

// brackets goes on outside strings until a string begins or the value ends.
func (b *Boundary) brackets(src []byte) (ended bool) {
	for i := b.pos; ; {
		for i+8 <= len(src) {
			w := binary.LittleEndian.Uint64(src[i:])
			folded := w | ones*0x20 // [ and ] become { and }
			if m := zeros(w^ones*'"') | zeros(folded^ones*'{') | zeros(folded^ones*'}'); m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				break
			}
			i += 8
		}
		if b.pos = i; i == len(src) {
			return false
		}
		i++
		switch src[i-1] {
		case '"':
			b.pos, b.in = i, text
			return false
		case '{', '[':
			b.depth++
		case '}', ']':
			if b.depth--; b.depth == 0 {
				b.pos = i
				return true
			}
		}
	}
}

// zeros marks with its high bit each byte that is zero. Bytes after the first of
// them may be marked falsely, so only the lowest mark counts.
func zeros(w uint64) uint64 { return (w - ones) &^ w & highs }

// StringEnd is the offset after the string that begins at i, in text that a
// Reader has passed.
func StringEnd(raw []byte, i int) int { return stringEnd(raw, i) }
