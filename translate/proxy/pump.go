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
			return p.fail(fault)
		}
		p.resumable = p.resumable || ev.id
		out, fault := p.event(&ev)
		if fault != nil {
			return p.fail(fault)
		}
		if !p.write(out) {
			return errHostGone
		}
	}
}

// event is what becomes of an event.
func (p *pump) event(ev *sse) ([]byte, *Fault) {
	data := ev.data()
	if ev.other || len(bytes.TrimSpace(data)) == 0 { // as one that only bears an id
		return ev.raw, nil
	}
	out, fault := p.replies(data, p.takeAny, p.e, func(_ request, f *Fault) {
		if f != nil {
			p.failed = f
		}
	})
	p.done()
	switch {
	case fault != nil && p.asks():
		return nil, fault
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
	case len(p.waiting) == 0:
		p.write(rest)
		return p.failed
	case p.resumable && p.session != "":
		p.open.add(p.session, p.waiting)
		return p.failed
	}
	return p.fail(errNoAnswer)
}

// fail answers what waits with a fault, as an event.
func (p *pump) fail(f *Fault) *Fault {
	if len(p.waiting) > 0 {
		text := p.errors(f)
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
