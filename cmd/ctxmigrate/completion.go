package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"ctxmigrate/translate/diag"
)

// shells are the shells that there is completion for.
var shells = map[string]func([]*cli.Command) string{"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}

func newCompletion(s streams) *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print what completes command lines in a shell",
		ArgsUsage: "SHELL",
		Description: `Prints a script that completes commands, flags and their values in bash, zsh or
fish. It is made of the same table as the help.`,
		UsageText: `
# bash
ctxmigrate completion bash > ~/.local/share/bash-completion/completions/ctxmigrate
# zsh, where ~/.zfunc is in $fpath
ctxmigrate completion zsh > ~/.zfunc/_ctxmigrate
# fish
ctxmigrate completion fish > ~/.config/fish/completions/ctxmigrate.fish`,
		Action: func(c *cli.Context) error {
			if c.NArg() == 1 {
				if script := shells[c.Args().First()]; script != nil {
					return s.print(script(commands(s)))
				}
			}
			return usageError{"completion for which shell? There are bash, zsh and fish", hint(c.Command)}
		},
	}
}

// valuesOf are the words that a flag takes, nil where it takes any; file says that
// it takes the name of a file.
func valuesOf(c *cli.Command, f cli.DocGenerationFlag) (words []string, file bool) {
	_, value, _ := described(f)
	switch value {
	case "FILE":
		return nil, true
	case "FORM":
		return []string{"0.1", "0.2.0", "askable"}, false
	case "SEVERITY":
		return []string{"loss", "warning", "note"}, false
	case "LEVEL":
		if c.Name != "check" {
			return []string{"debug", "info", "warn", "error", "none"}, false
		}
		return []string{"error", "warning", "note"}, false
	case "BOOL":
		return []string{"true", "false"}, false
	case "TIME":
		return []string{"now", "mtime"}, false
	case "WORD":
		return []string{"explicit", "implicit", "none"}, false
	case "FORMAT":
		if c.Name == "check" {
			return []string{"text", "json", "github", "sarif"}, false
		}
		return []string{"text", "json"}, false
	}
	switch f.Names()[0] {
	case "ignore":
		return []string{"ids", "instance", "order"}, false
	case "focus":
		return []string{"all"}, false
	}
	return nil, false
}

// argumentsOf are the words that a command takes as arguments, nil where it takes
// files or anything.
func argumentsOf(c *cli.Command, all []*cli.Command) []string {
	switch c.Name {
	case "schema":
		return []string{"0.1", "0.2.0", "askable"}
	case "completion":
		return []string{"bash", "zsh", "fish"}
	case "proxy":
		return []string{"http", "mcp", "stdio"}
	case "codes":
		var list []string
		for _, c := range diag.Codes() {
			list = append(list, c.Name)
		}
		return list
	case "help":
		var list []string
		for _, o := range all {
			list = append(list, o.Name)
		}
		return append(list, "map")
	}
	return nil
}

// besideFiles are the words that a command takes beside files.
func besideFiles(c *cli.Command) []string {
	if c.Name == "batch" {
		return []string{"undo"}
	}
	return nil
}

// withHelp are the commands with help, which has no table of its own.
func withHelp(list []*cli.Command) []*cli.Command {
	return append(list[:len(list):len(list)], &cli.Command{Name: "help", Usage: "explain the program, or a command"})
}

// flagsOf are the flags of a command, with --help.
func flagsOf(c *cli.Command) []cli.DocGenerationFlag {
	var list []cli.DocGenerationFlag
	for _, f := range c.Flags {
		list = append(list, f.(cli.DocGenerationFlag))
	}
	return append(list, &cli.BoolFlag{Name: "help", Usage: "explain the command"})
}

func bashCompletion(list []*cli.Command) string {
	list = withHelp(list)
	var b strings.Builder
	var names []string
	for _, c := range list {
		names = append(names, c.Name)
	}
	fmt.Fprintf(&b, `# bash completion of ctxmigrate; made by "ctxmigrate completion bash"
_ctxmigrate() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} word words=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '%s --help --version' -- "$cur"))
    return
  fi
  for word in "${COMP_WORDS[@]:2:COMP_CWORD-2}"; do
    if [ "$word" = -- ]; then return; fi
  done
  case ${COMP_WORDS[1]} in
`, strings.Join(names, " "))
	for _, c := range list {
		fmt.Fprintf(&b, "  %s)\n    case $prev in\n", c.Name)
		var flags []string
		for _, f := range flagsOf(c) {
			names, value, _ := described(f)
			flags = append(flags, names...)
			if value == "" {
				continue
			}
			if words, _ := valuesOf(c, f); words != nil {
				fmt.Fprintf(&b, "    %s) words='%s' ;;\n", strings.Join(names, "|"), strings.Join(words, " "))
			} else {
				fmt.Fprintf(&b, "    %s) return ;;\n", strings.Join(names, "|"))
			}
		}
		fmt.Fprintf(&b, "    *) if [[ $cur == -* ]]; then words='%s'; else words='%s'; fi ;;\n    esac ;;\n",
			strings.Join(flags, " "), strings.Join(append(argumentsOf(c, list), besideFiles(c)...), " "))
	}
	b.WriteString("  esac\n  if [ -n \"$words\" ]; then COMPREPLY=($(compgen -W \"$words\" -- \"$cur\")); fi\n}\ncomplete -o default -F _ctxmigrate ctxmigrate\n")
	return b.String()
}

// zshText is text for a description in zsh's brackets.
var zshText = strings.NewReplacer("'", `'\''`, "[", `\[`, "]", `\]`, ":", `\:`, "`", "'\\''")

func zshCompletion(list []*cli.Command) string {
	list = withHelp(list)
	var b strings.Builder
	b.WriteString("#compdef ctxmigrate\n# zsh completion of ctxmigrate; made by \"ctxmigrate completion zsh\"\n_ctxmigrate() {\n  local -a commands=(\n")
	for _, c := range list {
		fmt.Fprintf(&b, "    '%s:%s'\n", c.Name, zshText.Replace(c.Usage))
	}
	b.WriteString("  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n")
	for _, c := range list {
		fmt.Fprintf(&b, "  %s)\n    _arguments -s \\\n", c.Name)
		for _, f := range flagsOf(c) {
			names, value, usage := described(f)
			for _, n := range names {
				spec := n
				if value != "" && strings.HasPrefix(n, "--") {
					spec += "="
				}
				spec = "*" + spec + "[" + zshText.Replace(short(usage)) + "]"
				if value != "" {
					spec += ":" + value + ":" + zshAction(valuesOf(c, f))
				}
				fmt.Fprintf(&b, "      '%s' \\\n", spec)
			}
		}
		if words := argumentsOf(c, list); words != nil {
			fmt.Fprintf(&b, "      '*:argument:(%s)' ;;\n", strings.Join(words, " "))
		} else {
			b.WriteString("      '*:file:_files' ;;\n")
		}
	}
	b.WriteString("  esac\n}\nif [ \"$funcstack[1]\" = _ctxmigrate ]; then _ctxmigrate \"$@\"; else compdef _ctxmigrate ctxmigrate; fi\n")
	return b.String()
}

func zshAction(words []string, file bool) string {
	switch {
	case file:
		return "_files"
	case words != nil:
		return "(" + strings.Join(words, " ") + ")"
	}
	return " "
}

// short is the beginning of a usage, for a list of flags.
func short(usage string) string {
	if i := strings.IndexAny(usage, ";,"); i > 0 {
		usage = usage[:i]
	}
	return usage
}

func fishText(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(text) + "'"
}

func fishCompletion(list []*cli.Command) string {
	list = withHelp(list)
	var b strings.Builder
	b.WriteString("# fish completion of ctxmigrate; made by \"ctxmigrate completion fish\"\n")
	for _, c := range list {
		fmt.Fprintf(&b, "complete -c ctxmigrate -n __fish_use_subcommand -f -a %s -d %s\n", c.Name, fishText(c.Usage))
	}
	for _, c := range list {
		on := "complete -c ctxmigrate -n '__fish_seen_subcommand_from " + c.Name + "'"
		for _, f := range flagsOf(c) {
			names, value, usage := described(f)
			b.WriteString(on)
			for _, n := range names {
				if long, ok := strings.CutPrefix(n, "--"); ok {
					b.WriteString(" -l " + long)
				} else {
					b.WriteString(" -s " + n[1:])
				}
			}
			if value != "" {
				words, file := valuesOf(c, f)
				switch {
				case file:
					b.WriteString(" -r -F")
				case words != nil:
					b.WriteString(" -x -a " + fishText(strings.Join(words, " ")))
				default:
					b.WriteString(" -x")
				}
			}
			b.WriteString(" -d " + fishText(short(usage)) + "\n")
		}
		if words := argumentsOf(c, list); words != nil {
			fmt.Fprintf(&b, "%s -f -a %s\n", on, fishText(strings.Join(words, " ")))
		} else if words := besideFiles(c); words != nil {
			fmt.Fprintf(&b, "%s -a %s\n", on, fishText(strings.Join(words, " ")))
		}
	}
	return b.String()
}
