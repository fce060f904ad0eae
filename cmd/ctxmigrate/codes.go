package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"ctxmigrate/translate/diag"
)

func newCodes(s streams) *cli.Command {
	var format string
	return &cli.Command{
		Name:  "codes",
		Usage: "print the table of codes that reports use",
		Description: `Each thing that ctxmigrate has to say of a document bears a code, in the messages
on stderr and in the file of --report. The codes are stable. They are of four
severities: error (the document is refused), loss (something is not in the
output), warning (something was guessed or repaired), note (worth knowing).`,
		UsageText: `
ctxmigrate codes
ctxmigrate codes --format json
ctxmigrate codes | grep ' loss '`,
		Flags: []cli.Flag{&cli.StringFlag{Name: "format", Value: "text", Category: "Flags", Destination: &format,
			Usage: "`FORMAT` of the table: text, or json with one object a line, which also says what to do about each"}},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usageError{"codes reads no files", hint(c.Command)}
			}
			switch format {
			case "text":
				return s.print(codesText())
			case "json":
				return s.print(codesJSON())
			}
			return usageError{fmt.Sprintf("%q is no format; there are text and json", format), hint(c.Command)}
		},
	}
}

func codesText() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-21s %-8s %s\n", "CODE", "SEVERITY", "MEANING")
	for _, c := range diag.Codes() {
		fmt.Fprintf(&b, "%-21s %-8s %s\n", c.Name, c.Severity, c.Meaning)
	}
	return b.String()
}

func codesJSON() string {
	var b strings.Builder
	w := json.NewEncoder(&b)
	w.SetEscapeHTML(false)
	for _, c := range diag.Codes() {
		w.Encode(struct {
			Code     string `json:"code"`
			Severity string `json:"severity"`
			Meaning  string `json:"meaning"`
			Do       string `json:"do"`
		}{c.Name, c.Severity.String(), c.Meaning, c.Do})
	}
	return b.String()
}
