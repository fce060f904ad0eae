package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ctxmigrate/internal/docgen"
)

// jobsInput is a stream of many chunks: good lines, blank ones, bad ones, one that
// is larger than a chunk and one that is larger than what is taken.
func jobsInput() string {
	var b strings.Builder
	gen := docgen.New(5, docgen.Options{Odd: true})
	for i := range 1500 {
		switch i {
		case 300:
			b.WriteString("not JSON\n\n")
		case 600:
			b.Write(docgen.Sized(docgen.V01, 300<<10, docgen.Plain))
			b.WriteString("\r\n")
		case 900:
			b.Write(bytes.Repeat([]byte(" "), 2<<20))
			b.WriteString("{}\n")
		}
		line := bytes.ReplaceAll(gen.Document(docgen.Forms[i%2]), []byte("\n"), []byte(" "))
		fmt.Fprintf(&b, "%s\n", line)
	}
	return b.String()
}

// TestJobs holds that any number of workers writes, reports and says the same, and
// ends the same way.
func TestJobs(t *testing.T) {
	input := jobsInput()
	dir := t.TempDir()
	for _, flags := range [][]string{
		{"--keep-going"},
		{},
		{"--keep-going", "--strict", "--lossless"},
		{"--keep-going", "--query", "root.id", "--fail-on", "loss"},
		{"--keep-going", "--at", "a.b"},
	} {
		type result struct {
			status            int
			out, errs, report string
		}
		var want result
		for _, jobs := range []string{"1", "2", "7"} {
			file := filepath.Join(dir, "report")
			args := append([]string{"convert", "--to", "0.2.0", "--ndjson", "--max-bytes", "1M", "--report", file, "--jobs", jobs}, flags...)
			var out, errs bytes.Buffer
			got := result{status: Run(args, strings.NewReader(input), &out, &errs)}
			report, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got.out, got.errs, got.report = out.String(), errs.String(), string(report)
			if jobs == "1" {
				want = got
			}
			if got != want {
				t.Errorf("%v, %s jobs: status %d, %d bytes, messages of %d, report of %d; with one: %d, %d, %d, %d", flags, jobs,
					got.status, len(got.out), len(got.errs), len(got.report), want.status, len(want.out), len(want.errs), len(want.report))
			}
		}
		if len(want.report) == 0 || want.status == 0 {
			t.Errorf("%v: the input was to have bad lines", flags)
		}
	}
}
