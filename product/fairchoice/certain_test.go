package fairchoice_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/semantics"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/product/fairchoice"
	"github.com/seltl/seltl/product/internal/meet"
)

// TestFairChoiceEvidence: a for ever violates some of these formulas, but a random walk
// never takes it.
func TestFairChoiceEvidence(t *testing.T) {
	choice := func(b *lks.Builder) {
		p, q := b.State(), b.State()
		b.Transition(p, "a", p)
		b.Transition(p, "b", q)
		b.Transition(q, "c", p)
		b.Transition(q, "d", p)
	}
	// As choice, until e leads to where there is no c.
	leaves := func(b *lks.Builder) {
		p, q, end := b.State(), b.State(), b.State()
		b.Transition(p, "a", p)
		b.Transition(p, "b", q)
		b.Transition(q, "c", p)
		b.Transition(q, "e", end)
		b.Transition(end, "f", end)
		b.Transition(end, "a", end)
	}
	for _, c := range []struct {
		build        func(b *lks.Builder)
		f            string
		prefix, stem string // events; the stem's beginning
	}{
		{choice, "!d U c", "b d event", "b d"},
		{choice, "(G F a) & (!d U c)", "b d event", "b d"},
		{choice, "b", "a event", "a"},
		{choice, "G F c & G !d", "b d event", ""},
		{leaves, "G F c", "", "b e"},
		{leaves, "F c", "", "b e"},
		{leaves, "a U (b & X c)", "b e event", "b e"},
		{leaves, "F G !a", "", "b e"},
	} {
		net := network(t, c.build)
		r, err := fairchoice.Verify(context.Background(), net, formulaOf(t, net, c.f), product.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != product.Violated || !r.Certain {
			t.Fatalf("%s: %v, certain: %t", c.f, r.Verdict, r.Certain)
		}
		var stem string
		for _, s := range r.Lasso.Stem {
			stem += s.Event + " "
		}
		if got := prefixText(r.Prefix); got != c.prefix || len(stem) < len(c.stem) || stem[:len(c.stem)] != c.stem {
			t.Errorf("%s: prefix %q, want %q; stem of %v, want %q", c.f, got, c.prefix, r.Lasso, c.stem)
		}
	}
}

// TestFairChoiceEvidenceAgainstSemantics asks the direct reading of the definitions
// whether a random walk violates what the stem leaves of the formula with probability
// 1, and a search of all short runs for a shorter bad prefix.
func TestFairChoiceEvidenceAgainstSemantics(t *testing.T) {
	defer fairchoice.SetLostMost(0)
	stems, loops, prefixes := map[int]int{}, 0, 0
	for seed := range soak.Long(uint64(1200)) {
		r := rand.New(rand.NewPCG(seed, 79))
		make := randomProblem
		if seed%2 == 0 {
			make = randomEscapes
		}
		net, f := make(t, r)
		opts := product.Options{Finite: product.FiniteRuns(seed / 2 % 2)}
		fairchoice.SetLostMost(0)
		if seed%3 == 0 {
			fairchoice.SetLostMost(1) // the random walk looks for the stem
		}
		result, err := fairchoice.Verify(context.Background(), net, f, opts)
		if err != nil {
			t.Fatalf("seed %d: %v: %v", seed, f, err)
		}
		if result.Verdict != product.Violated {
			continue
		}
		if !result.Certain {
			t.Fatalf("seed %d: %v: no certain stem", seed, f)
		}
		stems[len(result.Lasso.Stem)]++
		if !certain(net, f, result.Lasso.Stem, &result.Lasso.Loop[0].State, opts.Finite) {
			t.Errorf("seed %d: %v: a walk may satisfy it after the stem of %v", seed, f, result.Lasso)
		}
		p := result.Prefix
		if p == nil {
			loops++
		} else if prefixes++; !p.Minimal || p.Why != product.BadEvent && !certain(net, f, p.Run.Stem, &p.Run.Last, opts.Finite) {
			t.Errorf("seed %d: %v: %q is not bad, or not minimal", seed, f, prefixText(p))
		}
		aboutProps := func(c buchi.Constraint) bool { return c.Atoms[0].Kind == ltl.Prop }
		if opts.Finite == product.IgnoreRuns || f.Is(ltl.Eventual) || slices.ContainsFunc(meet.Constraints(net, ltl.Atoms(f)), aboutProps) {
			continue
		}
		// Whether an end is bad is decided for safety properties only.
		least, length := naive.ShortestBadPrefix(net, f, true, 4), -1
		most := naive.ShortestBadPrefix(net, f, false, 4)
		if p != nil {
			length = p.Run.Len()
		}
		if length <= 4 && (most >= 0 && (length < 0 || length > most) || length >= 0 && (least < 0 || least > length)) {
			t.Errorf("seed %d: %v: bad prefix %q, the shortest has %d steps, or %d if ends count", seed, f, prefixText(p), most, least)
		}
	}
	t.Log(stems, loops, prefixes)
	if loops < soak.Long(50) || prefixes < soak.Long(50) || stems[0] < soak.Long(20) || stems[1]+stems[2] < soak.Long(50) {
		t.Errorf("too few: stems %v, %d without bad prefix, %d with", stems, loops, prefixes)
	}
}

// certain reports whether a random walk violates f with probability 1 after some steps
// that lead to a state.
func certain(net *lks.Network, f *ltl.Formula, steps []run.Step, last *run.State, finite product.FiniteRuns) bool {
	for i := range steps {
		f = ltl.Residual(f, meet.Letter(&steps[i]))
	}
	packed := make([]uint64, net.Words())
	net.Pack(last.Local, packed)
	return positions(net, packed, finite).SatisfiesByChoice(meaning(ltl.MakeNot(f)))
}

// positions are those of the runs of a network of one component from a state on. With
// IgnoreRuns, those after which a walk need not end.
func positions(net *lks.Network, start []uint64, finite product.FiniteRuns) *semantics.Positions {
	ps := &semantics.Positions{}
	leaving := map[uint64][]int{} // by state
	var target []uint64
	ex := net.Explorer()
	var visit func(state uint64)
	visit = func(state uint64) {
		if _, seen := leaving[state]; seen {
			return
		}
		var succ lks.Successors
		ex.Successors([]uint64{state}, &succ)
		local := make([]int32, 1)
		net.Unpack([]uint64{state}, local)
		p := semantics.Position{Props: net.AppendProps(nil, local, net.Kind([]uint64{state})), Dead: succ.Len() == 0}
		leaving[state] = []int{}
		add := func(event string, to uint64) {
			p.Event = event
			leaving[state] = append(leaving[state], len(ps.At))
			ps.At, target = append(ps.At, p), append(target, to)
		}
		for i, rule := range succ.Rules {
			add(net.Alphabet()[net.Rules()[rule].Action], succ.States[i])
		}
		if p.Dead && finite == product.StutterRuns {
			add("", state)
		}
		for _, to := range slices.Clone(succ.States) {
			visit(to)
		}
	}
	visit(start[0])
	var reach func(state uint64, seen map[uint64]bool) map[uint64]bool
	reach = func(state uint64, seen map[uint64]bool) map[uint64]bool {
		if !seen[state] {
			seen[state] = true
			for _, n := range leaving[state] {
				reach(target[n], seen)
			}
		}
		return seen
	}
	endless := func(state uint64) bool { // no end can be reached
		for s := range reach(state, map[uint64]bool{}) {
			if len(leaving[s]) == 0 {
				return false
			}
		}
		return true
	}
	counting := func(state uint64) (nodes []int) {
		for _, n := range leaving[state] {
			for s := range reach(target[n], map[uint64]bool{}) {
				if endless(s) {
					nodes = append(nodes, n)
					break
				}
			}
		}
		return nodes
	}
	ps.Init = counting(start[0])
	for _, to := range target {
		ps.Next = append(ps.Next, counting(to))
	}
	return ps
}

// meaning is the formula for package semantics.
func meaning(f *ltl.Formula) *semantics.Formula {
	ops := map[ltl.Op]string{
		ltl.True: "true", ltl.False: "false", ltl.Not: "!", ltl.And: "&", ltl.Or: "|", ltl.Implies: "->", ltl.Iff: "<->", ltl.Xor: "xor",
		ltl.Next: "X", ltl.Eventually: "F", ltl.Always: "G", ltl.Until: "U", ltl.WeakUntil: "W", ltl.Release: "R", ltl.StrongRelease: "M",
	}
	if f.Op() == ltl.Atomic {
		kind := "prop"
		if f.Atom().Kind == ltl.Event {
			kind = "event"
		}
		return &semantics.Formula{Op: kind, Names: []string{f.Atom().Name}}
	}
	m := &semantics.Formula{Op: ops[f.Op()]}
	for _, g := range f.Args() {
		m.Args = append(m.Args, meaning(g))
	}
	if n := len(m.Args); n > 2 {
		all := m.Args[0]
		for _, g := range m.Args[1:] {
			all = &semantics.Formula{Op: m.Op, Args: []*semantics.Formula{all, g}}
		}
		return all
	}
	return m
}
