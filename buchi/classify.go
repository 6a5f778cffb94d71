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
// used). It needs automata of f and of its negation, and a deterministic automaton
// unless f is an obligation; it returns ltl.ErrNil, a *budget.Exhausted if that has more than
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
	a, err := Translate(f, opts)
	if err != nil {
		return c, err
	}
	n, err := Translate(ltl.MakeNot(f), opts)
	if err != nil {
		return c, err
	}
	setLimit(a, opts.Meter)
	if c.Safety, err = disjoint(closure(a), n); err != nil {
		return c, err
	}
	if c.Guarantee, err = disjoint(a, closure(n)); err != nil {
		return c, err
	}
	if c.Obligation, err = isObligation(a, n, c.Safety || c.Guarantee); err != nil {
		return c, err
	}
	if c.Obligation {
		c.Recurrence, c.Persistence = true, true
	} else {
		d := determinize(oneSet(a), maxDeterministic)
		if d == nil {
			return c, errLargeDeterministic
		}
		c.Recurrence, c.Persistence = !d.hasMixedLoops(1), !d.hasMixedLoops(0)
	}
	c.StutterInvariant, c.StutterKnown, err = stutterInvariant(f, a, n)
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
	return keepSets(b, 0)
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
	d := minimalWeak(a, maxDeterministic)
	if d == nil {
		return false, errLargeDeterministic
	}
	if empty, err := disjoint(a, d.buchi(true)); err != nil || !empty {
		return false, err
	}
	return disjoint(n, d.buchi(false))
}
