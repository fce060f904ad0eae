package batch

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// own begins the names of files that batch makes for itself: they are never a
// source.
const own = ".ctxmigrate-"

// item is one file of a source.
type item struct {
	path string // to open it
	name string // below the output folder; in place, below the folder of the journal; with slashes
	size int64
	err  error // why it cannot be read
}

// walker lists the items of all sources.
type walker struct {
	o     *Options
	skip  []fs.FileInfo   // folders that are written to
	seen  map[string]bool // folders by their real path: each is entered once
	links []entry         // folders behind links, which are entered when all others were
	items []item
	known *backups
}

// entry is a file or folder of a source: its path, its name below the output, and
// its path below the source, "" for the source itself.
type entry struct{ path, name, below string }

// list lists the items of all sources, in the order of the sources and in them by
// name, those behind links to folders at the end.
func (o *Options) list(known *backups) ([]item, error) {
	w := walker{o: o, seen: map[string]bool{}, known: known}
	for _, dir := range append([]string{o.Out, o.Rejects}, o.Leave...) {
		if info, err := os.Stat(dir); dir != "" && err == nil {
			w.skip = append(w.skip, info)
		}
	}
	for _, s := range o.Sources {
		if err := w.source(s, o.prefix(s)); err != nil {
			return nil, err
		}
	}
	for _, s := range o.Listed {
		name, err := listedName(s)
		if err != nil && !o.InPlace { // where names are those of the files themselves
			return nil, err
		}
		if err := w.source(s, name); err != nil {
			return nil, err
		}
	}
	for len(w.links) > 0 {
		e := w.links[0]
		w.links = w.links[1:]
		if err := w.folder(e); err != nil {
			return nil, err
		}
	}
	return w.items, nil
}

// prefix is the name of a source below the output folder: that of a single folder
// is left out.
func (o *Options) prefix(source string) string {
	if len(o.Sources)+len(o.Listed) == 1 {
		if info, err := os.Stat(source); err == nil && info.IsDir() {
			return ""
		}
	}
	base := filepath.Base(source)
	if base == "." || base == ".." {
		if abs, err := filepath.Abs(source); err == nil {
			base = filepath.Base(abs)
		}
	}
	return base
}

// listedName is the name of a source that was listed: its path, without what
// would lead out of the output folder.
func listedName(source string) (string, error) {
	name := filepath.ToSlash(filepath.Clean(source))
	if filepath.IsAbs(source) {
		name = strings.TrimLeft(strings.TrimPrefix(name, filepath.ToSlash(filepath.VolumeName(source))), "/")
	}
	if name == ".." || strings.HasPrefix(name, "../") {
		return "", usage("the listed name %s leads out of the folder that the list is about; run in the folder above, or list whole paths", source)
	}
	return name, nil
}

// source lists what was named.
func (w *walker) source(name, prefix string) error {
	e := entry{path: name, name: prefix}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		w.items = append(w.items, item{path: name, name: prefix, err: err})
	case info.IsDir():
		return w.folder(e)
	default:
		w.file(e, info)
	}
	return nil
}

// folder lists a folder, unless it was listed before or is written to.
func (w *walker) folder(e entry) error {
	real, err := filepath.EvalSymlinks(e.path)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	var info fs.FileInfo
	if err == nil {
		info, err = os.Stat(real)
	}
	if err != nil {
		w.items = append(w.items, item{path: e.path, name: e.name, err: err})
		return nil
	}
	if w.seen[real] || slices.ContainsFunc(w.skip, func(s fs.FileInfo) bool { return os.SameFile(s, info) }) {
		return nil
	}
	w.seen[real] = true
	list, err := os.ReadDir(e.path)
	if err != nil {
		w.items = append(w.items, item{path: e.path, name: e.name, err: err})
	}
	backups := w.backups(real, list)
	for _, d := range list {
		if strings.HasPrefix(d.Name(), own) || backups[d.Name()] {
			continue
		}
		one := entry{filepath.Join(e.path, d.Name()), path.Join(e.name, d.Name()), path.Join(e.below, d.Name())}
		if err := w.entry(one, d); err != nil {
			return err
		}
	}
	return nil
}

// backups are the names of a folder that are backups of others in it: those with the
// suffix of this run, and those that journals tell of.
func (w *walker) backups(real string, list []fs.DirEntry) map[string]bool {
	known := w.known.in(real)
	if w.o.Backup == "" && len(known) == 0 {
		return nil
	}
	names, found := map[string]bool{}, map[string]bool{}
	for _, d := range list {
		names[d.Name()] = true
	}
	for _, d := range list {
		name := d.Name()
		if stem, ok := strings.CutSuffix(name, w.o.Backup); ok && w.o.Backup != "" && names[stem] || names[known[name]] {
			found[name] = true
		}
	}
	return found
}

// entry lists an entry of a folder.
func (w *walker) entry(e entry, d fs.DirEntry) error {
	if matches(w.o.Exclude, e.below) {
		return nil
	}
	if d.IsDir() {
		return w.folder(e)
	}
	linked := d.Type()&fs.ModeSymlink != 0
	if !linked && !w.wanted(e) {
		return nil
	}
	info, err := os.Stat(e.path)
	switch {
	case linked && err == nil && info.IsDir():
		w.links = append(w.links, e)
	case !w.wanted(e):
	case err != nil:
		w.items = append(w.items, item{path: e.path, name: e.name, err: err})
	case info.Mode().IsRegular(): // of pipes and the like in a folder nothing is said
		w.file(e, info)
	}
	return nil
}

func (w *walker) wanted(e entry) bool {
	return len(w.o.Include) == 0 || matches(w.o.Include, e.below)
}

// file lists a file.
func (w *walker) file(e entry, info fs.FileInfo) {
	it := item{path: e.path, name: e.name, size: info.Size()}
	if !info.Mode().IsRegular() {
		it.err = errors.New("is no regular file")
	}
	w.items = append(w.items, it)
}

// matches reports whether one of the globs matches a path below a source. One
// without a slash is about the last name of the path alone.
func matches(globs []string, below string) bool {
	for _, g := range globs {
		name := below
		if !strings.Contains(g, "/") {
			name = path.Base(below)
		}
		if ok, _ := doublestar.Match(g, name); ok {
			return true
		}
	}
	return false
}
