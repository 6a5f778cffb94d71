package lks_test

import (
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
)

func compose(t *testing.T, parts ...*lks.Network) *lks.Network {
	t.Helper()
	n, err := lks.Compose("N", parts...)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// alike reports whether two networks are built as strongly bisimilar LKSs with
// equal counts.
func alike(t *testing.T, p, q *lks.Network) bool {
	t.Helper()
	var processes []*naive.Process
	for _, n := range []*lks.Network{p, q} {
		m, err := n.Build(nil)
		if err != nil {
			t.Fatal(err)
		}
		processes = append(processes, naive.FromLKS(m))
	}
	return counts(processes[0]) == counts(processes[1]) && naive.Equivalent(naive.Strong, processes[0], processes[1])
}

func TestLaws(t *testing.T) {
	none := func(string) bool { return false }
	for seed := range soak.Cases(uint64(600)) {
		r := gen.Rand(seed)
		shape := gen.Small
		shape.States = 3
		p := lks.Single(gen.LKS(r, "P", shape))
		q := lks.Single(gen.LKS(r, "Q", shape))
		s := lks.Single(gen.LKS(r, "S", shape))
		laws := []struct {
			name        string
			left, right *lks.Network
		}{
			{"P || Q = Q || P", compose(t, p, q), compose(t, q, p)},
			{"(P || Q) || S = P || (Q || S)", compose(t, compose(t, p, q), s), compose(t, p, compose(t, q, s))},
			{"P \\ {} = P", p.Hide(none), p},
			{"x:(P || Q) = x:P || x:Q", compose(t, p, q).Prefix("x"), compose(t, p.Prefix("x"), q.Prefix("x"))},
			{"P >> {} = P", compose(t, p, q).Yield(none), compose(t, p, q)},
			{"P >> everything = P", compose(t, p, q).Yield(func(string) bool { return true }), compose(t, p, q)},
		}
		for _, law := range laws {
			if !alike(t, law.left, law.right) {
				t.Errorf("seed %d: %s does not hold", seed, law.name)
			}
		}
		built, err := compose(t, p, q).Build(nil)
		if err != nil {
			t.Fatal(err)
		}
		if !alike(t, lks.Single(built), compose(t, p, q)) {
			t.Errorf("seed %d: building changes the composition", seed)
		}
	}
}

// TestStats compares the figures with the slow twin's.
func TestStats(t *testing.T) {
	for seed := range soak.Cases(uint64(800)) {
		whole := randomLKS(seed)
		m := whole.Reachable()
		states, transitions, errors, ends, deadlocks := naive.FromLKS(m).Count()
		s := m.Stats()
		if of := whole.Stats(); of.Reachable != states-errors {
			t.Fatalf("seed %d: %+v, want %d reachable states", seed, of, states-errors)
		}
		states -= errors // ERROR is no state, in any of the figures
		if s.States != states || s.Transitions != transitions || s.Errors != errors || s.Ends != ends || s.Deadlocks != deadlocks || s.Reachable != states {
			t.Fatalf("seed %d: %+v, want %d %d %d %d %d", seed, s, states, transitions, errors, ends, deadlocks)
		}
		in, out, silent := 0, 0, 0
		for u := range int32(m.NumStates()) {
			if m.Kind(u) == lks.Error {
				continue
			}
			k := 0
			for _, e := range allEdges(m) {
				if e.Target == u {
					k++
				}
			}
			in = max(in, k)
			out = max(out, len(m.Edges(u)))
			silent += len(m.Succ(u, lks.TauID))
		}
		if s.MaxIn != in || s.MaxOut != out || s.Silent != silent {
			t.Fatalf("seed %d: degrees %d, %d, silent %d, want %d, %d, %d", seed, s.MaxIn, s.MaxOut, s.Silent, in, out, silent)
		}
		if n, largest, terminal := mutuallyReachable(m); s.Components != n || s.LargestComponent != largest || s.Terminal != terminal {
			t.Fatalf("seed %d: %+v, want %d components, the largest of %d, %d terminal", seed, s, n, largest, terminal)
		}
		d, err := lks.Determinise(m, lks.UntilError, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Props()) == 0 && !d.Stats().Deterministic {
			t.Fatalf("seed %d: the determinised LKS is not deterministic", seed)
		}
	}
}

// mutuallyReachable counts the classes of states that reach each other, ERROR apart,
// and those that no transition leaves, by the transitive closure.
func mutuallyReachable(m *lks.LKS) (n, largest, terminal int) {
	reaches := make([][]bool, m.NumStates())
	for s := range reaches {
		reaches[s] = make([]bool, m.NumStates())
		reaches[s][s] = true
		for _, e := range m.Edges(int32(s)) {
			reaches[s][e.Target] = true
		}
	}
	for k := range reaches {
		for i := range reaches {
			for j := range reaches {
				reaches[i][j] = reaches[i][j] || reaches[i][k] && reaches[k][j]
			}
		}
	}
	for s := range reaches {
		if m.Kind(int32(s)) == lks.Error {
			continue
		}
		size, first, closed := 0, true, true
		for u := range reaches {
			switch {
			case reaches[s][u] && reaches[u][s]:
				size++
				first = first && s <= u
			case reaches[s][u]:
				closed = false
			}
		}
		if first {
			n++
			largest = max(largest, size)
			if closed {
				terminal++
			}
		}
	}
	return n, largest, terminal
}
