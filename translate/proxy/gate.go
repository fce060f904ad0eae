package proxy

import (
	"context"
	"sync/atomic"
)

// Gate lets a number of asks through at a time, and some more wait.
type Gate struct {
	slots   chan struct{}
	waiting atomic.Int32
	most    int32
}

// NewGate makes a gate of Limits.InFlight and Limits.Waiting.
func NewGate(l Limits) *Gate {
	l.fill()
	return &Gate{slots: make(chan struct{}, l.InFlight), most: int32(max(l.Waiting, 0))}
}

// Enter waits until an ask may go to the provider, or answers why it may not.
// Whoever was let in calls Leave, once.
func (g *Gate) Enter(ctx context.Context) *Fault {
	select {
	case g.slots <- struct{}{}:
		return nil
	default:
	}
	if g.waiting.Add(1) > g.most {
		g.waiting.Add(-1)
		return errBusy
	}
	defer g.waiting.Add(-1)
	select {
	case g.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return failure(ctx, ctx.Err())
	}
}

// Leave lets the next ask in.
func (g *Gate) Leave() { <-g.slots }
