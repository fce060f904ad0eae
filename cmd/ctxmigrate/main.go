// Command ctxmigrate converts what an app says of itself between the protocol
// forms 0.1, 0.2.0 and askable.context. "ctxmigrate help" tells how it is used.
package main

import (
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"
)

func main() {
	growStack()
	signal.Ignore(syscall.SIGPIPE) // so that writing tells of a closed pipe
	os.Exit(Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// growStack makes the stack as large at once as it will be: where it grows step by
// step, as flags are read, it is copied again and again, which is a fifteenth of
// start-up.
//
//go:noinline
func growStack() byte {
	var room [24 << 10]byte
	return room[len(os.Args)%len(room)]
}

// collectLate puts off the first collection of garbage from the usual heap of 4 MB to
// one of 16 MB, which most runs over a stream never come to: in a run of a tenth of a
// second a collection on another processor is up to a third of the CPU time. What
// GOGC says in the environment stays.
func collectLate() {
	if os.Getenv("GOGC") != "" {
		return
	}
	const usual = 100
	debug.SetGCPercent(4 * usual)
	first := new([64]byte) // collected in the first one
	runtime.AddCleanup(first, func(percent int) { debug.SetGCPercent(percent) }, usual)
}
