package main

import (
	"bytes"

	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/stream"
)

// record is a document that holds the answer at a path (--at), and in which only
// the answer is replaced.
type record struct {
	path     string
	maxDepth int
	reader   jsontree.Reader

	data     []byte
	lines    bool // it is a line
	from, to int  // the answer in data
	quoted   bool // it is a string that holds JSON
	text     []byte
}

// unfit is the error of a record in which there is nothing to convert.
type unfit struct {
	code diag.Code
	at   int // offset in the record
	msg  string
}

func (u *unfit) Error() string { return u.msg }

// finding is the error at its place in the record.
func (u *unfit) finding(data []byte) finding {
	at := jsontree.Locate(data, []int{u.at})[0]
	return finding{u.code, diag.Error, stream.Place{Line: at.Line, Column: at.Column, Offset: int64(u.at)}, at.Pointer, u.msg}
}

// find finds the answer in data.
func (r *record) find(data []byte) ([]byte, error) {
	r.data = data
	r.reader.Reset(data, r.maxDepth)
	span := r.reader.Skip()
	r.reader.End()
	if e := r.reader.Err(); e != nil {
		return nil, &unfit{stream.FaultCode(e.Fault), e.Offset, e.Msg}
	}
	whole := span.In(data)
	res := get(whole, r.path)
	from, to := min(max(0, res.Index), len(whole)), min(res.Index+len(res.Raw), len(whole))
	kind := jsontree.KindOf(whole[from:])
	fault := ""
	switch {
	case !res.Exists():
		fault = "the path of --at finds nothing in the record"
	case len(res.Indexes) > 0:
		fault = "the path of --at finds several values in the record"
	case res.Index <= 0 || string(whole[from:to]) != res.Raw:
		fault = "the path of --at finds nothing that stands in the record as it is"
	case kind != jsontree.Object && kind != jsontree.String:
		fault = "the path of --at finds " + kind.String() + "; an object, or a string of JSON, is wanted"
	}
	if fault != "" {
		return nil, &unfit{diag.RecordPath, int(span.Off), fault}
	}
	r.from, r.to = int(span.Off)+from, int(span.Off)+to
	answer := data[r.from:r.to]
	if r.quoted = kind == jsontree.String; r.quoted {
		r.text = jsontree.AppendUnquoted(r.text[:0], answer)
		return r.text, nil
	}
	return answer, nil
}

// masked are parts of the answer as parts of the record. What stands around the answer
// is masked too: what is secure in there, as in another answer, was not looked for.
func (r *record) masked(list []translate.Masked) []translate.Masked {
	all := []translate.Masked{{From: 0, To: r.from}}
	for _, m := range list {
		all = append(all, translate.Masked{From: r.from + m.From, To: r.from + m.To})
	}
	return append(all, translate.Masked{From: r.to, To: len(r.data)})
}

// put appends the record with another answer in place of its own, and a newline.
// A line stays as it was, with the carriage return that ended it.
func (r *record) put(dst, answer []byte, newline string) []byte {
	before := bytes.TrimPrefix(r.data[:r.from], []byte("\ufeff"))
	after := r.data[r.to:]
	if !r.lines {
		before, after = bytes.TrimLeft(before, " \t\r\n"), bytes.TrimRight(after, " \t\r\n")
	}
	dst = append(dst, before...)
	if r.quoted {
		dst = jsontree.AppendQuoted(dst, answer)
	} else {
		dst = append(dst, answer...)
	}
	dst = append(dst, after...)
	if !r.lines || newline == "" {
		newline = "\n"
	}
	return append(dst, newline...)
}

// lift makes a finding in the answer one in the record. Of an answer inside a
// string the place is that of the string, and the message says the rest.
func (r *record) lift(f finding) finding {
	at := jsontree.Locate(r.data, []int{r.from})[0]
	base := stream.Place{Line: at.Line, Column: at.Column, Offset: int64(r.from)}
	if !r.quoted {
		f.Place, f.pointer = base.At(f.Line, f.Column, int(f.Offset)), at.Pointer+f.pointer
		return f
	}
	where := position(f.Place)
	if f.pointer != "" {
		where += " " + f.pointer
	}
	f.Place, f.pointer, f.message = base, at.Pointer, "in the string, at "+where+": "+f.message
	return f
}
