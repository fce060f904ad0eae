package main

import (
	"bytes"
	"time"

	"github.com/urfave/cli/v2"

	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
)

func newStrip(s streams) *cli.Command {
	var r readFlags
	var from string
	return &cli.Command{
		Name:      "strip",
		Usage:     "take out what a lossless conversion left",
		ArgsUsage: "[FILE...]",
		Description: `A conversion with --lossless keeps what the form has no place for under members
named ctxmigrate. This takes them out and leaves the rest of each document as it
is, but for the white space between its tokens. A member of that name which is
not of the format is left alone. Input, output, messages and exit status are as in
convert.`,
		UsageText: `
ctxmigrate strip tree.json
ctxmigrate strip archive.ndjson.gz -o plain.ndjson
ctxmigrate convert --to 0.1 --lossless tree.json | ctxmigrate strip`,
		Flags: join([]cli.Flag{fromFlag(&from)}, r.reading(), r.writing(), r.telling()),
		Action: func(c *cli.Context) error {
			if err := r.check(); err != nil {
				return err
			}
			form, err := parseFrom(from)
			if err != nil {
				return err
			}
			opts := &translate.Options{From: form, MaxDepth: r.maxDepthOpt, MaxBytes: r.maxBytesOpt}
			j := job{streams: s, flags: &r, edit: func() editor { return &stripping{opts: opts} }}
			j.begin = func(input, time.Time) error { return nil }
			return j.run(c.Args().Slice(), c.IsSet("ndjson"))
		},
	}
}

// stripping is the edit of strip. It has nothing to say but what it refuses.
type stripping struct {
	translate.Converter
	opts *translate.Options
	text []byte
}

func (s *stripping) edit(dst, src []byte, _ func([]byte) []byte) (_ []byte, err error) {
	if s.text, err = s.Strip(s.text[:0], src, s.opts); err != nil {
		return dst, err
	}
	return jsontree.AppendCompact(dst, bytes.TrimLeft(bytes.TrimPrefix(s.text, []byte("\ufeff")), " \t\r\n")), nil
}

func (s *stripping) AddCounts(*[diag.NumCodes]int) {}
func (s *stripping) Report() []diag.Diagnostic     { return nil }
