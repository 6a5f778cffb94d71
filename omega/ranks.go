package omega

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/internal/lists"
)

// Complementation by ranks ([KupfermanVardi01]), tight and with one rank looked after at a
// time ([Schewe09]). A word is refused iff states along its runs can be given numbers that
// never grow, even ones to accepting states, so that each run ends in an odd one.

// ranking is a state of the complement: the set of states reached and, once the ranks are
// guessed (rank >= 0), a rank for each, the states that are still to leave the even rank
// turn, and this rank. The largest rank is odd, and all odd ones below are there.
type ranking struct {
	states []int32
	ranks  []int // of states, nil before the guess
	owing  []int32
	turn   int
}

func (r *ranking) key() string { return fmt.Sprint(r.states, r.ranks, r.owing, r.turn) }

// accepting: all that were looked after have left their rank, or no run is left.
func (r *ranking) accepting() bool { return len(r.states) == 0 || r.ranks != nil && len(r.owing) == 0 }

// ranks is one complementation.
type ranks struct {
	a       *Automaton // Inf(0), state-based
	accepts []bool
	number  map[string]int32
	list    []*ranking
	limit   int
	work    int // rankings looked at
	over    bool
}

// maxRankings bounds the rankings that are looked at, most of which are not tight.
const maxRankings = 1 << 20

// rankComplement returns a Büchi automaton for the words that a, with a Büchi condition on
// states, does not accept; nil if it would have more than limit states, or take very long.
func (a *Automaton) rankComplement(limit int, meter *budget.Meter) (*Automaton, error) {
	r := &ranks{a: a, number: map[string]int32{}, limit: limit, accepts: make([]bool, len(a.out))}
	for s, es := range a.out {
		r.accepts[s] = len(es) > 0 && es[0].Marks&1 != 0
	}
	b := a.like(0, 1, Inf(0))
	b.name = ""
	splitter := a.splitter()
	r.add(&ranking{states: []int32{a.initial}})
	for i := 0; i < len(r.list) && !r.over; i++ {
		if err := tick(meter, "complementing by ranks", len(r.list)); err != nil {
			return nil, err
		}
		from := r.list[i]
		mark := uint64(0)
		if from.accepting() {
			mark = 1
		}
		var es []Edge
		for _, step := range a.split(splitter, from.states) {
			r.successors(from, step, func(n *ranking) {
				if to, ok := r.add(n); ok {
					es = append(es, Edge{step.Letters, to, mark})
				}
			})
		}
		b.out = append(b.out, b.merge(es))
	}
	if r.over {
		return nil, nil
	}
	return b, nil
}

func (r *ranks) add(n *ranking) (int32, bool) {
	key := n.key()
	i, ok := r.number[key]
	if !ok {
		if len(r.list) >= r.limit {
			r.over = true
			return 0, false
		}
		i = int32(len(r.list))
		r.number[key] = i
		r.list = append(r.list, n)
	}
	return i, true
}

// successors calls do for each successor by some letters.
func (r *ranks) successors(from *ranking, step bdd.Part[move], do func(*ranking)) {
	next := lists.Append(nil, step.Read, func(m move) int32 { return m.to })
	slices.Sort(next)
	next = slices.Compact(next)
	if from.ranks == nil {
		do(&ranking{states: next})
		// The guess.
		free := len(next)
		for _, s := range next {
			if r.accepts[s] {
				free--
			}
		}
		for largest := 1; largest <= 2*free-1; largest += 2 {
			bound := slices.Repeat([]int{largest}, len(next))
			r.tight(next, bound, largest, func(ranks []int) {
				do(&ranking{states: next, ranks: ranks})
			})
		}
		return
	}
	largest := slices.Max(from.ranks)
	bound := slices.Repeat([]int{largest}, len(next))
	owes := make([]bool, len(next))
	for _, m := range step.Read {
		at, _ := slices.BinarySearch(next, m.to)
		bound[at] = min(bound[at], from.ranks[m.from])
		owes[at] = owes[at] || slices.Contains(from.owing, from.states[m.from])
	}
	turn := from.turn
	if len(from.owing) == 0 {
		turn = (turn + 2) % (largest + 1)
	}
	r.tight(next, bound, largest, func(ranks []int) {
		n := &ranking{states: next, ranks: ranks, turn: turn}
		for i, s := range next {
			if ranks[i] == turn && (owes[i] || len(from.owing) == 0) {
				n.owing = append(n.owing, s)
			}
		}
		do(n)
	})
}

// tight calls do with each tight ranking of states whose largest rank is given, below bounds.
func (r *ranks) tight(states []int32, bound []int, largest int, do func(ranks []int)) {
	ranks := make([]int, len(states))
	var choose func(i int)
	choose = func(i int) {
		if r.over {
			return
		}
		if i == len(states) {
			if r.work++; r.work > maxRankings {
				r.over = true
				return
			}
			for odd := 1; odd <= largest; odd += 2 {
				if !slices.Contains(ranks, odd) {
					return
				}
			}
			do(slices.Clone(ranks))
			return
		}
		for rank := 0; rank <= bound[i]; rank++ {
			if rank%2 == 0 || !r.accepts[states[i]] {
				ranks[i] = rank
				choose(i + 1)
			}
		}
	}
	choose(0)
}
