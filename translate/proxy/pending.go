package proxy

import "sync"

// pending are requests whose stream ended before they were answered and can be
// resumed by another one. The oldest are forgotten first.
type pending struct {
	mu   sync.Mutex
	list []struct {
		session string
		request request
	}
}

// maxPending is how many requests are kept.
const maxPending = 1024

func (p *pending) add(session string, list []request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, q := range list {
		if len(p.list) == maxPending {
			p.list = append(p.list[:0], p.list[1:]...)
		}
		p.list = append(p.list, struct {
			session string
			request request
		}{session, q})
	}
}

func (p *pending) take(session string, id []byte) (request, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, q := range p.list {
		if q.session == session && sameID(q.request.id, id) {
			p.list = append(p.list[:i], p.list[i+1:]...)
			return q.request, true
		}
	}
	return request{}, false
}

// drop forgets the requests of a session.
func (p *pending) drop(session string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	kept := p.list[:0]
	for _, q := range p.list {
		if q.session != session {
			kept = append(kept, q)
		}
	}
	p.list = kept
}
