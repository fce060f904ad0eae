package proxy

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// buffers keep the room that bodies took, for the next ones.
type buffers struct{ pool sync.Pool }

// maxKept is how much room is kept: a large answer is no reason to keep its.
const maxKept = 1 << 20

func (p *buffers) get() *bytes.Buffer {
	if b, ok := p.pool.Get().(*bytes.Buffer); ok {
		return b
	}
	return new(bytes.Buffer)
}

// put gives a buffer back, of which nothing is looked at any more.
func (p *buffers) put(b *bytes.Buffer) {
	if b.Cap() <= maxKept {
		b.Reset()
		p.pool.Put(b)
	}
}

// readBody reads a body of at most limit bytes.
func readBody(r io.Reader, length int64, limit int) ([]byte, error) {
	return readInto(new(bytes.Buffer), r, length, limit)
}

// readInto is readBody into an empty buffer.
func readInto(b *bytes.Buffer, r io.Reader, length int64, limit int) ([]byte, error) {
	if length > int64(limit) {
		return nil, errLarge
	}
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
// came, which lies in an empty buffer.
func (h *handler) content(ctx context.Context, b *bytes.Buffer, resp *http.Response) (plain, raw []byte, fault *Fault) {
	raw, err := readInto(b, resp.Body, resp.ContentLength, h.wire)
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
