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

var shapeOf = [...]carry.Shape{V01: carry.List, V020: carry.Tree, Askable: carry.Packet}

// holderOf is the member of an item or an element that holds what has no other
// place.
func holderOf(form Form) string {
	if form == V020 {
		return "attributes"
	}
	return "payload"
}

// unitRules are how items and elements are compared, by the form of the source.
func unitRules(form Form) carry.Rules {
	up := holderOf(form)
	return carry.Rules{Up: up, Depth: 2, Inside: func(name string) bool { return name == up }}
}

// packetRules are how packets are compared.
var packetRules = carry.Rules{Depth: 5, Inside: func(name string) bool {
	switch name {
	case "source", "capture", "target", "surrounding", "privacy", "provenance", "ancestors", "nearby", "visible", "history", "sources":
		return true
	}
	return name[0]-'0' < 10
}}

// neutral are options that the same conversion has at any time and anywhere,
// for the way back that is foreseen.
func (o *Options) neutral() *Options {
	return &Options{MaxDepth: o.MaxDepth, MaxBytes: -1, KeepSecure: o.KeepSecure, Secure: o.secure()}
}

// plain converts with a converter of its own, for the way back.
func (c *Converter) plain(src []byte, to Form) ([]byte, error) {
	b := c.other()
	b.begin(src, c.opts.neutral())
	b.noClock = true
	if err := b.decode(); err != nil {
		return nil, err
	}
	c.returned = b.encode(c.returned[:0], to, nil)
	return c.returned, nil
}

// keep appends the plain output again with what it has no place for.
func (c *Converter) keep(dst, plain []byte, to Form) ([]byte, error) {
	back, err := c.plain(plain, c.from)
	if err != nil {
		return dst, err
	}
	if c.from == Askable {
		if c.scratch = c.packet.AppendWithheld(c.scratch[:0]); c.alike.Objects(back, c.scratch, packetRules) {
			return append(dst, plain...), nil // there is nothing to keep
		}
	}
	out := carry.Split(plain, shapeOf[to], c.opts.maxDepth())
	k := keeper{c: c, out: &out, to: to}
	if c.from == Askable {
		k.packet(back, c.scratch)
	} else {
		k.units(back)
	}
	return out.Append(dst), nil
}

// keeper puts what is kept into the units of the output.
type keeper struct {
	c   *Converter
	out *carry.Doc
	to  Form

	index map[int32]int // the unit of the output that each element became
}

// packet keeps how a packet differs from what the way back gives.
func (k *keeper) packet(back, doc []byte) {
	if was := carry.Diff(carry.MembersOf(back), carry.MembersOf(doc), packetRules); was != nil {
		k.root(append([]byte(`"was":`), carry.Bind(was, k.c.holder(k.c.packet.Element))...))
	}
}

// holder finds the attributes of the root, and of the elements that the places of a
// packet became, which element tells.
func (c *Converter) holder(element func(list string, n int) int32) carry.Holder {
	s := &c.snap
	return func(list string, n int, name string) []byte {
		i := s.Root
		if list != "" {
			if i = model.None; element != nil {
				i = element(list, n)
			}
		}
		if i == model.None {
			return nil
		}
		v, _ := s.Attribute(i, name)
		return s.RawOrNil(v)
	}
}

// units keeps how each item or element differs, and the answer around them.
func (k *keeper) units(back []byte) {
	c, s := k.c, &k.c.snap
	limit := c.opts.maxDepth()
	src := carry.Split(c.src[c.start():], shapeOf[c.from], limit)
	have := carry.Split(back, shapeOf[c.from], limit)
	order := preorder(s)
	var root [][]byte
	marked := c.diags.Counts[diag.OrphanParent] > 0 // or the root carries what belongs to others
	if c.from == V01 {
		listed := int(s.Root) < len(src.Units)
		if part := forceRoot(&have, len(order), listed); part != nil {
			root = append(root, part)
		}
		if !listed {
			order = order[1:]
		}
		column := k.column(&src, order)
		root, marked = append(root, column...), marked || len(column) > 0
	}
	want := k.answerOf(&src, order)
	if c.diags.Counts[diag.SelectionPlaced] > 0 {
		// which have no parent, and stand where the focus is
		if list, ok := placesIn(&have, have.Answer); ok {
			root, marked = append(root, strconv.AppendInt([]byte(`"placed":`), int64(append(list, -1)[0]), 10)), true
		}
	}
	if c.from == V01 {
		if part := keptFocus(&have, want); part != nil {
			root, marked = append(root, part), true
			have.Answer, want = with(have.Answer, "focus", nil), with(want, "focus", nil)
		}
	}
	if answer := carry.Diff(have.Answer, want, carry.Rules{}); answer != nil {
		root = append(root, append([]byte(`"answer":`), carry.Bind(answer, c.holder(nil))...))
		marked = marked || c.from == V01 && jsontree.Member(answer, "focus") != nil
	}
	rules := unitRules(c.from)
	var kept []keptUnit
	secure := []byte(`"units":{`) // secure elements have no attributes to carry anything
	for n, i := range order {
		if n >= len(have.Units) {
			break
		}
		before, after := have.Units[n].Members, src.Units[i].Members
		if c.isSecure(i) {
			before, after = c.harmless(before, c.from), c.harmless(after, c.from)
		}
		was := carry.Diff(before, after, rules)
		switch {
		case was == nil:
		case c.isSecure(i):
			if secure[len(secure)-1] != '{' {
				secure = append(secure, ',')
			}
			secure = append(strconv.AppendInt(append(secure, '"'), int64(n), 10), '"', ':')
			secure = append(secure, was...)
		case i == s.Root:
			root = append(root, append([]byte(`"was":`), was...))
		default:
			kept = append(kept, keptUnit{i, n, was})
		}
	}
	if !c.isSecure(s.Root) {
		like, rest := inSameWords(kept, len(have.Units))
		if kept = rest; like != nil {
			root, marked = append(root, like), true
		}
	}
	for _, u := range kept {
		k.put(k.unitOf(u.elem), append([]byte(`"was":`), u.was...))
	}
	if secure[len(secure)-1] != '{' {
		root = append(root, append(secure, '}'))
		marked = true
	}
	if marked {
		root = append(root, slices.Concat([]byte(`"each":"`), marksOf(&have), []byte{'"'}))
	}
	if len(root) > 0 && !c.isSecure(s.Root) {
		k.root(root...)
	}
}

// answerOf are the members of the answer that may be kept: of the focus list, no
// ids of what was withheld.
func (k *keeper) answerOf(src *carry.Doc, order []int32) []carry.Member {
	c := k.c
	if c.from != V01 || !c.snap.Secure || c.opts.KeepSecure {
		return src.Answer
	}
	out := append([]carry.Member(nil), src.Answer...)
	kept := map[int32]bool{}
	for _, i := range order {
		kept[i] = true
	}
	for n, m := range out {
		if jsontree.EqualText(m.Name, "focus") && jsontree.KindOf(m.Value) == jsontree.Array {
			list := []byte{'['}
			jsontree.Entries(m.Value, func(e []byte) bool {
				if i := c.find(e); i != model.None && !kept[i] && i != c.snap.Root {
					return true
				}
				if len(list) > 1 {
					list = append(list, ',')
				}
				list = jsontree.AppendCompact(list, e)
				return true
			})
			out[n].Value = append(list, ']')
		}
	}
	return out
}

// find is the first element of an id that is a string.
func (c *Converter) find(raw []byte) int32 {
	if raw[0] != '"' {
		return model.None
	}
	return c.snap.Find(jsontree.Unquote(raw))
}

// preorder are the elements in document order.
func preorder(s *model.Snapshot) (order []int32) {
	for i := s.Root; i != model.None; i, _ = s.After(i, s.Root) {
		order = append(order, i)
	}
	return order
}

// unitOf is the unit of the output that an element became.
func (k *keeper) unitOf(i int32) int {
	if k.index == nil {
		k.index = map[int32]int{}
		order := preorder(&k.c.snap)
		skip := len(order) - len(k.out.Units) // a list may lack the root
		for n, e := range order {
			k.index[e] = n - skip
		}
	}
	return k.index[i]
}

// root puts what is kept into the root, which a list may have to be given.
func (k *keeper) root(parts ...[]byte) {
	s := &k.c.snap
	if k.to == V01 && len(k.out.Units) < len(preorder(s)) {
		id := s.Raw(s.Elements[s.Root].ID)
		for n := range k.out.Units {
			u := &k.out.Units[n]
			if carry.Index(u.Members, "parent") < 0 {
				at := carry.Index(u.Members, "type") + 1
				ms := append([]carry.Member(nil), u.Members[:at]...)
				u.Members = append(append(ms, carry.Member{Name: []byte(`"parent"`), Value: id}), u.Members[at:]...)
			}
		}
		k.out.Units = append([]carry.Unit{bareRoot(id)}, k.out.Units...)
		k.index = nil
	}
	k.put(0, parts...)
}

// put puts what is kept into a unit.
func (k *keeper) put(unit int, parts ...[]byte) {
	u := &k.out.Units[unit]
	holder := holderOf(k.to)
	at := carry.Index(u.Members, holder)
	var inner []carry.Member
	if at >= 0 {
		if inner = carry.MembersOf(u.Members[at].Value); len(inner) == 0 {
			parts = append(parts, []byte(`"empty":true`))
		}
	}
	value := []byte(`{"v":1,"of":"` + k.c.from.String() + `",`)
	value = append(append(value, bytes.Join(parts, []byte{','})...), '}')
	inner = carry.Put(inner, value)
	m := carry.Member{Name: jsontree.AppendQuoted(nil, []byte(holder)), Value: carry.AppendMembers(nil, inner)}
	if at >= 0 {
		u.Members[at] = m
	} else {
		u.Members = append(u.Members, m)
	}
}
