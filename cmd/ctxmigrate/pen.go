package main

import (
	"fmt"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// pen writes one line of a terminal, and stops where it is full. What it takes of
// a document is shown as it may stand there; see shown.
type pen struct {
	dst   []byte
	room  int // columns of the line
	ascii bool

	used int // columns that were written
	fits int // length of dst up to which there is room for the mark of a cut
	open int // isolates that are open
	over int // that are open at fits
	full bool
}

// begin begins a line behind what stands in dst.
func (p *pen) begin(dst []byte) {
	p.dst, p.used, p.fits, p.open, p.over, p.full = dst, 0, len(dst), 0, 0, false
}

// The mark of a cut.
const (
	cutMark      = "…"
	cutMarkASCII = "..."
)

func (p *pen) markWidth() int {
	if p.ascii {
		return len(cutMarkASCII)
	}
	return 1
}

// took counts columns of what was just written. Where they are too many, the line
// is cut.
func (p *pen) took(n int) {
	if p.used += n; p.used <= p.room-p.markWidth() {
		p.fits, p.over = len(p.dst), p.open
	} else if p.used > p.room {
		p.cut()
	}
}

// cut ends the line with a mark.
func (p *pen) cut() {
	p.dst, p.full = p.dst[:p.fits], true
	if p.ascii {
		p.dst = append(p.dst, cutMarkASCII...)
	} else {
		p.dst = append(p.dst, cutMark...)
	}
	for range p.over {
		p.dst = append(p.dst, isolateEnd...)
	}
}

// put writes text of ours, of one column a character.
func (p *pen) put(text string) {
	if p.full {
		return
	}
	p.dst = append(p.dst, text...)
	if len(text) > 3 && !plainASCII(text) || len(text) > 0 && text[0] >= utf8.RuneSelf {
		p.took(utf8.RuneCountInString(text))
		return
	}
	if p.used+len(text) > p.room-p.markWidth() {
		// byte by byte, so that a cut stands where the room ends
		p.dst = p.dst[:len(p.dst)-len(text)]
		for i := 0; i < len(text) && !p.full; i++ {
			p.dst = append(p.dst, text[i])
			p.took(1)
		}
		return
	}
	p.took(len(text))
}

// Characters that keep the direction of what stands between them from turning what
// stands around it.
const (
	isolateBegin = "\u2068"
	isolateEnd   = "\u2069"
)

// text writes text of a document.
func (p *pen) text(text []byte) {
	isolate := false
	if !p.ascii && !p.full {
		if isolate = turns(text[:min(len(text), 4*p.room)]); isolate {
			p.dst = append(p.dst, isolateBegin...)
			p.open++
		}
	}
	for len(text) > 0 && !p.full {
		n := plainRun(text)
		// of the last character of a run, what follows may be a part
		if n > 0 && n < len(text) && text[n] >= utf8.RuneSelf {
			n--
		}
		if n > 0 {
			text = p.run(text, n)
			continue
		}
		text = p.cluster(text)
	}
	if isolate && !p.full {
		fits := p.fits == len(p.dst)
		p.dst = append(p.dst, isolateEnd...)
		if p.open--; fits {
			p.fits, p.over = len(p.dst), p.open
		}
	}
}

// plainRun is how many bytes at the beginning are characters of one column each.
func plainRun(text []byte) int {
	for i, c := range text {
		if c < ' ' || c >= 0x7f {
			return i
		}
	}
	return len(text)
}

// run writes a plain run, as far as there is room.
func (p *pen) run(text []byte, n int) (rest []byte) {
	if safe := p.room - p.markWidth() - p.used; n > safe && safe > 0 {
		n = safe
	} else if safe <= 0 {
		n = 1
	}
	p.dst = append(p.dst, text[:n]...)
	p.took(n)
	return text[n:]
}

// cluster writes what a reader takes for one character.
func (p *pen) cluster(text []byte) (rest []byte) {
	if c := text[0]; c == '\t' || c == '\n' || c == '\r' {
		p.dst = append(p.dst, ' ')
		p.took(1)
		return text[1:]
	}
	if c := text[0]; c == 0xed && len(text) > 2 && text[1] >= 0xa0 { // half of a surrogate pair
		p.put(fmt.Sprintf(`\u%04x`, 0xd000|int(text[1]&0x3f)<<6|int(text[2]&0x3f)))
		return text[3:]
	}
	one, rest, width, _ := uniseg.FirstGraphemeCluster(text, -1)
	if p.ascii || !seen(one) {
		p.put(shown(string(one), p.ascii))
		return rest
	}
	p.dst = append(p.dst, one...)
	p.took(width)
	return rest
}

// seen reports whether a character is one that is seen, and does nothing else. What
// joins others may be in it.
func seen(one []byte) bool {
	if len(one) > 64 {
		return false // a heap of marks that would cover what stands around it
	}
	visible := false
	for len(one) > 0 {
		r, n := utf8.DecodeRune(one)
		switch {
		case r == utf8.RuneError && n <= 1:
			return false
		case r == '\u200d' || r == '\u200c' || r == '\ufe0f' || r == '\ufe0e':
		case !unicode.IsPrint(r):
			return false
		default:
			visible = true
		}
		one = one[n:]
	}
	return visible
}

// turns reports whether text may hold what is written from right to left. It is
// told by the first bytes of characters, and may be told too often.
func turns(text []byte) bool {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c < 0xd6:
		case c <= 0xdf:
			return true
		case i+1 == len(text):
		case c == 0xe0 && text[i+1] <= 0xa3, c == 0xef && text[i+1] >= 0xac && text[i+1] <= 0xbb,
			c == 0xf0 && (text[i+1] == 0x90 || text[i+1] == 0x9e):
			return true
		}
	}
	return false
}

// number writes a number.
func (p *pen) number(n int) {
	var digits [20]byte
	p.text(strconv.AppendInt(digits[:0], int64(n), 10))
}
