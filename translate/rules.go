package translate

import (
	"ctxmigrate/askable"
	"ctxmigrate/translate/diag"
	"ctxmigrate/v01"
	"ctxmigrate/v020"
)

// commonRules are about documents that are no answer and no packet at all; they
// hold for every form.
var commonRules = []diag.Rule{
	{Code: diag.Syntax, Level: diag.Error, From: "RFC 8259"},
	{Code: diag.Encoding, Level: diag.Error, From: "RFC 8259"},
	{Code: diag.DuplicateMember, Level: diag.Error, From: "RFC 8259, 2"},
	{Code: diag.TooDeep, Level: diag.Error, From: "2"},
	{Code: diag.TooLarge, Level: diag.Error, From: "2"},
	{Code: diag.UnknownForm, Level: diag.Error, From: "1", Schema: true},
	{Code: diag.UnsupportedVersion, Level: diag.Error, From: "1", Schema: true},
	{Code: diag.FormMismatch, Level: diag.Error, From: "1"},
	{Code: diag.MissingMember, Level: diag.Error, From: "2", Schema: true},
	{Code: diag.WrongShape, Level: diag.Error, From: "2", Schema: true},
	{Code: diag.RecordPath, Level: diag.Error, From: "11"}, // of a stream, not of what Check is given
	{Code: diag.CompressedData, Level: diag.Error, From: "11"},
}

// Unseen is a requirement that no look at an answer can settle.
type Unseen struct {
	ID      string // as RFC-0001 names it
	Meaning string // what is required, and why it cannot be seen
}

// UnseenRules are the requirements of RFC-0001 (7) that Check says nothing of.
func UnseenRules() []Unseen {
	return []Unseen{
		{"R2", "How a host reads an absent state. It is about hosts, not answers: the readers here are tested for it."},
		{"R5", "A link that is not containment is expressed in related. What is not said cannot be seen."},
		{"R7", "A subrole for each thing that is the app's own. Which things those are cannot be seen."},
	}
}

// Rules are what Check asks of a document of a form, and of one of any form where
// that is Auto. They are ordered as they are listed.
func Rules(form Form) []diag.Rule { return append([]diag.Rule(nil), rulesOf(form)...) }

func rulesOf(form Form) []diag.Rule {
	switch form {
	case V01:
		return v01.Rules
	case V020:
		return v020.Rules
	case Askable:
		return askable.Rules
	}
	return commonRules
}

// ruleIndex finds the rule of a code; 0 stands for none.
type ruleIndex [diag.NumCodes]uint8

var ruleIndexes = func() (all [4]ruleIndex) {
	for form := Auto; form <= Askable; form++ {
		for i, r := range rulesOf(form) {
			all[form][r.Code] = uint8(i + 1)
		}
	}
	return all
}()

// ruleOf is the rule that a finding in a document of a form breaks.
func ruleOf(form Form, code diag.Code) *diag.Rule {
	if i := ruleIndexes[form][code]; i > 0 {
		return &rulesOf(form)[i-1]
	}
	if i := ruleIndexes[Auto][code]; i > 0 {
		return &commonRules[i-1]
	}
	return nil
}
