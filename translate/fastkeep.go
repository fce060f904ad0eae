package translate

import (
	"strconv"

	"ctxmigrate/translate/carry"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/model"
	"ctxmigrate/v01"
)

// Most answers lose little in lossless mode, and in ways that are known from
// reading them alone: then what is kept is found without converting back to see.
// A test holds that this gives the same bytes as the long way.

// ordinaryList are the codes of 0.1 answers that the short way knows how to keep.
var ordinaryList = codeSet(diag.RootMadeUp, diag.LocatableRetired, diag.TypeUnknown, diag.OrderChanged,
	diag.FocusNormalized, diag.FocusOffPath, diag.FocusUnknownID, diag.ReservedAttribute)

// ordinaryTree are the codes of 0.2.0 answers of which nothing need be kept.
var ordinaryTree = codeSet(diag.RootDropped, diag.ReservedAttribute)

// ordinaryPacket are the codes of packets of which nothing need be kept.
var ordinaryPacket = codeSet(diag.UnknownWord)

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
	value, marked := c.shortColumn(value)
	value = c.shortFocus(value)
	if len(value) == empty {
		return true
	}
	if marked {
		value = append(value, `,"ids":"`...)
		value = append(value, c.shortIDs()...)
		value = append(value, '"')
	}
	c.scratch = append(value, '}')
	s.Compose(s.Root)
	s.AddMember(s.Root, model.Member{Name: s.MakeString(carry.Name), Value: s.Make(c.scratch, false)})
	return true
}

// nothingToKeep reports whether what was written just now comes back the same without
// help: a tree from a list, but for attributes that are empty, see keepEmpty; or a
// packet.
func (c *Converter) nothingToKeep(to Form) bool {
	if c.from == Askable {
		return !c.longWay && !(to == V01 && c.toFlat.Filled) && c.onlyThese(&ordinaryPacket) && c.packet.ComesBack()
	}
	return c.from == V020 && to == V01 && !c.longWay && !c.tree.Quiet && !c.snap.Secure && !c.snap.Reserved &&
		string(c.raw(c.tree.Protocol)) == `"0.2.0"` && c.onlyThese(&ordinaryTree)
}

// keepEmpty appends the list again, with the attributes that are empty.
func (c *Converter) keepEmpty(dst []byte) []byte {
	var told diag.Collector // which was told before
	c.toFlat.Filler = `"` + carry.Name + `":{"v":1,"of":"0.2.0","was":{"attributes":{"is":{}}}}`
	dst = c.toFlat.Append(dst, &c.snap, &told)
	c.toFlat.Filler = ""
	return dst
}

// shortColumn appends the order of the items and whether each is locatable.
func (c *Converter) shortColumn(value []byte) (out []byte, marked bool) {
	s := &c.snap
	if c.diags.Counts[diag.OrderChanged] > 0 {
		at := make([]int, len(s.Elements))
		n := 0
		for i, _ := s.After(s.Root, s.Root); i != model.None; i, _ = s.After(i, s.Root) {
			at[i] = n
			n++
		}
		value = append(value, `,"order":[`...)
		for i := range n { // the root that was made up comes last
			if i > 0 {
				value = append(value, ',')
			}
			value = strconv.AppendInt(value, int64(at[i]), 10)
		}
		value = append(value, ']')
		marked = true
	}
	if c.diags.Counts[diag.LocatableRetired] == 0 {
		return value, marked
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
	return append(value[:end], '"'), true
}

// shortFocus appends the focus list, where one of the focused element says less.
func (c *Converter) shortFocus(value []byte) []byte {
	s := &c.snap
	n, first := c.flat.Listed()
	at := s.Position()
	if n == 0 && at == model.None || n == 1 && first == at && at != model.None {
		return value
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

// shortIDs is idsOf of the items that the way back will give.
func (c *Converter) shortIDs() string {
	s := &c.snap
	list := append(c.ids[:0], '[')
	for i, _ := s.After(s.Root, s.Root); i != model.None; i, _ = s.After(i, s.Root) {
		list = append(append(list, s.Raw(s.Elements[i].ID)...), ',')
	}
	c.ids = append(list, ']')
	return carry.Fingerprint(c.ids)
}
