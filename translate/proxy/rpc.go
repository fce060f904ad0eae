package proxy

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"ctxmigrate/translate/jsontree"
)

// message is where the members of a JSON-RPC message stand in a text.
type message struct {
	at                                 jsontree.Span // of the whole
	id, method, params, result, failed jsontree.Span
	twice                              bool // one of these is there twice
}

// passes reports whether a message is a request or a notification and nothing else.
func (m *message) passes() bool {
	return !m.method.IsZero() && m.result.IsZero() && m.failed.IsZero()
}

// replies reports whether a message is a reply and nothing else.
func (m *message) replies() bool {
	return !m.id.IsZero() && m.method.IsZero() && !(m.result.IsZero() && m.failed.IsZero())
}

// readMessages reads a text that is one JSON-RPC message or a list of them. One that
// is JSON, but nests deeper than is dealt with here or has objects with two members
// of one name, is read all the same, and loose is true: it may be none of ours.
func readMessages(text []byte, depth int) (list []message, loose bool, err *jsontree.Error) {
	var r jsontree.Reader
	r.Reset(text, depth)
	if list = readList(&r); r.Err() == nil {
		return list, false, nil
	}
	strict := *r.Err()
	if strict.Fault != jsontree.TooDeep && strict.Fault != jsontree.DuplicateMember {
		return list, false, &strict
	}
	r.Reset(text, max(depth, passDepth))
	r.AllowTwice()
	list = readList(&r)
	if r.Err() != nil || slices.ContainsFunc(list, func(m message) bool { return m.twice || !m.passes() && !m.replies() }) {
		return list, false, &strict
	}
	return list, true, nil
}

func readList(r *jsontree.Reader) (list []message) {
	if r.Kind() == jsontree.Array {
		r.Enter()
		for r.More() {
			list = append(list, readMessage(r))
		}
	} else {
		list = append(list, readMessage(r))
	}
	r.End()
	return list
}

func readMessage(r *jsontree.Reader) (m message) {
	if r.Kind() != jsontree.Object {
		m.at = r.Skip()
		return m
	}
	from := r.Pos()
	r.Enter()
	for r.Next() {
		to := new(jsontree.Span)
		switch string(r.Key()) {
		case "id":
			to = &m.id
		case "method":
			to = &m.method
		case "params":
			to = &m.params
		case "result":
			to = &m.result
		case "error":
			to = &m.failed
		}
		m.twice = m.twice || !to.IsZero()
		*to = r.Skip()
	}
	m.at = jsontree.MakeSpan(from, r.Pos()-from, false)
	return m
}

// request is what a reply is to be held against.
type request struct {
	id   []byte // raw
	kind kind
}

// kind is what becomes of the reply to a request.
type kind uint8

const (
	otherKind     kind = iota
	readCurrent        // resources/read of the current resource: an ask
	callCurrent        // tools/call of a tool that answers with the context: an ask
	locateRead         // resources/read that locates: an ask, of which the reply passes
	locateCall         // tools/call that locates
	listTools          // tools/list
	listResources      // resources/list
)

func (k kind) ask() bool { return k >= readCurrent && k <= locateCall }

// route is the name of the kind in logs.
func (k kind) route() string {
	switch k {
	case readCurrent, callCurrent:
		return "current"
	case locateRead, locateCall:
		return "locate"
	case listTools, listResources:
		return "list"
	}
	return "other"
}

// textOf is a raw value as text, "" where it is no string.
func textOf(raw []byte) string {
	if jsontree.KindOf(raw) != jsontree.String {
		return ""
	}
	return string(jsontree.Unquote(raw))
}

// kindOf tells what becomes of the reply to a message.
func (h *core) kindOf(text []byte, m message) kind {
	if m.id.IsZero() || m.method.IsZero() {
		return otherKind
	}
	params := m.params.In(text)
	switch textOf(m.method.In(text)) {
	case "resources/read":
		if h.current(textOf(jsontree.Member(params, "uri"))) {
			return readCurrent
		}
	case "tools/call":
		if slices.Contains(h.opts.Tools, textOf(jsontree.Member(params, "name"))) {
			return callCurrent
		}
	case "tools/list":
		return listTools
	case "resources/list":
		return listResources
	}
	return otherKind
}

// current reports whether a URI is that of the current resource.
func (h *core) current(uri string) bool {
	if len(h.opts.Resources) > 0 {
		return slices.Contains(h.opts.Resources, uri)
	}
	uri, _, _ = strings.Cut(uri, "#")
	uri, _, _ = strings.Cut(uri, "?")
	return uri[strings.LastIndexAny(uri, "/:")+1:] == "current"
}

// mapped is a request in which the id of an element that is to be located was
// mapped back.
type mapped struct {
	text     []byte
	gone     bool   // the provider has no such element
	kind     kind   // of the request: readCurrent for a resource, callCurrent for a tool
	id       []byte // raw, of the request
	uri      string // of a resource, as the host wrote it
	old, new string // the value that changed, for headers that mirror it
}

// locate maps the id of an element in a request to locate it. Found is false
// where the message is none.
func (h *core) locate(text []byte, m message) (to mapped, found bool) {
	params := m.params.In(text)
	place := func(part []byte) int { return int(m.params.Off) + offsetIn(params, part) }
	switch textOf(m.method.In(text)) {
	case "resources/read":
		raw := jsontree.Member(params, "uri")
		if to.uri = textOf(raw); !h.locates(to.uri) {
			return to, false
		}
		to.kind, to.old = readCurrent, to.uri
		to.new, to.gone = h.mapTarget(to.uri)
		to.text = change(text, place(raw), raw, &to)
	case "tools/call":
		if !slices.Contains(h.opts.LocateTools, textOf(jsontree.Member(params, "name"))) {
			return to, false
		}
		raw := jsontree.Member(jsontree.Member(params, "arguments"), "id")
		to.kind, to.old = callCurrent, idText(raw)
		origin, changed, gone := h.tr.ids.original(to.old)
		to.new, to.gone = to.old, raw != nil && gone
		if raw != nil && changed {
			to.new = idText([]byte(origin))
		}
		to.text = change(text, place(raw), raw, &to)
	default:
		return to, false
	}
	to.id = m.id.In(text)
	return to, true
}

// change writes the new value in place of the old one.
func change(text []byte, at int, raw []byte, to *mapped) []byte {
	if to.old == to.new {
		return text
	}
	return edited(text, []edit{{at, at + len(raw), jsontree.AppendQuoted(nil, []byte(to.new))}})
}

// offsetIn is where a part of a text begins in it: package jsontree cuts parts out
// so that their room reaches to the end of the whole.
func offsetIn(text, part []byte) int { return cap(text) - cap(part) }

// errorReply is a JSON-RPC reply that tells of a fault: to a tool's caller in a
// result, so that an agent sees it.
func errorReply(q request, f *Fault) []byte {
	text, _ := json.Marshal("ctxmigrate: " + f.Error())
	b := append([]byte(`{"jsonrpc":"2.0","id":`), q.id...)
	if q.kind == callCurrent || q.kind == locateCall {
		b = append(b, `,"result":{"content":[{"type":"text","text":`...)
		return append(append(b, text...), `}],"isError":true}}`...)
	}
	b = append(b, `,"error":{"code":`+strconv.FormatInt(f.RPCCode(), 10)+`,"message":`...)
	b = append(b, text...)
	b = append(b, `,"data":{"code":"`...)
	return append(append(b, f.Code...), `"}}}`...)
}

// goneReply tells the host that an element is gone.
func (h *core) goneReply(m *mapped) []byte {
	body := []byte(h.opts.Gone.Body)
	b := append([]byte(`{"jsonrpc":"2.0","id":`), m.id...)
	if m.kind == readCurrent {
		b = append(b, `,"result":{"contents":[{"uri":`...)
		b = jsontree.AppendQuoted(b, []byte(m.uri))
		b = append(b, `,"mimeType":"application/json","text":`...)
		b = jsontree.AppendQuoted(b, body)
		return append(b, `}]}}`...)
	}
	b = append(b, `,"result":{"content":[{"type":"text","text":`...)
	b = jsontree.AppendQuoted(b, body)
	b = append(b, `}]`...)
	if jsontree.KindOf(body) == jsontree.Object {
		b = append(append(b, `,"structuredContent":`...), body...)
	}
	return append(b, `}}`...)
}
