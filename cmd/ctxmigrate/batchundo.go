package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"ctxmigrate/translate/batch"
)

// undoFlags are the flags of batch that batch undo takes.
var undoFlags = [...]string{"force", "dry-run", "quiet"}

// undoBatch puts the backups of a journal back.
func undoBatch(c *cli.Context, s streams, f *batchFlags, args []string) error {
	for _, flag := range c.Command.Flags {
		if name := flag.Names()[0]; c.IsSet(name) && !slices.Contains(undoFlags[:], name) {
			return usageError{fmt.Sprintf("batch undo has no flag --%s; it takes --force, --dry-run and --quiet", name), "A folder of the name undo is ./undo."}
		}
	}
	if len(args) != 1 {
		return usageError{"batch undo takes the journal of a run in place", "A folder of the name undo is ./undo."}
	}
	o := batch.UndoOptions{Force: f.o.Force, DryRun: f.o.DryRun, Failed: func(path string, err error) {
		fmt.Fprintf(s.stderr, "ctxmigrate: %s: %s\n", printable(path), printable(reason(err)))
	}}
	u, err := batch.Undo(context.Background(), args[0], o)
	if err != nil {
		return readError(args[0], err)
	}
	if !f.quiet {
		dry := ""
		if o.DryRun {
			dry = "dry run: "
		}
		fmt.Fprintf(s.stderr, "ctxmigrate: %s%d files put back, %d were before, %d left as they are\n", dry, u.Restored, u.Before, u.Failed)
	}
	if u == (batch.Undone{}) && !f.quiet {
		fmt.Fprintln(s.stderr, "ctxmigrate: the journal tells of no file that was replaced in place and is to be put back")
	}
	if u.Unbacked > 0 {
		fmt.Fprintf(s.stderr, "ctxmigrate: %d files were replaced without a backup (--no-backup) and cannot be put back\n", u.Unbacked)
	}
	if u.Failed+u.Unbacked > 0 {
		return toldError(statusFailed)
	}
	return nil
}
