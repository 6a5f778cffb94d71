package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/cluster/answer"
	"github.com/seltl/seltl/cluster/job"
	"github.com/seltl/seltl/cluster/search"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/report"
)

// waiter waits for the end of a job, says how it goes, and prints the report.
type waiter struct {
	c      *cli.Context
	s      streams
	store  *job.Store
	status func() (job.Status, bool)
	// notice is after how long it is said that a job waits, limit how long that may take; 0:
	// for ever.
	notice, limit time.Duration
	other         string // in what who coordinates differs, "" if in nothing
	line          bool   // a line of progress stands on the terminal
	said          string
	saidAt        time.Time
	nobody        int // how often in a row nobody coordinated
}

// describe names a job for people.
func describe(c *cli.Context, t *search.Task) string {
	q := t.Question
	text := filepath.Base(t.Main)
	for _, d := range c.StringSlice("D") {
		text += " -D " + d
	}
	switch {
	case q.Property != "":
		return text + " property " + q.Property
	case q.Formula != "":
		return fmt.Sprintf("%s %v %q", text, q.Kind, q.Formula)
	}
	return fmt.Sprintf("%s %v", text, q.Kind)
}

// wait waits for a job. When interrupted the job is cancelled; what was explored is
// reported then, too.
func (w *waiter) wait(ctx context.Context, interrupted <-chan struct{}, id string, t *search.Task) error {
	ended := make(chan *job.Record, 1)
	failed := make(chan error, 1)
	go func() {
		r, err := w.store.Await(ctx, id)
		if err != nil {
			failed <- err
			return
		}
		ended <- r
	}()
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	wasInterrupted, ticks := false, 0
	first := time.After(w.notice)
	var patience, unattended <-chan time.Time
	if w.limit > 0 {
		unattended = time.After(w.limit + overdue)
	}
	for {
		select {
		case r := <-ended:
			w.clear()
			return w.show(ctx, r, t, wasInterrupted)
		case err := <-failed:
			w.clear()
			if cause := context.Cause(ctx); cause != nil {
				err = cause
			}
			return err
		case <-interrupted:
			interrupted, wasInterrupted = nil, true
			patience = time.After(4 * job.LeaseTime)
			if err := w.store.Cancel(ctx, id); err != nil {
				return err
			}
		case <-patience:
			fmt.Fprintf(w.s.Err, "seltl-cluster: the job does not end\n")
			return cmdline.ExitError(report.ExitInterrupted)
		case <-unattended:
			if gaveUp, err := w.giveUp(ctx, id, t); gaveUp {
				return err
			}
		case <-first:
			first = nil
			w.look(id, 1)
		case <-ticker.C:
			if ticks++; first == nil {
				w.look(id, ticks)
			}
		}
	}
}

// overdue is how long somebody who coordinates may be late with giving up a job. Tests shorten it.
var overdue = 2 * job.LeaseTime

// giveUp cancels a job that nobody has begun, and reports what somebody would have said.
func (w *waiter) giveUp(ctx context.Context, id string, t *search.Task) (bool, error) {
	r, err := w.store.Job(ctx, id)
	if err == nil && r.State != job.Queued {
		return false, nil
	}
	w.clear()
	if err == nil {
		err = w.store.Cancel(ctx, id)
	}
	if err != nil {
		return true, err
	}
	r.State, r.Outcome = job.Done, &job.Outcome{Ending: job.GaveUp, Reason: fmt.Sprintf("within %s %v", w.limit, job.ErrNobody)}
	return true, w.show(ctx, r, t, false)
}

// look asks how a job stands, and says so.
func (w *waiter) look(id string, ticks int) {
	if w.c.Bool("quiet") {
		return
	}
	s, ok := w.status()
	w.sayWaiting(id, &s, ok)
	lines := w.c.Bool("progress")
	if ok && (lines && ticks%2 == 0 || !lines && isTerminal(w.s.Err)) {
		w.progress(id, &s, lines)
	}
}

// sayWaiting says at once, and then now and then, that a job waits for workers.
func (w *waiter) sayWaiting(id string, s *job.Status, ok bool) {
	text := ""
	if w.nobody++; ok {
		w.nobody = 0
	}
	if w.nobody > 1 {
		text = "waiting: " + job.ErrNobody.Error()
	}
	for i := range s.Jobs {
		if j := &s.Jobs[i]; j.ID == id && j.Waiting {
			text = waiting(j) + others(s)
		}
	}
	if text == w.said && (text == "" || time.Since(w.saidAt) < sayAgain) {
		return
	}
	if w.said, w.saidAt = text, time.Now(); text != "" {
		w.clear()
		fmt.Fprintf(w.s.Err, "seltl-cluster: %s\n", text)
	}
}

// sayAgain is how often it is said that nothing has changed.
const sayAgain = 15 * time.Second

// others says what workers do that a job cannot have.
func others(s *job.Status) string {
	busy, refused := 0, 0
	for i := range s.Workers {
		switch k := &s.Workers[i]; {
		case k.Refused != "":
			refused++
		case k.Job != "":
			busy++
		}
	}
	var texts []string
	if busy > 0 {
		texts = append(texts, fmt.Sprintf("%d busy", busy))
	}
	if refused > 0 {
		texts = append(texts, fmt.Sprintf("%d refused: seltl-cluster status says why", refused))
	}
	if texts == nil {
		return ""
	}
	return " (" + strings.Join(texts, ", ") + ")"
}

// progress says how far a job is, in a line, or in one for each worker, too.
func (w *waiter) progress(id string, s *job.Status, lines bool) {
	w.clear()
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if j.ID != id {
			continue
		}
		text := fmt.Sprintf("%s, round %d: %s, %.0f/s, %.1f MB sent, imbalance %.2f", j.State, j.Round, report.Counted(j.States, "state"), j.Rate, float64(j.SentBytes)/1e6, j.Imbalance)
		if j.Epoch > 1 {
			text += fmt.Sprintf(", attempt %d", j.Epoch)
		}
		if !lines {
			if j.Waiting {
				return // that was said
			}
			w.line = true
			// Cut off at the margin, where a line that goes on would remain.
			fmt.Fprintf(w.s.Err, "\x1b[?7l%s\x1b[?7h", text)
			return
		}
		fmt.Fprintln(w.s.Err, text)
	}
	for i := range s.Workers {
		if k := &s.Workers[i]; k.Job == id {
			fmt.Fprintf(w.s.Err, "  worker %d: %s, %s, %.0f/s, %.1f MB sent, %.0f%% waiting\n", k.Rank, k.Phase, report.Counted(k.States, "state"), k.Rate, float64(k.SentBytes)/1e6, 100*k.Waiting)
		}
	}
}

// clear removes the line of progress.
func (w *waiter) clear() {
	if w.line {
		fmt.Fprint(w.s.Err, "\r\x1b[K")
		w.line = false
	}
}

func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// show prints the report of a job that has ended.
func (w *waiter) show(ctx context.Context, r *job.Record, t *search.Task, interrupted bool) error {
	var res *search.Result
	if o := r.Outcome; o.Ending == job.Answered || o.Ending == job.Cancelled {
		var err error
		if res, err = w.store.Result(ctx, r); err != nil && o.Ending == job.Answered {
			return err
		}
	}
	c, err := t.Compile(ctx, budget.Limits{})
	if err != nil {
		return err
	}
	out, err := answer.Report(c, r, res)
	if err != nil {
		return err
	}
	out.Version = cmdline.VersionText()
	if w.other != "" {
		out.Messages = append(out.Messages, report.Message{Severity: source.Warning.String(), Code: "other-build", Text: w.other})
	}
	if interrupted && len(out.Results) > 0 && out.Results[0].Verdict == report.Unknown {
		out.Exit, out.Results[0].Reason = report.ExitInterrupted, "interrupted"
	}
	if name := w.c.String("details"); name != "" {
		if err := writeDetails(name, r, res); err != nil {
			return err
		}
	}
	if w.c.Bool("json") {
		err = out.JSON(w.s.Out)
	} else {
		if !w.c.Bool("quiet") {
			c.Model.Warnings().Render(w.s.Err)
		}
		err = out.Text(w.s.Out, report.TextOptions{Quiet: w.c.Bool("quiet")})
		if err == nil && res != nil && w.c.Bool("stats") {
			err = answer.Table(w.s.Out, r, res)
		}
	}
	if err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	if r.Outcome.Ending == job.Refused {
		fmt.Fprintf(w.s.Err, "seltl-cluster: %s\n", r.Outcome.Reason)
	}
	if r.Outcome.Ending == job.Failed {
		fmt.Fprintf(w.s.Err, "seltl-cluster: internal error: %s\n    This is a bug, and no verdict. Please report it with your model.\n", strings.TrimPrefix(r.Outcome.Reason, "internal error: "))
	}
	if out.Exit != report.ExitHolds {
		return cmdline.ExitError(out.Exit)
	}
	return nil
}

// writeDetails writes all that is known of a job.
func writeDetails(name string, r *job.Record, res *search.Result) error {
	if res != nil {
		res.Run = nil // it is in the report
	}
	text, err := json.MarshalIndent(struct {
		Job    *job.Record    `json:"job"`
		Result *search.Result `json:"result,omitempty"`
	}{r, res}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(text, '\n'), 0o644)
}
