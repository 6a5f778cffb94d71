package buchi

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/internal/scc"
	"github.com/seltl/seltl/ltl"
)

// matcher is a finite automaton for the words of a regular expression, other than the empty
// one. State 0 is initial; all states are reached from there, and words end behind all but it.
type matcher struct {
	out       [][]match
	component []int32 // of each state that can be met again and again, -1 for others
	loops     []bool  // of each component: one state with an edge to itself
}

// match is an edge of a matcher.
type match struct {
	label bdd.Node
	to    int32 // -1: nowhere
	ends  bool  // a word ends here
}

// maxMatcher bounds the states of a matcher.
const maxMatcher = 1 << 16

var errLargeMatcher = &budget.Exhausted{What: "states", Limit: fmt.Sprintf("%d for a regular expression", maxMatcher)}

// maxMerged bounds the states that are compared with each other.
const maxMerged = 1 << 11

// newMatcher makes an automaton of linear forms [Antimirov96], or a deterministic one of
// derivatives [Brzozowski64], and merges states that do the same. It returns nil if that
// needs more states than most, 0 being no bound, and an error of the meter.
func newMatcher(r *ltl.Regexp, man *bdd.Manager, atoms []ltl.Atom, subsets bool, most int, meter *budget.Meter) (*matcher, error) {
	forms := ltl.NewLinearForms(man, atoms...)
	m := &matcher{}
	number := map[*ltl.Regexp]int32{r: 0}
	states := []*ltl.Regexp{r}
	for i := 0; i < len(states); i++ {
		if most > 0 && len(states) > most {
			return nil, nil
		}
		if len(states) > maxMatcher {
			return nil, errLargeMatcher
		}
		if meter != nil {
			if err := meter.Tick(budget.Progress{Phase: "matching", States: int64(len(states))}); err != nil {
				return nil, err
			}
		}
		steps := forms.Steps
		if subsets {
			steps = forms.Deterministic
		}
		var out []match
		for _, s := range steps(states[i]) {
			to, known := number[s.Rest]
			if !known {
				to = int32(len(states))
				number[s.Rest] = to
				states = append(states, s.Rest)
			}
			out = append(out, match{s.Label, to, s.Rest.Nullable()})
		}
		m.out = append(m.out, out)
	}
	m.merge(man, m.prune())
	m.connect()
	return m, nil
}

// prune removes edges to states from which no word ends, and returns how many letters the
// shortest word from each state has, 0 for those.
func (m *matcher) prune() []int32 {
	before := make([][]int32, len(m.out))
	shortest := make([]int32, len(m.out))
	var queue []int32
	for q, es := range m.out {
		for _, e := range es {
			before[e.to] = append(before[e.to], int32(q))
			if e.ends && shortest[q] == 0 {
				shortest[q] = 1
				queue = append(queue, int32(q))
			}
		}
	}
	for len(queue) > 0 {
		q := queue[0]
		queue = queue[1:]
		for _, p := range before[q] {
			if shortest[p] == 0 {
				shortest[p] = shortest[q] + 1
				queue = append(queue, p)
			}
		}
	}
	for q, es := range m.out {
		for i := range es {
			if shortest[es[i].to] == 0 {
				es[i].to = -1
			}
		}
		m.out[q] = slices.DeleteFunc(es, func(e match) bool { return e.to < 0 && !e.ends })
	}
	return shortest
}

// merge makes one state of those that are bisimilar, numbered from the initial state on. For a
// deterministic automaton without useless states the result is minimal. It begins with blocks of
// states from which the shortest words are equally long.
func (m *matcher) merge(man *bdd.Manager, block []int32) {
	blocks := len(slices.Compact(slices.Sorted(slices.Values(block))))
	for q := range block {
		if len(block) > maxMerged {
			block[q] = int32(q)
		}
	}
	for len(block) <= maxMerged {
		number := map[string]int32{}
		next := make([]int32, len(m.out))
		for q := range m.out {
			key := fmt.Sprint(block[q], m.quotient(man, q, block))
			n, known := number[key]
			if !known {
				n = int32(len(number))
				number[key] = n
			}
			next[q] = n
		}
		block = next
		if len(number) == blocks {
			break
		}
		blocks = len(number)
	}
	name := map[int32]int32{block[0]: 0}
	order := []int32{0} // a state of each block
	var out [][]match
	for i := 0; i < len(order); i++ {
		es := m.quotient(man, int(order[i]), block)
		for j, e := range es {
			if e.to < 0 {
				continue
			}
			n, known := name[e.to]
			if !known {
				n = int32(len(order))
				name[e.to] = n
				order = append(order, int32(slices.Index(block, e.to)))
			}
			es[j].to = n
		}
		out = append(out, es)
	}
	m.out = out
}

// quotient returns the edges of a state between blocks, sorted, with the labels of those that
// differ in nothing else joined.
func (m *matcher) quotient(man *bdd.Manager, q int, block []int32) []match {
	es := slices.Clone(m.out[q])
	for i := range es {
		if es[i].to >= 0 {
			es[i].to = block[es[i].to]
		}
	}
	slices.SortFunc(es, func(d, e match) int {
		switch {
		case d.to != e.to:
			return int(d.to - e.to)
		case d.ends == e.ends:
			return 0
		case d.ends:
			return 1
		}
		return -1
	})
	var out []match
	for _, e := range es {
		if last := len(out) - 1; last >= 0 && out[last].to == e.to && out[last].ends == e.ends {
			out[last].label = man.Or(out[last].label, e.label)
		} else {
			out = append(out, e)
		}
	}
	return out
}

// connect finds the components with an edge inside.
func (m *matcher) connect() {
	found := scc.From(matches(m.out), 0)
	m.component = make([]int32, len(m.out))
	m.loops = make([]bool, found.Count)
	size := make([]int32, found.Count)
	for q := range m.out {
		size[found.Of[q]]++
		m.component[q] = -1
	}
	for q, es := range m.out {
		c := found.Of[q]
		for _, e := range es {
			if e.to >= 0 && found.Of[e.to] == c {
				m.component[q] = c
				m.loops[c] = size[c] == 1
			}
		}
	}
}

// inside reports whether an edge from q stays in its component.
func (m *matcher) inside(q int32, e match) bool {
	return e.to >= 0 && m.component[q] >= 0 && m.component[e.to] == m.component[q]
}

// matches is the graph of a matcher.
type matches [][]match

func (g matches) Nodes() int         { return len(g) }
func (g matches) Degree(q int32) int { return len(g[q]) }
func (g matches) Successor(q int32, i int) (to int32, ok bool) {
	return g[q][i].to, g[q][i].to >= 0
}
