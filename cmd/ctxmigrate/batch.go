package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"ctxmigrate/translate/batch"
)

const (
	sources = "Sources"
	safety  = "Safety"
	pace    = "Pace"
)

// batchFlags are the flags of batch beside those that it shares with convert.
type batchFlags struct {
	readFlags
	convertFlags
	filesFrom        string
	include, exclude cli.StringSlice
	o                batch.Options
	verify           bool
	jobs, maxMemory  string
	shard            string
	reportDir        string
}

func newBatch(s streams) *cli.Command {
	var f batchFlags
	return &cli.Command{
		Name:      "batch",
		Usage:     "convert archives: files and folders, resumable, with proof",
		ArgsUsage: "--to FORM (--out DIR | --in-place) SOURCE...",
		Description: `Converts every file of the sources, which are files and folders, into files of the
same names in a folder, or in place. Each is written beside its place, synced and
renamed, so that at every instant it is whole, old or new; mode, owner, time of
change and compression stay. A file of which a document is refused is left as it
is, and the others go on. In NDJSON --rejects DIR takes the refused lines out, as
they stand, with a file beside them that says why; the rest of the file goes on. A
line of more than --max-bytes is not held, so that its file is left as it is.

What is done is written into .ctxmigrate-journal.jsonl, in the output folder or, in
place, in the folder of the first source. A second run reads again what the journal
says is done and does what is missing or has changed: so a run that was stopped, in
whatever way, goes on with the same command; --fail-on, and the codes of --report, take in
what was done before. The journal holds names, hashes and counts. ctxmigrate batch undo JOURNAL puts the backups of runs in place back, also
of a run that was killed; it takes --force, --dry-run and --quiet.

--verify, which --in-place has on unless --verify=false is said, proves each
document before anything is replaced: the result is read again, must be as its
form wants it, and must convert back to its source, by itself or with what
--lossless would have kept; and the file is read back from the disk. A document
that cannot be proven leaves its file as it is.

Links: one to a folder is followed, each folder once; in place one to a file stays,
and what it leads to is replaced. A file with several hard links gets a new one;
the other names keep the old content, and that is said. A file that is a mount
point cannot be replaced, and is left. Read-only files are left, but with
--read-only. What lies in the folders that are written to is never a source, nor
are backups. Files that change while they are read are left.

Interrupted once, the run finishes the files in hand, or gives a large one up, and
says how to go on; interrupted twice, it stops at once.

` + statuses + `  130  interrupted
`,
		UsageText: `
ctxmigrate batch --to 0.2.0 answers --out converted
ctxmigrate batch --to 0.2.0 answers --in-place --backup .v01
ctxmigrate batch undo answers/.ctxmigrate-journal.jsonl

# what would happen, with a report to look at
ctxmigrate batch --to 0.2.0 answers --out converted --dry-run --report report

# logs of which bad lines are put aside
ctxmigrate batch --to askable logs --include '*.ndjson.gz' --out packets --rejects bad

# the second of five machines on one storage
ctxmigrate batch --to 0.2.0 answers --out converted --shard 2/5

# files by a list; each keeps the folders of its name
find answers -name '*.json' -print0 | ctxmigrate batch --to 0.2.0 --files-from - --out converted`,
		Flags: f.flags(),
		Action: func(c *cli.Context) error {
			args := c.Args().Slice()
			if len(args) > 0 && args[0] == "undo" {
				return undoBatch(c, s, &f, args[1:])
			}
			if err := f.check(c, s, args); err != nil {
				return err
			}
			return runBatch(s, &f)
		},
	}
}

func (f *batchFlags) flags() []cli.Flag {
	o := &f.o
	reading := leave(f.readFlags.reading(), "keep-going", "jobs")
	telling := leave(f.readFlags.telling(), "report")
	return join(f.convertFlags.forms(), []cli.Flag{
		&cli.StringFlag{Name: "files-from", Category: sources, Destination: &f.filesFrom,
			Usage: "more sources from the list `FILE`, or - for standard input: names on lines, or with NUL behind each as find -print0 gives them"},
		&cli.StringSliceFlag{Name: "include", Category: sources, Destination: &f.include,
			Usage: "of folders take only files that match the `GLOB`, as in *.json or logs/**/*.gz; without a slash it is about the last name alone; may be given several times"},
		&cli.StringSliceFlag{Name: "exclude", Category: sources, Destination: &f.exclude,
			Usage: "leave files and folders out that match the `GLOB`"},
		&cli.StringFlag{Name: "shard", Category: sources, Destination: &f.shard,
			Usage: "do the part `I/N` of all files, which their names decide on: N runs do all, without knowing of each other; a run without it goes on where they are"},
	}, reading, []cli.Flag{
		&cli.StringFlag{Name: "out", Aliases: []string{"o"}, Category: writing, Destination: &o.Out,
			Usage: "write into the folder `DIR`: of one folder its files, of several sources each under its name"},
		&cli.BoolFlag{Name: "in-place", Category: writing, Destination: &o.InPlace,
			Usage: "replace each file; wants --backup or --no-backup"},
		&cli.StringFlag{Name: "backup", Category: writing, Destination: &o.Backup,
			Usage: "keep each old file under its name with `SUFFIX` added"},
		&cli.BoolFlag{Name: "no-backup", Category: writing, Destination: &o.NoBackup,
			Usage: "keep no old file"},
		&cli.StringFlag{Name: "rejects", Category: writing, Destination: &o.Rejects,
			Usage: "in NDJSON put refused lines into files of the folder `DIR`, and why they are refused into others beside them; the rest goes on"},
		&cli.StringFlag{Name: "state", Category: writing, Destination: &o.State,
			Usage: "keep the journal in the folder `DIR`"},
	}, []cli.Flag{
		&cli.BoolFlag{Name: "verify", Category: safety, Destination: &f.verify,
			Usage: "prove each document before anything is written or replaced; on with --in-place, unless --verify=false"},
		&cli.BoolFlag{Name: "dry-run", Category: safety, Destination: &o.DryRun,
			Usage: "do everything but write, and report the same"},
		&cli.BoolFlag{Name: "overwrite", Category: safety, Destination: &o.Overwrite,
			Usage: "replace files in the output that are there and hold something else"},
		&cli.BoolFlag{Name: "read-only", Category: safety, Destination: &o.ReadOnly,
			Usage: "replace files that are read-only, too"},
		&cli.BoolFlag{Name: "force", Category: safety, Destination: &o.Force,
			Usage: "do again what the journal says is done; of undo: put backups back over files that were changed since"},
	}, []cli.Flag{
		&cli.StringFlag{Name: "jobs", Aliases: []string{"j"}, Category: pace, Destination: &f.jobs,
			Usage: "`N` workers; as many as processors unless given; what is written is the same with any number"},
		&cli.StringFlag{Name: "max-memory", Category: pace, Destination: &f.maxMemory,
			Usage: "hold documents in hand to about `N` bytes; K, M and G are understood; a document that needs more is worked on alone; without it memory is about that of the largest documents times the workers"},
	}, f.convertFlags.converting(), telling, []cli.Flag{
		&cli.StringFlag{Name: "report", Category: "What is told", Destination: &f.reportDir,
			Usage: "write report.json and report.html into the folder `DIR`: counts by form, code, type word and role, and every refused document"},
	})
}

// leave is a list of flags without some.
func leave(flags []cli.Flag, names ...string) (kept []cli.Flag) {
	for _, f := range flags {
		keep := true
		for _, n := range names {
			keep = keep && f.Names()[0] != n
		}
		if keep {
			kept = append(kept, f)
		}
	}
	return kept
}

// check looks at the values of the flags and makes options of them.
func (f *batchFlags) check(c *cli.Context, s streams, args []string) (err error) {
	if f.to == "" {
		return usageError{text: "batch to which form? --to takes 0.1, 0.2.0 or askable"}
	}
	if err := f.readFlags.check(); err != nil {
		return err
	}
	if err := f.convertFlags.check(&f.readFlags); err != nil {
		return err
	}
	o := &f.o
	o.To, o.Convert, o.FileTime = f.toForm, f.options, f.fileTime
	if f.timestamp == "now" {
		o.Convert.Timestamp = batch.PresentTime
	}
	if c.IsSet("ndjson") {
		o.Lines = &f.ndjson
	}
	o.AllowEmpty = f.allowEmpty
	o.Include, o.Exclude = f.include.Value(), f.exclude.Value()
	o.Verify = f.verify || o.InPlace && !c.IsSet("verify")
	o.Words = f.reportDir != ""
	o.Program = version()
	for _, check := range []func() error{f.checkPace, f.checkShard, f.checkSetting} {
		if err := check(); err != nil {
			return err
		}
	}
	for _, a := range args {
		if a == "" {
			return usageError{text: "a file name is empty"}
		}
		if a == "-" {
			return usageError{"batch reads files; convert reads standard input", "A file of the name - is ./-."}
		}
		o.Sources = append(o.Sources, a)
	}
	if f.filesFrom != "" {
		if o.Listed, err = listed(f.filesFrom, s.stdin); err != nil {
			return err
		}
		if len(o.Listed)+len(o.Sources) == 0 {
			return toldEmpty(s, f)
		}
	}
	return nil
}

// toldEmpty says that a list names nothing.
func toldEmpty(s streams, f *batchFlags) error {
	if f.allowEmpty {
		return toldError(statusDone)
	}
	fmt.Fprintf(s.stderr, "ctxmigrate: %s: there is no name in the list\n", printable(f.filesFrom))
	return toldError(statusEmpty)
}

func (f *batchFlags) checkPace() (err error) {
	if f.o.Jobs, err = count("jobs", f.jobs, 1<<12); err != nil {
		return err
	}
	n, err := count("max-memory", f.maxMemory, 1<<50)
	f.o.MaxMemory = int64(n)
	return err
}

func (f *batchFlags) checkShard() error {
	if f.shard == "" {
		return nil
	}
	part, of, _ := strings.Cut(f.shard, "/")
	var err1, err2 error
	f.o.Shard, err1 = strconv.Atoi(part)
	f.o.Shards, err2 = strconv.Atoi(of)
	if err1 != nil || err2 != nil || f.o.Shard < 1 || f.o.Shard > f.o.Shards {
		return usageError{text: fmt.Sprintf("--shard takes I/N as in 2/5, not %q", f.shard)}
	}
	return nil
}

// checkSetting gathers what decides on the bytes that are written beside the
// options of the conversion.
func (f *batchFlags) checkSetting() error {
	f.o.Setting = string(f.mapText)
	if f.at != "" {
		f.o.Setting += "\x00" + f.at
		path, depth := f.at, f.maxDepthOpt
		f.o.NewRecord = func() batch.Record { return &batchRecord{record{path: path, maxDepth: depth}} }
	}
	return nil
}
