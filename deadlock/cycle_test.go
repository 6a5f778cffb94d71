package deadlock

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
)

// TestCycleThroughOwnerlessForks has users that each hold one thing and wait for
// the next; a thing waits for either of its users to give it back.
func TestCycleThroughOwnerlessForks(t *testing.T) {
	const n = 4
	waiting := make([]Waiting, 2*n)
	for i := range n {
		fork, right := n+i, (i+1)%n
		waiting[i] = Waiting{Component: i, Offers: []Offer{{Refused: []int{n + right}}}, For: []int{n + right}}
		left := (i + n - 1) % n
		users := []int{min(i, left), max(i, left)}
		waiting[fork] = Waiting{Component: fork, Offers: []Offer{{Refused: []int{i}}, {Refused: []int{left}}}, For: users}
	}
	if cycle := waitingCycle(waiting); !slices.Equal(cycle, []int{0, 5, 1, 6, 2, 7, 3, 4}) {
		t.Errorf("cycle %v does not go through all", cycle)
	}
	// If each fork knows who has it, every wait is necessary.
	for i := range n {
		waiting[n+i].Offers, waiting[n+i].For = waiting[n+i].Offers[:1], []int{i}
	}
	if cycle := waitingCycle(waiting); len(cycle) != 2*n {
		t.Errorf("cycle %v does not go through all", cycle)
	}
	// Two that need each other are a cycle at once.
	waiting[0] = Waiting{Offers: []Offer{{Refused: []int{1}}}, For: []int{1}}
	waiting[1] = Waiting{Offers: []Offer{{Refused: []int{0}}}, For: []int{0}}
	if cycle := waitingCycle(waiting); !slices.Equal(cycle, []int{0, 1}) {
		t.Errorf("cycle %v, want 0 and 1", cycle)
	}
}

// TestWaitingCycleRandom checks on random waits that what is found is a cycle of
// different components, and that one is found whenever there is one.
func TestWaitingCycleRandom(t *testing.T) {
	found := 0
	for seed := range soak.Cases(uint64(3000)) {
		r := rand.New(rand.NewPCG(seed, 12))
		n := 1 + r.IntN(7)
		waiting := make([]Waiting, n)
		reach := make([][]bool, n)
		for c := range waiting {
			reach[c] = make([]bool, n)
			for range r.IntN(3) {
				refused := []int{r.IntN(n)}
				if d := r.IntN(n); d > refused[0] && r.IntN(3) == 0 {
					refused = append(refused, d)
				}
				waiting[c].Offers = append(waiting[c].Offers, Offer{Refused: refused})
				waiting[c].For = append(waiting[c].For, refused...)
			}
			slices.Sort(waiting[c].For)
			waiting[c].For = slices.Compact(waiting[c].For)
			for _, d := range waiting[c].For {
				reach[c][d] = true
			}
		}
		for k := range n {
			for i := range n {
				for j := range n {
					reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
				}
			}
		}
		cyclic := false
		for c := range n {
			cyclic = cyclic || reach[c][c]
		}
		cycle := waitingCycle(waiting)
		if (cycle != nil) != cyclic {
			t.Fatalf("seed %d: cycle %v, there is one: %t", seed, cycle, cyclic)
		}
		for i, c := range cycle {
			if !slices.Contains(waiting[c].For, cycle[(i+1)%len(cycle)]) || slices.Contains(cycle[:i], c) {
				t.Fatalf("seed %d: %v is no cycle", seed, cycle)
			}
		}
		if cyclic {
			found++
		}
	}
	if found < soak.Cases(500) {
		t.Errorf("only %d cyclic cases", found)
	}
}
