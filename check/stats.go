package check

import (
	"context"
	"errors"
	"fmt"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/report"
)

// What Stats builds is bounded: states, and transitions of 8 bytes each.
var (
	statsStates      int64 = 4 << 20
	statsTransitions int64 = 64 << 20
)

var errTooLarge = errors.New("too large to be built")

// Stats counts the composition of a model. It is built, unless it is large, a profile is
// asked for, or search asks for what only a search of all states can
// do: there are fewer figures then. With figures, an error says why they are lower
// bounds: a limit, or an *explore.LossyStore.
func Stats(ctx context.Context, m *Model, opts Options, search explore.Resources) (report.Figures, error) {
	meter := budget.New(ctx, opts.Limits, opts.Progress)
	if !opts.Profile && search.Disk == "" && search.Checkpoint == "" && search.Store == explore.Auto && search.Workers <= 1 {
		var last budget.Progress
		built, err := m.Net.Build(budget.Watch(func(p budget.Progress) error {
			if last = p; p.States > statsStates || p.Transitions > statsTransitions {
				return errTooLarge
			}
			return meter.Tick(p)
		}).Within(meter))
		switch {
		case err == nil:
			return FiguresOf(built), nil
		case Limited(err):
			return partialFigures(m.Net, last, err), err
		case !errors.Is(err, errTooLarge):
			return nil, err
		}
	}
	reached, err := explore.Reach(m.Net, explore.Options{Resources: search, Meter: meter})
	if err != nil && !Limited(err) {
		return nil, err
	}
	return exploredFigures(m.Net, reached, err, opts.Profile)
}

// errorReached says whether ERROR is, which is no state.
func errorReached[N int | int64](errors N, states int64) string {
	if errors > 0 && states == 0 {
		return "yes, at once"
	}
	return yesNo(errors > 0)
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// same is a figure that is written alike in both forms.
func same(name, field string, value any) report.Figure {
	return report.Figure{Name: name, Value: value, Field: field, JSON: value}
}

func group[N int | int64](n N) string { return report.Group(int64(n)) }

// FiguresOf describes a structure that was built. ERROR is no state, as in LTSA.
func FiguresOf(m *lks.LKS) report.Figures {
	st := m.Stats()
	return report.Figures{
		same("process", "process", m.Name()), same("states", "states", st.States), same("transitions", "transitions", st.Transitions),
		same("initial states", "initial", st.Initial), same("alphabet", "alphabet", st.Alphabet), same("propositions", "propositions", st.Props),
		same("different labels", "labels", st.Labels),
		{Name: "silent steps", Value: fmt.Sprintf("%s (%.1f %%)", group(st.Silent), 100*st.SilentShare()), Field: "tau", JSON: st.Silent},
		same("deadlocks", "deadlocks", st.Deadlocks), same("terminated", "ends", st.Ends),
		{Name: "error reachable", Value: errorReached(st.Errors, int64(st.States)), Field: "error_reachable", JSON: st.Errors > 0},
		{Name: "out-degree", Value: fmt.Sprintf("%.2f on average, %s at most", st.AverageOut(), group(st.MaxOut)), Field: "max_out", JSON: st.MaxOut},
		{Field: "average_out", JSON: st.AverageOut()},
		{Name: "in-degree", Value: fmt.Sprintf("%s at most", group(st.MaxIn)), Field: "max_in", JSON: st.MaxIn},
		{Name: "strongly connected components", Value: fmt.Sprintf("%s, the largest of %s, %s terminal", group(st.Components), report.Counted(int64(st.LargestComponent), "state"), group(st.Terminal)), Field: "sccs", JSON: st.Components},
		{Field: "largest_scc", JSON: st.LargestComponent}, {Field: "terminal_sccs", JSON: st.Terminal},
		{Name: "deterministic", Value: yesNo(st.Deterministic), Field: "deterministic", JSON: st.Deterministic},
		{Field: "complete", JSON: true},
	}
}

// partialFigures are what was counted of a structure that was not built to its end.
func partialFigures(net *lks.Network, p budget.Progress, limit error) report.Figures {
	return report.Figures{
		same("process", "process", net.Name()), same("states", "states", p.States), same("transitions", "transitions", p.Transitions),
		same("alphabet", "alphabet", len(net.Alphabet())-1), same("propositions", "propositions", len(net.Props())),
		{Name: "explored", Value: fmt.Sprintf("no, %v", limit), Field: "complete", JSON: false},
		{Field: "reason", JSON: limit.Error()},
	}
}

// exploredFigures are those of an exploration. If it came not to its end, or may have
// missed states, these are lower bounds, and the error says why.
func exploredFigures(net *lks.Network, r *explore.Reached, limit error, profiled bool) (report.Figures, error) {
	profile := reachProfile(r)
	figures := report.Figures{
		same("process", "process", net.Name()), same("states", "states", r.States), same("transitions", "transitions", r.Transitions),
		same("depth", "depth", r.Depth), same("alphabet", "alphabet", len(net.Alphabet())-1), same("propositions", "propositions", len(net.Props())),
		same("deadlocks", "deadlocks", r.Deadlocks), same("terminated", "ends", r.Ends),
		{Name: "error reachable", Value: errorReached(r.Errors, r.States), Field: "error_reachable", JSON: r.Errors > 0},
		{Name: "explored", Value: yesNo(r.Complete), Field: "complete", JSON: r.Complete},
	}
	missing := r.Lossy()
	if missing != nil {
		lossy := report.Lossy{Store: missing.Store.String(), Coverage: missing.Coverage, Missed: missing.Missed}
		figures[len(figures)-1].Value = "yes, but for what was missed: " + missing.Error()
		figures = append(figures, report.Figure{Field: "lossy", JSON: lossy})
	} else if limit != nil {
		figures[len(figures)-1].Value = fmt.Sprintf("no, %v", limit)
		figures = append(figures, report.Figure{Field: "reason", JSON: limit.Error()})
	}
	if profiled || r.Store != explore.Numbered {
		figures = append(figures, report.Figure{Field: "profile", JSON: profile})
		for _, line := range profile.Lines()[2:] {
			figures = append(figures, report.Figure{Name: line.Name, Value: line.Text})
		}
	}
	switch {
	case limit != nil:
		return figures, limit
	case missing != nil:
		return figures, missing
	}
	return figures, nil
}
