package values

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/soak"
	"github.com/seltl/seltl/internal/statetable"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// TestDescribe: the formula of some stored states holds in what one of them represents.
func TestDescribe(t *testing.T) {
	in, out := 0, 0
	for seed := range soak.Cases(uint64(1000)) {
		g := newTerms(rand.New(rand.NewPCG(seed, 68)), false)
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
		f := r.describe(table, vars)
		for _, state := range states {
			want := slices.ContainsFunc(rows, func(words []uint64) bool { return represents(words, vars, w.vars, state) })
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
