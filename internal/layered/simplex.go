package layered

// arc is an edge that is at least so long: rank(to) - rank(from) >= length.
type arc struct {
	from, to       int
	length, weight int
}

// slack is how much longer an arc is than it needs to be.
func (a *arc) slack(rank []int) int { return rank[a.to] - rank[a.from] - a.length }

// simplex is the network simplex method of [Gansner93], section 2.3: ranks with the least
// sum of weighted lengths. A spanning tree of arcs without slack determines the ranks; a
// tree arc with a negative cut value (weights of arcs that go the same way over the cut that
// it makes, less those that go the other way) is exchanged for one that goes the other way.
type simplex struct {
	arcs   []arc
	at     [][]int // by node: its arcs
	rank   []int
	inTree []bool  // by arc
	tree   [][]int // by node: its tree arcs
	cut    []int   // by tree arc
	parent []int   // by node: the tree arc to its parent, -1 at the root
	low    []int   // by node: the least number below it in the tree
	lim    []int   // by node: its number in postorder
	order  []int   // nodes in postorder
	work   int     // nodes looked at in exchanges
}

// rankNodes gives nodes of a connected graph without circles ranks from 0.
func rankNodes(nodes int, arcs []arc) []int {
	s := newSimplex(arcs, make([]int, nodes))
	s.longestPaths()
	s.run(40_000_000)
	s.normalise()
	s.balance()
	return s.rank
}

func newSimplex(arcs []arc, rank []int) *simplex {
	nodes := len(rank)
	s := &simplex{arcs: arcs, at: make([][]int, nodes), rank: rank, inTree: make([]bool, len(arcs)),
		tree: make([][]int, nodes), cut: make([]int, len(arcs)), parent: make([]int, nodes), low: make([]int, nodes), lim: make([]int, nodes), order: make([]int, nodes)}
	for i, a := range arcs {
		s.at[a.from] = append(s.at[a.from], i)
		s.at[a.to] = append(s.at[a.to], i)
	}
	return s
}

// run makes ranks that are long enough the best ones, or better ones: it ends when so many
// nodes have been looked at in exchanges.
func (s *simplex) run(work int) {
	s.span()
	s.parent[0] = -1
	s.number(0)
	s.cutValues()
	for next := 0; s.work < work; {
		leave := s.leaving(&next)
		if leave < 0 {
			break
		}
		s.exchange(leave, s.entering(leave))
	}
}

// longestPaths gives each node the length of a longest path to it.
func (s *simplex) longestPaths() {
	missing := make([]int, len(s.at))
	for _, a := range s.arcs {
		missing[a.to]++
	}
	var ready []int
	for n, m := range missing {
		if m == 0 {
			ready = append(ready, n)
		}
	}
	for len(ready) > 0 {
		n := ready[0]
		ready = ready[1:]
		for _, i := range s.at[n] {
			a := s.arcs[i]
			if a.from != n {
				continue
			}
			s.rank[a.to] = max(s.rank[a.to], s.rank[n]+a.length)
			if missing[a.to]--; missing[a.to] == 0 {
				ready = append(ready, a.to)
			}
		}
	}
}

// span makes a tree of arcs without slack, moving the part of the graph that is spanned
// where that has no more of them.
func (s *simplex) span() {
	in := make([]bool, len(s.at))
	var members []int
	add := func(n int) {
		in[n] = true
		for stack := []int{n}; len(stack) > 0; {
			n := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			members = append(members, n)
			for _, i := range s.at[n] {
				a := &s.arcs[i]
				other := a.from + a.to - n
				if !in[other] && a.slack(s.rank) == 0 {
					s.join(i)
					in[other] = true
					stack = append(stack, other)
				}
			}
		}
	}
	for add(0); len(members) < len(s.at); {
		best := -1
		for i := range s.arcs {
			a := &s.arcs[i]
			if in[a.from] != in[a.to] && (best < 0 || a.slack(s.rank) < s.arcs[best].slack(s.rank)) {
				best = i
			}
		}
		a := &s.arcs[best]
		shift, outside := a.slack(s.rank), a.to
		if in[a.to] {
			shift, outside = -shift, a.from
		}
		for _, n := range members {
			s.rank[n] += shift
		}
		s.join(best)
		add(outside)
	}
}

func (s *simplex) join(i int) {
	s.inTree[i] = true
	s.tree[s.arcs[i].from] = append(s.tree[s.arcs[i].from], i)
	s.tree[s.arcs[i].to] = append(s.tree[s.arcs[i].to], i)
}

func (s *simplex) leave(i int) {
	s.inTree[i] = false
	for _, n := range []int{s.arcs[i].from, s.arcs[i].to} {
		for k, t := range s.tree[n] {
			if t == i {
				s.tree[n] = append(s.tree[n][:k], s.tree[n][k+1:]...)
				break
			}
		}
	}
}

// number walks through the tree below a node, and numbers nodes in postorder. The nodes there
// are the same as before, if there was a tree, and so are their numbers together.
func (s *simplex) number(top int) {
	type visit struct{ node, next, low int }
	next := s.low[top]
	for stack := []visit{{top, 0, next}}; len(stack) > 0; {
		v := &stack[len(stack)-1]
		n := v.node
		if v.next == len(s.tree[n]) {
			s.low[n], s.lim[n] = v.low, next
			s.order[next] = n
			next++
			stack = stack[:len(stack)-1]
			continue
		}
		i := s.tree[n][v.next]
		v.next++
		if i == s.parent[n] {
			continue
		}
		child := s.arcs[i].from + s.arcs[i].to - n
		s.parent[child] = i
		stack = append(stack, visit{child, 0, next})
	}
}

// below reports whether node n is in the tree below top, or is it.
func (s *simplex) below(n, top int) bool { return s.low[top] <= s.lim[n] && s.lim[n] <= s.lim[top] }

// cutValues computes those of all tree arcs, from the leaves up: that of a node's parent is
// made of the arcs at the node that cross the same cut, and of the cut values of the
// tree arcs below it, less what does not cross the cut above.
func (s *simplex) cutValues() {
	for _, n := range s.order {
		p := s.parent[n]
		if p < 0 {
			continue
		}
		enters := s.arcs[p].to == n
		s.cut[p] = 0
		for _, i := range s.at[n] {
			a := &s.arcs[i]
			alike := (a.to == n) == enters
			value := a.weight
			if s.below(a.from+a.to-n, n) {
				alike = !alike
				if value = -value; s.inTree[i] {
					value += s.cut[i]
				}
			}
			if alike {
				s.cut[p] += value
			} else {
				s.cut[p] -= value
			}
		}
	}
}

// leaving finds a tree arc with a negative cut value, in turn; -1: there is none.
func (s *simplex) leaving(next *int) int {
	best := -1
	seen := 0
	for range s.arcs {
		i := *next
		if *next++; *next == len(s.arcs) {
			*next = 0
		}
		if s.inTree[i] && s.cut[i] < 0 {
			if best < 0 || s.cut[i] < s.cut[best] {
				best = i
			}
			if seen++; seen == 30 {
				break
			}
		}
	}
	return best
}

// entering finds the arc with the least slack that crosses the cut the other way.
func (s *simplex) entering(leave int) int {
	l := &s.arcs[leave]
	top, wanted := l.from, false // arcs are wanted that lead into the part below l
	if s.lim[l.to] < s.lim[l.from] {
		top, wanted = l.to, true
	}
	best, least := -1, 0
	for k := s.low[top]; k <= s.lim[top]; k++ {
		n := s.order[k]
		for _, i := range s.at[n] {
			a := &s.arcs[i]
			other := a.from + a.to - n
			if (a.from == n) != wanted || s.below(other, top) {
				continue
			}
			if slack := a.slack(s.rank); best < 0 || slack < least {
				best, least = i, slack
			}
		}
	}
	return best
}

// exchange puts an arc into the tree for another. Cut values change on the circle that
// both are on.
func (s *simplex) exchange(leave, enter int) {
	e := &s.arcs[enter]
	if shift := e.slack(s.rank); shift > 0 {
		l := &s.arcs[leave]
		top := l.from
		if s.lim[l.to] < s.lim[l.from] {
			top = l.to
		}
		if s.below(e.to, top) {
			shift = -shift
		}
		for k := s.low[top]; k <= s.lim[top]; k++ {
			s.rank[s.order[k]] += shift
		}
	}
	value := s.cut[leave]
	climb := func(n, other int, with bool) int {
		for !s.below(other, n) {
			p := s.parent[n]
			if (s.arcs[p].from == n) == with {
				s.cut[p] += value
			} else {
				s.cut[p] -= value
			}
			n = s.arcs[p].from + s.arcs[p].to - n
		}
		return n
	}
	common := climb(e.from, e.to, true)
	climb(e.to, e.from, false)
	s.cut[enter], s.cut[leave] = -value, 0
	s.leave(leave)
	s.join(enter)
	s.number(common)
	s.work += s.lim[common] - s.low[common] + 50
}

func (s *simplex) normalise() {
	least := 0
	for i, r := range s.rank {
		if i == 0 || r < least {
			least = r
		}
	}
	for i := range s.rank {
		s.rank[i] -= least
	}
}

// balance moves nodes that can be on several ranks at the same cost to the least crowded.
func (s *simplex) balance() {
	last := 0
	for _, r := range s.rank {
		last = max(last, r)
	}
	crowd := make([]int, last+1)
	for _, r := range s.rank {
		crowd[r]++
	}
	for n := range s.rank {
		in, out, low, high := 0, 0, 0, last
		for _, i := range s.at[n] {
			if a := s.arcs[i]; a.to == n {
				in += a.weight
				low = max(low, s.rank[a.from]+a.length)
			} else {
				out += a.weight
				high = min(high, s.rank[a.to]-a.length)
			}
		}
		if in != out {
			continue
		}
		best := s.rank[n]
		for r := low; r <= high; r++ {
			if crowd[r] < crowd[best] {
				best = r
			}
		}
		crowd[s.rank[n]]--
		crowd[best]++
		s.rank[n] = best
	}
}
