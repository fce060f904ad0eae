//go:build !purego

package jsontree

import (
	"math/bits"
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/sys/cpu"
)

// byBlocks says that the processor has what markBlocks and compactBlocks are made
// of.
var byBlocks = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT && cpu.X86.HasPCLMULQDQ

// blockLen is how many bytes have their bits in a word.
const blockLen = 64

// marks are the places where the strings of a piece of text end, found ahead, 64
// bytes at a time: where a string ends is then seen from one load, without a loop
// that ends at another turn for each string. The zero marks are of nothing.
//
// They are made from the beginning of a string on, where no escape and no character
// is pending, and of a short piece, since it is in vain that they are made of the
// text that a long string covers. Outside strings they mean nothing.
type marks struct {
	from, n int // the piece
	bits    struct {
		stops   [markedBlocks + 1]uint64 // a bit for each quote that is not escaped, and each control
		slashes [markedBlocks + 1]uint64 // and for each backslash
	}
	tail [lookBack + blockLen]byte // the last bytes of a text, spaces after them
}

const (
	markedBlocks = 32
	lookBack     = 3 // bytes before a block that tell of a character that goes on into it
)

func (m *marks) reset() { m.from, m.n = 0, 0 }

// ending is how far it is from i, where a string begins, to what ends a plain run of
// it, and whether there is an escape in between. It answers false where the marks do
// not tell; where they do, all in between is sound. What is there may be a control.
func (m *marks) ending(_ []byte, i int) (n int, escaped, ok bool) {
	at := i - m.from
	if uint(at) >= uint(m.n) {
		return 0, false, false
	}
	// The bits from any place on are had by a load from the byte that it is in: 57 of
	// them at least, and zeros above.
	p := unsafe.Add(unsafe.Pointer(&m.bits.stops), at>>3)
	stops := *(*uint64)(p) >> (at & 7)
	if stops == 0 {
		return 0, false, false
	}
	slashes := *(*uint64)(unsafe.Add(p, unsafe.Sizeof(m.bits.stops))) >> (at & 7)
	return bits.TrailingZeros64(stops), slashes&(stops-1)&^stops != 0, true
}

// find is the offset after the string that begins at i in src, and whether it has an
// escape. It makes marks where there are none, and answers 0 where it cannot tell.
func (m *marks) find(src []byte, i int) (end int, escaped bool) {
	if end, escaped = m.far(i); end == 0 && m.mark(src, i) {
		end, escaped = m.far(i)
	}
	if end == 0 || src[end-1] != '"' {
		return 0, false
	}
	return end, escaped
}

// far is ending for a string of any length, and answers the offset after its stop,
// or 0.
func (m *marks) far(i int) (end int, escaped bool) {
	at := i - m.from
	if uint(at) >= uint(m.n) {
		return 0, false
	}
	k, below := at/blockLen, uint64(1)<<(at%blockLen)-1
	stops, slashes := m.bits.stops[k]&^below, m.bits.slashes[k]&^below
	for ; stops == 0; stops, slashes = m.bits.stops[k], m.bits.slashes[k] {
		escaped = escaped || slashes != 0
		if k++; k*blockLen >= m.n {
			return 0, false
		}
	}
	return m.from + k*blockLen + bits.TrailingZeros64(stops) + 1, escaped || slashes&(stops-1)&^stops != 0
}

// mark makes the marks from i on, where a string begins, unless they are those that
// it has.
func (m *marks) mark(src []byte, i int) bool {
	if !byBlocks || i == m.from || i < lookBack || i >= len(src) {
		return false
	}
	first, blocks := &src[i], min(markedBlocks, (len(src)-i)/blockLen)
	if blocks == 0 {
		m.tail = blank
		copy(m.tail[:], src[i-lookBack:])
		first, blocks = &m.tail[lookBack], 1
	}
	m.from, m.n = i, blockLen*markBlocks(first, blocks, &m.bits.stops[0], &m.bits.slashes[0])
	return true
}

var blank = [lookBack + blockLen]byte([]byte(strings.Repeat(" ", lookBack+blockLen)))

// markBlocks makes the marks of so many blocks from first on, with a word of zeros
// behind them, and answers of how many: it stops before a block in which an escape
// turns out to be none, or bytes not to be UTF-8, and leaves it to the Reader to say
// what is wrong and where. It takes first to be the beginning of a string, and looks
// at the lookBack bytes before.
//
//go:noescape
func markBlocks(first *byte, blocks int, stops, slashes *uint64) (marked int)

// compactFast is AppendCompact, where the memory of raw goes on far enough behind it:
// whole blocks are read, and what is beyond raw, whosever it is, does not count. It
// answers false where it has done nothing, as of a small value for which dst would
// have to grow by much more than its length.
func compactFast(dst, raw []byte) (_ []byte, ok bool) {
	const (
		beyond = Behind // is read and written in vain at most
		small  = 32 * beyond
	)
	if !byBlocks || cap(raw)-len(raw) < beyond || len(raw) < small && cap(dst)-len(dst) < len(raw)+beyond {
		return dst, false
	}
	dst = slices.Grow(dst, len(raw)+beyond)
	n := compactBlocks(unsafe.SliceData(dst[len(dst):cap(dst)]), unsafe.SliceData(raw), len(raw))
	return dst[:len(dst)+n], true
}

// compactBlocks copies n bytes, which are a raw value, without the white space
// between its tokens, and answers how many are left.
//
//go:noescape
func compactBlocks(dst, src *byte, n int) (kept int)
