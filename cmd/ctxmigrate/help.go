package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
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
		fmt.Fprintf(&b, "  %-9s%s\n", c.Name, c.Usage)
	}
	b.WriteString(`  help     explain the program, or a command: ctxmigrate help convert

Examples:
  ctxmigrate convert --to 0.2.0 answer.json
  ctxmigrate convert --to askable < answers.ndjson > packets.ndjson
  ctxmigrate help convert

` + statuses)
	return b.String()
}

// commandHelp is the help of one command. Its Description is prose, its
// UsageText examples; flags are grouped by category, in the order in which the
// categories first come.
func commandHelp(c *cli.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "ctxmigrate %s: %s\n\nUsage:\n  ctxmigrate %s [flags] %s\n\n%s\n\n", c.Name, c.Usage, c.Name, c.ArgsUsage, strings.TrimSpace(c.Description))
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

// flagHelp is the help of one flag. The word in backquotes in its usage stands
// for its value.
func flagHelp(f cli.DocGenerationFlag) string {
	usage, value := f.GetUsage(), ""
	if i := strings.IndexByte(usage, '`'); i >= 0 {
		j := i + 1 + strings.IndexByte(usage[i+1:], '`')
		value = usage[i+1 : j]
		usage = usage[:i] + value + usage[j+1:]
	}
	var names []string
	for _, n := range f.Names() {
		dashes := "--"
		if len(n) == 1 {
			dashes = "-"
		}
		names = append(names, dashes+n)
	}
	head := "  " + strings.Join(names, ", ")
	if f.TakesValue() {
		head += " " + cmp.Or(value, "TEXT")
	}
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
