package conform

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/numset"
	"github.com/seltl/seltl/internal/portfolio"
	"github.com/seltl/seltl/internal/refine"
	"github.com/seltl/seltl/lks"
)

// Levels is what TwoLevel did: the action-guided half of the two-level loop
// (Procedure 9.4) on components that are LKSs already.
type Levels struct {
	Components []Level
	Rounds     []Round
	// AbstractStates and AbstractPositions are those looked at in the last round.
	AbstractStates, AbstractPositions int64
}

// Level is the final abstraction of a component.
type Level struct {
	Name            string
	States, Classes int
}

// Round is one spurious counterexample (or several, see Options.Trees) and the
// refinement that it caused.
type Round struct {
	AbstractStates, AbstractPositions int64
	Witness                           int     // states of the first witness, or steps of the trace
	Refined                           []int32 // the components that could not follow, sorted
}

// twoLevel is the state of the loop. Witnesses go over rules of the network
// instead of actions, so that relabelled and hidden actions need no special
// treatment: a component follows a witness if it can do its part of every rule
// that it has a part in, and need not move in the others. If all can, together
// they are a simulation of the witness by the network, as in theorem 12, whose
// proof needs only that the parts of a rule move together and nothing else moves.
type twoLevel struct {
	check  *check
	net    *lks.Network
	spec   *specification
	labels *labels
	parts  []*abstraction
	levels *Levels

	result *Result
	lane   *portfolio.Lane // see run
	work   int64           // abstract positions looked at in all rounds of a run
}

// applicable says why two-level refinement does not apply, or nil.
func applicable(net *lks.Network, p Preorder) error {
	switch {
	case p == Failures:
		return errors.New("the two-level method does not apply to failures refinement: quotients have fewer refusals than their components. Use the plain method")
	case net.Low() != nil:
		return fmt.Errorf("the two-level method does not apply to %s, because it has priorities: an abstraction could take precedence where the components do not. Use the plain method", net.Name())
	}
	return nil
}

func (c *check) newTwoLevel(net *lks.Network, spec *specification, l *labels) (*twoLevel, error) {
	t := &twoLevel{check: c, net: net, spec: spec, labels: l, levels: &Levels{}}
	silent := net.SilentActions(net.Termination())
	for i, m := range net.Components() {
		a, err := newAbstraction(m, silent[int32(i)])
		if err != nil {
			return nil, err
		}
		t.parts = append(t.parts, a)
	}
	return t, nil
}

// run refines until the preorder is decided. The lane, which may be nil, is told of the
// abstract positions looked at, in a round and in all rounds before it; when it ends, run
// can be called again and goes on with the abstractions that it has. The preorder is not
// decided if all counterexamples of a round are too large for a witness.
func (t *twoLevel) run(lane *portfolio.Lane, r *Result) (decided bool, err error) {
	t.result, t.work, t.lane = r, 0, lane
	found, real, err := refine.Run(t, refine.Options[Round]{
		Proceed: func() error { return lane.Reach(t.work) },
		Explain: func(round Round) {
			if len(round.Refined) > 0 {
				t.levels.Rounds = append(t.levels.Rounds, round)
			}
		},
	})
	switch {
	case errors.Is(err, refine.ErrStuck):
		return false, nil
	case err != nil:
		return false, err
	}
	t.finish(r)
	if real {
		return true, t.concretise(found.real, r)
	}
	r.holds, r.impl, r.spec = true, found.attempt.impl, t.spec
	return true, nil
}

// found is what a round finds: the attempt on the abstraction and, if that fails, the
// components that cannot follow its counterexamples, or the witness that all can.
type found struct {
	attempt *Result
	unable  []unable
	real    *located
}

// unable is a component that cannot follow a witness, of which this is the projection.
type unable struct {
	component  int32
	projection *projection
}

// Check plays against the quotients.
func (t *twoLevel) Check(_ int, round *Round) (*found, bool, error) {
	abstract, err := t.abstract()
	if err != nil {
		return nil, false, err
	}
	attempt := &Result{Preorder: t.result.Preorder, Alphabet: t.result.Alphabet}
	err = t.attempt(abstract, attempt)
	s := attempt.Stats
	t.work += s.Positions + s.ImplStates
	t.levels.AbstractStates, t.levels.AbstractPositions = s.ImplStates, s.Positions
	s.SpecStates = t.result.Stats.SpecStates
	t.result.Stats = s
	round.AbstractStates, round.AbstractPositions = s.ImplStates, s.Positions
	return &found{attempt: attempt}, !attempt.holds, err
}

// attempt decides on the abstraction. Unlike plain it does not replay
// counterexamples: only what all components can follow will be reported, and that
// is replayed on the components.
func (t *twoLevel) attempt(abstract *lks.Network, r *Result) error {
	c := &check{opts: t.check.opts, meter: t.check.meter, lane: t.lane}
	impl := newSpace(abstract, t.labels)
	r.impl, r.spec = impl, t.spec
	defer func() { r.Stats.ImplStates = int64(impl.len()) }()
	if c.opts.Preorder == Trace {
		return c.refines(impl, t.spec, r)
	}
	g := newGame(impl, t.spec, c.weak(), c.meter)
	g.lane = t.lane
	holds, err := g.solve()
	r.Stats.Positions, r.Stats.Clauses, r.Stats.Literals = int64(g.table.Len()), int64(len(g.clauses)), g.literals
	if err != nil {
		return err
	}
	if r.holds = holds; holds {
		r.Stats.Certificate = g.certificate()
		return g.certify()
	}
	trees := max(c.opts.Trees, defaultTrees)
	r.Trees = newDerivations(g).trees(trees)
	return nil
}

// defaultTrees is how many counterexamples a round looks at: the thesis found
// four to be best (sec. 6.5).
const defaultTrees = 4

func (t *twoLevel) abstract() (*lks.Network, error) {
	quotients := lists.Map(t.parts, func(a *abstraction) *lks.LKS { return a.q })
	return t.net.Replace(quotients)
}

func (t *twoLevel) finish(r *Result) {
	r.Method = TwoLevel
	for i, a := range t.parts {
		t.levels.Components = append(t.levels.Components, Level{t.net.ComponentName(i), a.m.NumStates(), len(a.Members)})
	}
	r.Levels = t.levels
}

// Validate is the first half of ValidateAndRefineAG (Procedure 9.3): a witness that
// all components can follow decides. That can only be the first one: the others are
// looked at for further components that cannot follow.
func (t *twoLevel) Validate(f *found, round *Round) (bool, error) {
	able := make([]bool, len(t.parts))
	for i := range able {
		able[i] = true
	}
	for n, w := range f.attempt.witnesses() {
		if n == 0 {
			round.Witness = len(w.impl)
		}
		located, err := locate(w, f.attempt.impl)
		if err != nil {
			return false, err
		}
		for i, a := range t.parts {
			if !able[i] {
				continue
			}
			p := located.project(t.net, int32(i), a)
			if !a.startsIn(a.canFollow(p, false)[0]) {
				able[i] = false
				f.unable = append(f.unable, unable{int32(i), p})
			}
		}
		if len(f.unable) == 0 {
			f.real = located
			return true, nil
		}
	}
	return false, nil
}

// Refine is the other half: the components that cannot follow refine, every one once.
func (t *twoLevel) Refine(f *found, round *Round) (bool, error) {
	for _, u := range f.unable {
		a := t.parts[u.component]
		if !a.refine(u.projection) {
			return false, bug.Errorf("conform", "%s cannot follow a witness, but nothing tells its states apart", t.net.ComponentName(int(u.component)))
		}
		if err := a.rebuild(); err != nil {
			return false, err
		}
		round.Refined = append(round.Refined, u.component)
	}
	slices.Sort(round.Refined)
	return len(round.Refined) > 0, nil
}

// witnesses returns the witnesses of a failed check; a trace is one without
// branches.
func (r *Result) witnesses() []*witness {
	if r.Trace != nil {
		return []*witness{r.Trace.way}
	}
	var all []*witness
	for _, t := range r.Trees {
		if w := t.toWitness(); w != nil {
			all = append(all, w)
		}
	}
	return all
}

// project returns the projection of the witness on a component.
func (l *located) project(net *lks.Network, component int32, a *abstraction) *projection {
	p := &projection{order: l.leavesFirst(), obligations: make([][]obligation, len(l.edges))}
	for s, edges := range l.edges {
		p.class = append(p.class, l.local[s][component])
		for _, e := range edges {
			p.obligations[s] = append(p.obligations[s], obligation{Part(net, e.rule, component), e.target})
		}
	}
	return p
}

// Part returns the action of a component's part in a rule, as its LKS numbers them, or -1
// if the component stays where it is.
func Part(net *lks.Network, rule, component int32) int32 {
	for _, part := range net.Rules()[rule].Parts {
		if part.Component == component {
			return part.Action
		}
	}
	return stay
}

// concretise walks the witness with all components together and makes it the
// counterexample.
func (t *twoLevel) concretise(l *located, r *Result) error {
	sets := make([][]numset.Bits, len(t.parts)) // by component and state of the witness
	start := make([]int32, len(t.parts))
	for i, a := range t.parts {
		sets[i] = a.canFollow(l.project(t.net, int32(i), a), false)
		start[i] = a.m.Initial()[slices.IndexFunc(a.m.Initial(), sets[i][0].Has)]
	}
	type place struct {
		state int32
		local []int32
	}
	impl := newSpace(t.net, t.labels)
	w := &witness{}
	ids := map[string]int32{}
	var places []place
	add := func(state int32, local []int32) int32 {
		key := fmt.Sprint(state, local)
		id, ok := ids[key]
		if !ok {
			id = int32(len(places))
			ids[key] = id
			places = append(places, place{state, local})
			w.impl = append(w.impl, impl.enter(local))
		}
		return id
	}
	add(0, start)
	for n := 0; n < len(places); n++ {
		at := places[n]
		var edges []witnessEdge
		for _, e := range l.edges[at.state] {
			local := slices.Clone(at.local)
			for _, part := range t.net.Rules()[e.rule].Parts {
				c := part.Component
				succ := t.parts[c].m.Succ(at.local[c], part.Action)
				local[c] = succ[slices.IndexFunc(succ, func(x lks.Edge) bool { return sets[c][e.target].Has(x.Target) })].Target
			}
			edges = append(edges, witnessEdge{e.action, e.rule, add(e.target, local)})
		}
		w.edges = append(w.edges, edges)
	}
	r.impl, r.spec = impl, t.spec
	if r.Preorder == Trace {
		return t.concreteTrace(w, r)
	}
	return t.concreteTrees(w, r)
}

// enter numbers a state given by its local states.
func (s *space) enter(local []int32) int32 {
	s.succ.Rules = append(s.succ.Rules[:0], -1)
	s.succ.States = slices.Grow(s.succ.States[:0], s.net.Words())[:s.net.Words()]
	s.net.Pack(local, s.succ.States)
	s.net.Canonicalise(s.succ.States)
	return s.insert()[0]
}

// concreteTrees plays the game of the concrete witness, which the implementation
// simulates, against the specification, and moves the trees to the
// implementation.
func (t *twoLevel) concreteTrees(w *witness, r *Result) error {
	m, err := w.lks("witness", r.Alphabet, t.labels, func(s int32) class { return r.impl.classes[s] }, r.ImplName)
	if err != nil {
		return err
	}
	of := newSpace(lks.Single(m), t.labels)
	g := newGame(of, t.spec, t.check.weak(), t.check.meter)
	holds, err := g.solve()
	if err != nil {
		return err
	}
	if holds {
		return bug.Errorf("conform", "the specification can follow the concrete witness")
	}
	if _, err := g.widen(50_000); err != nil {
		return err
	}
	state := func(s int32) int32 { return int32(of.net.Local(of.states.State(s), 0)) }
	replay := newReplayer(r.impl, t.spec, g.weak, t.check.opts.SilentSpec == Saturate)
	for i, tree := range newDerivations(g).trees(t.check.trees()) {
		for n := range tree.Nodes {
			node := &tree.Nodes[n]
			if n == 0 {
				node.Next = w.impl[0]
				continue
			}
			e := w.edge(state(node.Impl), node.Action, state(node.Next), r.impl.classes)
			node.Impl, node.Rule, node.Next = w.impl[state(node.Impl)], e.rule, w.impl[e.target]
		}
		if err := t.check.report(tree, i, replay, r); err != nil {
			return err
		}
	}
	return nil
}

// edge returns the edge of a state that leads to another, or, where that is an END or
// ERROR, to one that is alike: explored, the witness has one state for all of them. Its
// rule is -1 if there is none.
func (w *witness) edge(from, action, to int32, classes []class) witnessEdge {
	wanted := classes[w.impl[to]]
	for _, e := range w.edges[from] {
		if e.action == action && (e.target == to || wanted.kind != lks.Normal && classes[w.impl[e.target]] == wanted) {
			return e
		}
	}
	return witnessEdge{action, -1, to}
}

// concreteTrace makes a witness without branches the trace that refutes
// refinement.
func (t *twoLevel) concreteTrace(w *witness, r *Result) error {
	m, err := w.lks("witness", r.Alphabet, t.labels, func(s int32) class { return r.impl.classes[s] }, r.ImplName)
	if err != nil {
		return err
	}
	of := newSpace(lks.Single(m), t.labels)
	trace, err := newRefinement(of, t.spec, false, t.check.meter).search()
	if err != nil {
		return err
	}
	if trace == nil {
		return bug.Errorf("conform", "the specification has the concrete trace")
	}
	state := func(s int32) int32 { return int32(of.net.Local(of.states.State(s), 0)) }
	at := int32(0)
	for i, to := range trace.way.impl {
		if i > 0 {
			step := &trace.way.edges[i-1][0]
			e := w.edge(at, step.action, state(to), r.impl.classes)
			step.rule, at = e.rule, e.target
		}
		trace.way.impl[i] = w.impl[at]
	}
	if err := trace.describe(r.impl); err != nil {
		return err
	}
	r.Trace = trace
	return newReplayer(r.impl, t.spec, true, true).trace(trace, false)
}

// auto gives plain search and refinement of abstractions by turns a growing
// budget, so that it takes at most a small multiple of what the better one takes. Plain
// search is left alone where abstractions cannot decide.
func (c *check) auto(net *lks.Network, s *specification, l *labels, r *Result) error {
	if len(net.Components()) < 2 || applicable(net, r.Preorder) != nil {
		return c.plain(newSpace(net, l), s, r)
	}
	plain := func(lane *portfolio.Lane) (bool, error) {
		return true, (&check{opts: c.opts, meter: c.meter, lane: lane}).plain(newSpace(net, l), s, r)
	}
	var levels *twoLevel
	for most := int64(firstTurn); ; most *= 4 {
		if _, enough, err := portfolio.Try(most+1, plain); enough {
			return err
		}
		if levels == nil {
			var err error
			if levels, err = c.newTwoLevel(net, s, l); err != nil {
				return err
			}
		}
		decided, enough, err := portfolio.Try(most+1, func(lane *portfolio.Lane) (bool, error) { return levels.run(lane, r) })
		switch {
		case err != nil || decided:
			return err
		case enough:
			_, err := plain(nil)
			return err
		}
		if err := c.meter.Tick(budget.Progress{Phase: "choosing a method", States: r.Stats.Positions}); err != nil {
			return err
		}
	}
}

// firstTurn is how many positions plain search may look at before abstractions have a
// turn.
const firstTurn = 1 << 15
