package batch

import (
	"context"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/stream"
)

// work is one file in hand, from opening it to having its target in place.
type work struct {
	o       *Options
	ctx     context.Context // the end of it ends work on a large file
	it      item
	key     string // of the run
	known   *Entry // what the journal knows of the target, or nil
	journal *journal
	lines   bool
	opts    translate.Options

	file      *os.File
	info      fs.FileInfo // as it was opened
	hash      hash.Hash   // of what was read
	how       packing
	rejecting bool
	records   int          // documents begun
	read      atomic.Int64 // bytes of the file
	dead      atomic.Bool  // it failed, and no more of it need be read

	out     *temp
	reject  *temp
	reasons *temp

	tally   tally  // of all documents
	err     error  // why the target is left as it was
	already bool   // the target held all that before
	before  *Entry // what the journal says of it, where that holds
	broke   bool   // another name of the file keeps what was there
	wrote   int64  // bytes of the target
	entry   Entry  // for the journal
	dir     string // that the target is in
	backed  bool   // its backup was made just now
}

// errRefused is why a file is left as it was of which a document was refused.
var errRefused = errors.New("a document in it was refused")

// errEmpty is why a file is left as it was in which there is none.
var errEmpty = errors.New("there is no document in it")

// open opens the file.
func (f *work) open() error {
	if f.it.err != nil {
		return f.it.err
	}
	file, err := os.Open(f.it.path)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("is no regular file")
	}
	if err == nil && f.o.InPlace && !f.o.ReadOnly && info.Mode()&0o222 == 0 {
		err = errors.New("is read-only; --read-only replaces such files, too")
	}
	var first [4]byte
	n := 0
	if err == nil {
		if n, err = file.ReadAt(first[:], 0); err == io.EOF {
			err = nil
		}
	}
	if err != nil {
		file.Close()
		return err
	}
	f.file, f.info, f.hash, f.how = file, info, newHash(), packingOf(first[:n])
	f.lines = f.o.lines(f.it.path)
	f.rejecting = f.lines && f.o.Rejects != ""
	f.opts = f.o.Convert
	changed := info.ModTime()
	f.opts.Clock = func() time.Time { return changed }
	if f.o.FileTime {
		f.opts.Timestamp = changed.UTC().Format(time.RFC3339Nano)
	}
	return nil
}

// Read reads the file and hashes what it reads.
func (f *work) Read(p []byte) (int, error) {
	n, err := f.file.Read(p)
	f.hash.Write(p[:n])
	f.read.Add(int64(n))
	return n, err
}

// source is the hash of the file, of which all is read that is not yet.
func (f *work) source() (string, error) {
	if _, err := io.Copy(io.Discard, io.TeeReader(f.file, f.hash)); err != nil {
		return "", err
	}
	return hex.EncodeToString(f.hash.Sum(nil)), nil
}

// fault takes down the error of a stream. It answers whether more may come.
func (f *work) fault(e *stream.Error) (more bool) {
	f.err = errRefused
	f.tally.refused++
	f.tally.refusals = append(f.tally.refusals, Refusal{File: f.it.path, Record: e.Record,
		Finding: Finding{e.Code, diag.Error, e.Place, e.Pointer, e.Msg}})
	return f.lines && e.Code == diag.TooLarge
}

// take writes converted text and adds what is known of its documents.
func (f *work) take(p *packers, text []byte, t *tally) {
	sum := &f.tally
	sum.written += t.written
	sum.refused += t.refused
	sum.verified += t.verified
	sum.withheld += t.withheld
	for i := range t.codes {
		sum.codes[i] += t.codes[i]
	}
	for i := range t.forms {
		sum.forms[i] += t.forms[i]
	}
	sum.words.add(&t.words)
	if t.refused > 0 && !f.rejecting && f.err == nil {
		f.err = errRefused
	}
	if f.err != nil {
		f.drop()
	}
	if f.err == nil && t.refused > 0 {
		f.err = f.keepRejects(p, t)
	}
	if f.err == nil && len(text) > 0 {
		f.err = f.write(p, text)
	}
	sum.refusals = append(sum.refusals, t.refusals...)
}

// write writes text to the temporary file, which the first text makes.
func (f *work) write(p *packers, text []byte) (err error) {
	if f.out == nil {
		if err := f.o.within(f.o.target(f.it)); err != nil {
			return err
		}
		if f.out, err = newTemp(f.o.target(f.it), f.how, &p.out, f.o.DryRun); err != nil {
			return err
		}
	}
	_, err = f.out.Write(text)
	return err
}

// drop takes away what was written.
func (f *work) drop() {
	for _, t := range []*temp{f.out, f.reject, f.reasons} {
		t.drop()
	}
	f.out, f.reject, f.reasons = nil, nil, nil
}

// close ends the work on a file: everything that was opened is closed.
func (f *work) close() {
	if f.file != nil {
		f.file.Close()
	}
	f.drop()
}

// done reports whether the target is in place already: the journal says so, and
// source and target are what it says. The file is read again from the start then.
func (f *work) done() (bool, error) {
	e := f.known
	if e == nil || f.o.Force || e.Key != f.key || e.InPlace != f.o.InPlace || f.o.Verify && e.Verified < e.Docs {
		return false, nil
	}
	if f.o.InPlace {
		source, err := f.source()
		if err != nil {
			return false, err
		}
		f.hash.Reset()
		_, err = f.file.Seek(0, io.SeekStart)
		return source == e.Result, err
	}
	target := f.o.target(f.it)
	if _, err := os.Stat(target); err != nil {
		return false, nil
	}
	source, err := f.source()
	if err == nil {
		f.hash.Reset()
		_, err = f.file.Seek(0, io.SeekStart)
	}
	if err != nil || source != e.Source {
		return false, err
	}
	result, err := hashFile(target)
	return err == nil && result == e.Result, nil
}

// rejectsPath is the file that refused lines of this one go to.
func (f *work) rejectsPath() string {
	name := f.it.name
	for len(name) > 3 && name[:3] == "../" { // in place, from the folder of the journal
		name = name[3:]
	}
	return filepath.Join(f.o.Rejects, filepath.FromSlash(name))
}
