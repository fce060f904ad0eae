package askable

import (
	"bytes"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
)

// tellPage tells of what a page that was made up says beside a title, a url and
// a route.
func (w *Encoder) tellPage(p *plan) {
	i := p.document
	e := &w.s.Elements[i]
	w.tellStates(p, i)
	if e.Title.IsZero() && e.URL.IsZero() && w.route(i).IsZero() {
		w.c.AddArgs(diag.ElementDropped, e.At, e.ID, model.Span{})
		for c := e.First; c != model.None; c = w.s.Elements[c].Next {
			w.c.AddArgs(diag.ElementMoved, w.s.Elements[c].At, w.s.Elements[c].ID, model.Span{})
		}
		return
	}
	for _, m := range []struct {
		name string
		is   bool
	}{{"subrole", !e.Subrole.IsZero()}, {"content", !e.Content.IsZero()}} {
		if m.is {
			w.c.AddArgs(diag.MemberDropped, e.At, w.s.MakeString(m.name), model.Span{})
		}
	}
	w.s.EachAttribute(i, func(m model.Member) bool {
		if !jsontree.EqualText(w.s.Raw(m.Name), "route") || w.s.Raw(m.Value)[0] != '"' {
			w.c.AddArgs(diag.MemberDropped, m.At, m.Name, model.Span{})
		}
		return true
	})
}

// appendPutBack appends source, capture, target and surrounding as they were. It
// answers false where reading that makes no such tree: two elements would be one, or the
// target would stand elsewhere.
func (w *Encoder) appendPutBack(dst []byte, p *plan) (out []byte, ok bool) {
	ok = true
	dst = w.appendSource(dst, p.document)
	dst = append(dst, `,"capture":`...)
	dst = w.appendCapture(dst)
	w.equals = emptied(w.equals) // the first of each value, in the order of reading
	if p.target != model.None {
		dst = append(dst, `,"target":`...)
		at := len(dst)
		dst = w.appendBack(dst, p, p.target, ofTarget)
		if len(p.visible) > 0 && w.mayBeListed(p, p.target) {
			w.equals[jsontree.DigestOf(dst[at:], false)] = p.target
		}
	}
	lists := []struct {
		name string
		list []int32
	}{{"ancestors", p.ancestors}, {"nearby", p.nearby}, {"visible", p.visible}}
	dst = w.appendLists(dst, len(lists), func(k int) (string, int) { return lists[k].name, len(lists[k].list) },
		func(dst []byte, k, n int) []byte {
			i, at := lists[k].list[n], len(dst)
			dst = w.appendBack(dst, p, i, p.of[i].at)
			if len(p.visible) > 0 {
				ok = w.tellEqual(p, i, lists[k].name == "visible", jsontree.DigestOf(dst[at:], false)) && ok
			}
			return dst
		})
	if p.document != model.None && !p.of[p.document].own {
		w.tellPage(p)
	}
	w.tellRoot()
	return dst, ok && w.staysHome(p)
}

// mayBeListed reports whether reading takes an entry of visible that is equal to the
// value of an element for that element.
func (w *Encoder) mayBeListed(p *plan, i int32) bool {
	return !p.of[i].restored || w.s.Elements[i].Visible == model.Shown
}

// tellEqual tells of a visible entry that is equal to another value, which reading
// takes it for; it answers false where it stands nowhere else.
func (w *Encoder) tellEqual(p *plan, i int32, visible bool, g jsontree.Digest) bool {
	first, has := w.equals[g]
	switch {
	case !has || first == p.target && p.of[i].at == ofAncestor:
		if w.mayBeListed(p, i) {
			w.equals[g] = i
		}
	case visible && first != i:
		for _, k := range []int32{first, i} {
			w.c.AddArgs(diag.VisibleMerged, w.s.Elements[k].At, w.s.Elements[k].ID, model.Span{})
		}
		return p.of[i].at != ofVisible
	}
	return true
}

// tellStates tells of an element, written as a plain value, of which reading the
// packet gives other states: those that capture and the lists tell of.
func (w *Encoder) tellStates(p *plan, i int32) {
	s := w.s
	e := &s.Elements[i]
	does := nothing
	if p.target != model.None && !p.of[p.target].restored {
		does = effectOf(w.facts.class, w.facts.does)
	}
	focused, visible := does == focuses && p.of[i].onPath, model.Unstated
	if p.of[i].shown {
		visible = model.Shown
	}
	if e.Selected != (i == p.target && does == selects) || e.Hovered != (i == p.target && does == hovers) || e.Focused != focused || e.Visible != visible {
		w.c.AddArgs(diag.StateMoved, e.At, e.ID, model.Span{})
	}
}

// staysHome reports whether reading the packet puts the target, and with it what is
// nearby, where it stands. It may not where the target is no longer written as the
// plain value that it was.
func (w *Encoder) staysHome(p *plan) bool {
	return !p.isRestored(p.target) || w.s.Elements[p.target].Parent == w.home(p)
}

// textIn is the innermost ancestor whose text has that of the target in it.
func (w *Encoder) textIn(p *plan) int32 {
	folded := func(dst []byte, i int32) []byte {
		raw, _, _ := w.appendText(append(w.text[:0], '"'), i, false)
		w.text = append(raw, '"')
		return appendFolded(dst[:0], jsontree.Unquote(w.text))
	}
	w.want = folded(w.want, p.target)
	for k := len(p.ancestors) - 1; k >= 0 && len(w.want) > 0; k-- {
		if w.have = folded(w.have, p.ancestors[k]); bytes.Contains(w.have, w.want) {
			return p.ancestors[k]
		}
	}
	return model.None
}

// appendBack appends the value that an element was.
func (w *Encoder) appendBack(dst []byte, p *plan, i int32, at place) []byte {
	if !p.of[i].restored {
		role := model.Group // of a value without one
		if i == p.target && jsontree.EqualText(jsontree.Member(w.facts.capture, "mode"), "text-selection") {
			role = model.Text
		}
		if out, ok := w.appendPlain(dst, i, role); ok {
			w.tellStates(p, i)
			return out
		}
	}
	p.of[i].restored = true // as it will be in reading
	return w.appendElementText(dst, i, at, false)
}

// appendPlain appends an element that was made of a plain value as that value;
// it answers false where the element is no longer of that kind. Role is what a value
// that says none is read as.
func (w *Encoder) appendPlain(dst []byte, i int32, role model.Role) (out []byte, ok bool) {
	s := w.s
	e := &s.Elements[i]
	if !e.URL.IsZero() || e.Role == model.Unknown {
		return nil, false
	}
	if e.Subrole.IsZero() {
		if e.Role != role {
			return nil, false
		}
	} else if roleOf(s.Text(e.Subrole)) != e.Role {
		return nil, false
	}
	text, shot, ok := w.plainContent(i)
	if !ok {
		return nil, false
	}
	dst = append(dst, '{')
	first := true
	put := func(name string, v []byte) {
		if v == nil {
			return
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(append(append(dst, '"'), name...), `":`...)
		dst = jsontree.AppendCompact(dst, v)
	}
	put("text", text)
	put("role", s.RawOrNil(e.Subrole))
	put("label", s.RawOrNil(e.Title))
	var selector, bounds, metadata []byte
	var dropped []model.Member
	if e.HasAttributes() {
		last := 0
		put := func(to *[]byte, v []byte, place int) bool {
			*to, ok, last = v, place > last, place // they come in this order
			return ok
		}
		s.EachAttribute(i, func(m model.Member) bool {
			v := s.Raw(m.Value)
			switch name := string(s.Text(m.Name)); {
			case name == "selector" && isString(v):
				return put(&selector, v, 1)
			case name == "bounds" && isBounds(v):
				return put(&bounds, v, 2)
			case name == "metadata" && isMetadata(v):
				return put(&metadata, v, 3)
			case name == "screenshot" && shot == nil && isScreenshot(v):
				put(&shot, v, 4)
				ok = ok && jsontree.Member(v, "data") == nil && jsontree.Member(v, "url") == nil // else it would be read as content
				return ok
			}
			switch name := string(s.Text(m.Name)); {
			case isString(v) && (name == "text" || name == "role" || name == "label"):
				ok = false // reading would have made something else of it
			default:
				dropped = append(dropped, m)
			}
			return ok
		})
	}
	if !ok {
		return nil, false
	}
	for _, m := range dropped {
		w.c.AddArgs(diag.MemberDropped, m.At, m.Name, model.Span{})
	}
	put("selector", selector)
	put("bounds", bounds)
	put("metadata", metadata)
	put("screenshot", shot)
	if metadata != nil && !w.KeepSecure && secureElement(metadata, &w.words) {
		w.Leaks = true
		w.c.AddArgs(diag.SecureWithheld, e.At, e.ID, model.Span{})
	}
	return append(dst, '}'), true
}

// plainContent takes the content that was made of a value apart again: its text,
// and its screenshot.
func (w *Encoder) plainContent(i int32) (text, shot []byte, ok bool) {
	s := w.s
	e := &s.Elements[i]
	if e.Content.IsZero() {
		return nil, nil, true
	}
	var data, url, mime []byte
	ok = true
	step := 0 // what may come next: text, image, link
	jsontree.Entries(s.Raw(e.Content), func(raw []byte) bool {
		b := blockOf(raw)
		switch {
		case step < 1 && b.is("text", b.text):
			text, step = b.text, 1
		case step < 2 && b.is("image", b.data, b.mime):
			data, mime, step = b.data, b.mime, 2
		case step < 3 && b.is("resource_link", b.uri, b.name, b.mime) && jsontree.EqualText(b.name, "screenshot") &&
			(mime == nil || jsontree.EqualStrings(mime, b.mime)):
			url, mime, step = b.uri, b.mime, 3
		default:
			ok = false
		}
		return ok
	})
	if !ok || step == 0 {
		return nil, nil, false
	}
	if mime != nil {
		shot = append(w.shot[:0], `{"mimeType":`...)
		shot = append(shot, mime...)
		if data != nil {
			shot = append(append(shot, `,"data":`...), data...)
		}
		if url != nil {
			shot = append(append(shot, `,"url":`...), url...)
		}
		shot = append(shot, '}')
		w.shot = shot
	}
	return text, shot, true
}

// block is a content block with members that are strings, and how many it has.
type block struct {
	typ, text, data, mime, uri, name []byte
	members                          int
}

// blockOf is the block that raw is, without members where they are not all strings.
func blockOf(raw []byte) (b block) {
	if raw[0] != '{' {
		return b
	}
	jsontree.Members(raw, func(name, v []byte) bool {
		if v[0] != '"' {
			b = block{}
			return false
		}
		b.members++
		switch string(jsontree.Unquote(name)) {
		case "type":
			b.typ = v
		case "text":
			b.text = v
		case "data":
			b.data = v
		case "mimeType":
			b.mime = v
		case "uri":
			b.uri = v
		case "name":
			b.name = v
		}
		return true
	})
	return b
}

// is reports whether a block is of a type and has just these members beside that, in
// this order, in which reading a packet writes them.
func (b *block) is(typ string, members ...[]byte) bool {
	last := cap(b.typ) // of values in one text the later has less behind it
	for _, m := range members {
		if m == nil || cap(m) >= last {
			return false
		}
		last = cap(m)
	}
	return b.members == len(members)+1 && jsontree.EqualText(b.typ, typ)
}
