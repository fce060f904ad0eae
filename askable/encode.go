package askable

import (
	"strconv"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
)

// DefaultMaxSurrounding is how long each list of surroundings may be where
// nothing else is said.
const DefaultMaxSurrounding = 50

// Encoder writes packets. Its zero value works; what a packet must say and the
// snapshot does not is then assumed, and said.
type Encoder struct {
	MaxSurrounding int         // length of each list; 0 stands for DefaultMaxSurrounding, less than 0 for no limit
	Timestamp      string      // where the snapshot has none
	Assumed        bool        // the timestamp was assumed, not given
	Redacted       bool        // privacy, where the snapshot has none
	Consent        string      // the same; "" stands for none
	Producer       string      // "" stands for ctxmigrate
	Method         string      // "" stands for app
	Words          model.Words // secure words
	KeepSecure     bool        // pass the content of secure values on

	s        *model.Snapshot
	c        *diag.Collector
	facts    facts
	target   int32
	why      chosen
	path     []int32 // from the root's child to the target's parent
	used     []bool  // elements that have a place
	near     []int32
	seen     []int32
	shown    []bool // effectively visible
	document int32
	text     []byte
}

// facts are what the root says of the packet that the snapshot came from.
type facts struct {
	timestamp, capture, privacy, provenance, history, sources, places []byte
	any                                                               bool
}

// chosen is why an element is the target.
type chosen uint8

const (
	noTarget chosen = iota
	bySelection
	byFocus
	byHover
)

// Append appends a snapshot as a packet on one line, without white space between
// tokens, and notes in c what does not come through. Members come in the order
// of the specification.
func (w *Encoder) Append(dst []byte, s *model.Snapshot, c *diag.Collector) []byte {
	w.s, w.c = s, c
	w.readFacts()
	w.used = w.used[:0]
	for range s.Elements {
		w.used = append(w.used, false)
	}
	dst = append(dst, `{"protocol":"askable.context","version":"0.1","source":`...)
	if p := w.putBack(); p != nil {
		dst = w.appendPutBack(dst, p)
	} else {
		dst = w.appendTree(dst)
	}
	dst = append(dst, `,"privacy":`...)
	dst = w.appendPrivacy(dst)
	dst = append(dst, `,"provenance":`...)
	dst = w.appendProvenance(dst)
	if !s.Instance.IsZero() {
		c.Add(diag.InstanceDropped, 0)
	}
	return append(dst, '}')
}

// readFacts reads what the root keeps of a packet.
func (w *Encoder) readFacts() {
	w.facts = facts{}
	v, ok := w.s.Attribute(w.s.Root, "askable")
	if !ok {
		return
	}
	raw := w.s.Raw(v)
	if jsontree.KindOf(raw) != jsontree.Object {
		return
	}
	f := &w.facts
	f.any = true
	jsontree.Members(raw, func(name, v []byte) bool {
		kind := jsontree.KindOf(v)
		object, list := kind == jsontree.Object, kind == jsontree.Array
		switch word := string(jsontree.Unquote(name)); {
		case word == "timestamp" && kind == jsontree.String:
			f.timestamp = v
		case word == "capture" && object:
			f.capture = v
		case word == "privacy" && object:
			f.privacy = v
		case word == "provenance" && object:
			f.provenance = v
		case word == "history" && list:
			f.history = v
		case word == "sources" && list:
			f.sources = v
		case word == "places" && object:
			f.places = v
		}
		return true
	})
}

// appendTree appends what the ordinary rules make of a tree: source, capture,
// target and surrounding.
func (w *Encoder) appendTree(dst []byte) []byte {
	w.choose()
	w.findDocument()
	dst = w.appendSource(dst, w.document)
	dst = append(dst, `,"capture":{"mode":`...)
	switch w.why {
	case noTarget:
		dst = append(dst, `"full-page"}`...)
	case bySelection:
		if w.s.Elements[w.target].Role == model.Text {
			dst = append(dst, `"text-selection"}`...)
		} else {
			dst = append(dst, `"element-focus"}`...)
		}
	case byFocus:
		dst = append(dst, `"element-focus","gesture":"focus"}`...)
	case byHover:
		dst = append(dst, `"element-focus","gesture":"hover"}`...)
	}
	if w.why != noTarget {
		w.used[w.target] = true
		dst = append(dst, `,"target":`...)
		dst = w.appendElement(dst, w.target, ofTarget)
	}
	w.gather()
	dst = w.appendSurrounding(dst)
	w.tellDropped()
	return dst
}

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
		for a, b := 0, len(w.path)-1; a < b; a, b = a+1, b-1 {
			w.path[a], w.path[b] = w.path[b], w.path[a]
		}
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

// appendSource appends the source, of which a Document gives the page.
func (w *Encoder) appendSource(dst []byte, document int32) []byte {
	s := w.s
	dst = append(dst, '{')
	put := func(name string, v []byte) {
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		}
		dst = append(dst, '"')
		dst = append(dst, name...)
		dst = append(dst, `":`...)
		dst = append(dst, v...)
	}
	root := &s.Elements[s.Root]
	var route []byte
	if document != model.None {
		e := &s.Elements[document]
		if !e.URL.IsZero() {
			put("url", s.Raw(e.URL))
		}
		if !e.Title.IsZero() {
			put("title", s.Raw(e.Title))
		}
		if v, ok := s.Attribute(document, "route"); ok && s.Raw(v)[0] == '"' {
			route = s.Raw(v)
		}
	}
	if !root.Title.IsZero() {
		put("app", s.Raw(root.Title))
	}
	if route != nil {
		put("route", route)
	}
	if w.facts.timestamp != nil {
		put("timestamp", w.facts.timestamp)
	} else {
		put("timestamp", jsontree.AppendQuoted(nil, []byte(w.Timestamp)))
		if w.Assumed {
			w.c.Add(diag.TimestampAssumed, 0)
		}
	}
	return append(dst, '}')
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

// appendSurrounding appends the surroundings, each list cut where it is long.
func (w *Encoder) appendSurrounding(dst []byte) []byte {
	n := w.limit()
	cut := func(list []int32, last bool, name string) []int32 {
		if len(list) <= n {
			return list
		}
		w.c.AddArgs(diag.SurroundingCut, 0, w.s.Make([]byte(name), false), model.Span{})
		kept, gone := list[:n], list[n:]
		if last {
			kept, gone = list[len(list)-n:], list[:len(list)-n]
		}
		for _, i := range gone {
			w.used[i] = false
		}
		return kept
	}
	lists := []struct {
		name string
		list []int32
		at   place
	}{
		{"ancestors", cut(w.path, true, "ancestors"), ofAncestor},
		{"nearby", cut(w.near, false, "nearby"), ofNearby},
		{"visible", cut(w.seen, false, "visible"), ofVisible},
	}
	return w.appendLists(dst, len(lists), func(k int) (string, int) { return lists[k].name, len(lists[k].list) },
		func(dst []byte, k, n int) []byte { return w.appendElement(dst, lists[k].list[n], lists[k].at) })
}

// appendLists appends surrounding, of lists that are told by name and length,
// and of history and sources; nothing where all are empty.
func (w *Encoder) appendLists(dst []byte, lists int, list func(k int) (string, int), entry func(dst []byte, k, n int) []byte) []byte {
	open := `,"surrounding":{`
	begin := func(name string) {
		dst = append(dst, open...)
		open = ","
		dst = append(dst, '"')
		dst = append(dst, name...)
		dst = append(dst, `":[`...)
	}
	for k := range lists {
		name, n := list(k)
		if n == 0 {
			continue
		}
		begin(name)
		for i := range n {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = entry(dst, k, i)
		}
		dst = append(dst, ']')
	}
	for _, f := range []struct {
		name string
		list []byte
	}{{"history", w.facts.history}, {"sources", w.facts.sources}} {
		if entries := w.strictEntries(f.list); len(entries) > 0 {
			begin(f.name)
			dst = append(dst, entries...)
			dst = append(dst, ']')
		}
	}
	if open == "," {
		dst = append(dst, '}')
	}
	return dst
}

// appendElement appends an element as a target-shaped value that keeps it in its
// metadata.
func (w *Encoder) appendElement(dst []byte, i int32, p place) []byte {
	return w.appendElementText(dst, i, p, p != ofAncestor)
}

func (w *Encoder) appendElementText(dst []byte, i int32, p place, deep bool) []byte {
	s := w.s
	e := &s.Elements[i]
	dst = append(dst, '{')
	from := len(dst)
	dst = append(dst, `"text":"`...)
	blocks := 0
	dst, blocks = w.appendText(dst, i, deep)
	if blocks == 0 {
		dst = dst[:from]
	} else {
		dst = append(dst, '"', ',')
		if blocks > 1 {
			w.c.AddArgs(diag.TextJoined, e.At, e.ID, model.Span{})
		}
	}
	dst = append(dst, `"role":`...)
	if e.Role == model.Unknown {
		dst = append(dst, s.Raw(e.RoleWord)...)
	} else {
		dst = append(dst, '"')
		dst = append(dst, ariaWords[e.Role]...)
		dst = append(dst, '"')
	}
	if !e.Title.IsZero() {
		dst = append(dst, `,"label":`...)
		dst = append(dst, s.Raw(e.Title)...)
	}
	dst = append(dst, `,"selector":`...)
	dst = append(dst, s.Raw(e.ID)...)
	dst = append(dst, `,"metadata":{"element":{"id":`...)
	dst = append(dst, s.Raw(e.ID)...)
	dst = append(dst, `,"role":`...)
	if e.Role == model.Unknown {
		dst = append(dst, s.Raw(e.RoleWord)...)
	} else {
		dst = append(dst, '"')
		dst = append(dst, e.Role.String()...)
		dst = append(dst, '"')
	}
	if !e.Subrole.IsZero() {
		dst = append(dst, `,"subrole":`...)
		dst = append(dst, s.Raw(e.Subrole)...)
	}
	if !e.URL.IsZero() {
		dst = append(dst, `,"url":`...)
		dst = append(dst, s.Raw(e.URL)...)
	}
	visible := e.Visible
	if p == ofVisible {
		visible = model.Shown
	}
	dst = appendStates(dst, e.Selected, e.Focused && (p == ofTarget || p == ofAncestor), visible, e.Hovered)
	if !e.Content.IsZero() {
		dst = w.appendOtherContent(dst, i)
	}
	if e.HasAttributes() {
		from := len(dst)
		dst = append(dst, `,"attributes":`...)
		at := len(dst)
		if dst = s.AppendAttributes(dst, i); len(dst) == at+2 {
			dst = dst[:from]
		}
	}
	return append(dst, '}', '}', '}')
}

// appendText appends the text blocks of an element, and where deep of all below
// it, with a newline between, as the inside of a string.
func (w *Encoder) appendText(dst []byte, i int32, deep bool) (out []byte, blocks int) {
	s := w.s
	for k := i; k != model.None; {
		e := &s.Elements[k]
		if !e.Content.IsZero() {
			jsontree.Entries(s.Raw(e.Content), func(b []byte) bool {
				text := textOf(b)
				if text == nil {
					return true
				}
				if blocks++; blocks > 1 {
					dst = append(dst, '\\', 'n')
				}
				dst = append(dst, jsontree.Inner(text)...)
				return true
			})
		}
		if !deep {
			break
		}
		k, _ = s.After(k, i)
	}
	return dst, blocks
}

// appendOtherContent appends the blocks that are no text, where there are any.
func (w *Encoder) appendOtherContent(dst []byte, i int32) []byte {
	from, n := len(dst), 0
	dst = append(dst, `,"content":[`...)
	e := &w.s.Elements[i]
	late, more := false, false
	jsontree.Entries(w.s.Raw(e.Content), func(b []byte) bool {
		if textOf(b) != nil {
			late = late || n > 0
			members := 0
			jsontree.Members(b, func(_, _ []byte) bool { members++; return true })
			more = more || members > 2
			return true
		}
		if n++; n > 1 {
			dst = append(dst, ',')
		}
		dst = jsontree.AppendCompact(dst, b)
		return true
	})
	if more {
		w.c.AddArgs(diag.TextAnnotations, e.At, e.ID, model.Span{})
	}
	if late {
		w.c.AddArgs(diag.TextJoined, e.At, e.ID, model.Span{})
	}
	if n == 0 {
		return dst[:from]
	}
	return append(dst, ']')
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
	w.tellRoot()
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
	if root.HasAttributes() {
		s.EachAttribute(s.Root, func(m model.Member) bool {
			if !w.facts.any || !jsontree.EqualText(s.Raw(m.Name), "askable") {
				c.AddArgs(diag.MemberDropped, m.At, m.Name, model.Span{})
			}
			return true
		})
	}
}
