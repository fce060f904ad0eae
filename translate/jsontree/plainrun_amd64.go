//go:build !purego

package jsontree

// plainRun is the offset of the first byte from i on that a plain run of a string
// ends at: a quote, a backslash, a control, a byte beyond ASCII; or the length of
// src.
//
//go:noescape
func plainRun(src []byte, i int) int
