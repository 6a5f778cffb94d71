package deadlock

import (
	"cmp"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/partition"
	"github.com/seltl/seltl/lks"
)

// component is what all quotients of one component share.
type component struct {
	m     *lks.LKS
	rules [][]int32 // by local action: the rules with that part
}

// components prepares the components of a network.
func components(net *lks.Network) []component {
	comps := lists.Map(net.Components(), func(m *lks.LKS) component { return component{m: m, rules: make([][]int32, len(m.Alphabet()))} })
	for r, rule := range net.Rules() {
		for _, part := range rule.Parts {
			c := &comps[part.Component]
			c.rules[part.Action] = append(c.rules[part.Action], int32(r))
		}
	}
	return comps
}

// newPartition returns the coarsest partition of the states that m can reach on its
// own in which no class mixes kinds.
func newPartition(m *lks.LKS) *partition.Partition {
	reached := reachable(m)
	return partition.By(m.NumStates(), func(s int32) (lks.Kind, bool) { return m.Kind(s), reached[s] })
}

// reachable marks the states of m that its own transitions reach.
func reachable(m *lks.LKS) []bool {
	seen := make([]bool, m.NumStates())
	todo := slices.Clone(m.Initial())
	for _, s := range todo {
		seen[s] = true
	}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range m.Edges(s) {
			if !seen[e.Target] {
				seen[e.Target] = true
				todo = append(todo, e.Target)
			}
		}
	}
	return seen
}

// quotient is the quotient LKS of a component (Def. 37) with the lists of rules of
// the network that the search needs.
type quotient struct {
	*partition.Partition
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
// component's transitions. tick, which may be nil, is asked now and then; the error is its.
func newQuotient(c *component, p *partition.Partition, tick func() error) (*quotient, error) {
	q := &quotient{Partition: p, c: c, exact: true}
	for _, s := range c.m.Initial() {
		q.initial = append(q.initial, p.Class[s])
	}
	slices.Sort(q.initial)
	q.initial = slices.Compact(q.initial)
	q.first = make([]int32, len(p.Members)+1)
	q.ownFirst = make([]int32, len(p.Members)+1)
	q.allEnd = make([]int32, len(p.Members))
	q.enabling = make([][]int32, len(c.m.Alphabet()))
	out := c.m.Edges
	offered := make([]int32, len(c.m.Alphabet())) // by action: members that offer it
	told := 0
	for k, members := range p.Members {
		if tick != nil && len(q.edges)+len(members)-told > budget.TickEvery {
			told = len(q.edges)
			if err := tick(); err != nil {
				return nil, err
			}
		}
		for _, s := range members {
			last := int32(-1)
			for _, e := range c.m.Edges(s) {
				if e.Action != last {
					offered[e.Action]++
					last = e.Action
				}
			}
		}
		q.edges = lks.ClassEdges(q.edges, members, p.Class, true, out)
		q.first[k+1] = int32(len(q.edges))
		q.offer(k, offered)
	}
	return q, nil
}

// offer appends the rules that members of class k offer, which all of them offer
// first, and clears the counts.
func (q *quotient) offer(k int, offered []int32) {
	edges := q.edges[q.first[k]:]
	for _, all := range []bool{true, false} {
		last := int32(-1)
		for _, e := range edges {
			if e.Action != last && (int(offered[e.Action]) == len(q.Members[k])) == all {
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
	offering := make([]bool, len(q.Members))
	for k := range q.Members {
		offering[k] = q.mayOffer(int32(k), action)
	}
	by := make([]bool, len(q.c.rules))
	for k := range q.Members {
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
func (q *quotient) kind(k int32) lks.Kind { return q.c.m.Kind(q.Members[k][0]) }

// refuses reports whether some member of class k refuses the local action, which
// is its being in the abstract refusal.
func (q *quotient) refuses(k, action int32) bool {
	return slices.ContainsFunc(q.Members[k], func(s int32) bool { return len(q.c.m.Succ(s, action)) == 0 })
}
