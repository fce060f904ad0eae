// Command ctxmigrate converts what an app says of itself between the protocol
// forms 0.1, 0.2.0 and askable.context. "ctxmigrate help" tells how it is used.
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	signal.Ignore(syscall.SIGPIPE) // so that writing tells of a closed pipe
	os.Exit(Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
