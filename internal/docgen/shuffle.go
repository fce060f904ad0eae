package docgen

import "ctxmigrate/translate/jsontree"

// Shuffle puts the members of every object that is of the form itself into
// another order. What is opaque to the forms, and all lists, stay as they are.
func (g *Gen) Shuffle(doc *Value, f Form) {
	g.shuffle(doc)
	switch f {
	case V01, V020:
		for _, u := range Units(doc, f) {
			g.shuffle(u.Value)
		}
		return
	}
	for _, name := range []string{"source", "capture", "surrounding", "privacy", "provenance"} {
		g.shuffle(doc.Get(name))
	}
	for _, u := range Units(doc, f) {
		g.shuffle(u.Value)
		g.shuffle(u.Get("screenshot"))
		g.shuffle(u.Get("bounds"))
	}
}

func (g *Gen) shuffle(v *Value) {
	if v.Is(jsontree.Object) {
		g.r.Shuffle(len(v.Members), func(i, j int) { v.Members[i], v.Members[j] = v.Members[j], v.Members[i] })
	}
}
