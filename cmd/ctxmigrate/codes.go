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
		Name:      "codes",
		ArgsUsage: "[CODE...]",
		Usage:     "print the table of codes that reports use",
		Description: `Each thing that ctxmigrate has to say of a document bears a code, in the messages
on stderr and in the file of --report. The codes are stable. They are of four
severities: error (the document is refused), loss (something is not in the
output), warning (something was guessed or repaired), note (worth knowing).
With the names of codes, each is explained with what to do about it.`,
		UsageText: `
ctxmigrate codes
ctxmigrate codes orphan-parent
ctxmigrate codes --format json
ctxmigrate codes | grep ' loss '`,
		Flags: []cli.Flag{&cli.StringFlag{Name: "format", Value: "text", Category: "Flags", Destination: &format,
			Usage: "`FORMAT` of the table: text, or json with one object a line, which also says what to do about each"}},
		Action: func(c *cli.Context) error {
			list, err := codesNamed(c.Args().Slice())
			if err != nil {
				return err
			}
			switch format {
			case "text":
				return s.print(codesText(list, c.Args().Present()))
			case "json":
				return s.print(codesJSON(list))
			}
			return usageError{fmt.Sprintf("%q is no format; there are text and json", format), hint(c.Command)}
		},
	}
}

// codesNamed are the codes of those names, all where there are none.
func codesNamed(names []string) ([]diag.Info, error) {
	if len(names) == 0 {
		return diag.Codes(), nil
	}
	var list []diag.Info
	for _, n := range names {
		code, ok := diag.ParseCode(n)
		if !ok {
			return nil, usageError{fmt.Sprintf("there is no code %q", printable(n)), "ctxmigrate codes lists them."}
		}
		list = append(list, diag.Codes()[code])
	}
	return list, nil
}

// codesText is a table, or, in full, what is known of each.
func codesText(list []diag.Info, full bool) string {
	var b strings.Builder
	if full {
		for _, c := range list {
			fmt.Fprintf(&b, "%s (%s)\n  %s\n  %s\n", c.Name, c.Severity, c.Meaning, c.Do)
		}
		return b.String()
	}
	fmt.Fprintf(&b, "%-21s %-8s %s\n", "CODE", "SEVERITY", "MEANING")
	for _, c := range list {
		fmt.Fprintf(&b, "%-21s %-8s %s\n", c.Name, c.Severity, c.Meaning)
	}
	return b.String()
}

func codesJSON(list []diag.Info) string {
	var b strings.Builder
	w := json.NewEncoder(&b)
	w.SetEscapeHTML(false)
	for _, c := range list {
		w.Encode(struct {
			Code     string `json:"code"`
			Severity string `json:"severity"`
			Meaning  string `json:"meaning"`
			Do       string `json:"do"`
		}{c.Name, c.Severity.String(), c.Meaning, c.Do})
	}
	return b.String()
}
