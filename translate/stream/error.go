package stream

import (
	"errors"
	"fmt"
	"io/fs"

	"ctxmigrate/translate/diag"
)

// Error is what keeps a document from being handed out: it is too large, or what
// it is in cannot be read.
type Error struct {
	Code   diag.Code // TooLarge, CompressedData, InputFailed, or the fault of a document that never ends
	Record int       // from 1
	Place
	Pointer string // JSON Pointer in the document, where there is one
	Msg     string // what is wrong, without place
	Err     error  // the error of reading, where there was one
}

func (e *Error) Error() string {
	return fmt.Sprintf("%d:%d: %s (%s)", e.Line, e.Column, e.Msg, e.Code)
}

func (e *Error) Unwrap() error { return e.Err }

// Place is a place in a stream.
type Place struct {
	Line   int   // from 1
	Column int   // in bytes, from 1
	Offset int64 // in bytes, from 0
}

// At is the place of something in a document that begins at p, from its place in
// the document.
func (p Place) At(line, column, offset int) Place {
	q := Place{p.Line + line - 1, column, p.Offset + int64(offset)}
	if line == 1 {
		q.Column += p.Column - 1
	}
	return q
}

// reason is what an error of the operating system says, without the name of the
// call and of the file, which its reader knows.
func reason(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}
