package program_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"

	. "github.com/seltl/seltl/program"
)

// TestSplicedBlocks compares with joining that makes all blocks anew each time: the same
// blocks in the same order. Nothing that joining shares is written to: the edges stay.
func TestSplicedBlocks(t *testing.T) {
	joined, pruned := 0, 0
	for seed := range soak.Cases(uint64(300)) {
		r := rand.New(rand.NewPCG(seed, 60))
		sys := gen.NewLongSystem(r)
		if seed%5 == 0 {
			sys = gen.NewWordSystem(r)
		}
		before := commands(sys)
		want := naive.SplicedBlocks(sys)
		got := SplicedBlocks(sys)
		if len(got.All) != len(want) {
			t.Fatalf("seed %d: %d blocks, want %d", seed, len(got.All), len(want))
		}
		passed := map[int]bool{}
		for i, b := range got.All {
			w := want[i]
			if b.From != w.From || b.To != w.To || !slices.Equal(b.Edges, w.Edges) || b.Command.Guard != w.Command.Guard ||
				!maps.Equal(b.Command.Update, w.Command.Update) || !slices.Equal(b.Command.Inputs, w.Command.Inputs) {
				t.Fatalf("seed %d, block %d: %+v with %+v\nwant %+v with %+v", seed, i, b, b.Command, w, w.Command)
			}
			if !slices.Contains(got.Out[b.From], i) || !slices.Contains(got.In[b.To], i) {
				t.Fatalf("seed %d: block %d is not in its lists", seed, i)
			}
			if len(b.Edges) > 1 {
				joined++
			}
			for _, e := range b.Edges {
				passed[e] = true
			}
		}
		if len(passed) < len(sys.Edges) {
			pruned++
		}
		if commands(sys) != before {
			t.Fatalf("seed %d: the edges are not what they were", seed)
		}
	}
	if joined < 300 || pruned < 30 {
		t.Errorf("%d blocks of several edges, %d systems with edges that are in none", joined, pruned)
	}
}

func commands(sys *System) string {
	var b strings.Builder
	for _, e := range sys.Edges {
		fmt.Fprintln(&b, e.Command.Inputs, e.Command.Guard, e.Command.Update)
	}
	return b.String()
}

// TestJoiningIsLinear: twice the program, twice the work. Where many paths begin alike
// the blocks are long themselves: the work is that of writing them down.
func TestJoiningIsLinear(t *testing.T) {
	text := func(n int, edges string) string {
		var b strings.Builder
		b.WriteString("var x, y, z: int; locations l0")
		for i := 1; i <= 3*n; i++ {
			fmt.Fprintf(&b, ", l%d", i)
		}
		fmt.Fprintf(&b, "; init l0; error l%d;\n", 3*n)
		for i := range n {
			b.WriteString(strings.NewReplacer("A", fmt.Sprint("l", 3*i), "B", fmt.Sprint("l", 3*i+1), "C", fmt.Sprint("l", 3*i+2),
				"D", fmt.Sprint("l", 3*i+3), "E", fmt.Sprint("l", 3*n), "N", fmt.Sprint(i)).Replace(edges))
		}
		return b.String()
	}
	for name, edges := range map[string]string{
		"straight": "A -> B when x <= N do y := x + y; B -> C do z := N; C -> D when y != z - N do x := x + 1;\n",
		"diamonds": "A -> B when x <= N; A -> C when x > N; B -> D do y := 1; C -> D do y := 2;\n",
		"loops":    "A -> B when x <= N; B -> C do x := x + 1; C -> A; A -> D when x > N;\n",
		"exits":    "A -> B when x != N; A -> E when x == N; B -> C; C -> E when y == N; C -> D when y != N;\n",
		"hub":      "l0 -> B when x == N; B -> C do x := 0; C -> E do y := N;\n",
	} {
		small, large := mustParse(t, text(100, edges)), mustParse(t, text(200, edges))
		a, b := JoiningWork(small), JoiningWork(large)
		if b > 2*a+a/50 && name != "exits" {
			t.Errorf("%s: work %d for %d edges, %d for %d", name, a, len(small.Edges), b, len(large.Edges))
		}
		size, joined := len(large.Edges), 0
		for _, block := range SplicedBlocks(large).All {
			size += len(block.Edges) + len(logic.Conjuncts(block.Command.Guard)) + len(block.Command.Update)
			if len(block.Edges) > 1 {
				joined++
			}
		}
		if b > 20*size || joined == 0 {
			t.Errorf("%s: work %d for blocks of size %d, %d of several edges", name, b, size, joined)
		}
	}
}

// TestJoiningCopiesLittle: of tests after one another, each with a way out, twice as many take twice the
// work where they are many, and all ways stay.
func TestJoiningCopiesLittle(t *testing.T) {
	text := func(n int) string {
		var b strings.Builder
		b.WriteString("var x: int; locations l0, out")
		for i := range n {
			fmt.Fprintf(&b, ", t%d, l%d", i, i+1)
		}
		b.WriteString("; init l0; error out;\n")
		for i := range n {
			fmt.Fprintf(&b, "l%d -> t%[1]d when x = %[1]d; t%[1]d -> out do x := %[2]d; l%[1]d -> l%[2]d when x != %[1]d;\n", i, i+1)
		}
		return strings.ReplaceAll(b.String(), "x = ", "x == ")
	}
	small, large := mustParse(t, text(1500)), mustParse(t, text(3000))
	a, b := JoiningWork(small), JoiningWork(large)
	if b > 2*a+a/5 {
		t.Errorf("work %d, and %d for twice as many tests", a, b)
	}
	blocks := SplicedBlocks(small)
	out := 0
	for _, block := range blocks.All {
		if small.Locations[block.To].Name == "out" {
			out++
		}
	}
	if out != 1500 || len(blocks.All) > 1600 {
		t.Errorf("%d blocks, %d of them lead out", len(blocks.All), out)
	}
}

// TestJoiningEnds: of cases that fall through, each is a way into all those behind it: their joining ends after some
// work, and what is left are the edges as they are.
func TestJoiningEnds(t *testing.T) {
	n := soak.Size(5000)
	var b strings.Builder
	b.WriteString("var x, y: int; locations l0, out")
	for i := range n {
		fmt.Fprintf(&b, ", t%d, l%d", i, i+1)
	}
	fmt.Fprintf(&b, ", t%d; init l0; error out when y == %[1]d;\n", n)
	for i := range n {
		fmt.Fprintf(&b, "l%d -> t%[1]d when x == %[1]d; l%[1]d -> l%[2]d when x != %[1]d; t%[1]d -> t%[2]d do y := y + %[1]d;\n", i, i+1)
	}
	fmt.Fprintf(&b, "t%d -> out;\n", n)
	sys := mustParse(t, b.String())
	if work := JoiningWork(sys); work > 5_000_000 {
		t.Errorf("work %d", work)
	}
	if all := SplicedBlocks(sys).All; len(all) < n || len(all) > len(sys.Edges) {
		t.Errorf("%d blocks of %d edges", len(all), len(sys.Edges))
	}
}

// TestExpandAsks: before each precondition it is asked whether it may be made, and what is said ends
// Expand. Steps that give one of several variables a value multiply what follows.
func TestExpandAsks(t *testing.T) {
	const steps = 30
	var b strings.Builder
	b.WriteString("var i, x, y, z: int; locations l0")
	for k := range steps {
		fmt.Fprintf(&b, ", l%d", k+1)
	}
	fmt.Fprintf(&b, "; init l0; error l%d;\nl0 -> l1 do i := 1;\n", steps)
	for k := 1; k < steps; k++ { // the way is known, and the locations inside do not know that
		for n, v := range []string{"x", "y", "z"} {
			fmt.Fprintf(&b, "l%d -> l%d when i == %d do %s := 2*%[4]s + %[1]d;\n", k, k+1, n, v)
		}
	}
	sys := mustParse(t, b.String())
	for name, blocks := range map[string]*Blocks{"spliced": SplicedBlocks(sys), "large": LargeBlocks(sys)} { // those are smaller
		invariant := make([]*logic.Term, len(sys.Locations))
		for l := range invariant {
			invariant[l] = logic.Le(logic.Add(sys.Vars...), logic.IntConst(7))
		}
		enough := errors.New("enough")
		asked, all := 0, 0
		err := blocks.Expand(invariant, func(parts int) error {
			asked++
			if all += parts; all > 10_000 {
				return enough
			}
			return nil
		})
		if name == "spliced" && err != enough || err == nil && asked == 0 || all > 100_000 {
			t.Errorf("%s: %v, of %d parts, asked %d times", name, err, all, asked)
		}
	}
}

// TestJoin: a step of commands that are joined is their steps one after the other,
// whatever inputs they have.
func TestJoin(t *testing.T) {
	steps, refused := 0, 0
	for seed := range soak.Cases(uint64(600)) {
		r := rand.New(rand.NewPCG(seed, 61))
		sys := gen.NewSystem(r)
		var commands []*Command
		for range 3 {
			commands = append(commands, sys.Edges[r.IntN(len(sys.Edges))].Command)
		}
		all := Join(commands...)
		for range 20 {
			state := logic.Model{}
			for _, v := range sys.Vars {
				state[v.Name()] = logic.IntValue(int64(r.IntN(gen.SystemMax + 1)))
			}
			first, chosen, k := state, logic.Model{}, 0
			var err error
			for _, c := range commands {
				inputs := logic.Model{}
				for _, in := range c.Inputs {
					inputs[in.Name()] = logic.IntValue(int64(r.IntN(gen.SystemMax + 1)))
					chosen[all.Inputs[k].Name()] = inputs[in.Name()]
					k++
				}
				if err == nil {
					state, err = c.Step(state, inputs)
				}
			}
			got, joinedErr := all.Step(first, chosen)
			switch {
			case (err == nil) != (joinedErr == nil):
				t.Fatalf("seed %d: %v, one by one %v", seed, joinedErr, err)
			case err != nil:
				refused++
			case got.String() != state.String():
				t.Fatalf("seed %d: %s, one by one %s", seed, got, state)
			default:
				steps++
			}
		}
	}
	if steps < 300 || refused < 300 {
		t.Errorf("%d steps, %d refused", steps, refused)
	}
}
