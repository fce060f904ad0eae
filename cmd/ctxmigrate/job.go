package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/stream"
)

// editor turns one document into another, and knows what is to be said of the
// last one.
type editor interface {
	edit(dst, src []byte) ([]byte, error) // a *translate.Refused where the document is at fault
	Counts() *[diag.NumCodes]int
	Report() []diag.Diagnostic
}

// job is one run of a command over its inputs.
type job struct {
	streams
	flags  *readFlags
	edit   editor
	begin  func(input, time.Time) error // called with each input and the time of its last change
	query  string
	raw    bool
	pretty bool

	in     stream.Reader
	lines  bool // a newline ends a document of the input at hand
	name   string
	out    *output
	report *report
	record *record // of --at, else nil
	made   []byte  // a document that is not written as it is

	converted, refused int
	empty              bool // an input held no document
	totals             [diag.NumCodes]int
}

// errStop ends the run after a failure that was told.
var errStop = errors.New("stop")

// run runs the job. linesSet says that --ndjson is given, as true or as false, so
// that names say nothing.
func (j *job) run(args []string, linesSet bool) error {
	list, err := inputs(args, j.stdin)
	if err != nil {
		return err
	}
	if err := j.open(list); err != nil {
		return err
	}
	for _, in := range list {
		j.lines = j.flags.ndjson || !linesSet && in.lines()
		if err = j.file(in); err != nil {
			break
		}
	}
	if err == errStop {
		err = nil
	}
	return j.end(err)
}

// open opens what is written to, before anything is read.
func (j *job) open(list []input) (err error) {
	f := j.flags
	if f.report != "" {
		if filepath.Clean(f.report) == filepath.Clean(f.output) {
			return usageError{text: "--report and --output name one file"}
		}
		if err := apart("report", f.report, list); err != nil {
			return err
		}
	}
	if j.out, err = openOutput(f.output, j.stdout); err != nil {
		return err
	}
	if j.report, err = openReport(f.report); err != nil {
		j.out.close(false)
		return err
	}
	if f.at != "" {
		j.record = &record{path: f.at, maxDepth: f.maxDepthOpt}
	}
	j.pretty = f.pretty || j.record == nil && j.query == "" && !f.compact && terminal(j.out.w)
	return nil
}

// file converts what is in one input. Its errors end the run.
func (j *job) file(in input) error {
	src, changed, err := in.open()
	if err != nil {
		j.refused++
		fmt.Fprintln(j.stderr, "ctxmigrate: "+err.Error())
		j.report.add(in.name, 1, finding{code: diag.InputFailed, severity: diag.Error, Place: stream.Place{Line: 1, Column: 1},
			message: reason(err.(ioError).err)})
		return j.onward()
	}
	defer in.close(src)
	if err := j.begin(in, changed); err != nil {
		return err
	}
	j.name = in.name
	if j.record != nil {
		j.record.lines = j.lines
	}
	j.in.Reset(src, stream.Options{Lines: j.lines, MaxBytes: j.flags.maxBytesOpt, MaxDepth: j.flags.maxDepthOpt, Idle: j.out.flush})
	before := j.refused
	if err := j.documents(); err != nil {
		return err
	}
	if j.in.Records() == 0 && j.refused == before && !j.flags.allowEmpty {
		j.empty = true
		fmt.Fprintf(j.stderr, "ctxmigrate: %s: there is no document in it\n", printable(in.name))
	}
	return nil
}

// onward says whether the run goes on after a failure.
func (j *job) onward() error {
	if j.flags.keepGoing {
		return nil
	}
	return errStop
}

// documents converts the documents of the input at hand.
func (j *job) documents() error {
	for {
		d, err := j.in.Next()
		if j.out.err != nil {
			return j.out.err
		}
		var fault *stream.Error
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &fault):
			j.refused++
			j.refuse(fault.Record, finding{fault.Code, diag.Error, fault.Place, fault.Pointer, fault.Msg})
			if !j.lines || fault.Code != diag.TooLarge {
				return j.onward()
			}
		default:
			if j.document(d) {
				continue
			}
			if !j.lines {
				if j.flags.keepGoing {
					fmt.Fprintf(j.stderr, "ctxmigrate: %s: nothing was read after that; --ndjson goes on with the next line\n", printable(j.name))
				}
				return j.onward()
			}
		}
		if err := j.onward(); err != nil {
			return err
		}
	}
}

// end closes what is written to, sums up, and answers how the run went. err is
// what has ended it, where that was not told.
func (j *job) end(err error) error {
	found := j.failOn()
	ok := err == nil && !j.empty && (j.flags.keepGoing || j.refused == 0 && !found)
	if e := j.report.close(); e != nil {
		ok = false
		if err == nil {
			err = e
		}
	}
	if e := j.out.close(ok); err == nil {
		err = e
	}
	if j.out.temp != nil && !ok {
		fmt.Fprintf(j.stderr, "ctxmigrate: %s was not written\n", printable(j.out.name))
	}
	if found {
		fmt.Fprintf(j.stderr, "ctxmigrate: --fail-on %s found something\n", j.flags.failOn)
	}
	if !j.flags.quiet && !closedPipe(err) {
		j.summary(&j.totals)
		if j.flags.keepGoing && j.refused > 0 {
			fmt.Fprintf(j.stderr, "ctxmigrate: %d converted, %d refused\n", j.converted, j.refused)
		}
	}
	switch {
	case j.refused > 0 && (err == nil || closedPipe(err)):
		return toldError(statusFailed)
	case err != nil:
		return err
	case j.empty:
		return toldError(statusEmpty)
	case found:
		return toldError(statusFound)
	}
	return nil
}

// failOn reports whether there was what --fail-on asks for.
func (j *job) failOn() bool {
	if j.flags.failOn == "" {
		return false
	}
	for i, n := range j.totals {
		if n > 0 && diag.Code(i).Severity() >= j.flags.threshold {
			return true
		}
	}
	return false
}
