package main

import (
	"ctxmigrate/translate/jsontree"
)

// otherJSON tells what a JSON document is that is no answer and no packet, by
// members that others have, or "".
func otherJSON(src []byte) string {
	var r jsontree.Reader
	r.Reset(src, 0)
	if r.Kind() == jsontree.Array {
		return "a list; name the answer in it with --at, as in --at 0"
	}
	if r.Kind() != jsontree.Object {
		return ""
	}
	has := map[string]bool{}
	r.Enter()
	for r.Next() {
		has[string(r.Key())] = true
		r.Skip()
	}
	if !r.End() || has["protocol"] {
		return ""
	}
	switch {
	case has["$schema"] && has["runs"]:
		return "a SARIF report"
	case has["$schema"]:
		return "a JSON Schema or a document with one"
	case has["jsonrpc"]:
		return "a JSON-RPC message; name the answer in it with --at, as in --at result.contents.0.text"
	case has["code"] && has["severity"] && has["pointer"]:
		return "a report of diagnostics"
	case has["types"] || has["links"] || has["secure"]:
		return "a mapping file, which --map takes"
	case has["id"] && has["role"]:
		return "one element of a 0.2.0 answer, without the answer around it"
	case has["id"] && has["type"]:
		return "one item of a 0.1 answer, without the answer around it"
	}
	return ""
}
