package v01

import (
	"slices"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
	"ctxmigrate/translate/wire"
)

// tree makes the items that were read a tree. Each element has the index of its
// item; a root that is made up comes last.
func (d *Decoder) tree() {
	s, c := d.S, d.C
	n := len(d.items)
	d.Identify(nil)
	d.types()
	d.findRoot()
	d.parents()
	d.lift()
	d.resolveFocus()
	if d.waiting {
		d.placeLoose()
	}
	ordered := true
	for i := range d.items {
		if int32(i) != s.Root && !d.items[i].drop {
			up := d.items[i].up
			if up == atRoot {
				up = s.Root
			}
			s.Link(up, int32(i))
		}
	}
	last := None
	for i := s.Root; i != None; i, _ = s.After(i, s.Root) {
		if i < last && int(last) < n {
			ordered = false
		}
		last = i
		if int(i) < n {
			d.assign(i)
		}
	}
	if !ordered {
		c.Add(diag.OrderChanged, 0)
	}
	d.markFocus()
	d.Noted |= d.Join(0, s.Root, wire.IsState)
	if !d.opts.KeepSecure {
		d.Withhold()
		if s.Secure {
			d.forgetWithheld()
		}
	}
	d.tellParents()
}

// None is model.None, which this file names often.
const None = model.None

// types tells the types that are not known or missing, and marks secure ones.
func (d *Decoder) types() {
	if !d.oddType {
		return
	}
	s, c := d.S, d.C
	for i := range d.items {
		it := &d.items[i]
		e := &s.Elements[i]
		if it.typ.IsZero() {
			c.AddArgs(diag.TypeMissing, e.At, e.ID, model.Span{})
			continue
		}
		f := d.words.of(s.Text(it.typ))
		if f.secure {
			e.Secure, s.Secure = true, true
		}
		if !f.known {
			d.tellUnknown(it)
		}
	}
}

// tellUnknown tells of a type word that is not known, once a word.
func (d *Decoder) tellUnknown(it *item) {
	if d.unknown == nil {
		d.unknown = map[string]int{}
	}
	c, word := d.C, d.S.Text(it.typ)
	if k, ok := d.unknown[string(word)]; ok {
		c.Records[k].Count++
		return
	}
	d.unknown[string(word)] = len(c.Records)
	c.AddArgs(diag.TypeUnknown, it.typ.Off, it.typ, model.Span{})
	c.Records[len(c.Records)-1].Count = 1
}

// forgetWithheld leaves the type words of items that were withheld, because they
// stand below a secure one, out of what is told.
func (d *Decoder) forgetWithheld() {
	s, c := d.S, d.C
	if c.Counts[diag.TypeUnknown] == 0 {
		return
	}
	c.Records = slices.DeleteFunc(c.Records, func(r diag.Record) bool { return r.Code == diag.TypeUnknown })
	c.Counts[diag.TypeUnknown] = 0
	clear(d.unknown)
	there := d.marks()
	for i := s.Root; i != None; i, _ = s.After(i, s.Root) {
		if int(i) < len(there) {
			there[i] = 1
		}
	}
	for i := range d.items {
		if it := &d.items[i]; there[i] == 1 && !it.typ.IsZero() && !d.words.of(s.Text(it.typ)).known {
			d.tellUnknown(it)
		}
	}
}

// isApplication reports whether an item without a parent would be one.
func (d *Decoder) isApplication(it *item) bool {
	if it.role != model.Unknown {
		return it.role == model.Application
	}
	return !it.rule.Entry && it.rule.Role == model.Application
}

func (d *Decoder) findRoot() {
	s := d.S
	for i := range d.items {
		it := &d.items[i]
		if it.parent.IsZero() && !it.drop && d.isApplication(it) {
			s.Root = int32(i)
			it.loose = false
			return
		}
	}
	id := s.MakeID("app")
	s.Root = s.Add(0)
	s.Claim(s.Root, id)
	root := &s.Elements[s.Root]
	root.Role = model.Application
	if d.opts.AppTitle != "" {
		root.Title = s.MakeString(d.opts.AppTitle)
	}
	d.C.Add(diag.RootMadeUp, 0)
}

// parents finds the parent of each item, and cuts the rings.
func (d *Decoder) parents() {
	s, c := d.S, d.C
	for i := range d.items {
		it := &d.items[i]
		switch {
		case int32(i) == s.Root:
		case it.loose:
			it.up, d.waiting = unready, true
		case !it.parent.IsZero():
			if it.up = s.Find(s.Text(it.parent)); it.up == None {
				it.up = atRoot
				c.AddArgs(diag.OrphanParent, it.parent.Off, s.Elements[i].ID, it.parent)
			}
		}
	}
	// A parent that comes earlier in the list is no danger; the walk below is for
	// the others.
	back := false
	for i := range d.items {
		back = back || d.items[i].up >= int32(i)
	}
	if !back {
		return
	}
	seen := d.marks() // 0 not seen, else 1 + the item whose walk saw it first
	for i := range d.items {
		k := int32(i)
		for k >= 0 && seen[k] == 0 {
			seen[k] = int32(i) + 1
			k = d.items[k].up
		}
		if k >= 0 && seen[k] == int32(i)+1 {
			d.cut(k)
		}
	}
}

// marks is working memory of a zero for each item.
func (d *Decoder) marks() []int32 {
	d.memo = d.memo[:0]
	for range d.items {
		d.memo = append(d.memo, 0)
	}
	return d.memo
}

// cut ends the ring that k is on, at its first item.
func (d *Decoder) cut(k int32) {
	s := d.S
	first := k
	for j := d.items[k].up; j != k; j = d.items[j].up {
		first = min(first, j)
	}
	from := len(s.Made)
	for j := first; ; {
		s.Made = append(s.Made, s.Raw(s.Elements[j].ID)...)
		if j = d.items[j].up; j == first {
			break
		}
		s.Made = append(s.Made, ", "...)
	}
	d.C.AddArgs(diag.ParentCycle, d.items[first].parent.Off, s.MadeSince(from, false), model.Span{})
	d.items[first].up = atRoot
}

// placeLoose puts the selections without a parent under the deepest element of
// the focused path, found without them.
func (d *Decoder) placeLoose() {
	s := d.S
	at := d.position()
	if at == s.Root {
		at = None
	}
	d.waiting = false
	for i := range d.items {
		it := &d.items[i]
		if !it.loose {
			continue
		}
		it.up = atRoot
		if at != None {
			it.up = at
		}
		d.C.AddArgs(diag.SelectionPlaced, s.Elements[i].At, s.Elements[i].ID, model.Span{})
	}
}

// kept is the nearest item above one that is dropped that is not, or None for
// the root. The way is shortened for those who come later.
func (d *Decoder) kept(k int32) int32 {
	end := k
	for end >= 0 && d.items[end].drop {
		end = d.items[end].up
	}
	for k != end {
		next := d.items[k].up
		d.items[k].up = end
		k = next
	}
	return end
}

// lift takes items that the mapping file drops out of the tree: what is in them
// goes to where they were.
func (d *Decoder) lift() {
	if d.opts.Mapping == nil {
		return
	}
	for i := range d.items {
		it := &d.items[i]
		if it.drop {
			d.C.AddArgs(diag.TypeDropped, d.S.Elements[i].At, d.S.Elements[i].ID, model.Span{})
		}
		if it.up >= 0 && d.items[it.up].drop {
			it.up = d.kept(it.up)
		}
	}
}

// assign gives an element its role, subrole and state; its parent has them.
func (d *Decoder) assign(i int32) {
	s, it := d.S, &d.items[i]
	e := &s.Elements[i]
	rule := it.rule
	e.Selected = rule.Selection && it.state == model.Unstated || it.state == model.Shown
	switch {
	case it.role != model.Unknown:
		e.Role = it.role
	case rule.Selection:
		if e.Role = rule.Role; onlyImages(s, e.Content) && !d.withholds(i) {
			e.Role = model.Image
		}
	default:
		entries := model.Unknown
		if p := e.Parent; p != None && int(p) < len(d.items) {
			entries = d.items[p].table
		}
		e.Role = rule.roleUnder(s, e.Parent, entries)
	}
	if i == s.Root {
		e.Role = model.Application
	} else if e.Role == model.Application {
		d.C.AddArgs(diag.SecondApplication, e.At, e.ID, model.Span{})
	}
	it.table = rule.Entries
	plain := it.role == model.Unknown && it.sub.IsZero() && rule.Subrole == nil && !e.Selected && !rule.Selection && !it.typ.IsZero()
	switch {
	case plain:
		// The common case: the type word is written again as it is, so that it will be
		// read as it was.
		it.later = rule.Entries
		if it.word != e.Role {
			e.Subrole = it.typ
		} else {
			it.later = roleRules[e.Role].Entries
		}
		if d.loosened(i) {
			d.C.AddArgs(diag.TypeReplaced, it.typ.Off, e.ID, model.Span{})
		}
		return
	case !it.sub.IsZero():
		e.Subrole = it.sub
		if !e.Secure && d.opts.Words.Secure(s.Text(it.sub)) {
			e.Secure, s.Secure = true, true
		}
	case it.typ.IsZero():
	case rule.Subrole != nil && !e.Secure:
		if *rule.Subrole != "" {
			e.Subrole = s.MakeString(*rule.Subrole)
		}
	default:
		word := s.Text(it.typ)
		if string(word) != e.Role.Lower() && !(string(word) == "selection" && e.Selected && e.Role == model.Text) {
			e.Subrole = it.typ
		}
	}
	typ := typeOf(s, i, &d.words)
	it.later = typ.rule.Entries
	if !it.typ.IsZero() && (!typ.same(s, it.typ) || d.loosened(i)) {
		d.C.AddArgs(diag.TypeReplaced, it.typ.Off, e.ID, model.Span{})
	}
}

// withholds reports whether the content of an item is withheld, by which nothing is
// decided.
func (d *Decoder) withholds(i int32) bool {
	sub := d.items[i].sub
	return !d.opts.KeepSecure && (d.S.Elements[i].Secure || !sub.IsZero() && d.opts.Words.Secure(d.S.Text(sub)))
}

// loosened reports whether an item has its role from a table of which the type is
// replaced, so that its own type says the role no more.
func (d *Decoder) loosened(i int32) bool {
	it, p := &d.items[i], d.S.Elements[i].Parent
	return it.role == model.Unknown && it.rule.Entry && p != None && int(p) < len(d.items) &&
		d.S.Elements[p].Role == model.Table && d.items[p].table != d.items[p].later
}

// onlyImages reports whether content has an image and no text.
func onlyImages(s *model.Snapshot, content model.Span) bool {
	if content.IsZero() {
		return false
	}
	image, text := false, false
	jsontree.Entries(s.Raw(content), func(block []byte) bool {
		switch typ := jsontree.Member(block, "type"); {
		case jsontree.EqualText(typ, "image"):
			image = true
		case jsontree.EqualText(typ, "text"):
			text = true
		}
		return !text
	})
	return image && !text
}

// tellParents tells of the items that have no parent now and have the root as
// one on the way back.
func (d *Decoder) tellParents() {
	if !RootSaysNothing(d.S) {
		d.tellAllParents()
	}
}

// KeepRoot tells what follows where the root of the answer that was read last will
// have something to say, so that it is an item on the way back: it will where the
// answer becomes a packet.
func (d *Decoder) KeepRoot() {
	if RootSaysNothing(d.S) {
		d.tellAllParents()
	}
}

func (d *Decoder) tellAllParents() {
	s := d.S
	for i := s.Elements[s.Root].First; i != None; i = s.Elements[i].Next {
		if it := &d.items[i]; it.parent.IsZero() && !it.loose {
			d.C.AddArgs(diag.ParentMadeExplicit, s.Elements[i].At, s.Elements[i].ID, model.Span{})
		}
	}
}
