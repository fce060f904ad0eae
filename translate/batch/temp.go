package batch

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// temp is a file that is to take the place of another. It stands beside that, so
// that renaming is enough, and its name follows from the other's, so that a run
// that was killed leaves at most one, which the next run takes away.
type temp struct {
	target string
	path   string
	file   *os.File // nil on a dry run
	packed io.WriteCloser
	even   *blocks       // above packed
	slow   *bufio.Writer // below packed
	how    packing

	text hash.Hash // of what is written
	body hash.Hash // of the file; the same as text where it is not packed
	size int64     // of the file
}

// tempName is the name of the temporary file of a target.
func tempName(target string) string {
	sum := sha256.Sum256([]byte(filepath.Base(target)))
	return filepath.Join(filepath.Dir(target), own+hex.EncodeToString(sum[:8])+".tmp")
}

// newTemp makes the temporary file of a target, and the folder that it is in.
func newTemp(target string, how packing, p *packer, dry bool) (*temp, error) {
	t := &temp{target: target, path: tempName(target), how: how, text: newHash()}
	if !dry {
		if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
			return nil, err
		}
		os.Remove(t.path) // of a run that was killed
		var err error
		if t.file, err = os.OpenFile(t.path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600); err != nil {
			return nil, err
		}
	}
	if t.body = t.text; how != unpacked {
		t.body = newHash()
		t.slow = bufio.NewWriterSize(rawTemp{t}, 64<<10)
		var err error
		if t.packed, err = p.to(t.slow, how); err != nil {
			t.drop()
			return nil, err
		}
		t.even = &blocks{w: t.packed}
	}
	return t, nil
}

// rawTemp takes the bytes of the file.
type rawTemp struct{ t *temp }

func (r rawTemp) Write(p []byte) (int, error) {
	r.t.body.Write(p)
	r.t.size += int64(len(p))
	if r.t.file == nil {
		return len(p), nil
	}
	return r.t.file.Write(p)
}

// Write takes text of documents, each with a newline.
func (t *temp) Write(p []byte) (int, error) {
	if t.packed == nil {
		return rawTemp{t}.Write(p)
	}
	t.text.Write(p)
	return t.even.Write(p)
}

// blocks hands text on in pieces of one size, so that what a compressor makes of
// it cannot depend on how it came.
type blocks struct {
	w   io.Writer
	buf []byte
}

const blockSize = 64 << 10

func (b *blocks) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		if b.buf == nil {
			b.buf = make([]byte, 0, blockSize)
		}
		k := min(len(p), blockSize-len(b.buf))
		b.buf, p = append(b.buf, p[:k]...), p[k:]
		if len(b.buf) == blockSize {
			if err := b.flush(); err != nil {
				return 0, err
			}
		}
	}
	return n, nil
}

func (b *blocks) flush() error {
	_, err := b.w.Write(b.buf)
	b.buf = b.buf[:0]
	return err
}

// end ends the text.
func (t *temp) end() error {
	if t.packed == nil {
		return nil
	}
	if err := t.even.flush(); err != nil {
		return err
	}
	if err := t.packed.Close(); err != nil {
		return err
	}
	return t.slow.Flush()
}

// result is the hash of the file.
func (t *temp) result() string { return hex.EncodeToString(t.body.Sum(nil)) }

// like gives the file the mode, the owner and the times of another.
func (t *temp) like(info fs.FileInfo) error {
	if t.file == nil {
		return nil
	}
	if err := keepOwner(t.file, info); err != nil {
		return err
	}
	if err := t.file.Chmod(info.Mode().Perm() | info.Mode()&(fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky)); err != nil {
		return err
	}
	return os.Chtimes(t.path, time.Time{}, info.ModTime())
}

// readBack reads the file as it is on disk, and answers an error where it is not
// what was written: its bytes, its text, and as many documents.
func (t *temp) readBack(docs int) error {
	if t.file == nil {
		return nil
	}
	if _, err := t.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	body, lines := newHash(), counter{hash: newHash()}
	text, done, err := unpack(io.TeeReader(t.file, body), t.how)
	defer done()
	if err == nil {
		_, err = io.Copy(&lines, text)
	}
	if err == nil && t.how != unpacked {
		_, err = io.Copy(body, t.file) // nothing is left, unless something is wrong
	}
	switch {
	case err != nil:
		return fmt.Errorf("what was written cannot be read back: %w", err)
	case hex.EncodeToString(body.Sum(nil)) != t.result() || string(lines.hash.Sum(nil)) != string(t.text.Sum(nil)):
		return errors.New("what was written is not what is read back")
	case docs >= 0 && lines.n != docs:
		return fmt.Errorf("%d documents were written and %d are read back", docs, lines.n)
	}
	return nil
}

// counter counts and hashes lines.
type counter struct {
	hash hash.Hash
	n    int
}

func (c *counter) Write(p []byte) (int, error) {
	c.n += bytes.Count(p, []byte{'\n'})
	return c.hash.Write(p)
}

// flush brings the file to the disk.
func (t *temp) flush() error {
	if t.file == nil {
		return nil
	}
	return t.file.Sync()
}

// place renames the file to the target. That lasts when its folder is synced.
func (t *temp) place() error {
	if t.file == nil {
		return nil
	}
	if err := t.file.Close(); err != nil {
		return err
	}
	if err := os.Rename(t.path, t.target); err != nil {
		return err
	}
	t.file = nil
	return nil
}

// drop takes the file away, unless it is in place. It may be called at any time,
// and again.
func (t *temp) drop() {
	if t != nil && t.file != nil {
		t.file.Close()
		os.Remove(t.path)
		t.file = nil
	}
}

// hashFile is the hash of a file.
func hashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := newHash()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
