package jsontree

import (
	"fmt"
	"slices"
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
	keySpan  Span // the name of the member that Next found, with its quotes
	twice    bool // objects may have two members of one name
	watch    func(key []byte, kind Kind)
	watchAt  int // the depth at which it is called
	err      *Error
	fault    Error
	marks    marks
}

// frame is one open object or array.
type frame struct {
	object bool
	begun  bool   // a first entry has been seen
	seen   uint32 // names of a vocabulary, by number
	group         // the other names, where it is an object
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
	r.err, r.keySpan, r.watch, r.twice = nil, Span{}, nil, false
	r.marks.reset()
	if len(src) > MaxBytes {
		r.fail(TooLarge, 0, "the document is larger than this reader takes")
		return
	}
	r.begin()
}

// AllowTwice lets the objects of this document have two members of one name: it is
// JSON for whoever does not need to know which of them counts.
func (r *Reader) AllowTwice() { r.twice = true }

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
	r.pos = r.space(r.pos)
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
func (r *Reader) Key() []byte {
	inner := r.src[r.keySpan.Off+1 : r.keySpan.End()-1]
	if r.keySpan.Marked() {
		return r.names.unescape(inner)
	}
	return inner
}

// KeySpan is the name of the member that Next found as it was written, with
// its quotes.
func (r *Reader) KeySpan() Span { return r.keySpan }

// Enter steps into the object or array that comes next.
func (r *Reader) Enter() bool {
	if r.err != nil || !r.push(r.pos) {
		return false
	}
	r.pos++
	return true
}

// push opens the container that begins at i.
func (r *Reader) push(i int) bool {
	n := len(r.frames)
	if (n == cap(r.frames) || n >= r.maxDepth) && !r.deepen(i) {
		return false
	}
	r.frames = r.frames[:n+1]
	f := &r.frames[n]
	f.object, f.begun, f.seen, f.group = r.src[i] == '{', false, 0, r.names.open()
	r.deepest = max(r.deepest, n+1) // without a branch, which would not be predicted
	return true
}

// deepen makes room for one more open container, where that is not too many.
func (r *Reader) deepen(i int) bool {
	if len(r.frames) >= r.maxDepth {
		r.fail(TooDeep, i, fmt.Sprintf("the document nests more than %d levels", r.maxDepth))
		return false
	}
	r.frames = slices.Grow(r.frames, 16)
	return true
}

// pop closes the container that is open.
func (r *Reader) pop() {
	top := len(r.frames) - 1
	r.names.close(r.frames[top].group)
	r.frames = r.frames[:top]
}

// Next goes to the next member of the object that is open, and stands before
// its value. At the end of the object it closes it and answers false.
func (r *Reader) Next() bool {
	i := r.toName()
	if i < 0 {
		return false
	}
	end := r.name(i)
	return end >= 0 && r.toValue(end)
}

// Other is what NextOf answers of a name that is not in the vocabulary.
const Other = -1

// NextOf is Next that knows what the name may be: it answers the number of the
// name in v, Other, or 0 at the end. An object is read with one vocabulary from
// its first member on, or with none.
func (r *Reader) NextOf(v *Vocabulary) int {
	i := r.toName()
	if i < 0 {
		return 0
	}
	end, escaped := r.str(i + 1)
	if end < 0 {
		return 0
	}
	r.keySpan = MakeSpan(i, end-i, escaped)
	number := v.find(r.Key())
	f := &r.frames[len(r.frames)-1]
	switch {
	case number == 0:
		if number = Other; r.name(i) < 0 {
			return 0
		}
	case f.seen>>number&1 != 0 && !r.twice:
		r.fail(DuplicateMember, i, twice)
		return 0
	default:
		f.seen |= 1 << number
	}
	if !r.toValue(end) {
		return 0
	}
	return number
}

// toName goes on to the name of the next member of the object that is open. At
// the end of the object, and where there is no name, it answers -1.
func (r *Reader) toName() int {
	if r.err != nil {
		return -1
	}
	f := &r.frames[len(r.frames)-1]
	i, c := r.token(r.pos)
	if c == '}' {
		r.pop()
		r.pos = i + 1
		return -1
	}
	if f.begun {
		if c != ',' {
			return r.unexpected(i, "a comma or } was expected")
		}
		i, c = r.token(i + 1)
	}
	f.begun = true
	if c != '"' {
		return r.unexpected(i, "a member name was expected")
	}
	return i
}

// toValue goes from the end of a name to the value.
func (r *Reader) toValue(i int) bool {
	i, c := r.token(i)
	if c != ':' {
		r.unexpected(i, "a colon was expected")
		return false
	}
	r.pos, _ = r.token(i + 1)
	return true
}

const twice = "the object has two members of this name"

// name reads the member name at i and answers the offset after it, or -1 with
// the fault noted.
func (r *Reader) name(i int) int {
	end, escaped := r.str(i + 1)
	if end < 0 {
		return end
	}
	r.keySpan = MakeSpan(i, end-i, escaped)
	if key := r.Key(); !r.names.add(&r.frames[len(r.frames)-1].group, r.src, r.keySpan, key, headOf(key)) && !r.twice {
		return r.fail(DuplicateMember, i, twice)
	}
	return end
}

// More goes to the next entry of the array that is open, and stands before it.
// At the end of the array it closes it and answers false.
func (r *Reader) More() bool {
	if r.err != nil {
		return false
	}
	f := &r.frames[len(r.frames)-1]
	if src, i := r.src, r.pos; f.begun && i+2 < len(src) && src[i] == ',' {
		// mostly there is at most one space behind a comma
		if src[i+1] > ' ' {
			r.pos = i + 1
			return true
		} else if src[i+1] == ' ' && src[i+2] > ' ' {
			r.pos = i + 2
			return true
		}
	}
	i, c := r.token(r.pos)
	switch {
	case c == ']' && i < len(r.src):
		r.pop()
		r.pos = i + 1
		return false
	case !f.begun:
		f.begun = true
	case c == ',':
		i, _ = r.token(i + 1)
	default:
		r.unexpected(i, "a comma or ] was expected")
		return false
	}
	r.pos = i
	return true
}

// Skip passes over the value that comes next, checking it, and tells where it
// is.
func (r *Reader) Skip() Span {
	if r.err != nil {
		return Span{}
	}
	start, end, marked := r.pos, 0, false
	if start >= len(r.src) {
		r.unexpected(start, "a value was expected")
		return Span{}
	}
	switch r.src[start] {
	case '"':
		end, marked = r.str(start + 1)
	case '{', '[':
		end, marked = r.container(start)
	default:
		end = r.scalar(start)
	}
	if end < 0 {
		return Span{}
	}
	r.pos = end
	return MakeSpan(start, end-start, marked)
}

// Watch is Skip for a value of which the names on its first level are wanted: it
// calls f at each, with what kind of value follows.
func (r *Reader) Watch(f func(key []byte, kind Kind)) Span {
	r.watch, r.watchAt = f, len(r.frames)+1
	sp := r.Skip()
	r.watch = nil
	return sp
}

// container passes over the object or array that begins at i. It answers the
// offset after it, or -1 with the fault noted, and whether there is white space
// between its tokens. It is a loop over the stack of frames: a value, then what
// comes after a value, with the names of objects in between.
func (r *Reader) container(i int) (end int, spaced bool) {
	src, base := r.src, len(r.frames)
	object := false // the innermost container is one
	for {
		// a value begins at i
		if i >= len(src) {
			return r.unexpected(i, "a value was expected"), spaced
		}
		opened := false
		switch c := src[i]; c {
		case '"':
			if n, _, ok := r.marks.ending(src, i+1); ok && load1(src, i+1+n) == '"' {
				i += n + 2
			} else if i, _ = r.farStr(i + 1); i < 0 {
				return i, spaced
			}
		case '{', '[':
			if !r.push(i) {
				return -1, spaced
			}
			object, opened = c == '{', true
			i++
		default:
			if i = r.scalar(i); i < 0 {
				return i, spaced
			}
		}
		// a value has ended at i, or a container has begun before it
		for {
			var c byte
			if i < len(src) {
				c = src[i]
			}
			if c <= ' ' {
				from := i
				i, c = r.token(i)
				spaced = spaced || i > from
			}
			if c == ',' && !opened {
				if i++; i < len(src) && src[i] <= ' ' {
					i = r.space(i)
					spaced = true
				}
				break
			}
			if c == '}' && object || c == ']' && !object {
				r.pop()
				i++
				if len(r.frames) == base {
					return i, spaced
				}
				object, opened = r.frames[len(r.frames)-1].object, false
				continue
			}
			if !opened {
				if object {
					return r.unexpected(i, "a comma or } was expected"), spaced
				}
				return r.unexpected(i, "a comma or ] was expected"), spaced
			}
			break
		}
		if !object {
			continue
		}
		if i >= len(src) || src[i] != '"' {
			return r.unexpected(i, "a member name was expected"), spaced
		}
		value, apart := r.member(i)
		if value < 0 {
			return value, spaced
		}
		i, spaced = value, spaced || apart
		if r.watch != nil && len(r.frames) == r.watchAt {
			r.watch(r.Key(), kindAt(src, i))
		}
	}
}

// room is how much text is looked at without asking again whether it has ended.
const room = 18

// member reads the member name at i and its colon, and answers where the value
// begins, or -1 with the fault noted, and whether there is white space around the
// colon.
func (r *Reader) member(i int) (value int, spaced bool) {
	if src := r.src; i+room < len(src) {
		// Mostly a name ends within reach of the marks and has no escapes, and it is
		// seen at once that it is the first of its name.
		n, escaped, ok := r.marks.ending(src, i+1)
		if end := i + n + 2; ok && !escaped && end+2 < len(src) && load1(src, end-1) == '"' {
			head := load8(src, i+1)
			if n < 8 {
				head = shortHead(head, n)
			}
			r.keySpan = MakeSpan(i, n+2, false)
			if r.names.fresh(&r.frames[len(r.frames)-1].group, r.keySpan, head) {
				if load1(src, end) == ':' {
					if load1(src, end+1) > ' ' {
						return end + 1, false
					} else if load1(src, end+1) == ' ' && load1(src, end+2) > ' ' {
						return end + 2, true
					}
				}
				if !r.toValue(end) {
					return -1, false
				}
				return r.pos, r.pos > end+1
			}
		}
	}
	if i = r.name(i); i < 0 || !r.toValue(i) {
		return -1, false
	}
	return r.pos, r.pos > i+1
}

// kindAt is the kind of the value that begins at i.
func kindAt(src []byte, i int) Kind {
	if i >= len(src) {
		return None
	}
	return kindOf[src[i]]
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
	i, _ := r.token(r.pos)
	r.pos = i
	if i < len(r.src) {
		if !r.utf8At(i) {
			r.fail(Encoding, i, "these bytes are not UTF-8")
			return false
		}
		r.fail(Syntax, i, "there is something after the end of the value")
		return false
	}
	return true
}

// token passes over white space from i on and answers what follows and where; 0
// at the end.
func (r *Reader) token(i int) (int, byte) {
	src := r.src
	if i < len(src) && src[i] > ' ' {
		return i, src[i]
	}
	if i = r.space(i); i < len(src) {
		return i, src[i]
	}
	return i, 0
}

// space passes over white space from i on.
func (r *Reader) space(i int) int {
	src := r.src
	for i < len(src) && isSpace(src[i]) {
		i++
	}
	return i
}

// fail notes the first fault and answers -1.
func (r *Reader) fail(f Fault, at int, msg string) int {
	if r.err == nil {
		r.fault = Error{Fault: f, Offset: at, Msg: msg}
		r.err = &r.fault
	}
	return -1
}

// end notes that the text ended too early.
func (r *Reader) end(msg string) int {
	r.fail(Syntax, len(r.src), msg)
	r.err.End = true
	return -1
}

// unexpected notes that what stands at i cannot stand there.
func (r *Reader) unexpected(i int, msg string) int {
	if i >= len(r.src) {
		return r.end("the input ended where " + msg[:len(msg)-len(" was expected")] + " was expected")
	}
	c := r.src[i]
	switch {
	case !r.utf8At(i):
		return r.fail(Encoding, i, "these bytes are not UTF-8")
	case c == 0xEF && runeLen(r.src[i:]) == 3 && string(r.src[i:i+3]) == "\ufeff":
		return r.fail(Syntax, i, msg+", not a byte order mark")
	case strings.IndexByte("{}[],:\"'", c) >= 0: // and no byte that may belong to a text
		return r.fail(Syntax, i, fmt.Sprintf("%s, not %q", msg, rune(c)))
	}
	return r.fail(Syntax, i, msg)
}
