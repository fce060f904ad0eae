package batch

import (
	"time"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/stream"
)

// Finding is one thing that is to be said of a document.
type Finding struct {
	Code     diag.Code
	Severity diag.Severity
	stream.Place
	Pointer string // JSON Pointer in the document, "" for the whole
	Message string // without place and code
}

// Refusal is a document that was refused, or a file that failed.
type Refusal struct {
	File   string // as it can be opened
	Record int    // of the file, from 1; 0 where the file failed and no document of it is at fault
	Finding
	Rejected bool // its line is in the folder of rejects, and the rest of the file went on
}

// Summary is what a run did. Documents in it are those of this run, but for
// Before.
type Summary struct {
	Files     Files
	Documents Documents
	Before    Before

	Codes [diag.NumCodes]int // how often each diagnostic was found in what was written, and each refusal
	Forms [4]int             // documents written by the form that they were in, indexed by translate.Form
	Words map[string]*Word   // by type word, where Options.Words asks for them
	Roles map[string]int     // by role word, likewise

	Read, Written int64 // bytes of files, as they are on disk
	Start         time.Time
	Elapsed       time.Duration
	Timeline      []Sample
	Interrupted   bool // the context ended the run
	Journal       string
	HardLinks     int // files replaced of which another name keeps what was there
}

// Files counts files.
type Files struct {
	Found     int // in all sources, of this shard
	Converted int // written, or on a dry run: could be
	Already   int // in place before: the journal says so, or the target held just that
	Failed    int // left as they were
	Empty     int // of the failed: there was no document in them
}

// Documents counts documents. Read is the sum of Written, Rejected and Left.
type Documents struct {
	Read     int // begun
	Written  int // in targets
	Rejected int // refused, and their lines are in the folder of rejects
	Refused  int // refused, rejected or not
	Left     int // in files that were left as they were
	Verified int // of the written
	Withheld int // of the verified: what is secure was left out, and all else is proven
}

// Lost is how many documents are neither in a target, nor in the folder of
// rejects, nor in a file that was left as it was. Written counts what was found
// when targets were read back, where Options.Verify asks for that.
func (d *Documents) Lost() int { return d.Read - d.Written - d.Rejected - d.Left }

// Before counts what the journal knew, and what was found to be still so.
type Before struct {
	Files, Documents, Verified, Rejected int

	Codes [diag.NumCodes]int // how often each diagnostic was found in them
}

// Word is a type word: how often it came, and as which roles.
type Word struct {
	Count int            `json:"count"`
	Roles map[string]int `json:"roles"`
}

// Sample is how far a run was at a time.
type Sample struct {
	At        time.Duration // since the start
	Documents int
	Bytes     int64
}

// Progress is how far a run is.
type Progress struct {
	Files, AllFiles int
	Documents       int
	Failed          int // documents refused and files failed
	Bytes, AllBytes int64
}

// maxSamples is how many samples are kept: where there are more, every second
// one goes, and from then on they are taken half as often.
const maxSamples = 512

// timeline takes samples.
type timeline struct {
	samples []Sample
	every   time.Duration
}

func (t *timeline) add(s Sample) {
	if t.every == 0 {
		t.every = 50 * time.Millisecond
	}
	if n := len(t.samples); n > 0 && s.At-t.samples[n-1].At < t.every {
		return
	}
	if t.samples = append(t.samples, s); len(t.samples) < maxSamples {
		return
	}
	for i := range maxSamples / 2 {
		t.samples[i] = t.samples[2*i+1]
	}
	t.samples, t.every = t.samples[:maxSamples/2], 2*t.every
}
