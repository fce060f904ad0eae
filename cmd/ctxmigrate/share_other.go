//go:build !unix

package main

import (
	"errors"
	"os"
)

// share opens a descriptor of this process once more.
func share(int, string) (*os.File, error) { return nil, errors.ErrUnsupported }
