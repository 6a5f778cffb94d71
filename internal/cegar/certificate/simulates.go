package certificate

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/smt"
)

// weak are the weak transitions of a specification: any number of silent steps before and after
// a visible one, or none at all.
type weak struct {
	spec   *lks.LKS
	silent [][]int32            // by state: what silent steps lead to, with the state itself
	by     []map[string][]int32 // by state and action
}

func newWeak(spec *lks.LKS) *weak {
	w := &weak{spec: spec}
	names := spec.Alphabet()
	for q := range int32(spec.NumStates()) {
		w.silent = append(w.silent, w.closed([]int32{q}))
	}
	for q := range w.silent {
		by := map[string][]int32{}
		for _, u := range w.silent[q] {
			for _, e := range spec.Edges(u) {
				if e.Action != lks.TauID {
					by[names[e.Action]] = append(by[names[e.Action]], w.silent[e.Target]...)
				}
			}
		}
		for a, to := range by {
			slices.Sort(to)
			by[a] = slices.Compact(to)
		}
		w.by = append(w.by, by)
	}
	return w
}

// closed returns states with those that silent steps lead to, sorted.
func (w *weak) closed(from []int32) (all []int32) {
	seen := make([]bool, w.spec.NumStates())
	add := func(q int32) {
		if !seen[q] {
			seen[q] = true
			all = append(all, q)
		}
	}
	for _, q := range from {
		add(q)
	}
	for i := 0; i < len(all); i++ {
		for _, e := range w.spec.Edges(all[i]) {
			if e.Action == lks.TauID {
				add(e.Target)
			}
		}
	}
	slices.Sort(all)
	return all
}

// after is what an action, "" for silent steps, leads to.
func (w *weak) after(q int32, action string) []int32 {
	if action == "" {
		return w.silent[q]
	}
	return w.by[q][action]
}

// simulated proves that the specification weakly simulates the graph ([Chaki05], Def. 4): it
// takes all pairs of states that agree about termination and removes those from which the
// specification cannot answer, until all can.
func (g *graph) simulated(spec *lks.LKS, meter *budget.Meter) error {
	n := spec.NumStates()
	if len(g.states) > maxPairs/max(n, 1) {
		return &TooLarge{What: fmt.Sprintf("%d states are to be compared with %d of the specification", len(g.states), n)}
	}
	w := newWeak(spec)
	related := make([][]bool, len(g.states))
	for s := range related {
		related[s] = make([]bool, n)
		for q := range n {
			kind := spec.Kind(int32(q))
			related[s][q] = kind != lks.Error && (kind == lks.End || !g.terminated(int32(s)))
		}
	}
	answers := func(s int, q int32) bool {
		for _, m := range g.out[s] {
			if !slices.ContainsFunc(w.after(q, g.actions[m.action]), func(to int32) bool { return related[m.to][to] }) {
				return false
			}
		}
		return true
	}
	for changed := true; changed; {
		changed = false
		for s := len(related) - 1; s >= 0; s-- {
			if err := meter.Tick(budget.Progress{Phase: "comparing", States: int64(len(g.states))}); err != nil {
				return err
			}
			for q := range int32(n) {
				if related[s][q] && !answers(s, q) {
					related[s][q], changed = false, true
				}
			}
		}
	}
	for _, s := range g.initial {
		if !slices.ContainsFunc(spec.Initial(), func(q int32) bool { return related[s][q] }) {
			return &Refused{Claim: "the specification simulates what the components do", Where: g.name(s), Status: smt.Sat}
		}
	}
	return nil
}

// traces proves that the specification has all traces of the graph: it follows each with the
// set of all states that the specification can be in.
func (g *graph) traces(spec *lks.LKS, meter *budget.Meter) error {
	w := newWeak(spec)
	type pair struct {
		s   int32
		set string
	}
	seen := map[pair]bool{}
	var queue []pair
	sets := map[string][]int32{}
	enter := func(s int32, set []int32) error {
		set = slices.DeleteFunc(slices.Clone(set), func(q int32) bool {
			return spec.Kind(q) == lks.Error || spec.Kind(q) != lks.End && g.terminated(s)
		})
		if len(set) == 0 {
			return &Refused{Claim: "the specification has all traces of the components", Where: g.name(s), Status: smt.Sat}
		}
		p := pair{s, fmt.Sprint(set)}
		if !seen[p] {
			seen[p], sets[p.set] = true, set
			queue = append(queue, p)
		}
		return nil
	}
	for _, s := range g.initial {
		if err := enter(s, w.closed(spec.Initial())); err != nil {
			return err
		}
	}
	for i := 0; i < len(queue); i++ {
		if err := meter.Tick(budget.Progress{Phase: "comparing", States: int64(i)}); err != nil {
			return err
		}
		if len(queue) > maxPairs/64 {
			return &TooLarge{What: "the specification can be in too many sets of states"}
		}
		p := queue[i]
		for _, m := range g.out[p.s] {
			var next []int32
			for _, q := range sets[p.set] {
				next = append(next, w.after(q, g.actions[m.action])...)
			}
			slices.Sort(next)
			if err := enter(m.to, slices.Compact(next)); err != nil {
				return err
			}
		}
	}
	return nil
}
