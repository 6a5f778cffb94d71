package refine

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// graph asks whether bad is reached from 0, by blocks of states that are split: a step
// from block to block exists if some members have it.
type graph struct {
	edges [][2]int
	bad   int
	block []int
	many  int
	blunt bool // refine without learning anything
	fail  string
}

type account struct{ steps []string }

var errBroken = errors.New("broken")

func (g *graph) did(step string, a *account) error {
	a.steps = append(a.steps, step)
	if g.fail == step {
		return errBroken
	}
	return nil
}

// Check finds a shortest path of blocks to the block of bad.
func (g *graph) Check(round int, a *account) ([]int, bool, error) {
	if err := g.did("check", a); err != nil {
		return nil, false, err
	}
	parent := map[int]int{g.block[0]: -1}
	queue := []int{g.block[0]}
	for i := 0; i < len(queue); i++ {
		if queue[i] == g.block[g.bad] {
			var path []int
			for b := queue[i]; b >= 0; b = parent[b] {
				path = append(path, b)
			}
			slices.Reverse(path)
			return path, true, nil
		}
		for _, e := range g.edges {
			from, to := g.block[e[0]], g.block[e[1]]
			if _, seen := parent[to]; from == queue[i] && !seen {
				parent[to] = from
				queue = append(queue, to)
			}
		}
	}
	return nil, false, nil
}

// follow returns the states that a path of blocks leads to, as far as it goes.
func (g *graph) follow(path []int) (at map[int]bool, length int) {
	at = map[int]bool{0: true}
	for i, b := range path[1:] {
		next := map[int]bool{}
		for _, e := range g.edges {
			if at[e[0]] && g.block[e[1]] == b {
				next[e[1]] = true
			}
		}
		if len(next) == 0 {
			return at, i
		}
		at = next
	}
	return at, len(path) - 1
}

func (g *graph) Validate(path []int, a *account) (bool, error) {
	at, length := g.follow(path)
	return length == len(path)-1 && at[g.bad], g.did("validate", a)
}

// Refine parts what the path reaches from the rest of its last block.
func (g *graph) Refine(path []int, a *account) (bool, error) {
	at, _ := g.follow(path)
	if g.blunt {
		return false, g.did("refine", a)
	}
	for s := range at {
		g.block[s] = g.many
	}
	g.many++
	return true, g.did("refine", a)
}

func (g *graph) reached() bool {
	seen := map[int]bool{0: true}
	for range g.edges {
		for _, e := range g.edges {
			seen[e[1]] = seen[e[1]] || seen[e[0]]
		}
	}
	return seen[g.bad]
}

func random(r *rand.Rand) *graph {
	n := 2 + r.IntN(7)
	g := &graph{bad: 1 + r.IntN(n-1), block: make([]int, n), many: 1}
	for range r.IntN(2 * n) {
		g.edges = append(g.edges, [2]int{r.IntN(n), r.IntN(n)})
	}
	return g
}

// TestRun decides reachability in random graphs by refinement.
func TestRun(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	outcomes, most := map[bool]int{}, 0
	for seed := range 1000 {
		g := random(r)
		var told []account
		path, found, err := Run(g, Options[account]{Explain: func(a account) { told = append(told, a) }})
		if err != nil || found != g.reached() {
			t.Fatalf("%d: %v, %v, reached: %v: %v", seed, found, err, g.reached(), g)
		}
		if found {
			if at, length := g.follow(path); length != len(path)-1 || !at[g.bad] {
				t.Fatalf("%d: %v is no path to %d: %v", seed, path, g.bad, g)
			}
		}
		for i, a := range told {
			want := "[check validate refine]"
			if i == len(told)-1 {
				want = map[bool]string{true: "[check validate]", false: "[check]"}[found]
			}
			if fmt.Sprint(a.steps) != want {
				t.Fatalf("%d: round %d told of %v, want %s", seed, i, a.steps, want)
			}
		}
		outcomes[found]++
		most = max(most, len(told))
	}
	if outcomes[true] < 200 || outcomes[false] < 200 || most < 5 {
		t.Errorf("outcomes %v, at most %d rounds", outcomes, most)
	}
}

// chain needs a refinement for every state: bad is not reached, and only knowing all
// of the others tells.
func chain(n int) *graph {
	g := &graph{bad: n - 1, block: make([]int, n), many: 1}
	for s := range n - 2 {
		g.edges = append(g.edges, [2]int{s, s + 1})
	}
	return g
}

// TestLimits: no limit and no error becomes an answer, and every round that has been
// checked is told, in all of its steps.
func TestLimits(t *testing.T) {
	errBudget, errTooFew := errors.New("budget"), errors.New("too few")
	rounds := 0
	for _, c := range []struct {
		name  string
		graph *graph
		opts  Options[account]
		want  error
		told  int
	}{
		{"no limit", chain(6), Options[account]{}, nil, 6},
		{"just enough", chain(6), Options[account]{Refinements: 5}, nil, 6},
		{"too few", chain(6), Options[account]{Refinements: 4}, errTooFew, 5},
		{"blunt", &graph{bad: 1, block: make([]int, 2), blunt: true}, Options[account]{}, ErrStuck, 1},
		{"budget", chain(6), Options[account]{Proceed: func() error {
			if rounds++; rounds > 3 {
				return errBudget
			}
			return nil
		}}, errBudget, 3},
		{"check fails", &graph{bad: 1, block: make([]int, 2), fail: "check"}, Options[account]{}, errBroken, 0},
		{"validation fails", &graph{bad: 1, block: make([]int, 2), fail: "validate"}, Options[account]{}, errBroken, 1},
		{"refinement fails", &graph{bad: 1, block: make([]int, 2), fail: "refine"}, Options[account]{}, errBroken, 1},
	} {
		told := 0
		c.opts.Explain = func(account) { told++ }
		_, found, err := Run(c.graph, c.opts)
		if OutOfRounds(err) {
			err = errTooFew
		}
		if found || err != c.want || told != c.told {
			t.Errorf("%s: found %v, error %v, %d rounds told; want %v, %d", c.name, found, err, told, c.want, c.told)
		}
	}
}
