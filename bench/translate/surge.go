package main

import (
	"fmt"
	"time"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/ltl"
)

// The surge protector ([Chaki05], section 8.4): current c and threshold m in
// 0..n. Three formulations of "the current never rises above the threshold".

// thesis holds table 8.1: states, transitions, milliseconds to construct the
// automaton; 0 where WRING did not finish in ten minutes.
var thesis = map[string]map[int][3]int{
	"pure state":  {2: {4, 5, 253}, 3: {8, 12, 270}, 4: {14, 23, 492}, 6: {32, 57, 2428}, 8: {58, 107, 17503}, 10: {92, 173, 195718}},
	"pure event":  {2: {6, 10, 245}, 3: {12, 23, 560}, 4: {20, 41, 1597}, 6: {42, 92, 12077}, 8: {72, 163, 372784}},
	"state/event": {2: {3, 4, 184}, 3: {4, 6, 298}, 4: {5, 8, 243}, 6: {7, 12, 614}, 8: {9, 16, 2622}, 10: {11, 20, 33556}, 12: {13, 24, 534914}},
}

// atoms returns the disjunction of name.from .. name.to.
func atoms(kind ltl.AtomKind, name string, from, to int) *ltl.Formula {
	var fs []*ltl.Formula
	for i := from; i <= to; i++ {
		fs = append(fs, ltl.AtomOf(ltl.Atom{Kind: kind, Name: fmt.Sprintf("%s.%d", name, i)}))
	}
	return ltl.MakeOr(fs...)
}

func atom(kind ltl.AtomKind, name string, i int) *ltl.Formula { return atoms(kind, name, i, i) }

func stateEvent(n int) *ltl.Formula {
	var fs []*ltl.Formula
	for i := 1; i <= n; i++ {
		fs = append(fs, ltl.MakeImplies(atom(ltl.Event, "c", i), atoms(ltl.Prop, "m", i, n)))
	}
	return ltl.MakeAlways(ltl.MakeAnd(fs...))
}

func pureState(n int) *ltl.Formula {
	var fs []*ltl.Formula
	for j := 1; j <= n; j++ {
		other := ltl.MakeOr(atoms(ltl.Prop, "c", 0, j-1), atoms(ltl.Prop, "c", j+1, n))
		change := ltl.MakeAnd(other, ltl.MakeNext(atom(ltl.Prop, "c", j)))
		fs = append(fs, ltl.MakeAlways(ltl.MakeImplies(change, atoms(ltl.Prop, "m", j, n))))
	}
	return ltl.MakeAnd(fs...)
}

func pureEvent(n int) *ltl.Formula {
	var fs []*ltl.Formula
	for i := range n {
		for j := i + 1; j <= n; j++ {
			wait := ltl.MakeWeakUntil(ltl.MakeNot(atom(ltl.Event, "c", j)), atoms(ltl.Event, "m", j, n))
			fs = append(fs, ltl.MakeAlways(ltl.MakeImplies(atom(ltl.Event, "m", i), wait)))
		}
	}
	return ltl.MakeAnd(fs...)
}

// known is what the model says of the atoms of f: events exclude each other, and
// so do the values of m and of c.
func known(f *ltl.Formula) []buchi.Constraint {
	groups := map[string]*buchi.Constraint{}
	for _, a := range ltl.Atoms(f) {
		key := "event"
		if a.Kind == ltl.Prop {
			key = a.Name[:1]
		}
		if groups[key] == nil {
			groups[key] = &buchi.Constraint{Kind: buchi.AtMostOne}
		}
		groups[key].Atoms = append(groups[key].Atoms, a)
	}
	var list []buchi.Constraint
	for _, key := range []string{"event", "c", "m"} {
		if g := groups[key]; g != nil {
			list = append(list, *g)
		}
	}
	return list
}

func surgeTable() error {
	fmt.Println("Sizes (states, edges) and time of the automaton of the negated property, which verification uses;")
	fmt.Println("thesis: states, transitions and time of WRING, table 8.1.")
	fmt.Println()
	fmt.Println("| property | range | thesis | ms | ours | ms | with what is known of the atoms | ms |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	for _, form := range []struct {
		name string
		make func(int) *ltl.Formula
		n    []int
	}{
		{"state/event", stateEvent, []int{2, 3, 4, 6, 8, 10, 12, 50, 100}},
		{"pure state", pureState, []int{2, 3, 4, 6, 8, 10, 12}},
		{"pure event", pureEvent, []int{2, 3, 4, 6, 8, 10, 12}},
	} {
		for _, n := range form.n {
			f := ltl.MakeNot(form.make(n))
			fmt.Printf("| %s | %d |", form.name, n)
			if t, ok := thesis[form.name][n]; ok {
				fmt.Printf(" %d, %d | %d |", t[0], t[1], t[2])
			} else {
				fmt.Print(" - | > 600000 |")
			}
			for _, constraints := range [][]buchi.Constraint{nil, known(f)} {
				start := time.Now()
				a, err := buchi.Translate(f, buchi.Options{Acceptance: buchi.StateBuchi, Constraints: constraints})
				if err != nil {
					return err
				}
				elapsed := time.Since(start)
				s := a.Stats()
				fmt.Printf(" %d, %d | %d |", s.States, s.Edges, elapsed.Milliseconds())
			}
			fmt.Println()
		}
	}
	return nil
}
