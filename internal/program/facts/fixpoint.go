package facts

import (
	"errors"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/scc"
)

// domain is an abstract domain: S stands for a set of states. States are not shared: what
// a method is given to change (x of literal, assign and meet) is the caller's copy, unless
// the domain changes none.
type domain[S any] interface {
	// start returns all states, over the dimensions of an initial region.
	start(s *step) S
	// enter returns a copy of the state at the source of a step, with its dimensions and
	// what is known of the source from elsewhere; false if nothing is left. The next call
	// may take its memory.
	enter(s *step, x S) (S, bool)
	// literal keeps what satisfies a condition that is no junction, or more.
	literal(s *step, x S, c *condition) (S, bool)
	// assign does the assignments of a step and forgets its own dimensions.
	assign(s *step, x S) S
	clone(x S) S
	// join returns what contains both.
	join(x, y S) S
	// includes reports that y is part of x; it may say no if it is.
	includes(x, y S) bool
	// widen returns what contains both, so that a chain of these ends; times counts them.
	widen(at int, old, new S, times int) S
	// meet returns what both contain, or more, but not more than x.
	meet(x, y S) (S, bool)
	// narrows reports that widening loses what a descending iteration may find again.
	narrows() bool
	// rounds is how often a guard is worth being looked at.
	rounds() int
}

// effort is the work of a domain in steps of its own: operations on numbers.
type effort struct {
	meter         *budget.Meter
	spent, ticked int
	limit         int
}

// tickEvery is how many steps are done between two looks at the meter.
const tickEvery = 1 << 16

// errWork is the end of a domain that works too much.
var errWork = errors.New("too much work")

func (e *effort) spend(n int) { e.spent += n }

func (e *effort) check() error {
	if e.spent > e.limit {
		return errWork
	}
	if e.spent-e.ticked < tickEvery {
		return nil
	}
	e.ticked = e.spent
	return e.meter.Tick(budget.Progress{Phase: "facts"})
}

// flow is a system as the domains see it.
type flow struct {
	*frame
	steps []*step
	in    [][]int // indices of steps by location, initial regions included
	order []scc.Element
	dead  []bool // locations that a domain has found to be unreachable
}

// fixpoint computes for each location a state that contains all that is reached there:
// an ascending iteration with widening at the heads of components, by the recursive
// strategy of [Bourdoncle93], and a descending one.
//
// States that are left out by the descending iteration cannot be reached: what the steps
// lead to from the states before it is contained in both that and its image.
type fixpoint[S any] struct {
	*flow
	domain[S]
	*effort
	states  []S
	reached []bool
	widened []int // by location: how often
	visits  []int
}

// widenAfter is how many visits of a head join only.
const widenAfter = 2

// descents is how often the descending iteration visits every location.
const descents = 2

func solve[S any](f *flow, d domain[S], e *effort) (*fixpoint[S], error) {
	n := len(f.in)
	p := &fixpoint[S]{flow: f, domain: d, effort: e, states: make([]S, n), reached: make([]bool, n), widened: make([]int, n), visits: make([]int, n)}
	if err := p.ascend(f.order); err != nil {
		return nil, err
	}
	widened := slices.ContainsFunc(p.widened, func(times int) bool { return times > 0 })
	for i := 0; i < descents && d.narrows() && widened; i++ {
		if err := p.descend(f.order); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *fixpoint[S]) ascend(elements []scc.Element) error {
	for _, e := range elements {
		if _, err := p.update(e.Node, e.Component); err != nil {
			return err
		}
		// At least once, also if the head has not changed: edges lead into the body from
		// elsewhere, too.
		for changed := e.Component; changed; {
			var err error
			if e.Flat {
				changed, err = p.updateAll(e)
			} else if err = p.ascend(e.Body); err == nil {
				changed, err = p.update(e.Node, true)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// updateAll visits a flat component once.
func (p *fixpoint[S]) updateAll(e scc.Element) (changed bool, err error) {
	for _, b := range append(e.Body[:len(e.Body):len(e.Body)], scc.Element{Node: e.Node}) {
		c, err := p.update(b.Node, true)
		if err != nil {
			return false, err
		}
		changed = changed || c
	}
	return changed, nil
}

// update computes the state of a location from those before it.
func (p *fixpoint[S]) update(l int, head bool) (changed bool, err error) {
	now, ok, err := p.image(l)
	if err != nil || !ok {
		return false, err
	}
	switch {
	case !p.reached[l] || !head:
		p.states[l], p.reached[l] = now, true
		return true, nil
	case p.includes(p.states[l], now):
		return false, nil
	}
	if p.visits[l]++; p.visits[l] <= widenAfter {
		p.states[l] = p.join(p.states[l], now)
	} else {
		p.widened[l]++
		p.states[l] = p.widen(l, p.states[l], now, p.widened[l])
	}
	return true, nil
}

// image is what the steps lead to at a location; ok is false if that is nothing.
func (p *fixpoint[S]) image(l int) (out S, ok bool, err error) {
	if p.dead[l] {
		return out, false, nil
	}
	for _, i := range p.in[l] {
		s := p.steps[i]
		var x S
		here := true
		if s.from < 0 {
			x = p.start(s)
		} else if !p.reached[s.from] {
			continue
		} else if x, here = p.enter(s, p.states[s.from]); !here {
			continue
		}
		for r := 0; here && (r == 0 || r < p.rounds() && len(s.guard.args) > 1); r++ {
			x, here = assume(p.domain, s, x, s.guard)
		}
		if here {
			x = p.assign(s, x)
			if ok {
				x = p.join(out, x)
			}
			out, ok = x, true
		}
		if err := p.check(); err != nil {
			return out, false, err
		}
	}
	return out, ok, nil
}

// assume keeps what satisfies a condition, or more.
func assume[S any](d domain[S], s *step, x S, c *condition) (S, bool) {
	switch c.kind {
	case all:
		for _, a := range c.args {
			var ok bool
			if x, ok = assume(d, s, x, a); !ok {
				return x, false
			}
		}
		return x, true
	case some:
		var out S
		found := false
		for _, a := range c.args {
			y, ok := assume(d, s, d.clone(x), a)
			switch {
			case ok && found:
				out = d.join(out, y)
			case ok:
				out, found = y, true
			}
		}
		return out, found
	}
	return d.literal(s, x, c)
}

// descend leaves out what is not in the image.
func (p *fixpoint[S]) descend(elements []scc.Element) error {
	for _, e := range elements {
		if p.reached[e.Node] {
			now, ok, err := p.image(e.Node)
			if err != nil {
				return err
			}
			if ok {
				p.states[e.Node], ok = p.meet(p.states[e.Node], now)
			}
			p.reached[e.Node] = ok
		}
		if err := p.descend(e.Body); err != nil {
			return err
		}
	}
	return nil
}
