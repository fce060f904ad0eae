package proxy

import (
	"context"
	"sync/atomic"
)

// gate lets a number of asks through at a time and some more wait.
type gate struct {
	slots   chan struct{}
	waiting atomic.Int32
	most    int32
}

func newGate(l Limits) *gate {
	return &gate{slots: make(chan struct{}, l.InFlight), most: int32(max(l.Waiting, 0))}
}

// enter waits until an ask may go to the provider. Whoever was let in leaves
// once.
func (g *gate) enter(ctx context.Context) *Fault {
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

func (g *gate) leave() { <-g.slots }
