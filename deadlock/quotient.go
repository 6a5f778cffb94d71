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

// quotient is the quotient LKS of a component (Def. 37) with the bitsets over
// the rules of the network that the search needs. Row k of a bitset belongs to
// class k and has words words.
type quotient struct {
	*partition
	m       *lks.LKS
	initial []int32
	first   []int32 // edges of class k: edges[first[k]:first[k+1]]
	edges   []lks.Edge
	words   int

	// may has the rules that some member offers, must those that all members
	// offer: its complement is the abstract refusal (Def. 38). Both have the rules
	// without a part here. own has those of may that have a part here: by them
	// the component can leave the class.
	may, must, own []uint64
}

// newQuotient makes the quotient of c by p, in time O(m log m) of the
// component's transitions. rules is the number of rules of the network.
func newQuotient(c *component, p *partition, rules int) *quotient {
	q := &quotient{partition: p, m: c.m, words: max(1, (rules+63)/64)}
	for _, s := range c.m.Initial() {
		q.initial = append(q.initial, p.classOf[s])
	}
	slices.Sort(q.initial)
	q.initial = slices.Compact(q.initial)
	q.first = make([]int32, len(p.classes)+1)
	offered := make([]int32, len(c.m.Alphabet())) // by action: members that offer it
	foreign := c.foreign(q.words, rules)
	for k, members := range p.classes {
		clear(offered)
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
				n := len(distinctEdges(q.edges[from:]))
				q.edges = q.edges[:from+n]
				compactAt = 2*n + 64
			}
		}
		q.edges = q.edges[:from+len(distinctEdges(q.edges[from:]))]
		q.first[k+1] = int32(len(q.edges))
		q.addRow(c, foreign, offered, int32(len(members)))
	}
	return q
}

// foreign returns the set of rules without a part in c.
func (c *component) foreign(words, rules int) []uint64 {
	set := make([]uint64, words)
	for r := range rules {
		set[r/64] |= 1 << (r % 64)
	}
	for _, own := range c.rules {
		for _, r := range own {
			set[r/64] &^= 1 << (r % 64)
		}
	}
	return set
}

func (q *quotient) addRow(c *component, foreign []uint64, offered []int32, members int32) {
	at := len(q.may)
	q.may = append(q.may, foreign...)
	q.must = append(q.must, foreign...)
	q.own = append(q.own, make([]uint64, q.words)...)
	for a, n := range offered {
		if n == 0 {
			continue
		}
		for _, r := range c.rules[a] {
			bit := uint64(1) << (r % 64)
			q.may[at+int(r/64)] |= bit
			q.own[at+int(r/64)] |= bit
			if n == members {
				q.must[at+int(r/64)] |= bit
			}
		}
	}
}

// distinctEdges sorts edges in place and returns them without duplicates.
func distinctEdges(edges []lks.Edge) []lks.Edge {
	slices.SortFunc(edges, func(a, b lks.Edge) int {
		return cmp.Or(cmp.Compare(a.Action, b.Action), cmp.Compare(a.Target, b.Target))
	})
	return slices.Compact(edges)
}

// row returns row k of a bitset of q.
func (q *quotient) row(set []uint64, k int32) []uint64 {
	return set[int(k)*q.words : int(k+1)*q.words]
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
func (q *quotient) kind(k int32) lks.Kind { return q.m.Kind(q.classes[k][0]) }

// refuses reports whether some member of class k refuses the local action, which
// is its being in the abstract refusal.
func (q *quotient) refuses(k, action int32) bool {
	for _, s := range q.classes[k] {
		if len(q.m.Succ(s, action)) == 0 {
			return true
		}
	}
	return false
}
