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
	route, _ := w.s.Attribute(i, "route")
	if e.Title.IsZero() && e.URL.IsZero() && (route.IsZero() || w.s.Raw(route)[0] != '"') {
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

// appendPutBack appends source, capture, target and surrounding as they were.
func (w *Encoder) appendPutBack(dst []byte, p *plan) []byte {
	dst = w.appendSource(dst, p.document)
	dst = append(dst, `,"capture":`...)
	dst = w.appendCapture(dst)
	w.equals = emptied(w.equals) // the first of each value, in the order of reading
	if p.target != model.None {
		dst = append(dst, `,"target":`...)
		at := len(dst)
		dst = w.appendBack(dst, p, p.target, ofTarget)
		if len(p.visible) > 0 {
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
				w.tellEqual(p, i, lists[k].name == "visible", jsontree.DigestOf(dst[at:], false))
			}
			return dst
		})
	if p.document != model.None && !p.of[p.document].own {
		w.tellPage(p)
	}
	w.tellOrder(p)
	w.tellHome(p)
	w.tellRoot()
	return dst
}

// tellEqual tells of a visible entry that is equal to another value, which reading
// takes it for.
func (w *Encoder) tellEqual(p *plan, i int32, visible bool, g jsontree.Digest) {
	first, has := w.equals[g]
	if !has || first == p.target && p.of[i].at == ofAncestor {
		w.equals[g] = i
		return
	}
	if visible && first != i {
		for _, k := range []int32{first, i} {
			w.c.AddArgs(diag.VisibleMerged, w.s.Elements[k].At, w.s.Elements[k].ID, model.Span{})
		}
	}
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

// tellHome tells of a target, and of what is nearby, that stand elsewhere than
// reading the packet puts them.
func (w *Encoder) tellHome(p *plan) {
	s := w.s
	home := s.Root
	if p.document != model.None && p.document != p.target {
		home = p.document
	}
	base := home
	if len(p.ancestors) > 0 {
		home = p.ancestors[len(p.ancestors)-1]
	}
	if w.facts.class == selecting && !p.isRestored(p.target) {
		home = base
		if p.target != model.None {
			if at := w.textIn(p); at != model.None {
				home = at
			}
		}
	}
	tell := func(i int32) {
		if i != model.None && s.Elements[i].Parent != home {
			w.c.AddArgs(diag.ElementMoved, s.Elements[i].At, s.Elements[i].ID, model.Span{})
		}
	}
	tell(p.target)
	for _, i := range p.nearby {
		tell(i)
	}
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

// tellOrder tells of elements that stand before one that reading the packet will
// put before them: the target comes first, then what is nearby, then what is
// visible.
func (w *Encoder) tellOrder(p *plan) {
	n := 1
	if p.target != model.None {
		p.of[p.target].rank = n
	}
	for _, list := range [][]int32{p.nearby, p.visible} {
		for _, i := range list {
			if o := &p.of[i]; o.rank == 0 && o.at != ofAncestor {
				n++
				o.rank = n
			}
		}
	}
	s := w.s
	for i := range s.Elements {
		last := 0
		for c := s.Elements[i].First; c != model.None; c = s.Elements[c].Next {
			if p.of[c].rank < last {
				w.c.AddArgs(diag.ElementMoved, s.Elements[c].At, s.Elements[c].ID, model.Span{})
			}
			last = max(last, p.of[c].rank)
		}
	}
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
			dropped = append(dropped, m)
			return true
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
