package deadlock

import (
	"slices"

	"github.com/seltl/seltl/lks"
)

// pair is what two components that share a rule can be in at the same time. All
// other components are taken to be always willing, so that the projection of
// every reachable global state is among the reachable pair states.
type pair struct {
	c, d    int32
	width   int      // number of states of d
	reached []uint64 // bit s*width+t: (s,t) is reachable
	granted []uint64 // of these, the two can move without a third: no part of a deadlock
}

func (p *pair) index(s, t int32) int { return int(s)*p.width + int(t) }

func bit(set []uint64, i int) bool { return set[i/64]>>(i%64)&1 != 0 }

func setBit(set []uint64, i int) { set[i/64] |= 1 << (i % 64) }

// waiting reports whether (s,t) is reachable and can be part of a deadlock.
func (p *pair) waiting(s, t int32) bool {
	i := p.index(s, t)
	return bit(p.reached, i) && !bit(p.granted, i)
}

// sharing returns the pairs of components that share a rule, each once, sorted,
// with the smaller first.
func sharing(net *lks.Network) [][2]int32 {
	seen := map[[2]int32]bool{}
	var pairs [][2]int32
	for _, rule := range net.Rules() {
		for i, p := range rule.Parts {
			for _, q := range rule.Parts[i+1:] {
				k := [2]int32{p.Component, q.Component}
				if !seen[k] {
					seen[k] = true
					pairs = append(pairs, k)
				}
			}
		}
	}
	slices.SortFunc(pairs, func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) })
	return pairs
}

// pairMoves are the rules as two components see them.
type pairMoves struct {
	alone [2][]bool    // by local action: some rule has it and no part of the other
	joint [][2]int32   // local actions of rules with parts of both
	sole  [2][]bool    // by local action: some rule has no other part at all
	both  map[int]bool // indices of joint whose rules have no third part
}

func newPairMoves(net *lks.Network, comps []component, c, d int32) *pairMoves {
	m := &pairMoves{both: map[int]bool{}}
	seen := map[[2]int32]int{}
	for side, k := range [2]int32{c, d} {
		other := [2]int32{d, c}[side]
		m.alone[side] = make([]bool, len(comps[k].rules))
		m.sole[side] = make([]bool, len(comps[k].rules))
		for a, rules := range comps[k].rules {
			for _, r := range rules {
				parts := net.Rules()[r].Parts
				i := slices.IndexFunc(parts, func(p lks.Part) bool { return p.Component == other })
				if i < 0 {
					m.alone[side][a] = true
					m.sole[side][a] = m.sole[side][a] || len(parts) == 1
					continue
				}
				if side == 1 {
					continue // seen from c already
				}
				actions := [2]int32{int32(a), parts[i].Action}
				j, ok := seen[actions]
				if !ok {
					j = len(m.joint)
					seen[actions] = j
					m.joint = append(m.joint, actions)
				}
				m.both[j] = m.both[j] || len(parts) == 2
			}
		}
	}
	return m
}

// newPair explores what c and d can be in together. States with a component in
// error are not left: the network is in error then.
func newPair(net *lks.Network, comps []component, c, d int32) *pair {
	mc, md := comps[c].m, comps[d].m
	p := &pair{c: c, d: d, width: md.NumStates()}
	size := (mc.NumStates()*md.NumStates() + 63) / 64
	p.reached, p.granted = make([]uint64, size), make([]uint64, size)
	moves := newPairMoves(net, comps, c, d)
	var todo [][2]int32
	add := func(s, t int32) {
		if i := p.index(s, t); !bit(p.reached, i) {
			setBit(p.reached, i)
			todo = append(todo, [2]int32{s, t})
		}
	}
	for _, s := range mc.Initial() {
		for _, t := range md.Initial() {
			add(s, t)
		}
	}
	for len(todo) > 0 {
		s, t := todo[len(todo)-1][0], todo[len(todo)-1][1]
		todo = todo[:len(todo)-1]
		if mc.Kind(s) == lks.Error || md.Kind(t) == lks.Error {
			setBit(p.granted, p.index(s, t))
			continue
		}
		granted := false
		for _, e := range mc.Edges(s) {
			if moves.alone[0][e.Action] {
				granted = granted || moves.sole[0][e.Action]
				add(e.Target, t)
			}
		}
		for _, e := range md.Edges(t) {
			if moves.alone[1][e.Action] {
				granted = granted || moves.sole[1][e.Action]
				add(s, e.Target)
			}
		}
		for j, actions := range moves.joint {
			for _, e := range mc.Succ(s, actions[0]) {
				for _, f := range md.Succ(t, actions[1]) {
					granted = granted || moves.both[j]
					add(e.Target, f.Target)
				}
			}
		}
		if granted {
			setBit(p.granted, p.index(s, t))
		}
	}
	return p
}
