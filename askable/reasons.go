package askable

import (
	"slices"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/model"
)

// Reasons tells why an element of the last packet is what it is, by its index in the
// snapshot that the packet was read into. Asked tells what reading it noted.
func (d *Decoder) Reasons(i int32, asked diag.Asked) []diag.Reason {
	s := d.S
	e := &s.Elements[i]
	if i == s.Root {
		return []diag.Reason{
			{Of: "role", Is: "Application", Section: "6.1", Text: "a packet has no root, and one was made up; its title is source.app"},
			{Of: "id", Is: string(s.Text(e.ID)), Section: "6.1", Text: "made up"},
		}
	}
	v, place := d.valueOf(i)
	if v == nil {
		list := []diag.Reason{
			{Of: "role", Is: "Document", Section: "6.1", Text: "source names a page"},
			{Of: "id", Is: string(s.Text(e.ID)), Section: "6.1", Text: "made up"},
			{Of: "place", Is: "in " + string(s.Text(s.Elements[e.Parent].ID)), Section: "6.1", Text: "the page stands in the root"},
		}
		return append(list, d.stateReasons(nil, e)...)
	}
	list := append(d.wordReasons(v, e), d.placeReason(v, place))
	return append(list, d.stateReasons(v, e)...)
}

// valueOf is the value that became an element, and where in the packet it stands.
func (d *Decoder) valueOf(i int32) (*value, place) {
	if d.hasTarget && d.target.elem == i {
		return &d.target, ofTarget
	}
	at := d.S.Elements[i].At // which tells values apart, and is rising in each list
	for _, l := range []struct {
		list []value
		p    place
	}{{d.ancestors, ofAncestor}, {d.nearby, ofNearby}, {d.visible, ofVisible}} {
		k, found := slices.BinarySearchFunc(l.list, at, func(v value, at uint32) int { return int(v.at) - int(at) })
		if found && l.list[k].elem == i {
			return &l.list[k], l.p
		}
	}
	return nil, 0
}

// wordReasons tells why role, subrole and id are what they are.
func (d *Decoder) wordReasons(v *value, e *model.Element) []diag.Reason {
	s := d.S
	role := diag.Reason{Of: "role", Is: e.Role.String(), Section: "6.1"}
	sub := diag.Reason{Of: "subrole", Section: "6.1", Text: "there is none, since there is no role"}
	id := diag.Reason{Of: "id", Is: string(s.Text(e.ID)), Section: "6.1", Text: "made up of its place in the packet"}
	if e.Role == model.Unknown {
		role.Is = string(s.Text(e.RoleWord))
	}
	if !e.Subrole.IsZero() {
		sub.Is, sub.Text = string(s.Text(e.Subrole)), "the role as it was written"
	}
	switch {
	case v.restored:
		role.Text = "restored from metadata.element"
		id.Text = "restored from metadata.element"
		if sub.Text = "metadata.element has none"; sub.Is != "" {
			sub.Text = "restored from metadata.element"
		}
	case v.role.IsZero() && e.Role == model.Text:
		role.Text = "it has no role, and text was selected"
	case v.role.IsZero():
		role.Text = "it has no role"
	case e.Role == model.Group:
		role.Text = `the role "` + string(s.Text(v.role)) + `" is no ARIA word that says more`
	default:
		role.Text = `the ARIA role "` + string(s.Text(v.role)) + `" says so`
	}
	return []diag.Reason{role, sub, id}
}

var placeTexts = [...]string{ofTarget: "the target stands in the last ancestor", ofAncestor: "ancestors are a chain in the page, the outermost first",
	ofNearby: "what is nearby stands beside the target", ofVisible: "what is visible and nowhere else stands in the page"}

func (d *Decoder) placeReason(v *value, p place) diag.Reason {
	s := d.S
	r := diag.Reason{Of: "place", Section: "6.1", Text: placeTexts[p]}
	if up := s.Elements[v.elem].Parent; up != model.None {
		r.Is = "in " + string(s.Text(s.Elements[up].ID))
	}
	if d.class == selecting && p <= ofNearby && p != ofAncestor && !(d.hasTarget && d.target.restored) {
		r.Text = "in this mode it stands in the deepest ancestor whose text holds the target's, else in the page"
	}
	return r
}

func (d *Decoder) stateReasons(v *value, e *model.Element) (list []diag.Reason) {
	why := func(of string) {
		r := diag.Reason{Of: of, Section: "6.1", Text: "mode and gesture of the capture say so"}
		switch {
		case of == "focused" && v != &d.target && !(v != nil && v.restored && v.element.focused):
			r.Text = "it lies on the path to the target, which is focused"
		case v != nil && v.restored:
			r.Text = "restored from metadata.element"
		}
		list = append(list, r)
	}
	if e.Selected {
		why("selected")
	}
	if e.Focused {
		why("focused")
	}
	if e.Hovered {
		why("hovered")
	}
	if e.Visible == model.Shown {
		list = append(list, diag.Reason{Of: "visible", Section: "6.1", Text: "it is listed as visible"})
	}
	return list
}
