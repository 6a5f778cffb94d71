package product

import (
	"encoding/binary"
	"slices"
	"time"

	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product/internal/meet"
	"github.com/seltl/seltl/product/internal/silent"
)

// Reduce says which parts of a network are minimised before the search.
type Reduce int

const (
	// AutoReduce: none at first; when a search has become long, compositions, if they
	// have the answer sooner (auto.go). With fairness it concerns the search of all
	// runs that comes first; with lossy stores and CountModel it is NoReduce.
	AutoReduce Reduce = iota
	// NoReduce: none.
	NoReduce
	// ReduceComponents: every component by itself.
	ReduceComponents
	// ReduceTree: components, then compositions of them (lks.SimplifyTree).
	ReduceTree
)

var reduces = names.Of[Reduce]("minimisation", "auto", "none", "components", "tree")

func (r Reduce) String() string                   { return reduces.String(r) }
func (r Reduce) MarshalText() ([]byte, error)     { return reduces.Marshal(r) }
func (r *Reduce) UnmarshalText(text []byte) error { return reduces.Unmarshal(text, r) }

// Names lists the texts of all values.
func (Reduce) Names() []string { return reduces.List() }

// Reduction tells what minimisation did.
type Reduction struct {
	Kind        Reduce // never AutoReduce
	Equivalence lks.Equivalence
	// Before are the numbers of states of the components, After of those of the
	// network that was searched, and Parts, by component of that, the components
	// that it stands for, sorted.
	Before, After []int
	Parts         [][]int32
	// Tried counts the compositions of ReduceTree, GivenUp those of them that
	// became too large, and Largest is the number of states of the largest.
	Tried, GivenUp, Largest int
	Stopped                 bool // more would have taken too long
	// Silenced is the number of actions that became silent.
	Silenced int
	Time     time.Duration
	// Searched is the number of states of the product that AutoReduce had expanded or stored
	// when it began to minimise for the last time.
	Searched int64
}

// decideReduced makes an attempt at a network with smaller components (lks.Simplify):
// under divergence-preserving branching bisimulation if the formula is invariant
// under silent stuttering, else under strong bisimulation.
//
// Equivalent runs of the two networks have silently equivalent words (in the strong
// case equal ones): a silent step between equivalent states is a letter (L, no
// event) with the label L of the next. Finite runs correspond to finite runs,
// because deadlocks are kept apart from divergence, and silent steps to what ends
// the network from what has ended it. Fairness would not be preserved.
//
// A violation is looked for again in the original network, close to the one found,
// and reported only as a run of the original. first is asked when the smaller network
// is there; its error ends the attempt.
func (t *task) decideReduced(a attempt, first func(*lks.Simplified) error) (decision, error) {
	start := time.Now()
	d := decision{finding: a.nothing()}
	simple, err := t.simplify(t.opts.Reduce, 0)
	if err != nil {
		return d, err
	}
	d.simple, d.reduction = simple, t.reduction(t.opts.Reduce, simple, time.Since(start))
	if err := first(simple); err != nil {
		return d, err
	}
	a.on = simple.Network
	d.finding, err = a.decide(nil)
	return d, err
}

// simplify minimises the components for what the formula sees, and compositions with
// the effort allowed (lks.TreeLimits).
func (t *task) simplify(kind Reduce, effort int64) (*lks.Simplified, error) {
	props, actions := map[string]bool{}, map[string]bool{}
	for _, a := range ltl.Atoms(t.f) {
		if a.Kind == ltl.Prop {
			props[a.Name] = true
		} else {
			actions[a.Name] = true
		}
	}
	why, err := silent.Invariant(t.net, t.f, false, t.meter)
	if err != nil {
		return nil, err
	}
	q := lks.Strong
	if why == "" {
		q = lks.DivergenceBranching
	}
	view := lks.View{
		Prop:   func(name string) bool { return props[name] },
		Action: func(name string) bool { return actions[name] },
	}
	if kind == ReduceTree {
		bound := t.opts.ReduceBound
		if bound <= 0 {
			bound = treeBound
		}
		return t.net.SimplifyTree(view, q, lks.TreeLimits{States: bound, Effort: effort}, t.meter)
	}
	return t.net.Simplify(view, q, t.meter)
}

// treeBound bounds the states of compositions: more take longer to minimise than
// what they save is worth in most models.
const treeBound = 1 << 14

func (t *task) reduction(kind Reduce, simple *lks.Simplified, time time.Duration) *Reduction {
	r := &Reduction{
		Kind: kind, Equivalence: simple.Equivalence, Silenced: simple.Silenced, Parts: simple.Parts,
		Tried: simple.Tried, GivenUp: simple.GivenUp, Largest: simple.Largest, Stopped: simple.Stopped, Time: time,
	}
	for _, m := range t.net.Components() {
		r.Before = append(r.Before, m.NumStates())
	}
	for _, m := range simple.Network.Components() {
		r.After = append(r.After, m.NumStates())
	}
	return r
}

// lift finds a violating run of the original network, in place of that of the smaller one
// that was decided about. There is one whose states
// are, component by component, in the classes of states of the run that was found:
// to follow its next step, components go silently to where they can, inside their
// classes. So a search among such states, and special ones, finds one.
func (t *task) lift(d *decision) error {
	p, _, err := t.shorten(d.g, d.p, false) // the shortest is for the original
	if err != nil {
		return err
	}
	a := t.attempt()
	a.inside = classesOf(t.net, d.simple, d.g, p)
	f, err := a.once(nil)
	if err != nil { // how far this came is all that is left to tell
		d.result.Stats, d.result.FiniteMet = f.result.Stats, f.result.FiniteMet
		return err
	}
	if f.p == nil {
		return bug.Errorf("minimised components", "they have a run that violates the formula, the model has none in its place")
	}
	f.g.Inside = nil
	d.g, d.p = f.g, f.p
	return nil
}

// classesOf returns a test for states of the network that stand in the classes of
// some state of a path of the smaller one, or are special, or from where only silent
// steps lead to the END: the one that the smaller one stores does not tell where its
// components are.
func classesOf(net *lks.Network, simple *lks.Simplified, small *meet.Graph, p *meet.Path) func(state []uint64) bool {
	local := make([]int32, len(net.Components()))
	class := make([]int32, len(simple.Network.Components()))
	var key []byte
	keyOf := func() []byte {
		key = key[:0]
		for _, s := range class {
			key = binary.LittleEndian.AppendUint32(key, uint32(s))
		}
		return key
	}
	met := map[string]bool{}
	packed := make([]uint64, small.NetWords)
	for _, h := range slices.Concat(p.Stem, p.Loop) {
		small.NetworkState(h.From, packed)
		simple.Network.Unpack(packed, class)
		met[string(keyOf())] = true
	}
	return func(state []uint64) bool {
		if net.Kind(state) != lks.Normal || net.Settled(state) {
			return true
		}
		net.Unpack(state, local)
		simple.Locals(local, class)
		return met[string(keyOf())]
	}
}
