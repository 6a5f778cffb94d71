package values

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/statetable"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// TestDescribe: the formula of some stored states holds in what one of them represents.
func TestDescribe(t *testing.T) {
	in, out := 0, 0
	for seed := range soak.Cases(uint64(1000)) {
		g := newTerms(rand.New(rand.NewPCG(seed, 68)), seed%4 == 0)
		var rows [][]uint64
		var enc encoder
		var w *world
		var states []logic.Model
		for range 1 + g.IntN(5) {
			if w = g.newWorld(); enc.precision == nil {
				enc.precision = w.precisions()
			}
			rows = append(rows, slices.Clone(enc.encode(&w.env, w.tracked(enc.precision))))
			states = append(states, w.state, g.newWorld().state)
		}
		vars := w.tracked(enc.precision)
		r := Reached{a: &Analysis{blocks: &program.Blocks{System: &program.System{Vars: w.vars}}, env: w.env}, options: &Options{}}
		table := statetable.New(len(rows[0]))
		for _, row := range rows {
			table.Insert(row)
		}
		f := r.describe(table, vars, g.Perm(len(w.vars)))
		for _, state := range states {
			want := slices.ContainsFunc(rows, func(words []uint64) bool { return w.represents(words, vars, state) })
			if want {
				in++
			} else {
				out++
			}
			if got, err := logic.Holds(f, state); err != nil || got != want {
				t.Fatalf("seed %d: %x are %s: holds in %s: %t, %v", seed, rows, f, state, got, err)
			}
		}
	}
	t.Logf("%d states that are represented, %d that are not", in, out)
	if in < 100 || out < 100 {
		t.Errorf("%d states that are represented, %d that are not", in, out)
	}
}

// TestRanks: pairs of variables that depend on each other, which are far apart among the
// variables, make a formula that grows with their number, and not with that of the states.
func TestRanks(t *testing.T) {
	const pairs = 8
	sys := &program.System{Name: "pairs", Locations: []program.Location{{Name: "a"}}}
	var first, broken []*logic.Term
	for i := range 2 * pairs {
		v := logic.Var(fmt.Sprintf("v%d", i), logic.Int)
		sys.Vars, first = append(sys.Vars, v), append(first, logic.Eq(v, logic.IntConst(0)))
	}
	for i := range pairs {
		v, w := sys.Vars[i], sys.Vars[pairs+i]
		broken = append(broken, logic.Ne(logic.Add(v, w), logic.IntConst(0)))
		for n := range int64(3) {
			sys.Edges = append(sys.Edges, program.Edge{Command: &program.Command{Guard: logic.True(), Update: map[*logic.Term]*logic.Term{v: logic.IntConst(n), w: logic.IntConst(-n)}}})
		}
	}
	sys.Init = []program.Region{{Where: logic.And(first...)}}
	sys.Error = []program.Region{{Where: logic.Or(broken...)}}
	precision := make([]Precision, 2*pairs)
	for v := range precision {
		precision[v] = Exact
	}
	r, err := New(program.SmallBlocks(sys)).Explore(Options{Precision: precision, Fixed: make([]bool, 2*pairs), Tick: func(int) error { return nil }})
	if err != nil || r.Error >= 0 || r.States() != 6561 {
		t.Fatalf("%v, %v; want 3^8 states without an error", r, err)
	}
	parts := map[*logic.Term]bool{}
	var count func(f *logic.Term)
	count = func(f *logic.Term) {
		if !parts[f] {
			parts[f] = true
			for _, a := range f.Args() {
				count(a)
			}
		}
	}
	if count(r.Invariant()[0]); len(parts) > 40*pairs {
		t.Errorf("the formula has %d parts, for %d pairs", len(parts), pairs)
	}
}
