package main

import (
	"github.com/urfave/cli/v2"

	"ctxmigrate/translate"
)

func newSchema(s streams) *cli.Command {
	return &cli.Command{
		Name:      "schema",
		Usage:     "print the JSON Schema of a form",
		ArgsUsage: "FORM",
		Description: `Prints the JSON Schema (draft 2020-12) of a form: 0.1, 0.2.0 or askable. It accepts
what "ctxmigrate check" finds nothing against, as far as a schema can see it: that
ids are unique, that parents and links lead somewhere and that the focus is one
path are for check alone. Of packets it is the strict reading.`,
		UsageText: `
ctxmigrate schema 0.2.0
ctxmigrate schema askable > packet.schema.json`,
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return usageError{"the schema of which form? There are 0.1, 0.2.0 and askable", hint(c.Command)}
			}
			form, err := translate.ParseForm(c.Args().First())
			if err != nil {
				return usageError{err.Error(), hint(c.Command)}
			}
			text, err := translate.Schema(form)
			if err != nil {
				return err
			}
			return s.print(string(text))
		},
	}
}
