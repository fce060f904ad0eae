package askable

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
	"ctxmigrate/translate/wire"
)

// build makes the tree.
func (d *Decoder) build() {
	s := d.S
	if !d.opts.KeepSecure {
		d.withholdAll()
	}
	s.Root = d.make(0, made{})
	s.Elements[s.Root].Role = model.Application
	s.Elements[s.Root].Title = d.source.app
	d.placeDocument()
	last := d.chain()
	at := last
	if d.class == selecting && !(d.hasTarget && d.target.restored) {
		at = d.selectedIn()
	}
	if d.hasTarget && !d.target.gone {
		d.add(&d.target, at, made{name: "target"})
		if d.documentFound && d.document == model.None { // the restored target
			d.document, d.base = d.target.elem, d.target.elem
		}
	}
	for i := range d.nearby {
		if v := &d.nearby[i]; !v.gone {
			d.add(v, at, made{name: "nearby-", number: i + 1})
		}
	}
	d.placeVisible()
	d.identify()
	d.mark()
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
				c.AddArgs(diag.SecureWithheld, v.at, d.called(v), model.Span{})
			}
		}
	}
	gone := func(v *value) {
		if !v.gone {
			v.gone = true
			c.AddArgs(diag.SecureWithheld, v.at, d.called(v), model.Span{})
		}
	}
	repeats := d.repeats()
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
	if free := d.class == selecting && !(d.hasTarget && d.target.restored); below && !free {
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
		v := &d.visible[i]
		r, has := repeats[i]
		if !has || r.of.gone {
			each(v)
			continue
		}
		if v.whole, d.secureValues = r.of.whole, true; v.whole != r.was {
			c.AddArgs(diag.SecureWithheld, v.at, d.called(r.of), model.Span{})
		}
	}
	if d.secureEntries {
		d.history = d.withheldList(d.history)
		d.sources = d.withheldList(d.sources)
	}
	s.Secure = s.Secure || d.secureValues
}

// repeated is a value that an entry of visible repeats.
type repeated struct {
	of  *value
	was model.Span // its whole, before anything was withheld
}

// repeats are the secure entries of visible that are equal to a value placed before
// them, by index. They stay equal to it when it is withheld, though what may be passed
// on of it goes by its place.
func (d *Decoder) repeats() map[int]repeated {
	if !slices.ContainsFunc(d.visible, func(v value) bool { return v.secure }) {
		return nil
	}
	digest := func(v *value) jsontree.Digest { return jsontree.DigestOf(d.S.Raw(v.whole), false) }
	first := map[jsontree.Digest]*value{}
	put := func(v *value) {
		if !v.secure || v.restored && v.element.visible != model.Shown {
			return
		}
		if g := digest(v); first[g] == nil {
			first[g] = v
		}
	}
	for i := range d.ancestors {
		put(&d.ancestors[i])
	}
	if d.hasTarget {
		put(&d.target)
	}
	for i := range d.nearby {
		put(&d.nearby[i])
	}
	found := map[int]repeated{}
	for i := range d.visible {
		if v := &d.visible[i]; v.secure {
			if of := first[digest(v)]; of != nil {
				found[i] = repeated{of, of.whole}
			}
		}
	}
	return found
}

// called is what a value is called in a message: its role, which is a word.
func (d *Decoder) called(v *value) model.Span {
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
	out, changed := withholdEntries(nil, d.S.Raw(list), &d.words, func(at int) {
		d.C.AddArgs(diag.SecureWithheld, list.Off+uint32(at), d.S.Make([]byte("of the packet"), false), model.Span{})
	}, &d.secureValues)
	if !changed {
		return list
	}
	return d.S.Make(out, false)
}

// make adds an element to the snapshot.
func (d *Decoder) make(at uint32, of made) int32 {
	d.made = append(d.made, of)
	return d.S.Add(at)
}

// add makes a value an element; of is for one that is not restored.
func (d *Decoder) add(v *value, parent int32, of made) {
	s := d.S
	if v.restored {
		of = made{}
	}
	of.whole = v.whole
	i := d.make(v.at, of)
	v.elem = i
	s.Link(parent, i)
	content, shotKept := d.content(v)
	e := &s.Elements[i]
	e.Content, e.Title, e.Secure = content, v.label, v.secure
	if v.restored {
		d.restored = append(d.restored, i)
		p := &v.element
		e.ID, e.Subrole, e.URL, e.Attributes = p.id, p.subrole, p.url, p.attributes
		e.Selected, e.Focused, e.Hovered, e.Visible = p.selected, p.focused, p.hovered, p.visible
		if e.Role = p.known; e.Role == model.Unknown {
			e.RoleWord = p.role
		}
		if !p.attributes.IsZero() {
			s.EachMember(p.attributes, func(m model.Member) bool {
				d.note(m)
				return true
			})
		}
		return
	}
	e.Subrole = v.role
	switch {
	case !v.role.IsZero():
		e.Role = roleOf(s.Text(v.role))
	case v == &d.target && jsontree.EqualText(s.Raw(d.mode), "text-selection"):
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
	d.Identify(d.nameOf)
	s.Claim(s.Root, s.MakeID("app"))
	for i := range s.Elements {
		s.Elements[i].MadeID = false // they are the tree's own from here on: places name them
	}
}

// appendName appends the id that is made up for an element, of those that have
// none.
func (d *Decoder) appendName(dst []byte, i int32) []byte {
	m := &d.made[i]
	if dst = append(dst, m.name...); m.number > 0 {
		dst = strconv.AppendInt(dst, int64(m.number), 10)
	}
	return dst
}

// mark gives the target the state that mode and gesture tell of.
func (d *Decoder) mark() {
	s := d.S
	if d.hasTarget && !d.target.gone && !d.target.restored {
		switch effectOf(d.class, d.does) {
		case selects:
			s.Elements[d.target.elem].Selected = true
		case hovers:
			s.Elements[d.target.elem].Hovered = true
		case focuses:
			for i := s.Elements[d.target.elem].Parent; i != s.Root && !s.Elements[i].Focused; i = s.Elements[i].Parent {
				if d.made[i].name == "" { // it is restored, and will say so in its metadata
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
	s, b := d.S, d.text[:0]
	if v := d.producer; !v.IsZero() && s.Raw(v)[0] == '"' {
		b = append(b, s.Text(v)...)
	}
	b = append(b, '\n')
	if !d.source.app.IsZero() {
		b = append(b, s.Text(d.source.app)...)
	}
	b = append(b, '\n')
	if !d.source.url.IsZero() {
		b = append(b, s.Text(d.source.url)...)
	}
	d.text = b
	sum := sha256.Sum256(b)
	from := len(s.Made)
	s.Made = hex.AppendEncode(append(s.Made, `"askable-`...), sum[:4])
	s.Made = append(s.Made, '"')
	s.Instance = s.MadeSince(from, false)
}
