package translate_test

import (
	"fmt"
	"slices"
	"strings"

	"ctxmigrate/internal/docgen"
	"ctxmigrate/translate"
	"ctxmigrate/translate/jsontree"
)

// This file checks documents against sections 1 and 5 of the contract, RFC-0001
// (R1, R3, R4, R6) and the strict reading of packets. It is written from these
// and knows nothing of the program's writers.

var (
	answer01Members = []string{"protocol", "instance", "items", "focus"}
	itemMembers     = []string{"id", "type", "parent", "title", "url", "content", "locatable", "payload"}
	answer02Members = []string{"protocol", "instance", "root"}
	elementMembers  = []string{"id", "role", "subrole", "title", "url", "selected", "focused", "visible", "hovered", "content", "attributes", "children"}
	packetMembers   = []string{"protocol", "version", "source", "capture", "target", "surrounding", "privacy", "provenance"}
	sourceMembers   = []string{"url", "title", "app", "route", "timestamp"}
	listMembers     = []string{"ancestors", "nearby", "visible", "history", "sources"}
	thirteenRoles   = strings.Fields("Application Window Group List Table Row Cell Text Heading Link Image Page Document")
)

// valid answers what is wrong with a document of a form, or "". Src is what it
// was made of, whose strange words may stand.
func valid(form translate.Form, doc, src []byte, opts *translate.Options) string {
	v := docgen.Parse(doc)
	if v == nil {
		return "no JSON"
	}
	if string(v.Append(nil)) != string(doc) {
		return "white space between tokens"
	}
	c := &checker{src: docgen.Parse(src)}
	switch form {
	case translate.V01:
		c.answer01(v)
	case translate.V020:
		c.answer020(v, opts.AllFocus)
	default:
		c.packet(v)
		c.packetOrder(v)
	}
	return c.wrong
}

type checker struct {
	src   *docgen.Value
	words map[string]bool
	wrong string
}

func (c *checker) fail(format string, args ...any) {
	if c.wrong == "" {
		c.wrong = fmt.Sprintf(format, args...)
	}
}

// said reports whether the source has a string of that text.
func (c *checker) said(word string) bool {
	if c.words == nil {
		c.words = map[string]bool{}
		if c.src != nil {
			c.src.Each(func(v *docgen.Value) { c.words[v.Says()] = true })
		}
	}
	return c.words[word]
}

// members checks that an object has only these members, in this order.
func (c *checker) members(v *docgen.Value, allowed []string, what string) {
	if !v.Is(jsontree.Object) {
		c.fail("%s is no object", what)
		return
	}
	at := -1
	for _, m := range v.Members {
		k := slices.Index(allowed, m.Says())
		if k < 0 {
			c.fail("%s has a member %s", what, m.Name)
		} else if k < at {
			c.fail("%s has %s out of order", what, m.Name)
		}
		at = max(at, k)
	}
}

// order puts members in an order, others last.
func order(v *docgen.Value, names []string) {
	slices.SortStableFunc(v.Members, func(a, b docgen.Member) int {
		i, j := slices.Index(names, a.Says()), slices.Index(names, b.Says())
		if i < 0 {
			i = len(names)
		}
		if j < 0 {
			j = len(names)
		}
		return i - j
	})
}

func (c *checker) strings(v *docgen.Value, what string, names ...string) {
	for _, n := range names {
		if m := v.Get(n); m != nil && m.Kind != jsontree.String {
			c.fail("%s of %s is no string", n, what)
		}
	}
}

func (c *checker) answer01(v *docgen.Value) {
	c.members(v, answer01Members, "the answer")
	if v.Get("protocol").Says() != "0.1" || !v.Get("instance").Is(jsontree.String) {
		c.fail("no protocol 0.1 with an instance")
	}
	items, focus := v.Get("items"), v.Get("focus")
	if !items.Is(jsontree.Array) || !focus.Is(jsontree.Array) {
		c.fail("no items and focus")
		return
	}
	ids := map[string]bool{}
	for i, e := range items.Entries {
		what := fmt.Sprintf("item %d", i)
		c.members(e, itemMembers, what)
		c.strings(e, what, "id", "type", "parent", "title", "url")
		id := e.Get("id").Says()
		if id == "" || ids[id] {
			c.fail("%s has no id of its own", what)
		}
		if e.Get("type") == nil {
			c.fail("%s has no type", what)
		}
		if p := e.Get("parent"); p != nil && !ids[p.Says()] {
			c.fail("the parent of %s does not come before it", what)
		}
		ids[id] = true
		if p := e.Get("payload"); p != nil && p.Kind != jsontree.Object {
			c.fail("the payload of %s is no object", what)
		}
		if p := e.Get("content"); p != nil && p.Kind != jsontree.Array {
			c.fail("the content of %s is no list", what)
		}
		if p := e.Get("locatable"); p != nil && p.Kind != jsontree.Bool {
			c.fail("locatable of %s is no boolean", what)
		}
	}
	if len(focus.Entries) > 1 {
		c.fail("more than one id in focus")
	}
	for _, f := range focus.Entries {
		if !ids[f.Says()] {
			c.fail("focus names no item")
		}
	}
}

func (c *checker) answer020(v *docgen.Value, allFocus bool) {
	c.members(v, answer02Members, "the answer")
	if v.Get("protocol").Says() != "0.2.0" || !v.Get("instance").Is(jsontree.String) {
		c.fail("no protocol 0.2.0 with an instance")
	}
	ids := map[string]bool{}
	units := docgen.Units(v, docgen.V020)
	if len(units) == 0 {
		c.fail("no root")
	}
	for _, u := range units {
		c.members(u.Value, elementMembers, u.Pointer)
		c.strings(u.Value, u.Pointer, "id", "role", "subrole", "title", "url")
		if id := u.Get("id").Says(); id == "" || ids[id] {
			c.fail("R4: %s has no id of its own", u.Pointer)
		} else {
			ids[id] = true
		}
		role := u.Get("role").Says()
		switch {
		case u.Get("role") == nil, u.Parent == nil && role != "Application":
			c.fail("R3: the role of %s is %q", u.Pointer, role)
		case !slices.Contains(thirteenRoles, role) && !c.said(role):
			c.fail("R3: %s has the role %q that the source has not", u.Pointer, role)
		}
		for _, s := range []string{"selected", "focused", "hovered"} {
			if m := u.Get(s); m != nil && !m.True() {
				c.fail("%s of %s is stated and not true", s, u.Pointer)
			}
		}
		if m := u.Get("visible"); m != nil && m.Kind != jsontree.Bool {
			c.fail("visible of %s is no boolean", u.Pointer)
		}
		if m := u.Get("content"); m != nil && m.Kind != jsontree.Array {
			c.fail("the content of %s is no list", u.Pointer)
		}
		if a := u.Get("attributes"); a != nil {
			if a.Kind != jsontree.Object {
				c.fail("the attributes of %s are no object", u.Pointer)
			}
			for _, s := range []string{"selected", "focused", "visible", "hovered"} {
				if a.Get(s).Is(jsontree.Bool) {
					c.fail("R1: %s says %s among its attributes", u.Pointer, s)
				}
			}
		}
		focused := 0
		if m := u.Get("children"); m != nil {
			if len(m.Entries) == 0 {
				c.fail("the children of %s are none", u.Pointer)
			}
			for _, e := range m.Entries {
				if e.Get("focused").True() {
					focused++
				}
			}
		}
		mine := u.Parent == nil || u.Get("focused").True()
		if u.Parent == nil && u.Get("focused") != nil || focused > 0 && !mine || focused > 1 && !allFocus {
			c.fail("R6: the focus is no path at %s", u.Pointer)
		}
	}
}

// strictPacket reports whether a packet satisfies the strict reading.
func strictPacket(v *docgen.Value) bool {
	if v == nil {
		return false
	}
	c := &checker{}
	c.packet(v)
	return c.wrong == ""
}

// packet checks the strict schema, but for the order of members.
func (c *checker) packet(v *docgen.Value) {
	only := func(v *docgen.Value, what string, allowed []string, required ...string) {
		if !v.Is(jsontree.Object) {
			c.fail("%s is no object", what)
			return
		}
		for _, m := range v.Members {
			if !slices.Contains(allowed, m.Says()) {
				c.fail("%s has a member %s", what, m.Name)
			}
		}
		for _, r := range required {
			if v.Get(r) == nil {
				c.fail("%s has no %s", what, r)
			}
		}
	}
	only(v, "the packet", packetMembers, "protocol", "version", "source", "capture", "privacy", "provenance")
	if v.Get("protocol").Says() != "askable.context" || v.Get("version").Says() != "0.1" {
		c.fail("not askable.context 0.1")
	}
	for _, o := range []struct {
		name     string
		allowed  []string
		required []string
	}{
		{"source", sourceMembers, []string{"timestamp"}},
		{"capture", []string{"mode", "gesture", "intent"}, []string{"mode"}},
		{"privacy", []string{"redacted", "consent", "omitted"}, []string{"redacted", "consent"}},
		{"provenance", []string{"producer", "method"}, []string{"producer", "method"}},
	} {
		only(v.Get(o.name), o.name, o.allowed, o.required...)
		for _, n := range o.allowed {
			if n != "redacted" && n != "omitted" {
				c.strings(v.Get(o.name), o.name, n)
			}
		}
	}
	if p := v.Get("privacy"); p != nil {
		if !p.Get("redacted").Is(jsontree.Bool) {
			c.fail("redacted is no boolean")
		}
		if o := p.Get("omitted"); o != nil && (o.Kind != jsontree.Array ||
			slices.ContainsFunc(o.Entries, func(e *docgen.Value) bool { return e.Kind != jsontree.String })) {
			c.fail("omitted is no list of strings")
		}
	}
	if s := v.Get("surrounding"); s != nil {
		only(s, "surrounding", listMembers)
		for _, m := range s.Members {
			if m.Value.Kind != jsontree.Array || slices.ContainsFunc(m.Value.Entries, func(e *docgen.Value) bool { return e.Kind != jsontree.Object }) {
				c.fail("%s is no list of objects", m.Name)
			}
		}
	}
	if t := v.Get("target"); t != nil && t.Kind != jsontree.Object {
		c.fail("target is no object")
	}
	for _, u := range docgen.Units(v, docgen.Askable) {
		only(u.Value, u.Pointer, []string{"text", "role", "label", "selector", "bounds", "metadata", "screenshot"})
		c.strings(u.Value, u.Pointer, "text", "role", "label", "selector")
		if b := u.Get("bounds"); b != nil {
			only(b, "bounds", []string{"x", "y", "width", "height"}, "x", "y", "width", "height")
			for _, m := range b.Members {
				if m.Value.Kind != jsontree.Number {
					c.fail("bounds of %s are not numbers", u.Pointer)
				}
			}
		}
		if m := u.Get("metadata"); m != nil && m.Kind != jsontree.Object && m.Kind != jsontree.String {
			c.fail("metadata of %s is neither object nor string", u.Pointer)
		}
		if s := u.Get("screenshot"); s != nil {
			only(s, "screenshot", []string{"mimeType", "data", "url"}, "mimeType")
			c.strings(s, "screenshot", "mimeType", "data", "url")
		}
	}
}

// packetOrder checks what we hold ourselves to beside that: the order of the
// specification, and no empty lists.
func (c *checker) packetOrder(v *docgen.Value) {
	c.members(v, packetMembers, "the packet")
	c.members(v.Get("source"), sourceMembers, "source")
	if s := v.Get("surrounding"); s != nil {
		c.members(s, listMembers, "surrounding")
		if len(s.Members) == 0 {
			c.fail("surrounding is empty")
		}
		for _, m := range s.Members {
			if len(m.Value.Entries) == 0 {
				c.fail("%s is empty", m.Name)
			}
		}
	}
}
