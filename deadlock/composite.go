package deadlock

import (
	"math/bits"
	"slices"

	"github.com/seltl/seltl/lks"
)

// composite is the parallel composition of quotients, explored on the fly. A
// state holds the class of every component, packed.
type composite struct {
	net    *lks.Network
	parts  []*quotient
	fields []field
	states int     // words of a state
	rules  int     // words of a set of rules
	needs  []int32 // by rule: its parts
	exact  bool    // all members of a class always offer the same: may is must

	special []int32 // components with End or Error classes
	reduce  bool    // explore stubborn sets only

	possible, followed int64 // rules, with stubborn sets, over all states explored
	effort             int64 // rules looked at

	// Scratch space; a composite is not safe for concurrent use.
	local           []int32 // class of every component
	notMay, notMust []int32 // by rule: parts that do not offer it, in look
	may, must       []uint64
	set             []uint64 // the rules of list
	list, best, few []int32
	ready           []int32 // of list, may be possible, conflicts not yet in it
	blocking        []lks.Part
	left            []int64 // by component: the last closure that has all its own rules
	doomed          []int64 // by component: the last round in which it was doomed
	closure, round  int64   // numbers, see left and doomed
}

type field struct {
	word  int32
	shift uint8
	mask  uint64
}

// compose returns the composition of quotients of the components of net.
func compose(net *lks.Network, parts []*quotient, reduce bool) *composite {
	n := max(1, (len(net.Rules())+63)/64)
	a := &composite{net: net, parts: parts, rules: n, reduce: reduce, local: make([]int32, len(parts))}
	for _, set := range []*[]uint64{&a.may, &a.must, &a.set} {
		*set = make([]uint64, n)
	}
	for _, counts := range []*[]int32{&a.needs, &a.notMay, &a.notMust} {
		*counts = make([]int32, len(net.Rules()))
	}
	for r, rule := range net.Rules() {
		a.needs[r] = int32(len(rule.Parts))
	}
	a.exact = !slices.ContainsFunc(parts, func(q *quotient) bool { return !q.exact })
	if a.exact {
		a.must = a.may
	}
	a.left, a.doomed = make([]int64, len(parts)), make([]int64, len(parts))
	a.states = 1
	used := 0
	for i, q := range parts {
		width := bits.Len(uint(max(0, q.States()-1))) // for the finest partition, so that states stay as they are
		if used+width > 64 {
			a.states++
			used = 0
		}
		a.fields = append(a.fields, field{word: int32(a.states - 1), shift: uint8(min(used, 63)), mask: 1<<width - 1})
		used += width
		for k := range q.Members {
			if q.kind(int32(k)) != lks.Normal {
				a.special = append(a.special, int32(i))
				break
			}
		}
	}
	return a
}

// unpack stores the classes of a state in a.local.
func (a *composite) unpack(state []uint64) {
	for i := range a.fields {
		f := &a.fields[i]
		a.local[i] = int32(state[f.word] >> (f.shift & 63) & f.mask)
	}
}

func (a *composite) setLocal(state []uint64, c, k int32) {
	f := &a.fields[c]
	state[f.word] = state[f.word]&^(f.mask<<f.shift) | uint64(k)<<f.shift
}

// initial returns the packed initial states.
func (a *composite) initial() []uint64 {
	var out []uint64
	pick := make([]int, len(a.parts))
	for {
		at := len(out)
		out = append(out, make([]uint64, a.states)...)
		for c, q := range a.parts {
			a.setLocal(out[at:], int32(c), q.initial[pick[c]])
		}
		c := len(pick) - 1
		for ; c >= 0; c-- {
			if pick[c]++; pick[c] < len(a.parts[c].initial) {
				break
			}
			pick[c] = 0
		}
		if c < 0 {
			return out
		}
	}
}

// kind returns Error if all concrete states of a.local are in error, and End if in
// all of them the components that decide on termination are at their End: from there
// no deadlock can be reached, only silent steps are left before the network ends.
func (a *composite) kind() lks.Kind {
	if len(a.special) == 0 {
		return lks.Normal
	}
	normal := true
	for _, c := range a.special {
		switch a.parts[c].kind(a.local[c]) {
		case lks.Error:
			return lks.Error
		case lks.End:
			normal = false
		}
	}
	if normal {
		return lks.Normal
	}
	locals := make([]int32, len(a.local))
	for c, k := range a.local {
		locals[c] = a.parts[c].Members[k][0]
	}
	state := make([]uint64, a.net.Words())
	a.net.Pack(locals, state)
	if a.net.Settled(state) {
		return lks.End
	}
	return lks.Normal
}

// look computes the sets may and must of a.local: the rules that all their parts
// may offer, and of these those that they offer whatever members of the classes
// they are in. Time O(rules/64 + rules offered).
func (a *composite) look() {
	clear(a.may)
	copy(a.notMay, a.needs)
	for c, q := range a.parts {
		rules, _ := q.offers(a.local[c])
		complete(rules, a.notMay, a.may)
		a.effort += int64(len(rules))
	}
	if a.exact {
		return
	}
	clear(a.must)
	copy(a.notMust, a.needs)
	for c, q := range a.parts {
		rules, all := q.offers(a.local[c])
		complete(rules[:all], a.notMust, a.must)
	}
}

// complete counts the rules down and adds to set those that have come to zero.
func complete(rules, missing []int32, set []uint64) {
	for _, r := range rules {
		if missing[r]--; missing[r] == 0 {
			setBit(set, int(r))
		}
	}
}

func empty(set []uint64) bool {
	return !slices.ContainsFunc(set, func(w uint64) bool { return w != 0 })
}

// abstractDeadlock reports whether the abstract refusal of a.local is everything
// (after look): then some concrete states of its classes, taken one by one,
// together refuse all rules. Only states of kind Normal count.
func (a *composite) abstractDeadlock() bool { return empty(a.must) }

// chosen returns the rules to follow from a.local (after look), sorted. The list is
// overwritten by the next call.
func (a *composite) chosen() []int32 {
	a.few = a.few[:0]
	if !a.reduce || empty(a.must) {
		for w, may := range a.may {
			for ; may != 0; may &= may - 1 {
				a.few = append(a.few, int32(w<<6|bits.TrailingZeros64(may)))
			}
		}
		return a.few
	}
	for _, may := range a.may {
		a.possible += int64(bits.OnesCount64(may))
	}
	for _, r := range a.stubborn() {
		if bit(a.may, int(r)) {
			a.few = append(a.few, r)
		}
	}
	slices.Sort(a.few)
	a.followed += int64(len(a.few))
	a.reduce = !a.noGain()
	return a.few
}

// noGain reports whether stubborn sets are nearly all that is possible.
func (a *composite) noGain() bool {
	return a.possible > 1<<15 && a.followed > a.possible/10*9
}

// successors is a list of abstract transitions: by rules[i] to the i-th state.
type successors struct {
	rules  []int32
	states []uint64
}

func (s *successors) len() int { return len(s.rules) }

// fire sets out to all successors of state by the rules, which may happen.
func (a *composite) fire(state []uint64, rules []int32, out *successors) {
	out.rules, out.states = out.rules[:0], out.states[:0]
	for _, r := range rules {
		a.fireRule(state, r, out)
	}
}

// fireRule appends the successors by one rule: the combinations of its parts'
// targets, built up part by part.
func (a *composite) fireRule(state []uint64, rule int32, out *successors) {
	from := len(out.states)
	out.states = append(out.states, state...)
	ways := 1
	for _, part := range a.net.Rules()[rule].Parts {
		c := part.Component
		targets := a.parts[c].targets(a.local[c], part.Action)
		ways *= len(targets)
		a.net.BoundWays(rule, out.len()+ways, a.states)
		to := len(out.states)
		for _, e := range targets[1:] {
			for at := from; at < to; at += a.states {
				out.states = append(out.states, out.states[at:at+a.states]...)
				a.setLocal(out.states[len(out.states)-a.states:], c, e.Target)
			}
		}
		for at := from; at < to; at += a.states {
			a.setLocal(out.states[at:], c, targets[0].Target)
		}
	}
	n := (len(out.states) - from) / a.states
	for range n {
		out.rules = append(out.rules, rule)
	}
}
