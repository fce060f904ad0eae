//go:build !amd64 || purego

package jsontree

import "math/bits"

// plainRun is the offset of the first byte from i on that a plain run of a string
// ends at: a quote, a backslash, a control, a byte beyond ASCII; or the length of
// src.
func plainRun(src []byte, i int) int {
	for ; i+8 <= len(src); i += 8 {
		if m := stops(load8(src, i)); m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	for i < len(src) && stops(ones*uint64(src[i])) == 0 {
		i++
	}
	return i
}
