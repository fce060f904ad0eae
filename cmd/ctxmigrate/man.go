package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

func newMan(s streams) *cli.Command {
	return &cli.Command{
		Name:  "man",
		Usage: "print the manual page",
		Description: `Prints the manual page, in the language of man(1), made of the same table as the
help.`,
		UsageText: `
ctxmigrate man | man -l -
mkdir -p ~/.local/share/man/man1
ctxmigrate man > ~/.local/share/man/man1/ctxmigrate.1`,
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return usageError{fmt.Sprintf("%q is one argument too many", c.Args().First()), hint(c.Command)}
			}
			return s.print(manPage(commands(s)))
		},
	}
}

// roff is text in which nothing is a command of roff.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(text)
	var b strings.Builder
	for _, r := range text {
		if r < 0x80 {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\[u%04X]`, r)
		}
	}
	lines := strings.Split(b.String(), "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}

func manPage(list []*cli.Command) string {
	var b strings.Builder
	b.WriteString(".\\\" made by ctxmigrate man\n.TH CTXMIGRATE 1 \"\" ctxmigrate\n.SH NAME\nctxmigrate \\- convert what an app says of itself between protocol forms\n")
	b.WriteString(".SH SYNOPSIS\n.B ctxmigrate\n.I COMMAND\n[flags]\n.RI [ FILE... ]\n.br\n.B ctxmigrate help\n.RI [ COMMAND ]\n.br\n.B ctxmigrate \\-\\-version\n")
	b.WriteString(".SH DESCRIPTION\n")
	manProse(&b, about)
	for _, c := range list {
		fmt.Fprintf(&b, ".SH %s\n.B ctxmigrate %s\n[flags] %s\n.PP\n%s.\n.PP\n", strings.ToUpper(c.Name), c.Name, roff(c.ArgsUsage), roff(upper(c.Usage)))
		manProse(&b, c.Description)
		for _, f := range c.Flags {
			names, value, usage := described(f.(cli.DocGenerationFlag))
			for i := range names {
				names[i] = `\fB` + roff(names[i]) + `\fR`
			}
			b.WriteString(".TP\n" + strings.Join(names, ", "))
			if value != "" {
				b.WriteString(` \fI` + roff(value) + `\fR`)
			}
			b.WriteString("\n" + roff(usage) + "\n")
		}
		b.WriteString(".PP\nExamples:\n.PP\n.nf\n.RS\n" + roff(strings.Trim(c.UsageText, "\n")) + "\n.RE\n.fi\n")
	}
	b.WriteString(".SH MAPPING FILES\n.nf\n" + roff(mapHelp()) + ".fi\n")
	b.WriteString(".SH EXIT STATUS\n.nf\n" + roff(statuses) + ".fi\nCheck ends with 3 where it found something. Of diff they are those of\n.BR diff (1).\n")
	return b.String()
}

// manProse writes paragraphs. Lines that are indented stay as they are.
func manProse(b *strings.Builder, text string) {
	plain := true
	for _, l := range strings.Split(strings.TrimSpace(text), "\n") {
		switch {
		case l == "":
			b.WriteString(".PP\n")
			continue
		case strings.HasPrefix(l, " ") == plain:
			plain = !plain
			if plain {
				b.WriteString(".RE\n.fi\n")
			} else {
				b.WriteString(".nf\n.RS\n")
			}
		}
		b.WriteString(roff(strings.TrimPrefix(l, "  ")) + "\n")
	}
	if !plain {
		b.WriteString(".RE\n.fi\n")
	}
}

func upper(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
