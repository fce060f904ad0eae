package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/stream"
)

// editor turns one document into another, and knows what is to be said of the
// last one.
type editor interface {
	// edit appends what src becomes to dst. It may hand what it has appended to spill,
	// which answers where to go on, where that is not nil. The error is a
	// *translate.Refused where the document is at fault.
	edit(dst, src []byte, spill func([]byte) []byte) ([]byte, error)
	AddCounts(total *[diag.NumCodes]int)
	Report() []diag.Diagnostic
}

// job is one run of a command over its inputs.
type job struct {
	streams
	flags *readFlags
	edit  func() editor                // makes one
	begin func(input, time.Time) error // called with each input and the time of its last change
	shape shape

	in      stream.Reader
	lines   bool // a newline ends a document of the input at hand
	name    string
	out     *output
	report  *report
	workers []*worker

	converted, refused int
	empty              bool                // an input held no document
	spillTo            func([]byte) []byte // spill, made once
	outcome            outcome             // of the document at hand; its counts are those of all
}

// errStop ends the run after a failure that was told, errNext the reading of an
// input.
var (
	errStop = errors.New("stop")
	errNext = errors.New("next input")
)

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
	collectLate()
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
		if (f.output == "" || f.output == "-") && ownDescriptor(descriptorOf(f.report)) == 1 {
			return errReportThere
		}
		if err := apart("report", f.report, f.read(list)); err != nil {
			return err
		}
	}
	if f.output != "" {
		read := f.read(nil)
		if descriptorOf(f.output) != "" { // else it is replaced when all is read
			read = f.read(list)
		}
		if err := apart("output", f.output, read); err != nil {
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
	j.shape.pretty = f.pretty || f.at == "" && j.shape.query == "" && !f.compact && terminal(j.out.w)
	j.shape.whole = j.report != nil
	j.spillTo = j.spill
	for range f.jobsOpt {
		w := &worker{shape: &j.shape, edit: j.edit()}
		if f.at != "" {
			w.record = &record{path: f.at, maxDepth: f.maxDepthOpt}
		}
		j.workers = append(j.workers, w)
	}
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
	for _, w := range j.workers {
		if w.record != nil {
			w.record.lines = j.lines
		}
	}
	opts := stream.Options{Lines: j.lines, MaxBytes: j.flags.maxBytesOpt, MaxDepth: j.flags.maxDepthOpt}
	convert := j.documents
	if j.lines && len(j.workers) > 1 {
		convert = j.chunks
	} else {
		opts.Idle = j.out.flush
	}
	j.in.Reset(src, opts)
	before := j.refused
	if err := convert(); err != nil {
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
		j.summary(&j.outcome.counts)
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
	return j.flags.failOn != "" && foundIn(&j.outcome.counts, j.flags.threshold)
}
