package serve

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"

	"ctxmigrate/translate/proxy"
	"ctxmigrate/translate/stream"
)

// The faults of files.
var (
	errTooLarge = &proxy.Fault{Code: "too-large", Status: 502, Message: "the answer is larger than the limit"}
	errEmpty    = &proxy.Fault{Code: "empty", Status: 502, Message: "the file holds no document"}
	errNoFile   = &proxy.Fault{Code: "input-failed", Status: 502, Message: "the file cannot be read"}
	errPacked   = &proxy.Fault{Code: "compressed-data", Status: 502, Message: "the compressed file is damaged or ends early"}
)

// File is a source that reads a file each time, which may be packed with gzip or
// zstd.
func File(path string, limit int) Source {
	return func(context.Context) ([]byte, error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, errNoFile
		}
		defer f.Close()
		doc, err := io.ReadAll(io.LimitReader(stream.Unpack(f), int64(limit)+1))
		var damaged *stream.Error
		switch {
		case errors.As(err, &damaged):
			return nil, errPacked
		case err != nil:
			return nil, errNoFile
		case len(doc) > limit:
			return nil, errTooLarge
		case len(bytes.TrimSpace(bytes.TrimPrefix(doc, []byte("\ufeff")))) == 0:
			return nil, errEmpty
		}
		return doc, nil
	}
}
