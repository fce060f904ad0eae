package proxy

import (
	"bytes"
	"slices"

	"ctxmigrate/translate/jsontree"
)

// passDepth is how many levels a message may nest that is none of ours. It bounds
// the memory that knowing its end takes.
const passDepth = 1 << 16

// mayAsk reports whether a message is an ask for anyone, whichever of two members
// of one name counts for them.
func (h *core) mayAsk(text []byte, m message) bool {
	var name string
	var ours func(string) bool
	switch textOf(m.method.In(text)) {
	case "resources/read":
		name, ours = "uri", func(uri string) bool { return h.current(uri) || h.locates(uri) }
	case "tools/call":
		name, ours = "name", func(tool string) bool {
			return slices.Contains(h.opts.Tools, tool) || slices.Contains(h.opts.LocateTools, tool)
		}
	}
	params := m.params.In(text)
	if name == "" || jsontree.KindOf(params) != jsontree.Object {
		return false
	}
	found := false
	jsontree.MembersAt(params, func(n, nameEnd, value, valueEnd int) bool {
		found = jsontree.EqualText(params[n:nameEnd], name) && ours(textOf(params[value:valueEnd]))
		return !found
	})
	return found
}

// strict is why a message that was read as it can be cannot be dealt with, nil
// where it can.
func (h *core) strict(text []byte, m message, what string) *Fault {
	var r jsontree.Reader
	r.Reset(m.at.In(text), h.opts.Limits.Depth)
	if r.Skip(); r.End() {
		return nil
	}
	e := *r.Err()
	e.Offset += int(m.at.Off)
	return unreadable(text, &e, what)
}

// peeked is what can be told of a message that cannot be read as a whole.
type peeked struct {
	id             []byte // nil where there is none, or none that is certain
	request, reply bool
}

// peek looks at the beginning of a message, up to where it cannot be read, and at
// its end, since some put the id there.
func peek(head, tail []byte) (p peeked) {
	var r jsontree.Reader
	r.Reset(head, passDepth)
	r.AllowTwice()
	if r.Kind() != jsontree.Object {
		return p
	}
	r.Enter()
	ids := 0
	for r.Next() {
		name := string(r.Key())
		p.request = p.request || name == "method"
		p.reply = p.reply || name == "result" || name == "error"
		value := r.Skip()
		if name == "id" && r.Err() == nil && value.End() < len(head) { // else it may go on
			p.id = bytes.Clone(value.In(head))
			ids++
		}
	}
	if p.id == nil {
		p.id = lastID(tail)
	}
	if ids > 1 || p.request == p.reply {
		return peeked{}
	}
	return p
}

// whole is the end of a message that cannot be read, where that may be relied on:
// it is not where the text is no JSON.
func whole(text []byte, e *jsontree.Error) []byte {
	if e.Fault != jsontree.TooDeep {
		return nil
	}
	return text
}

// lastID is the id of a message of which it is the last member. What stands before
// the last brace of an object is on its first level.
func lastID(tail []byte) []byte {
	cut := func(b []byte, end string) []byte {
		b = bytes.TrimRight(b, " \t\r\n")
		if rest, ok := bytes.CutSuffix(b, []byte(end)); ok {
			return rest
		}
		return nil
	}
	b := bytes.TrimRight(cut(tail, "}"), " \t\r\n")
	at := bytes.LastIndexAny(b, ":,") + 1 // of a number
	if text, ok := bytes.CutSuffix(b, []byte(`"`)); ok {
		at = bytes.LastIndexByte(text, '"')
	}
	if at < 0 || bytes.IndexByte(b[at:], '\\') >= 0 {
		return nil
	}
	before := bytes.TrimRight(cut(cut(b[:at], ":"), `"id"`), " \t\r\n")
	var r jsontree.Reader
	r.Reset(b[at:], 1)
	id := r.Skip().In(b[at:])
	if !r.End() || len(before) == 0 || before[len(before)-1] != ',' && before[len(before)-1] != '{' {
		return nil
	}
	return bytes.Clone(id)
}
