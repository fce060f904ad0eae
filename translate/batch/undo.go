package batch

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Undone is what Undo did.
type Undone struct {
	Restored int // files whose backup was put back
	Before   int // files that were put back before
	Failed   int // files that were left as they are
}

// Undo puts back the backups of all runs in place that a journal tells of, the
// last run first. A file that was changed since is left as it is, unless force
// says otherwise, and so is one whose backup is gone; failed is called with the
// path of each and with why. The error is that of the journal itself.
func Undo(ctx context.Context, path string, force bool, failed func(path string, err error)) (Undone, error) {
	var u Undone
	entries, err := backedUp(path)
	if err != nil {
		return u, err
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(path)) // names may lead out of it
	if err != nil {
		return u, err
	}
	j := &journal{path: path, done: map[string]Entry{}, now: map[string]string{}}
	if err := j.lock(filepath.Join(filepath.Dir(path), JournalName), false); err != nil {
		return u, err
	}
	if err := j.open(); err != nil {
		j.close()
		return u, err
	}
	for k := len(entries) - 1; k >= 0 && ctx.Err() == nil; k-- {
		e := entries[k]
		target := filepath.Join(dir, filepath.FromSlash(e.name()))
		if filepath.IsAbs(filepath.FromSlash(e.name())) {
			target = filepath.FromSlash(e.name())
		}
		restored, err := e.restore(target, force)
		switch {
		case err != nil:
			u.Failed++
			failed(target, err)
			continue
		case restored:
			u.Restored++
		default:
			u.Before++
		}
		undone := Entry{Key: e.Key, InPlace: true, Undone: true}
		undone.setName(e.name())
		if err := j.add(undone, filepath.Dir(target)); err != nil {
			j.close()
			return u, err
		}
	}
	return u, j.close()
}

// backedUp are the entries of a journal that have a backup and are not undone.
func backedUp(path string) ([]Entry, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var list []Entry
	at := map[string][]int{} // by name, where its entries are in the list
	known := false
	lines := bufio.NewReaderSize(f, 64<<10)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		var e Entry
		if json.Unmarshal(line, &e) != nil {
			continue
		}
		known = known || e.Run != "" || e.Key != ""
		name := e.name()
		switch {
		case e.Undone:
			if n := len(at[name]); n > 0 {
				list[at[name][n-1]].Backup = ""
				at[name] = at[name][:n-1]
			}
		case e.InPlace && e.Backup != "":
			at[name] = append(at[name], len(list))
			list = append(list, e)
		}
	}
	if !known {
		return nil, errors.New("this is no journal of batch")
	}
	kept := list[:0]
	for _, e := range list {
		if e.Backup != "" {
			kept = append(kept, e)
		}
	}
	return kept, nil
}

// restore puts the backup of a file back. It answers false where that was done
// before.
func (e *Entry) restore(target string, force bool) (bool, error) {
	backup := target + e.Backup
	have, err := hashFile(target)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if _, err := os.Lstat(backup); err != nil {
		if errors.Is(err, fs.ErrNotExist) && have != "" && have == e.Source {
			return false, nil
		}
		return false, fmt.Errorf("its backup cannot be found: %w", err)
	}
	if have != "" && have != e.Result && !force {
		return false, errors.New("it was changed since it was converted; --force puts the backup back all the same")
	}
	if err := os.Rename(backup, target); err != nil {
		return false, err
	}
	return true, nil
}
