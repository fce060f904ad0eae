//go:build race

package proxy_test

// slow is how much longer things may take.
const slow = 10
