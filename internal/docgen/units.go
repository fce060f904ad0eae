package docgen

import (
	"strconv"
	"strings"

	"ctxmigrate/translate/jsontree"
)

// Unit is an item of a 0.1 answer, an element of a 0.2.0 answer, or a
// target-shaped value of a packet.
type Unit struct {
	*Value
	Pointer string // JSON Pointer in the document
	List    *Value // of which it is an entry, nil for a root and a target
	At      int    // which entry
	Parent  *Unit  // of an element: the one that it is in
	Place   string // of a target-shaped value: target, or the name of its list
}

// Units are the items in the order of the list, the elements in document order,
// or the target-shaped values, target first. What is no object is left out.
func Units(doc *Value, f Form) (list []*Unit) {
	switch f {
	case V01:
		return entries(doc.Get("items"), "/items", "")
	case V020:
		if root := doc.Get("root"); root.Is(jsontree.Object) {
			list = below(list, &Unit{Value: root, Pointer: "/root"})
		}
		return list
	}
	if target := doc.Get("target"); target.Is(jsontree.Object) {
		list = append(list, &Unit{Value: target, Pointer: "/target", Place: "target"})
	}
	for _, name := range []string{"ancestors", "nearby", "visible", "history", "sources"} {
		list = append(list, entries(doc.At("surrounding", name), "/surrounding/"+name, name)...)
	}
	return list
}

func entries(list *Value, pointer, place string) (units []*Unit) {
	if list.Is(jsontree.Array) {
		for i, e := range list.Entries {
			if e.Kind == jsontree.Object {
				units = append(units, &Unit{Value: e, Pointer: pointer + "/" + strconv.Itoa(i), List: list, At: i, Place: place})
			}
		}
	}
	return units
}

func below(list []*Unit, u *Unit) []*Unit {
	list = append(list, u)
	for _, c := range entries(u.Get("children"), u.Pointer+"/children", "") {
		c.Parent = u
		list = below(list, c)
	}
	return list
}

// Pointer is a JSON Pointer of names and indexes.
func Pointer(tokens ...string) string {
	var b strings.Builder
	for _, t := range tokens {
		b.WriteByte('/')
		b.WriteString(pointerEscaper.Replace(t))
	}
	return b.String()
}

var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1")

// Tokens are the names and indexes of a JSON Pointer.
func Tokens(pointer string) []string {
	if pointer == "" {
		return nil
	}
	list := strings.Split(pointer[1:], "/")
	for i, t := range list {
		list[i] = strings.ReplaceAll(strings.ReplaceAll(t, "~1", "/"), "~0", "~")
	}
	return list
}
