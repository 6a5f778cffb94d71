package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/cluster/job"
	"github.com/seltl/seltl/internal/cmdline"
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
	nc, store, err := open(c, s, "submit")
	if err != nil {
		return err
	}
	defer nc.Close()
	other, err := otherBuild(c.Context, nc)
	if err != nil {
		return err
	}
	if other != "" && !c.Bool("quiet") {
		fmt.Fprintf(s.Err, "seltl-cluster: warning: %s\n", other)
	}
	r, err := store.Submit(c.Context, describe(c, t), t, o)
	if err != nil {
		return err
	}
	if c.Bool("detach") {
		fmt.Fprintln(s.Out, r.ID)
		return nil
	}
	ctx := context.WithoutCancel(c.Context)
	w := &waiter{c: c, s: s, store: store, other: other, notice: time.Second / 4, limit: o.Wait, status: func() (job.Status, bool) {
		within, cancel := context.WithTimeout(ctx, 2*time.Second)
		defer cancel()
		st, err := job.AskStatus(within, nc, r.ID, 0)
		return st, err == nil
	}}
	return w.wait(ctx, c.Context.Done(), r.ID, t)
}

// otherBuild says in what this program differs from the one that coordinates, which answers: "" if
// in nothing, or if nobody does. Where they exchange other things that is an error.
func otherBuild(ctx context.Context, nc *nats.Conn) (warning string, err error) {
	within, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	st, err := job.AskStatus(within, nc, "", 0)
	if err != nil {
		return "", nil // who waits for the answer is told that
	}
	here := job.ThisBuild(cmdline.VersionText())
	difference := here.Differs(st.Build)
	switch {
	case difference == "":
		return "", nil
	case here.Schema != st.Build.Schema:
		return "", &cmdline.Error{Text: "who coordinates is another build, which reads no questions of this one: " + difference, Help: "use its build of seltl-cluster"}
	}
	return fmt.Sprintf("who coordinates is another build: %s; that one answers, with workers of its own build, and this one shows what they found", difference), nil
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
			nc, store, err := open(c, s, "forget")
			if err != nil {
				return err
			}
			defer nc.Close()
			for _, id := range c.Args().Slice() {
				err := store.Forget(c.Context, id)
				if errors.Is(err, job.ErrNotEnded) {
					return &cmdline.Error{Text: fmt.Sprintf("job %v", err), Help: fmt.Sprintf("seltl-cluster cancel %s ends it", id)}
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
			nc, store, err := open(c, s, "cancel")
			if err != nil {
				return err
			}
			defer nc.Close()
			return store.Cancel(c.Context, c.Args().First())
		},
	}
}
