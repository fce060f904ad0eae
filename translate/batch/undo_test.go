package batch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
)

// undo undoes what a journal tells of and answers what it said of files.
func undo(t *testing.T, journal string, o UndoOptions) (Undone, string) {
	t.Helper()
	var said []string
	o.Failed = func(path string, err error) { said = append(said, path+": "+err.Error()) }
	u, err := Undo(context.Background(), journal, o)
	if err != nil {
		t.Fatal(err)
	}
	return u, strings.Join(said, "\n")
}

// replacedFiles makes files, replaces them in place and answers the lines of the
// journal: that of the run, all intents, and all that is done.
func replacedFiles(t *testing.T, dir string, names []string, o Options) (begin string, intents, done []string) {
	t.Helper()
	for _, name := range names {
		put(t, filepath.Join(dir, name), flat)
	}
	o.Sources, o.InPlace = []string{dir}, true
	runs(t, o)
	for line := range strings.Lines(get(t, filepath.Join(dir, JournalName))) {
		switch {
		case strings.HasPrefix(line, `{"run"`):
			begin = line
		case strings.Contains(line, `"intent":true`):
			intents = append(intents, line)
		default:
			done = append(done, line)
		}
	}
	if begin == "" || len(intents) != len(names) || len(done) != len(names) {
		t.Fatalf("%q, %q, %q", begin, intents, done)
	}
	return begin, intents, done
}

// TestUndoAfterKill undoes runs of which the journal has intents alone, as a run
// leaves it that is killed: every file comes back, at whatever point that was.
func TestUndoAfterKill(t *testing.T) {
	for point, kill := range map[string]func(t *testing.T, file string){
		"after the replacement": func(*testing.T, string) {},
		"before the backup": func(t *testing.T, file string) {
			if err := os.Rename(file+".old", file); err != nil {
				t.Fatal(err)
			}
			put(t, tempName(file), tree+"\n")
		},
		"between backup and replacement": func(t *testing.T, file string) {
			if err := os.Rename(file, tempName(file)); err != nil {
				t.Fatal(err)
			}
			if err := os.Link(file+".old", file); err != nil {
				t.Skip(err)
			}
		},
		"while the backup was copied": func(t *testing.T, file string) {
			if err := errors.Join(os.Rename(file, tempName(file)), os.Rename(file+".old", tempName(file+".old"))); err != nil {
				t.Fatal(err)
			}
			put(t, file, flat)
		},
		"between copied backup and replacement": func(t *testing.T, file string) {
			if err := os.Rename(file, tempName(file)); err != nil {
				t.Fatal(err)
			}
			put(t, file, flat)
		},
	} {
		for _, resumed := range []bool{false, true} {
			t.Run(point, func(t *testing.T) {
				dir := t.TempDir()
				names := []string{"a.json", "b/c.json", "d.json"}
				begin, intents, done := replacedFiles(t, dir, names, Options{Backup: ".old"})
				journal := filepath.Join(dir, JournalName)
				put(t, journal, begin+strings.Join(intents, "")+done[0]+`{"name":"cu`)
				kill(t, dir+"/d.json")
				if resumed {
					sum := runs(t, Options{Sources: []string{dir}, InPlace: true, Backup: ".old"})
					if sum.Files.Failed != 0 || sum.Before.Files < 2 {
						t.Errorf("%+v, before %+v", sum.Files, sum.Before)
					}
					if n := sum.Codes[diag.RootMadeUp] + sum.Before.Codes[diag.RootMadeUp]; n != 3 {
						t.Errorf("%d of 3 diagnostics are known", n)
					}
				}
				before := contents(t, dir)
				would, _ := undo(t, journal, UndoOptions{DryRun: true})
				sameContents(t, "dry run", contents(t, dir), before)
				u, said := undo(t, journal, UndoOptions{})
				if u != would || u.Failed != 0 || u.Restored < 2 || resumed && u.Restored != 3 {
					t.Errorf("%+v, on a dry run %+v: %s", u, would, said)
				}
				after := contents(t, dir)
				if len(after) != len(names) {
					t.Errorf("%d files are left", len(after))
				}
				for _, name := range names {
					if get(t, filepath.Join(dir, name)) != flat {
						t.Errorf("%s is not put back", name)
					}
				}
				if u, said := undo(t, journal, UndoOptions{}); u != (Undone{}) {
					t.Errorf("again: %+v %s", u, said)
				}
			})
		}
	}
}

// TestUndoWithoutBackup says which backup is missing, and how many files have
// none.
func TestUndoWithoutBackup(t *testing.T) {
	dir := t.TempDir()
	replacedFiles(t, dir, []string{"a.json", "b.json"}, Options{Backup: ".old"})
	os.Remove(dir + "/a.json.old")
	u, said := undo(t, filepath.Join(dir, JournalName), UndoOptions{})
	if u != (Undone{Restored: 1, Failed: 1}) || !strings.Contains(said, "a.json: its backup ") || !strings.Contains(said, `a.json.old" is not there`) {
		t.Errorf("%+v: %s", u, said)
	}
	dir = t.TempDir()
	replacedFiles(t, dir, []string{"a.json", "b.json"}, Options{NoBackup: true})
	for range 2 {
		if u, said := undo(t, filepath.Join(dir, JournalName), UndoOptions{}); u != (Undone{Unbacked: 2}) || said != "" {
			t.Errorf("%+v: %s", u, said)
		}
	}
}

// TestUndoTwoRuns goes back over two runs, on a dry run as well.
func TestUndoTwoRuns(t *testing.T) {
	dir := t.TempDir()
	replacedFiles(t, dir, []string{"a.json"}, Options{Backup: ".1"})
	runs(t, Options{Sources: []string{dir}, InPlace: true, Backup: ".2", Include: []string{"*.json"}, To: translate.V01})
	journal := filepath.Join(dir, JournalName)
	for _, dry := range []bool{true, false} {
		if u, said := undo(t, journal, UndoOptions{DryRun: dry}); u != (Undone{Restored: 2}) {
			t.Errorf("%+v: %s", u, said)
		}
	}
	if get(t, dir+"/a.json") != flat {
		t.Error("it is not put back")
	}
}
