package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/nats-io/nats.go"
	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/cluster/job"
	"github.com/seltl/seltl/report"
)

func statusCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:      "status",
		Usage:     "show workers and jobs; of a JOB that is not over, it and its workers, of one that has ended, its answer",
		ArgsUsage: "[JOB]",
		Description: `Of jobs that have ended the last ones are listed: --last 100 lists more of
them, --all lists all that are kept.`,
		Flags: concat(accessFlags(), outputFlags(), []cli.Flag{
			&cli.IntFlag{Name: "last", Value: 20, Usage: "list the `N` jobs that ended last"},
			&cli.BoolFlag{Name: "all", Usage: "list all jobs that have ended"},
		}),
		Action: func(c *cli.Context) error { return status(c, s) },
	}
}

func status(c *cli.Context, s streams) error {
	if c.Args().Len() > 1 {
		return usagef("unexpected argument %q: one job at a time", c.Args().Get(1))
	}
	if last := c.Int("last"); last < 0 {
		return usagef("--last %d: a number is needed, or 0", last)
	}
	nc, store, err := open(c, s, "status")
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
	st, records, err := ask(c, nc, store, id)
	nobody := errors.Is(err, job.ErrNobody)
	if err != nil && !nobody {
		return err
	}
	if c.Bool("json") {
		st.Workers, st.Jobs = listed(st.Workers), listed(st.Jobs)
		return writeJSON(s.Out, struct {
			job.Status
			Records []*job.Record `json:"records"`
		}{st, listed(records)})
	}
	if nobody {
		fmt.Fprintln(s.Out, job.ErrNobody)
	}
	return showStatus(s, &st)
}

func writeJSON(to io.Writer, v any) error {
	e := json.NewEncoder(to)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// ask asks who coordinates how the jobs stand, or the one of a name, and reads the records of
// those that are listed where they are to be printed. Where nobody coordinates, which is the
// error then, the store says all that is known.
func ask(c *cli.Context, nc *nats.Conn, store *job.Store, id string) (st job.Status, records []*job.Record, err error) {
	last := c.Int("last")
	if id != "" {
		last = 0
	}
	st, nobody := job.AskStatus(c.Context, nc, id, last)
	if nobody != nil && !errors.Is(nobody, job.ErrNobody) {
		return st, nil, nobody
	}
	if id != "" {
		st.Workers = slices.DeleteFunc(st.Workers, func(w job.WorkerStatus) bool { return w.Job != id })
	}
	var ids []string
	for i := range st.Jobs {
		ids = append(ids, st.Jobs[i].ID)
	}
	for _, p := range st.Past {
		ids = append(ids, p.ID)
	}
	switch {
	case id != "":
		records, err = store.Records(c.Context, []string{id})
	case c.Bool("all") || nobody != nil || st.Left > 0:
		if records, err = store.Jobs(c.Context); err == nil {
			records = list(&st, records, c.Bool("all"), last)
		}
	case c.Bool("json"):
		records, err = store.Records(c.Context, ids)
	}
	return st, records, cmp.Or(err, nobody)
}

// list takes the jobs of a status from all records: those that have not ended, and the last ones
// of the others, or all of them. It returns the records of these.
func list(st *job.Status, records []*job.Record, all bool, last int) (listed []*job.Record) {
	known := map[string]job.JobStatus{}
	for _, j := range st.Jobs {
		known[j.ID] = j
	}
	var past []*job.Record
	st.Jobs, st.Past, st.Left = nil, nil, 0
	for _, r := range slices.Backward(records) {
		j, ok := known[r.ID]
		switch {
		case r.State == job.Done:
			past = append(past, r)
			continue
		case !ok:
			j = job.JobStatus{ID: r.ID, Name: r.Name, State: r.State, Since: r.Submitted, Workers: r.Options.Workers, Epoch: r.Epoch, Faults: len(r.Faults)}
		}
		st.Jobs, listed = append(st.Jobs, j), append(listed, r)
	}
	slices.SortStableFunc(past, func(a, b *job.Record) int { return b.Ended.Compare(a.Ended) })
	if st.Ended = len(past); !all {
		past = past[:min(last, len(past))]
	}
	for _, r := range past {
		st.Past, listed = append(st.Past, job.PastOf(r)), append(listed, r)
	}
	job.SortLatest(listed)
	return listed
}

// listed is a list that JSON has as [] and not as null where it is empty.
func listed[T any](list []T) []T { return append([]T{}, list...) }

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

func showStatus(s streams, st *job.Status) error {
	w := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
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
	for i := len(st.Jobs) - 1; i >= 0; i-- { // the latest first
		j := &st.Jobs[i]
		state := string(j.State)
		if j.Waiting {
			state = fmt.Sprintf("%s, %s", state, waiting(j))
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%s\n", j.ID, state, j.Epoch, j.States, j.Name)
	}
	for _, p := range st.Past {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%s\n", p.ID, p.Ending, p.Epoch, p.States, p.Name)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if more := st.Ended - len(st.Past); more > 0 {
		fmt.Fprintf(s.Out, "\n%s more that ended before: --all lists all\n", report.Counted(int64(more), "job"))
	}
	return nil
}

// waiting says what a job waits for.
func waiting(j *job.JobStatus) string {
	text := fmt.Sprintf("waiting for workers: %d of %d", j.There, j.Workers)
	for _, u := range j.Unsuited {
		text += "; refused: " + u
	}
	return text
}
