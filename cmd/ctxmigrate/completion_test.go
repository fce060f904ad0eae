package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// TestCompletionNamesAll holds that each script, and the manual page, name every
// command and every flag of it.
func TestCompletionNamesAll(t *testing.T) {
	list := commands(streams{})
	texts := map[string]string{"man": manPage(list)}
	for shell, script := range shells {
		texts[shell] = script(list)
	}
	for what, text := range texts {
		for _, c := range list {
			part := text // that speaks of the command
			switch what {
			case "bash":
				part = between(text, "\n  "+c.Name+")\n", "    esac ;;")
			case "zsh":
				part = between(text, "\n  "+c.Name+")\n", ";;\n")
			case "man":
				part = between(text, "\n.SH "+strings.ToUpper(c.Name)+"\n", "\nExamples:")
			case "fish":
				if !strings.Contains(text, "__fish_use_subcommand -f -a "+c.Name+" ") {
					t.Errorf("fish does not name %s", c.Name)
				}
			}
			if part == "" {
				t.Errorf("%s says nothing of %s", what, c.Name)
			}
			for _, f := range c.Flags {
				for _, n := range f.Names() {
					want := "--" + n
					if len(n) == 1 {
						want = "-" + n
					}
					switch what {
					case "man":
						want = `\fB` + roff(want) + `\fR`
					case "fish":
						part = text
						want = "-n '__fish_seen_subcommand_from " + c.Name + "'"
						found := false
						for line := range strings.Lines(text) {
							found = found || strings.Contains(line, want) && (strings.Contains(line, " -l "+n+" ") || strings.Contains(line, " -s "+n+" "))
						}
						if !found {
							t.Errorf("fish does not name the flag %s of %s", n, c.Name)
						}
						continue
					}
					if !strings.Contains(part, want) {
						t.Errorf("%s does not name the flag %s of %s", what, want, c.Name)
					}
				}
			}
		}
	}
}

func between(text, from, to string) string {
	_, text, found := strings.Cut(text, from)
	if !found {
		return ""
	}
	text, _, _ = strings.Cut(text, to)
	return text
}

// TestBashCompletes asks the script in a shell.
func TestBashCompletes(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash here")
	}
	path := filepath.Join(t.TempDir(), "completion")
	if err := os.WriteFile(path, []byte(bashCompletion(commands(streams{}))), 0o666); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"ch":                       "check",
		"convert --to ":            "0.1 0.2.0 askable",
		"convert --keep-":          "--keep-going --keep-secure",
		"check --format s":         "sarif",
		"tree --format s":          "",
		"schema 0":                 "0.1 0.2.0",
		"completion ":              "bash zsh fish",
		"convert --report ":        "",
		"diff --ignore i":          "ids instance",
		"help com":                 "completion",
		"convert a.json --lossl":   "--lossless",
		"types --write-map x --wr": "--write-map",
		"batch u":                  "undo",
		"convert -- --lossl":       "",
		"proxy stdio -- app --to ": "",
	} {
		cmd := exec.Command(bash, "--norc", "-c", `. "$1"; read -ra COMP_WORDS <<< "ctxmigrate $2"; [[ $2 == *" " ]] && COMP_WORDS+=(""); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _ctxmigrate; echo "${COMPREPLY[@]}"`, "-", path, line)
		out, err := cmd.CombinedOutput()
		if got := strings.TrimSpace(string(out)); got != want || err != nil {
			t.Errorf("%q completes to %q, %v; want %q", line, got, err, want)
		}
	}
}

// TestScriptsParse has the shells that are here, and man, read what is made for
// them.
func TestScriptsParse(t *testing.T) {
	list := commands(streams{})
	for name, c := range map[string]struct {
		text string
		args []string
	}{
		"bash":  {bashCompletion(list), []string{"-n"}},
		"zsh":   {zshCompletion(list), []string{"-n"}},
		"fish":  {fishCompletion(list), []string{"--no-execute"}},
		"groff": {manPage(list), []string{"-man", "-Tutf8", "-ww", "-z"}},
	} {
		t.Run(name, func(t *testing.T) {
			program, err := exec.LookPath(name)
			if err != nil {
				t.Skipf("there is no %s here", name)
			}
			path := filepath.Join(t.TempDir(), "script")
			if err := os.WriteFile(path, []byte(c.text), 0o666); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command(program, append(c.args, path)...).CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestFlagsAreTold holds that each flag that takes one of some words is completed.
func TestFlagsAreTold(t *testing.T) {
	for _, c := range commands(streams{}) {
		for _, f := range c.Flags {
			f := f.(cli.DocGenerationFlag)
			_, value, usage := described(f)
			words, file := valuesOf(c, f)
			if strings.ToUpper(value) != value && value != "all" {
				t.Errorf("%s --%s: the value %q is not spelled in capitals", c.Name, f.Names()[0], value)
			}
			for _, w := range words {
				if value != "FORM" && !strings.Contains(usage, w) {
					t.Errorf("%s --%s does not tell of %s", c.Name, f.Names()[0], w)
				}
			}
			if value == "FILE" != file {
				t.Errorf("%s --%s takes a file or not", c.Name, f.Names()[0])
			}
		}
	}
}
