package docgen

import "ctxmigrate/translate/jsontree"

// packet draws a packet of askable.context.
func (g *Gen) packet() *Value {
	restored := pick(g, []float64{0, 0, .2, .5, .9}) // how often a value is an element written as one
	list := []Member{
		M("protocol", Str("askable.context")), M("version", Str("0.1")),
		M("source", g.source()), M("capture", g.capture()),
	}
	var target *Value
	if g.p(.85) {
		target = g.targetShaped("target", restored)
		list = append(list, M("target", target))
	}
	if around := g.surrounding(target, restored); len(around.Members) > 0 {
		list = append(list, M("surrounding", around))
	}
	list = append(list, M("privacy", g.privacy()), M("provenance", g.provenance()))
	if g.odd(.04) {
		list[2+g.r.IntN(len(list)-2)].Value = g.wrong(jsontree.Object)
	}
	if g.odd(.06) {
		k := 2 + g.r.IntN(len(list)-2)
		list = append(list[:k:k], list[k+1:]...)
	}
	for g.odd(.08) {
		list = append(list, g.unknown())
	}
	return g.object(list, g.odd(.3))
}

func (g *Gen) source() *Value {
	var ms []Member
	some := func(x float64, name string, words []string) {
		if g.p(x) {
			ms = append(ms, M(name, g.str(pick(g, words))))
		}
	}
	some(.5, "url", urls)
	some(.5, "title", titles)
	some(.4, "app", titles)
	some(.3, "route", []string{"/r", "/q", ""})
	if !g.odd(.04) {
		ms = append(ms, M("timestamp", Str("2026-01-02T03:04:05Z")))
	}
	if g.odd(.06) {
		ms = append(ms, M(pick(g, []string{"url", "title", "app", "route", "timestamp"}), g.wrong(jsontree.String)))
		g.r.Shuffle(len(ms), func(i, j int) { ms[i], ms[j] = ms[j], ms[i] })
	}
	if g.odd(.06) {
		ms = append(ms, g.unknown())
	}
	return g.object(ms, g.p(.3))
}

func (g *Gen) capture() *Value {
	modes := []string{"text-selection", "element-focus", "element-focus", "viewport", "full-page", "region", "lasso", "circle", "semantic", "custom"}
	gestures := []string{"click", "hover", "focus", "keyboard", "drag", "circle", "lasso", "programmatic", "custom"}
	ms := []Member{M("mode", g.str(g.word(modes, []string{"gaze", ""}, .15)))}
	if g.p(.75) {
		ms = append(ms, M("gesture", g.str(g.word(gestures, []string{"wink"}, .1))))
	}
	if g.p(.15) {
		ms = append(ms, M("intent", g.text()))
	}
	if g.odd(.05) {
		ms[0].Value = g.wrong(jsontree.String)
	}
	if g.odd(.05) {
		ms = append(ms, g.unknown())
	}
	if g.odd(.04) {
		ms = ms[1:]
	}
	return g.object(ms, g.p(.3))
}

func (g *Gen) privacy() *Value {
	ms := []Member{M("redacted", Raw(pick(g, []string{"true", "false"}))),
		M("consent", g.str(g.word([]string{"explicit", "implicit", "none"}, []string{"maybe"}, .1)))}
	if g.p(.3) {
		omitted := []string{"[]", `["email"]`, `["secure-text"]`, `["a","b"]`}
		if g.Odd {
			omitted = append(omitted, "null", "5", `[1,"a"]`, `"a"`)
		}
		ms = append(ms, M("omitted", Raw(pick(g, omitted))))
	}
	if g.odd(.05) {
		ms = ms[1:]
	}
	if g.odd(.05) {
		ms = append(ms, g.unknown())
	}
	return g.object(ms, g.p(.2))
}

func (g *Gen) provenance() *Value {
	ms := []Member{M("producer", g.str(pick(g, []string{"p", "é"}))),
		M("method", g.str(g.word([]string{"app", "dom", "extension", "mcp", "manual"}, []string{"robot"}, .1)))}
	if g.odd(.05) {
		ms = ms[:1]
	}
	return g.object(ms, g.p(.2))
}

// surrounding draws the five lists; values come up in several of them.
func (g *Gen) surrounding(target *Value, restored float64) *Value {
	var ms []Member
	var made []*Value
	for _, l := range []struct {
		name       string
		often, old float64
	}{{"ancestors", .65, .05}, {"nearby", .35, .05}, {"visible", .4, .5}, {"history", .25, .3}, {"sources", .2, .05}} {
		if !g.p(l.often) {
			continue
		}
		list := List()
		for range pick(g, []int{1, 1, 1, 2, 3}) {
			v := g.targetShaped(l.name, restored)
			if len(made) > 0 && g.p(l.old) {
				v = pick(g, made).Clone()
			}
			if target != nil && l.name == "visible" && g.p(.1) {
				v = target.Clone()
			}
			made = append(made, v)
			list.Entries = append(list.Entries, v)
		}
		if l.name == "visible" && g.p(.2) { // all that was there, in any order
			list.Entries = nil
			for _, k := range g.r.Perm(len(made)) {
				list.Entries = append(list.Entries, made[k].Clone())
			}
		}
		if g.odd(.1) {
			list.Entries = nil
		}
		if g.odd(.003) {
			list.Entries = append(list.Entries, g.wrong(jsontree.Object))
		}
		ms = append(ms, M(l.name, list))
		if g.odd(.02) {
			ms[len(ms)-1].Value = g.wrong(jsontree.Array)
		}
	}
	if g.odd(.06) {
		ms = append(ms, g.unknown())
	}
	return g.object(ms, g.p(.2))
}

// targetShaped draws a target-shaped value.
func (g *Gen) targetShaped(place string, restored float64) *Value {
	if g.p(restored) {
		return g.restored(place)
	}
	var ms []Member
	if g.p(.7) {
		ms = append(ms, M("text", g.text()))
	}
	if w, ok := g.secureWord(); ok {
		ms = append(ms, M("role", g.str(w)))
	} else if g.p(.6) {
		ms = append(ms, M("role", g.str(g.word(aria, g.withSecure(oddAria), .2))))
	} else if g.p(.3) {
		ms = append(ms, M("role", Str("document")))
	}
	if g.p(.4) {
		ms = append(ms, M("label", g.str(pick(g, titles))))
	}
	if g.p(.4) {
		ms = append(ms, M("selector", g.str(pick(g, []string{"#a", ".b", "a", "app"}))))
	}
	if g.p(.3) {
		ms = append(ms, M("bounds", Raw(`{"x":1.0,"y":-2,"width":3e1,"height":0}`)))
		if g.odd(.15) {
			ms[len(ms)-1].Value = Raw(pick(g, []string{`{"x":1}`, `5`, `{"x":1,"y":2,"width":3,"height":4,"z":5}`, `{"x":"1","y":2,"width":3,"height":4}`, `null`}))
		}
	}
	if g.p(.4) {
		metadata := []string{`"m"`, `{}`, `{"k":1}`, `{"element":1}`, `{"element":{"id":"a"}}`, `{"z":1,"a":[1.0]}`, `""`}
		if g.Odd {
			metadata = append(metadata, `null`, `5`, `[]`, `{"element":{"id":"a","role":"Text","subrole":"password"}}`, `{"element":{"role":"otp"},"k":2}`)
		}
		ms = append(ms, M("metadata", Raw(pick(g, metadata))))
	}
	if g.p(.25) {
		ms = append(ms, M("screenshot", g.screenshot()))
	}
	if g.odd(.08) {
		ms = append(ms, g.unknown())
	}
	if g.odd(.04) {
		ms = append(ms, M(pick(g, []string{"text", "role", "label", "selector"}), g.wrong(jsontree.String)))
	}
	return g.object(ms, g.p(.3))
}

func (g *Gen) screenshot() *Value {
	list := []string{`{"mimeType":"image/png","data":"QUJD"}`, `{"mimeType":"image/png","url":"s:1"}`, `{"url":"s:1","mimeType":"image/png","data":"QUJD"}`,
		`{"mimeType":"image/png"}`, `{"data":"data:image/png;base64,QUJD","mimeType":"image/png"}`}
	if g.Odd {
		list = append(list, `{"data":"QUJD"}`, `{"mimeType":"image/png","data":5}`, `{"mimeType":"image/png","data":"QQ==","alt":"x"}`, `"s"`, `{}`, `5`,
			`{"url":"u:9"}`, `{"mimeType":"a/b","data":"data:QQ","url":null}`, `{"mimeType":"a/b","data":"data:;base64,"}`)
	}
	return Raw(pick(g, list))
}

// restored draws a value as section 6.2 writes an element, now and then a little
// off.
func (g *Gen) restored(place string) *Value {
	role := g.word(roles, g.withSecure(oddRoles), .15)
	if g.p(.3) {
		role = "Document"
	}
	if w, ok := g.secureWord(); ok {
		role = w
	}
	shown, ok := toAria[role]
	if !ok {
		shown = role
	}
	id := pick(g, ids)
	e := []Member{M("id", Str(id)), M("role", Str(role))}
	some := func(x float64, name string, values ...string) {
		if g.p(x) {
			e = append(e, M(name, Raw(pick(g, values))))
		}
	}
	if g.p(.4) {
		e = append(e, M("subrole", Str(g.word(subroles, g.withSecure(oddSubroles), .2))))
	}
	if g.p(.3) {
		e = append(e, M("url", Str(pick(g, urls))))
	}
	some(.25, "selected", "true")
	if g.p(.4) && (place == "target" || place == "ancestors") || g.odd(.05) {
		e = append(e, M("focused", Raw("true")))
	}
	if place == "visible" && !g.odd(.1) {
		e = append(e, M("visible", Raw("true")))
	} else {
		some(.3, "visible", "true", "true", "false")
	}
	some(.1, "hovered", "true")
	content := []string{`[{"type":"image","data":"QQ==","mimeType":"image/png"}]`, `[{"type":"future"}]`}
	attributes := []string{`{"k":1}`, `{"route":"/r"}`, `{"author":"A","k":[]}`}
	if g.Odd {
		content = append(content, `[]`, `[{"type":"text","text":"in"}]`)
		attributes = append(attributes, `{}`, `{"selected":true}`, `{"role":"Row"}`)
	}
	some(.2, "content", content...)
	some(.3, "attributes", attributes...)
	if g.odd(.04) {
		e = append(e, g.unknown())
	}
	metadata := []Member{M("element", g.object(e, g.odd(.05)))}
	if g.odd(.04) {
		metadata = append(metadata, M("m", Raw("1")))
	}
	var ms []Member
	if g.p(.5) {
		ms = append(ms, M("text", g.text()))
	}
	ms = append(ms, M("role", Str(shown)))
	if g.p(.5) {
		ms = append(ms, M("label", g.str(pick(g, titles))))
	}
	ms = append(ms, M("selector", Str(id)), M("metadata", Obj(metadata...)))
	if g.odd(.05) {
		ms = append(ms, M(pick(g, []string{"bounds", "x", "screenshot"}), Raw(`{"x":1,"y":2,"width":3,"height":4}`)))
	}
	return g.object(ms, g.Odd)
}
