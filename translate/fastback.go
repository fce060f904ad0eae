package translate

import (
	"bytes"
	"strconv"

	"ctxmigrate/translate/carry"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
	"ctxmigrate/v01"
)

// Most trees that were lists carry little, all of it at the root: the order of the
// items, which of them are locatable, the focus list. Then that is put in while the
// list is written, where the long way takes both documents apart. And what trees carry
// that were packets is all at the root: it is taken from there, where the long way
// cuts it out of the text and reads that again. Tests hold that this gives the same
// bytes and the same report as the long way.

// column is what the root carries of a list, and what it is put in with.
type column struct {
	each, locatable, order []byte
	listed                 []byte // the focus list, by the places of its entries
	focus, instead         []byte // of the focus list: what it was, and the mark of what stands there instead

	marks        []byte // of the items, whether they are locatable: 0, 1, or - where that was not said
	starts, ends []int  // of the items as they are written
	in           ordering
}

// restoreShort appends the list or the packet that the tree was, where the short way
// serves. It answers false where it has done nothing.
func (c *Converter) restoreShort(dst []byte, to Form) ([]byte, bool) {
	s := &c.snap
	if c.longWay || c.from != V020 || c.tree.Carrying != 1 || s.Secure || s.Reserved {
		return dst, false
	}
	root := &s.Elements[s.Root]
	if root.Composed || root.Attributes.IsZero() {
		return dst, false
	}
	if to == Askable {
		patch := c.takePatch()
		if patch == nil {
			return dst, false
		}
		return c.restorePacket(dst, patch), true
	}
	return c.restoreList(dst)
}

// takePatch takes the patch of a packet out of the attributes of the root, where it is
// all that the tree carries, and other attributes stay. It answers nil where it has
// done nothing.
func (c *Converter) takePatch() (patch []byte) {
	s := &c.snap
	n, at := 0, -1
	s.EachAttribute(s.Root, func(m model.Member) bool {
		if string(s.Raw(m.Name)) == `"`+carry.Name+`"` {
			if f, ok := carry.Recognise(s.Raw(m.Value)); ok && f.Of() == Askable.String() && f.Field(carry.Own) == nil {
				at, patch = n, f.Field("was")
			}
		}
		n++
		return true
	})
	if n < 2 || patch == nil {
		return nil
	}
	s.Compose(s.Root)
	s.DropMember(s.Root, at)
	return patch
}

// restoreList is restoreShort for a list.
func (c *Converter) restoreList(dst []byte) ([]byte, bool) {
	s, col := &c.snap, &c.column
	root := &s.Elements[s.Root]
	if len(s.Elements) < 2 || s.Instance.IsZero() || !col.read(s.Raw(root.Attributes)) {
		return dst, false
	}
	attributes := root.Attributes
	if root.Attributes = (model.Span{}); !v01.RootSaysNothing(s) {
		root.Attributes = attributes
		return dst, false
	}
	if c.ids = c.shortMarks(c.ids[:0]); !jsontree.EqualText(col.each, string(c.ids)) {
		root.Attributes = attributes
		return dst, false
	}
	col.marks, col.starts, col.ends = nil, col.starts[:0], col.ends[:0]
	if col.locatable != nil && c.opts.Locatable == nil {
		col.marks = jsontree.Unquote(col.locatable)
	}
	c.toFlat.Each = col.mark
	out := c.encode(dst, V01, nil)
	c.toFlat.Each = nil
	end := col.ends[len(col.ends)-1]
	focus := append(c.scratch[:0], out[end+len(`],"focus":`):len(out)-1]...)
	c.scratch = focus
	stale := 0
	switch {
	case col.order == nil:
	case col.in.read(col.order, len(col.starts)):
		out = col.rearrange(out[:end])
	default:
		stale++
	}
	if col.locatable != nil { // of items that there are not
		marks := jsontree.Unquote(col.locatable)
		for _, m := range marks[min(len(col.starts), len(marks)):] {
			if m != '-' {
				stale++
			}
		}
	}
	out = append(out[:end], `],"focus":`...)
	switch {
	case col.focus == nil:
	case jsontree.EqualText(col.instead, carry.Fingerprint(focus)):
		focus = col.focus
	default:
		stale++
	}
	if col.listed != nil {
		items := preorder(s)[1:]
		is, was, ok := focusLists(col.listed, len(items), func(n int) []byte { return s.Raw(s.Elements[items[n]].ID) })
		if ok && bytes.Equal(focus, is) {
			focus = was
		} else {
			stale++
		}
	}
	out = append(jsontree.AppendCompact(out, focus), '}')
	c.stale(s.Root, stale)
	return out, true
}

// read reads what an object carries. It answers false where that is not all that it
// holds, or there is more to it than the short way knows.
func (col *column) read(object []byte) bool {
	f, ok := carry.Only(object)
	if !ok || f.Of() != V01.String() {
		return false
	}
	col.each, col.locatable, col.order, col.listed, col.focus = nil, nil, nil, nil, nil
	jsontree.Members(f.Value, func(name, v []byte) bool {
		switch string(name) {
		case `"v"`, `"of"`:
		case `"each"`:
			col.each = v
		case `"locatable"`:
			col.locatable = v
		case `"order"`:
			col.order = v
		case `"focus"`:
			col.listed = v
		case `"answer"`:
			ok = col.readFocus(v)
		default:
			ok = false
		}
		return ok
	})
	return ok
}

// readFocus reads the patch of an answer, and answers whether it does nothing but
// give the focus list another value.
func (col *column) readFocus(patch []byte) (ok bool) {
	members := 0
	jsontree.Members(patch, func(name, entry []byte) bool {
		if members++; members > 1 || string(name) != `"focus"` || jsontree.KindOf(entry) != jsontree.Object {
			ok = false
			return false
		}
		col.instead = nil
		ok = true
		jsontree.Members(entry, func(name, v []byte) bool {
			switch string(name) {
			case `"is"`:
				col.focus = v
			case `"for"`:
				col.instead = v
			default:
				ok = false
			}
			return ok
		})
		ok = ok && col.focus != nil && col.instead != nil
		return ok
	})
	return ok
}

// mark says of an item that was written from from on whether it is locatable, and
// notes where it is.
func (col *column) mark(dst []byte, from int) []byte {
	if n := len(col.starts); n < len(col.marks) && col.marks[n] != '-' {
		dst = append(dst[:len(dst)-1], `,"locatable":`...)
		dst = append(strconv.AppendBool(dst, col.marks[n] == '1'), '}')
	}
	col.starts, col.ends = append(col.starts, from), append(col.ends, len(dst))
	return dst
}

// rearrange puts the items, which out ends with, in their order.
func (col *column) rearrange(out []byte) []byte {
	first, end := col.starts[0], len(out)
	for k, n := range col.in.taken { // behind what is there
		if k > 0 {
			out = append(out, ',')
		}
		out = append(out, out[col.starts[n]:col.ends[n]]...)
	}
	return append(out[:first], out[end:]...)
}
