package translate

import (
	"slices"

	"ctxmigrate/translate/carry"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
)

// isSecure reports whether an element is one of which something is withheld.
func (c *Converter) isSecure(i int32) bool { return c.snap.Elements[i].Secure && !c.opts.KeepSecure }

// harmless are the members of a secure item or element that are passed on: id, role,
// subrole, title, states, and where it stands. What is not read as one of these, be it
// of such a name, is withheld, and so is the name of what is not known.
func (c *Converter) harmless(list []carry.Member, form Form) (out []carry.Member) {
	for _, m := range list {
		if c.isHarmless(string(jsontree.Unquote(m.Name)), m.Value, form) {
			out = append(out, m)
		}
	}
	return out
}

// passedOn are the kinds of values that members have which are passed on of what is
// secure, and those which pass as absent.
var passedOn = map[Form]map[string][]jsontree.Kind{
	V01: {"id": idKinds, "parent": idKinds, "type": textKinds, "title": textKinds, "locatable": truthKinds,
		"url": absent, "content": absent, "payload": absent},
	V020: {"id": idKinds, "role": textKinds, "subrole": textKinds, "title": textKinds,
		"selected": truthKinds, "focused": truthKinds, "visible": truthKinds, "hovered": truthKinds,
		"url": absent, "content": absent, "attributes": absent, "children": absent},
}

var (
	absent     = []jsontree.Kind{jsontree.Null}
	truthKinds = []jsontree.Kind{jsontree.Null, jsontree.Bool}
	textKinds  = []jsontree.Kind{jsontree.Null, jsontree.String}
	idKinds    = []jsontree.Kind{jsontree.Null, jsontree.String, jsontree.Number}
)

func (c *Converter) isHarmless(name string, v []byte, form Form) bool {
	kind := jsontree.KindOf(v)
	switch {
	case slices.Contains(passedOn[form][name], kind):
		return true
	case form == V020:
		return name == "children" && string(v) == "[]"
	case name == "payload":
		return kind == jsontree.Object && c.onlySteers(v)
	}
	return c.steers(name, v)
}

// onlySteers reports whether a payload says nothing but a role, a subrole and
// states.
func (c *Converter) onlySteers(payload []byte) bool {
	ok := true
	jsontree.Members(payload, func(name, v []byte) bool {
		ok = c.steers(string(jsontree.Unquote(name)), v)
		return ok
	})
	return ok
}

// steers reports whether a member of the payload of a secure item is read as its
// role, its subrole or a state.
func (c *Converter) steers(name string, v []byte) bool {
	switch name {
	case "role":
		return v[0] == '"' && model.ParseRole(jsontree.Unquote(v)) != model.Unknown
	case "subrole":
		return v[0] == '"' && c.words.Secure(jsontree.Unquote(v)) // no other takes the place of a secure one
	case "selected", "focused", "visible", "hovered":
		return jsontree.KindOf(v) == jsontree.Bool
	}
	return false
}
