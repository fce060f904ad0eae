//go:build unix

package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"ctxmigrate/internal/docgen"
)

var (
	ratios     = flag.Bool("ratios", false, "measure batch against convert, cp and gzip; takes some minutes")
	ratiosText = flag.String("ratios-text", "", "NDJSON to measure with, in place of generated answers")
)

// cost is what a command took.
type cost struct{ wall, cpu time.Duration }

// measure runs commands in turn, some rounds of them, and answers the medians.
// Before each run what it writes is taken away, and the disk is calm.
func measure(t *testing.T, rounds int, out string, commands ...*exec.Cmd) (medians []cost) {
	t.Helper()
	all := make([][]cost, len(commands))
	for range rounds {
		for k, c := range commands {
			os.RemoveAll(out)
			os.Mkdir(out, 0o777)
			exec.Command("sync", "-f", filepath.Dir(out)).Run()
			run := exec.Command(c.Path)
			run.Args, run.Env = c.Args, c.Env
			began := time.Now()
			if said, err := run.CombinedOutput(); err != nil {
				t.Fatalf("%q: %v\n%s", c.Args, err, said)
			}
			all[k] = append(all[k], cost{time.Since(began), run.ProcessState.UserTime() + run.ProcessState.SystemTime()})
		}
	}
	for k := range commands {
		slices.SortFunc(all[k], func(a, b cost) int { return int(a.wall - b.wall) })
		wall := all[k][rounds/2].wall
		slices.SortFunc(all[k], func(a, b cost) int { return int(a.cpu - b.cpu) })
		medians = append(medians, cost{wall, all[k][rounds/2].cpu})
		t.Logf("%7.3f s, %7.3f s of processors: %.100q", wall.Seconds(), medians[k].cpu.Seconds(), commands[k].Args[1:])
	}
	return medians
}

func (c cost) over(o cost) string {
	return fmt.Sprintf("%.2f times the time, %.2f times the work", float64(c.wall)/float64(o.wall), float64(c.cpu)/float64(o.cpu))
}

// TestBatchRatios measures, and says ratios: it holds no bounds, since machines
// are shared.
func TestBatchRatios(t *testing.T) {
	if !*ratios {
		t.Skip("measures for some minutes; -ratios does")
	}
	dir := t.TempDir()
	out := dir + "/out"
	text := ratioText(t)
	write(t, dir+"/a.ndjson", text)
	batch := func(args ...string) *exec.Cmd {
		return program(t, append([]string{"batch", "--quiet", "--to", "0.2.0", "--out", out}, args...)...)
	}
	m := measure(t, 5, out, program(t, "convert", "--quiet", "--to", "0.2.0", "-o", out+"/a.ndjson", dir+"/a.ndjson"),
		batch("-j", "1", dir+"/a.ndjson"), batch("-j", "1", "--verify", dir+"/a.ndjson"),
		batch("-j", "2", dir+"/a.ndjson"), batch("-j", "2", "--verify", dir+"/a.ndjson"))
	t.Logf("%d MB of NDJSON, one worker: %s of convert", len(text)>>20, m[1].over(m[0]))
	t.Logf("with proof: %s of convert", m[2].over(m[0]))
	t.Logf("one worker takes %s of two; with proof %s", m[1].over(m[3]), m[2].over(m[4]))

	pack := exec.Command("sh", "-c", "gzip -6 <"+dir+"/a.ndjson >"+dir+"/a.ndjson.gz")
	if said, err := pack.CombinedOutput(); err != nil {
		t.Fatalf("%s", said)
	}
	m = measure(t, 3, out, exec.Command("sh", "-c", "zcat "+dir+"/a.ndjson.gz | cat | gzip -6 >"+out+"/a.gz"),
		batch("-j", "1", dir+"/a.ndjson.gz"), batch("-j", "2", dir+"/a.ndjson.gz"))
	t.Logf("gzip in and out, one worker: %s of zcat | cat | gzip -6", m[1].over(m[0]))
	t.Logf("two workers: %s", m[2].over(m[0]))

	lines := bytes.SplitAfter(text[:min(len(text), 64<<20)], []byte("\n"))
	for i := range 100_000 {
		if path := fmt.Sprintf("%s/small/%d/%d.json", dir, i%100, i); i < 100 {
			write(t, path, lines[i%len(lines)])
		} else if err := os.WriteFile(path, lines[i%(len(lines)-1)], 0o666); err != nil {
			t.Fatal(err)
		}
	}
	m = measure(t, 3, out, exec.Command("cp", "-r", dir+"/small", out), exec.Command("sh", "-c", "cp -r "+dir+"/small "+out+" && sync -f "+out),
		batch(dir+"/small"), batch("--verify", dir+"/small"))
	t.Logf("100000 files: %s of cp -r, %s of cp -r and sync; with proof %s of cp -r", m[2].over(m[0]), m[2].over(m[1]), m[3].over(m[0]))
}

func ratioText(t *testing.T) []byte {
	if *ratiosText != "" {
		text, err := os.ReadFile(*ratiosText)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	var b bytes.Buffer
	for i := 0; b.Len() < 200<<20; i++ {
		b.Write(docgen.Sized(docgen.V01, 500+i*37%4500, []docgen.Flavour{docgen.Plain, docgen.Unicode}[i%2]))
		b.WriteByte('\n')
	}
	return b.Bytes()
}
