package passes

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// explored is all that can be reached of a system, by enumeration.
type explored struct {
	sys   *program.System
	seen  map[string]int
	nodes []node
	bad   int // a node in an error region, -1 if there is none
}

type node struct {
	at     int
	state  logic.Model
	from   int
	edge   int
	chosen logic.Model
}

func holds(t *testing.T, f *logic.Term, m logic.Model) bool {
	t.Helper()
	ok, err := logic.Holds(f, m)
	if err != nil {
		t.Fatal(err)
	}
	return ok
}

func explore(t *testing.T, sys *program.System) *explored {
	x := &explored{sys: sys, seen: map[string]int{}, bad: -1}
	visit := func(n node) {
		key := fmt.Sprint(n.at, " ", n.state)
		if _, known := x.seen[key]; !known {
			x.seen[key] = len(x.nodes)
			x.nodes = append(x.nodes, n)
		}
	}
	for _, r := range sys.Init {
		for _, m := range naive.Valuations(sys.Vars, gen.SystemMax) {
			if holds(t, r.Where, m) {
				visit(node{at: r.Location, state: m, from: -1})
			}
		}
	}
	for i := 0; i < len(x.nodes); i++ {
		n := x.nodes[i]
		for _, r := range sys.Error {
			if x.bad < 0 && r.Location == n.at && holds(t, r.Where, n.state) {
				x.bad = i
			}
		}
		for k, e := range sys.Edges {
			if e.From != n.at {
				continue
			}
			for _, chosen := range naive.Valuations(e.Command.Inputs, gen.SystemMax) {
				if next, err := e.Command.Step(n.state, chosen); err == nil {
					visit(node{at: e.To, state: next, from: i, edge: k, chosen: chosen})
				}
			}
		}
	}
	return x
}

// run is the way to the error.
func (x *explored) run() *program.Trace {
	t := &program.Trace{}
	for i := x.bad; ; i = x.nodes[i].from {
		n := x.nodes[i]
		t.States = append(t.States, n.state)
		if n.from < 0 {
			t.Start = n.at
			break
		}
		t.Edges, t.Inputs = append(t.Edges, n.edge), append(t.Inputs, n.chosen)
	}
	slices.Reverse(t.States)
	slices.Reverse(t.Edges)
	slices.Reverse(t.Inputs)
	return t
}

// strongest is what is reached, as an invariant.
func (x *explored) strongest() []*logic.Term {
	return x.states(func(node) bool { return true }, x.nodes)
}

func (x *explored) states(in func(node) bool, nodes []node) []*logic.Term {
	cubes := make([][]*logic.Term, len(x.sys.Locations))
	for _, n := range nodes {
		if !in(n) {
			continue
		}
		var cube []*logic.Term
		for _, v := range x.sys.Vars {
			cube = append(cube, logic.Eq(v, n.state[v.Name()].Term()))
		}
		cubes[n.at] = append(cubes[n.at], logic.And(cube...))
	}
	inv := make([]*logic.Term, len(cubes))
	for l, c := range cubes {
		inv[l] = logic.Or(c...)
	}
	return inv
}

// weakest are all states from which no error can be reached, as an invariant.
func weakest(t *testing.T, sys *program.System) []*logic.Term {
	x := &explored{sys: sys}
	for l := range sys.Locations {
		for _, m := range naive.Valuations(sys.Vars, gen.SystemMax) {
			x.nodes = append(x.nodes, node{at: l, state: m})
		}
	}
	key := func(l int, m logic.Model) string { return fmt.Sprint(l, " ", m) }
	number := map[string]int{}
	for i, n := range x.nodes {
		number[key(n.at, n.state)] = i
	}
	before := make([][]int, len(x.nodes))
	var work []int
	bad := make([]bool, len(x.nodes))
	for i, n := range x.nodes {
		for _, r := range sys.Error {
			if !bad[i] && r.Location == n.at && holds(t, r.Where, n.state) {
				bad[i], work = true, append(work, i)
			}
		}
		for _, e := range sys.Edges {
			if e.From != n.at {
				continue
			}
			for _, chosen := range naive.Valuations(e.Command.Inputs, gen.SystemMax) {
				if next, err := e.Command.Step(n.state, chosen); err == nil {
					if k, ok := number[key(e.To, next)]; ok {
						before[k] = append(before[k], i)
					}
				}
			}
		}
	}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		for _, k := range before[i] {
			if !bad[k] {
				bad[k], work = true, append(work, k)
			}
		}
	}
	return x.states(func(n node) bool { return !bad[number[key(n.at, n.state)]] }, x.nodes)
}

// inductive says what is wrong with an invariant, by enumeration.
func inductive(t *testing.T, sys *program.System, inv []*logic.Term) string {
	t.Helper()
	for _, m := range naive.Valuations(sys.Vars, gen.SystemMax) {
		in := make([]bool, len(inv))
		for l := range inv {
			in[l] = holds(t, inv[l], m)
		}
		for _, r := range sys.Init {
			if holds(t, r.Where, m) && !in[r.Location] {
				return fmt.Sprintf("initial %s is not in %s", m, inv[r.Location])
			}
		}
		for _, r := range sys.Error {
			if in[r.Location] && holds(t, r.Where, m) {
				return fmt.Sprintf("error %s at %s is in %s", m, sys.Locations[r.Location].Name, inv[r.Location])
			}
		}
		for _, e := range sys.Edges {
			if !in[e.From] {
				continue
			}
			for _, chosen := range naive.Valuations(e.Command.Inputs, gen.SystemMax) {
				if next, err := e.Command.Step(m, chosen); err == nil && !holds(t, inv[e.To], next) {
					return fmt.Sprintf("%s leads from %s, in %s, to %s, not in %s", e.Name, m, inv[e.From], next, inv[e.To])
				}
			}
		}
	}
	return ""
}

func describe(sys *program.System) string {
	out := ""
	for _, r := range sys.Init {
		out += fmt.Sprintf("init %s: %s\n", sys.Locations[r.Location].Name, r.Where)
	}
	for _, r := range sys.Error {
		out += fmt.Sprintf("error %s: %s\n", sys.Locations[r.Location].Name, r.Where)
	}
	for _, e := range sys.Edges {
		out += fmt.Sprintf("%s: %s -> %s %v [%s]", e.Name, sys.Locations[e.From].Name, sys.Locations[e.To].Name, e.Command.Inputs, e.Command.Guard)
		for _, v := range assigned(e.Command) {
			out += fmt.Sprintf(" %s := %s", v, e.Command.Update[v])
		}
		out += "\n"
	}
	return out
}

// some are passes in a random order: often one alone.
func some(r *rand.Rand) []Pass {
	all := slices.DeleteFunc(Default(), func(p Pass) bool { return p == Split })
	r.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	if r.IntN(2) == 0 {
		return all[:1]
	}
	return all[:1+r.IntN(len(all))]
}

// choose chooses one of some variables, or that with another, to split by.
func choose(r *rand.Rand, sys *program.System, vars []*logic.Term) []*logic.Term {
	v, w := vars[r.IntN(len(vars))], sys.Vars[r.IntN(len(sys.Vars))]
	if r.IntN(2) == 0 || v == w || !plain(w) {
		return []*logic.Term{v}
	}
	return []*logic.Term{v, w}
}

// withRemainders takes remainders of some values, of edges whose guards keep variables within bounds.
func withRemainders(r *rand.Rand, sys *program.System) *program.System {
	out := *sys
	out.Edges = slices.Clone(sys.Edges)
	for i := range out.Edges {
		c := *out.Edges[i].Command
		c.Update = maps.Clone(c.Update)
		for _, v := range assigned(&c) {
			t := c.Update[v]
			if v.Sort() != logic.Int || r.IntN(2) == 0 {
				continue
			}
			for _, x := range logic.Vars(t) {
				if x.Sort() == logic.Int && r.IntN(3) > 0 {
					c.Guard = logic.And(c.Guard, logic.Le(logic.IntConst(0), x), logic.Le(x, logic.IntConst(int64(r.IntN(gen.SystemMax+1)))))
				}
			}
			c.Update[v] = logic.IntMod(t, logic.IntConst(int64(2+r.IntN(gen.SystemMax))))
		}
		out.Edges[i].Command = &c
	}
	return &out
}

// TestPasses: passes in all combinations change no verdict, by enumeration; runs come back as
// runs, and invariants, the strongest and the weakest one, as invariants.
func TestPasses(t *testing.T) {
	systems := []func(*rand.Rand) *program.System{gen.NewLinesSystem, gen.NewLinesSystem, gen.NewBranchingSystem, gen.NewSystem, gen.NewFlagSystem}
	did, verdicts := map[Pass]int{}, map[bool]int{}
	n := soak.Long(uint64(40))
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 163))
		sys := systems[r.IntN(len(systems))](r)
		if r.IntN(3) > 0 {
			sys = withRemainders(r, sys)
		}
		list := some(r)
		p := Apply(context.Background(), sys, list)
		if vars := decides(p.System); len(vars) > 0 && r.IntN(2) == 0 { // whether it pays or not
			if m := split(p.subject(), choose(r, p.System, vars)...); m != nil {
				p.take(m, Split)
				p.simplify(context.Background(), list[:min(len(list), r.IntN(3))])
			}
		}
		fail := func(format string, args ...any) {
			t.Helper()
			t.Fatalf("seed %d, passes %v: %s\n%s\nafter:\n%s", seed, list, fmt.Sprintf(format, args...), describe(sys), describe(p.System))
		}
		for _, s := range p.Sizes[1:] {
			did[s.After]++
		}
		if err := p.System.Validate(); err != nil {
			fail("%v", err)
		}
		unsafe := naive.Unsafe(sys, gen.SystemMax)
		verdicts[unsafe]++
		x := explore(t, p.System)
		if unsafe != (x.bad >= 0) {
			fail("an error is reachable: %t before, %t after", unsafe, !unsafe)
		}
		if unsafe {
			if _, err := p.Trace(x.run()); err != nil {
				fail("%v", err)
			}
			continue
		}
		for _, inv := range [][]*logic.Term{x.strongest(), weakest(t, p.System)} {
			if wrong := inductive(t, p.System, inv); wrong != "" {
				fail("the test's own invariant: %s", wrong)
			}
			if wrong := inductive(t, sys, p.Invariant(inv)); wrong != "" {
				fail("%s", wrong)
			}
		}
	}
	t.Log(did, verdicts)
	for _, pass := range Default() {
		if n >= 40 && did[pass] < int(n)/20 {
			t.Errorf("%s was done %d times", pass, did[pass])
		}
	}
	if n >= 40 && (verdicts[true] < int(n)/5 || verdicts[false] < int(n)/5) {
		t.Errorf("errors are reachable: %v", verdicts)
	}
}

// satisfied reports that some values satisfy one of several formulas.
func satisfied(t *testing.T, all []*logic.Term) bool {
	for _, f := range all {
		for _, m := range naive.Valuations(logic.Vars(f), gen.SystemMax) {
			if holds(t, f, m) {
				return true
			}
		}
	}
	return false
}

// TestObligations: none is satisfied, by enumeration, of what passes make; where an edge is
// missing, or a fact is taken for known that is none, one is.
func TestObligations(t *testing.T) {
	did, found, facts := 0, 0, 0
	for seed := range soak.Long(uint64(60)) {
		r := rand.New(rand.NewPCG(seed, 164))
		sys := []func(*rand.Rand) *program.System{gen.NewLinesSystem, gen.NewBranchingSystem, gen.NewSystem, gen.NewFlagSystem}[r.IntN(4)](r)
		p := Apply(context.Background(), sys, some(r))
		if vars := decides(p.System); len(vars) > 0 {
			if m := split(p.subject(), choose(r, p.System, vars)...); m != nil {
				p.images = append(p.images, m)
			}
		}
		for n, m := range p.images {
			if satisfied(t, m.facts()) || satisfied(t, m.steps()) {
				t.Fatalf("seed %d: image %d has an obligation that can be satisfied\n%s", seed, n, describe(m.from))
			}
			if len(m.steps()) == 0 || len(m.to.Edges) == 0 {
				continue
			}
			did++
			wrong := *m
			i := r.IntN(len(m.to.Edges))
			to := *m.to
			to.Edges, wrong.ways = slices.Delete(slices.Clone(to.Edges), i, i+1), slices.Delete(slices.Clone(m.ways), i, i+1)
			wrong.to = &to
			e := m.to.Edges[i]
			where := m.known(m.before(e.From))
			if m.where != nil {
				where = logic.And(where, m.where[e.From])
			}
			if taken := logic.And(where, m.from.Edges[m.ways[i].edge].Command.Guard); satisfied(t, []*logic.Term{taken}) {
				if found++; !satisfied(t, wrong.steps()) {
					t.Fatalf("seed %d: nobody misses edge %d of image %d\n%s", seed, i, n, describe(m.from))
				}
			}
			x := explore(t, m.from)
			for _, at := range x.nodes {
				v := m.from.Vars[r.IntN(len(m.from.Vars))]
				wrong := *m
				wrong.holds = slices.Clone(m.holds)
				if wrong.holds == nil {
					wrong.holds = make([]*logic.Term, len(m.from.Locations))
				}
				wrong.holds[at.at] = logic.Ne(v, at.state[v.Name()].Term())
				if facts++; !satisfied(t, wrong.facts()) {
					t.Fatalf("seed %d: %s is reached, and taken to be %s", seed, at.state, wrong.holds[at.at])
				}
				break
			}
		}
	}
	if found == 0 || facts == 0 {
		t.Errorf("%d edges and %d facts of %d images", found, facts, did)
	}
	t.Log(did, found, facts)
}
