package programcmds

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/cmd/seltl/internal/ask"
	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/svcomp"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// termination is what --check calls the question whether all runs end, which is none about failures.
const termination = "termination"

// aboutFailures are options of how failures are looked for.
var aboutFailures = []string{"calls", "method", "integers", "direction", "without", "abstraction", "refine", "predicates", "cfp-check", "minimise-predicates", "blocks", "facts", "acceleration", "stats", "certificate", "harness", "dot"}

// endsAsked reports that it is asked whether all runs end: by the property, or by --check.
func (a *askedC) endsAsked() bool {
	return a.asked != nil && a.asked.Kind == svcomp.Termination || slices.Contains(strings.Split(a.chosen.One("check"), ","), termination)
}

// withEnds asks whether all runs end: alone, or behind the question whether there are failures, where --check has
// other names, too, or there are rules. Half of the time is for each.
func (a *askedC) withEnds() (*report.Report, *machine.Recording, error) {
	var others []string
	if list := a.chosen.One("check"); list != termination && a.asked == nil {
		others = slices.DeleteFunc(strings.Split(list, ","), func(name string) bool { return name == termination })
	}
	if delete(a.chosen, "check"); len(others) > 0 {
		a.chosen["check"] = []string{strings.Join(others, ",")}
	} else if a.asked != nil || a.chosen.One("rules") == "" {
		if a.asked == nil || !programs.IsTask(a.c.Args().First()) {
			if err := cmdline.OnlyFor(a.c, aboutFailures, "the question whether a failure is reachable, and --check="+termination+" alone asks another one"); err != nil {
				return nil, nil, err
			}
		}
		r, err := a.ends()
		if err == nil && a.c.IsSet("write-witness") {
			r.Messages = append(r.Messages, report.Message{Severity: "warning", Code: "c-witness", Text: "--write-witness: none is written, since format 2.0 has no witnesses of termination, nor of runs that do not end"})
		}
		if err == nil {
			if err = ask.DrawFirst(a.c, r); err != nil {
				err = ask.Unwritten(a.c, a.s, r, err)
			}
		}
		return r, nil, err
	}
	begin, limit := time.Now(), a.opts.Limits.Time
	if limit > 0 {
		a.opts.Limits.Time = limit / 2
	}
	r, run, err := a.ask()
	if err != nil || r.Exit == report.ExitInterrupted {
		return r, run, err
	}
	if limit > 0 {
		a.opts.Limits.Time = max(limit-time.Since(begin), time.Millisecond).Round(time.Millisecond)
	}
	ended, err := a.ends()
	if err != nil {
		return nil, nil, err
	}
	r.Results, r.Exit = append(r.Results, ended.Results...), report.Worst(r.Exit, ended.Exit)
	for _, m := range ended.Messages {
		if !slices.Contains(r.Messages, m) {
			r.Messages = append(r.Messages, m)
		}
	}
	return r, run, nil
}

// ends asks whether all runs end.
func (a *askedC) ends() (*report.Report, error) {
	c := a.c
	task := bind.Task{Plain: true}
	var err error
	if task.C, err = readAs(c, a.s, a.files, a.chosen); err != nil {
		return nil, err
	}
	if task.Spec, err = programs.PlainSpec(cmp.Or(a.chosen.One("entry"), "main")); err != nil {
		return nil, err
	}
	if task.Sources, err = a.sources(); err != nil {
		return nil, err
	}
	task.C.Open = a.open
	engine := cegar.Options{Without: a.without}
	if engine.Rounds, err = maxRounds(c); err != nil {
		return nil, err
	}
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	opts := a.opts
	opts.Advise = func(reason error) string {
		if budget.Stopped(reason) {
			return "a longer --timeout"
		}
		return outcome.Try(reason)
	}
	r, err := programs.EndsC(c.Context, task, pool, opts, engine)
	a.done()
	if budget.Stopped(err) {
		return check.NotLoaded(c.Command.Name, err, a.opts), nil
	}
	if err != nil {
		return nil, err
	}
	if a.asked != nil {
		programs.OfProperty(r, a.asked)
	}
	return r, nil
}
