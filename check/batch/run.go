package batch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/report"
)

// Ask answers the question of a task. An error says that there is no answer, and is none of
// the question's: the task was interrupted, its process died, or its files are not any longer
// those that its key names. What is wrong with a model is an answer, with exit status 2.
type Ask func(ctx context.Context, t *Task) (*report.Report, error)

// Options of Run.
type Options struct {
	Shard Shard // the zero value is Whole
	Jobs  int   // how many units are asked at a time, 0: one
	// Again says for which exit statuses a result is not kept, but asked for again; nil: none.
	Again func(status int) bool
	// Report is called when a unit is done, one call at a time; it may be nil.
	Report func(Event)
}

// Event is what became of a unit.
type Event struct {
	Task   *Task
	Result *report.Report // nil with Err
	There  bool           // the result was there
	Err    error          // why there is none
	Outcome
}

// Outcome counts units.
type Outcome struct {
	Units  int // of the shard, each question once
	There  int // whose results were there
	Done   int // that were answered
	Failed int // that were asked, and have no result
}

// Left is how many units have no result yet, and were not asked in vain.
func (o Outcome) Left() int { return o.Units - o.There - o.Done - o.Failed }

// Run asks those units of a shard that have no result in the folder. The error is
// budget.ErrInterrupted, or says that the folder cannot be read or written; what was done
// before is kept.
func Run(ctx context.Context, folder *Folder, tasks []*Task, ask Ask, opts Options) (Outcome, error) {
	r := &running{folder: folder, ask: ask, opts: opts}
	ctx, r.cancel = context.WithCancelCause(ctx)
	defer r.cancel(nil)
	if r.opts.Shard == (Shard{}) {
		r.opts.Shard = Whole
	}
	mine := r.opts.Shard.Of(tasks)
	r.outcome.Units = len(mine)
	work := make(chan *Task)
	var team sync.WaitGroup
	for range max(1, min(opts.Jobs, len(mine))) {
		team.Go(func() {
			for t := range work {
				r.unit(ctx, t)
			}
		})
	}
	for _, t := range mine {
		select {
		case work <- t:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(work)
	team.Wait()
	switch err := context.Cause(ctx); {
	case err == nil:
		return r.outcome, nil
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return r.outcome, budget.ErrInterrupted
	default:
		return r.outcome, err
	}
}

type running struct {
	folder  *Folder
	ask     Ask
	opts    Options
	cancel  context.CancelCauseFunc
	mu      sync.Mutex // guards outcome, and calls of opts.Report
	outcome Outcome
}

// unit has a unit done, unless its result is there.
func (r *running) unit(ctx context.Context, t *Task) {
	if ctx.Err() != nil {
		return
	}
	old, err := r.folder.Result(t.Key)
	var damaged *Damaged
	switch {
	case err == nil && (r.opts.Again == nil || !r.opts.Again(old.Report.Exit)):
		r.tell(Event{Task: t, Result: old.Report, There: true})
		return
	case err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.As(err, &damaged):
		r.cancel(err)
		return
	}
	answer, err := r.ask(ctx, t)
	if err == nil && answer.Exit == report.ExitInterrupted {
		err = budget.ErrInterrupted
	}
	switch {
	case ctx.Err() != nil && (err != nil || answer.Exit > report.ExitViolated):
		return // it was interrupted, whatever it says of that
	case err != nil:
		r.tell(Event{Task: t, Err: err})
		return
	}
	if err := r.folder.Store(t, answer); errors.As(err, &damaged) {
		r.tell(Event{Task: t, Err: err})
		return
	} else if err != nil {
		r.cancel(fmt.Errorf("the result of %s cannot be stored: %w", Quote(t.Unit.Words), err))
		return
	}
	r.tell(Event{Task: t, Result: answer})
}

// tell counts what became of a unit, and reports it.
func (r *running) tell(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case e.Err != nil:
		r.outcome.Failed++
	case e.There:
		r.outcome.There++
	default:
		r.outcome.Done++
	}
	if r.opts.Report != nil {
		e.Outcome = r.outcome
		r.opts.Report(e)
	}
}
