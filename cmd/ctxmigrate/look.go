package main

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/urfave/cli/v2"

	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/stream"
)

// viewer says what it sees in documents, one after another.
type viewer interface {
	// view appends what is to be said of a document. The error is a
	// *translate.Refused where the document is at fault, or a *told where the viewer
	// has said that.
	view(dst []byte, s *sight) ([]byte, error)
}

// sight is a document that a viewer is shown.
type sight struct {
	name string // of the file
	stream.Document
	src    []byte // the answer: the document, or what --at finds in it
	record *record
	recut  func(at int) bool // nil where documents are never cut on trial
}

// errAgain is the error of a document that was cut at a wrong place and comes
// again.
var errAgain = errors.New("again")

// found is a finding of the answer at its place in the file.
func (s *sight) found(f finding) finding {
	if s.record != nil {
		f = s.record.lift(f)
	}
	return f.in(s.Place)
}

// look is one run of a command that reads documents, and writes what a viewer says
// of them.
type look struct {
	streams
	flags   *readFlags
	out     *output
	viewers func() viewer                // makes one for each worker
	begin   func(input, time.Time) error // called with each input and the time of its last change; may be nil
	listed  bool                         // what is said of documents begins with a comma, of which the first goes
	single  bool                         // documents are shown one after another
	writes  string                       // the file that is written in the end, "" without one
	flag    string                       // that names it
	crew    []*watcher

	in      stream.Reader
	name    string
	lines   bool
	ended   bool // nothing more is read of the input at hand
	seen    int  // documents that were shown
	refused int
	empty   bool
}

// watcher is a viewer with the working memory that goes with it.
type watcher struct {
	viewer
	record *record
}

// watch is a task: some documents, and what is said of them.
type watch struct {
	chunk  stream.Chunk
	copied bool // the documents do not lie in the reader
	text   []byte
	told   []error // of documents that were refused
	seen   int     // documents that the viewer was shown to their end
}

const lookStatuses = `Exit status:
  0  done
  1  something was refused, or could not be read or written
  2  the command line, or a mapping file, is wrong
  4  an input held no document at all
`

// lookFlags are the flags of commands that read documents and write none.
func lookFlags(r *readFlags) []cli.Flag {
	list := leave(r.reading(), "jobs") // they use all processors
	for _, f := range list {
		switch f := f.(type) {
		case *cli.StringFlag:
			if f.Name == "at" {
				f.Usage = "each document is a record that holds the answer at the gjson `PATH`, as an object or as a string of JSON; it names one place, as in result.contents.0.text, and a record without it is refused"
			}
		case *cli.BoolFlag:
			if f.Name == "keep-going" {
				f.Usage = "after a refused document go on with the next line (--ndjson) or the next file"
			}
		}
	}
	return list
}

// run shows the viewers all documents of the inputs. Each finding that refuses a
// document was told then. linesSet is as for job.run.
func (l *look) run(args []string, linesSet bool) error {
	list, err := inputs(args, l.stdin)
	if err != nil {
		return err
	}
	if l.writes == "-" || l.writes != "" && ownDescriptor(descriptorOf(l.writes)) == 1 {
		return usageError{text: "--" + l.flag + " takes the name of a file; standard output is for what is printed"}
	}
	if err := apart(l.flag, l.writes, l.flags.read(list)); err != nil {
		return err
	}
	for _, in := range list {
		l.lines = l.flags.ndjson || !linesSet && in.lines()
		if err := l.file(in); err == errStop {
			break
		} else if err != nil {
			return err
		}
	}
	return l.out.flush()
}

// status is the failure that the run ends with, or nil.
func (l *look) status() error {
	switch {
	case l.refused > 0:
		return toldError(statusFailed)
	case l.empty:
		return toldError(statusEmpty)
	}
	return nil
}

func (l *look) file(in input) error {
	src, changed, err := in.open()
	if err != nil {
		l.refused++
		fmt.Fprintln(l.stderr, "ctxmigrate: "+err.Error())
		return l.onward()
	}
	defer in.close(src)
	if l.begin != nil {
		if err := l.begin(in, changed); err != nil {
			return err
		}
	}
	l.name = in.name
	l.ended = false
	before := l.refused
	// Lines of a file are looked at beside each other; where documents are cut at
	// newlines on trial, or come through a pipe, one after another.
	workers := 1
	if l.lines && !changed.IsZero() && !l.single {
		workers = runtime.GOMAXPROCS(0)
	}
	for len(l.crew) < workers {
		w := &watcher{viewer: l.viewers()}
		if l.flags.at != "" {
			w.record = &record{path: l.flags.at, maxDepth: l.flags.maxDepthOpt, lines: l.lines}
		}
		l.crew = append(l.crew, w)
	}
	opts := stream.Options{Lines: l.lines, MaxBytes: l.flags.maxBytesOpt, MaxDepth: l.flags.maxDepthOpt}
	next := l.next
	if workers == 1 {
		next = l.nextOne
		opts.Idle = l.out.flush // before what may wait for a pipe
	}
	l.in.Reset(src, opts)
	if err := stream.Ordered(workers, next, l.work, l.done); err != nil && err != errSkip {
		return err
	}
	if l.in.Records() == 0 && l.refused == before && !l.flags.allowEmpty {
		l.empty = true
		fmt.Fprintf(l.stderr, "ctxmigrate: %s: there is no document in it\n", printable(in.name))
	}
	return nil
}

func (l *look) onward() error {
	if l.flags.keepGoing {
		return nil
	}
	return errStop
}

// nextOne takes one document as it lies in the reader.
func (l *look) nextOne(w *watch) bool {
	if l.ended {
		return false
	}
	d, err := l.in.Next()
	w.copied = false
	if w.chunk.Docs, w.chunk.Err = w.chunk.Docs[:0], err; err == nil {
		w.chunk.Docs = append(w.chunk.Docs, d)
	}
	return l.more(w)
}

// next copies documents until there are enough for a worker.
func (l *look) next(w *watch) bool {
	if l.ended {
		return false
	}
	l.in.Chunk(&w.chunk, chunkSize, false)
	w.copied = true
	return l.more(w)
}

// more notes whether the stream goes on, and answers false where there is nothing
// to be done.
func (l *look) more(w *watch) bool {
	err := w.chunk.Err
	var fault *stream.Error
	l.ended = err != nil && !(l.lines && errors.As(err, &fault) && fault.Code == diag.TooLarge)
	return len(w.chunk.Docs) > 0 || err != nil && err != io.EOF
}

// work shows documents to a worker.
func (l *look) work(worker int, w *watch) {
	w.text, w.told, w.seen = w.text[:0], w.told[:0], 0
	c := l.crew[worker]
	for _, d := range w.chunk.Docs {
		s := sight{name: l.name, Document: d, src: d.Data, record: c.record}
		if !w.copied {
			s.recut = l.in.Recut
		}
		err := c.see(&w.text, &s)
		if err == errAgain {
			continue
		}
		if why, is := err.(*told); err == nil || is && why.said {
			w.seen++
		}
		if err != nil {
			w.told = append(w.told, err)
			if !l.flags.keepGoing {
				return
			}
		}
	}
}

// see shows a document to the viewer.
func (c *watcher) see(text *[]byte, s *sight) (err error) {
	if c.record != nil {
		s.src, err = c.record.find(s.Data)
	}
	if err == nil {
		*text, err = c.view(*text, s)
	}
	var refused *translate.Refused
	var unfit *unfit
	switch {
	case errors.As(err, &unfit):
		if s.recut != nil && s.recut(unfit.at) {
			return errAgain
		}
		return c.told(text, s, unfit.finding(s.Data).in(s.Place))
	case errors.As(err, &refused):
		if s.again(refused) {
			return errAgain
		}
		return c.told(text, s, s.refusal(refused))
	}
	return err
}

// done writes what was said, and tells what was refused.
func (l *look) done(w *watch, more bool) error {
	l.seen += w.seen
	if l.print(w.text); l.out.err != nil {
		return l.out.err
	}
	for _, err := range w.told {
		var why *told
		if !errors.As(err, &why) {
			return err
		}
		l.refused++
		if !why.said {
			l.out.flush()
			l.tell(l.name, why.finding)
		}
		if err := l.onward(); err != nil {
			return err
		}
		if !l.lines && !why.passed {
			return l.skip()
		}
	}
	var fault *stream.Error
	if errors.As(w.chunk.Err, &fault) {
		l.refused++
		l.cut(fault)
		return l.onward()
	}
	return nil
}

// print writes what a viewer has said.
func (l *look) print(text []byte) {
	if l.listed && len(text) > 0 {
		text, l.listed = text[1:], false
	}
	l.out.room(len(text))
	l.out.wrote(append(l.out.buf, text...))
}

// cut tells of a document that the stream does not hand out.
func (l *look) cut(fault *stream.Error) {
	f := finding{fault.Code, diag.Error, fault.Place, fault.Pointer, fault.Msg}
	if t, ok := l.viewers().(teller); ok && f.code != diag.InputFailed {
		l.seen++
		l.print(t.tell(nil, &sight{name: l.name, Document: stream.Document{Record: fault.Record, Place: fault.Place}}, f))
		return
	}
	l.out.flush()
	l.tell(l.name, f)
}

// errSkip ends an input of which nothing more can be read.
var errSkip = errors.New("skip")

// skip says that nothing is read after a document that was refused.
func (l *look) skip() error {
	fmt.Fprintf(l.stderr, "ctxmigrate: %s: nothing was read after that; --ndjson goes on with the next line\n", printable(l.name))
	return errSkip
}
