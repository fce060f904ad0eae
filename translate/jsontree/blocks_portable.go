//go:build !amd64 || purego

package jsontree

import "math/bits"

const byBlocks = false

// marks find the ends of strings. Here they are no more than a look at the first
// eight bytes.
type marks struct{}

func (*marks) reset() {}

// ending is how far it is from i, where a string begins, to what ends a plain run of
// it, and whether there is an escape in between. It answers false where that is not
// seen at once.
func (*marks) ending(src []byte, i int) (n int, escaped, ok bool) {
	if i+8 > len(src) {
		return 0, false, false
	}
	m := stops(load8(src, i))
	return bits.TrailingZeros64(m) >> 3, false, m != 0
}

func (*marks) find([]byte, int) (end int, escaped bool) { return 0, false }

// compactFast is AppendCompact, where there is a faster way.
func compactFast(dst, _ []byte) ([]byte, bool) { return dst, false }
