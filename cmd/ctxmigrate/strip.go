package main

import (
	"errors"
	"time"

	"github.com/urfave/cli/v2"

	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
)

func newStrip(s streams) *cli.Command {
	var r readFlags
	return &cli.Command{
		Name:      "strip",
		Usage:     "take out what a lossless conversion left",
		ArgsUsage: "[FILE...]",
		Description: `A conversion with --lossless keeps what the form has no place for under members
named ctxmigrate. This takes them out and leaves the rest of each document as it
is. A member of that name which is not of the format is left alone. Input, output,
messages and exit status are as in convert.`,
		UsageText: `
ctxmigrate strip tree.json
ctxmigrate strip archive.ndjson.gz -o plain.ndjson
ctxmigrate convert --to 0.1 --lossless tree.json | ctxmigrate strip`,
		Flags: join(r.reading(), r.writing(), r.telling()),
		Action: func(c *cli.Context) error {
			if err := r.check(); err != nil {
				return err
			}
			opts := &translate.Options{MaxDepth: r.maxDepthOpt, MaxBytes: r.maxBytesOpt}
			j := job{streams: s, flags: &r, edit: &strip{opts: opts}}
			j.begin = func(input, time.Time) error { return nil }
			return j.run(c.Args().Slice(), c.IsSet("ndjson"))
		},
	}
}

// strip is the edit of the command strip, which has nothing to count.
type strip struct {
	opts *translate.Options
	none [diag.NumCodes]int
}

func (s *strip) edit(dst, src []byte) ([]byte, error) { return stripped(dst, src, s.opts) }
func (s *strip) Counts() *[diag.NumCodes]int          { return &s.none }
func (s *strip) Report() []diag.Diagnostic            { return nil }

// stripped is to be translate.Strip.
func stripped(dst, src []byte, opts *translate.Options) ([]byte, error) {
	return dst, errors.New("strip: this build cannot do that yet")
}
