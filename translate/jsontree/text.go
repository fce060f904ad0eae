package jsontree

import (
	"bytes"
	"math/bits"
	"strings"
	"unicode/utf8"
)

// Inner is what stands between the quotes of a raw string.
func Inner(raw []byte) []byte { return raw[1 : len(raw)-1] }

// AppendUnquoted appends the code points of a raw string as UTF-8. A surrogate
// that stands alone, which UTF-8 has no place for, is written in the three bytes
// that it would have there.
func AppendUnquoted(dst, raw []byte) []byte { return appendUnescaped(dst, Inner(raw)) }

// Unquote is the text of a raw string: its inner bytes themselves where it has
// no escape.
func Unquote(raw []byte) []byte {
	inner := Inner(raw)
	if bytes.IndexByte(inner, '\\') < 0 {
		return inner
	}
	return appendUnescaped(make([]byte, 0, len(inner)), inner)
}

func appendUnescaped(dst, s []byte) []byte {
	for {
		i := bytes.IndexByte(s, '\\')
		if i < 0 {
			return append(dst, s...)
		}
		dst = append(dst, s[:i]...)
		c := s[i+1]
		s = s[i+2:]
		switch c {
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		case 'u':
			u := hex4(s)
			s = s[4:]
			if u>>10 == 0xD800>>10 && len(s) >= 6 && s[0] == '\\' && s[1] == 'u' {
				if low := hex4(s[2:]); low>>10 == 0xDC00>>10 {
					u = 0x10000 + (u&0x3FF)<<10 + low&0x3FF
					s = s[6:]
				}
			}
			dst = appendCodePoint(dst, u)
			continue
		}
		dst = append(dst, c)
	}
}

func appendCodePoint(dst []byte, u rune) []byte {
	if u>>11 == 0xD800>>11 {
		return append(dst, 0xED, 0x80|byte(u>>6)&0x3F, 0x80|byte(u)&0x3F)
	}
	return utf8.AppendRune(dst, u)
}

func hex4(s []byte) rune {
	return rune(hexValue[s[0]])<<12 | rune(hexValue[s[1]])<<8 | rune(hexValue[s[2]])<<4 | rune(hexValue[s[3]])
}

// AppendQuoted appends text as a JSON string: only the quote, the backslash and
// the controls are escaped. Text is UTF-8, but for lone surrogates in the form
// that AppendUnquoted gives them, which become escapes again.
func AppendQuoted(dst, text []byte) []byte {
	dst = append(dst, '"')
	dst = AppendEscaped(dst, text)
	return append(dst, '"')
}

// AppendEscaped is AppendQuoted without the quotes.
func AppendEscaped(dst, text []byte) []byte {
	const digits = "0123456789abcdef"
	from := 0
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == 0xED && i+2 < len(text) && text[i+1] >= 0xA0:
			u := 0xD000 | rune(text[i+1]&0x3F)<<6 | rune(text[i+2]&0x3F)
			dst = append(dst, text[from:i]...)
			dst = append(dst, '\\', 'u', 'd', digits[u>>8&15], digits[u>>4&15], digits[u&15])
			i += 3
			from = i
			continue
		case c >= 0x20 && c != '"' && c != '\\':
			i++
			continue
		}
		dst = append(dst, text[from:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\f':
			dst = append(dst, '\\', 'f')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		}
		i++
		from = i
	}
	return append(dst, text[from:]...)
}

// EqualText reports whether a raw string says text.
func EqualText(raw []byte, text string) bool {
	if len(raw) == 0 || raw[0] != '"' {
		return false
	}
	inner := Inner(raw)
	if len(inner) <= len(text) { // an escape is longer than what it says
		return string(inner) == text && strings.IndexByte(text, '\\') < 0
	}
	return bytes.IndexByte(inner, '\\') >= 0 && string(appendUnescaped(nil, inner)) == text
}

// EqualStrings reports whether two raw strings say the same.
func EqualStrings(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	if bytes.IndexByte(a, '\\') < 0 && bytes.IndexByte(b, '\\') < 0 {
		return false
	}
	return bytes.Equal(Unquote(a), Unquote(b))
}

// Behind is how many bytes the memory of a raw value must go on behind it for
// AppendCompact to take its fastest way.
const Behind = 128

// AppendCompact appends a raw value without the white space between its tokens. It
// may use the room that dst has beyond what it appends.
func AppendCompact(dst, raw []byte) []byte {
	if dst, ok := compactFast(dst, raw); ok {
		return dst
	}
	for len(raw) > 0 {
		n := tokenRun(raw)
		dst = append(dst, raw[:n]...)
		raw = raw[n:]
		for len(raw) > 0 && isSpace(raw[0]) {
			raw = raw[1:]
		}
	}
	return dst
}

// tokenRun is the length of the text up to white space outside strings.
func tokenRun(raw []byte) int {
	i := 0
	for i < len(raw) {
		c := raw[i]
		if c == '"' {
			i = stringEnd(raw, i)
			continue
		}
		if isSpace(c) {
			return i
		}
		i++
	}
	return i
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// stringEnd is the offset after the string that begins at i.
func stringEnd(raw []byte, i int) int {
	i++
	if i+8 <= len(raw) { // many are names and words
		w := load8(raw, i)
		quote, slash := w^ones*'"', w^ones*'\\'
		if m := ((quote-ones)&^quote | (slash-ones)&^slash) & highs; m == 0 {
			i += 8
		} else if i += bits.TrailingZeros64(m) >> 3; raw[i] == '"' {
			return i + 1
		}
	}
	// The next quote ends it, unless an odd number of backslashes stands before it.
	for from := i; ; {
		i += bytes.IndexByte(raw[i:], '"')
		k := i
		for k > from && raw[k-1] == '\\' {
			k--
		}
		i++
		if (i-k)&1 != 0 {
			return i
		}
	}
}

// valueEnd is the offset after the value that begins at i.
func valueEnd(raw []byte, i int) int {
	switch raw[i] {
	case '"':
		return stringEnd(raw, i)
	case '{', '[':
		depth := 0
		for {
			switch raw[i] {
			case '"':
				i = stringEnd(raw, i)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
			i++
		}
	}
	for i < len(raw) && raw[i] != ',' && raw[i] != '}' && raw[i] != ']' && raw[i] > ' ' {
		i++
	}
	return i
}

func skipSpace(raw []byte, i int) int {
	for i < len(raw) && isSpace(raw[i]) {
		i++
	}
	return i
}

// Members calls f with each member of a raw object, name and value as written,
// until f answers false. It is for text that a Reader has passed.
func Members(object []byte, f func(name, value []byte) bool) {
	MembersAt(object, func(name, nameEnd, value, valueEnd int) bool {
		return f(object[name:nameEnd], object[value:valueEnd])
	})
}

// MembersAt is Members that tells where names and values begin and end.
func MembersAt(object []byte, f func(name, nameEnd, value, valueEnd int) bool) {
	i := skipSpace(object, 1)
	for object[i] != '}' {
		nameEnd := stringEnd(object, i)
		value := skipSpace(object, skipSpace(object, nameEnd)+1)
		end := valueEnd(object, value)
		if !f(i, nameEnd, value, end) {
			return
		}
		if i = skipSpace(object, end); object[i] == ',' {
			i = skipSpace(object, i+1)
		}
	}
}

// Entries calls f with each entry of a raw array until f answers false. It is
// for text that a Reader has passed.
func Entries(array []byte, f func(value []byte) bool) {
	i := skipSpace(array, 1)
	for array[i] != ']' {
		end := valueEnd(array, i)
		if !f(array[i:end]) {
			return
		}
		if i = skipSpace(array, end); array[i] == ',' {
			i = skipSpace(array, i+1)
		}
	}
}

// Member is the value of the member of that name in a raw object, nil where
// there is none or raw is no object.
func Member(object []byte, name string) (value []byte) {
	if KindOf(object) != Object {
		return nil
	}
	Members(object, func(n, v []byte) bool {
		if EqualText(n, name) {
			value = v
			return false
		}
		return true
	})
	return value
}

// Levels is the number of levels that a raw value nests: 0 for a scalar, 1 for
// an object or array of scalars.
func Levels(raw []byte) int {
	depth, deepest := 0, 0
	for i := 0; i < len(raw); {
		switch raw[i] {
		case '"':
			i = stringEnd(raw, i)
			continue
		case '{', '[':
			if depth++; depth > deepest {
				deepest = depth
			}
		case '}', ']':
			depth--
		}
		i++
	}
	return deepest
}

// Tokens calls f with each token of a raw value that carries meaning: strings,
// numbers, words, brackets, colons and commas. It is for text that a Reader has
// passed.
func Tokens(raw []byte, f func(token []byte)) {
	for i := 0; i < len(raw); {
		c := raw[i]
		end := i + 1
		switch {
		case isSpace(c):
			i++
			continue
		case c == '"':
			end = stringEnd(raw, i)
		case kindOf[c] == Number || kindOf[c] == Bool || kindOf[c] == Null:
			end = valueEnd(raw, i)
		}
		f(raw[i:end])
		i = end
	}
}
