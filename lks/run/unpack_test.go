package run_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/lks/run"
)

// randomNetwork returns the network of a seed: one in three has no propositions, one in
// three no special states.
func randomNetwork(t *testing.T, seed uint64) *lks.Network {
	t.Helper()
	shape := gen.Small
	switch seed % 3 {
	case 0:
		shape.Props = 0
	case 1:
		shape.Special = 0
	}
	n, err := gen.Network(gen.Rand(seed), 4, shape).Build()
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	return n
}

func cases() uint64 {
	if testing.Short() {
		return 300
	}
	return 12000
}

// TestRandomRuns replays a shortest run to some states, finds it again by its events, and
// sees that exactly the steps of explorers are accepted.
func TestRandomRuns(t *testing.T) {
	special := map[lks.Kind]int{}
	for seed := range cases() {
		n := randomNetwork(t, seed)
		reached, err := explore.Reach(n, explore.Options{Traces: true})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for s := int32(0); int(s) < reached.Len(); s += 1 + int32(seed%5) {
			r, err := reached.Trace(s)
			if err != nil {
				t.Fatalf("seed %d: trace to state %d: %v", seed, s, err)
			}
			if err := r.Replay(n); err != nil {
				t.Fatalf("seed %d: trace to state %d: %v", seed, s, err)
			}
			stands(t, n, r, reached.State(s), seed)
			special[r.Last.Kind]++
			again, err := run.Find(n, r.Events())
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if err := again.Replay(n); err != nil || again.String() != r.String() {
				t.Fatalf("seed %d: %v, found as %v: %v", seed, r, again, err)
			}
		}
		if reached.Len() <= 12 && len(n.Rules()) <= 30 {
			checkSteps(t, n, reached, seed)
		}
	}
	if special[lks.End] < int(cases()/60) || special[lks.Error] < int(cases()/30) {
		t.Errorf("too few special states: %v", special)
	}
}

// stands checks that the end of a run is one of those for which a packed state stands.
func stands(t *testing.T, n *lks.Network, r *run.Run, state []uint64, seed uint64) {
	t.Helper()
	packed := make([]uint64, n.Words())
	n.Pack(r.Last.Local, packed)
	if n.Canonicalise(packed); !slices.Equal(packed, state) {
		t.Fatalf("seed %d: the run ends in %v, which is stored as another state", seed, r.Last.Local)
	}
}

// checkSteps looks at every pair of states and every rule: a step is accepted iff it is
// one; and so are initial states.
func checkSteps(t *testing.T, n *lks.Network, reached *explore.Reached, seed uint64) {
	t.Helper()
	e := n.Explorer()
	var succ lks.Successors
	w := n.Words()
	among := func(state []uint64, rule int32) bool {
		for i, r := range succ.Rules {
			if r == rule && slices.Equal(succ.States[i*w:(i+1)*w], state) {
				return true
			}
		}
		return false
	}
	e.Initial(&succ)
	for s := range int32(reached.Len()) {
		if err := run.CheckInitial(n, reached.State(s)); (err == nil) != among(reached.State(s), -1) {
			t.Fatalf("seed %d: state %d as an initial one: %v", seed, s, err)
		}
	}
	for s := range int32(reached.Len()) {
		e.Successors(reached.State(s), &succ)
		for u := range int32(reached.Len()) {
			for rule := range int32(len(n.Rules())) {
				is := among(reached.State(u), rule)
				if err := run.CheckStep(n, reached.State(s), rule, reached.State(u)); (err == nil) != is {
					t.Fatalf("seed %d: step %d -%d-> %d: %v, but is a step: %v", seed, s, rule, u, err, is)
				}
			}
		}
	}
}

// TestPossible compares with the slow twin, on all states that it reaches.
func TestPossible(t *testing.T) {
	low := 0
	for seed := range cases() / 3 {
		n := randomNetwork(t, seed)
		if len(n.Low()) > 0 {
			low++
		}
		g := naive.Explore(n)
		for s, local := range g.States {
			var want []int32
			for _, e := range g.Edges[s] {
				want = append(want, int32(e.Rule))
			}
			slices.Sort(want)
			if got := run.Possible(n, local); !slices.Equal(got, slices.Compact(want)) {
				t.Fatalf("seed %d: in %v rules %v are possible, not %v", seed, local, want, got)
			}
		}
	}
	if low == 0 {
		t.Error("no network had priorities")
	}
}

// A run shows who failed, and where, although the network stores one state for all that
// are in error.
func TestUnpackError(t *testing.T) {
	build := func(name, action string) *lks.Network {
		b := lks.NewBuilder(name)
		from, wrong := b.State(), b.StateID(lks.Error, nil)
		b.Transition(from, action, wrong)
		m, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return lks.Single(m)
	}
	n, err := lks.Compose("N", build("P", "a"), build("Q", "b"))
	if err != nil {
		t.Fatal(err)
	}
	for action, want := range map[string][]int32{"a": {1, 0}, "b": {0, 1}} {
		r, err := run.Find(n, []string{action})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(r.Last.Local, want) || r.Last.Kind != lks.Error {
			t.Errorf("after %s: %+v", action, r.Last)
		}
	}
	if _, err := run.Find(n, []string{"a", "b"}); err == nil || !strings.Contains(err.Error(), "after 1 of 2 actions, b is not possible") {
		t.Errorf("a run goes on after an error: %v", err)
	}
	state := make([]uint64, n.Words())
	n.Pack([]int32{1, 0}, state)
	n.Canonicalise(state)
	if _, err := run.Unpack(n, [][]uint64{state}, nil, -1); err == nil {
		t.Error("a run that starts in error is unpacked")
	}
}

// allocations counts those of f, thrice: others may allocate meanwhile, and a collection may
// empty a pool that f takes from, but not each time.
func allocations(f func()) float64 {
	return min(testing.AllocsPerRun(1, f), testing.AllocsPerRun(1, f), testing.AllocsPerRun(1, f))
}

// A long run costs memory for its steps and local states, not for a list of names at each
// step; nor does Replay leave garbage behind.
func TestLongRunsShareLists(t *testing.T) {
	net, err := lks.Compose("N", cycle(t, "R", "a", "b", "c"), cycle(t, "Q", "b", "d"))
	if err != nil {
		t.Fatal(err)
	}
	const length = 5000
	var succ lks.Successors
	e := net.Explorer()
	e.Initial(&succ)
	states, rules := [][]uint64{succ.States}, []int32(nil)
	for i := range length {
		var next lks.Successors
		e.Successors(states[i], &next)
		states, rules = append(states, next.States[:net.Words()]), append(rules, next.Rules[0])
	}
	var r *run.Run
	if n := allocations(func() { r, err = run.Unpack(net, states, rules, -1) }); err != nil || n > 200 {
		t.Errorf("description of %d steps: %v allocations, %v", length, n, err)
	}
	if n := allocations(func() { err = r.Replay(net) }); err != nil || n > 200 {
		t.Errorf("replay of %d steps: %v allocations, %v", length, n, err)
	}
}
