package deadlock

import "slices"

// kept is what a search of a composite keeps for the next round, when some classes
// have been split, so that only what a split touched is searched again.
//
// The table of states lives on. A split leaves its class's number to one piece and
// gives new numbers to the others, so a vector of classes none of which was split
// means the same states before and after. Suppose this of a state and of all
// successors that were stored for it. Then they still are successors by a stubborn
// set (see stubborn.go), all of them:
//
//   - What its classes offer, wholly or in part, is as before, and so are (1), (2)
//     and the first kind of enabling sets in (3).
//   - The second kind stays an enabling set, though it might now be computed
//     differently: every path of a refined quotient is one of the coarser quotient,
//     where the rules of the set are necessary.
//   - A transition between two classes that were not split remains, and there is no
//     new one. If one of the state's transitions by the rules followed led to a class
//     that was split, a stored successor would have it.
//
// So the next search, breadth-first from the beginning, takes such successors from
// here. Its order and its depths are those of a search that computes everything.
type kept struct {
	rounds int32
	round  []int32 // by state: the last round that reached it
	order  []int32 // the states that this round reached, nearest first
	first  []int32 // by state: the successors are edges[first:first+count]
	count  []int32 // by state: -1 if they are not known
	edges  []keptEdge
}

type keptEdge struct{ rule, target int32 }

// maxKeptEdges bounds what is kept (64 MiB); what comes later is computed again.
const maxKeptEdges = 1 << 23

// reach notes that a state was found from parent, if it is the first time in this
// round.
func (k *kept) reach(s *absSearch, state, parent, rule int32) {
	if int(state) == len(k.round) {
		k.round = append(k.round, k.rounds-1)
		k.first = append(k.first, 0)
		k.count = append(k.count, -1)
	}
	if k.round[state] == k.rounds {
		return
	}
	k.round[state] = k.rounds
	k.order = append(k.order, state)
	s.states.Move(state, parent, rule)
}

// record keeps the successors of a state.
func (k *kept) record(state int32, rules, targets []int32) {
	if len(k.edges)+len(rules) > maxKeptEdges {
		return
	}
	k.first[state], k.count[state] = int32(len(k.edges)), int32(len(rules))
	for i, r := range rules {
		k.edges = append(k.edges, keptEdge{r, targets[i]})
	}
}

// successors returns what is kept for a state whose count is not -1.
func (k *kept) successors(state int32) []keptEdge {
	return k.edges[k.first[state] : k.first[state]+k.count[state]]
}

// repeat reaches the successors of a state if they are known.
func (k *kept) repeat(s *absSearch, state int32) bool {
	if k.count[state] < 0 {
		return false
	}
	for _, e := range k.successors(state) {
		k.reach(s, e.target, state, e.rule)
	}
	return true
}

// again prepares the next round of a search that keeps something: a is the
// composition of the refined quotients, and split says for every component which
// of its former classes were split (nil: none). Time O(states + transitions).
func (s *absSearch) again(a *composite, split [][]bool) *absSearch {
	k := s.kept
	if s.states.Len() > 2*len(k.order)+1<<12 {
		return newAbsSearch(a, s.pace, true) // mostly states that are not reached any more
	}
	s.a, s.transitions, s.ends, s.errors, s.expanded, s.repeated = a, 0, 0, 0, 0, 0
	touched := make([]bool, s.states.Len())
	for state := range touched {
		touched[state] = s.touched(int32(state), split)
	}
	for state := range touched {
		isTouched := func(e keptEdge) bool { return touched[e.target] }
		if k.count[state] >= 0 && (touched[state] || slices.ContainsFunc(k.successors(int32(state)), isTouched)) {
			k.count[state] = -1
		}
	}
	k.compact()
	k.rounds++
	k.order = k.order[:0]
	return s
}

// touched reports whether a state has a class that was split.
func (s *absSearch) touched(state int32, split [][]bool) bool {
	packed := s.states.State(state)
	for c, classes := range split {
		if classes == nil {
			continue
		}
		f := s.a.fields[c]
		if class := packed[f.word] >> (f.shift & 63) & f.mask; class < uint64(len(classes)) && classes[class] {
			return true
		}
	}
	return false
}

// compact drops successors that are not valid any more.
func (k *kept) compact() {
	var edges []keptEdge
	for state, n := range k.count {
		if n < 0 {
			continue
		}
		from := len(edges)
		edges = append(edges, k.successors(int32(state))...)
		k.first[state] = int32(from)
	}
	k.edges = edges
}
