package proxy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
)

// Upstream is where a provider listens.
type Upstream struct {
	URL         string // http or https, with the path that all requests are below of
	Socket      string // a Unix socket to connect to, whatever host the URL names
	AllowRemote bool   // the provider may be on another machine, by https

	// Token is asked for the provider's bearer token before each request. Where it is
	// nil, or answers "", the provider is sent none, unless PassToken sends it what the
	// host sent. An error fails the request.
	Token     func() (string, error)
	PassToken bool
}

// provider is the connection to a provider.
type provider struct {
	Upstream
	base     *url.URL
	endpoint bool // base is the one place that is asked
	http.RoundTripper
	idle func()
}

func newProvider(u Upstream, o *Options) (*provider, error) {
	if u.Socket != "" && u.URL == "" {
		u.URL = "http://localhost"
	}
	base, err := url.Parse(u.URL)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, errors.New("the URL of the provider is not of the form http://HOST:PORT/PATH")
	}
	if base.User != nil || base.RawQuery != "" || base.Fragment != "" {
		return nil, errors.New("the URL of the provider may hold neither a name nor a password, query or fragment; a token goes into a file or the environment")
	}
	dialer := &net.Dialer{Timeout: o.Connect}
	if u.Socket == "" && !Loopback(base.Host) {
		if !u.AllowRemote {
			return nil, fmt.Errorf("the provider at %s is not on this machine, which must be allowed expressly (--allow-remote, Upstream.AllowRemote)", base.Host)
		}
		if base.Scheme != "https" {
			return nil, errors.New("a provider on another machine is reached by https alone")
		}
	} else if u.Socket == "" {
		dialer.Control = loopbackOnly // localhost is what the resolver says it is
	}
	base.Path = strings.TrimSuffix(base.Path, "/")
	base.RawPath = strings.TrimSuffix(base.RawPath, "/")
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		if u.Socket != "" {
			network, address = "unix", u.Socket
		}
		c, err := dialer.DialContext(ctx, network, address)
		if err != nil || base.Scheme == "https" {
			return c, err
		}
		return wrapConn(c), nil
	}
	t := &http.Transport{
		Proxy:                  nil, // that of the environment is ignored
		DialContext:            dial,
		TLSHandshakeTimeout:    o.Timeout,
		DisableCompression:     true, // bodies pass as they are
		MaxResponseHeaderBytes: int64(o.Limits.Headers),
		MaxIdleConnsPerHost:    64,
		ForceAttemptHTTP2:      base.Scheme == "https",
	}
	return &provider{Upstream: u, base: base, RoundTripper: t, idle: t.CloseIdleConnections}, nil
}

// errStale says that nothing was sent, since the provider had closed the
// connection.
var errStale = errors.New("the connection was closed")

// RoundTrip sends a request that was not sent yet, and once.
func (p *provider) RoundTrip(r *http.Request) (resp *http.Response, err error) {
	for range 70 { // more than there can be connections that were left open
		if resp, err = p.RoundTripper.RoundTrip(r); !errors.Is(err, errStale) {
			break
		}
		if body, ok := r.Body.(*unsent); ok {
			body.Seek(0, io.SeekStart)
		}
	}
	if err == nil && (resp.StatusCode < 100 || resp.StatusCode > 999) {
		resp.Body.Close()
		return nil, errUpstream // such a status cannot be passed on
	}
	return resp, err
}

// unsent is the body of a request, which cannot be had a second time by the HTTP
// library.
type unsent struct{ *bytes.Reader }

func (unsent) Close() error { return nil }

// Loopback reports whether a host, or a host and a port, is this machine.
func Loopback(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.Trim(host, "[]")
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

func loopbackOnly(_, address string, _ syscall.RawConn) error {
	if !Loopback(address) {
		return errors.New("the address is not of this machine")
	}
	return nil
}

// at makes a URL of the provider from that of a request.
func (p *provider) at(u *url.URL) *url.URL {
	to := *p.base
	if p.endpoint {
		if strings.HasPrefix(u.Path, "/.well-known/") {
			to.Path, to.RawPath = u.Path, u.RawPath
		}
		to.RawQuery, to.ForceQuery = u.RawQuery, u.ForceQuery
		return &to
	}
	to.Path += u.Path
	if u.RawPath != "" || to.RawPath != "" {
		to.RawPath = p.base.EscapedPath() + u.EscapedPath()
	}
	to.RawQuery, to.ForceQuery = u.RawQuery, u.ForceQuery
	return &to
}

// prepare makes the headers of a request those of a request to the provider.
func (p *provider) prepare(h http.Header) error {
	dropHops(h)
	if _, ok := h["User-Agent"]; !ok {
		h["User-Agent"] = nil // or the HTTP library would say its own name
	}
	if p.PassToken {
		return nil
	}
	h.Del("Authorization") // it was for the proxy
	if p.Token == nil {
		return nil
	}
	token, err := p.Token()
	if err != nil {
		return errInternal
	}
	if token != "" {
		h.Set("Authorization", "Bearer "+token)
	}
	return nil
}

// dropHops removes the headers that concern one connection alone.
func dropHops(h http.Header) {
	for _, list := range h["Connection"] {
		for _, name := range strings.Split(list, ",") {
			h.Del(strings.TrimSpace(name))
		}
	}
	for _, name := range []string{"Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authenticate", "Proxy-Authorization", "Te", "Trailer", "Transfer-Encoding", "Upgrade"} {
		h.Del(name)
	}
}

// dropBodyHeaders removes the headers that tell of the bytes of a body which is
// another one now, or may be.
func dropBodyHeaders(h http.Header) {
	for _, name := range []string{"Content-Length", "Content-Encoding", "Etag", "Last-Modified", "Content-Md5", "Digest",
		"Content-Digest", "Repr-Digest", "Signature", "Signature-Input", "Accept-Ranges", "Content-Range", "Content-Disposition"} {
		h.Del(name)
	}
}

// once is an empty body that keeps the HTTP library from sending a request a
// second time after the provider may have seen it.
type once struct{}

func (once) Read([]byte) (int, error) { return 0, io.EOF }
func (once) Close() error             { return nil }

// setBody gives a request a body. One without is told of as the HTTP library tells
// of it, with Content-Length: 0 where the method commonly has a body, unless the
// library would then send the request twice.
func setBody(r *http.Request, body []byte) {
	if len(body) > 0 {
		r.Body, r.ContentLength = &unsent{bytes.NewReader(body)}, int64(len(body))
		return
	}
	twice := r.Header["Idempotency-Key"] != nil || r.Header["X-Idempotency-Key"] != nil
	switch r.Method {
	case http.MethodPost, http.MethodPut, http.MethodPatch:
		if !twice {
			r.Body = http.NoBody
			return
		}
	}
	r.Body, r.TransferEncoding = once{}, []string{"identity"} // or it would be chunked, with no chunk
}

// prepareRest is prepare where the HTTP library removes what concerns one
// connection, and needs to see it.
func (p *provider) prepareRest(h http.Header) error {
	kept := http.Header{}
	for _, name := range []string{"Connection", "Upgrade", "Te", "Trailer"} {
		if v, ok := h[name]; ok {
			kept[name] = v
		}
	}
	err := p.prepare(h)
	for name, v := range kept {
		h[name] = v
	}
	return err
}
