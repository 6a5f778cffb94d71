package bdd

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
)

// table is a Boolean function of 6 variables as a truth table: the slow twin.
type table uint64

const testVars = 6

var testColumns = [testVars]table{
	0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
	0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000,
}

func (m *Manager) truthTable(f Node) table {
	var t table
	for i := range 64 {
		if m.Sat(f, func(v int) bool { return testColumns[v]>>i&1 != 0 }) {
			t |= 1 << i
		}
	}
	return t
}

// randomPair grows a function and its truth table side by side.
func randomPair(m *Manager, r *rand.Rand, depth int) (Node, table) {
	if depth == 0 || r.IntN(8) == 0 {
		v := r.IntN(testVars)
		if r.IntN(2) == 0 {
			return m.Var(v), testColumns[v]
		}
		return m.NotVar(v), ^testColumns[v]
	}
	f, tf := randomPair(m, r, depth-1)
	g, tg := randomPair(m, r, depth-1)
	switch r.IntN(6) {
	case 0:
		return m.And(f, g), tf & tg
	case 1:
		return m.Or(f, g), tf | tg
	case 2:
		return m.Or(m.Diff(f, g), m.Diff(g, f)), tf ^ tg
	case 3:
		return m.Diff(f, g), tf &^ tg
	case 4:
		return m.Not(f), ^tf
	}
	h, th := randomPair(m, r, depth-1)
	return m.ITE(f, g, h), tf&tg | ^tf&th
}

func TestOperationsAgainstTruthTables(t *testing.T) {
	for seed := range soak.Cases(uint64(2000)) {
		r := rand.New(rand.NewPCG(seed, 1))
		m := New()
		f, tf := randomPair(m, r, 4)
		g, tg := randomPair(m, r, 4)
		if m.truthTable(f) != tf || m.truthTable(g) != tg {
			t.Fatalf("seed %d: wrong function", seed)
		}
		if (f == g) != (tf == tg) {
			t.Fatalf("seed %d: not canonical", seed)
		}
		if m.Implies(f, g) != (tf&^tg == 0) || m.Disjoint(f, g) != (tf&tg == 0) {
			t.Fatalf("seed %d: Implies or Disjoint", seed)
		}
		checkSupport(t, seed, m, f, tf)
		checkISOP(t, seed, m, m.And(f, g), m.Or(f, g), tf&tg, tf|tg)
		checkCopy(t, seed, m, f, tf)
	}
}

func checkSupport(t *testing.T, seed uint64, m *Manager, f Node, tf table) {
	t.Helper()
	support := m.Support(f)
	for v := range testVars {
		low, high := tf&^testColumns[v], tf&testColumns[v]>>(1<<v)
		if slices.Contains(support, v) != (low != high) {
			t.Fatalf("seed %d: Support %v and variable %d", seed, support, v)
		}
	}
	n := 0
	for i := range 64 {
		n += int(tf >> i & 1)
	}
	if m.Count(f, testVars).Int64() != int64(n) {
		t.Fatalf("seed %d: Count", seed)
	}
}

func checkISOP(t *testing.T, seed uint64, m *Manager, lower, upper Node, tl, tu table) {
	t.Helper()
	cubes := m.ISOP(lower, upper)
	cover := func(skip int) table {
		var c table
		for i, cube := range cubes {
			if i != skip {
				c |= m.truthTable(m.CubeNode(cube))
			}
		}
		return c
	}
	if c := cover(-1); tl&^c != 0 || c&^tu != 0 {
		t.Fatalf("seed %d: ISOP leaves its bounds", seed)
	}
	for i, cube := range cubes {
		if tl&^cover(i) == 0 {
			t.Fatalf("seed %d: cube %d of ISOP is redundant", seed, i)
		}
		if !slices.IsSorted(cube) {
			t.Fatalf("seed %d: cube not sorted", seed)
		}
	}
}

func checkCopy(t *testing.T, seed uint64, m *Manager, f Node, tf table) {
	t.Helper()
	dst := New()
	reverse := []int{5, 4, 3, 2, 1, 0}
	back := New()
	g := dst.Copy(back, m.Copy(dst, f, reverse, map[Node]Node{}), reverse, map[Node]Node{})
	if back.truthTable(g) != tf {
		t.Fatalf("seed %d: Copy", seed)
	}
}

func TestLimits(t *testing.T) {
	m := New()
	m.SetLimit(100, nil)
	err := Guard(func() error { build(m, 12, 50); return nil })
	if err == nil {
		t.Error("no error at the node limit")
	}
	stop := errors.New("stop")
	m = New()
	m.SetLimit(0, func(int) error { return stop })
	err = Guard(func() error { build(m, 20, 3000); return nil })
	if !errors.Is(err, stop) {
		t.Errorf("check's error: got %v", err)
	}
}

func build(m *Manager, vars, functions int) {
	r := rand.New(rand.NewPCG(7, 7))
	f := True
	for range functions {
		g := m.And(m.Var(r.IntN(vars)), m.Or(m.Var(r.IntN(vars)), m.NotVar(r.IntN(vars))))
		f = m.ITE(f, m.Not(g), g)
	}
}
