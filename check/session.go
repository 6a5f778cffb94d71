package check

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
)

// session is one run of several questions about one model.
type session struct {
	whole context.Context // of all questions
	m     *Model
	asked Verification // for formulas and progress
	r     *report.Report
	// ended is the number, from 1, of a result in r by which runs end in a deadlock or
	// ERROR, as expected; 0 if there is none.
	ended int
	// notes go with the warnings.
	notes []report.Message
	// open is how many questions are still to be asked, for the time that each gets.
	open int
	// ctx and opts.Limits are those of the question that is being asked.
	ctx  context.Context
	opts Options
}

func newSession(ctx context.Context, command string, m *Model, opts Options) *session {
	return &session{whole: ctx, ctx: ctx, m: m, opts: opts, r: &report.Report{Command: command, Model: m.Describe()}}
}

// report ends the session: the warnings about the model go with what was found.
func (s *session) report() *report.Report {
	s.drawModel()
	warnings := s.m.Warnings()
	grave, _ := SplitWarnings(warnings)
	s.r.Grave, s.r.Messages = Messages(grave), append(Messages(warnings), s.notes...)
	return s.r
}

// shareOf is the time that the next of some questions may take of what is left: as much
// as each of them. What it does not need is left to the others. It has leastShare even where
// that is not enough for all: some answers are better than none.
func shareOf(left time.Duration, questions int) time.Duration {
	return min(left, max(leastShare, left/time.Duration(max(questions, 1))))
}

const leastShare = 20 * time.Millisecond

// turn begins the next question, which has its share of the time that is left, until done
// is called.
func (s *session) turn() (done func()) {
	questions := s.open
	s.open--
	deadline, timed := s.whole.Deadline()
	left := time.Until(deadline)
	if !timed || left <= 0 || questions <= 1 {
		return func() {}
	}
	whole := s.opts.Limits.Time
	s.opts.share = shareOf(left, questions).Round(time.Millisecond)
	s.opts.Limits.Time = s.opts.share
	ctx, cancel := context.WithTimeout(s.whole, s.opts.share)
	s.ctx = ctx
	return func() {
		cancel()
		s.ctx, s.opts.share, s.opts.Limits.Time = s.whole, 0, whole
	}
}

// product returns the options of a search for the question that is being asked.
func (s *session) product() product.Options {
	return product.Options{
		Finite: s.asked.Finite, Search: s.asked.Search, Reductions: s.asked.Reductions, Shortest: s.asked.Shortest,
		Limits: s.opts.Limits, Progress: s.opts.Progress,
	}
}

func (s *session) meter() *budget.Meter {
	return budget.New(s.ctx, s.opts.Limits, s.opts.Progress)
}

// add adds a result and its exit status.
func (s *session) add(r report.Result, status int) {
	status = Judge(&r, status)
	s.record(r, status)
}

// record adds a result that was compared with what is expected of it.
func (s *session) record(r report.Result, status int) {
	if !s.opts.Profile {
		r.Profile = nil
	}
	if ends := r.Kind == "deadlock" || r.Kind == "safety"; ends && r.AsExpected != nil && *r.AsExpected && r.Verdict == report.Violated {
		s.ended = len(s.r.Results) + 1
	}
	s.r.Results = append(s.r.Results, r)
	s.r.Exit = report.Worst(s.r.Exit, status)
}

func AddNote(result *report.Result, text string) {
	if result.Note != "" {
		text = result.Note + "; " + text
	}
	result.Note = text
}

// Limited reports whether an error is a limit that was reached, or an interruption, in
// contrast to wrong input.
func Limited(err error) bool {
	var list source.List
	return budget.Stopped(err) || errors.As(err, &list) && list.Limited()
}

// Unknown fills in why a result is unknown and returns the exit status.
func (o *Options) Unknown(r *report.Result, reason error) int {
	r.Verdict, r.Reason, r.Advice = report.Unknown, goErrors.Replace(reason.Error()), o.advise(reason)
	var limit *budget.Exhausted
	if o.share > 0 && errors.As(reason, &limit) && limit.What == "time" && limit.Limit == o.share.String() {
		AddNote(r, "that is its share of the time that was left: other questions were still to be asked")
	}
	if missing, ok := errors.AsType[*explore.LossyStore](reason); ok {
		r.Lossy = &report.Lossy{Store: missing.Store.String(), Coverage: missing.Coverage, Missed: missing.Missed}
	}
	if errors.Is(reason, budget.ErrInterrupted) {
		return report.ExitInterrupted
	}
	return report.ExitUnknown
}

// goErrors says in words what the standard library says of a context: errors of engines, solvers and
// files may end with it.
var goErrors = strings.NewReplacer(context.DeadlineExceeded.Error(), "time limit reached", context.Canceled.Error(), "interrupted")

// Undecided is the result of a check that ended with an error.
func (o *Options) Undecided(r report.Result, err error) (report.Result, int, error) {
	var internal *bug.Error
	var missing *explore.LossyStore
	switch {
	case errors.As(err, &internal):
		r.Verdict, r.Reason = report.Unknown, internal.Error()
		r.Advice = "this is a bug in seltl; please report it with the model"
		return r, report.ExitInternal, nil
	case Limited(err) || errors.As(err, &missing):
		status := o.Unknown(&r, err)
		return r, status, nil
	}
	return r, report.ExitInput, err
}

// NotLoaded is the report of a command ("verify") about a model that could not be
// compiled within the limits, of which err tells.
func NotLoaded(command string, err error, opts Options) *report.Report {
	result := report.Result{Kind: command, Formula: "the model could not be compiled within the limits"}
	r := &report.Report{Command: command, Exit: opts.Unknown(&result, err)}
	r.Results = []report.Result{result}
	return r
}

// Resumable is why a search ended that left a checkpoint, from which it can go on.
type Resumable struct {
	Checkpoint string // the file
	Err        error
}

func (e *Resumable) Error() string { return e.Err.Error() }
func (e *Resumable) Unwrap() error { return e.Err }

// resumable says of an error whether there is a checkpoint to go on from.
func resumable(err error, search *explore.Resources) error {
	if info, e := os.Stat(search.Checkpoint); search.Checkpoint == "" || e != nil || !info.Mode().IsRegular() {
		return err
	}
	return &Resumable{Checkpoint: search.Checkpoint, Err: err}
}

// Inconclusive is why a method that is not complete has no answer.
type Inconclusive struct {
	Reason error
	Method armc.Method
}

func (e *Inconclusive) Error() string { return e.Reason.Error() }
func (e *Inconclusive) Unwrap() error { return e.Reason }

// ErrReached is why progress is not decided: there are no other runs to ask about.
var ErrReached = errors.New("all runs come to ERROR, and make no progress there")
