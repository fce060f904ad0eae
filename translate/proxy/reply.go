package proxy

import (
	"bytes"
	"slices"
	"strings"

	"ctxmigrate/translate/jsontree"
)

// replies edits a text of JSON-RPC messages of the provider: those that reply to a
// request which take answers, which get the id as the host wrote it. Each of them is
// told of by done, with the fault that it was given. The text is answered as it is
// where nothing in it changes.
//
// A message that replies to no request which waits may hold an answer that was not
// translated, and what is neither reply nor request nor notification too. Keep
// decides whether such ones pass all the same; where it is false they go, and the
// text is nil where nothing is left.
func (h *core) replies(text []byte, keep bool, take func(id []byte) (request, bool), e *Event, done func(request, *Fault)) ([]byte, *Fault) {
	list, loose, err := readMessages(text, h.opts.Limits.Depth)
	if err != nil {
		return nil, unreadable(text, err, "answer")
	}
	var edits []edit
	var left []int // the messages that stay
	for i, m := range list {
		var q request
		ok := m.replies()
		if ok {
			q, ok = take(m.id.In(text))
		}
		if ok || keep || m.passes() {
			left = append(left, i)
		}
		if !ok {
			continue
		}
		more, fault := h.reply(text, m, q, loose, e)
		edits = append(edits, more...)
		done(q, fault)
	}
	switch {
	case len(left) < len(list):
		return remaining(text, list, left, edits), nil
	case len(edits) == 0:
		return text, nil
	}
	return edited(text, edits), nil
}

// reply edits the reply to a request. That to an ask is to be read without doubt.
func (h *core) reply(text []byte, m message, q request, loose bool, e *Event) (edits []edit, fault *Fault) {
	if !m.result.IsZero() {
		if loose && q.kind.ask() {
			fault = h.strict(text, m, "answer")
		}
		if fault == nil {
			edits, fault = h.result(text, m.result, q.kind, e)
		}
		if fault != nil {
			return []edit{{int(m.at.Off), m.at.End(), errorReply(q, fault)}}, fault
		}
	}
	if id := m.id.In(text); !bytes.Equal(id, q.id) {
		edits = append(edits, edit{int(m.id.Off), m.id.End(), q.id})
		slices.SortFunc(edits, func(a, b edit) int { return a.from - b.from })
	}
	return edits, nil
}

// remaining is a list with edits in those of its messages that are left, nil where
// none is.
func remaining(text []byte, list []message, left []int, edits []edit) []byte {
	if len(left) == 0 {
		return nil
	}
	out := []byte("[")
	for n, i := range left {
		if n > 0 {
			out = append(out, ',')
		}
		at := list[i].at
		var own []edit
		for len(edits) > 0 && edits[0].from < at.End() {
			if x := edits[0]; x.from >= int(at.Off) {
				own = append(own, edit{x.from - int(at.Off), x.to - int(at.Off), x.text})
			}
			edits = edits[1:]
		}
		out = append(out, edited(at.In(text), own)...)
	}
	return append(out, ']')
}

// result edits the result of a request.
func (h *core) result(text []byte, at jsontree.Span, k kind, e *Event) ([]edit, *Fault) {
	w := resultWalk{core: h, text: text, raw: at.In(text), base: int(at.Off), e: e}
	switch k {
	case readCurrent:
		w.each("contents", func(entry []byte) { w.answer(jsontree.Member(entry, "text"), jsontree.Member(entry, "mimeType")) })
	case callCurrent:
		w.tool()
	case listTools:
		w.each("tools", func(entry []byte) {
			schema := jsontree.Member(entry, "outputSchema")
			if schema != nil && slices.Contains(h.opts.Tools, textOf(jsontree.Member(entry, "name"))) {
				w.put(schema, []byte(Schema(h.opts.To)))
			}
		})
	case listResources:
		w.each("resources", func(entry []byte) {
			if h.current(textOf(jsontree.Member(entry, "uri"))) {
				w.drop(entry, "size")
			}
		})
	}
	slices.SortFunc(w.edits, func(a, b edit) int { return a.from - b.from })
	return w.edits, w.fault
}

// resultWalk gathers the edits of one result.
type resultWalk struct {
	*core
	text, raw []byte
	base      int // where raw stands in text
	e         *Event
	edits     []edit
	fault     *Fault
}

// each calls f with the objects in a list of the result.
func (w *resultWalk) each(name string, f func(entry []byte)) {
	list := jsontree.Member(w.raw, name)
	if jsontree.KindOf(list) != jsontree.Array {
		return
	}
	jsontree.Entries(list, func(entry []byte) bool {
		if jsontree.KindOf(entry) == jsontree.Object {
			f(entry)
		}
		return w.fault == nil
	})
}

// put replaces a value of the result.
func (w *resultWalk) put(value, by []byte) {
	at := w.base + offsetIn(w.raw, value)
	w.edits = append(w.edits, edit{at, at + len(value), by})
}

// drop removes a member of an object in the result, with one comma.
func (w *resultWalk) drop(object []byte, name string) {
	base := w.base + offsetIn(w.raw, object)
	before := 0 // where the member before ends
	from, to, first := -1, 0, true
	jsontree.MembersAt(object, func(n, nameEnd, value, valueEnd int) bool {
		switch {
		case from >= 0 && first: // it was the first one: its comma is behind it
			to = n
			return false
		case from >= 0:
			return false
		case jsontree.EqualText(object[n:nameEnd], name):
			if from, to = n, valueEnd; before > 0 {
				from, first = before, false
			}
		}
		before = valueEnd
		return true
	})
	if from >= 0 {
		w.edits = append(w.edits, edit{base + from, base + to, nil})
	}
}

// answer translates an answer that stands in a string.
func (w *resultWalk) answer(text, media []byte) {
	if jsontree.KindOf(text) != jsontree.String || w.fault != nil {
		return
	}
	plain := jsontree.Unquote(text)
	if m := textOf(media); m != "" && !strings.Contains(m, "json") && !looksJSON(plain) {
		return // prose beside the answer
	}
	a, fault := w.tr.translate(nil, plain)
	if w.fault = fault; fault != nil {
		return
	}
	w.e.answered(a, len(plain), w.opts.To)
	if !a.same {
		w.put(text, jsontree.AppendQuoted(make([]byte, 0, len(a.doc)+len(a.doc)/4), a.doc))
	}
}

// tool translates the result of a tool: its structured content, and every text
// that says the same; or where it has none, every text that is JSON.
func (w *resultWalk) tool() {
	if string(jsontree.Member(w.raw, "isError")) == "true" {
		return
	}
	structured := jsontree.Member(w.raw, "structuredContent")
	if jsontree.KindOf(structured) != jsontree.Object {
		w.each("content", func(entry []byte) {
			if text := jsontree.Member(entry, "text"); looksJSON(unquoted(text)) {
				w.answer(text, nil)
			}
		})
		return
	}
	a, fault := w.tr.translate(nil, structured)
	if w.fault = fault; fault != nil {
		return
	}
	w.e.answered(a, len(structured), w.opts.To)
	if a.same {
		return
	}
	w.put(structured, a.doc)
	said := jsontree.DigestOf(structured, false)
	w.each("content", func(entry []byte) {
		text := jsontree.Member(entry, "text")
		plain := unquoted(text)
		if !looksJSON(plain) {
			return
		}
		if value := w.value(plain); value != nil && jsontree.DigestOf(value, false) == said {
			w.put(text, jsontree.AppendQuoted(make([]byte, 0, len(a.doc)+len(a.doc)/4), a.doc))
			return
		}
		w.answer(text, nil) // another answer, or one that cannot be read
	})
}

// value is the JSON value that a text is, nil where it is none.
func (w *resultWalk) value(text []byte) []byte {
	var r jsontree.Reader
	r.Reset(text, w.opts.Limits.Depth)
	s := r.Skip()
	if !r.End() {
		return nil
	}
	return s.In(text)
}

func unquoted(raw []byte) []byte {
	if jsontree.KindOf(raw) != jsontree.String {
		return nil
	}
	return jsontree.Unquote(raw)
}

// looksJSON reports whether a text begins as an object does. What does is held to
// be an answer where one is expected; what does not is prose.
func looksJSON(text []byte) bool {
	text = bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\ufeff")), " \t\r\n")
	return len(text) > 0 && text[0] == '{'
}
