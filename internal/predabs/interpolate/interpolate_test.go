package interpolate_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"

	. "github.com/seltl/seltl/internal/predabs/interpolate"
)

var scope = logic.Scope{}

func init() {
	for _, name := range []string{"x", "y", "z", "n"} {
		scope[name] = logic.Var(name, logic.Int)
	}
	for _, name := range []string{"b", "c"} {
		scope[name] = logic.Var(name, logic.Bool)
	}
}

func parse(t testing.TB, text string) *logic.Term {
	t.Helper()
	f, err := logic.Parse(source.NewFile("", text), logic.C, scope)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// path reads "init; guard / x := t, y := t; ...; error". n is an input.
func path(t testing.TB, text string) *program.Path {
	t.Helper()
	parts := strings.Split(text, ";")
	p := &program.Path{Init: parse(t, parts[0]), Error: parse(t, parts[len(parts)-1])}
	for _, name := range []string{"x", "y", "z", "b", "c"} {
		p.Vars = append(p.Vars, scope[name])
	}
	for _, part := range parts[1 : len(parts)-1] {
		guard, updates, _ := strings.Cut(part, "/")
		c := &program.Command{Guard: parse(t, guard), Update: map[*logic.Term]*logic.Term{}}
		for u := range strings.SplitSeq(updates, ",") {
			if v, e, ok := strings.Cut(u, ":="); ok {
				c.Update[scope[strings.TrimSpace(v)]] = parse(t, e)
			}
		}
		if strings.Contains(part, "n") {
			c.Inputs = []*logic.Term{scope["n"]}
		}
		p.Steps = append(p.Steps, c)
	}
	return p
}

// TestSequences: the best sequence of small paths.
func TestSequences(t *testing.T) {
	z := newZ3(t)
	for _, c := range []struct{ path, known, want string }{
		{"true; y >= z; x >= y; x + 1 <= z", "", "true, y >= z, x >= z"},
		{"x == 0 && y == 0; 1 == 1 / x := x+1, y := y+1; 1 == 1 / x := x+1, y := y+1; x != y", "", "x == y, x == y, x == y"},
		// Between the strongest and the weakest bound: what is known, then what came before.
		{"x >= 10; 1 == 1; x <= 0", "x >= 3", "x >= 3, x >= 3"},
		{"x >= 10; 1 == 1 / x := x+1; x <= 0", "", "x >= 10, x >= 10"},
		// Disjunctions: "or" behind their step, "and" before it.
		{"x == 1 || x == 3; 1 == 1; x == 2 || x == 4", "", ""},
		// Booleans, stored and tested.
		{"true; 1 == 1 / b := x > 0; 1 == 1 / y := 1; b && x <= 0", "", ""},
		{"b; 1 == 1 / c := !b; c", "", "b, !c"},
		{"true; 1 == 1 / b := true; 1 == 1 / c := b; !c", "", "true, b, c"},
		// Conditional values, remainders, integers.
		{"true; 1 == 1 / y := x > 0 ? x : 0 - x; y < 0", "", "true, y >= 0"},
		{"true; 1 == 1 / y := x % 3; y == 3", "", ""},
		{"y == 3; 2*x == y; 1 == 1", "", ""},
		{"x >= 0; n >= x / x := n; x < 0", "", "x >= 0, x >= 0"},
		// A product is any number, but the same one twice.
		{"x*y >= 3; 1 == 1; x*y <= 2", "", "x*y >= 3, x*y >= 3"},
		// Can be run.
		{"x >= 0; 1 == 1 / x := x+1; x == 5", "", "none"},
	} {
		p := path(t, c.path)
		var known []*logic.Term
		if c.known != "" {
			known = append(known, parse(t, c.known))
		}
		seqs := Sequences(t.Context(), p, known)
		if c.want == "none" || len(seqs) == 0 {
			if c.want != "none" || len(seqs) > 0 {
				t.Errorf("%s: %v", c.path, seqs)
			}
			continue
		}
		if got := logic.Formats(seqs[0], logic.C, ", "); c.want != "" && got != c.want {
			t.Errorf("%s: %s, want %s", c.path, got, c.want)
		}
		for _, seq := range seqs {
			if ok, err := predabs.Excludes(ctx, z, p, seq); !ok || err != nil {
				t.Errorf("%s: %v is no sequence of interpolants (%v)", c.path, seq, err)
			}
		}
	}
}

// counters is a path of n steps on which x and y grow together.
func counters(t testing.TB, n int) *program.Path {
	step := "; x < 1000 / x := x+1, y := y+1"
	return path(t, "x == 0 && y == 0 && z >= 0"+strings.Repeat(step, n)+"; x > y + z")
}

// branches is a path through n sequential ifs.
func branches(t testing.TB, n int) *program.Path {
	text := "x == 0"
	for i := range n {
		text += []string{"; n < y", "; n >= y / x := x+1", "; n >= y || n == 3 / x := x+1, z := n"}[i%3]
	}
	return path(t, fmt.Sprintf("%s; x > %d", text, n))
}

// TestLongPaths: hundreds of steps, one predicate where one is enough.
func TestLongPaths(t *testing.T) {
	z := newZ3(t)
	for name, p := range map[string]*program.Path{"counters": counters(t, 320), "branches": branches(t, 300)} {
		seqs := Sequences(t.Context(), p, nil)
		if len(seqs) == 0 {
			t.Fatalf("%s: no sequence", name)
		}
		if ok, err := predabs.Excludes(ctx, z, p, seqs[0]); !ok || err != nil {
			t.Errorf("%s: not confirmed (%v)", name, err)
		}
		for i, f := range seqs[0] {
			if name == "counters" && f != parse(t, "x <= y + z") {
				t.Errorf("position %d: %s", i, f)
			}
		}
	}
}

// TestDeterminism: the same path gives the same sequences in the same order.
func TestDeterminism(t *testing.T) {
	for seed := range soak.Long(uint64(100)) {
		o := gen.PathOptions{Steps: 4, Bool: true, Or: true, Ite: true, Mod: true, Negative: true}
		p := gen.NewPath(rand.New(rand.NewPCG(seed, 94)), o)
		first := Sequences(t.Context(), p, nil)
		for range 5 {
			if again := Sequences(t.Context(), p, nil); !slices.EqualFunc(first, again, slices.Equal) {
				t.Fatalf("seed %d: %v, then %v", seed, first, again)
			}
		}
	}
}

// TestMutants: of sequences with one formula changed, the check by a single question
// accepts those that the check of every constraint accepts, and refuses most.
func TestMutants(t *testing.T) {
	z := newZ3(t)
	prover := predabs.NewProver(z)
	refused, accepted := 0, 0
	for seed := range soak.Long(uint64(300)) {
		r := rand.New(rand.NewPCG(seed, 95))
		p := gen.NewPath(r, gen.PathOptions{Steps: 1 + r.IntN(5), Or: true, Negative: true})
		seqs := Sequences(t.Context(), p, nil)
		if len(seqs) == 0 {
			continue
		}
		mutant := slices.Clone(seqs[r.IntN(len(seqs))])
		i := r.IntN(len(mutant))
		mutant[i] = mutate(r, p, mutant[i])
		ok, err := predabs.Excludes(ctx, z, p, mutant)
		if err != nil {
			t.Fatal(err)
		}
		if want := predabs.Verify(ctx, prover, p, mutant) == nil; ok != want {
			t.Fatalf("seed %d: %v: %v, want %v", seed, mutant, ok, want)
		}
		if ok {
			accepted++
		} else {
			refused++
		}
	}
	if refused < soak.Long(60) || accepted == 0 && !testing.Short() {
		t.Errorf("%d refused, %d accepted", refused, accepted)
	}
}

func mutate(r *rand.Rand, p *program.Path, f *logic.Term) *logic.Term {
	switch cs := logic.Conjuncts(f); r.IntN(4) {
	case 0:
		return logic.Not(f)
	case 1:
		if len(cs) > 1 {
			return logic.And(slices.Delete(slices.Clone(cs), 0, 1)...)
		}
	case 2:
		v := p.Vars[r.IntN(len(p.Vars))]
		return logic.Substitute(f, map[*logic.Term]*logic.Term{v: logic.Add(v, logic.IntConst(int64(1-2*r.IntN(2))))})
	}
	return logic.And(f, logic.Le(p.Vars[0], p.Vars[1]))
}

func BenchmarkSequences(b *testing.B) {
	for _, n := range []int{10, 20, 40, 80, 160, 320} {
		for name, p := range map[string]*program.Path{"counters": counters(b, n), "branches": branches(b, n)} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					if len(Sequences(b.Context(), p, nil)) == 0 {
						b.Fatal("no sequence")
					}
				}
			})
		}
	}
}
