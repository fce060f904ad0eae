package v01

import (
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/model"
)

// Reasons tells why an element of the last answer is what it is, by its index in the
// snapshot that the answer was read into. Asked tells what reading it noted.
func (d *Decoder) Reasons(i int32, asked diag.Asked) []diag.Reason {
	s := d.S
	e := &s.Elements[i]
	if !d.IsItem(i) {
		return []diag.Reason{
			{Of: "role", Is: "Application", Section: "4.1", Text: "a root was made up, since no item is the application"},
			{Of: "id", Is: string(s.Text(e.ID)), Section: "4.1, 4.5", Text: "made up, apart from all ids of the answer"},
		}
	}
	member := func(name string) model.Span {
		v, _ := s.Field(jsontree.MakeSpan(int(e.At), len(s.Src)-int(e.At), true), name)
		return v
	}
	list := []diag.Reason{d.roleReason(i), d.subroleReason(i), idReason(s, i, asked), d.placeReason(i, member("parent"), asked)}
	return append(list, d.stateReasons(i)...)
}

func roleText(s *model.Snapshot, e *model.Element) string {
	if e.Role == model.Unknown {
		return string(s.Text(e.RoleWord))
	}
	return e.Role.String()
}

func (d *Decoder) word(i int32) string {
	if typ := d.Type(i); !typ.IsZero() {
		return string(d.S.Text(typ))
	}
	return ""
}

func (d *Decoder) roleReason(i int32) diag.Reason {
	e := &d.S.Elements[i]
	why, _ := d.Fate(i)
	r := diag.Reason{Of: "role", Is: roleText(d.S, e), Section: "4.3", Text: why.String()}
	word := d.word(i)
	switch why {
	case AsRoot:
		r.Section, r.Text = "4.1", "it is the first item without a parent that is an application"
	case ByPayload:
		r.Text = "payload.role says so"
	case BySelection:
		if r.Text = "the type is selection"; e.Role == model.Image {
			r.Text = "the type is selection, and what is selected is an image"
		}
	case ByUnknown:
		if word == "" {
			r.Text = "it has no type, and its place says the role"
		} else {
			r.Text = `the type "` + word + `" is in no vocabulary, and its place says the role`
		}
	case ByFixed:
		r.Text = `the type "` + word + `" has this role wherever it is`
	case ByParent:
		r.Text = `the type "` + word + `" is an entry, and what it is in says the role`
	case ByItself:
		r.Text = `the type "` + word + `" is an entry that stands in no list, table or row`
	}
	if c := Choose([]byte(word), d.opts.Mapping); d.opts.Mapping != nil && c.Known && d.opts.Mapping.rules[c.Word] != nil && why >= BySelection {
		r.Section, r.Text = "4.8", r.Text+" (by the mapping file)"
	}
	return r
}

func (d *Decoder) subroleReason(i int32) diag.Reason {
	s := d.S
	e := &s.Elements[i]
	typ := d.Type(i)
	r := diag.Reason{Of: "subrole", Section: "4.3"}
	switch {
	case e.Subrole.IsZero() && typ.IsZero():
		r.Text = "there is none, since there is no type"
	case e.Subrole.IsZero():
		r.Text = "there is none: the type says no more than role and states do"
	default:
		r.Is = string(s.Text(e.Subrole))
		switch {
		case e.Subrole == typ:
			r.Text = "the type as it was written"
		case int(e.Subrole.Off) < len(s.Src):
			r.Text = "payload.subrole says so"
		default:
			r.Section, r.Text = "4.8", "the mapping file says so"
		}
	}
	return r
}

// idReason tells where an id comes from.
func idReason(s *model.Snapshot, i int32, asked diag.Asked) diag.Reason {
	e := &s.Elements[i]
	r := diag.Reason{Of: "id", Is: string(s.Text(e.ID)), Section: "4.5", Text: "as it was written"}
	switch {
	case asked(diag.DuplicateID, e.At):
		r.Text = "it appears again, and was told apart by a number"
	case asked(diag.MissingID, e.At):
		r.Text = "made up, since there was none"
	}
	return r
}

func (d *Decoder) placeReason(i int32, parent model.Span, asked diag.Asked) diag.Reason {
	s := d.S
	e := &s.Elements[i]
	r := diag.Reason{Of: "place", Section: "4.2"}
	if i == s.Root {
		r.Section, r.Text = "4.1", "it is the root"
		return r
	}
	if e.Parent != model.None {
		r.Is = "in " + string(s.Text(s.Elements[e.Parent].ID))
	}
	switch {
	case asked(diag.SelectionPlaced, e.At):
		r.Text = "a selection without a parent goes where the focus is"
	case parent.IsZero() || parent.Len() <= 2 || s.Raw(parent)[0] == 'n':
		r.Text = "it names no parent"
	case asked(diag.OrphanParent, parent.Off):
		r.Text = "the parent that it names is not in the answer"
	case asked(diag.ParentCycle, parent.Off):
		r.Text = "a ring of parents was cut here"
	case e.Parent != model.None && jsontree.EqualStrings(s.Raw(parent), s.Raw(s.Elements[e.Parent].ID)):
		r.Text = "its parent says so"
	default:
		r.Section, r.Text = "4.2, 4.8", "the nearest above it that the mapping file does not leave out"
	}
	return r
}

func (d *Decoder) stateReasons(i int32) (list []diag.Reason) {
	s := d.S
	e := &s.Elements[i]
	if e.Selected {
		r := diag.Reason{Of: "selected", Section: "4.3", Text: "a selection is selected"}
		if d.items[i].state == model.Shown {
			r.Section, r.Text = "4.6", "payload.selected says so"
		}
		list = append(list, r)
	}
	if e.Focused {
		r := diag.Reason{Of: "focused", Section: "4.4", Text: "it lies on the path to what the focus list names"}
		for _, f := range d.focus[:min(len(d.focus), 64)] { // of a list without end not all is told
			if f.elem == i {
				r.Text = "the focus list names it"
			}
		}
		list = append(list, r)
	}
	if e.Visible != model.Unstated {
		list = append(list, diag.Reason{Of: "visible", Section: "4.6", Text: "payload.visible says so"})
	}
	if e.Hovered {
		list = append(list, diag.Reason{Of: "hovered", Section: "4.6", Text: "payload.hovered says so"})
	}
	return list
}
