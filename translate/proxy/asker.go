package proxy

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
)

// NewAsker makes a function that asks a provider over HTTP, once at each call, and
// answers its answer as it is. Close lets its connections go.
func NewAsker(u Upstream, o Options) (ask func(ctx context.Context) ([]byte, error), end func(), err error) {
	h, err := newHTTP(u, Guard{}, o)
	if err != nil {
		return nil, nil, err
	}
	return func(ctx context.Context) ([]byte, error) {
		r := &http.Request{Method: http.MethodGet, URL: &url.URL{}, Header: http.Header{}}
		status, _, plain, _, fault := h.fetch(ctx, new(bytes.Buffer), r, nil)
		switch {
		case fault != nil:
			h.up.idle()
			return nil, fault
		case status >= 300 && status < 400:
			return nil, errRedirect
		case status != http.StatusOK:
			return nil, errNoAnswer
		}
		return plain, nil
	}, h.Close, nil
}

// NewClient makes a client for a provider, with its token and within the limits
// of a proxy, for programs that speak a protocol of their own with it.
func NewClient(u Upstream, o Options) (*http.Client, func(), error) {
	o.fill()
	p, err := newProvider(u, &o)
	if err != nil {
		return nil, nil, err
	}
	return &http.Client{Transport: tripper{p}, CheckRedirect: func(*http.Request, []*http.Request) error { return errRedirect }}, p.idle, nil
}

// tripper sends requests with the provider's token.
type tripper struct{ *provider }

func (t tripper) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	if err := t.prepare(r.Header); err != nil {
		return nil, err
	}
	return t.provider.RoundTrip(r)
}
