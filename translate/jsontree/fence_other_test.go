//go:build !linux

package jsontree

import "iter"

// fenced yields src; where the system has them, with fences around it.
func fenced(src []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) { yield(src) }
}
