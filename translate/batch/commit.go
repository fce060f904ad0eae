package batch

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"ctxmigrate/translate/diag"
)

// finish puts the target in place, or says in err why it is left as it was. Text
// of all documents was written before. Another run over the same may have got to
// any point of this before it was killed.
func (f *work) finish(p *packers) {
	defer f.close()
	if f.err == nil && f.records == 0 {
		if f.err = errEmpty; f.o.AllowEmpty {
			f.err = f.write(p, nil)
		}
	}
	if f.err == nil && f.out == nil { // all lines were refused
		f.err = f.write(p, nil)
	}
	if f.err == nil {
		f.err = f.commit()
	}
	if f.err != nil && !f.o.DryRun {
		os.Remove(tempName(f.o.target(f.it))) // of a run that was killed
	}
}

func (f *work) commit() error {
	source, err := f.source()
	if err != nil {
		return err
	}
	if err := f.out.end(); err != nil {
		return err
	}
	if err := f.unchanged(); err != nil {
		return err
	}
	if err := f.out.like(f.info); err != nil {
		return err
	}
	if err := f.out.flush(); err != nil {
		return err
	}
	if f.o.Verify {
		docs := f.tally.written
		if f.o.NewRecord != nil && !f.lines {
			docs = -1 // records keep the newlines in them
		}
		if err := f.out.readBack(docs); err != nil {
			return err
		}
	}
	f.wrote, f.dir = f.out.size, filepath.Dir(f.out.target)
	f.entry = Entry{Key: f.key, Source: source, Result: f.out.result(), Docs: f.tally.written, Verified: f.tally.verified, InPlace: f.o.InPlace}
	f.entry.setName(f.it.name)
	for i, n := range f.tally.codes {
		if n > 0 {
			if f.entry.Codes == nil {
				f.entry.Codes = map[string]int{}
			}
			f.entry.Codes[diag.Code(i).String()] = n
		}
	}
	if f.rejecting {
		f.entry.Rejected = f.tally.refused
		if err := f.placeRejects(); err != nil {
			return err
		}
	}
	if f.o.InPlace {
		return f.replace(source)
	}
	return f.create()
}

// create puts the target into the output folder.
func (f *work) create() error {
	info, err := os.Lstat(f.out.target)
	if errors.Is(err, fs.ErrNotExist) {
		return f.out.place()
	}
	if err != nil {
		return err
	}
	if err := f.mayReplace(info); err != nil {
		return err
	}
	if f.already {
		return nil
	}
	return f.out.place()
}

// mayReplace says why a target that is there may not be replaced. Where it holds
// just what was to be written it is left, and counts as done.
func (f *work) mayReplace(info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return errors.New("the output has a folder of that name")
	case !info.Mode().IsRegular():
		return errors.New("the output has something of that name that is no regular file")
	case os.SameFile(info, f.info):
		return errors.New("the output is the file itself; --in-place replaces files where they are")
	}
	have, err := hashFile(f.out.target)
	switch {
	case err != nil:
		return err
	case have == f.entry.Result:
		f.already = true
	case !f.o.Overwrite && (f.known == nil || f.known.Result != have):
		return fmt.Errorf("%q is there and holds something else; --overwrite replaces it", f.out.target)
	case !f.o.ReadOnly && info.Mode()&0o222 == 0:
		return fmt.Errorf("%q is read-only; --read-only replaces such files, too", f.out.target)
	}
	return nil
}

// replace puts the target in place of the file itself.
func (f *work) replace(source string) error {
	if f.entry.Result == source {
		f.already = true
		if _, err := os.Lstat(f.out.target + f.o.Backup); err == nil && f.o.Backup != "" {
			f.entry.Backup = f.o.Backup // made by a run that was killed before it could say so
		}
		return nil
	}
	f.broke = hardLinks(f.info) > 1
	if f.o.DryRun {
		return nil
	}
	f.entry.Backup = f.o.Backup
	if err := f.journal.intend(f.entry); err != nil {
		return err
	}
	if f.o.Backup != "" {
		if err := f.backUp(source); err != nil {
			return err
		}
	}
	err := f.unchanged()
	if err == nil {
		err = f.out.place()
	}
	if err != nil && f.backed {
		if info, e := os.Lstat(f.out.target); e == nil && os.SameFile(info, f.info) {
			os.Remove(f.out.target + f.o.Backup) // the file itself is still there, under its own name
		}
	}
	return err
}

// backUp keeps the file under its name with the suffix added. A backup that is
// there is never replaced.
func (f *work) backUp(source string) error {
	path := f.out.target + f.o.Backup
	err := os.Link(f.out.target, path)
	if err == nil {
		f.backed = true
		return nil
	}
	if info, e := os.Lstat(path); e == nil {
		if os.SameFile(info, f.info) {
			f.broke = hardLinks(f.info) > 2
			return nil // of a run that was killed
		}
		if have, e := hashFile(path); e == nil && have == source && info.Mode().IsRegular() {
			return nil
		}
		return fmt.Errorf("the backup %q is there and holds something else; take another --backup", path)
	}
	return f.copyTo(path) // where there are no hard links
}

func (f *work) copyTo(path string) error {
	t, err := newTemp(path, unpacked, nil, false)
	if err != nil {
		return err
	}
	defer t.drop()
	if _, err := f.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if _, err := io.Copy(t, f.file); err != nil {
		return err
	}
	if err := t.like(f.info); err != nil {
		return err
	}
	if err := t.flush(); err != nil {
		return err
	}
	if err := t.place(); err != nil {
		return err
	}
	f.backed = true
	return nil
}

// unchanged answers an error where the file is no longer what was read.
func (f *work) unchanged() error {
	now, err := os.Stat(f.it.path)
	if err != nil {
		return fmt.Errorf("it went away while it was read: %w", err)
	}
	if !os.SameFile(now, f.info) || now.Size() != f.info.Size() || !now.ModTime().Equal(f.info.ModTime()) {
		return errors.New("it changed while it was read; run again")
	}
	return nil
}
