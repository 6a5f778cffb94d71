package check

import (
	"fmt"

	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
)

// storeText says how an exploration kept its states, if not in the usual way.
func storeText(r *explore.Reached) string {
	text := ""
	if r.Store != explore.Numbered {
		text = fmt.Sprintf(", %v store", r.Store)
	}
	if r.Workers > 1 {
		text += fmt.Sprintf(", %d workers", r.Workers)
	}
	if r.Unsaved != nil {
		text += fmt.Sprintf("; %v", r.Unsaved)
	}
	return text
}

// reachProfile describes an exploration.
func reachProfile(r *explore.Reached) *report.Profile {
	p := &report.Profile{
		States: report.NewCount(int64(r.Len())), Transitions: report.NewCount(r.Transitions), Depth: r.Depth, Store: r.Store.String(), Workers: r.Workers,
		TableLoad: r.Load, TableBytes: r.Bytes(), QueueBytes: r.QueueBytes, Seconds: r.Elapsed.Seconds(),
	}
	if p.Seconds > 0 {
		p.StatesPerSecond = p.States.Float() / p.Seconds
	}
	ph := r.Phases
	p.Phases = report.NewPhases(
		[]string{"successors", "store", "queue", "waiting", "checkpoint", "disk"},
		[]float64{ph.Successors.Seconds(), ph.Store.Seconds(), ph.Queue.Seconds(), ph.Waiting.Seconds(), ph.Checkpoint.Seconds(), ph.Disk.Seconds()})
	return p
}

// productProfile describes a search of the product of a model and an automaton.
func productProfile(res *product.Result) *report.Profile {
	st := &res.Stats
	p := &report.Profile{
		States: report.NewCount(st.States), Transitions: report.NewCount(st.Transitions), Depth: st.Depth, Store: res.Store.String(), Workers: res.Workers,
		TableBytes: st.StoreBytes, QueueBytes: st.StackBytes, Seconds: st.Search.Seconds(),
	}
	if p.Seconds > 0 {
		p.StatesPerSecond = p.States.Float() / p.Seconds
	}
	p.Phases = report.NewPhases([]string{"translation", "search", "counterexample"},
		[]float64{st.Translate.Seconds(), st.Search.Seconds(), st.Trace.Seconds()})
	return p
}
