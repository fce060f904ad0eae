package main

import (
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/urfave/cli/v2"

	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
)

// checkFlags are the flags of check.
type checkFlags struct {
	from, format, level, mapFile string
	list                         bool
	form                         translate.Form
	least                        diag.Severity
	options                      translate.Options
}

func newCheck(s streams) *cli.Command {
	var r readFlags
	var f checkFlags
	var page pageFlag
	return &cli.Command{
		Name:      "check",
		Usage:     "say where answers break the rules of their form",
		ArgsUsage: "[FILE...]",
		Description: `Reads the files, or standard input, as convert does, and prints what is wrong with
each document: file, line, column, what is wrong, and the line of the document with
a mark under the place. What stands in password fields and the like is shown as
dots there. The form of each document is told by its protocol member.

Of a packet two readings are told apart: what the reading guard of the reference
producer refuses (packet-guard) and what its strict schema refuses beyond that
(packet-strict).

A document that cannot be read is told like the others, and the run goes on: with
the next line (--ndjson), else with the next file. "ctxmigrate check --list" prints
the rules, and the requirements that no look at an answer can settle.

Exit status:
  0  nothing was found
  1  a document could not be read as an answer, or a file not at all
  2  the command line, or a mapping file, is wrong
  3  something was found at or above --level
  4  an input held no document at all
`,
		UsageText: `
ctxmigrate check answer.json
ctxmigrate check --level note *.json
ctxmigrate check --format sarif answers.ndjson > found.sarif
ctxmigrate check --at result.contents.0.text results.ndjson
ctxmigrate check --list`,
		Flags: join([]cli.Flag{
			&cli.BoolFlag{Name: "list", Category: "Rules", Destination: &f.list, Usage: "print each rule with its level, where it comes from and what it means"},
			&cli.StringFlag{Name: "level", Value: "warning", Category: "Rules", Destination: &f.level,
				Usage: "the least `LEVEL` of what is printed and ends the run with status 3: error, warning or note; warning unless given"},
			&cli.StringFlag{Name: "map", Category: "Rules", Destination: &f.mapFile, Usage: "a mapping `FILE`, of which the types and the secure words are known words; see help map"},
			fromFlag(&f.from)}, leave(lookFlags(&r), "keep-going"), []cli.Flag{
			&cli.StringFlag{Name: "format", Value: "text", Category: writing, Destination: &f.format,
				Usage: "`FORMAT` of what is printed: text; json, one object a line; github, commands of GitHub's workflows; sarif, one SARIF 2.1.0 log"},
			page.flag()}),
		Action: func(c *cli.Context) error {
			r.keepGoing = true
			if err := r.check(); err != nil {
				return err
			}
			if err := f.check(&r, c.Args().Present()); err != nil {
				return err
			}
			if f.list {
				return s.print(rulesText())
			}
			return f.run(s, &r, &page, c.Args().Slice(), c.IsSet("ndjson"))
		},
	}
}

// check looks at the values of the flags.
func (f *checkFlags) check(r *readFlags, named bool) (err error) {
	if f.list && named {
		return usageError{text: "--list reads no files"}
	}
	var ok bool
	if f.least, ok = diag.ParseSeverity(f.level); !ok || f.least == diag.Loss {
		return usageError{text: fmt.Sprintf("--level takes error, warning or note, not %q", f.level)}
	}
	if f.form, err = parseFrom(f.from); err != nil {
		return err
	}
	m := convertFlags{mapFile: f.mapFile}
	if err := m.readMapping(); err != nil {
		return err
	}
	r.mapping = f.mapFile
	f.options = translate.Options{From: f.form, MaxDepth: r.maxDepthOpt, MaxBytes: r.maxBytesOpt, Mapping: m.options.Mapping}
	if writerOf(f.format) == nil {
		return usageError{text: fmt.Sprintf("--format takes text, json, github or sarif, not %q", f.format)}
	}
	return nil
}

// tally counts what was found, by level.
type tally struct {
	found [diag.Error + 1]atomic.Int64
}

// run checks the inputs.
func (f *checkFlags) run(s streams, r *readFlags, page *pageFlag, args []string, linesSet bool) error {
	out, err := openOutput("", s.stdout)
	if err != nil {
		return err
	}
	var n tally
	head, tail := wrapOf(f.format)
	l := look{streams: s, flags: r, out: out, listed: f.format == "sarif", single: page.wanted(), flag: "html", writes: page.path}
	width := columns(s.stdout, 100) - 5
	l.viewers = func() viewer {
		return &checking{f: f, n: &n, write: writerOf(f.format), excerpt: excerpt{width: width}, page: page}
	}
	out.buf = append(out.buf, head...)
	err = l.run(args, linesSet)
	if err == nil {
		out.wrote(append(out.buf, tail...))
		err = out.flush()
	}
	if err == nil {
		err = page.write("What was found")
	}
	if err != nil {
		return err
	}
	f.summary(s, &n, l.seen)
	if err := l.status(); err != nil {
		return err
	}
	for level := f.least; level <= diag.Error; level++ {
		if n.found[level].Load() > 0 {
			return toldError(statusFound)
		}
	}
	return nil
}

// summary says on stderr how much was found.
func (f *checkFlags) summary(s streams, n *tally, documents int) {
	var parts []string
	hidden := int64(0)
	for _, level := range []diag.Severity{diag.Error, diag.Warning, diag.Note} {
		switch k := n.found[level].Load(); {
		case level < f.least:
			hidden += k
		case k > 0:
			parts = append(parts, plural(int(k), level.String()))
		}
	}
	if hidden > 0 {
		parts = append(parts, plural(int(hidden), "finding")+" below --level "+f.level)
	}
	if len(parts) == 0 {
		return
	}
	fmt.Fprintf(s.stderr, "ctxmigrate: %s in %s\n", strings.Join(parts, ", "), plural(documents, "document"))
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// checking is the viewer of check.
type checking struct {
	translate.Checker
	f       *checkFlags
	n       *tally
	write   findingWriter
	excerpt excerpt
	points  points
	page    *pageFlag
}

func (k *checking) view(dst []byte, s *sight) ([]byte, error) {
	counts := k.Check(s.src, &k.f.options)
	var list []translate.Finding
	if k.Refused() {
		list = k.Findings()
		if s.again(&translate.Refused{Diagnostic: list[0].Diagnostic}) {
			return dst, errAgain
		}
	}
	above := 0
	for level, n := range counts {
		if n > 0 {
			k.n.found[level].Add(int64(n))
			if diag.Severity(level) >= k.f.least {
				above += n
			}
		}
	}
	if above > 0 && list == nil {
		list = k.Findings()
	}
	if above > 0 {
		k.excerpt.masked = k.Masked()
		k.points.reset(s.Data)
		for i := range list {
			if g := &list[i]; g.Severity >= k.f.least {
				dst = k.write(dst, k.remark(s, g))
			}
		}
	}
	if k.page.wanted() && k.page.room() {
		k.page.add(checkSection(s, k, list))
	}
	if k.Refused() {
		return dst, &told{said: true, passed: s.record != nil || readable(list[0].Code)}
	}
	return dst, nil
}

// tell says why a document cannot be checked. No line of it is shown, since nothing is
// known of what is in it.
func (k *checking) tell(dst []byte, s *sight, f finding) []byte {
	k.n.found[diag.Error].Add(1)
	k.points.reset(s.Data)
	r := &remark{finding: f, sight: s, rule: &diag.Rule{Code: f.code, Level: diag.Error}, local: int(f.Offset - s.Offset), points: &k.points}
	if k.page.wanted() && k.page.room() {
		k.page.add(toldSection(s, f))
	}
	return k.write(dst, r)
}

// remark is a finding with what the writers want of it.
type remark struct {
	finding
	sight   *sight
	rule    *diag.Rule
	form    translate.Form
	local   int // offset in the document of the file
	points  *points
	excerpt *excerpt // nil where no line is shown
}

func (k *checking) remark(s *sight, g *translate.Finding) *remark {
	f := findingOf(&g.Diagnostic)
	f.message = g.Message()
	if k.Refused() && g.Code <= diag.UnknownForm {
		if kind := otherKind(s.src); kind != "" {
			f.message += "; this is " + kind
		}
	}
	f = s.found(f)
	return &remark{finding: f, sight: s, rule: g.Rule, form: k.Form(), local: int(f.Offset - s.Offset), points: &k.points, excerpt: &k.excerpt}
}

// rulesText lists the rules.
func rulesText() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-19s %-8s %-8s %-24s %s\n", "RULE", "FORM", "LEVEL", "FROM", "MEANING")
	for _, form := range []translate.Form{translate.V01, translate.V020, translate.Askable, translate.Auto} {
		name := form.String()
		if form == translate.Auto {
			name = "any"
		}
		for _, r := range translate.Rules(form) {
			fmt.Fprintf(&b, "%-19s %-8s %-8s %-24s %s\n", r.Code, name, r.Level, r.From, r.Means())
		}
	}
	for _, u := range translate.UnseenRules() {
		fmt.Fprintf(&b, "%-19s %-8s %-8s %-24s %s\n", u.ID, "0.2.0", "unseen", "RFC-0001 7", u.Meaning)
	}
	return b.String()
}
