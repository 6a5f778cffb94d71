package equivalence

import (
	"context"
	"errors"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/conform"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
)

func TestMismatch(t *testing.T) {
	var mismatch *conform.Mismatch
	if _, err := answer(t.Context(), lks.Single(processOf(t, "0 a 1")), gen.Ring(3), Options{}); !errors.As(err, &mismatch) {
		t.Error(err)
	}
}

func TestLimits(t *testing.T) {
	net := gen.Philosophers(8, false)
	for q := range relations.List() {
		cancelled, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := answer(cancelled, net, net, Options{Relation: Relation(q)}); err != budget.ErrInterrupted {
			t.Errorf("%s, cancelled: %v", relations.List()[q], err)
		}
	}
}

// TestDeep: nothing recurses over states, and a formula that would be as deep as the
// processes is not made.
func TestDeep(t *testing.T) {
	n := soak.Size(int32(50_000))
	if testing.Short() {
		defer func(old int) { maxRounds = old }(maxRounds)
		maxRounds = 200 // of as many states as there are
	}
	chain := func(last string) *lks.Network {
		b := lks.NewBuilder("CHAIN")
		for _, a := range []string{"a", "b", "c"} {
			b.Action(a)
		}
		for range n + 1 {
			b.State()
		}
		for s := range int32(n) {
			action := "a"
			if s == n-1 {
				action = last
			}
			b.Transition(s, action, s+1)
		}
		m, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return lks.Single(m)
	}
	got, err := answer(t.Context(), chain("b"), chain("c"), Options{})
	if err != nil || got.Equivalent() || got.Formula != nil {
		t.Errorf("%v, %v: a formula of depth %d is too large", got.Equivalent(), err, n)
	}
}

// TestDeterminism: the same question gets the same formula.
func TestDeterminism(t *testing.T) {
	for seed := range soak.Cases(uint64(200)) {
		answers := map[string]bool{}
		for range 3 {
			a, b := gen.Pair(gen.Rand(seed), gen.PairShapes[seed%uint64(len(gen.PairShapes))], true)
			text := ""
			for q := range relations.List()[:4] {
				x, err := answer(t.Context(), lks.Single(a), lks.Single(b), Options{Relation: Relation(q)})
				if err != nil {
					t.Fatal(err)
				}
				if x.Formula != nil {
					text += x.Formula.String()
				}
			}
			answers[text] = true
		}
		if len(answers) > 1 {
			t.Fatalf("seed %d: %d different answers", seed, len(answers))
		}
	}
}

// answer is Check, whose unknown verdicts are errors here.
func answer(ctx context.Context, a, b *lks.Network, opts Options) (*Result, error) {
	r, err := Check(ctx, a, b, opts)
	if err == nil {
		err = r.Reason
	}
	return r, err
}
