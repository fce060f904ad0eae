package proxy

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"

	"ctxmigrate/translate/jsontree"
)

// locate asks the provider for an element, by the id that it knows it by, and
// passes what it answers.
func (h *HTTP) locate(w *writer, r *http.Request) *Fault {
	body, fault := h.opts.requestBody(w, r)
	if fault != nil {
		return fault
	}
	target, gone := h.mapTarget(r.URL.EscapedPath() + "?" + r.URL.RawQuery)
	body, g := h.mapBody(body)
	if gone || g {
		w.send(h.opts.Gone.Status, "application/json", []byte(h.opts.Gone.Body))
		return nil
	}
	ctx, cancel := h.ask(r)
	defer cancel()
	to := *r.URL
	to.RawPath, to.RawQuery, _ = strings.Cut(target, "?")
	to.Path, _ = url.PathUnescape(to.RawPath)
	r = r.WithContext(ctx)
	r.URL = &to
	status, header, _, raw, fault := h.fetch(ctx, new(bytes.Buffer), r, body)
	if fault != nil {
		return fault
	}
	if status >= 300 && status < 400 && status != http.StatusNotModified {
		return errRedirect
	}
	copyHeader(w.Header(), header)
	if r.Method == http.MethodHead || status == http.StatusNotModified || status == http.StatusNoContent {
		w.WriteHeader(status)
		return nil
	}
	w.sendAs(status, raw)
	return nil
}

// locates reports whether a path, or a URI, is that of something that locates.
func (h *core) locates(target string) bool {
	target, _, _ = strings.Cut(target, "#")
	target, _, _ = strings.Cut(target, "?")
	return endsIn(target, h.opts.LocatePaths) || idPart(target, h.opts.LocatePaths) >= 0
}

// mapTarget maps the id in a path or URI, behind locate or in the query, back; the
// rest stays as it is written. Gone says that the provider has no such element.
func (h *core) mapTarget(target string) (_ string, gone bool) {
	end := len(target)
	if i := strings.IndexAny(target, "?#"); i >= 0 {
		end = i
	}
	path, rest := target[:end], target[end:]
	if i := idPart(path, h.opts.LocatePaths); i >= 0 {
		id, g := h.mapEscaped(path[i:], url.PathUnescape, url.PathEscape)
		path, gone = path[:i]+id, g
	}
	if query, ok := strings.CutPrefix(rest, "?"); ok {
		query, fragment, has := strings.Cut(query, "#")
		query, g := h.mapQuery(query)
		if rest, gone = "?"+query, gone || g; has {
			rest += "#" + fragment
		}
	}
	return path + rest, gone
}

// mapQuery maps the parameter id of a query; the rest stays as it is written.
func (h *core) mapQuery(query string) (_ string, gone bool) {
	parts := strings.Split(query, "&")
	for i, p := range parts {
		name, value, has := strings.Cut(p, "=")
		if n, err := url.QueryUnescape(name); !has || err != nil || n != "id" {
			continue
		}
		id, g := h.mapEscaped(value, url.QueryUnescape, url.QueryEscape)
		parts[i], gone = name+"="+id, gone || g
	}
	return strings.Join(parts, "&"), gone
}

func (h *core) mapEscaped(text string, plain func(string) (string, error), escape func(string) string) (_ string, gone bool) {
	id, err := plain(text)
	if err != nil {
		return text, false
	}
	raw, changed, gone := h.tr.ids.original(id)
	if changed {
		return escape(idText([]byte(raw))), false
	}
	return text, gone
}

// mapBody maps the member id of a body that is an object.
func (h *core) mapBody(body []byte) (_ []byte, gone bool) {
	id, at := memberOf(body, "id", h.opts.Limits.Depth)
	if id == nil {
		return body, false
	}
	raw, changed, gone := h.tr.ids.original(idText(id))
	if changed {
		return edited(body, []edit{{at, at + len(id), []byte(raw)}}), false
	}
	return body, gone
}

// memberOf is a member of the object that a text is, and where it stands; nil
// where the text is none or cannot be read.
func memberOf(text []byte, name string, depth int) (value []byte, at int) {
	var r jsontree.Reader
	r.Reset(text, depth)
	if r.Kind() != jsontree.Object {
		return nil, 0
	}
	var found jsontree.Span
	r.Enter()
	for r.Next() {
		if string(r.Key()) == name {
			found = r.Skip()
		} else {
			r.Skip()
		}
	}
	if !r.End() || found.IsZero() {
		return nil, 0
	}
	return found.In(text), int(found.Off)
}

// idPart is where the id begins in an escaped path that goes on behind one of
// the words, or -1.
func idPart(path string, words []string) int {
	for _, word := range words {
		word = "/" + strings.Trim(word, "/") + "/"
		if i := strings.LastIndex(path, word); i >= 0 && i+len(word) < len(path) {
			return i + len(word)
		}
	}
	return -1
}

// edit replaces a part of a text.
type edit struct {
	from, to int
	text     []byte
}

// edited is a text with edits, which are in order and do not overlap.
func edited(src []byte, list []edit) []byte {
	n := len(src)
	for _, e := range list {
		n += len(e.text)
	}
	out, at := make([]byte, 0, n), 0
	for _, e := range list {
		out = append(append(out, src[at:e.from]...), e.text...)
		at = e.to
	}
	return append(out, src[at:]...)
}
