package predabs

import (
	"context"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// Abstracter makes abstract LKSs of one component ([Chaki05], 4.4) under predicate mappings
// that change from round to round, and remembers what the solver said. It is not safe for
// concurrent use.
type Abstracter struct {
	Component *program.Component
	Blocks    *program.Blocks
	Actions   []string // of the blocks

	// Always are the predicates that the observation needs in every mapping. Unclear is
	// empty, or says why abstract states need not agree with concrete ones about what is
	// possible: nothing is known then of what is not done.
	Always  Mapping
	Unclear string

	observation Observation
	waits       []bool // program.Component.Waiting
	prover      *Prover
	terms       map[*logic.Term]int // numbers of predicates and their preconditions, for keys
	vars        map[*logic.Term][]*logic.Term
	images      map[string][]valuation // see image

	mapping   Mapping
	size      int            // of the mapping when it was taken
	tracked   []int          // by location: the number of its list of predicates
	lists     map[string]int // numbers of lists of predicates
	steps     map[stepKey][]AbstractState
	last      *knowledge // of lastState
	lastState AbstractState

	Asked int // questions about steps, without those answered by images
}

// valuation says what holds: byte i, 0 or 1 in ASCII, is the value of the predicate with number i at its location.
type valuation string

// NewAbstracter prepares a component, of which a question sees what the observation says. The
// prover's solver must have no assertions.
func NewAbstracter(c *program.Component, seen Observation, prover *Prover) *Abstracter {
	a := &Abstracter{Component: c, observation: seen, waits: c.Waiting(), prover: prover, terms: map[*logic.Term]int{}, vars: map[*logic.Term][]*logic.Term{}, images: map[string][]valuation{},
		lists: map[string]int{}, steps: map[stepKey][]AbstractState{}}
	a.Blocks, a.Actions = c.Blocks(seen.cuts(c)...)
	a.Always, a.Unclear = seen.always(c)
	return a
}

// AbstractLKS is the reachable part of the predicate abstraction of a component.
type AbstractLKS struct {
	Abstracter *Abstracter
	Mapping    Mapping
	States     []AbstractState
	Initial    []int32
	Out        [][]AbstractStep // by state, in the order of the blocks
}

// AbstractState is a location and a valuation of its predicates.
type AbstractState struct {
	Location int
	value    valuation
}

// AbstractStep is a transition.
type AbstractStep struct {
	Block  int // of the Abstracter's blocks, whose action it performs
	Target int32
}

// Holds returns the value of the predicate with number i at the state's location.
func (s AbstractState) Holds(i int) bool { return s.value[i] == '1' }

// Concrete returns the formula of a state's valuation.
func (m *AbstractLKS) Concrete(s int32) *logic.Term { return logic.And(m.literals(m.States[s])...) }

func (m *AbstractLKS) literals(s AbstractState) []*logic.Term {
	out := slices.Clone(m.Mapping[s.Location])
	for i, p := range out {
		if !s.Holds(i) {
			out[i] = logic.Not(p)
		}
	}
	return out
}

// stepKey is a step under the predicates that are tracked where it begins and where it ends:
// others do not matter to it.
type stepKey struct {
	state    AbstractState
	block    int
	from, to int // numbers of lists of predicates
}

// Use makes a mapping the one that Build, Starts and Successors are about, until it is
// changed.
func (a *Abstracter) Use(m Mapping) {
	size := 0
	for _, ps := range m {
		size += len(ps)
	}
	if a.mapping == nil || &a.mapping[0] != &m[0] || a.size != size {
		a.mapping, a.size, a.last = m, size, nil
		a.tracked = make([]int, len(m))
		for l, ps := range m {
			key := a.key(nil, logic.True(), ps)
			n, known := a.lists[key]
			if !known {
				n = len(a.lists)
				a.lists[key] = n
			}
			a.tracked[l] = n
		}
		if len(a.steps) >= maxCached {
			clear(a.steps)
		}
	}
}

// Build makes the reachable part of the abstraction under a mapping. Valuations and steps
// are those that are admissible (Def. 14), or may be since the solver has no answer. The
// error is of the solver or the meter, which is told of states and transitions.
func (a *Abstracter) Build(ctx context.Context, m Mapping, meter *budget.Meter) (*AbstractLKS, error) {
	a.Use(m)
	out := &AbstractLKS{Abstracter: a, Mapping: m}
	number := map[AbstractState]int32{}
	state := func(s AbstractState) int32 {
		n, known := number[s]
		if !known {
			n = int32(len(out.States))
			number[s] = n
			out.States = append(out.States, s)
		}
		return n
	}
	starts, err := a.Starts(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range starts {
		out.Initial = append(out.Initial, state(s))
	}
	transitions := int64(0)
	for n := 0; n < len(out.States); n++ {
		if err := meter.Tick(budget.Progress{Phase: "abstracting", States: int64(n), Transitions: transitions}); err != nil {
			return nil, err
		}
		s := out.States[n]
		var steps []AbstractStep
		for _, b := range a.Blocks.Out[s.Location] {
			targets, err := a.Successors(ctx, s, b)
			if err != nil {
				return nil, err
			}
			for _, t := range targets {
				steps = append(steps, AbstractStep{b, state(t)})
			}
		}
		transitions += int64(len(steps))
		out.Out = append(out.Out, steps)
	}
	return out, nil
}

// Starts returns the initial states.
func (a *Abstracter) Starts(ctx context.Context) (all []AbstractState, err error) {
	m := a.mapping
	for l, init := range a.Blocks.Init {
		if init.IsFalse() {
			continue
		}
		cubes, err := a.prover.Boolean(ctx, init, &program.Command{Guard: logic.True()}, m[l])
		if err != nil {
			return nil, err
		}
		for _, cube := range cubes {
			all = append(all, AbstractState{l, valuationOf(m[l], cube)})
		}
	}
	return all, nil
}

func valuationOf(predicates, cube []*logic.Term) valuation {
	var b strings.Builder
	for i, l := range cube {
		if l == predicates[i] {
			b.WriteByte('1')
		} else {
			b.WriteByte('0')
		}
	}
	return valuation(b.String())
}

// Successors returns the states that a block may lead to. The slice must not be changed.
//
// What the valuation says is put into the guard and into the weakest preconditions of the
// predicates behind the block: variables that have a number, and parts that are a predicate
// or its negation. The solver is asked about what is left, with the part of the valuation
// that shares variables with it: of the rest it is known that some store has it.
func (a *Abstracter) Successors(ctx context.Context, s AbstractState, block int) ([]AbstractState, error) {
	key := stepKey{s, block, a.tracked[s.Location], a.tracked[a.Blocks.All[block].To]}
	out, done := a.steps[key]
	if done {
		return out, nil
	}
	out, err := a.successors(ctx, s, &a.Blocks.All[block])
	if err == nil {
		a.steps[key] = out
	}
	return out, err
}

func (a *Abstracter) successors(ctx context.Context, s AbstractState, b *program.Block) ([]AbstractState, error) {
	there := a.mapping[b.To]
	known := a.known(s)
	guard := logic.And(known.put(logic.Conjuncts(b.Command.Guard))...)
	if guard.IsFalse() {
		return nil, nil
	}
	value := make([]byte, len(there))
	var rest []*logic.Term // to be asked about
	var open []int
	for i, pre := range known.put(a.prover.after(b.Command, there)) {
		switch {
		case pre.IsTrue():
			value[i] = '1'
		case pre.IsFalse():
			value[i] = '0'
		default:
			open, rest = append(open, i), append(rest, pre)
		}
	}
	images, err := a.image(ctx, a.relevant(known.literals, append(rest[:len(rest):len(rest)], guard)), guard, rest)
	if err != nil {
		return nil, err
	}
	out := make([]AbstractState, len(images))
	for k, image := range images {
		for j, i := range open {
			value[i] = image[j]
		}
		out[k] = AbstractState{b.To, valuation(value)}
	}
	return out, nil
}

// knowledge is what a valuation says.
type knowledge struct {
	literals []*logic.Term
	by       map[*logic.Term]*logic.Term // variables that have one value
	holds    map[*logic.Term]bool
}

// known returns what a state's valuation says, and remembers it for the next call, which
// is often of the same state.
func (a *Abstracter) known(s AbstractState) *knowledge {
	if a.last != nil && a.lastState == s {
		return a.last
	}
	k := &knowledge{literals: (&AbstractLKS{Mapping: a.mapping}).literals(s), by: map[*logic.Term]*logic.Term{}, holds: map[*logic.Term]bool{}}
	for _, l := range k.literals {
		k.holds[l] = true
		switch {
		case l.Op() == logic.OpVar:
			k.by[l] = logic.True()
		case l.Op() == logic.OpNot && l.Args()[0].Op() == logic.OpVar:
			k.by[l.Args()[0]] = logic.False()
		case l.Op() == logic.OpEq:
			for i, x := range l.Args() {
				if y := l.Args()[1-i]; x.Op() == logic.OpVar && y.Op() == logic.OpNumber {
					k.by[x] = y
				}
			}
		}
	}
	a.last, a.lastState = k, s
	return k
}

// put returns formulas with what is known put into them.
func (k *knowledge) put(fs []*logic.Term) []*logic.Term {
	fs = logic.SubstituteAll(fs, k.by)
	for i, f := range fs {
		switch {
		case k.holds[f]:
			fs[i] = logic.True()
		case k.holds[logic.Not(f)]:
			fs[i] = logic.False()
		}
	}
	return fs
}

// Contradicts reports whether a state's valuation alone says that a formula, a conjunction of
// predicates and negated ones, does not hold; nil is true.
func (a *Abstracter) Contradicts(s AbstractState, f *logic.Term) bool {
	return f != nil && logic.And(a.known(s).put(logic.Conjuncts(f))...).IsFalse()
}

// relevant returns the literals that share variables with some formulas, or with another
// that does.
func (a *Abstracter) relevant(literals, with []*logic.Term) []*logic.Term {
	seen := map[*logic.Term]bool{}
	reach := func(t *logic.Term) {
		for _, v := range a.of(t) {
			seen[v] = true
		}
	}
	for _, f := range with {
		reach(f)
	}
	taken := make([]bool, len(literals))
	for again := true; again; {
		again = false
		for i, l := range literals {
			if !taken[i] && slices.ContainsFunc(a.of(l), func(v *logic.Term) bool { return seen[v] }) {
				taken[i], again = true, true
				reach(l)
			}
		}
	}
	var out []*logic.Term
	for i, l := range literals {
		if taken[i] {
			out = append(out, l)
		}
	}
	return out
}

func (a *Abstracter) of(t *logic.Term) []*logic.Term {
	vs, known := a.vars[t]
	if !known {
		vs = logic.Vars(t)
		a.vars[t] = vs
	}
	return vs
}

// image returns the valuations that formulas have where a guard and literals hold.
func (a *Abstracter) image(ctx context.Context, literals []*logic.Term, guard *logic.Term, formulas []*logic.Term) ([]valuation, error) {
	if len(formulas) == 0 && guard.IsTrue() {
		return []valuation{""}, nil
	}
	key := a.key(literals, guard, formulas)
	if known, ok := a.images[key]; ok {
		return known, nil
	}
	a.Asked++
	cubes, err := a.prover.Boolean(ctx, logic.And(literals...), &program.Command{Guard: guard}, formulas)
	if err != nil {
		return nil, err
	}
	out := lists.Map(cubes, func(cube []*logic.Term) valuation { return valuationOf(formulas, cube) })
	if len(a.images) >= maxCached {
		clear(a.images)
	}
	a.images[key] = out
	return out, nil
}

func (a *Abstracter) key(literals []*logic.Term, guard *logic.Term, formulas []*logic.Term) string {
	var key []byte
	add := func(t *logic.Term) {
		n, known := a.terms[t]
		if !known {
			n = len(a.terms)
			a.terms[t] = n
		}
		key = binary.AppendUvarint(key, uint64(n))
	}
	add(guard)
	key = binary.AppendUvarint(key, uint64(len(literals)))
	for _, t := range literals {
		add(t)
	}
	for _, t := range formulas {
		add(t)
	}
	return string(key)
}

// LostAction is the action that leads to one of the component's Lost locations. Nobody else
// has it: no language has actions with blanks, and components that run side by side have
// different names.
func (a *Abstracter) LostAction() string { return "lost in " + a.Component.Name }

// LKS returns the abstraction as an LKS: with the component's alphabet, the propositions of
// the observation, and LostAction, which is performed where it is lost. States of Ends are
// End. Where an observation has Offers, DiscardedAction is performed where an assumption fails.
//
// together says that it is to run beside others: it has an End state then, if only one that is
// never reached. A program has terminated when all of its components have, but a network of
// LKSs takes those that cannot for servers, without which it may.
func (m *AbstractLKS) LKS(together bool) (*lks.LKS, error) { return m.Named(together, nil) }

// Named is LKS with names of transitions: name returns what one performs instead of its
// block's action, "" for that.
func (m *AbstractLKS) Named(together bool, name func(from int32, step AbstractStep) (string, error)) (*lks.LKS, error) {
	c := m.Abstracter.Component
	b := lks.NewBuilder(c.Name)
	for _, a := range c.Alphabet {
		b.Action(a)
	}
	lost, discarded := b.Action(m.Abstracter.LostAction()), int32(-1)
	if m.Abstracter.observation.Offers {
		discarded = b.Action(m.Abstracter.DiscardedAction())
	}
	props := lists.Append(nil, m.Abstracter.observation.Props, func(p Prop) int32 { return b.Prop(p.Name) })
	for _, s := range m.States {
		kind := lks.Normal
		if _, ended := slices.BinarySearch(c.Ends, s.Location); ended {
			kind = lks.End
		}
		var label []int32
		for i, p := range m.Abstracter.observation.Props {
			holds, known := m.satisfies(s, &p)
			if !known {
				return nil, bug.Errorf("predabs", "the proposition %s is not tracked at %s", p.Name, c.System.Locations[s.Location].Name)
			}
			if holds {
				label = append(label, props[i])
			}
		}
		b.StateID(kind, label)
	}
	if together {
		b.StateID(lks.End, nil)
	}
	b.Initial(m.Initial...)
	for s, steps := range m.Out {
		for _, step := range steps {
			a := m.Abstracter.Actions[step.Block]
			if name != nil {
				other, err := name(int32(s), step)
				if err != nil {
					return nil, err
				}
				if other != "" {
					a = other
				}
			}
			if a != "" {
				b.Transition(int32(s), a, step.Target)
			} else {
				b.TransitionID(int32(s), lks.TauID, step.Target)
			}
		}
		if _, is := c.Lost[m.States[s].Location]; is {
			b.TransitionID(int32(s), lost, int32(s))
		} else if discarded >= 0 && m.discarded(int32(s)) {
			b.TransitionID(int32(s), discarded, int32(s))
		}
	}
	b.Describe(m.Describe)
	return b.Build()
}

// Describe names a state: its location and the predicates that hold, or do not, there.
func (m *AbstractLKS) Describe(s int32) string {
	if s < 0 || int(s) >= len(m.States) {
		return ""
	}
	at := m.States[s]
	name := m.Abstracter.Component.System.Locations[at.Location].Name
	if literals := m.literals(at); len(literals) > 0 {
		name += " [" + logic.Formats(literals, logic.C, ", ") + "]"
	}
	return name
}

// Step returns the first block by which a state leads to another with an action, -1 if there
// is none.
func (m *AbstractLKS) Step(from int32, action string, to int32) int {
	if action == lks.TauName {
		action = ""
	}
	for _, s := range m.Out[from] {
		if s.Target == to && m.Abstracter.Actions[s.Block] == action {
			return s.Block
		}
	}
	return -1
}
