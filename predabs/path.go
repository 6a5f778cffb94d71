package predabs

import (
	"context"
	"fmt"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// Path is a sequence of commands from the states of Init to those of Error.
type Path struct {
	Init  *logic.Term
	Steps []*Command
	Error *logic.Term
	Vars  []*logic.Term // all program variables
}

// Execution is a run along a path: States[0] satisfies Init, step i leads from
// States[i] to States[i+1] with Inputs[i], and the last state satisfies Error.
// States give values to all program variables.
type Execution struct {
	States []logic.Model
	Inputs []logic.Model
}

// symbolic is the path with every value written in terms of the first state and
// the inputs of each step.
type symbolic struct {
	conditions []*logic.Term                 // Init, the guards, Error: len(Steps)+2
	states     []map[*logic.Term]*logic.Term // values of the variables after i steps
	inputs     []map[*logic.Term]*logic.Term // names of the inputs of step i
}

func (p *Path) symbolic() symbolic {
	s := symbolic{conditions: []*logic.Term{p.Init}}
	now := map[*logic.Term]*logic.Term{}
	for _, v := range p.Vars {
		now[v] = v
	}
	for i, c := range p.Steps {
		inputs := map[*logic.Term]*logic.Term{}
		by := map[*logic.Term]*logic.Term{}
		for v, t := range now {
			by[v] = t
		}
		for _, in := range c.Inputs {
			inputs[in] = logic.Var(fmt.Sprintf("%s@step%d", in.Name(), i+1), in.Sort())
			by[in] = inputs[in]
		}
		s.conditions = append(s.conditions, logic.Substitute(c.Guard, by))
		s.states, s.inputs = append(s.states, now), append(s.inputs, inputs)
		next := map[*logic.Term]*logic.Term{}
		for v, t := range now {
			next[v] = t
			if e := c.Update[v]; e != nil {
				next[v] = logic.Substitute(e, by)
			}
		}
		now = next
	}
	s.states = append(s.states, now)
	s.conditions = append(s.conditions, logic.Substitute(p.Error, now))
	return s
}

// Feasible asks whether the path can be run (FEASIBLEPATH of the lectures). Sat
// comes with a run that was replayed by evaluation; Unknown with a reason.
func (p *Path) Feasible(ctx context.Context, s smt.Solver) (status smt.Status, run *Execution, reason string, err error) {
	sym := p.symbolic()
	status, m, err := smt.ModelOf(ctx, s, sym.conditions...)
	if err != nil || status == smt.Unsat {
		return status, nil, "", err
	}
	if status == smt.Unknown {
		return status, nil, s.Reason(), nil
	}
	first := logic.Model{}
	for _, v := range p.Vars {
		first[v.Name()] = valueOr0(m, v)
	}
	var inputs []logic.Model
	for i := range p.Steps {
		in := logic.Model{}
		for name, at := range sym.inputs[i] {
			v := valueOr0(m, at)
			in[name.Name()] = v
		}
		inputs = append(inputs, in)
	}
	run, err = p.Replay(first, inputs)
	if err != nil {
		return smt.Unknown, nil, err.Error(), nil
	}
	return smt.Sat, run, "", nil
}

func valueOr0(m logic.Model, v *logic.Term) logic.Value {
	if value, ok := m[v.Name()]; ok {
		return value
	}
	return logic.Zero(v.Sort())
}

// Replay runs the path from a state with given inputs by evaluation; the error
// says where it cannot be run.
func (p *Path) Replay(first logic.Model, inputs []logic.Model) (*Execution, error) {
	if ok, err := logic.Holds(p.Init, first); !ok {
		return nil, fmt.Errorf("the first state is not initial (%v)", err)
	}
	run := &Execution{States: []logic.Model{first}, Inputs: inputs}
	for i, c := range p.Steps {
		next, err := c.Step(run.States[i], inputs[i])
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
		run.States = append(run.States, next)
	}
	if ok, err := logic.Holds(p.Error, run.States[len(p.Steps)]); !ok {
		return nil, fmt.Errorf("the last state is no error (%v)", err)
	}
	return run, nil
}

// Step does the command in a state by evaluation.
func (c *Command) Step(state, inputs logic.Model) (logic.Model, error) {
	all := logic.Model{}
	for n, v := range state {
		all[n] = v
	}
	for n, v := range inputs {
		all[n] = v
	}
	ok, err := logic.Holds(c.Guard, all)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("the guard %s does not hold", c.Guard)
	}
	next := logic.Model{}
	for n, v := range state {
		next[n] = v
	}
	for v, e := range c.Update {
		if next[v.Name()], err = logic.Eval(e, all); err != nil {
			return nil, err
		}
	}
	return next, nil
}
