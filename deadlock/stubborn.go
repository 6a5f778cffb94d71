package deadlock

import (
	"math"
	"math/bits"
)

// Stubborn sets ([Valmari89], in the form for processes) keep every abstract
// deadlock reachable while following only some of the enabled rules.
//
// A set T of rules is stubborn in a state s that is no abstract deadlock if
//
//	(1) it has a rule that must be possible in s (all members of all its parts'
//	    classes offer it);
//	(2) for each rule of T that may be possible in s, T has all rules by which
//	    one of its parts could leave its class;
//	(3) for each rule of T that is not possible in s, some part cannot do it in
//	    its class, and T has a necessary enabling set of rules for that part: some
//	    rule of it occurs before the part can do it. Such are all rules by which the
//	    part could leave its class, and also all rules by which it can get from any
//	    class in which it cannot do it to one in which it can.
//
// Let s -t1-> ... -tn-> d be a path to an abstract deadlock d. Some ti is in T:
// otherwise, by (2), the components of the rule of (1) never move, and the rule
// must still be possible in d. Take the first such ti. It is possible in s: if
// not, a rule of its necessary enabling set, in T by (3), occurs before ti, a
// contradiction. By (2) none of its components moves before ti, so it can be moved
// to the front and the path still ends in d. By induction on its length, d is
// reached through stubborn sets alone, by a path of the same length.
//
// The second kind of enabling sets is what networks need in which a component
// does not know who has it: a fork that is taken waits for one of two
// philosophers to put it back, one of whom cannot have it; he would first have to
// get it, which the fork refuses already. With the first kind alone all that the
// second one could do instead must be followed.
//
// Special states do no harm: no path to a deadlock passes through one, and the
// permuted path passes through none either. Were one of its states in error, so
// would be a component that never moves again, and d itself; were one terminated,
// all components that decide on termination would rest in End states, to the
// end. Priorities are not respected: the caller does not reduce networks that
// have them, or ignores priorities altogether.
//
// stubborn returns the smallest set found over all choices of the rule (1), by the
// number of rules that may be possible. (Trying only the first few choices is
// cheaper per state but made the readers and writers of table 10.1 a thousand times
// larger.) A set that takes in a rule which was tried before without success is
// not pursued: it would become as large. That happens as soon as it has all rules by
// which a component of that rule could leave its class; such components are doomed.
// It overwrites a.best.
func (a *composite) stubborn() []int32 {
	a.best = a.best[:0]
	a.round++
	most := 0
	for w, may := range a.may {
		most += bits.OnesCount64(may)
		for ; may != 0; may &= may - 1 {
			a.best = append(a.best, int32(w<<6|bits.TrailingZeros64(may)))
		}
	}
	for w, must := range a.must {
		for ; must != 0 && most > 1; must &= must - 1 {
			seed := int32(w<<6 | bits.TrailingZeros64(must))
			if count := a.close(seed, most); count < most {
				most = count
				a.best, a.list = a.list, a.best
			}
			for _, part := range a.net.Rules()[seed].Parts {
				a.doomed[part.Component] = a.round
			}
		}
	}
	return a.best
}

// close computes in a.list a small set with seed that satisfies (2) and (3), and
// returns how many of its rules may be possible; it gives up and returns most when
// these are no fewer. Enabling sets are chosen greedily.
func (a *composite) close(seed int32, most int) int {
	a.closure++
	a.list = append(a.list[:0], seed)
	a.ready = append(a.ready[:0], seed)
	setBit(a.set, int(seed))
	count := 1
	for at := 0; count < most; {
		if n := len(a.ready); n > 0 { // these first, since they decide the size
			r := a.ready[n-1]
			a.ready = a.ready[:n-1]
			count = a.includeConflicts(r, count, most)
			continue
		}
		if at == len(a.list) {
			break
		}
		if r := a.list[at]; !bit(a.may, int(r)) {
			count = a.include(a.enablingSet(r), count, most)
		}
		at++
	}
	a.effort += int64(len(a.list))
	for _, r := range a.list {
		a.set[r/64] &^= 1 << (r % 64)
	}
	return count
}

// includeConflicts adds what (2) demands for a rule. It returns the new count, or
// most if a component is doomed.
func (a *composite) includeConflicts(rule int32, count, most int) int {
	for _, part := range a.net.Rules()[rule].Parts {
		c := part.Component
		if a.doomed[c] == a.round {
			return most
		}
		if count < most && a.left[c] != a.closure {
			a.left[c] = a.closure
			own, _ := a.parts[c].offers(a.local[c])
			count = a.include(own, count, most)
		}
	}
	return count
}

// include adds rules to a.list, which has count rules that may be possible, until
// it has most. It returns the new count.
func (a *composite) include(rules []int32, count, most int) int {
	for _, r := range rules {
		a.effort++
		if bit(a.set, int(r)) {
			continue
		}
		setBit(a.set, int(r))
		a.list = append(a.list, r)
		if !bit(a.may, int(r)) {
			continue
		}
		a.ready = append(a.ready, r)
		if count++; count >= most {
			return most
		}
	}
	return count
}

// enablingSet returns a necessary enabling set (3) of a rule that is not possible:
// the one that adds least to a.list.
func (a *composite) enablingSet(rule int32) []int32 {
	parts := a.net.Rules()[rule].Parts
	var best []int32
	least := math.MaxInt
	consider := func(set []int32) {
		if cost := a.cost(set, least); cost < least {
			best, least = set, cost
		}
	}
	a.blocking = a.blocking[:0]
	for _, part := range parts {
		q, k := a.parts[part.Component], a.local[part.Component]
		if q.mayOffer(k, part.Action) {
			continue
		}
		if a.left[part.Component] == a.closure {
			return nil
		}
		own, _ := q.offers(k)
		consider(own)
		a.blocking = append(a.blocking, part)
	}
	for _, part := range a.blocking {
		if least > 0 {
			consider(a.parts[part.Component].enablers(part.Action))
		}
	}
	return best
}

// cost estimates how much the rules would add to a.list: what may be possible
// counts far more than what is not. It does not look further when it has reached
// most.
func (a *composite) cost(rules []int32, most int) int {
	const possible = 64
	cost := 0
	for _, r := range rules {
		a.effort++
		switch {
		case bit(a.set, int(r)):
		case bit(a.may, int(r)):
			cost += possible
			for _, part := range a.net.Rules()[r].Parts {
				if a.doomed[part.Component] == a.round {
					cost += possible * possible
				}
			}
		default:
			cost++
		}
		if cost >= most {
			return most
		}
	}
	return cost
}
