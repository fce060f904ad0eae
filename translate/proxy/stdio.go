package proxy

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"ctxmigrate/translate"
	"ctxmigrate/translate/jsontree"
)

// Pump starts a provider that speaks MCP on its standard input and output, one
// message a line, and passes messages between it and the host, until the host's
// input ends, the provider ends or ctx is done. Then the provider, and all that
// it started, is gone within five seconds.
//
// A line that is no message, or a reply to no request that waits, is dropped and told of as an Event with the route
// junk. It answers ErrEnded where the provider ended by itself.
//
// Where the provider ends first, a read of the host's input that is under way is
// left to its own end.
func Pump(ctx context.Context, host io.Reader, to io.Writer, c Command, o Options) error {
	if o.To < translate.V01 || o.To > translate.Askable {
		return errors.New("the form to translate to is not named")
	}
	o.fill()
	if !json.Valid([]byte(o.Gone.Body)) {
		return errors.New("the answer for elements that are gone is no JSON")
	}
	child, err := c.start()
	if err != nil {
		return err
	}
	s := &stdio{core: core{&o, newTranslator(&o, true)}, to: to, box: newOutbox(child.in), calls: map[string]*waiting{}}
	s.wire = 2*o.Limits.Bytes + 64<<10
	hostEnded := make(chan struct{})
	var passing sync.WaitGroup
	passing.Go(s.box.run)
	go func() {
		defer close(hostEnded)
		eachLine(host, s.wire, s.safe(s.fromHost))
	}()
	childEnded := make(chan struct{})
	go func() {
		defer close(childEnded)
		eachLine(child.out, s.wire, s.safe(s.fromChild))
	}()
	select {
	case <-hostEnded:
	case <-ctx.Done():
	case <-s.box.failed:
		err = ErrEnded
	case <-child.exited:
		err = ErrEnded
	case <-childEnded:
		err = ErrEnded
	}
	select {
	case <-hostEnded:
		err = nil // the provider may have ended because of that
		s.finish(child.exited)
	default:
	}
	s.box.close()
	child.end(err == nil, childEnded)
	<-childEnded
	s.endAll()
	passing.Wait()
	if err != nil && s.hostGone() {
		return nil // nobody is left to be told
	}
	return err
}

// safe keeps a failure of this program at one line from ending it, and from
// being printed with what was read.
func (s *stdio) safe(f func(line, end []byte) bool) func(line, end []byte) bool {
	return func(line, end []byte) (on bool) {
		defer func() {
			if recover() != nil {
				s.opts.tell(&Event{Route: "other", Outcome: errInternal.Code})
				on = true
			}
		}()
		return f(line, end)
	}
}

// finish waits for the asks that are at work, which a time limit ends.
func (s *stdio) finish(exited <-chan struct{}) {
	limit := time.Now().Add(min(s.opts.Timeout, time.Second) + 20*time.Millisecond)
	for time.Now().Before(limit) {
		s.mu.Lock()
		idle := s.flying == 0
		s.mu.Unlock()
		select {
		case <-exited:
			return
		case <-time.After(2 * time.Millisecond):
		}
		if idle {
			return
		}
	}
}

// ErrEnded says that the provider ended by itself.
var ErrEnded = errors.New("the provider ended")

// stdio is a pump at work.
type stdio struct {
	core
	wire int
	box  *outbox // to the provider

	out     sync.Mutex // held while a line is written to the host
	to      io.Writer
	refused bool // the host takes nothing any more

	mu     sync.Mutex
	number uint64
	calls  map[string]*waiting // by id
	flying int                 // asks at the provider
	queue  []*waiting          // asks that wait for one of these
	ended  bool
}

// fromHost passes a line of the host. A list with an ask in it goes message by
// message, so that each ask has its time limit and its turn.
func (s *stdio) fromHost(line, end []byte) bool {
	if end != nil {
		return s.hostLine(line, end, errRequestSize)
	}
	list, loose, err := readMessages(line, s.opts.Limits.Depth)
	if err != nil {
		return s.hostLine(line, whole(line, err), unreadable(line, err, "request"))
	}
	if len(list) > 1 && slices.ContainsFunc(list, func(m message) bool { return s.mayAsk(line, m) }) {
		for _, m := range list {
			one := append(bytes.Clone(m.at.In(line)), '\n')
			if jsontree.KindOf(one) == jsontree.Object && !s.fromHost(one, nil) {
				return false
			}
		}
		return true
	}
	for _, m := range list {
		if m.id.IsZero() || m.method.IsZero() {
			continue
		}
		k, text := s.kindOf(line, m), line
		if loose && s.mayAsk(line, m) {
			if f := s.strict(line, m, "request"); f != nil {
				return s.fault(&waiting{request: request{m.id.In(line), k}, started: s.opts.Now()}, f)
			}
		}
		if to, ok := s.locate(line, m); ok {
			if to.gone {
				return s.write(append(s.goneReply(&to), '\n'))
			}
			if k, text = locateRead, to.text; to.kind == callCurrent {
				k = locateCall
			}
		}
		id := bytes.Clone(m.id.In(line))
		w := &waiting{request: request{id, k}, key: idKey(id), started: s.opts.Now()}
		if k.ask() {
			return s.ask(w, bytes.Clone(text))
		}
		if !s.expect(w) {
			return s.fault(w, errSameID)
		}
	}
	return s.box.put(bytes.Clone(line), true)
}

// hostLine deals with a line of the host that cannot be read as a whole: who waits
// for an answer to it, or for it as an answer, is told why it does not come.
func (s *stdio) hostLine(line, end []byte, f *Fault) bool {
	p := peek(line, end)
	if p.id == nil {
		return s.junk(line)
	}
	w := &waiting{request: request{id: p.id}, started: s.opts.Now()}
	if p.request {
		return s.fault(w, f)
	}
	if f == errRequestSize {
		f = errLarge
	}
	return s.refuse(line, w.request, f)
}

// childLine is hostLine for a line of the provider.
func (s *stdio) childLine(line, end []byte, f *Fault) bool {
	p := peek(line, end)
	switch {
	case p.id == nil:
		return s.junk(line)
	case p.request:
		if f == errLarge {
			f = errRequestSize
		}
		return s.refuse(line, request{id: p.id}, f)
	}
	w, ok := s.answered(p.id)
	if !ok {
		return s.junk(line)
	}
	return s.fault(w, f)
}

// refuse tells the provider that a message did not pass.
func (s *stdio) refuse(line []byte, q request, f *Fault) bool {
	s.opts.tell(&Event{Route: "other", Outcome: f.Code, In: len(line)})
	return s.box.put(append(errorReply(q, f), '\n'), false)
}

// answered ends the request that a reply of the provider is for.
func (s *stdio) answered(id []byte) (*waiting, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.calls[idKey(id)]
	if w == nil || w.kind.ask() && !w.flying {
		return nil, false
	}
	s.box.put(s.forget(w), false)
	return w, true
}

// fromChild passes a line of the provider.
func (s *stdio) fromChild(line, end []byte) bool {
	if len(bytes.TrimSpace(line)) == 0 {
		return true
	}
	if end != nil {
		return s.childLine(line, end, errLarge)
	}
	list, _, err := readMessages(line, s.opts.Limits.Depth)
	if err != nil {
		return s.childLine(line, whole(line, err), unreadable(line, err, "answer"))
	}
	if jsontree.KindOf(list0(line, list)) != jsontree.Object {
		return s.junk(line)
	}
	var e Event
	var last *waiting
	var failed *Fault
	out, fault := s.replies(line, false, func(id []byte) (request, bool) {
		w, ok := s.answered(id)
		if !ok {
			return request{}, false
		}
		if w.kind.ask() {
			last = w
		}
		return w.request, true
	}, &e, func(_ request, f *Fault) { failed = f })
	if fault != nil {
		return s.junk(line)
	}
	if last != nil {
		e.Number, e.Route, e.Took = last.number, last.kind.route(), s.opts.Now().Sub(last.started)
		if e.Outcome == "" {
			e.Outcome = "passed"
		}
		if failed != nil {
			e.Outcome = failed.Code
		}
		s.opts.tell(&e)
	}
	if out == nil { // replies to nothing that waits: late ones, second ones
		return s.junk(line)
	}
	if !bytes.HasSuffix(out, []byte("\n")) {
		out = append(out[:len(out):len(out)], '\n') // the last line had none
	}
	return s.write(out)
}

// list0 is the first message of a line.
func list0(line []byte, list []message) []byte {
	if len(list) == 0 {
		return nil
	}
	return list[0].at.In(line)
}

// fault answers a request in the provider's place.
func (s *stdio) fault(w *waiting, f *Fault) bool {
	s.opts.tell(&Event{Number: w.number, Route: w.kind.route(), Took: s.opts.Now().Sub(w.started), Outcome: f.Code})
	return s.write(append(errorReply(w.request, f), '\n'))
}

// junk drops a line that is no message.
func (s *stdio) junk(line []byte) bool {
	if len(bytes.TrimSpace(line)) > 0 {
		s.opts.tell(&Event{Route: "junk", Outcome: "dropped", In: len(line)})
	}
	return true
}

// write writes a line to the host, and answers false where the host takes
// nothing any more.
func (s *stdio) write(line []byte) bool {
	s.out.Lock()
	defer s.out.Unlock()
	if !s.refused {
		_, err := s.to.Write(line)
		s.refused = err != nil
	}
	return !s.refused
}

func (s *stdio) hostGone() bool {
	s.out.Lock()
	defer s.out.Unlock()
	return s.refused
}
