package main

import (
	"errors"

	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/stream"
)

// worker converts documents. Several work at a time where --jobs asks for it: a
// worker changes nothing of the job, and what it has to say of a document it says
// in an outcome.
type worker struct {
	*shape
	edit   editor
	record *record // of --at, else nil
	made   []byte  // a document that is not written as it is
}

// shape is how documents are written.
type shape struct {
	query       string
	raw, pretty bool
	whole       bool // what is said of documents is wanted, not only counted
}

// outcome is what came of a document beside its text.
type outcome struct {
	refused  error // why it was refused, where it was
	findings []finding
	counts   [diag.NumCodes]int
}

// convert appends what becomes of a document, and adds to what is said of it. Spill
// is for output that is larger than it need be in memory.
func (w *worker) convert(dst []byte, d stream.Document, o *outcome, spill func([]byte) []byte) []byte {
	out, err := w.append(dst, d, spill)
	if err != nil {
		o.refused = err
		w.reject(d, err, o)
		return dst
	}
	w.edit.AddCounts(&o.counts)
	if w.whole {
		for _, g := range w.edit.Report() {
			o.findings = append(o.findings, w.found(&g).in(d.Place))
		}
	}
	return out
}

// append appends what becomes of a document.
func (w *worker) append(dst []byte, d stream.Document, spill func([]byte) []byte) (_ []byte, err error) {
	if w.record == nil && w.query == "" && !w.pretty {
		if dst, err = w.edit.edit(dst, d.Data, spill); err != nil {
			return dst, err
		}
		return append(dst, '\n'), nil
	}
	src := d.Data
	if w.record != nil {
		if src, err = w.record.find(d.Data); err != nil {
			return dst, err
		}
	}
	if w.made, err = w.edit.edit(w.made[:0], src, nil); err != nil {
		return dst, err
	}
	switch {
	case w.query != "":
		return appendQuery(dst, w.made, w.query, w.raw, w.pretty, spill), nil
	case w.record != nil:
		return w.record.put(dst, w.made, d.Newline), nil
	}
	return append(appendIndented(dst, w.made, spill), '\n'), nil
}

// found is a diagnostic of the editor, at its place in the document.
func (w *worker) found(g *diag.Diagnostic) finding {
	f := findingOf(g)
	if w.record != nil {
		f = w.record.lift(f)
	}
	return f
}

// reject says why a document is refused.
func (w *worker) reject(d stream.Document, err error, o *outcome) {
	var refused *translate.Refused
	var unfit *unfit
	switch {
	case errors.As(err, &unfit):
		o.findings = append(o.findings, unfit.finding(d.Data).in(d.Place))
	case errors.As(err, &refused):
		for _, g := range refused.Reasons(w.edit.Report) {
			o.findings = append(o.findings, w.found(&g).in(d.Place))
		}
	}
}

// miscut is where a document that was refused may have been cut wrongly, out of a
// stream whose newlines were taken for the ends of documents.
func (w *worker) miscut(err error) (at int, may bool) {
	var refused *translate.Refused
	var unfit *unfit
	switch {
	case errors.As(err, &unfit):
		return unfit.at, true
	case errors.As(err, &refused) && w.record == nil && refused.Unreadable():
		return refused.Offset, true
	}
	return 0, false
}
