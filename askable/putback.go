package askable

import (
	"bytes"
	"slices"
	"strconv"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
)

// plan is where the elements of a tree that came from a packet stood in it.
type plan struct {
	document  int32
	ancestors []int32
	target    int32
	nearby    []int32
	visible   []int32
	restored  map[int32]bool
	at        map[int32]place // where each element has its own value
	path      map[int32]bool  // the target and what it stands in
	shown     map[int32]bool  // the visible ones
}

// putBack finds the places of a tree that came from a packet: its root has the
// facts of one, and its elements have the ids and the places that reading a
// packet gives. It answers nil for any other tree.
func (w *Encoder) putBack() *plan {
	if !w.facts.any {
		return nil
	}
	p := &plan{document: model.None, target: model.None, restored: map[int32]bool{}, at: map[int32]place{}}
	ok := false
	if w.facts.places != nil {
		ok = w.placesByID(p)
	} else {
		ok = w.placesByName(p)
	}
	if !ok || !w.fits(p) {
		return nil
	}
	p.path, p.shown = map[int32]bool{}, map[int32]bool{}
	for i := p.target; i != model.None; i = w.s.Elements[i].Parent {
		p.path[i] = true
	}
	for _, i := range p.visible {
		p.shown[i] = true
	}
	return p
}

// placesByID takes the places that the root tells.
func (w *Encoder) placesByID(p *plan) bool {
	ok := true
	one := func(raw []byte) int32 {
		i := model.None
		if raw[0] == '"' {
			i = w.s.Find(jsontree.Unquote(raw))
		}
		ok = ok && i != model.None
		return i
	}
	jsontree.Members(w.facts.places, func(name, v []byte) bool {
		var list []int32
		switch word := string(jsontree.Unquote(name)); word {
		case "document":
			p.document = one(v)
		case "target":
			p.target = one(v)
		case "ancestors", "nearby", "visible", "restored":
			if v[0] != '[' {
				ok = false
				return false
			}
			jsontree.Entries(v, func(e []byte) bool {
				list = append(list, one(e))
				return ok
			})
			switch word {
			case "ancestors":
				p.ancestors = list
			case "nearby":
				p.nearby = list
			case "visible":
				p.visible = list
			case "restored":
				for _, i := range list {
					p.restored[i] = true
				}
			}
		default:
			ok = false
		}
		return ok
	})
	return ok
}

// placesByName takes the places that the made-up ids tell.
func (w *Encoder) placesByName(p *plan) bool {
	s := w.s
	find := func(name string) int32 { return s.Find([]byte(name)) }
	each := func(name string) (list []int32) {
		for n := 1; ; n++ {
			i := find(name + strconv.Itoa(n))
			if i == model.None {
				return list
			}
			list = append(list, i)
		}
	}
	p.document, p.target = find("page"), find("target")
	p.ancestors, p.nearby = each("ancestor-"), each("nearby-")
	seen := func(i int32) {
		if i != model.None && s.Elements[i].Visible == model.Shown {
			p.visible = append(p.visible, i)
		}
	}
	for _, i := range p.ancestors {
		seen(i)
	}
	seen(p.target)
	for _, i := range p.nearby {
		seen(i)
	}
	p.visible = append(p.visible, each("visible-")...)
	return true
}

// fits reports whether the places are those that reading a packet gives, and all
// elements have one.
func (w *Encoder) fits(p *plan) bool {
	s := w.s
	placed := map[int32]bool{}
	child := func(i, parent int32) bool {
		if placed[i] || s.Elements[i].Parent != parent {
			return false
		}
		placed[i] = true
		return true
	}
	base, top := s.Root, s.Root // where the visible stand, and where the chain begins
	if p.document != model.None {
		if s.Elements[p.document].Role != model.Document {
			return false
		}
		base = p.document
		isAncestor := slices.Contains(p.ancestors, p.document)
		if !isAncestor && p.document != p.target {
			if !child(p.document, s.Root) {
				return false
			}
			top = base
		}
	}
	holders := map[int32]bool{top: true, base: true}
	at := top
	for _, i := range p.ancestors {
		if !child(i, at) {
			return false
		}
		p.at[i], holders[i], at = ofAncestor, true, i
	}
	home := model.None
	if p.target != model.None {
		if home = s.Elements[p.target].Parent; !holders[home] || home == p.target || !child(p.target, home) {
			return false
		}
		p.at[p.target] = ofTarget
	}
	for _, i := range p.nearby {
		if home == model.None {
			home = s.Elements[i].Parent
		}
		if !holders[home] || !child(i, home) {
			return false
		}
		p.at[i] = ofNearby
	}
	for _, i := range p.visible {
		if _, has := p.at[i]; has {
			continue
		}
		if !child(i, base) {
			return false
		}
		p.at[i] = ofVisible
	}
	n := 0
	for i, _ := s.After(s.Root, s.Root); i != model.None; i, _ = s.After(i, s.Root) {
		if !placed[i] {
			return false
		}
		n++
	}
	return n == len(placed)
}

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
	seen := map[jsontree.Digest]int32{} // the first of each value, in the order of reading
	if p.target != model.None {
		dst = append(dst, `,"target":`...)
		at := len(dst)
		dst = w.appendBack(dst, p, p.target, ofTarget)
		if len(p.visible) > 0 {
			seen[jsontree.DigestOf(dst[at:], false)] = p.target
		}
	}
	lists := []struct {
		name string
		list []int32
	}{{"ancestors", p.ancestors}, {"nearby", p.nearby}, {"visible", p.visible}}
	dst = w.appendLists(dst, len(lists), func(k int) (string, int) { return lists[k].name, len(lists[k].list) },
		func(dst []byte, k, n int) []byte {
			i, at := lists[k].list[n], len(dst)
			dst = w.appendBack(dst, p, i, p.at[i])
			if len(p.visible) > 0 {
				w.tellEqual(p, i, lists[k].name == "visible", seen, jsontree.DigestOf(dst[at:], false))
			}
			return dst
		})
	if _, own := p.at[p.document]; !own && p.document != model.None {
		w.tellPage(p)
	}
	w.tellOrder(p)
	w.tellHome(p)
	w.tellRoot()
	return dst
}

// tellEqual tells of a visible entry that is equal to another value, which reading
// takes it for.
func (w *Encoder) tellEqual(p *plan, i int32, visible bool, seen map[jsontree.Digest]int32, g jsontree.Digest) {
	first, has := seen[g]
	if !has || first == p.target && p.at[i] == ofAncestor {
		seen[g] = i
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
	if p.target != model.None && !p.restored[p.target] {
		does = effectOf(modeOf(w.facts.capture))
	}
	focused, visible := does == focuses && p.path[i], model.Unstated
	if p.shown[i] {
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
	if class, _ := modeOf(w.facts.capture); class == selecting && !p.restored[p.target] {
		home = base
		if p.target != model.None {
			if at := w.textIn(p); at != model.None {
				home = at
			}
		}
	}
	for _, i := range append([]int32{p.target}, p.nearby...) {
		if i != model.None && s.Elements[i].Parent != home {
			w.c.AddArgs(diag.ElementMoved, s.Elements[i].At, s.Elements[i].ID, model.Span{})
		}
	}
}

// textIn is the innermost ancestor whose text has that of the target in it.
func (w *Encoder) textIn(p *plan) int32 {
	text := func(i int32) []byte {
		raw, _, _ := w.appendText([]byte{'"'}, i, false)
		return appendFolded(nil, jsontree.Unquote(append(raw, '"')))
	}
	want := text(p.target)
	for k := len(p.ancestors) - 1; k >= 0 && len(want) > 0; k-- {
		if bytes.Contains(text(p.ancestors[k]), want) {
			return p.ancestors[k]
		}
	}
	return model.None
}

// tellOrder tells of elements that stand before one that reading the packet will
// put before them: the target comes first, then what is nearby, then what is
// visible.
func (w *Encoder) tellOrder(p *plan) {
	rank := map[int32]int{p.target: 1}
	for _, list := range [][]int32{p.nearby, p.visible} {
		for _, i := range list {
			if rank[i] == 0 && p.at[i] != ofAncestor {
				rank[i] = len(rank) + 1
			}
		}
	}
	s := w.s
	for i := range s.Elements {
		last := 0
		for c := s.Elements[i].First; c != model.None; c = s.Elements[c].Next {
			if rank[c] < last {
				w.c.AddArgs(diag.ElementMoved, s.Elements[c].At, s.Elements[c].ID, model.Span{})
			}
			last = max(last, rank[c])
		}
	}
}

// appendBack appends the value that an element was.
func (w *Encoder) appendBack(dst []byte, p *plan, i int32, at place) []byte {
	if !p.restored[i] {
		if out, ok := w.appendPlain(dst, i); ok {
			w.tellStates(p, i)
			return out
		}
	}
	p.restored[i] = true // as it will be in reading
	return w.appendElementText(dst, i, at, false)
}

// appendPlain appends an element that was made of a plain value as that value;
// it answers false where the element is no longer of that kind.
func (w *Encoder) appendPlain(dst []byte, i int32) (out []byte, ok bool) {
	s := w.s
	e := &s.Elements[i]
	if !e.URL.IsZero() || e.Role == model.Unknown {
		return nil, false
	}
	if e.Subrole.IsZero() {
		if e.Role != model.Group && e.Role != model.Text {
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
	raw := func(sp model.Span) []byte {
		if sp.IsZero() {
			return nil
		}
		return s.Raw(sp)
	}
	put("text", text)
	put("role", raw(e.Subrole))
	put("label", raw(e.Title))
	var selector, bounds, metadata []byte
	if e.HasAttributes() {
		s.EachAttribute(i, func(m model.Member) bool {
			v := s.Raw(m.Value)
			switch name := string(s.Text(m.Name)); {
			case name == "selector" && isString(v):
				selector = v
			case name == "bounds" && isBounds(v):
				bounds = v
			case name == "metadata" && isMetadata(v):
				metadata = v
			case name == "screenshot" && shot == nil && isScreenshot(v):
				shot = v
			default:
				w.c.AddArgs(diag.MemberDropped, m.At, m.Name, model.Span{})
			}
			return true
		})
	}
	put("selector", selector)
	put("bounds", bounds)
	put("metadata", metadata)
	put("screenshot", shot)
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
	jsontree.Entries(s.Raw(e.Content), func(b []byte) bool {
		f := map[string][]byte{}
		if b[0] == '{' {
			jsontree.Members(b, func(name, v []byte) bool {
				f[string(jsontree.Unquote(name))] = v
				return v[0] == '"'
			})
		}
		is := func(typ string, names ...string) bool {
			if len(f) != len(names)+1 || !jsontree.EqualText(f["type"], typ) {
				return false
			}
			for _, n := range names {
				if jsontree.KindOf(f[n]) != jsontree.String {
					return false
				}
			}
			return true
		}
		switch {
		case step < 1 && is("text", "text"):
			text, step = f["text"], 1
		case step < 2 && is("image", "data", "mimeType"):
			data, mime, step = f["data"], f["mimeType"], 2
		case step < 3 && is("resource_link", "uri", "name", "mimeType") && jsontree.EqualText(f["name"], "screenshot") &&
			(mime == nil || jsontree.EqualStrings(mime, f["mimeType"])):
			url, mime, step = f["uri"], f["mimeType"], 3
		default:
			ok = false
		}
		return ok
	})
	if !ok || step == 0 {
		return nil, nil, false
	}
	if mime != nil {
		shot = append(shot, `{"mimeType":`...)
		shot = append(shot, mime...)
		if data != nil {
			shot = append(append(shot, `,"data":`...), data...)
		}
		if url != nil {
			shot = append(append(shot, `,"url":`...), url...)
		}
		shot = append(shot, '}')
	}
	return text, shot, true
}
