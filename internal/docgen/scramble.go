package docgen

// Scramble changes, anywhere below the members of a name, some of what is there:
// values are replaced, taken out, swapped or doubled. It answers how many were.
func (g *Gen) Scramble(doc *Value, name string) (n int) {
	var below []*Value
	doc.Each(func(v *Value) {
		if held := v.Get(name); held != nil {
			held.Each(func(v *Value) { below = append(below, v) })
		}
	})
	if len(below) == 0 {
		return 0
	}
	for range 1 + g.r.IntN(3) {
		v := pick(g, below)
		n++
		switch k := len(v.Members) + len(v.Entries); {
		case k == 0 || g.p(.1):
			*v = *pick(g, []*Value{g.value(), Str("x"), Raw(`{"is":1}`), Raw(`{"for":"00000000"}`), Raw(`{"up":true}`), Raw(`{"in":{}}`),
				Raw(`{"v":1,"of":"0.1"}`), pick(g, below).Clone()})
		case len(v.Members) > 0 && g.p(.5):
			i := g.r.IntN(len(v.Members))
			v.Members = append(v.Members[:i:i], v.Members[i+1:]...)
		case len(v.Members) > 0:
			v.Set(pick(g, []string{"is", "for", "in", "up", "order", "was", "id", "items", "root", "children", "parent", "own", "empty",
				"document", "answer", "units", "each", "like", "at", "placed", "held", "focus", "locatable", "payload", "attributes", "0", "1"}), pick(g, below).Clone())
		case g.p(.5):
			i := g.r.IntN(len(v.Entries))
			v.Entries = append(v.Entries[:i:i], v.Entries[i+1:]...)
		default:
			v.Entries = append(v.Entries, pick(g, below).Clone())
		}
	}
	return n
}
