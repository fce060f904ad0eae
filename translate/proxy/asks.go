package proxy

import "time"

// waiting is a request that is not answered yet.
type waiting struct {
	request
	number  uint64
	key     string
	line    []byte // of an ask that was not sent yet
	started time.Time
	timer   *time.Timer
	flying  bool
}

// maxCalls is how many requests that are not answered are kept.
const maxCalls = 4096

// expect notes a request whose reply passes, edited or not, and reports whether it
// may be sent: not while an ask of the same id waits. Of the others that have the
// same id the last one counts.
func (s *stdio) expect(w *waiting) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.number++
	w.number = s.number
	if old := s.calls[w.key]; old != nil && old.kind.ask() {
		return false
	}
	s.room()
	s.calls[w.key] = w
	return true
}

// room forgets the oldest request that is no ask where there are very many, which
// a provider need not answer if it was told to cancel them. Its reply will not
// pass. It is called with the lock held.
func (s *stdio) room() {
	if len(s.calls) < maxCalls {
		return
	}
	var oldest *waiting
	for _, w := range s.calls {
		if !w.kind.ask() && (oldest == nil || w.number < oldest.number) {
			oldest = w
		}
	}
	if oldest != nil {
		delete(s.calls, oldest.key)
	}
}

// ask sends an ask, or lets it wait, or refuses it.
func (s *stdio) ask(w *waiting, line []byte) bool {
	s.mu.Lock()
	s.number++
	w.number = s.number
	s.room()
	old := s.calls[w.key]
	switch {
	case old != nil && old.kind.ask():
		s.mu.Unlock()
		return s.fault(w, errSameID)
	case len(s.calls) >= maxCalls || s.flying >= s.opts.Limits.InFlight && len(s.queue) >= max(s.opts.Limits.Waiting, 0):
		s.mu.Unlock()
		return s.fault(w, errBusy)
	case s.flying >= s.opts.Limits.InFlight:
		w.line = line
		s.queue = append(s.queue, w)
	default:
		w.flying = true
		s.flying++
	}
	s.calls[w.key] = w
	w.timer = time.AfterFunc(s.opts.Timeout, func() { s.expired(w) })
	s.mu.Unlock()
	if w.flying {
		return s.box.put(line, true)
	}
	return true
}

// expired answers an ask in the provider's place.
func (s *stdio) expired(w *waiting) {
	s.mu.Lock()
	if s.calls[w.key] != w {
		s.mu.Unlock()
		return
	}
	next := s.forget(w)
	s.mu.Unlock()
	s.fault(w, errTimeout)
	s.box.put(next, false)
}

// forget ends a request. It answers the line of an ask that may be sent now. It
// is called with the lock held.
func (s *stdio) forget(w *waiting) (next []byte) {
	delete(s.calls, w.key)
	if w.timer != nil {
		w.timer.Stop()
	}
	for i, q := range s.queue {
		if q == w {
			s.queue = append(s.queue[:i:i], s.queue[i+1:]...)
			return nil
		}
	}
	if !w.flying {
		return nil
	}
	s.flying--
	if len(s.queue) == 0 || s.ended {
		return nil
	}
	q := s.queue[0]
	s.queue = s.queue[1:]
	q.flying = true
	s.flying++
	next, q.line = q.line, nil
	return next
}

// endAll answers what waits for a provider that is gone.
func (s *stdio) endAll() {
	s.mu.Lock()
	s.ended = true
	var left []*waiting
	for _, w := range s.calls {
		if w.kind != otherKind {
			left = append(left, w)
		}
	}
	for _, w := range left {
		s.forget(w)
	}
	s.mu.Unlock()
	for _, w := range left {
		s.fault(w, errNoAnswer)
	}
}
