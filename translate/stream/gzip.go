package stream

import (
	"bufio"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
)

// errNoMember is what is wrong with bytes behind the last member.
var errNoMember = errors.New("what follows is no gzip member")

// members is the text of all members of a gzip file. Bytes that are zero are passed
// over between members and behind the last: tapes and disks pad with them.
//
// The library reads all members too, but takes padding for a member that is damaged,
// and the end of padding for one that was cut.
type members struct {
	in    *bufio.Reader // which the library reads by the byte, so no further than it must
	gz    gzip.Reader
	ended bool // the member that was read last, at the first of none
}

func (m *members) reset(src io.Reader) {
	if m.in == nil {
		m.in = bufio.NewReaderSize(nil, 32<<10)
	}
	m.in.Reset(src)
	m.ended = true
}

func (m *members) Read(p []byte) (int, error) {
	for {
		if m.ended {
			if err := m.next(); err != nil {
				return 0, err
			}
		}
		n, err := m.gz.Read(p)
		if m.ended = err == io.EOF; m.ended {
			err = nil
		}
		if n > 0 || err != nil || len(p) == 0 {
			return n, err
		}
	}
}

// next begins the next member; its error is io.EOF where there is none.
func (m *members) next() error {
	var b byte
	for b == 0 {
		var err error
		if b, err = m.in.ReadByte(); err != nil {
			return err
		}
	}
	if err := m.in.UnreadByte(); err != nil {
		return err
	}
	const magic = "\x1f\x8b"
	start, err := m.in.Peek(len(magic))
	switch {
	case err == io.EOF && string(start) == magic[:len(start)]:
		return io.ErrUnexpectedEOF
	case err != nil && err != io.EOF:
		return err
	case string(start) != magic:
		return errNoMember
	}
	if err := m.gz.Reset(m.in); err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	m.gz.Multistream(false)
	m.ended = false
	return nil
}
