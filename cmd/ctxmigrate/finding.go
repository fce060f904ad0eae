package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/stream"
)

// finding is one thing that is to be said of a document, at its place in the
// document or in the file.
type finding struct {
	code     diag.Code
	severity diag.Severity
	stream.Place
	pointer string
	message string
}

func findingOf(d *diag.Diagnostic) finding {
	return finding{d.Code, d.Severity, stream.Place{Line: d.Line, Column: d.Column, Offset: int64(d.Offset)}, d.Pointer, d.Message()}
}

// in is the finding at its place in the stream that the document is in.
func (f finding) in(doc stream.Place) finding {
	f.Place = doc.At(f.Line, f.Column, int(f.Offset))
	return f
}

func position(p stream.Place) string { return fmt.Sprintf("%d:%d", p.Line, p.Column) }

// tell writes the line of an error.
func (s streams) tell(file string, f finding) {
	place := printable(file) + ":" + position(f.Place) + ":"
	code := "(" + f.code.String() + ")"
	if s.colours() {
		place = "\x1b[1m" + place + "\x1b[0m"
		code = "\x1b[31m" + code + "\x1b[0m"
	}
	what := f.message
	if f.pointer != "" {
		what += ", at " + ending(f.pointer)
	}
	fmt.Fprintf(s.stderr, "ctxmigrate: %s %s %s\n", place, printable(what), code)
}

// ending is the end of a pointer that is too long for a line.
func ending(pointer string) string {
	const most = 200
	if len(pointer) <= most {
		return pointer
	}
	end := pointer[len(pointer)-most:]
	return "..." + end[max(0, strings.IndexByte(end, '/')):]
}

// report is the file of --report. A nil report takes nothing.
type report struct {
	file *os.File
	w    *bufio.Writer
	json *json.Encoder
	name string
	err  error
}

func openReport(path string) (*report, error) {
	if path == "" {
		return nil, nil
	}
	open, name := createFile, path
	if is := descriptorOf(path); is != "" {
		open, name = openAgain, is
	}
	f, err := open(name)
	if err != nil {
		return nil, writeError(path, err)
	}
	r := &report{file: f, w: bufio.NewWriterSize(f, 64<<10), name: path}
	r.json = json.NewEncoder(plainWriter{r.w})
	r.json.SetEscapeHTML(false)
	return r, nil
}

// createFile makes or empties a file only to write to it: of a pipe that was open for
// reading too, nobody would be told that its reader has gone.
func createFile(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
}

// add writes a finding at its place in the file.
func (r *report) add(file string, record int, f finding) {
	if r == nil || r.err != nil {
		return
	}
	r.err = r.json.Encode(struct {
		File     string    `json:"file"`
		Record   int       `json:"record"`
		Line     int       `json:"line"`
		Column   int       `json:"column"`
		Offset   int64     `json:"offset"`
		Code     diag.Code `json:"code"`
		Severity string    `json:"severity"`
		Pointer  string    `json:"pointer"`
		Message  string    `json:"message"`
	}{strings.ToValidUTF8(file, "\ufffd"), record, f.Line, f.Column, f.Offset, f.code, f.severity.String(), f.pointer, f.message})
}

func (r *report) close() error {
	if r == nil {
		return nil
	}
	if err := r.w.Flush(); r.err == nil {
		r.err = err
	}
	if err := r.file.Close(); r.err == nil {
		r.err = err
	}
	if r.err != nil {
		return writeError(r.name, r.err)
	}
	return nil
}

// summary writes a line for each code that is no error, the gravest first.
func (s streams) summary(totals *[diag.NumCodes]int) {
	for sev := diag.Loss; ; sev-- {
		for _, c := range diag.Codes() {
			if n := totals[c.Code]; n > 0 && c.Severity == sev {
				fmt.Fprintf(s.stderr, "ctxmigrate: %d × %s (%s): %s\n", n, c.Name, c.Severity, c.Meaning)
			}
		}
		if sev == diag.Note {
			return
		}
	}
}
