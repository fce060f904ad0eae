package main

import (
	"fmt"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"
)

// printable is text as it may stand in a line on a terminal: what would move the
// cursor, change colours or turn the direction of writing is shown as an escape.
func printable(s string) string {
	plain := func(r rune) bool { return r != utf8.RuneError && (unicode.IsPrint(r) || r == '\t') }
	if utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case plain(r):
			b.WriteString(s[:n])
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		s = s[n:]
	}
	return b.String()
}

// colours reports whether messages may be coloured.
func (s streams) colours() bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && terminal(s.stderr)
}
