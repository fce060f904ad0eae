//go:build !race

package proxy_test

import "time"

// limit is the time limit of the fault tests, and slow how much longer things may
// take beyond it.
const (
	limit = 400 * time.Millisecond
	slow  = 1
)
