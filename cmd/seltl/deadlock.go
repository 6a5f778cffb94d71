package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/deadlock"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/report"
)

func deadlockCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:      "deadlock",
		Usage:     "decide whether a model can deadlock",
		ArgsUsage: "MODEL",
		Description: `Decides whether a state is reachable in which nothing is possible. Termination
(all processes at END) is no deadlock, and neither is ERROR.

--method=plain       looks at the states one by one (stubborn sets save most of
                     them)
         iter        refines abstractions of the components until they decide
         tree        minimises components and compositions of them, and searches
                     the rest
         conditions  tries only conditions on the structure that need no search
         auto        plain and iter side by side, and conditions and tree when
                     that takes long

--explain narrates the rounds of refinement; it implies --method=iter.

-j, --store, --disk and --checkpoint are of a plain search of all states,
without stubborn sets: they imply --method=plain --no-reduction.

--local asks instead for a component that can never move again while others may
go on, --livelock for a cycle of silent steps.

A deadlock is shown with its trace, what every component waits for, and a cycle
of waiting components if there is one.

EXAMPLES
   seltl deadlock specs/classics/philosophers.lks --process TABLE
   seltl deadlock specs/classics/philosophers.lks --process MIXED -D N=10
   seltl deadlock model.lts --explain
   seltl deadlock large.lks --checkpoint run.ckpt`,
		Flags: concat(modelFlags(), []cli.Flag{
			&cli.StringFlag{Name: "method", Value: "auto", Usage: "search by `METHOD`: auto, plain, iter, tree, conditions"},
			&cli.BoolFlag{Name: "explain", Usage: "narrate the rounds of refinement (implies --method=iter)"},
			&cli.BoolFlag{Name: "no-reduction", Usage: "follow all transitions instead of stubborn sets"},
			&cli.BoolFlag{Name: "local", Usage: "ask for a component that can never move again while others may"},
			&cli.BoolFlag{Name: "livelock", Usage: "ask for a cycle of silent steps"},
			&cli.StringFlag{Name: "dot", Usage: "draw who waits for whom as a Graphviz graph into `FILE`"},
			&cli.StringFlag{Name: "svg", Usage: "draw the trace into `FILE`"},
		}, storeFlags(), diskFlags(false), limitFlags(), []cli.Flag{profileFlag()}, outputFlags()),
		Action: func(c *cli.Context) error {
			if err := onlyModel(c); err != nil {
				return err
			}
			opts, err := deadlockOptions(c)
			if err != nil {
				return err
			}
			return analyse(c, s, func(a *analysis) error { return a.deadlock(opts) })
		},
	}
}

func (a *analysis) deadlock(opts deadlock.Options) error {
	net, err := a.m.composition()
	if err != nil {
		return err
	}
	decide := decideDeadlock
	switch {
	case a.c.Bool("local"):
		decide = decideLocal
	case a.c.Bool("livelock"):
		// What a process hides is silent only from outside.
		decide, net = decideLivelock, a.m.net
	}
	opts.Limits, opts.Progress = a.opts.Limits, a.opts.Progress
	if a.c.Bool("explain") {
		opts.Explain = func(r deadlock.Round) { fmt.Fprint(narration(a.c, a.s), r.Write(net)) }
	}
	r, status, err := decide(a.c, net, opts)
	var output *outputError
	if err != nil && !errors.As(err, &output) {
		return err
	}
	if r.Kind == "deadlock" && r.Name == "" {
		a.m.expectReached(&r)
	}
	a.add(r, status)
	if err != nil {
		return err
	}
	return drawFirst(a.c, a.r)
}

// deadlockOptions reads the flags, and refuses those that contradict each other.
func deadlockOptions(c *cli.Context) (opts deadlock.Options, err error) {
	if opts.Method, err = deadlock.ParseMethod(c.String("method")); err != nil {
		return opts, usagef(c, "%v", err)
	}
	if opts.Search, err = engineOptions(c); err != nil {
		return opts, err
	}
	opts.NoReduction = c.Bool("no-reduction")
	asked := chosenEngine(&opts.Search)
	if c.Bool("explain") {
		if !c.IsSet("method") {
			opts.Method = deadlock.Iter
		}
		if refining := opts.Method == deadlock.Iter || opts.Method == deadlock.Auto; !refining || asked != "" || c.Bool("local") || c.Bool("livelock") {
			return opts, &usageError{command: "deadlock", text: "--explain narrates the rounds of abstraction refinement, of which there are none in this search",
				help: "--method=iter alone, or leave --explain out"}
		}
	}
	switch {
	case c.Bool("local") && c.Bool("livelock"):
		return opts, usagef(c, "--local and --livelock: one question at a time")
	case asked == "":
		return opts, nil
	case c.Bool("local") || c.Bool("livelock"):
		return opts, usagef(c, "%s: --local and --livelock need all states in memory, with one worker; leave it out", asked)
	case c.IsSet("method") && opts.Method != deadlock.Plain:
		return opts, &usageError{command: "deadlock", text: fmt.Sprintf("%s is of a search of all states, which --method=%v is not", asked, opts.Method),
			help: "--method=plain, or leave " + asked + " out"}
	}
	opts.Method, opts.NoReduction = deadlock.Plain, true
	return opts, nil
}

// decideDeadlock runs the check and describes its answer.
func decideDeadlock(c *cli.Context, net *lks.Network, opts deadlock.Options) (report.Result, int, error) {
	r := report.Result{Kind: "deadlock", Verdict: report.Holds}
	meter := budget.New(c.Context, budget.Limits{}, nil)
	res, err := deadlock.Check(c.Context, net, opts)
	r.Statistics = deadlockStatistics(res)
	if r.Statistics != nil {
		r.Statistics.SearchSeconds = meter.Elapsed().Seconds()
		r.Profile = deadlockProfile(res, r.Statistics)
	}
	if res != nil && res.Abstraction != nil && res.Method == deadlock.Iter {
		r.Abstraction = report.Refinement(net, res.Abstraction)
	}
	switch {
	case errors.Is(err, deadlock.ErrNotProved):
		r.Verdict, r.Reason, r.Advice = report.Unknown, err.Error(), "--method=auto"
		return r, exitUnknown, nil
	case err != nil:
		r, status, err := undecided(r, err)
		if c.String("checkpoint") != "" && isFile(c.String("checkpoint")) && err == nil {
			r.Advice = checkpointAdvice(c)
		}
		return r, status, err
	case res.Free():
		if res.Proof != nil {
			r.Note = res.Proof.Text
		}
		return r, exitHolds, nil
	}
	r.Verdict = report.Violated
	r.Counterexample = report.DeadlockTrace(net, res.Deadlock)
	if name := c.String("dot"); name != "" {
		err = writeFile(name, func(w io.Writer) error {
			_, err := io.WriteString(w, res.Deadlock.DOT(net))
			return err
		})
	}
	return r, exitViolated, err
}

// undecided is the result of a check that ended with an error.
func undecided(r report.Result, err error) (report.Result, int, error) {
	var internal *bug.Error
	var missing *explore.LossyStore
	switch {
	case errors.As(err, &internal):
		r.Verdict, r.Reason = report.Unknown, internal.Error()
		r.Advice = "this is a bug in seltl; please report it with the model"
		return r, exitInternal, nil
	case isLimit(err) || errors.As(err, &missing):
		status := unknown(&r, err)
		return r, status, nil
	}
	return r, exitUsage, err
}

// decideLocal asks for a component that can never move again.
func decideLocal(c *cli.Context, net *lks.Network, opts deadlock.Options) (report.Result, int, error) {
	r := report.Result{Kind: "deadlock", Name: "local", Formula: "every component can move again, or has terminated", Verdict: report.Holds}
	res, err := deadlock.Local(c.Context, net, opts)
	if err != nil {
		return undecided(r, err)
	}
	r.Statistics = explorationStatistics(&res.Exploration)
	if res.Trace == nil {
		return r, exitHolds, nil
	}
	r.Verdict = report.Violated
	r.Counterexample = report.Run(net, res.Trace)
	r.Counterexample.Note = "from there on these never move again: " + strings.Join(componentNames(net, res.Dead), ", ")
	return r, exitViolated, nil
}

// decideLivelock asks for a cycle of silent steps.
func decideLivelock(c *cli.Context, net *lks.Network, opts deadlock.Options) (report.Result, int, error) {
	r := report.Result{Kind: "livelock", Formula: "no cycle of silent steps", Verdict: report.Holds}
	res, err := deadlock.Livelock(c.Context, net, opts)
	if err != nil {
		return undecided(r, err)
	}
	r.Statistics = explorationStatistics(&res.Exploration)
	if res.Lasso == nil {
		return r, exitHolds, nil
	}
	r.Verdict = report.Violated
	r.Counterexample = report.Run(net, res.Lasso)
	return r, exitViolated, nil
}

func componentNames(net *lks.Network, components []int) []string {
	names := make([]string, len(components))
	for i, c := range components {
		names[i] = net.ComponentName(c)
	}
	return names
}

func explorationStatistics(e *deadlock.Exploration) *report.Statistics {
	method, depth := "plain", int64(0)
	switch {
	case e.Reduced:
		method = "plain with stubborn sets"
	case e.Search != nil:
		method += storeText(e.Search)
		depth = e.Search.Depth
	}
	return &report.Statistics{States: e.States, Transitions: e.Transitions, Depth: depth, StoreBytes: e.Bytes, Method: method}
}

// deadlockProfile says where the time of what decided went, in detail if all states
// were explored.
func deadlockProfile(res *deadlock.Result, st *report.Statistics) *report.Profile {
	if e := res.Exploration; res.Method == deadlock.Plain && e != nil && e.Search != nil {
		return reachProfile(e.Search)
	}
	p := &report.Profile{States: st.States, Transitions: st.Transitions, TableBytes: st.StoreBytes, Seconds: st.SearchSeconds,
		Phases: report.NewPhases([]string{st.Method}, []float64{st.SearchSeconds})}
	if p.Seconds > 0 {
		p.StatesPerSecond = float64(p.States) / p.Seconds
	}
	return p
}

func deadlockStatistics(res *deadlock.Result) *report.Statistics {
	switch {
	case res == nil:
		return nil
	case res.Proof != nil:
		return &report.Statistics{Method: "by condition: " + res.Proof.Rule}
	case res.Method == deadlock.Tree && res.Minimised != nil:
		m := res.Minimised
		st := explorationStatistics(&m.Exploration)
		st.Method = fmt.Sprintf("tree: minimised from %d components of %d states in all to %d of %d", m.Components, m.States, m.Left, m.LeftStates)
		return st
	case res.Method == deadlock.Iter && res.Abstraction != nil:
		a := res.Abstraction
		return &report.Statistics{States: int64(a.MaxStates), StoreBytes: a.Bytes,
			Method: fmt.Sprintf("iter: %s, %s classes of %s component states", report.Count(int64(a.Rounds), "round"), sum(a.Classes), sum(a.Components))}
	case res.Exploration != nil:
		return explorationStatistics(res.Exploration)
	}
	return nil
}

func sum(ns []int) string {
	parts := make([]string, len(ns))
	total := 0
	for i, n := range ns {
		total += n
		parts[i] = fmt.Sprint(n)
	}
	if len(ns) > 8 {
		return fmt.Sprint(total)
	}
	return strings.Join(parts, "+")
}
