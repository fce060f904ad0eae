package translate

import (
	"bytes"

	"ctxmigrate/translate/carry"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
)

// appendCarried appends a document that bears what was carried, converted with
// the help of it.
func (c *Converter) appendCarried(dst []byte, found []carry.Found, to Form) ([]byte, error) {
	stripped := carry.Cut(nil, c.src, found)
	whole, from := c.src, c.from
	if from == Askable {
		f := found[0]
		doc := f.Field("document")
		if doc != nil && jsontree.EqualText(f.Field("for"), carry.Fingerprint(stripped)) {
			if out, ok := c.appendDocument(dst, doc, f, to); ok {
				return out, nil
			}
		}
	}
	c.src = stripped
	c.cut = found
	defer func() { c.whole, c.src = whole, stripped }()
	if err := c.decode(); err != nil {
		return dst, err
	}
	if from == Askable {
		c.diags.AddArgs(diag.CarryStale, 0, c.snap.Make([]byte("the packet"), false), model.Span{})
	}
	var mine []carry.Found
	for _, f := range found {
		if f.Of() == to.String() && f.Unit >= 0 {
			mine = append(mine, f)
		}
	}
	if len(mine) == 0 {
		if from != Askable {
			c.diags.Add(diag.CarryDropped, 0)
		}
		return c.appendFresh(dst, to)
	}
	return c.restore(dst, mine, to)
}

// appendDocument appends the document that a packet carried, converted; it
// answers false where that cannot be read. What is secure in it is withheld, as
// it is in any other.
func (c *Converter) appendDocument(dst, doc []byte, f carry.Found, to Form) ([]byte, bool) {
	b := c.other()
	o := *c.opts
	form, err := ParseForm(f.Of())
	if o.From = form; err != nil || form == Askable {
		return dst, false
	}
	at := cap(c.src) - cap(doc)
	if form == to {
		b.begin(doc, &o)
		if b.decode() != nil {
			return dst, false
		}
		out, err := b.withheldSource(dst)
		return out, err == nil
	}
	out, err := b.Append(dst, doc, to, &o)
	if err != nil {
		return dst, false
	}
	for _, r := range b.diags.Records {
		c.diags.AddArgs(r.Code, uint32(at)+r.Off, c.copied(r.A), c.copied(r.B))
	}
	return out, true
}

// copied copies an argument of a diagnostic from the converter of the way back.
func (c *Converter) copied(sp model.Span) model.Span {
	if sp.IsZero() {
		return sp
	}
	return c.snap.Make(c.back.snap.Raw(sp), false)
}

// restore converts plainly, and then makes of the result what was carried.
func (c *Converter) restore(dst []byte, found []carry.Found, to Form) ([]byte, error) {
	if to == Askable {
		return c.restorePacket(dst, found[0].Field("was")), nil
	}
	s := &c.snap
	r := restorer{c: c, to: to, order: preorder(s)}
	byElement := map[int32]carry.Found{}
	for _, f := range found {
		if int32(f.Unit) == s.Root {
			r.root = f
		}
		byElement[int32(f.Unit)] = f
	}
	answer, gone := carry.Loose(r.root.Field("answer"), c.holder(nil)) // while the root has all its attributes
	doc := carry.Split(c.encode(nil, to, nil), shapeOf[to], c.opts.maxDepth())
	r.doc, r.gone = &doc, gone
	r.restore(byElement, answer)
	return doc.Append(dst), nil
}

// restorePacket is restore for packets, of which all that is carried is a patch.
func (c *Converter) restorePacket(dst, patch []byte) []byte {
	c.noClock = true
	c.returned = c.encode(c.returned[:0], Askable, nil)
	c.noClock = false
	patch, gone := carry.Loose(patch, c.holder(c.toPacket.Element))
	out, old := carry.Apply(carry.MembersOf(c.returned), patch, "")
	c.stale(c.snap.Root, gone+old)
	c.stamp(out)
	if c.opts.KeepSecure || !c.snap.Secure && !carry.Brings(patch) && !namesElement(c.src) {
		return carry.AppendMembers(dst, out)
	}
	return c.appendPassable(dst, carry.AppendMembers(nil, out))
}

// namesElement reports whether an answer may hold an attribute that makes a value of a
// packet secure, as metadata.element does, and no element of the answer. Writing
// withholds such values, but a patch may move an attribute to where it makes one. It is
// quick, and right where it answers no: names may be spelled with escapes.
func namesElement(src []byte) bool {
	return bytes.Contains(src, []byte(`element"`)) || bytes.Contains(src, []byte(`\u`))
}

// stale tells of so much that was carried of an element and no longer fits.
func (c *Converter) stale(i int32, n int) {
	e := &c.snap.Elements[i]
	for range n {
		c.diags.AddArgs(diag.CarryStale, e.At, e.ID, model.Span{})
	}
}

// stamp gives a packet that was written without the clock a timestamp, where none
// was carried either.
func (c *Converter) stamp(packet []carry.Member) {
	s := &c.snap
	facts, _ := s.Attribute(s.Root, "askable")
	if v, ok := s.Field(facts, "timestamp"); ok && jsontree.KindOf(s.Raw(v)) == jsontree.String {
		return
	}
	k := carry.Index(packet, "source")
	if k < 0 || jsontree.KindOf(packet[k].Value) != jsontree.Object {
		return
	}
	source := carry.MembersOf(packet[k].Value)
	t := carry.Index(source, "timestamp")
	if t < 0 || !jsontree.EqualText(source[t].Value, "") {
		return
	}
	c.opts.packets(&c.toPacket, c.words)
	source[t].Value = jsontree.AppendQuoted(nil, []byte(c.toPacket.Timestamp))
	packet[k].Value = carry.AppendMembers(nil, source)
	if c.toPacket.Assumed {
		c.diags.Add(diag.TimestampAssumed, 0)
	}
}

// appendPassable appends a packet that was written, without what is withheld.
func (c *Converter) appendPassable(dst, packet []byte) []byte {
	b := c.other()
	b.begin(packet, c.opts.neutral())
	if _, _, err := b.read(Askable); err != nil {
		return append(dst, packet...)
	}
	return b.packet.AppendWithheld(dst)
}
