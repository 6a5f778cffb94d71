package conform

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/numset"
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
	work   int64 // abstract positions looked at in all rounds
}

// errBeyond is returned by a search that went beyond check.most positions.
var errBeyond = errors.New("conform: more positions than allowed")

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

// run refines until the preorder is decided, or until about work abstract
// positions were looked at (0: no such bound), when the error is errBeyond.
func (t *twoLevel) run(work int64, r *Result) error {
	for t.work = 0; ; {
		if work > 0 && t.work > work {
			return errBeyond
		}
		done, err := t.round(work, r)
		if done || err != nil {
			return err
		}
	}
}

// round plays against the quotients, looking at no more than most positions if
// that is not 0. It reports whether the preorder is decided.
func (t *twoLevel) round(most int64, r *Result) (bool, error) {
	abstract, err := t.abstract()
	if err != nil {
		return false, err
	}
	attempt := &Result{Preorder: r.Preorder, Alphabet: r.Alphabet}
	err = t.attempt(abstract, most, attempt)
	t.work += attempt.Stats.Positions + attempt.Stats.ImplStates
	t.levels.AbstractStates, t.levels.AbstractPositions = attempt.Stats.ImplStates, attempt.Stats.Positions
	r.Stats.ImplStates, r.Stats.Positions = attempt.Stats.ImplStates, attempt.Stats.Positions
	r.Stats.Clauses, r.Stats.Literals, r.Stats.Certificate = attempt.Stats.Clauses, attempt.Stats.Literals, attempt.Stats.Certificate
	if err != nil {
		return false, err
	}
	if attempt.Holds {
		t.finish(r)
		r.Holds, r.impl, r.spec = true, attempt.impl, t.spec
		return true, nil
	}
	return t.validate(attempt, r)
}

// attempt decides on the abstraction. Unlike plain it does not replay
// counterexamples: only what all components can follow will be reported, and that
// is replayed on the components.
func (t *twoLevel) attempt(abstract *lks.Network, most int64, r *Result) error {
	c := &check{opts: t.check.opts, meter: t.check.meter, most: most}
	impl := newSpace(abstract, t.labels)
	r.impl, r.spec = impl, t.spec
	defer func() { r.Stats.ImplStates = int64(impl.len()) }()
	if c.opts.Preorder == Trace {
		return c.refines(impl, t.spec, r)
	}
	g := newGame(impl, t.spec, c.weak(), c.meter)
	g.most = most
	holds, err := g.solve()
	r.Stats.Positions, r.Stats.Clauses, r.Stats.Literals = int64(g.table.Len()), int64(len(g.clauses)), g.literals
	if err != nil {
		return err
	}
	if r.Holds = holds; holds {
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
	quotients := make([]*lks.LKS, len(t.parts))
	for i, a := range t.parts {
		quotients[i] = a.q
	}
	return t.net.Replace(quotients)
}

func (t *twoLevel) finish(r *Result) {
	r.Method = TwoLevel
	for i, a := range t.parts {
		t.levels.Components = append(t.levels.Components, Level{t.net.ComponentName(i), a.m.NumStates(), len(a.members)})
	}
	r.Levels = t.levels
}

// validate is ValidateAndRefineAG (Procedure 9.3): a witness that all components
// can follow is made concrete and decides; the others refine, every component at
// most once in a round.
func (t *twoLevel) validate(attempt *Result, r *Result) (bool, error) {
	round := Round{AbstractStates: attempt.Stats.ImplStates, AbstractPositions: attempt.Stats.Positions}
	refined := make([]bool, len(t.parts))
	for n, w := range attempt.witnesses() {
		if n == 0 {
			round.Witness = len(w.impl)
		}
		located, err := t.locate(w, attempt.impl)
		if err != nil {
			return false, err
		}
		real := true
		for i, a := range t.parts {
			if refined[i] {
				// Its classes have changed since the witness was found. Other
				// components may still convict this witness.
				real = false
				continue
			}
			p := located.project(t.net, int32(i), a)
			if a.startsIn(a.canFollow(p, false)[0]) {
				continue
			}
			real = false
			if !a.refine(p) {
				return false, bug.Errorf("conform", "%s cannot follow a witness, but nothing tells its states apart", t.net.ComponentName(i))
			}
			refined[i] = true
		}
		if real {
			t.finish(r)
			return true, t.concretise(located, r)
		}
	}
	for i, a := range t.parts {
		if refined[i] {
			round.Refined = append(round.Refined, int32(i))
			if err := a.rebuild(); err != nil {
				return false, err
			}
		}
	}
	if len(round.Refined) == 0 {
		return false, bug.Errorf("conform", "the abstraction cannot be refined")
	}
	t.levels.Rounds = append(t.levels.Rounds, round)
	return false, nil
}

// witnesses returns the witnesses of a failed check; a trace is one without
// branches.
func (r *Result) witnesses() []*witness {
	if r.Trace != nil {
		w := &witness{impl: []int32{r.Trace.Initial}, edges: make([][]witnessEdge, len(r.Trace.Steps)+1)}
		for i, s := range r.Trace.Steps {
			w.impl = append(w.impl, s.State)
			w.edges[i] = []witnessEdge{{s.Action, s.Rule, int32(i + 1)}}
		}
		return []*witness{w}
	}
	var all []*witness
	for _, t := range r.Trees {
		if w := t.toWitness(); w != nil {
			all = append(all, w)
		}
	}
	return all
}

// located is a witness with the local (abstract) states of all components. Where
// the abstraction is terminated or in error, its canonical state does not tell
// where the components went: there every edge has a target of its own, with local
// states that the edge can lead to.
type located struct {
	witness
	local [][]int32
	// plain says for every state whether its local states are those of the
	// abstract state, not one of several that it stands for.
	plain []bool
}

func (t *twoLevel) locate(w *witness, abstract *space) (*located, error) {
	l := &located{witness: witness{impl: slices.Clone(w.impl), edges: make([][]witnessEdge, len(w.edges))}}
	net := abstract.net
	for _, s := range w.impl {
		local := make([]int32, len(t.parts))
		net.Unpack(abstract.states.State(s), local)
		l.local = append(l.local, local)
		l.plain = append(l.plain, abstract.classes[s].kind == lks.Normal)
	}
	if !l.plain[0] {
		local, ok := origin(abstract, w.impl[0], initialChoices(net))
		if !ok {
			return nil, bug.Errorf("conform", "the witness starts nowhere")
		}
		l.local[0] = local
	}
	for s, edges := range w.edges {
		for _, e := range edges {
			if !l.plain[e.target] {
				local, ok := origin(abstract, w.impl[e.target], stepChoices(net, l.local[s], e.rule))
				if !ok {
					return nil, bug.Errorf("conform", "a step of the witness leads nowhere")
				}
				e.target = int32(len(l.impl))
				l.impl = append(l.impl, w.impl[w.edges[s][len(l.edges[s])].target])
				l.local = append(l.local, local)
				l.plain = append(l.plain, true)
				l.edges = append(l.edges, nil)
			}
			l.edges[s] = append(l.edges[s], e)
		}
	}
	return l, nil
}

// choices lists, for every component, the local states it may be in.
type choices [][]int32

func initialChoices(net *lks.Network) choices {
	var c choices
	for _, m := range net.Components() {
		c = append(c, m.Initial())
	}
	return c
}

func stepChoices(net *lks.Network, local []int32, rule int32) choices {
	c := make(choices, len(local))
	for i := range local {
		c[i] = local[i : i+1]
	}
	for _, part := range net.Rules()[rule].Parts {
		var targets []int32
		for _, e := range net.Components()[part.Component].Succ(local[part.Component], part.Action) {
			targets = append(targets, e.Target)
		}
		c[part.Component] = targets
	}
	return c
}

// origin returns the first choice of local states for which state stands, which
// is terminated or in error.
func origin(s *space, state int32, c choices) ([]int32, bool) {
	want := s.states.State(state)
	packed := make([]uint64, s.net.Words())
	pick := make([]int, len(c))
	local := make([]int32, len(c))
	for {
		for i := range c {
			local[i] = c[i][pick[i]]
		}
		s.net.Pack(local, packed)
		if s.net.Canonicalise(packed); slices.Equal(packed, want) {
			return local, true
		}
		i := len(c) - 1
		for ; i >= 0; i-- {
			if pick[i]++; pick[i] < len(c[i]) {
				break
			}
			pick[i] = 0
		}
		if i < 0 {
			return nil, false
		}
	}
}

// project returns the projection of the witness on a component.
func (l *located) project(net *lks.Network, component int32, a *abstraction) *projection {
	p := &projection{order: l.leavesFirst(), obligations: make([][]obligation, len(l.edges))}
	for s, edges := range l.edges {
		p.class = append(p.class, l.local[s][component])
		for _, e := range edges {
			p.obligations[s] = append(p.obligations[s], obligation{partOf(net, e.rule, component), e.target})
		}
	}
	return p
}

// partOf returns the action of a component's part in a rule, or stay.
func partOf(net *lks.Network, rule, component int32) int32 {
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
			if n > 0 {
				node.Rule = w.rule(state(node.Impl), node.Action, state(node.Next))
				node.Impl = w.impl[state(node.Impl)]
			}
			node.Next = w.impl[state(node.Next)]
		}
		if err := t.check.report(tree, i, replay, r); err != nil {
			return err
		}
	}
	return nil
}

// rule returns the rule of an edge.
func (w *witness) rule(from, action, to int32) int32 {
	for _, e := range w.edges[from] {
		if e.action == action && e.target == to {
			return e.rule
		}
	}
	return -1
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
	at := state(trace.Initial)
	trace.Initial = w.impl[at]
	for i := range trace.Steps {
		step := &trace.Steps[i]
		to := state(step.State)
		step.Rule = w.rule(at, step.Action, to)
		step.State = w.impl[to]
		at = to
	}
	r.Trace = trace
	return newReplayer(r.impl, t.spec, true, true).trace(trace, false)
}

// auto gives plain search and refinement of abstractions by turns a growing
// budget, so that it takes at most a small multiple of what the better one takes.
func (c *check) auto(net *lks.Network, s *specification, l *labels, r *Result) error {
	if len(net.Components()) < 2 || applicable(net, r.Preorder) != nil {
		return c.plain(newSpace(net, l), s, r)
	}
	var levels *twoLevel
	for most := int64(1 << 15); ; most *= 4 {
		err := (&check{opts: c.opts, meter: c.meter, most: most}).plain(newSpace(net, l), s, r)
		if err != errBeyond {
			return err
		}
		if levels == nil {
			if levels, err = c.newTwoLevel(net, s, l); err != nil {
				return err
			}
		}
		if err = levels.run(most, r); err != errBeyond {
			return err
		}
		if c.meter != nil {
			if err := c.meter.Tick(budget.Progress{Phase: "choosing a method", States: r.Stats.Positions}); err != nil {
				return err
			}
		}
	}
}
