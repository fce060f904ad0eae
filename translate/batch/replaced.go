package batch

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

var errNoJournal = errors.New("this is no journal of batch")

// replaced are the entries of a journal that tell of a file that was replaced in
// place, or by a run that was killed may have been, and that is not undone.
func replaced(path string) ([]Entry, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var h history
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
		h.take(e)
	}
	if !known {
		return nil, errNoJournal
	}
	kept := h.list[:0]
	for i, e := range h.list {
		if !h.over[i] {
			kept = append(kept, e)
		}
	}
	return kept, nil
}

// history is what happened to files, in order.
type history struct {
	list []Entry
	over map[int]bool     // entries of the list that no longer count
	at   map[string][]int // by name, those that do
}

func (h *history) take(e Entry) {
	if h.at == nil {
		h.over, h.at = map[int]bool{}, map[string][]int{}
	}
	name := e.name()
	switch {
	case e.Undone:
		h.undo(name, e.Backup)
	case !e.InPlace || name == "":
	case e.Backup != "" || e.Source != e.Result:
		if at := h.at[name]; len(at) > 0 && h.list[at[len(at)-1]].begun(&e) {
			h.drop(name, len(at)-1)
		}
		h.at[name] = append(h.at[name], len(h.list))
		h.list = append(h.list, e)
	}
}

// begun reports whether an entry is the intent of what another says is done or is
// to be done now.
func (e *Entry) begun(then *Entry) bool {
	return e.Intent && (e.Source == then.Source || e.Backup == then.Backup && e.Result == then.Result)
}

// undo takes out the last entry of a backup, and what came after it, which went
// with it. Lines of old journals do not name the backup.
func (h *history) undo(name, backup string) {
	at := h.at[name]
	for n := len(at) - 1; n >= 0; n-- {
		if have := h.list[at[n]].Backup; have == backup || backup == "" && have != "" {
			h.drop(name, n)
			return
		}
	}
}

// drop takes out the entries of a name from one on.
func (h *history) drop(name string, from int) {
	at := h.at[name]
	for _, i := range at[from:] {
		h.over[i] = true
	}
	h.at[name] = at[:from]
}

// backups are those that journals tell of. Its zero value is ready.
type backups struct {
	of     map[string]map[string]string // by the real path of a folder, the names of backups in it and of what they are backups of
	real   map[string]string            // real paths of folders, "" of those that are not there
	looked map[string]bool              // folders, for journals
	failed []item                       // journals that cannot be read, and might say of items that they are backups
}

// in are the backups in a folder, of which the journals in it and in those above it
// tell.
func (b *backups) in(dir string) map[string]string {
	if b.of == nil {
		b.of, b.real, b.looked = map[string]map[string]string{}, map[string]string{}, map[string]bool{}
	}
	real := b.folder(dir)
	if real == "" {
		return nil
	}
	for up := real; !b.looked[up]; up = filepath.Dir(up) {
		b.looked[up] = true
		for _, path := range journalsIn(up) {
			if err := b.take(path); err != nil {
				b.failed = append(b.failed, item{path: path, name: filepath.Base(path), err: err})
			}
		}
	}
	return b.of[real]
}

// folder is the real path of a folder.
func (b *backups) folder(dir string) string {
	real, known := b.real[dir]
	if !known {
		real, _ = filepath.EvalSymlinks(dir)
		b.real[dir] = real
	}
	return real
}

// take takes in what a journal tells of.
func (b *backups) take(path string) error {
	list, err := replaced(path)
	if err != nil && err != errNoJournal {
		return err
	}
	for i := range list {
		if list[i].Backup == "" {
			continue
		}
		target := list[i].target(filepath.Dir(path))
		dir, name := b.folder(filepath.Dir(target)), filepath.Base(target)
		if b.of[dir] == nil {
			b.of[dir] = map[string]string{}
		}
		b.of[dir][name+list[i].Backup] = name
	}
	return nil
}

// sweep removes the temporary files that a run left which was killed: below the
// folder of the journal and in those of the entries. Their names follow from those
// of the files beside them.
func sweep(dir string, entries []Entry) {
	suffixes := map[string]bool{"": true}
	dirs := map[string]bool{}
	for i := range entries {
		suffixes[entries[i].Backup] = true
		dirs[filepath.Dir(entries[i].target(dir))] = true
	}
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			dirs[path] = true
		}
		return nil
	})
	for dir := range dirs {
		sweepFolder(dir, suffixes)
	}
}

func sweepFolder(dir string, suffixes map[string]bool) {
	left, _ := filepath.Glob(filepath.Join(escapeGlob(dir), own+"*.tmp"))
	if len(left) == 0 {
		return
	}
	wanted := map[string]bool{}
	for _, path := range left {
		wanted[path] = true
	}
	list, _ := os.ReadDir(dir)
	for _, d := range list {
		for suffix := range suffixes {
			if path := tempName(filepath.Join(dir, d.Name()+suffix)); wanted[path] {
				os.Remove(path)
			}
		}
	}
}
