package proxy

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// readBody reads a body of at most limit bytes.
func readBody(r io.Reader, length int64, limit int) ([]byte, error) {
	if length > int64(limit) {
		return nil, errLarge
	}
	var b bytes.Buffer
	if length > 0 {
		b.Grow(int(length) + bytes.MinRead)
	}
	n, err := b.ReadFrom(io.LimitReader(r, int64(limit)+1))
	if err == nil && n > int64(limit) {
		err = errLarge
	}
	return b.Bytes(), err
}

// content is the body of an answer of the provider, unpacked, with the body as it
// came.
func (h *handler) content(ctx context.Context, resp *http.Response) (plain, raw []byte, fault *Fault) {
	raw, err := readBody(resp.Body, resp.ContentLength, h.wire)
	if err != nil {
		return nil, nil, failure(ctx, err)
	}
	switch encoding(resp.Header) {
	case "":
		return raw, raw, nil
	case "gzip":
		plain, fault = h.unpack(raw)
		return plain, raw, fault
	}
	return nil, nil, errEncoding
}

// encoding is the content encoding that a header names, "" for none.
func encoding(h http.Header) string {
	switch e := strings.ToLower(strings.Join(h["Content-Encoding"], ",")); e {
	case "identity":
		return ""
	case "x-gzip":
		return "gzip"
	default:
		return e
	}
}

func (h *handler) unpack(raw []byte) ([]byte, *Fault) {
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, errPacked
	}
	plain, err := readBody(z, 0, h.wire)
	switch {
	case errors.Is(err, errLarge):
		return nil, errLarge
	case err != nil:
		return nil, errPacked
	}
	return plain, nil
}
