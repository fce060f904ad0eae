package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"ctxmigrate/translate/model"
)

const about = `ctxmigrate converts what an app says of itself (what is on the screen, selected
and focused) from one protocol form to another:

  0.1      a flat list of items with a focus list
  0.2.0    one tree of elements with roles and states
  askable  an askable.context packet: a target and its surroundings

`

const statuses = `Exit status:
  0  done
  1  something was refused, or could not be read or written
  2  the command line, or a mapping file, is wrong
  3  what --fail-on asks for was found
  4  an input held no document at all
`

// programHelp is the help of the whole program.
func programHelp(cmds []*cli.Command) string {
	var b strings.Builder
	b.WriteString(about + "Usage:\n  ctxmigrate COMMAND [flags] [FILE...]\n\nCommands:\n")
	for _, c := range cmds {
		fmt.Fprintf(&b, "  %-11s%s\n", c.Name, c.Usage)
	}
	b.WriteString(`  help       explain the program, or a command: ctxmigrate help convert
             ctxmigrate help map explains mapping files

ctxmigrate --version says which build this is.

Examples:
  ctxmigrate convert --to 0.2.0 answer.json
  ctxmigrate convert --to askable < answers.ndjson > packets.ndjson
  ctxmigrate help convert

` + statuses)
	return b.String()
}

// mapHelp explains mapping files.
func mapHelp() string {
	var roles []string
	for r := model.Application; r <= model.Document; r++ {
		roles = append(roles, r.String())
	}
	return `A mapping file (--map FILE) says how the words of one app are to be read. It is
used in reading 0.1 answers, but for secure, which holds for all forms.

{
  "types":  {"sprint":  {"role": "List"},
             "invoice": {"role": "Document", "subrole": "bill"},
             "body":    {"role": "Group", "class": "entry"},
             "spinner": {"drop": true}},
  "links":  {"assigneeId": "assignee"},
  "author": "meta.by.name",
  "secure": ["licence-key"]
}

types   by type word, compared without case, spaces, hyphens and underscores:
        role     one of ` + strings.Join(roles[:7], ", ") + `,
                 ` + strings.Join(roles[7:], ", ") + `
        class    fixed: the role holds wherever the item is (so where only a role
                 is given); entry: in a list, a table or a row the item is a Row or
                 a Cell, elsewhere it has the role
        subrole  in place of the type word; an empty one for none
        drop     true leaves such items out; what is in them takes their place
links   a payload member that holds an id, and the name of the relation: the member
        becomes an entry {"relation": ..., "id": ...} of related
author  the path in the payload of the name that becomes the attribute author
secure  more words of which the content is withheld, beside
        ` + strings.Join(model.SecureWords(), ", ") + `

The author of one answer can steer it without a file: payload.role, if it is one
of the roles, and payload.subrole are the role and the subrole of an item.
`
}

// commandHelp is the help of one command. Its Description is prose, its
// UsageText examples; flags are grouped by category, in the order in which the
// categories first come.
func commandHelp(c *cli.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "ctxmigrate %s: %s\n\nUsage:\n  ctxmigrate %s [flags]%s\n\n%s\n\n", c.Name, c.Usage, c.Name, strings.TrimRight(" "+c.ArgsUsage, " "), strings.TrimSpace(c.Description))
	var categories []string
	flags := map[string][]string{}
	for _, f := range c.Flags {
		name := f.(cli.CategorizableFlag).GetCategory()
		if flags[name] == nil {
			categories = append(categories, name)
		}
		flags[name] = append(flags[name], flagHelp(f.(cli.DocGenerationFlag)))
	}
	for _, name := range categories {
		fmt.Fprintf(&b, "%s:\n%s\n", name, strings.Join(flags[name], ""))
	}
	b.WriteString("Examples:\n")
	for _, l := range strings.Split(strings.Trim(c.UsageText, "\n"), "\n") {
		fmt.Fprintln(&b, strings.TrimRight("  "+l, " "))
	}
	return b.String()
}

// described is a flag as it is told of: its names with their dashes, what stands for
// its value, "" where it takes none, and its usage. The word in backquotes in the
// usage stands for the value.
func described(f cli.DocGenerationFlag) (names []string, value, usage string) {
	usage = f.GetUsage()
	if i := strings.IndexByte(usage, '`'); i >= 0 {
		j := i + 1 + strings.IndexByte(usage[i+1:], '`')
		value = usage[i+1 : j]
		usage = usage[:i] + value + usage[j+1:]
	}
	for _, n := range f.Names() {
		dashes := "--"
		if len(n) == 1 {
			dashes = "-"
		}
		names = append(names, dashes+n)
	}
	if !f.TakesValue() {
		return names, "", usage
	}
	return names, cmp.Or(value, "TEXT"), usage
}

// flagHelp is the help of one flag.
func flagHelp(f cli.DocGenerationFlag) string {
	names, value, usage := described(f)
	head := strings.TrimRight("  "+strings.Join(names, ", ")+" "+value, " ")
	const column = 26
	var b strings.Builder
	fmt.Fprintf(&b, "%-*s", column, head)
	if len(head) >= column {
		fmt.Fprintf(&b, "\n%*s", column, "")
	}
	at := 0
	for _, w := range strings.Fields(usage) {
		if at > 0 && at+1+len(w) > 78-column {
			fmt.Fprintf(&b, "\n%*s", column, "")
			at = 0
		} else if at > 0 {
			b.WriteByte(' ')
			at++
		}
		b.WriteString(w)
		at += len(w)
	}
	b.WriteByte('\n')
	return b.String()
}
