package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"ctxmigrate/translate"
	"ctxmigrate/translate/model"
	"ctxmigrate/v01"
)

func newTypes(s streams) *cli.Command {
	var r readFlags
	var from, format, mapFile, writeMap string
	var all bool
	return &cli.Command{
		Name:      "types",
		Usage:     "survey the type words of 0.1 answers",
		ArgsUsage: "[FILE...]",
		Description: `Reads an archive of 0.1 answers and lists every type word: how often it was seen,
the role that it gets and why, what it was seen in and what was seen in it, and
where first. The words that no vocabulary knows come first, then those that get one
role here and another there. Payload members that look like links to other items, or
like the name of an author, follow. Documents of other forms are passed over.

--write-map writes a mapping file (help map) that says what is chosen now for each
word, ready to be edited: as it is written, it changes nothing.

Memory is bounded, whatever the size of the archive: of more than 10000 different
words the rest is counted together.

` + lookStatuses,
		UsageText: `
ctxmigrate types archive.ndjson.gz
ctxmigrate types --map now.json --write-map next.json *.json
ctxmigrate types --format json archive.ndjson`,
		Flags: join([]cli.Flag{
			&cli.StringFlag{Name: "write-map", Category: "Surveying", Destination: &writeMap, Usage: "write a mapping `FILE` of what is chosen now; one that is there already is not replaced"},
			&cli.StringFlag{Name: "map", Category: "Surveying", Destination: &mapFile, Usage: "a mapping `FILE` to read by; see help map"},
			&cli.BoolFlag{Name: "all", Category: "Surveying", Destination: &all, Usage: "list all words; else the first 100 of those that are known and have one role"},
			fromFlag(&from)}, lookFlags(&r), []cli.Flag{
			&cli.StringFlag{Name: "format", Value: "text", Category: writing, Destination: &format, Usage: "`FORMAT` of what is printed: text, or json with one object a line"}}),
		Action: func(c *cli.Context) error {
			if err := r.check(); err != nil {
				return err
			}
			if format != "text" && format != "json" {
				return usageError{text: fmt.Sprintf("--format takes text or json, not %q", format)}
			}
			form, err := parseFrom(from)
			if err != nil {
				return err
			}
			m := convertFlags{mapFile: mapFile}
			if err := m.readMapping(); err != nil {
				return err
			}
			out, err := openOutput("", s.stdout)
			if err != nil {
				return err
			}
			v := &surveying{opts: translate.Options{From: form, Mapping: m.options.Mapping, MaxDepth: r.maxDepthOpt, MaxBytes: r.maxBytesOpt}}
			l := look{streams: s, flags: &r, out: out, single: true, flag: "write-map", writes: writeMap}
			l.viewers = func() viewer { return v }
			if err := l.run(c.Args().Slice(), c.IsSet("ndjson")); err != nil {
				return err
			}
			if format == "json" {
				out.wrote(v.appendJSON(out.buf))
			} else {
				out.wrote(v.appendText(out.buf, all))
			}
			if err := out.flush(); err != nil {
				return err
			}
			if writeMap != "" {
				if err := v.writeMap(s, writeMap); err != nil {
					return err
				}
			}
			return l.status()
		},
	}
}

// surveying is the viewer of types.
type surveying struct {
	translate.Survey
	opts  translate.Options
	names []string // of the files
}

func (v *surveying) view(dst []byte, s *sight) ([]byte, error) {
	if len(v.names) == 0 || v.names[len(v.names)-1] != s.name {
		v.names = append(v.names, s.name)
	}
	v.File, v.Record = len(v.names)-1, s.Document.Record
	return dst, v.Add(s.src, &v.opts)
}

// where is the place of an example: the file, which document of it, and the pointer.
func (v *surveying) where(e translate.Example) string {
	return fmt.Sprintf("%s, document %d, %s", printable(v.names[e.File]), e.Record, printable(e.Pointer))
}

// writeMap writes a mapping file.
func (v *surveying) writeMap(s streams, path string) error {
	text, unnamed := v.AppendMapping(nil)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return writeError(path, err)
	}
	_, err = f.Write(text)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return writeError(path, err)
	}
	if unnamed > 0 {
		fmt.Fprintf(s.stderr, "ctxmigrate: %s cannot be named in a mapping file, being empty or too long\n", plural(unnamed, "word"))
	}
	return nil
}

// shortList is how many words that need no attention are listed.
const shortList = 100

func (v *surveying) appendText(dst []byte, all bool) []byte {
	words := v.Words()
	unknown, ambiguous := 0, 0
	for _, w := range words {
		switch {
		case !w.Choice.Known:
			unknown++
		case w.Ambiguous():
			ambiguous++
		}
	}
	dst = fmt.Appendf(dst, "%s, %s, %s: %d unknown, %d ambiguous\n", plural(v.Answers, "answer"), plural(v.Items, "item"), plural(len(words), "type word"), unknown, ambiguous)
	if v.Others > 0 {
		dst = fmt.Appendf(dst, "%s of other forms passed over\n", plural(v.Others, "document"))
	}
	if v.Untyped > 0 {
		dst = fmt.Appendf(dst, "%s without a type\n", plural(v.Untyped, "item"))
	}
	if v.Uncounted > 0 {
		dst = fmt.Appendf(dst, "%s of further words, which are not listed\n", plural(v.Uncounted, "item"))
	}
	for i, w := range words {
		if !all && i >= unknown+ambiguous+shortList {
			dst = fmt.Appendf(dst, "\n%s more; --all lists them\n", plural(len(words)-i, "word"))
			break
		}
		dst = v.appendWord(dst, w)
	}
	members := v.Members()
	if len(members) > 0 {
		dst = append(dst, "\npayload members worth a look\n"...)
	}
	for _, m := range members {
		dst = fmt.Appendf(dst, "  %s %d: %s; first in %s\n", quote(m.Name), m.Count, memberLooks(m), v.where(m.Example))
	}
	return dst
}

func quote(word string) string { return shown(strconv.Quote(clip(word, 60, false)), false) }

func memberLooks(m *translate.MemberUse) string {
	var parts []string
	if m.Link() {
		parts = append(parts, fmt.Sprintf("%d are ids of other items (links: {%s: %s})", m.Links, quote(m.Name), quote(relationOf(m.Name))))
	}
	if m.Author() {
		parts = append(parts, fmt.Sprintf("%d may be authors (author: %s)", m.Authors, quote(m.Name)))
	}
	return strings.Join(parts, "; ")
}

// relationOf is a name for the relation that a member says.
func relationOf(name string) string {
	for _, end := range []string{"Id", "_id", "-id", "ID", "Ref"} {
		if short, ok := strings.CutSuffix(name, end); ok && short != "" {
			return short
		}
	}
	return name
}

func (v *surveying) appendWord(dst []byte, w *translate.WordUse) []byte {
	mark := ""
	switch {
	case !w.Choice.Known:
		mark = " (unknown)"
	case w.Ambiguous():
		mark = " (ambiguous)"
	}
	dst = fmt.Appendf(dst, "\n%s %d%s\n", quote(w.Word), w.Count, mark)
	dst = fmt.Appendf(dst, "  role      %s\n", counts(rolesOf(w)))
	dst = fmt.Appendf(dst, "  because   %s\n", counts(whysOf(w)))
	if w.Dropped > 0 {
		dst = fmt.Appendf(dst, "  left out  %d, as the mapping file says\n", w.Dropped)
	}
	dst = fmt.Appendf(dst, "  in        %s\n", counts(named(w.Parents)))
	if len(w.Children) > 0 {
		dst = fmt.Appendf(dst, "  holds     %s\n", counts(named(w.Children)))
	}
	for i, e := range w.Examples {
		head := "  seen in   "
		if i > 0 {
			head = "            "
		}
		dst = fmt.Appendf(dst, "%s%s\n", head, v.where(e))
	}
	return dst
}

func rolesOf(w *translate.WordUse) map[string]int {
	m := map[string]int{}
	for r, n := range w.Roles {
		if n > 0 {
			m[model.Role(r).String()] = n
		}
	}
	return m
}

func whysOf(w *translate.WordUse) map[string]int {
	m := map[string]int{}
	for r, n := range w.Why {
		if n > 0 {
			m[v01.Why(r).String()] = n
		}
	}
	return m
}

// named are words as they are listed, the root by a name.
func named(words map[string]int) map[string]int {
	m := map[string]int{}
	for w, n := range words {
		switch w {
		case "":
			m["the root"] += n
		case "…":
			m["others"] += n
		default:
			m[quote(w)] += n
		}
	}
	return m
}

// counts are words with how often they were seen, the most frequent first.
func counts(m map[string]int) string {
	keys := slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		return cmp.Or(m[b]-m[a], strings.Compare(a, b))
	})
	var parts []string
	for i, k := range keys {
		if i == 8 {
			parts = append(parts, fmt.Sprintf("and %d more", len(keys)-i))
			break
		}
		parts = append(parts, fmt.Sprintf("%s %d", k, m[k]))
	}
	return cmp.Or(strings.Join(parts, ", "), "none")
}
