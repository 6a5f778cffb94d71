package lks_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
)

// slowly evaluates a composition by maps. A composite of several processes stays
// a list of them, as in FSP, until hiding or merging makes it one process.
func slowly(e *gen.Expr) []*naive.Process {
	if e.Op == gen.Component {
		return []*naive.Process{naive.FromLKS(e.LKS)}
	}
	var parts []*naive.Process
	for _, p := range e.Parts {
		parts = append(parts, slowly(p)...)
	}
	one := func() *naive.Process {
		if len(parts) == 1 {
			return parts[0]
		}
		return naive.Parallel(parts...)
	}
	inSet := func(a string) bool { return e.Set[a] }
	switch e.Op {
	case gen.Hide:
		return []*naive.Process{one().Relabel(func(a string) []string {
			if e.Set[a] {
				return []string{lks.TauName}
			}
			return []string{a}
		})}
	case gen.Relabel:
		if merges(parts, e.Relabelling()) {
			return []*naive.Process{one().Relabel(e.Relabelling())}
		}
		for i, p := range parts {
			parts[i] = p.Relabel(e.Relabelling())
		}
	case gen.Yield:
		return []*naive.Process{one().Yield(inSet)}
	case gen.Observe:
		o := naive.FromLKS(e.LKS)
		o.Observer = true
		return []*naive.Process{naive.Parallel(append(parts, o)...)}
	}
	return parts
}

// merges reports whether two different actions get one name.
func merges(parts []*naive.Process, new func(string) []string) bool {
	old := map[string]string{}
	for _, p := range parts {
		for a := range p.Alphabet {
			for _, b := range new(a) {
				if c, ok := old[b]; ok && c != a {
					return true
				}
				old[b] = a
			}
		}
	}
	return false
}

// fromExplorer reads the reachable states of a network off its explorer.
func fromExplorer(t *testing.T, n *lks.Network) *naive.Process {
	p := &naive.Process{
		Alphabet: map[string]bool{}, Initial: map[string]bool{}, Kind: map[string]lks.Kind{},
		Label: map[string]map[string]bool{}, Edges: map[string]map[naive.Step]bool{},
	}
	for _, a := range n.Alphabet()[1:] {
		p.Alphabet[a] = true
	}
	var todo [][]uint64
	name := func(state []uint64) string {
		key := fmt.Sprint(state)
		if _, ok := p.Kind[key]; !ok {
			p.Kind[key] = n.Kind(state)
			p.Label[key] = map[string]bool{}
			p.Edges[key] = map[naive.Step]bool{}
			for _, q := range n.Props() {
				c, i, ok := n.Prop(q)
				if !ok {
					t.Fatalf("%s is not found", q)
				}
				if n.HasProp(state, c, i) {
					p.Label[key][q] = true
				}
			}
			todo = append(todo, slices.Clone(state))
		}
		return key
	}
	e := n.Explorer()
	var succ lks.Successors
	w := n.Words()
	e.Initial(&succ)
	for i, r := range succ.Rules {
		if r != -1 {
			t.Fatalf("initial state by rule %d", r)
		}
		p.Initial[name(succ.States[i*w:(i+1)*w])] = true
	}
	for len(todo) > 0 {
		state := todo[0]
		todo = todo[1:]
		e.Successors(state, &succ)
		from := fmt.Sprint(state)
		seen := map[string]bool{}
		for i, r := range succ.Rules {
			to := name(succ.States[i*w : (i+1)*w])
			if key := fmt.Sprint(r, to); seen[key] {
				t.Fatalf("rule %d leads twice to %s", r, to)
			} else {
				seen[key] = true
			}
			p.Edges[from][naive.Step{Action: n.Alphabet()[n.Rules()[r].Action], To: to}] = true
		}
		if !slices.IsSorted(succ.Rules) {
			t.Fatalf("successors are not sorted by rule: %v", succ.Rules)
		}
	}
	return p
}

// sameGraph reports whether two explorations, whose states are named differently,
// are bisimilar; they have equal counts.
func sameGraph(p, q *naive.Process) bool {
	return len(p.Kind) > 25 || naive.Equivalent(naive.Strong, p, q)
}

func counts(p *naive.Process) string { return fmt.Sprint(p.Count()) }

// TestRandomNetworks compares on-the-fly exploration, the built composition,
// breadth-first reachability and the slow twin.
func TestRandomNetworks(t *testing.T) {
	cases := soak.Long(uint64(3000))
	special := 0
	for seed := range cases {
		r := gen.Rand(seed)
		shape := gen.Small
		switch seed % 3 {
		case 0:
			shape.Props = 0
		case 1:
			shape.Special = 0
		}
		e := gen.Network(r, 4, shape)
		n, err := e.Build()
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		parts := slowly(e)
		slow := naive.Parallel(parts...)
		if len(parts) == 1 {
			// Reachable part only.
			slow = naive.Parallel(parts[0])
		}
		fast := fromExplorer(t, n)
		m, err := n.Build(nil)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		built := naive.FromLKS(m)
		if counts(fast) != counts(built) {
			t.Fatalf("seed %d: explored %s, built %s (states, transitions, errors, ends, deadlocks)", seed, counts(fast), counts(built))
		}
		// With propositions and special states, merged states differ in number.
		if seed%3 != 2 && counts(slow) != counts(fast) {
			t.Fatalf("seed %d: slowly %s, explored %s (states, transitions, errors, ends, deadlocks)", seed, counts(slow), counts(fast))
		}
		if s, _, _, _, _ := slow.Count(); s <= 40 {
			if !naive.Equivalent(naive.Strong, slow, fast) {
				t.Fatalf("seed %d: slow and explored are not bisimilar", seed)
			}
			if !naive.Equivalent(naive.Strong, slow, built) {
				t.Fatalf("seed %d: slow and built are not bisimilar", seed)
			}
		}
		for name, variant := range map[string]*lks.Network{
			"sparse":              lks.Variant(n, 64, true),
			"short words":         lks.Variant(n, 3, false),
			"sparse, short words": lks.Variant(n, 4, true),
			"many rules":          lks.Padded(n, 75, 1),
		} {
			if other := fromExplorer(t, variant); counts(other) != counts(fast) || seed%8 == 0 && !sameGraph(other, fast) {
				t.Fatalf("seed %d: %s: %s, else %s", seed, name, counts(other), counts(fast))
			}
		}
		reached, err := explore.Reach(n, explore.Options{Traces: true})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		states, transitions, errors, ends, deadlocks := fast.Count()
		got := fmt.Sprint(reached.States+reached.Errors, reached.Transitions, reached.Errors, reached.Ends, reached.Deadlocks)
		if want := fmt.Sprint(states, transitions, errors, ends, deadlocks); got != want {
			t.Fatalf("seed %d: reached %s, explored %s", seed, got, want)
		}
		if errors+ends > 0 {
			special++
		}
		if !maps.Equal(fast.Alphabet, slow.Alphabet) {
			t.Fatalf("seed %d: alphabet %v, slowly %v", seed, fast.Alphabet, slow.Alphabet)
		}
	}
	if special < int(cases)/10 {
		t.Errorf("only %d of %d cases had errors or termination", special, cases)
	}
}

// TestComposeMany composes a hundred thousand components. What is quadratic in them takes
// longer than tests may. The meter is asked meanwhile, and ends it.
func TestComposeMany(t *testing.T) {
	b := lks.NewBuilder("P")
	first, second := b.State(), b.State()
	b.Transition(first, "a", second)
	b.Transition(second, "all", first)
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	many := soak.Size(100_000)
	parts := make([]*lks.Network, many)
	for i := range parts {
		name := fmt.Sprint("a", i)
		parts[i] = lks.Single(m).Relabel(func(old string) []string {
			if old == "a" {
				return []string{name}
			}
			return []string{old}
		})
	}
	asked := 0
	n, err := lks.ComposeWithin(budget.Watch(func(budget.Progress) error { asked++; return nil }), "N", parts...)
	if err != nil {
		t.Fatal(err)
	}
	if len(n.Alphabet()) != many+2 || n.Words() != (many+63)/64 {
		t.Errorf("%d actions, %d words", len(n.Alphabet()), n.Words())
	}
	for a, name := range n.Alphabet()[1:] {
		i, _ := slices.BinarySearchFunc(n.Rules(), int32(a)+1, func(r lks.Rule, a int32) int { return int(r.Action - a) })
		r := n.Rules()[i]
		want := 1
		if name == "all" {
			want = many
		}
		if r.Action != int32(a)+1 || len(r.Parts) != want || want == 1 && name != fmt.Sprint("a", r.Parts[0].Component) {
			t.Fatalf("rule %v of %s", r, name)
		}
	}
	if asked < soak.Size(10) {
		t.Errorf("the meter was asked %d times", asked)
	}
	stop := errors.New("enough")
	if _, err := lks.ComposeWithin(budget.Watch(func(budget.Progress) error { return stop }), "N", parts...); err != stop {
		t.Errorf("%v, want %v", err, stop)
	}
}
