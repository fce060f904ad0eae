package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"ctxmigrate/translate"
	"ctxmigrate/translate/diag"
)

// The groups of flags, as help shows them.
const (
	reading    = "Reading"
	writing    = "Writing"
	converting = "Converting"
	telling    = "What is told"
)

// readFlags are the flags of every command that reads documents.
type readFlags struct {
	ndjson                   bool
	keepGoing, allowEmpty    bool
	at                       string
	maxDepth, maxBytes       string
	pretty, compact          bool
	output                   string
	report, failOn           string
	quiet                    bool
	threshold                diag.Severity // of failOn, where it is given
	maxDepthOpt, maxBytesOpt int
	jobs                     string
	jobsOpt                  int
	mapping                  string // the path of a mapping file, which is read beside the documents
}

// read are the inputs that are read, with the mapping file.
func (f *readFlags) read(list []input) []input {
	if f.mapping == "" {
		return list
	}
	return append(slices.Clip(list), input{name: f.mapping, path: f.mapping})
}

func (f *readFlags) reading() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "ndjson", Category: reading, Destination: &f.ndjson,
			Usage: "a newline ends a document, so that one bad line costs one line; implied by the names .ndjson and .jsonl, also with .gz or .zst behind"},
		&cli.StringFlag{Name: "at", Category: reading, Destination: &f.at,
			Usage: "each document is a record that holds the answer at the gjson `PATH`, as an object or as a string of JSON; only that is replaced, every other byte stays; it names one place, as in result.contents.0.text, and a record without it is refused"},
		&cli.BoolFlag{Name: "keep-going", Category: reading, Destination: &f.keepGoing,
			Usage: "after a refused document go on with the next line (--ndjson) or the next file; --output is then written with what was converted"},
		&cli.BoolFlag{Name: "allow-empty", Category: reading, Destination: &f.allowEmpty,
			Usage: "an input without any document is no failure"},
		&cli.StringFlag{Name: "jobs", Category: reading, Destination: &f.jobs,
			Usage: "work on `N` documents at a time where newlines end documents (see --ndjson); 1 unless given; what is written is the same"},
		&cli.StringFlag{Name: "max-depth", Category: reading, Destination: &f.maxDepth,
			Usage: "refuse documents of more than `N` levels of JSON, as read or as written; 10000 unless given"},
		&cli.StringFlag{Name: "max-bytes", Category: reading, Destination: &f.maxBytes,
			Usage: "refuse documents of more than `N` bytes, after decompression; 256M unless given; K, M and G are understood"},
	}
}

func (f *readFlags) writing() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Category: writing, Destination: &f.output,
			Usage: "write to `FILE`, which is made or replaced only when the whole run has succeeded, and may be an input too"},
		&cli.BoolFlag{Name: "pretty", Category: writing, Destination: &f.pretty,
			Usage: "indent, as is done on a terminal; from level 64 on no deeper"},
		&cli.BoolFlag{Name: "compact", Category: writing, Destination: &f.compact,
			Usage: "one document a line, on a terminal too"},
	}
}

func (f *readFlags) telling() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "report", Category: telling, Destination: &f.report,
			Usage: "write every diagnostic to `FILE`, one JSON object a line with file, record, line, column, offset, code, severity, pointer and message"},
		&cli.BoolFlag{Name: "quiet", Category: telling, Destination: &f.quiet,
			Usage: "only errors on stderr, without the counts at the end"},
		&cli.StringFlag{Name: "fail-on", Category: telling, Destination: &f.failOn,
			Usage: "exit with status 3 if there was a diagnostic of this `SEVERITY` or a graver one: loss; warning, which counts losses too; or note, which counts everything"},
	}
}

var errReportThere = usageError{text: "--report takes the name of a file; standard output is for the documents"}

// check looks at the values of the flags.
func (f *readFlags) check() (err error) {
	if f.pretty && f.compact {
		return usageError{text: "--pretty and --compact exclude each other"}
	}
	if f.pretty && f.at != "" {
		return usageError{"--pretty cannot be had with --at, which leaves the record as it is", "Use --query to look at the answer alone."}
	}
	if f.report == "-" {
		return errReportThere
	}
	if f.failOn != "" {
		var ok bool
		if f.threshold, ok = diag.ParseSeverity(f.failOn); !ok || f.threshold == diag.Error {
			return usageError{text: fmt.Sprintf("--fail-on takes loss, warning or note, not %q", f.failOn)}
		}
	}
	if f.maxDepthOpt, err = count("max-depth", f.maxDepth, 1<<30); err != nil {
		return err
	}
	if f.maxBytesOpt, err = count("max-bytes", f.maxBytes, math.MaxInt32); err != nil {
		return err
	}
	if f.jobsOpt, err = count("jobs", f.jobs, 1024); err != nil {
		return err
	}
	f.jobsOpt = max(1, f.jobsOpt)
	if f.maxBytesOpt == 0 {
		f.maxBytesOpt = translate.DefaultMaxBytes
	}
	if f.at != "" {
		return checkAt(f.at)
	}
	return nil
}

// count reads a number that counts something, 0 where the flag is not given.
func count(flag, s string, most int) (int, error) {
	if s == "" {
		return 0, nil
	}
	digits, shift := s, 0
	if i := strings.IndexByte("KMG", s[len(s)-1]&^0x20); i >= 0 {
		digits, shift = s[:len(s)-1], 10*(i+1)
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || n > most>>shift {
		return 0, usageError{text: fmt.Sprintf("--%s takes a number from 1 to %d, with K, M or G behind it or not, not %q", flag, most, s)}
	}
	return n << shift, nil
}
