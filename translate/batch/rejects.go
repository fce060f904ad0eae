package batch

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"ctxmigrate/translate/diag"
)

// ReasonsSuffix is added to the name of a file of refused lines, for the file that
// says of each why it was refused.
const ReasonsSuffix = ".reasons.jsonl"

// Reason says why a line was refused: one JSON object a line. A line may have
// several reasons.
type Reason struct {
	Rejected int       `json:"rejected"` // which of the refused lines, from 1
	Record   int       `json:"record"`   // which document of the file, from 1
	Line     int       `json:"line"`     // of the file, from 1
	Column   int       `json:"column"`
	Offset   int64     `json:"offset"`
	Code     diag.Code `json:"code"`
	Pointer  string    `json:"pointer"`
	Message  string    `json:"message"`
}

// keepRejects writes refused lines, and why they were.
func (f *work) keepRejects(p *packers, t *tally) (err error) {
	if f.reject == nil {
		path := f.rejectsPath()
		if f.reject, err = newTemp(path, f.how, &p.reject, f.o.DryRun); err != nil {
			return err
		}
		if f.reasons, err = newTemp(path+ReasonsSuffix, unpacked, nil, f.o.DryRun); err != nil {
			return err
		}
	}
	if _, err := f.reject.Write(t.lines); err != nil {
		return err
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	n, last := f.tally.refused-t.refused, 0
	for _, r := range t.refusals {
		if r.Record != last {
			n, last = n+1, r.Record
		}
		if err := enc.Encode(Reason{n, r.Record, r.Line, r.Column, r.Offset, r.Code, r.Pointer, r.Message}); err != nil {
			return err
		}
	}
	_, err = f.reasons.Write(b.Bytes())
	return err
}

// placeRejects puts the refused lines in place, before the target that is without
// them. Refused lines of an earlier run over the same file are replaced where it
// is read again as it was; in place it is not, and they stay.
func (f *work) placeRejects() error {
	if f.reject == nil {
		if f.known == nil || f.known.Rejected == 0 || f.o.InPlace || f.o.DryRun {
			return nil
		}
		for _, path := range []string{f.rejectsPath(), f.rejectsPath() + ReasonsSuffix} {
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		return nil
	}
	for _, t := range []*temp{f.reject, f.reasons} {
		if err := t.end(); err != nil {
			return err
		}
		if err := t.like(f.info); err != nil {
			return err
		}
		if err := t.flush(); err != nil {
			return err
		}
	}
	if err := f.freeRejects(); err != nil {
		return err
	}
	for _, t := range []*temp{f.reject, f.reasons} {
		if err := t.place(); err != nil {
			return err
		}
	}
	if f.o.DryRun {
		return nil
	}
	return syncDir(filepath.Dir(f.reject.target)) // before the lines are gone from the file
}

// freeRejects refuses to replace refused lines of another run, which may be all
// that is left of them.
func (f *work) freeRejects() error {
	if f.o.DryRun || !f.o.InPlace && (f.o.Overwrite || f.known != nil && f.known.Rejected > 0) {
		return nil
	}
	have, err := hashFile(f.reject.target)
	if errors.Is(err, fs.ErrNotExist) || err == nil && have == f.reject.result() {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.New("the folder of --rejects holds other lines of this file; take another folder")
}
