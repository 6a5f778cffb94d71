package symmetry

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/product/internal/meet"
)

// maxUnrolled bounds the steps of a counterexample whose loop has to go round until
// all components are in their places again.
const maxUnrolled = 1 << 18

// Straighten turns a path of the quotient g into one of the product h itself: each
// step is taken by the components that stand where those that take it have gone. The
// loop is gone round until it ends where it began. ok is false if that takes too long.
func (s *Symmetry) Straighten(g, h *meet.Graph, p *meet.Path) (q *meet.Path, ok bool, err error) {
	w := &straightener{s: s, g: g, h: h, ex: s.net.Explorer(), place: make([]int32, len(s.net.Components()))}
	for c := range w.place {
		w.place[c] = int32(c)
	}
	first := g.Table.State(p.Start())
	w.canonical, w.real = make([]uint64, g.NetWords), make([]uint64, g.NetWords)
	g.Split(first, w.canonical)
	copy(w.real, w.canonical)
	w.at = h.NumberOf(w.real, g.AutomatonPart(first))
	q = &meet.Path{}
	for _, e := range p.Stem {
		if err := w.step(e, &q.Stem); err != nil {
			return nil, false, err
		}
	}
	round := map[int32]int{} // by state: steps of rounds before it
	var rounds []meet.Hop
	for {
		if from, seen := round[w.at]; seen {
			q.Stem, q.Loop = append(q.Stem, rounds[:from]...), rounds[from:]
			return q, true, nil
		}
		round[w.at] = len(rounds)
		if len(rounds) > maxUnrolled {
			return nil, false, nil
		}
		for _, e := range p.Loop {
			if err := w.step(e, &rounds); err != nil {
				return nil, false, err
			}
		}
	}
}

// straightener is a state of the quotient, and the one of the product that it stands
// for: component c of the one is where component place[c] of the other is.
type straightener struct {
	s         *Symmetry
	g, h      *meet.Graph
	place     []int32
	canonical []uint64 // of the network
	real      []uint64 // likewise
	at        int32    // the number of the latter in h, with a state of the automaton
	ex        *lks.Explorer
	succ      lks.Successors
}

// step follows a hop of the quotient in the product.
func (w *straightener) step(e meet.Hop, hops *[]meet.Hop) error {
	to := w.g.Table.State(e.To)
	n := w.g.NetWords
	if e.Rule != run.Stutter {
		w.ex.Successors(w.canonical, &w.succ)
		if int(e.Nth) >= w.succ.Len() || w.succ.Rules[e.Nth] != e.Rule {
			return &bug.Error{Stage: "symmetry", Err: fmt.Errorf("a step of the quotient is not there")}
		}
		w.move(w.succ.States[int(e.Nth)*n : int(e.Nth+1)*n])
	}
	next := w.h.NumberOf(w.real, w.g.AutomatonPart(to))
	w.h.Successors(w.at)
	for _, o := range w.h.Out {
		if o.Target == next && o.Marks&e.Marks == e.Marks {
			*hops = append(*hops, meet.NewHop(w.at, o))
			w.at = next
			return nil
		}
	}
	return &bug.Error{Stage: "symmetry", Err: fmt.Errorf("a step of the quotient has none in its place in the model")}
}

// move makes the real state the one that a successor of the canonical one stands
// for, and the canonical one the state that stands for that successor.
func (w *straightener) move(to []uint64) {
	s := w.s
	local, real := make([]int32, len(w.place)), make([]int32, len(w.place))
	s.net.Unpack(to, local)
	for c, p := range w.place {
		real[p] = local[c]
	}
	s.net.Pack(real, w.real)
	copy(w.canonical, to)
	if s.net.Kind(to) != lks.Normal { // a run ends there: nobody changes places any more
		s.net.Canonicalise(w.real)
		return
	}
	old := slices.Clone(w.place)
	for _, g := range s.Groups {
		order := slices.Clone(g)
		slices.SortStableFunc(order, func(a, b int32) int { return int(local[a]) - int(local[b]) })
		for i, c := range g {
			w.place[c] = old[order[i]]
		}
	}
	s.Canonicalise(w.canonical)
}
