package main

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
)

// listenUnix listens on a socket in a file, in place of one that nobody listens
// on any more. Whatever else is there stays.
func listenUnix(path string) (net.Listener, error) {
	listener, err := net.Listen("unix", path)
	if errors.Is(err, syscall.EADDRINUSE) {
		if err = dropStale(path); err != nil {
			return nil, err
		}
		listener, err = net.Listen("unix", path)
	}
	if err != nil {
		if inner := errors.Unwrap(err); inner != nil {
			err = inner
		}
		return nil, err
	}
	own := &socket{UnixListener: listener.(*net.UnixListener), path: path}
	own.SetUnlinkOnClose(false) // the library removes whatever bears the name then
	if own.file, err = os.Lstat(path); err == nil {
		err = os.Chmod(path, 0o600)
	}
	if err != nil {
		own.Close()
		return nil, err
	}
	return own, nil
}

// dropStale removes a socket that nobody listens on. A connection to a file that
// is no socket is refused just as well, so that alone says nothing.
func dropStale(path string) error {
	found, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // it went in between
	}
	if err != nil {
		return err
	}
	if found.Mode().Type() != fs.ModeSocket {
		return errors.New("there is something of that name which is no socket; name another, or remove it")
	}
	c, err := net.DialTimeout("unix", path, 200*time.Millisecond)
	if err == nil {
		c.Close()
		return errors.New("another program listens there")
	}
	if !errors.Is(err, syscall.ECONNREFUSED) {
		return errors.New("there is a socket of which it cannot be told whether another program listens on it")
	}
	if now, err := os.Lstat(path); err != nil || !os.SameFile(found, now) {
		return errors.New("another program has just begun to listen there")
	}
	return os.Remove(path)
}

// socket listens on a Unix socket, and removes it in the end if it is still there.
type socket struct {
	*net.UnixListener
	path string
	file fs.FileInfo
	once sync.Once
}

// Close removes the file first: while it is listened on, no other file can have
// its number.
func (s *socket) Close() error {
	s.once.Do(func() {
		if now, err := os.Lstat(s.path); err == nil && s.file != nil && os.SameFile(now, s.file) {
			os.Remove(s.path)
		}
	})
	return s.UnixListener.Close()
}
