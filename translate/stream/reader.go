package stream

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/klauspost/compress/zstd"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
)

// Options say how a stream is cut.
type Options struct {
	Lines    bool // a newline ends a document (NDJSON)
	MaxBytes int  // of a document; 0 stands for no limit
	MaxDepth int  // of a document; matters only for what is said of one that never ends

	// Idle is called before what may wait for more of a pipe. Where it answers an
	// error no more is read.
	Idle func() error
}

// Document is one document of a stream.
type Document struct {
	Data   []byte // as it stands there, perhaps with white space or a byte order mark around it
	Record int    // which of the stream it is, from 1
	Place         // where Data begins

	// Newline is what ended the line, where documents are lines: "\n", "\r\n", or at
	// the end of the stream nothing. It is no part of Data.
	Newline string
}

// Reader cuts documents out of a stream. The zero Reader is ready for Reset, and
// keeps its memory from one stream to the next.
type Reader struct {
	opts Options
	src  source
	err  error // why no more can be read; io.EOF at the end

	buf        []byte // a block, of which buf[start:end] is still to be handed out
	start, end int
	searched   int // up to where there is no newline after start

	record    int
	line      int   // of start
	base      int64 // offset of buf[0] in the stream
	lineStart int64 // offset of the line that start is in

	// of lines
	skipping bool // the line that the stream stands in was too large

	// of values
	lines     bool // a newline is taken for the end of a document
	confirmed bool // that has been right before
	guessed   bool // the last document was cut so
	alone     int  // how many documents in a row stood on a line of their own, while newlines were not trusted
	next      int  // where the last document ends
	bound     jsontree.Boundary
	check     jsontree.Reader

	failed error // what Next answers from now on
}

// The sizes of blocks. A block grows by doubling where a document is larger than
// it. Where it has come to smallEnough, and the size of the file is known, it
// grows to that at once, so that a large document is copied once more at most.
const (
	blockSize   = 256 << 10
	smallEnough = 4 << 20
)

// Reset begins a stream.
func (r *Reader) Reset(src io.Reader, opts Options) {
	r.opts = opts
	r.src.reset(src, opts.Idle)
	r.err, r.failed = nil, nil
	r.start, r.end, r.searched = 0, 0, 0
	r.record, r.line, r.base, r.lineStart = 0, 1, 0, 0
	r.skipping = false
	r.lines, r.confirmed, r.guessed, r.alone, r.next = true, false, false, 0, 0
}

// Records is how many documents were begun.
func (r *Reader) Records() int { return r.record }

// Ready reports whether the next line is at hand, so that Next will not wait for
// it.
func (r *Reader) Ready() bool {
	return r.failed == nil && bytes.IndexByte(r.buf[r.searched:r.end], '\n') >= 0
}

// Next is the next document, whose bytes hold until the next call of any method.
// At the end of the stream the error is io.EOF; otherwise it is an *Error, after
// which another document follows only where a line was too large.
func (r *Reader) Next() (Document, error) {
	if r.failed != nil {
		return Document{}, r.failed
	}
	if r.opts.Lines {
		return r.nextLine()
	}
	return r.nextValue()
}

// place is where the stream stands.
func (r *Reader) place() Place {
	off := r.base + int64(r.start)
	return Place{r.line, int(off-r.lineStart) + 1, off}
}

// pass goes on to i, and counts the lines on the way.
func (r *Reader) pass(i int) {
	gone := r.buf[r.start:i]
	if k := bytes.LastIndexByte(gone, '\n'); k >= 0 {
		r.line += bytes.Count(gone[:k+1], []byte{'\n'})
		r.lineStart = r.base + int64(r.start+k+1)
	}
	r.start = i
	r.searched = max(r.searched, i)
}

// newline is the offset after the next newline of what was read, 0 if there is
// none.
func (r *Reader) newline() int {
	k := bytes.IndexByte(r.buf[r.searched:r.end], '\n')
	if k < 0 {
		r.searched = r.end
		return 0
	}
	r.searched += k
	return r.searched + 1
}

// hand makes a document of buf[start:to].
func (r *Reader) hand(to int) Document {
	r.record++
	return Document{Data: r.buf[r.start:to:to], Record: r.record, Place: r.place()}
}

// fail ends the stream with an error at the place where it stands.
func (r *Reader) fail(code diag.Code, msg string, cause error) error {
	r.failed = &Error{Code: code, Record: r.record + 1, Place: r.place(), Msg: msg, Err: cause}
	return r.failed
}

// finish is what Next answers when nothing is left but why nothing is left. What
// was read of a document that was cut by it is passed over.
func (r *Reader) finish() error {
	if r.err == io.EOF {
		r.failed = io.EOF
		return io.EOF
	}
	r.pass(r.end)
	switch {
	case r.src.raw.err != nil && r.src.raw.err != io.EOF:
		return r.fail(diag.InputFailed, reason(r.src.raw.err), r.src.raw.err)
	case !r.src.packed:
		return r.fail(diag.InputFailed, reason(r.err), r.err)
	case errors.Is(r.err, io.ErrUnexpectedEOF):
		return r.fail(diag.CompressedData, "the compressed data ended early", r.err)
	}
	if errors.Is(r.err, zstd.ErrWindowSizeExceeded) || errors.Is(r.err, zstd.ErrDecoderSizeExceeded) {
		return r.fail(diag.CompressedData, fmt.Sprintf("the compressed data refers back further than %d MiB, which is all that is held of it", maxWindow>>20), r.err)
	}
	return r.fail(diag.CompressedData, "the compressed data is damaged: "+r.err.Error(), r.err)
}

func (r *Reader) tooLarge() string {
	return fmt.Sprintf("the document is larger than %d bytes", r.opts.MaxBytes)
}

// fill reads on, and answers false where nothing more comes.
func (r *Reader) fill() bool {
	if r.err != nil {
		return false
	}
	if r.end == len(r.buf) || r.start == r.end {
		r.room()
	}
	for tries := 0; ; tries++ {
		n, err := r.src.Read(r.buf[r.end:])
		r.end += n
		if err != nil {
			r.err = err
			return n > 0
		}
		if n > 0 {
			return true
		}
		if tries == 100 {
			r.err = io.ErrNoProgress
			return false
		}
	}
}

// room makes room behind end: it moves what is left to the front of the block,
// and takes a larger block where that gains little.
func (r *Reader) room() {
	left := r.end - r.start
	to := r.buf
	if left > len(r.buf)*3/4 || len(r.buf) == 0 {
		to = make([]byte, r.grown(left))
	}
	copy(to, r.buf[r.start:r.end])
	r.searched -= r.start
	r.base += int64(r.start)
	r.start, r.end = 0, left
	old := len(r.buf)
	r.buf = to
	if len(to) != old && old >= smallEnough {
		// The document is very large. The blocks before this one would stay around
		// for as long as little else is allocated.
		debug.FreeOSMemory()
	}
}

// grown is the size of a larger block for a document of which left bytes are
// there.
func (r *Reader) grown(left int) int {
	size := max(blockSize, 2*len(r.buf))
	if size <= smallEnough || r.src.size < 0 {
		return size
	}
	// One more byte than the file has tells that it has ended.
	whole := int64(left) + r.src.size + 1
	if limit := int64(r.opts.MaxBytes) + blockSize; r.opts.MaxBytes > 0 && whole > limit {
		whole = limit
	}
	return max(int(whole), left+blockSize)
}
