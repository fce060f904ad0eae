package translate

import (
	"bytes"
	"slices"
	"strconv"

	"ctxmigrate/translate/carry"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
)

// restorer makes of a list or a tree, as it is plainly written, what was carried. What
// it is told of stands for the units as they are written at first.
type restorer struct {
	c     *Converter
	doc   *carry.Doc
	to    Form
	root  carry.Found // what the root carries
	order []int32     // the elements, as the units
	gone  int         // of what the root carries, how much no longer fits

	ids, parents [][]byte // raw, of each unit
	focus        []byte   // the focus list; of a tree nothing is in it
	moved        []int    // by the unit that it was, which one it is now, or -1
	same         bool     // the units are those that they were
}

func (r *restorer) restore(byElement map[int32]carry.Found, answer []byte) {
	if r.to == V01 {
		if root := r.root.Field("root"); root != nil {
			r.forceRoot(root)
		}
		if len(r.doc.Units) < len(r.order) {
			r.order = r.order[1:] // the root is no item
		}
	}
	for _, u := range r.doc.Units {
		r.ids, r.parents = append(r.ids, memberOf(u, "id")), append(r.parents, memberOf(u, "parent"))
	}
	r.focus = []byte("[]")
	if k := carry.Index(r.doc.Answer, "focus"); k >= 0 && r.to == V01 {
		r.focus = r.doc.Answer[k].Value
	}
	if each := r.root.Field("each"); each != nil {
		r.moved, r.same = matched(jsontree.Unquote(each), marksOf(r.doc))
	}
	r.units(byElement)
	r.answer(answer)
	r.secure()
	if r.to == V01 {
		r.listed()
		r.links()
	}
	r.column()
	r.c.stale(r.c.snap.Root, r.gone)
}

// forceRoot makes the root an item, or none, as it was.
func (r *restorer) forceRoot(root []byte) {
	listed := string(jsontree.Member(root, "listed")) == "true"
	if !listed && len(r.doc.Units) == len(r.order) &&
		!jsontree.EqualText(jsontree.Member(root, "for"), carry.Fingerprint(carry.AppendMembers(nil, r.doc.Units[0].Members))) {
		r.gone++
		return
	}
	forceRoot(r.doc, len(r.order), listed)
}

// units puts back what each unit was.
func (r *restorer) units(byElement map[int32]carry.Found) {
	inner := map[int]bool{} // the units that have others in them
	for _, u := range r.doc.Units {
		inner[u.Parent] = true
	}
	like, lost := likeOf(r.root.Field("like"), r.moved)
	r.gone += lost
	for n, i := range r.order {
		for _, was := range [][]byte{byElement[i].Field("was"), like[n]} {
			if was == nil || n >= len(r.doc.Units) || r.c.isSecure(i) {
				continue
			}
			more := 0
			if r.to == V020 && inner[n] {
				was, more = carry.Without(was, "children") // there were none
			}
			before := r.doc.Units[n].Members
			after, old := carry.Apply(before, was, holderOf(r.to))
			if r.stays(before, after) {
				after = with(after, "parent", r.parents[n])
				old++
			}
			r.doc.Units[n].Members = after
			r.c.stale(i, old+more)
		}
	}
}

// stays reports whether an item that had no parent, since it was a selection and stood
// where the focus was, must say now where it stands: it is none, or the focus has gone.
func (r *restorer) stays(before, after []carry.Member) bool {
	placed, k := r.root.Field("placed"), carry.Index(before, "parent")
	if placed == nil || k < 0 || carry.Index(after, "parent") >= 0 || bytes.Equal(before[k].Value, r.c.snap.Raw(r.c.snap.Elements[r.c.snap.Root].ID)) {
		return false
	}
	is, _, ok := r.focusLists(slices.Concat([]byte{'['}, placed, []byte{']'}))
	return !r.same || !ok || !bytes.Equal(r.focus, is) || !isSelection(after)
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

// answer puts back what is around items or root, but nothing that would make the
// document one of another form.
func (r *restorer) answer(patch []byte) {
	patch, n := carry.Without(patch, map[Form]string{V01: "items", V020: "root"}[r.to])
	r.gone += n
	if r.to == V01 && !r.same { // what is in focus is said of all items
		patch, n = carry.Without(patch, "focus")
		r.gone += n
	}
	protocol := r.doc.Answer[carry.Index(r.doc.Answer, "protocol")]
	r.doc.Answer, n = carry.Apply(r.doc.Answer, patch, "")
	r.gone += n
	if k := carry.Index(r.doc.Answer, "protocol"); k >= 0 && jsontree.KindOf(r.doc.Answer[k].Value) != jsontree.Null {
		if form, _, _ := formOf(r.doc.Answer[k].Value, nil); form != r.to {
			r.doc.Answer[k] = protocol
			r.gone++
		}
	}
}

// listed puts back the focus list, of which it is kept where its entries, and what
// stands there otherwise, are.
func (r *restorer) listed() {
	list := r.root.Field("focus")
	if list == nil {
		return
	}
	k := carry.Index(r.doc.Answer, "focus")
	is, was, ok := r.focusLists(list)
	if !r.same || !ok || k < 0 || !bytes.Equal(r.doc.Answer[k].Value, is) {
		r.gone++
		return
	}
	r.doc.Answer[k].Value = was
}

func (r *restorer) focusLists(kept []byte) (is, was []byte, ok bool) {
	return focusLists(kept, len(r.ids), func(n int) []byte { return r.ids[n] })
}

// secure puts back what the root carries of secure elements, but nothing that they
// would not be passed on with.
func (r *restorer) secure() {
	units := r.root.Field("units")
	if units == nil {
		return
	}
	jsontree.Members(units, func(name, was []byte) bool {
		k, err := strconv.Atoi(string(jsontree.Unquote(name)))
		if err != nil || k < 0 || k >= len(r.moved) || r.moved[k] < 0 || r.moved[k] >= min(len(r.doc.Units), len(r.order)) {
			r.gone++
			return true
		}
		n := r.moved[k]
		before := r.doc.Units[n].Members
		after, old := carry.Apply(before, was, holderOf(r.to))
		r.gone += old
		if r.c.isSecure(r.order[n]) {
			after = r.c.passable(before, after, r.to)
		}
		r.doc.Units[n].Members = after
		return true
	})
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

// links takes back what was put back of ids and parents and would lead elsewhere than
// the tree that was edited: an id that parents or the focus now name, and, where units
// were changed, a parent that there was not and now is.
func (r *restorer) links() {
	named := map[string]bool{}
	for n, u := range r.doc.Units {
		if parent := memberOf(u, "parent"); !r.same && bytes.Equal(parent, r.parents[n]) {
			named[string(parent)] = true
		}
	}
	if k := carry.Index(r.doc.Answer, "focus"); k >= 0 && bytes.Equal(r.doc.Answer[k].Value, r.focus) {
		jsontree.Entries(r.focus, func(e []byte) bool {
			named[string(e)] = true
			return true
		})
	}
	there := map[string]bool{}
	for n := range r.doc.Units {
		u, id := &r.doc.Units[n], memberOf(r.doc.Units[n], "id")
		there[string(r.ids[n])] = true
		if named[string(r.ids[n])] && (id == nil || idText(id) != idText(r.ids[n])) {
			u.Members = with(u.Members, "id", r.ids[n])
			r.gone++
		}
	}
	if r.moved == nil || r.same {
		return
	}
	for n := range r.doc.Units {
		u, parent := &r.doc.Units[n], memberOf(r.doc.Units[n], "parent")
		if parent != nil && there[string(parent)] && !bytes.Equal(parent, r.parents[n]) {
			u.Members = with(u.Members, "parent", r.parents[n])
			r.gone++
		}
	}
}

// column puts back whether items are locatable, and their order.
func (r *restorer) column() {
	if marks := r.root.Field("locatable"); marks != nil {
		for k, m := range jsontree.Unquote(marks) {
			switch {
			case m == '-':
			case k >= len(r.moved) || r.moved[k] < 0 || r.moved[k] >= len(r.doc.Units):
				r.gone++
			default:
				u := &r.doc.Units[r.moved[k]]
				if carry.Index(u.Members, "locatable") < 0 {
					u.Members = append(u.Members, carry.Member{Name: []byte(`"locatable"`), Value: strconv.AppendBool(nil, m == '1')})
				}
			}
		}
	}
	list := r.root.Field("order")
	if list == nil {
		return
	}
	var in ordering
	if !r.same || !in.read(list, len(r.doc.Units)) {
		r.gone++
		return
	}
	units := make([]carry.Unit, 0, len(r.doc.Units))
	for _, n := range in.taken {
		units = append(units, r.doc.Units[n])
	}
	r.doc.Units = units
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
