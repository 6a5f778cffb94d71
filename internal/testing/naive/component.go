package naive

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// Explicit builds the meaning of components ([Chaki05], 3.2): the states are the locations
// with the values of the variables that can be reached. It is exact as long as every choice
// of a step, and of the first state, is between few values; where it is not, it says so.
type Explicit struct {
	// Domain are the numbers that are tried where a choice has more than Values values, beside
	// a few that the checker names.
	Domain []int64
	// Limit bounds the states of a component.
	Limit int
	// Checker finds the values that a choice has. nil: those of Domain are all that are
	// tried, and Sampled is not filled in.
	Checker smt.Checker
	Values  int // 0 is 64
	// Labels are propositions of the states.
	Labels []StateLabel

	known map[string][]logic.Model // the values of choices, by formula and variables
	live  []map[string]bool        // the variables on whose values something depends, by location
}

// StateLabel is a proposition of a component's states: those that satisfy Formula, or
// without a formula, those at the locations At. Undefined are states in which it has no value.
type StateLabel struct {
	Name               string
	Formula, Undefined *logic.Term
	At                 []int
}

// Built is a component that was built, and what was lost in that.
type Built struct {
	LKS *lks.LKS
	// Sampled are choices of which only the values of the domain were tried; Lost are reasons
	// why runs leave what is modelled, or propositions have no value. Each only once.
	Sampled, Lost []string
}

// Concrete is Explicit without a checker, and the first reason in Lost.
func Concrete(c *program.Component, domain []int64, limit int) (m *lks.LKS, lost string, err error) {
	b, err := (&Explicit{Domain: domain, Limit: limit}).Build(c)
	if b == nil {
		return nil, "", err
	}
	if len(b.Lost) > 0 {
		lost = b.Lost[0]
	}
	return b.LKS, lost, err
}

// explicitState is a location with values of all variables; those that are not live have 0.
type explicitState struct {
	at     int
	values logic.Model
}

// build is the work of one Build.
type build struct {
	x       *Explicit
	c       *program.Component
	b       *lks.Builder
	out     [][]int
	ends    map[int]bool
	numbers map[string]int32
	todo    []explicitState
	names   []string
	built   *Built
}

// Build builds a component. The error is that there are more states than the limit, or that
// the checker does not answer.
func (x *Explicit) Build(c *program.Component) (*Built, error) {
	w := &build{x: x, c: c, b: lks.NewBuilder(c.Name), ends: map[int]bool{}, numbers: map[string]int32{}, built: &Built{}}
	x.known = map[string][]logic.Model{}
	x.liveness(c)
	for _, a := range c.Alphabet {
		w.b.Action(a)
	}
	for _, l := range x.Labels {
		w.b.Prop(l.Name)
	}
	for _, l := range c.Ends {
		w.ends[l] = true
	}
	w.out = make([][]int, len(c.System.Locations))
	for i, e := range c.System.Edges {
		w.out[e.From] = append(w.out[e.From], i)
	}
	for _, r := range c.System.Init {
		err := w.choices(r.Where, c.System.Vars, x.live[r.Location], func(m logic.Model) error {
			n, err := w.visit(explicitState{r.Location, m})
			w.b.Initial(n)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	for k := 0; k < len(w.todo); k++ {
		if len(w.todo) > x.Limit {
			return nil, fmt.Errorf("more than %d states", x.Limit)
		}
		for _, i := range w.out[w.todo[k].at] {
			if err := w.step(int32(k), i); err != nil {
				return nil, err
			}
		}
	}
	// A program has terminated when all of its components have: none is a server that may
	// be left behind, as one without any End state is to networks of LKSs.
	w.b.StateID(lks.End, nil)
	w.names = append(w.names, "ended")
	w.b.Describe(func(s int32) string { return w.names[s] })
	var err error
	w.built.LKS, err = w.b.Build()
	return w.built, err
}

// step adds the transitions of an edge from a state.
func (w *build) step(from int32, edge int) error {
	e, s := &w.c.System.Edges[edge], w.todo[from]
	action := w.c.Actions[edge]
	if action == "" {
		action = lks.TauName
	}
	by := map[*logic.Term]*logic.Term{}
	for _, v := range logic.Vars(e.Command.Guard) {
		if value, ok := s.values[v.Name()]; ok {
			by[v] = value.Term()
		}
	}
	used := map[string]bool{}
	for v, t := range e.Command.Update {
		for _, in := range logic.Vars(t) {
			used[in.Name()] = used[in.Name()] || w.x.live[e.To][v.Name()]
		}
	}
	return w.choices(logic.Substitute(e.Command.Guard, by), e.Command.Inputs, used, func(inputs logic.Model) error {
		all := maps.Clone(s.values)
		maps.Copy(all, inputs)
		if ok, err := logic.Holds(e.Command.Guard, all); !ok || err != nil {
			return err
		}
		next, err := e.Command.Step(s.values, inputs)
		if err != nil {
			return err
		}
		to, err := w.visit(explicitState{e.To, next})
		w.b.Transition(from, action, to)
		return err
	})
}

// visit returns the number of a state.
func (w *build) visit(s explicitState) (int32, error) {
	s.values = maps.Clone(s.values)
	for _, v := range w.c.System.Vars {
		if !w.x.live[s.at][v.Name()] {
			s.values[v.Name()] = zeroOf(v.Sort())
		}
	}
	key := fmt.Sprint(w.c.System.Locations[s.at].Name, " ", s.values)
	if n, known := w.numbers[key]; known {
		return n, nil
	}
	kind := lks.Normal
	if w.ends[s.at] {
		kind = lks.End
	}
	if why := w.c.Lost[s.at]; why != "" {
		w.built.Lost = once(w.built.Lost, why)
	}
	var props []int32
	for _, l := range w.x.Labels {
		holds := slices.Contains(l.At, s.at)
		if l.Formula != nil {
			var err error
			if holds, err = logic.Holds(l.Formula, s.values); err != nil {
				return 0, err
			}
			if undefined, err := logic.Holds(l.Undefined, s.values); err != nil || undefined {
				w.built.Lost = once(w.built.Lost, l.Name+" has no value")
			}
		}
		if holds {
			props = append(props, w.b.Prop(l.Name))
		}
	}
	n := w.b.StateID(kind, props)
	w.numbers[key], w.names, w.todo = n, append(w.names, key), append(w.todo, s)
	return n, nil
}

func once(all []string, text string) []string {
	if slices.Contains(all, text) {
		return all
	}
	return append(all, text)
}

// choices calls visit with values of variables that satisfy a formula, one model for each
// choice of values of those that are used or in the formula; others have 0.
func (w *build) choices(f *logic.Term, vars []*logic.Term, used map[string]bool, visit func(logic.Model) error) error {
	if f.IsFalse() {
		return nil
	}
	free, rest := []*logic.Term{}, logic.Model{}
	inside := map[*logic.Term]bool{}
	for _, v := range logic.Vars(f) {
		inside[v] = true
	}
	fixed := equations(f)
	for _, v := range vars {
		if inside[v] || used[v.Name()] {
			free = append(free, v)
		} else {
			rest[v.Name()] = zeroOf(v.Sort())
		}
	}
	models, err := w.x.models(f, free, fixed, w.built)
	if err != nil {
		return err
	}
	for _, m := range models {
		all := maps.Clone(rest)
		maps.Copy(all, m)
		if err := visit(all); err != nil {
			return err
		}
	}
	return nil
}

// models are the choices of values that satisfy a formula.
func (x *Explicit) models(f *logic.Term, vars []*logic.Term, fixed map[*logic.Term]logic.Value, built *Built) (all []logic.Model, err error) {
	var open, names []string
	var blocked []*logic.Term
	for _, v := range vars {
		names = append(names, v.Name()+" "+v.Sort().String())
		if _, ok := fixed[v]; !ok {
			open, blocked = append(open, v.Name()), append(blocked, v)
		}
	}
	key := fmt.Sprint(f, " ", names)
	if all, ok := x.known[key]; ok {
		return all, nil
	}
	defer func() { x.known[key] = all }()
	try := func() {
		enumerate(vars, x.Domain, fixed, func(m logic.Model) {
			if ok, err := logic.Holds(f, m); ok && err == nil {
				all = append(all, m)
			}
		})
	}
	if x.Checker == nil || len(open) == 0 {
		try()
		return all, nil
	}
	all, complete, err := x.allModels(f, vars, blocked)
	if err != nil || complete {
		return all, err
	}
	built.Sampled = once(built.Sampled, strings.Join(open, ", "))
	all = all[:few]
	try()
	return all, nil
}

// few are the values that are tried beside those of the domain: perhaps none of these satisfies
// a formula, as where an address is chosen.
const few = 2

// allModels asks the checker for one choice of values after the other; complete is false if
// there are too many.
func (x *Explicit) allModels(f *logic.Term, vars, open []*logic.Term) (all []logic.Model, complete bool, err error) {
	most := x.Values
	if most == 0 {
		most = 64
	}
	x.Checker.Clear()
	defer x.Checker.Clear()
	x.Checker.Limit(20_000_000)
	x.Checker.Assert(f)
	for {
		status, err := x.Checker.Check(context.Background())
		if err != nil || status == smt.Unsat {
			return all, true, err
		}
		m, err := x.Checker.Model(context.Background())
		if status != smt.Sat || m == nil || err != nil {
			return nil, true, fmt.Errorf("the solver does not know the values of %v in %s (%v)", vars, f, err)
		}
		if len(all) == most {
			return all, false, nil
		}
		one, different := logic.Model{}, []*logic.Term{}
		for _, v := range vars {
			value, ok := m[v.Name()]
			if !ok {
				value = zeroOf(v.Sort())
			}
			one[v.Name()] = value
		}
		for _, v := range open {
			different = append(different, logic.Not(logic.Eq(v, one[v.Name()].Term())))
		}
		all = append(all, one)
		x.Checker.Assert(logic.Or(different...))
	}
}

// liveness finds the variables on whose values at a location steps or propositions depend.
func (x *Explicit) liveness(c *program.Component) {
	x.live = make([]map[string]bool, len(c.System.Locations))
	always := map[string]bool{}
	for _, l := range x.Labels {
		if l.Formula != nil {
			for _, v := range logic.Vars(l.Formula, l.Undefined) {
				always[v.Name()] = true
			}
		}
	}
	for i := range x.live {
		x.live[i] = maps.Clone(always)
	}
	for again := true; again; {
		again = false
		for _, e := range c.System.Edges {
			from := x.live[e.From]
			mark := func(name string) {
				if !from[name] {
					from[name], again = true, true
				}
			}
			for _, v := range logic.Vars(e.Command.Guard) {
				mark(v.Name())
			}
			after := maps.Clone(x.live[e.To])
			for v, t := range e.Command.Update {
				if after[v.Name()] {
					for _, u := range logic.Vars(t) {
						mark(u.Name())
					}
				}
				delete(after, v.Name())
			}
			for name := range after {
				mark(name)
			}
		}
	}
}

// zeroOf is a value of a sort.
func zeroOf(s *logic.Sort) logic.Value { return valuesIn(s, []int64{0})[0] }

// valuesIn are the numbers as values of a sort.
func valuesIn(s *logic.Sort, domain []int64) (all []logic.Value) {
	switch s.Kind() {
	case logic.BoolKind:
		return []logic.Value{logic.BoolValue(false), logic.BoolValue(true)}
	case logic.ArrayKind:
		for _, x := range valuesIn(s.Element(), domain) {
			v, err := logic.Eval(logic.ConstArray(s, x.Term()), nil)
			if err != nil {
				panic(err)
			}
			all = append(all, v)
		}
		return all
	}
	for _, n := range domain {
		number := big.NewInt(n)
		if w := s.Width(); w > 0 {
			number.Mod(number, new(big.Int).Lsh(big.NewInt(1), uint(w)))
		}
		all = append(all, logic.NumValue(new(big.Rat).SetInt(number), s))
	}
	return all
}

// equations are the variables that a conjunct of a formula gives a value.
func equations(f *logic.Term) map[*logic.Term]logic.Value {
	fixed := map[*logic.Term]logic.Value{}
	for _, p := range logic.Conjuncts(f) {
		if p.Op() != logic.OpEq {
			continue
		}
		for i, v := range p.Args() {
			if value, err := logic.Eval(p.Args()[1-i], nil); err == nil && v.Op() == logic.OpVar {
				fixed[v] = value
			}
		}
	}
	return fixed
}

// enumerate calls visit with each choice of values for variables.
func enumerate(vars []*logic.Term, domain []int64, fixed map[*logic.Term]logic.Value, visit func(logic.Model)) {
	m := logic.Model{}
	var at func(i int)
	at = func(i int) {
		if i == len(vars) {
			visit(maps.Clone(m))
			return
		}
		values := valuesIn(vars[i].Sort(), domain)
		if v, ok := fixed[vars[i]]; ok {
			values = []logic.Value{v}
		}
		for _, v := range values {
			m[vars[i].Name()] = v
			at(i + 1)
		}
	}
	at(0)
}
