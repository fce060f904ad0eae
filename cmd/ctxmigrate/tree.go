package main

import (
	"fmt"
	"os"

	"github.com/urfave/cli/v2"

	"ctxmigrate/translate"
)

// treeFlags are the flags of tree.
type treeFlags struct {
	from, depth, mapFile, width   string
	focusOnly, ascii, ids, states bool
	keepSecure                    bool
	levels, columns               int
	colour                        bool
	options                       translate.Options
}

func newTree(s streams) *cli.Command {
	var r readFlags
	var f treeFlags
	var page pageFlag
	return &cli.Command{
		Name:      "tree",
		Usage:     "draw answers as the trees that they mean",
		ArgsUsage: "[FILE...]",
		Description: `Draws each document, of any form, as one tree: role, subrole, id and title of each
element, and what it shows, cut to the width of the terminal (100 columns
elsewhere). A packet is drawn as the page that it tells of, with its target and its
surroundings named.

Marks say the states, by their shape; --states says them in words instead:
  ▶ focused     lies on the path to where the user is   (> with --ascii)
  ■ selected                                            (* with --ascii)
  ◇ hovered     the pointer is there                    (^ with --ascii)
  ○ not visible, of itself or of what it is in          (- with --ascii)

What a line could do to a terminal (control characters, escapes, turns of the
direction of writing) is shown as an escape. What stands in password fields and the
like is withheld.

` + lookStatuses,
		UsageText: `
ctxmigrate tree answer.json
ctxmigrate tree --focus-only --states answers.ndjson
ctxmigrate tree --depth 2 --ids *.json
ctxmigrate tree --html answer.html answer.json`,
		Flags: join([]cli.Flag{
			&cli.StringFlag{Name: "depth", Category: "Drawing", Destination: &f.depth, Usage: "draw `N` levels below the root, and say how much lies deeper"},
			&cli.BoolFlag{Name: "focus-only", Category: "Drawing", Destination: &f.focusOnly, Usage: "draw only what is focused, selected or hovered, and what it is in"},
			&cli.BoolFlag{Name: "ids", Category: "Drawing", Destination: &f.ids, Usage: "draw the id of each element"},
			&cli.BoolFlag{Name: "states", Category: "Drawing", Destination: &f.states, Usage: "say the states in words"},
			&cli.BoolFlag{Name: "ascii", Category: "Drawing", Destination: &f.ascii, Usage: "draw with ASCII alone"},
			&cli.StringFlag{Name: "width", Category: "Drawing", Destination: &f.width, Usage: "cut lines at `N` columns"},
			&cli.BoolFlag{Name: "keep-secure", Category: "Drawing", Destination: &f.keepSecure, Usage: "draw the content of password fields and the like too"},
			&cli.StringFlag{Name: "map", Category: "Drawing", Destination: &f.mapFile, Usage: "a mapping `FILE` that says how to read 0.1 answers; see help map"},
			fromFlag(&f.from)}, lookFlags(&r), []cli.Flag{page.flag()}),
		Action: func(c *cli.Context) error {
			if err := r.check(); err != nil {
				return err
			}
			if err := f.check(&r, s); err != nil {
				return err
			}
			out, err := openOutput("", s.stdout)
			if err != nil {
				return err
			}
			l := look{streams: s, flags: &r, out: out, listed: true, single: page.wanted(), flag: "html", writes: page.path}
			l.viewers = func() viewer { return &drawing{f: &f, page: &page} }
			if err := l.run(c.Args().Slice(), c.IsSet("ndjson")); err != nil {
				return err
			}
			if err := page.write("Trees"); err != nil {
				return err
			}
			return l.status()
		},
	}
}

// check looks at the values of the flags.
func (f *treeFlags) check(r *readFlags, s streams) (err error) {
	o := &f.options
	if o.From, err = parseFrom(f.from); err != nil {
		return err
	}
	m := convertFlags{mapFile: f.mapFile}
	if err := m.readMapping(); err != nil {
		return err
	}
	o.Mapping, o.MaxDepth, o.MaxBytes, o.KeepSecure = m.options.Mapping, r.maxDepthOpt, r.maxBytesOpt, f.keepSecure
	r.mapping = f.mapFile
	if f.levels, err = count("depth", f.depth, 1<<30); err != nil {
		return err
	}
	if f.columns, err = count("width", f.width, 1<<20); err != nil {
		return err
	}
	if f.columns == 0 {
		f.columns = columns(s.stdout, 100)
	}
	if f.columns < 20 {
		return usageError{text: fmt.Sprintf("--width takes 20 or more, not %d", f.columns)}
	}
	f.colour = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && terminal(s.stdout)
	return nil
}
