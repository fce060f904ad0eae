package askable

import "ctxmigrate/translate/diag"

// Rules are what Checker asks of a packet. What cannot be read at all has rules
// of its own; see translate.Rules.
var Rules = []diag.Rule{
	{Code: diag.PacketGuard, Level: diag.Error, From: "SPEC 0.1, reading guard", Schema: true},
	{Code: diag.PacketStrict, Level: diag.Warning, From: "SPEC 0.1, strict schema", Schema: true},
	{Code: diag.SecureContent, Level: diag.Warning, From: "7.1",
		Message: "a value with a secure role has content", Meaning: "What is in a password field and the like is handed out."},
}
