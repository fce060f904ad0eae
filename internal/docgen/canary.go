package docgen

import (
	"strings"
	"unicode"

	"ctxmigrate/translate/jsontree"
)

// Canary is what PlantCanaries writes: no output and no report may hold it.
const Canary = "CANARY"

// CanaryID is the id of what is withheld: no output may hold it, though a report
// may, since ids are named there.
const CanaryID = "CANARY-ID"

// PlantCanaries writes a canary into all that must not be passed on (section 7.1
// of the contract): the content, address and attributes of secure elements and
// all that stands below them. It answers how many places there were.
func (g *Gen) PlantCanaries(doc *Value, f Form) (n int) {
	switch f {
	case V01:
		return g.plantItems(doc)
	case V020:
		for _, u := range Units(doc, f) {
			if strangeRole(u.Get("role")) && Secure(u.Get("role").Says()) || Secure(u.Get("subrole").Says()) {
				n++
				g.plant(u.Value, "attributes")
				if c := u.Get("children"); c.Is(jsontree.Array) {
					drown(c)
					c.Entries = append(c.Entries, drowned())
				} else {
					u.Set("children", List(drowned()))
				}
			}
		}
		return n
	}
	below := false
	for _, u := range Units(doc, f) {
		switch {
		case u.Place == "ancestors" && below:
			drown(u.Value)
			n++
		case plantValue(u):
			below = below || u.Place == "ancestors"
			n++
		}
	}
	return n
}

// strangeRole reports whether a value is a role word that is none of the thirteen.
func strangeRole(v *Value) bool {
	_, known := toAria[v.Says()]
	return !known
}

// plant writes canaries into the members of a secure item or element that are
// not passed on.
func (g *Gen) plant(v *Value, holder string) {
	if g.p(.4) && g.disguise(v, holder) {
		return
	}
	v.Set("content", Raw(`[{"type":"text","text":"CANARY"},{"type":"CANARY"}]`))
	v.Set("url", Str(Canary))
	if g.p(.5) {
		v.Set("x-canary", Str(Canary))
	}
	if h := v.Get(holder); h.Is(jsontree.Object) {
		for _, m := range h.Members {
			switch m.Says() {
			case "role", "subrole":
			default:
				if m.Value.Kind == jsontree.String {
					m.Value.Text = quote(Canary)
				}
			}
		}
		h.Set("canary", Raw(`{"CANARY":["CANARY"]}`))
	} else {
		v.Set(holder, Raw(`{"CANARY":"CANARY"}`))
	}
}

// disguise writes canaries where members of such names are passed on, but not these:
// they are no words of the protocol, or stand where they are opaque. It answers
// whether nothing else need be there.
func (g *Gen) disguise(v *Value, holder string) bool {
	const both = `{"role":"CANARY","subrole":"CANARY"}`
	if holder != "payload" {
		v.Set([]string{"type", "parent", "locatable", "role-note"}[g.r.IntN(4)], Str(Canary))
		v.Set("payload", Raw(both))
		return g.p(.5)
	}
	v.Set([]string{"role", "subrole"}[g.r.IntN(2)], Str(Canary))
	if Secure(v.Get("type").Says()) {
		v.Set("payload", Raw([]string{both, `{"subrole":"CANARY","selected":true}`, `{"role":"CANARY"}`, `{"role":"List"}`}[g.r.IntN(4)]))
		return g.p(.5)
	}
	return false
}

// drown writes a canary in place of every string of a value and of what is below
// it.
func drown(v *Value) {
	if v.Kind == jsontree.String {
		v.Text = quote(Canary)
	}
	for _, m := range v.Members {
		if drown(m.Value); m.Says() == "id" && m.Value.Kind == jsontree.String {
			m.Value.Text = quote(CanaryID)
		}
	}
	for _, e := range v.Entries {
		drown(e)
	}
}

func drowned() *Value {
	return Raw(`{"id":"CANARY-ID","role":"Text","title":"CANARY","selected":true,"focused":true,"content":[{"type":"text","text":"CANARY"}]}`)
}

// plantItems plants in a list: in secure items, and in those whose parents lead
// to one.
func (g *Gen) plantItems(doc *Value) (n int) {
	units := Units(doc, V01)
	first := map[string]*Unit{}
	for _, u := range units {
		if id := idText(u.Get("id")); id != "" && first[id] == nil {
			first[id] = u
		}
	}
	secure := func(u *Unit) bool {
		return Secure(u.Get("type").Says()) || Secure(u.Get("payload").Get("subrole").Says())
	}
	// above reports whether a secure item stands above u; in a ring nobody knows
	above := func(u *Unit) bool {
		found := false
		for range units {
			p := first[idText(u.Get("parent"))]
			if p == nil {
				return found
			}
			u, found = p, found || secure(p)
		}
		return false
	}
	var down []*Unit
	for _, u := range units {
		if above(u) {
			down = append(down, u)
		}
	}
	for _, u := range units {
		if secure(u) {
			n++
			g.plant(u.Value, "payload")
		}
	}
	for _, u := range down {
		n++
		u.Set("title", Str(Canary))
		g.plant(u.Value, "payload")
	}
	for _, u := range units {
		if id := idText(u.Get("id")); secure(u) && first[id] == u && g.p(.5) {
			doc.Get("items").Entries = append(doc.Get("items").Entries,
				Obj(M("id", Str(CanaryID)), M("type", Str("note")), M("parent", Str(id)), M("title", Str(Canary))))
			if f := doc.Get("focus"); f.Is(jsontree.Array) && g.p(.5) {
				f.Entries = append(f.Entries, Str(CanaryID))
			}
			break
		}
	}
	return n
}

// idText is the id that a value is read as, "" where it is none.
func idText(v *Value) string {
	if v.Is(jsontree.Number) {
		return v.Text
	}
	return v.Says()
}

// plantValue plants in a target-shaped value, if it is secure.
func plantValue(u *Unit) bool {
	element := u.Value.At("metadata", "element")
	if !Secure(u.Get("role").Says()) && !Secure(element.Get("role").Says()) && !Secure(element.Get("subrole").Says()) {
		return false
	}
	u.Set("text", Str(Canary))
	if element == nil {
		u.Set("metadata", Raw(`{"CANARY":"CANARY"}`))
		u.Set("selector", Str(Canary))
		u.Set("screenshot", Raw(`{"mimeType":"image/png","data":"CANARY"}`))
		return true
	}
	for _, name := range []string{"url", "content", "attributes"} {
		if v := element.Get(name); v != nil {
			drown(v)
		}
	}
	return true
}

// Secure reports whether a word is one that section 7.1 of the contract names,
// or a token of it is. It is written apart from the program's own test.
func Secure(word string) bool {
	for _, w := range append(strings.FieldsFunc(word, unicode.IsSpace), word) {
		for _, part := range []string{w, w[1+strings.LastIndexAny(w, "./:"):]} {
			part = separators.Replace(part)
			if len(part) > 2 && strings.HasPrefix(part, "AX") && part[2] >= 'A' && part[2] <= 'Z' {
				part = part[2:]
			}
			part = strings.Map(func(c rune) rune {
				if c >= 'A' && c <= 'Z' {
					c += 'a' - 'A'
				}
				return c
			}, part)
			for _, s := range secureWords {
				if s == part {
					return true
				}
			}
		}
	}
	return false
}

var separators = strings.NewReplacer(" ", "", "-", "", "_", "")
