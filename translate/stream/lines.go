package stream

import (
	"bytes"
	"io"

	"ctxmigrate/translate/diag"
)

// nextLine is the next line that is not blank.
func (r *Reader) nextLine() (Document, error) {
	for {
		end, err := r.lineEnd()
		if err != nil {
			return Document{}, err
		}
		body := bytes.TrimSuffix(bytes.TrimSuffix(r.buf[r.start:end], []byte{'\n'}), []byte{'\r'})
		if blank(body) {
			r.passLine(end)
			continue
		}
		to := r.start + len(body)
		d := r.hand(to)
		d.Newline = newline(r.buf[to:end])
		r.passLine(end)
		return d, nil
	}
}

// newline is the string of what ends a line.
func newline(b []byte) string {
	for _, s := range [...]string{"\n", "\r\n", "\r"} {
		if string(b) == s {
			return s
		}
	}
	return ""
}

// lineEnd finds the end of the line that the stream stands at.
func (r *Reader) lineEnd() (int, error) {
	for r.skipping {
		end := r.newline()
		r.skipping = end == 0
		if r.passLine(max(end, r.searched)); r.skipping && !r.fill() {
			return 0, r.finish()
		}
	}
	for {
		end := r.newline()
		if length := max(end, r.searched) - r.start; r.opts.MaxBytes > 0 && length > r.opts.MaxBytes+len("\r\n") {
			err := r.fail(diag.TooLarge, r.tooLarge(), nil)
			r.record++
			r.failed, r.skipping = nil, true
			return 0, err
		}
		if end > 0 {
			return end, nil
		}
		if !r.fill() {
			if r.start == r.end || r.err != io.EOF {
				return 0, r.finish()
			}
			return r.end, nil
		}
	}
}

// passLine goes on to i, where a line ends or the part of it that was read.
func (r *Reader) passLine(i int) {
	if i > r.start && r.buf[i-1] == '\n' {
		r.line++
		r.lineStart = r.base + int64(i)
	}
	r.start, r.searched = i, i
}

const mark = "\ufeff"

// blank reports whether a line holds no document.
func blank(line []byte) bool {
	return len(bytes.TrimLeft(bytes.TrimPrefix(line, []byte(mark)), " \t\r\n")) == 0
}
