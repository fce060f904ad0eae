package main

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"ctxmigrate/translate"
)

// excerpt is the part of a line of a document around a place, and a line below it
// that points there. It is bounded whatever the length of the line: about half of
// the width stands before the place. What is masked is shown as dots.
type excerpt struct {
	width  int
	masked []translate.Masked // in rising order
}

const dot = "•"

// append appends both lines, each indented.
func (x *excerpt) append(dst, doc []byte, at int) []byte {
	at = min(at, len(doc))
	left, cut := x.before(doc, at)
	if cut {
		left = "…" + left
	}
	left = strings.TrimLeft(left, " ")
	indent := widthOf(left)
	after := x.after(doc, at)
	n := pointed(after)
	if n > 0 { // what is masked is pointed at as one thing
		if masked, more := x.run(at+n-1, len(after)-n+1); masked {
			n += more - 1
		}
	}
	here := x.piece(after[:n], at)
	right := clip(here+x.piece(after[n:], at+n), max(8, x.width-indent), false)
	mark := "^"
	if w := min(widthOf(here), widthOf(right)); w > 1 {
		mark += strings.Repeat("~", w-1)
	}
	dst = append(append(append(dst, "    "...), left...), strings.TrimRight(right, " ")...)
	dst = append(append(dst, "\n    "...), strings.Repeat(" ", indent)...)
	return append(append(dst, mark...), '\n')
}

// before is what stands on the line before a place, as it is shown: at most half of
// the width, and whether something was cut.
func (x *excerpt) before(doc []byte, at int) (left string, cut bool) {
	// a line of plain characters needs no more bytes than columns
	from := max(0, at-x.width/2-1)
	if n := plainRun(doc[from:at]); n < at-from {
		from = max(0, at-4*x.width)
	}
	line := doc[from:at]
	if k := bytes.LastIndexByte(line, '\n'); k >= 0 {
		line = line[k+1:]
	}
	cut = len(line) < at && doc[at-len(line)-1] != '\n'
	for len(line) > 0 && !utf8.RuneStart(line[0]) {
		line = line[1:]
	}
	left = x.piece(line, at-len(line))
	if widthOf(left) > x.width/2 {
		left, cut = tail(left, x.width/2-1), true
	}
	return left, cut
}

// after is what of the line stands from a place on, as far as it can be seen.
func (x *excerpt) after(doc []byte, at int) []byte {
	line := doc[at:min(len(doc), at+x.width+1)]
	if plainRun(line) < len(line) {
		line = doc[at:min(len(doc), at+4*x.width)]
	}
	if k := bytes.IndexByte(line, '\n'); k >= 0 {
		line = line[:k]
	}
	return line
}

// piece is a part of the document as it is shown; from is where it lies.
func (x *excerpt) piece(part []byte, from int) string {
	var b strings.Builder
	for len(part) > 0 {
		masked, n := x.run(from, len(part))
		if masked {
			b.WriteString(dot + dot + dot)
		} else {
			b.WriteString(shown(string(part[:n]), false))
		}
		part, from = part[n:], from+n
	}
	return b.String()
}

// run tells whether what lies at from is masked, and for how many bytes of most
// that holds.
func (x *excerpt) run(from, most int) (masked bool, n int) {
	lo, hi := 0, len(x.masked)
	for lo < hi { // the first that ends after from
		mid := (lo + hi) / 2
		if x.masked[mid].To > from {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	if lo == len(x.masked) {
		return false, most
	}
	if m := x.masked[lo]; m.From <= from {
		return true, min(most, m.To-from)
	}
	return false, min(most, x.masked[lo].From-from)
}

// pointed is the length of the token that a place points at.
func pointed(after []byte) int {
	if len(after) == 0 {
		return 0
	}
	switch c := after[0]; {
	case c == '"':
		for i := 1; i < len(after); i++ {
			switch after[i] {
			case '\\':
				i++
			case '"':
				return i + 1
			}
		}
		return len(after)
	case strings.IndexByte("{}[],: \t", c) >= 0:
		return 1
	}
	if k := bytes.IndexAny(after, `{}[],:" `+"\t"); k > 0 {
		return k
	}
	return len(after)
}

// tail is the end of text, of so many columns.
func tail(text string, most int) string {
	w := widthOf(text)
	if w == len(text) && plainASCII(text) {
		return text[max(0, w-most):]
	}
	state := -1
	for w > most && len(text) > 0 {
		var n int
		_, text, n, state = uniseg.FirstGraphemeClusterInString(text, state)
		w -= n
	}
	return text
}
