package lks_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
)

var twins = []struct {
	fast lks.Equivalence
	slow naive.Equivalence
}{
	{lks.Strong, naive.Strong},
	{lks.Weak, naive.Weak},
	{lks.Branching, naive.Branching},
	{lks.DivergenceBranching, naive.DivergenceBranching},
	{lks.WeakDeadlock, naive.WeakDeadlock},
}

// randomLKS varies size, density and silence.
func randomLKS(seed uint64) *lks.LKS {
	r := gen.Rand(seed)
	shape := gen.Shape{
		States: 3 + int(seed%10), Actions: []string{"a", "b"}, Degree: 0.7 + r.Float64()*1.6,
		Tau: float64(seed%4) / 4, Props: 0.3, Special: 0.3, ManyInitial: 0.3,
	}
	return gen.LKS(r, "m", shape)
}

// TestMinimise compares classes with the greatest fixpoint, and quotients with
// what they came from.
func TestMinimise(t *testing.T) {
	cases := soak.Long(uint64(1250))
	merged := map[lks.Equivalence]int{}
	for seed := range cases {
		m := randomLKS(seed)
		slow := naive.FromLKS(m)
		for _, q := range twins {
			class, err := lks.Classes(m, q.fast, nil)
			if err != nil {
				t.Fatal(err)
			}
			want := slow.Partition(q.slow)
			for s := range class {
				for u := range s {
					same := want[fmt.Sprint(s)] == want[fmt.Sprint(u)]
					if same != (class[s] == class[u]) {
						t.Fatalf("seed %d, %v: states %d and %d: related %v, classes %d and %d", seed, q.fast, s, u, same, class[s], class[u])
					}
				}
			}
			small, err := lks.Minimise(m, q.fast, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !naive.Equivalent(q.slow, slow, naive.FromLKS(small)) {
				t.Fatalf("seed %d: the quotient under %v is not equivalent", seed, q.fast)
			}
			again, err := lks.Minimise(small, q.fast, nil)
			if err != nil {
				t.Fatal(err)
			}
			if again.NumStates() != small.NumStates() {
				t.Fatalf("seed %d, %v: minimising twice: %d, then %d states", seed, q.fast, small.NumStates(), again.NumStates())
			}
			if want, got := ends(m.Reachable()), ends(small); got != want {
				t.Fatalf("seed %d, %v: deadlocks, ENDs and ERRORs %v, before %v", seed, q.fast, got, want)
			}
			if small.NumStates() < m.Reachable().NumStates() {
				merged[q.fast]++
			}
		}
	}
	for _, q := range twins {
		if merged[q.fast] < int(cases)/20 {
			t.Errorf("%v merged states in only %d of %d cases", q.fast, merged[q.fast], cases)
		}
	}
}

// ends says whether there are deadlocks, End and Error states: every reduction keeps
// that, though under some a deadlock may stand for a livelock too.
func ends(m *lks.LKS) [3]bool {
	st := m.Stats()
	return [3]bool{st.Deadlocks > 0, st.Ends > 0, st.Errors > 0}
}

// TestCongruence: replacing components by equivalent ones gives an equivalent
// composition. That does not hold for WeakDeadlock, which is blind to divergence but
// tells deadlocks: a partner can stop all but the divergence.
func TestCongruence(t *testing.T) {
	for seed := range soak.Long(uint64(400)) {
		r := gen.Rand(seed)
		shape := gen.Small
		shape.Special = 0 // a component in error stops the whole
		p, q := gen.LKS(r, "P", shape), gen.LKS(r, "Q", shape)
		for _, twin := range twins {
			if twin.fast == lks.WeakDeadlock {
				continue
			}
			smallP, err := lks.Minimise(p, twin.fast, nil)
			if err != nil {
				t.Fatal(err)
			}
			smallQ, err := lks.Minimise(q, twin.fast, nil)
			if err != nil {
				t.Fatal(err)
			}
			one := naive.Parallel(naive.FromLKS(p), naive.FromLKS(q))
			other := naive.Parallel(naive.FromLKS(smallP), naive.FromLKS(smallQ))
			if !naive.Equivalent(twin.slow, one, other) {
				t.Fatalf("seed %d: %v is not kept by composition", seed, twin.fast)
			}
		}
	}
}

func TestQuotientRefusesMixedClasses(t *testing.T) {
	b := lks.NewBuilder("M")
	b.State("p")
	b.State()
	b.StateID(lks.Error, nil)
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		class []int32
		want  string
	}{
		{[]int32{0, 0, 1}, "different labels"},
		{[]int32{0, 1, 1}, "different kinds"},
		{[]int32{0, 2, 3}, "class 1 has no states"},
		{[]int32{0, 1}, "2 class numbers for 3 states"},
		{[]int32{0, 1, -1}, "class number -1"},
	} {
		_, err := lks.Quotient(m, test.class)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("classes %v: error %v, want %q", test.class, err, test.want)
		}
	}
}

// BenchmarkMinimise minimises a built composition with some actions hidden.
func BenchmarkMinimise(b *testing.B) {
	hidden := gen.Philosophers(7, false).Hide(func(a string) bool { return !strings.HasPrefix(a, "eat") })
	m, err := hidden.Build(nil)
	if err != nil {
		b.Fatal(err)
	}
	for _, q := range twins {
		b.Run(strings.ReplaceAll(q.fast.String(), " ", "-"), func(b *testing.B) {
			var small *lks.LKS
			for b.Loop() {
				if small, err = lks.Minimise(m, q.fast, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(m.NumStates()), "states")
			b.ReportMetric(float64(m.NumTransitions()), "transitions")
			b.ReportMetric(float64(small.NumStates()), "classes")
		})
	}
}

// TestMinimiseStops: the meter is asked in every phase of a long minimisation, and what it
// says ends that.
func TestMinimiseStops(t *testing.T) {
	n := int32(700)
	switch {
	case testing.Short():
		n = 300
	case soak.On():
		n = 1000
	}
	b := lks.NewBuilder("CHAIN")
	for s := range b.State() + n {
		b.Transition(s, lks.TauName, b.State())
		b.Transition(s, fmt.Sprint("a", s%7), s)
	}
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	want, err := lks.Minimise(m, lks.Weak, budget.Watch(func(budget.Progress) error { asked++; return nil }))
	if err != nil {
		t.Fatal(err)
	}
	if plain, err := lks.Minimise(m, lks.Weak, nil); err != nil || plain.NumStates() != want.NumStates() {
		t.Errorf("%d states, %v, want %d", plain.NumStates(), err, want.NumStates())
	}
	if asked < int(n*n/5000) { // about n*n silent paths are closed, saturated, and refined
		t.Errorf("the meter was asked %d times", asked)
	}
	stop := errors.New("enough")
	for at := 1; at <= asked; at += 1 + asked/soak.Size(10) {
		left := at
		_, err := lks.Minimise(m, lks.Weak, budget.Watch(func(budget.Progress) error {
			if left--; left == 0 {
				return stop
			}
			return nil
		}))
		if err != stop || left != 0 {
			t.Errorf("stopped at question %d: %v, %d questions before", at, err, left)
		}
	}
}
