package batch

import (
	"errors"
	"io"
	"strings"

	"ctxmigrate/translate/stream"
)

// chunkSize is how much text of a large file a worker takes at once: about, since
// documents are never cut. Files that are not larger are done by one worker whole.
const chunkSize = 512 << 10

// large reports whether a file is large enough to be cut into chunks: where its
// name says that it is compressed, by what that may hold.
func (it item) large() bool {
	size := it.size
	if name := strings.ToLower(it.path); strings.HasSuffix(name, ".gz") || strings.HasSuffix(name, ".zst") {
		size *= packedFactor
	}
	return size > 2*chunkSize
}

// task is what a worker does at once: a file, or a chunk of a large one.
type task struct {
	f      *work
	whole  bool
	last   bool // of the chunks of the file
	text   stream.Chunk
	out    []byte
	tally  tally
	weight int64
}

// reset makes the task empty, and lets go of what a large document needed.
func (t *task) reset() {
	text, out, sum := t.text, t.out[:0], t.tally
	text.Release(largeDocument)
	text.Err = nil
	if cap(out) > largeDocument {
		out = nil
	}
	sum.reset()
	*t = task{text: text, out: out, tally: sum}
}

// chunk converts the documents of a chunk.
func (w *worker) chunk(t *task) {
	for _, d := range t.text.Docs {
		t.out, _ = w.document(t.out, t.f, d, &t.tally, nil)
	}
}

// file does a whole file.
func (w *worker) file(f *work) {
	if f.err = f.open(); f.err != nil {
		return
	}
	done, err := f.done()
	if done || err != nil {
		f.err, f.before = err, f.known
		if !done {
			f.before = nil
		}
		f.close()
		return
	}
	w.documents(f)
	f.records = w.in.Records()
	f.finish(&w.packs)
}

// documents converts the documents of a file.
func (w *worker) documents(f *work) {
	w.in.Reset(f, f.o.cut(f.lines))
	var sum tally
	var text []byte
	defer func() {
		f.take(&w.packs, text, &sum)
		if cap(text) <= largeDocument {
			w.text = text[:0]
		}
	}()
	text = w.text
	for {
		d, err := w.in.Next()
		var fault *stream.Error
		switch {
		case err == io.EOF:
			return
		case errors.As(err, &fault):
			if !f.fault(fault) {
				return
			}
			continue
		}
		before := sum.refused
		var again bool
		if text, again = w.document(text, f, d, &sum, w.in.Recut); again {
			continue
		}
		if sum.refused > before && !f.lines {
			return // where the next document would begin is not known
		}
		if len(text) >= chunkSize {
			f.take(&w.packs, text, &sum)
			text = text[:0]
			sum.reset()
		}
		if f.err != nil && f.err != errRefused {
			return
		}
		if f.it.large() && f.ctx.Err() != nil {
			f.err = f.ctx.Err()
			return
		}
	}
}
