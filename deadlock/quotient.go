package deadlock

import (
	"cmp"
	"slices"

	"github.com/seltl/seltl/lks"
)

// component is what all quotients of one component share.
type component struct {
	m     *lks.LKS
	rules [][]int32 // by local action: the rules with that part
}

// components prepares the components of a network.
func components(net *lks.Network) []component {
	comps := make([]component, len(net.Components()))
	for i, m := range net.Components() {
		comps[i] = component{m: m, rules: make([][]int32, len(m.Alphabet()))}
	}
	for r, rule := range net.Rules() {
		for _, part := range rule.Parts {
			c := &comps[part.Component]
			c.rules[part.Action] = append(c.rules[part.Action], int32(r))
		}
	}
	return comps
}

// quotient is the quotient LKS of a component (Def. 37) with the lists of rules of
// the network that the search needs.
type quotient struct {
	*partition
	c       *component
	initial []int32
	first   []int32 // edges of class k: edges[first[k]:first[k+1]]
	edges   []lks.Edge

	// own[ownFirst[k]:ownFirst[k+1]] are the rules with a part here that some member
	// of class k offers: by them the component can leave the class. Those before
	// allEnd[k] are offered by all members: the abstract refusal (Def. 38) are the
	// other rules with a part here.
	own      []int32
	ownFirst []int32
	allEnd   []int32

	exact    bool      // all members of a class always offer the same
	enabling [][]int32 // by local action, see enablers; nil if not yet computed
}

// newQuotient makes the quotient of c by p, in time O(m log m) of the
// component's transitions.
func newQuotient(c *component, p *partition) *quotient {
	q := &quotient{partition: p, c: c, exact: true}
	for _, s := range c.m.Initial() {
		q.initial = append(q.initial, p.classOf[s])
	}
	slices.Sort(q.initial)
	q.initial = slices.Compact(q.initial)
	q.first = make([]int32, len(p.classes)+1)
	q.ownFirst = make([]int32, len(p.classes)+1)
	q.allEnd = make([]int32, len(p.classes))
	q.enabling = make([][]int32, len(c.m.Alphabet()))
	offered := make([]int32, len(c.m.Alphabet())) // by action: members that offer it
	for k, members := range p.classes {
		from, compactAt := len(q.edges), 64
		for _, s := range members {
			last := int32(-1)
			for _, e := range c.m.Edges(s) {
				if e.Action != last {
					offered[e.Action]++
					last = e.Action
				}
				q.edges = append(q.edges, lks.Edge{Action: e.Action, Target: p.classOf[e.Target]})
			}
			if len(q.edges)-from > compactAt {
				n := len(lks.SortEdges(q.edges[from:]))
				q.edges = q.edges[:from+n]
				compactAt = 2*n + 64
			}
		}
		q.edges = q.edges[:from+len(lks.SortEdges(q.edges[from:]))]
		q.first[k+1] = int32(len(q.edges))
		q.offer(k, offered)
	}
	return q
}

// offer appends the rules that members of class k offer, which all of them offer
// first, and clears the counts.
func (q *quotient) offer(k int, offered []int32) {
	edges := q.edges[q.first[k]:]
	for _, all := range []bool{true, false} {
		last := int32(-1)
		for _, e := range edges {
			if e.Action != last && (int(offered[e.Action]) == len(q.classes[k])) == all {
				q.own = append(q.own, q.c.rules[e.Action]...)
			}
			last = e.Action
		}
		if all {
			q.allEnd[k] = int32(len(q.own))
		}
	}
	q.ownFirst[k+1] = int32(len(q.own))
	q.exact = q.exact && q.allEnd[k] == q.ownFirst[k+1]
	for _, e := range edges {
		offered[e.Action] = 0
	}
}

// offers returns the rules with a part here that some member of class k offers,
// and how many of them, in front, all members offer.
func (q *quotient) offers(k int32) (rules []int32, all int) {
	from := q.ownFirst[k]
	return q.own[from:q.ownFirst[k+1]], int(q.allEnd[k] - from)
}

// mayOffer reports whether some member of class k offers the local action.
func (q *quotient) mayOffer(k, action int32) bool { return len(q.targets(k, action)) > 0 }

// enablers returns the rules by which the component can get from a class that
// does not offer the local action to one that does. Time O(edges) at the first
// call for the action. Not safe for concurrent use.
func (q *quotient) enablers(action int32) []int32 {
	if q.enabling[action] != nil {
		return q.enabling[action]
	}
	offering := make([]bool, len(q.classes))
	for k := range q.classes {
		offering[k] = q.mayOffer(int32(k), action)
	}
	by := make([]bool, len(q.c.rules))
	for k := range q.classes {
		if offering[k] {
			continue
		}
		for _, e := range q.edges[q.first[k]:q.first[k+1]] {
			by[e.Action] = by[e.Action] || offering[e.Target]
		}
	}
	list := []int32{} // not nil
	for a, ok := range by {
		if ok {
			list = append(list, q.c.rules[a]...)
		}
	}
	q.enabling[action] = list
	return list
}

// targets returns the transitions of class k by a local action.
func (q *quotient) targets(k, action int32) []lks.Edge {
	edges := q.edges[q.first[k]:q.first[k+1]]
	for len(edges) > 16 {
		half := len(edges) / 2
		switch {
		case edges[half-1].Action < action:
			edges = edges[half:]
		case edges[half].Action > action:
			edges = edges[:half]
		default:
			// The run of the action lies around the middle.
			from := sortFind(edges[:half], action)
			to := half + sortFind(edges[half:], action+1)
			return edges[from:to]
		}
	}
	from := 0
	for from < len(edges) && edges[from].Action < action {
		from++
	}
	to := from
	for to < len(edges) && edges[to].Action == action {
		to++
	}
	return edges[from:to]
}

// sortFind returns the first index whose action is at least action.
func sortFind(edges []lks.Edge, action int32) int {
	i, _ := slices.BinarySearchFunc(edges, action, func(e lks.Edge, a int32) int { return cmp.Compare(e.Action, a) })
	return i
}

// kind returns the kind of all members of class k.
func (q *quotient) kind(k int32) lks.Kind { return q.c.m.Kind(q.classes[k][0]) }

// refuses reports whether some member of class k refuses the local action, which
// is its being in the abstract refusal.
func (q *quotient) refuses(k, action int32) bool {
	for _, s := range q.classes[k] {
		if len(q.c.m.Succ(s, action)) == 0 {
			return true
		}
	}
	return false
}
