package search

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seltl/seltl/lks"
)

// Shares are chosen in two steps. For each component some are tried, and those kept that are
// most even for how many steps change them. Then the best components are taken together, one
// after the other, for as long as that costs less.
//
// The sum of independent shares is at least as even as that of each: how uneven it is, is at
// most the product. So it stays even where the sample misjudges one component, which a hash of
// the same components does not.

const (
	shareTries = 64
	// Of the components that are left so many are tried as the next one,
	unitTries = 8
	// and so many more taken than cost least so far.
	furtherUnits = 3
	// A sample is not the search: each component is taken to be so uneven at least; a little
	// where they are compared with each other, more where one might do.
	weighBias = 0.05
	leastBias = 0.25
)

// unit is a component with shares that it may have.
type unit struct {
	ownerShare
	bias     float64 // how uneven they are over the sample, 0 to 1
	crossing float64 // share of the steps that change them
	worth    float64 // how even, for how many steps change them
}

// choose returns shares of a network's components for so many workers, none if nothing moves.
func (s *sample) choose(n *lks.Network, size int) (best []ownerShare) {
	units := s.units(n, size)
	sums, crossing, least := newTurns(s.len()), 0.0, math.Inf(1)
	doubt := math.Sqrt(float64(size - 1))
	var chosen []ownerShare
	for len(units) > 0 && len(chosen) < len(best)+furtherUnits {
		at, next, looks, cost := -1, turnsOf{}, outlook{}, math.Inf(1)
		tries := min(len(units), unitTries)
		for i, u := range units[:tries] {
			tried := newTurns(s.len())
			tried.add(sums, s, &u.ownerShare)
			l := s.judge(tried, size)
			c := (1 + doubt*max(u.bias, leastBias)) * l.cost()
			// What moves with others that were chosen makes the sum no more even.
			if c < cost && l.crossing >= crossing+u.crossing/2 {
				at, next, looks, cost = i, tried, l, c
			}
		}
		if at < 0 {
			units = units[tries:]
			continue
		}
		sums, crossing = next, looks.crossing
		chosen = append(chosen, units[at].ownerShare)
		doubt *= max(units[at].bias, leastBias)
		units = slices.Delete(units, at, at+1)
		if cost < least {
			least, best = cost, slices.Clone(chosen)
		}
	}
	return best
}

// units returns the components that a sample saw moving, with their best shares, and the best
// components first.
func (s *sample) units(n *lks.Network, size int) (units []unit) {
	random := rand.New(rand.NewPCG(1, 2))
	for c := range n.Components() {
		f := n.Field(int32(c))
		if f.Width == 0 {
			continue
		}
		drop := f.Width - min(f.Width, mostBits)
		classes := int(f.Mask>>drop) + 1
		best := unit{ownerShare: ownerShare{word: int(f.Word), shift: f.Shift + drop}}
		states, steps := s.count(best.ownerShare, classes)
		for range shareTries {
			tried := best.ownerShare
			for v := range tried.of {
				if v < classes {
					tried.of[v] = turnOf(random.IntN(size), size)
				} else { // what follows the field says nothing
					tried.of[v] = tried.of[v%classes]
				}
			}
			if u := weigh(tried, states, steps, size); u.worth > best.worth {
				best = u
			}
		}
		if best.worth > 0 {
			units = append(units, best)
		}
	}
	slices.SortStableFunc(units, func(a, b unit) int { return cmp.Compare(b.worth, a.worth) })
	return units
}

// turnOf is so many of size parts of a turn, so that sums of not too many are not below.
func turnOf(part, size int) uint32 {
	return uint32(uint64(part) * ((1<<32 + uint64(size) - 1) / uint64(size)))
}

// count counts the states of a sample by the class of a component, and the steps by the
// classes that they lead from and to.
func (s *sample) count(u ownerShare, classes int) (states []int, steps [][]int) {
	states, steps = make([]int, classes), make([][]int, classes)
	for c := range steps {
		steps[c] = make([]int, classes)
	}
	for i := u.word; i < len(s.states); i += s.words {
		from, to := int(s.states[i]>>u.shift)&(classes-1), int(s.next[i]>>u.shift)&(classes-1)
		states[from]++
		steps[from][to]++
	}
	return states, steps
}

// weigh says what shares are worth.
func weigh(shares ownerShare, states []int, steps [][]int, size int) unit {
	total, changed := 0, 1
	parts := map[uint32]int{}
	for from, count := range states {
		total += count
		parts[shares.of[from]] += count
		for to, steps := range steps[from] {
			if shares.of[from] != shares.of[to] {
				changed += steps
			}
		}
	}
	pairs := 0 // of states with the same share; whole numbers, so that no order of the sum matters
	for _, count := range parts {
		pairs += count * count
	}
	meet := float64(pairs) / float64(total*total)
	bias := math.Sqrt(max(0, (float64(size)*meet-1)/float64(size-1)))
	crossing := float64(changed) / float64(total)
	return unit{shares, bias, crossing, -math.Log(max(bias, weighBias)) / crossing}
}

// turnsOf are the sums of shares of the states of a sample, and of those that follow them.
type turnsOf struct{ here, there []uint32 }

func newTurns(states int) turnsOf { return turnsOf{make([]uint32, states), make([]uint32, states)} }

// add makes t the sums before and one share more.
func (t turnsOf) add(before turnsOf, s *sample, share *ownerShare) {
	copy(t.here, before.here)
	share.add(t.here, s.states, s.words)
	copy(t.there, before.there)
	share.add(t.there, s.next, s.words)
}

// outlook is what owners would do to a search, as far as a sample tells.
type outlook struct {
	uneven   float64 // the largest part, as a multiple of the mean
	waiting  float64 // the same, window by window: all wait for the largest
	crossing float64 // share of the steps that lead to another worker's state
	sent     float64 // states sent for each state, at least
}

// judge looks at owners.
func (s *sample) judge(t turnsOf, size int) outlook {
	all, some, waiting, crossing := make([]int, size), make([]int, size), 0, 0
	for i, turn := range t.here {
		if i > 0 && s.window[i] != s.window[i-1] {
			waiting += slices.Max(some)
			clear(some)
		}
		owner := uint64(turn) * uint64(size) >> 32
		all[owner]++
		some[owner]++
		if owner != uint64(t.there[i])*uint64(size)>>32 {
			crossing++
		}
	}
	waiting += slices.Max(some)
	// A state has as many predecessors as successors, on average: it is sent once by each of
	// the others that has one of them.
	others := float64(size - 1)
	mean, cross := float64(s.len())/float64(size), float64(crossing)/float64(s.len())
	return outlook{
		uneven: float64(slices.Max(all)) / mean, waiting: float64(waiting) / mean, crossing: cross,
		sent: others * (1 - math.Pow(1-min(1, cross/others), s.degree)),
	}
}

// cost is about the time for each state: to send one costs, here and there, two thirds of
// everything else that is done for one (docs/cluster.md).
func (l outlook) cost() float64 { return l.waiting * (1.5 + l.sent) }
