package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"ctxmigrate/translate/batch"
	"ctxmigrate/translate/diag"
)

const statusInterrupted = 128 + int(syscall.SIGINT)

// runBatch runs a batch and tells what it did.
func runBatch(s streams, f *batchFlags) error {
	o := &f.o
	o.Now = time.Now
	if o.MaxMemory > 0 {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(o.MaxMemory))
	}
	show := newDisplay(s.stderr, f.quiet, terminal(s.stderr))
	o.Progress = show.progress
	out, err := newBatchReport(f.reportDir, o)
	if err != nil {
		return err
	}
	if f.reportDir != "" {
		o.Leave = append(o.Leave, f.reportDir)
	}
	o.Refused = func(r batch.Refusal) {
		show.clear()
		if r.Record == 0 {
			fmt.Fprintf(s.stderr, "ctxmigrate: %s: %s (%s)\n", printable(r.File), printable(r.Message), r.Code)
		} else {
			s.tell(r.File, finding{r.Code, r.Severity, r.Place, r.Pointer, r.Message})
		}
		out.refused(r)
	}
	ctx, stop := interrupts(s.stderr, show)
	defer stop()
	sum, err := batch.Run(ctx, *o)
	show.end()
	var wrong *batch.UsageError
	if errors.As(err, &wrong) {
		out.drop()
		return usageError{text: printable(wrong.Text)}
	}
	if e := out.close(sum); e != nil && err == nil {
		err = e
	}
	return f.told(s, sum, err)
}

// interrupts ends the context that it answers at the first interrupt, and the
// program at the second.
func interrupts(stderr io.Writer, show *display) (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	c := make(chan os.Signal, 2)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	go func() {
		if _, ok := <-c; !ok {
			return
		}
		show.say(stderr, "ctxmigrate: finishing what is in hand; interrupt again to stop at once\n")
		cancel()
		if _, ok := <-c; ok {
			os.Exit(statusInterrupted)
		}
	}()
	return ctx, func() {
		signal.Stop(c)
		close(c)
		cancel()
	}
}

// told tells what a run did, and answers how it went.
func (f *batchFlags) told(s streams, sum *batch.Summary, err error) error {
	if !f.quiet {
		totals := sum.Codes
		s.summary(&totals)
		fmt.Fprintln(s.stderr, "ctxmigrate: "+f.sentence(sum))
		if sum.HardLinks > 0 {
			fmt.Fprintf(s.stderr, "ctxmigrate: %d files have other names (hard links), which keep the old content\n", sum.HardLinks)
		}
	}
	if sum.Interrupted {
		fmt.Fprintln(s.stderr, "ctxmigrate: interrupted; the same command goes on from here")
	}
	found := f.failOn != "" && (foundIn(&sum.Codes, f.threshold) || foundIn(&sum.Before.Codes, f.threshold))
	if found {
		fmt.Fprintf(s.stderr, "ctxmigrate: --fail-on %s found something\n", f.failOn)
	}
	if lost := sum.Documents.Lost(); lost != 0 && err == nil {
		err = fmt.Errorf("%d documents cannot be accounted for; this is a fault of ctxmigrate: keep the sources", lost)
	}
	switch {
	case err != nil:
		return err
	case sum.Interrupted:
		return toldError(statusInterrupted)
	case sum.Files.Failed > sum.Files.Empty || sum.Documents.Refused+sum.Before.Rejected > 0:
		return toldError(statusFailed)
	case sum.Files.Empty > 0:
		return toldError(statusEmpty)
	case found:
		return toldError(statusFound)
	case sum.Files.Found == 0 && f.o.Shards <= 1 && !f.allowEmpty:
		fmt.Fprintln(s.stderr, "ctxmigrate: there is no file in the sources")
		return toldError(statusEmpty)
	}
	return nil
}

// sentence sums a run up.
func (f *batchFlags) sentence(sum *batch.Summary) string {
	files, docs := &sum.Files, &sum.Documents
	text := fmt.Sprintf("%d of %d files converted, %d already done, %d left as they are; ", files.Converted, files.Found, files.Already, files.Failed)
	if f.o.DryRun {
		text = "dry run: " + text
	}
	text += fmt.Sprintf("%d documents, ", docs.Written)
	if f.o.Verify {
		text += fmt.Sprintf("%d verified, ", docs.Verified)
	}
	if docs.Rejected > 0 {
		text += fmt.Sprintf("%d rejected, ", docs.Rejected)
	}
	if b := sum.Before; b.Files > 0 {
		text += fmt.Sprintf("%d done before", b.Documents)
		if b.Verified > 0 {
			text += fmt.Sprintf(" (%d verified)", b.Verified)
		}
		if b.Rejected > 0 {
			text += fmt.Sprintf(" and %d rejected", b.Rejected)
		}
		text += ", "
	}
	if docs.Left > 0 {
		text += fmt.Sprintf("%d left in their files, ", docs.Left)
	}
	return text + fmt.Sprintf("%d lost", docs.Lost())
}

// foundIn reports whether there was a diagnostic of a severity or a graver one
// that is no error.
func foundIn(counts *[diag.NumCodes]int, least diag.Severity) bool {
	for i, n := range counts {
		if sev := diag.Code(i).Severity(); n > 0 && sev >= least && sev != diag.Error {
			return true
		}
	}
	return false
}
