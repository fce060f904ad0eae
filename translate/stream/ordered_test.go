package stream

import (
	"errors"
	"testing"
	"time"
)

// TestOrdered holds that tasks are done in their order, each once, by any number
// of workers, whichever takes longest.
func TestOrdered(t *testing.T) {
	type task struct{ in, out int }
	for _, n := range []int{0, 1, 2, 3, 8} {
		const tasks = 200
		given, seen := 0, 0
		err := Ordered(n, func(t *task) bool {
			t.in = given
			given++
			return given <= tasks
		}, func(worker int, t *task) {
			if worker < 0 || worker >= max(n, 1) {
				panic("no such worker")
			}
			if t.in%7 == worker {
				time.Sleep(100 * time.Microsecond)
			}
			t.out = t.in * t.in
		}, func(task *task, _ bool) error {
			if task.in != seen || task.out != seen*seen {
				t.Errorf("%d workers: task %d came as %d, result %d", n, task.in, seen, task.out)
			}
			seen++
			return nil
		})
		if err != nil || seen != tasks {
			t.Errorf("%d workers: %d tasks done of %d, error %v", n, seen, tasks, err)
		}
	}
}

// TestOrderedEnds holds that the first error ends it, though more tasks are there
// and though next waits.
func TestOrderedEnds(t *testing.T) {
	wrong := errors.New("wrong")
	for _, n := range []int{1, 2, 8} {
		given, seen := 0, 0
		wait := make(chan struct{})
		err := Ordered(n, func(t *int) bool {
			if given++; given > 5 {
				<-wait
			}
			*t = given
			return true
		}, func(int, *int) {}, func(t *int, _ bool) error {
			if seen++; *t == 3 {
				return wrong
			}
			return nil
		})
		close(wait)
		if err != wrong || seen != 3 {
			t.Errorf("%d workers: %d tasks done, error %v", n, seen, err)
		}
	}
}
