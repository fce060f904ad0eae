package v020

import "ctxmigrate/translate/diag"

// Rules are what Checker asks of an answer. What cannot be read at all has rules
// of its own; see translate.Rules.
var Rules = []diag.Rule{
	{Code: diag.InstanceMissing, Level: diag.Warning, From: "RFC-0001 4.4", Schema: true},
	{Code: diag.WrongType, Level: diag.Error, From: "RFC-0001 4.1", Schema: true,
		Meaning: "A known member is of another JSON type than the form says."},
	{Code: diag.MemberUnknown, Level: diag.Warning, From: "RFC-0001 4.1", Schema: true},
	{Code: diag.StateRepeated, Level: diag.Error, From: "RFC-0001 R1", Schema: true,
		Message: "the state {0} is said elsewhere than on its element",
		Meaning: "A state is said in attributes or on the answer, not on the element that it describes."},
	{Code: diag.StateNested, Level: diag.Warning, From: "RFC-0001 R1"},
	{Code: diag.RootRole, Level: diag.Error, From: "RFC-0001 R3", Schema: true,
		Meaning: "The root has another role than Application, or none."},
	{Code: diag.RoleMissing, Level: diag.Error, From: "RFC-0001 4.1", Schema: true,
		Meaning: "An element has no role."},
	{Code: diag.RoleUnknown, Level: diag.Warning, From: "RFC-0001 R3",
		Message: "the role {0} is none of the thirteen words",
		Meaning: "A role is not of the role language; readers act on it as Group."},
	{Code: diag.MissingID, Level: diag.Error, From: "RFC-0001 4.1", Schema: true,
		Message: "an element has no id", Meaning: "An element has no id, or an empty one."},
	{Code: diag.DuplicateID, Level: diag.Error, From: "RFC-0001 R4",
		Message: "the id {0} appears again", Meaning: "An id appears more than once in an answer."},
	{Code: diag.FocusGap, Level: diag.Error, From: "RFC-0001 R6",
		Message: "{0} lies on the focused path and does not say so", Meaning: "The focused path has a gap."},
	{Code: diag.FocusOffPath, Level: diag.Error, From: "RFC-0001 R6",
		Message: "{0} is focused beside the focused path", Meaning: "The focused path forks: there is one position."},
	{Code: diag.RootFocused, Level: diag.Error, From: "RFC-0001 4.1", Schema: true},
	{Code: diag.RootHidden, Level: diag.Error, From: "RFC-0001 4.1", Schema: true},
	{Code: diag.VisibleClash, Level: diag.Warning, From: "RFC-0001 4.1"},
	{Code: diag.ReservedAttribute, Level: diag.Error, From: "RFC-0001 4.3", Schema: true,
		Meaning: "author is no string, or related no list."},
	{Code: diag.RelatedEntry, Level: diag.Error, From: "RFC-0001 4.3", Schema: true},
	{Code: diag.RelatedUnknownID, Level: diag.Warning, From: "RFC-0001 4.3"},
	{Code: diag.ContentBlock, Level: diag.Error, From: "RFC-0001 4.1, MCP", Schema: true},
	{Code: diag.ContentUnknown, Level: diag.Note, From: "RFC-0001 4.1, MCP"},
	{Code: diag.SecureContent, Level: diag.Error, From: "rules-0.2.0 9.1"},
}
