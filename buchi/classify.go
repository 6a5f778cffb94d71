package buchi

import (
	"fmt"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/ltl"
)

// Class is the place of a property in the hierarchy of Manna and Pnueli
// [MannaPnueli90]. The bits are about the language, not the form of the formula,
// and a property has the bits of all classes that contain it: a safety property
// is an obligation, a recurrence and a persistence as well. Every LTL property
// is a reactivity.
type Class struct {
	Safety      bool // every violation shows in a finite prefix
	Guarantee   bool // every satisfaction shows in a finite prefix
	Obligation  bool // a Boolean combination of safety and guarantee properties
	Recurrence  bool // a deterministic Büchi automaton exists
	Persistence bool // the negation is a recurrence

	// StutterInvariant: repeating letters, or dropping repetitions, changes
	// nothing. Known says that this was decided; if not, StutterInvariant is
	// false.
	StutterInvariant bool
	StutterKnown     bool
}

// String names the lowest class, and stutter-invariance.
func (c Class) String() string {
	names := []struct {
		is   bool
		name string
	}{
		{c.Safety && c.Guarantee, "safety and guarantee"}, {c.Safety, "safety"}, {c.Guarantee, "guarantee"},
		{c.Obligation, "obligation"}, {c.Recurrence && c.Persistence, "recurrence and persistence"},
		{c.Recurrence, "recurrence"}, {c.Persistence, "persistence"}, {true, "reactivity"},
	}
	var parts []string
	for _, n := range names {
		if n.is {
			parts = append(parts, n.name)
			break
		}
	}
	if c.StutterInvariant {
		parts = append(parts, "stutter-invariant")
	}
	return strings.Join(parts, ", ")
}

// maxDeterministic bounds deterministic automata that are made to classify.
const maxDeterministic = 1 << 15

var errLargeDeterministic = &budget.Exhausted{What: "states", Limit: fmt.Sprintf("%d in a deterministic automaton", maxDeterministic)}

// Classify decides to which classes the property of f belongs, among words that
// satisfy the constraints of opts (whose other fields, apart from Meter, are not
// used). What the syntax shows it does not compute; else it needs automata of f and of its
// negation, and a deterministic one where f may be more than a recurrence or persistence. It returns ltl.ErrNil, a *budget.Exhausted if that has more than
// some ten thousand states, and the errors of the Meter.
func Classify(f *ltl.Formula, opts Options) (Class, error) {
	var c Class
	if f == nil {
		return c, ltl.ErrNil
	}
	err := bdd.Guard(func() (err error) {
		c, err = classify(f, Options{Constraints: opts.Constraints, Meter: opts.Meter})
		return err
	})
	return c, nodeLimit(err)
}

func classify(f *ltl.Formula, opts Options) (c Class, err error) {
	// What the syntax shows need not be computed.
	simple := ltl.Simplify(f, ltl.SimplifyOptions{Exclusive: exclusive(opts.Constraints)})
	if simple.Is(ltl.Safety | ltl.Guarantee | ltl.StutterInvariant) {
		return Class{true, true, true, true, true, true, true}, nil
	}
	a, err := Translate(simple, opts)
	if err != nil {
		return c, err
	}
	setLimit(a, opts.Meter)
	if simple.Is(ltl.Obligation) {
		if d := minimalWeak(a, maxDeterministic); d != nil {
			return d.classify(simple, a)
		}
	}
	n, err := Translate(ltl.MakeNot(simple), opts)
	if err != nil {
		return c, err
	}
	if c.Safety, err = disjoint(closure(a), n); err != nil {
		return c, err
	}
	if c.Guarantee, err = disjoint(a, closure(n)); err != nil {
		return c, err
	}
	if c.Obligation, err = isObligation(a, n, simple.Is(ltl.Obligation) || c.Safety || c.Guarantee); err != nil {
		return c, err
	}
	switch {
	case c.Obligation:
		c.Recurrence, c.Persistence = true, true
	case simple.Is(ltl.Recurrence): // what is a persistence as well is an obligation
		c.Recurrence = true
	case simple.Is(ltl.Persistence):
		c.Persistence = true
	default:
		d := determinize(oneSet(a), maxDeterministic)
		if d == nil {
			return c, errLargeDeterministic
		}
		c.Recurrence, c.Persistence = !d.out.Mixed(1), !d.out.Mixed(0)
	}
	c.StutterInvariant, c.StutterKnown, err = stutterInvariant(simple, a, n)
	return c, err
}

// classify classifies an obligation f by its minimal weak automaton d; a is another
// automaton of f. A violation of a safety property shows in a prefix: no rejecting loop
// leads to an accepting one. The other way round it is with guarantees.
func (d *subsetAutomaton) classify(f *ltl.Formula, a *Automaton) (c Class, err error) {
	c = Class{Safety: true, Guarantee: true, Obligation: true, Recurrence: true, Persistence: true}
	found := findComponents(d.Automaton)
	loops := make([][2]bool, len(found.marks)) // of each component: reaches a loop that rejects, accepts
	members := make([][]int32, len(found.marks))
	for s, id := range found.of {
		if id >= 0 {
			members[id] = append(members[id], int32(s))
		}
	}
	for id, states := range members { // sinks first
		for _, s := range states {
			for _, e := range d.out[s] {
				below := loops[found.of[e.To]]
				loops[id][0] = loops[id][0] || below[0]
				loops[id][1] = loops[id][1] || below[1]
			}
		}
		if !found.cyclic[id] {
			continue
		}
		if d.accepting[states[0]] {
			c.Guarantee = c.Guarantee && !loops[id][0]
			loops[id][1] = true
		} else {
			c.Safety = c.Safety && !loops[id][1]
			loops[id][0] = true
		}
	}
	c.StutterInvariant, c.StutterKnown, err = stutterInvariant(f, a, d.buchi(true))
	return c, err
}

// setLimit has the diagrams of a ask the meter.
func setLimit(a *Automaton, m *budget.Meter) {
	if m != nil {
		a.man.SetLimit(0, func(int) error { return m.Tick(budget.Progress{Phase: "classifying"}) })
	}
}

// oneSet returns an equivalent automaton with at most one acceptance set.
func oneSet(a *Automaton) *Automaton {
	if a.sets > 1 {
		return degeneralize(a)
	}
	return a
}

// closure accepts the words all of whose prefixes start a word that a accepts.
func closure(a *Automaton) *Automaton {
	b := trim(a.clone())
	return dropMarks(b)
}

func disjoint(a, b *Automaton) (bool, error) {
	p, err := Intersect(a, b)
	if err != nil {
		return false, err
	}
	return p.Empty(), nil
}

// isObligation compares a with its minimal weak automaton; n accepts the
// complement of a.
func isObligation(a, n *Automaton, known bool) (bool, error) {
	if known {
		return true, nil
	}
	d := powerset(a, maxDeterministic, nil)
	if d == nil {
		return false, errLargeDeterministic
	}
	if d.refutesObligation(a) {
		return false, nil
	}
	d.colour(a)
	d = d.minimise()
	if empty, err := disjoint(a, d.buchi(true)); err != nil || !empty {
		return false, err
	}
	return disjoint(n, d.buchi(false))
}
