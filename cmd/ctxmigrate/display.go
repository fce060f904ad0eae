package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"ctxmigrate/translate/batch"
)

// display shows how far a batch is: a line that is redrawn on a terminal, now and
// then a plain line elsewhere, nothing where that is wanted.
type display struct {
	lock  sync.Mutex
	w     io.Writer // nil: nothing is shown
	bar   *progressbar.ProgressBar
	live  bool
	start time.Time
	last  time.Time
}

// logEvery is how often a plain line is written; a line that is redrawn is, more
// often.
const (
	logEvery  = 10 * time.Second
	drawEvery = 200 * time.Millisecond
)

func newDisplay(w io.Writer, quiet, live bool) *display {
	d := &display{live: live, start: time.Now()}
	if d.last = d.start; !quiet {
		d.w = w
	}
	return d
}

func (d *display) progress(p batch.Progress) {
	d.lock.Lock()
	defer d.lock.Unlock()
	now := time.Now()
	every := logEvery
	if d.live {
		every = drawEvery
	}
	if d.w == nil || now.Sub(d.last) < every {
		return
	}
	d.last = now
	what := fmt.Sprintf("%d documents, %d failed", p.Documents, p.Failed)
	if !d.live {
		fmt.Fprintln(d.w, "ctxmigrate: "+plainLine(p, what, now.Sub(d.start)))
		return
	}
	if d.bar == nil {
		d.bar = progressbar.NewOptions64(max(p.AllBytes, 1), progressbar.OptionSetWriter(d.w), progressbar.OptionShowBytes(true),
			progressbar.OptionSetPredictTime(true), progressbar.OptionSetElapsedTime(true), progressbar.OptionFullWidth(), progressbar.OptionThrottle(0))
	}
	d.bar.Describe(what)
	d.bar.Set64(min(p.Bytes, p.AllBytes))
}

// plainLine is a plain line of progress.
func plainLine(p batch.Progress, what string, since time.Duration) string {
	rate := float64(p.Bytes) / since.Seconds()
	text := fmt.Sprintf("%d of %d files, %s, %.1f of %.1f MB, %.1f MB/s", p.Files, p.AllFiles, what, mega(p.Bytes), mega(p.AllBytes), rate/1e6)
	if rate > 0 && p.AllBytes > p.Bytes {
		text += ", " + (time.Duration(float64(p.AllBytes-p.Bytes)/rate) * time.Second).String() + " left"
	}
	return text
}

func mega(n int64) float64 { return float64(n) / 1e6 }

// clear takes the redrawn line away, before another line is written.
func (d *display) clear() {
	d.lock.Lock()
	defer d.lock.Unlock()
	if d.bar != nil {
		d.bar.Clear()
	}
}

// say writes a line.
func (d *display) say(w io.Writer, text string) {
	d.clear()
	io.WriteString(w, text)
}

func (d *display) end() { d.clear() }
