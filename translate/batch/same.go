package batch

import (
	"bytes"
	"slices"

	"ctxmigrate/translate"
	"ctxmigrate/translate/carry"
	"ctxmigrate/translate/jsondiff"
	"ctxmigrate/translate/jsontree"
)

// same reports whether two documents of a form say the same: they are equal as
// JSON, numbers by their text and strings by their code points, and members come
// in the same order but for those of the form's own objects. Both are documents
// that a reader has passed, without white space.
func same(a, b []byte, form translate.Form) bool {
	if bytes.Equal(a, b) {
		return true
	}
	if jsontree.DigestOf(a, false) != jsontree.DigestOf(b, false) {
		return false
	}
	// Now the order of members is all in which they may differ.
	switch form {
	case translate.V01:
		return sameUnits(a, b, carry.List)
	case translate.V020:
		return sameUnits(a, b, carry.Tree)
	}
	list, err := jsondiff.Diff(a, b, jsondiff.Options{AnyOrder: ownOfPackets})
	return err == nil && len(list) == 0
}

// sameUnits compares two answers whose values are the same, item by item or
// element by element.
func sameUnits(a, b []byte, shape carry.Shape) bool {
	x, y := carry.Split(a, shape, jsontree.MaxBytes), carry.Split(b, shape, jsontree.MaxBytes)
	if len(x.Units) != len(y.Units) || !sameMembers(x.Answer, y.Answer) {
		return false
	}
	for i := range x.Units {
		if x.Units[i].Parent != y.Units[i].Parent || !sameMembers(x.Units[i].Members, y.Units[i].Members) {
			return false
		}
	}
	return true
}

func sameMembers(a, b []carry.Member) bool {
	byName := func(x, y carry.Member) int {
		return bytes.Compare(jsontree.Unquote(x.Name), jsontree.Unquote(y.Name))
	}
	slices.SortFunc(a, byName)
	slices.SortFunc(b, byName)
	return slices.EqualFunc(a, b, func(x, y carry.Member) bool {
		return jsontree.EqualStrings(x.Name, y.Name) &&
			(bytes.Equal(x.Value, y.Value) || jsontree.DigestOf(x.Value, true) == jsontree.DigestOf(y.Value, true))
	})
}

// ownOfPackets reports whether an object is one of a packet's own, of which the
// members may come in any order.
func ownOfPackets(p *jsondiff.Path) bool {
	for _, own := range [][]string{{}, {"source"}, {"capture"}, {"privacy"}, {"provenance"}, {"surrounding"},
		{"target"}, {"target", "bounds"}, {"target", "screenshot"},
		{"surrounding", "*", "*"}, {"surrounding", "*", "*", "bounds"}, {"surrounding", "*", "*", "screenshot"}} {
		if p.Is(own...) {
			return true
		}
	}
	return false
}
