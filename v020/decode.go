package v020

import (
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
	"ctxmigrate/translate/wire"
)

// Options says how answers are read. The zero Options work.
type Options struct {
	MaxDepth   int         // levels of JSON; 0 stands for jsontree.DefaultMaxDepth
	Words      model.Words // secure words
	KeepSecure bool        // pass the content of secure elements on
}

// Decoder reads answers. It keeps its working memory from one to the next; the
// zero Decoder is ready.
type Decoder struct {
	// Protocol is the raw value of the member of that name in the last answer,
	// absent where there was none.
	Protocol model.Span
	// Noted is what was seen among the attributes of any element.
	Noted wire.Noted
	// Carrying is how many elements have a member ctxmigrate among their attributes.
	Carrying int

	wire.Source
	opts     Options
	stack    []level
	fields   jsontree.Fields // of the element that is being read
	roleless []int32
	watch    func(key []byte, kind jsontree.Kind)
	words    model.Memo[facts]
	askWords func(word []byte) facts
}

// facts are what is asked of a word again and again.
type facts struct {
	role   model.Role // that it is, or Unknown
	secure bool
}

// level is an element that is being read.
type level struct {
	elem     int32
	extra    int // its first extra
	noted    wire.Noted
	children bool // its list of children is being read
	none     bool // and had no entry yet
	hasRole  bool
}

// Decode reads the answer src into s and notes in c what is to be said of it. It
// answers the fault that makes src unreadable as JSON, or nil; what makes it no
// answer is in c (see Collector.Refused). The snapshot is whole only where
// neither refuses the document, and holds until the next call.
func (d *Decoder) Decode(src []byte, s *model.Snapshot, c *diag.Collector, opts Options) *jsontree.Error {
	d.Begin(src, s, c, opts.MaxDepth)
	if d.askWords == nil || !opts.Words.Same(d.opts.Words) {
		d.words.Forget()
		d.askWords = func(word []byte) facts { return facts{model.ParseRole(word), opts.Words.Secure(word)} }
	}
	d.Protocol, d.Noted, d.Carrying, d.opts = model.Span{}, 0, 0, opts
	d.stack, d.roleless = d.stack[:0], d.roleless[:0]
	if d.watch == nil {
		d.watch = func(key []byte, kind jsontree.Kind) {
			d.stack[len(d.stack)-1].noted |= d.NoteAttribute(key, kind, d.R.KeySpan())
		}
	}
	start := d.R.Pos()
	d.answer()
	d.R.End()
	if err := d.R.Err(); err != nil {
		return err
	}
	if s.Root == model.None {
		d.Missing(start, "root")
		return nil
	}
	d.finish()
	return nil
}

func (d *Decoder) answer() {
	if d.R.Kind() != jsontree.Object {
		d.R.Skip()
		return
	}
	d.R.Enter()
	for d.R.Next() {
		switch string(d.R.Key()) {
		case "protocol":
			d.Protocol = d.R.Skip()
		case "instance":
			d.String(&d.S.Instance)
		case "root":
			switch d.R.Kind() {
			case jsontree.Object:
				d.tree()
			case jsontree.Null:
				d.R.Skip()
			default:
				d.Shape("root", "an object")
			}
		default:
			d.Unknown()
		}
	}
}

// tree reads the root and all below it, with a stack of its own.
func (d *Decoder) tree() {
	d.S.Root = d.open(model.None)
	for len(d.stack) > 0 {
		top := &d.stack[len(d.stack)-1]
		if top.children {
			switch {
			case !d.R.More():
				top.children = false
				d.Quiet = d.Quiet || top.none
			case d.R.Kind() == jsontree.Object:
				top.none = false
				d.open(top.elem)
			case d.R.Kind() == jsontree.None:
				d.R.Skip()
			default:
				d.Shape("an entry of children", "an object")
			}
			continue
		}
		d.fields = jsontree.Fields{}
		found, number := d.R.Run(elementNames, &d.fields, d.watch)
		d.take(top, found)
		switch {
		case number != 0:
			d.member(top, number)
		case d.R.Err() != nil:
			return
		default:
			d.close()
		}
	}
}

// The members of an element (RFC-0001, 4.1).
const (
	elementID = iota + 1
	elementRole
	elementSubrole
	elementTitle
	elementURL
	elementSelected
	elementFocused
	elementVisible
	elementHovered
	elementContent
	elementAttributes
	elementChildren
)

var elementNames = jsontree.NewVocabulary(
	jsontree.Name{Name: "id", Kind: jsontree.String, Word: true},
	jsontree.Name{Name: "role", Kind: jsontree.String, Word: true},
	jsontree.Name{Name: "subrole", Kind: jsontree.String, Word: true},
	jsontree.Name{Name: "title", Kind: jsontree.String},
	jsontree.Name{Name: "url", Kind: jsontree.String},
	jsontree.Name{Name: "selected", Kind: jsontree.Bool},
	jsontree.Name{Name: "focused", Kind: jsontree.Bool},
	jsontree.Name{Name: "visible", Kind: jsontree.Bool},
	jsontree.Name{Name: "hovered", Kind: jsontree.Bool},
	jsontree.Name{Name: "content", Kind: jsontree.Array, Usual: model.OneText},
	jsontree.Name{Name: "attributes", Kind: jsontree.Object},
	jsontree.Name{Name: "children"}) // which has a loop of its own

// take gives an element the members that Run has found.
func (d *Decoder) take(l *level, found uint32) {
	e, f := &d.S.Elements[l.elem], &d.fields
	e.ID, e.RoleWord, e.Subrole = e.ID.Or(f[elementID]), e.RoleWord.Or(f[elementRole]), e.Subrole.Or(f[elementSubrole])
	e.Title, e.URL = e.Title.Or(f[elementTitle]), e.URL.Or(f[elementURL])
	e.Content, e.Attributes = e.Content.Or(f[elementContent]), e.Attributes.Or(f[elementAttributes])
	l.hasRole = !e.RoleWord.IsZero()
	if found&(1<<elementSelected|1<<elementFocused|1<<elementVisible|1<<elementHovered) == 0 {
		return
	}
	for number := elementSelected; number <= elementHovered; number++ {
		if found>>number&1 != 0 {
			d.state(e, number, d.S.Src[f[number].Off] == 't')
		}
	}
}

func (d *Decoder) open(parent int32) int32 {
	i := d.S.Add(uint32(d.R.Pos()))
	if parent != model.None {
		d.S.Link(parent, i)
	}
	d.stack = append(d.stack, level{elem: i, extra: len(d.Extra)})
	d.R.Enter()
	return i
}

// member reads a member of an element that Run did not take.
func (d *Decoder) member(l *level, number int) {
	e := &d.S.Elements[l.elem]
	switch number {
	case elementID:
		d.ID(&e.ID)
	case elementRole:
		d.String(&e.RoleWord)
		l.hasRole = !e.RoleWord.IsZero()
	case elementSubrole:
		d.String(&e.Subrole)
	case elementTitle:
		d.String(&e.Title)
	case elementURL:
		d.String(&e.URL)
	case elementContent:
		d.Content(&e.Content)
	case elementSelected, elementFocused, elementVisible, elementHovered:
		if v, ok := d.Bool(); ok {
			d.state(e, number, v)
		}
	case elementAttributes:
		if d.R.Kind() == jsontree.Object {
			e.Attributes = d.R.Watch(d.watch)
		} else {
			d.Wrong()
		}
	case elementChildren:
		if d.R.Kind() == jsontree.Array {
			l.children, l.none = true, true
			d.R.Enter()
		} else {
			d.Wrong()
		}
	default:
		d.Unknown()
	}
}

// state sets a state of an element. But for visible, one that is false says
// nothing.
func (d *Decoder) state(e *model.Element, number int, v bool) {
	switch number {
	case elementVisible:
		if e.Visible = model.Hidden; v {
			e.Visible = model.Shown
		}
		return
	case elementSelected:
		e.Selected = v
	case elementFocused:
		e.Focused = v
	case elementHovered:
		e.Hovered = v
	}
	d.Quiet = d.Quiet || !v
}

// close ends the element that was read last.
func (d *Decoder) close() {
	l := d.stack[len(d.stack)-1]
	d.stack = d.stack[:len(d.stack)-1]
	s, i := d.S, l.elem
	e := &s.Elements[i]
	if l.hasRole {
		word := d.about(e.RoleWord)
		e.Role, e.Secure = word.role, word.role == model.Unknown && word.secure
	} else {
		e.Role = model.Group
		if i != s.Root {
			d.roleless = append(d.roleless, i)
		}
	}
	if e.Role != model.Unknown {
		d.Quiet = d.Quiet || e.RoleWord.Marked()
		e.RoleWord = model.Span{}
	}
	if !e.Subrole.IsZero() && !e.Secure {
		e.Secure = d.about(e.Subrole).secure
	}
	s.Secure = s.Secure || e.Secure
	if len(d.Extra) > l.extra {
		l.noted |= d.Join(l.extra, i, nil)
	}
	d.attributes(i, l.noted)
	d.Noted |= l.noted
	if l.noted&wire.HasCarried != 0 {
		d.Carrying++
	}
	s.Reserved = s.Reserved || l.noted&wire.HasName != 0
}

// about is what is known of a word.
func (d *Decoder) about(word model.Span) facts { return d.words.Of(d.S.Text(word), d.askWords) }

// attributes leaves out the states that are said there (R1).
func (d *Decoder) attributes(i int32, noted wire.Noted) {
	if noted&wire.HasState == 0 {
		return
	}
	d.S.Keep(i, func(m model.Member) bool {
		if d.BoolState(m) {
			d.C.AddArgs(diag.StateRepeated, m.At, m.Name, model.Span{})
			return false
		}
		return true
	})
}

// finish does what needs the whole answer.
func (d *Decoder) finish() {
	s, c := d.S, d.C
	root := &s.Elements[s.Root]
	d.Quiet = d.Quiet || root.ID.Marked()
	d.Noted |= d.Join(0, s.Root, wire.IsState)
	if root.Role != model.Application {
		c.Add(diag.RootRole, root.At)
		root.Role, root.RoleWord = model.Application, model.Span{}
	}
	d.Identify(nil)
	for _, i := range d.roleless {
		c.AddArgs(diag.RoleMissing, s.Elements[i].At, s.Elements[i].ID, model.Span{})
	}
	d.OnePath()
	if !d.opts.KeepSecure {
		d.Withhold()
	}
}
