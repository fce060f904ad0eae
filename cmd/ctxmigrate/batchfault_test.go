//go:build unix

package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"ctxmigrate/internal/docgen"
)

// The tests of this file do harm to runs of batch and look at what is left. With
// -faults 100 and more they take minutes and some GB of disk; without it they are
// small.
var faultsN = flag.Int("faults", 3, "how many runs of each kind are killed; from 100 on the large archives are made, too")

func large() bool { return *faultsN >= 100 }

// program is a command line of this program, in a process of its own.
func program(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Args = append([]string{"ctxmigrate"}, args...) // by which name TestMain knows that it is one
	cmd.Env = append(os.Environ(), "NO_COLOR=1")
	return cmd
}

// ends runs a command line that is to end with a status, and answers what it said.
func ends(t testing.TB, status int, args ...string) string {
	t.Helper()
	out, err := program(t, args...).CombinedOutput()
	var exit *exec.ExitError
	got := 0
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	if got != status {
		t.Fatalf("ctxmigrate %q ended with %d, not %d\n%s", args, got, status, out)
	}
	return string(out)
}

func write(t testing.TB, path string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	when := time.Unix(1600000000, 0) // so that targets are the same in every run
	if err := os.Chtimes(path, when, when); err != nil {
		t.Fatal(err)
	}
}

// answers are n documents on lines, every fiftieth of them broken.
func answers(n int, broken bool) []byte {
	var b bytes.Buffer
	for i := range n {
		b.Write(docgen.New(uint64(i), docgen.Options{}).Document(docgen.V01))
		if broken && i%50 == 7 {
			b.WriteByte('}')
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// small is an archive that a run takes some tenths of a second for.
func small(t testing.TB, dir string) {
	lines := answers(1500, true)
	write(t, dir+"/log.ndjson", lines)
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(lines[:len(lines)/2])
	z.Close()
	write(t, dir+"/log.ndjson.gz", b.Bytes())
	for i := range 60 {
		write(t, fmt.Sprintf("%s/%d/%d.json", dir, i%5, i), answers(i%9+1, false))
	}
	write(t, dir+"/bad.json", []byte("{"))
}

// files are the files below a folder with their modes and times, without journals.
func files(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), ".ctxmigrate-journal") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil // renamed meanwhile
		}
		info, err := d.Info()
		if err != nil {
			return nil
		}
		name, _ := filepath.Rel(dir, path)
		all[name] = fmt.Sprintln(info.Mode(), info.ModTime().UnixNano()) + string(text)
		return nil
	})
	return all
}

func equalFiles(t testing.TB, what string, got, want map[string]string) {
	t.Helper()
	for name, text := range want {
		if got[name] != text {
			t.Fatalf("%s: %s is %.200q, not %.200q", what, name, got[name], text)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Fatalf("%s: there is a file %s", what, name)
		}
	}
}

// TestBatchKilled kills runs at random moments and lets the next one go on: at
// every moment each file is old or new, and the end is that of a run that nothing
// disturbed.
func TestBatchKilled(t *testing.T) {
	for _, inPlace := range []bool{false, true} {
		t.Run(fmt.Sprintf("in place %v", inPlace), func(t *testing.T) {
			dir := t.TempDir()
			small(t, dir+"/src")
			old := files(t, dir+"/src")
			command := func(k string) []string {
				args := []string{"batch", "--quiet", "--to", "0.2.0", "--verify", "--rejects", dir + "/bad" + k}
				if inPlace {
					if err := os.CopyFS(dir+"/out"+k, os.DirFS(dir+"/src")); err != nil {
						t.Fatal(err)
					}
					for name := range old { // CopyFS keeps no times
						when := time.Unix(1600000000, 0)
						os.Chtimes(filepath.Join(dir, "out"+k, name), when, when)
					}
					return append(args, "--in-place", "--backup", ".old", dir+"/out"+k)
				}
				return append(args, "--out", dir+"/out"+k, dir+"/src")
			}
			args := command("")
			began := time.Now()
			ends(t, 1, args...)
			whole := time.Since(began)
			want, rejects := files(t, dir+"/out"), files(t, dir+"/bad")
			if len(want) < 60 || len(rejects) != 4 {
				t.Fatalf("%d targets, %d files of refused lines", len(want), len(rejects))
			}
			kills, archives := 0, 0
			for ; kills < *faultsN && archives < 20**faultsN; archives++ {
				at := fmt.Sprint(archives)
				args := command(at)
				for {
					cmd := program(t, args...)
					if err := cmd.Start(); err != nil {
						t.Fatal(err)
					}
					timer := time.AfterFunc(rand.N(whole), func() { cmd.Process.Kill() })
					err := cmd.Wait()
					timer.Stop()
					for name, text := range files(t, dir+"/out"+at) {
						if strings.HasSuffix(name, ".tmp") {
							continue
						}
						if text != want[name] && !(inPlace && text == old[name]) {
							t.Fatalf("after a kill %s is neither old nor new: %.200q", name, text)
						}
					}
					if status := cmd.ProcessState.ExitCode(); status == 1 {
						break // it got through
					} else if status != -1 {
						t.Fatalf("status %d: %v", status, err)
					}
					kills++
					if info, err := os.Stat(dir + "/out" + at + "/.ctxmigrate-journal.jsonl"); err == nil && info.Size() > 0 && inPlace && rand.N(3) == 0 { // instead of going on, back
						if said := ends(t, 0, "batch", "undo", dir+"/out"+at+"/.ctxmigrate-journal.jsonl"); !strings.Contains(said, ", 0 left") {
							t.Fatal(said)
						}
						equalFiles(t, "put back after a kill", files(t, dir+"/out"+at), old)
					}
					if rand.N(3) == 0 {
						ends(t, 1, args...)
						break
					}
				}
				equalFiles(t, "after kills", files(t, dir+"/out"+at), want)
				equalFiles(t, "refused lines after kills", files(t, dir+"/bad"+at), rejects)
				if inPlace {
					if said := ends(t, 0, "batch", "undo", dir+"/out"+at+"/.ctxmigrate-journal.jsonl"); !strings.Contains(said, ", 0 left") {
						t.Fatal(said)
					}
					equalFiles(t, "put back", files(t, dir+"/out"+at), old)
				}
				os.RemoveAll(dir + "/out" + at)
				os.RemoveAll(dir + "/bad" + at)
			}
			t.Logf("killed %d times in %d archives", kills, archives)
			if kills < *faultsN {
				t.Error("runs were not killed as often as was wanted")
			}
		})
	}
}

// TestBatchInterrupted interrupts runs: what is in hand is finished or given up,
// no temporary file is left, and the next run goes on.
func TestBatchInterrupted(t *testing.T) {
	dir := t.TempDir()
	small(t, dir+"/src")
	args := func(k string) []string {
		return []string{"batch", "--to", "0.2.0", "--rejects", dir + "/bad" + k, "--out", dir + "/out" + k, dir + "/src"}
	}
	began := time.Now()
	ends(t, 1, args("")...)
	whole := time.Since(began)
	want := files(t, dir+"/out")
	hit := 0
	for k := 0; k < max(3, *faultsN/5) || hit == 0 && k < 40; k++ { // some are through before they are hit
		at := fmt.Sprint(k)
		cmd := program(t, args(at)...)
		var said bytes.Buffer
		cmd.Stderr = &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for range 1000 { // it listens before it makes its journal
			if _, err := os.Stat(dir + "/out" + at + "/.ctxmigrate-journal.jsonl"); err == nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(rand.N(whole / 4))
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
		switch status := cmd.ProcessState.ExitCode(); status {
		case statusInterrupted:
			hit++
			if !strings.Contains(said.String(), "the same command goes on") {
				t.Errorf("it said %s", said.String())
			}
		case 1, -1: // it was through, or had not begun to listen
		default:
			t.Fatalf("status %d: %s", status, said.String())
		}
		for name := range files(t, dir+"/out"+at) {
			if strings.Contains(name, ".tmp") {
				t.Errorf("%s is left", name)
			}
		}
		ends(t, 1, args(at)...)
		equalFiles(t, "after an interrupt", files(t, dir+"/out"+at), want)
	}
	if hit == 0 {
		t.Error("no run was interrupted")
	}
}

// TestBatchFullDisk fills the disk: the run ends and says so, every file that is
// there is whole, and with more room the next run goes on.
func TestBatchFullDisk(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("mounting a small disk takes root")
	}
	disk := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=250k", "none", disk).CombinedOutput(); err != nil {
		t.Skipf("a small disk cannot be mounted: %s", out)
	}
	defer exec.Command("umount", "-l", disk).Run()
	dir := t.TempDir()
	small(t, dir+"/src")
	args := func(out string) []string {
		return []string{"batch", "--to", "0.2.0", "--rejects", dir + "/bad", "--out", out, dir + "/src"}
	}
	ends(t, 1, args(dir+"/out")...)
	want := files(t, dir+"/out")
	said := ends(t, 1, args(disk+"/out")...)
	if !strings.Contains(said, "no space left on device") {
		t.Errorf("it said %s", said)
	}
	there := files(t, disk+"/out")
	for name, text := range there {
		if text != want[name] {
			t.Errorf("%s is not whole", name)
		}
	}
	t.Logf("%d of %d files fitted", len(there), len(want))
	if out, err := exec.Command("mount", "-o", "remount,size=60m", disk).CombinedOutput(); err != nil {
		t.Fatalf("%s", out)
	}
	ends(t, 1, args(disk+"/out")...)
	equalFiles(t, "with more room", files(t, disk+"/out"), want)
}

// TestBatchForbidden runs in folders that may not be written to.
func TestBatchForbidden(t *testing.T) {
	dir := t.TempDir()
	write(t, dir+"/src/no/a.json", answers(1, false))
	write(t, dir+"/src/yes/b.json", answers(1, false))
	for path, mode := range map[string]fs.FileMode{filepath.Dir(dir): 0o755, dir: 0o777, dir + "/src": 0o777, dir + "/src/yes": 0o777, dir + "/src/no": 0o555} {
		os.Chmod(path, mode)
	}
	before := files(t, dir+"/src/no")
	cmd := program(t, "batch", "--to", "0.2.0", "--in-place", "--no-backup", dir+"/src")
	if os.Getuid() == 0 { // for whom nothing is forbidden
		self, err := os.ReadFile(cmd.Path)
		if err != nil {
			t.Fatal(err)
		}
		cmd.Path = dir + "/ctxmigrate"
		if err := os.WriteFile(cmd.Path, self, 0o755); err != nil {
			t.Fatal(err)
		}
		os.Chown(dir+"/src/yes/b.json", 65534, 65534)
		os.Chown(dir+"/src/no/a.json", 65534, 65534)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	said, _ := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(string(said), "permission denied") || !strings.Contains(string(said), "1 of 2 files converted") {
		t.Errorf("status %d: %s", cmd.ProcessState.ExitCode(), said)
	}
	equalFiles(t, "forbidden", files(t, dir+"/src/no"), before)
}

// TestBatchManyFiles has many files in one folder.
func TestBatchManyFiles(t *testing.T) {
	n := 1000
	if large() {
		n = 100_000
	}
	dir := t.TempDir()
	for i := range n {
		path := fmt.Sprintf("%s/src/%d.json", dir, i)
		if i == 0 {
			write(t, path, answers(1, false))
		} else if err := os.WriteFile(path, answers(1, false), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want := fmt.Sprintf("%d of %d files converted, 0 already done, 0 left as they are; %d documents, %d verified, 0 lost", n, n, n, n)
	if said := ends(t, 0, "batch", "--to", "0.2.0", "--verify", "--out", dir+"/out", dir+"/src"); !strings.Contains(said, want) {
		t.Error(said)
	}
	if said := ends(t, 0, "batch", "--to", "0.2.0", "--verify", "--out", dir+"/out", dir+"/src"); !strings.Contains(said, fmt.Sprintf("%d already done", n)) {
		t.Error(said)
	}
}

// TestBatchMemory holds that memory does not grow with the input, on lines and
// packed; with -faults 100 up to 2 GB.
func TestBatchMemory(t *testing.T) {
	lines := answers(3000, false)
	sizes := []int64{6 << 20, 60 << 20}
	if large() {
		sizes = []int64{200 << 20, 2 << 30}
	}
	var took [2]int64
	for i, size := range sizes {
		dir := t.TempDir()
		f, err := os.Create(dir + "/log.ndjson")
		if err != nil {
			t.Fatal(err)
		}
		docs := 0
		for n := int64(0); n < size; n += int64(len(lines)) {
			f.Write(lines)
			docs += 3000
		}
		f.Close()
		cmd := program(t, "batch", "--to", "0.2.0", "--jobs", "2", "--max-memory", "64M", "--out", dir+"/out", dir+"/log.ndjson")
		said, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(said), fmt.Sprintf("%d documents, 0 lost", docs)) {
			t.Fatalf("%v: %s", err, said)
		}
		usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		if !ok {
			t.Skip("how much memory a process took is not known here")
		}
		took[i] = usage.Maxrss
		t.Logf("%d MB of text: %d MB of memory", size>>20, usage.Maxrss>>10)
		os.RemoveAll(dir)
	}
	if took[1] > took[0]*3/2+32<<10 {
		t.Errorf("memory grew from %d to %d kB", took[0], took[1])
	}
}
