package buchi

import (
	"fmt"
	"testing"
	"time"

	"github.com/seltl/seltl/ltl"
)

// The surge protector of [Chaki05], section 8.4, for values 0..n, in its three
// formulations, with what is known of the atoms.

func surgeAtom(kind ltl.AtomKind, name string, i int) ltl.Atom {
	return ltl.Atom{Kind: kind, Name: fmt.Sprintf("%s.%d", name, i)}
}

// surgeRange is the disjunction of name.from .. name.to.
func surgeRange(kind ltl.AtomKind, name string, from, to int) *ltl.Formula {
	var fs []*ltl.Formula
	for i := from; i <= to; i++ {
		fs = append(fs, ltl.AtomOf(surgeAtom(kind, name, i)))
	}
	return ltl.MakeOr(fs...)
}

func surgeGroup(kind ConstraintKind, atom ltl.AtomKind, n int, names ...string) Constraint {
	c := Constraint{Kind: kind}
	for _, name := range names {
		for i := 0; i <= n; i++ {
			c.Atoms = append(c.Atoms, surgeAtom(atom, name, i))
		}
	}
	return c
}

// surgeStateEvent is G of the conjunction of c_i -> m >= i.
func surgeStateEvent(n int) (*ltl.Formula, []Constraint) {
	var fs []*ltl.Formula
	for i := 1; i <= n; i++ {
		fs = append(fs, ltl.MakeImplies(ltl.AtomOf(surgeAtom(ltl.Event, "c", i)), surgeRange(ltl.Prop, "m", i, n)))
	}
	return ltl.MakeAlways(ltl.MakeAnd(fs...)), []Constraint{
		surgeGroup(ExactlyOne, ltl.Prop, n, "m"), surgeGroup(AtMostOne, ltl.Event, n, "c", "m"),
	}
}

// surgeState says: when the current changes to j, the threshold is at least j.
func surgeState(n int) (*ltl.Formula, []Constraint) {
	var fs []*ltl.Formula
	for j := 1; j <= n; j++ {
		other := ltl.MakeOr(surgeRange(ltl.Prop, "c", 0, j-1), surgeRange(ltl.Prop, "c", j+1, n))
		change := ltl.MakeAnd(other, ltl.MakeNext(ltl.AtomOf(surgeAtom(ltl.Prop, "c", j))))
		fs = append(fs, ltl.MakeAlways(ltl.MakeImplies(change, surgeRange(ltl.Prop, "m", j, n))))
	}
	return ltl.MakeAnd(fs...), []Constraint{
		surgeGroup(ExactlyOne, ltl.Prop, n, "m"), surgeGroup(ExactlyOne, ltl.Prop, n, "c"),
	}
}

// surgeEvent says: after m_i no c_j with j > i until a larger m.
func surgeEvent(n int) (*ltl.Formula, []Constraint) {
	var fs []*ltl.Formula
	for i := 0; i <= n; i++ {
		for j := i + 1; j <= n; j++ {
			wait := ltl.MakeWeakUntil(ltl.MakeNot(ltl.AtomOf(surgeAtom(ltl.Event, "c", j))), surgeRange(ltl.Event, "m", j, n))
			fs = append(fs, ltl.MakeAlways(ltl.MakeImplies(ltl.AtomOf(surgeAtom(ltl.Event, "m", i)), wait)))
		}
	}
	return ltl.MakeAnd(fs...), []Constraint{surgeGroup(AtMostOne, ltl.Event, n, "c", "m")}
}

func TestSurgeProtector(t *testing.T) {
	forms := []struct {
		name string
		make func(int) (*ltl.Formula, []Constraint)
		n    []int
	}{
		{"state/event", surgeStateEvent, []int{2, 12, 100}},
		{"state", surgeState, []int{2, 3, 12}},
		{"event", surgeEvent, []int{2, 3, 12}},
	}
	for _, form := range forms {
		for i, n := range form.n {
			if testing.Short() && i == 2 {
				break // the largest take a second each
			}
			f, constraints := form.make(n)
			for _, known := range [][]Constraint{nil, constraints} {
				for _, g := range []*ltl.Formula{f, ltl.MakeNot(f)} {
					start := time.Now()
					a := mustTranslate(t, g, Options{Acceptance: StateBuchi, Constraints: known})
					s := a.Stats()
					t.Logf("%s %d, %d constraints, negated %v: %d states, %d edges, %v", form.name, n, len(known), g != f, s.States, s.Edges, time.Since(start).Round(time.Millisecond))
					if form.name == "state/event" && g != f && s.States != 2 {
						t.Errorf("%s %d: %d states for the negation", form.name, n, s.States)
					}
				}
			}
		}
	}
}
