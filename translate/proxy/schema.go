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

// Schema is a JSON Schema (2020-12) of a form, on one line.
func Schema(f translate.Form) string {
	switch f {
	case translate.V01:
		return schemaV01
	case translate.V020:
		return schemaV020
	}
	return schemaAskable
}
