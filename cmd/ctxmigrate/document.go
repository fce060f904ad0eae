package main

import (
	"errors"
	"fmt"
	"slices"

	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/stream"
)

// document converts a document, and answers false where it was refused.
func (j *job) document(d stream.Document) bool {
	j.out.room(len(d.Data) + len(d.Data)/8 + 512)
	out, err := j.append(j.out.buf, d)
	if err != nil {
		return j.reject(d, err)
	}
	j.converted++
	j.out.wrote(out)
	for i, n := range j.edit.Counts() {
		j.totals[i] += n
	}
	if j.report != nil {
		for _, g := range j.edit.Report() {
			j.report.add(j.name, d.Record, j.found(&g).in(d.Place))
		}
	}
	return true
}

// spill writes what was gathered of a document that is done, and answers where to
// go on.
func (j *job) spill(b []byte) []byte {
	j.out.wrote(b)
	return j.out.buf
}

// append appends what becomes of a document.
func (j *job) append(dst []byte, d stream.Document) (_ []byte, err error) {
	if j.record == nil && j.query == "" && !j.pretty {
		if dst, err = j.edit.edit(dst, d.Data); err != nil {
			return dst, err
		}
		return append(dst, '\n'), nil
	}
	src := d.Data
	if j.record != nil {
		if src, err = j.record.find(d.Data); err != nil {
			return dst, err
		}
	}
	if j.made, err = j.edit.edit(j.made[:0], src); err != nil {
		return dst, err
	}
	switch {
	case j.query != "":
		return appendQuery(dst, j.made, j.query, j.raw, j.pretty, j.spill), nil
	case j.record != nil:
		return j.record.put(dst, j.made, d.Newline), nil
	}
	return append(appendIndented(dst, j.made, j.spill), '\n'), nil
}

// found is a diagnostic of the editor, at its place in the document.
func (j *job) found(g *diag.Diagnostic) finding {
	f := findingOf(g)
	if j.record != nil {
		f = j.record.lift(f)
	}
	return f
}

// reject tells why a document is refused. It answers true where it was not:
// where it was cut out wrongly and comes again.
func (j *job) reject(d stream.Document, err error) (again bool) {
	var refused *translate.Refused
	var unfit *unfit
	switch {
	case errors.As(err, &unfit):
		if j.in.Recut(unfit.at) {
			return true
		}
		j.refuse(d.Record, unfit.finding(d.Data).in(d.Place))
	case errors.As(err, &refused):
		if j.record == nil && refused.Code <= diag.TooLarge && j.in.Recut(refused.Offset) {
			return true
		}
		for _, g := range j.reasons(refused) {
			j.refuse(d.Record, j.found(&g).in(d.Place))
		}
	default:
		fmt.Fprintln(j.stderr, "ctxmigrate: "+err.Error())
	}
	j.refused++
	return false
}

// reasons are the diagnostics of a refused document. Where it could not be read
// at all, or not as what it says it is, the others mean nothing.
func (j *job) reasons(refused *translate.Refused) []diag.Diagnostic {
	if refused.Code > diag.FormMismatch {
		list := j.edit.Report()
		slices.SortStableFunc(list, func(a, b diag.Diagnostic) int { return a.Offset - b.Offset })
		if slices.ContainsFunc(list, func(g diag.Diagnostic) bool { return g.Severity == diag.Error }) {
			return list
		}
	}
	return []diag.Diagnostic{refused.Diagnostic}
}

// refuse reports a finding, and tells it where it is an error.
func (j *job) refuse(record int, f finding) {
	if f.severity == diag.Error {
		j.tell(j.name, f)
	}
	j.report.add(j.name, record, f)
}
