package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"ctxmigrate/translate/batch"
)

// TestDisplay holds what is shown: plain lines now and then, a line that is
// redrawn on a terminal and gone at the end, and nothing where that is wanted.
func TestDisplay(t *testing.T) {
	half := batch.Progress{Files: 2, AllFiles: 4, Documents: 1000, Failed: 3, Bytes: 50e6, AllBytes: 100e6}
	for _, c := range []struct {
		quiet, live bool
		want        string
	}{
		{true, true, ""}, {true, false, ""},
		{false, false, "ctxmigrate: 2 of 4 files, 1000 documents, 3 failed, 50.0 of 100.0 MB, 2.5 MB/s, 20s left\n"},
	} {
		var b bytes.Buffer
		d := newDisplay(&b, c.quiet, c.live)
		d.progress(half)
		if b.Len() > 0 {
			t.Errorf("at once it shows %q", b.String())
		}
		d.start = d.start.Add(-20 * time.Second)
		d.last = d.start
		d.progress(half)
		d.progress(half)
		d.end()
		if b.String() != c.want {
			t.Errorf("quiet %v, live %v: %q", c.quiet, c.live, b.String())
		}
	}
	var b bytes.Buffer
	d := newDisplay(&b, false, true)
	d.last = d.last.Add(-time.Minute)
	d.progress(half)
	time.Sleep(2 * drawEvery)
	half.Bytes += 10e6
	d.progress(half)
	d.say(&b, "a message\n")
	d.end()
	if text := b.String(); !strings.Contains(text, "1000 documents, 3 failed") || !strings.Contains(text, "60%") || !strings.Contains(text, "\ra message\n") {
		t.Errorf("it shows %q", text)
	}
}
