package deadlock

import (
	"fmt"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/partition"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
)

// refusalOf is the abstract refusal of a class (Def. 38), the union of its members'
// refusals (Def. 33), as a set of local actions, tau among them.
func refusalOf(m *lks.LKS, members []int32) uint64 {
	var refusal uint64
	for _, s := range members {
		for a := range m.Alphabet() {
			if len(m.Succ(s, int32(a))) == 0 {
				refusal |= 1 << a
			}
		}
	}
	return refusal
}

// abstractFailures returns AbsFail of the quotient of m by p (Def. 37 and 39) for
// all traces up to that length: the refusals by trace. With the identity it is
// Fail(m) (Def. 34).
func abstractFailures(m *lks.LKS, p *partition.Partition, length int) map[string]map[uint64]bool {
	result := map[string]map[uint64]bool{}
	type node struct {
		trace []int32
		class int32
	}
	var todo []node
	for _, s := range m.Initial() {
		todo = append(todo, node{[]int32{}, p.Class[s]})
	}
	for seen := map[string]bool{}; len(todo) > 0; {
		n := todo[0]
		todo = todo[1:]
		if key := fmt.Sprint(n); seen[key] {
			continue
		} else {
			seen[key] = true
		}
		key := fmt.Sprint(n.trace)
		if result[key] == nil {
			result[key] = map[uint64]bool{}
		}
		result[key][refusalOf(m, p.Members[n.class])] = true
		if len(n.trace) == length {
			continue
		}
		for _, s := range p.Members[n.class] {
			for _, e := range m.Edges(s) {
				todo = append(todo, node{append(slices.Clone(n.trace), e.Action), p.Class[e.Target]})
			}
		}
	}
	return result
}

// TestTheorem28 says that every failure of a component is subsumed by an abstract
// failure of its quotient, with the same trace and a refusal at least as large.
func TestTheorem28(t *testing.T) {
	failures, larger := 0, 0
	for seed := range soak.Cases(uint64(300)) {
		r := gen.Rand(seed)
		m := gen.LKS(r, "M", gen.Shape{States: 6, Actions: []string{"a", "b", "c"}, Degree: 1.5, Tau: 0.1})
		abstract := abstractFailures(m, randomPartition(r, m), 4)
		for trace, refusals := range abstractFailures(m, newPartition(m).Finest(), 4) {
			for f := range refusals {
				failures++
				subsumed := false
				for g := range abstract[trace] {
					subsumed = subsumed || g&f == f
				}
				if !subsumed {
					t.Fatalf("seed %d: failure (%s, %b), abstract refusals %v", seed, trace, f, abstract[trace])
				}
				if !abstract[trace][f] {
					larger++
				}
			}
		}
	}
	if failures < soak.Cases(1000) || larger < failures/10 {
		t.Errorf("%d failures, of %d the abstract refusal is larger", failures, larger)
	}
}

// TestTheorem29 takes paths of compositions of quotients as they are searched, and
// says that what a component does on a path, with the abstract refusal of its last
// class, is an abstract failure of its quotient.
func TestTheorem29(t *testing.T) {
	const length = 4
	paths, steps := 0, 0
	for seed := range soak.Long(uint64(600)) {
		r := gen.Rand(seed)
		net := gen.Meeting(r, 4, 5)
		if seed%2 == 0 {
			net = randomNet(seed)
		}
		if net == nil {
			continue
		}
		comps := components(net)
		quotients := make([]*quotient, len(comps))
		fails := make([]map[string]map[uint64]bool, len(comps))
		for i := range comps {
			p := randomPartition(r, comps[i].m)
			quotients[i] = quotientOf(&comps[i], p)
			fails[i] = abstractFailures(comps[i].m, p, length)
		}
		a := compose(net, quotients, false)
		for range 5 {
			path := randomPath(r.IntN, a, length)
			paths++
			steps += len(path.rules)
			for i := range comps {
				actions, classes := path.project(net, int32(i))
				last := path.classes[len(path.rules)][i]
				if actions == nil {
					actions = []int32{}
				}
				if classes[len(classes)-1] != last {
					t.Fatalf("seed %d: component %d ends in %d, its projection in %v", seed, i, last, classes)
				}
				if refusal := refusalOf(comps[i].m, quotients[i].Members[last]); !fails[i][fmt.Sprint(actions)][refusal] {
					t.Fatalf("seed %d, path %v: (%v, %b) is no abstract failure of component %d, which has %v",
						seed, path.rules, actions, refusal, i, fails[i][fmt.Sprint(actions)])
				}
			}
		}
	}
	if steps < paths {
		t.Errorf("%d paths of %d steps in all", paths, steps)
	}
}

// randomPath walks through a composite.
func randomPath(intN func(int) int, a *composite, length int) abstractPath {
	states := successors{states: a.initial()}
	states.rules = make([]int32, len(states.states)/a.states)
	var path abstractPath
	for {
		i := intN(len(states.rules))
		packed := slices.Clone(states.states[i*a.states : (i+1)*a.states])
		if len(path.classes) > 0 {
			path.rules = append(path.rules, states.rules[i])
		}
		a.unpack(packed)
		path.classes = append(path.classes, slices.Clone(a.local))
		a.look()
		a.fire(packed, a.chosen(), &states)
		if len(states.rules) == 0 || len(path.rules) == length || a.kind() != lks.Normal {
			return path
		}
	}
}

// TestLemma2 says that a valid counterexample (Def. 41) is a deadlock of the
// network, and that it is confirmed.
func TestLemma2(t *testing.T) {
	valid, spurious := 0, 0
	for seed := range soak.Cases(uint64(1500)) {
		r := gen.Rand(seed)
		net := gen.Meeting(r, 4, 5)
		comps := components(net)
		quotients := make([]*quotient, len(comps))
		for i := range comps {
			p := newPartition(comps[i].m).Finest()
			if r.IntN(2) == 0 {
				p = randomPartition(r, comps[i].m)
			}
			quotients[i] = quotientOf(&comps[i], p)
		}
		a := compose(net, quotients, seed%2 == 0)
		found, err := newAbsSearch(a, newPace(testMeter(), nil)).run(4)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			if len(path.rules) > 5 {
				continue // the definitions below are followed trace by trace
			}
			isValid := true
			for i := range comps {
				actions, classes := path.project(net, int32(i))
				if actions == nil {
					actions = []int32{}
				}
				fails := abstractFailures(comps[i].m, newPartition(comps[i].m).Finest(), len(actions))
				refusal := refusalOf(comps[i].m, quotients[i].Members[classes[len(classes)-1]])
				isValid = isValid && fails[fmt.Sprint(actions)][refusal]
			}
			if !isValid {
				spurious++
				continue
			}
			valid++
			trial := newTrial(a, comps, path)
			final := trial.confirm(a, comps)
			if final == nil || naive.Explore(net).Deadlock() < 0 {
				t.Fatalf("seed %d, valid counterexample %v: confirmed as %v, naively at depth %d", seed, path.rules, final, naive.Explore(net).Deadlock())
			}
			if tr := trial.trace(net, final); replayDeadlock(net, tr) != nil {
				t.Fatalf("seed %d: %v", seed, replayDeadlock(net, tr))
			}
		}
	}
	if valid < soak.Cases(100) || spurious < soak.Cases(100) {
		t.Errorf("%d valid, %d spurious", valid, spurious)
	}
	t.Logf("%d valid, %d spurious", valid, spurious)
}
