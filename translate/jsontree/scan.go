package jsontree

import (
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

// quoteIn is how many bytes of a word come before its first quote: 8 where it has
// none.
func quoteIn(w uint64) int {
	quote := w ^ ones*'"'
	return bits.TrailingZeros64((quote-ones)&^quote&highs) >> 3
}

// str reads the string whose first byte after the quote is at i. It answers the
// offset after the closing quote, or -1 with the fault noted.
func (r *Reader) str(i int) (end int, escaped bool) {
	if n, escaped, ok := r.marks.ending(r.src, i); ok && load1(r.src, i+n) == '"' {
		return i + n + 1, escaped
	}
	return r.farStr(i)
}

// farStr is str where it is not seen at once.
func (r *Reader) farStr(i int) (end int, escaped bool) {
	if byBlocks {
		if end, escaped := r.marks.find(r.src, i); end > 0 {
			return end, escaped
		}
	}
	for src := r.src; i < len(src); {
		switch c := src[i]; {
		case c >= utf8.RuneSelf:
			if i = r.otherScript(i); i < 0 {
				return i, false
			}
		case c == '\\':
			escaped = true
			n := r.escape(i)
			if n == 0 {
				return -1, false
			}
			i += n
		case c == '"':
			return i + 1, escaped
		case c < 0x20:
			return r.fail(Syntax, i, "a control character in a string must be escaped"), false
		default:
			if i+8 <= len(src) {
				if m := stops(load8(src, i)); m != 0 {
					i += bits.TrailingZeros64(m) >> 3
					continue
				}
				i += 8
			}
			i = plainRun(src, i)
		}
	}
	return r.end("the input ended inside a string"), false
}

// otherScript passes over the characters beyond ASCII that begin at i, and answers
// -1, with the fault noted, where one is not UTF-8. Most of two or three bytes are
// seen to be whole at once: RFC 3629, section 4.
func (r *Reader) otherScript(i int) int {
	src := r.src
	for i+4 <= len(src) {
		w := load4(src, i)
		switch {
		case w&0xC0C0F0 == 0x8080E0 && w&0x200F != 0 && w&0x200F != 0x200D: // neither longer than need be nor a surrogate
			i += 3
		case w&0xC0E0 == 0x80C0 && w&0x1E != 0:
			i += 2
		case w&0x80 == 0:
			return i
		default:
			n := runeLen(src[i:])
			if n == 0 {
				r.notUTF8(i)
				return -1
			}
			i += n
		}
	}
	for i < len(src) && src[i] >= utf8.RuneSelf {
		n := runeLen(src[i:])
		if n == 0 {
			r.notUTF8(i)
			return -1
		}
		i += n
	}
	return i
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
		if i+6 <= len(src) && hexValue[src[i+2]]|hexValue[src[i+3]]|hexValue[src[i+4]]|hexValue[src[i+5]] >= 0 {
			return 6
		}
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

// scalar reads a number, true, false or null that begins at i, and answers the
// offset after it, or -1 with the fault noted.
func (r *Reader) scalar(i int) int {
	switch c := r.src[i]; {
	case c == '-' || c-'0' < 10:
		return r.number(i)
	case c == 't':
		return r.literal(i, "true")
	case c == 'f':
		return r.literal(i, "false")
	case c == 'n':
		return r.literal(i, "null")
	}
	return r.unexpected(i, "a value was expected")
}

func (r *Reader) literal(i int, word string) int {
	src := r.src[i:]
	if len(src) >= len(word) && string(src[:len(word)]) == word {
		return i + len(word)
	}
	for k := range len(word) {
		if k >= len(src) {
			return r.end("the input ended inside " + word)
		}
		if src[k] != word[k] {
			return r.unexpected(i, "a value was expected")
		}
	}
	return i + len(word)
}

func (r *Reader) number(i int) int {
	src := r.src
	if src[i] == '-' {
		i++
	}
	if i < len(src) && src[i] == '0' {
		i++
	} else if i = r.digits(i); i < 0 {
		return i
	}
	if i < len(src) && src[i] == '.' {
		if i = r.digits(i + 1); i < 0 {
			return i
		}
	}
	if i < len(src) && src[i]|0x20 == 'e' {
		i++
		if i < len(src) && (src[i] == '+' || src[i] == '-') {
			i++
		}
		return r.digits(i)
	}
	return i
}

// digits passes over at least one digit.
func (r *Reader) digits(i int) int {
	from := i
	for i < len(r.src) && r.src[i]-'0' < 10 {
		i++
	}
	switch {
	case i > from:
		return i
	case i == len(r.src):
		return r.end("the input ended inside a number")
	}
	return r.unexpected(i, "a digit was expected")
}

// utf8At reports whether a character begins at i.
func (r *Reader) utf8At(i int) bool {
	return r.src[i] < utf8.RuneSelf || runeLen(r.src[i:]) > 0
}
