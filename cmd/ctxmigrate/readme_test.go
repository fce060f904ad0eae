package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ctxmigrate/v01"
)

// TestReadme runs every command of the README and compares what it prints, and
// runs the first of its two commands; the second is the test run itself.
func TestReadme(t *testing.T) {
	root := filepath.Join("..", "..")
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("the examples of the README are for a shell, and there is no bash here")
	}
	bin := t.TempDir()
	build := exec.Command("go", "build", "-o", bin, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := func(command string) string {
		cmd := exec.Command(bash, "-c", command+" 2>&1")
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "NO_COLOR=1")
		out, _ := cmd.Output() // a refusal is an example too
		return string(out)
	}
	examples := 0
	for _, block := range fenced(string(readme), "console") {
		for _, part := range strings.Split("\n"+block, "\n$ ")[1:] {
			command, want, _ := strings.Cut(part, "\n")
			examples++
			if got := run(command); strings.TrimRight(got, "\n") != strings.TrimRight(want, "\n") {
				t.Errorf("$ %s\nprints\n%s\nand the README says\n%s", command, got, want)
			}
		}
	}
	if examples < 10 {
		t.Errorf("only %d examples were found", examples)
	}
	two := strings.Split(strings.TrimSpace(fenced(string(readme), "sh")[0]), "\n")
	if got := run(two[0]); !strings.HasPrefix(got, `{"protocol":"0.2.0"`) {
		t.Errorf("$ %s\nprints\n%s", two[0], got)
	}
	if two[1] != "go test ./..." {
		t.Errorf("the second command is %q", two[1])
	}
}

// TestReadmeLibrary holds the Go code of the README to what an example test
// compiles and runs.
func TestReadmeLibrary(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile(filepath.Join("..", "..", "translate", "example_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	same := strings.NewReplacer("import ", "", "return err", "log.Fatal(err)", "log.Println(", "fmt.Println(")
	for _, line := range strings.Split(fenced(string(readme), "go")[0], "\n") {
		if line = strings.TrimSpace(same.Replace(line)); !strings.Contains(string(example), line) {
			t.Errorf("the README's line %q is not in the example", line)
		}
	}
}

// fenced are the blocks of a language in a Markdown text.
func fenced(text, language string) (blocks []string) {
	parts := strings.Split(text, "\n```"+language+"\n")
	for _, p := range parts[1:] {
		block, _, _ := strings.Cut(p, "\n```")
		blocks = append(blocks, block)
	}
	return blocks
}

// TestMapHelp holds the example of a mapping file to the reader of such files.
func TestMapHelp(t *testing.T) {
	help := mapHelp()
	from, to := strings.Index(help, "\n{"), strings.Index(help, "\n}")
	if _, err := v01.ParseMapping([]byte(help[from : to+2])); err != nil {
		t.Error(err)
	}
}
