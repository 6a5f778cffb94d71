package buchi

import (
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/internal/hoa"
	"github.com/seltl/seltl/ltl"
)

// couvreur translates formulas by the construction of [Couvreur99], with
// decision diagrams as in [DuretLutz14].
//
// A formula is unfolded into a function over atoms, "next" variables (a formula
// that must hold at the next position) and promise variables (a right-hand side
// of an until that was put off). A state is a conjunction of formulas, and two
// states with the same function are one. The acceptance set of a promise has the
// edges that do not make it.
//
// The atoms come first in the order of the variables, so the part of a diagram
// below them is what is left to do after a letter: one edge for each of its prime
// cubes, which keeps the automaton as deterministic as the formula lets it
// (byLetter). The original construction covers the whole diagram by prime cubes
// (whole), which gives fewer different targets for some formulas.
type couvreur struct {
	man      *bdd.Manager
	atoms    []ltl.Atom
	position map[ltl.Atom]int
	care     bdd.Node
	meter    *budget.Meter
	cover    cover
	bounds   bounds
	cubes    int     // made so far
	letters  int     // variables of letters: the atoms, and what past.go adds
	past     *memory // nil without past operators

	next      map[*ltl.Formula]bdd.Node // next variable of a formula
	promise   map[*ltl.Formula]bdd.Node // promise variable of a right-hand side
	variables []variable                // by index, less the number of letters
	promises  int
	repeats   map[*ltl.Formula]bool // right-hand sides that may be put off again and again
	once      bdd.Node              // the promise shared by all others
	unfolded  map[*ltl.Formula]bdd.Node
	repeated  map[*ltl.Formula]bdd.Node // under G, see repeat
	matchings map[*ltl.Formula]*matching
}

// cover says what is covered by prime cubes, and how regular expressions are matched: by
// nondeterministic automata for {r}<>-> f and deterministic ones for {r}[]-> f, unless the
// cover is with one of the last two.
type cover uint8

const (
	byLetter  cover = 0
	whole     cover = 1 << iota
	positions       // all matchers are nondeterministic
	subsets         // all matchers are deterministic
)

// variable says what a variable behind the atoms stands for.
type variable struct {
	next    *ltl.Formula // nil for others
	match   *matching    // a state of it that must be matched from next, nil for a promise
	state   int32
	marked  bool // the remark that the state is waited for since the last breakpoint
	promise int  // its number
}

// bounds of a construction; 0 is no bound. Cubes are the edges before those with the same
// target are joined: a measure of the work.
type bounds struct{ states, cubes int }

func (b bounds) exceeded(states, cubes int) bool {
	return b.states > 0 && states > b.states || b.cubes > 0 && cubes > b.cubes
}

// couvreur makes an automaton for f, which must be in negation normal form, or none if
// that exceeds the bounds.
func (t *translation) couvreur(f *ltl.Formula, cover cover, b bounds) (*Automaton, error) {
	c := t.unfolder()
	if f.HasPast() {
		f = c.remember(f)
	}
	c.cover, c.bounds, c.repeats = cover, b, repeatedPromises(f)
	if err := c.compile(f); err != nil {
		return nil, err
	}
	a, err := c.explore(f)
	if a != nil {
		t.cubes = max(t.cubes, c.cubes)
	}
	return a, err
}

// unfolder returns a construction that has not seen a formula yet.
func (t *translation) unfolder() *couvreur {
	c := &couvreur{
		man: t.man, atoms: t.atoms, letters: len(t.atoms), care: t.care, meter: t.opts.Meter,
		position:  make(map[ltl.Atom]int, len(t.atoms)),
		next:      map[*ltl.Formula]bdd.Node{},
		promise:   map[*ltl.Formula]bdd.Node{},
		unfolded:  map[*ltl.Formula]bdd.Node{},
		repeated:  map[*ltl.Formula]bdd.Node{},
		matchings: map[*ltl.Formula]*matching{},
	}
	for i, at := range t.atoms {
		c.position[at] = i
	}
	return c
}

// repeatedPromises returns the right-hand sides of eventualities that an
// accepting run may have to fulfil again and again: those in an operand that G, R
// or W demands at every position. All others are demanded finitely often, so that
// an accepting run is rid of them for good at some point, and one promise will do
// for all of them.
func repeatedPromises(f *ltl.Formula) map[*ltl.Formula]bool {
	repeats := map[*ltl.Formula]bool{}
	type visit struct {
		f     *ltl.Formula
		again bool
	}
	seen := map[visit]bool{}
	stack := []visit{{f, false}}
	push := func(f *ltl.Formula, again bool) {
		if v := (visit{f, again}); !seen[v] {
			seen[v] = true
			stack = append(stack, v)
		}
	}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		args := v.f.Args()
		switch v.f.Op() {
		case ltl.Always:
			push(args[0], true)
			continue
		case ltl.Release:
			push(args[0], v.again)
			push(args[1], true)
			continue
		case ltl.WeakUntil:
			push(args[0], true)
			push(args[1], v.again)
			continue
		case ltl.SuffixAnd:
			repeats[v.f] = repeats[v.f] || v.again
		case ltl.SuffixImplies: // without end, its operand may be demanded again and again
			push(v.f.Last(), v.again || !v.f.Regexp().Bounded())
			continue
		case ltl.Eventually, ltl.StrongRelease:
			repeats[args[0]] = repeats[args[0]] || v.again
		case ltl.Until:
			repeats[args[1]] = repeats[args[1]] || v.again
		}
		for _, a := range args {
			push(a, v.again)
		}
	}
	return repeats
}

// unfold returns what f demands of a letter and of the next position.
func (t *couvreur) unfold(f *ltl.Formula) bdd.Node {
	switch f.Op() {
	case ltl.True:
		return bdd.True
	case ltl.False:
		return bdd.False
	case ltl.Atomic:
		return t.man.Var(t.position[f.Atom()])
	case ltl.Not:
		return t.man.NotVar(t.position[f.Left().Atom()])
	}
	if n, ok := t.unfolded[f]; ok {
		return n
	}
	if f.IsPast() {
		return t.pastVariable(f)
	}
	n := t.unfoldTemporal(f)
	t.unfolded[f] = n
	return n
}

func (t *couvreur) unfoldTemporal(f *ltl.Formula) bdd.Node {
	m := t.man
	switch f.Op() {
	case ltl.And:
		return t.conjunction(f.Args(), t.unfold)
	case ltl.Or:
		n := bdd.False
		for _, g := range f.Args() {
			n = m.Or(n, t.unfold(g))
		}
		return n
	case ltl.Next:
		return t.later(f.Left())
	case ltl.Eventually:
		g := f.Left()
		return m.Or(t.unfold(g), m.And(t.promised(g), t.later(f)))
	case ltl.Always:
		return m.And(t.repeat(f.Left()), t.later(f))
	case ltl.SuffixAnd, ltl.SuffixImplies:
		return t.matchings[f].unfold(t, 0, false)
	}
	l, r := t.unfold(f.Left()), t.unfold(f.Right())
	switch f.Op() {
	case ltl.Until:
		return m.Or(r, m.And(l, m.And(t.promised(f.Right()), t.later(f))))
	case ltl.WeakUntil:
		return m.Or(r, m.And(l, t.later(f)))
	case ltl.Release:
		return m.And(r, m.Or(l, t.later(f)))
	case ltl.StrongRelease:
		return m.And(r, m.Or(l, m.And(t.promised(f.Left()), t.later(f))))
	}
	panic("buchi: formula is not in negation normal form")
}

// repeat is unfold for an operand f of G, which will be unfolded again at every
// later position: what f would carry over is dropped where G brings it anyway.
func (t *couvreur) repeat(f *ltl.Formula) bdd.Node {
	if n, ok := t.repeated[f]; ok {
		return n
	}
	m := t.man
	var n bdd.Node
	switch f.Op() {
	case ltl.And:
		n = t.conjunction(f.Args(), t.repeat)
	case ltl.Eventually:
		n = m.Or(t.unfold(f.Left()), t.promised(f.Left()))
	case ltl.Until:
		n = m.Or(t.unfold(f.Right()), m.And(t.unfold(f.Left()), t.promised(f.Right())))
	case ltl.WeakUntil:
		n = m.Or(t.unfold(f.Right()), t.unfold(f.Left()))
	case ltl.Release, ltl.Always:
		n = t.repeat(f.Args()[len(f.Args())-1])
	case ltl.StrongRelease:
		n = m.And(t.repeat(f.Right()), m.Or(t.unfold(f.Left()), t.promised(f.Left())))
	default:
		n = t.unfold(f)
	}
	t.repeated[f] = n
	return n
}

func (t *couvreur) conjunction(fs []*ltl.Formula, one func(*ltl.Formula) bdd.Node) bdd.Node {
	n := bdd.True
	for _, g := range fs {
		if n = t.man.And(n, one(g)); n == bdd.False {
			break
		}
	}
	return n
}

// later is the obligation that f hold at the next position.
func (t *couvreur) later(f *ltl.Formula) bdd.Node {
	switch f.Op() {
	case ltl.True:
		return bdd.True
	case ltl.False:
		return bdd.False
	case ltl.And:
		return t.conjunction(f.Args(), t.later)
	}
	if n, ok := t.next[f]; ok {
		return n
	}
	n := t.variable(variable{next: f})
	t.next[f] = n
	return n
}

// variable returns a new variable behind the others.
func (t *couvreur) variable(v variable) bdd.Node {
	n := t.man.Var(t.letters + len(t.variables))
	t.variables = append(t.variables, v)
	return n
}

// promised is the remark that f was put off.
func (t *couvreur) promised(f *ltl.Formula) bdd.Node {
	if n, ok := t.promise[f]; ok {
		return n
	}
	n := t.newPromise(!t.repeats[f])
	t.promise[f] = n
	return n
}

// newPromise returns the variable of a promise of its own, or of that shared by all that are
// made finitely often.
func (t *couvreur) newPromise(shared bool) bdd.Node {
	if shared && t.once != bdd.False {
		return t.once
	}
	n := t.variable(variable{promise: t.promises})
	t.promises++
	if shared {
		t.once = n
	}
	return n
}

// state is a function, and bits about the past where that matters.
type state struct {
	function bdd.Node
	bits     string
}

// stateTable numbers states.
type stateTable struct {
	number map[state]int32
	states []state
}

func (s *stateTable) add(f bdd.Node, bits string) int32 {
	key := state{f, bits}
	n, ok := s.number[key]
	if !ok {
		n = int32(len(s.states))
		s.number[key] = n
		s.states = append(s.states, key)
	}
	return n
}

// explore makes the states that can be reached from f, unless that exceeds the
// bounds. While it runs, marks hold the promises that an edge makes; in the end
// they are complemented.
func (t *couvreur) explore(f *ltl.Formula) (*Automaton, error) {
	a := &Automaton{atoms: t.atoms, man: t.man, care: t.care}
	states := &stateTable{number: map[state]int32{}}
	states.add(t.man.And(t.unfold(f), t.care), t.beginning())
	edges := int64(0)
	for s := 0; s < len(states.states); s++ {
		if t.bounds.exceeded(len(states.states), t.cubes) {
			return nil, nil
		}
		if t.meter != nil {
			p := budget.Progress{Phase: "translating", States: int64(len(states.states)), Transitions: edges}
			if err := t.meter.Tick(p); err != nil {
				return nil, err
			}
		}
		es, err := t.successors(states, states.states[s])
		if err != nil {
			return nil, err
		}
		a.out = append(a.out, a.mergeEdges(es))
		edges += int64(len(a.out[s]))
	}
	a.sets = t.promises
	all := a.AllMarks()
	for _, es := range a.out {
		for i := range es {
			es[i].Marks = all &^ es[i].Marks
		}
		slices.SortFunc(es, hoa.CompareEdges)
	}
	return a, nil
}

// successors returns the edges of a state.
func (t *couvreur) successors(states *stateTable, s state) ([]Edge, error) {
	f := s.function
	var past *recollection
	if t.past != nil {
		past = t.recall(s.bits)
		f = t.substitute(f, past)
	}
	classes := []letterClass{{t.care, f}}
	if t.cover&whole == 0 {
		classes = letterClasses(t.man, f, t.letters)
	}
	var es []Edge
	for _, c := range classes {
		cubes := t.man.ISOP(c.rest, c.rest)
		t.cubes += len(cubes)
		for _, cube := range cubes {
			e, to, err := t.edge(cube)
			if err != nil {
				return nil, err
			}
			if e.Label = t.man.And(e.Label, c.letters); e.Label != bdd.False && to != bdd.False {
				es = append(es, t.split(states, e, to, past)...)
			}
		}
	}
	return es, nil
}

// edge reads a cube as literals over atoms, what must hold next, and promises.
// The function of the target, which the edge does not have yet, is false if nothing can go on from
// there.
func (t *couvreur) edge(cube bdd.Cube) (e Edge, to bdd.Node, err error) {
	atoms := 0
	for atoms < len(cube) && cube[atoms].Var() < t.letters {
		atoms++
	}
	e = Edge{Label: t.man.CubeNode(cube[:atoms])}
	to = t.care
	var waits []variable
	for _, lit := range cube[atoms:] {
		v := t.variables[lit.Var()-t.letters]
		switch {
		case v.next != nil:
			to = t.man.And(to, t.unfold(v.next))
		case v.match != nil:
			waits = append(waits, v)
		case v.promise >= MaxSets:
			return e, to, errTooManySets
		default:
			e.Marks |= 1 << v.promise
		}
	}
	if len(waits) > 0 {
		later, promises, err := t.breakpoint(waits)
		if err != nil {
			return e, to, err
		}
		to = t.man.And(to, later)
		e.Marks |= promises
	}
	return e, to, nil
}

// letterClass is a set of letters after which the same function is left.
type letterClass struct {
	letters bdd.Node
	rest    bdd.Node
}

// fewClasses is the number of classes up to which each is computed on its own.
const fewClasses = 8

// letterClasses splits f by the variables 0..vars-1: for every function other
// than false that f can become when they are set, the settings that lead to it.
// The order depends on f only.
func letterClasses(m *bdd.Manager, f bdd.Node, vars int) []letterClass {
	if f == bdd.False {
		return nil
	}
	order := topologicalOrder(m, f, vars)
	var classes []letterClass
	for _, n := range order {
		if m.Level(n) >= vars {
			classes = append(classes, letterClass{bdd.False, n})
		}
	}
	if len(classes) <= fewClasses {
		for i, c := range classes {
			classes[i].letters = lettersTo(m, order, c.rest, vars)
		}
	} else {
		reachAll(m, order, classes, vars)
	}
	return classes
}

// lettersTo returns the settings that lead from the first node of a topological
// order to the node rest. It makes at most one node for each of the order.
func lettersTo(m *bdd.Manager, order []bdd.Node, rest bdd.Node, vars int) bdd.Node {
	image := make(map[bdd.Node]bdd.Node, len(order))
	for i := len(order) - 1; i >= 0; i-- {
		n := order[i]
		switch {
		case n == rest:
			image[n] = bdd.True
		case m.Level(n) >= vars:
			image[n] = bdd.False
		default:
			image[n] = m.Node(m.Level(n), image[m.Low(n)], image[m.High(n)])
		}
	}
	return image[order[0]]
}

// reachAll computes the settings for all classes in one pass from the top. It
// needs some diagram operations for each node.
func reachAll(m *bdd.Manager, order []bdd.Node, classes []letterClass, vars int) {
	reach := make(map[bdd.Node]bdd.Node, len(order))
	reach[order[0]] = bdd.True
	for _, n := range order {
		v := m.Level(n)
		if v >= vars {
			continue
		}
		if low := m.Low(n); low != bdd.False {
			reach[low] = m.Or(reach[low], m.And(reach[n], m.NotVar(v)))
		}
		if high := m.High(n); high != bdd.False {
			reach[high] = m.Or(reach[high], m.And(reach[n], m.Var(v)))
		}
	}
	for i, c := range classes {
		classes[i].letters = reach[c.rest]
	}
}

// topologicalOrder lists f and all nodes below it down to the first below the
// variables 0..vars-1, parents before children, without false.
func topologicalOrder(m *bdd.Manager, f bdd.Node, vars int) []bdd.Node {
	seen := map[bdd.Node]bool{bdd.False: true}
	var post []bdd.Node
	var visit func(n bdd.Node)
	visit = func(n bdd.Node) { // as deep as there are atoms
		if seen[n] {
			return
		}
		seen[n] = true
		if m.Level(n) < vars {
			visit(m.High(n))
			visit(m.Low(n))
		}
		post = append(post, n)
	}
	visit(f)
	slices.Reverse(post)
	return post
}
