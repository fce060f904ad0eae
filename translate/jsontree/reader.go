package jsontree

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// DefaultMaxDepth is the depth of nesting that a Reader takes where none is
// named; the outermost value is level 1.
const DefaultMaxDepth = 10000

// Fault is the kind of thing that makes text unreadable.
type Fault uint8

// The faults. TooLarge is never found by a Reader that was given the whole
// document within MaxBytes; it serves the callers that gather documents.
const (
	Syntax Fault = iota
	Encoding
	DuplicateMember
	TooDeep
	TooLarge
)

// Error is the first fault of a document.
type Error struct {
	Fault  Fault
	Offset int    // of the byte at fault, from 0; the length of the text where it ended too early
	Msg    string // what is wrong, without place
	End    bool   // the text ended before the value did: more of it might mend the fault
}

func (e *Error) Error() string { return fmt.Sprintf("%s at byte %d", e.Msg, e.Offset) }

// Reader reads one document. The zero Reader is ready for Reset, and keeps its
// working memory from one document to the next.
type Reader struct {
	src      []byte
	pos      int
	maxDepth int
	deepest  int
	frames   []frame
	names    nameSet
	key      []byte // the name of the member that Next found, escapes resolved
	keySpan  Span   // the same as written, with its quotes
	watch    func(key []byte, kind Kind)
	watchAt  int // the depth at which it is called
	err      *Error
	fault    Error
}

// frame is one open object or array.
type frame struct {
	object bool
	begun  bool // a first entry has been seen
	group       // its names, where it is an object
}

// Reset begins the document src, of which the value may nest maxDepth levels
// deep (0 stands for DefaultMaxDepth). A byte order mark is passed over.
func (r *Reader) Reset(src []byte, maxDepth int) {
	if maxDepth == 0 {
		maxDepth = DefaultMaxDepth
	}
	r.src, r.pos, r.maxDepth, r.deepest = src, 0, maxDepth, 0
	r.frames = r.frames[:0]
	r.names.reset()
	r.err, r.key, r.keySpan, r.watch = nil, nil, Span{}, nil
	if len(src) > MaxBytes {
		r.fail(TooLarge, 0, "the document is larger than this reader takes")
		return
	}
	r.begin()
}

func (r *Reader) begin() {
	const mark = "\ufeff"
	src := r.src
	switch n := min(len(src), len(mark)); {
	case n == 0 || string(src[:n]) != mark[:n]:
		if wide(src) {
			r.fail(Encoding, 0, "this looks like UTF-16 or UTF-32; UTF-8 is wanted")
			return
		}
	case n < len(mark):
		r.fail(Encoding, 0, "the input ended inside a byte order mark")
		r.err.End = true
		return
	default:
		r.pos = n
	}
	r.space()
}

// wide reports whether text begins as UTF-16 or UTF-32 do, with a byte order
// mark or with the ASCII character that every JSON text begins with.
func wide(src []byte) bool {
	if len(src) < 2 {
		return false
	}
	switch a, b := src[0], src[1]; {
	case a == 0 && b == 0: // UTF-32, the high bytes first
		return len(src) >= 4 && (src[2] == 0 && src[3] != 0 || src[2] == 0xFE && src[3] == 0xFF)
	case a == 0xFF && b == 0xFE, a == 0xFE && b == 0xFF:
		return true
	default:
		return a == 0 || a < utf8.RuneSelf && b == 0
	}
}

// Err is the first fault, or nil.
func (r *Reader) Err() *Error { return r.err }

// Pos is the offset of the next byte to be read.
func (r *Reader) Pos() int { return r.pos }

// Deepest is the deepest level seen so far.
func (r *Reader) Deepest() int { return r.deepest }

// Depth is the number of containers that are open.
func (r *Reader) Depth() int { return len(r.frames) }

// Kind is the kind of the value that comes next, None where no value begins.
func (r *Reader) Kind() Kind {
	if r.err != nil || r.pos >= len(r.src) {
		return None
	}
	return kindOf[r.src[r.pos]]
}

// Key is the name of the member that Next found, its escapes resolved. It holds
// until the next call of any method.
func (r *Reader) Key() []byte { return r.key }

// KeySpan is the name of the member that Next found as it was written, with
// its quotes.
func (r *Reader) KeySpan() Span { return r.keySpan }

// Enter steps into the object or array that comes next.
func (r *Reader) Enter() bool {
	if r.err != nil {
		return false
	}
	return r.push(r.src[r.pos] == '{')
}

func (r *Reader) push(object bool) bool {
	if len(r.frames) >= r.maxDepth {
		return r.fail(TooDeep, r.pos, fmt.Sprintf("the document nests more than %d levels", r.maxDepth))
	}
	r.pos++
	r.frames = append(r.frames, frame{object: object, group: r.names.open()})
	if len(r.frames) > r.deepest {
		r.deepest = len(r.frames)
	}
	return true
}

func (r *Reader) pop() {
	r.pos++
	top := len(r.frames) - 1
	r.names.close(r.frames[top].group)
	r.frames = r.frames[:top]
}

// Next goes to the next member of the object that is open, and stands before
// its value. At the end of the object it closes it and answers false.
func (r *Reader) Next() bool {
	if r.err != nil {
		return false
	}
	f := &r.frames[len(r.frames)-1]
	c := r.space()
	if f.begun {
		switch c {
		case ',':
			r.pos++
			c = r.space()
		case '}':
			r.pop()
			return false
		default:
			return r.unexpected("a comma or } was expected")
		}
	} else {
		if c == '}' {
			r.pop()
			return false
		}
		f.begun = true
	}
	if c != '"' {
		return r.unexpected("a member name was expected")
	}
	return r.name()
}

// name reads a member name and its colon, and stands before the value.
func (r *Reader) name() bool {
	start := r.pos
	head, end := shortName(r.src, start+1)
	if end < 0 {
		var escaped bool
		if end, escaped = r.str(start + 1); end < 0 {
			return false
		}
		r.keySpan = MakeSpan(start, end-start, escaped)
		r.key = r.src[start+1 : end-1]
		if escaped {
			r.key = r.names.unescape(r.key)
		}
		head = headOf(r.key)
	} else {
		r.keySpan = MakeSpan(start, end-start, false)
		r.key = r.src[start+1 : end-1]
	}
	if !r.names.add(&r.frames[len(r.frames)-1].group, r.src, r.keySpan, r.key, head) {
		return r.fail(DuplicateMember, start, "the object has two members of this name")
	}
	r.pos = end
	if end < len(r.src) && r.src[end] == ':' {
		r.pos++
	} else if r.space() == ':' {
		r.pos++
	} else {
		return r.unexpected("a colon was expected")
	}
	r.space()
	return true
}

// More goes to the next entry of the array that is open, and stands before it.
// At the end of the array it closes it and answers false.
func (r *Reader) More() bool {
	if r.err != nil {
		return false
	}
	f := &r.frames[len(r.frames)-1]
	c := r.space()
	if !f.begun {
		if c == ']' {
			r.pop()
			return false
		}
		f.begun = true
		return true
	}
	switch c {
	case ',':
		r.pos++
		r.space()
		return true
	case ']':
		r.pop()
		return false
	}
	return r.unexpected("a comma or ] was expected")
}

// Skip passes over the value that comes next, checking it, and tells where it
// is.
func (r *Reader) Skip() Span {
	if r.err != nil {
		return Span{}
	}
	start, marked := r.pos, false
	if start >= len(r.src) {
		r.unexpected("a value was expected")
		return Span{}
	}
	switch c := r.src[start]; c {
	case '"':
		end, escaped := r.str(start + 1)
		if end < 0 {
			return Span{}
		}
		r.pos, marked = end, escaped
	case '{', '[':
		marked = r.container()
	default:
		r.scalar(c)
	}
	if r.err != nil {
		return Span{}
	}
	return MakeSpan(start, r.pos-start, marked)
}

// Watch is Skip for a value of which the names on its first level are wanted: it
// calls f at each, with what kind of value follows.
func (r *Reader) Watch(f func(key []byte, kind Kind)) Span {
	r.watch, r.watchAt = f, len(r.frames)+1
	sp := r.Skip()
	r.watch = nil
	return sp
}

// container passes over an object or array and tells whether there is white
// space between its tokens. It is a loop over the stack of frames: a value, then
// what comes after a value, with the names of objects in between.
func (r *Reader) container() (spaced bool) {
	base := len(r.frames)
	for {
		// a value begins at pos
		if r.pos >= len(r.src) {
			r.unexpected("a value was expected")
			return spaced
		}
		switch c := r.src[r.pos]; c {
		case '"':
			end, _ := r.str(r.pos + 1)
			if end < 0 {
				return spaced
			}
			r.pos = end
		case '{':
			if !r.push(true) {
				return spaced
			}
			if c, s := r.peek(); c != '}' {
				if c != '"' {
					r.unexpected("a member name was expected")
					return spaced
				}
				spaced = spaced || s
				if !r.nameSpaced(&spaced) {
					return spaced
				}
				continue
			} else {
				spaced = spaced || s
				r.pop()
			}
		case '[':
			if !r.push(false) {
				return spaced
			}
			c, s := r.peek()
			spaced = spaced || s
			if c != ']' {
				continue
			}
			r.pop()
		default:
			if !r.scalar(c) {
				return spaced
			}
		}
		// a value has ended at pos
		for len(r.frames) > base {
			c, s := r.peek()
			spaced = spaced || s
			object := r.frames[len(r.frames)-1].object
			if c == ',' {
				r.pos++
				c, s = r.peek()
				spaced = spaced || s
				if !object {
					break
				}
				if c != '"' {
					r.unexpected("a member name was expected")
					return spaced
				}
				if !r.nameSpaced(&spaced) {
					return spaced
				}
				break
			}
			if object && c == '}' || !object && c == ']' {
				r.pop()
				continue
			}
			if object {
				r.unexpected("a comma or } was expected")
			} else {
				r.unexpected("a comma or ] was expected")
			}
			return spaced
		}
		if len(r.frames) == base {
			return spaced
		}
	}
}

// nameSpaced is name, and notes white space around the colon.
func (r *Reader) nameSpaced(spaced *bool) bool {
	start := r.pos
	if !r.name() {
		return false
	}
	if r.pos != start+r.keySpan.Len()+1 {
		*spaced = true
	}
	if r.watch != nil && len(r.frames) == r.watchAt {
		r.watch(r.key, r.Kind())
	}
	return true
}

// Exit reads the rest of the container that is open, checking it.
func (r *Reader) Exit() {
	if r.err != nil {
		return
	}
	if r.frames[len(r.frames)-1].object {
		for r.Next() {
			r.Skip()
		}
	} else {
		for r.More() {
			r.Skip()
		}
	}
}

// End checks that nothing but white space follows the value.
func (r *Reader) End() bool {
	if r.err != nil {
		return false
	}
	if r.space(); r.pos < len(r.src) {
		if !r.utf8At(r.pos) {
			return r.fail(Encoding, r.pos, "these bytes are not UTF-8")
		}
		return r.fail(Syntax, r.pos, "there is something after the end of the value")
	}
	return true
}

// space passes over white space and answers the byte that follows, 0 at the end.
func (r *Reader) space() byte {
	for r.pos < len(r.src) {
		c := r.src[r.pos]
		if c > ' ' || c != ' ' && c != '\n' && c != '\r' && c != '\t' {
			return c
		}
		r.pos++
	}
	return 0
}

// peek is space, and tells whether there was any.
func (r *Reader) peek() (byte, bool) {
	if r.pos < len(r.src) {
		if c := r.src[r.pos]; c > ' ' {
			return c, false
		}
	}
	at := r.pos
	c := r.space()
	return c, r.pos > at
}

func (r *Reader) fail(f Fault, at int, msg string) bool {
	if r.err == nil {
		r.fault = Error{Fault: f, Offset: at, Msg: msg}
		r.err = &r.fault
	}
	return false
}

// end notes that the text ended too early.
func (r *Reader) end(msg string) bool {
	r.fail(Syntax, len(r.src), msg)
	r.err.End = true
	return false
}

// unexpected notes that what stands at pos cannot stand there.
func (r *Reader) unexpected(msg string) bool {
	if r.pos >= len(r.src) {
		return r.end("the input ended where " + msg[:len(msg)-len(" was expected")] + " was expected")
	}
	c := r.src[r.pos]
	switch {
	case !r.utf8At(r.pos):
		return r.fail(Encoding, r.pos, "these bytes are not UTF-8")
	case c == 0xEF && runeLen(r.src[r.pos:]) == 3 && string(r.src[r.pos:r.pos+3]) == "\ufeff":
		return r.fail(Syntax, r.pos, msg+", not a byte order mark")
	case strings.IndexByte("{}[],:\"'", c) >= 0: // and no byte that may belong to a text
		return r.fail(Syntax, r.pos, fmt.Sprintf("%s, not %q", msg, rune(c)))
	}
	return r.fail(Syntax, r.pos, msg)
}
