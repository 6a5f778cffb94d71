package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/report"
)

func statsCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:      "stats",
		Usage:     "figures of the composition of a model",
		ArgsUsage: "MODEL",
		Description: `Builds the reachable composition of a process and prints its figures: states,
transitions, alphabet, propositions, degrees, strongly connected components,
silent steps. ERROR is no state, as in LTSA, but transitions into it are
transitions. At a limit and when interrupted, what was counted until then is
printed: lower bounds.

Where it has more than four million states, or with --profile, -j, --store,
--disk or --checkpoint, it is explored without being built: states, transitions,
depth, deadlocks, and where time and memory went.

EXAMPLES
   seltl stats model.lts --process SYSTEM
   seltl stats system.aut --json
   seltl stats large.lks --profile --store=compact`,
		Flags: concat(modelFlags(), storeFlags(), diskFlags(false), limitFlags(), []cli.Flag{
			profileFlag(),
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object"},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "no progress, no warnings"},
			noWarningsFlag(),
		}),
		Action: func(c *cli.Context) error { return stats(c, s) },
	}
}

// What is built is bounded: states, and transitions of 8 bytes each.
var (
	statsStates      int64 = 4 << 20
	statsTransitions int64 = 64 << 20
)

var errTooLarge = errors.New("too large to be built")

func stats(c *cli.Context, s streams) error {
	if err := onlyModel(c); err != nil {
		return err
	}
	engine, err := engineOptions(c)
	if err != nil {
		return err
	}
	m, err := loadModel(c, s)
	if err != nil {
		return err
	}
	showWarnings(c, s, m.warnings)
	meter, done, err := meter(c, s)
	if err != nil {
		return err
	}
	defer done()
	if chosenEngine(&engine) == "" && !c.Bool("profile") {
		var last budget.Progress
		built, err := m.net.Build(budget.Watch(func(p budget.Progress) error {
			if last = p; p.States > statsStates || p.Transitions > statsTransitions {
				return errTooLarge
			}
			return meter.Tick(p)
		}))
		if err == nil {
			return builtStats(c, s, built)
		}
		if isLimit(err) {
			done()
			return partialStats(c, s, m.net, last, err)
		}
		if !errors.Is(err, errTooLarge) {
			return err
		}
	}
	engine.Meter = meter
	reached, err := explore.Search(m.net, engine)
	if err != nil && !isLimit(err) {
		return err
	}
	done()
	return exploredStats(c, s, m.net, reached, err)
}

// figure is a line of the text, and a field of the JSON form.
type figure struct {
	name  string
	value any
	field string
	json  any
}

// printFigures prints figures, as JSON if that is asked for. Those without a field,
// or without a name, are in one of the forms only.
func printFigures(c *cli.Context, s streams, figures []figure) error {
	if c.Bool("json") {
		object := map[string]any{"schema": "seltl.stats/1"}
		for _, f := range figures {
			if f.field != "" {
				object[f.field] = f.json
			}
		}
		enc := json.NewEncoder(s.out)
		enc.SetIndent("", "  ")
		return enc.Encode(object)
	}
	for _, f := range figures {
		if f.name == "" {
			continue
		}
		line := fmt.Sprintf("%-*s %v", figureColumn-1, f.name, grouped(f.value))
		if _, err := fmt.Fprintln(s.out, source.Wrap(line, helpWidth, figureColumn)); err != nil {
			return err
		}
	}
	return nil
}

// figureColumn is where the values of figures begin.
const figureColumn = 31

// grouped writes a number as the reports do; other values stay.
func grouped(value any) any {
	switch n := value.(type) {
	case int:
		return report.Group(int64(n))
	case int64:
		return report.Group(n)
	}
	return value
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// same is a figure that is written alike in both forms.
func same(name, field string, value any) figure { return figure{name, value, field, value} }

func builtStats(c *cli.Context, s streams, m *lks.LKS) error {
	st := m.Stats()
	return printFigures(c, s, []figure{
		same("process", "process", m.Name()), same("states", "states", st.States), same("transitions", "transitions", st.Transitions),
		same("initial states", "initial", st.Initial), same("alphabet", "alphabet", st.Alphabet), same("propositions", "propositions", st.Props),
		same("different labels", "labels", st.Labels),
		{"silent steps", fmt.Sprintf("%s (%.1f %%)", grouped(st.Silent), 100*st.SilentShare()), "tau", st.Silent},
		same("deadlocks", "deadlocks", st.Deadlocks), same("terminated", "ends", st.Ends),
		{"error reachable", yesNo(st.Errors > 0), "error_reachable", st.Errors > 0},
		{"out-degree", fmt.Sprintf("%.2f on average, %s at most", st.AverageOut(), grouped(st.MaxOut)), "max_out", st.MaxOut},
		{field: "average_out", json: st.AverageOut()},
		{"in-degree", fmt.Sprintf("%s at most", grouped(st.MaxIn)), "max_in", st.MaxIn},
		{"strongly connected components", fmt.Sprintf("%s, the largest of %s, %s terminal", grouped(st.Components), report.Count(int64(st.LargestComponent), "state"), grouped(st.Terminal)), "sccs", st.Components},
		{field: "largest_scc", json: st.LargestComponent}, {field: "terminal_sccs", json: st.Terminal},
		{"deterministic", yesNo(st.Deterministic), "deterministic", st.Deterministic},
		{field: "complete", json: true},
	})
}

// partialStats prints what was counted of a structure that was not built to its end.
func partialStats(c *cli.Context, s streams, net *lks.Network, p budget.Progress, limit error) error {
	if err := printFigures(c, s, []figure{
		same("process", "process", net.Name()), same("states", "states", p.States), same("transitions", "transitions", p.Transitions),
		same("alphabet", "alphabet", len(net.Alphabet())-1), same("propositions", "propositions", len(net.Props())),
		{"explored", fmt.Sprintf("no, %v", limit), "complete", false},
		{field: "reason", json: limit.Error()},
	}); err != nil {
		return err
	}
	return limit
}

// exploredStats prints the figures of an exploration. If it came not to its end, or
// may have missed states, these are lower bounds, and the exit status is that of a
// limit.
func exploredStats(c *cli.Context, s streams, net *lks.Network, r *explore.Reached, limit error) error {
	profile := reachProfile(r)
	figures := []figure{
		same("process", "process", net.Name()), same("states", "states", r.States), same("transitions", "transitions", r.Transitions),
		same("depth", "depth", r.Depth), same("alphabet", "alphabet", len(net.Alphabet())-1), same("propositions", "propositions", len(net.Props())),
		same("deadlocks", "deadlocks", r.Deadlocks), same("terminated", "ends", r.Ends),
		{"error reachable", yesNo(r.Errors > 0), "error_reachable", r.Errors > 0},
		{"explored", yesNo(r.Complete), "complete", r.Complete},
	}
	missing := r.Lossy()
	if missing != nil {
		lossy := report.Lossy{Store: missing.Store.String(), Coverage: missing.Coverage, Missed: missing.Missed}
		figures[len(figures)-1].value = "yes, but for what was missed: " + missing.Error()
		figures = append(figures, figure{field: "lossy", json: lossy})
	} else if limit != nil {
		figures[len(figures)-1].value = fmt.Sprintf("no, %v", limit)
		figures = append(figures, figure{field: "reason", json: limit.Error()})
	}
	if c.Bool("profile") || r.Store != explore.Numbered {
		figures = append(figures, figure{field: "profile", json: profile})
		for _, line := range profile.Lines()[2:] {
			figures = append(figures, figure{name: line.Name, value: line.Text})
		}
	}
	if err := printFigures(c, s, figures); err != nil {
		return err
	}
	switch {
	case limit != nil:
		return limit
	case missing != nil:
		return exitError(exitUnknown)
	}
	return nil
}
