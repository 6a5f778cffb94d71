package values

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// smallSystem returns a random system that can be searched by trying all values up to
// gen.SystemMax.
func smallSystem(r *rand.Rand) *program.System {
	return []func(*rand.Rand) *program.System{gen.NewSystem, gen.NewFlagSystem, gen.NewDividingSystem, gen.NewWordSystem, gen.NewWordSystem,
		gen.NewBranchingSystem, gen.NewLongSystem}[r.IntN(7)](r)
}

// wideSystem returns a random system over integers without bounds and words of some widths.
func wideSystem(r *rand.Rand) *program.System {
	if r.IntN(3) == 0 {
		return gen.NewWildSystem(r)
	}
	g := newTerms(r, false)
	sys := &program.System{Name: "wide"}
	var inputs []*logic.Term
	state := map[*logic.Term]*logic.Term{}
	for i, v := range g.vars {
		if i%each == each-1 {
			inputs, state[v] = append(inputs, v), g.vars[i-1]
		} else {
			sys.Vars = append(sys.Vars, v)
		}
	}
	formula := func() *logic.Term { return g.newWorld().assumption() }
	for range 2 + r.IntN(3) {
		sys.Locations = append(sys.Locations, program.Location{Name: string(rune('a' + len(sys.Locations)))})
	}
	var begin []*logic.Term
	for _, v := range sys.Vars {
		if r.IntN(4) > 0 {
			begin = append(begin, logic.Eq(v, logic.Substitute(g.leaf(v.Sort()), state)))
		}
	}
	sys.Init = []program.Region{{Where: logic.And(begin...)}}
	sys.Error = []program.Region{{Location: r.IntN(len(sys.Locations)), Where: logic.Substitute(formula(), state)}}
	for range 2 + r.IntN(6) {
		c := &program.Command{Guard: logic.True(), Update: map[*logic.Term]*logic.Term{}}
		if r.IntN(4) > 0 {
			c.Guard = g.formula(1 + r.IntN(2))
		}
		mentioned := []*logic.Term{c.Guard}
		for _, v := range sys.Vars {
			if r.IntN(3) > 0 {
				continue
			}
			switch c.Update[v] = g.leaf(v.Sort()); {
			case r.IntN(3) == 0:
				c.Update[v] = g.term(v.Sort(), 1)
			case r.IntN(2) == 0 && v.Sort() != logic.Bool:
				c.Update[v] = plus(c.Update[v], g.constant(v.Sort()))
			}
			mentioned = append(mentioned, c.Update[v])
		}
		for _, v := range logic.Vars(mentioned...) {
			if slices.Contains(inputs, v) {
				c.Inputs = append(c.Inputs, v)
			}
		}
		sys.Edges = append(sys.Edges, program.Edge{From: r.IntN(len(sys.Locations)), To: r.IntN(len(sys.Locations)), Command: c})
	}
	return sys
}

func someBlocks(r *rand.Rand, sys *program.System) *program.Blocks {
	return []func(*program.System) *program.Blocks{program.SmallBlocks, program.SmallBlocks, program.SplicedBlocks, program.LargeBlocks}[r.IntN(4)](sys)
}

// somePrecision chooses precisions, one of which most variables have.
func somePrecision(r *rand.Rand, vars int) []Precision {
	out, most := make([]Precision, vars), []Precision{Relative, Exact}[r.IntN(2)]
	for i := range out {
		out[i] = []Precision{Untracked, Relative, Exact, most, most, most}[r.IntN(6)]
	}
	return out
}

var errLong = errors.New("too many states")

// explore explores with a random precision, and once more with the same outcome; all means
// not only as far as to an error.
func explore(t *testing.T, seed uint64, r *rand.Rand, blocks *program.Blocks, all bool) (*Analysis, *Reached, []Precision) {
	precision, fixed := somePrecision(r, len(blocks.System.Vars)), make([]bool, len(blocks.System.Vars))
	for i := range fixed {
		fixed[i] = r.IntN(8) == 0
	}
	var found [2]*Reached
	var after []Precision
	var a *Analysis
	for i := range found {
		p := slices.Clone(precision)
		if a = New(blocks); all {
			a.bad = make([][]failure, len(a.bad))
		}
		var err error
		found[i], err = a.Explore(Options{Precision: p, Fixed: slices.Clone(fixed), Tick: func(states int) error {
			if states > 5000 {
				return errLong
			}
			return nil
		}})
		if err != nil && err != errLong {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if i == 1 && !slices.Equal(p, after) {
			t.Fatalf("seed %d: precision %v, then %v", seed, after, p)
		}
		after = p
	}
	if (found[0] == nil) != (found[1] == nil) || found[0] != nil && !slices.Equal(found[0].states, found[1].states) {
		t.Fatalf("seed %d: explored twice in different ways", seed)
	}
	return a, found[1], after
}

// TestExplore: an error that can be reached is found, by a path that is one and that values
// do not refute; the states without one are an inductive invariant, by trying all values.
func TestExplore(t *testing.T) {
	errorsFound, safe, states := 0, 0, 0
	n := soak.Long(uint64(200))
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 64))
		sys := smallSystem(r)
		blocks := someBlocks(r, sys)
		a, reached, precision := explore(t, seed, r, blocks, false)
		if reached == nil {
			continue // differences of integers can go on for ever
		}
		if reached.Error >= 0 {
			errorsFound++
			path := reached.Path(reached.Error)
			at := path.Start
			for _, b := range path.Blocks {
				if blocks.All[b].From != at {
					t.Fatalf("seed %d: %v is no path", seed, path)
				}
				at = blocks.All[b].To
			}
			if !a.possible(path, precision) {
				t.Fatalf("seed %d: %v was found, and cannot be run", seed, path)
			}
		} else if naive.UnsafeOrDivides(sys, gen.SystemMax, false) {
			t.Fatalf("seed %d: an error of %v is not found with %v", seed, sys, precision)
		} else {
			safe++
		}
		if reached.Error >= 0 { // explore all
			if _, reached, _ = explore(t, seed, r, blocks, true); reached == nil {
				continue
			}
			blocks.Error = slices.Repeat([]*logic.Term{logic.False()}, len(blocks.Error))
		}
		states += tryAll(t, seed, blocks, reached.Invariant())
	}
	t.Logf("%d systems with errors, %d without, %d states tried", errorsFound, safe, states)
	if errorsFound < int(n)/8 || safe < int(n)/8 {
		t.Errorf("%d systems with errors, %d without", errorsFound, safe)
	}
}

// tryAll looks whether an invariant is inductive and excludes the errors. It counts the
// states that are tried.
func tryAll(t *testing.T, seed uint64, blocks *program.Blocks, invariant []*logic.Term) (tried int) {
	holds := func(f *logic.Term, m logic.Model) bool {
		ok, err := logic.Holds(f, m)
		return ok && err == nil
	}
	for _, m := range naive.Valuations(blocks.System.Vars, gen.SystemMax) {
		for l, inv := range invariant {
			if !holds(inv, m) {
				if holds(blocks.Init[l], m) {
					t.Fatalf("seed %d: %s is initial at %d, not in %s", seed, m, l, inv)
				}
				continue
			}
			if tried++; holds(blocks.Error[l], m) {
				t.Fatalf("seed %d: %s is an error at %d, in %s", seed, m, l, inv)
			}
			for _, e := range blocks.Out[l] {
				b := &blocks.All[e]
				if len(b.Command.Inputs) > 2 {
					continue
				}
				for _, inputs := range naive.Valuations(b.Command.Inputs, gen.SystemMax) {
					next, err := b.Command.Step(m, inputs)
					if err == nil && !holds(invariant[b.To], next) {
						t.Fatalf("seed %d: from %s at %d to %s at %d, which is not in %s", seed, m, l, next, b.To, invariant[b.To])
					}
				}
			}
		}
	}
	return tried
}

// TestInvariant: the states of an exploration to the end are an inductive invariant, as the
// solver says, over all integers and words of all widths.
func TestInvariant(t *testing.T) {
	ctx := context.Background()
	z, err := smt.NewZ3(smt.Options{RLimit: 2_000_000})
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	proved, unknown, long, found := 0, 0, 0, 0
	n := soak.Long(uint64(700))
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 65))
		blocks := someBlocks(r, wideSystem(r))
		all := r.IntN(4) > 0
		_, reached, precision := explore(t, seed, r, blocks, all)
		if reached == nil {
			long++
			continue
		}
		if reached.Error >= 0 {
			found++
			continue
		}
		invariant := reached.Invariant()
		ask := func(what string, fs ...*logic.Term) {
			if logic.And(fs...).IsFalse() {
				return
			}
			switch status, m, err := smt.ModelOf(ctx, z, fs...); {
			case err != nil:
				t.Fatalf("seed %d: %v", seed, err)
			case status == smt.Unsat:
				proved++
			case status == smt.Unknown:
				unknown++
			default:
				t.Fatalf("seed %d, precision %v: %s: %v in %s", seed, precision, what, fs, m)
			}
		}
		for l, inv := range invariant {
			ask("an initial state is not in the invariant", blocks.Init[l], logic.Not(inv))
			if !all {
				ask("an error is in the invariant", blocks.Error[l], inv)
			}
			for _, e := range blocks.Out[l] {
				c := blocks.All[e].Command
				ask("a step leads out of the invariant", inv, c.Guard, logic.Not(c.After(invariant[blocks.All[e].To])))
			}
		}
	}
	t.Logf("%d steps proved, %d unknown; %d systems with errors, %d with too many states", proved, unknown, found, long)
	if !testing.Short() && proved < int(n)/8 || proved == 0 || unknown > proved {
		t.Errorf("%d steps proved, %d unknown", proved, unknown)
	}
}

// TestLiveness: states that agree on what matters have the same steps, to states that agree
// again, and are errors together.
func TestLiveness(t *testing.T) {
	dead := 0
	for seed := range soak.Cases(uint64(300)) {
		r := rand.New(rand.NewPCG(seed, 66))
		blocks := someBlocks(r, smallSystem(r))
		vars := blocks.System.Vars
		live := New(blocks).live
		all := naive.Valuations(vars, gen.SystemMax)
		for range 10 {
			l := r.IntN(len(live))
			one, other := all[r.IntN(len(all))], logic.Model{}
			any := all[r.IntN(len(all))]
			for i, v := range vars {
				if other[v.Name()] = one[v.Name()]; !live[l][i] {
					dead++
					other[v.Name()] = any[v.Name()]
				}
			}
			x, err1 := logic.Holds(blocks.Error[l], one)
			y, err2 := logic.Holds(blocks.Error[l], other)
			if x != y || (err1 == nil) != (err2 == nil) {
				t.Fatalf("seed %d: at %d, %s and %s differ in %s", seed, l, one, other, blocks.Error[l])
			}
			for _, e := range blocks.Out[l] {
				b := &blocks.All[e]
				inputs := logic.Model{}
				for _, in := range b.Command.Inputs {
					inputs[in.Name()] = valueOf(newTerms(r, false).number(), in.Sort())
				}
				compareSteps(t, seed, b, vars, live[b.To], inputs, one, other)
			}
		}
	}
	if dead == 0 {
		t.Error("everything matters")
	}
}

func compareSteps(t *testing.T, seed uint64, b *program.Block, vars []*logic.Term, live []bool, inputs, one, other logic.Model) {
	x, err1 := b.Command.Step(one, inputs)
	y, err2 := b.Command.Step(other, inputs)
	if errors.Is(err1, logic.ErrDivisionByZero) || errors.Is(err2, logic.ErrDivisionByZero) {
		return // perhaps of what does not matter
	}
	if (err1 == nil) != (err2 == nil) {
		t.Fatalf("seed %d: %v steps from %s: %v, from %s: %v", seed, b.Command.Guard, one, err1, other, err2)
	}
	for i, v := range vars {
		if err1 == nil && live[i] && x[v.Name()].Compare(y[v.Name()]) != 0 {
			t.Fatalf("seed %d: %s matters, and differs behind %s and %s", seed, v, one, other)
		}
	}
}
