package deadlock

import "math/bits"

// Stubborn sets (Valmari, "Stubborn sets for reduced state space generation",
// 1989, in the form for processes) keep every abstract deadlock reachable while
// following only some of the enabled rules.
//
// A set T of rules is stubborn in a state s that is no abstract deadlock if
//
//	(1) it has a rule that must be possible in s (all members of all its parts'
//	    classes offer it);
//	(2) for each rule of T that may be possible in s, T has all rules by which
//	    one of its parts could leave its class;
//	(3) for each rule of T that is not possible in s, some part cannot do it in
//	    its class, and T has all rules by which that part could leave its class.
//
// Let s -t1-> ... -tn-> d be a path to an abstract deadlock d. Some ti is in T:
// otherwise, by (2), the components of the rule of (1) never move, and the rule
// must still be possible in d. Take the first such ti. It is possible in s: if
// not, by (3), the part that cannot do it never moves before ti, a contradiction.
// By (2) none of its components moves before ti, so it can be moved to the front
// and the path still ends in d. By induction on its length, d is reached through
// stubborn sets alone, by a path of the same length.
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
// not pursued: it would become as large. It overwrites a.best.
func (a *composite) stubborn() []uint64 {
	copy(a.best, a.may)
	clear(a.tried)
	most := 0
	for _, w := range a.may {
		most += bits.OnesCount64(w)
	}
	for w, must := range a.must {
		for ; must != 0 && most > 1; must &= must - 1 {
			seed := int32(w<<6 | bits.TrailingZeros64(must))
			if count := a.close(seed, most); count < most {
				most = count
				copy(a.best, a.set)
			}
			setBit(a.tried, int(seed))
		}
	}
	return a.best
}

// close computes in a.set the least set with seed that satisfies (2) and (3),
// and returns how many of its rules may be possible; it gives up and returns most
// when these are no fewer.
func (a *composite) close(seed int32, most int) int {
	clear(a.set)
	setBit(a.set, int(seed))
	a.todo = append(a.todo[:0], seed)
	count := 1
	for len(a.todo) > 0 {
		a.effort++
		r := a.todo[len(a.todo)-1]
		a.todo = a.todo[:len(a.todo)-1]
		if !bit(a.may, int(r)) {
			c := a.blocker(r)
			count += a.include(a.parts[c].row(a.parts[c].own, a.local[c]), most)
		} else {
			for _, part := range a.net.Rules()[r].Parts {
				q := a.parts[part.Component]
				count += a.include(q.row(q.own, a.local[part.Component]), most)
			}
		}
		if count >= most {
			return most
		}
	}
	return count
}

// include adds rules to a.set and, if they are new, to a.todo. It returns how many
// of the new ones may be possible, or most if one of them was tried before.
func (a *composite) include(rules []uint64, most int) int {
	count := 0
	for w, set := range rules {
		fresh := set &^ a.set[w]
		if fresh == 0 {
			continue
		}
		if fresh&a.tried[w] != 0 {
			return most
		}
		a.set[w] |= fresh
		count += bits.OnesCount64(fresh & a.may[w])
		for ; fresh != 0; fresh &= fresh - 1 {
			a.todo = append(a.todo, int32(w<<6|bits.TrailingZeros64(fresh)))
		}
	}
	return count
}

// blocker returns a component that has a part in rule and cannot do it: the one
// whose moves add least to a.set.
func (a *composite) blocker(rule int32) int32 {
	blocker, least := int32(-1), 0
	for _, part := range a.net.Rules()[rule].Parts {
		c := part.Component
		q := a.parts[c]
		if q.row(q.may, a.local[c])[rule/64]>>(rule%64)&1 != 0 {
			continue
		}
		fresh := 0
		for w, set := range q.row(q.own, a.local[c]) {
			fresh += bits.OnesCount64(set &^ a.set[w])
		}
		if blocker < 0 || fresh < least {
			blocker, least = c, fresh
		}
	}
	return blocker
}
