package v01

import (
	"bytes"
	"slices"
	"strconv"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
)

// Encoder writes answers. It keeps its working memory from one to the next; the
// zero Encoder is ready.
type Encoder struct {
	// Locatable is written on every item where it is not nil: some hosts ask only
	// where they are told to.
	Locatable *bool

	// Filled is set where something had to be written into the payload of an element
	// whose attributes are empty: what comes back has none. Filler is a member that is
	// written there too, where it is not empty.
	Filled bool
	Filler string

	// Each is called behind each item, with where it begins, unless it is nil. It
	// answers where to go on.
	Each func(dst []byte, from int) []byte

	words  lookup
	tables []model.Role // by element: the role of an entry directly inside, as its type will be read
}

// typeWord is the type that an element is written with.
type typeWord struct {
	span model.Span // a raw string of the snapshot
	word string     // where the span is absent
	role model.Role // that the type is the lower-case spelling of
	rule *Rule      // how it will be read
	lost bool       // a role word had to give way
	kept bool       // the type is a role word that is not known
}

// same reports whether the type is spelled like a raw string.
func (t *typeWord) same(s *model.Snapshot, raw model.Span) bool {
	if t.span == raw {
		return true
	}
	if t.span.IsZero() {
		return jsontree.EqualText(s.Raw(raw), t.word)
	}
	return jsontree.EqualStrings(s.Raw(t.span), s.Raw(raw))
}

var selectionRule = builtin["selection"]

// typeOf is the type that an element is written with.
func typeOf(s *model.Snapshot, i int32, words *lookup) (t typeWord) {
	e := &s.Elements[i]
	if e.Selected && e.Role == model.Text {
		t.word, t.rule = "selection", selectionRule
		return t
	}
	if !e.Subrole.IsZero() {
		if f := words.of(s.Text(e.Subrole)); !f.rule.Selection {
			t.span, t.rule, t.role = e.Subrole, f.rule, f.role
			t.lost = e.Role == model.Unknown
			return t
		}
	}
	if e.Role != model.Unknown {
		t.word = e.Role.Lower()
		t.rule = roleRules[e.Role]
		return t
	}
	// A subrole that reads as selection stands in the payload, where it will be read in
	// place of the type.
	if f := words.of(s.Text(e.RoleWord)); !f.rule.Selection && e.Subrole.IsZero() {
		t.span, t.rule, t.kept = e.RoleWord, f.rule, true
		return t
	}
	t.word, t.rule, t.lost = "group", roleRules[model.Group], true
	return t
}

// RootSaysNothing reports whether the root is left out of a list, since it is
// made up again in reading: its id is app, it has nothing but its role that
// would be written, no child of it is an Application, and no selected Text child
// of it stands beside a focused other child.
func RootSaysNothing(s *model.Snapshot) bool {
	e := &s.Elements[s.Root]
	if !jsontree.EqualText(s.Raw(e.ID), "app") || !e.Subrole.IsZero() || !e.Title.IsZero() || !e.URL.IsZero() ||
		!e.Content.IsZero() || e.Selected || e.Hovered || e.Visible != model.Unstated {
		return false
	}
	if e.HasAttributes() && !onlyTaken(s, s.Root) {
		return false
	}
	focused, selections, focusedSelections := 0, 0, 0
	for i := e.First; i != None; i = s.Elements[i].Next {
		c := &s.Elements[i]
		if c.Role == model.Application {
			return false
		}
		if c.Focused {
			focused++
		}
		if c.Selected && c.Role == model.Text {
			selections++
			if c.Focused {
				focusedSelections++
			}
		}
	}
	// each selection needs that all that is focused is itself
	return selections == 0 || focused == 0 || selections == 1 && focused == 1 && focusedSelections == 1
}

// onlyTaken reports whether all attributes of the root, of which there is one,
// would be left out of a payload.
func onlyTaken(s *model.Snapshot, i int32) bool {
	n := 0
	all := true
	s.EachAttribute(i, func(m model.Member) bool {
		n++
		all = taken(s, m, 0)
		return all
	})
	return n > 0 && all
}

// Names that are written into a payload beside the attributes.
const (
	writesSelected = 1 << iota
	writesVisible
	writesHovered
	writesRole
	writesSubrole
)

// taken reports whether an attribute cannot stand in a payload: it bears a name
// that is being written, or would be read as a role, a subrole or a state.
func taken(s *model.Snapshot, m model.Member, writes int) bool {
	kind := jsontree.KindOf(s.Raw(m.Value))
	switch string(s.Text(m.Name)) {
	case "selected":
		return kind == jsontree.Bool || writes&writesSelected != 0
	case "visible":
		return kind == jsontree.Bool || writes&writesVisible != 0
	case "hovered":
		return kind == jsontree.Bool || writes&writesHovered != 0
	case "focused":
		return kind == jsontree.Bool
	case "role":
		return writes&writesRole != 0 || kind == jsontree.String && model.ParseRole(s.Text(m.Value)) != model.Unknown
	case "subrole":
		return writes&writesSubrole != 0 || kind == jsontree.String
	}
	return false
}

// Append appends a snapshot as an answer on one line, without white space
// between tokens: members in the order protocol, instance, items, focus, and for
// each item id, type, parent, title, url, content, locatable, payload. Items come
// in the order of the tree. It notes in c what does not come through.
func (w *Encoder) Append(dst []byte, s *model.Snapshot, c *diag.Collector) []byte {
	return w.AppendPieces(dst, s, c, nil)
}

// AppendPieces is Append that hands what was appended to spill, which answers where
// to go on, whenever that has come to model.Piece bytes. Spill may be nil.
func (w *Encoder) AppendPieces(dst []byte, s *model.Snapshot, c *diag.Collector, spill func([]byte) []byte) []byte {
	w.Filled = false
	dst = append(dst, `{"protocol":"0.1"`...)
	dst = s.AppendMember(dst, `,"instance":`, s.Instance)
	dst = append(dst, `,"items":[`...)
	w.tables = slices.Grow(w.tables[:0], len(s.Elements))[:len(s.Elements)]
	clear(w.tables)
	without := RootSaysNothing(s)
	first := true
	for i := s.Root; i != None; i, _ = s.After(i, s.Root) {
		if i == s.Root && without {
			c.Add(diag.RootDropped, s.Elements[i].At)
			w.payload(nil, s, i, 0, c)
			continue
		}
		if len(dst) >= model.Piece && spill != nil {
			dst = spill(dst)
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		from := len(dst)
		dst = w.item(dst, s, i, without, c)
		if w.Each != nil {
			dst = w.Each(dst, from)
		}
	}
	dst = append(dst, `],"focus":[`...)
	if at := s.Position(); at != None {
		dst = append(dst, s.Raw(s.Elements[at].ID)...)
	}
	return append(dst, ']', '}')
}

// item appends one item.
func (w *Encoder) item(dst []byte, s *model.Snapshot, i int32, without bool, c *diag.Collector) []byte {
	e := &s.Elements[i]
	t := typeOf(s, i, &w.words)
	w.tables[i] = t.rule.Entries
	switch {
	case t.lost:
		c.AddArgs(diag.RoleLost, e.At, e.ID, model.Span{})
	case t.kept:
		c.AddArgs(diag.RoleUnknown, e.At, e.ID, model.Span{})
	}
	dst = append(dst, `{"id":`...)
	dst = s.AppendString(dst, e.ID)
	dst = append(dst, `,"type":`...)
	dst = t.append(dst, s)
	if e.Parent != None && !(without && e.Parent == s.Root) {
		dst = append(dst, `,"parent":`...)
		dst = s.AppendString(dst, s.Elements[e.Parent].ID)
	}
	dst = s.AppendMember(dst, `,"title":`, e.Title)
	dst = s.AppendMember(dst, `,"url":`, e.URL)
	if !e.Content.IsZero() {
		dst = append(dst, `,"content":`...)
		dst = s.AppendRaw(dst, e.Content)
	}
	if w.Locatable != nil {
		dst = append(dst, `,"locatable":`...)
		dst = strconv.AppendBool(dst, *w.Locatable)
	}
	dst = w.payload(dst, s, i, w.writes(s, i, &t), c)
	return append(dst, '}')
}

func (t *typeWord) append(dst []byte, s *model.Snapshot) []byte {
	if !t.span.IsZero() {
		return s.AppendString(dst, t.span)
	}
	dst = append(dst, '"')
	dst = append(dst, t.word...)
	return append(dst, '"')
}

// writes tells what the payload of an element must say by name, since the type
// does not.
func (w *Encoder) writes(s *model.Snapshot, i int32, t *typeWord) (names int) {
	e := &s.Elements[i]
	selection := t.rule == selectionRule // as a type of ours alone is
	if e.Selected && !selection {
		names |= writesSelected
	}
	if e.Visible != model.Unstated {
		names |= writesVisible
	}
	if e.Hovered {
		names |= writesHovered
	}
	role := t.rule.Role
	switch {
	case selection:
		if onlyImages(s, e.Content) {
			role = model.Image
		}
	case t.rule.Entry:
		entries := model.Unknown
		if p := e.Parent; p != None {
			entries = w.tables[p]
		}
		role = t.rule.roleUnder(s, e.Parent, entries)
	}
	if role != e.Role.Acts() {
		names |= writesRole
	}
	if !e.Subrole.IsZero() && (t.span != e.Subrole || t.role == e.Role.Acts()) {
		names |= writesSubrole
	}
	return names
}

// payload appends the payload of an element, where it has one: its attributes,
// then what the names say.
func (w *Encoder) payload(dst []byte, s *model.Snapshot, i int32, names int, c *diag.Collector) []byte {
	e := &s.Elements[i]
	if e.HasAttributes() && s.Reserved {
		s.Keep(i, func(m model.Member) bool {
			if taken(s, m, names) {
				c.AddArgs(diag.NameTaken, m.At, m.Name, model.Span{})
				return false
			}
			return true
		})
	}
	if !e.HasAttributes() && names == 0 {
		return dst
	}
	filled := false
	dst = append(dst, `,"payload":`...)
	if e.HasAttributes() {
		dst = s.AppendAttributes(dst, i)
		if names == 0 {
			return dst
		}
		dst = bytes.TrimSuffix(dst, []byte{'}'})
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		} else {
			filled, w.Filled = true, true
		}
	} else {
		dst = append(dst, '{')
	}
	from := len(dst)
	if names&writesSelected != 0 {
		dst = append(dst, `"selected":true,`...)
	}
	switch e.Visible {
	case model.Shown:
		dst = append(dst, `"visible":true,`...)
	case model.Hidden:
		dst = append(dst, `"visible":false,`...)
	}
	if names&writesHovered != 0 {
		dst = append(dst, `"hovered":true,`...)
	}
	if names&writesRole != 0 {
		dst = append(dst, `"role":"`...)
		dst = append(dst, e.Role.Acts().String()...)
		dst = append(dst, `",`...)
	}
	if names&writesSubrole != 0 {
		dst = append(dst, `"subrole":`...)
		dst = append(dst, s.Raw(e.Subrole)...)
		dst = append(dst, ',')
	}
	if filled && w.Filler != "" {
		dst = append(append(dst, w.Filler...), ',')
	}
	if len(dst) > from {
		dst[len(dst)-1] = '}'
	}
	return dst
}
