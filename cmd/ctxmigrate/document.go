package main

import (
	"errors"
	"fmt"
	"io"

	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/stream"
)

// documents converts the documents of the input at hand, one after another.
func (j *job) documents() error {
	w := j.workers[0]
	for {
		d, err := j.in.Next()
		if j.out.err != nil {
			return j.out.err
		}
		switch err {
		case nil:
			if err := j.document(w, d); err == errNext {
				return nil
			} else if err != nil {
				return err
			}
		case io.EOF:
			return nil
		default:
			fault := err.(*stream.Error)
			if err := j.cut(fault); err != nil || !j.lines || fault.Code != diag.TooLarge {
				return err
			}
		}
	}
}

// document converts a document.
func (j *job) document(w *worker, d stream.Document) error {
	j.out.room(len(d.Data) + len(d.Data)/8 + 512)
	o := &j.outcome
	o.refused, o.findings = nil, o.findings[:0]
	out := w.convert(j.out.buf, d, o, j.spillTo)
	if o.refused == nil {
		j.converted++
		j.out.wrote(out)
	} else if at, may := w.miscut(o.refused); may && j.in.Recut(at) {
		return nil // it comes again
	}
	return j.told(d.Record, o)
}

// spill writes what was gathered of a document that is done, and answers where to
// go on.
func (j *job) spill(b []byte) []byte {
	j.out.wrote(b)
	return j.out.buf
}

// told tells what was said of a document, and answers an error where it was
// refused and the run, or the reading of the input, ends with that.
func (j *job) told(record int, o *outcome) error {
	for _, f := range o.findings {
		j.refuse(record, f)
	}
	if o.refused == nil {
		return nil
	}
	var refused *translate.Refused
	var unfit *unfit
	if !errors.As(o.refused, &unfit) && !errors.As(o.refused, &refused) {
		fmt.Fprintln(j.stderr, "ctxmigrate: "+o.refused.Error())
	}
	j.refused++
	if j.lines || !j.flags.keepGoing {
		return j.onward()
	}
	fmt.Fprintf(j.stderr, "ctxmigrate: %s: nothing was read after that; --ndjson goes on with the next line\n", printable(j.name))
	return errNext
}

// cut tells of a fault in the stream itself.
func (j *job) cut(fault *stream.Error) error {
	j.refused++
	j.refuse(fault.Record, finding{fault.Code, diag.Error, fault.Place, fault.Pointer, fault.Msg})
	return j.onward()
}

// refuse reports a finding, and tells it where it is an error.
func (j *job) refuse(record int, f finding) {
	if f.severity == diag.Error {
		j.tell(j.name, f)
	}
	j.report.add(j.name, record, f)
}
