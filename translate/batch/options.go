package batch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"ctxmigrate/translate"
	"ctxmigrate/translate/stream"
)

// Options say what is converted, and how. Needed are sources, To, and Out or
// InPlace.
type Options struct {
	Sources []string // files and folders
	Listed  []string // more of them, which keep the folders of their names below Out
	Include []string // globs; where there are any, only files of folders that match one are taken
	Exclude []string // globs of files and folders of folders that are left out
	Leave   []string // folders that are never a source, wherever they are

	Out     string // the folder that is written to
	InPlace bool   // or: each file is replaced
	State   string // the folder of the journal; "" stands for Out, or in place for the folder of the first source

	Backup    string // in place: what is added to the name of the old file, which is kept under that name
	NoBackup  bool   // in place: no old file is kept
	Overwrite bool   // targets that are there and hold something else are replaced
	ReadOnly  bool   // targets that nobody may write to are replaced too
	Force     bool   // what the journal says is done is done again
	DryRun    bool   // everything but writing
	Rejects   string // the folder for refused lines; "" leaves a file with a refused line as it is

	To         translate.Form
	Convert    translate.Options // but for Clock, which is the time of change of the file
	FileTime   bool              // packets without a timestamp get that of the file, and nothing is said to be assumed
	Lines      *bool             // a newline ends a document, or does not; nil leaves that to the names of files
	NewRecord  func() Record     // documents are records that hold the answer; nil: they are the answers
	Setting    string            // whatever else decides on the bytes that are written (the text of a mapping file, a path): a part of the key of the journal
	Program    string            // the name and version of the program: another part
	AllowEmpty bool              // a file without a document is converted to one

	Verify    bool  // nothing is replaced or written that is not proven, see Proof
	Jobs      int   // workers; 0 stands for one a processor
	MaxMemory int64 // bytes that the documents in hand may take, about; 0 stands for no limit
	Shard     int   // from 1: which of Shards parts of all files is done
	Shards    int   // 0 stands for one: all files
	Words     bool  // count type words and roles, which takes time

	Now      func() time.Time // for Summary.Timeline and the journal; nil stands for no times
	Refused  func(Refusal)    // called with each refusal and each file that failed, in order
	Progress func(Progress)   // called now and then, in order
}

// Record finds the answer in a document that is a record of something else, and
// replaces it. One worker uses it at a time.
type Record interface {
	// Find is the answer in a record. Its error is an *Unfit.
	Find(data []byte, lines bool) ([]byte, error)
	// Put appends the last record, with another answer and a newline.
	Put(dst, answer []byte, newline string) []byte
	// Lift makes a finding in the answer one in the last record.
	Lift(Finding) Finding
}

// Unfit is the error of a record in which there is nothing to convert.
type Unfit struct {
	At int // offset in the record
	Finding
}

func (u *Unfit) Error() string { return u.Message }

// UsageError is an error of the options: nothing was begun.
type UsageError struct{ Text string }

func (e *UsageError) Error() string { return e.Text }

func usage(format string, args ...any) error { return &UsageError{fmt.Sprintf(format, args...)} }

// check refuses options that contradict each other.
func (o *Options) check() error {
	switch {
	case len(o.Sources)+len(o.Listed) == 0:
		return usage("there are no sources: name files or folders")
	case o.Out == "" && !o.InPlace:
		return usage("where to? Name a folder with --out, or say --in-place")
	case o.Out != "" && o.InPlace:
		return usage("--out and --in-place exclude each other")
	case o.InPlace && o.Backup == "" && !o.NoBackup:
		return usage("--in-place wants --backup SUFFIX, or --no-backup said aloud")
	case o.Backup != "" && o.NoBackup:
		return usage("--backup and --no-backup exclude each other")
	case !o.InPlace && (o.Backup != "" || o.NoBackup):
		return usage("--backup and --no-backup are about --in-place")
	case strings.ContainsAny(o.Backup, `/\`):
		return usage("--backup takes what is added to a name, without a slash")
	case o.Shards > 0 && (o.Shard < 1 || o.Shard > o.Shards):
		return usage("--shard takes I/N, with I from 1 to N")
	}
	for _, g := range append(append([]string(nil), o.Include...), o.Exclude...) {
		if !doublestar.ValidatePattern(g) {
			return usage("%q is no glob", g)
		}
	}
	convert := o.Convert
	if convert.Timestamp == PresentTime {
		convert.Timestamp = ""
	}
	if err := convert.Check(o.To); err != nil {
		return usage("%s", err)
	}
	if o.Out != "" {
		return o.checkOut()
	}
	return nil
}

// checkOut refuses an output folder that is a source, or no folder.
func (o *Options) checkOut() error {
	out, err := os.Stat(o.Out)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !out.IsDir() {
		return usage("--out %s is no folder", o.Out)
	}
	for _, s := range o.Sources {
		if info, err := os.Stat(s); err == nil && os.SameFile(info, out) {
			return usage("--out names the source %s itself; --in-place replaces files where they are", s)
		}
	}
	return nil
}

// stateDir is the folder of the journal.
func (o *Options) stateDir() string {
	switch {
	case o.State != "":
		return o.State
	case o.Out != "":
		return o.Out
	}
	first := append(append([]string(nil), o.Sources...), o.Listed...)[0]
	if info, err := os.Stat(first); err == nil && info.IsDir() {
		return first
	}
	return filepath.Dir(first)
}

func (o *Options) jobs() int {
	if o.Jobs > 0 {
		return o.Jobs
	}
	return runtime.GOMAXPROCS(0)
}

// lines reports whether a newline ends a document of a file.
func (o *Options) lines(name string) bool {
	if o.Lines != nil {
		return *o.Lines
	}
	return stream.NamesLines(name)
}

// cut says how documents are cut out of a file.
func (o *Options) cut(lines bool) stream.Options {
	most := o.Convert.MaxBytes
	switch {
	case most == 0:
		most = translate.DefaultMaxBytes
	case most < 0:
		most = 0
	}
	return stream.Options{Lines: lines, MaxBytes: most, MaxDepth: o.Convert.MaxDepth}
}

// within refuses a target that a link in the output folder leads out of it.
func (o *Options) within(target string) error {
	if o.InPlace {
		return nil
	}
	root, err := realPath(o.Out)
	if err != nil {
		return err
	}
	dir, err := realPath(filepath.Dir(target))
	if err != nil {
		return err
	}
	if rel, err := filepath.Rel(root, dir); err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return errors.New("a link in the output folder leads out of it")
	}
	return nil
}
