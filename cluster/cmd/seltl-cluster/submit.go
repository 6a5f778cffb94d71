package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/cluster/job"
)

func submitCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:      "submit",
		Usage:     "ask those who work for a coordinator; prints the answer, or the job's name with --detach",
		ArgsUsage: "MODEL [FORMULA]",
		Description: `An interruption cancels the job.

EXAMPLES
   seltl-cluster submit model.lks --workers 64 --memory 20G --checkpoint 20 --deadlock
   seltl-cluster submit model.lks --detach --count
   seltl-cluster status`,
		Flags: concat(questionFlags(), jobFlags(), outputFlags(), accessFlags(), []cli.Flag{
			&cli.DurationFlag{Name: "wait", Usage: "answer unknown if there are too few workers for `TIME`; 0: wait for them"},
			&cli.BoolFlag{Name: "detach", Usage: "do not wait for the answer: status JOB prints it"},
		}),
		Action: func(c *cli.Context) error { return submit(c, s) },
	}
}

func submit(c *cli.Context, s streams) error {
	o, err := options(c)
	if err != nil {
		return err
	}
	if o.Wait = c.Duration("wait"); o.Wait < 0 {
		return usagef("--wait %v: a time is needed, such as 10m, or 0", o.Wait)
	}
	t, err := task(c, s)
	if err != nil {
		return err
	}
	nc, store, err := open(c, "submit")
	if err != nil {
		return err
	}
	defer nc.Close()
	r, err := store.Submit(c.Context, describe(c, t), t, o)
	if err != nil {
		return err
	}
	if c.Bool("detach") {
		fmt.Fprintln(s.out, r.ID)
		return nil
	}
	ctx := context.WithoutCancel(c.Context)
	w := &waiter{c: c, s: s, store: store, notice: time.Second / 4, limit: o.Wait, status: func() (job.Status, bool) {
		within, cancel := context.WithTimeout(ctx, 2*time.Second)
		defer cancel()
		st, err := job.AskStatus(within, nc)
		return st, err == nil
	}}
	return w.wait(ctx, c.Context.Done(), r.ID, t)
}

func statusCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:      "status",
		Usage:     "show workers and jobs; of a JOB that is not over, it and its workers, of one that has ended, its answer",
		ArgsUsage: "[JOB]",
		Flags:     concat(accessFlags(), outputFlags()),
		Action:    func(c *cli.Context) error { return status(c, s) },
	}
}

func status(c *cli.Context, s streams) error {
	if c.Args().Len() > 1 {
		return usagef("unexpected argument %q: one job at a time", c.Args().Get(1))
	}
	nc, store, err := open(c, "status")
	if err != nil {
		return err
	}
	defer nc.Close()
	id := c.Args().First()
	if id != "" {
		r, err := store.Job(c.Context, id)
		if err != nil {
			return err
		}
		if r.State == job.Done {
			return ended(c, s, store, r)
		}
	}
	st, err := job.AskStatus(c.Context, nc)
	if err != nil && !errors.Is(err, job.ErrNobody) {
		return err
	}
	nobody := err != nil
	records, err := store.Jobs(c.Context)
	if err != nil {
		return err
	}
	if id != "" {
		st, records = only(id, st, records)
	}
	if c.Bool("json") {
		st.Workers, st.Jobs = listed(st.Workers), listed(st.Jobs)
		e := json.NewEncoder(s.out)
		e.SetIndent("", "  ")
		return e.Encode(struct {
			job.Status
			Records []*job.Record `json:"records"`
		}{st, listed(records)})
	}
	if nobody {
		fmt.Fprintln(s.out, job.ErrNobody)
	}
	return showStatus(s, &st, records)
}

// listed is a list that JSON has as [] and not as null where it is empty.
func listed[T any](list []T) []T { return append([]T{}, list...) }

// only leaves of a status what is about one job.
func only(id string, st job.Status, records []*job.Record) (job.Status, []*job.Record) {
	st.Workers = slices.DeleteFunc(st.Workers, func(w job.WorkerStatus) bool { return w.Job != id })
	st.Jobs = slices.DeleteFunc(st.Jobs, func(j job.JobStatus) bool { return j.ID != id })
	return st, slices.DeleteFunc(records, func(r *job.Record) bool { return r.ID != id })
}

// ended prints the answer of a job that has one.
func ended(c *cli.Context, s streams, store *job.Store, r *job.Record) error {
	t, err := store.Task(c.Context, r.ID)
	if err != nil {
		return err
	}
	if _, err := t.Compile(c.Context, budget.Limits{}); err != nil {
		return err
	}
	w := &waiter{c: c, s: s, store: store}
	return w.show(c.Context, r, t, false)
}

func showStatus(s streams, st *job.Status, records []*job.Record) error {
	w := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "WORKER\tWHERE\tJOB\tRANK\tPHASE\tSTATES\tPER SECOND\tSENT MB\tWAITING")
	for i := range st.Workers {
		k := &st.Workers[i]
		what := fmt.Sprintf("%s\t%d\t%s\t%d\t%.0f\t%.1f\t%.0f%%", k.Job, k.Rank, k.Phase, k.States, k.Rate, float64(k.SentBytes)/1e6, 100*k.Waiting)
		switch {
		case k.Refused != "":
			what = "refused: " + k.Refused
		case k.Job == "":
			what = "idle"
		}
		fmt.Fprintf(w, "%s\t%s, process %d\t%s\n", k.ID, k.Host, k.PID, what)
	}
	fmt.Fprintln(w, "\nJOB\tSTATE\tATTEMPTS\tSTATES\tQUESTION")
	live := map[string]*job.JobStatus{}
	for i := range st.Jobs {
		live[st.Jobs[i].ID] = &st.Jobs[i]
	}
	for _, r := range records {
		state, states := string(r.State), int64(0)
		if r.Outcome != nil {
			state, states = string(r.Outcome.Ending), r.Outcome.Explored.States
		} else if j := live[r.ID]; j != nil {
			states = j.States
			if j.Waiting {
				state = fmt.Sprintf("%s, %s", state, waiting(j))
			}
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%s\n", r.ID, state, r.Epoch, states, r.Name)
	}
	return w.Flush()
}

// waiting says what a job waits for.
func waiting(j *job.JobStatus) string {
	text := fmt.Sprintf("waiting for workers: %d of %d", j.There, j.Workers)
	for _, u := range j.Unsuited {
		text += "; refused: " + u
	}
	return text
}

func forgetCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:      "forget",
		Usage:     "remove all that is kept of jobs that have ended",
		ArgsUsage: "JOB...",
		Description: `Model, result and checkpoints go. A job that runs or waits is refused: cancel it
first. Without this, jobs go when serve --keep says so.`,
		Flags: accessFlags(),
		Action: func(c *cli.Context) error {
			if !c.Args().Present() {
				return usagef("forget needs the names of jobs, as submit --detach and status print them")
			}
			nc, store, err := open(c, "forget")
			if err != nil {
				return err
			}
			defer nc.Close()
			for _, id := range c.Args().Slice() {
				err := store.Forget(c.Context, id)
				if errors.Is(err, job.ErrNotEnded) {
					return &usageError{fmt.Sprintf("job %v", err), fmt.Sprintf("seltl-cluster cancel %s ends it", id)}
				}
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func cancelCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:      "cancel",
		Usage:     "end a job; what it explored remains to be asked for",
		ArgsUsage: "JOB",
		Flags:     accessFlags(),
		Action: func(c *cli.Context) error {
			if c.Args().Len() != 1 {
				return usagef("cancel needs the name of one job, as submit --detach and status print it")
			}
			nc, store, err := open(c, "cancel")
			if err != nil {
				return err
			}
			defer nc.Close()
			return store.Cancel(c.Context, c.Args().First())
		},
	}
}
