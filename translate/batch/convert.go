package batch

import (
	"cmp"
	"errors"

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
	tree   treeOf
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
	words    words
	refusals []Refusal
	lines    []byte // the refused lines as they stand in the file, where they are to be kept
}

func (t *tally) reset() {
	*t = tally{refusals: t.refusals[:0], lines: t.lines[:0]}
}

// document converts a document of a file and appends it to dst. Again says that
// it was cut out wrongly and comes again.
func (w *worker) document(dst []byte, f *work, d stream.Document, t *tally, recut func(int) bool) (_ []byte, again bool) {
	out, proof, err := w.convert(dst, f, d, &t.words)
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
	w.conv.AddCounts(&t.codes)
	if proof != Unproven {
		t.verified++
	}
	if proof == Withheld {
		t.withheld++
	}
	return out, false
}

// convert appends what becomes of a document, and proves it and counts its words
// where that is wanted.
func (w *worker) convert(dst []byte, f *work, d stream.Document, c *words) (_ []byte, proof Proof, err error) {
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
	if w.o.Verify {
		if proof, err = w.prover.prove(answer, result, w.conv.From(), w.o.To, &f.opts, w.conv.Counts()); err != nil {
			return dst, Unproven, notProven(err)
		}
	}
	if w.record == nil {
		w.count(c, f, answer, result)
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
	w.count(c, f, answer, w.made)
	return dst, proof, nil
}

func (w *worker) count(c *words, f *work, answer, result []byte) {
	if w.o.Words {
		if tree := w.tree.of(answer, result, w.conv.From(), w.o.To, &f.opts); tree != nil {
			c.elements(tree)
		}
	}
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
	case errors.As(err, &refused) && !record && refused.Unreadable():
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
		for _, g := range refused.Reasons(w.conv.Report) {
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

// treeOf makes the tree of a document of which words are counted: that is the
// document as 0.2.0, and where neither side is that it is converted once more.
type treeOf struct {
	conv translate.Converter
	tree []byte
}

// of is the tree, or nil where the document has none.
func (t *treeOf) of(src, result []byte, from, to translate.Form, opts *translate.Options) []byte {
	switch {
	case to == translate.V020:
		return result
	case from == translate.V020:
		t.tree = jsontree.AppendCompact(t.tree[:0], trimmed(src))
	default:
		var err error
		if t.tree, err = t.conv.Append(t.tree[:0], src, translate.V020, opts); err != nil {
			return nil
		}
	}
	return t.tree
}
