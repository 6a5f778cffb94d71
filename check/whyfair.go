package check

import (
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
)

// whyFair turns the reasons why a lasso is fair into those of its Counterexample.
func whyFair(net *lks.Network, l *run.Run, reasons []product.FairReason) []report.Fair {
	steps, processes := l.Steps(), net.Processes()
	all := make([]report.Fair, len(reasons))
	for i, r := range reasons {
		f := report.Fair{Strong: r.Strong, Names: r.Actions, Why: r.Why.String(), Transitions: r.Transitions}
		switch r.Kind {
		case product.NoFairness:
			f.Of = "set"
		case product.ProcessFairness:
			f.Of, f.Names = "process", []string{processes.Names[r.Process]}
		case product.ChoiceFairness:
			f.Of = "transitions"
		default:
			f.Of = "action"
		}
		if r.Step >= 0 {
			f.State = &r.Step
			if r.Why == product.Taken {
				f.Event = steps[r.Step].Event
			}
		}
		all[i] = f
	}
	return all
}
