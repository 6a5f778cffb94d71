package certificate

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/smt"
)

// silentFor proves that a formula does not notice silent steps that change nothing which it
// sees: steps of an abstraction are several of the component's, and how many has no
// meaning. It looks for two runs that differ in such steps only, one of which satisfies the
// formula while the other does not: a position of the shorter is one of the longer one, before
// which there may be others in the same state that silent steps leave. The letters
// are those that the graph has. Behind one of a run that has ended comes the same, for ever.
func (g *graph) silentFor(f *ltl.Formula, finite Finite, meter *budget.Meter) error {
	if f.HasRegexp() {
		return &TooLarge{What: "the regular expressions of the formula would have to be unfolded, which the check does not do"}
	}
	letters := g.letters(f, finite)
	for _, h := range [][2]*ltl.Formula{{f, ltl.Negate(f)}, {ltl.Negate(f), f}} {
		found, err := differ(newTableau(h[0]), newTableau(h[1]), letters, meter)
		if err != nil {
			return err
		}
		if found {
			return &Refused{Claim: "the formula does not notice silent steps", Status: smt.Sat}
		}
	}
	return nil
}

// seen is what a formula sees of a position: which of its atoms hold.
type seen struct {
	atoms  []ltl.Atom
	holds  []bool
	silent int // number of the letter of a silent step in the same state
	ended  bool
}

// reads is tableauEdge.reads for what a formula sees.
func (s *seen) reads(e *tableauEdge) bool {
	for _, f := range e.now {
		wanted := f.Op() != ltl.Not
		if !wanted {
			f = f.Left()
		}
		if f.Atom().Kind == ltl.Hidden {
			continue
		}
		if s.holds[slices.Index(s.atoms, f.Atom())] != wanted {
			return false
		}
	}
	return true
}

// letters are what the formula sees of the moves of the graph, of ends of runs, and of silent
// steps.
func (g *graph) letters(f *ltl.Formula, finite Finite) (all []seen) {
	atoms := ltl.Atoms(f)
	number := map[string]int{}
	add := func(holds []bool, silent int, ended bool) int {
		key := fmt.Sprint(ended)
		for _, h := range holds {
			key += map[bool]string{true: "1", false: "0"}[h]
		}
		n, known := number[key]
		if !known {
			n = len(all)
			number[key] = n
			if silent < 0 {
				silent = n
			}
			all = append(all, seen{atoms, holds, silent, ended})
		}
		return n
	}
	for s := range g.states {
		ended := len(g.out[s]) == 0
		if ended && (finite != Stutter || g.imaginary(int32(s))) {
			continue // no run that counts is there
		}
		state := g.holds(int32(s))
		of := func(action string) []bool {
			holds := make([]bool, len(atoms))
			for i, a := range atoms {
				if a.Kind == ltl.Event {
					holds[i] = action != "" && a.Name == action
				} else {
					holds[i] = state(a)
				}
			}
			return holds
		}
		silent := add(of(""), -1, ended)
		for _, m := range g.out[s] {
			add(of(g.actions[m.action]), silent, false)
		}
	}
	return all
}

// differ looks for a word of a and one of b that is the same with silent letters put in, any
// finite number before a position.
func differ(a, b *tableau, letters []seen, meter *budget.Meter) (bool, error) {
	// A node is a pair of states, the letter that both have to read next, or none, and the letter
	// of a run that has ended, or none.
	type node struct {
		p, q        int32
		next, ended int // of letters, or -1
	}
	x := &arena{strong: make([]bool, len(a.promises)+len(b.promises)+1)}
	number := map[node]int32{}
	var nodes []node
	enter := func(n node) int32 {
		k, known := number[n]
		if !known {
			k = int32(len(nodes))
			number[n] = k
			nodes = append(nodes, n)
		}
		return k
	}
	enter(node{0, 0, -1, -1})
	always := slices.Repeat([]bool{true}, len(x.strong))
	edges := 0
	for k := 0; k < len(nodes); k++ {
		if err := meter.Tick(budget.Progress{Phase: "looking whether silent steps matter", States: int64(k)}); err != nil {
			return false, err
		}
		n := nodes[k]
		var out []arenaEdge
		for l := range letters {
			if n.next >= 0 && n.next != l || n.ended >= 0 && n.ended != l {
				continue
			}
			ended := -1
			if letters[l].ended {
				ended = l
			}
			for _, f := range b.out(n.q) {
				if ended < 0 && letters[letters[l].silent].reads(&f) { // put in
					out = append(out, arenaEdge{enter(node{n.p, f.next, l, -1}), meets(a, b, nil, &f)})
				}
				if !letters[l].reads(&f) {
					continue
				}
				for _, e := range a.out(n.p) {
					if letters[l].reads(&e) {
						out = append(out, arenaEdge{enter(node{e.next, f.next, -1, ended}), meets(a, b, &e, &f)})
					}
				}
			}
		}
		x.out, x.asks = append(x.out, out), append(x.asks, always)
		if edges += len(out); edges > maxPairs/16 || a.tooLarge || b.tooLarge {
			return false, &TooLarge{What: "the formula"}
		}
	}
	return x.fairNode() >= 0, nil
}

// meets says which promises of both tableaus an edge of each does not put off; a nil edge is
// of a tableau that waits, which it must not do for ever.
func meets(a, b *tableau, e, f *tableauEdge) []bool {
	all := make([]bool, 0, len(a.promises)+len(b.promises)+1)
	for p := range a.promises {
		all = append(all, e != nil && !slices.Contains(e.off, int32(p)))
	}
	for p := range b.promises {
		all = append(all, !slices.Contains(f.off, int32(p)))
	}
	return append(all, e != nil)
}
