package docgen

import (
	"strconv"

	"ctxmigrate/translate/jsontree"
)

// Change is what an Edit did.
type Change uint8

// The changes.
const (
	NoChange Change = iota
	TitleChanged
	AttributeChanged
	Removed
	Added
	Moved
)

var changeNames = [...]string{"not", "title", "attribute", "removed", "added", "moved"}

// String is a word for the change.
func (c Change) String() string { return changeNames[c] }

// Edited tells of an edit.
type Edited struct {
	Change Change
	Unit   *Value // what was changed, removed or added to
	Root   bool   // it is an element that is in no other, or an item without a parent
	Mark   string // the text that the edit brought in, "" where it brought none
}

// Edit changes one thing in a document, as its user might between two
// conversions: a title, an attribute, a unit removed, added or moved among its
// siblings. It answers NoChange where the document has nothing to change so.
func (g *Gen) Edit(doc *Value, f Form) Edited {
	units := Units(doc, f)
	mark := "edit-" + strconv.Itoa(g.r.IntN(1_000_000))
	if len(units) == 0 {
		return Edited{}
	}
	u := pick(g, units)
	if u.Get("label").Says() == "ctxmigrate" {
		return Edited{} // made to carry, and no part of what its user sees
	}
	done := Edited{Unit: u.Value, Mark: mark, Root: f == V01 && u.Get("parent") == nil || f == V020 && u.Parent == nil}
	title, holder := "title", "attributes"
	switch f {
	case V01:
		holder = "payload"
	case Askable:
		title, holder = "label", "metadata"
	}
	switch Change(1 + g.r.IntN(int(Moved))) {
	case TitleChanged:
		u.Set(title, Str(mark))
		done.Change = TitleChanged
	case AttributeChanged:
		held := u.Get(holder)
		if !held.Is(jsontree.Object) {
			held = Obj()
			u.Set(holder, held)
		}
		name := "edited"
		for _, m := range held.Members {
			if n := m.Says(); n != "ctxmigrate" && n != "askable" && n != "element" && g.p(.5) {
				name = n
			}
		}
		held.Set(name, Str(mark))
		done.Change = AttributeChanged
	case Removed:
		if u.List == nil && f != Askable {
			return Edited{}
		}
		if u.List == nil {
			doc.Remove("target")
		} else {
			u.List.Entries = append(u.List.Entries[:u.At:u.At], u.List.Entries[u.At+1:]...)
		}
		done.Change, done.Mark = Removed, ""
	case Added:
		g.add(doc, f, u, mark)
		done.Change = Added
	default:
		if u.List == nil || len(u.List.Entries) < 2 {
			return Edited{}
		}
		to := (u.At + 1) % len(u.List.Entries)
		if o := u.List.Entries[to]; o.Get("label").Says() == "ctxmigrate" || o.String() == u.String() {
			return Edited{}
		}
		u.List.Entries[u.At], u.List.Entries[to] = u.List.Entries[to], u.List.Entries[u.At]
		done.Change, done.Mark = Moved, ""
	}
	return done
}

// add adds a unit beside or below u.
func (g *Gen) add(doc *Value, f Form, u *Unit, mark string) {
	switch f {
	case V01:
		e := Obj(M("id", Str(mark)), M("type", Str("note")), M("title", Str(mark)))
		if p := idOf(u); p != "" && g.p(.5) {
			e.Members = append(e.Members[:2:2], M("parent", Str(p)), e.Members[2])
		}
		k := g.r.IntN(len(u.List.Entries) + 1)
		u.List.Entries = append(u.List.Entries[:k:k], append([]*Value{e}, u.List.Entries[k:]...)...)
	case V020:
		children := u.Get("children")
		if !children.Is(jsontree.Array) {
			children = List()
			u.Set("children", children)
		}
		k := g.r.IntN(len(children.Entries) + 1)
		e := Obj(M("id", Str(mark)), M("role", Str("Group")), M("title", Str(mark)))
		children.Entries = append(children.Entries[:k:k], append([]*Value{e}, children.Entries[k:]...)...)
	default:
		around := doc.Get("surrounding")
		if !around.Is(jsontree.Object) {
			around = Obj()
			doc.Set("surrounding", around)
		}
		name := pick(g, []string{"ancestors", "nearby", "visible", "history"})
		list := around.Get(name)
		if !list.Is(jsontree.Array) {
			list = List()
			around.Set(name, list)
		}
		list.Entries = append(list.Entries, Obj(M("role", Str("group")), M("label", Str(mark))))
	}
}

// idOf is the id that a unit bears, "" where it bears none.
func idOf(u *Unit) string {
	if id := u.Get("id"); id != nil {
		return id.Says()
	}
	return u.Value.At("metadata", "element", "id").Says()
}
