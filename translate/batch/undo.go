package batch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// UndoOptions say how Undo goes about it.
type UndoOptions struct {
	Force  bool                         // files that were changed since are put back, too
	DryRun bool                         // say the same, and change nothing
	Failed func(path string, err error) // called with each file that is left as it is, and why; may be nil
}

// Undone is what Undo did, or on a dry run would do.
type Undone struct {
	Restored int // files whose backup was put back
	Before   int // files that were put back before
	Failed   int // files that were left as they are
	Unbacked int // files that were replaced without a backup, which nothing can put back
}

// Undo puts back the backups of all runs in place that a journal tells of, the
// last run first, also of a run that was killed. A file that was changed since is
// left as it is, unless Force says otherwise, and so is one whose backup is gone.
// Temporary files that a killed run left beside files of the journal, or below its
// folder, go. The error is that of the journal itself.
func Undo(ctx context.Context, path string, o UndoOptions) (Undone, error) {
	if err := plainFile(path); err != nil {
		return Undone{}, err
	}
	steps, err := replaced(path)
	if err != nil {
		return Undone{}, err
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(path)) // names may lead out of it
	if err != nil {
		return Undone{}, err
	}
	u := undoing{o: o, dir: dir, unbacked: map[string]bool{}, hashes: map[string]string{}, gone: map[string]bool{},
		j: &journal{path: path}}
	if !o.DryRun {
		if err := u.j.lock(filepath.Join(filepath.Dir(path), JournalName), false); err != nil {
			return u.sum, err
		}
		if err := u.j.open(); err != nil {
			u.j.close()
			return u.sum, err
		}
	}
	for k := len(steps) - 1; k >= 0 && ctx.Err() == nil; k-- {
		if err := u.step(&steps[k]); err != nil {
			u.j.close()
			return u.sum, err
		}
	}
	u.sum.Unbacked = len(u.unbacked)
	if !o.DryRun && ctx.Err() == nil {
		sweep(dir, steps)
	}
	return u.sum, u.j.close()
}

// undoing is an Undo at work.
type undoing struct {
	o        UndoOptions
	dir      string // of the journal
	j        *journal
	sum      Undone
	unbacked map[string]bool // targets replaced without a backup, and not put back to an earlier state

	// on a dry run, what would be so
	hashes map[string]string // of targets
	gone   map[string]bool   // backups
}

// target is the path of the file that an entry is about.
func (e *Entry) target(dir string) string {
	name := filepath.FromSlash(e.name())
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

// step undoes what an entry tells of.
func (u *undoing) step(e *Entry) error {
	target := e.target(u.dir)
	if e.Backup == "" {
		have, err := u.hash(target)
		if err != nil || have == e.Result || !e.Intent && have != e.Source {
			u.unbacked[target] = true
		}
		return nil
	}
	found, err := u.restore(e, target)
	switch {
	case err != nil:
		u.sum.Failed++
		if u.o.Failed != nil {
			u.o.Failed(target, err)
		}
		return nil
	case found == untouched:
		return nil
	case found == putBack:
		u.sum.Restored++
	case found == wasBack:
		u.sum.Before++
	}
	delete(u.unbacked, target) // what came after that state went with it
	if u.o.DryRun {
		return nil
	}
	undone := Entry{Key: e.Key, InPlace: true, Backup: e.Backup, Undone: true}
	undone.setName(e.name())
	return u.j.add(undone, filepath.Dir(target))
}

// What restore found and did.
const (
	putBack = iota + 1
	wasBack // that was done before
	untouched
)

// hash is the hash of a target, "" where it is not there.
func (u *undoing) hash(target string) (string, error) {
	if have, ok := u.hashes[target]; ok {
		return have, nil
	}
	have, err := hashFile(target)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return have, err
}

// restore puts the backup of a file back.
func (u *undoing) restore(e *Entry, target string) (found int, err error) {
	if strings.ContainsAny(e.Backup, `/\`) {
		return 0, errors.New("the journal names no suffix for its backup")
	}
	backup := target + e.Backup
	have, err := u.hash(target)
	if err != nil {
		return 0, err
	}
	info, err := os.Lstat(backup)
	if u.gone[backup] {
		err = fs.ErrNotExist
	}
	switch {
	case err == nil:
	case have != "" && have == e.Source && e.Intent:
		return untouched, nil // the run was killed before it came to that
	case !errors.Is(err, fs.ErrNotExist):
		return 0, fmt.Errorf("its backup %q: %s", backup, reason(err))
	case have != "" && have == e.Source:
		return wasBack, nil
	default:
		return 0, fmt.Errorf("its backup %q is not there; the file is left as it is", backup)
	}
	if e.Intent {
		if now, err := os.Stat(target); err == nil && os.SameFile(info, now) { // the run was killed between backup and replacement
			return untouched, u.remove(backup)
		}
		if kept, err := hashFile(backup); err != nil || kept != e.Source {
			if have == e.Source {
				return untouched, nil // and the backup is none of that run
			}
			return 0, fmt.Errorf("%q is not what it held before the run, which was not finished; look at both", backup)
		}
	}
	if kept, err := u.hash(backup); !e.Intent && e.Source != e.Result && (err != nil || kept != e.Source) {
		return 0, fmt.Errorf("%q does not hold what was there before", filepath.Base(backup))
	}
	if have != "" && have != e.Result && !(e.Intent && have == e.Source) && !u.o.Force {
		return 0, errors.New("it was changed since it was converted; --force puts the backup back all the same")
	}
	found = putBack
	if e.Intent && have == e.Source {
		found = untouched
	}
	if u.o.DryRun {
		u.gone[backup] = true
		u.hashes[target], err = hashFile(backup)
		return found, err
	}
	return found, os.Rename(backup, target)
}

// remove removes a backup that is the file itself under another name.
func (u *undoing) remove(backup string) error {
	if u.o.DryRun {
		u.gone[backup] = true
		return nil
	}
	return os.Remove(backup)
}
