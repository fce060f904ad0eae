package serve

import (
	"context"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Run serves one host that speaks on in and listens on out, until its input ends
// or ctx is done. What it asked before the end of its input is answered, within
// patience.
func Run(ctx context.Context, s *mcp.Server, in io.Reader, out io.Writer, patience time.Duration) error {
	return s.Run(ctx, patient{&mcp.IOTransport{Reader: io.NopCloser(in), Writer: kept{out}}, patience})
}

// kept is a writer that stays open.
type kept struct{ io.Writer }

func (kept) Close() error { return nil }

// patient is a transport whose input ends only when all that came was answered:
// the library drops what is at work when the input ends.
type patient struct {
	mcp.Transport
	patience time.Duration
}

func (p patient) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := p.Transport.Connect(ctx)
	return &answering{Connection: c, patience: p.patience, change: make(chan struct{}, 1), closed: make(chan struct{})}, err
}

type answering struct {
	mcp.Connection
	patience time.Duration
	change   chan struct{} // has one where open became smaller
	closed   chan struct{}
	once     sync.Once

	mu   sync.Mutex
	open int // requests without an answer
}

func (a *answering) add(n int) (open int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.open += n
	return a.open
}

// Read reads a message.
func (a *answering) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := a.Connection.Read(ctx)
	if r, ok := m.(*jsonrpc.Request); ok && err == nil && r.IsCall() {
		a.add(1)
	}
	if err == nil {
		return m, nil
	}
	end := time.NewTimer(a.patience)
	defer end.Stop()
	for a.add(0) > 0 {
		select {
		case <-a.change:
		case <-a.closed:
			return m, err
		case <-ctx.Done():
			return m, err
		case <-end.C:
			return m, err
		}
	}
	return m, err
}

// Write writes a message.
func (a *answering) Write(ctx context.Context, m jsonrpc.Message) error {
	err := a.Connection.Write(ctx, m)
	if _, ok := m.(*jsonrpc.Response); ok {
		a.add(-1)
		select {
		case a.change <- struct{}{}:
		default:
		}
	}
	return err
}

// Close closes the connection.
func (a *answering) Close() error {
	a.once.Do(func() { close(a.closed) })
	return a.Connection.Close()
}
