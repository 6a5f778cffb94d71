package program_test

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"

	. "github.com/seltl/seltl/program"
)

// TestLargeBlocks: from every cut point, the states that blocks lead to are those that
// paths of edges lead to, by enumeration; what is unfolded from a step of a block is such a
// path; and weakest preconditions inside are those of the paths.
func TestLargeBlocks(t *testing.T) {
	steps, merged, inside := 0, 0, 0
	n := soak.Cases(uint64(100))
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 62))
		sys := gen.NewBranchingSystem(r)
		large := LargeBlocksOf(sys, 1+r.IntN(6))
		kept := large.Kept()
		for l, out := range large.Out {
			if !kept[l] || len(out) == 0 {
				continue
			}
			for _, b := range out {
				if large.All[b].Merged {
					merged++
				}
			}
			for range 2 {
				steps += checkSteps(t, seed, r, sys, large, kept, l)
			}
		}
		inside += checkExpand(t, seed, r, sys, large, kept)
	}
	if n >= 20 && (steps < int(8*n) || merged < int(n) || inside < int(n)) {
		t.Errorf("%d steps, %d of merged blocks, %d states inside", steps, merged, inside)
	}
}

// TestManyWays: parallel edges are one block, and where there are very many a block each.
func TestManyWays(t *testing.T) {
	for n, want := range map[int]int{2: 1, 200: 1, 3000: 3000} {
		x := logic.Var("x", logic.Int)
		sys := &System{Vars: []*logic.Term{x}, Locations: []Location{{Name: "a"}, {Name: "b"}}, Init: []Region{{Location: 0, Where: logic.True()}}}
		for i := range int64(n) {
			c := &Command{Guard: logic.Eq(x, logic.IntConst(i)), Update: map[*logic.Term]*logic.Term{x: logic.IntConst(i + 1)}}
			sys.Edges = append(sys.Edges, Edge{From: 0, To: 1, Command: c})
		}
		sys.Error = []Region{{Location: 1, Where: logic.True()}}
		large := LargeBlocks(sys)
		if len(large.All) != want {
			t.Fatalf("%d edges: %d blocks", n, len(large.All))
		}
		for b := range large.All {
			e := &Execution{States: []logic.Model{{"x": logic.IntValue(int64(b))}}, Inputs: []logic.Model{{}}}
			if _, err := large.Unfold(0, []int{b}, e); err != nil {
				t.Fatalf("%d edges, block %d: %v", n, b, err)
			}
		}
	}
}

// maxInputs bounds the inputs of a block of which all values are tried.
const maxInputs = 3

// checkSteps takes all steps from a random state at a cut point; of blocks with many
// inputs some.
func checkSteps(t *testing.T, seed uint64, r *rand.Rand, sys *System, large *Blocks, kept []bool, l int) (steps int) {
	t.Helper()
	state := gen.State(r, sys)
	want := naive.Passages(sys, kept, l, state, gen.SystemMax)
	got, all := map[naive.Place]bool{}, true
	for _, b := range large.Out[l] {
		block := &large.All[b]
		inputs := block.Command.Inputs
		all = all && len(inputs) <= maxInputs
		for _, choice := range naive.Valuations(inputs[:min(len(inputs), maxInputs)], gen.SystemMax) {
			for _, in := range inputs[min(len(inputs), maxInputs):] {
				values := naive.Valuations([]*logic.Term{in}, gen.SystemMax)
				maps.Copy(choice, values[r.IntN(len(values))])
			}
			next, err := block.Command.Step(state, choice)
			if err != nil {
				continue
			}
			p := naive.Place{Location: block.To, State: next.String()}
			if want[p] == nil {
				t.Fatalf("seed %d: block %d leads from %s to %s by %s, edges to %v", seed, b, state, next, choice, want)
			}
			steps++
			got[p] = true
			trace, err := large.Unfold(l, []int{b}, &Execution{States: []logic.Model{state, next}, Inputs: []logic.Model{choice}})
			if err != nil {
				t.Fatalf("seed %d: a step of block %d by %s is not unfolded: %v", seed, b, choice, err)
			}
			checkPassage(t, seed, sys, kept, trace, block, next)
		}
	}
	for p := range want {
		if all && !got[p] {
			t.Fatalf("seed %d: blocks at l%d do not lead from %s to %v, but to %v", seed, l, state, p, got)
		}
	}
	return steps
}

// checkPassage replays a trace through one block.
func checkPassage(t *testing.T, seed uint64, sys *System, kept []bool, trace *Trace, block *Block, end logic.Model) {
	t.Helper()
	at := block.From
	for i, e := range trace.Edges {
		edge := sys.Edges[e]
		next, err := edge.Command.Step(trace.States[i], trace.Inputs[i])
		if edge.From != at || err != nil || next.String() != trace.States[i+1].String() {
			t.Fatalf("seed %d: step %d of %v is none: %v", seed, i, trace.Edges, err)
		}
		if at = edge.To; kept[at] != (i == len(trace.Edges)-1) {
			t.Fatalf("seed %d: the passage %v does not end at the first cut point", seed, trace.Edges)
		}
	}
	if at != block.To || trace.States[len(trace.Edges)].String() != end.String() {
		t.Fatalf("seed %d: the passage %v ends at l%d in %s", seed, trace.Edges, at, trace.States[len(trace.Edges)])
	}
}

// checkExpand compares invariants of locations inside with enumeration: a state satisfies
// one iff all that can happen from it satisfies those at cut points.
func checkExpand(t *testing.T, seed uint64, r *rand.Rand, sys *System, large *Blocks, kept []bool) (states int) {
	t.Helper()
	invariant := make([]*logic.Term, len(sys.Locations))
	for l := range invariant {
		invariant[l] = logic.False()
		if kept[l] {
			invariant[l] = logic.Le(sys.Vars[r.IntN(len(sys.Vars))], logic.IntConst(int64(r.IntN(gen.SystemMax+1))))
		}
	}
	if err := large.Expand(invariant, func(int) error { return nil }); err != nil {
		t.Fatal(err)
	}
	for _, l := range large.Removed() {
		for range 4 {
			state := gen.State(r, sys)
			want := true
			for p, end := range naive.Passages(sys, kept, l, state, gen.SystemMax) {
				ok, err := logic.Holds(invariant[p.Location], end)
				if err != nil {
					t.Fatal(err)
				}
				want = want && ok
			}
			got, err := logic.Holds(invariant[l], state)
			if err != nil || got != want {
				t.Fatalf("seed %d: at l%d, %s: %v (%v), want %v: %s", seed, l, state, got, err, want, invariant[l])
			}
			states++
		}
	}
	return states
}
