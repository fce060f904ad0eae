package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
	"github.com/xrash/smetrics"
)

// line is a command line that was understood.
type line struct {
	command *cli.Command
	flags   []cli.Flag   // of the command: those that are given, and those with a value of their own
	args    []string     // of the command: flags first, all as --name=value, then -- and the names
	help    *cli.Command // the command of which help is wanted
	topic   string       // help on something else
	version bool
}

// arrange understands a command line and puts it into the one order that the
// library below takes: it would ignore flags behind a file name, would take some
// file names for commands, and answers mistakes on the wrong stream.
func arrange(s streams, args []string) (line, error) {
	if len(args) == 0 {
		return line{}, usageError{"which command? There are " + names(), "Try ctxmigrate help."}
	}
	switch args[0] {
	case "--version", "-v", "version":
		return line{version: true}, extra(args)
	case "--help", "-h":
		return line{}, extra(args)
	case "help":
		if len(args) == 1 {
			return line{}, nil
		}
		if args[1] == "map" {
			return line{topic: mapHelp()}, extra(args[1:])
		}
		c, err := find(s, args[1])
		if err != nil {
			return line{}, err
		}
		return line{help: c}, extra(args[1:])
	}
	c, err := find(s, args[0])
	if err != nil {
		return line{}, err
	}
	l := line{command: c}
	return l, l.arrange(args[1:])
}

// extra refuses arguments after the first.
func extra(args []string) error {
	if len(args) > 1 {
		return usageError{fmt.Sprintf("%q is one argument too many", args[1]), "Try ctxmigrate help."}
	}
	return nil
}

func find(s streams, name string) (*cli.Command, error) {
	for _, m := range makers() {
		if m.name == name {
			return m.of(s), nil
		}
	}
	if strings.HasPrefix(name, "-") {
		return nil, usageError{fmt.Sprintf("%q stands where a command is wanted; flags follow their command", name), "Try ctxmigrate help."}
	}
	return nil, usageError{fmt.Sprintf("there is no command %q; there are %s", name, names()), "Try ctxmigrate help."}
}

func names() string {
	var list []string
	for _, m := range makers() {
		list = append(list, m.name)
	}
	return strings.Join(append(list, "help"), ", ")
}

// arrange sorts the arguments of the command.
func (l *line) arrange(args []string) error {
	var files []string
	given := map[cli.Flag]bool{}
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			files = append(files, args[i+1:]...)
			break
		}
		if len(arg) < 2 || arg[0] != '-' {
			files = append(files, arg)
			continue
		}
		name, value, has := strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
		if name == "help" || name == "h" {
			l.help = l.command
			return nil
		}
		f := flagNamed(l.command, name)
		if f == nil {
			return unknownFlag(l.command, arg)
		}
		if f.TakesValue() && !has {
			if i++; i == len(args) {
				return usageError{fmt.Sprintf("the flag %s wants a value", arg), hint(l.command)}
			}
			if value, has = args[i], true; isFlag(l.command, value) { // whose value was forgotten
				return usageError{fmt.Sprintf("the flag %s wants a value, and %s is a flag; if it is meant, write %s=%[2]s", arg, printable(value), arg), hint(l.command)}
			}
		}
		given[f] = true
		arg = "--" + f.Names()[0]
		if has {
			arg += "=" + value
		}
		l.args = append(l.args, arg)
	}
	l.args = append(append(l.args, "--"), files...)
	for _, f := range l.command.Flags {
		if given[f] || !idle(f) {
			l.flags = append(l.flags, f)
		}
	}
	return nil
}

// isFlag reports whether an argument is a flag of a command.
func isFlag(c *cli.Command, arg string) bool {
	if len(arg) < 2 || arg[0] != '-' {
		return false
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
	return name == "help" || name == "h" || flagNamed(c, name) != nil
}

// idle reports whether a flag that is not given does nothing. The library below asks
// of each flag that it is told of whether it bears the name of any other, which is a
// tenth of start-up.
func idle(f cli.Flag) bool {
	switch f := f.(type) {
	case *cli.BoolFlag:
		return !f.Value
	case *cli.StringFlag:
		return f.Value == ""
	}
	return false
}

func flagNamed(c *cli.Command, name string) cli.DocGenerationFlag {
	for _, f := range c.Flags {
		if bears(f, name) {
			return f.(cli.DocGenerationFlag)
		}
	}
	return nil
}

// bears reports whether a flag has a name.
func bears(f cli.Flag, name string) bool {
	switch f := f.(type) { // of most, without the regular expression that Names asks
	case *cli.BoolFlag:
		return f.Name == name || slices.Contains(f.Aliases, name)
	case *cli.StringFlag:
		return f.Name == name || slices.Contains(f.Aliases, name)
	}
	return slices.Contains(f.Names(), name)
}

func unknownFlag(c *cli.Command, arg string) error {
	name, _, _ := strings.Cut(arg, "=")
	text := fmt.Sprintf("%s has no flag %s", c.Name, printable(name))
	bare := strings.TrimLeft(name, "-")
	if near := cli.SuggestFlag(c.Flags, bare, true); near != "" && smetrics.WagnerFischer(bare, strings.TrimLeft(near, "-"), 1, 1, 1) <= 2 {
		text += "; is " + near + " meant?"
	}
	return usageError{text, hint(c) + " A file name that begins with a dash goes after --."}
}

// misparsed is the error of a flag whose value the library below did not take.
func misparsed(c *cli.Command, err error) error {
	text := err.Error()
	for _, p := range []string{"for flag -", "for -"} {
		text = strings.Replace(text, p, "for --", 1)
	}
	text = strings.Replace(text, "for ---", "for --", 1)
	for _, f := range c.Flags { // of which the library says only that it cannot read them
		if name := "--" + f.Names()[0]; strings.Contains(text, "for "+name+":") {
			if _, ok := f.(*cli.DurationFlag); ok {
				text = name + " takes a time as in 500ms or 2s"
			}
		}
	}
	return usageError{text, hint(c)}
}

func hint(c *cli.Command) string { return "Try ctxmigrate help " + c.Name + "." }
