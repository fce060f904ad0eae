//go:build unix

package main

import (
	"os"
	"syscall"
)

// share opens a descriptor of this process once more.
func share(n int, name string) (*os.File, error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	again, err := syscall.Dup(n)
	if err != nil {
		return nil, err
	}
	syscall.CloseOnExec(again)
	return os.NewFile(uintptr(again), name), nil
}
