package batch

import (
	"context"
	"errors"
	"io"
	"math"
	"path/filepath"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/semaphore"

	"ctxmigrate/translate/diag"
	"ctxmigrate/translate/stream"
)

// Run converts all sources and says what it did. Where the context ends, the
// files in hand are finished, but for a large one, and the rest is left for
// another run. The error is a *UsageError or a *BusyError where nothing was
// begun; another one where the run could not go on. Files and documents that fail
// are no error: the Summary counts them.
func Run(ctx context.Context, o Options) (*Summary, error) {
	r := &run{ctx: ctx, o: o, sum: &Summary{Words: map[string]*Word{}, Roles: map[string]int{}}}
	if err := r.o.check(); err != nil {
		return r.sum, err
	}
	if r.o.Now != nil {
		r.sum.Start = r.o.Now()
	}
	err := r.all()
	if r.o.Now != nil {
		r.sum.Elapsed = r.o.Now().Sub(r.sum.Start)
		r.sum.Timeline = append(r.times.samples, Sample{r.sum.Elapsed, r.sum.Documents.Read, r.sum.Read})
	}
	return r.sum, err
}

// run is one run.
type run struct {
	ctx     context.Context
	o       Options
	sum     *Summary
	key     string
	journal *journal
	times   timeline
	bytes   int64 // of all items

	// of what hands out tasks
	items  []item
	file   *work // a large file that is cut into chunks
	in     stream.Reader
	budget *semaphore.Weighted

	// of what takes them
	packs packers
	fatal error       // why the run cannot go on
	stop  atomic.Bool // there is a fatal error
}

func (r *run) all() (err error) {
	if r.items, err = r.o.plan(); err != nil {
		return err
	}
	if !slices.ContainsFunc(r.items, func(it item) bool { return it.err == nil }) {
		r.o.DryRun = true // there is nothing to write, so nothing is made, not even a journal
	}
	if r.journal, err = r.o.openJournal(); err != nil {
		return err
	}
	defer func() {
		if e := r.journal.close(); err == nil {
			err = e
		}
	}()
	r.key = r.o.key()
	if err := r.begin(); err != nil {
		return err
	}
	if r.o.MaxMemory > 0 {
		r.budget = semaphore.NewWeighted(r.o.MaxMemory)
	}
	workers := make([]*worker, r.o.jobs())
	for i := range workers {
		workers[i] = r.o.newWorker()
	}
	stream.Ordered(len(workers), r.next, func(k int, t *task) { workers[k].do(t) }, r.done)
	r.sum.Interrupted = r.sum.Interrupted || len(r.items) > 0 && r.ctx.Err() != nil
	r.progress(nil)
	return r.fatal
}

// begin fixes what the present time is, and says in the journal that a run begins.
func (r *run) begin() error {
	r.sum.Files.Found = len(r.items)
	r.sum.Journal = r.journal.path
	for _, it := range r.items {
		r.bytes += it.size
	}
	now, err := r.journal.begin(r.key, r.o.Program, r.sum.Start)
	if err != nil {
		return err
	}
	if r.o.Convert.Timestamp == PresentTime {
		if now == "" {
			return usage("the present time is not known; give Options.Now")
		}
		r.o.Convert.Timestamp = now
	}
	return nil
}

func (w *worker) do(t *task) {
	switch {
	case t.whole:
		w.file(t.f)
	case t.f != nil:
		w.chunk(t)
	}
}

// next hands out a task.
func (r *run) next(t *task) bool {
	t.reset()
	if r.file != nil {
		r.chunk(t)
		return true
	}
	if len(r.items) == 0 || r.ctx.Err() != nil || r.stop.Load() {
		return false
	}
	it := r.items[0]
	r.items = r.items[1:]
	t.f = &work{o: &r.o, ctx: r.ctx, it: it, key: r.key, journal: r.journal}
	t.f.known = r.journal.known(it.name, r.key)
	if it.err != nil || !it.large() || !r.o.lines(it.path) || r.o.jobs() == 1 {
		t.whole = true
		t.weight = r.weigh(it.size)
	} else if r.openLarge(t) {
		r.chunk(t)
	}
	return true
}

// openLarge opens a file that is to be cut into chunks. It answers false where it
// is done with it.
func (r *run) openLarge(t *task) bool {
	f := t.f
	t.last = true
	if f.err = f.open(); f.err != nil {
		return false
	}
	done, err := f.done()
	if done || err != nil {
		if f.err = err; done {
			f.before = f.known
		}
		return false
	}
	t.last = false
	r.file = f
	r.in.Reset(f, r.o.cut(true))
	return true
}

// chunk cuts the next chunk.
func (r *run) chunk(t *task) {
	f := r.file
	t.f = f
	r.in.Chunk(&t.text, chunkSize, false)
	var fault *stream.Error
	if errors.As(t.text.Err, &fault) && fault.Code == diag.TooLarge {
		t.last = false
	} else {
		t.last = t.text.Err != nil
	}
	if !t.last && (f.dead.Load() || r.stop.Load() || r.ctx.Err() != nil) {
		t.last = true
		if t.text.Err = r.ctx.Err(); t.text.Err == nil {
			t.text.Err = errStopped
		}
	}
	if t.last {
		f.records = r.in.Records()
		r.file = nil
	}
	t.weight = r.weigh(int64(t.text.Size()))
}

// The memory that documents in hand take is about this often the size of their
// text: they are there as they were read, as a model and as written, and with
// proofs several times.
const (
	memoryFactor       = 6
	memoryFactorProven = 10
	packedFactor       = 8 // what a compressed file holds, about, of its size
)

// weigh waits until there is memory for so much text, and answers how much was
// taken of it.
func (r *run) weigh(size int64) int64 {
	if r.budget == nil {
		return 0
	}
	n := int64(memoryFactor)
	if r.o.Verify {
		n = memoryFactorProven
	}
	weight := min(max(size, 1<<16), math.MaxInt64/n) * n
	weight = min(weight, r.o.MaxMemory)
	r.budget.Acquire(context.Background(), weight) // which ends when the tasks before this one have
	return weight
}

// errStopped is why a file is left as it was in the middle of which the run could
// not go on.
var errStopped = errors.New("the run could not go on")

// done takes a task. Its errors end the run, but not before all work in hand is
// done.
func (r *run) done(t *task, _ bool) error {
	f := t.f
	if r.budget != nil {
		defer r.budget.Release(t.weight)
	}
	if !t.whole && f.file != nil && f.before == nil {
		r.gather(t)
	}
	if !t.whole && !t.last {
		r.progress(f)
		return nil
	}
	f.close()
	if err := r.account(f); err != nil && r.fatal == nil {
		r.fatal = err
		r.stop.Store(true)
	}
	r.progress(nil)
	return nil
}

// gather takes a chunk.
func (r *run) gather(t *task) {
	f := t.f
	f.take(&r.packs, t.out, &t.tally)
	var fault *stream.Error
	switch {
	case errors.As(t.text.Err, &fault):
		f.fault(fault)
	case t.text.Err != nil && t.text.Err != io.EOF && f.err == nil:
		f.err = t.text.Err
	}
	if f.err != nil && f.err != errRefused {
		f.dead.Store(true)
	}
	if t.last {
		f.finish(&r.packs)
	}
}

// account adds a file to the summary and, where its target is in place, to the
// journal.
func (r *run) account(f *work) error {
	s, t := r.sum, &f.tally
	if f.info != nil {
		s.Read += f.info.Size()
	}
	if f.before != nil {
		s.Files.Already++
		s.Before.Files++
		s.Before.Documents += f.before.Docs
		s.Before.Verified += f.before.Verified
		s.Before.Rejected += f.before.Rejected
		for name, n := range f.before.Codes {
			if code, ok := diag.ParseCode(name); ok {
				s.Before.Codes[code] += n
			}
		}
		if f.before.Intent && !r.o.DryRun { // of a run that was killed before it could say so
			done := *f.before
			done.Intent = false
			return r.journal.add(done, filepath.Dir(r.o.target(f.it)))
		}
		return nil
	}
	if f.err == errStopped || errors.Is(f.err, context.Canceled) || errors.Is(f.err, context.DeadlineExceeded) {
		s.Interrupted = s.Interrupted || f.err != errStopped
		s.Read -= f.info.Size()
		return nil
	}
	d := &s.Documents
	d.Read += f.records
	d.Refused += t.refused
	if f.err != nil {
		return r.failed(f)
	}
	for i, n := range t.codes {
		s.Codes[i] += n
	}
	for i, n := range t.forms {
		s.Forms[i] += n
	}
	all := words{s.Words, s.Roles}
	all.add(&t.words)
	d.Written += t.written
	d.Verified += t.verified
	d.Withheld += t.withheld
	if f.rejecting {
		d.Rejected += t.refused
	}
	s.Written += f.wrote
	if s.Files.Converted++; f.already {
		s.Files.Already++
		s.Files.Converted--
	}
	if f.broke {
		s.HardLinks++
	}
	r.tell(t.refusals)
	if r.o.DryRun {
		return nil
	}
	return r.journal.add(f.entry, f.dir)
}

// failed counts a file that is left as it was. What will meet every other file,
// too, ends the run.
func (r *run) failed(f *work) error {
	s := r.sum
	s.Files.Failed++
	s.Documents.Left += f.records
	if f.err == errEmpty {
		s.Files.Empty++
	}
	for i := range f.tally.refusals {
		f.tally.refusals[i].Rejected = false
	}
	r.tell(f.tally.refusals)
	if f.err != errRefused {
		code := diag.OutputFailed
		if f.info == nil || f.err == errEmpty {
			code = diag.InputFailed
		}
		s.Codes[code]++
		r.tell([]Refusal{{File: f.it.path, Finding: Finding{Code: code, Severity: diag.Error,
			Place: stream.Place{Line: 1, Column: 1}, Message: reason(f.err)}}})
	}
	if exhausted(f.err) {
		return f.err
	}
	return nil
}

func (r *run) tell(list []Refusal) {
	for _, one := range list {
		if one.Record > 0 {
			r.sum.Codes[one.Code]++
		}
		if r.o.Refused != nil {
			r.o.Refused(one)
		}
	}
}
