package silent

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
)

// silentWord is a lasso of letters: a label over p and q, and an event or none.
type silentWord struct{ stem, loop []silentLetter }

type silentLetter struct {
	label int    // bits p and q
	event string // "a", "b" or ""
	dead  bool   // in the loop only, which is that letter
}

func (l silentLetter) holds(a ltl.Atom) bool {
	switch {
	case a.Kind == ltl.Deadlock:
		return l.dead
	case a.Name == "m.p":
		return l.label&1 != 0
	case a.Name == "m.q":
		return l.label&2 != 0
	}
	return a.Name == l.event
}

func (w silentWord) word() ltl.Word {
	letters := func(ls []silentLetter) []ltl.Letter {
		var out []ltl.Letter
		for _, l := range ls {
			out = append(out, l.holds)
		}
		return out
	}
	return ltl.Word{Stem: letters(w.stem), Loop: letters(w.loop)}
}

func randomSilentWord(r *rand.Rand) silentWord {
	letters := func(n int) []silentLetter {
		var ls []silentLetter
		label := r.IntN(4)
		for range n {
			if r.IntN(2) == 0 {
				label = r.IntN(4)
			}
			ls = append(ls, silentLetter{label: label, event: []string{"", "", "a", "b"}[r.IntN(4)]})
		}
		return ls
	}
	w := silentWord{letters(r.IntN(4)), letters(1 + r.IntN(3))}
	if r.IntN(3) == 0 {
		w.loop = []silentLetter{{label: r.IntN(4), dead: true}}
	}
	return w
}

// stretch inserts letters without event before others, with their labels: if the run
// stops, before it has stopped.
func (w silentWord) stretch(r *rand.Rand) silentWord {
	insert := func(ls []silentLetter) []silentLetter {
		var out []silentLetter
		for _, l := range ls {
			if r.IntN(3) == 0 {
				for range 1 + r.IntN(2) {
					out = append(out, silentLetter{label: l.label})
				}
			}
			out = append(out, l)
		}
		return out
	}
	if w.loop[0].dead {
		stem := insert(append(slices.Clone(w.stem), silentLetter{label: w.loop[0].label}))
		return silentWord{stem[:len(stem)-1], w.loop}
	}
	if r.IntN(2) == 0 { // unroll, so that rounds may differ
		w.stem = slices.Concat(w.stem, w.loop)
	}
	if r.IntN(3) == 0 {
		w.loop = slices.Concat(w.loop, w.loop)
	}
	return silentWord{insert(w.stem), insert(w.loop)}
}

// silentModel has a component with all labels over p and q, and events a and b.
func silentModel(t *testing.T) *lks.Network {
	b := lks.NewBuilder("m")
	for s := range int32(4) {
		var label []int32
		for i, p := range []string{"m.p", "m.q"} {
			if id := b.Prop(p); s>>i&1 != 0 {
				label = append(label, id)
			}
		}
		b.StateID(lks.Normal, label)
	}
	for s := range int32(4) {
		b.Transition(s, "a", (s+1)%4)
		b.Transition(s, "b", s)
		b.Transition(s, lks.TauName, (s+2)%4)
	}
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return lks.Single(m)
}

// TestSilentInvariant evaluates formulas on words and their stretchings. Of
// formulas said to be invariant, by rules or by automata, none may tell them apart;
// of the others most must be caught.
func TestSilentInvariant(t *testing.T) {
	net := silentModel(t)
	atoms := []ltl.Atom{{Kind: ltl.Prop, Name: "m.p"}, {Kind: ltl.Prop, Name: "m.q"}, {Kind: ltl.Event, Name: "a"}, {Kind: ltl.Event, Name: "b"}, {Kind: ltl.Deadlock}}
	count := map[string]int{}
	for seed := range soak.Long(uint64(625)) {
		r := gen.Rand(seed + 77)
		f := gen.Formula(r, gen.FormulaOptions{Size: 1 + r.IntN(7), Atoms: atoms})
		byRules := silentOf(f, 0, map[*ltl.Formula]silentClass{})&invariant == invariant
		why, err := silentByAutomata(net, f, nil)
		if err != nil {
			t.Fatal(err)
		}
		if why == tooLargeToKnow {
			count["unknown"]++
			continue
		}
		if byRules && why != "" {
			t.Fatalf("seed %d: %v: invariant by the rules, but %s", seed, f, why)
		}
		differs := false
		for range 120 {
			w := randomSilentWord(r)
			v := w.stretch(r)
			if ltl.Eval(f, w.word()) != ltl.Eval(f, v.word()) {
				differs = true
				if why == "" {
					t.Fatalf("seed %d: %v is said to be invariant, but tells %v from %v", seed, f, w, v)
				}
			}
		}
		switch {
		case byRules:
			count["by rules"]++
		case why == "":
			count["by automata"]++
		case differs:
			count["caught"]++
		default:
			count["not caught"]++
		}
	}
	t.Log(count)
	if count["by rules"] < soak.Long(50) || count["by automata"] < soak.Long(5) || count["not caught"]*6 > count["caught"] || count["unknown"] > soak.Long(13) {
		t.Errorf("%v", count)
	}
}

// TestSilentParts: what Invariant says of combinations of formulas, some of which are too large
// as a whole, is never refuted by stretching words, and never less than the automata say.
func TestSilentParts(t *testing.T) {
	net := silentModel(t)
	atoms := []ltl.Atom{{Kind: ltl.Prop, Name: "m.p"}, {Kind: ltl.Prop, Name: "m.q"}, {Kind: ltl.Event, Name: "a"}, {Kind: ltl.Event, Name: "b"}, {Kind: ltl.Deadlock}}
	p, q := ltl.AtomOf(atoms[0]), ltl.AtomOf(atoms[1])
	rise := func(p, q *ltl.Formula) *ltl.Formula {
		return ltl.MakeImplies(ltl.MakeAnd(ltl.MakeNot(p), ltl.MakeNext(p)), q)
	}
	count := map[string]int{}
	for seed := range soak.Long(uint64(300)) {
		r := gen.Rand(seed)
		var fs []*ltl.Formula
		for range 2 + r.IntN(5) {
			g := []*ltl.Formula{rise(p, q), rise(q, ltl.MakeNot(p)), gen.Formula(r, gen.FormulaOptions{Size: 1 + r.IntN(5), Atoms: atoms})}[r.IntN(3)]
			fs = append(fs, g)
		}
		f := ltl.MakeAnd(fs...)
		switch r.IntN(4) {
		case 0:
			f = ltl.MakeAlways(f)
		case 1:
			f = ltl.MakeEventually(ltl.MakeOr(fs...))
		case 2:
			f = ltl.MakeIff(ltl.MakeAlways(f), fs[0])
		}
		why, err := Invariant(net, f, true, nil)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := silentByAutomata(net, f, nil)
		if err != nil {
			t.Fatal(err)
		}
		if whole == "" && why != "" {
			t.Fatalf("seed %d: %v is invariant, but %s", seed, f, why)
		}
		if why != "" {
			count["not"]++
			continue
		}
		count["invariant"]++
		if whole != "" {
			count["by parts alone"]++
		}
		for range 120 {
			w := randomSilentWord(r)
			if v := w.stretch(r); ltl.Eval(f, w.word()) != ltl.Eval(f, v.word()) {
				t.Fatalf("seed %d: %v is said to be invariant, but tells %v from %v", seed, f, w, v)
			}
		}
	}
	t.Log(count)
	if count["by parts alone"] < soak.Least(5) || count["not"] < soak.Least(25) {
		t.Errorf("%v", count)
	}
}

// TestSilentRules has formulas whose invariance must be seen by the rules, and
// some that are not invariant although they have no X.
func TestSilentRules(t *testing.T) {
	p, q := ltl.AtomOf(ltl.Atom{Kind: ltl.Prop, Name: "m.p"}), ltl.AtomOf(ltl.Atom{Kind: ltl.Prop, Name: "m.q"})
	dead := ltl.AtomOf(ltl.Atom{Kind: ltl.Deadlock})
	a, b := ltl.AtomOf(ltl.Atom{Kind: ltl.Event, Name: "a"}), ltl.AtomOf(ltl.Atom{Kind: ltl.Event, Name: "b"})
	response := ltl.MakeAlways(ltl.MakeImplies(a, ltl.MakeNext(ltl.MakeWeakUntil(ltl.MakeNot(a), b))))
	for f, want := range map[*ltl.Formula]bool{
		ltl.MakeUntil(p, q): true,
		ltl.MakeAlways(ltl.MakeImplies(a, ltl.MakeEventually(b))): true,
		ltl.MakeAlways(ltl.MakeImplies(a, ltl.MakeEventually(q))): true,
		ltl.MakeAlways(ltl.MakeImplies(p, ltl.MakeEventually(a))): true,
		response:                              true,
		ltl.MakeAlways(ltl.MakeImplies(a, p)): true,
		ltl.MakeUntil(ltl.MakeNot(a), b):      true,
		ltl.MakeAlways(ltl.MakeImplies(p, ltl.MakeUntil(ltl.MakeNot(a), q))):        true,
		ltl.MakeEventually(ltl.MakeAlways(ltl.MakeNot(a))):                          true,
		ltl.MakeAlways(ltl.MakeEventually(ltl.MakeAnd(a, p))):                       true,
		ltl.MakeAlways(ltl.MakeNot(dead)):                                           true,
		ltl.MakeAlways(ltl.MakeImplies(p, ltl.MakeEventually(ltl.MakeOr(q, dead)))): true,
		ltl.MakeAlways(ltl.MakeImplies(dead, p)):                                    true,
		ltl.MakeUntil(ltl.MakeNot(b), dead):                                         true,
		dead:                                                                        false,
		ltl.MakeUntil(p, dead):                                                      false,
		ltl.MakeEventually(ltl.MakeAnd(p, ltl.MakeNot(dead))):                       false,
		ltl.MakeEventually(ltl.MakeNext(ltl.MakeNot(dead))):                         false,
		a:                   false,
		ltl.MakeUntil(p, a): false,
		ltl.MakeEventually(ltl.MakeAnd(p, ltl.MakeNot(a))): false,
		ltl.MakeNext(p):   false,
		ltl.MakeAlways(a): false,
	} {
		if got := silentOf(f, 0, map[*ltl.Formula]silentClass{})&invariant == invariant; got != want {
			t.Errorf("%v: invariant by the rules: %t", f, got)
		}
	}
}
