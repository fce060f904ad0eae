package main

import (
	"errors"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/stream"
)

// chunk is some documents of a stream, which one worker converts while others
// convert those before and behind.
type chunk struct {
	text  stream.Chunk
	fault *stream.Error // of the stream, behind them

	out       []byte
	converted int
	counts    [diag.NumCodes]int
	said      []said
}

// said is what was said of a document.
type said struct {
	record int
	outcome
}

// chunkSize is about how many bytes a chunk has, where documents are small.
const chunkSize = 128 << 10

// chunks converts the documents of the input at hand, which are lines, with all
// workers. What is written and said is the same as with one.
func (j *job) chunks() error {
	ended := false
	return stream.Ordered(len(j.workers), func(c *chunk) bool {
		if ended {
			return false
		}
		j.in.Chunk(&c.text, chunkSize, true)
		c.fault = nil
		errors.As(c.text.Err, &c.fault)
		ended = c.text.Err != nil && (c.fault == nil || c.fault.Code != diag.TooLarge) // which one line was
		return len(c.text.Docs) > 0 || c.fault != nil
	}, func(k int, c *chunk) {
		c.convert(j.workers[k], j.flags.keepGoing)
	}, j.finish)
}

// convert converts the documents, up to the first that is refused unless the run
// goes on after that.
func (c *chunk) convert(w *worker, keepGoing bool) {
	c.out, c.said, c.converted = c.out[:0], c.said[:0], 0
	var o outcome
	for _, d := range c.text.Docs {
		o.refused, o.findings = nil, nil
		c.out = w.convert(c.out, d, &o, keep)
		if o.refused == nil {
			c.converted++
		}
		if o.refused != nil || len(o.findings) > 0 {
			c.said = append(c.said, said{d.Record, o})
		}
		if o.refused != nil && !keepGoing {
			c.fault = nil // what comes behind was never read
			break
		}
	}
	c.counts = o.counts
}

// keep is a spill that keeps what it is given.
func keep(b []byte) []byte { return b }

// finish writes what a chunk has become, and says what is to be said of it.
func (j *job) finish(c *chunk, more bool) error {
	j.converted += c.converted
	for i, n := range c.counts {
		j.outcome.counts[i] += n
	}
	j.out.pass(c.out)
	for i := range c.said {
		if err := j.told(c.said[i].record, &c.said[i].outcome); err != nil {
			return err
		}
	}
	if c.fault != nil {
		if err := j.cut(c.fault); err != nil {
			return err
		}
	}
	if !more {
		j.out.flush()
	}
	return j.out.err
}
