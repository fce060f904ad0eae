package v020

import (
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/model"
)

// Reasons tells why an element of an answer that was read into s is what it is.
// Asked tells what reading it noted.
func Reasons(s *model.Snapshot, i int32, asked diag.Asked) []diag.Reason {
	e := &s.Elements[i]
	role := diag.Reason{Of: "role", Is: e.Role.String(), Section: "5.3", Text: "as it was written"}
	switch {
	case i == s.Root && asked(diag.RootRole, e.At):
		role.Text = "a root of another role, or none, is read as Application"
	case e.Role == model.Unknown:
		role.Is, role.Text = string(s.Text(e.RoleWord)), "as it was written; it is no word of the role language, and acted on as Group"
	case asked(diag.RoleMissing, e.At):
		role.Text = "there was none"
	}
	sub := diag.Reason{Of: "subrole", Section: "5.3", Text: "there is none"}
	if !e.Subrole.IsZero() {
		sub.Is, sub.Text = string(s.Text(e.Subrole)), "as it was written"
	}
	id := diag.Reason{Of: "id", Is: string(s.Text(e.ID)), Section: "4.5", Text: "as it was written"}
	switch {
	case asked(diag.DuplicateID, e.At):
		id.Text = "it appears again, and was told apart by a number"
	case asked(diag.MissingID, e.At):
		id.Section, id.Text = "5.3", "made up, since there was none"
	}
	place := diag.Reason{Of: "place", Section: "5.3", Text: "it is the root"}
	if e.Parent != model.None {
		place.Is, place.Text = "in "+string(s.Text(s.Elements[e.Parent].ID)), "where it was written"
	}
	list := []diag.Reason{role, sub, id, place}
	if e.Selected {
		list = append(list, diag.Reason{Of: "selected", Section: "5.3", Text: "as it was written"})
	}
	if e.Focused {
		r := diag.Reason{Of: "focused", Section: "5.3", Text: "as it was written"}
		if asked(diag.FocusGap, e.At) {
			r.Text = "a gap of the focused path was filled"
		}
		list = append(list, r)
	} else if asked(diag.FocusOffPath, e.At) {
		list = append(list, diag.Reason{Of: "focused", Is: "no", Section: "5.3", Text: "what is focused beside the path was unmarked"})
	}
	if e.Visible != model.Unstated {
		list = append(list, diag.Reason{Of: "visible", Section: "5.3", Text: "as it was written"})
	}
	if e.Hovered {
		list = append(list, diag.Reason{Of: "hovered", Section: "5.3", Text: "as it was written"})
	}
	return list
}
