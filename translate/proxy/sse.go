package proxy

import (
	"bufio"
	"bytes"
	"io"
)

// events reads a stream of server-sent events, each with all its bytes.
type events struct {
	r     *bufio.Reader
	max   int // bytes of an event
	begun bool
	cr    bool // the last line ended with a carriage return, and a newline after it belongs to it
}

func newEvents(r io.Reader, max int) *events {
	return &events{r: bufio.NewReaderSize(r, 32<<10), max: max}
}

// sse is an event, or a comment that stands between events.
type sse struct {
	raw   []byte
	lines []sseLine // of data
	id    bool      // it has an id, from which the stream can be resumed
	other bool      // it is of a type that is no message
}

// sseLine is where a line of data stands in raw: the whole, and its value.
type sseLine struct{ from, to, value, valueEnd int }

// next reads the next event. At the end of the stream it answers io.EOF, with
// what came of an event that is not whole.
func (s *events) next() (e sse, err error) {
	fields := false
	for {
		from := len(e.raw)
		if e.raw, err = s.line(e.raw); err != nil {
			return e, err
		}
		line := e.raw[from:]
		if s.cr && line[0] == '\n' { // the end of the line before
			from, line = from+1, line[1:]
		}
		if !s.begun {
			s.begun = true
			if rest, ok := bytes.CutPrefix(line, []byte("\ufeff")); ok {
				from, line = from+3, rest
			}
		}
		s.cr = line[len(line)-1] == '\r'
		text := bytes.TrimRight(line, "\r\n")
		switch {
		case len(text) == 0:
			return e, nil
		case text[0] == ':':
			if !fields {
				return e, nil
			}
		default:
			fields = true
			name, value, _ := bytes.Cut(text, []byte(":"))
			switch string(name) {
			case "id":
				e.id = true
			case "event":
				e.other = string(bytes.TrimPrefix(value, []byte(" "))) != "message"
			case "data":
				value = bytes.TrimPrefix(value, []byte(" "))
				end := from + len(text)
				e.lines = append(e.lines, sseLine{from, from + len(line), end - len(value), end})
			}
		}
	}
}

// line appends the next line with its end to raw.
func (s *events) line(raw []byte) ([]byte, error) {
	start := len(raw)
	for {
		if _, err := s.r.Peek(1); err != nil {
			return raw, err
		}
		b, _ := s.r.Peek(s.r.Buffered())
		skip := 0
		if s.cr && len(raw) == start && b[0] == '\n' {
			skip = 1 // of the line before
		}
		end := bytes.IndexByte(b[skip:], '\n')
		if end >= 0 {
			b = b[:skip+end+1]
		}
		if i := bytes.IndexByte(b, '\r'); i >= 0 {
			b, end = b[:i+1], i
			if more, _ := s.r.Peek(s.r.Buffered()); len(more) > i+1 && more[i+1] == '\n' {
				b = more[:i+2]
			}
		}
		raw = append(raw, b...)
		s.r.Discard(len(b))
		if len(raw) > s.max {
			return raw, errLarge
		}
		if end >= 0 {
			return raw, nil
		}
	}
}

// data is what the event says.
func (e *sse) data() []byte {
	if len(e.lines) == 1 {
		l := e.lines[0]
		return e.raw[l.value:l.valueEnd]
	}
	var b []byte
	for i, l := range e.lines {
		if i > 0 {
			b = append(b, '\n')
		}
		b = append(b, e.raw[l.value:l.valueEnd]...)
	}
	return b
}

// with is the event with other data; every other line stays.
func (e *sse) with(data []byte) []byte {
	out := make([]byte, 0, len(e.raw)+len(data))
	at := 0
	for i, l := range e.lines {
		out = append(out, e.raw[at:l.from]...)
		if at = l.to; i > 0 {
			continue
		}
		for line := range bytes.SplitSeq(data, []byte("\n")) {
			out = append(append(out, "data: "...), bytes.TrimRight(line, "\r")...)
			out = append(out, e.raw[l.valueEnd:l.to]...)
		}
	}
	return append(out, e.raw[at:]...)
}
