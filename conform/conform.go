package conform

import (
	"context"
	"fmt"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/portfolio"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/outcome"
)

// Stats are figures of a check.
type Stats struct {
	ImplStates  int64 // states of the implementation (in TwoLevel: of the last abstraction) that were looked at
	SpecStates  int64 // states of the specification
	Positions   int64 // positions of the game, or pairs of the subset construction
	Clauses     int64 // clauses generated (simulations)
	Literals    int64 // answers looked at (simulations)
	Certificate int64 // pairs of the certificate, if the preorder holds
	Elapsed     time.Duration
}

// Result of Check.
type Result struct {
	Verdict  outcome.Verdict
	Reason   error // of Unknown: a limit, or budget.ErrInterrupted
	Preorder Preorder
	Method   Method // that decided
	// Restricted says that the implementation was projected; Ignored are the
	// actions that became silent and the propositions that were dropped.
	Restricted                   bool
	IgnoredActions, IgnoredProps []string
	// Silent says that silent steps of the specification were read by
	// Options.SilentSpec.
	Silent Silent

	Alphabet []string // of both, by number; Alphabet[0] is tau

	// Trees of a simulation that fails, the smallest first, and the witness of
	// each. Smallest says that no counterexample tree is smaller than Trees[0].
	// Witnesses[i] is nil if it would be larger than a million states.
	Trees     []*Tree
	Witnesses []*lks.LKS
	Smallest  bool

	// Levels says how the components were refined, if Method is TwoLevel.
	Levels *Levels

	// Trace of a refinement that fails.
	Trace *TraceCounterexample

	Stats Stats

	holds bool // while it is decided
	impl  *space
	spec  *specification
}

// Holds reports whether it is known that the implementation conforms.
func (r *Result) Holds() bool { return r.Verdict == outcome.Holds }

// ImplName describes a state of the implementation for people.
func (r *Result) ImplName(state int32) string {
	return r.impl.net.StateName(r.impl.states.State(state))
}

// ImplNetwork returns the implementation as it was compared: projected, if that
// was asked for.
func (r *Result) ImplNetwork() *lks.Network { return r.impl.net }

// ImplProps returns the propositions that hold in a state of the implementation,
// of those compared.
func (r *Result) ImplProps(state int32) []string {
	return r.impl.labels.names(r.impl.classes[state].label)
}

// SpecName describes a state of the specification for people.
func (r *Result) SpecName(state int32) string { return r.spec.m.StateName(state) }

// SpecOffers returns the actions that the specification has in a state, as
// sorted numbers of Alphabet.
func (r *Result) SpecOffers(state int32) []int32 {
	var actions []int32
	for _, e := range r.spec.out(state) {
		if len(actions) == 0 || actions[len(actions)-1] != e.action {
			actions = append(actions, e.action)
		}
	}
	return actions
}

// Check decides whether impl conforms to spec. Both are explored as far as
// needed; the specification is built, the implementation is not. Errors are
// *Mismatch and *SilentSpec for input that cannot be compared, and others for input
// that is too large or a method that does not apply. A result that is Unknown has the
// figures so far.
func Check(ctx context.Context, impl, spec *lks.Network, opts Options) (*Result, error) {
	if impl == nil || spec == nil {
		return nil, lks.ErrNil
	}
	c := &check{opts: opts, meter: budget.New(ctx, opts.Limits, opts.Progress)}
	r := &Result{Preorder: opts.Preorder, Method: opts.Method, Restricted: opts.Restrict, Silent: opts.SilentSpec}
	err := budget.Within(func() error { return c.run(impl, spec, r) })
	r.Stats.Elapsed = c.meter.Elapsed()
	switch {
	case err != nil && outcome.Open(err):
		r.Reason = err
		return r, nil
	case err != nil:
		return r, err
	case r.holds:
		r.Verdict = outcome.Holds
	default:
		r.Verdict = outcome.Violated
	}
	return r, nil
}

// check is one call of Check.
type check struct {
	opts  Options
	meter *budget.Meter
	lane  *portfolio.Lane // is told of positions; nil if nothing bounds them
}

func (c *check) weak() bool { return c.opts.Preorder == Weak }

func (c *check) trees() int { return max(1, c.opts.Trees) }

func (c *check) effort() int {
	if c.opts.TreeEffort == 0 {
		return 50_000
	}
	return max(0, c.opts.TreeEffort)
}

func (c *check) run(impl, spec *lks.Network, r *Result) error {
	seen, err := projected(impl, spec, c.opts.Restrict)
	if err != nil {
		return err
	}
	if c.opts.Restrict {
		r.IgnoredActions = difference(impl.Alphabet()[1:], spec.Alphabet()[1:])
		r.IgnoredProps = difference(impl.Props(), spec.Props())
	}
	r.Alphabet = spec.Alphabet()
	silent := c.opts.SilentSpec
	if c.opts.Preorder == Trace || c.opts.Preorder == Failures {
		silent = Letter
	}
	l := newLabels(spec.Props())
	s, err := newSpecification(spec, l, silent, c.meter)
	if err != nil {
		return err
	}
	r.Stats.SpecStates = int64(s.len())
	return c.decide(seen, s, l, r)
}

// decide chooses the method.
func (c *check) decide(impl *lks.Network, s *specification, l *labels, r *Result) error {
	switch c.opts.Method {
	case Plain:
		return c.plain(newSpace(impl, l), s, r)
	case Auto:
		return c.auto(impl, s, l, r)
	}
	if err := applicable(impl, r.Preorder); err != nil {
		return err
	}
	t, err := c.newTwoLevel(impl, s, l)
	if err != nil {
		return err
	}
	decided, err := t.run(nil, r)
	if err == nil && !decided {
		err = &budget.Exhausted{What: "states", Limit: fmt.Sprintf("%d of a witness", maxWitness), Advice: "the plain method"}
	}
	return err
}

// plain decides on the implementation itself.
func (c *check) plain(impl *space, s *specification, r *Result) error {
	r.Method, r.impl, r.spec = Plain, impl, s
	defer func() { r.Stats.ImplStates = int64(impl.len()) }()
	if c.opts.Preorder == Trace || c.opts.Preorder == Failures {
		return c.refines(impl, s, r)
	}
	g := newGame(impl, s, c.weak(), c.meter)
	g.lane = c.lane
	holds, err := g.solve()
	r.Stats.Positions, r.Stats.Clauses, r.Stats.Literals = int64(g.table.Len()), int64(len(g.clauses)), g.literals
	if err != nil {
		return err
	}
	r.holds = holds
	if holds {
		r.Stats.Certificate = g.certificate()
		return g.certify()
	}
	return c.counterexamples(g, r)
}

// counterexamples extracts trees and witnesses from a game that the
// implementation wins, and replays them.
func (c *check) counterexamples(g *game, r *Result) error {
	if effort := c.effort(); effort > 0 && g.table.Len() < effort {
		complete, err := g.widen(effort)
		if err != nil {
			return err
		}
		r.Smallest = complete
	}
	trees := newDerivations(g).trees(c.trees())
	if len(trees) == 0 {
		return bug.Errorf("conform", "no counterexample tree")
	}
	replay := newReplayer(g.impl, g.spec, g.weak, c.opts.SilentSpec == Saturate)
	for i, t := range trees {
		if err := c.report(t, i, replay, r); err != nil {
			return err
		}
	}
	return nil
}

// report replays a tree and its witness and adds them to the result.
func (c *check) report(t *Tree, i int, replay *replayer, r *Result) error {
	if err := replay.tree(t); err != nil {
		return err
	}
	r.Trees = append(r.Trees, t)
	r.Witnesses = append(r.Witnesses, nil)
	w := t.toWitness()
	if w == nil {
		return nil
	}
	impl := replay.impl
	m, err := w.lks(witnessName(impl.net.Name(), i), r.Alphabet, impl.labels,
		func(s int32) class { return impl.classes[s] }, func(s int32) string { return impl.net.StateName(impl.states.State(s)) })
	if err != nil {
		return err
	}
	r.Witnesses[i] = m
	return replay.witness(w, m)
}

func witnessName(impl string, i int) string {
	if i == 0 {
		return impl + "_witness"
	}
	return fmt.Sprintf("%s_witness%d", impl, i+1)
}
