package v01

import "ctxmigrate/translate/diag"

// Rules are what Checker asks of an answer. Sections are those of the conversion
// contract, since the specification of 0.1 is not available. What cannot be read
// at all has rules of its own; see translate.Rules.
var Rules = []diag.Rule{
	{Code: diag.InstanceMissing, Level: diag.Warning, From: "1", Schema: true},
	{Code: diag.WrongType, Level: diag.Error, From: "1, 2", Schema: true,
		Meaning: "A known member is of another JSON type than the form says."},
	{Code: diag.MemberUnknown, Level: diag.Warning, From: "1", Schema: true},
	{Code: diag.MissingID, Level: diag.Error, From: "1", Schema: true,
		Message: "an item has no id", Meaning: "An item has no id, or an empty one."},
	{Code: diag.DuplicateID, Level: diag.Note, From: "1, 4.5",
		Message: "the id {0} appears again", Meaning: "An id appears more than once, as it does where a thing is shown twice."},
	{Code: diag.IDAmbiguous, Level: diag.Warning, From: "4.2, 4.4"},
	{Code: diag.OrphanParent, Level: diag.Error, From: "4.2", Meaning: "An item names a parent that is not in the list."},
	{Code: diag.ParentCycle, Level: diag.Error, From: "4.2", Meaning: "Items are each other's parents."},
	{Code: diag.SelectionPlaced, Level: diag.Warning, From: "1, 4.2", Message: "the selection {0} has no parent"},
	{Code: diag.TypeMissing, Level: diag.Error, From: "1", Schema: true, Meaning: "An item has no type."},
	{Code: diag.TypeUnknown, Level: diag.Note, From: "4.3", Meaning: "A type word is not in the vocabulary."},
	{Code: diag.SecondApplication, Level: diag.Note, From: "4.1", Message: "{0} is another application"},
	{Code: diag.FocusUnknownID, Level: diag.Error, From: "4.4"},
	{Code: diag.FocusOffPath, Level: diag.Warning, From: "4.4",
		Message: "{0} is focused beside the focused path", Meaning: "The focus list names elements that are not on one path."},
	{Code: diag.StateRepeated, Level: diag.Warning, From: "4.6",
		Message: "the payload says {0} beside the focus list", Meaning: "A payload says focused, which the focus list says."},
	{Code: diag.ReservedAttribute, Level: diag.Note, From: "4.6",
		Meaning: "author is no string, or related no list: 0.2.0 reserves these names."},
	{Code: diag.ContentBlock, Level: diag.Error, From: "1, MCP", Schema: true},
	{Code: diag.ContentUnknown, Level: diag.Note, From: "1, MCP"},
	{Code: diag.SecureContent, Level: diag.Warning, From: "7.1"},
}
