package carry

import "ctxmigrate/translate/jsontree"

// Alike sees at a look that Diff would find nothing between two values. The zero
// Alike is ready, and keeps its memory from one to the next.
type Alike struct{ members []Member }

// near is how many members are looked at for one that does not come next.
const near = 32

// Objects reports whether it sees that Diff would find nothing, by rules without Up,
// between two raw objects: it says nothing where it answers false.
func (a *Alike) Objects(have, want []byte, r Rules) bool {
	if same(have, want) {
		return true
	}
	from := len(a.members)
	defer func() { a.members = a.members[:from] }()
	jsontree.Members(have, func(n, v []byte) bool {
		a.members = append(a.members, Member{n, v})
		return true
	})
	n := len(a.members) - from
	next, found, alike := 0, 0, true
	jsontree.Members(want, func(name, v []byte) bool {
		for k := range min(n, near) {
			if m := a.members[from+(next+k)%n]; jsontree.EqualStrings(m.Name, name) {
				next = (next + k + 1) % n
				found++
				alike = a.values(name, m.Value, v, r)
				return alike
			}
		}
		alike = false
		return false
	})
	return alike && found == n
}

// inside is Objects for two values of which the inside is patched.
func (a *Alike) inside(have, want []byte, r Rules) bool {
	switch k := jsontree.KindOf(have); {
	case k != jsontree.KindOf(want):
		return false
	case k == jsontree.Object:
		return a.Objects(have, want, r)
	case k != jsontree.Array:
		return false
	}
	from := len(a.members)
	defer func() { a.members = a.members[:from] }()
	jsontree.Entries(have, func(v []byte) bool {
		a.members = append(a.members, Member{Value: v})
		return true
	})
	n := len(a.members) - from
	found, alike := 0, true
	jsontree.Entries(want, func(v []byte) bool {
		if alike = found < n; !alike {
			return false
		}
		m := a.members[from+found]
		found++
		alike = a.entries(m.Value, v, r)
		return alike
	})
	return alike && found == n
}

// entries is Objects for two entries of lists, of any kind.
func (a *Alike) entries(have, want []byte, r Rules) bool { return a.values(entryName, have, want, r) }

// values is the same for values of that name.
func (a *Alike) values(name, have, want []byte, r Rules) bool {
	return same(have, want) || r.goesInside(name) && a.inside(have, want, r.deeper())
}

// entryName stands for the name of any entry of a list.
var entryName = []byte(`"0"`)
