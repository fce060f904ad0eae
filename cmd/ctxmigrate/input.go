package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"ctxmigrate/translate/stream"
)

// input is a file that is named on the command line, or standard input.
type input struct {
	name  string // as messages say it
	path  string
	stdin io.Reader // in place of path
}

// inputs are what the arguments name.
func inputs(args []string, stdin io.Reader) ([]input, error) {
	std := input{name: "<stdin>", stdin: stdin}
	if len(args) == 0 {
		return []input{std}, nil
	}
	var list []input
	seen := false
	for _, arg := range args {
		switch {
		case arg == "-" && seen:
			return nil, usageError{text: "standard input is named twice"}
		case arg == "-":
			seen = true
			list = append(list, std)
		case arg == "":
			return nil, usageError{text: "a file name is empty"}
		default:
			for _, path := range expand(arg) {
				list = append(list, input{name: path, path: path})
			}
		}
	}
	return list, nil
}

// expand is what a pattern matches, for shells that leave that to programs. A
// file that bears the name as it stands goes before.
func expand(name string) []string {
	if strings.ContainsAny(name, "*?[") {
		if _, err := os.Lstat(name); err != nil {
			if found, err := filepath.Glob(name); err == nil && len(found) > 0 {
				return found
			}
		}
	}
	return []string{name}
}

// open opens the input. The time is that of its last change, zero for standard
// input that is no file.
func (in input) open() (r io.Reader, changed time.Time, err error) {
	if in.stdin != nil {
		if f, ok := in.stdin.(*os.File); ok {
			if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
				changed = info.ModTime()
			}
		}
		return in.stdin, changed, nil
	}
	f, err := os.Open(in.path)
	if err != nil {
		return nil, changed, readError(in.name, err)
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = &fs.PathError{Err: syscall.EISDIR}
	}
	if err != nil {
		f.Close()
		return nil, changed, readError(in.name, err)
	}
	return f, info.ModTime(), nil
}

// close closes what open answered, but never standard input.
func (in input) close(r io.Reader) {
	if in.stdin == nil {
		r.(*os.File).Close()
	}
}

// lines reports whether the name says that a newline ends a document.
func (in input) lines() bool {
	return stream.NamesLines(in.path)
}

// info is what is known of the file that is read, nil where there is none.
func (in input) info() fs.FileInfo {
	var info fs.FileInfo
	var err error
	if f, ok := in.stdin.(*os.File); ok {
		info, err = f.Stat()
	} else {
		info, err = os.Stat(in.path)
	}
	if err != nil {
		return nil
	}
	return info
}

// apart refuses an output that is one of the inputs, where writing begins before
// reading ends, or what is written is something else than what was read.
func apart(flag, path string, list []input) error {
	if path == "" {
		return nil
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	for _, in := range list {
		if other := in.info(); other != nil && os.SameFile(info, other) {
			return usageError{text: fmt.Sprintf("--%s names %s, which is also to be read", flag, printable(in.name))}
		}
	}
	return nil
}
