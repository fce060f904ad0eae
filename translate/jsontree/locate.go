package jsontree

import (
	"bytes"
	"slices"
	"strconv"
)

// Place is where an offset lies in a document.
type Place struct {
	Line, Column int    // both from 1; columns count bytes
	Pointer      string // of the innermost value there, or of the member whose name is there
}

// LineColumn tells the line and the column, both from 1, of an offset.
func LineColumn(src []byte, offset int) (line, column int) {
	before := src[:min(offset, len(src))]
	return 1 + bytes.Count(before, []byte{'\n'}), len(before) - bytes.LastIndexByte(before, '\n')
}

// Locate tells the places of offsets, which are in rising order, in one pass
// over a document that is well formed at least up to the last of them.
func Locate(src []byte, offsets []int) []Place {
	places := make([]Place, 0, len(offsets))
	w := walker{src: src}
	line, lineStart, counted := 1, 0, 0
	for _, off := range offsets {
		off = min(off, len(src))
		for w.end <= off && w.step() {
		}
		line += bytes.Count(src[counted:off], []byte{'\n'})
		if k := bytes.LastIndexByte(src[counted:off], '\n'); k >= 0 {
			lineStart = counted + k + 1
		}
		counted = off
		places = append(places, Place{line, off - lineStart + 1, w.pointer()})
	}
	return places
}

// PointerAt is the JSON Pointer of the innermost value at an offset.
func PointerAt(src []byte, offset int) string { return Locate(src, []int{offset})[0].Pointer }

// walker goes through a document token by token and knows where it is.
type walker struct {
	src    []byte
	end    int // after the last token
	frames []step
	after  bool // a value has just ended
	own    bool // the last token belongs to the entry that is current, not to its container
}

// step is one open container and its current entry.
type step struct {
	object bool
	index  int // of the current entry, from 0; -1 before the first
	name   []byte
	colon  bool
}

// step takes the next token and answers false where there is none.
func (w *walker) step() bool {
	i := skipSpace(w.src, w.end)
	if w.end == 0 && bytes.HasPrefix(w.src, []byte("\ufeff")) {
		i = skipSpace(w.src, 3)
	}
	if i >= len(w.src) {
		w.own = false
		w.end = len(w.src) + 1
		return false
	}
	top := len(w.frames) - 1
	w.own = false
	switch c := w.src[i]; c {
	case ',':
		w.end, w.after = i+1, false
		if top >= 0 {
			w.frames[top].colon = false
		}
		return true
	case ':':
		w.end, w.own = i+1, true
		if top >= 0 {
			w.frames[top].colon = true
		}
		return true
	case '}', ']':
		w.end, w.after = i+1, true
		if top >= 0 {
			w.frames = w.frames[:top]
			w.own = true
		}
		return true
	}
	if w.after { // a value where none may stand: it belongs to the container
		w.end = len(w.src) + 1
		return true
	}
	w.own = true
	if top >= 0 && w.frames[top].object && !w.frames[top].colon {
		if w.src[i] != '"' {
			w.own = false
			w.end = len(w.src) + 1
			return true
		}
		w.end = w.stringEnd(i)
		w.frames[top].name = w.src[i:w.end]
		w.frames[top].index++
		return true
	}
	if top >= 0 && !w.frames[top].object {
		w.frames[top].index++
	}
	switch w.src[i] {
	case '{', '[':
		w.frames = append(w.frames, step{object: w.src[i] == '{', index: -1})
		w.end, w.own = i+1, false
	case '"':
		w.end, w.after = w.stringEnd(i), true
	default:
		w.end, w.after = max(valueEnd(w.src, i), i+1), true
	}
	return true
}

// stringEnd is the end of the string at i, which may be cut.
func (w *walker) stringEnd(i int) int {
	for i++; i < len(w.src); i++ {
		switch w.src[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
	}
	return len(w.src) + 1
}

func (w *walker) pointer() string {
	var p []byte
	for k, f := range w.frames {
		if k == len(w.frames)-1 && !w.own {
			break
		}
		if f.index < 0 {
			break
		}
		p = append(p, '/')
		if !f.object {
			p = strconv.AppendInt(p, int64(f.index), 10)
			continue
		}
		if len(f.name) >= 2 && f.name[len(f.name)-1] == '"' {
			p = appendPointerToken(p, Unquote(f.name))
		}
	}
	return string(p)
}

func appendPointerToken(p, name []byte) []byte {
	for _, c := range name {
		switch c {
		case '~':
			p = append(p, '~', '0')
		case '/':
			p = append(p, '~', '1')
		default:
			p = append(p, c)
		}
	}
	return p
}

// SortedPlaces is Locate for offsets in any order: the places answer them one
// by one.
func SortedPlaces(src []byte, offsets []int) []Place {
	order := make([]int, len(offsets))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return offsets[a] - offsets[b] })
	sorted := make([]int, len(offsets))
	for k, i := range order {
		sorted[k] = offsets[i]
	}
	places := make([]Place, len(offsets))
	for k, p := range Locate(src, sorted) {
		places[order[k]] = p
	}
	return places
}
