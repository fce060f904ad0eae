package carry

import (
	"bytes"
	"encoding/hex"

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
// spelling of strings do not change it.
func Fingerprint(raw []byte) string {
	const prime = 16777619
	h := uint32(2166136261)
	add := func(b []byte) {
		for _, c := range b {
			h = (h ^ uint32(c)) * prime
		}
	}
	jsontree.Tokens(raw, func(token []byte) {
		if token[0] == '"' {
			add(token[:1])
			add(jsontree.Unquote(token))
			add(token[:1])
			return
		}
		add(token)
	})
	return hex.EncodeToString([]byte{byte(h >> 24), byte(h >> 16), byte(h >> 8), byte(h)})
}

// same reports whether two raw values are the same text, white space aside.
func same(a, b []byte) bool {
	return bytes.Equal(a, b) || bytes.Equal(jsontree.AppendCompact(nil, a), jsontree.AppendCompact(nil, b))
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
	Up     string                 // the member that unknown members were moved into
	Allow  func(name string) bool // members that may be kept; nil allows all
	Order  bool                   // the order of members matters
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
	var below []Member // of have, where members were moved into
	if k := find(have, quoted(r.Up)); r.Up != "" && k >= 0 && jsontree.KindOf(have[k].Value) == jsontree.Object {
		below = MembersOf(have[k].Value)
	}
	allowed := func(name []byte) bool { return r.Allow == nil || r.Allow(string(jsontree.Unquote(name))) }
	h := newIndex(have)
	for _, w := range want {
		k := h.find(w.Name)
		switch {
		case !allowed(w.Name):
		case k < 0:
			if b := find(below, w.Name); b >= 0 && same(below[b].Value, w.Value) && string(w.Name) != string(quoted(r.Up)) {
				put(w.Name, []byte(`"up":true`))
				continue
			}
			put(w.Name, is(w.Value))
		case same(have[k].Value, w.Value):
		default:
			if in := r.inside(w.Name, have[k].Value, w.Value, want); in != nil {
				put(w.Name, append([]byte(`"in":`), in...))
				continue
			}
			put(w.Name, is(w.Value), for_(have[k].Value))
		}
	}
	wanted := newIndex(want)
	for _, m := range have {
		if wanted.find(m.Name) < 0 && allowed(m.Name) {
			put(m.Name, for_(m.Value))
		}
	}
	if r.Order && !ordered(have, want) {
		order := []byte{'['}
		for i, w := range want {
			if i > 0 {
				order = append(order, ',')
			}
			order = append(order, w.Name...)
		}
		put([]byte(`"/order"`), is(append(order, ']')))
	}
	if len(p) == 1 {
		return nil
	}
	return append(p, '}')
}

// inside is the patch inside a value, nil where the value is replaced whole.
func (r Rules) inside(name, have, want []byte, outer []Member) []byte {
	if r.Depth <= 1 || r.Inside == nil || !r.Inside(string(jsontree.Unquote(name))) {
		return nil
	}
	deeper := Rules{Inside: r.Inside, Depth: r.Depth - 1, Order: r.Up != "", Allow: nil}
	switch {
	case jsontree.KindOf(have) == jsontree.Object && jsontree.KindOf(want) == jsontree.Object:
		h, w := MembersOf(have), MembersOf(want)
		if string(name) == string(quoted(r.Up)) {
			h = withoutMoved(h, w, outer)
			if len(h) == len(w) && Diff(h, w, deeper) == nil {
				return []byte(`{}`)
			}
		}
		return Diff(h, w, deeper)
	case jsontree.KindOf(have) == jsontree.Array && jsontree.KindOf(want) == jsontree.Array:
		h, w := entries(have), entries(want)
		if len(h) != len(w) {
			return nil
		}
		return Diff(h, w, deeper)
	}
	return nil
}

// withoutMoved are the members that are left when those that stand outside, and
// not inside, are moved out again.
func withoutMoved(have, want, outer []Member) (left []Member) {
	for _, m := range have {
		if find(want, m.Name) < 0 {
			if k := find(outer, m.Name); k >= 0 && same(outer[k].Value, m.Value) {
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
		out = append(out, Member{quoted(itoa(len(out))), v})
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

func itoa(n int) string {
	var b [20]byte
	i := len(b)
	for {
		i--
		b[i] = byte('0' + n%10)
		if n /= 10; n == 0 {
			return string(b[i:])
		}
	}
}

// Apply makes of have what a patch says. Stale counts the entries that no longer
// fit. Up is the member that "up" entries stand in.
func Apply(have []Member, patch []byte, up string) (out []Member, stale int) {
	out = append(out, have...)
	var order []byte
	var below []Member
	upName := quoted(up)
	moved := false
	if k := find(out, upName); up != "" && k >= 0 && jsontree.KindOf(out[k].Value) == jsontree.Object {
		below = MembersOf(out[k].Value)
	}
	var inside []byte // the patch of the member up, which comes last
	for _, e := range MembersOf(patch) {
		if jsontree.KindOf(e.Value) != jsontree.Object {
			stale++
			continue
		}
		is, fp, in := jsontree.Member(e.Value, "is"), jsontree.Member(e.Value, "for"), jsontree.Member(e.Value, "in")
		if string(e.Name) == `"/order"` {
			order = is
			continue
		}
		k := find(out, e.Name)
		switch {
		case jsontree.Member(e.Value, "up") != nil:
			b := find(below, e.Name)
			if b < 0 || k >= 0 {
				stale++
				continue
			}
			out = append(out, below[b])
			below = append(below[:b:b], below[b+1:]...)
			moved = true
		case in != nil && up != "" && string(e.Name) == string(upName):
			inside = in
		case in != nil:
			if k < 0 {
				stale++
				continue
			}
			v, n := applyInside(out[k].Value, in)
			out[k].Value = v
			stale += n
		case (fp == nil) != (k < 0) || fp != nil && !jsontree.EqualText(fp, Fingerprint(out[k].Value)):
			stale++
		case is == nil:
			if up != "" && string(e.Name) == string(upName) {
				below, moved = nil, false
			}
			out = append(out[:k:k], out[k+1:]...)
		case k < 0:
			out = append(out, Member{e.Name, is})
		default:
			if up != "" && string(e.Name) == string(upName) {
				below, moved = nil, false
			}
			out[k].Value = is
		}
	}
	if moved || inside != nil {
		k := find(out, upName)
		if k < 0 {
			return out, stale + 1
		}
		if inside != nil {
			var n int
			below, n = Apply(below, inside, "")
			stale += n
		}
		out[k].Value = AppendMembers(nil, below)
		if len(below) == 0 && inside == nil {
			out = append(out[:k:k], out[k+1:]...) // it was made of what was moved
		}
	}
	if order != nil {
		out = reorder(out, order)
	}
	return out, stale
}

func applyInside(v, patch []byte) ([]byte, int) {
	switch jsontree.KindOf(v) {
	case jsontree.Object:
		out, stale := Apply(MembersOf(v), patch, "")
		return AppendMembers(nil, out), stale
	case jsontree.Array:
		out, stale := Apply(entries(v), patch, "")
		list := []byte{'['}
		for i, m := range out {
			if i > 0 {
				list = append(list, ',')
			}
			list = jsontree.AppendCompact(list, m.Value)
		}
		return append(list, ']'), stale
	}
	return v, 1
}

// reorder puts members in the order of a list of names, others after them.
func reorder(list []Member, order []byte) (out []Member) {
	used := make([]bool, len(list))
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
