package main

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/urfave/cli/v2"
)

// streams are what a command reads and writes.
type streams struct {
	stdin          io.Reader
	stdout, stderr io.Writer
}

// maker makes a command.
type maker struct {
	name string
	of   func(streams) *cli.Command
}

// makers make all commands, in the order in which help lists them. A flag belongs to
// one run, so a command is made anew for each, and only where it is wanted.
func makers() []maker {
	return []maker{
		{"convert", newConvert}, {"batch", newBatch}, {"strip", newStrip}, {"proxy", newProxy}, {"serve", newServe},
		{"check", newCheck}, {"tree", newTree}, {"explain", newExplain}, {"types", newTypes}, {"diff", newDiff},
		{"schema", newSchema}, {"codes", newCodes}, {"completion", newCompletion}, {"man", newMan},
	}
}

// commands are all commands.
func commands(s streams) (list []*cli.Command) {
	for _, m := range makers() {
		list = append(list, m.of(s))
	}
	return list
}

// Run runs the command line args, which is without the name of the program, and
// answers the exit status.
//
// The library below it parses flags, but it is told neither of flags that stand
// behind file names, nor of help, nor of mistakes, all of which it would handle
// in ways of its own: see arrange.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	s := streams{stdin, stdout, stderr}
	return finish(s, run(s, args))
}

func run(s streams, args []string) error {
	line, err := arrange(s, args)
	switch {
	case err != nil:
		return err
	case line.version:
		return s.print(version() + "\n")
	case line.topic != "":
		return s.print(line.topic)
	case line.help != nil:
		return s.print(commandHelp(line.help))
	case line.command == nil:
		return s.print(programHelp(commands(s)))
	}
	app := &cli.App{
		Name: "ctxmigrate", Commands: []*cli.Command{line.command}, // setting up the others takes time
		HideHelp: true, HideVersion: true, DisableSliceFlagSeparator: true,
		Reader: s.stdin, Writer: s.stdout, ErrWriter: s.stderr,
		ExitErrHandler:  func(*cli.Context, error) {},
		CommandNotFound: func(*cli.Context, string) {},
	}
	line.command.HideHelp, line.command.Flags = true, line.flags
	line.command.Before = notEmpty
	line.command.OnUsageError = func(_ *cli.Context, err error, _ bool) error { return misparsed(line.command, err) }
	return app.Run(append([]string{app.Name, line.command.Name}, line.args...))
}

// notEmpty refuses flags whose value is empty: a variable of the shell that is not
// set must not switch off what it was to switch on.
func notEmpty(c *cli.Context) error {
	for _, name := range c.LocalFlagNames() { // of those that are given: asking of each costs start-up
		for _, f := range c.Command.Flags {
			if s, ok := f.(*cli.StringFlag); ok && s.Name == name && c.String(name) == "" {
				return usageError{"--" + s.Name + " is given without a value", hint(c.Command)}
			}
		}
	}
	return nil
}

// print writes what a command answers without having read anything.
func (s streams) print(text string) error {
	if _, err := io.WriteString(s.stdout, text); err != nil {
		return writeError("<stdout>", err)
	}
	return nil
}

// finish says what went wrong, where that is not said yet, and answers the exit
// status.
func finish(s streams, err error) int {
	if err == nil {
		return statusDone
	}
	var kind failure
	if !errors.As(err, &kind) {
		kind = ioError{err: err}
	}
	if text := kind.Error(); text != "" {
		fmt.Fprintln(s.stderr, "ctxmigrate: "+text)
	}
	return kind.status()
}

// version says which build this is.
func version() string {
	v := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		v = info.Main.Version
	}
	return "ctxmigrate " + v
}
