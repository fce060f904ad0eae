package v01

import (
	"bytes"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
	"ctxmigrate/translate/wire"
)

// Options says how answers are read. The zero Options work.
type Options struct {
	MaxDepth   int         // levels of JSON; 0 stands for jsontree.DefaultMaxDepth
	Words      model.Words // secure words
	KeepSecure bool        // pass the content of secure items on
	AllFocus   bool        // mark the path of every listed id, not of one position
	AppTitle   string      // title of a root that is made up
	Mapping    *Mapping    // what a mapping file says, or nil
}

// Decoder reads answers. It keeps its working memory from one to the next; the
// zero Decoder is ready.
type Decoder struct {
	// Protocol is the raw value of the member of that name in the last answer,
	// absent where there was none.
	Protocol model.Span
	// Noted is what was seen among the attributes of any item.
	Noted wire.Noted
	// Focus is the focus list as it was written, absent where there was none.
	Focus model.Span

	wire.Source
	opts    Options
	words   lookup
	ready   bool
	items   []item
	focus   []listed
	noted   wire.Noted      // of the item that is being read
	fields  jsontree.Fields // of the same
	watch   func(key []byte, kind jsontree.Kind)
	found   bool // the answer has items
	oddType bool // there is something to be said of a type, or it is secure
	waiting bool // a selection has no place yet
	memo    []int32
	lies    []lie
	unknown map[string]int // index of the record of an unknown type word
}

// item is what an item says that its element has no place for.
type item struct {
	rule      *Rule         // what the type says
	typ       model.Span    // raw string
	parent    model.Span    // raw string
	sub       model.Span    // raw string: the subrole that the payload sets
	up        int32         // the parent, or one of the marks below
	role      model.Role    // that the payload sets
	table     model.Role    // role of an entry directly inside
	later     model.Role    // the same, by the type that it has on the way back
	word      model.Role    // that the type is the lower-case spelling of
	state     model.Visible // what the payload says of being selected
	locatable model.Visible // what it says of that
	loose     bool          // a selection without a parent
	drop      bool
}

// Marks in place of a parent.
const (
	atRoot  int32 = -1 // under the root
	unready int32 = -2 // under nothing yet
)

// listed is an entry of the focus list.
type listed struct {
	id   model.Span
	at   uint32
	elem int32
}

// Decode reads the answer src into s and notes in c what is to be said of it. It
// answers the fault that makes src unreadable as JSON, or nil; what makes it no
// answer is in c (see Collector.Refused). The snapshot is whole only where
// neither refuses the document, and holds until the next call.
func (d *Decoder) Decode(src []byte, s *model.Snapshot, c *diag.Collector, opts Options) *jsontree.Error {
	d.Begin(src, s, c, opts.MaxDepth)
	d.configure(opts)
	d.Protocol, d.Focus, d.Noted, d.found = model.Span{}, model.Span{}, 0, false
	d.items, d.focus = d.items[:0], d.focus[:0]
	clear(d.unknown)
	d.waiting, d.oddType = false, false
	start := d.R.Pos()
	d.answer()
	d.R.End()
	if err := d.R.Err(); err != nil {
		return err
	}
	if !d.found {
		d.Missing(start, "items")
		return nil
	}
	d.tree()
	return nil
}

func (d *Decoder) configure(opts Options) {
	if !d.ready || opts.Mapping != d.opts.Mapping || !opts.Words.Same(d.opts.Words) {
		var mapped map[string]*Rule
		if opts.Mapping != nil {
			mapped = opts.Mapping.rules
		}
		d.words.reset(mapped, opts.Words)
		d.watch = func(key []byte, kind jsontree.Kind) { d.noted |= d.NoteAttribute(key, kind, d.R.KeySpan()) }
		d.ready = true
	}
	d.opts = opts
}

// The members of an answer, and those of an item.
const (
	answerProtocol = iota + 1
	answerInstance
	answerItems
	answerFocus
)

const (
	itemID = iota + 1
	itemType
	itemParent
	itemTitle
	itemURL
	itemContent
	itemLocatable
	itemPayload
)

var (
	answerNames = jsontree.NewVocabulary(
		jsontree.Name{Name: "protocol", Kind: jsontree.String},
		jsontree.Name{Name: "instance", Kind: jsontree.String},
		jsontree.Name{Name: "items"}, // which are lists with loops of their own
		jsontree.Name{Name: "focus"})
	itemNames = jsontree.NewVocabulary(
		jsontree.Name{Name: "id", Kind: jsontree.String, Word: true},
		jsontree.Name{Name: "type", Kind: jsontree.String, Word: true},
		jsontree.Name{Name: "parent", Kind: jsontree.String, Word: true},
		jsontree.Name{Name: "title", Kind: jsontree.String},
		jsontree.Name{Name: "url", Kind: jsontree.String},
		jsontree.Name{Name: "content", Kind: jsontree.Array, Usual: model.OneText},
		jsontree.Name{Name: "locatable", Kind: jsontree.Bool},
		jsontree.Name{Name: "payload", Kind: jsontree.Object})
)

func (d *Decoder) answer() {
	if d.R.Kind() != jsontree.Object {
		d.R.Skip()
		return
	}
	d.R.Enter()
	for {
		d.fields = jsontree.Fields{}
		found, number := d.R.Run(answerNames, &d.fields, nil)
		if found>>answerProtocol&1 != 0 {
			d.Protocol = d.fields[answerProtocol]
		}
		if found>>answerInstance&1 != 0 {
			d.S.Instance = d.fields[answerInstance]
		}
		switch number {
		case 0:
			return
		case answerProtocol:
			d.Protocol = d.R.Skip()
		case answerInstance:
			d.String(&d.S.Instance)
		case answerItems:
			d.list()
		case answerFocus:
			d.focusList()
		default:
			d.Unknown()
		}
	}
}

func (d *Decoder) list() {
	switch d.R.Kind() {
	case jsontree.Array:
	case jsontree.Null, jsontree.None:
		d.R.Skip()
		return
	default:
		d.Shape("items", "a list")
		return
	}
	d.found = true
	d.R.Enter()
	for d.R.More() {
		if k := d.R.Kind(); k == jsontree.Object {
			d.item()
		} else if k == jsontree.None {
			d.R.Skip()
		} else {
			d.Shape("an entry of items", "an object")
		}
	}
}

func (d *Decoder) focusList() {
	switch d.R.Kind() {
	case jsontree.Array:
		from := d.R.Pos()
		d.R.Enter()
		for d.R.More() {
			at, kind := uint32(d.R.Pos()), d.R.Kind()
			sp := d.R.Skip()
			switch kind {
			case jsontree.Number:
				sp = d.Quoted(sp)
				d.TellWrong(at, d.S.Make([]byte("an entry of focus"), false), kind)
			case jsontree.String:
			default:
				d.TellWrong(at, d.S.Make([]byte("an entry of focus"), false), kind)
				continue
			}
			d.Quiet = d.Quiet || sp.Marked()
			d.focus = append(d.focus, listed{id: sp, at: at})
		}
		d.Focus = jsontree.MakeSpan(from, d.R.Pos()-from, true)
	case jsontree.String:
		name := d.R.KeySpan()
		d.TellWrong(name.Off, name, jsontree.String)
		d.Focus = d.R.Skip()
		d.focus = append(d.focus, listed{id: d.Focus, at: d.Focus.Off})
	default:
		d.Wrong()
	}
}

// item reads one item.
func (d *Decoder) item() {
	s := d.S
	i := s.Add(uint32(d.R.Pos()))
	if len(d.items) == cap(d.items) {
		d.items = jsontree.Room(d.items, d.R.Pos(), len(s.Src), model.MostRoom)
	}
	d.items = append(d.items, item{up: atRoot})
	it, e := &d.items[i], &s.Elements[i]
	extra := len(d.Extra)
	d.noted = 0
	d.fields = jsontree.Fields{}
	f := &d.fields
	d.R.Enter()
	for {
		_, number := d.R.Run(itemNames, f, d.watch)
		if number == 0 {
			break
		}
		d.oddMember(number)
	}
	if d.R.Err() != nil {
		return
	}
	it.typ, it.parent = f[itemType], f[itemParent]
	if it.rule = unknownRule; it.typ.IsZero() {
		d.oddType = true
	} else {
		t := d.words.of(s.Text(it.typ))
		it.rule, it.word, it.drop = t.rule, t.role, t.rule.Drop
		it.loose = t.rule.Selection && it.parent.IsZero() && !it.drop
		d.oddType = d.oddType || t.secure || !t.known
	}
	e.ID, e.Title, e.URL, e.Content, e.Attributes = f[itemID], f[itemTitle], f[itemURL], f[itemContent], f[itemPayload]
	d.Quiet = d.Quiet || it.typ.Marked() || it.parent.Marked() || e.ID.Marked() // which may be spelled in several ways
	if at := f[itemLocatable]; !at.IsZero() {
		it.locatable = model.Hidden
		if s.Src[at.Off] == 't' {
			it.locatable = model.Shown
		}
		d.C.Add(diag.LocatableRetired, nameBefore(s.Src, at.Off))
	}
	noted := d.noted
	if len(d.Extra) > extra {
		noted |= d.Join(extra, i, nil)
	}
	if d.opts.Mapping != nil {
		d.mapPayload(i)
	}
	if noted&(wire.HasState|wire.HasRole) != 0 {
		d.steer(i)
	}
	d.Noted |= noted
	s.Reserved = s.Reserved || noted&wire.HasName != 0
}

// nameBefore is where the name locatable, however it is spelled, of the member
// begins that has the value at at.
func nameBefore(src []byte, at uint32) uint32 {
	const name, compact, spaced = uint32(len(`"locatable"`)), `"locatable":`, `"locatable": `
	if at > name && string(src[at-name-1:at]) == compact {
		return at - name - 1
	}
	if at > name+1 && string(src[at-name-2:at]) == spaced {
		return at - name - 2
	}
	end := bytes.LastIndexByte(src[:at], '"')
	return uint32(bytes.LastIndexByte(src[:end], '"'))
}

// oddMember reads a member of an item that is not as it should be.
func (d *Decoder) oddMember(n int) {
	f := &d.fields
	switch n {
	case itemID, itemParent:
		d.ID(&f[n])
	case itemType, itemTitle, itemURL:
		d.String(&f[n])
	case itemContent:
		d.Content(&f[n])
	case itemLocatable:
		if d.R.Kind() == jsontree.Bool {
			f[n] = d.R.Skip()
		} else {
			d.Wrong()
		}
	case itemPayload:
		if d.R.Kind() == jsontree.Object {
			f[n] = d.R.Watch(d.watch)
		} else {
			d.Wrong()
		}
	default:
		d.Unknown()
	}
}

// Locatable is what an item of the last answer said of being locatable, by the
// index of its element; false where it said nothing.
func (d *Decoder) Locatable(i int32) (value, said bool) {
	l := d.items[i].locatable
	return l == model.Shown, l != model.Unstated
}

// EachListed calls f with each entry of the focus list of the last answer that is an
// id: the raw id, and the element that bears it, or None.
func (d *Decoder) EachListed(f func(id model.Span, elem int32)) {
	for _, l := range d.focus {
		f(l.id, l.elem)
	}
}

// steer takes states, role and subrole out of the payload of an item, which says
// them of its element.
func (d *Decoder) steer(i int32) {
	s, it := d.S, &d.items[i]
	secure := !it.typ.IsZero() && d.words.of(s.Text(it.typ)).secure
	s.Keep(i, func(m model.Member) bool {
		e := &s.Elements[i]
		raw := s.Raw(m.Value)
		switch raw[0] {
		case '"':
			switch string(s.Text(m.Name)) {
			case "role":
				r := model.ParseRole(s.Text(m.Value))
				if r == model.Unknown {
					return true
				}
				it.role = r
			case "subrole":
				if secure && !d.opts.Words.Secure(s.Text(m.Value)) {
					return true
				}
				it.sub = m.Value
			default:
				return true
			}
		case 't', 'f':
			shown := model.Hidden
			if raw[0] == 't' {
				shown = model.Shown
			}
			switch string(s.Text(m.Name)) {
			case "selected":
				it.state = shown
			case "visible":
				e.Visible = shown
			case "hovered":
				e.Hovered = raw[0] == 't'
			case "focused":
				d.C.AddArgs(diag.StateRepeated, m.At, m.Name, model.Span{})
				return false
			default:
				return true
			}
		default:
			return true
		}
		d.C.AddArgs(diag.StateMoved, m.At, m.Name, model.Span{})
		return false
	})
}
