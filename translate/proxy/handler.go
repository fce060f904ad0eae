package proxy

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"ctxmigrate/translate"
)

// handler is what the handlers of both protocols share.
type handler struct {
	core
	guard   Guard
	up      *provider
	gate    *Gate
	buffers buffers
	wire    int // bytes that an answer of the provider may take
	number  atomic.Uint64
	streams context.Context // of what may last for as long as both ends hold
	end     context.CancelCauseFunc
}

func newHandler(u Upstream, g Guard, o Options, mcp bool) (*handler, error) {
	if o.To < translate.V01 || o.To > translate.Askable {
		return nil, errors.New("the form to translate to is not named")
	}
	o.fill()
	if !json.Valid([]byte(o.Gone.Body)) {
		return nil, errors.New("the answer for elements that are gone is no JSON")
	}
	up, err := newProvider(u, &o)
	if err != nil {
		return nil, err
	}
	h := &handler{core: core{&o, newTranslator(&o, mcp)}, guard: g, up: up, gate: NewGate(o.Limits), wire: o.Limits.Bytes}
	h.streams, h.end = context.WithCancelCause(context.Background())
	return h, nil
}

// Close ends the streams that pass through. Asks at work go on to their end.
func (h *handler) Close() {
	h.end(errClosing)
	h.up.idle()
}

// serve does what is common to all requests around f, which answers the request,
// or a fault where it has written nothing.
func (h *handler) serve(w http.ResponseWriter, r *http.Request, f func(w *writer, r *http.Request, e *Event) *Fault) {
	start := h.opts.Now()
	r, host := attend(r)
	defer host.letGo()
	out := &writer{ResponseWriter: w, host: host}
	e := Event{Number: h.number.Add(1), Route: "other", Outcome: "passed"}
	var fault *Fault
	var abort any
	func() {
		defer func() {
			if v := recover(); v != nil { // the value may hold what was read
				if fault = errInternal; v == http.ErrAbortHandler {
					fault = errBroken
				}
				if out.wrote {
					abort = http.ErrAbortHandler
				}
			}
		}()
		if fault = h.guard.checkPlace(r); fault != nil {
			return
		}
		if r.URL.Path == "/healthz" {
			e.Route = "healthz"
			out.send(http.StatusOK, "application/json", []byte(`{"status":"ok"}`))
			return
		}
		if fault = h.guard.check(r); fault == nil {
			fault = f(out, r, &e)
		}
	}()
	if fault != nil {
		e.Outcome = fault.Code
		h.up.idle()     // a provider that does wrong may close connections without a word
		if !out.wrote { // also where the host seems to be gone: it may only have ended what it sends
			out.fault(fault)
		}
	}
	e.Took = h.opts.Now().Sub(start)
	h.opts.tell(&e)
	if abort != nil {
		panic(abort)
	}
}

// tell logs a request, and tells the observer of it.
func (o *Options) tell(e *Event) {
	e.Log(o.Log)
	if o.Observe != nil {
		o.Observe(*e)
	}
}

// Log logs a request.
func (e *Event) Log(log *slog.Logger) {
	level := slog.LevelInfo
	switch e.Outcome {
	case "ok", "same", "passed":
		if e.Route == "healthz" {
			level = slog.LevelDebug
		}
	default:
		level = slog.LevelWarn
	}
	if !log.Enabled(context.Background(), level) {
		return
	}
	attrs := append(make([]slog.Attr, 0, 8), slog.Uint64("request", e.Number), slog.String("route", e.Route), slog.String("outcome", e.Outcome), slog.Duration("took", e.Took))
	if e.From != translate.Auto {
		attrs = append(attrs, slog.String("from", e.From.String()), slog.String("to", e.To.String()), slog.Int("in", e.In), slog.Int("out", e.Out))
	}
	log.LogAttrs(context.Background(), level, "request", attrs...)
}

// answered notes a translated answer.
func (e *Event) answered(a answer, in int, to translate.Form) {
	e.From, e.To, e.Outcome = a.from, to, "ok"
	e.In += in
	e.Out += len(a.doc)
	if a.same {
		e.Outcome = "same"
	}
}

// ask is the context of an ask: it ends with the host's, and after the time limit.
func (h *handler) ask(r *http.Request) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(r.Context(), h.opts.Timeout, errTimeout)
}

// requestBody reads the body of a request of the host. With a fault it answers what
// it has of it, or of one that is too large the beginning.
func (o *Options) requestBody(w *writer, r *http.Request) ([]byte, *Fault) {
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	control := http.NewResponseController(w.ResponseWriter)
	control.SetReadDeadline(time.Now().Add(max(o.Timeout, 5*time.Second)))
	body, err := readBody(r.Body, r.ContentLength, o.Limits.Bytes)
	if err != nil && len(body) == 0 {
		body, _ = readBody(r.Body, 0, beginning)
	}
	control.SetReadDeadline(time.Time{})
	if err != nil {
		return body, sent(err)
	}
	return body, nil
}

// beginning is how much is looked at of a body that is too large.
const beginning = 16 << 10

// writer knows whether something was written.
type writer struct {
	http.ResponseWriter
	host   *host // nil where nobody asks whether it is there
	wrote  bool
	failed *Fault // of a request that passes
}

func (w *writer) WriteHeader(status int) {
	w.wrote = w.wrote || status >= 200
	w.ResponseWriter.WriteHeader(status)
}

func (w *writer) Write(p []byte) (int, error) {
	w.wrote = true
	n, err := w.ResponseWriter.Write(p)
	if err == nil {
		w.host.took()
	}
	return n, err
}

func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// send writes a whole answer that is not to be kept. A host that does not take it
// within some seconds is given up.
func (w *writer) send(status int, media string, body []byte) {
	h := w.Header()
	h.Set("Content-Type", media)
	h.Set("Cache-Control", "no-store")
	w.sendAs(status, body)
}

func (w *writer) sendAs(status int, body []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	control := http.NewResponseController(w.ResponseWriter)
	control.SetWriteDeadline(time.Now().Add(10 * time.Second))
	w.WriteHeader(status)
	w.Write(body)
	control.Flush()
	control.SetWriteDeadline(time.Time{})
}

// fault writes a fault as the protocols over HTTP know it.
func (w *writer) fault(f *Fault) {
	h := w.Header()
	clear(h)
	if f == errToken {
		h.Set("WWW-Authenticate", "Bearer")
	}
	if f == errRequest || f == errRequestSize {
		h.Set("Connection", "close") // the rest of the body is not read
	}
	w.send(f.Status, "application/json", faultBody(f))
}

func faultBody(f *Fault) []byte {
	body, _ := json.Marshal(map[string]any{"error": map[string]string{"code": f.Code, "message": f.Message}})
	return body
}

// copyHeader copies the headers of an answer that passes.
func copyHeader(to, from http.Header) {
	for name, values := range from {
		to[name] = values
	}
	dropHops(to)
}

// pass copies a body at once as it comes. Where the provider breaks it off, so
// does this: half a body never looks whole.
func (w *writer) pass(body io.Reader) {
	control := http.NewResponseController(w.ResponseWriter)
	buf := make([]byte, 32<<10)
	for {
		n, err := body.Read(buf)
		if n > 0 {
			if _, err := w.Write(buf[:n]); err != nil {
				return
			}
			control.Flush()
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			panic(http.ErrAbortHandler)
		}
	}
}
