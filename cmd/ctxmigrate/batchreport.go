package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"ctxmigrate/translate/batch"
	pages "ctxmigrate/translate/batch/report"
)

// batchReport is the folder of --report. Without one it takes nothing.
type batchReport struct {
	dir  string
	made bool // the folder
	w    *pages.Writer
}

// newBatchReport begins a report; o tells of the run.
func newBatchReport(dir string, o *batch.Options) (*batchReport, error) {
	if dir == "" {
		return &batchReport{}, nil
	}
	info, err := os.Stat(dir)
	made := errors.Is(err, fs.ErrNotExist)
	for _, s := range o.Sources {
		if source, err := os.Stat(s); err == nil && info != nil && os.SameFile(info, source) {
			return nil, usageError{text: fmt.Sprintf("--report names %s, which is also to be read", printable(dir))}
		}
	}
	w, err := pages.New(dir, pages.About{Program: o.Program, To: o.To, DryRun: o.DryRun, Verified: o.Verify})
	if err != nil {
		return nil, writeError(dir, err)
	}
	return &batchReport{dir, made, w}, nil
}

func (b *batchReport) refused(r batch.Refusal) {
	if b.w != nil {
		b.w.Refused(r)
	}
}

func (b *batchReport) drop() {
	if b.w != nil {
		b.w.Drop()
		if b.made {
			os.Remove(b.dir)
		}
	}
}

func (b *batchReport) close(sum *batch.Summary) error {
	if b.w == nil {
		return nil
	}
	if err := b.w.Close(sum); err != nil {
		return writeError(b.dir, err)
	}
	return nil
}
