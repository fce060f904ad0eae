package proxy

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"time"
)

// pump passes the events of one stream.
type pump struct {
	*MCP
	*call
	w         *writer
	e         *Event
	session   string
	events    *events
	resumable bool   // an event had an id
	failed    *Fault // of the last reply that could not be translated
	broken    bool   // the stream did not come to its end
}

// run passes events until the stream ends. What was not answered then is answered
// with the fault, unless the host can resume the stream.
func (p *pump) run(ctx context.Context) *Fault {
	for {
		ev, err := p.events.next()
		if err == io.EOF {
			return p.ended(ev.raw)
		}
		if err != nil {
			fault := failure(ctx, err)
			p.broken = len(p.waiting) == 0
			p.keep()
			return p.fail(fault)
		}
		p.resumable = p.resumable || ev.id
		out, fault := p.event(&ev)
		if fault != nil {
			return p.fail(fault)
		}
		if !p.write(out) {
			p.keep()
			return errHostGone
		}
	}
}

// event is what becomes of an event.
func (p *pump) event(ev *sse) ([]byte, *Fault) {
	data := ev.data()
	if len(bytes.TrimSpace(data)) == 0 { // as one that only bears an id
		return ev.raw, nil
	}
	take := p.takeAny
	if ev.other { // no message, but a host may take it for one
		take = func([]byte) (request, bool) { return request{}, false }
	}
	if first := bytes.TrimLeft(data, " \t\r\n"); ev.other && first[0] != '{' && first[0] != '[' {
		return ev.raw, nil
	}
	out, fault := p.replies(data, false, take, p.e, func(_ request, f *Fault) {
		if f != nil {
			p.failed = f
		}
	})
	p.done()
	switch {
	case fault != nil && p.asks() && !ev.other:
		return nil, fault
	case fault != nil && (ev.other || looksJSON(data)), fault == nil && out == nil:
		return nil, nil // it may hold an answer that was not translated
	case fault != nil, len(out) == len(data) && (len(out) == 0 || &out[0] == &data[0]):
		return ev.raw, nil
	}
	return ev.with(out), nil
}

// takeAny takes a request of this call, or one whose stream ended before.
func (p *pump) takeAny(id []byte) (request, bool) {
	if q, ok := p.take(id); ok {
		return q, true
	}
	return p.open.take(p.session, id)
}

// ended ends a stream that came to its end.
func (p *pump) ended(rest []byte) *Fault {
	switch {
	case p.keep() && len(p.waiting) > 0:
		return p.failed
	case len(p.waiting) == 0:
		p.write(rest)
		return p.failed
	}
	return p.fail(errNoAnswer)
}

// keep remembers what was not answered, where the host can resume the stream.
func (p *pump) keep() bool {
	if !p.resumable || p.session == "" {
		return false
	}
	p.open.add(p.session, p.waiting)
	p.open.add(p.session, p.others)
	return true
}

// fail answers what waits with a fault, as an event.
func (p *pump) fail(f *Fault) *Fault {
	if len(p.waiting) > 0 {
		text := p.errors(f, p.waiting)
		p.write(bytes.Join([][]byte{[]byte("event: message\ndata: "), text, []byte("\n\n")}, nil))
	}
	return f
}

// write writes to the host at once. While an ask is at work it does not wait long
// for a host that does not take it.
func (p *pump) write(b []byte) bool {
	if len(b) == 0 {
		return true
	}
	control := http.NewResponseController(p.w.ResponseWriter)
	if p.timer != nil {
		control.SetWriteDeadline(time.Now().Add(10 * time.Second))
	}
	_, err := p.w.Write(b)
	if err == nil {
		err = control.Flush()
	}
	if p.timer != nil {
		control.SetWriteDeadline(time.Time{})
	}
	return err == nil
}
