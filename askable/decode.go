package askable

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
	"ctxmigrate/translate/wire"
)

// Options says how packets are read. The zero Options work.
type Options struct {
	MaxDepth   int         // levels of JSON; 0 stands for jsontree.DefaultMaxDepth
	Words      model.Words // secure words
	KeepSecure bool        // pass the content of secure values on
}

// Decoder reads packets. The zero Decoder is ready; it keeps its working memory
// from one packet to the next.
type Decoder struct {
	// Protocol and Version are the raw values of the members of those names in
	// the last packet, absent where there were none.
	Protocol, Version model.Span

	wire.Source
	opts Options

	source                       source
	capture, privacy, provenance model.Span
	history, sources             model.Span
	hasTarget                    bool
	target                       value
	ancestors, nearby, visible   []value
	ofSource, ofSurrounding      []model.Member // unknown members
	secureValues                 bool
	base                         int32 // the element that stands for the page
	document                     int32 // the Document, or None
	documentFound                bool  // it is an ancestor or the target
	page                         int   // which ancestor it is, or -1
	marked                       []int32
	names                        map[int32]string
	text                         []byte
}

type source struct {
	url, title, app, route, timestamp model.Span
}

// Decode reads the packet src into s and notes in c what is to be said of it. It
// answers the fault that makes src unreadable as JSON, or nil; what makes it no
// packet is in c (see Collector.Refused). The snapshot is whole only where
// neither refuses the document, and holds until the next call.
func (d *Decoder) Decode(src []byte, s *model.Snapshot, c *diag.Collector, opts Options) *jsontree.Error {
	d.Begin(src, s, c, opts.MaxDepth)
	*d = Decoder{Source: d.Source, opts: opts, ancestors: d.ancestors[:0], nearby: d.nearby[:0], visible: d.visible[:0],
		ofSource: d.ofSource[:0], ofSurrounding: d.ofSurrounding[:0], marked: d.marked[:0], text: d.text, page: -1}
	d.packet()
	d.R.End()
	if err := d.R.Err(); err != nil {
		return err
	}
	d.build()
	return nil
}

func (d *Decoder) packet() {
	if d.R.Kind() != jsontree.Object {
		d.R.Skip()
		return
	}
	d.R.Enter()
	for d.R.Next() {
		switch string(d.R.Key()) {
		case "protocol":
			d.Protocol = d.R.Skip()
		case "version":
			d.Version = d.R.Skip()
		case "source":
			d.readSource()
		case "capture":
			d.object(&d.capture)
		case "target":
			if d.R.Kind() == jsontree.Object {
				d.target, d.hasTarget = d.value(ofTarget), true
			} else {
				d.Wrong()
			}
		case "surrounding":
			d.readSurrounding()
		case "privacy":
			d.object(&d.privacy)
		case "provenance":
			d.object(&d.provenance)
		default:
			d.Unknown()
		}
	}
	for _, w := range []struct {
		object model.Span
		name   string
		known  func(word string) bool
	}{
		{d.capture, "mode", func(w string) bool { _, ok := modes[w]; return ok }},
		{d.capture, "gesture", func(w string) bool { _, ok := gestures[w]; return ok }},
		{d.privacy, "consent", func(w string) bool { return consents[w] }},
		{d.provenance, "method", func(w string) bool { return methods[w] }},
	} {
		if v, ok := d.word(w.object, w.name); ok && !w.known(string(d.S.Text(v))) {
			d.C.AddArgs(diag.UnknownWord, v.Off, d.S.Make([]byte(w.name), false), model.Span{})
		}
	}
	d.word(d.capture, "intent")
	d.word(d.provenance, "producer")
	d.isOf(d.privacy, "redacted", jsontree.Bool)
	d.isOf(d.privacy, "omitted", jsontree.Array)
}

// isOf tells of a member of an object that is of another kind.
func (d *Decoder) isOf(object model.Span, name string, kind jsontree.Kind) {
	if v, ok := d.S.Field(object, name); ok {
		if k := jsontree.KindOf(d.S.Raw(v)); k != kind && k != jsontree.Null {
			d.TellWrong(v.Off, d.S.Make([]byte(name), false), k)
		}
	}
}

// word is the string of that name in an object; another type is told.
func (d *Decoder) word(object model.Span, name string) (model.Span, bool) {
	v, ok := d.S.Field(object, name)
	if !ok {
		return v, false
	}
	switch k := jsontree.KindOf(d.S.Raw(v)); k {
	case jsontree.String:
		return v, true
	case jsontree.Null:
	default:
		d.TellWrong(v.Off, d.S.Make([]byte(name), false), k)
	}
	return v, false
}

// section reads an object of the packet: member reads the members that are known,
// and answers false of any other, which goes to unknown.
func (d *Decoder) section(unknown *[]model.Member, member func(key string) bool) {
	if d.R.Kind() != jsontree.Object {
		d.Wrong()
		return
	}
	first := len(d.Extra)
	d.R.Enter()
	for d.R.Next() {
		if !member(string(d.R.Key())) {
			d.Unknown()
		}
	}
	*unknown = append(*unknown, d.Extra[first:]...)
	d.Extra = d.Extra[:first]
}

func (d *Decoder) readSource() {
	d.section(&d.ofSource, func(key string) bool {
		switch key {
		case "url":
			d.String(&d.source.url)
		case "title":
			d.String(&d.source.title)
		case "app":
			d.String(&d.source.app)
		case "route":
			d.String(&d.source.route)
		case "timestamp":
			d.String(&d.source.timestamp)
		default:
			return false
		}
		return true
	})
}

func (d *Decoder) readSurrounding() {
	d.section(&d.ofSurrounding, func(key string) bool {
		switch key {
		case "ancestors":
			d.values(&d.ancestors, ofAncestor)
		case "nearby":
			d.values(&d.nearby, ofNearby)
		case "visible":
			d.values(&d.visible, ofVisible)
		case "history":
			d.rawList(&d.history)
		case "sources":
			d.rawList(&d.sources)
		default:
			return false
		}
		return true
	})
}

// values reads a list of target-shaped values.
func (d *Decoder) values(to *[]value, p place) {
	if d.R.Kind() != jsontree.Array {
		d.Wrong()
		return
	}
	d.R.Enter()
	for d.R.More() {
		if d.entry() {
			*to = append(*to, d.value(p))
		}
	}
}

// entry reports whether the entry that comes next is an object; another refuses
// the packet.
func (d *Decoder) entry() bool {
	k := d.R.Kind()
	if k == jsontree.Object {
		return true
	}
	if k == jsontree.None {
		d.R.Skip()
	} else {
		d.Shape("an entry of surrounding", "an object")
	}
	return false
}

// rawList reads history or sources, which never become elements.
func (d *Decoder) rawList(to *model.Span) {
	if d.R.Kind() != jsontree.Array {
		d.Wrong()
		return
	}
	from, n := d.R.Pos(), 0
	d.R.Enter()
	for d.R.More() {
		n++
		if d.entry() {
			d.R.Skip()
		}
	}
	if n > 0 {
		*to = jsontree.MakeSpan(from, d.R.Pos()-from, true)
	}
}

// build makes the tree.
func (d *Decoder) build() {
	s := d.S
	d.names = map[int32]string{}
	if !d.opts.KeepSecure {
		d.withholdAll()
	}
	s.Root = s.Add(0)
	s.Elements[s.Root].Role = model.Application
	s.Elements[s.Root].Title = d.source.app
	d.placeDocument()
	last := d.chain()
	class, effect := d.captured()
	at := last
	if class == selecting && !(d.hasTarget && d.target.restored) {
		at = d.selectedIn()
	}
	if d.hasTarget && !d.target.gone {
		d.add(&d.target, at, "target")
		if d.documentFound && d.document == model.None { // the restored target
			d.document, d.base = d.target.elem, d.target.elem
		}
	}
	for i := range d.nearby {
		if v := &d.nearby[i]; !v.gone {
			d.add(v, at, "nearby-"+strconv.Itoa(i+1))
		}
	}
	d.placeVisible()
	d.identify()
	d.mark(class, effect)
	d.rootAttributes()
	d.assumeInstance()
}

// withholdAll withholds what is secure, and what stands below a secure ancestor.
func (d *Decoder) withholdAll() {
	s, c := d.S, d.C
	each := func(v *value) {
		if v.secure && !v.gone {
			d.secureValues = true
			if d.withhold(v) {
				c.AddArgs(diag.SecureWithheld, v.at, d.nameOf(v), model.Span{})
			}
		}
	}
	gone := func(v *value) {
		if !v.gone {
			v.gone = true
			c.AddArgs(diag.SecureWithheld, v.at, d.nameOf(v), model.Span{})
		}
	}
	class, _ := d.captured()
	below := false
	for i := range d.ancestors {
		v := &d.ancestors[i]
		if below {
			gone(v)
			continue
		}
		each(v)
		below = v.secure
	}
	if free := class == selecting && !(d.hasTarget && d.target.restored); below && !free {
		if d.hasTarget {
			gone(&d.target)
		}
		for i := range d.nearby {
			gone(&d.nearby[i])
		}
	}
	if d.hasTarget {
		each(&d.target)
	}
	for i := range d.nearby {
		each(&d.nearby[i])
	}
	for i := range d.visible {
		each(&d.visible[i])
	}
	d.history = d.withheldList(d.history)
	d.sources = d.withheldList(d.sources)
	s.Secure = s.Secure || d.secureValues
}

// nameOf is what a value is called in a message: its role, which is a word.
func (d *Decoder) nameOf(v *value) model.Span {
	if v.restored {
		return v.element.id
	}
	return d.S.Make([]byte("of the packet"), false)
}

// withheldList withholds what is secure in history or sources.
func (d *Decoder) withheldList(list model.Span) model.Span {
	if list.IsZero() {
		return list
	}
	out, changed := withholdEntries(nil, d.S.Raw(list), d.opts.Words, func(at int) {
		d.C.AddArgs(diag.SecureWithheld, list.Off+uint32(at), d.S.Make([]byte("of the packet"), false), model.Span{})
	}, &d.secureValues)
	if !changed {
		return list
	}
	return d.S.Make(out, false)
}

// captured is what mode and gesture say.
func (d *Decoder) captured() (modeClass, effect) {
	if d.capture.IsZero() {
		return modeOf(nil)
	}
	return modeOf(d.S.Raw(d.capture))
}

func (d *Decoder) isTextSelection() bool {
	v, ok := d.S.Field(d.capture, "mode")
	return ok && jsontree.EqualText(d.S.Raw(v), "text-selection")
}

// add makes a value an element.
func (d *Decoder) add(v *value, parent int32, name string) {
	s := d.S
	i := s.Add(v.at)
	v.elem = i
	s.Link(parent, i)
	content, shotKept := d.content(v)
	e := &s.Elements[i]
	e.Content, e.Title, e.Secure = content, v.label, v.secure
	if v.restored {
		p := &v.element
		e.ID, e.Subrole, e.URL, e.Attributes = p.id, p.subrole, p.url, p.attributes
		e.Selected, e.Focused, e.Hovered, e.Visible = p.selected, p.focused, p.hovered, p.visible
		if e.Role = model.ParseRole(s.Text(p.role)); e.Role == model.Unknown {
			e.RoleWord = p.role
		}
		if !p.attributes.IsZero() {
			for _, m := range s.AppendMembers(nil, p.attributes) {
				d.note(m)
			}
		}
		return
	}
	d.names[i] = name
	e.Subrole = v.role
	switch {
	case !v.role.IsZero():
		e.Role = roleOf(s.Text(v.role))
	case v == &d.target && d.isTextSelection():
		e.Role = model.Text
	default:
		e.Role = model.Group
	}
	d.attributes(v, i, shotKept)
}

// note looks at one attribute of an element.
func (d *Decoder) note(m model.Member) {
	s := d.S
	noted := d.NoteAttribute(s.Text(m.Name), jsontree.KindOf(s.Raw(m.Value)), m.Name)
	s.Reserved = s.Reserved || noted&wire.HasName != 0
}

// attributes gives an element what of its value has no other place.
func (d *Decoder) attributes(v *value, i int32, shotKept bool) {
	s := d.S
	s.Compose(i)
	put := func(name string, value model.Span) {
		if !value.IsZero() {
			s.AddMember(i, model.Member{Name: s.MakeString(name), Value: value, At: value.Off})
		}
	}
	put("selector", v.selector)
	put("bounds", v.bounds)
	put("metadata", v.metadata)
	if shotKept {
		put("screenshot", v.shot)
	}
	for _, m := range v.extras {
		if d.BoolState(m) {
			d.C.AddArgs(diag.StateRepeated, m.At, m.Name, model.Span{})
			continue
		}
		d.note(m)
		d.C.AddArgs(diag.MemberMoved, m.At, m.Name, model.Span{})
		s.AddMember(i, m)
	}
	if e := &s.Elements[i]; e.From == e.To {
		e.DropAttributes()
	}
}

// identify makes the ids unique.
func (d *Decoder) identify() {
	s := d.S
	d.Identify(func(i int32) string { return d.names[i] })
	s.Claim(s.Root, s.MakeID("app"))
	for i := range s.Elements {
		s.Elements[i].MadeID = false // they are the tree's own from here on: places name them
	}
}

// mark gives the target the state that mode and gesture tell of.
func (d *Decoder) mark(class modeClass, does effect) {
	s := d.S
	if d.hasTarget && !d.target.gone && !d.target.restored {
		switch effectOf(class, does) {
		case selects:
			s.Elements[d.target.elem].Selected = true
		case hovers:
			s.Elements[d.target.elem].Hovered = true
		case focuses:
			for i := s.Elements[d.target.elem].Parent; i != s.Root && !s.Elements[i].Focused; i = s.Elements[i].Parent {
				if d.names[i] == "" { // it is restored, and will say so in its metadata
					d.C.AddArgs(diag.StateMoved, s.Elements[i].At, s.Elements[i].ID, model.Span{})
				}
			}
			s.MarkPath(d.target.elem)
		}
	}
	d.OnePath()
}

// assumeInstance makes an instance of who made the packet and where.
func (d *Decoder) assumeInstance() {
	s := d.S
	h := sha256.New()
	if v, ok := s.Field(d.provenance, "producer"); ok && s.Raw(v)[0] == '"' {
		h.Write(s.Text(v))
	}
	h.Write([]byte{'\n'})
	if !d.source.app.IsZero() {
		h.Write(s.Text(d.source.app))
	}
	h.Write([]byte{'\n'})
	if !d.source.url.IsZero() {
		h.Write(s.Text(d.source.url))
	}
	s.Instance = s.MakeString("askable-" + hex.EncodeToString(h.Sum(nil)[:4]))
}
