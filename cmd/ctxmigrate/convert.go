package main

import (
	"time"

	"github.com/urfave/cli/v2"

	"ctxmigrate/translate"
)

func newConvert(s streams) *cli.Command {
	var r readFlags
	var f convertFlags
	var query string
	var raw bool
	printing := append(r.writing(),
		&cli.StringFlag{Name: "query", Category: writing, Destination: &query,
			Usage: "print not the converted answer but what the gjson `PATH` finds in it, on a line of its own; where it finds nothing, nothing"},
		&cli.BoolFlag{Name: "raw", Category: writing, Destination: &raw,
			Usage: "print strings that --query finds without quotes and escapes"})
	return &cli.Command{
		Name:      "convert",
		Usage:     "convert answers from any form to any other",
		ArgsUsage: "--to FORM [FILE...]",
		Description: `Reads the files, or standard input where none is named (or - is), and writes each
converted document on a line. A file holds one document, or several one after
another, on lines of their own or not; gzip and zstd are unpacked, which their
content tells and not their name. The form of each document is told by its
protocol member. Flags stand before or behind file names; after -- everything is
a file name.

A document that is refused ends the run with status 1, after those before it were
written, and with a message like
  ctxmigrate: FILE:LINE:COLUMN: what is wrong (code)
Whatever else is to be said is counted by code at the end; "ctxmigrate codes" lists
the codes. A reader of the output that goes away ends the run quietly, status 0.

Paths are those of gjson (names and indexes with dots between, \. for a dot in a
name, #(type=="note") for an entry of a list), without the modifiers whose cost
is not bounded. --query looks at the converted answer, with --at too.

` + statuses,
		UsageText: `
ctxmigrate convert --to 0.2.0 answer.json
ctxmigrate convert --to 0.2.0 *.json -o tree.ndjson

# a log of answers, of which bad lines are left out and reported
ctxmigrate convert --to askable --ndjson --keep-going --report report.ndjson < log.gz

# answers inside other JSON: an MCP result, an envelope
ctxmigrate convert --to 0.2.0 --at result.contents.0.text results.ndjson
ctxmigrate convert --to 0.1 --at payload.packet bridge.ndjson

# there and back without loss
ctxmigrate convert --to 0.1 --lossless tree.json | ctxmigrate convert --to 0.2.0

# the titles of the windows
ctxmigrate convert --to 0.2.0 answer.json --query 'root.children.#(role=="Window")#.title'

# refuse whatever had to be guessed; fail where something was lost
ctxmigrate convert --to 0.2.0 --strict --fail-on loss answer.json`,
		Flags: join(f.forms(), r.reading(), printing, f.converting(), r.telling()),
		Action: func(c *cli.Context) error {
			if err := r.check(); err != nil {
				return err
			}
			if raw && query == "" {
				return usageError{"--raw is about what --query finds", hint(c.Command)}
			}
			if query != "" {
				if err := checkQuery(query); err != nil {
					return err
				}
			}
			if err := f.check(&r); err != nil {
				return err
			}
			j := job{streams: s, flags: &r, shape: shape{query: query, raw: raw}}
			j.edit = func() editor { return &conversion{to: f.toForm, opts: &f.options} }
			j.begin = func(in input, changed time.Time) error { return f.begin(in, changed) }
			return j.run(c.Args().Slice(), c.IsSet("ndjson"))
		},
	}
}

func join(groups ...[]cli.Flag) (all []cli.Flag) {
	for _, g := range groups {
		all = append(all, g...)
	}
	return all
}

// begin sets the time of packets made of what is in an input.
func (f *convertFlags) begin(in input, changed time.Time) error {
	o := &f.options
	o.Clock = time.Now
	if in.stdin == nil {
		o.Clock = func() time.Time { return changed }
	}
	if !f.fileTime {
		return nil
	}
	if changed.IsZero() {
		return usageError{text: "--timestamp mtime: standard input is no file and has no time of change"}
	}
	o.Timestamp = changed.UTC().Format(time.RFC3339Nano)
	return nil
}

// conversion is the edit of convert.
type conversion struct {
	translate.Converter
	to   translate.Form
	opts *translate.Options
}

func (c *conversion) edit(dst, src []byte, spill func([]byte) []byte) ([]byte, error) {
	return c.AppendPieces(dst, src, c.to, c.opts, spill)
}
