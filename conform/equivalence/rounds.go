package equivalence

import (
	"slices"

	"github.com/seltl/seltl/internal/numset"
	"github.com/seltl/seltl/lks"
)

// Limits of distinguishing formulas: rounds of refinement (nested modalities),
// rounds times states, and different subformulas.
const (
	maxRoundStates = 1 << 24
	maxSubformulas = 20_000
)

// maxRounds is one of them; tests lower it.
var maxRounds = 2000

// rounds is partition refinement in rounds: two states are in the same block of
// round k+1 if they are in the same block of round k and can do the same steps
// into the blocks of round k. It is slower than lks.Classes, but the round in
// which two states part is the depth of a formula that tells them apart, which can
// be read off the blocks ([Cleaveland90] for strong bisimulation, [Korver91] for
// branching; here by one scheme, see formulas).
type rounds struct {
	sys    *system
	blocks [][]int32 // by round and state
	many   int       // different blocks of the last round
	weak   *weakSteps
	steps  [][]lks.Edge // weak steps by state, as far as computed
	order  []int32      // branching: targets of inert steps before their sources
}

func newRounds(sys *system, kind Relation) *rounds {
	r := &rounds{sys: sys, blocks: [][]int32{sys.label}}
	labels := slices.Clone(sys.label)
	slices.Sort(labels)
	r.many = len(slices.Compact(labels))
	switch kind {
	case Weak:
		r.weak = newWeakSteps(sys)
		r.steps = make([][]lks.Edge, sys.len())
	case Branching, Divergence:
		comp := sys.silentComponents()
		r.order = make([]int32, sys.len())
		for i := range r.order {
			r.order[i] = int32(i)
		}
		slices.SortStableFunc(r.order, func(a, b int32) int { return int(comp[a]) - int(comp[b]) })
	}
	return r
}

// of returns the steps that the relation compares: weak ones for weak
// bisimulation.
func (r *rounds) of(s int32) []lks.Edge {
	if r.weak == nil {
		return r.sys.out[s]
	}
	if r.steps[s] == nil {
		r.steps[s] = r.weak.of(s)
	}
	return r.steps[s]
}

// signatures returns, for every state, what it can do into the blocks of the last
// round, sorted.
func (r *rounds) signatures(block []int32) [][]lks.Edge {
	sigs := make([][]lks.Edge, r.sys.len())
	if r.order == nil {
		for s := range sigs {
			sigs[s] = signature(int32(s), block, r.of)
		}
		return sigs
	}
	// The system has no circles of silent steps within a label, so order is
	// topological.
	for _, s := range r.order {
		for _, e := range r.sys.out[s] {
			if e.Action == lks.TauID && block[e.Target] == block[s] {
				sigs[s] = append(sigs[s], sigs[e.Target]...)
			} else {
				sigs[s] = append(sigs[s], lks.Edge{Action: e.Action, Target: block[e.Target]})
			}
		}
		sigs[s] = lks.SortEdges(sigs[s])
	}
	return sigs
}

// refine makes the next round. It reports whether a block was split.
func (r *rounds) refine() bool {
	block := r.blocks[len(r.blocks)-1]
	next := make([]int32, len(block))
	var ids numset.Index
	var key []int32
	for s, sig := range r.signatures(block) {
		key = append(key[:0], block[s])
		for _, e := range sig {
			key = append(key, e.Action, e.Target)
		}
		next[s], _ = ids.Number(key)
	}
	r.blocks = append(r.blocks, next)
	before := r.many
	r.many = ids.Len()
	return r.many > before
}

// parted returns the round in which s and t part, or -1 if they have not.
func (r *rounds) parted(s, t int32) int {
	// Blocks only ever split: binary search.
	low, high := 0, len(r.blocks)
	for low < high {
		mid := (low + high) / 2
		if r.blocks[mid][s] != r.blocks[mid][t] {
			high = mid
		} else {
			low = mid + 1
		}
	}
	if low == len(r.blocks) {
		return -1
	}
	return low
}
