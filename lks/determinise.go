package lks

import (
	"slices"

	"github.com/seltl/seltl/internal/budget"
)

// Determinise returns the deterministic LKS with the traces of m, by the subset
// construction: its states are sets of states of m, closed under silent steps,
// that one trace can lead to.
//
// Labels are observed along with actions: a set holds states of one label, and a
// silent step that changes the label stays a silent step. So an LKS with
// propositions has at most one successor for each pair of action and label; one
// without propositions has at most one for each action and no silent steps, and
// one initial state.
//
// A set with an Error state is one: its trace is an error. A set
// is an End state if it contains one and has no transitions. Deadlocks that only
// some runs of a trace meet are lost, as always in traces.
//
// The error is the meter's, which may be nil: the result can be exponentially
// large. States are numbered breadth-first.
func Determinise(m *LKS, meter *budget.Meter) (*LKS, error) {
	d := &determinising{m: m, number: map[string]int32{}, seen: make([]int32, m.NumStates())}
	r := &LKS{name: m.name, alphabet: m.alphabet, props: m.props, labels: m.labels, first: []int32{0}}
	d.initial(r)
	for s := 0; s < len(d.sets); s++ {
		if meter != nil {
			if err := meter.Tick(budget.Progress{Phase: "determinising", States: int64(len(d.sets)), Transitions: int64(len(r.edges))}); err != nil {
				return nil, err
			}
		}
		from := len(r.edges)
		d.expand(r, d.sets[s])
		edges := sortedEdges(r.edges[from:])
		r.edges = r.edges[:from+len(edges)]
		r.first = append(r.first, int32(len(r.edges)))
	}
	d.label(r)
	return r, nil
}

type determinising struct {
	m      *LKS
	sets   [][]int32 // by state of the result: sorted; one Error state only if there is one
	number map[string]int32
	seen   []int32 // scratch of closure: the round in which a state was met
	round  int32
	key    []byte
}

// initial groups the initial states of m by label.
func (d *determinising) initial(r *LKS) {
	for _, group := range d.byLabel(slices.Clone(d.m.initial)) {
		r.initial = append(r.initial, d.state(group))
	}
	slices.Sort(r.initial)
	r.initial = slices.Compact(r.initial)
}

// byLabel sorts states by label and cuts them into groups of one label.
func (d *determinising) byLabel(states []int32) [][]int32 {
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
	set := d.closure(states)
	if i := slices.IndexFunc(set, func(s int32) bool { return d.m.Kind(s) == Error }); i >= 0 {
		set = []int32{d.m.firstAlike(set[i])}
	}
	d.key = d.key[:0]
	for _, s := range set {
		d.key = appendInt32(d.key, s)
	}
	n, ok := d.number[string(d.key)]
	if !ok {
		n = int32(len(d.sets))
		d.number[string(d.key)] = n
		d.sets = append(d.sets, set)
	}
	return n
}

// closure adds what is reached by silent steps within the label.
func (d *determinising) closure(states []int32) []int32 {
	d.round++
	var set []int32
	add := func(s int32) {
		if d.seen[s] != d.round {
			d.seen[s] = d.round
			set = append(set, s)
		}
	}
	for _, s := range states {
		add(s)
	}
	label := d.m.LabelClass(states[0])
	for i := 0; i < len(set); i++ {
		for _, e := range d.m.Succ(set[i], TauID) {
			if d.m.LabelClass(e.Target) == label {
				add(e.Target)
			}
		}
	}
	slices.Sort(set)
	return set
}

// expand appends the transitions of a set.
func (d *determinising) expand(r *LKS, set []int32) {
	label := d.m.LabelClass(set[0])
	var edges []Edge
	for _, s := range set {
		for _, e := range d.m.Edges(s) {
			if e.Action != TauID || d.m.LabelClass(e.Target) != label {
				edges = append(edges, e)
			}
		}
	}
	edges = sortedEdges(edges)
	for i := 0; i < len(edges); {
		var targets []int32
		a := edges[i].Action
		for i < len(edges) && edges[i].Action == a {
			targets = append(targets, edges[i].Target)
			i++
		}
		for _, group := range d.byLabel(targets) {
			r.edges = append(r.edges, Edge{a, d.state(group)})
		}
	}
}

// label gives the sets their labels, kinds and names.
func (d *determinising) label(r *LKS) {
	kinds := make([]Kind, len(d.sets))
	special := false
	for i, set := range d.sets {
		s := int32(i)
		for _, member := range set {
			if k := d.m.Kind(member); k != Normal && len(r.Edges(s)) == 0 {
				kinds[i] = k
				special = true
			}
		}
		if d.m.labelOf != nil {
			r.labelOf = append(r.labelOf, d.m.labelOf[set[0]])
		}
	}
	if special {
		r.kinds = kinds
	}
	sets, m := d.sets, d.m
	r.describe = func(s int32) string {
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
