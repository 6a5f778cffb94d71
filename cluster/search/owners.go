package search

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seltl/seltl/internal/statetable"
	"github.com/seltl/seltl/lks"
)

// Owners are chosen by a hash ([SternDill97]), of some components only ([LerdaSisto99]): a
// successor whose step moves none of these stays where it is. So fewer states are sent, and
// neighbours of a state stay neighbours, which is what caches live from. The fewer
// components, the less even are the parts: how many it takes is estimated on a random walk,
// the same on all workers. Nothing but time and memory depends on the choice.

// owners says who owns a state.
type owners struct {
	masks []ownerMask
	seed  uint64
	words int // of a state
	size  uint64
}

// ownerMask are the bits of a word that the hash is of.
type ownerMask struct {
	word int
	mask uint64
}

// newOwners chooses the owners of states of so many words whose first ones, or fields among
// them, are those of the network.
func newOwners(n *lks.Network, words, size int) *owners {
	o := &owners{words: words, size: uint64(size)}
	o.setMasks(n, o.choose(n))
	return o
}

// of returns the owner of a state.
func (o *owners) of(state []uint64) int {
	h := o.seed
	for _, m := range o.masks {
		h = statetable.Permute(h ^ state[m.word]&m.mask)
	}
	return int(h & (1<<32 - 1) * o.size >> 32)
}

// route appends every state to the part of its owner.
func (o *owners) route(states []uint64, parts [][]uint64) {
	if o.words == 1 && len(o.masks) == 1 {
		seed, mask, size := o.seed, o.masks[0].mask, o.size
		for _, x := range states {
			p := statetable.Permute(seed^x&mask) & (1<<32 - 1) * size >> 32
			parts[p] = append(parts[p], x)
		}
		return
	}
	if o.words == 2 {
		for ; len(states) > 1; states = states[2:] {
			p := o.of(states[:2])
			parts[p] = append(parts[p], states[0], states[1])
		}
		return
	}
	for ; len(states) > 0; states = states[o.words:] {
		p := o.of(states[:o.words])
		parts[p] = append(parts[p], states[:o.words]...)
	}
}

// has reports whether all of the states, each with what follows it up to the stride, are
// those of an owner.
func (o *owners) has(owner int, states []uint64, stride int) bool {
	for ; len(states) > 0; states = states[stride:] {
		if o.of(states) != owner {
			return false
		}
	}
	return true
}

const (
	walkSteps = 1 << 12
	// There are to be so many times as many combinations of what is chosen as workers: of
	// the parts' sizes one in about the root of that is chance.
	spreadEach = 256
	seeds      = 16
	// Networks with fewer combinations of local states are not worth a walk.
	worthwhile = 1 << 20
)

// walk is a random walk through a network: local states, step by step.
type walk struct {
	locals [][]int32 // by component
	moves  []int     // by component: how often it moved
	values []int     // by component: how many local states it was in
}

func newWalk(n *lks.Network) *walk {
	k := len(n.Components())
	w := &walk{locals: make([][]int32, k), moves: make([]int, k), values: make([]int, k)}
	random := rand.New(rand.NewPCG(1, 2))
	ex := n.Explorer()
	var succ lks.Successors
	words := n.Words()
	state, local := make([]uint64, words), make([]int32, k)
	for step := range walkSteps {
		if succ.Len() == 0 {
			ex.Initial(&succ)
		}
		at := random.IntN(succ.Len()) * words
		copy(state, succ.States[at:at+words])
		n.Unpack(state, local)
		for c, s := range local {
			if step > 0 && w.locals[c][step-1] != s {
				w.moves[c]++
			}
			w.locals[c] = append(w.locals[c], s)
		}
		ex.Successors(state, &succ)
	}
	for c, locals := range w.locals {
		seen := slices.Clone(locals)
		slices.Sort(seen)
		w.values[c] = len(slices.Compact(seen))
	}
	return w
}

// choose chooses by which components owners are chosen, and the seed of the hash: of those
// that have most local states for how often they move as many as make enough combinations.
// If these would be spread too unevenly over the walk it chooses all.
func (o *owners) choose(n *lks.Network) (chosen []bool) {
	k := len(n.Components())
	all := slices.Repeat([]bool{true}, k)
	if o.size == 1 || k > walkSteps || n.Words()*k > walkSteps || combinationsOf(n) < worthwhile {
		return all
	}
	w := newWalk(n)
	order := make([]int, k)
	for c := range order {
		order[c] = c
	}
	worth := func(c int) float64 { return math.Log(float64(w.values[c])) / float64(w.moves[c]+1) }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(worth(b), worth(a)) })
	chosen = make([]bool, k)
	combinations := 1.0
	for i, c := range order {
		chosen[c] = true
		if combinations *= float64(w.values[c]); combinations < float64(spreadEach*o.size) {
			continue
		}
		if o.setMasks(n, chosen); i < k-1 && o.even(n, w) {
			return chosen
		}
	}
	o.seed = 0
	return all
}

// combinationsOf is how many states a network might have.
func combinationsOf(n *lks.Network) float64 {
	product := 1.0
	for _, m := range n.Components() {
		product *= float64(m.NumStates())
	}
	return product
}

// setMasks has owners chosen by components.
func (o *owners) setMasks(n *lks.Network, chosen []bool) {
	o.masks = o.masks[:0]
	for w, mask := range n.Bits(func(c int) bool { return chosen[c] }) {
		if mask != 0 {
			o.masks = append(o.masks, ownerMask{w, mask})
		}
	}
}

// even chooses the seed with which the largest part of a walk is smallest, and reports
// whether it is small enough.
func (o *owners) even(n *lks.Network, w *walk) bool {
	best, bestSeed := walkSteps, uint64(0)
	local, state := make([]int32, len(w.locals)), make([]uint64, n.Words())
	counts := make([]int, seeds*int(o.size))
	for step := range walkSteps {
		for c := range local {
			local[c] = w.locals[c][step]
		}
		n.Pack(local, state)
		for seed := range seeds {
			o.seed = uint64(seed)
			counts[seed*int(o.size)+o.of(state)]++
		}
	}
	for seed := range seeds {
		if most := slices.Max(counts[seed*int(o.size) : (seed+1)*int(o.size)]); most < best {
			best, bestSeed = most, uint64(seed)
		}
	}
	o.seed = bestSeed
	return float64(best) <= 1.3*walkSteps/float64(o.size)
}
