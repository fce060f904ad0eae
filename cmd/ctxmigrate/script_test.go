package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"ctxmigrate": main})
}

// TestScripts runs the scripts of testdata. Beside the commands of testscript
// there are
//
//	status N COMMAND…   run the command, which is to end with that status
//	bytes FILE TEXT…    make a file of Go strings without quotes, joined by spaces
//	gz FILE PART…       a gzip file with each part as a member
//	zst FILE PART…      a zstd file with each part as a frame
//	cut FILE N          take the last N bytes off a file
//	long FILE N         a 0.1 answer on one line with a title of N bytes
//	many FILE N PART    a file with a part N times over
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "root":
				return os.Getuid() == 0, nil
			}
			return false, errors.New("unknown condition " + cond)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"status": status,
			"bytes": func(ts *testscript.TestScript, _ bool, args []string) {
				text, err := strconv.Unquote(`"` + strings.ReplaceAll(strings.Join(args[1:], " "), `"`, `\"`) + `"`)
				ts.Check(err)
				ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
			},
			"gz": func(ts *testscript.TestScript, _ bool, args []string) {
				pack(ts, args, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) })
			},
			"zst": func(ts *testscript.TestScript, _ bool, args []string) {
				pack(ts, args, func(w io.Writer) io.WriteCloser {
					z, err := zstd.NewWriter(w)
					ts.Check(err)
					return z
				})
			},
			"cut": func(ts *testscript.TestScript, _ bool, args []string) {
				n, err := strconv.Atoi(args[1])
				ts.Check(err)
				info, err := os.Stat(ts.MkAbs(args[0]))
				ts.Check(err)
				ts.Check(os.Truncate(ts.MkAbs(args[0]), info.Size()-int64(n)))
			},
			"long": func(ts *testscript.TestScript, _ bool, args []string) {
				n, err := strconv.Atoi(args[1])
				ts.Check(err)
				text := `{"protocol":"0.1","instance":"n","items":[{"id":"a","type":"note","title":"` + strings.Repeat("x", n) + "\"}],\"focus\":[]}\n"
				ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
			},
			"many": func(ts *testscript.TestScript, _ bool, args []string) {
				n, err := strconv.Atoi(args[1])
				ts.Check(err)
				ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Repeat(ts.ReadFile(args[2]), n)), 0o666))
			},
		},
	})
}

// status runs a command that is to end with a status.
func status(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if neg || got != want {
		ts.Fatalf("status %d, not %d", got, want)
	}
}

func pack(ts *testscript.TestScript, args []string, packer func(io.Writer) io.WriteCloser) {
	var b bytes.Buffer
	for _, part := range args[1:] {
		w := packer(&b)
		_, err := io.WriteString(w, ts.ReadFile(part))
		ts.Check(err)
		ts.Check(w.Close())
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b.Bytes(), 0o666))
}
