package stream

import (
	"io"

	"ctxmigrate/translate/diag"
)

// Unpack is what a stream holds: what it is packed with, if it is, is told by its
// first bytes. Damaged data is an *Error.
func Unpack(src io.Reader) io.Reader {
	u := new(unpacked)
	u.reset(src, nil)
	return u
}

type unpacked struct{ source }

func (u *unpacked) Read(p []byte) (int, error) {
	n, err := u.source.Read(p)
	if err == nil || err == io.EOF || u.raw.err != nil && u.raw.err != io.EOF {
		return n, err
	}
	return n, &Error{Code: diag.CompressedData, Msg: "the compressed data is damaged or ended early", Err: err}
}
