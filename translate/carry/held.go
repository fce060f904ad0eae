package carry

import "ctxmigrate/translate/jsontree"

// Some members that a patch puts back stand among the attributes of the root in
// between, where they can be edited. The entries of these are marked, and are used
// only where the root still says the same.

// held marks an entry of a patch so.
const held = "held"

// Bind marks the entries of a patch that bring a member which the root holds.
func Bind(patch []byte, root func(name string) []byte) []byte {
	return edit(patch, func(e Member) ([]byte, bool) {
		if is := jsontree.Member(e.Value, "is"); is != nil && jsontree.Member(e.Value, "for") == nil && same(is, root(string(jsontree.Unquote(e.Name)))) {
			return AppendMembers(nil, append(MembersOf(e.Value), Member{quoted(held), []byte("true")})), true
		}
		return e.Value, true
	})
}

// Loose is a patch without the entries that were marked and of which the root no
// longer holds the member, and how many these were.
func Loose(patch []byte, root func(name string) []byte) (left []byte, n int) {
	left = edit(patch, func(e Member) ([]byte, bool) {
		gone := jsontree.Member(e.Value, held) != nil && !same(jsontree.Member(e.Value, "is"), root(string(jsontree.Unquote(e.Name))))
		if gone {
			n++
		}
		return e.Value, !gone
	})
	return left, n
}

// edit gives each entry of a patch to f, which answers what is to stand there, if
// anything: those of the outermost object, and of the objects of a packet of which
// unknown members go to the root.
func edit(patch []byte, f func(e Member) (value []byte, keep bool)) []byte {
	if patch == nil {
		return nil
	}
	var out []Member
	for _, e := range membersIn(patch) {
		parts := membersIn(e.Value)
		if k := Index(parts, "in"); k >= 0 && (jsontree.EqualText(e.Name, "source") || jsontree.EqualText(e.Name, "surrounding")) {
			parts[k].Value = edit(parts[k].Value, f)
			out = append(out, Member{e.Name, AppendMembers(nil, parts)})
		} else if v, keep := f(e); keep {
			out = append(out, Member{e.Name, v})
		}
	}
	return AppendMembers(nil, out)
}
