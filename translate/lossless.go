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

// bareRoot is a root as an item that says nothing.
func bareRoot(id []byte) carry.Unit {
	return carry.Unit{Parent: -1, Members: []carry.Member{
		{Name: []byte(`"id"`), Value: id}, {Name: []byte(`"type"`), Value: []byte(`"application"`)}}}
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
		v, ok := s.Attribute(i, name)
		if !ok {
			return nil
		}
		return s.Raw(v)
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
		like, rest := alike(kept, len(have.Units))
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

// keptUnit is what is kept of a unit.
type keptUnit struct {
	elem int32 // the element
	n    int   // its place in document order
	was  []byte
}

// alike takes out what is kept of many units in the same words, and answers how the
// root is to carry it, and what is left: the patch once, with the places of the units,
// as where a row of them begins and how many they are. It is nil where that would be no
// shorter.
func alike(kept []keptUnit, units int) (like []byte, rest []keptUnit) {
	const wrapper = len(`,"payload":{"ctxmigrate":{"v":1,"of":"0.2.0","was":}}`)
	places := map[string][]int{}
	var words []string
	for _, u := range kept {
		if places[string(u.was)] == nil {
			words = append(words, string(u.was))
		}
		places[string(u.was)] = append(places[string(u.was)], u.n)
	}
	saved := -carry.MarkLen*units - 4*wrapper // the root may have to be an item for it
	like = []byte(`"like":[`)
	for _, was := range words {
		at := places[was]
		if len(at) < 3 {
			continue
		}
		if like[len(like)-1] != '[' {
			like = append(like, ',')
		}
		from := len(like)
		like = append(append(append(like, `{"was":`...), was...), `,"at":[`...)
		for k := 0; k < len(at); {
			end := k + 1
			for end < len(at) && at[end] == at[end-1]+1 {
				end++
			}
			like = strconv.AppendInt(append(strconv.AppendInt(like, int64(at[k]), 10), ','), int64(end-k), 10)
			like = append(like, ',')
			k = end
		}
		like = append(like[:len(like)-1], ']', '}')
		saved += len(at)*(len(was)+wrapper) - (len(like) - from)
	}
	if saved <= 0 {
		return nil, kept
	}
	for _, u := range kept {
		if len(places[string(u.was)]) < 3 {
			rest = append(rest, u)
		}
	}
	return append(like, ']'), rest
}

// isSecure reports whether an element is one of which something is withheld.
func (c *Converter) isSecure(i int32) bool { return c.snap.Elements[i].Secure && !c.opts.KeepSecure }

// harmless are the members of a secure item or element that are passed on: id, role,
// subrole, title, states, and where it stands. What is not read as one of these, be it
// of such a name, is withheld, and so is the name of what is not known.
func (c *Converter) harmless(list []carry.Member, form Form) (out []carry.Member) {
	for _, m := range list {
		if c.isHarmless(string(jsontree.Unquote(m.Name)), m.Value, form) {
			out = append(out, m)
		}
	}
	return out
}

// passedOn are the kinds of values that members have which are passed on of what is
// secure, and those which pass as absent.
var passedOn = map[Form]map[string][]jsontree.Kind{
	V01: {"id": idKinds, "parent": idKinds, "type": textKinds, "title": textKinds, "locatable": truthKinds,
		"url": absent, "content": absent, "payload": absent},
	V020: {"id": idKinds, "role": textKinds, "subrole": textKinds, "title": textKinds,
		"selected": truthKinds, "focused": truthKinds, "visible": truthKinds, "hovered": truthKinds,
		"url": absent, "content": absent, "attributes": absent, "children": absent},
}

var (
	absent     = []jsontree.Kind{jsontree.Null}
	truthKinds = []jsontree.Kind{jsontree.Null, jsontree.Bool}
	textKinds  = []jsontree.Kind{jsontree.Null, jsontree.String}
	idKinds    = []jsontree.Kind{jsontree.Null, jsontree.String, jsontree.Number}
)

func (c *Converter) isHarmless(name string, v []byte, form Form) bool {
	kind := jsontree.KindOf(v)
	switch {
	case slices.Contains(passedOn[form][name], kind):
		return true
	case form == V020:
		return name == "children" && string(v) == "[]"
	case name == "payload":
		return kind == jsontree.Object && c.onlySteers(v)
	}
	return c.steers(name, v)
}

// onlySteers reports whether a payload says nothing but a role, a subrole and
// states.
func (c *Converter) onlySteers(payload []byte) bool {
	ok := true
	jsontree.Members(payload, func(name, v []byte) bool {
		ok = c.steers(string(jsontree.Unquote(name)), v)
		return ok
	})
	return ok
}

// steers reports whether a member of the payload of a secure item is read as its
// role, its subrole or a state.
func (c *Converter) steers(name string, v []byte) bool {
	switch name {
	case "role":
		return v[0] == '"' && model.ParseRole(jsontree.Unquote(v)) != model.Unknown
	case "subrole":
		return v[0] == '"' && c.words.Secure(jsontree.Unquote(v)) // no other takes the place of a secure one
	case "selected", "focused", "visible", "hovered":
		return jsontree.KindOf(v) == jsontree.Bool
	}
	return false
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

// column keeps, for the whole list, the order of the items and whether each is
// locatable, both in the order of the tree.
func (k *keeper) column(src *carry.Doc, order []int32) (parts [][]byte) {
	at := make(map[int32]int, len(order))
	for n, i := range order {
		at[i] = n
	}
	moved := false
	list := []byte(`"order":[`)
	last := -1
	for i := range src.Units {
		n, ok := at[int32(i)]
		if !ok {
			continue
		}
		moved = moved || n < last
		last = n
		if list[len(list)-1] != '[' {
			list = append(list, ',')
		}
		list = strconv.AppendInt(list, int64(n), 10)
	}
	if moved {
		parts = append(parts, append(list, ']'))
	}
	marks := []byte(`"locatable":"`)
	none := len(marks)
	for n, i := range order {
		mark := byte('-')
		u := &src.Units[i]
		for m := range u.Members {
			if jsontree.EqualText(u.Members[m].Name, "locatable") && jsontree.KindOf(u.Members[m].Value) == jsontree.Bool {
				if mark = '0'; u.Members[m].Value[0] == 't' {
					mark = '1'
				}
				u.Members = append(u.Members[:m:m], u.Members[m+1:]...)
				break
			}
		}
		if mark != '-' {
			for len(marks) < none+n {
				marks = append(marks, '-')
			}
			marks = append(marks, mark)
		}
	}
	if len(marks) > none {
		parts = append(parts, append(marks, '"'))
	}
	return parts
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

// keptFocus is how a focus list is kept, of which all entries are ids of units: where
// in document order that is which stands there otherwise, -1 if none, then all of them.
// It is nil of any other list, and of one that comes back as it was.
func keptFocus(have *carry.Doc, want []carry.Member) []byte {
	was, ok := placesIn(have, want)
	is, okToo := placesIn(have, have.Answer)
	if !ok || !okToo || slices.Equal(was, is) {
		return nil
	}
	part := []byte(`"focus":[`)
	for k, n := range append(append(is, -1)[:1:1], was...) {
		if k > 0 {
			part = append(part, ',')
		}
		part = strconv.AppendInt(part, int64(n), 10)
	}
	return append(part, ']')
}

// placesIn are the places, in document order, of the units that are in the focus list
// of an answer; it answers false where that is no list of ids of units.
func placesIn(d *carry.Doc, answer []carry.Member) (places []int, ok bool) {
	k := carry.Index(answer, "focus")
	if k < 0 || jsontree.KindOf(answer[k].Value) != jsontree.Array {
		return nil, false
	}
	at := map[string]int{}
	for n, u := range d.Units {
		id := string(memberOf(u, "id"))
		if _, twice := at[id]; !twice {
			at[id] = n
		}
	}
	ok = true
	jsontree.Entries(answer[k].Value, func(e []byte) bool {
		var n int
		n, ok = at[string(e)]
		ok = ok && e[0] == '"'
		places = append(places, n)
		return ok
	})
	return places, ok
}

// marksOf are the marks of all units, in order.
func marksOf(d *carry.Doc) (marks []byte) {
	for _, u := range d.Units {
		var parent []byte
		if k := carry.Index(u.Members, "parent"); u.Parent >= 0 {
			parent = memberOf(d.Units[u.Parent], "id")
		} else if k >= 0 {
			parent = u.Members[k].Value
		}
		marks = carry.AppendMark(marks, memberOf(u, "id"), parent)
	}
	return marks
}

// forceRoot makes the root an item of a list, or none, and answers what must be
// kept to do the same again; nil where it was so.
func forceRoot(d *carry.Doc, elements int, listed bool) []byte {
	is := len(d.Units) == elements
	switch {
	case is == listed:
		return nil
	case listed:
		d.Units = append([]carry.Unit{bareRoot([]byte(`"app"`))}, d.Units...)
		return []byte(`"root":{"listed":true}`)
	}
	root := d.Units[0].Members
	fp := carry.Fingerprint(carry.AppendMembers(nil, root))
	id := root[0].Value
	d.Units = d.Units[1:]
	for n := range d.Units {
		ms := d.Units[n].Members
		for m := range ms {
			if jsontree.EqualText(ms[m].Name, "parent") && jsontree.EqualStrings(ms[m].Value, id) {
				d.Units[n].Members = append(ms[:m:m], ms[m+1:]...)
				break
			}
		}
	}
	return []byte(`"root":{"listed":false,"for":"` + fp + `"}`)
}
