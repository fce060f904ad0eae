package translate

import (
	"bytes"
	"slices"
	"strconv"

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
	s := &c.snap
	order := preorder(s)
	var root carry.Found
	byElement := map[int32]carry.Found{}
	for _, f := range found {
		if int32(f.Unit) == s.Root {
			root = f
		}
		byElement[int32(f.Unit)] = f
	}
	around, gone := carry.Loose(root.Field("answer"), c.holder(nil)) // while the root has all its attributes
	c.noClock = to == Askable
	plain := c.encode(nil, to, nil)
	c.noClock = false
	stale := func(i int32, n int) {
		for range n {
			c.diags.AddArgs(diag.CarryStale, s.Elements[i].At, s.Elements[i].ID, model.Span{})
		}
	}
	if to == Askable {
		around, gone = carry.Loose(found[0].Field("was"), c.holder(c.toPacket.Element))
		out, n := carry.Apply(carry.MembersOf(plain), around, "")
		stale(s.Root, n+gone)
		c.stamp(out)
		return c.appendPassable(dst, carry.AppendMembers(nil, out)), nil
	}
	doc := carry.Split(plain, shapeOf[to], c.opts.maxDepth())
	if to == V01 {
		if r := root.Field("root"); r != nil {
			c.restoreRoot(&doc, r, len(order), stale)
		}
		if len(doc.Units) < len(order) {
			order = order[1:] // the root is no item
		}
	}
	var moved []int // by the unit that it was, which one it is now
	same, ids, parents := false, make([][]byte, len(doc.Units)), make([][]byte, len(doc.Units))
	for n, u := range doc.Units {
		ids[n], parents[n] = memberOf(u, "id"), memberOf(u, "parent")
	}
	if each := root.Field("each"); each != nil {
		moved, same = matched(jsontree.Unquote(each), marksOf(&doc))
	}
	stay, placed := false, root.Field("placed") // selections that stood where the focus was say where they stand
	if placed != nil {
		is, _, ok := focusLists(slices.Concat([]byte{'['}, placed, []byte{']'}), len(ids), func(n int) []byte { return ids[n] })
		k := carry.Index(doc.Answer, "focus")
		stay = !same || !ok || k < 0 || !bytes.Equal(doc.Answer[k].Value, is)
	}
	up := holderOf(to)
	inner := map[int]bool{} // the units that have others in them
	for _, u := range doc.Units {
		inner[u.Parent] = true
	}
	like, lost := likeOf(root.Field("like"), moved)
	gone += lost
	for n, i := range order {
		for _, was := range [][]byte{byElement[i].Field("was"), like[n]} {
			if was == nil || n >= len(doc.Units) || c.isSecure(i) {
				continue
			}
			more := 0
			if to == V020 && inner[n] {
				was, more = carry.Without(was, "children") // there were none
			}
			before := doc.Units[n].Members
			after, old := carry.Apply(before, was, up)
			k := carry.Index(before, "parent")
			if placed != nil && k >= 0 && carry.Index(after, "parent") < 0 && !bytes.Equal(before[k].Value, s.Raw(s.Elements[s.Root].ID)) &&
				(stay || !isSelection(after)) {
				after = append(after, before[k])
				old++
			}
			doc.Units[n].Members = after
			stale(i, old+more)
		}
	}
	focus := []byte("[]")
	if k := carry.Index(doc.Answer, "focus"); k >= 0 && to == V01 {
		focus = doc.Answer[k].Value
	}
	gone += restoreAnswer(&doc, around, to, same)
	if to == V01 {
		gone += restoreFocus(&doc, root, ids, same)
	}
	gone += c.restoreSecure(&doc, root, to, order, moved)
	if to == V01 {
		gone += keepLinks(&doc, ids, parents, focus, moved != nil && !same)
	}
	gone += restoreColumn(&doc, root, moved, same)
	stale(s.Root, gone)
	return doc.Append(dst), nil
}

// restoreAnswer puts back what is around items or root, but nothing that would make the
// document one of another form. It answers how much of it no longer fits.
func restoreAnswer(doc *carry.Doc, patch []byte, to Form, same bool) (gone int) {
	patch, gone = carry.Without(patch, map[Form]string{V01: "items", V020: "root"}[to])
	if to == V01 && !same { // what is in focus is said of all items
		var n int
		patch, n = carry.Without(patch, "focus")
		gone += n
	}
	protocol := doc.Answer[carry.Index(doc.Answer, "protocol")]
	var old int
	doc.Answer, old = carry.Apply(doc.Answer, patch, "")
	gone += old
	if k := carry.Index(doc.Answer, "protocol"); k >= 0 && jsontree.KindOf(doc.Answer[k].Value) != jsontree.Null {
		if form, _, _ := formOf(doc.Answer[k].Value, nil); form != to {
			doc.Answer[k] = protocol
			gone++
		}
	}
	return gone
}

// isSelection reports whether the type of an item is that of a selection.
func isSelection(item []carry.Member) bool {
	k := carry.Index(item, "type")
	if k < 0 || jsontree.KindOf(item[k].Value) != jsontree.String {
		return false
	}
	is, _ := model.LookUp(jsontree.Unquote(item[k].Value), func(folded []byte) (is, known bool) {
		is = string(folded) == "selection"
		return is, is
	})
	return is
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

// restoreRoot makes the root an item, or none, as it was.
func (c *Converter) restoreRoot(doc *carry.Doc, r []byte, elements int, stale func(int32, int)) {
	listed := string(jsontree.Member(r, "listed")) == "true"
	if !listed && len(doc.Units) == elements &&
		!jsontree.EqualText(jsontree.Member(r, "for"), carry.Fingerprint(carry.AppendMembers(nil, doc.Units[0].Members))) {
		stale(c.snap.Root, 1)
		return
	}
	forceRoot(doc, elements, listed)
}

// appendPassable appends a packet that was restored, without what is withheld.
func (c *Converter) appendPassable(dst, packet []byte) []byte {
	if c.opts.KeepSecure {
		return append(dst, packet...)
	}
	b := c.other()
	b.begin(packet, c.opts.neutral())
	if _, _, err := b.read(Askable); err != nil {
		return append(dst, packet...)
	}
	return b.packet.AppendWithheld(dst)
}

// keepLinks takes back what was put back of ids and parents and would lead elsewhere
// than the tree that was edited: an id that parents or the focus now name, and, where
// units were changed, a parent that there was not and now is. Ids, parents and focus are
// those of the tree. It answers how many that were.
func keepLinks(doc *carry.Doc, ids, parents [][]byte, focus []byte, changed bool) (gone int) {
	named := map[string]bool{}
	for n, u := range doc.Units {
		if parent := memberOf(u, "parent"); bytes.Equal(parent, parents[n]) {
			named[string(parent)] = true
		}
	}
	jsontree.Entries(focus, func(e []byte) bool {
		named[string(e)] = true
		return true
	})
	there := map[string]bool{}
	for n := range doc.Units {
		there[string(ids[n])] = true
		if id := memberOf(doc.Units[n], "id"); named[string(ids[n])] && (id == nil || idText(id) != idText(ids[n])) {
			doc.Units[n].Members = with(doc.Units[n].Members, "id", ids[n])
			gone++
		}
	}
	for n := range doc.Units {
		parent := memberOf(doc.Units[n], "parent")
		if changed && parent != nil && there[string(parent)] && !bytes.Equal(parent, parents[n]) {
			doc.Units[n].Members = with(doc.Units[n].Members, "parent", parents[n])
			gone++
		}
	}
	return gone
}

// idText is what a raw id, a string or a number, is read as.
func idText(raw []byte) string {
	if jsontree.KindOf(raw) == jsontree.String {
		return string(jsontree.Unquote(raw))
	}
	return string(raw)
}

// memberOf is the value of the member of that name of a unit, or nil.
func memberOf(u carry.Unit, name string) []byte {
	if k := carry.Index(u.Members, name); k >= 0 {
		return u.Members[k].Value
	}
	return nil
}

// with are the members with another value of the one of that name, or without it where
// that is nil.
func with(list []carry.Member, name string, v []byte) (out []carry.Member) {
	for _, m := range list {
		if !jsontree.EqualText(m.Name, name) {
			out = append(out, m)
		}
	}
	if v != nil {
		out = append(out, carry.Member{Name: jsontree.AppendQuoted(nil, []byte(name)), Value: v})
	}
	return out
}

// likeOf is what is kept of many units in the same words, by the units that they are
// now, and of how many it no longer fits.
func likeOf(list []byte, moved []int) (like map[int][]byte, gone int) {
	if list == nil {
		return nil, 0
	}
	like = map[int][]byte{}
	seen := 0 // each of them is in one row at the most
	jsontree.Entries(list, func(e []byte) bool {
		was, at := jsontree.Member(e, "was"), jsontree.Member(e, "at")
		if jsontree.KindOf(was) != jsontree.Object || jsontree.KindOf(at) != jsontree.Array {
			gone++
			return true
		}
		first := -1
		jsontree.Entries(at, func(e []byte) bool {
			n, err := strconv.Atoi(string(e))
			switch {
			case err != nil || n < 0 || n > len(moved):
				seen = len(moved) + 1
			case first < 0:
				first = n
				return true
			case first+n > len(moved):
				seen = len(moved) + 1
			default:
				seen += n
			}
			if seen > len(moved) {
				gone++
				return false
			}
			for _, now := range moved[first : first+n] {
				if _, has := like[now]; now < 0 || has {
					gone++
				} else {
					like[now] = was
				}
			}
			first = -1
			return true
		})
		return seen <= len(moved)
	})
	return like, gone
}

// matched tells of each unit that there was, by the marks, which one it is now, or -1,
// and whether they are the same in the same order. Marks that come twice tell nothing.
func matched(was, is []byte) (moved []int, same bool) {
	same = bytes.Equal(was, is)
	before, now := placesOf(was), placesOf(is)
	for k := 0; k+carry.MarkLen <= len(was); k += carry.MarkLen {
		mark := was[k : k+carry.MarkLen]
		at, ok := now[string(mark)]
		switch {
		case same:
			at = k / carry.MarkLen
		case !ok || before[string(mark)] < 0:
			at = -1
		}
		moved = append(moved, at)
	}
	return moved, same
}

// placesOf tells where each mark stands, -1 of one that stands twice.
func placesOf(marks []byte) map[string]int {
	at := make(map[string]int, len(marks)/carry.MarkLen)
	for k := 0; k+carry.MarkLen <= len(marks); k += carry.MarkLen {
		mark, place := marks[k:k+carry.MarkLen], k/carry.MarkLen
		if _, twice := at[string(mark)]; twice {
			place = -1
		}
		at[string(mark)] = place
	}
	return at
}

// restoreSecure puts back what the root carries of secure elements, but nothing
// that they would not be passed on with. It answers how much of it no longer fits.
func (c *Converter) restoreSecure(doc *carry.Doc, root carry.Found, to Form, order []int32, moved []int) (gone int) {
	units := root.Field("units")
	if units == nil {
		return 0
	}
	jsontree.Members(units, func(name, was []byte) bool {
		k, err := strconv.Atoi(string(jsontree.Unquote(name)))
		if err != nil || k < 0 || k >= len(moved) || moved[k] < 0 || moved[k] >= min(len(doc.Units), len(order)) {
			gone++
			return true
		}
		n := moved[k]
		before := doc.Units[n].Members
		after, old := carry.Apply(before, was, holderOf(to))
		gone += old
		if c.isSecure(order[n]) {
			after = c.passable(before, after, to)
		}
		doc.Units[n].Members = after
		return true
	})
	return gone
}

// passable are the members of a secure element after it was restored: those that
// it had before, and those that do no harm.
func (c *Converter) passable(before, after []carry.Member, form Form) (out []carry.Member) {
	for _, m := range after {
		name := string(jsontree.Unquote(m.Name))
		switch k := carry.Index(before, name); {
		case c.isHarmless(name, m.Value, form):
			out = append(out, m)
		case k >= 0:
			out = append(out, before[k])
		}
	}
	return out
}

// restoreFocus puts back the focus list, of which it is kept where its entries, and
// what stands there otherwise, are. It answers how much of it no longer fits.
func restoreFocus(doc *carry.Doc, root carry.Found, ids [][]byte, same bool) (gone int) {
	list := root.Field("focus")
	if list == nil {
		return 0
	}
	k := carry.Index(doc.Answer, "focus")
	is, was, ok := focusLists(list, len(ids), func(n int) []byte { return ids[n] })
	if !same || !ok || k < 0 || !bytes.Equal(doc.Answer[k].Value, is) {
		return 1
	}
	doc.Answer[k].Value = was
	return 0
}

// focusLists are the focus list that there must be, and the one that there was, by how
// that is kept; it answers false where that makes no sense.
func focusLists(kept []byte, units int, id func(n int) []byte) (is, was []byte, ok bool) {
	k := 0
	ok = true
	is, was = []byte{'['}, []byte{'['}
	jsontree.Entries(kept, func(e []byte) bool {
		n, err := strconv.Atoi(string(e))
		if ok = err == nil && n < units && (n >= 0 || n == -1 && k == 0); !ok {
			return false
		}
		switch {
		case k > 1:
			was = append(append(was, ','), id(n)...)
		case k == 1:
			was = append(was, id(n)...)
		case n >= 0:
			is = append(is, id(n)...)
		}
		k++
		return true
	})
	return append(is, ']'), append(was, ']'), ok && k > 0
}

// restoreColumn puts back whether items are locatable, and their order. It answers
// how much of it no longer fits.
func restoreColumn(doc *carry.Doc, root carry.Found, moved []int, same bool) (gone int) {
	if marks := root.Field("locatable"); marks != nil {
		for k, m := range jsontree.Unquote(marks) {
			switch {
			case m == '-':
			case k >= len(moved) || moved[k] < 0 || moved[k] >= len(doc.Units):
				gone++
			default:
				u := &doc.Units[moved[k]]
				if carry.Index(u.Members, "locatable") < 0 {
					u.Members = append(u.Members, carry.Member{Name: []byte(`"locatable"`), Value: strconv.AppendBool(nil, m == '1')})
				}
			}
		}
	}
	list := root.Field("order")
	if list == nil {
		return gone
	}
	var in ordering
	if !same || !in.read(list, len(doc.Units)) {
		return gone + 1
	}
	units := make([]carry.Unit, 0, len(doc.Units))
	for _, n := range in.taken {
		units = append(units, doc.Units[n])
	}
	doc.Units = units
	return gone
}

// ordering is the order in which a list had its items.
type ordering struct {
	taken []int // their indexes in the order of the tree
	used  []bool
}

// read reads the order of n items, and answers whether it names each. What names
// none, or one again, does not count.
func (o *ordering) read(list []byte, n int) bool {
	o.taken, o.used = o.taken[:0], slices.Grow(o.used[:0], n)[:n]
	clear(o.used)
	jsontree.Entries(list, func(e []byte) bool {
		if k, err := strconv.Atoi(string(e)); err == nil && k >= 0 && k < n && !o.used[k] {
			o.used[k] = true
			o.taken = append(o.taken, k)
		}
		return true
	})
	return len(o.taken) == n
}
