package naive

import (
	"fmt"
	"maps"
	"math/big"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

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

// Concrete is the meaning of a component ([Chaki05], 3.2), whose choices are those of a
// domain: its states are the locations with the values of the variables that can be
// reached. lost says why a run leaves what is modelled, if one does. The error is that
// there are more than limit states.
func Concrete(c *program.Component, domain []int64, limit int) (m *lks.LKS, lost string, err error) {
	b := lks.NewBuilder(c.Name)
	for _, a := range c.Alphabet {
		b.Action(a)
	}
	ends := map[int]bool{}
	for _, l := range c.Ends {
		ends[l] = true
	}
	out := make([][]int, len(c.System.Locations))
	for i, e := range c.System.Edges {
		out[e.From] = append(out[e.From], i)
	}
	type state struct {
		at     int
		values logic.Model
	}
	numbers, todo, names := map[string]int32{}, []state{}, []string{}
	visit := func(s state) int32 {
		key := fmt.Sprint(c.System.Locations[s.at].Name, " ", s.values)
		n, known := numbers[key]
		if !known {
			kind := lks.Normal
			if ends[s.at] {
				kind = lks.End
			}
			n = b.StateID(kind, nil)
			numbers[key], names, todo = n, append(names, key), append(todo, s)
			if why := c.Lost[s.at]; why != "" && lost == "" {
				lost = why
			}
		}
		return n
	}
	for _, r := range c.System.Init {
		enumerate(c.System.Vars, domain, equations(r.Where), func(m logic.Model) {
			if ok, err := logic.Holds(r.Where, m); ok && err == nil {
				b.Initial(visit(state{r.Location, m}))
			}
		})
	}
	for k := 0; k < len(todo); k++ {
		if len(todo) > limit {
			return nil, lost, fmt.Errorf("more than %d states", limit)
		}
		for _, i := range out[todo[k].at] {
			e := c.System.Edges[i]
			action := c.Actions[i]
			if action == "" {
				action = lks.TauName
			}
			enumerate(e.Command.Inputs, domain, nil, func(inputs logic.Model) {
				if next, err := e.Command.Step(todo[k].values, inputs); err == nil {
					b.Transition(int32(k), action, visit(state{e.To, next}))
				}
			})
		}
	}
	// A program has terminated when all of its components have: none is a server that may
	// be left behind, as one without any End state is to networks of LKSs.
	b.StateID(lks.End, nil)
	names = append(names, "ended")
	b.Describe(func(s int32) string { return names[s] })
	m, err = b.Build()
	return m, lost, err
}
