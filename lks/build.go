package lks

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/frontier"
	"github.com/seltl/seltl/internal/statetable"
)

// Build returns the reachable part of the composition as one LKS. Its states
// are numbered breadth-first, the initial states first, and named by the local
// states of the components; its alphabet, propositions and name are the
// network's; states in error have the kind Error and terminated ones the kind
// End (one of each unless there are propositions or observers, see Network).
// meter may be nil. The error is the meter's, or says that the composition is
// too large for one LKS. Time O(transitions · log degree), memory O(states·Words
// + transitions).
func (n *Network) Build(meter *budget.Meter) (*LKS, error) {
	return n.building(meter, 0).build()
}

// build returns nil if there are more states than the bound allows.
func (b *building) build() (*LKS, error) {
	var within bool
	if err := budget.Within(func() (err error) { within, err = b.explore(); return err }); err != nil || !within {
		return nil, err
	}
	m := b.lks
	m.edges = b.edges.join()
	b.label()
	m.describe, m.tip = b.net.describers(b.states.Table)
	return m, nil
}

type building struct {
	net    *Network
	states *frontier.Frontier
	lks    *LKS     // without edges until they are all known
	edges  edgeList // sorted
	meter  *budget.Meter
	most   int // states, and a sixteenth of the transitions; 0: no bound
}

// mostEdges bounds the transitions, which have numbers of 32 bits. Tests lower it.
var mostEdges = math.MaxInt32 - 1<<24

func (n *Network) building(meter *budget.Meter, most int) *building {
	return &building{
		net:    n,
		states: frontier.New(n.Words()),
		lks:    &LKS{name: n.name, alphabet: n.alphabet, props: n.Props(), first: []int32{0}},
		meter:  meter,
		most:   most,
	}
}

// explore returns false if there are more states than the bound allows.
func (b *building) explore() (within bool, err error) {
	e := b.net.Explorer()
	m := b.lks
	var succ Successors
	var edges []Edge
	e.Initial(&succ)
	m.initial = slices.Clone(b.states.Number(succ.States))
	slices.Sort(m.initial)
	rules := b.net.rules
	for s := range b.states.InOrder {
		if b.most > 0 && (b.states.Len() > b.most || b.edges.len > 16*b.most) {
			return false, nil
		}
		if err := b.tick(s); err != nil {
			return false, err
		}
		e.Successors(b.states.State(s), &succ)
		edges = edges[:0]
		for i, target := range b.states.Number(succ.States) {
			edges = append(edges, Edge{Action: rules[succ.Rules[i]].Action, Target: target})
		}
		b.edges.append(SortEdges(edges))
		m.first = append(m.first, int32(b.edges.len))
	}
	return true, nil
}

// SortEdges sorts edges in place, by action and target, and returns them without
// duplicates.
func SortEdges(edges []Edge) []Edge {
	if slices.IsSortedFunc(edges, Edge.compare) {
		return slices.Compact(edges)
	}
	if len(edges) < fewEdges {
		slices.SortFunc(edges, Edge.compare)
		return slices.Compact(edges)
	}
	keys := make([]uint64, len(edges)) // edges as numbers: they sort faster
	for i, e := range edges {
		keys[i] = uint64(e.Action)<<32 | uint64(uint32(e.Target))
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	for i, k := range keys {
		edges[i] = Edge{Action: int32(k >> 32), Target: int32(k & math.MaxUint32)}
	}
	return edges[:len(keys)]
}

// fewEdges are sorted where they are.
const fewEdges = 128

func (e Edge) compare(other Edge) int {
	return cmp.Or(cmp.Compare(e.Action, other.Action), cmp.Compare(e.Target, other.Target))
}

func (b *building) tick(s int32) error {
	edges := b.edges.len
	due := b.states.Due(b.meter, s, int64(edges))
	switch at := (budget.Progress{Phase: "composing", Transitions: int64(edges)}); {
	case edges > mostEdges:
		return budget.Full("transitions of "+b.net.name, edges, at)
	case due:
		return b.states.Tick(b.meter, at)
	}
	return nil
}

// label computes labels and kinds of all states. States with the same label
// classes in all components share a label; so do others with equal labels.
func (b *building) label() {
	n, m := b.net, b.lks
	m.kinds = n.kindsOf(b.states.Table)
	if len(m.props) == 0 {
		return
	}
	number := make([]map[int32]int32, len(n.components)) // local to global proposition
	var labelled []int32
	for i, p := range n.props {
		if number[p.component] == nil {
			number[p.component] = map[int32]int32{}
			labelled = append(labelled, p.component)
		}
		number[p.component][p.prop] = int32(i)
	}
	slices.Sort(labelled)
	m.labelOf = make([]int32, b.states.Len())
	byClasses, byLabel := map[string]int32{}, map[string]int32{}
	var key []byte
	var label []int32
	for s := range m.labelOf {
		state := b.states.State(int32(s))
		kind := m.Kind(int32(s))
		key = key[:0]
		speaking := labelled
		if kind == Error {
			speaking = slices.DeleteFunc(slices.Clone(labelled), func(c int32) bool { return n.LabelVoid(kind, c, n.Local(state, c)) })
			key = fmt.Appendf(key, "error %v ", speaking)
		}
		for _, c := range speaking {
			key = appendInt32(key, n.components[c].LabelClass(n.Local(state, c)))
		}
		id, ok := byClasses[string(key)]
		if !ok {
			label = label[:0]
			for _, c := range speaking {
				for _, p := range n.components[c].Label(n.Local(state, c)) {
					label = append(label, number[c][p])
				}
			}
			slices.Sort(label)
			id = m.labelClass(byLabel, label)
			byClasses[string(key)] = id
		}
		m.labelOf[s] = id
	}
}

// labelClass returns the class of a sorted label, which it copies if new.
func (m *LKS) labelClass(classes map[string]int32, label []int32) int32 {
	var key []byte
	for _, p := range label {
		key = appendInt32(key, p)
	}
	id, ok := classes[string(key)]
	if !ok {
		id = int32(len(m.labels))
		classes[string(key)] = id
		m.labels = append(m.labels, slices.Clone(label))
	}
	return id
}

func appendInt32(key []byte, x int32) []byte {
	return append(key, byte(x), byte(x>>8), byte(x>>16), byte(x>>24))
}

// kindsOf returns the kinds of all states, or nil if all are Normal.
func (n *Network) kindsOf(t *statetable.Table) []Kind {
	if !n.Special() {
		return nil
	}
	kinds := make([]Kind, t.Len())
	special := false
	for s := range kinds {
		kinds[s] = n.Kind(t.State(int32(s)))
		special = special || kinds[s] != Normal
	}
	if !special {
		return nil
	}
	return kinds
}

// describers name the states of the table, and tell of their components.
func (n *Network) describers(t *statetable.Table) (describe, tip func(int32) string) {
	of := func(name func([]uint64) string) func(int32) string {
		return func(s int32) string {
			if s < 0 || int(s) >= t.Len() {
				return ""
			}
			return name(t.State(s))
		}
	}
	return of(n.StateName), of(n.StateTip)
}

// StateName describes a global state for people: "(a,b)" by the local states of
// the components, "ERROR" and "END" for states in error and terminated ones.
func (n *Network) StateName(state []uint64) string {
	switch n.Kind(state) {
	case Error:
		return "ERROR"
	case End:
		return "END"
	}
	if len(n.components) == 1 {
		return n.components[0].StateName(n.Local(state, 0))
	}
	names := make([]string, 0, len(n.components))
	for c, m := range n.components {
		if !n.observer[c] {
			names = append(names, m.StateName(n.Local(state, int32(c))))
		}
	}
	return "(" + strings.Join(names, ",") + ")"
}

// mostTold is how many components StateTip tells of.
const mostTold = 64

// StateTip tells of a global state in which local state each component is, one a line; "" where
// StateName does, there are none, or too many.
func (n *Network) StateTip(state []uint64) string {
	if k := n.Kind(state); len(n.components) == 1 || len(n.components) > mostTold || k == Error || k == End {
		return ""
	}
	var lines []string
	for c, m := range n.components {
		if !n.observer[c] {
			lines = append(lines, n.ComponentName(c)+": "+m.StateName(n.Local(state, int32(c))))
		}
	}
	return strings.Join(lines, "\n")
}
