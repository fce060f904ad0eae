package carry

import (
	"strconv"

	"ctxmigrate/translate/jsontree"
)

// Some members that a patch puts back stand among the attributes of an element in
// between, where they can be edited: those of a packet, of its source and surrounding,
// and of an answer, among those of the root; those of a target-shaped value among those
// of its element. The entries of these are marked, and are used only where the element
// still says the same.

// held marks an entry of a patch so.
const held = "held"

// Holder finds the attributes of the element that a place of a packet became: of the
// list of that name, the n-th; of target the target; of "" the root. It answers the
// attribute of a name, nil where there is none.
type Holder func(list string, n int, name string) []byte

// Bind marks the entries of a patch that bring a member which an element holds.
func Bind(patch []byte, holder Holder) []byte {
	b := binder{holder: holder, each: func(e Member, there []byte) ([]byte, bool) {
		if is := jsontree.Member(e.Value, "is"); is != nil && jsontree.Member(e.Value, "for") == nil && same(is, there) {
			return AppendMembers(nil, append(MembersOf(e.Value), Member{quoted(held), []byte("true")})), true
		}
		return e.Value, true
	}}
	return b.edit(patch, "", 0)
}

// Loose is a patch without the entries that were marked and of which the element no
// longer holds the member, and how many these were.
func Loose(patch []byte, holder Holder) (left []byte, n int) {
	b := binder{holder: holder, each: func(e Member, there []byte) ([]byte, bool) {
		gone := jsontree.Member(e.Value, held) != nil && !same(jsontree.Member(e.Value, "is"), there)
		if gone {
			n++
		}
		return e.Value, !gone
	}}
	return b.edit(patch, "", 0), n
}

type binder struct {
	holder Holder
	each   func(e Member, there []byte) (value []byte, keep bool)
}

// edit gives each entry of a patch of what an element holds the members of to b.each,
// with what the element has of that name. It answers what is left.
func (b *binder) edit(patch []byte, list string, n int) []byte {
	if patch == nil {
		return nil
	}
	var out []Member
	for _, e := range membersIn(patch) {
		name := string(jsontree.Unquote(e.Name))
		into := func(edit func(patch []byte) []byte) {
			parts := membersIn(e.Value)
			if k := Index(parts, "in"); k >= 0 {
				parts[k].Value = edit(parts[k].Value)
				e.Value = AppendMembers(nil, parts)
			}
		}
		switch {
		case list == "" && name == "target":
			into(func(patch []byte) []byte { return b.edit(patch, name, 0) })
		case list == "" && (name == "source" || name == "surrounding"):
			into(func(patch []byte) []byte { return b.edit(patch, "", 0) })
		case list == "" && (name == "ancestors" || name == "nearby"): // what is visible may come in another order
			into(func(patch []byte) []byte { return b.entries(patch, name) })
		}
		if v, keep := b.each(e, b.holder(list, n, name)); keep {
			out = append(out, Member{e.Name, v})
		}
	}
	return AppendMembers(nil, out)
}

// entries is edit for the patch of a list of values.
func (b *binder) entries(patch []byte, list string) []byte {
	out := membersIn(patch)
	for i, e := range out {
		n, err := strconv.Atoi(string(jsontree.Unquote(e.Name)))
		parts := membersIn(e.Value)
		if k := Index(parts, "in"); k >= 0 && err == nil {
			parts[k].Value = b.edit(parts[k].Value, list, n)
			out[i].Value = AppendMembers(nil, parts)
		}
	}
	return AppendMembers(nil, out)
}
