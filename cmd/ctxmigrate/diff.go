package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/jsontree"
	"ctxmigrate/translate/stream"
)

// The exit statuses of diff are those of the program of that name.
const (
	statusDiffer  = 1
	statusTrouble = 2
)

// diffFlags are the flags of diff.
type diffFlags struct {
	ignore           cli.StringSlice
	from, format, at string
	mapFile          string
	maxDepth         string
	quiet            bool
	options          translate.DiffOptions
}

func newDiff(s streams) *cli.Command {
	var f diffFlags
	return &cli.Command{
		Name:      "diff",
		Usage:     "say what two answers do not both say",
		ArgsUsage: "A B",
		Description: `Compares two answers, of one form or of two: elements are matched by id, then by
role, subrole and title within the same parent, and what one of them alone has, what
stands elsewhere and what is said otherwise is printed, with JSON Pointers in both.
So a provider can prove that its native 0.2.0 answer says what its translated 0.1
answer says. Where files hold several documents, the first of one is compared with
the first of the other, and so on. One of the names may be - for standard input.

What stands in password fields and the like, and below them, is compared, and not
printed.

Exit status:
  0  both say the same
  1  they differ
  2  a document was refused, a file could not be read, or the command line is wrong
`,
		UsageText: `
ctxmigrate diff translated.json native.json
ctxmigrate diff --ignore ids monday.json tuesday.json
ctxmigrate diff --format json answer-0.1.json answer-0.2.0.json
ctxmigrate convert --to 0.2.0 old.json | ctxmigrate diff - native.json`,
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "ignore", Category: "Comparing", Destination: &f.ignore,
				Usage: "what does not count: ids (and instances, as of different runs of an app), instance, or order (of siblings); may be given again"},
			&cli.StringFlag{Name: "map", Category: "Comparing", Destination: &f.mapFile, Usage: "a mapping `FILE` that says how to read 0.1 answers; see help map"},
			fromFlag(&f.from),
			&cli.StringFlag{Name: "at", Category: reading, Destination: &f.at, Usage: "each document is a record that holds the answer at the gjson `PATH`"},
			&cli.StringFlag{Name: "max-depth", Category: reading, Destination: &f.maxDepth, Usage: "refuse documents of more than `N` levels of JSON; 10000 unless given"},
			&cli.StringFlag{Name: "format", Value: "text", Category: writing, Destination: &f.format, Usage: "`FORMAT` of what is printed: text, or json with one object a line"},
			&cli.BoolFlag{Name: "quiet", Category: writing, Destination: &f.quiet, Usage: "print nothing; the exit status tells"},
		},
		Action: func(c *cli.Context) error {
			if c.NArg() != 2 {
				return usageError{"diff takes two files", hint(c.Command)}
			}
			if err := f.check(); err != nil {
				return err
			}
			return f.run(s, c.Args().Slice())
		},
	}
}

func (f *diffFlags) check() (err error) {
	o := &f.options
	for _, what := range f.ignore.Value() {
		for _, w := range strings.Split(what, ",") {
			switch w {
			case "ids":
				o.IgnoreIDs = true
			case "instance":
				o.IgnoreInstance = true
			case "order":
				o.IgnoreOrder = true
			default:
				return usageError{text: fmt.Sprintf("--ignore takes ids, instance or order, not %q", w)}
			}
		}
	}
	if f.format != "text" && f.format != "json" {
		return usageError{text: fmt.Sprintf("--format takes text or json, not %q", f.format)}
	}
	if o.Read.From, err = parseFrom(f.from); err != nil {
		return err
	}
	m := convertFlags{mapFile: f.mapFile}
	if err := m.readMapping(); err != nil {
		return err
	}
	o.Read.Mapping = m.options.Mapping
	if o.Read.MaxDepth, err = count("max-depth", f.maxDepth, 1<<30); err != nil {
		return err
	}
	if f.at != "" {
		return checkAt(f.at)
	}
	return nil
}

// pile is one of the two files.
type pile struct {
	input
	file   io.Reader
	reader stream.Reader
	record *record
	sight  sight
}

// open opens the file.
func (p *pile) open(f *diffFlags) (err error) {
	if p.file, _, err = p.input.open(); err != nil {
		return err
	}
	p.reader.Reset(p.file, stream.Options{Lines: p.lines(), MaxBytes: translate.DefaultMaxBytes, MaxDepth: f.options.Read.MaxDepth})
	if f.at != "" {
		p.record = &record{path: f.at, maxDepth: f.options.Read.MaxDepth}
	}
	return nil
}

// next is the next document; done says that there is none.
func (p *pile) next() (done bool, err error) {
	for {
		d, err := p.reader.Next()
		var fault *stream.Error
		switch {
		case err == io.EOF:
			return true, nil
		case errors.As(err, &fault):
			return false, &told{finding: finding{fault.Code, diag.Error, fault.Place, fault.Pointer, fault.Msg}}
		}
		p.sight = sight{name: p.name, Document: d, src: d.Data, record: p.record, recut: p.reader.Recut}
		if p.record == nil {
			return false, nil
		}
		var unfit *unfit
		if p.sight.src, err = p.record.find(d.Data); !errors.As(err, &unfit) {
			return false, err
		}
		if !p.reader.Recut(unfit.at) {
			return false, &told{finding: unfit.finding(d.Data).in(d.Place)}
		}
	}
}

// trouble is a failure of diff, which ends with another status than elsewhere.
type trouble struct{ text string }

func (trouble) status() int     { return statusTrouble }
func (t trouble) Error() string { return t.text }

// run compares the documents of two files, in turn.
func (f *diffFlags) run(s streams, args []string) error {
	list, err := inputs(args, s.stdin)
	if err != nil {
		return err
	}
	if len(list) != 2 {
		return usageError{text: "diff takes two files"}
	}
	var piles [2]pile
	for i := range piles {
		p := &piles[i]
		p.input = list[i]
		if err := p.open(f); err != nil {
			return trouble{err.Error()}
		}
		defer p.close(p.file)
	}
	out, err := openOutput("", s.stdout)
	if err != nil {
		return err
	}
	differ, records, err := f.compare(&piles, out)
	if e := out.flush(); e != nil {
		return e
	}
	var why *refusal
	switch {
	case errors.As(err, &why):
		s.tell(why.pile.name, why.finding)
		return toldError(statusTrouble)
	case err != nil:
		return err
	case records == 0:
		return trouble{"there is no document to compare"}
	case differ:
		return toldError(statusDiffer)
	}
	return nil
}

// refusal is why a document of a file is refused.
type refusal struct {
	*told
	pile *pile
}

// compare compares the documents of both files, in turn.
func (f *diffFlags) compare(piles *[2]pile, out *output) (differ bool, records int, err error) {
	var d translate.Differ
	var have [2]bool
	for out.err == nil {
		var done [2]bool
		for i := range piles {
			if have[i] {
				continue
			}
			if done[i], err = piles[i].next(); err != nil {
				return differ, records, refused(&piles[i], err)
			}
			have[i] = true
		}
		if done[0] || done[1] {
			return differ, records, uneven(piles, done, records)
		}
		found, err := d.Diff(piles[0].sight.src, piles[1].sight.src, &f.options)
		var at *translate.DiffError
		if errors.As(err, &at) {
			i := 0
			if at.Second {
				i = 1
			}
			if !piles[i].sight.again(at.Refused) {
				return differ, records, refused(&piles[i], &told{finding: piles[i].sight.refusal(at.Refused)})
			}
			have[i] = false
			continue
		}
		have = [2]bool{}
		records++
		differ = differ || len(found) > 0
		if differ && f.quiet {
			return differ, records, nil
		}
		for i := range found {
			out.wrote(f.append(out.buf, &piles[0].sight, &found[i]))
		}
	}
	return differ, records, nil
}

func refused(p *pile, err error) error {
	var why *told
	if errors.As(err, &why) {
		return &refusal{why, p}
	}
	return trouble{err.Error()}
}

// uneven is the error of files that do not hold as many documents, or nil.
func uneven(piles *[2]pile, done [2]bool, records int) error {
	if done[0] == done[1] {
		return nil
	}
	short, long := &piles[0], &piles[1]
	if done[1] {
		short, long = long, short
	}
	return trouble{fmt.Sprintf("%s holds %s, and %s more", printable(short.name), plural(records, "document"), printable(long.name))}
}

func (f *diffFlags) append(dst []byte, a *sight, d *translate.Difference) []byte {
	if f.format == "json" {
		return appendDiffJSON(dst, a.Record, d)
	}
	return appendDiffText(dst, a.Record, d)
}

func appendDiffJSON(dst []byte, record int, d *translate.Difference) []byte {
	from := len(dst)
	dst = append(dst, fmt.Sprintf(`{"record":%d,"kind":"%s"`, record, d.Kind)...)
	put := func(name, text string) {
		if text != "" {
			dst = quotedJSON(append(append(append(dst, `,"`...), name...), `":`...), text)
		}
	}
	put("what", d.What)
	put("name", d.Name)
	put("from", d.From)
	put("to", d.To)
	put("role", d.Role)
	put("id", d.ID)
	raw := func(name string, v []byte) {
		if v != nil {
			dst = jsontree.AppendCompact(append(append(append(dst, `,"`...), name...), `":`...), v)
		}
	}
	raw("old", d.Old)
	raw("new", d.New)
	if d.Withheld {
		dst = append(dst, `,"withheld":true`...)
	}
	return append(plainJSON(dst, from), "}\n"...)
}

// appendDiffText appends a difference on a line: a sign, what it is about, and the
// places.
func appendDiffText(dst []byte, record int, d *translate.Difference) []byte {
	p := pen{room: 400}
	p.begin(dst)
	p.put([...]string{"- ", "+ ", "> ", "~ "}[d.Kind])
	if d.Withheld {
		p.put("what a secure element holds: ")
	} else if d.Role != "" {
		p.text([]byte(d.Role))
		p.put(" ")
		p.text([]byte(d.ID))
		if d.Title != "" {
			p.put(` "`)
			p.text([]byte(clip(shown(d.Title, false), 40, false)))
			p.put(`"`)
		}
		p.put(": ")
	}
	switch d.Kind {
	case translate.Changed:
		p.put(d.What)
		if d.Name != "" {
			p.put(" ")
			p.text([]byte(d.Name))
		}
		if d.Old != nil || d.New != nil {
			p.put(": ")
			p.text(valueText(d.Old))
			p.put(" → ")
			p.text(valueText(d.New))
		}
	case translate.Moved:
		p.put("moved")
	case translate.Added:
		p.put("added")
	default:
		p.put("removed")
	}
	p.put(" (")
	where := d.From
	switch {
	case d.From == "":
		where = d.To
	case d.To != "" && d.To != d.From:
		where += " → " + d.To
	}
	p.text([]byte(where))
	p.put(")")
	if record > 1 {
		p.put(fmt.Sprintf(" in document %d", record))
	}
	return append(p.dst, '\n')
}

// valueText is a value for a line, cut where it is long.
func valueText(raw []byte) []byte {
	if raw == nil {
		return []byte("nothing")
	}
	return []byte(clip(shown(strings.ToValidUTF8(string(raw[:min(len(raw), 400)]), ""), false), 60, false))
}
