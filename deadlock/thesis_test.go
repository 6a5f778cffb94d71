package deadlock

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/partition"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// quotientOf is newQuotient, which nothing stops.
func quotientOf(c *component, p *partition.Partition) *quotient {
	q, _ := newQuotient(c, p, nil)
	return q
}

func thesisModel(t *testing.T, name string) func(process string) *lks.Network {
	t.Helper()
	text, err := os.ReadFile("../specs/thesis/" + name)
	if err != nil {
		t.Fatal(err)
	}
	file, err := syntax.Parse(source.NewFile(name, string(text)))
	if err != nil {
		t.Fatal(err)
	}
	model, err := fsp.Compile(file, fsp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return func(process string) *lks.Network {
		n, err := model.Network(process)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
}

// failures returns Fail(M) (Def. 34) for traces up to that length, as strings
// "trace refusal", by following all paths.
func failures(m *lks.LKS, length int) map[string]bool {
	set := map[string]bool{}
	type node struct {
		trace []string
		state int32
	}
	var todo []node
	for _, s := range m.Initial() {
		todo = append(todo, node{nil, s})
	}
	for len(todo) > 0 {
		n := todo[0]
		todo = todo[1:]
		var refusal []string
		for a := 1; a < len(m.Alphabet()); a++ {
			if len(m.Succ(n.state, int32(a))) == 0 {
				refusal = append(refusal, m.Alphabet()[a])
			}
		}
		set[fmt.Sprint(n.trace, refusal)] = true
		if len(n.trace) < length {
			for _, e := range m.Edges(n.state) {
				todo = append(todo, node{append(slices.Clone(n.trace), m.Alphabet()[e.Action]), e.Target})
			}
		}
	}
	return set
}

// paths returns all paths of a component without cycles, as the thesis writes them,
// and its traces.
func paths(m *lks.LKS) (paths, traces []string) {
	type node struct {
		state       int32
		path, trace []string
	}
	var todo []node
	for _, s := range m.Initial() {
		todo = append(todo, node{s, []string{m.StateName(s)}, nil})
	}
	for ; len(todo) > 0; todo = todo[1:] {
		n := todo[0]
		paths = append(paths, strings.Join(n.path, " "))
		traces = append(traces, strings.Join(n.trace, " "))
		for _, e := range m.Edges(n.state) {
			a := m.Alphabet()[e.Action]
			todo = append(todo, node{e.Target, append(slices.Clone(n.path), a, m.StateName(e.Target)), append(slices.Clone(n.trace), a)})
		}
	}
	slices.Sort(traces)
	return paths, slices.Compact(traces)
}

// TestExample19 is figure 10.1: the seven paths and four traces of M1, and the
// failures of M1 and of M1 || M2.
func TestExample19(t *testing.T) {
	model := thesisModel(t, "10-1-failures.lks")
	m1 := model("M1").Components()[0]
	if paths, traces := paths(m1); len(paths) != 7 || !slices.Equal(traces, []string{"", "a", "a b", "a b c"}) {
		t.Errorf("M1 has the paths %q and the traces %q", paths, traces)
	}
	got := slices.Sorted(maps.Keys(failures(m1, 5)))
	want := []string{"[] [b c]", "[a b c] [a b c]", "[a b] [a b]", "[a] [a c]"}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("Fail(M1) = %q, want %q", got, want)
	}
	built, err := model("M").Build(nil)
	if err != nil {
		t.Fatal(err)
	}
	all := failures(built, 6)
	for _, f := range []string{"[] [b bb c]", "[a] [a c]", "[a b bb] [a b bb]", "[a bb b c] [a b bb c]"} {
		if !all[f] {
			t.Errorf("%s is not a failure of M1 || M2, which has %q", f, slices.Sorted(maps.Keys(all)))
		}
	}
	r, err := answer(context.Background(), model("M"), Options{Method: Iter})
	if err != nil || r.Free() || r.Deadlock.Trace.Len() != 4 {
		t.Errorf("M1 || M2: %+v, %v", r, err)
	}
}

// TestExample20 is figure 10.2: deadlock is not compositional.
func TestExample20(t *testing.T) {
	model := thesisModel(t, "10-2-deadlock.lks")
	for process, free := range map[string]bool{
		"M1": false, "M2": false, "M1_M2": true, // (i)
		"M3": true, "M4": true, "M3_M4": false, // (ii)
		"M1_M3": false, // (iii)
		"M1_M4": true,  // (iv)
	} {
		for _, v := range variants {
			r, err := answerBy(context.Background(), model(process), &v.opts, v.find)
			if err != nil || r.Free() != free {
				t.Errorf("%s, %s: free %v, %v; want %v", process, v.name, r.Free(), err, free)
			}
		}
	}
	// (v): the quotient of M1 with one class refuses, as an LKS (Def. 33), what all
	// states of M1 refuse, and so does not deadlock although M1 does; its abstract
	// refusal is everything (Def. 38).
	net := model("M1")
	comps := components(net)
	q := quotientOf(&comps[0], newPartition(comps[0].m))
	if len(q.Members) != 1 || len(q.edges) == 0 {
		t.Fatalf("%d classes, %d edges", len(q.Members), len(q.edges))
	}
	b := lks.NewBuilder("quotient")
	b.State()
	for _, e := range q.edges {
		b.Transition(e.Target, net.Components()[0].Alphabet()[e.Action], e.Target)
	}
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if naive.Explore(lks.Single(m)).Deadlock() >= 0 || naive.Explore(net).Deadlock() < 0 {
		t.Error("the quotient deadlocks, or M1 does not")
	}
	if refusal := abstractRefusal(&comps[0], q, 0); len(refusal) != len(comps[0].rules) {
		t.Errorf("abstract refusal %v of %d actions", refusal, len(comps[0].rules))
	}
}

// randomPartition refines the coarsest partition by chance.
func randomPartition(r *rand.Rand, m *lks.LKS) *partition.Partition {
	p := newPartition(m)
	pieces := 1 + r.IntN(3)
	fresh := &partition.Partition{Class: slices.Repeat([]int32{-1}, m.NumStates())}
	for _, members := range p.Members {
		number := map[int]int32{}
		for _, s := range members {
			k := r.IntN(pieces)
			if _, ok := number[k]; !ok {
				number[k] = int32(len(fresh.Members))
				fresh.Members = append(fresh.Members, nil)
			}
			fresh.Class[s] = number[k]
			fresh.Members[number[k]] = append(fresh.Members[number[k]], s)
		}
	}
	return fresh
}

// ruleFailures returns, for every trace of at most that many rules, the refusals
// (sets of rules) that a component can end with, from the definitions: it follows
// the component's states, or with p the classes of its quotient.
func ruleFailures(c *component, p *partition.Partition, traces [][]int32, net *lks.Network, id int32) map[string][][]bool {
	result := map[string][][]bool{}
	class := func(s int32) int32 {
		if p == nil {
			return s
		}
		return p.Class[s]
	}
	for _, trace := range traces {
		at := map[int32]bool{}
		for _, s := range c.m.Initial() {
			at[class(s)] = true
		}
		for _, r := range trace {
			for _, part := range net.Rules()[r].Parts {
				if part.Component != id {
					continue
				}
				next := map[int32]bool{}
				for s := range int32(c.m.NumStates()) {
					if p != nil && p.Class[s] < 0 || !at[class(s)] {
						continue
					}
					for _, e := range c.m.Succ(s, part.Action) {
						next[class(e.Target)] = true
					}
				}
				at = next
			}
		}
		var refusals [][]bool
		for _, k := range slices.Sorted(maps.Keys(at)) {
			refusal := make([]bool, len(net.Rules()))
			for s := range int32(c.m.NumStates()) {
				if p != nil && p.Class[s] < 0 || class(s) != k {
					continue
				}
				for r, rule := range net.Rules() {
					for _, part := range rule.Parts {
						refusal[r] = refusal[r] || part.Component == id && len(c.m.Succ(s, part.Action)) == 0
					}
				}
			}
			refusals = append(refusals, refusal)
		}
		result[fmt.Sprint(trace)] = refusals
	}
	return result
}

// allTraces returns all sequences of at most that many rules.
func allTraces(rules, length int) [][]int32 {
	traces := [][]int32{{}}
	for from := 0; length > 0; length-- {
		to := len(traces)
		for ; from < to; from++ {
			for r := range rules {
				traces = append(traces, append(slices.Clone(traces[from]), int32(r)))
			}
		}
	}
	return traces
}

// compositeFailures returns the same for the composition, from its explorer.
func compositeFailures(a *composite, length int) map[string]map[string]bool {
	result := map[string]map[string]bool{}
	type node struct {
		trace []int32
		state []uint64
	}
	var todo []node
	initial := a.initial()
	for i := 0; i < len(initial); i += a.states {
		todo = append(todo, node{[]int32{}, initial[i : i+a.states]})
	}
	for len(todo) > 0 {
		n := todo[0]
		todo = todo[1:]
		a.unpack(n.state)
		a.look()
		refusal := make([]bool, len(a.net.Rules()))
		for r := range refusal {
			refusal[r] = !bit(a.must, r)
		}
		key := fmt.Sprint(n.trace)
		if result[key] == nil {
			result[key] = map[string]bool{}
		}
		result[key][fmt.Sprint(refusal)] = true
		if len(n.trace) < length {
			var out successors
			a.fire(n.state, a.chosen(), &out)
			for i, r := range out.rules {
				todo = append(todo, node{append(slices.Clone(n.trace), r), slices.Clone(out.states[i*a.states : (i+1)*a.states])})
			}
		}
	}
	return result
}

// TestTheorems26And30 says that the failures of a composition are the unions of
// its components' failures, and likewise the abstract failures of a composition
// of quotients. Here over rules, with silent steps,
// hiding and relabelling.
func TestTheorems26And30(t *testing.T) {
	const length = 3
	for seed := range soak.Long(uint64(300)) {
		r := gen.Rand(seed)
		shape := gen.Small
		shape.Special = 0
		net, err := gen.Network(r, 3, shape).Build()
		if err != nil || len(net.Rules()) > 9 || net.Low() != nil {
			continue
		}
		comps := components(net)
		traces := allTraces(len(net.Rules()), length)
		for _, abstract := range []bool{false, true} {
			quotients := make([]*quotient, len(comps))
			byComponent := make([]map[string][][]bool, len(comps))
			for i := range comps {
				p := newPartition(comps[i].m).Finest()
				if abstract {
					p = randomPartition(r, comps[i].m)
				}
				quotients[i] = quotientOf(&comps[i], p)
				if !abstract {
					p = nil
				}
				byComponent[i] = ruleFailures(&comps[i], p, traces, net, int32(i))
			}
			got := compositeFailures(compose(net, quotients, false), length)
			for _, trace := range traces {
				key := fmt.Sprint(trace)
				want := map[string]bool{}
				unions := [][]bool{make([]bool, len(net.Rules()))}
				for i := range comps {
					var next [][]bool
					for _, u := range unions {
						for _, f := range byComponent[i][key] {
							union := slices.Clone(u)
							for r := range f {
								union[r] = union[r] || f[r]
							}
							next = append(next, union)
						}
					}
					unions = next
				}
				for _, u := range unions {
					want[fmt.Sprint(u)] = true
				}
				if len(want) != len(got[key]) || !maps.Equal(want, got[key]) && len(want) > 0 {
					t.Fatalf("seed %d, abstract %v, trace %v: failures %v, want %v", seed, abstract, trace, got[key], want)
				}
			}
		}
	}
}

// TestTheorem27 says that the image of every path of a component is one of its
// quotient, step by step; and that the class of a state refuses at least as much, as
// Theorem 28 needs.
func TestTheorem27(t *testing.T) {
	for seed := range soak.Cases(uint64(500)) {
		r := gen.Rand(seed)
		net := lks.Single(gen.LKS(r, "M", gen.Small))
		comps := components(net)
		p := randomPartition(r, comps[0].m)
		q := quotientOf(&comps[0], p)
		for s, k := range p.Class {
			if k < 0 {
				continue
			}
			for _, e := range comps[0].m.Edges(int32(s)) {
				leads := func(f lks.Edge) bool { return f.Target == p.Class[e.Target] }
				if !slices.ContainsFunc(q.targets(k, e.Action), leads) {
					t.Fatalf("seed %d: no abstract transition for %d %v", seed, s, e)
				}
			}
			for a := range comps[0].rules {
				refuses := len(comps[0].m.Succ(int32(s), int32(a))) == 0
				if refuses && !q.refuses(k, int32(a)) {
					t.Fatalf("seed %d: the class of %d does not refuse %d", seed, s, a)
				}
				offered, all := q.offers(k)
				if q.refuses(k, int32(a)) == slices.Contains(offered[:all], comps[0].rules[a][0]) {
					t.Fatalf("seed %d: what all offer disagrees with the abstract refusal", seed)
				}
			}
		}
		for _, s := range comps[0].m.Initial() {
			if !slices.Contains(q.initial, p.Class[s]) {
				t.Fatalf("seed %d: an initial state's class is not initial", seed)
			}
		}
	}
}

// TestLemma1 says that a network deadlocks only if the composition of its
// quotients has an abstract deadlock, whatever the partitions, with and without
// stubborn sets, which must find the same.
func TestLemma1(t *testing.T) {
	free := 0
	for seed := range soak.Long(uint64(3000)) {
		net := randomNet(seed)
		if seed%2 == 0 {
			net = gen.Meeting(gen.Rand(seed), 4, 5)
		}
		if net == nil {
			continue
		}
		r := gen.Rand(seed + 1)
		comps := components(net)
		quotients := make([]*quotient, len(comps))
		for i := range comps {
			quotients[i] = quotientOf(&comps[i], randomPartition(r, comps[i].m))
		}
		var depth [2]int
		for i, reduce := range []bool{false, true} {
			s := newAbsSearch(compose(net, quotients, reduce), newPace(testMeter(), nil))
			paths, err := s.run(1)
			if err != nil {
				t.Fatal(err)
			}
			depth[i] = -1
			if len(paths) > 0 {
				depth[i] = len(paths[0].rules)
			}
		}
		if depth[0] != depth[1] {
			t.Fatalf("seed %d: nearest abstract deadlock at %d, with stubborn sets at %d", seed, depth[0], depth[1])
		}
		if depth[0] < 0 {
			free++
			if naive.Explore(net).Deadlock() >= 0 {
				t.Fatalf("seed %d: no abstract deadlock, but a concrete one", seed)
			}
		}
	}
	if free < soak.Long(100) {
		t.Errorf("only %d networks without abstract deadlocks", free)
	}
}

// TestSplit compares Split with condition 9.1 of the thesis.
func TestSplit(t *testing.T) {
	proper := 0
	for seed := range soak.Cases(uint64(2000)) {
		r := gen.Rand(seed)
		m := gen.LKS(r, "M", gen.Shape{States: 8, Actions: []string{"a", "b", "c"}, Degree: 2})
		p := randomPartition(r, m)
		k := int32(r.IntN(len(p.Members)))
		var actions []int32
		for a := range int32(len(m.Alphabet())) {
			if r.IntN(2) == 0 {
				actions = append(actions, a)
			}
		}
		abstractSuccessors := func(s, a int32) string {
			set := map[int32]bool{}
			for _, e := range m.Succ(s, a) {
				set[p.Class[e.Target]] = true
			}
			return fmt.Sprint(slices.Sorted(maps.Keys(set)))
		}
		same := func(s, t int32) bool {
			return !slices.ContainsFunc(actions, func(a int32) bool { return abstractSuccessors(s, a) != abstractSuccessors(t, a) })
		}
		q := p.Clone()
		pieces := (&cut{class: k, actions: actions}).split(q, p, m)
		if pieces > 1 {
			proper++
		}
		for i, s := range p.Members[k] {
			for _, u := range p.Members[k][:i] {
				if (q.Class[s] == q.Class[u]) != same(s, u) {
					t.Fatalf("seed %d: %d and %d: split %v, abstract successors equal %v", seed, s, u, q.Class[s] != q.Class[u], same(s, u))
				}
			}
		}
		for c, members := range q.Members {
			for _, s := range members {
				if q.Class[s] != int32(c) || p.Class[s] != k && p.Class[s] != int32(c) {
					t.Fatalf("seed %d: state %d is in class %d", seed, s, c)
				}
			}
		}
	}
	if proper < 100 {
		t.Errorf("only %d proper refinements", proper)
	}
}

// TestIsFailure compares Procedure 10.1 with Def. 34.
func TestIsFailure(t *testing.T) {
	yes := 0
	for seed := range soak.Cases(uint64(1000)) {
		r := gen.Rand(seed)
		m := gen.LKS(r, "M", gen.Shape{States: 6, Actions: []string{"a", "b", "c"}, Degree: 2.5})
		net := lks.Single(m)
		comps := components(net)
		q := quotientOf(&comps[0], newPartition(m))
		fails := failures(m, 4)
		trace := make([]int32, r.IntN(4))
		names := make([]string, len(trace))
		for i := range trace {
			trace[i] = 1 + int32(r.IntN(len(m.Alphabet())-1))
			names[i] = m.Alphabet()[trace[i]]
		}
		// All sets that contain the one asked for.
		asked := r.IntN(1 << (len(m.Alphabet()) - 1))
		want := false
		for set := range 1 << (len(m.Alphabet()) - 1) {
			if set&asked != asked {
				continue
			}
			var refusal []string
			for a := 1; a < len(m.Alphabet()); a++ {
				if set>>(a-1)&1 != 0 {
					refusal = append(refusal, m.Alphabet()[a])
				}
			}
			want = want || fails[fmt.Sprint(names, refusal)]
		}
		var refusal []int32
		for a := 1; a < len(m.Alphabet()); a++ {
			if asked>>(a-1)&1 != 0 {
				refusal = append(refusal, int32(a))
			}
		}
		s := simulate(m, trace).isFailure(q, refusal, 0)
		if (s >= 0) != want {
			t.Fatalf("seed %d: isFailure %v, by definition %v", seed, s >= 0, want)
		}
		if want {
			yes++
			if path := simulate(m, trace).pathTo(s); path[len(trace)] != s || !slices.Contains(m.Initial(), path[0]) {
				t.Fatalf("seed %d: path %v", seed, path)
			}
		}
	}
	if n := soak.Cases(1000); yes < n/10 || yes > n*9/10 {
		t.Errorf("%d of %d are failures", yes, n)
	}
}
