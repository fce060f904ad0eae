package proxy

import (
	_ "embed"

	"ctxmigrate/translate"
)

var (
	//go:embed schema/v01.json
	schemaV01 string
	//go:embed schema/v020.json
	schemaV020 string
	//go:embed schema/askable.json
	schemaAskable string
)

// Schema is the JSON Schema (2020-12) of a form that tools announce for their
// results, on one line. It is looser than translate.Schema: a host that holds results
// against it would lose an answer for each blemish that passes.
func Schema(f translate.Form) string {
	switch f {
	case translate.V01:
		return schemaV01
	case translate.V020:
		return schemaV020
	}
	return schemaAskable
}
