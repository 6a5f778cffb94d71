package lks

import (
	"math/bits"
	"slices"

	"github.com/seltl/seltl/budget"
)

// Successors is a list of transitions that leave one global state: the i-th is
// by rule Rules[i] and leads to States[i*Words : (i+1)*Words]. An Explorer
// overwrites it and reuses its memory.
//
// Two entries can be the same transition of the composition, when two rules
// show the same action and lead to the same state; one rule never has two equal
// entries.
type Successors struct {
	Rules  []int32
	States []uint64
}

// Len returns the number of transitions.
func (s *Successors) Len() int { return len(s.Rules) }

// Reset empties the list, but keeps its memory.
func (s *Successors) Reset() {
	s.Rules = s.Rules[:0]
	s.States = s.States[:0]
}

// Explorer computes initial states and successors of one network. It allocates
// nothing per state. It is not safe for concurrent use: make one per goroutine,
// which costs little. Of a state with more transitions than memory can be expected to hold it
// aborts (budget.Abort): searches are called by way of budget.Within.
type Explorer struct {
	net     *Network
	prog    *program
	enabled []int32   // scratch: enabled rules
	row     []uint64  // scratch: enabled rules as a bitset
	at      []uint32  // scratch: by group, where its bitset is
	choice  []choice  // scratch: see expand
	local   []int32   // scratch: local states
	one     [2]uint64 // scratch: states of one word, see successorsGeneral1 and canonical1
}

// Explorer returns a new explorer. The first call for a network compiles it,
// in time and memory about proportional to its components.
func (n *Network) Explorer() *Explorer {
	n.once.Do(func() { n.compiled = newProgram(n, maxDenseRules, groupWidths) })
	p := n.compiled
	return &Explorer{
		net:     n,
		prog:    p,
		row:     make([]uint64, p.rowWords),
		at:      make([]uint32, len(p.groups)),
		choice:  make([]choice, p.maxParts),
		local:   make([]int32, len(n.components)),
		enabled: make([]int32, 0, 64),
	}
}

// Alternatives reports whether two rules that can fire show the same action. If not, no
// two of the successors of a state are the same transition.
func (e *Explorer) Alternatives() bool { return e.prog.alternatives }

// Initial stores the initial states, with -1 for their rules, without
// duplicates, in the order of the local initial states (last component fastest).
func (e *Explorer) Initial(out *Successors) {
	out.Reset()
	n := e.net
	words := e.prog.words
	pick := make([]int, len(n.components))
	for {
		for c, m := range n.components {
			e.local[c] = m.initial[pick[c]]
		}
		at := len(out.States)
		out.States = append(out.States, make([]uint64, words)...)
		n.Pack(e.local, out.States[at:])
		if n.Kind(out.States[at:]) != Normal {
			n.canonicalise(out.States[at:])
			if e.duplicate(out, 0) {
				out.States = out.States[:at]
			}
		}
		if len(out.States) > at {
			out.Rules = append(out.Rules, -1)
		}
		c := len(pick) - 1
		for ; c >= 0; c-- {
			if pick[c]++; pick[c] < len(n.components[c].initial) {
				break
			}
			pick[c] = 0
		}
		if c < 0 {
			return
		}
	}
}

// duplicate reports whether the last state of out equals an earlier one, not
// before the given entry.
func (e *Explorer) duplicate(out *Successors, from int) bool {
	words := e.prog.words
	last := out.States[len(out.States)-words:]
	for at := from * words; at < len(out.States)-words; at += words {
		if slices.Equal(out.States[at:at+words], last) {
			return true
		}
	}
	return false
}

// Successors stores the transitions that leave state, ordered by rule and then
// by the targets of the rule's parts, the last part fastest. States in error
// and terminated states have none.
func (e *Explorer) Successors(state []uint64, out *Successors) {
	out.Reset()
	e.AppendSuccessors(state, out)
}

// AppendSuccessors is Successors, but keeps what out holds.
func (e *Explorer) AppendSuccessors(state []uint64, out *Successors) {
	p := e.prog
	switch {
	case p.sparse != nil:
		e.sparseSuccessors(state, out)
	case p.fast:
		e.successors1(state[0], out)
	default:
		e.denseSuccessors(state, out)
	}
}

// successors1 is denseSuccessors for states of one word and at most 64 rules.
func (e *Explorer) successors1(state uint64, out *Successors) {
	p := e.prog
	enabled := p.always[0]
	rows := p.rows
	for i := range p.groups {
		g := &p.groups[i]
		enabled &= rows[g.base+uint32(state>>(g.shift&63)&g.mask)]
	}
	if enabled == 0 {
		return
	}
	k := len(out.Rules)
	most := k + bits.OnesCount64(enabled)
	if cap(out.Rules) < most || cap(out.States) < most {
		out.Rules = slices.Grow(out.Rules, most)
		out.States = slices.Grow(out.States, most)
	}
	rules, states := out.Rules[:most], out.States[:most]
	for enabled != 0 {
		r := bits.TrailingZeros64(enabled)
		enabled &= enabled - 1
		plan := &p.plans[r]
		next := state ^ plan.flip
		if plan.kind != planFlip {
			if plan.kind == planGeneral {
				e.successorsGeneral1(state, enabled|1<<r, k, out)
				return
			}
			for i := plan.first; i < plan.last; i++ {
				s := &p.steps[i]
				next ^= uint64(p.flips[s.base+uint32(state>>(s.shift&63)&s.mask)]) << (s.shift & 63)
			}
			if plan.special {
				next = e.canonical1(next)
			}
		}
		rules[k] = plan.rule
		states[k] = next
		k++
	}
	out.Rules, out.States = rules[:k], states[:k]
}

// canonical1 returns the state that stands for one of one word.
func (e *Explorer) canonical1(state uint64) uint64 {
	e.one[1] = state
	e.net.canonicalise(e.one[1:])
	return e.one[1]
}

// successorsGeneral1 goes on after k successors, when a rule with several
// targets has come up.
func (e *Explorer) successorsGeneral1(state, enabled uint64, k int, out *Successors) {
	out.Rules, out.States = out.Rules[:k], out.States[:k]
	e.one[0] = state
	for enabled != 0 {
		r := bits.TrailingZeros64(enabled)
		enabled &= enabled - 1
		e.fire(e.one[:1], r, out)
	}
}

// denseSuccessors ANDs the bitsets of the local states and fires what remains.
func (e *Explorer) denseSuccessors(state []uint64, out *Successors) {
	p := e.prog
	if p.errors && p.layout.failed(e.net, state) {
		return
	}
	at := e.at
	for i := range p.groups {
		g := &p.groups[i]
		at[i] = g.base + uint32(state[g.word]>>(g.shift&63)&g.mask)*(g.last-g.first)
	}
	row := e.row
	for w, enabled := range p.always {
		for _, c := range p.cells[w] {
			if enabled &= p.rows[at[c.group]+c.offset]; enabled == 0 {
				break
			}
		}
		row[w] = enabled
	}
	for _, low := range p.low {
		yield(row, low)
	}
	for w, enabled := range row {
		for enabled != 0 {
			r := w<<6 | bits.TrailingZeros64(enabled)
			enabled &= enabled - 1
			e.fire(state, r, out)
		}
	}
}

// yield removes the low rules from row if it has others.
func yield(row, low []uint64) {
	var high uint64
	for w := range row {
		high |= row[w] &^ low[w]
	}
	if high == 0 {
		return
	}
	for w := range row {
		row[w] &^= low[w]
	}
}

// fire appends the transitions by the i-th live rule, which is enabled in state.
func (e *Explorer) fire(state []uint64, i int, out *Successors) {
	p := e.prog
	plan := &p.plans[i]
	if plan.kind == planGeneral {
		for i, part := range e.net.rules[plan.rule].Parts {
			m := e.net.components[part.Component]
			e.choice[i].edges = m.Succ(p.layout.local(state, part.Component), part.Action)
		}
		e.expand(state, plan.rule, plan.special, out)
		return
	}
	out.Rules = append(out.Rules, plan.rule)
	if len(state) == 1 {
		next := state[0] ^ plan.flip
		for i := plan.first; i < plan.last; i++ {
			s := &p.steps[i]
			next ^= uint64(p.flips[s.base+uint32(state[0]>>(s.shift&63)&s.mask)]) << (s.shift & 63)
		}
		if plan.special {
			next = e.canonical1(next)
		}
		out.States = append(out.States, next)
		return
	}
	at := len(out.States)
	out.States = append(out.States, state...)
	next := out.States[at:]
	next[plan.word] ^= plan.flip
	for i := plan.first; i < plan.last; i++ {
		s := &p.steps[i]
		next[s.word] ^= uint64(p.flips[s.base+uint32(state[s.word]>>(s.shift&63)&s.mask)]) << (s.shift & 63)
	}
	if plan.special {
		e.net.canonicalise(next)
	}
}

// choice is what one part of a rule can do: edges is not empty.
type choice struct {
	edges []Edge
	at    int
}

// mostOfState bounds the memory, in bytes, of the transitions that leave one state.
const mostOfState = 1 << 28

// BoundWays aborts (budget.Abort) if a rule makes the ways to leave one state more, each stored in
// so many words, than memory can be expected to hold: a search that went on with some of them would be
// wrong, and one with all may end the process.
func (n *Network) BoundWays(rule int32, ways, words int) {
	if ways > mostOfState/(8*words+4) {
		event := n.alphabet[n.rules[rule].Action]
		budget.Abort(&budget.Exhausted{What: "memory", Limit: budget.FormatBytes(int64(mostOfState)) + " for the ways in which " + event + " leaves one state",
			Advice: "components with fewer choices at " + event})
	}
}

// expand appends every combination of the choices of the rule's parts.
func (e *Explorer) expand(state []uint64, rule int32, special bool, out *Successors) {
	parts := e.net.rules[rule].Parts
	choice := e.choice[:len(parts)]
	ways := 1
	for i := range choice {
		choice[i].at = 0
		ways *= len(choice[i].edges)
		e.net.BoundWays(rule, out.Len()+ways, e.prog.words)
	}
	firstOfRule := len(out.Rules)
	for {
		at := len(out.States)
		out.States = append(out.States, state...)
		next := out.States[at:]
		for i, part := range parts {
			e.prog.layout.setLocal(next, part.Component, choice[i].edges[choice[i].at].Target)
		}
		if special {
			e.net.canonicalise(next)
		}
		if special && e.duplicate(out, firstOfRule) {
			out.States = out.States[:at]
		} else {
			out.Rules = append(out.Rules, rule)
		}
		i := len(choice) - 1
		for ; i >= 0; i-- {
			c := &choice[i]
			if c.at++; c.at < len(c.edges) {
				break
			}
			c.at = 0
		}
		if i < 0 {
			return
		}
	}
}

// sparseSuccessors visits, for every component, the rules that it owns and that
// its local state offers, and looks for the other parts' transitions.
func (e *Explorer) sparseSuccessors(state []uint64, out *Successors) {
	p := e.prog
	n := e.net
	for c := range e.local {
		s := p.layout.local(state, int32(c))
		e.local[c] = s
		if n.components[c].Kind(s) == Error {
			return
		}
	}
	e.enabled = e.enabled[:0]
	for _, c := range p.sparse.owners {
		m := n.components[c]
		edges := m.Edges(e.local[c])
		for i := 0; i < len(edges); {
			a := edges[i].Action
			for i < len(edges) && edges[i].Action == a {
				i++
			}
			for _, r := range p.sparse.owned(c, a) {
				if e.othersCan(r, c) {
					e.enabled = append(e.enabled, r)
				}
			}
		}
	}
	slices.Sort(e.enabled)
	for _, low := range n.low {
		e.yieldSparse(low)
	}
	for _, r := range e.enabled {
		for i, part := range n.rules[r].Parts {
			e.choice[i].edges = n.components[part.Component].Succ(e.local[part.Component], part.Action)
		}
		e.expand(state, r, p.sparse.special[r], out)
	}
}

// othersCan reports whether all parts but the owner's have a transition.
func (e *Explorer) othersCan(rule, owner int32) bool {
	for _, part := range e.net.rules[rule].Parts {
		if part.Component != owner && !e.net.components[part.Component].can(e.local[part.Component], part.Action) {
			return false
		}
	}
	return true
}

// can reports whether s has a transition by action.
func (m *LKS) can(s, action int32) bool {
	edges := m.Edges(s)
	if len(edges) > 16 {
		return len(m.Succ(s, action)) > 0
	}
	for i := range edges {
		if edges[i].Action >= action {
			return edges[i].Action == action
		}
	}
	return false
}

func (e *Explorer) yieldSparse(low []bool) {
	isLow := func(r int32) bool { return low[r] }
	for _, r := range e.enabled {
		if !low[r] {
			e.enabled = slices.DeleteFunc(e.enabled, isLow)
			return
		}
	}
}
