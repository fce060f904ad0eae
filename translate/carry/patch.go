package carry

import (
	"bytes"
	"encoding/hex"
	"strconv"

	"ctxmigrate/translate/jsontree"
)

// Member is a member of an object: raw name and raw value.
type Member struct{ Name, Value []byte }

// MembersOf are the members of a raw object.
func MembersOf(object []byte) (list []Member) {
	jsontree.Members(object, func(n, v []byte) bool {
		list = append(list, Member{n, v})
		return true
	})
	return list
}

// AppendMembers appends members as an object.
func AppendMembers(dst []byte, list []Member) []byte {
	dst = append(dst, '{')
	for i, m := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(dst, m.Name...), ':')
		dst = jsontree.AppendCompact(dst, m.Value)
	}
	return append(dst, '}')
}

// Fingerprint is a short mark of what a raw value says: white space and the
// spelling of strings do not change it. It is FNV-1a of the tokens, 32 bits.
func Fingerprint(raw []byte) string {
	h := hash(fnvBasis, raw)
	return hex.EncodeToString([]byte{byte(h >> 24), byte(h >> 16), byte(h >> 8), byte(h)})
}

// MarkLen is the length of what AppendMark appends.
const MarkLen = 3 // more would not be worth its room

// AppendMark appends a mark of an element, by its id and that of its parent, each a raw
// value or nothing.
func AppendMark(dst, id, parent []byte) []byte {
	h := hash(fnv(hash(fnvBasis, id), []byte{','}), parent)
	h ^= h >> 18 // as much as is written, six bits a character
	return append(dst, digits[h>>12&63], digits[h>>6&63], digits[h&63])
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_" // RFC 4648, section 5

// hash goes on with a fingerprint.
func hash(h uint32, raw []byte) uint32 {
	for i := 0; i < len(raw); {
		end := i + 1
		switch raw[i] {
		case ' ', '\t', '\n', '\r':
			i = end
			continue
		case '"':
			end = jsontree.StringEnd(raw, i)
		}
		token := raw[i:end]
		i = end
		if len(token) > 2 && bytes.IndexByte(token, '\\') >= 0 {
			h = fnv(fnv(fnv(h, token[:1]), jsontree.Unquote(token)), token[:1])
			continue
		}
		h = fnv(h, token)
	}
	return h
}

const fnvBasis uint32 = 2166136261

func fnv(h uint32, b []byte) uint32 {
	for _, c := range b {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}

// same reports whether two raw values are the same text, white space aside.
func same(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	for {
		a, b = bytes.TrimLeft(a, " \t\r\n"), bytes.TrimLeft(b, " \t\r\n")
		if len(a) == 0 || len(b) == 0 {
			return len(a) == len(b)
		}
		n := 1
		if a[0] == '"' {
			n = jsontree.StringEnd(a, 0)
		}
		if len(b) < n || !bytes.Equal(a[:n], b[:n]) {
			return false
		}
		a, b = a[n:], b[n:]
	}
}

// Index is the place of the member of that name, -1 where there is none.
func Index(list []Member, name string) int {
	for i := range list {
		if jsontree.EqualText(list[i].Name, name) {
			return i
		}
	}
	return -1
}

func find(list []Member, name []byte) int {
	for i := range list {
		if jsontree.EqualStrings(list[i].Name, name) {
			return i
		}
	}
	return -1
}

// Rules say how far a patch goes.
type Rules struct {
	Inside func(name string) bool // objects and lists of that name are patched inside
	Depth  int                    // how many levels; at the last values are replaced whole
	Up     string                 // the member that unknown members were moved into, and whose order matters

	// entries says that what is patched are the entries of a list, which have no other
	// name than their place: each is changed only where it is still the same.
	entries bool
}

// Diff is the patch that makes want of have, nil where they are the same.
func Diff(have, want []Member, r Rules) []byte {
	p := []byte{'{'}
	put := func(name []byte, entry ...[]byte) {
		if len(p) > 1 {
			p = append(p, ',')
		}
		p = append(append(append(p, name...), ':'), '{')
		p = append(p, bytes.Join(entry, []byte{','})...)
		p = append(p, '}')
	}
	var below []Member // what may have been moved there from here
	var stay []Member  // what is to be there
	left := 0          // how many of those were not moved
	if k := Index(have, r.Up); r.Up != "" && k >= 0 {
		if u := Index(want, r.Up); u < 0 || jsontree.KindOf(want[u].Value) == jsontree.Object {
			below = membersIn(have[k].Value)
			left = len(below)
			if u >= 0 {
				stay = membersIn(want[u].Value)
			}
		}
	}
	h, inBelow, inStay := newIndex(have), newIndex(below), newIndex(stay)
	for _, w := range want {
		k := h.find(w.Name)
		switch {
		case k < 0:
			if b := inBelow.find(w.Name); b >= 0 && same(below[b].Value, w.Value) && inStay.find(w.Name) < 0 {
				put(w.Name, []byte(`"up":true`))
				left--
				continue
			}
			put(w.Name, is(w.Value))
		case same(have[k].Value, w.Value):
		default:
			switch in, same := r.inside(w.Name, have[k].Value, w.Value, have, want); {
			case same:
			case in != nil && r.entries:
				put(w.Name, in, for_(have[k].Value))
			case in != nil:
				put(w.Name, in)
			default:
				put(w.Name, is(w.Value), for_(have[k].Value))
			}
		}
	}
	wanted := newIndex(want)
	for _, m := range have {
		if wanted.find(m.Name) >= 0 || r.Up != "" && len(below) > 0 && left == 0 && jsontree.EqualText(m.Name, r.Up) {
			continue
		}
		put(m.Name, for_(m.Value))
	}
	if len(p) == 1 {
		return nil
	}
	return append(p, '}')
}

// goesInside reports whether a value of that name is patched inside.
func (r Rules) goesInside(name []byte) bool {
	return r.Depth > 1 && r.Inside != nil && r.Inside(string(jsontree.Unquote(name)))
}

// deeper are the rules one level below.
func (r Rules) deeper() Rules { return Rules{Inside: r.Inside, Depth: r.Depth - 1} }

// inside is the entry of a patch that changes a value inside, nil where the value
// is to be replaced whole; same tells that there is nothing to change.
func (r Rules) inside(name, have, want []byte, outerHave, outerWant []Member) (in []byte, same bool) {
	if !r.goesInside(name) {
		return nil, false
	}
	deeper := r.deeper()
	entry := func(patch []byte) []byte {
		if patch == nil {
			patch = []byte(`{}`)
		}
		return append([]byte(`"in":`), patch...)
	}
	switch {
	case jsontree.KindOf(have) == jsontree.Object && jsontree.KindOf(want) == jsontree.Object:
		h, w := MembersOf(have), MembersOf(want)
		if r.Up == "" || !jsontree.EqualText(name, r.Up) {
			p := Diff(h, w, deeper)
			return entry(p), p == nil
		}
		h = withoutMoved(h, w, outerHave, outerWant)
		in := entry(Diff(h, w, deeper))
		if !ordered(h, w) {
			in = append(append(in, `,"order":`...), names(w)...)
		}
		return in, false
	case jsontree.KindOf(have) == jsontree.Array && jsontree.KindOf(want) == jsontree.Array:
		h, w := entries(have), entries(want)
		if len(h) != len(w) {
			return nil, false
		}
		var alike Alike
		if alike.inside(have, want, deeper) {
			return nil, true
		}
		if perm := deeper.permutation(h, w); perm != nil {
			return append(append([]byte(`"order":`), perm...), append([]byte{','}, for_(have)...)...), false
		}
		deeper.entries = true
		p := Diff(h, w, deeper)
		return entry(p), p == nil
	}
	return nil, false
}

// names are the names of members, as a list.
func names(list []Member) []byte {
	out := []byte{'['}
	for i, m := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, m.Name...)
	}
	return append(out, ']')
}

// permutation tells, for each entry of want, which of have it is; nil where
// want is not have in another order.
func (r Rules) permutation(have, want []Member) []byte {
	at := make(map[jsontree.Digest][]int, len(have))
	for i, m := range have {
		d := jsontree.DigestOf(m.Value, false)
		at[d] = append(at[d], i)
	}
	var alike Alike
	out := []byte{'['}
	for i, m := range want {
		d := jsontree.DigestOf(m.Value, false)
		if len(at[d]) == 0 || !alike.entries(have[at[d][0]].Value, m.Value, r) {
			return nil
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, have[at[d][0]].Name...)
		at[d] = at[d][1:]
	}
	return append(out, ']')
}

// withoutMoved are the members that are left when those that the patch moves out
// again are gone: they stand outside, and not inside, in what is wanted, and not
// outside in what there is.
func withoutMoved(list, stay, outerHave, outerWant []Member) (left []Member) {
	h, w, st := newIndex(outerHave), newIndex(outerWant), newIndex(stay)
	for _, m := range list {
		if h.find(m.Name) < 0 && st.find(m.Name) < 0 {
			if k := w.find(m.Name); k >= 0 && same(outerWant[k].Value, m.Value) {
				continue
			}
		}
		left = append(left, m)
	}
	return left
}

// entries are the entries of a list, named by their index.
func entries(list []byte) (out []Member) {
	jsontree.Entries(list, func(v []byte) bool {
		out = append(out, Member{quoted(strconv.Itoa(len(out))), v})
		return true
	})
	return out
}

// ordered reports whether the members that both have come in the same order,
// with what is new at the end.
func ordered(have, want []Member) bool {
	w := newIndex(want)
	at := -1
	n := 0
	for _, m := range have {
		if k := w.find(m.Name); k >= 0 {
			if k <= at {
				return false
			}
			at = k
			n++
		}
	}
	return at < n // none of the new ones stands before one that both have
}

func is(v []byte) []byte { return jsontree.AppendCompact([]byte(`"is":`), v) }

func for_(v []byte) []byte { return []byte(`"for":"` + Fingerprint(v) + `"`) }

func quoted(s string) []byte { return jsontree.AppendQuoted(nil, []byte(s)) }

// Apply makes of have what a patch says. Stale counts the entries that no longer
// fit. Up is the member that "up" entries stand in.
func Apply(have []Member, patch []byte, up string) (out []Member, stale int) {
	a := applying{list: append([]Member(nil), have...), index: newIndex(have), up: up}
	upName := quoted(up)
	if k := a.find(upName); up != "" && k >= 0 {
		a.below = membersIn(a.list[k].Value)
	}
	a.inBelow = newIndex(append([]Member(nil), a.below...)) // names go from below
	for _, e := range membersIn(patch) {
		a.entry(e)
	}
	if a.moved || a.last != nil {
		a.finishUp(a.find(upName))
	}
	for _, m := range a.list {
		if m.Name != nil {
			out = append(out, m)
		}
	}
	return out, a.stale
}

// applying is a list of members to which a patch is applied. Members that go
// lose their names.
type applying struct {
	list    []Member
	index   index // of the members that there were
	up      string
	below   []Member
	inBelow index
	moved   bool   // out of below
	last    []byte // the entry of the member up, which is changed inside: it comes last
	stale   int
}

// find is the place of a member that there was and is still.
func (a *applying) find(name []byte) int {
	if k := a.index.find(name); k >= 0 && a.list[k].Name != nil {
		return k
	}
	return -1
}

// entry applies one entry of a patch.
func (a *applying) entry(e Member) {
	v, fp := jsontree.Member(e.Value, "is"), jsontree.Member(e.Value, "for")
	inside := jsontree.Member(e.Value, "in") != nil || jsontree.Member(e.Value, "order") != nil
	isUp := a.up != "" && jsontree.EqualText(e.Name, a.up)
	k := a.find(e.Name)
	switch {
	case jsontree.KindOf(e.Value) != jsontree.Object:
		a.stale++
	case jsontree.Member(e.Value, "up") != nil:
		b := a.inBelow.find(e.Name)
		if b < 0 || k >= 0 || a.below == nil || a.below[b].Name == nil {
			a.stale++
			return
		}
		a.list = append(a.list, a.below[b])
		a.below[b].Name = nil
		a.moved = true
	case inside && isUp:
		a.last = e.Value
	case inside && (k < 0 || fp != nil && !jsontree.EqualText(fp, Fingerprint(a.list[k].Value))):
		a.stale++
	case inside:
		var n int
		a.list[k].Value, n = applyInside(a.list[k].Value, e.Value)
		a.stale += n
	case (fp == nil) != (k < 0) || fp != nil && !jsontree.EqualText(fp, Fingerprint(a.list[k].Value)):
		a.stale++
	case k < 0 && v != nil:
		a.list = append(a.list, Member{e.Name, v})
	case k < 0:
		a.stale++
	default:
		if isUp {
			a.below, a.moved = nil, false
		}
		if v == nil {
			a.list[k].Name = nil
		} else {
			a.list[k].Value = v
		}
	}
}

// finishUp writes the member up, at k, anew after members were moved out of it.
func (a *applying) finishUp(k int) {
	if k < 0 {
		a.stale++
		return
	}
	var left []Member
	for _, m := range a.below {
		if m.Name != nil {
			left = append(left, m)
		}
	}
	a.list[k].Value = AppendMembers(nil, left)
	if a.last != nil {
		var n int
		a.list[k].Value, n = applyInside(a.list[k].Value, a.last)
		a.stale += n
	} else if len(left) == 0 {
		a.list[k].Name = nil // it was made of what was moved
	}
}

// Brings reports whether a patch may bring values, and does not only move and take
// away: it is quick, and right where it answers no.
func Brings(patch []byte) bool {
	return bytes.Contains(patch, []byte(`"is"`)) || bytes.IndexByte(patch, '\\') >= 0
}

// Without is a patch without the entry of that name, and how many that were.
func Without(patch []byte, name string) ([]byte, int) {
	list := membersIn(patch)
	k := Index(list, name)
	if k < 0 {
		return patch, 0
	}
	return AppendMembers(nil, append(list[:k:k], list[k+1:]...)), 1
}

// applyInside changes a value inside, as an entry of a patch says.
func applyInside(v, entry []byte) ([]byte, int) {
	in, order := jsontree.Member(entry, "in"), jsontree.Member(entry, "order")
	switch jsontree.KindOf(v) {
	case jsontree.Object:
		out, stale := Apply(MembersOf(v), in, "")
		if order != nil {
			out = reorder(out, order)
		}
		return AppendMembers(make([]byte, 0, len(v)+len(entry)), out), stale
	case jsontree.Array:
		list, stale := entries(v), 0
		if order != nil {
			if jsontree.Member(entry, "for") == nil {
				return v, 1
			}
			list = reorder(list, order)
		} else {
			list, stale = Apply(list, in, "")
		}
		out := append(make([]byte, 0, len(v)+len(entry)), '[')
		for i, m := range list {
			if i > 0 {
				out = append(out, ',')
			}
			out = jsontree.AppendCompact(out, m.Value)
		}
		return append(out, ']'), stale
	}
	return v, 1
}

// reorder puts members in the order of a list of names, others after them.
func reorder(list []Member, order []byte) []Member {
	out, used := make([]Member, 0, len(list)), make([]bool, len(list))
	x := newIndex(list)
	if jsontree.KindOf(order) == jsontree.Array {
		jsontree.Entries(order, func(name []byte) bool {
			if name[0] == '"' {
				if k := x.find(name); k >= 0 && !used[k] {
					used[k] = true
					out = append(out, list[k])
				}
			}
			return true
		})
	}
	for i, m := range list {
		if !used[i] {
			out = append(out, m)
		}
	}
	return out
}

// index finds members by name: one by one where there are few.
type index struct {
	list   []Member
	byName map[string]int
}

func newIndex(list []Member) index {
	x := index{list: list}
	if len(list) > 16 {
		x.byName = make(map[string]int, len(list))
		for i, m := range list {
			x.byName[string(jsontree.Unquote(m.Name))] = i
		}
	}
	return x
}

func (x index) find(name []byte) int {
	if x.byName == nil {
		return find(x.list, name)
	}
	if i, ok := x.byName[string(jsontree.Unquote(name))]; ok {
		return i
	}
	return -1
}
