package proxy

import (
	"bufio"
	"io"
	"sync"
)

// endOf is how much of the end of a line is kept that is too long.
const endOf = 1 << 10

// eachLine calls f with each line, with its end, until f answers false. Of a line
// longer than limit f is given the beginning and a part of the end, else the end is
// nil. The line is f's until it returns.
func eachLine(r io.Reader, limit int, f func(line, end []byte) bool) {
	b := bufio.NewReaderSize(r, 64<<10)
	var line []byte
	for {
		part, err := b.ReadSlice('\n')
		var end []byte
		if err == bufio.ErrBufferFull {
			line = append(line[:0], part...)
			for err == bufio.ErrBufferFull {
				part, err = b.ReadSlice('\n')
				if end == nil && len(line)+len(part) <= limit {
					line = append(line, part...)
					continue
				}
				end = append(end, part...)
				end = append(make([]byte, 0, endOf+64<<10), end[max(0, len(end)-endOf):]...)
			}
			part = line
		}
		if len(part) > 0 && !f(part, end) || err != nil {
			return
		}
		if cap(line) > 1<<20 {
			line = nil // a large answer is no reason to keep its room
		}
	}
}

// outbox writes lines to the provider, one after another, so that who hands them
// over need not wait for a provider that does not read.
type outbox struct {
	w      io.WriteCloser
	mu     sync.Mutex
	change sync.Cond
	lines  [][]byte
	size   int
	closed bool
	failed chan struct{} // closed when the provider takes nothing any more
}

// boxBytes is how much may wait before the host has to.
const boxBytes = 1 << 20

func newOutbox(w io.WriteCloser) *outbox {
	b := &outbox{w: w, failed: make(chan struct{})}
	b.change.L = &b.mu
	return b
}

// put hands a line over. Patient says to wait while there are many. It answers
// false when nothing goes out any more.
func (b *outbox) put(line []byte, patient bool) bool {
	if line == nil {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for patient && b.size > boxBytes && !b.closed {
		b.change.Wait()
	}
	if b.closed {
		return false
	}
	b.lines, b.size = append(b.lines, line), b.size+len(line)
	b.change.Broadcast()
	return true
}

// close lets what was handed over go out, and closes the provider's input.
func (b *outbox) close() {
	b.mu.Lock()
	b.closed = true
	b.change.Broadcast()
	b.mu.Unlock()
}

func (b *outbox) run() {
	defer b.w.Close()
	for {
		b.mu.Lock()
		for len(b.lines) == 0 && !b.closed {
			b.change.Wait()
		}
		if len(b.lines) == 0 {
			b.mu.Unlock()
			return
		}
		line := b.lines[0]
		b.lines, b.size = b.lines[1:], b.size-len(line)
		b.change.Broadcast()
		b.mu.Unlock()
		if _, err := b.w.Write(line); err != nil {
			b.close()
			close(b.failed)
			return
		}
	}
}
