package stream

import (
	"io"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
)

// horizon is how far a newline is searched for, as the end of a document, in a
// stream that had a document on each line so far.
const horizon = 16 << 20

// streak is how many documents in a row must stand on a line of their own before
// newlines are trusted again.
const streak = 16

// nextValue is the next value of the stream.
func (r *Reader) nextValue() (Document, error) {
	r.leave()
	if err := r.toValue(); err != nil {
		return Document{}, err
	}
	r.bound = jsontree.Boundary{}
	end, err := r.valueEnd()
	if err != nil {
		return Document{}, err
	}
	r.next = end
	return r.hand(end), nil
}

// Recut says whether the last document was cut at a newline where it does not
// end; at is the offset in it at which its reader found fault. Where it was, the
// next call of Next hands it out again as it is.
func (r *Reader) Recut(at int) bool {
	if !r.guessed {
		return false
	}
	n, ended := r.bound.Scan(r.buf[r.start:r.next])
	if ended && n > at || !ended && at < r.next-r.start {
		return false // it is what it is
	}
	r.guessed, r.lines, r.alone = false, false, 0
	r.next = r.start
	r.record--
	return true
}

// leave goes on behind the last document.
func (r *Reader) leave() {
	switch {
	case r.guessed:
		r.passLine(r.next)
		r.confirmed = true
	case r.next > r.start:
		line := r.line
		r.pass(r.next)
		if r.alone++; r.line > line || r.start == r.end || r.buf[r.start] != '\n' {
			r.alone = 0
		}
		r.lines = r.lines || r.alone >= streak
	}
	r.guessed, r.next = false, 0
}

// toValue goes to where a value begins, or a byte order mark before one.
func (r *Reader) toValue() error {
	for {
		i := r.start
		for i < r.end && space(r.buf[i]) {
			i++
		}
		r.pass(i)
		if i < r.end && r.buf[i] != mark[0] {
			return nil
		}
		if left := r.buf[i:r.end]; len(left) >= len(mark) && (!blank(left) || len(left) > blockSize) {
			return nil
		}
		if !r.fill() {
			if !blank(r.buf[r.start:r.end]) {
				return nil
			}
			return r.finish()
		}
	}
}

func space(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// valueEnd finds where the value ends, or is likely to end.
func (r *Reader) valueEnd() (int, error) {
	for {
		if r.lines {
			nl := r.newline()
			if nl > 0 && !r.larger(nl-r.start) {
				r.guessed = true
				return nl, nil
			}
			// In a file it pays to read on to the newline. From a pipe it may not
			// come until the document was answered.
			if nl == 0 && r.confirmed && !r.src.live && r.end-r.start < horizon && !r.larger(r.end-r.start) && r.fill() {
				continue
			}
		}
		if n, ok := r.bound.Scan(r.buf[r.start:r.end]); ok {
			return r.start + n, nil
		}
		if r.larger(r.end - r.start) {
			return 0, r.endless()
		}
		if !r.fill() {
			if r.err != io.EOF {
				return 0, r.finish()
			}
			return r.end, nil
		}
	}
}

func (r *Reader) larger(n int) bool { return r.opts.MaxBytes > 0 && n > r.opts.MaxBytes }

// endless is the error of a value that does not end within the limit: that it is
// too large, unless there is another fault in what was read, such as a bracket
// that was forgotten.
func (r *Reader) endless() error {
	data := r.buf[r.start:r.end]
	r.check.Reset(data, r.opts.MaxDepth)
	r.check.Skip()
	e := r.check.Err()
	if e == nil || e.End {
		return r.fail(diag.TooLarge, r.tooLarge(), nil)
	}
	err := r.fail(FaultCode(e.Fault), e.Msg, nil).(*Error)
	at := jsontree.Locate(data, []int{e.Offset})[0]
	err.Place, err.Pointer = err.At(at.Line, at.Column, e.Offset), at.Pointer
	return err
}

// FaultCode is the code of a fault that makes text unreadable.
func FaultCode(f jsontree.Fault) diag.Code {
	return [...]diag.Code{jsontree.Syntax: diag.Syntax, jsontree.Encoding: diag.Encoding,
		jsontree.DuplicateMember: diag.DuplicateMember, jsontree.TooDeep: diag.TooDeep, jsontree.TooLarge: diag.TooLarge}[f]
}
