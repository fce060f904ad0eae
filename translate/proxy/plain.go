package proxy

import (
	"bytes"
	"context"
	"io"
	"log"
	"mime"
	"net/http"
	"net/http/httputil"
	"strings"
)

// HTTP is a proxy in front of a provider that speaks plain JSON over HTTP. A GET
// or POST of a path that ends in current is an ask, whose answer of status 200 is
// translated; one of locate has its element id mapped back; everything else
// passes. /healthz is answered by the proxy itself.
type HTTP struct {
	*handler
	rest *httputil.ReverseProxy
}

// NewHTTP makes a handler in front of a provider: the path that the host asks for
// is put behind that of u, of which a current at its end does not count. It is to be
// closed when it is not needed any more.
func NewHTTP(u Upstream, g Guard, o Options) (*HTTP, error) {
	h, err := newHTTP(u, g, o)
	if err != nil {
		return nil, err
	}
	for _, word := range h.opts.CurrentPaths {
		if word = "/" + strings.Trim(word, "/"); word != "/*" && h.up.base.RawPath == "" {
			h.up.base.Path = strings.TrimSuffix(h.up.base.Path, word)
		}
	}
	return h, nil
}

func newHTTP(u Upstream, g Guard, o Options) (*HTTP, error) {
	base, err := newHandler(u, g, o, false)
	if err != nil {
		return nil, err
	}
	h := &HTTP{handler: base}
	h.rest = &httputil.ReverseProxy{
		Transport:     h.up,
		FlushInterval: -1,
		ErrorLog:      log.New(io.Discard, "", 0), // its messages quote what was read
		Rewrite: func(p *httputil.ProxyRequest) {
			p.Out.URL, p.Out.Host = h.up.at(p.In.URL), h.up.base.Host
		},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			w.(*writer).failed = failure(r.Context(), err)
		},
	}
	return h, nil
}

// ServeHTTP answers a request.
func (h *HTTP) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.serve(w, r, func(w *writer, r *http.Request, e *Event) *Fault {
		switch {
		case h.locates(r.URL.EscapedPath()):
			e.Route = "locate"
			return h.locate(w, r)
		case endsIn(r.URL.Path, h.opts.CurrentPaths) && r.Method != http.MethodOptions:
			e.Route = "current"
			return h.current(w, r, e)
		}
		return h.pass(w, r)
	})
}

// pass sends a request that is no ask on, for as long as both ends hold.
func (h *HTTP) pass(w *writer, r *http.Request) *Fault {
	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(nil)
	defer context.AfterFunc(h.streams, func() { cancel(errClosing) })()
	r = r.WithContext(ctx)
	if err := h.up.prepareRest(r.Header); err != nil {
		return errInternal
	}
	body := &hostBody{ReadCloser: r.Body}
	if r.Body != nil && r.Body != http.NoBody {
		r.Body = body
	}
	h.rest.ServeHTTP(w, r)
	if f := body.fault(); f != nil && w.failed != nil {
		return f // it was not the provider that broke off
	}
	return w.failed
}

// current asks the provider and translates what it answers.
func (h *HTTP) current(w *writer, r *http.Request, e *Event) *Fault {
	body, fault := h.opts.requestBody(w, r)
	if fault != nil {
		return fault
	}
	ctx, cancel := h.ask(r)
	defer cancel()
	in, out := h.buffers.get(), h.buffers.get()
	defer h.buffers.put(in)
	defer h.buffers.put(out)
	status, header, plain, raw, fault := h.fetch(ctx, in, r, body)
	if fault != nil {
		return fault
	}
	copyHeader(w.Header(), header)
	switch {
	case r.Method == http.MethodHead:
		if status == http.StatusOK {
			dropBodyHeaders(w.Header())
			w.Header().Set("Cache-Control", "no-store")
		}
		w.WriteHeader(status)
		return nil
	case status == http.StatusNotModified || status == http.StatusNoContent:
		w.WriteHeader(status)
		return nil
	case status == http.StatusPartialContent:
		return errPartial
	case status >= 300 && status < 400:
		return errRedirect
	case status != http.StatusOK || !maybeAnswer(header, plain):
		w.sendAs(status, raw)
		return nil
	}
	out.Grow(len(plain) + len(plain)/2 + 512)
	a, fault := h.tr.translate(out.AvailableBuffer(), plain)
	if fault != nil {
		return fault
	}
	e.answered(a, len(plain), h.opts.To)
	w.Header().Set("Cache-Control", "no-store")
	if a.same {
		w.sendAs(status, raw)
		return nil
	}
	dropBodyHeaders(w.Header())
	w.send(status, "application/json", a.doc)
	return nil
}

// fetch asks the provider once, when it may. The body lies in an empty buffer;
// plain is that unpacked.
func (h *HTTP) fetch(ctx context.Context, in *bytes.Buffer, r *http.Request, body []byte) (status int, header http.Header, plain, raw []byte, fault *Fault) {
	if fault := h.gate.Enter(ctx); fault != nil {
		return 0, nil, nil, nil, fault
	}
	defer h.gate.Leave()
	out := (&http.Request{Method: r.Method, URL: h.up.at(r.URL), Host: h.up.base.Host, Header: r.Header.Clone(), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}).WithContext(ctx)
	setBody(out, body)
	if err := h.up.prepare(out.Header); err != nil {
		return 0, nil, nil, nil, errInternal
	}
	out.Header.Set("Accept-Encoding", "identity")
	out.Header.Del("Range")
	out.Header.Del("If-Range")
	out.Header.Del("Expect")
	resp, err := h.up.RoundTrip(out)
	if err != nil {
		return 0, nil, nil, nil, failure(ctx, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusSwitchingProtocols {
		return 0, nil, nil, nil, errUpstream
	}
	if r.Method == http.MethodHead {
		return resp.StatusCode, resp.Header, nil, nil, nil
	}
	if resp.StatusCode != http.StatusOK {
		raw, err := readInto(in, resp.Body, resp.ContentLength, h.wire)
		if err != nil {
			return 0, nil, nil, nil, failure(ctx, err)
		}
		return resp.StatusCode, resp.Header, raw, raw, nil
	}
	plain, raw, fault = h.content(ctx, in, resp)
	return resp.StatusCode, resp.Header, plain, raw, fault
}

// maybeAnswer reports whether a body may be an answer: it is of a JSON type, or
// of one that says little, or it looks like an object whatever its type. A page
// in HTML is none, and passes.
func maybeAnswer(h http.Header, body []byte) bool {
	media, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil || strings.Contains(media, "json") || media == "application/octet-stream" || media == "text/plain" {
		return true
	}
	body = bytes.TrimLeft(bytes.TrimPrefix(body, []byte("\ufeff")), " \t\r\n")
	return len(body) > 0 && body[0] == '{'
}

// endsIn reports whether a path ends in one of some words, or * stands for all.
func endsIn(path string, words []string) bool {
	path = strings.TrimSuffix(path, "/")
	for _, word := range words {
		if word == "*" || strings.HasSuffix(path, "/"+strings.Trim(word, "/")) {
			return true
		}
	}
	return false
}
