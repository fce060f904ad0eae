package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ctxmigrate/internal/docgen"
	"ctxmigrate/translate"
)

// built is the command, built as it is installed.
func built(b *testing.B) string {
	b.Helper()
	bin := filepath.Join(b.TempDir(), "ctxmigrate")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	return bin
}

// corpus writes a file of about size bytes: different answers, a line each, or one
// large answer.
func corpus(b *testing.B, name string, size int, make func(i int) [][]byte) string {
	b.Helper()
	file := filepath.Join(b.TempDir(), name)
	f, err := os.Create(file)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	for n, i := 0, 0; n < size; i++ {
		for _, doc := range make(i) {
			k, err := f.Write(append(doc, '\n'))
			if err != nil {
				b.Fatal(err)
			}
			n += k
		}
	}
	return file
}

// timed runs the command on a file and reports, of the whole process, the megabytes
// a second of CPU time, and the peak of its memory, also as a multiple of the file.
func timed(b *testing.B, file string, pipe bool, bin string, args ...string) {
	b.Helper()
	info, err := os.Stat(file)
	if err != nil {
		b.Fatal(err)
	}
	var cpu time.Duration
	var peak int64
	b.SetBytes(info.Size())
	for b.Loop() {
		in, err := os.Open(file)
		if err != nil {
			b.Fatal(err)
		}
		cmd := exec.Command(bin, args...)
		var said bytes.Buffer
		cmd.Stdin, cmd.Stderr = in, &said
		if pipe {
			cmd.Stdin = struct{ io.Reader }{in} // which is no file any more
		}
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		done := make(chan struct{})
		watched := make(chan int64)
		go func() { watched <- watchPeak(cmd.Process.Pid, done) }()
		err = cmd.Wait()
		close(done)
		peak = max(peak, <-watched)
		in.Close()
		if err != nil {
			b.Fatalf("%v\n%s", err, said.Bytes())
		}
		cpu += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	b.ReportMetric(float64(info.Size())*float64(b.N)/1e6/cpu.Seconds(), "MB/cpu-s")
	b.ReportMetric(float64(peak)/1e6, "peak-MB")
	b.ReportMetric(float64(peak)/float64(info.Size()), "peak/size")
}

// watchPeak looks at the peak of a process's memory again and again, until it is done.
// What the system says of a process that has ended counts this one's memory too,
// out of which it was made. It answers 0 where the system has no /proc.
func watchPeak(pid int, done <-chan struct{}) (peak int64) {
	for {
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if _, rest, ok := strings.Cut(string(status), "VmHWM:"); ok {
			var kb int64
			fmt.Sscan(rest, &kb)
			peak = max(peak, kb<<10)
		}
		select {
		case <-done:
			return peak
		case <-time.After(time.Millisecond):
		}
	}
}

// BenchmarkStream is the command over streams of answers. With two jobs on a machine
// that has nothing else to do MB/s is to be 1.5 times that of one; the peak is to be
// at most 16 MB, on content 64 MB, and the same over ten times the stream.
func BenchmarkStream(b *testing.B) {
	bin := built(b)
	answers := func(i int) [][]byte { return docgen.Answers(uint64(i), 1000) }
	content := func(i int) [][]byte {
		doc := docgen.Sized(docgen.V01, 450<<10, docgen.Content)
		return [][]byte{bytes.Replace(doc, []byte("planning"), fmt.Append(nil, i), 1)}
	}
	for _, c := range []struct {
		name string
		file string
	}{
		{"small", corpus(b, "small.ndjson", 30<<20, answers)},
		{"small-10x", corpus(b, "small10.ndjson", 300<<20, answers)},
		{"content", corpus(b, "content.ndjson", 60<<20, content)},
	} {
		for _, jobs := range []string{"1", "2"} {
			b.Run(c.name+"/jobs="+jobs, func(b *testing.B) {
				timed(b, c.file, false, bin, "convert", "--to", "0.2.0", "--quiet", "--ndjson", "--jobs", jobs)
			})
		}
	}
}

// BenchmarkLarge is the command over one answer of a hundred megabytes, of items of a
// few hundred bytes: the peak is to be at most 1.7 times its size from a file, 2.5
// times from a pipe.
func BenchmarkLarge(b *testing.B) {
	bin := built(b)
	const size = 100e6
	flat := corpus(b, "flat.json", 1, func(int) [][]byte { return [][]byte{docgen.Sized(docgen.V01, size, docgen.Unicode)} })
	tree := corpus(b, "tree.json", 1, func(int) [][]byte { return [][]byte{docgen.Sized(docgen.V020, size, docgen.Unicode)} })
	for _, c := range []struct{ name, file, to string }{{"0.1-0.2.0", flat, "0.2.0"}, {"0.2.0-0.1", tree, "0.1"}} {
		for _, pipe := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/pipe=%v", c.name, pipe), func(b *testing.B) {
				timed(b, c.file, pipe, bin, "convert", "--to", c.to, "--quiet")
			})
		}
	}
}

// BenchmarkDeep is the command over a chain of a hundred thousand and of a million
// elements, each in the one before: MB/cpu-s is to be the same.
func BenchmarkDeep(b *testing.B) {
	bin := built(b)
	for _, n := range []int{100_000, 1_000_000} {
		for _, form := range []docgen.Form{docgen.V01, docgen.V020} {
			to := translate.V020
			if form == docgen.V020 {
				to = translate.V01
			}
			file := corpus(b, "deep.json", 1, func(int) [][]byte { return [][]byte{docgen.Chain(form, n)} })
			b.Run(fmt.Sprintf("%s-%s/n=%d", form, to, n), func(b *testing.B) {
				timed(b, file, false, bin, "convert", "--to", to.String(), "--quiet", "--max-depth", "3000000")
			})
		}
	}
}

// BenchmarkStart is the command on one small answer, beside a program that does
// nothing: it is to take at most twice as long, and a millisecond.
func BenchmarkStart(b *testing.B) {
	bin := built(b)
	file := corpus(b, "one.json", 1, func(int) [][]byte { return docgen.Answers(1, 1) })
	for _, c := range []struct {
		name string
		args []string
	}{{"ctxmigrate", []string{bin, "convert", "--to", "0.2.0", "--quiet", file}}, {"cat", []string{"cat", file}}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if err := exec.Command(c.args[0], c.args[1:]...).Run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
