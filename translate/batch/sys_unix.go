//go:build unix

package batch

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives a file the owner of another, where that is allowed.
func keepOwner(f *os.File, of fs.FileInfo) error {
	s, ok := of.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	err := f.Chown(int(s.Uid), int(s.Gid))
	if errors.Is(err, fs.ErrPermission) { // the group alone may be allowed
		err = f.Chown(-1, int(s.Gid))
	}
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}

// hardLinks is how many names a file has.
func hardLinks(info fs.FileInfo) int {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(s.Nlink)
	}
	return 1
}

// exhausted reports whether an error of writing will meet every file that comes.
func exhausted(err error) bool {
	for _, e := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EIO, syscall.EMFILE, syscall.ENFILE} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// syncDir makes the names of a folder last.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) {
		return err
	}
	return nil
}
