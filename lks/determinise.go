package lks

import (
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/numset"
)

// Traces says which traces Determinise keeps.
//
// The trace of a run is what is seen along it: the propositions of its first state,
// its visible actions with the propositions of the states that they lead to, every
// silent change of the propositions, and, at its end, whether it is in an End or an
// Error state. Deadlocks and livelocks are not seen.
type Traces uint8

const (
	// AllTraces keeps all of them.
	AllTraces Traces = iota
	// UntilError is LTSA's reading of deterministic: if one run with some visible
	// actions, after which it may go on silently, leads to Error, all do, and nothing
	// follows. What remains is deterministic in LTSA's sense too: where runs with one
	// trace end in End, others not, it has ended only if nothing is possible there
	// and none of them is a deadlock.
	UntilError
)

// Determinise returns an LKS with these traces of m in which what is seen determines
// the state, with the fewest states that one can have:
//
//   - initial states have different labels;
//   - transitions from one state by one visible action lead to states with different
//     labels;
//   - a silent transition leads to a state with another label, only one from each
//     state to each label; or, under AllTraces, to an End or Error state with the same
//     label, from which the run goes no further (at most one of each kind).
//
// So without propositions there is one initial state, and one successor for each
// visible action; and under UntilError, or where m has no special states, nothing is
// silent. A state is End or Error itself, if that is all that can be there. An LKS
// that is like that already is returned as its quotient under strong bisimulation.
//
// This is the subset construction: states are sets of states of m with one label,
// closed under silent steps that keep it. The error is the meter's, which may be
// nil: the result can be exponentially large. States are numbered breadth-first.
func Determinise(m *LKS, traces Traces, meter *budget.Meter) (*LKS, error) {
	d := &determinising{m: m, traces: traces}
	d.r = &LKS{name: m.name, alphabet: m.alphabet, props: m.props, labels: m.labels, first: []int32{0}}
	d.initial()
	for s := 0; s < len(d.sets); s++ {
		if meter != nil {
			if err := meter.Tick(budget.Progress{Phase: "determinising", States: int64(len(d.sets)), Transitions: int64(len(d.r.edges))}); err != nil {
				return nil, err
			}
		}
		d.expand(d.sets[s])
	}
	d.r.kinds = d.kinds
	d.r.describe = d.describer()
	class, err := Classes(d.r, Strong, meter)
	if err != nil {
		return nil, err
	}
	return d.r.quotient(class, Strong), nil
}

type determinising struct {
	m      *LKS
	traces Traces
	r      *LKS
	sets   [][]int32 // by state of the result: sorted
	kinds  []Kind    // likewise
	number numset.Index
	seen   numset.Stamps // scratch of closure
}

// initial groups the initial states of m by label.
func (d *determinising) initial() {
	for _, group := range d.together(slices.Clone(d.m.initial)) {
		d.r.initial = append(d.r.initial, d.state(group))
	}
	slices.Sort(d.r.initial)
	d.r.initial = slices.Compact(d.r.initial)
}

// together cuts states that one trace can lead to into groups of one label; into one
// with a single Error state if such a state is reached silently and that is an error
// of the trace.
func (d *determinising) together(states []int32) [][]int32 {
	if d.traces == UntilError {
		failed := int32(-1) // of several the one whose label comes first
		for _, s := range d.closure(states, true) {
			if d.m.Kind(s) == Error && (failed < 0 || d.m.LabelClass(s) < d.m.LabelClass(failed)) {
				failed = s
			}
		}
		if failed >= 0 {
			return [][]int32{{failed}}
		}
	}
	slices.SortFunc(states, func(s, t int32) int {
		if a, b := d.m.LabelClass(s), d.m.LabelClass(t); a != b {
			return int(a - b)
		}
		return int(s - t)
	})
	var groups [][]int32
	for i := 0; i < len(states); {
		from := i
		for i < len(states) && d.m.LabelClass(states[i]) == d.m.LabelClass(states[from]) {
			i++
		}
		groups = append(groups, states[from:i])
	}
	return groups
}

// state returns the number of the closure of states of one label.
func (d *determinising) state(states []int32) int32 {
	set := d.closure(states, false)
	n, fresh := d.number.Number(set)
	if fresh {
		d.sets = append(d.sets, set)
	}
	return n
}

// closure returns what is reached by silent steps, sorted; unless through is set,
// only by those that keep the label, which all of the states have in common.
func (d *determinising) closure(states []int32, through bool) []int32 {
	d.seen.Clear(d.m.NumStates())
	var set []int32
	add := func(s int32) {
		if d.seen.Add(s) {
			set = append(set, s)
		}
	}
	for _, s := range states {
		add(s)
	}
	for i := 0; i < len(set); i++ {
		for _, e := range d.m.Succ(set[i], TauID) {
			if through || d.m.LabelClass(e.Target) == d.m.LabelClass(set[i]) {
				add(e.Target)
			}
		}
	}
	slices.Sort(set)
	return set
}

// expand appends the next state of the result, which is this set: its transitions,
// label and kind.
func (d *determinising) expand(set []int32) {
	r, label := d.r, d.m.LabelClass(set[0])
	var steps []Edge
	for _, s := range set {
		for _, e := range d.m.Edges(s) {
			if e.Action != TauID || d.m.LabelClass(e.Target) != label {
				steps = append(steps, e)
			}
		}
	}
	steps = SortEdges(steps)
	from := len(r.edges)
	d.kinds = append(d.kinds, d.endings(set, len(steps) == 0))
	for i := 0; i < len(steps); {
		var targets []int32
		a := steps[i].Action
		for i < len(steps) && steps[i].Action == a {
			targets = append(targets, steps[i].Target)
			i++
		}
		for _, group := range d.together(targets) {
			r.edges = append(r.edges, Edge{a, d.state(group)})
		}
	}
	edges := SortEdges(r.edges[from:])
	r.edges = r.edges[:from+len(edges)]
	r.first = append(r.first, int32(len(r.edges)))
	if d.m.labelOf != nil {
		r.labelOf = append(r.labelOf, d.m.labelOf[set[0]])
	}
}

// endings returns the kind of a set, or appends silent transitions to special states
// where it is more than that. stuck says that nothing else can be done.
func (d *determinising) endings(set []int32, stuck bool) Kind {
	var special [3]int32 // by kind: a member, plus 1
	deadlock := false
	for _, s := range set {
		switch k := d.m.Kind(s); {
		case k != Normal:
			special[k] = s + 1 // one is as good as another
		case len(d.m.Edges(s)) == 0:
			deadlock = true
		}
	}
	switch {
	case d.traces == UntilError && special[Error] > 0:
		return Error // it is alone
	case d.traces == UntilError:
		if stuck && special[End] > 0 && !deadlock {
			return End
		}
		return Normal
	case stuck && special[Error] == 0 && special[End] > 0:
		return End
	case stuck && special[End] == 0 && special[Error] > 0:
		return Error
	}
	for _, s := range special {
		if s > 0 {
			d.r.edges = append(d.r.edges, Edge{TauID, d.state([]int32{s - 1})})
		}
	}
	return Normal
}

// describer names the sets.
func (d *determinising) describer() func(s int32) string {
	sets, m := d.sets, d.m
	return func(s int32) string {
		if s < 0 || int(s) >= len(sets) {
			return ""
		}
		if len(sets[s]) == 1 {
			return m.StateName(sets[s][0])
		}
		name := "{"
		for i, member := range sets[s] {
			if i > 0 {
				name += ","
			}
			if i == 8 {
				name += "..."
				break
			}
			name += m.StateName(member)
		}
		return name + "}"
	}
}
