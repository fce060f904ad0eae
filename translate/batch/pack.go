package batch

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// packing is how a file is compressed, which its first bytes tell.
type packing uint8

const (
	unpacked packing = iota
	gzipped
	zstandard
)

func packingOf(first []byte) packing {
	switch {
	case bytes.HasPrefix(first, []byte("\x1f\x8b")):
		return gzipped
	case bytes.HasPrefix(first, []byte("\x28\xb5\x2f\xfd")), len(first) == 4 && first[0]>>4 == 5 && string(first[1:]) == "\x2a\x4d\x18":
		return zstandard
	}
	return unpacked
}

// packer compresses one file after another, each with the settings that are usual
// for its format and without a name or a time in it, so that the same text gives
// the same bytes.
type packer struct {
	gz *gzip.Writer
	zs *zstd.Encoder
}

// to is a writer to w of text that is to be compressed; nil where it is not.
func (p *packer) to(w io.Writer, how packing) (io.WriteCloser, error) {
	switch how {
	case gzipped:
		if p.gz == nil {
			p.gz = gzip.NewWriter(nil)
		}
		p.gz.Reset(w)
		return p.gz, nil
	case zstandard:
		if p.zs == nil {
			var err error
			if p.zs, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1)); err != nil {
				return nil, err
			}
		}
		p.zs.Reset(w)
		return p.zs, nil
	}
	return nil, nil
}

// unpack is the text of a file.
func unpack(r io.Reader, how packing) (io.Reader, func(), error) {
	switch how {
	case gzipped:
		z, err := gzip.NewReader(r)
		return z, func() {}, err
	case zstandard:
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
		if err != nil {
			return nil, func() {}, err
		}
		return z, z.Close, nil
	}
	return r, func() {}, nil
}

// packers are those for a target and for its refused lines.
type packers struct{ out, reject packer }
