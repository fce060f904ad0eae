package proxy

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// patience is how long a host that sends nothing more may be there still.
const patience = time.Second

// host is whether the host of a request is there. Over HTTP/1 one that has closed
// its half of the connection may still wait for its answer, and cannot be told
// from one that is gone until something is written: so the request goes on for a
// while then, and as long as what is written is taken.
type host struct {
	cancel context.CancelCauseFunc
	forget func() bool

	mu    sync.Mutex
	ended bool
	timer *time.Timer // set once the host has ended what it sends
}

// attend gives a request a context that ends, with errHostGone as its cause, when
// its host is gone. The host is to be let go in the end.
func attend(r *http.Request) (*http.Request, *host) {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(r.Context()))
	h := &host{cancel: cancel}
	h.forget = context.AfterFunc(r.Context(), func() {
		cause := context.Cause(r.Context())
		switch {
		case errors.Is(cause, context.DeadlineExceeded):
			cancel(errTimeout)
		case r.ProtoMajor > 1 || cause != context.Canceled:
			cancel(errHostGone)
		default:
			h.wait()
		}
	})
	return r.WithContext(ctx), h
}

func (h *host) wait() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.ended {
		h.timer = time.AfterFunc(patience, func() { h.cancel(errHostGone) })
	}
}

// took tells that the host took something.
func (h *host) took() {
	if h == nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.timer != nil {
		h.timer.Reset(patience)
	}
}

// letGo ends the context.
func (h *host) letGo() {
	h.forget()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ended = true; h.timer != nil {
		h.timer.Stop()
	}
	h.cancel(nil)
}

// sent is the fault behind an error of reading what the host sends.
func sent(err error) *Fault {
	var op *net.OpError
	switch {
	case errors.Is(err, errLarge):
		return errRequestSize
	case errors.As(err, &op) && !op.Timeout():
		return errHostGone
	}
	return errRequest // cut short, badly framed, or too slow
}

// hostBody is the body of a request that passes, and why it could not be read.
type hostBody struct {
	io.ReadCloser
	mu     sync.Mutex
	failed *Fault
}

func (b *hostBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.failed = sent(err)
	}
	return n, err
}

func (b *hostBody) fault() *Fault {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failed
}
