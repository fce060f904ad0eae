package docgen

import (
	"strconv"

	"ctxmigrate/translate/jsontree"
)

// answer01 draws a 0.1 answer: a flat list of items.
func (g *Gen) answer01() *Value {
	pool := ids[:pick(g, []int{4, 8, len(ids)})]
	if !g.Odd {
		pool = append(append([]string(nil), ids...), "i0", "i1", "i2", "i3")
		g.r.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	}
	items := List()
	var used []string
	for i := range pick(g, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12}) {
		id, has := pool[min(i, len(pool)-1)], true
		if g.Odd {
			id, has = pick(g, pool), !g.p(.06)
		}
		items.Entries = append(items.Entries, g.item(id, has, used, pool))
		if has {
			used = append(used, id)
		}
	}
	if g.p(.2) {
		g.r.Shuffle(len(items.Entries), func(i, j int) {
			items.Entries[i], items.Entries[j] = items.Entries[j], items.Entries[i]
		})
	}
	if g.odd(.01) {
		items.Entries = append(items.Entries, g.wrong(jsontree.Object))
	}
	list := []Member{M("protocol", Str("0.1")), M("instance", g.str("n1")), M("items", items), M("focus", g.focus(used, pool))}
	if g.odd(.1) {
		list[0].Value = Str("0.1.3")
	}
	if g.odd(.05) {
		list[1].Value = Raw(pick(g, []string{"5", "null", `""`, `"\u006e"`, "{}"}))
	}
	if g.odd(.01) {
		list[2].Value = g.wrong(jsontree.Array)
	}
	if g.odd(.05) {
		list = append(list[:1], list[2:]...)
	}
	if g.odd(.05) {
		list = list[:len(list)-1]
	}
	for g.odd(.12) {
		list = append(list, g.unknown())
	}
	return g.object(list, g.Odd)
}

func (g *Gen) focus(used, pool []string) *Value {
	if len(used) == 0 {
		used = []string{"a"}
	}
	if g.odd(.08) {
		return pick(g, []*Value{g.str(pick(g, pool)), Raw("null"), Raw("5"), Raw("true"), Raw("{}"), Raw(`""`)})
	}
	v := List()
	for range pick(g, []int{0, 1, 1, 1, 2, 2, 3, 4}) {
		v.Entries = append(v.Entries, g.str(pick(g, used)))
	}
	if g.odd(.2) {
		v.Entries = append(v.Entries, Raw(pick(g, []string{`"gone"`, `""`, "7", "null", "true", `["a"]`, `"app"`})))
	}
	return v
}

func (g *Gen) item(id string, has bool, used, pool []string) *Value {
	var ms []Member
	if has {
		ms = append(ms, M("id", g.str(id)))
		if g.odd(.04) {
			ms[0].Value = Raw(pick(g, []string{"7", "7.0", "null", `""`, "true", "{}", `"7"`}))
		}
	}
	if !g.odd(.05) {
		typ := g.word(types, g.withSecure(oddTypes), .25)
		if g.p(.12) {
			typ = "selection"
		}
		if w, ok := g.secureWord(); ok {
			typ = w
		}
		ms = append(ms, M("type", g.str(typ)))
		if g.odd(.03) {
			ms[len(ms)-1].Value = g.wrong(jsontree.String)
		}
	}
	switch {
	case len(used) > 0 && g.p(.65):
		parent := pick(g, used)
		if g.odd(.3) {
			parent = pick(g, pool)
		}
		ms = append(ms, M("parent", g.str(parent)))
		if g.odd(.05) {
			ms[len(ms)-1].Value = Raw(pick(g, []string{"7", "null", `""`, "false", "[]", `"gone"`}))
		}
	case g.odd(.1):
		ms = append(ms, M("parent", g.str(pick(g, pool))))
	}
	ms = append(ms, g.common()...)
	if g.p(.15) {
		ms = append(ms, M("locatable", Raw(pick(g, []string{"true", "false"}))))
		if g.odd(.2) {
			ms[len(ms)-1].Value = g.wrong(jsontree.Bool)
		}
	}
	if g.p(.5) {
		ms = append(ms, M("payload", g.attributes(V01)))
		if g.odd(.05) {
			ms[len(ms)-1].Value = g.wrong(jsontree.Object)
		}
	}
	for g.odd(.15) {
		ms = append(ms, g.unknown())
	}
	return g.object(ms, g.Odd)
}

// common draws what items and elements both have: title, content, url.
func (g *Gen) common() (ms []Member) {
	if g.p(.5) {
		ms = append(ms, M("title", g.str(pick(g, titles))))
		if g.odd(.05) {
			ms[len(ms)-1].Value = g.wrong(jsontree.String)
		}
	}
	if g.p(.5) {
		ms = append(ms, M("content", g.content()))
	}
	if g.p(.2) {
		ms = append(ms, M("url", g.str(pick(g, urls))))
		if g.odd(.08) {
			ms[len(ms)-1].Value = g.wrong(jsontree.String)
		}
	}
	return ms
}

// element draws an element of a 0.2.0 answer and all below it.
func (t *treeGen) element(depth int, focus bool) *Value {
	g := t.g
	var ms []Member
	if id := t.id(depth); !g.odd(.05) {
		ms = append(ms, M("id", g.str(id)))
		if g.odd(.04) {
			ms[0].Value = Raw(pick(g, []string{"7", "null", `""`, "true", "{}", `"7"`}))
		}
	}
	role := g.word(roles[1:], g.withSecure(oddRoles), .2)
	switch {
	case depth == 0 && !g.odd(.1):
		role = "Application"
	case g.p(.12):
		role = "Text"
	case g.p(.15):
		role = pick(g, []string{"List", "Table", "Row"})
	case g.odd(.04):
		role = "Application"
	}
	if !g.odd(.04) {
		ms = append(ms, M("role", g.str(role)))
		if g.odd(.03) {
			ms[len(ms)-1].Value = g.wrong(jsontree.String)
		}
	}
	if sub, ok := g.secureWord(); ok && depth > 0 {
		ms = append(ms, M("subrole", g.str(sub)))
	} else if depth > 0 && g.p(.4) || depth == 0 && g.p(.15) {
		ms = append(ms, M("subrole", g.str(g.word(subroles, g.withSecure(oddSubroles), .25))))
		if g.odd(.04) {
			ms[len(ms)-1].Value = g.wrong(jsontree.String)
		}
	}
	plain := depth == 0 && g.p(.5)
	if !plain {
		ms = append(ms, g.common()...)
	}
	ms = append(ms, t.states(plain, focus && depth > 0)...)
	if !plain && g.p(.4) {
		ms = append(ms, M("attributes", g.attributes(V020)))
		if g.odd(.04) {
			ms[len(ms)-1].Value = g.wrong(jsontree.Object)
		}
	}
	children := List()
	if depth < 4 {
		n := pick(g, []int{0, 0, 1, 1, 2})
		if depth == 0 {
			n = pick(g, []int{0, 1, 2, 2, 3})
		}
		focused := -1
		if n > 0 && focus && g.p(.85) {
			focused = g.r.IntN(n)
		}
		for i := range n {
			if t.left--; t.left < 0 {
				break
			}
			children.Entries = append(children.Entries, t.element(depth+1, i == focused))
		}
	}
	if g.odd(.005) {
		children.Entries = append(children.Entries, g.wrong(jsontree.Object))
	}
	if len(children.Entries) > 0 || g.odd(.05) {
		ms = append(ms, M("children", children))
		if g.odd(.01) {
			ms[len(ms)-1].Value = g.wrong(jsontree.Array)
		}
	}
	if g.odd(.12) {
		ms = append(ms, g.unknown())
	}
	return g.object(ms, g.Odd)
}

// states draws the states of an element.
func (t *treeGen) states(plain, focused bool) (ms []Member) {
	g := t.g
	state := func(name string, odd []string, plain ...string) {
		v := pick(g, plain)
		if g.odd(.12) {
			v = pick(g, odd)
		}
		ms = append(ms, M(name, Raw(v)))
	}
	if !plain && g.p(.2) {
		state("selected", []string{"false", "1", "null", `"true"`}, "true")
	}
	if focused && !g.odd(.1) || g.odd(.08) {
		state("focused", []string{"false", `"y"`, "null"}, "true")
	}
	if !plain && g.p(.25) {
		state("visible", []string{"1", "null"}, "true", "true", "false")
	}
	if !plain && g.p(.1) {
		state("hovered", []string{"false", "1"}, "true")
	}
	return ms
}

// treeGen draws one tree.
type treeGen struct {
	g    *Gen
	left int      // how many more elements there may be
	pool []string // ids, each to be used once where the tree conforms
	n    int
}

func (t *treeGen) id(depth int) string {
	g := t.g
	if g.Odd {
		if depth == 0 && g.p(.6) {
			return "app"
		}
		return pick(g, t.pool)
	}
	t.n++
	if t.n <= len(t.pool) {
		return t.pool[t.n-1]
	}
	return "i" + strconv.Itoa(t.n)
}

// answer020 draws a 0.2.0 answer: one tree.
func (g *Gen) answer020() *Value {
	t := &treeGen{g: g, left: pick(g, []int{0, 1, 3, 5, 7, 10, 12}), pool: ids[:pick(g, []int{4, 8, len(ids)})]}
	if !g.Odd {
		t.pool = append([]string(nil), ids...)
		g.r.Shuffle(len(t.pool), func(i, j int) { t.pool[i], t.pool[j] = t.pool[j], t.pool[i] })
		if g.p(.6) {
			for i, id := range t.pool {
				if id == "app" {
					t.pool[0], t.pool[i] = t.pool[i], t.pool[0]
				}
			}
		}
	}
	list := []Member{M("protocol", Str("0.2.0")), M("instance", g.str("n2")), M("root", t.element(0, g.p(.7)))}
	if g.odd(.1) {
		list[0].Value = Str("0.2.7")
	}
	if g.odd(.05) {
		list[1].Value = Raw(pick(g, []string{"5", "null", `""`, `"\u006e"`}))
	}
	if g.odd(.01) {
		list[2].Value = g.wrong(jsontree.Object)
	}
	if g.odd(.05) {
		list = append(list[:1], list[2:]...)
	}
	for g.odd(.12) {
		list = append(list, g.unknown())
	}
	return g.object(list, g.Odd)
}
