package askable

import (
	"slices"
	"strconv"

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
	restored  []int32
	of        []standing // by element
}

// standing is what is planned for one element.
type standing struct {
	there    bool  // it is in the tree, and was not withheld with one above it
	own      bool  // it has a value of its own
	at       place // where that is
	placed   bool  // it is found to be where reading the packet puts it
	restored bool
	onPath   bool // it is the target, or what that stands in
	shown    bool // it is a visible one
	rank     int  // in the order in which reading the packet adds what stands side by side
}

// Element is the element that was put back last as the target, or as the n-th entry of
// the list ancestors or nearby, as a plain value; None where there is none.
func (w *Encoder) Element(list string, n int) int32 {
	p, at := &w.plan, []int32(nil)
	switch list {
	case "target":
		at = []int32{p.target}
	case "ancestors":
		at = p.ancestors
	case "nearby":
		at = p.nearby
	}
	if !w.back || n < 0 || n >= len(at) || p.isRestored(at[n]) {
		return model.None
	}
	return at[n]
}

// find is the element of the tree that bears an id, or None.
func (w *Encoder) find(p *plan, id []byte) int32 {
	if i := w.s.Find(id); i != model.None && p.of[i].there {
		return i
	}
	return model.None
}

// isRestored reports whether an element is there and is restored.
func (p *plan) isRestored(i int32) bool { return i != model.None && p.of[i].restored }

// putBack finds the places of a tree that came from a packet: its root has the
// facts of one, and its elements have the ids and the places that reading a
// packet gives. It answers nil for any other tree.
func (w *Encoder) putBack() *plan {
	if !w.facts.any {
		return nil
	}
	p := &w.plan
	*p = plan{document: model.None, target: model.None,
		ancestors: p.ancestors[:0], nearby: p.nearby[:0], visible: p.visible[:0], restored: p.restored[:0], of: p.of[:0]}
	for range w.s.Elements {
		p.of = append(p.of, standing{there: !w.s.Secure || w.KeepSecure})
	}
	if w.s.Secure && !w.KeepSecure {
		for i := w.s.Root; i != model.None; i, _ = w.s.After(i, w.s.Root) {
			p.of[i].there = true
		}
	}
	ok := false
	if w.facts.places != nil {
		ok = w.placesByID(p)
	} else {
		ok = w.placesByName(p)
	}
	if !ok || !w.fits(p) {
		return nil
	}
	for i := p.target; i != model.None; i = w.s.Elements[i].Parent {
		p.of[i].onPath = true
	}
	return p
}

// placesByID takes the places that the root tells.
func (w *Encoder) placesByID(p *plan) bool {
	ok := true
	one := func(raw []byte) int32 {
		i := model.None
		if raw[0] == '"' {
			i = w.find(p, jsontree.Unquote(raw))
		}
		ok = ok && i != model.None
		return i
	}
	list := func(raw []byte, to *[]int32) {
		if ok = raw[0] == '['; !ok {
			return
		}
		jsontree.Entries(raw, func(e []byte) bool {
			*to = append(*to, one(e))
			return ok
		})
	}
	jsontree.Members(w.facts.places, func(name, v []byte) bool {
		switch string(jsontree.Unquote(name)) {
		case "document":
			p.document = one(v)
		case "target":
			p.target = one(v)
		case "ancestors":
			list(v, &p.ancestors)
		case "nearby":
			list(v, &p.nearby)
		case "visible":
			list(v, &p.visible)
		case "restored":
			if list(v, &p.restored); ok {
				for _, i := range p.restored {
					p.of[i].restored = true
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
	find := func(name string, number int) int32 {
		w.text = append(w.text[:0], name...)
		if number > 0 {
			w.text = strconv.AppendInt(w.text, int64(number), 10)
		}
		return w.find(p, w.text)
	}
	each := func(list []int32, name string) []int32 {
		for n := 1; ; n++ {
			i := find(name, n)
			if i == model.None {
				return list
			}
			list = append(list, i)
		}
	}
	p.document, p.target = find("page", 0), find("target", 0)
	p.ancestors, p.nearby = each(p.ancestors, "ancestor-"), each(p.nearby, "nearby-")
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
	p.visible = each(p.visible, "visible-")
	return true
}

// fits reports whether the places are those that reading a packet gives, and all
// elements have one.
func (w *Encoder) fits(p *plan) bool {
	s := w.s
	count := 0
	child := func(i, parent int32) bool {
		if p.of[i].placed || s.Elements[i].Parent != parent {
			return false
		}
		p.of[i].placed = true
		count++
		return true
	}
	give := func(i int32, at place) { p.of[i].own, p.of[i].at = true, at }
	base, at := s.Root, s.Root // where the visible stand, and where the chain goes on
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
			at = base
		}
	}
	sought := p.document != model.None // the outermost that is one is taken
	for _, i := range p.ancestors {
		if !child(i, at) {
			return false
		}
		if sought = sought && i != p.document; sought && w.isPage(p, i) {
			return false
		}
		give(i, ofAncestor)
		at = i
	}
	home := w.home(p)
	if p.target != model.None {
		if !child(p.target, home) {
			return false
		}
		give(p.target, ofTarget)
	}
	for _, i := range p.nearby {
		if !child(i, home) {
			return false
		}
		give(i, ofNearby)
	}
	for _, i := range p.visible {
		if p.of[i].shown {
			return false // listed twice
		}
		if p.of[i].shown = true; p.of[i].own {
			continue
		}
		if !child(i, base) {
			return false
		}
		give(i, ofVisible)
	}
	n := 0
	for i, _ := s.After(s.Root, s.Root); i != model.None; i, _ = s.After(i, s.Root) {
		if !p.of[i].placed {
			return false
		}
		n++
	}
	return n == count && w.inOrder(p)
}

// isPage reports whether reading would take an ancestor for the Document, since it is
// one of its title, url and route.
func (w *Encoder) isPage(p *plan, i int32) bool {
	s := w.s
	e, page := &s.Elements[i], &s.Elements[p.document]
	equal := func(a, b model.Span) bool {
		if a.IsZero() || b.IsZero() {
			return a.IsZero() == b.IsZero()
		}
		return jsontree.EqualStrings(s.Raw(a), s.Raw(b))
	}
	route, has := s.Attribute(i, "route")
	if has && s.Raw(route)[0] != '"' {
		return false
	}
	return e.Role == model.Document && !e.Secure && equal(e.Title, page.Title) && equal(e.URL, page.URL) && equal(route, w.route(p.document))
}

// route is what an element says that the source of a packet has as its route.
func (w *Encoder) route(i int32) model.Span {
	v, has := w.s.Attribute(i, "route")
	if !has || w.s.Raw(v)[0] != '"' {
		return model.Span{}
	}
	return v
}

// home is what reading the packet puts the target in, and what is nearby.
func (w *Encoder) home(p *plan) int32 {
	last, base := w.s.Root, w.s.Root
	if p.document != model.None && p.document != p.target {
		last, base = p.document, p.document
	}
	if len(p.ancestors) > 0 {
		last = p.ancestors[len(p.ancestors)-1]
	}
	if w.facts.class != selecting || p.isRestored(p.target) {
		return last
	}
	if p.target != model.None {
		if in := w.textIn(p); in != model.None {
			return in
		}
	}
	return base
}

// inOrder reports whether what stands side by side does so in the order of reading:
// an ancestor or the page, the target, what is nearby, what is visible.
func (w *Encoder) inOrder(p *plan) bool {
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
	for i, _ := s.After(s.Root, s.Root); i != model.None; i, _ = s.After(i, s.Root) {
		if next := s.Elements[i].Next; next != model.None && p.of[next].rank < p.of[i].rank {
			return false
		}
	}
	return true
}
