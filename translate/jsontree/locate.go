package jsontree

import (
	"bytes"
	"slices"
	"strconv"
)

// Place is where an offset lies in a document.
//
// Its Pointer is that of the innermost value there, or of the member whose name
// is there. White space, commas, colons and whatever stands where nothing may
// stand belong to the container around them. A text that ends inside a value
// ends in that value. A name that cannot be read names no member.
//
// Pointers are as long as places are deep, so that those of many deep places could
// be much more than the document. Once those of one call of Locate have come to
// sixteen times its length and a mebibyte, of longer ones only the end is given, after
// three dots.
type Place struct {
	Line, Column int // both from 1; columns count bytes
	Pointer      string
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
	w := walker{src: src, room: 16*len(src) + 1<<20}
	if bytes.HasPrefix(src, []byte("\ufeff")) {
		w.end = len("\ufeff")
	}
	line, lineStart, counted := 1, 0, 0
	for _, off := range offsets {
		off = min(off, len(src))
		w.to(off)
		line += bytes.Count(src[counted:off], []byte{'\n'})
		if k := bytes.LastIndexByte(src[counted:off], '\n'); k >= 0 {
			lineStart = counted + k + 1
		}
		counted = off
		places = append(places, Place{line, off - lineStart + 1, w.pointer()})
	}
	return places
}

// walker goes through a document token by token and knows where it is.
type walker struct {
	src    []byte
	end    int // after the last token; beyond the text where that was cut or out of place
	frames []step
	after  bool   // a value has just ended
	own    bool   // the last token belongs to the entry that is current, not to its container
	names  Reader // to see whether names can be read
	room   int    // for pointers that are given whole
}

// step is one open container and its current entry.
type step struct {
	object bool
	index  int    // of the current entry of an array, from 0; -1 before the first
	name   []byte // of the current member of an object; nil before it is known
	colon  bool   // it has followed the name
}

// to goes on until the last token is the one at off, or until off lies in the
// white space after it.
func (w *walker) to(off int) {
	for w.end <= off {
		i := skipSpace(w.src, w.end)
		if i > off || i == len(w.src) {
			w.end, w.own = off, false
			return
		}
		w.step(i)
	}
}

// step takes the token at i.
func (w *walker) step(i int) {
	var f *step
	top := len(w.frames) - 1
	if top >= 0 {
		f = &w.frames[top]
	}
	c := w.src[i]
	w.end, w.own = i+1, false
	switch c {
	case ',':
		w.after = false
		if f != nil {
			f.name, f.colon = nil, false
		}
		return
	case ':':
		if f != nil {
			f.colon = true
		}
		return
	case '}', ']':
		w.after = true
		if f != nil {
			w.frames, w.own = w.frames[:top], true
		}
		return
	}
	wantsName := f != nil && f.object && !f.colon
	if w.after || wantsName && (c != '"' || f.name != nil) {
		w.end = len(w.src) + 1
		return
	}
	w.own = true
	if wantsName {
		w.end = w.stringEnd(i)
		f.name = w.src[i:min(w.end, len(w.src))]
		return
	}
	if f != nil && !f.object {
		f.index++
	}
	switch c {
	case '{', '[':
		w.frames = append(w.frames, step{object: c == '{', index: -1})
		w.own = false
	case '"':
		w.end, w.after = w.stringEnd(i), true
	default:
		w.end, w.after = w.wordEnd(i), true
	}
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

// wordEnd is the end of the number, literal or mistake for one at i, which may
// be cut.
func (w *walker) wordEnd(i int) int {
	end := i + 1
	for end < len(w.src) && isWord(w.src[end]) {
		end++
	}
	if end == len(w.src) && w.src[end-1]-'0' >= 10 {
		switch string(w.src[i:end]) {
		case "true", "false", "null":
		default:
			end++
		}
	}
	return end
}

func isWord(c byte) bool {
	return c-'0' < 10 || c|0x20-'a' < 26 || c == '+' || c == '-' || c == '.' || c == '_'
}

func (w *walker) pointer() string {
	frames := w.frames
	if !w.own && len(frames) > 0 {
		frames = frames[:len(frames)-1]
	}
	var p []byte
	if w.room <= 0 {
		var cut bool
		if frames, cut = lastSteps(frames); cut {
			p = append(p, "..."...)
		}
	}
	for _, f := range frames {
		switch {
		case !f.object:
			p = append(p, '/')
			p = strconv.AppendInt(p, int64(f.index), 10)
		case w.readable(f.name):
			p = append(p, '/')
			p = appendPointerToken(p, Unquote(f.name))
		}
	}
	w.room -= len(p)
	return string(p)
}

// lastSteps are the last steps of a pointer that is not given whole, and whether
// there are others before them.
func lastSteps(frames []step) (last []step, cut bool) {
	const most = 200 // bytes
	k := len(frames)
	for size := 0; k > 0; k-- {
		if size += len("/") + max(len(frames[k-1].name), 10); size > most {
			break
		}
	}
	return frames[k:], k > 0
}

// readable reports whether a name, which may be cut, is as a Reader wants it.
func (w *walker) readable(name []byte) bool {
	w.names.src, w.names.err = name, nil
	end, _ := w.names.str(1)
	return end == len(name)
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
