package stream

import (
	"io"
	"os"

	"github.com/klauspost/compress/zstd"
)

// source is the text of a stream, which it unpacks where it is compressed.
type source struct {
	raw    raw
	gz     *members
	zs     *zstd.Decoder
	text   io.Reader // what to read; nil before the first bytes told
	packed bool      // it is compressed
	size   int64     // of what is left of a regular file that is not compressed; else -1
	live   bool      // it is no regular file: more may come later
}

// maxWindow is how far back a zstd frame may refer, and so the memory that it
// may take: as much as the zstd program allows where nothing else is said.
const maxWindow = 128 << 20

// raw is what is read from, behind the first bytes of it, which were looked at.
type raw struct {
	src   io.Reader
	first []byte
	idle  func() error
	err   error
}

func (r *raw) Read(p []byte) (int, error) {
	if len(r.first) > 0 {
		n := copy(p, r.first)
		r.first = r.first[n:]
		return n, nil
	}
	if r.err != nil {
		return 0, r.err
	}
	if r.idle != nil {
		if r.err = r.idle(); r.err != nil {
			return 0, r.err
		}
	}
	n, err := r.src.Read(p)
	r.err = err
	return n, err
}

func (s *source) reset(src io.Reader, idle func() error) {
	s.raw = raw{src: src, idle: idle}
	s.text, s.packed, s.size, s.live = nil, false, -1, true
	f, ok := src.(*os.File)
	if !ok {
		return
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	if at, err := f.Seek(0, io.SeekCurrent); err == nil {
		s.size, s.live = info.Size()-at, false
		s.raw.idle = nil
	}
}

// Read reads text. Its errors are those of Reader.failed.
func (s *source) Read(p []byte) (int, error) {
	if s.text == nil {
		if err := s.open(); err != nil {
			return 0, err
		}
	}
	n, err := s.text.Read(p)
	if s.size >= 0 {
		s.size -= int64(n)
	}
	return n, err
}

// open looks at as many bytes as it takes to know whether they are compressed.
// What is not stays in raw.first. It reads no further than it must, since a pipe
// may have given all that it will give for now.
func (s *source) open() error {
	var first []byte
	format := undecided
	for format == undecided {
		var b [4]byte
		n, err := s.raw.Read(b[:4-len(first)])
		first = append(first, b[:n]...)
		if format = formatOf(first); err != nil {
			break
		}
	}
	s.raw.first = first
	var err error
	switch format {
	case gzipped:
		s.unzip()
	case zstandard:
		err = s.unzstd()
	default:
		s.text = &s.raw
	}
	if s.packed = s.text != &s.raw; s.packed {
		s.size = -1
	}
	if err == io.EOF { // behind the first bytes that tell what it is
		err = io.ErrUnexpectedEOF
	}
	return err
}

func (s *source) unzip() {
	if s.gz == nil {
		s.gz = new(members)
	}
	s.gz.reset(&s.raw)
	s.text = s.gz
}

func (s *source) unzstd() (err error) {
	if s.zs == nil {
		s.zs, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return err
		}
	}
	s.text = s.zs
	return s.zs.Reset(&s.raw)
}

type format uint8

const (
	undecided format = iota
	plain
	gzipped
	zstandard
)

// formatOf tells the format by the first bytes, as soon as they can tell it.
func formatOf(first []byte) format {
	if len(first) == 0 {
		return undecided
	}
	magic := ""
	f := zstandard
	switch c := first[0]; {
	case c == 0x1f:
		magic, f = "\x1f\x8b", gzipped
	case c == 0x28:
		magic = "\x28\xb5\x2f\xfd"
	case c>>4 == 5: // a frame of zstd to be passed over
		magic = string(rune(c)) + "\x2a\x4d\x18"
	default:
		return plain
	}
	n := min(len(first), len(magic))
	switch {
	case string(first[:n]) != magic[:n]:
		return plain
	case n == len(magic):
		return f
	}
	return undecided
}
