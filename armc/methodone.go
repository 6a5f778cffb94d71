package armc

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/numset"
	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// Method I of [Rybalchenko02] (fig. 3.3): backward abstract fixpoint iteration
// from the unsafe states; predicates are the atoms of iterated pre.
//
//	P_0 := preds(unsafe)
//	loop
//	  phi := lfp(pre#, unsafe)
//	  if phi <= nonInit then Safe
//	  else if pre^i(unsafe) meets initial states then Unsafe (concrete.go)
//	  P_n+1 := P_n u preds(pre^n+1(unsafe))
//
// Deviations: a round ends at the first layer that meets initial states, whose
// paths are tried first; and preds(pre^n+1) is computed atom by atom, which
// needs no disjunctive normal form. The first n layers of round n lose nothing
// to the abstraction, so an error that is n steps away is found in round n at
// the latest, also where the concrete iteration is switched off.
type methodOne struct {
	*run
	order      predabs.Order
	predicates [][]*logic.Term        // by location, in the order of their discovery
	seen       []map[*logic.Term]bool // the predicates
	layer      [][]*logic.Term        // preds(pre^n(unsafe)) by location
	reached    []bool                 // locations of pre^n(unsafe)
	barren     map[string]bool        // layers since the last new predicate

	states []backState
	at     [][]int // states by location
	hits   []int   // states that overlap with initial ones in the last round

	abstraction Abstraction
	unsafe      []backState
	iterations  int // of the last fixpoint

	concrete *concreteFixpoint // nil before the first spuriousness test
}

// backState is an abstract state from which unsafe can perhaps be reached.
type backState struct {
	location int
	cube     []*logic.Term // predicates, in the order of their discovery
	set      numset.Bits   // of their numbers among the location's predicates
	block    int           // first step towards unsafe, -1 for an unsafe region
	next     int           // state behind that step
}

func (r *run) methodOne(a Abstraction) error {
	n := len(r.sys.Locations)
	m := &methodOne{run: r, order: a.order(), predicates: make([][]*logic.Term, n), seen: make([]map[*logic.Term]bool, n),
		layer: make([][]*logic.Term, n), reached: make([]bool, n), barren: map[string]bool{}}
	for i := range m.seen {
		m.seen[i] = map[*logic.Term]bool{}
	}
	for l := range m.predicates {
		m.predicates[l] = addTerms(nil, r.options.Seed)
		for _, p := range m.predicates[l] {
			m.seen[l][p] = true
		}
	}
	defer m.draw()
	unsafe, err := m.unsafeCubes()
	if err != nil {
		return err
	}
	for _, u := range unsafe {
		m.reached[u.location] = true
		m.layer[u.location] = addTerms(m.layer[u.location], u.cube)
	}
	m.learn()
	m.unsafe, m.abstraction = unsafe, a
	safe, err := refineWith(r, m)
	if safe {
		return m.conclude()
	}
	return err
}

// Check is a round's fixpoint; the states found overlap with initial ones.
func (m *methodOne) Check(round int, info *Round) (hits []int, found bool, err error) {
	if m.hits, m.iterations, err = m.fixpoint(m.unsafe); err != nil {
		return nil, false, err
	}
	*info = Round{Method: Backward, Abstraction: m.abstraction, Number: round, States: len(m.states), Iterations: m.iterations,
		Predicates: m.counts(), Refinement: predabs.AtomsOfPre}
	m.statistics(round, m.iterations)
	return m.hits, len(m.hits) > 0, nil
}

// Validate tries the paths from the hits, and then the concrete pre.
func (m *methodOne) Validate(hits []int, info *Round) (bool, error) {
	done, err := m.tryPaths(hits, info)
	if done || err != nil || m.options.AbstractOnly {
		return done, err
	}
	return m.iterateConcrete(m.unsafe, m.iterations, info)
}

// Refine adds the predicates of the next layer.
func (m *methodOne) Refine(_ []int, info *Round) (bool, error) {
	m.iteratePre()
	info.New = m.learn()
	return !m.stuck(len(info.New) > 0), nil
}

func addTerms(to, ts []*logic.Term) []*logic.Term {
	for _, t := range ts {
		if !slices.Contains(to, t) && !t.IsTrue() && !t.IsFalse() {
			to = append(to, t)
		}
	}
	return to
}

// unsafeCubes returns the error regions as cubes.
func (m *methodOne) unsafeCubes() ([]backState, error) {
	var out []backState
	for _, r := range m.sys.Error {
		cubes, ok := logic.DNF(r.Where, 1000)
		if !ok {
			return nil, &outcome.Stuck{What: "an error region has too many disjuncts"}
		}
		for _, c := range cubes {
			out = append(out, backState{location: r.Location, cube: c, block: -1, next: -1})
		}
	}
	return out, nil
}

// learn adds the last layer's predicates.
func (m *methodOne) learn() (fresh []LocatedPredicate) {
	add := func(l int, p *logic.Term) {
		if !m.seen[l][p] && !m.known.set[l][p] {
			m.seen[l][p] = true
			m.predicates[l] = append(m.predicates[l], p)
			fresh = append(fresh, LocatedPredicate{l, p})
		}
	}
	for l, ps := range m.layer {
		for _, p := range ps {
			if !m.options.Global {
				add(l, p)
				continue
			}
			for k := range m.layer {
				add(k, p)
			}
		}
	}
	return fresh
}

// stuck reports that iterating pre goes round in a circle without new predicates:
// every later round would be like one that was.
func (m *methodOne) stuck(fresh bool) bool {
	if fresh {
		m.barren = map[string]bool{}
		return false
	}
	key := fmt.Sprint(m.layer, m.reached)
	defer func() { m.barren[key] = true }()
	return m.barren[key]
}

// iteratePre replaces the layer by preds of pre of it, syntactically: no
// satisfiability is checked, so that predicates behind loops are found too.
func (m *methodOne) iteratePre() {
	next := make([][]*logic.Term, len(m.layer))
	reached := make([]bool, len(m.layer))
	for _, b := range m.blocks.All {
		if !m.reached[b.To] {
			continue
		}
		reached[b.From] = true
		guards, _ := logic.DNF(b.Command.Guard, 1000)
		for _, g := range guards {
			plain, _ := logic.Project(g, b.Command.Inputs)
			next[b.From] = addTerms(next[b.From], literals(plain))
			for _, p := range m.layer[b.To] {
				next[b.From] = addTerms(next[b.From], literals(preAtom(b.Command, g, p)))
			}
		}
	}
	m.layer, m.reached = next, reached
}

// preAtom is one predicate before the command. Where inputs are chosen, the
// parts of the guard that speak of them are combined with it.
func preAtom(c *program.Command, guard []*logic.Term, p *logic.Term) []*logic.Term {
	after := []*logic.Term{c.After(p)}
	if len(c.Inputs) == 0 {
		return after
	}
	for _, g := range guard {
		for _, in := range c.Inputs {
			if slices.Contains(logic.Vars(g), in) {
				after = append(after, g)
				break
			}
		}
	}
	out, _ := logic.Project(after, c.Inputs)
	return out
}

// literals splits what projection returns.
func literals(fs []*logic.Term) []*logic.Term {
	return lists.Filter(fs, logic.IsLiteral)
}

// fixpoint iterates the abstract pre breadth-first. hits are the states of the
// first layer that overlap with initial states, none if there is no such layer.
func (m *methodOne) fixpoint(unsafe []backState) (hits []int, iterations int, err error) {
	m.states, m.at = nil, make([][]int, len(m.sys.Locations))
	var layer []int
	for _, u := range unsafe {
		if err := m.add(u, &layer, &hits); err != nil {
			return nil, 0, err
		}
	}
	for len(layer) > 0 && len(hits) == 0 {
		var next []int
		for _, s := range layer {
			if err := m.tick("backward", len(m.states)); err != nil {
				return nil, 0, err
			}
			if err := m.predecessors(s, &next, &hits); err != nil {
				return nil, 0, err
			}
		}
		if layer = next; len(layer) > 0 {
			iterations++
		}
	}
	return hits, iterations, nil
}

func (m *methodOne) predecessors(s int, next, hits *[]int) error {
	to := m.states[s]
	for _, b := range m.blocks.In[to.location] {
		if err := m.ctx.Err(); err != nil {
			return err
		}
		block := &m.blocks.All[b]
		cubes, _, ok := block.Command.PreCube(to.cube)
		if !ok {
			return &outcome.Stuck{What: "a guard has too many disjuncts"}
		}
		for _, cube := range cubes {
			if err := m.add(backState{location: block.From, cube: cube, block: b, next: s}, next, hits); err != nil {
				return err
			}
		}
	}
	return nil
}

// add abstracts a concrete cube and keeps it unless it is empty or contained in
// a known state. What the literals show is looked at first: it is a part of what
// every αk above α1 finds, and nearly always enough to see that the cube is
// contained. For α3 in particular that spares most questions.
func (m *methodOne) add(s backState, next, hits *[]int) error {
	concrete := m.known.with(s.location, s.cube)
	if concrete.IsFalse() {
		return nil
	}
	cube, predicates := logic.Conjuncts(concrete), m.predicates[s.location]
	if m.order != predabs.Syntactic && !m.noSyntactic && m.contained(s.location, setOf(m.prover.Visible(cube, predicates))) {
		return nil
	}
	may, err := m.prover.MaySat(m.ctx, concrete)
	if err != nil || !may {
		return err
	}
	yes, err := m.prover.Entailments(m.ctx, m.order, cube, predicates)
	if err != nil {
		return err
	}
	if s.set = setOf(yes); m.contained(s.location, s.set) {
		return nil
	}
	s.cube = nil
	for i, p := range predicates {
		if yes[i] {
			s.cube = append(s.cube, p)
		}
	}
	id := len(m.states)
	m.states = append(m.states, s)
	// States that the new one contains need not be compared any more.
	m.at[s.location] = slices.DeleteFunc(m.at[s.location], func(i int) bool { return s.set.Within(m.states[i].set) })
	m.at[s.location] = append(m.at[s.location], id)
	*next = append(*next, id)
	if init := m.blocks.Init[s.location]; !init.IsFalse() {
		may, err := m.prover.MaySat(m.ctx, logic.And(init, logic.And(s.cube...)))
		if err != nil {
			return err
		}
		if may {
			*hits = append(*hits, id)
		}
	}
	return nil
}

// contained reports s [= t for a known t at the location, where s is a set of
// predicates: every conjunct of t is one of s ([Rybalchenko02], Def. 4).
func (m *methodOne) contained(location int, s numset.Bits) bool {
	return slices.ContainsFunc(m.at[location], func(i int) bool { return m.states[i].set.Within(s) })
}

func setOf(yes []bool) numset.Bits {
	s := numset.NewBits(len(yes))
	for i, y := range yes {
		if y {
			s.Add(int32(i))
		}
	}
	return s
}

// tryPaths runs the paths from the hits. done says that a verdict was found.
func (m *methodOne) tryPaths(hits []int, info *Round) (done bool, err error) {
	for _, h := range hits {
		var blocks []int
		at := h
		for m.states[at].block >= 0 {
			blocks = append(blocks, m.states[at].block)
			at = m.states[at].next
		}
		if done, err = m.tryPath(m.states[h].location, blocks, info); done || err != nil {
			return done, err
		}
	}
	return false, nil
}

// tryPath asks whether one path can be run.
func (r *run) tryPath(start int, blocks []int, info *Round) (done bool, err error) {
	info.Path, info.Feasible = r.blocks.Select(blocks), smt.Unknown
	status, e, reason, err := predabs.Feasible(r.ctx, r.solver, r.blocks.Path(start, blocks))
	if err != nil {
		return false, err
	}
	info.Feasible = status
	switch status {
	case smt.Sat:
		return true, r.unsafe(start, blocks, e)
	case smt.Unknown:
		return true, &outcome.Stuck{What: "the solver cannot decide whether a path can be run: " + reason}
	}
	return false, nil
}

// iterateConcrete is the spuriousness test by the concrete pre.
func (m *methodOne) iterateConcrete(unsafe []backState, steps int, info *Round) (done bool, err error) {
	if m.concrete == nil {
		if m.concrete, err = newConcreteFixpoint(m.run, unsafe); err != nil {
			return false, err
		}
	}
	c := m.concrete
	hits, err := c.iterate(steps)
	if err != nil {
		return false, err
	}
	for _, h := range hits {
		if done, err = m.tryPath(c.states[h].location, c.path(h), info); done || err != nil {
			return done, err
		}
	}
	if len(c.frontier) == 0 && len(hits) == 0 && !c.gaveUp && c.neverHit {
		return true, c.conclude()
	}
	return false, nil
}

func (m *methodOne) counts() []int {
	return lists.Map(m.predicates, func(ps []*logic.Term) int { return len(ps) })
}

func (m *methodOne) statistics(round, iterations int) {
	generated, used := map[*logic.Term]bool{}, map[*logic.Term]bool{}
	for _, ps := range m.predicates {
		for _, p := range ps {
			generated[p] = true
		}
	}
	for _, states := range m.at {
		for _, i := range states {
			for _, p := range m.states[i].cube {
				used[p] = true
			}
		}
	}
	m.result.Stats.Refinements, m.result.Stats.Iterations = round, iterations
	m.result.Stats.Generated, m.result.Stats.Used = len(generated), len(used)
	m.result.Stats.States = len(m.states)
}

// draw keeps the graph for the result.
func (m *methodOne) draw() {
	g := &Graph{}
	for i, s := range m.states {
		g.Nodes = append(g.Nodes, GraphNode{Location: s.location, Cube: s.cube, Initial: s.block < 0, Error: slices.Contains(m.hits, i)})
		if s.block >= 0 {
			g.Edges = append(g.Edges, GraphEdge{From: i, To: s.next, Block: m.blocks.All[s.block]})
		}
	}
	m.result.Graph = g
}

// conclude makes the invariant: not in the backward fixpoint.
func (m *methodOne) conclude() error {
	invariant := make([]*logic.Term, len(m.sys.Locations))
	for l := range invariant {
		parts := lists.Append(nil, m.at[l], func(i int) *logic.Term { return logic.Not(logic.And(m.states[i].cube...)) })
		invariant[l] = logic.And(parts...)
	}
	return m.safe(invariant)
}
