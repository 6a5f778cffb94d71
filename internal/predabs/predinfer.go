package predabs

import (
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// Mapping is a predicate mapping ([Chaki05], Def. 16): the predicates that are tracked at
// each location, without repetition, in the order in which they were found.
type Mapping [][]*logic.Term

// Add tracks a predicate at a location. A negated one is tracked as what it negates; one
// that is always true or false is not. It reports whether the predicate is new there.
func (m Mapping) Add(location int, p *logic.Term) bool {
	p = positive(p)
	if p.IsTrue() || p.IsFalse() || slices.Contains(m[location], p) {
		return false
	}
	m[location] = append(m[location], p)
	return true
}

// AddAll tracks what another mapping tracks.
func (m Mapping) AddAll(other Mapping) {
	for l, ps := range other {
		for _, p := range ps {
			m.Add(l, p)
		}
	}
}

// positive is a predicate or what it negates: of both, one is tracked.
func positive(p *logic.Term) *logic.Term {
	if n := logic.Not(p); n.Compare(p) < 0 {
		return n
	}
	return p
}

// Clone returns a mapping that can be changed.
func (m Mapping) Clone() Mapping {
	out := make(Mapping, len(m))
	for l := range m {
		out[l] = slices.Clone(m[l])
	}
	return out
}

// Most returns how many predicates the location with the most of them has.
func (m Mapping) Most() (here int) {
	for _, ps := range m {
		here = max(here, len(ps))
	}
	return here
}

// Branch is a branch statement of a component: a location with several silent edges whose
// guards say which of them is taken.
type Branch struct {
	Location   int
	Conditions []*logic.Term // of the guards, over variables; of a condition and its negation only one
}

// Branches returns the branch statements of a component, by location.
func Branches(c *program.Component) []Branch {
	out := make([][]int, len(c.System.Locations))
	for i, e := range c.System.Edges {
		if c.Actions[i] == "" {
			out[e.From] = append(out[e.From], i)
		}
	}
	var all []Branch
	for l, edges := range out {
		b := Branch{Location: l}
		for _, i := range edges {
			for _, p := range guards(c.System.Edges[i].Command) {
				if p = positive(p); !slices.Contains(b.Conditions, p) {
					b.Conditions = append(b.Conditions, p)
				}
			}
		}
		if len(edges) > 1 && len(b.Conditions) > 0 {
			all = append(all, b)
		}
	}
	return all
}

// guards returns the conjuncts of a guard that speak of variables only.
func guards(c *program.Command) (out []*logic.Term) {
	return lists.Filter(logic.Conjuncts(c.Guard), func(p *logic.Term) bool { return !mentions(p, c.Inputs) && !p.IsTrue() })
}

func mentions(p *logic.Term, inputs []*logic.Term) bool {
	return len(inputs) > 0 && slices.ContainsFunc(logic.Vars(p), func(v *logic.Term) bool { return slices.Contains(inputs, v) })
}

// Bounds of PredInfer, which need not come to an end (a loop with x = x + 1): its CONTINUE.
const (
	// MostInferred is how many predicates it infers at a location.
	MostInferred = 150
	maxInferred  = 400 // the size of one
)

// PredInfer infers predicates from conditions of branches ([Chaki05], Procedure 4.1): at
// their locations, and wherever the weakest precondition of one that follows is a predicate
// again. Guards of edges that perform actions are always seeds (those of the machines, and
// of what a component returns), and so is what user holds, by location (may be nil). complete
// says that it went on until nothing was new.
//
// Where an input is assigned to a variable of a predicate, its weakest precondition is no
// predicate, and is left out.
func PredInfer(c *program.Component, seeds []Branch, user Mapping) (m Mapping, complete bool) {
	m = make(Mapping, len(c.System.Locations))
	in := make([][]int, len(c.System.Locations))
	for i, e := range c.System.Edges {
		in[e.To] = append(in[e.To], i)
	}
	type located struct {
		location  int
		predicate *logic.Term
	}
	var queue []located
	complete = true
	add := func(l int, p *logic.Term) {
		p = positive(p)
		switch {
		case p.IsTrue() || p.IsFalse() || slices.Contains(m[l], p):
		case len(m[l]) >= MostInferred || p.Size() > maxInferred:
			complete = false
		default:
			m[l] = append(m[l], p)
			queue = append(queue, located{l, p})
		}
	}
	for l, ps := range user {
		for _, p := range ps {
			add(l, p)
		}
	}
	for i, e := range c.System.Edges {
		if c.Actions[i] != "" {
			for _, p := range guards(e.Command) {
				add(e.From, p)
			}
		}
	}
	for _, b := range seeds {
		for _, p := range b.Conditions {
			add(b.Location, p)
		}
	}
	for k := 0; k < len(queue); k++ {
		for _, i := range in[queue[k].location] {
			e := c.System.Edges[i]
			if p := e.Command.After(queue[k].predicate); !mentions(p, e.Command.Inputs) {
				add(e.From, p)
			}
		}
	}
	return m, complete
}
