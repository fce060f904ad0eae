//go:build !unix

package batch

import (
	"io/fs"
	"os"
)

func keepOwner(*os.File, fs.FileInfo) error { return nil }

func hardLinks(fs.FileInfo) int { return 1 }

func exhausted(error) bool { return false }

func syncDir(string) error { return nil }
