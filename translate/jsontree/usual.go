package jsontree

import "strings"

// Usual is a value that most values of a name look like but for one string in it,
// spelled without white space or with one space behind each colon and comma. What
// begins and ends so is read without a look at what it is made of.
type Usual struct {
	spelled [2]struct{ before, after string }
	levels  int // how deep it nests
}

// NewUsual makes it of the value without white space, in which "" stands for any
// string.
func NewUsual(value string) *Usual {
	var u Usual
	for i, spelled := range [...]string{value, strings.NewReplacer(":", ": ", ",", ", ").Replace(value)} {
		p := &u.spelled[i]
		p.before, p.after, _ = strings.Cut(spelled, `""`)
		p.before += `"`
	}
	u.levels = Levels([]byte(value))
	return &u
}

// usual is the offset after the value that begins at i, and whether it has white
// space between tokens, where it is a usual one: 0 where it is not, or not for
// certain, and -1 with the fault noted.
func (r *Reader) usual(u *Usual, i int) (end int, spaced bool) {
	src := r.src
	for k := range u.spelled {
		p := &u.spelled[k]
		at := i + len(p.before)
		if at+room >= len(src) || string(src[i:at]) != p.before || len(r.frames)+u.levels > r.maxDepth {
			continue
		}
		if n, _, ok := r.marks.ending(src, at); ok && load1(src, at+n) == '"' {
			at += n + 1
		} else if at, _ = r.farStr(at); at < 0 {
			return at, false
		}
		if len(src)-at < len(p.after) || string(src[at:at+len(p.after)]) != p.after {
			return 0, false
		}
		r.deepest = max(r.deepest, len(r.frames)+u.levels)
		return at + len(p.after), k > 0
	}
	return 0, false
}
