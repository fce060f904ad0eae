package main

import (
	"bytes"
	"errors"
	"io"
	"os"

	"ctxmigrate/translate/batch"
)

// batchRecord is a record (--at) as batch wants it.
type batchRecord struct{ record }

func (r *batchRecord) Find(data []byte, lines bool) ([]byte, error) {
	r.lines = lines
	answer, err := r.find(data)
	var u *unfit
	if errors.As(err, &u) {
		return nil, &batch.Unfit{At: u.at, Finding: batchFinding(u.finding(data))}
	}
	return answer, err
}

func (r *batchRecord) Put(dst, answer []byte, newline string) []byte {
	return r.put(dst, answer, newline)
}

func (r *batchRecord) Lift(f batch.Finding) batch.Finding {
	return batchFinding(r.lift(finding{f.Code, f.Severity, f.Place, f.Pointer, f.Message}))
}

func batchFinding(f finding) batch.Finding {
	return batch.Finding{Code: f.code, Severity: f.severity, Place: f.Place, Pointer: f.pointer, Message: f.message}
}

// listed are the names of a list: each ends with a newline, or where there is a
// NUL in the list with that.
func listed(path string, stdin io.Reader) (names []string, err error) {
	var text []byte
	if path == "-" {
		path = "<stdin>"
		text, err = io.ReadAll(stdin)
	} else {
		text, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, readError(path, err)
	}
	end := "\n"
	if bytes.IndexByte(text, 0) >= 0 {
		end = "\x00"
	}
	for name := range bytes.SplitSeq(text, []byte(end)) {
		if end == "\n" {
			name = bytes.TrimSuffix(name, []byte("\r"))
		}
		if len(name) > 0 {
			names = append(names, string(name))
		}
	}
	return names, nil
}
