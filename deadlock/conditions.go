package deadlock

import (
	"fmt"
	"strings"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/lks"
)

// Proof is a sufficient condition that proves a network free of deadlocks
// without a search of its states.
type Proof struct {
	Rule string // "ordered waits" or "acyclic communication graph"
	// Components that the conclusion rests on: with ordered waits one that can
	// never be part of a deadlock, or two that cannot be together.
	Components []int
	// Pairs of components were examined, with so many pair states; Rank is the
	// length of the longest chain of waiting, at most.
	Pairs, PairStates, Rank int
	Text                    string // a sentence for people
}

// maxPairStates bounds the pair states that conditions look at.
const maxPairStates = 1 << 24

// prove returns a proof of freedom, or nil and why no condition applies. The
// error is the pace's. Time about proportional to the sum, over pairs of components that
// share a rule, of the products of their sizes.
func prove(net *lks.Network, pace *pace) (proof *Proof, why string, err error) {
	pace.phase("trying sufficient conditions")
	shared := sharing(net)
	proof = &Proof{Pairs: len(shared), PairStates: pairStates(net, shared)}
	if proof.PairStates > maxPairStates {
		return nil, "the components are too large", nil
	}
	comps := components(net)
	pairs := map[[2]int32]*pair{}
	for _, k := range shared {
		p := newPair(net, comps, k[0], k[1])
		pairs[k] = p
		if err := pace.spend(int64(len(p.reached)*64), 0); err != nil {
			return nil, "", err
		}
	}
	if why = acyclicGraph(net, comps, pairs, shared); why == "" {
		proof.Rule = "acyclic communication graph"
		proof.Text = "the communication graph has no cycle, every component always offers something, and no two components can wait for each other"
		return proof, "", nil
	}
	w := &orderedWaits{net: net, comps: comps, pairs: pairs, pace: pace}
	if err := w.run(); err != nil {
		return nil, "", err
	}
	if proof.Components = w.conclusion(shared); proof.Components != nil {
		proof.Rule, proof.Rank = "ordered waits", w.rank
		names := lists.Append(nil, proof.Components, net.ComponentName)
		proof.Text = fmt.Sprintf("whoever waits waits for somebody nearer to a component that can move on: no deadlock can include %s", strings.Join(names, " and "))
		return proof, "", nil
	}
	return nil, why, nil
}

// pairStates returns the sum of the sizes of the products of the pairs.
func pairStates(net *lks.Network, shared [][2]int32) int {
	total := 0
	for _, k := range shared {
		c, d := net.Components()[k[0]], net.Components()[k[1]]
		total += c.NumStates() * d.NumStates()
		if total > maxPairStates {
			break
		}
	}
	return total
}
