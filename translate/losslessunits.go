package translate

import (
	"slices"
	"strconv"

	"ctxmigrate/translate/carry"
	"ctxmigrate/translate/jsontree"
)

// bareRoot is a root as an item that says nothing.
func bareRoot(id []byte) carry.Unit {
	return carry.Unit{Parent: -1, Members: []carry.Member{
		{Name: []byte(`"id"`), Value: id}, {Name: []byte(`"type"`), Value: []byte(`"application"`)}}}
}

// keptUnit is what is kept of a unit.
type keptUnit struct {
	elem int32 // the element
	n    int   // its place in document order
	was  []byte
}

// inSameWords takes out what is kept of many units in the same words, and answers how the
// root is to carry it, and what is left: the patch once, with the places of the units,
// as where a row of them begins and how many they are. It is nil where that would be no
// shorter.
func inSameWords(kept []keptUnit, units int) (like []byte, rest []keptUnit) {
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
		parent := memberOf(u, "parent")
		if u.Parent >= 0 {
			parent = memberOf(d.Units[u.Parent], "id")
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
