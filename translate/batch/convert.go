package batch

import (
	"cmp"
	"errors"
	"slices"

	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/stream"
)

// worker converts documents. It keeps its memory from one to the next.
type worker struct {
	o      *Options
	conv   translate.Converter
	prover prover
	record Record
	made   []byte // a converted answer that stands in a record
	text   []byte // of documents of a file, not yet written
	packs  packers
	in     stream.Reader
	words  words
}

// largeDocument is the size from which on a worker forgets the memory that a
// document took.
const largeDocument = 8 << 20

func (o *Options) newWorker() *worker {
	w := &worker{o: o}
	if o.NewRecord != nil {
		w.record = o.NewRecord()
	}
	return w
}

// forget gives back the memory that a large document took.
func (w *worker) forget() {
	w.conv, w.prover, w.made = translate.Converter{}, prover{}, nil
}

// tally is what is known of a number of documents.
type tally struct {
	written, refused, verified, withheld int

	codes    [diag.NumCodes]int
	forms    [4]int
	refusals []Refusal
	lines    []byte // the refused lines as they stand in the file, where they are to be kept
}

func (t *tally) reset() {
	*t = tally{refusals: t.refusals[:0], lines: t.lines[:0]}
}

// document converts a document of a file and appends it to dst. Again says that
// it was cut out wrongly and comes again.
func (w *worker) document(dst []byte, f *work, d stream.Document, t *tally, recut func(int) bool) (_ []byte, again bool) {
	out, proof, err := w.convert(dst, f, d)
	if len(d.Data) >= largeDocument {
		defer w.forget()
	}
	if err != nil {
		if at, ok := cutAt(err, w.record != nil); ok && recut != nil && recut(at) {
			return dst, true
		}
		w.refuse(f, d, t, err)
		return dst, false
	}
	t.written++
	t.forms[w.conv.From()]++
	for i, n := range w.conv.Counts() {
		t.codes[i] += n
	}
	if proof != Unproven {
		t.verified++
	}
	if proof == Withheld {
		t.withheld++
	}
	return out, false
}

// convert appends what becomes of a document, and proves it where that is wanted.
func (w *worker) convert(dst []byte, f *work, d stream.Document) (_ []byte, proof Proof, err error) {
	answer := d.Data
	if w.record != nil {
		if answer, err = w.record.Find(d.Data, f.lines); err != nil {
			return dst, Unproven, err
		}
	}
	to := dst
	if w.record != nil {
		to = w.made[:0]
	}
	from := len(to)
	out, err := w.conv.Append(to, answer, w.o.To, &f.opts)
	if err != nil {
		return dst, Unproven, err
	}
	result := out[from:]
	if w.o.Words {
		w.words.count(answer, result, w.conv.From(), w.o.To, &f.opts)
	}
	if w.o.Verify {
		if proof, err = w.prover.prove(answer, result, w.conv.From(), w.o.To, &f.opts, w.conv.Counts()); err != nil {
			return dst, Unproven, notProven(err)
		}
	}
	if w.record == nil {
		return append(out, '\n'), proof, nil
	}
	w.made = out
	from = len(dst)
	dst = w.record.Put(dst, out, d.Newline)
	if w.o.Verify {
		if again, err := w.record.Find(dst[from:], false); err != nil || string(again) != string(w.made) {
			return dst[:from], Unproven, notProven(errors.New("the record does not hold the result"))
		}
	}
	return dst, proof, nil
}

func notProven(err error) error {
	return &translate.Refused{Diagnostic: diag.Diagnostic{Code: diag.NotProven, Severity: diag.Error, Line: 1, Column: 1, Args: []string{proofFault(err)}}}
}

// proofFault is the error of a proof. What a conversion in it said of a document
// is named by its code alone.
func proofFault(err error) string {
	var refused *translate.Refused
	if errors.As(err, &refused) {
		outer, _, _ := cutLast(err.Error(), refused.Error())
		return outer + refused.Code.String()
	}
	return err.Error()
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := len(s) - len(sep); i >= 0 && s[i:] == sep {
		return s[:i], "", true
	}
	return s, "", false
}

// cutAt is the offset in the document of a fault that may come of its being cut
// out at the wrong place.
func cutAt(err error, record bool) (int, bool) {
	var unfit *Unfit
	var refused *translate.Refused
	switch {
	case errors.As(err, &unfit):
		return unfit.At, true
	case errors.As(err, &refused) && !record && refused.Code <= diag.TooLarge:
		return refused.Offset, true
	}
	return 0, false
}

// refuse takes down why a document is refused, and its line.
func (w *worker) refuse(f *work, d stream.Document, t *tally, err error) {
	t.refused++
	if f.rejecting {
		t.lines = append(append(t.lines, d.Data...), cmp.Or(d.Newline, "\n")...)
	}
	var unfit *Unfit
	var refused *translate.Refused
	switch {
	case errors.As(err, &unfit):
		t.refuse(f, d, unfit.Finding)
	case errors.As(err, &refused):
		for _, g := range w.reasons(refused) {
			found := Finding{g.Code, g.Severity, stream.Place{Line: g.Line, Column: g.Column, Offset: int64(g.Offset)}, g.Pointer, g.Message()}
			if w.record != nil {
				found = w.record.Lift(found)
			}
			t.refuse(f, d, found)
		}
	default:
		t.refuse(f, d, Finding{Code: diag.InputFailed, Severity: diag.Error, Place: stream.Place{Line: 1, Column: 1}, Message: err.Error()})
	}
}

func (t *tally) refuse(f *work, d stream.Document, found Finding) {
	if found.Severity != diag.Error {
		return
	}
	found.Place = d.At(found.Line, found.Column, int(found.Offset))
	t.refusals = append(t.refusals, Refusal{File: f.it.path, Record: d.Record, Finding: found, Rejected: f.rejecting})
}

// reasons are the diagnostics of a refused document: all that refuse it, where it
// could be read.
func (w *worker) reasons(refused *translate.Refused) []diag.Diagnostic {
	if refused.Code > diag.FormMismatch && refused.Code != diag.NotProven {
		list := w.conv.Report()
		slices.SortStableFunc(list, func(a, b diag.Diagnostic) int { return a.Offset - b.Offset })
		if slices.ContainsFunc(list, func(g diag.Diagnostic) bool { return g.Severity == diag.Error }) {
			return list
		}
	}
	return []diag.Diagnostic{refused.Diagnostic}
}

// words count type words and roles. They are those of the document as 0.2.0:
// where neither side is that it is converted once more.
type words struct {
	conv  translate.Converter
	tree  []byte
	words map[string]*Word
	roles map[string]int
}

func (c *words) count(src, result []byte, from, to translate.Form, opts *translate.Options) {
	tree := result
	switch {
	case to == translate.V020:
	case from == translate.V020:
		tree = jsontree.AppendCompact(c.tree[:0], trimmed(src))
		c.tree = tree
	default:
		var err error
		if c.tree, err = c.conv.Append(c.tree[:0], src, translate.V020, opts); err != nil {
			return
		}
		tree = c.tree
	}
	c.elements(tree)
}
