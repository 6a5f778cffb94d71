// Package stubborn chooses stubborn sets of rules, by which partial-order reduction leaves
// out runs that differ from others by the order of steps that a formula does not see.
package stubborn

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/seltl/seltl/lks"
)

// Sets computes, for every state of a network, a set of rules that is enough to
// follow, if the property looks only at some propositions and events and is
// invariant under silent stuttering (see package silent). [Valmari98], section
// 7, in the form for processes.
//
// A rule is visible if its action is an event of the formula, or if one of its
// parts has a transition between local states that differ in propositions of the
// formula, or into an Error state if there are such propositions. If the formula has
// enabled(a), what is possible is a part of the label: a rule is visible too if one
// of its parts has a transition between local states of which only one offers what a
// rule for a needs of that component. If it has that or deadlock, so is every rule
// that is final in some state (see below). Sticky rules are
// chosen once for the network: every cycle of its states takes a visible or a
// sticky rule. A rule enabled in a state is final there if a part of it can enter
// a local state of kind Error. (At the END of a network nothing is possible anyhow:
// it is a state like others.)
//
// The set T of a state s is all rules, or has no final rule enabled in s and
//
//	(D) for each rule of T enabled in s and each of its components c, T has all
//	    rules with a part in c that c offers in its local state;
//	(N) for each rule of T that is not enabled in s there is a part (c, a) that c
//	    does not offer, such that c cannot come to offer a by rules outside T;
//	(V) if T has a visible or sticky rule that is enabled in s, it has all visible
//	    rules;
//	(I) T has an invisible rule that is enabled in s, or it has one that is enabled
//	    and all rules that are visible, sticky, or final in some state.
//
// T depends on s alone, not on the search nor on the automaton's state. So what
// is searched is the product of the automaton with a fixed subgraph of the
// network's states, by whatever algorithm, nested or not. That matters: with
// provisos on the stack of the search the sets depend on the automaton's state,
// and the combination is unsound for automata of invariant properties in general
// [Siegel19].
//
// # Soundness
//
// Claim: for every run of the network there is a silently equivalent one of the
// subgraph, infinite if the first is. Let the run leave s by rules r0 r1 ...
//
// If some rule of it is in T let ri be the first. By (N) it is enabled in s, since
// none before it is in T; by (D) none before it moves a component of ri. So ri can
// be taken first, by the same transitions, then r0 ... r(i-1), and the run goes on
// as before. No state on the new way is in error where the old was not: ri is not
// final, so its components are in other local states after it, where they stay.
// If ri is invisible, all labels on the way are as before, and the new word has
// (L, no event) in front instead of at place i, where the label did not change. If
// ri is visible, by (V) all of r0 ... r(i-1) are invisible: the word had (L, no
// event) i times before ri's letter and now has (L', no event) i times after it, L'
// being the label after ri and of the state the run reaches then.
//
// If no rule of the run is in T, none moves a component of an enabled rule t of T,
// which is enabled all along. So the run does not end, unless in error,
// which takes a rule that is final somewhere; if it goes on for ever, it goes round
// cycles, each with a visible or sticky rule. So T does not have all of these, and
// by (I) there is an invisible t. It can be taken first and the run followed after
// it: one more letter (L, no event). If the run ends in error, so does the new one,
// since t is not final and touches no component that fails.
//
// Repeating this from the next state gives a run of the subgraph, each visible
// step of which is the next visible step of the given run. Suppose some visible
// rule v of the run were never taken. The number of rules before it never grows,
// and the run of the subgraph goes round cycles for ever. Each has a state where a
// visible or sticky rule was followed, so by (V) v is in T there, and the first rule
// of the run in T is v or one before it: the number shrinks each time round, a
// contradiction. So all visible steps are taken, in order. When none is left, both
// runs go on without visible steps in the same label, by silent steps or by
// stuttering, for ever. If only infinite runs count, an infinite run remains one.
//
// The atom deadlock is true where a run has stopped, be it in error. A run that stops
// elsewhere has, as long as it takes a step, a rule in T: the run of the subgraph gets
// shorter with each step and stops in the same state. A run that stops in error could
// be matched by one that goes on silently for ever, which deadlock would tell apart;
// but then its last step is final, thus visible, and is taken. Infinite runs remain
// infinite. So deadlock becomes true in the one word where it does in the other, after
// silently equivalent letters; that package silent knows that the letter before may be
// dropped (F(p & !deadlock)) is needed here.
//
// Priorities are not respected: networks with them are not reduced.
type Sets struct {
	net     *lks.Network
	words   int // of a set of rules
	visible []uint64
	sticky  []uint64 // visible ones included
	anchors []uint64 // and those that are final in some state
	parts   []part

	local   []int32
	enabled []uint64
	list    []int32 // of the enabled rules
	set     []uint64
	best    []uint64
	todo    []int32
	allIn   bool // set contains visible
	work    int  // words of sets looked at for this state
}

// stubbornWork bounds the search for the smallest set in one state to about a
// millisecond: once so many words have been looked at, the best set so far is taken,
// or all rules. A ring of 100 stations, whose 500 rules need 1 << 18 at times, is
// explored a thousand times less with it than with 1 << 16.
const stubbornWork = 1 << 20

// part is a component; tables are made when first needed.
type part struct {
	m     *lks.LKS
	users [][]int32  // by action: the rules with that part
	own   [][]uint64 // by local state: rules with a part that is offered there
	cuts  map[cutKey][][]uint64
}

type cutKey struct{ state, action int32 }

// visibility says what is seen of a network.
type visibility struct {
	props   [][]bool // by component, by proposition
	labels  bool     // some of them are
	events  []bool   // by action of the network: its occurrence
	enabled []bool   // by action of the network: whether it is possible
	stops   bool     // whether nothing is possible

	// close makes the sets of rules closed under a symmetry, or is nil.
	close func(rules []bool)
}

// newSets prepares sets for a network of which this is seen.
func newSets(net *lks.Network, v *visibility) *Sets {
	n := len(net.Rules())
	words := max(1, (n+63)/64)
	b := &Sets{
		net: net, words: words, parts: make([]part, len(net.Components())),
		local: make([]int32, len(net.Components())),
	}
	b.visible, b.sticky, b.anchors = make([]uint64, words), make([]uint64, words), make([]uint64, words)
	b.enabled, b.set, b.best = make([]uint64, words), make([]uint64, words), make([]uint64, words)
	for c, m := range net.Components() {
		b.parts[c] = part{
			m: m, users: make([][]int32, len(m.Alphabet())),
			own: make([][]uint64, m.NumStates()), cuts: map[cutKey][][]uint64{},
		}
	}
	for r, rule := range net.Rules() {
		for _, p := range rule.Parts {
			users := b.parts[p.Component].users
			users[p.Action] = append(users[p.Action], int32(r))
		}
	}
	b.findVisible(v)
	return b
}

func (b *Sets) findVisible(v *visibility) {
	changes := make([][]bool, len(b.parts)) // by component, by action
	for c, watched := range b.watched(v) {
		changes[c] = b.changes(int32(c), v.props[c], watched)
	}
	isVisible, isAnchor := make([]bool, len(b.net.Rules())), make([]bool, len(b.net.Rules()))
	for r, rule := range b.net.Rules() {
		fails := slices.ContainsFunc(rule.Parts, func(p lks.Part) bool { return b.fails(p) })
		isVisible[r] = v.events[rule.Action] || fails && (v.labels || v.stops) ||
			slices.ContainsFunc(rule.Parts, func(p lks.Part) bool { return changes[p.Component][p.Action] })
		isAnchor[r] = fails
	}
	isSticky := sticky(b.net, isVisible)
	if v.close != nil {
		v.close(isVisible)
		v.close(isAnchor)
		v.close(isSticky)
	}
	for r := range int32(len(isVisible)) {
		bit := uint64(1) << (r % 64)
		if isVisible[r] {
			b.visible[r/64] |= bit
		}
		if isVisible[r] || isSticky[r] {
			b.sticky[r/64] |= bit
		}
		if isVisible[r] || isSticky[r] || isAnchor[r] {
			b.anchors[r/64] |= bit
		}
	}
}

// watched returns, by component, the local actions whose being offered is seen.
func (b *Sets) watched(v *visibility) [][]int32 {
	watched := make([][]int32, len(b.parts))
	for _, rule := range b.net.Rules() {
		if !v.enabled[rule.Action] {
			continue
		}
		for _, p := range rule.Parts {
			if !slices.Contains(watched[p.Component], p.Action) {
				watched[p.Component] = append(watched[p.Component], p.Action)
			}
		}
	}
	return watched
}

// changes returns the actions of component c with a transition between states that
// differ in propositions that are seen, or in which of the watched actions they
// offer.
func (b *Sets) changes(c int32, seen []bool, watched []int32) []bool {
	m := b.parts[c].m
	changes := make([]bool, len(m.Alphabet()))
	if len(watched) == 0 && !slices.Contains(seen, true) {
		return changes
	}
	number := map[string]int{}
	class := make([]int, m.NumStates())
	var key []byte
	for s := range class {
		key = key[:0]
		for _, p := range m.Label(int32(s)) {
			if seen[p] {
				key = binary.LittleEndian.AppendUint32(key, uint32(p))
			}
		}
		key = binary.LittleEndian.AppendUint32(key, 1<<32-1)
		for i, a := range watched {
			if len(m.Succ(int32(s), a)) > 0 {
				key = binary.LittleEndian.AppendUint32(key, uint32(i))
			}
		}
		id, ok := number[string(key)]
		if !ok {
			id = len(number)
			number[string(key)] = id
		}
		class[s] = id
	}
	for s := range int32(m.NumStates()) {
		for _, e := range m.Edges(s) {
			changes[e.Action] = changes[e.Action] || class[s] != class[e.Target]
		}
	}
	return changes
}

// fails reports whether a part can enter an Error state.
func (b *Sets) fails(p lks.Part) bool {
	m := b.parts[p.Component].m
	for s := range int32(m.NumStates()) {
		for _, e := range m.Succ(s, p.Action) {
			if m.Kind(e.Target) == lks.Error {
				return true
			}
		}
	}
	return false
}

// Choose returns the set for a state, in which the rules of succ are possible. It
// is the smallest of those that grow from each rule, by the number of rules that
// are possible; nil means all. Visible rules come first: to put them off keeps
// states apart that differ by them. The set is overwritten by the next call.
func (b *Sets) Choose(state []uint64, succ *lks.Successors) []uint64 {
	b.net.Unpack(state, b.local)
	clear(b.enabled)
	b.list = b.list[:0]
	for _, r := range succ.Rules {
		if !has(b.enabled, r) {
			b.enabled[r/64] |= 1 << (r % 64)
			b.list = append(b.list, r)
		}
	}
	most := len(b.list)
	if most < 2 {
		return nil
	}
	b.work = 0
	var best []uint64
	for _, visible := range [2]bool{true, false} {
		for _, seed := range b.list {
			if has(b.visible, seed) != visible || b.work > stubbornWork {
				continue
			}
			if count := b.close(seed, most); count >= 0 {
				most = count
				copy(b.best, b.set)
				best = b.best
				if count == 1 {
					return best
				}
			}
		}
	}
	return best
}

func has(set []uint64, r int32) bool { return set[r/64]>>(r%64)&1 != 0 }

// close computes in b.set a set with seed that satisfies the conditions, and
// returns how many of its rules are enabled; -1 as soon as these are at least
// most, or one of them is final.
func (b *Sets) close(seed int32, most int) int {
	clear(b.set)
	b.allIn = false
	b.set[seed/64] |= 1 << (seed % 64)
	b.todo = append(b.todo[:0], seed)
	if has(b.visible, seed) {
		b.include(b.anchors)
	}
	count := 0
	for len(b.todo) > 0 {
		r := b.todo[len(b.todo)-1]
		b.todo = b.todo[:len(b.todo)-1]
		if !has(b.enabled, r) {
			b.include(b.cheapest(r))
			continue
		}
		if count++; count >= most || b.final(r) {
			return -1
		}
		if has(b.sticky, r) && !b.allIn {
			b.allIn = true
			b.include(b.visible)
		}
		for _, p := range b.net.Rules()[r].Parts {
			b.include(b.offered(p.Component))
		}
	}
	return count
}

// include adds rules to b.set and, if they are new, to b.todo.
func (b *Sets) include(rules []uint64) {
	b.work += len(rules)
	for w, set := range rules {
		fresh := set &^ b.set[w]
		b.set[w] |= fresh
		for ; fresh != 0; fresh &= fresh - 1 {
			b.todo = append(b.todo, int32(w<<6|bits.TrailingZeros64(fresh)))
		}
	}
}

// final reports whether the rule, which is enabled, may enter an Error state.
func (b *Sets) final(r int32) bool {
	for _, p := range b.net.Rules()[r].Parts {
		m := b.parts[p.Component].m
		for _, e := range m.Succ(b.local[p.Component], p.Action) {
			if m.Kind(e.Target) == lks.Error {
				return true
			}
		}
	}
	return false
}

// offered returns the rules with a part that component c offers in its local state.
func (b *Sets) offered(c int32) []uint64 {
	p := &b.parts[c]
	s := b.local[c]
	if p.own[s] == nil {
		p.own[s] = make([]uint64, b.words)
		for _, e := range p.m.Edges(s) {
			p.addRules(p.own[s], e.Action)
		}
	}
	return p.own[s]
}

func (p *part) addRules(set []uint64, action int32) {
	for _, r := range p.users[action] {
		set[r/64] |= 1 << (r % 64)
	}
}

// cheapest returns a set for (N), for a rule that is not enabled: of all that its
// missing parts allow, the one that adds fewest enabled rules to b.set, then
// fewest rules.
func (b *Sets) cheapest(r int32) []uint64 {
	var best []uint64
	least := -1
	for _, part := range b.net.Rules()[r].Parts {
		p := &b.parts[part.Component]
		s := b.local[part.Component]
		if len(p.m.Succ(s, part.Action)) > 0 {
			continue
		}
		for _, cut := range b.cuts(part.Component, s, part.Action) {
			cost := 0
			b.work += len(cut)
			for w := range cut {
				fresh := cut[w] &^ b.set[w]
				cost += bits.OnesCount64(fresh) + bits.OnesCount64(fresh&b.enabled[w])<<16
			}
			if least < 0 || cost < least {
				best, least = cut, cost
			}
		}
	}
	return best
}
