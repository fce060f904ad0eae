package jsontree

// MaxBytes is the largest document that a Reader takes: places in it are kept
// in 32 bits, one of which is a mark.
const MaxBytes = 1<<31 - 1

// Span is the place of a raw value in a document: where it begins, and its
// length in bytes. The zero Span stands for no value, since no JSON value is
// empty.
//
// The mark says that a value is not in its plainest spelling: a string has an
// escape in it, an object or array has white space between its tokens.
type Span struct {
	Off uint32
	n   uint32
}

const spanMark = 1 << 31

// MakeSpan returns the span of length n at off.
func MakeSpan(off, n int, marked bool) Span {
	s := Span{uint32(off), uint32(n)}
	if marked {
		s.n |= spanMark
	}
	return s
}

// Len is the length in bytes.
func (s Span) Len() int { return int(s.n &^ spanMark) }

// End is the offset of the byte after the value.
func (s Span) End() int { return int(s.Off) + s.Len() }

// Marked reports whether the value is a string with an escape, or an object or
// array with white space between tokens.
func (s Span) Marked() bool { return s.n&spanMark != 0 }

// IsZero reports whether there is no value.
func (s Span) IsZero() bool { return s.n == 0 }

// Or is the one of two spans that stands for a value, where the other does not.
func (s Span) Or(o Span) Span { return Span{s.Off | o.Off, s.n | o.n} }

// In is the raw value in its document.
func (s Span) In(doc []byte) []byte { return doc[s.Off : s.Off+s.n&^spanMark] }

// Plain is what stands between the quotes of a string in doc, where it has no
// escape; false where it has one or lies elsewhere.
func (s Span) Plain(doc []byte) ([]byte, bool) {
	// the mark makes the length too large for any document
	if end := uint64(s.Off) + uint64(s.n); end <= uint64(len(doc)) {
		return doc[s.Off+1 : end-1], true
	}
	return nil, false
}

// Kind is what a JSON value is, told by its first byte.
type Kind uint8

// The kinds of values. None stands for no value.
const (
	None Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

var kindNames = [...]string{"nothing", "null", "a boolean", "a number", "a string", "an array", "an object"}

// String names the kind with its article, as messages want it.
func (k Kind) String() string { return kindNames[k] }

var kindOf = [256]Kind{'{': Object, '[': Array, '"': String, 't': Bool, 'f': Bool, 'n': Null, '-': Number,
	'0': Number, '1': Number, '2': Number, '3': Number, '4': Number, '5': Number, '6': Number, '7': Number, '8': Number, '9': Number}

// KindOf is the kind of a raw value, None for an empty one.
func KindOf(raw []byte) Kind {
	if len(raw) == 0 {
		return None
	}
	return kindOf[raw[0]]
}
