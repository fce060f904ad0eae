// Package report writes what a batch did: report.json, which holds every figure
// and every refused document, and report.html, one page with the same to look at,
// which needs nothing beside itself.
//
// Both hold names of files, positions, codes, counts and words of the
// vocabulary, and the messages of refusals, which name ids; nothing else of what
// documents hold.
package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ctxmigrate/translate"
	"ctxmigrate/translate/batch"
	"ctxmigrate/translate/diag"
)

// The names of the files.
const (
	JSONName = "report.json"
	HTMLName = "report.html"
)

// About says of a run what its Summary does not.
type About struct {
	Program  string // name and version
	To       translate.Form
	DryRun   bool
	Verified bool // documents were proven
}

// Document is what report.json holds, but for its last member, refused: a list of
// Refused.
type Document struct {
	Program     string `json:"program"`
	To          string `json:"to"`
	DryRun      bool   `json:"dryRun"`
	Verify      bool   `json:"verify"`
	Interrupted bool   `json:"interrupted"`

	Start              string  `json:"start,omitempty"` // RFC 3339
	Seconds            float64 `json:"seconds"`
	BytesRead          int64   `json:"bytesRead"`
	BytesWritten       int64   `json:"bytesWritten"`
	DocumentsPerSecond float64 `json:"documentsPerSecond"`
	BytesPerSecond     float64 `json:"bytesPerSecond"`

	Files     Files     `json:"files"`
	Documents Documents `json:"documents"`

	// Forms, types, roles and the timeline are of what this run wrote.
	Forms    map[string]int         `json:"forms"` // by the form that documents were in
	Codes    []Code                 `json:"codes"` // also of what was done before; the gravest first, of one severity the most frequent
	Types    map[string]*batch.Word `json:"types"` // by type word; "(other)" are words of no vocabulary
	Roles    map[string]int         `json:"roles"`
	Timeline []Sample               `json:"timeline"`
}

// Files counts files.
type Files struct {
	Found     int `json:"found"`
	Converted int `json:"converted"`
	Already   int `json:"already"`
	Failed    int `json:"failed"`
	Empty     int `json:"empty"`
	HardLinks int `json:"hardLinks"`
}

// Documents counts documents. Before are those that the journal knew to be done.
type Documents struct {
	Read           int `json:"read"`
	Written        int `json:"written"`
	Verified       int `json:"verified"`
	Withheld       int `json:"withheld"`
	Refused        int `json:"refused"`
	Rejected       int `json:"rejected"`
	Left           int `json:"left"`
	Lost           int `json:"lost"`
	Before         int `json:"before"`
	BeforeVerified int `json:"beforeVerified"`
}

// Code counts a diagnostic.
type Code struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Count    int    `json:"count"`  // in this run
	Before   int    `json:"before"` // in files that were done before it, where the journal tells
	Meaning  string `json:"meaning"`
	Do       string `json:"do"`
}

// Sample is how far the run was.
type Sample struct {
	Seconds   float64 `json:"seconds"`
	Documents int     `json:"documents"`
	Bytes     int64   `json:"bytes"`
}

// Refused is a document that was refused, or, with record 0, a file that failed.
type Refused struct {
	File     string `json:"file"`
	Record   int    `json:"record"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Offset   int64  `json:"offset"`
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Pointer  string `json:"pointer"`
	Message  string `json:"message"`
	Rejected bool   `json:"rejected"` // its line is in the folder of rejects
}

// shown is how many refusals the page shows; report.json holds all.
const shown = 2000

// Writer writes the report of one run into a folder. Refusals go to a file as they
// come, so that memory does not grow with their number.
type Writer struct {
	dir   string
	about About
	spool *os.File
	w     *bufio.Writer
	enc   *json.Encoder
	n     int
	first []Refused
	err   error
}

// New makes the folder and begins a report.
func New(dir string, about About) (*Writer, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	for _, f := range [][2]string{{JSONName, `"program": "`}, {HTMLName, "<title>ctxmigrate batch"}} {
		if err := replaceable(filepath.Join(dir, f[0]), f[1]); err != nil {
			return nil, err
		}
	}
	spool, err := os.CreateTemp(dir, ".ctxmigrate-report-*.tmp")
	if err != nil {
		return nil, err
	}
	w := &Writer{dir: dir, about: about, spool: spool, w: bufio.NewWriter(spool)}
	w.enc = json.NewEncoder(w.w)
	w.enc.SetEscapeHTML(false)
	return w, nil
}

// replaceable answers an error for a file that is there, holds something, and is no
// earlier report: that has a mark in its first lines.
func replaceable(path, mark string) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	first, err := io.ReadAll(io.LimitReader(f, 1<<10))
	if err == nil && len(first) > 0 && !bytes.Contains(first, []byte(mark)) {
		err = fmt.Errorf("%s is there and is no report of batch; it is left as it is", filepath.Base(path))
	}
	return err
}

// Refused takes a refusal.
func (w *Writer) Refused(r batch.Refusal) {
	one := Refused{strings.ToValidUTF8(r.File, "\ufffd"), r.Record, r.Line, r.Column, r.Offset, r.Code.String(), r.Severity.String(), r.Pointer, r.Message, r.Rejected}
	if len(w.first) < shown {
		w.first = append(w.first, one)
	}
	if w.n++; w.n > 1 && w.err == nil {
		w.err = w.w.WriteByte(',')
	}
	if w.err == nil {
		w.err = w.enc.Encode(one)
	}
}

// Drop ends a report of which nothing is wanted.
func (w *Writer) Drop() {
	w.spool.Close()
	os.Remove(w.spool.Name())
}

// Close writes both files.
func (w *Writer) Close(sum *batch.Summary) error {
	defer w.Drop()
	if err := w.w.Flush(); w.err == nil {
		w.err = err
	}
	if w.err != nil {
		return w.err
	}
	doc := document(sum, w.about)
	err := replace(filepath.Join(w.dir, JSONName), func(out *bufio.Writer) error { return w.json(out, doc) })
	if err != nil {
		return err
	}
	return replace(filepath.Join(w.dir, HTMLName), func(out *bufio.Writer) error {
		return page(out, doc, w.first, w.n)
	})
}

// json writes the document, and in it the refusals of the spool.
func (w *Writer) json(out *bufio.Writer, doc *Document) error {
	text, err := json.MarshalIndent(doc, "", " ")
	if err != nil {
		return err
	}
	if _, err := w.spool.Seek(0, 0); err != nil {
		return err
	}
	out.Write(text[:len(text)-len("\n}")])
	out.WriteString(",\n \"refused\": [\n")
	if _, err := bufio.NewReader(w.spool).WriteTo(out); err != nil {
		return err
	}
	_, err = out.WriteString("]\n}\n")
	return err
}

// replace writes a file beside its place and renames it.
func replace(path string, write func(*bufio.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".ctxmigrate-report-*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	b := bufio.NewWriter(f)
	if err := errors.Join(write(b), b.Flush(), f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// document makes the figures of a summary.
func document(sum *batch.Summary, about About) *Document {
	d := &Document{Program: about.Program, To: about.To.String(), DryRun: about.DryRun, Verify: about.Verified, Interrupted: sum.Interrupted,
		Seconds: sum.Elapsed.Seconds(), BytesRead: sum.Read, BytesWritten: sum.Written,
		Forms: map[string]int{}, Codes: []Code{}, Types: sum.Words, Roles: sum.Roles, Timeline: []Sample{}}
	if d.Types == nil {
		d.Types = map[string]*batch.Word{}
	}
	if d.Roles == nil {
		d.Roles = map[string]int{}
	}
	if !sum.Start.IsZero() {
		d.Start = sum.Start.UTC().Format(time.RFC3339)
	}
	f, n := &sum.Files, &sum.Documents
	d.Files = Files{f.Found, f.Converted, f.Already, f.Failed, f.Empty, sum.HardLinks}
	d.Documents = Documents{n.Read, n.Written, n.Verified, n.Withheld, n.Refused, n.Rejected, n.Left, n.Lost(), sum.Before.Documents, sum.Before.Verified}
	if d.Seconds > 0 {
		d.DocumentsPerSecond = float64(n.Read) / d.Seconds
		d.BytesPerSecond = float64(sum.Read) / d.Seconds
	}
	for form, count := range sum.Forms {
		if count > 0 {
			d.Forms[translate.Form(form).String()] = count
		}
	}
	for _, info := range diag.Codes() {
		if count, before := sum.Codes[info.Code], sum.Before.Codes[info.Code]; count+before > 0 {
			d.Codes = append(d.Codes, Code{info.Name, info.Severity.String(), count, before, info.Meaning, info.Do})
		}
	}
	slices.SortStableFunc(d.Codes, func(a, b Code) int {
		x, _ := diag.ParseSeverity(a.Severity)
		y, _ := diag.ParseSeverity(b.Severity)
		if x != y {
			return int(y) - int(x)
		}
		return b.Count + b.Before - a.Count - a.Before
	})
	for _, s := range sum.Timeline {
		d.Timeline = append(d.Timeline, Sample{s.At.Seconds(), s.Documents, s.Bytes})
	}
	return d
}
