package batch

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/gofrs/flock"
)

// JournalName is the name of the journal in its folder. That of a shard has its
// number before the extension.
const JournalName = ".ctxmigrate-journal.jsonl"

// Entry is a line of a journal. It holds names, hashes and counts, and nothing of
// what files hold. A run begins with a line that has Run; each target that is in
// place has a line with Name. Before a file is replaced in place a line with Intent
// says the same of it: where a run is killed that may be so or not, and the hashes
// tell.
type Entry struct {
	Run     string `json:"run,omitempty"`     // the key of the run that begins
	Program string `json:"program,omitempty"` // which program that was
	Now     string `json:"now,omitempty"`     // what that run took for the present time

	Name     string         `json:"name,omitempty"`   // of the target, from the folder of the journal or of the output
	Name64   string         `json:"name64,omitempty"` // the same in base64, where it is not UTF-8
	Key      string         `json:"key,omitempty"`    // of the run
	Source   string         `json:"source,omitempty"` // hash of the file that was read
	Result   string         `json:"result,omitempty"` // hash of the target
	Docs     int            `json:"documents,omitempty"`
	Verified int            `json:"verified,omitempty"`
	Rejected int            `json:"rejected,omitempty"`
	InPlace  bool           `json:"inPlace,omitempty"`
	Backup   string         `json:"backup,omitempty"` // what was added to the name of the old file
	Codes    map[string]int `json:"codes,omitempty"`  // how often each diagnostic was found, by its name
	Intent   bool           `json:"intent,omitempty"` // about to be done
	Undone   bool           `json:"undone,omitempty"` // the old file was put back
}

// journal is the journal of a run, which is locked against others. A nil journal
// knows nothing and keeps nothing.
type journal struct {
	path   string
	done   map[string]Entry
	begun  map[string]Entry  // intents after which nothing is said of the file
	now    map[string]string // by key, what the first run of that key took for the present
	write  sync.Mutex        // of the file, to which workers write intents
	file   *os.File
	locks  []*flock.Flock
	gather bytes.Buffer
	lines  int
	dirs   map[string]bool // of the targets of these lines
}

// shardJournal is the name of the journal of a shard.
func shardJournal(shard, shards int) string {
	return strings.TrimSuffix(JournalName, ".jsonl") + fmt.Sprintf(".%d-of-%d.jsonl", shard, shards)
}

// shardJournals are the journals of shards in a folder.
func shardJournals(dir string) []string {
	list, _ := filepath.Glob(escapeGlob(dir) + "/" + strings.TrimSuffix(JournalName, ".jsonl") + ".*-of-*.jsonl")
	return list
}

// journalsIn are all journals in a folder that are regular files.
func journalsIn(dir string) []string {
	return slices.DeleteFunc(append(shardJournals(dir), filepath.Join(dir, JournalName)), func(path string) bool {
		info, err := os.Lstat(path)
		return err != nil || !info.Mode().IsRegular()
	})
}

// openJournal reads all journals of the folder and locks the one of this run. A
// run over all files takes what shards have done into its own journal; shards run
// beside each other, but not beside a run over all files.
func (o *Options) openJournal() (*journal, error) {
	dir := o.stateDir()
	j := &journal{path: filepath.Join(dir, JournalName), done: map[string]Entry{}, begun: map[string]Entry{}, now: map[string]string{}}
	others := shardJournals(dir)
	for _, path := range append([]string{j.path, filepath.Join(dir, shardJournal(o.Shard, o.Shards))}, others...) {
		if err := plainFile(path); err != nil {
			return nil, err
		}
	}
	if !o.DryRun {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, err
		}
		if err := j.lock(j.path, o.Shards > 1); err != nil {
			return nil, err
		}
	}
	if err := j.read(j.path); err != nil {
		j.close()
		return nil, err
	}
	for _, other := range others {
		if err := j.read(other); err != nil {
			j.close()
			return nil, err
		}
	}
	if o.DryRun {
		return j, nil
	}
	if o.Shards > 1 {
		j.path = filepath.Join(dir, shardJournal(o.Shard, o.Shards))
		if err := j.lock(j.path, false); err != nil {
			j.close()
			return nil, err
		}
	}
	if err := j.open(); err != nil {
		j.close()
		return nil, err
	}
	if o.Shards <= 1 && len(others) > 0 {
		if err := j.merge(others); err != nil {
			j.close()
			return nil, err
		}
	}
	return j, nil
}

// plainFile refuses a journal that is a link or no file: what is behind it is not
// ours to write.
func plainFile(path string) error {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("the journal %q is no regular file; move it away", path)
	}
	return nil
}

// escapeGlob makes a folder's name stand for itself.
func escapeGlob(dir string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}

// lock locks a journal against other runs, or, shared, against those that do not
// share it. The lock ends with the process, however it ends.
func (j *journal) lock(path string, shared bool) error {
	l := flock.New(path, flock.SetPermissions(0o666))
	try := l.TryLock
	if shared {
		try = l.TryRLock
	}
	ok, err := try()
	if err != nil {
		return err
	}
	if !ok {
		return &BusyError{Journal: path}
	}
	j.locks = append(j.locks, l)
	return nil
}

// BusyError is the error of a run whose journal another run is writing.
type BusyError struct{ Journal string }

func (e *BusyError) Error() string {
	return "another run is at work on the same output (it holds " + e.Journal + "); wait for it, or stop it"
}

// read takes in the lines of a journal. What is no whole line of a journal counts
// as not written: its file is done again.
func (j *journal) read(path string) error {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 64<<10)
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			if err == io.EOF {
				err = nil
			}
			return err
		}
		var e Entry
		if json.Unmarshal(line, &e) == nil {
			j.take(e)
		}
	}
}

func (j *journal) take(e Entry) {
	switch name := e.name(); {
	case e.Run != "" && e.Now != "" && j.now[e.Run] == "":
		j.now[e.Run] = e.Now
	case name == "":
	case e.Intent:
		j.begun[name] = e
	default:
		delete(j.begun, name)
		if j.done[name] = e; e.Undone {
			delete(j.done, name)
		}
	}
}

// known is what a run of a key is to look at of a file, or nil: what it was about
// to do when it was killed, or what was done.
func (j *journal) known(name, key string) *Entry {
	e, ok := j.begun[name]
	if !ok || e.Key != key {
		e, ok = j.done[name]
	}
	if !ok {
		return nil
	}
	return &e
}

func (e *Entry) name() string {
	if e.Name64 != "" {
		raw, _ := unbase64(e.Name64)
		return raw
	}
	return e.Name
}

func (e *Entry) setName(name string) {
	if e.Name = name; !utf8.ValidString(name) {
		e.Name, e.Name64 = "", base64Of(name)
	}
}

// open opens the journal for more lines. What a run that was killed left of a
// line is taken off.
func (j *journal) open() (err error) {
	if j.file, err = os.OpenFile(j.path, os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		return err
	}
	end, err := j.file.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	b := make([]byte, 4096)
	for end > 0 {
		n := min(int64(len(b)), end)
		if _, err := j.file.ReadAt(b[:n], end-n); err != nil {
			return err
		}
		if k := bytes.LastIndexByte(b[:n], '\n'); k >= 0 {
			end += int64(k) + 1 - n
			break
		}
		end -= n
	}
	if err := j.file.Truncate(end); err != nil {
		return err
	}
	_, err = j.file.Seek(end, io.SeekStart)
	return err
}

// merge writes what shards have done into the journal, and removes theirs.
func (j *journal) merge(others []string) error {
	for _, other := range others {
		text, err := os.ReadFile(other)
		if err != nil {
			return err
		}
		j.gather.Write(text[:bytes.LastIndexByte(text, '\n')+1])
	}
	if err := j.flush(); err != nil {
		return err
	}
	for _, other := range others {
		if err := os.Remove(other); err != nil {
			return err
		}
	}
	return nil
}

// gatherMost is how many lines are gathered before they are written and synced: a
// run that is killed does the files of these again, and finds that they are done.
const gatherMost = 256

// add adds a line for what was put into a folder.
func (j *journal) add(e Entry, dir string) error {
	if dir != "" {
		if j.dirs == nil {
			j.dirs = map[string]bool{}
		}
		j.dirs[dir] = true
	}
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	j.gather.Write(append(line, '\n'))
	if j.lines++; j.lines >= gatherMost {
		return j.flush()
	}
	return nil
}

// intend says that a file is about to be replaced. Workers call it. It is not
// synced, which would take as long as all else: what a process has written stays
// when that is killed.
func (j *journal) intend(e Entry) error {
	e.Intent = true
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return j.append(append(line, '\n'))
}

func (j *journal) append(lines []byte) error {
	j.write.Lock()
	defer j.write.Unlock()
	_, err := j.file.Write(lines)
	return err
}

// flush makes what was put into folders last, and writes the lines that say so.
func (j *journal) flush() error {
	if j == nil || j.file == nil || j.gather.Len() == 0 {
		return nil
	}
	for dir := range j.dirs {
		if err := syncDir(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	clear(j.dirs)
	err := j.append(j.gather.Bytes())
	if err == nil {
		err = j.file.Sync()
	}
	j.gather.Reset()
	j.lines = 0
	return err
}

// begin says that a run of a key begins, and answers what it is to take for the
// present time.
func (j *journal) begin(key, program string, now time.Time) (string, error) {
	present := j.now[key]
	if present == "" && !now.IsZero() {
		present = now.UTC().Format(time.RFC3339Nano)
	}
	if j.file == nil {
		return present, nil
	}
	if err := j.add(Entry{Run: key, Program: program, Now: present}, ""); err != nil {
		return "", err
	}
	return present, j.flush()
}

// close writes what was gathered and unlocks the journal.
func (j *journal) close() error {
	err := j.flush()
	if j.file != nil {
		if e := j.file.Close(); err == nil {
			err = e
		}
	}
	for _, l := range j.locks {
		l.Close()
	}
	return err
}

// key tells runs apart whose targets may differ.
func (o *Options) key() string {
	c := o.Convert
	c.Clock = nil
	present := c.Timestamp == PresentTime
	what := struct {
		Format            int
		Program, To, From string
		Convert           any
		Locatable         string
		FileTime, Present bool
		Lines             string
		Record            bool
		Setting           string
	}{journalFormat, o.Program, o.To.String(), c.From.String(), nil, "", o.FileTime, present, "", o.NewRecord != nil, o.Setting}
	if c.Locatable != nil {
		what.Locatable = fmt.Sprint(*c.Locatable)
	}
	if o.Lines != nil {
		what.Lines = fmt.Sprint(*o.Lines)
	}
	c.Mapping, c.Locatable = nil, nil // of a mapping the Setting tells
	what.Convert = fmt.Sprintf("%+v", c)
	text, _ := json.Marshal(what)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

const journalFormat = 1

// PresentTime is the Timestamp of Options.Convert that stands for the time at
// which the first run of its kind began.
const PresentTime = "now"
