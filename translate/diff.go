package translate

import (
	"bytes"

	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
)

// DiffKind is how two answers differ in one place.
type DiffKind uint8

// The kinds of difference.
const (
	Removed DiffKind = iota // an element of the first that the second has not
	Added                   // an element of the second that the first has not
	Moved                   // an element that stands in another one, or elsewhere among its siblings
	Changed                 // an element of which something is said otherwise
)

// String is the word for the kind.
func (k DiffKind) String() string { return [...]string{"removed", "added", "moved", "changed"}[k] }

// Difference is one thing that two answers do not both say.
type Difference struct {
	Kind DiffKind
	// What is said otherwise: id, role, subrole, title, url, content, selected,
	// focused, visible, hovered, attribute, or instance for the answers themselves.
	What string
	Name string // of an attribute
	// From and To are JSON Pointers in the first and in the second document: of what
	// changed, or of the element where that does not say it. The one on the side that
	// has no element is "".
	From, To string
	// Old and New are what is said on either side, as JSON, nil where nothing is. Of
	// what a secure element must not hand out both are nil.
	Old, New []byte
	// Role, ID and Title are of the element: of the second answer where it was added,
	// else of the first.
	Role, ID, Title string
	// Withheld says that the element stands below a secure one, in either answer. Of
	// that no text is told: Name, Role, ID, Title, Old and New are empty.
	Withheld bool
}

// DiffOptions say how answers are compared. The zero DiffOptions work, and so does a
// nil pointer to them.
type DiffOptions struct {
	IgnoreIDs      bool // ids and instances are those of different runs
	IgnoreInstance bool
	IgnoreOrder    bool // siblings may come in any order
	// Read says how the documents are read: From, Mapping, Secure, MaxDepth and
	// MaxBytes hold.
	Read Options
}

// Diff tells what two answers do not both say, whatever their forms: elements are
// matched by id, then by role, subrole and title within the same parent. The order
// is that of the first document, and of the second for what it has more. The error
// is a *DiffError.
func Diff(a, b []byte, opts *DiffOptions) ([]Difference, error) {
	var d Differ
	return d.Diff(a, b, opts)
}

// DiffError says which of the documents was refused.
type DiffError struct {
	Second bool
	*Refused
}

func (e *DiffError) Unwrap() error { return e.Refused }

// Differ compares answers and keeps its working memory. The zero Differ is ready.
type Differ struct {
	a, b side
	opts *DiffOptions
	out  []difference
}

// side is one of the two answers.
type side struct {
	c     Converter
	s     *model.Snapshot
	other []int32 // by element: the one that it is matched with, or None
	drawn []bool
	order []int32 // elements in document order
	below []bool  // by element: it stands below a secure one
}

// difference is a Difference whose pointers are not told yet.
type difference struct {
	Difference
	from, to int // offsets, or -1
}

// Diff is the function of that name.
func (d *Differ) Diff(a, b []byte, opts *DiffOptions) ([]Difference, error) {
	if opts == nil {
		opts = &DiffOptions{}
	}
	d.opts, d.out = opts, d.out[:0]
	read := opts.Read
	read.KeepSecure, read.Strict = true, false
	if err := d.a.read(a, &read); err != nil {
		return nil, &DiffError{false, err}
	}
	if err := d.b.read(b, &read); err != nil {
		return nil, &DiffError{true, err}
	}
	d.match()
	d.instances()
	moved := d.moved()
	for _, i := range d.a.order {
		if k := d.a.other[i]; k == model.None {
			d.whole(Removed, &d.a, i)
		} else {
			d.pair(i, k, moved[i])
		}
	}
	for _, k := range d.b.order {
		if d.b.other[k] == model.None {
			d.whole(Added, &d.b, k)
		}
	}
	return d.pointed(), nil
}

func (s *side) read(src []byte, opts *Options) *Refused {
	snap, err := s.c.Read(src, opts)
	if err != nil {
		return err.(*Refused)
	}
	s.s = snap
	s.drawn = snap.AppendDrawn(s.drawn[:0])
	s.other, s.order = s.other[:0], s.order[:0]
	for range snap.Elements {
		s.other = append(s.other, model.None)
	}
	for i := snap.Root; i != model.None; i, _ = snap.After(i, snap.Root) {
		s.order = append(s.order, i)
	}
	s.below = append(s.below[:0], make([]bool, len(snap.Elements))...)
	for _, i := range s.order { // what an element stands in comes before it
		if up := snap.Elements[i].Parent; up != model.None {
			s.below[i] = s.below[up] || snap.Elements[up].Secure
		}
	}
	return nil
}

// text is what a raw string says, as a string of its own.
func (s *side) text(sp model.Span) string {
	if sp.IsZero() {
		return ""
	}
	return string(jsontree.Unquote(s.s.Raw(sp)))
}

// role is the role of an element as it is written.
func (s *side) role(i int32) string {
	if e := &s.s.Elements[i]; e.Role == model.Unknown {
		return s.text(e.RoleWord)
	} else {
		return e.Role.String()
	}
}

// name says which element a difference is about.
func (s *side) name(d *difference, i int32) {
	e := &s.s.Elements[i]
	d.Role, d.ID, d.Title = s.role(i), s.text(e.ID), s.text(e.Title)
}

// place is where an element stands in its document, or -1 where it was made up.
func (s *side) place(i int32) int {
	at := int(s.s.Elements[i].At)
	if at >= len(s.c.src) || at == 0 {
		return -1
	}
	return at
}

// whole tells of an element that only one side has.
func (d *Differ) whole(kind DiffKind, s *side, i int32) {
	// of what is removed or added as a whole only the topmost element is told
	if up := s.s.Elements[i].Parent; up != model.None && s.other[up] == model.None {
		return
	}
	one := difference{Difference: Difference{Kind: kind}, from: -1, to: -1}
	s.name(&one, i)
	if kind == Removed {
		one.from = s.place(i)
	} else {
		one.to = s.place(i)
	}
	hide := s.below[i]
	if up := s.s.Elements[i].Parent; up != model.None && !hide {
		o := &d.b
		if s == o {
			o = &d.a
		}
		k := s.other[up]
		hide = o.below[k] || o.s.Elements[k].Secure
	}
	d.tell(one, hide)
}

// tell adds a difference. Of what is to be hidden only where it is, and what it is
// about, is told (7.1).
func (d *Differ) tell(one difference, hide bool) {
	if hide {
		one.Difference = Difference{Kind: one.Kind, What: one.What, Withheld: true}
	}
	d.out = append(d.out, one)
}

// change tells of something that is said otherwise. The places are of what is said,
// 0 where nothing is.
func (d *Differ) change(i, k int32, what, name string, from, to uint32, old, new []byte) {
	one := difference{Difference: Difference{Kind: Changed, What: what, Name: name}, from: d.a.place(i), to: d.b.place(k)}
	d.a.name(&one, i)
	hidden := d.a.below[i] || d.b.below[k]
	secure := d.a.s.Elements[i].Secure || d.b.s.Elements[k].Secure
	if what != "attribute" || !hidden && !secure { // else the pointer would name it
		if from > 0 && int(from) < len(d.a.c.src) {
			one.from = int(from)
		}
		if to > 0 && int(to) < len(d.b.c.src) {
			one.to = int(to)
		}
	} else {
		one.Name = ""
	}
	secure = secure || what == "attribute" && name == "askable" && (d.a.keeps() || d.b.keeps())
	if !secure || what != "content" && what != "attribute" && what != "url" {
		one.Old, one.New = bytes.Clone(old), bytes.Clone(new)
	}
	d.tell(one, hidden)
}

// keeps reports whether what a side keeps of a packet may hold secure values.
func (s *side) keeps() bool { return s.c.from == Askable && s.s.Secure }

// instances compares what both answers say of the run that they came from.
func (d *Differ) instances() {
	a, b := d.a.s.Instance, d.b.s.Instance
	if d.opts.IgnoreIDs || d.opts.IgnoreInstance || d.a.c.from == Askable || d.b.c.from == Askable {
		return
	}
	if x, y := d.a.text(a), d.b.text(b); x != y {
		one := difference{Difference: Difference{Kind: Changed, What: "instance"}, from: int(a.Off), to: int(b.Off)}
		one.Old, one.New = d.a.raw(a), d.b.raw(b)
		d.out = append(d.out, one)
	}
}

// raw is a raw value, or nil, as bytes of its own.
func (s *side) raw(sp model.Span) []byte {
	if sp.IsZero() {
		return nil
	}
	return bytes.Clone(s.s.Raw(sp))
}

// pointed tells the pointers of all differences, in one pass over each document.
func (d *Differ) pointed() []Difference {
	list := make([]Difference, len(d.out))
	pointers := func(src []byte, at func(*difference) int, set func(*Difference, string)) {
		var offsets, whose []int
		for i := range d.out {
			if off := at(&d.out[i]); off >= 0 {
				offsets, whose = append(offsets, off), append(whose, i)
			}
		}
		for n, p := range jsontree.SortedPlaces(src, offsets) {
			set(&list[whose[n]], p.Pointer)
		}
	}
	for i := range d.out {
		list[i] = d.out[i].Difference
	}
	pointers(d.a.c.src, func(o *difference) int { return o.from }, func(o *Difference, p string) { o.From = p })
	pointers(d.b.c.src, func(o *difference) int { return o.to }, func(o *Difference, p string) { o.To = p })
	return list
}
