package askable

import (
	"slices"
	"strconv"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
)

// choose finds the target: the first selected element on the focused path, else
// the first selected, else the deepest focused, else the first hovered; never the
// root.
func (w *Encoder) choose() {
	s := w.s
	w.target, w.why = model.None, noTarget
	selected, onPath, hovered := model.None, model.None, model.None
	for i, _ := s.After(s.Root, s.Root); i != model.None; i, _ = s.After(i, s.Root) {
		e := &s.Elements[i]
		if e.Selected && selected == model.None {
			selected = i
		}
		if e.Selected && e.Focused && onPath == model.None {
			onPath = i
		}
		if e.Hovered && hovered == model.None {
			hovered = i
		}
	}
	switch {
	case onPath != model.None:
		w.target, w.why = onPath, bySelection
	case selected != model.None:
		w.target, w.why = selected, bySelection
	default:
		if at := s.Position(); at != model.None {
			w.target, w.why = at, byFocus
		} else if hovered != model.None {
			w.target, w.why = hovered, byHover
		}
	}
	w.path = w.path[:0]
	if w.target != model.None {
		for i := s.Elements[w.target].Parent; i != s.Root; i = s.Elements[i].Parent {
			w.path = append(w.path, i)
		}
		slices.Reverse(w.path)
	}
}

// findDocument finds the nearest Document at or above the target, or, without a
// target, the first one.
func (w *Encoder) findDocument() {
	s := w.s
	w.document = model.None
	if w.target == model.None {
		for i, _ := s.After(s.Root, s.Root); i != model.None; i, _ = s.After(i, s.Root) {
			if s.Elements[i].Role == model.Document {
				w.document = i
				return
			}
		}
		return
	}
	for i := w.target; i != s.Root; i = s.Elements[i].Parent {
		if s.Elements[i].Role == model.Document {
			w.document = i
			return
		}
	}
}

// limit is how long each list may be.
func (w *Encoder) limit() int {
	switch {
	case w.MaxSurrounding == 0:
		return DefaultMaxSurrounding
	case w.MaxSurrounding < 0:
		return int(^uint(0) >> 1)
	}
	return w.MaxSurrounding
}

// gather fills the lists of surroundings, whole.
func (w *Encoder) gather() {
	s := w.s
	w.near, w.seen = w.near[:0], w.seen[:0]
	for _, i := range w.path {
		w.used[i] = true
	}
	if w.target != model.None {
		for i, _ := s.After(s.Root, s.Root); i != model.None; i, _ = s.After(i, s.Root) {
			if s.Elements[i].Selected && !w.used[i] {
				w.near = append(w.near, i)
				w.used[i] = true
			}
		}
		for i := s.Elements[s.Elements[w.target].Parent].First; i != model.None; i = s.Elements[i].Next {
			if !w.used[i] {
				w.near = append(w.near, i)
				w.used[i] = true
			}
		}
	}
	w.gatherVisible()
}

// gatherVisible lists the elements that are effectively visible and have
// something to show, where the answer says visible anywhere.
func (w *Encoder) gatherVisible() {
	s := w.s
	stated := false
	for i := s.Root; i != model.None; i, _ = s.After(i, s.Root) {
		if s.Elements[i].Visible != model.Unstated {
			stated = true
			break
		}
	}
	if !stated {
		return
	}
	w.shown = w.shown[:0]
	for range s.Elements {
		w.shown = append(w.shown, false)
	}
	for i := s.Root; i != model.None; i, _ = s.After(i, s.Root) {
		e := &s.Elements[i]
		switch {
		case e.Visible != model.Unstated:
			w.shown[i] = e.Visible == model.Shown
		case i == s.Root:
			w.shown[i] = true
		default:
			w.shown[i] = w.shown[e.Parent]
		}
		if i != s.Root && w.shown[i] && !w.used[i] && w.showsSomething(e) {
			w.seen = append(w.seen, i)
			w.used[i] = true
		}
	}
}

// showsSomething reports whether an element has a title or content that is not
// empty.
func (w *Encoder) showsSomething(e *model.Element) bool {
	if e.Title.Len() > 2 {
		return true
	}
	some := false
	if !e.Content.IsZero() {
		jsontree.Entries(w.s.Raw(e.Content), func([]byte) bool {
			some = true
			return false
		})
	}
	return some
}

// tellDropped tells of what has no place in the packet.
func (w *Encoder) tellDropped() {
	s, c := w.s, w.c
	for i, _ := s.After(s.Root, s.Root); i != model.None; i, _ = s.After(i, s.Root) {
		if !w.used[i] {
			c.AddArgs(diag.ElementDropped, s.Elements[i].At, s.Elements[i].ID, model.Span{})
		}
	}
	for _, list := range [][]int32{w.near, w.seen} {
		for _, i := range list {
			if w.used[i] {
				c.AddArgs(diag.ElementMoved, s.Elements[i].At, s.Elements[i].ID, model.Span{})
			}
		}
	}
	if top, moved := w.top(); moved {
		c.AddArgs(diag.ElementMoved, s.Elements[top].At, s.Elements[top].ID, model.Span{})
	}
	w.tellRoot()
}

// top is the outermost element of the chain down to the target, and whether it
// has another parent on the way back: what was above it was cut, or a page will be
// made up, since the Document that gives it is not in the chain or is secure.
func (w *Encoder) top() (top int32, moved bool) {
	if w.target == model.None {
		return model.None, false
	}
	top = w.target
	for k := len(w.path) - 1; k >= 0 && w.used[w.path[k]]; k-- {
		top = w.path[k]
	}
	if w.document == model.None {
		return top, w.s.Elements[top].Parent != w.s.Root
	}
	d := &w.s.Elements[w.document]
	if route, ok := w.s.Attribute(w.document, "route"); ok && w.s.Raw(route)[0] != '"' {
		return top, true // which the source has no place for
	}
	return top, w.s.Elements[top].Parent != w.s.Root || !w.used[w.document] || d.Secure
}

// tellRoot tells of what the root says that a packet has no place for.
func (w *Encoder) tellRoot() {
	s, c := w.s, w.c
	root := &s.Elements[s.Root]
	tell := func(name string, is bool) {
		if is {
			c.AddArgs(diag.MemberDropped, root.At, s.Make([]byte(strconv.Quote(name)), false), model.Span{})
		}
	}
	tell("id", !jsontree.EqualText(s.Raw(root.ID), "app"))
	tell("subrole", !root.Subrole.IsZero())
	tell("url", !root.URL.IsZero())
	tell("content", !root.Content.IsZero())
	tell("selected", root.Selected)
	tell("hovered", root.Hovered)
	tell("visible", root.Visible != model.Unstated)
	if !w.facts.any || w.facts.others {
		s.EachAttribute(s.Root, func(m model.Member) bool {
			if !w.facts.any || !jsontree.EqualText(s.Raw(m.Name), "askable") {
				c.AddArgs(diag.MemberDropped, m.At, m.Name, model.Span{})
			}
			return true
		})
	}
}
