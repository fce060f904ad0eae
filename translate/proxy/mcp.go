package proxy

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"ctxmigrate/translate/jsontree"
)

// MCP is a proxy in front of a provider that speaks MCP over Streamable HTTP. It
// keeps no session of its own: what the host and the provider agree on, the
// revision of the protocol too, passes between them. /healthz is answered by the
// proxy itself.
type MCP struct {
	*handler
	open pending
}

// NewMCP makes a handler in front of a provider. Where u names the endpoint with
// its path, every path of the handler is that endpoint, but for those of the
// provider that are well known (RFC 8615); else the path that the host asks for is
// the provider's. It is to be closed when it is not needed any more.
func NewMCP(u Upstream, g Guard, o Options) (*MCP, error) {
	h, err := newHandler(u, g, o, true)
	if err != nil {
		return nil, err
	}
	h.up.endpoint = h.up.base.Path != ""
	h.wire = 2*h.opts.Limits.Bytes + 64<<10 // an answer stands in a string, with escapes
	return &MCP{handler: h}, nil
}

// ServeHTTP answers a request.
func (h *MCP) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.serve(w, r, func(w *writer, r *http.Request, e *Event) *Fault {
		if r.Method == http.MethodPost {
			return h.post(w, r, e)
		}
		if r.Method == http.MethodDelete {
			h.open.drop(session(r))
		}
		if r.Method == http.MethodGet {
			e.Route = "stream"
		}
		return h.exchange(w, r, e, &call{})
	})
}

// call is a request of the host to the endpoint, and what of it is to be answered.
type call struct {
	body    []byte
	list    bool // the body is a list of messages
	waiting []request
	others  []request   // those whose replies pass as they are
	timer   *time.Timer // of the asks
	leave   func()      // lets the next ask in; for once
}

func (c *call) asks() bool {
	for _, q := range c.waiting {
		if q.kind.ask() {
			return true
		}
	}
	return false
}

// take takes the request that a reply is for.
func (c *call) take(id []byte) (request, bool) {
	for _, list := range []*[]request{&c.waiting, &c.others} {
		for i, q := range *list {
			if sameID(q.id, id) {
				*list = slices.Delete(*list, i, i+1)
				return q, true
			}
		}
	}
	return request{}, false
}

// done ends the time limit when the last ask was answered.
func (c *call) done() {
	if c.leave != nil && !c.asks() {
		c.timer.Stop()
		c.leave()
		c.leave = nil
	}
}

// post reads the messages of the host.
func (h *MCP) post(w *writer, r *http.Request, e *Event) *Fault {
	body, fault := h.opts.requestBody(w, r)
	if fault != nil {
		return w.refuse(fault, peek(body, nil), e)
	}
	c := &call{body: body}
	list, loose, err := readMessages(body, h.opts.Limits.Depth)
	if err != nil {
		fault = errRequest
		if err.Fault == jsontree.TooDeep || err.Fault == jsontree.DuplicateMember {
			fault = unreadable(body, err, "request")
		}
		return w.refuse(fault, peek(body, whole(body, err)), e)
	}
	c.list = jsontree.KindOf(bytes.TrimLeft(bytes.TrimPrefix(body, []byte("\ufeff")), " \t\r\n")) == jsontree.Array
	for _, m := range list {
		k := h.kindOf(body, m)
		if loose && h.mayAsk(body, m) && fault == nil {
			fault = h.strict(body, m, "request")
		}
		if to, ok := h.locate(body, m); ok && !m.id.IsZero() && !c.list {
			if k = locateRead; to.kind == callCurrent {
				k = locateCall
			}
			if to.gone {
				e.Route = k.route()
				w.send(http.StatusOK, "application/json", h.goneReply(&to))
				return nil
			}
			c.body = to.text
			mirror(r.Header, to.old, to.new)
		}
		if k != otherKind {
			e.Route = k.route()
			c.waiting = append(c.waiting, request{bytes.Clone(m.id.In(body)), k})
		} else if !m.id.IsZero() && !m.method.IsZero() {
			c.others = append(c.others, request{bytes.Clone(m.id.In(body)), k})
		}
	}
	if fault != nil {
		return h.fail(w, e, c, fault)
	}
	return h.exchange(w, r, e, c)
}

// exchange sends a request to the provider and passes what it answers, with what
// is to be translated.
func (h *MCP) exchange(w *writer, r *http.Request, e *Event, c *call) *Fault {
	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(nil)
	if c.asks() {
		c.timer = time.AfterFunc(h.opts.Timeout, func() { cancel(errTimeout) })
		defer c.timer.Stop()
		if fault := h.gate.Enter(ctx); fault != nil {
			return h.fail(w, e, c, fault)
		}
		c.leave = h.gate.Leave
		defer func() {
			if c.leave != nil {
				c.leave()
			}
		}()
	} else {
		defer context.AfterFunc(h.streams, func() { cancel(errClosing) })()
	}
	resp, err := h.send(ctx, r, c.body)
	if err != nil {
		return h.fail(w, e, c, failure(ctx, err))
	}
	defer resp.Body.Close()
	status := resp.StatusCode
	switch {
	case status == http.StatusSwitchingProtocols:
		return h.fail(w, e, c, errUpstream)
	case status == http.StatusOK && strings.HasPrefix(strings.ToLower(resp.Header.Get("Content-Type")), "text/event-stream"):
		return h.stream(ctx, w, r, resp, e, c)
	case status == http.StatusOK && len(c.waiting) > 0:
		return h.whole(ctx, w, resp, e, c)
	case c.asks() && status >= 300 && status < 400:
		return h.fail(w, e, c, errRedirect)
	case c.asks() && status < 300:
		return h.fail(w, e, c, errNoAnswer)
	}
	copyHeader(w.Header(), resp.Header)
	if c.asks() { // an error, within the time limit and whole
		body, err := readBody(resp.Body, resp.ContentLength, h.wire)
		if err != nil {
			return h.fail(w, e, c, failure(ctx, err))
		}
		w.sendAs(status, body)
		return nil
	}
	w.WriteHeader(status)
	w.pass(resp.Body)
	return nil
}

// send sends a request to the provider, once.
func (h *MCP) send(ctx context.Context, r *http.Request, body []byte) (*http.Response, error) {
	out := (&http.Request{Method: r.Method, URL: h.up.at(r.URL), Host: h.up.base.Host, Header: r.Header.Clone(), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}).WithContext(ctx)
	setBody(out, body)
	if err := h.up.prepare(out.Header); err != nil {
		return nil, err
	}
	out.Header.Set("Accept-Encoding", "identity")
	out.Header.Del("Expect")
	return h.up.RoundTrip(out)
}

// fail answers every request that the host sent with a fault. What is no request
// gets a status, since it expects no answer.
func (h *MCP) fail(w *writer, e *Event, c *call, f *Fault) *Fault {
	h.up.idle()
	switch {
	case len(c.waiting)+len(c.others) > 0:
		e.Outcome = f.Code
		clear(w.Header())
		w.send(http.StatusOK, "application/json", c.errors(f, c.waiting, c.others))
	case c.body != nil:
		return w.refuse(f, peeked{}, e)
	default:
		return f
	}
	return nil
}

// refuse answers a POST that does not pass.
func (w *writer) refuse(f *Fault, p peeked, e *Event) *Fault {
	e.Outcome = f.Code
	q := request{id: []byte("null")}
	if p.request && p.id != nil {
		q.id = p.id
	}
	clear(w.Header())
	if f == errRequestSize || f.Status == http.StatusBadRequest {
		w.Header().Set("Connection", "close") // the rest of the body is not read
	}
	w.send(f.Status, "application/json", errorReply(q, f))
	return nil
}

// errors are the replies to requests, as the host sent them.
func (c *call) errors(f *Fault, lists ...[]request) []byte {
	var parts [][]byte
	for _, q := range slices.Concat(lists...) {
		parts = append(parts, errorReply(q, f))
	}
	text := bytes.Join(parts, []byte(","))
	if c.list {
		text = append(append([]byte("["), text...), ']')
	}
	return text
}

// whole translates an answer that comes as one JSON text.
func (h *MCP) whole(ctx context.Context, w *writer, resp *http.Response, e *Event, c *call) *Fault {
	in := h.buffers.get()
	defer h.buffers.put(in)
	plain, raw, fault := h.content(ctx, in, resp)
	if fault != nil {
		return h.fail(w, e, c, fault)
	}
	var failed *Fault
	asked := c.asks()
	text, fault := h.replies(plain, !asked, c.take, e, func(_ request, f *Fault) {
		if f != nil {
			failed = f
		}
	})
	c.done()
	switch {
	case fault != nil && !c.asks() && failed == nil: // a list that cannot be read is not ours to judge
		text = plain
	case fault != nil:
		return h.fail(w, e, c, fault)
	case c.asks() && !c.list, asked && text == nil:
		return h.fail(w, e, c, errNoAnswer)
	case failed != nil:
		e.Outcome = failed.Code
		h.up.idle()
	}
	copyHeader(w.Header(), resp.Header)
	if len(text) == len(plain) && (len(text) == 0 || &text[0] == &plain[0]) {
		w.sendAs(resp.StatusCode, raw)
		return nil
	}
	dropBodyHeaders(w.Header())
	w.send(resp.StatusCode, "application/json", text)
	return nil
}

// stream passes a stream of events, each at once.
func (h *MCP) stream(ctx context.Context, w *writer, r *http.Request, resp *http.Response, e *Event, c *call) *Fault {
	var body io.Reader = resp.Body
	copyHeader(w.Header(), resp.Header)
	switch encoding(resp.Header) {
	case "":
	case "gzip":
		z, err := gzip.NewReader(resp.Body)
		if err != nil {
			return h.fail(w, e, c, errPacked)
		}
		body = z
	default:
		return h.fail(w, e, c, errEncoding)
	}
	dropBodyHeaders(w.Header())
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusOK)
	control := http.NewResponseController(w.ResponseWriter)
	control.Flush()
	p := &pump{MCP: h, w: w, e: e, call: c, session: session(r), events: newEvents(body, h.wire)}
	fault := p.run(ctx)
	if fault != nil {
		e.Outcome = fault.Code
	}
	if fault != nil && fault != errClosing && p.broken {
		panic(http.ErrAbortHandler)
	}
	return nil
}

func session(r *http.Request) string { return r.Header.Get("Mcp-Session-Id") }
