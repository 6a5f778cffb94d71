// Package equivalence decides whether two processes, networks of labeled Kripke
// structures (package lks), are equivalent: by strong, weak or branching
// bisimulation, or because each conforms to the other (package conform).
//
// Bisimulations are decided by partition refinement on both processes together. That
// they hold is certified by the partition, which is checked against the definition of
// the relation; that they fail is shown by a formula of Hennessy-Milner logic or one
// of its relatives (Formula), which is evaluated on both processes. The other
// relations are two questions to package conform, and so are their proofs and
// counterexamples.
//
// Propositions, termination and error are observed: see lks.Equivalence.
//
// # Files
//
// system.go: both processes side by side, with what the relation observes.
// certify.go: the check of a partition; it uses nothing of what made it, so it looks
// at single steps and classes anew. rounds.go, distinguish.go: partition refinement
// in rounds, and formulas read off them. formula.go, evaluate.go: formulas and their
// meaning. weak.go: Milner's weak steps.
package equivalence

import (
	"cmp"
	"context"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/conform"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/outcome"
)

// Relation is an equivalence of processes. The bisimulations come first, in the order
// of lks.Equivalence.
type Relation int

const (
	// Strong treats tau as any other action.
	Strong Relation = iota
	// Weak is Milner's observational equivalence. It is blind to divergence: a
	// deadlock and a livelock are equivalent.
	Weak
	// Branching bisimulation is that of van Glabbeek and Weijland, blind to
	// divergence too.
	Branching
	// Divergence is branching bisimulation with explicit divergence.
	Divergence
	// Simulation: each simulates the other (Def. 3; tau is an action as any other).
	Simulation
	// Trace: each has the traces of the other.
	Trace
	// Failures: each has the stable failures and traces of the other.
	Failures
)

var relations = names.Of[Relation]("equivalence", "strong", "weak", "branching", "divergence", "simulation", "trace", "failures")

func (q Relation) String() string                   { return relations.String(q) }
func (q Relation) MarshalText() ([]byte, error)     { return relations.Marshal(q) }
func (q *Relation) UnmarshalText(text []byte) error { return relations.Unmarshal(text, q) }

// Names lists the texts of all values.
func (Relation) Names() []string { return relations.List() }

// Options of Check. The zero value asks for strong bisimulation.
type Options struct {
	Relation Relation
	Limits   budget.Limits
	Progress func(budget.Progress) // may be nil
}

// Result is the answer of Check.
type Result struct {
	Verdict  outcome.Verdict
	Reason   error // of Unknown: a limit, or budget.ErrInterrupted
	Relation Relation

	// For bisimulations: sizes, and what tells the processes apart. Formula holds
	// in the initial state Initial of the one (FirstHas: of a) and in no initial
	// state of the other. It is nil if it would be too large (say: deeper than
	// some thousand modalities).
	StatesA, StatesB int64
	Classes          int64
	Formula          *Formula
	FirstHas         bool
	Initial          int32
	InitialName      string

	// For the other equivalences: whether a is below b in the preorder, and b
	// below a. Backward is nil if Forward fails already.
	Forward, Backward *conform.Result
}

// Equivalent reports whether it is known that they are.
func (r *Result) Equivalent() bool { return r.Verdict == outcome.Holds }

// Check decides whether a and b, which must have the same alphabet and propositions
// (*conform.Mismatch), are equivalent: for bisimulations, whether every initial state
// of each is related to an initial state of the other. Both are built. That they are
// is checked against the definition of the equivalence, what tells them apart is
// evaluated on both, before the result is returned. For other errors see
// conform.Check.
func Check(ctx context.Context, a, b *lks.Network, opts Options) (*Result, error) {
	r := &Result{Relation: opts.Relation}
	if err := conform.Comparable(a, b); err != nil {
		return r, err
	}
	var equivalent bool
	var err error
	if p, ok := preorders[opts.Relation]; ok {
		equivalent, err = r.bothWays(ctx, a, b, p, opts)
	} else {
		equivalent, err = r.bisimilar(a, b, budget.New(ctx, opts.Limits, opts.Progress))
	}
	switch {
	case err != nil && outcome.Open(err):
		r.Reason = err
		return r, nil
	case err != nil:
		return r, err
	case equivalent:
		r.Verdict = outcome.Holds
	default:
		r.Verdict = outcome.Violated
	}
	return r, nil
}

// preorders has what must hold both ways for the relations that are no bisimulations.
var preorders = map[Relation]conform.Preorder{
	Simulation: conform.Simulation, Trace: conform.Trace, Failures: conform.Failures,
}

func (r *Result) bothWays(ctx context.Context, a, b *lks.Network, p conform.Preorder, opts Options) (equivalent bool, err error) {
	o := conform.Options{Preorder: p, Method: conform.Plain, SilentSpec: conform.Letter, Limits: opts.Limits, Progress: opts.Progress}
	if r.Forward, err = conform.Check(ctx, a, b, o); err != nil || !r.Forward.Holds() {
		return false, cmp.Or(err, r.Forward.Reason)
	}
	if r.Backward, err = conform.Check(ctx, b, a, o); err != nil {
		return false, err
	}
	return r.Backward.Holds(), r.Backward.Reason
}

func (r *Result) bisimilar(a, b *lks.Network, meter *budget.Meter) (equivalent bool, err error) {
	ma, err := a.Build(meter)
	if err != nil {
		return false, err
	}
	mb, err := b.Build(meter)
	if err != nil {
		return false, err
	}
	r.StatesA, r.StatesB = int64(ma.NumStates()), int64(mb.NumStates())
	both, err := union(ma, mb)
	if err != nil {
		return false, err
	}
	class, err := lks.Classes(both, lks.Equivalence(r.Relation), meter)
	if err != nil {
		return false, err
	}
	r.Classes = int64(slices.Max(class)) + 1
	offset := int32(ma.NumStates())
	inA, inB := ma.Initial(), shift(mb.Initial(), offset)
	odd, others := unmatched(class, inA, inB), inB
	r.FirstHas = odd >= 0
	if odd < 0 {
		odd, others = unmatched(class, inB, inA), inA
	}
	sys := newSystem(both, r.Relation)
	if odd < 0 {
		return true, sys.certify(class, r.Relation, meter)
	}
	r.Initial, r.InitialName = odd, ma.StateName(odd)
	if !r.FirstHas {
		r.Initial = odd - offset
		r.InitialName = mb.StateName(r.Initial)
	}
	r.Formula, err = distinguish(both, sys, class, r.Relation, odd, others, meter)
	return false, err
}

func shift(states []int32, by int32) []int32 {
	return lists.Map(states, func(s int32) int32 { return s + by })
}

// unmatched returns the first of states in a class that none of the others is in,
// or -1.
func unmatched(class, states, others []int32) int32 {
	for _, s := range states {
		if !slices.ContainsFunc(others, func(t int32) bool { return class[s] == class[t] }) {
			return s
		}
	}
	return -1
}

func tick(meter *budget.Meter, states int) error {
	if meter == nil {
		return nil
	}
	return meter.Tick(budget.Progress{Phase: "comparing", States: int64(states)})
}
