package main

import (
	"fmt"
	"os"
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
	"golang.org/x/term"
)

// columns is how wide the terminal is that w writes to, or otherwise.
func columns(w any, otherwise int) int {
	if f, ok := w.(*os.File); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 20 {
			return n
		}
	}
	return otherwise
}

// plainASCII reports whether each byte of text is a character of one column.
func plainASCII(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] < ' ' || text[i] >= 0x7f {
			return false
		}
	}
	return true
}

// widthOf is how many columns text takes.
func widthOf(text string) int {
	if plainASCII(text) {
		return len(text)
	}
	return uniseg.StringWidth(text)
}

// shown is text for a line on a terminal: nothing in it moves the cursor, changes
// colours or turns the direction of what stands around it. Tabs and line ends
// become spaces. Where ascii is set, what is not ASCII is shown as an escape.
func shown(text string, ascii bool) string {
	if plainASCII(text) {
		return text
	}
	text = strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' {
			return ' '
		}
		return r
	}, text)
	if ascii {
		var b strings.Builder
		for _, r := range text {
			switch {
			case r >= ' ' && r < 0x7f:
				b.WriteRune(r)
			case r < 0x10000:
				fmt.Fprintf(&b, `\u%04x`, r)
			default:
				fmt.Fprintf(&b, `\U%08x`, r)
			}
		}
		return b.String()
	}
	return printableJoined(text)
}

// printableJoined is printable, but for what joins characters into one: emoji of
// several parts stay whole.
func printableJoined(text string) string {
	if !strings.ContainsAny(text, "\u200d\ufe0f\ufe0e") {
		return printable(text)
	}
	var b strings.Builder
	state := -1
	for len(text) > 0 {
		var cluster string
		cluster, text, _, state = uniseg.FirstGraphemeClusterInString(text, state)
		joined := strings.IndexFunc(cluster, func(r rune) bool {
			return r != '\u200d' && r != '\ufe0f' && r != '\ufe0e' && !unicode.IsPrint(r)
		}) < 0 && uniseg.StringWidth(cluster) > 0
		if joined {
			b.WriteString(cluster)
		} else {
			b.WriteString(printable(cluster))
		}
	}
	return b.String()
}

// clip cuts text to a number of columns, with an ellipsis where something went.
func clip(text string, most int, ascii bool) string {
	if len(text) <= most {
		return text
	}
	mark := "…"
	if ascii {
		mark = "..."
	}
	// what lies far behind need not be measured
	if text = text[:min(len(text), 64*most)]; plainASCII(text) {
		return text[:max(0, most-widthOf(mark))] + mark
	}
	if uniseg.StringWidth(text) <= most {
		return text
	}
	most -= widthOf(mark)
	used, at, rest, state := 0, 0, text, -1
	for len(rest) > 0 {
		var cluster string
		var w int
		cluster, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if used+w > most {
			break
		}
		used += w
		at += len(cluster)
	}
	return text[:at] + mark
}
