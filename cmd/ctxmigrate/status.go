package main

import (
	"errors"
	"io/fs"
	"syscall"

	"ctxmigrate/translate/diag"
)

// The exit statuses.
const (
	statusDone   = 0
	statusFailed = 1 // something was refused, or could not be read or written
	statusUsage  = 2 // the command line, or a file that it names for settings, is wrong
	statusFound  = 3 // what --fail-on asks for was found
	statusEmpty  = 4 // an input held no document
)

// failure is an error that knows its exit status. One without text was told
// already.
type failure interface {
	error
	status() int
}

// usageError says that the command line is wrong, and what to do.
type usageError struct{ text, hint string }

func (e usageError) status() int { return statusUsage }
func (e usageError) Error() string {
	if e.hint == "" {
		return e.text
	}
	return e.text + "\n" + e.hint
}

// ioError says which file could not be read or written.
type ioError struct {
	code diag.Code
	name string
	err  error
}

func readError(name string, err error) ioError  { return ioError{diag.InputFailed, name, err} }
func writeError(name string, err error) ioError { return ioError{diag.OutputFailed, name, err} }

func (e ioError) Unwrap() error { return e.err }
func (e ioError) Error() string {
	if e.name == "" {
		return e.err.Error()
	}
	if closedPipe(e.err) {
		return ""
	}
	return printable(e.name) + ": " + reason(e.err) + " (" + e.code.String() + ")"
}

// status is that of a failure, but where a reader of our output has gone away: it
// has what it wanted, as in "ctxmigrate convert … | head -1".
func (e ioError) status() int {
	if e.code == diag.OutputFailed && closedPipe(e.err) {
		return statusDone
	}
	return statusFailed
}

func closedPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }

// toldError is a failure that was told already.
type toldError int

func (e toldError) status() int { return int(e) }
func (toldError) Error() string { return "" }

// reason is what an error of the operating system says, without the name of the
// call and of the file.
func reason(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}
