package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"syscall"

	"golang.org/x/term"
)

// output gathers what is written and writes it in large pieces.
type output struct {
	w    io.Writer
	name string // as messages say it
	buf  []byte
	err  error // of the first write that failed

	temp *os.File // what becomes the file at path when all has succeeded
	path string
	calm func() // called when temp needs no removing any more
}

// flushSize is how much is gathered before it is written.
const flushSize = 128 << 10

// openOutput opens the file of --output, or takes stdout where none is named.
// What is no regular file, like a device, is written to as it is, and so is what
// the program has open.
func openOutput(path string, stdout io.Writer) (*output, error) {
	if path == "" || path == "-" {
		return &output{w: stdout, name: "<stdout>"}, nil
	}
	o := &output{name: path, path: path}
	if name := descriptorOf(path); name != "" {
		f, err := openAgain(name)
		if err != nil {
			return nil, writeError(path, err)
		}
		o.w, o.path = f, ""
		return o, nil
	}
	if o.path = followed(path); o.path == "" {
		return nil, writeError(path, syscall.ELOOP)
	}
	info, err := os.Stat(o.path)
	mode := fs.FileMode(0o666)
	switch {
	case err == nil && info.IsDir():
		return nil, writeError(path, errors.New("is a directory"))
	case err == nil && !info.Mode().IsRegular():
		f, err := os.OpenFile(o.path, os.O_WRONLY, 0)
		if err != nil {
			return nil, writeError(path, err)
		}
		o.w, o.path = f, ""
		return o, nil
	case err == nil && info.Mode()&0o222 == 0:
		return nil, writeError(path, errors.New("is read-only, and not replaced"))
	case err == nil:
		mode = info.Mode().Perm()
	}
	if o.temp, err = createTemp(o.path, mode); err != nil {
		return nil, writeError(path, err)
	}
	if info != nil {
		o.temp.Chmod(mode) // which the umask may have lessened
	}
	o.w = o.temp
	o.calm = removeOnInterrupt(o.temp.Name())
	return o, nil
}

// followed is what a name links to, also where that is not there yet, so that a link
// stays a link; "" where links go round in circles.
func followed(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	for range 40 {
		to, err := os.Readlink(path)
		if err != nil {
			return path
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return ""
}

// descriptor is the name of what a process has open, asked of by few commands.
var descriptor = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(/dev/(stdin|stdout|stderr|fd/[0-9]+)|/proc/([a-z-]+|[0-9]+)/fd/[0-9]+)$`)
})

// descriptorOf is the name of the open descriptor that a name is, or links to, "" where that
// is none. A file behind such a one, like a log that the shell has opened, goes on to be
// written to by others: to replace or to cut it would lose what they write.
func descriptorOf(path string) string {
	for range 40 { // links may go round in circles
		path = filepath.Clean(path)
		if descriptor().MatchString(path) {
			return path
		}
		to, err := os.Readlink(path)
		if err != nil {
			return ""
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return ""
}

// ownDescriptor is the number of the descriptor of this process that a name is, -1
// where it is none.
func ownDescriptor(name string) int {
	if n := slices.Index([]string{"/dev/stdin", "/dev/stdout", "/dev/stderr"}, name); n >= 0 {
		return n
	}
	dir, last := filepath.Split(name)
	switch dir {
	case "/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/", fmt.Sprintf("/proc/%d/fd/", os.Getpid()):
		if n, err := strconv.Atoi(last); err == nil {
			return n
		}
	}
	return -1
}

// openAgain opens an open descriptor and leaves what it holds. One of this process is
// shared, place in the file and all: opened anew, it would have a place of its own,
// and what is written by both would be written over.
func openAgain(name string) (*os.File, error) {
	if n := ownDescriptor(name); n >= 0 {
		return share(n, name)
	}
	return os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
}

// removeOnInterrupt removes a file where the program is interrupted, until the
// function that it answers is called.
func removeOnInterrupt(path string) (stop func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	go func() {
		if _, ok := <-c; ok {
			os.Remove(path)
			os.Exit(128 + int(syscall.SIGINT))
		}
	}()
	return func() {
		signal.Stop(c)
		close(c)
	}
}

// createTemp makes a new file beside path.
func createTemp(path string, mode fs.FileMode) (*os.File, error) {
	for n := os.Getpid(); ; n++ {
		f, err := os.OpenFile(fmt.Sprintf("%s.%d.tmp", path, n), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// room makes room for about n more bytes, so that appending them copies nothing.
func (o *output) room(n int) {
	if cap(o.buf) == 0 {
		o.buf = make([]byte, 0, 2*flushSize)
	}
	if len(o.buf) > 0 && cap(o.buf)-len(o.buf) < n {
		o.flush()
	}
}

// wrote takes what was appended to buf.
func (o *output) wrote(buf []byte) {
	if o.buf = buf; len(buf) >= flushSize {
		o.flush()
	}
}

// pass writes a piece that is gathered elsewhere: a large one as it is.
func (o *output) pass(piece []byte) {
	if len(piece) < flushSize/2 {
		o.wrote(append(o.buf, piece...))
		return
	}
	o.flush()
	gathered := o.buf
	o.buf = piece
	o.flush()
	o.buf = gathered
}

// flush writes what was gathered.
func (o *output) flush() error {
	if o.err == nil && len(o.buf) > 0 {
		if _, err := o.w.Write(o.buf); err != nil {
			o.err = writeError(o.name, err)
		}
	}
	o.buf = o.buf[:0]
	return o.err
}

// close ends the output. The file is made or replaced only where ok says that
// the run has succeeded.
func (o *output) close(ok bool) error {
	o.flush()
	if o.temp == nil {
		return o.err
	}
	defer o.calm()
	err := o.err
	if err == nil && ok {
		err = o.temp.Sync()
	}
	if e := o.temp.Close(); err == nil {
		err = e
	}
	if err == nil && ok {
		err = os.Rename(o.temp.Name(), o.path)
	}
	if err != nil || !ok {
		os.Remove(o.temp.Name())
	}
	if err != nil && o.err == nil {
		o.err = writeError(o.name, err)
	}
	return o.err
}

// terminal reports whether w is a terminal.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
