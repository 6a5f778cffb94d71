package bdd

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
)

// TestScopeLeavesNothing: what is made in a scope is right, also where the tables grow, and
// behind it the manager is as it was: the same numbers for old functions, no trace of the new.
func TestScopeLeavesNothing(t *testing.T) {
	for seed := range soak.Cases(uint64(500)) {
		r := rand.New(rand.NewPCG(seed, 2))
		m := New()
		f, tf := randomPair(m, r, 4)
		for range 3 {
			before := m.Size()
			m.Scope(func() {
				for range r.IntN(12) {
					for v := range r.IntN(60) { // enough to make the tables grow
						m.And(m.Var(testVars+r.IntN(100)), m.NotVar(testVars+v))
					}
					g, tg := randomPair(m, r, 4)
					if m.truthTable(g) != tg || m.truthTable(m.And(f, g)) != tf&tg {
						t.Fatalf("seed %d: wrong function in a scope", seed)
					}
				}
			})
			if m.Size() != before {
				t.Fatalf("seed %d: %d nodes after a scope, %d before", seed, m.Size(), before)
			}
			g, tg := randomPair(m, r, 4)
			if m.truthTable(f) != tf || m.truthTable(g) != tg || m.truthTable(m.Diff(f, g)) != tf&^tg {
				t.Fatalf("seed %d: wrong function behind a scope", seed)
			}
			if (f == g) != (tf == tg) || m.Or(f, g) != m.Or(m.Diff(f, g), g) {
				t.Fatalf("seed %d: not canonical behind a scope", seed)
			}
		}
	}
}

// TestScopeEndsWithAnError: a limit ends a scope, too.
func TestScopeEndsWithAnError(t *testing.T) {
	m := New()
	f := m.And(m.Var(0), m.Var(1))
	m.SetLimit(m.Size()+3, nil)
	before := m.Size()
	err := Guard(func() error {
		m.Scope(func() {
			for v := range 10 {
				m.Var(v)
			}
		})
		return nil
	})
	var limit *NodeLimit
	if !errors.As(err, &limit) || m.Size() != before || m.And(m.Var(0), m.Var(1)) != f {
		t.Errorf("error %v, %d nodes, %d before", err, m.Size(), before)
	}
}
