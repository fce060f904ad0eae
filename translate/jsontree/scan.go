package jsontree

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// stops marks with its high bit each of eight bytes at which a plain run of a
// string ends: a quote, a backslash, a control, or a byte beyond ASCII. Bytes
// after the first marked one may be marked falsely (a borrow runs upwards), so
// only the lowest mark counts.
func stops(w uint64) uint64 {
	quote := w ^ ones*'"'
	slash := w ^ ones*'\\'
	return ((quote-ones)&^quote | (slash-ones)&^slash | (w - ones*0x20) | w) & highs
}

// str reads the string whose first byte after the quote is at i. It answers the
// offset after the closing quote, or -1 with the fault noted.
func (r *Reader) str(i int) (end int, escaped bool) {
	src := r.src
	for {
		for i+8 <= len(src) {
			m := stops(binary.LittleEndian.Uint64(src[i:]))
			if m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				break
			}
			i += 8
		}
		if i >= len(src) {
			r.end("the input ended inside a string")
			return -1, false
		}
		switch c := src[i]; {
		case c == '"':
			return i + 1, escaped
		case c == '\\':
			escaped = true
			n := r.escape(i)
			if n == 0 {
				return -1, false
			}
			i += n
		case c < 0x20:
			r.fail(Syntax, i, "a control character in a string must be escaped")
			return -1, false
		case c < utf8.RuneSelf:
			i++ // the last bytes of the text, fewer than eight
		default:
			// text of another script mostly goes on as such
			for {
				n := runeLen(src[i:])
				if n == 0 {
					r.notUTF8(i)
					return -1, false
				}
				if i += n; i >= len(src) || src[i] < utf8.RuneSelf {
					break
				}
			}
		}
	}
}

// notUTF8 notes that the character at i is not UTF-8, or is cut.
func (r *Reader) notUTF8(i int) {
	if !utf8.FullRune(r.src[i:]) {
		r.fail(Encoding, i, "the input ended inside a character")
		r.err.End = true
		return
	}
	r.fail(Encoding, i, "these bytes are not UTF-8")
}

// runeLen is the length of the character beyond ASCII that b begins with, 0
// where it is not UTF-8: RFC 3629, section 4.
func runeLen(b []byte) int {
	const cont, mask = 0x80, 0xC0 // what marks a byte that continues a character
	switch c := b[0]; {
	case c < 0xC2 || len(b) < 2 || b[1]&mask != cont:
		return 0
	case c < 0xE0:
		return 2
	case len(b) < 3 || b[2]&mask != cont:
		return 0
	case c < 0xF0:
		if c == 0xE0 && b[1] < 0xA0 || c == 0xED && b[1] >= 0xA0 { // longer than need be; a surrogate
			return 0
		}
		return 3
	case c > 0xF4 || len(b) < 4 || b[3]&mask != cont || c == 0xF0 && b[1] < 0x90 || c == 0xF4 && b[1] >= 0x90:
		return 0
	}
	return 4
}

// escape checks the escape at i and answers its length, or 0 with the fault
// noted. A surrogate may stand alone.
func (r *Reader) escape(i int) int {
	src := r.src
	if i+1 >= len(src) {
		r.end("the input ended inside a string")
		return 0
	}
	switch src[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		for k := i + 2; k < i+6; k++ {
			if k >= len(src) {
				r.end("the input ended inside a string")
				return 0
			}
			if hexValue[src[k]] < 0 {
				if !r.utf8At(k) {
					r.fail(Encoding, k, "these bytes are not UTF-8")
					return 0
				}
				r.fail(Syntax, k, "four hexadecimal digits must follow \\u")
				return 0
			}
		}
		return 6
	}
	r.fail(Syntax, i, "there is no such escape")
	return 0
}

var hexValue = func() (t [256]int8) {
	for i := range t {
		t[i] = -1
	}
	for c := '0'; c <= '9'; c++ {
		t[c] = int8(c - '0')
	}
	for c := 'a'; c <= 'f'; c++ {
		t[c] = int8(c - 'a' + 10)
		t[c-'a'+'A'] = t[c]
	}
	return t
}()

// scalar reads a number, true, false or null; c is its first byte.
func (r *Reader) scalar(c byte) bool {
	switch {
	case c == '-' || c-'0' < 10:
		return r.number()
	case c == 't':
		return r.literal("true")
	case c == 'f':
		return r.literal("false")
	case c == 'n':
		return r.literal("null")
	}
	return r.unexpected("a value was expected")
}

func (r *Reader) literal(word string) bool {
	for k := range len(word) {
		if r.pos+k >= len(r.src) {
			return r.end("the input ended inside " + word)
		}
		if r.src[r.pos+k] != word[k] {
			return r.unexpected("a value was expected")
		}
	}
	r.pos += len(word)
	return true
}

func (r *Reader) number() bool {
	src, i := r.src, r.pos
	digits := func() bool {
		from := i
		for i < len(src) && src[i]-'0' < 10 {
			i++
		}
		if i > from {
			return true
		}
		r.pos = i
		if i == len(src) {
			return r.end("the input ended inside a number")
		}
		return r.unexpected("a digit was expected")
	}
	if src[i] == '-' {
		i++
	}
	if i < len(src) && src[i] == '0' {
		i++
	} else if !digits() {
		return false
	}
	if i < len(src) && src[i] == '.' {
		i++
		if !digits() {
			return false
		}
	}
	if i < len(src) && src[i]|0x20 == 'e' {
		i++
		if i < len(src) && (src[i] == '+' || src[i] == '-') {
			i++
		}
		if !digits() {
			return false
		}
	}
	r.pos = i
	return true
}

// utf8At reports whether a character begins at i.
func (r *Reader) utf8At(i int) bool {
	return r.src[i] < utf8.RuneSelf || runeLen(r.src[i:]) > 0
}
