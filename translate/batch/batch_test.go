package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"ctxmigrate/internal/docgen"
	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
)

const flat = `{"protocol":"0.1","instance":"a","items":[],"focus":[]}`
const tree = `{"protocol":"0.2.0","instance":"a","root":{"id":"app","role":"Application"}}`

// put writes a file and the folders that it is in.
func put(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func get(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// run runs a batch that is to get through.
func runs(t testing.TB, o Options) *Summary {
	t.Helper()
	if o.To == translate.Auto {
		o.To = translate.V020
	}
	sum, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if lost := sum.Documents.Lost(); lost != 0 {
		t.Errorf("%d documents are lost: %+v", lost, sum.Documents)
	}
	return sum
}

// contents are the files below a folder, without the journal.
func contents(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == JournalName {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		info, err := d.Info()
		if err == nil {
			all[name] = fmt.Sprint(info.Mode(), info.ModTime().UnixNano(), " ", get(t, path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func sameContents(t testing.TB, what string, got, want map[string]string) {
	t.Helper()
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s: %s is\n%.300q\nnot\n%.300q", what, name, got[name], text)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: there is a file %s", what, name)
		}
	}
}

// ndjson is n generated answers on lines, every tenth of which is broken where
// bad says so.
func ndjson(n int, bad bool) string {
	var b strings.Builder
	for i := range n {
		g := docgen.New(uint64(i), docgen.Options{Odd: i%2 == 1})
		if b.Write(g.Document(docgen.V01)); bad && i%10 == 3 {
			b.WriteString("}")
		}
		b.WriteString([]string{"\n", "\r\n", "\n\n"}[i%3])
	}
	return b.String()
}

func packed(t testing.TB, how packing, parts ...string) string {
	t.Helper()
	var b bytes.Buffer
	for _, part := range parts {
		switch how {
		case gzipped:
			w := gzip.NewWriter(&b)
			w.Write([]byte(part))
			w.Close()
		case zstandard:
			w, err := zstd.NewWriter(&b)
			if err != nil {
				t.Fatal(err)
			}
			w.Write([]byte(part))
			w.Close()
		default:
			b.WriteString(part)
		}
	}
	return b.String()
}

// archive makes a folder of everything: large and small, packed and not, with
// lines that are refused.
func archive(t testing.TB, dir string) {
	large := ndjson(2500, true)
	put(t, dir+"/large.ndjson", large)
	put(t, dir+"/logs/large.ndjson.gz", packed(t, gzipped, large, ndjson(300, false)))
	put(t, dir+"/logs/large.jsonl.zst", packed(t, zstandard, large))
	for i := range 40 {
		put(t, fmt.Sprintf("%s/small/%d/%d.json", dir, i%7, i), string(docgen.New(uint64(i), docgen.Options{}).Document(docgen.V01)))
	}
	put(t, dir+"/several.json", ndjson(50, false))
	put(t, dir+"/bad.json", flat+"\n{\n")
}

// TestAnyNumberOfWorkers holds that targets, refused lines and figures are the
// same whatever the number of workers.
func TestAnyNumberOfWorkers(t *testing.T) {
	src := t.TempDir()
	archive(t, src)
	for _, name := range []string{"/large.ndjson", "/logs/large.ndjson.gz", "/logs/large.jsonl.zst"} {
		if info, err := os.Stat(src + name); err != nil || !(item{path: src + name, size: info.Size()}).large() {
			t.Fatalf("%s is not cut into chunks: %v", name, err)
		}
	}
	var want, rejects map[string]string
	var first *Summary
	for _, jobs := range []int{1, 2, 5} {
		for _, memory := range []int64{0, 1 << 20}[:1+jobs/5] {
			out, bad := t.TempDir(), t.TempDir()
			var refused []Refusal
			sum := runs(t, Options{Sources: []string{src}, Out: out, Rejects: bad, Jobs: jobs, MaxMemory: memory, Verify: jobs == 2, Words: true,
				Refused: func(r Refusal) { refused = append(refused, r) }})
			if want == nil {
				want, rejects, first = contents(t, out), contents(t, bad), sum
				if len(want) != 44 || len(rejects) != 6 || len(refused) < 751 || sum.Files.Failed != 1 || sum.Documents.Left == 0 {
					t.Fatalf("%d targets, %d files of refused lines, %d refusals, %+v", len(want), len(rejects), len(refused), sum)
				}
				continue
			}
			sameContents(t, fmt.Sprint(jobs, " workers"), contents(t, out), want)
			sameContents(t, fmt.Sprint(jobs, " workers"), contents(t, bad), rejects)
			sum.Documents.Verified, sum.Documents.Withheld = first.Documents.Verified, first.Documents.Withheld
			sum.Journal = first.Journal
			if a, b := fmt.Sprintf("%+v", *sum), fmt.Sprintf("%+v", *first); stripPointers(a) != stripPointers(b) {
				t.Errorf("%d workers:\n%s\none:\n%s", jobs, a, b)
			}
		}
	}
	if w := first.Words["note"]; w == nil || first.Roles["Application"] == 0 {
		t.Errorf("words %v, roles %v", first.Words, first.Roles)
	}
}

// stripPointers takes out what is printed of the map of words: addresses.
func stripPointers(s string) string {
	before, after, _ := strings.Cut(s, "Words:")
	_, after, _ = strings.Cut(after, "]")
	return before + after
}

// TestRejects holds that what is rejected and what is written make up the whole
// file, and that a reason names the line.
func TestRejects(t *testing.T) {
	dir := t.TempDir()
	put(t, dir+"/in/a.ndjson", flat+"\n\n{\"protocol\":\"0.1\"\r\n"+flat+"\nnull\n")
	o := Options{Sources: []string{dir + "/in"}, Out: dir + "/out", Rejects: dir + "/bad"}
	for range 2 {
		runs(t, o)
		if got := get(t, dir+"/out/a.ndjson"); got != tree+"\n"+tree+"\n" {
			t.Errorf("written: %q", got)
		}
		if got := get(t, dir+"/bad/a.ndjson"); got != "{\"protocol\":\"0.1\"\r\nnull\n" {
			t.Errorf("rejected: %q", got)
		}
		reasons := strings.Split(get(t, dir+"/bad/a.ndjson"+ReasonsSuffix), "\n")
		if len(reasons) != 3 || !strings.HasPrefix(reasons[0], `{"rejected":1,"record":2,"line":3,"column":18,"offset":74,"code":"syntax"`) ||
			!strings.HasPrefix(reasons[1], `{"rejected":2,"record":4,"line":5,"column":1,`) {
			t.Errorf("reasons: %q", reasons)
		}
		o.Force = true
	}
	// Without a folder for them the file is left as it is.
	o = Options{Sources: []string{dir + "/in"}, InPlace: true, NoBackup: true}
	before := contents(t, dir+"/in")
	if sum := runs(t, o); sum.Files.Failed != 1 || sum.Documents.Left != 4 {
		t.Errorf("%+v", sum)
	}
	sameContents(t, "left", contents(t, dir+"/in"), before)
	// In place refused lines of another time are not written over.
	put(t, dir+"/bad/a.ndjson", "other\n")
	o.Rejects = dir + "/bad"
	if sum := runs(t, o); sum.Files.Failed != 1 {
		t.Errorf("%+v", sum)
	}
	sameContents(t, "left again", contents(t, dir+"/in"), before)
	// A mended source has no refused lines left.
	put(t, dir+"/in/a.ndjson", flat+"\n")
	runs(t, Options{Sources: []string{dir + "/in"}, Out: dir + "/out", Rejects: dir + "/bad"})
	if _, err := os.Stat(dir + "/bad/a.ndjson"); !errors.Is(err, fs.ErrNotExist) {
		t.Error("refused lines of a line that is mended are still there")
	}
}

// TestOddNames takes names literally.
func TestOddNames(t *testing.T) {
	dir := t.TempDir()
	names := []string{"-rf", "--out", "a\nb.json", "\xff\xfe.json", "*", "[x]?.json", "ü \u202e.json", `back\slash`, " ", "x.json.bak.json"}
	for _, n := range names {
		put(t, filepath.Join(dir, "in", "-d\n", n), flat)
	}
	o := Options{Sources: []string{dir + "/in"}, Out: dir + "/out", Verify: true}
	for _, already := range []int{0, len(names)} {
		sum := runs(t, o)
		if sum.Files.Already != already || sum.Files.Converted != len(names)-already {
			t.Errorf("%+v", sum.Files)
		}
		for _, n := range names {
			if got := get(t, filepath.Join(dir, "out", "-d\n", n)); got != tree+"\n" {
				t.Errorf("%q: %q", n, got)
			}
		}
	}
	// The longest name that there can be has room for a temporary file beside it.
	long := strings.Repeat("n", 251) + ".gz"
	put(t, dir+"/in/"+long, flat)
	runs(t, o)
	if get(t, dir+"/out/"+long) != tree+"\n" {
		t.Error("long name")
	}
	sum := runs(t, Options{Sources: []string{dir + "/in"}, InPlace: true, Backup: ".b"})
	if sum.Files.Failed != 1 || sum.Files.Converted != len(names) { // the long one has none for its backup
		t.Errorf("%+v", sum.Files)
	}
	u, err := Undo(context.Background(), dir+"/in/"+JournalName, UndoOptions{Failed: func(path string, err error) { t.Error(path, err) }})
	if err != nil || u.Restored != len(names) {
		t.Errorf("%+v %v", u, err)
	}
	for _, n := range names {
		if get(t, filepath.Join(dir, "in", "-d\n", n)) != flat {
			t.Errorf("%q is not put back", n)
		}
	}
}

// TestTwoRunsAtOnce tells the second run.
func TestTwoRunsAtOnce(t *testing.T) {
	dir := t.TempDir()
	put(t, dir+"/in/a.json", flat)
	o := Options{Sources: []string{dir + "/in"}, Out: dir + "/out", To: translate.V020}
	j, err := o.openJournal()
	if err != nil {
		t.Fatal(err)
	}
	var busy *BusyError
	if _, err := Run(context.Background(), o); !errors.As(err, &busy) {
		t.Errorf("a second run: %v", err)
	}
	shard := o
	shard.Shard, shard.Shards = 1, 2
	if _, err := Run(context.Background(), shard); !errors.As(err, &busy) {
		t.Errorf("a shard beside a run over all: %v", err)
	}
	j.close()
	k, err := shard.openJournal()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), o); !errors.As(err, &busy) {
		t.Errorf("a run over all beside a shard: %v", err)
	}
	if _, err := Run(context.Background(), shard); !errors.As(err, &busy) {
		t.Errorf("a shard twice: %v", err)
	}
	shard.Shard = 2
	if _, err := Run(context.Background(), shard); err != nil {
		t.Errorf("another shard: %v", err)
	}
	k.close()
	if _, err := Run(context.Background(), o); err != nil {
		t.Error(err)
	}
}

// TestShards holds that shards are disjoint and complete, whatever order and
// machine, and that a run over all takes over what they have done.
func TestShards(t *testing.T) {
	src, out, one := t.TempDir(), t.TempDir(), t.TempDir()
	archive(t, src)
	o := Options{Sources: []string{src}, Out: out, Rejects: t.TempDir()}
	runs(t, Options{Sources: []string{src}, Out: one, Rejects: t.TempDir()})
	files, docs := 0, 0
	for _, shard := range []int{3, 1, 2} {
		o.Shard, o.Shards = shard, 3
		sum := runs(t, o)
		if sum.Files.Found < 5 || sum.Files.Already > 0 {
			t.Errorf("shard %d: %+v", shard, sum.Files)
		}
		files += sum.Files.Found
		docs += sum.Documents.Read
	}
	o.Shard, o.Shards = 0, 0
	sum := runs(t, o)
	if files != sum.Files.Found || sum.Files.Already != files-1 || sum.Before.Documents+sum.Before.Rejected+2 < docs-1 {
		t.Errorf("%d files and %d documents in shards, then %+v %+v", files, docs, sum.Files, sum.Before)
	}
	sameContents(t, "shards", contents(t, out), contents(t, one))
	if left, _ := filepath.Glob(out + "/.ctxmigrate-journal.*-of-*"); left != nil {
		t.Errorf("%s is left", left)
	}
	if sum := runs(t, o); sum.Files.Already != files-1 {
		t.Errorf("after merging: %+v", sum.Files)
	}
}

// TestResume holds what a second run does.
func TestResume(t *testing.T) {
	dir := t.TempDir()
	for _, n := range []string{"a", "b", "c", "d"} {
		put(t, dir+"/in/"+n, flat)
	}
	o := Options{Sources: []string{dir + "/in"}, Out: dir + "/out"}
	runs(t, o)
	put(t, dir+"/in/b", strings.Replace(flat, `"a"`, `"b"`, 1)) // changed at the source: done again
	os.Remove(dir + "/out/c")                                   // gone: done again
	put(t, dir+"/out/d", "mine")                                // changed in the output: not ours to replace
	sum := runs(t, o)
	if sum.Files.Already != 1 || sum.Files.Converted != 2 || sum.Files.Failed != 1 || get(t, dir+"/out/d") != "mine" ||
		get(t, dir+"/out/b") != strings.Replace(tree, `"a"`, `"b"`, 1)+"\n" || get(t, dir+"/out/c") != tree+"\n" {
		t.Errorf("%+v", sum.Files)
	}
	o.Overwrite = true
	if sum := runs(t, o); sum.Files.Converted != 1 || get(t, dir+"/out/d") != tree+"\n" {
		t.Errorf("overwrite: %+v", sum.Files)
	}
	o.Overwrite = false
	o.Verify = true // what was not proven is not done
	if sum := runs(t, o); sum.Documents.Verified != 4 || sum.Files.Already != 4 {
		t.Errorf("verify: %+v %+v", sum.Files, sum.Documents)
	}
	if sum := runs(t, o); sum.Before.Verified != 4 {
		t.Errorf("verified: %+v", sum.Before)
	}
	o.Convert.AppTitle = "other options" // are another key; the targets are ours to replace
	if sum := runs(t, o); sum.Files.Converted != 4 {
		t.Errorf("other options: %+v", sum.Files)
	}
	o.Force = true
	if sum := runs(t, o); sum.Documents.Written != 4 {
		t.Errorf("force: %+v", sum.Files)
	}
	// A line that was cut, and one that is none, are as if they were not there.
	text := get(t, dir+"/out/"+JournalName)
	lines := strings.SplitAfter(text, "\n")
	lines = slices.Delete(lines, len(lines)-3, len(lines))
	put(t, dir+"/out/"+JournalName, strings.Join(lines, "")+"{\"name\":\"a\",\"ke")
	o.Force = false
	if sum := runs(t, o); sum.Files.Already != 4 || sum.Files.Failed != 0 {
		t.Errorf("after a cut: %+v", sum.Files)
	}
	if text := get(t, dir+"/out/"+JournalName); strings.Contains(text, "\"ke{") || !strings.HasSuffix(text, "\n") {
		t.Errorf("the journal is %q", text)
	}
}

// TestChangedWhileRead leaves files alone that are no longer what was read.
func TestChangedWhileRead(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"gone":  os.Remove,
		"grown": func(p string) error { return os.WriteFile(p, []byte(flat+flat), 0o666) },
		"other": func(p string) error {
			os.WriteFile(p+"2", []byte(flat), 0o666)
			return os.Rename(p+"2", p)
		},
	} {
		for _, inPlace := range []bool{false, true} {
			t.Run(fmt.Sprint(name, inPlace), func(t *testing.T) {
				dir := t.TempDir()
				put(t, dir+"/in/a", flat)
				o := Options{Sources: []string{dir + "/in"}, Out: dir + "/out", To: translate.V020}
				if inPlace {
					o.Out, o.InPlace, o.Backup = "", true, ".b"
				}
				items, err := o.plan()
				if err != nil {
					t.Fatal(err)
				}
				f := &work{o: &o, ctx: context.Background(), it: items[0]}
				if err := f.open(); err != nil {
					t.Fatal(err)
				}
				w := o.newWorker()
				w.documents(f)
				f.records = w.in.Records()
				if err := change(dir + "/in/a"); err != nil {
					t.Fatal(err)
				}
				want := contents(t, dir)
				f.finish(&w.packs)
				if f.err == nil || !strings.Contains(f.err.Error(), "while it was read") {
					t.Errorf("error %v", f.err)
				}
				got := contents(t, dir)
				for n := range want {
					if strings.HasSuffix(n, ".tmp") {
						delete(want, n)
					}
				}
				sameContents(t, "after", got, want)
			})
		}
	}
}

// TestNotProven leaves a file as it is whose result is not proven.
func TestNotProven(t *testing.T) {
	var p prover
	opts := &translate.Options{}
	src := []byte(`{"protocol":"0.1","instance":"n","items":[{"id":"a","type":"note","title":"T","locatable":true},{"id":"b","type":"pane"}],"focus":["a"]}`)
	var c translate.Converter
	good, err := c.Append(nil, src, translate.V020, opts)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.prove(src, good, translate.V01, translate.V020, opts, c.Counts()); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{
		`"T"`: `"U"`, `"id":"a"`: `"id":"c"`, `,"focused":true`: ``, `"Window"`: `"Group"`, `"id":"b"`: `"id":"a"`,
		`{"id":"b","role":"Window","subrole":"pane"}`: ``, `"instance":"n"`: `"instance":"m"`, `}]}}`: `}]}`, `"0.2.0"`: `"0.1"`,
	} {
		bad := bytes.Replace(good, []byte(from), []byte(to), 1)
		if bytes.Equal(bad, good) {
			t.Fatalf("%s is not in %s", from, good)
		}
		if proof, err := p.prove(src, bad, translate.V01, translate.V020, opts, c.Counts()); err == nil {
			t.Errorf("%s is proven (%d) of\n%s", bad, proof, src)
		} else if said := notProven(err).Error(); strings.Contains(said, "T\"") {
			t.Errorf("content in %q", said)
		}
	}
	// What is read back must be what was written.
	dir := t.TempDir()
	temp, err := newTemp(dir+"/x", unpacked, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	defer temp.drop()
	temp.Write([]byte("one\ntwo\n"))
	if err := temp.readBack(2); err != nil {
		t.Error(err)
	}
	if err := temp.readBack(3); err == nil {
		t.Error("two documents are three")
	}
	temp.file.WriteAt([]byte("O"), 0)
	if err := temp.readBack(2); err == nil {
		t.Error("another byte is not seen")
	}
}

// TestFaultyTarget holds what becomes of a file whose proof fails: nothing is
// written, and it is told.
func TestFaultyTarget(t *testing.T) {
	dir := t.TempDir()
	put(t, dir+"/in/a.ndjson", flat+"\n")
	var told []Refusal
	o := Options{Sources: []string{dir + "/in"}, InPlace: true, NoBackup: true, Verify: true, Refused: func(r Refusal) { told = append(told, r) }}
	o.NewRecord = func() Record { return liar{} }
	sum := runs(t, o)
	if sum.Files.Failed != 1 || len(told) != 1 || told[0].Code != diag.NotProven || get(t, dir+"/in/a.ndjson") != flat+"\n" {
		t.Errorf("%+v %+v", sum.Files, told)
	}
}

// liar is a record that does not hold what it was given.
type liar struct{}

func (liar) Find(data []byte, _ bool) ([]byte, error)      { return bytes.TrimSpace(data), nil }
func (liar) Put(dst, answer []byte, newline string) []byte { return append(dst, flat+"\n"...) }
func (liar) Lift(f Finding) Finding                        { return f }

// TestOptionsThatCannotBe is about options that fit no document: the run does not begin.
func TestOptionsThatCannotBe(t *testing.T) {
	dir := t.TempDir()
	put(t, dir+"/in/a.json", `{"protocol":"0.1","instance":"a","items":[],"focus":[]}`)
	for _, o := range []Options{
		{},
		{To: translate.Askable, Convert: translate.Options{Consent: "maybe"}},
		{To: translate.Askable, Convert: translate.Options{Timestamp: "yesterday"}},
	} {
		o.Sources, o.Out = []string{dir + "/in"}, dir+"/out"
		var fault *UsageError
		if _, err := Run(context.Background(), o); !errors.As(err, &fault) {
			t.Errorf("%+v: %v", o, err)
		}
		if _, err := os.Stat(o.Out); err == nil {
			t.Errorf("%+v: the run began", o)
		}
	}
}
