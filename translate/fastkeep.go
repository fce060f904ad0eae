package translate

import (
	"bytes"
	"strconv"

	"ctxmigrate/translate/carry"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/model"
	"ctxmigrate/v01"
	"ctxmigrate/v020"
)

// Most answers lose little in lossless mode, and in ways that are known from
// reading them alone: then what is kept is found without converting back to see.
// A test holds that this gives the same bytes as the long way.

// ordinaryList are the codes of 0.1 answers that the short way knows how to keep.
var ordinaryList = codeSet(diag.RootMadeUp, diag.LocatableRetired, diag.TypeUnknown, diag.OrderChanged,
	diag.FocusNormalized, diag.FocusOffPath, diag.FocusUnknownID, diag.ReservedAttribute)

// ordinaryTree are the codes of 0.2.0 answers of which nothing need be kept.
var ordinaryTree = codeSet(diag.RootDropped, diag.ReservedAttribute)

// ordinaryPacket are the codes of packets of which nothing need be kept but an order.
var ordinaryPacket = codeSet(diag.UnknownWord, diag.OrderChanged)

func codeSet(codes ...diag.Code) (set [diag.NumCodes]bool) {
	for _, c := range codes {
		set[c] = true
	}
	return set
}

// onlyThese reports whether no other code was found.
func (c *Converter) onlyThese(set *[diag.NumCodes]bool) bool {
	for code, n := range c.diags.Counts {
		if n > 0 && !set[code] {
			return false
		}
	}
	return true
}

// keepShort gives the root what the answer carries, where the short way serves,
// before it is written. It answers whether it did, or there is nothing to keep.
func (c *Converter) keepShort(to Form) bool {
	s := &c.snap
	if s.Secure || s.Reserved || s.Instance.IsZero() || c.longWay || c.opts.Mapping != nil {
		return false
	}
	if c.from != V01 || to != V020 {
		return false
	}
	if c.flat.Quiet || c.flat.Focus.IsZero() || string(c.raw(c.flat.Protocol)) != `"0.1"` ||
		!c.onlyThese(&ordinaryList) || c.diags.Counts[diag.RootMadeUp] == 0 || !v01.RootSaysNothing(s) {
		return false
	}
	value := append(c.scratch[:0], `{"v":1,"of":"0.1"`...)
	empty := len(value)
	value = c.shortFocus(c.shortColumn(value))
	if len(value) == empty {
		return true
	}
	value = c.shortMarks(append(value, `,"each":"`...))
	c.scratch = append(value, '"', '}')
	c.carryAtRoot(c.scratch)
	return true
}

// carryAtRoot gives the root a value to carry, before it is written.
func (c *Converter) carryAtRoot(value []byte) {
	s := &c.snap
	s.Compose(s.Root)
	s.AddMember(s.Root, model.Member{Name: s.MakeString(carry.Name), Value: s.Make(value, false)})
}

// comesBack reports whether what was written just now comes back the same with no more
// help than keepRest gives: a tree from a list, or a packet.
func (c *Converter) comesBack(to Form) bool {
	if c.longWay {
		return false
	}
	if c.from == Askable {
		return !(to == V01 && c.toFlat.Filled) && !c.snap.Reserved && c.onlyThese(&ordinaryPacket) && c.packet.ComesBack()
	}
	return c.from == V020 && to == V01 && !c.tree.Quiet && !c.snap.Secure && !c.snap.Reserved &&
		string(c.raw(c.tree.Protocol)) == `"0.2.0"` && c.onlyThese(&ordinaryTree)
}

// keepRest appends what was written just now again, with the attributes of a tree that
// are empty, and the order in which a packet lists what is visible, where there are
// such; else it answers out.
func (c *Converter) keepRest(dst, out []byte, to Form) []byte {
	switch {
	case c.from == Askable && c.diags.Counts[diag.OrderChanged] > 0:
		c.carryAtRoot(c.visibleOrder())
	case c.from == V020 && c.toFlat.Filled:
		c.toFlat.Filler = `"` + carry.Name + `":{"v":1,"of":"0.2.0","was":{"attributes":{"is":{}}}}`
		defer func() { c.toFlat.Filler = "" }()
	default:
		return out
	}
	if to == V020 {
		return v020.Append(dst, &c.snap)
	}
	var told diag.Collector // which was told before
	return c.toFlat.Append(dst, &c.snap, &told)
}

// visibleOrder is what a packet carries of which the order of what is visible is lost.
func (c *Converter) visibleOrder() []byte {
	value := append(c.scratch[:0], `{"v":1,"of":"askable","was":{"surrounding":{"in":{"visible":{"order":[`...)
	for k, n := range c.packet.VisibleOrder() {
		if k > 0 {
			value = append(value, ',')
		}
		value = append(strconv.AppendInt(append(value, '"'), int64(n), 10), '"')
	}
	value = append(value, `],"for":"`...)
	c.plainly = c.packet.AppendVisible(c.plainly[:0], &c.toPacket)
	value = append(value, carry.Fingerprint(c.plainly)...)
	c.scratch = append(value, `"}}}}}`...)
	return c.scratch
}

// shortColumn appends the order of the items and whether each is locatable.
func (c *Converter) shortColumn(value []byte) []byte {
	s := &c.snap
	if c.diags.Counts[diag.OrderChanged] > 0 {
		places := s.Places(c.places[:0])
		c.places = places
		value = append(value, `,"order":[`...)
		for i := range len(places) - 1 { // the root that was made up comes last
			if i > 0 {
				value = append(value, ',')
			}
			value = strconv.AppendInt(value, int64(placeOf(places, int32(i))), 10)
		}
		value = append(value, ']')
	}
	if c.diags.Counts[diag.LocatableRetired] == 0 {
		return value
	}
	value = append(value, `,"locatable":"`...)
	end := len(value)
	for i, _ := s.After(s.Root, s.Root); i != model.None; i, _ = s.After(i, s.Root) {
		mark := byte('-')
		if is, said := c.flat.Locatable(i); said {
			if mark = '0'; is {
				mark = '1'
			}
		}
		value = append(value, mark)
		if mark != '-' {
			end = len(value)
		}
	}
	return append(value[:end], '"')
}

// shortFocus appends the focus list, where one of the focused element says less:
// where its entries, and what stands there otherwise, are in the order of the tree, or
// else as it was written.
func (c *Converter) shortFocus(value []byte) []byte {
	s := &c.snap
	at := s.Position()
	n, first, known := 0, model.None, true
	c.flat.EachListed(func(id model.Span, elem int32) {
		if n++; n == 1 {
			first = elem
		}
		known = known && elem != model.None && bytes.Equal(s.Raw(id), s.Raw(s.Elements[elem].ID))
	})
	if n == 0 && at == model.None || n == 1 && first == at && at != model.None {
		return value
	}
	if known {
		places := s.Places(c.places[:0])
		c.places = places
		value = append(value, `,"focus":[`...)
		value = strconv.AppendInt(value, int64(placeOf(places, at)), 10)
		c.flat.EachListed(func(_ model.Span, elem int32) {
			value = strconv.AppendInt(append(value, ','), int64(placeOf(places, elem)), 10)
		})
		return append(value, ']')
	}
	have := []byte{'['}
	if at != model.None {
		have = append(have, s.Raw(s.Elements[at].ID)...)
	}
	have = append(have, ']')
	value = append(value, `,"answer":{"focus":{"is":`...)
	value = s.AppendRaw(value, c.flat.Focus)
	value = append(value, `,"for":"`...)
	value = append(value, carry.Fingerprint(have)...)
	return append(value, `"}}`...)
}

// placeOf is the place of an element in the order of the tree below the root, -1 of
// none.
func placeOf(places []int32, i int32) int32 {
	if i == model.None {
		return -1
	}
	return places[i] - 1
}

// shortMarks appends the marks of the items that the way back will give, of which
// the root is none.
func (c *Converter) shortMarks(dst []byte) []byte {
	s := &c.snap
	for i, _ := s.After(s.Root, s.Root); i != model.None; i, _ = s.After(i, s.Root) {
		var parent []byte
		if p := s.Elements[i].Parent; p != s.Root {
			parent = s.Raw(s.Elements[p].ID)
		}
		dst = carry.AppendMark(dst, s.Raw(s.Elements[i].ID), parent)
	}
	return dst
}
