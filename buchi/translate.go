package buchi

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/ltl"
)

// errTooManySets is a limit like others, so that callers answer "unknown".
var errTooManySets = &budget.Exhausted{What: "acceptance sets", Limit: fmt.Sprint(MaxSets)}

// Acceptance is a form of Büchi acceptance.
type Acceptance uint8

const (
	// Generalised: any number of acceptance sets of edges. The smallest automata.
	Generalised Acceptance = iota
	// StateBuchi: at most one set, and all edges of a state are in it or none: a
	// classical Büchi automaton.
	StateBuchi
	// Buchi: at most one set, of edges.
	Buchi
)

var acceptances = names.Of[Acceptance]("acceptance", "tgba", "ba", "tba")

func (a Acceptance) String() string                   { return acceptances.String(a) }
func (a Acceptance) MarshalText() ([]byte, error)     { return acceptances.Marshal(a) }
func (a *Acceptance) UnmarshalText(text []byte) error { return acceptances.Unmarshal(text, a) }

// Names lists the texts of all values.
func (Acceptance) Names() []string { return acceptances.List() }

// Preference says what automaton is wanted.
type Preference uint8

const (
	// Small: as few states as possible.
	Small Preference = iota
	// Deterministic: a deterministic automaton where one is found, even if it is
	// larger. Obligations always become deterministic, others as it happens.
	Deterministic
)

var preferences = names.Of[Preference]("preference", "small", "deterministic")

func (p Preference) String() string                   { return preferences.String(p) }
func (p Preference) MarshalText() ([]byte, error)     { return preferences.Marshal(p) }
func (p *Preference) UnmarshalText(text []byte) error { return preferences.Unmarshal(text, p) }

// Names lists the texts of all values.
func (Preference) Names() []string { return preferences.List() }

// Level is the effort spent on a small result.
type Level uint8

const (
	// High: all reductions.
	High Level = iota
	// Low: the formula is translated as it is, useless states are removed.
	Low
)

var levels = names.Of[Level]("level", "high", "low")

func (l Level) String() string                   { return levels.String(l) }
func (l Level) MarshalText() ([]byte, error)     { return levels.Marshal(l) }
func (l *Level) UnmarshalText(text []byte) error { return levels.Unmarshal(text, l) }

// Names lists the texts of all values.
func (Level) Names() []string { return levels.List() }

// ConstraintKind is what is known about a group of atoms.
type ConstraintKind uint8

const (
	// AtMostOne of the atoms is true at each position.
	AtMostOne ConstraintKind = iota
	// ExactlyOne of the atoms is true at each position.
	ExactlyOne
)

// Constraint is knowledge about the letters of all words that matter. Atoms that
// are not in the formula may be listed.
type Constraint struct {
	Kind  ConstraintKind
	Atoms []ltl.Atom
}

// Options of a translation. The zero value gives a small generalised automaton
// without constraints and without limits.
type Options struct {
	Acceptance  Acceptance
	Prefer      Preference
	Level       Level
	Constraints []Constraint
	// Complete adds a state that rejects everything, where it is needed to give
	// every state an edge for every letter.
	Complete bool
	// Meter bounds the translation; nil is no bound.
	Meter *budget.Meter
}

// Translate returns an automaton that accepts exactly the words that satisfy f:
// all of them, if there are no constraints, else among the words whose every
// letter satisfies the constraints. The result depends on f and the options only.
//
// The atoms of the automaton are those of the formula, sorted.
//
// Errors are ltl.ErrNil, those of the Meter, or a *budget.Exhausted where decision diagrams
// get too large or the formula needs more than MaxSets acceptance sets. The size
// of the result is exponential in the size of the formula in the worst case.
func Translate(f *ltl.Formula, opts Options) (*Automaton, error) {
	if f == nil {
		return nil, ltl.ErrNil
	}
	var result *Automaton
	err := bdd.Guard(func() error {
		a, err := newTranslation(f, opts).run()
		result = a
		return err
	})
	if err != nil {
		return nil, nodeLimit(err)
	}
	return result, nil
}

// nodeLimit makes the error of too large diagrams one that callers know.
func nodeLimit(err error) error {
	if nodes, ok := errors.AsType[*bdd.NodeLimit](err); ok {
		return &budget.Exhausted{What: "decision diagrams", Limit: fmt.Sprintf("%d nodes", nodes.Nodes)}
	}
	return err
}

// maxNodes bounds the diagrams of one translation, whether or not there is a
// Meter: to about half a gigabyte.
const maxNodes = 1 << 24

// translation holds what the passes of one call of Translate share.
type translation struct {
	name     string
	formula  *ltl.Formula // simplified, in negation normal form
	original *ltl.Formula
	attempts []attempt // so far, see attempt
	drawn    int
	cubes    int // of the construction that made most
	// determinised says that deterministic automata have been tried.
	determinised bool
	noObligation bool // known; that is false where it is not known
	// recurrences is the number of conjuncts G F b from which on counted is used.
	recurrences int
	opts        Options
	atoms       []ltl.Atom
	man         *bdd.Manager
	care        bdd.Node
}

func newTranslation(f *ltl.Formula, opts Options) *translation {
	t := &translation{opts: opts, atoms: ltl.Atoms(f), man: bdd.New(), name: f.String(), original: f,
		recurrences: manyRecurrences(opts.Acceptance)}
	if opts.Level == Low {
		t.formula = ltl.NNF(f)
	} else {
		t.formula = t.simplified(0)
	}
	t.man.SetLimit(maxNodes, func(int) error {
		if opts.Meter == nil {
			return nil
		}
		return opts.Meter.Tick(budget.Progress{Phase: "translating"})
	})
	t.care = careOf(t.man, t.atoms, opts.Constraints)
	return t
}

// simplified returns the formula simplified without some rules, for the translation of whole words.
func (t *translation) simplified(skip ltl.Rules) *ltl.Formula {
	opts := ltl.SimplifyOptions{Exclusive: exclusive(t.opts.Constraints), Skip: skip}
	f := ltl.Simplify(t.original, opts)
	if g := ltl.Initially(f); g != f {
		f = ltl.Simplify(g, opts)
	}
	return f
}

// exclusive lists the groups of atoms of which at most one is true.
func exclusive(constraints []Constraint) [][]ltl.Atom {
	return lists.Append(nil, constraints, func(c Constraint) []ltl.Atom { return c.Atoms })
}

// careOf is the conjunction of the constraints. A group is linear in its atoms.
func careOf(m *bdd.Manager, atoms []ltl.Atom, constraints []Constraint) bdd.Node {
	care := bdd.True
	for _, c := range constraints {
		none, one := bdd.True, bdd.False
		group := slices.Clone(c.Atoms)
		slices.SortFunc(group, func(x, y ltl.Atom) int { return -x.Compare(y) })
		group = slices.Compact(group)
		missing := false
		for _, at := range group { // from the last in the order of variables
			i, ok := slices.BinarySearchFunc(atoms, at, ltl.Atom.Compare)
			if !ok {
				missing = true
				continue
			}
			v := m.Var(i)
			one = m.ITE(v, none, one)
			none = m.Diff(none, v)
		}
		if c.Kind == AtMostOne || missing {
			one = m.Or(one, none)
		}
		care = m.And(care, one)
	}
	return care
}

func (t *translation) run() (*Automaton, error) {
	if t.care == bdd.False {
		return t.finish(&Automaton{atoms: t.atoms, man: t.man, care: t.care, out: make([][]Edge, 1)}), nil
	}
	if t.opts.Level == Low {
		a, err := t.unreduced(t.formula, byLetter, bounds{})
		if err != nil {
			return nil, err
		}
		return t.finish(t.acceptance(a)), nil
	}
	best, err := t.counted()
	if best == nil && err == nil {
		best, err = t.best()
	}
	if err != nil {
		return nil, err
	}
	return t.finish(best), nil
}

// best reduces the automata of several attempts, and deterministic automata where
// there are any, and keeps what is preferred.
func (t *translation) best() (*Automaton, error) {
	var best, origin *Automaton // origin: before its acceptance is made what is wanted
	var raw, reduced known
	for i := 0; ; i++ {
		at, ok := t.attempt(i)
		if best != nil && (len(best.out) <= 2 || len(best.out) > manyStates) {
			return best, nil
		}
		if !ok {
			return t.remarked(best, origin), nil
		}
		candidates, err := t.candidates(at, t.hopeless(best))
		if err != nil {
			return nil, err
		}
		var first *Automaton // before its acceptance is made what is wanted
		for _, a := range candidates {
			if raw.has(a) || t.restartsSuffice(best, at) && !a.Deterministic() {
				continue
			}
			if a = reduceSimulation(a); reduced.has(a) {
				continue
			}
			if first == nil || smaller(a, first) {
				first = a
			}
			if b := t.acceptance(a); best == nil || t.better(b, best) {
				best, origin = b, a
			}
		}
		if t.restartsSuffice(best, at) {
			return best, nil
		}
		if t.determinised || first == nil {
			continue
		}
		t.determinised = true
		w, err := t.weak(first)
		switch {
		case err != nil:
			return nil, err
		case w != nil && t.opts.Prefer == Deterministic:
			return w, nil
		case w != nil && !smaller(best, w):
			best, origin = w, nil
		case w == nil:
			if d := t.deterministic(first, best); d != nil && t.better(d, best) {
				best, origin = d, nil
			}
		}
	}
}

// restartsSuffice reports whether other ways than restarts need not be tried: they lead to larger
// deterministic automata of G F of a guarantee, if to any.
func (t *translation) restartsSuffice(best *Automaton, at attempt) bool {
	return t.opts.Prefer == Deterministic && at.method == restarted && best != nil && best.Deterministic()
}

// known are the automata that were looked at: attempts often lead to the same one.
type known []*Automaton

// has reports whether an automaton is among those that were asked for before.
func (k *known) has(a *Automaton) bool {
	if slices.ContainsFunc(*k, a.same) {
		return true
	}
	*k = append(*k, a)
	return false
}

// hopeless bounds a further attempt: with so many states reductions would take long, and
// hardly lead to fewer than best has; and it is not to take longer than those before.
func (t *translation) hopeless(best *Automaton) bounds {
	if best == nil {
		return bounds{}
	}
	return bounds{states: 8*len(best.out) + 16, cubes: t.cubes + 500}
}

// candidates returns the automata that one attempt leads to, none if it exceeds the bounds.
func (t *translation) candidates(at attempt, b bounds) ([]*Automaton, error) {
	switch at.method {
	case restarted:
		return t.restarts(at.formula)
	case settled:
		return t.settling(universal(at.formula))
	case suspended:
		list, err := one(t.suspended(at.formula))
		if len(list) > 0 && b.exceeded(len(list[0].out), 0) {
			list = nil
		}
		return list, err
	default:
		return one(t.unreduced(at.formula, at.cover, b))
	}
}

// one is a list of one automaton, or none.
func one(a *Automaton, err error) ([]*Automaton, error) {
	if a == nil || err != nil {
		return nil, err
	}
	return []*Automaton{a}, nil
}

// manyStates is a size from which on one attempt must do.
const manyStates = 150

// deterministic returns a deterministic automaton for the language of a, in the
// form asked for, if there is one and it may be better than best; else nil.
func (t *translation) deterministic(a, best *Automaton) *Automaton {
	if t.noObligation && t.formula.Is(ltl.Persistence) {
		return nil // what is a recurrence as well is an obligation
	}
	limit := 2*len(best.out) + 4
	if t.opts.Prefer == Deterministic {
		limit = 64*len(a.out) + 256
	}
	if best.Deterministic() {
		return nil
	}
	d := determinizeRecurrence(oneSet(a), limit)
	if d == nil {
		return nil
	}
	return t.acceptance(reduceSimulation(d.buchi()))
}

// attempt is one way to translate: a formula equivalent to the given one, the
// construction, and how that covers functions.
type attempt struct {
	formula *ltl.Formula
	method  method
	cover   cover
}

// method is a construction.
type method uint8

const (
	plain     method = iota // of the whole formula
	suspended               // conjuncts apart, see suspension.go
	restarted               // G F of a guarantee by restarts only
	settled                 // F of a suffix-closed property, see suffixclosed.go
)

// attempt returns the i-th way to translate that differs from those before, the
// one most likely to be best first; false behind the last. Some rules of
// simplification, for example, help most formulas and make a few larger.
func (t *translation) attempt(i int) (attempt, bool) {
	for len(t.attempts) <= i {
		var next attempt
		switch t.drawn++; t.drawn {
		case 1:
			next = attempt{formula: t.formula, method: restarted}
			if t.formula.HasPast() || deepRecurrence(t.formula) == nil {
				continue
			}
		case 2:
			next = attempt{formula: t.formula, method: settled}
			if universal(t.formula) == nil {
				continue
			}
		case 3:
			next = attempt{formula: t.formula}
		case 4:
			next = attempt{formula: t.formula, cover: whole}
		case 5, 6:
			next = attempt{formula: t.formula, cover: []cover{positions, subsets}[t.drawn-5]}
			if !t.formula.HasRegexp() {
				continue
			}
		case 7:
			next = attempt{formula: t.formula, method: suspended}
		case 8:
			next = attempt{formula: t.simplified(ltl.RulesEventual)}
		case 9:
			next = attempt{formula: ltl.NNF(t.original)}
		case 10:
			if !t.original.HasPast() {
				continue
			}
			next = attempt{formula: ltl.Simplify(t.original, ltl.SimplifyOptions{Exclusive: exclusive(t.opts.Constraints)})}
		default:
			return next, false
		}
		if !slices.Contains(t.attempts, next) {
			t.attempts = append(t.attempts, next)
		}
	}
	return t.attempts[i], true
}

// unreduced translates f and removes useless states; nil if that exceeds the bounds.
func (t *translation) unreduced(f *ltl.Formula, cover cover, b bounds) (*Automaton, error) {
	a, err := t.couvreur(f, cover, b)
	if a == nil || err != nil {
		return nil, err
	}
	return trim(a), nil
}

// better compares two automata by the preference asked for.
func (t *translation) better(a, b *Automaton) bool {
	if t.opts.Prefer == Deterministic {
		if da, db := a.Deterministic(), b.Deterministic(); da != db {
			return da
		}
	}
	return smaller(a, b)
}

// acceptance brings an automaton into the form asked for.
func (t *translation) acceptance(a *Automaton) *Automaton {
	switch t.opts.Acceptance {
	case StateBuchi:
		if a.sets == 0 {
			b := *a
			b.stateBased = true
			return &b
		}
		a = degeneralize(a)
		if t.opts.Level == High {
			a = reduceSimulation(a)
		}
	case Buchi:
		if a.sets > 1 {
			a = degeneralize(a)
			a.stateBased = false
			if t.opts.Level == High {
				a = reduceSimulation(a)
			}
		}
	}
	return a
}

// weak returns the minimal weak deterministic automaton if the formula is an
// obligation, else nil. It may also be nil if it would be large.
func (t *translation) weak(a *Automaton) (*Automaton, error) {
	limit := 8*len(a.out) + 64
	if t.opts.Prefer == Deterministic {
		limit = maxWeak
	}
	if t.formula.Is(ltl.Obligation) {
		if d := minimalWeak(a, limit); d != nil {
			return trim(d.buchi(false)), nil
		}
		return nil, nil
	}
	d, refuted := minimalWeakOf(a, limit)
	if d == nil {
		t.noObligation = refuted
		return nil, nil
	}
	same, known, err := t.sameLanguage(a, d)
	if err != nil || !same {
		t.noObligation = known
		return nil, err
	}
	return trim(d.buchi(false)), nil
}

// sameLanguage reports whether d accepts what a, an automaton of the formula,
// accepts, if that can be known.
func (t *translation) sameLanguage(a *Automaton, d *subsetAutomaton) (same, known bool, err error) {
	if a.sets == MaxSets {
		return false, false, nil // no room for one more
	}
	if p, err := Intersect(a, d.buchi(true)); err != nil || !p.Empty() {
		return false, err == nil, err
	}
	limit := 16*len(a.out) + 2000
	if t.opts.Prefer == Deterministic {
		limit = max(limit, maxWeak)
	}
	n, err := t.couvreur(ltl.Negate(t.formula), byLetter, bounds{states: limit})
	if err != nil || n == nil {
		return false, false, err
	}
	n = trim(n)
	p, err := Intersect(n, d.buchi(false))
	return err == nil && p.Empty(), err == nil, err
}

// smaller reports whether a has fewer states than b, or as many and fewer edges.
func smaller(a, b *Automaton) bool {
	if len(a.out) != len(b.out) {
		return len(a.out) < len(b.out)
	}
	return a.numEdges() < b.numEdges()
}

// finish numbers the states and moves the result out of the translation's
// diagrams.
func (t *translation) finish(a *Automaton) *Automaton {
	a = renumber(unmarkEntries(a))
	if t.opts.Complete {
		a = complete(a)
	}
	a.name = t.name
	a.compact()
	return a
}

// renumber numbers the states in the order of a breadth-first search.
func renumber(a *Automaton) *Automaton {
	number := make([]int32, len(a.out))
	for i := range number {
		number[i] = -1
	}
	number[a.initial] = 0
	order := []int32{a.initial}
	for i := 0; i < len(order); i++ {
		for _, e := range a.out[order[i]] {
			if number[e.To] < 0 {
				number[e.To] = int32(len(order))
				order = append(order, e.To)
			}
		}
	}
	b := a.like(len(order))
	for i, s := range order {
		es := slices.Clone(a.out[s])
		for j := range es {
			es[j].To = number[es[j].To]
		}
		b.out[i] = b.mergeEdges(es)
	}
	return b
}

// complete adds a rejecting state where some state has no edge for a letter.
func complete(a *Automaton) *Automaton {
	if a.complete() {
		return a
	}
	b := a.WithSet().clone() // the new state is not in its set
	sink := int32(len(b.out))
	b.out = append(b.out, nil)
	for s := range b.out {
		if rest := b.man.Diff(b.care, b.union(b.out[s])); rest != NoLetter {
			marks := uint64(0)
			if b.stateBased {
				marks = b.StateMarks(int32(s))
			}
			b.out[s] = b.mergeEdges(append(b.out[s], Edge{rest, sink, marks}))
		}
	}
	return b
}
