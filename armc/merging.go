package armc

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// sweep goes through a system by visits to its locations. What leads to a location waits there until its next
// visit, which makes one symbolic state of it: values of the variables over those at the start, the inputs of
// steps and choices, and the condition under which a run is there. A run is at one place at a time, so that
// what waits excludes each other, once choices say which of several possible blocks is taken.
type sweep struct {
	steps   *program.Blocks
	useful  []bool // locations that paths lead from to an error
	waiting [][]arrival
	visits  []visit
	errors  []met
	given   *logic.Term                 // holds at the start of every run
	meaning map[*logic.Term]*logic.Term // of names of conditions and values
	named   map[*logic.Term]*logic.Term
	names   int
	alone   []bool // by location: of the blocks that leave it at most one is possible
}

// arrival is a symbolic state that has come to a location.
type arrival struct {
	visit int // that it comes from; -1: a run begins
	block int
	cond  []*logic.Term // conjuncts
	vars  []*logic.Term // values, in the system's order
}

// visit is to a location, with what had come there.
type visit struct {
	location int
	arrivals []arrival
}

// met is an error at a visit.
type met struct {
	visit int
	where *logic.Term
}

func newSweep(b *program.Blocks) *sweep {
	n := len(b.System.Locations)
	s := &sweep{steps: b, given: logic.True(), useful: leadingTo(b), waiting: make([][]arrival, n), meaning: map[*logic.Term]*logic.Term{}, named: map[*logic.Term]*logic.Term{}, alone: make([]bool, n)}
	for l, out := range b.Out {
		s.alone[l] = exclusive(lists.Map(out, func(k int) *logic.Term { return b.All[k].Command.Guard }))
	}
	var begin []int
	for l, init := range b.Init {
		if !init.IsFalse() && s.useful[l] {
			begin = append(begin, l)
		}
	}
	choice := s.choice(len(begin))
	for i, l := range begin {
		known := constantsIn(b.Init[l])
		vars := lists.Map(b.System.Vars, func(v *logic.Term) *logic.Term {
			if n := known[v]; n != nil {
				return n
			}
			return v
		})
		first := arrival{-1, 0, choice(i), vars}
		if len(begin) == 1 {
			s.given = b.Init[l]
		} else {
			first.cond = append(slices.Clone(logic.Conjuncts(b.Init[l])), first.cond...)
		}
		s.waiting[l] = []arrival{first}
	}
	return s
}

// leadingTo are the locations that paths of blocks lead from to an error.
func leadingTo(b *program.Blocks) []bool {
	useful := make([]bool, len(b.Error))
	var todo []int
	reach := func(l int) {
		if !useful[l] {
			useful[l] = true
			todo = append(todo, l)
		}
	}
	for l, err := range b.Error {
		if !err.IsFalse() {
			reach(l)
		}
	}
	for len(todo) > 0 {
		l := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, k := range b.In[l] {
			reach(b.All[k].From)
		}
	}
	return useful
}

// mostCompared bounds the guards of one location that are compared with each other.
const mostCompared = 300

// exclusive reports that it is plain to see of formulas that at most one of them holds.
func exclusive(fs []*logic.Term) bool {
	if len(fs) > mostCompared {
		return false
	}
	says := lists.Map(fs, func(f *logic.Term) map[*logic.Term]*logic.Term {
		by := map[*logic.Term]*logic.Term{}
		for _, c := range logic.Conjuncts(f) {
			by[c] = logic.True()
			if c.Op() == logic.OpNot {
				by[c.Args()[0]] = logic.False()
			}
			if c.Op() == logic.OpEq {
				if a, b := c.Args()[0], c.Args()[1]; constant(a) {
					by[b] = a
				} else if constant(b) {
					by[a] = b
				}
			}
		}
		return by
	})
	for i, f := range says {
		for _, g := range says[:i] {
			if !apart(f, g) {
				return false
			}
		}
	}
	return true
}

// apart reports that two formulas give something different values.
func apart(f, g map[*logic.Term]*logic.Term) bool {
	if len(f) > len(g) {
		f, g = g, f
	}
	for t, v := range f {
		if w := g[t]; w != nil && w != v {
			return true
		}
	}
	return false
}

// choice makes new conditions of which one holds: the i-th of n.
func (s *sweep) choice(n int) func(i int) []*logic.Term {
	var bits []*logic.Term
	for 1<<len(bits) < n {
		bits = append(bits, s.name("choice", logic.Bool))
	}
	return func(i int) (all []*logic.Term) {
		for k, bit := range bits {
			if i>>k&1 == 0 {
				bit = logic.Not(bit)
			}
			all = append(all, bit)
		}
		return all
	}
}

func (s *sweep) name(what string, sort *logic.Sort) *logic.Term {
	s.names++
	return logic.Var(fmt.Sprintf("@%s.%d", what, s.names), sort)
}

// visit leaves a location, at which something waits, by all blocks.
func (s *sweep) visit(l int) {
	here := s.waiting[l]
	s.waiting[l] = nil
	cond, vars := s.merged(here)
	at := len(s.visits)
	s.visits = append(s.visits, visit{l, here})
	by := map[*logic.Term]*logic.Term{} // values of variables and inputs
	for i, v := range s.steps.System.Vars {
		if vars[i] != v {
			by[v] = vars[i]
		}
	}
	if where := logic.And(append(slices.Clone(cond), logic.Substitute(s.steps.Error[l], by))...); !where.IsFalse() {
		s.errors = append(s.errors, met{at, where})
	}
	var possible []successor
	for _, k := range s.steps.Out[l] {
		if next, can := successorOf(&s.steps.All[k], k, at, by, cond); can && s.useful[s.steps.All[k].To] {
			possible = append(possible, next)
		}
	}
	choice := func(int) []*logic.Term { return nil }
	if !s.alone[l] {
		choice = s.choice(len(possible))
	}
	for i, next := range possible {
		b := &s.steps.All[next.block]
		to := slices.Clone(cond)
		for _, c := range append(choice(i), logic.Conjuncts(next.guard)...) {
			if !slices.Contains(to, c) {
				to = append(to, c)
			}
		}
		after := slices.Clone(vars)
		for i, v := range s.steps.System.Vars {
			if e := b.Command.Update[v]; e != nil {
				after[i] = s.short(logic.Substitute(e, by))
			}
		}
		s.waiting[b.To] = append(s.waiting[b.To], arrival{at, next.block, to, after})
	}
}

// successor is a block that may be possible at a visit.
type successor struct {
	block int
	guard *logic.Term
}

// successorOf adds to values those of a block's inputs, which have one symbol in all blocks of a visit: a run takes one.
func successorOf(b *program.Block, k, at int, by map[*logic.Term]*logic.Term, cond []*logic.Term) (next successor, can bool) {
	for _, in := range b.Command.Inputs {
		if by[in] == nil {
			by[in] = logic.Var(fmt.Sprintf("%s@%d.%d", in.Name(), at, len(by)), in.Sort())
		}
	}
	guard := logic.Substitute(b.Command.Guard, by)
	return successor{k, guard}, !guard.IsFalse() && !slices.Contains(cond, logic.Not(guard))
}

// mostConjuncts is how many a condition has before it gets a name.
const mostConjuncts = 12

// merged makes one symbolic state of several.
func (s *sweep) merged(all []arrival) (cond, vars []*logic.Term) {
	if len(all) == 1 {
		return all[0].cond, all[0].vars
	}
	for _, c := range all[0].cond {
		if !slices.ContainsFunc(all[1:], func(a arrival) bool { return !slices.Contains(a.cond, c) }) {
			cond = append(cond, c)
		}
	}
	rests := lists.Map(all, func(a arrival) []*logic.Term {
		return slices.DeleteFunc(slices.Clone(a.cond), func(c *logic.Term) bool { return slices.Contains(cond, c) })
	})
	cases := lists.Map(rests, func(rest []*logic.Term) *logic.Term { return s.junction(logic.And(rest...)) })
	if any := anyOf(rests); !any.IsTrue() {
		cond = append(cond, s.junction(any))
	}
	if len(cond) > mostConjuncts {
		cond = []*logic.Term{s.junction(logic.And(cond...))}
	}
	last := len(all) - 1
	vars = slices.Clone(all[last].vars)
	for v := range vars {
		for i := last - 1; i >= 0; i-- {
			if t := all[i].vars[v]; t != vars[v] { // unknown functions are the same always
				vars[v] = logic.Ite(cases[i], t, vars[v])
			}
		}
		vars[v] = s.short(vars[v])
	}
	return cond, vars
}

// anyOf is the disjunction of conjunctions; those that differ in one conjunct, which is negated, are one.
func anyOf(rests [][]*logic.Term) *logic.Term {
	rests = slices.Clone(rests)
	for again := true; again && len(rests) <= mostCompared; {
		again = false
		for i := 0; i < len(rests); i++ {
			for j := i + 1; j < len(rests); j++ {
				if one := resolved(rests[i], rests[j]); one != nil {
					rests[i], rests, again = one, slices.Delete(rests, j, j+1), true
					j--
				}
			}
		}
	}
	return logic.Or(lists.Map(rests, func(rest []*logic.Term) *logic.Term { return logic.And(rest...) })...)
}

// resolved is what two conjunctions have in common if they differ in one conjunct only, which is negated; nil if not.
func resolved(f, g []*logic.Term) []*logic.Term {
	if len(f) != len(g) {
		return nil
	}
	common := make([]*logic.Term, 0, len(f))
	var other *logic.Term
	for _, c := range f {
		switch {
		case slices.Contains(g, c):
			common = append(common, c)
		case other != nil:
			return nil
		default:
			other = c
		}
	}
	if other == nil || !slices.Contains(g, logic.Not(other)) {
		return nil
	}
	return common
}

// junction gives a junction a name, so that what it is part of stays small.
func (s *sweep) junction(f *logic.Term) *logic.Term {
	if f.Op() != logic.OpAnd && f.Op() != logic.OpOr {
		return f
	}
	return s.abbreviated(f)
}

// largestValue is the size of a value that has no name: what is larger would be written anew wherever it is used.
const largestValue = 100

// short gives a large value a name. Small ones, as choices between numbers are, stay, so that guards are decided.
func (s *sweep) short(value *logic.Term) *logic.Term {
	if value.Size() <= largestValue {
		return value
	}
	return s.abbreviated(value)
}

func (s *sweep) abbreviated(t *logic.Term) *logic.Term {
	x := s.named[t]
	if x == nil {
		x = s.name("is", t.Sort())
		s.named[t], s.meaning[x] = x, t
	}
	return x
}

// meanings are the definitions of the names in a formula, and of those in these.
func (s *sweep) meanings(f *logic.Term) (all []*logic.Term) {
	known := map[*logic.Term]bool{}
	for todo := []*logic.Term{f}; len(todo) > 0; {
		g := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, x := range logic.Vars(g) {
			if f := s.meaning[x]; f != nil && !known[x] {
				known[x] = true
				all, todo = append(all, logic.Eq(x, f)), append(todo, f)
			}
		}
	}
	return all
}

// condition is that under which something waits at some locations.
func (s *sweep) condition(locations []int) *logic.Term {
	var any []*logic.Term
	for _, l := range locations {
		any = lists.Append(any, s.waiting[l], func(a arrival) *logic.Term { return logic.And(a.cond...) })
	}
	return logic.Or(any...)
}

// back walks from a visit to the start, along what holds in a model: the path of blocks, and where it begins; -1 if
// the values are of no path.
func (s *sweep) back(at int, m logic.Model) (start int, path []int) {
	for {
		v := s.visits[at]
		i := slices.IndexFunc(v.arrivals, func(a arrival) bool {
			return !slices.ContainsFunc(a.cond, func(c *logic.Term) bool { return !s.holds(m, c) })
		})
		if i < 0 {
			return -1, nil
		}
		if at = v.arrivals[i].visit; at < 0 {
			slices.Reverse(path)
			return v.location, path
		}
		path = append(path, v.arrivals[i].block)
	}
}

// holds reports that a condition holds in a model, to which it adds what is missing: names mean what they do, and
// the rest, which did not matter, is 0.
func (s *sweep) holds(m logic.Model, f *logic.Term) bool {
	s.complete(m, f)
	ok, err := logic.Holds(f, m)
	return ok && err == nil
}

func (s *sweep) complete(m logic.Model, f *logic.Term) {
	for _, x := range logic.Vars(f) {
		if _, known := m[x.Name()]; known {
			continue
		}
		m[x.Name()] = logic.Zero(x.Sort())
		if d := s.meaning[x]; d != nil {
			s.complete(m, d)
			if v, err := logic.Eval(d, m); err == nil {
				m[x.Name()] = v
			}
		}
	}
}
