package facts_test

import (
	"context"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/seltl/seltl/internal/program/facts"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/reader"
	"github.com/seltl/seltl/smt"
)

var ctx = context.Background()

func newSolver(t testing.TB) smt.Solver {
	t.Helper()
	s, err := smt.NewZ3(smt.Options{Timeout: 20 * time.Second, RLimit: 5_000_000})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// inductive asks the solver whether facts hold initially and are kept by every edge, all
// of them together. It returns what is refuted, and how many questions had no answer.
func inductive(t *testing.T, s smt.Checker, sys *program.System, f *facts.Facts) (refuted string, unknown int) {
	t.Helper()
	ask := func(what string, fs ...*logic.Term) {
		status, m, err := smt.ModelOf(ctx, s, fs...)
		switch {
		case err != nil:
			t.Fatal(err)
		case status == smt.Sat && refuted == "":
			refuted = what + ": " + m.String()
		case status == smt.Unknown:
			unknown++
		}
	}
	for _, r := range sys.Init {
		ask("initially at "+sys.Locations[r.Location].Name, r.Where, logic.Not(f.Formula(r.Location)))
	}
	for _, e := range sys.Edges {
		after := logic.Substitute(f.Formula(e.To), e.Command.Update)
		if after.IsTrue() {
			continue
		}
		ask("after "+e.Name, f.Formula(e.From), e.Command.Guard, logic.Not(after))
	}
	return refuted, unknown
}

// subsets are all domains, each alone, and all but each.
func subsets() (out [][]facts.Domain) {
	out = append(out, nil)
	for d := range facts.Domain(0).Names() {
		var others []facts.Domain
		for e := range facts.Domain(0).Names() {
			if e != d {
				others = append(others, facts.Domain(e))
			}
		}
		out = append(out, others, []facts.Domain{facts.Domain(d)})
	}
	return out
}

func specs(t testing.TB) map[string]*program.System {
	t.Helper()
	out := map[string]*program.System{}
	for _, pattern := range []string{"*.gcl", "*.pl"} {
		files, err := filepath.Glob(filepath.Join("..", "..", "..", "specs", "armc", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if out[filepath.Base(file)], err = reader.Parse(source.NewFile(filepath.Base(file), string(text))); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(out) < 20 {
		t.Fatalf("only %d systems", len(out))
	}
	return out
}

// TestInductiveSpecs: the facts of published programs are inductive, by every choice of
// domains.
func TestInductiveSpecs(t *testing.T) {
	s := newSolver(t)
	total, i := 0, 0
	all := specs(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		sys := all[name]
		for _, without := range subsets() {
			if i++; soak.Skip(i - 1) {
				continue
			}
			f := find(t, sys, facts.Options{Without: without})
			total += f.Count()
			if refuted, unknown := inductive(t, s, sys, f); refuted != "" || unknown > 0 {
				t.Errorf("%s without %v: %s, %d unknown", name, without, refuted, unknown)
			}
		}
	}
	t.Logf("%d facts", total)
	if total < min(soak.Long(1000), 1000) { // the systems are always the same
		t.Errorf("only %d facts", total)
	}
}

// count says what random systems had facts of which domain.
type count struct {
	systems, unreachable int
	by                   map[facts.Domain]int
}

func (c *count) add(f *facts.Facts) {
	c.systems++
	for l, fs := range f.At {
		if _, dead := f.Unreachable(l); dead {
			c.unreachable++
			continue
		}
		for _, fact := range fs {
			c.by[fact.By]++
		}
	}
}

// TestAgainstExplicitSearch: no state that is reached violates a fact, and the solver
// finds facts of small systems inductive.
func TestAgainstExplicitSearch(t *testing.T) {
	s := newSolver(t)
	c := count{by: map[facts.Domain]int{}}
	choices := subsets()
	for seed := range soak.Long(uint64(325)) {
		r := rand.New(rand.NewPCG(seed, 60))
		sys, limit := gen.NewSystem(r), int64(gen.SystemMax)
		switch seed % 4 {
		case 3:
			sys = gen.NewFlagSystem(r)
		case 1:
			sys = gen.NewWordSystem(r)
		case 2:
			sys = gen.NewLongSystem(r)
		}
		f := find(t, sys, facts.Options{Without: choices[r.IntN(len(choices))]})
		c.add(f)
		violated := *sys
		violated.Error = nil
		for l := range sys.Locations {
			violated.Error = append(violated.Error, program.Region{Location: l, Where: logic.Not(f.Formula(l))})
		}
		if naive.Unsafe(&violated, limit) {
			t.Fatalf("seed %d: a state that is reached violates a fact: %v", seed, f.At)
		}
		if refuted, unknown := inductive(t, s, sys, f); refuted != "" || unknown > 0 {
			t.Fatalf("seed %d: not inductive: %s, %d unknown: %v", seed, refuted, unknown, f.At)
		}
	}
	t.Logf("%d systems, %d unreachable locations, facts %v", c.systems, c.unreachable, c.by)
	for d, n := range facts.Domain(0).Names() {
		if c.by[facts.Domain(d)] < soak.Long(12) {
			t.Errorf("only %d facts of %s", c.by[facts.Domain(d)], n)
		}
	}
}

// TestWildSystems: facts hold along random runs of systems with all operators, and the
// solver refutes no fact to be inductive.
func TestWildSystems(t *testing.T) {
	s := newSolver(t)
	c := count{by: map[facts.Domain]int{}}
	asked, unknown, states := 0, 0, 0
	choices := subsets()
	for seed := range soak.Long(uint64(375)) {
		r := rand.New(rand.NewPCG(seed, 61))
		sys := gen.NewWildSystem(r)
		if err := sys.Validate(); err != nil {
			t.Fatal(err)
		}
		f := find(t, sys, facts.Options{Without: choices[r.IntN(len(choices))]})
		c.add(f)
		for range 10 {
			states += walk(t, r, seed, sys, f)
		}
		if seed%3 > 0 {
			continue
		}
		asked += len(sys.Edges) + 1
		refuted, u := inductive(t, s, sys, f)
		if unknown += u; refuted != "" {
			t.Fatalf("seed %d: not inductive: %s: %v", seed, refuted, f.At)
		}
	}
	t.Logf("%d systems, %d states, %d unreachable locations, facts %v, %d of %d questions without an answer", c.systems, states, c.unreachable, c.by, unknown, asked)
	if states < soak.Long(1250) || unknown > asked/10 {
		t.Errorf("the runs had %d states, %d of %d questions no answer", states, unknown, asked)
	}
	for d, n := range facts.Domain(0).Names() {
		if c.by[facts.Domain(d)] < soak.Long(12) {
			t.Errorf("only %d facts of %s", c.by[facts.Domain(d)], n)
		}
	}
}

// walk takes random steps from a random initial state.
func walk(t *testing.T, r *rand.Rand, seed uint64, sys *program.System, f *facts.Facts) (states int) {
	t.Helper()
	sorts := []*logic.Sort{logic.Int, logic.Real, gen.SmallBV}
	at := sys.Init[0].Location
	var now logic.Model
	for range 30 {
		m := gen.NewModel(r, sorts)
		for _, p := range logic.Conjuncts(sys.Init[0].Where) { // what is fixed
			if p.Op() == logic.OpEq && p.Args()[0].Op() == logic.OpVar && p.Args()[1].Op() == logic.OpNumber {
				m[p.Args()[0].Name()] = logic.NumValue(p.Args()[1].Num(), p.Args()[0].Sort())
			}
		}
		if ok, err := logic.Holds(sys.Init[0].Where, m); ok && err == nil {
			now = logic.Model{}
			for _, v := range sys.Vars {
				now[v.Name()] = m[v.Name()]
			}
			break
		}
	}
	for step := 0; now != nil; step++ {
		states++
		if ok, err := logic.Holds(f.Formula(at), now); !ok {
			t.Fatalf("seed %d: %s at %s violates %v (%v)", seed, now, sys.Locations[at].Name, f.At[at], err)
		}
		if step == 25 {
			break
		}
		var next logic.Model
		for range 12 {
			e := sys.Edges[r.IntN(len(sys.Edges))]
			inputs := logic.Model{}
			for name, value := range gen.NewModel(r, sorts) {
				for _, in := range e.Command.Inputs {
					if in.Name() == name {
						inputs[name] = value
					}
				}
			}
			if e.From == at {
				if m, err := e.Command.Step(now, inputs); err == nil {
					next, at = m, e.To
					break
				}
			}
		}
		now = next
	}
	return states
}
