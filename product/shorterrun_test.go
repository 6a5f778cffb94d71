package product_test

import (
	"context"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
)

func TestShortestRunBeyondTheAutomaton(t *testing.T) {
	// b for ever is one step; an automaton may read the first b apart.
	net := network(t, func(b *lks.Builder) {
		s := b.State()
		b.Prop("r")
		b.Transition(s, "a", s)
		b.Transition(s, "b", s)
	})
	for _, f := range []string{"G(b -> F r)", "F !b | F r", "!(b & X b)"} {
		r, err := product.Verify(context.Background(), net, formulaOf(t, net, f), product.Options{Shortest: true})
		if err != nil {
			t.Fatal(err)
		}
		if r.Lasso == nil || r.Lasso.String() != "(b)*" || !r.ShortestRun {
			t.Errorf("%s: %v, shortest: %t", f, r.Lasso, r.ShortestRun)
		}
	}
}

// TestShortestRun compares with all lassos of a small structure, tried by length.
func TestShortestRun(t *testing.T) {
	shape := gen.Shape{States: 4, Actions: []string{"a", "b", "c"}, Degree: 1.3, Tau: 0.1, Props: 0.9, Special: 0.1}
	count := 0
	for seed := uint64(0); count < soak.Cases(400); seed++ {
		p := gen.NewProblem(gen.Rand(seed), 2, 8, shape)
		var parts []*lks.Network
		for _, m := range p.Components {
			parts = append(parts, lks.Single(m))
		}
		net, err := lks.Compose("test", parts...)
		if err != nil {
			continue
		}
		finite := []product.FiniteRuns{product.StutterRuns, product.IgnoreRuns}[seed%2]
		opts := product.Options{Shortest: true, Finite: finite}
		if seed%3 == 0 {
			opts.Reduce = product.ReduceComponents
		}
		r, err := product.Verify(context.Background(), net, p.Formula, opts)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if !r.ShortestRun || r.Lasso.Len() > 6 {
			continue
		}
		count++
		for length := 1; length < r.Lasso.Len(); length++ {
			if violatesWithin(net, p.Formula, length, finite == product.StutterRuns) {
				t.Fatalf("seed %d: %v: %v has %d steps, there is one of %d", seed, p.Formula, r.Lasso, r.Lasso.Len(), length)
			}
		}
	}
}

// violatesWithin tries all lassos with so many steps.
func violatesWithin(net *lks.Network, f *ltl.Formula, length int, stutter bool) bool {
	ex := net.Explorer()
	type step struct {
		state []uint64
		event string
		dead  bool
	}
	letter := func(s step) ltl.Letter {
		local := make([]int32, len(net.Components()))
		net.Unpack(s.state, local)
		return func(a ltl.Atom) bool {
			switch a.Kind {
			case ltl.Prop:
				c, p, _ := net.Prop(a.Name)
				return net.Kind(s.state) != lks.Error && net.Components()[c].HasProp(local[c], p)
			case ltl.Event:
				return s.event == a.Name
			case ltl.Enabled:
				var succ lks.Successors
				ex.Successors(s.state, &succ)
				return slices.ContainsFunc(succ.Rules, func(r int32) bool { return net.Alphabet()[net.Rules()[r].Action] == a.Name })
			}
			return s.dead
		}
	}
	var try func(walk []step, at []uint64) bool
	try = func(walk []step, at []uint64) bool {
		if len(walk) == length {
			var word []ltl.Letter
			for _, s := range walk {
				word = append(word, letter(s))
			}
			for i, s := range walk {
				if slices.Equal(s.state, at) && !ltl.Eval(f, ltl.Word{Stem: word[:i], Loop: word[i:]}) {
					return true
				}
			}
			return false
		}
		var succ lks.Successors
		ex.Successors(at, &succ)
		if succ.Len() == 0 {
			return stutter && try(append(walk, step{at, "", true}), at)
		}
		for i, rule := range succ.Rules {
			w := net.Words()
			to := succ.States[i*w : (i+1)*w]
			if try(append(walk[:len(walk):len(walk)], step{at, net.Alphabet()[net.Rules()[rule].Action], false}), to) {
				return true
			}
		}
		return false
	}
	var initial lks.Successors
	ex.Initial(&initial)
	for i := range initial.Len() {
		w := net.Words()
		if try(nil, initial.States[i*w:(i+1)*w]) {
			return true
		}
	}
	return false
}
