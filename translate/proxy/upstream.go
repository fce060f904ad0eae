package proxy

import (
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
	base *url.URL
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
			return nil, fmt.Errorf("the provider at %s is not on this machine, which must be allowed expressly", base.Host)
		}
		if base.Scheme != "https" {
			return nil, errors.New("a provider on another machine is reached by https alone")
		}
	} else if u.Socket == "" {
		dialer.Control = loopbackOnly // localhost is what the resolver says it is
	}
	base.Path = strings.TrimSuffix(base.Path, "/")
	base.RawPath = strings.TrimSuffix(base.RawPath, "/")
	t := &http.Transport{
		Proxy:                  nil, // that of the environment is ignored
		DialContext:            dialer.DialContext,
		TLSHandshakeTimeout:    o.Timeout,
		DisableCompression:     true, // bodies pass as they are
		MaxResponseHeaderBytes: int64(o.Limits.Headers),
		MaxIdleConnsPerHost:    64,
		ForceAttemptHTTP2:      base.Scheme == "https",
	}
	if u.Socket != "" {
		t.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return dialer.DialContext(ctx, "unix", u.Socket)
		}
	}
	return &provider{u, base, t, t.CloseIdleConnections}, nil
}

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
