package main

import (
	"bytes"
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"
)

// plainJSON spells what a terminal would obey, or what turns the direction of
// writing, as escapes in the JSON that stands in text from an offset on. It says the
// same then: such characters stand in strings alone.
func plainJSON(text []byte, from int) []byte {
	at := bytes.IndexFunc(text[from:], obeyed)
	if at < 0 {
		return text
	}
	rest := bytes.Clone(text[from+at:])
	text = text[:from+at]
	for len(rest) > 0 {
		r, n := utf8.DecodeRune(rest)
		switch {
		case !obeyed(r):
			text = append(text, rest[:n]...)
		case r > 0xffff:
			r -= 0x10000
			text = fmt.Appendf(text, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			text = fmt.Appendf(text, `\u%04x`, r)
		}
		rest = rest[n:]
	}
	return text
}

// obeyed reports whether a character does something in place of being shown. The
// ends of lines between values are none of these.
func obeyed(r rune) bool {
	return r >= 0x7f && r != utf8.RuneError && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// plainWriter passes JSON on so; each Write is of whole values.
type plainWriter struct{ w io.Writer }

func (p plainWriter) Write(b []byte) (int, error) {
	if _, err := p.w.Write(plainJSON(b[:len(b):len(b)], 0)); err != nil {
		return 0, err
	}
	return len(b), nil
}
