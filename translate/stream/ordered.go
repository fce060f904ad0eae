package stream

import "sync"

// Ordered does work on several goroutines and keeps the order. Next fills a task
// and answers false where there is no more; work does it, and is told which of
// the n workers it is; done takes it. Tasks come to done one at a time, in the
// order in which next filled them, and are used again afterwards: there are
// about two of them for each worker, so that memory is bounded whatever done
// waits for. More says that another task is ready, or will be without waiting for
// next.
//
// The first error of done ends it, and is what it answers. Next is then asked no
// more; where it is waiting, it is not waited for, and what it fills is dropped.
// With one worker nothing is done beside the caller.
func Ordered[T any](n int, next func(*T) bool, work func(worker int, t *T), done func(t *T, more bool) error) error {
	if n <= 1 {
		var t T
		for next(&t) {
			work(0, &t)
			if err := done(&t, false); err != nil {
				return err
			}
		}
		return nil
	}
	type slot struct {
		task  T
		ready chan struct{}
	}
	free := make(chan *slot, 2*n)
	queue := make(chan *slot, 2*n)  // in the order of next
	toWork := make(chan *slot, 2*n) // the same, for the workers
	stop := make(chan struct{})
	for range 2 * n {
		free <- &slot{ready: make(chan struct{}, 1)}
	}
	go func() {
		defer close(queue)
		defer close(toWork)
		for {
			var s *slot
			select {
			case <-stop:
				return
			case s = <-free:
			}
			if !next(&s.task) {
				return
			}
			queue <- s
			toWork <- s
		}
	}()
	var workers sync.WaitGroup
	for k := range n {
		workers.Go(func() {
			for s := range toWork {
				work(k, &s.task)
				s.ready <- struct{}{}
			}
		})
	}
	for s := range queue {
		<-s.ready
		if err := done(&s.task, len(queue) > 0); err != nil {
			close(stop)
			return err
		}
		free <- s
	}
	workers.Wait()
	return nil
}
