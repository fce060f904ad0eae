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

// commands are all commands, in the order in which help lists them. A flag
// belongs to one run, so they are made anew for each.
func commands(s streams) []*cli.Command {
	return []*cli.Command{
		newConvert(s), newBatch(s), newStrip(s), newProxy(s), newServe(s), newCheck(s), newTree(s), newExplain(s), newTypes(s), newDiff(s),
		newSchema(s), newCodes(s), newCompletion(s), newMan(s),
	}
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
	cmds := commands(s)
	line, err := arrange(cmds, args)
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
		return s.print(programHelp(cmds))
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
