package program

import (
	"fmt"
	"maps"

	"github.com/seltl/seltl/logic"
)

// Path is a sequence of commands from the states of Init to those of Error.
type Path struct {
	Init  *logic.Term
	Steps []*Command
	Error *logic.Term
	Vars  []*logic.Term // all program variables
}

// Conditions are the formulas that a run along the path satisfies, in their order:
// Init, the guards, Error.
func (p *Path) Conditions() []*logic.Term {
	all := []*logic.Term{p.Init}
	for _, c := range p.Steps {
		all = append(all, c.Guard)
	}
	return append(all, p.Error)
}

// Unrolled is a path with every value written in terms of the first state and the
// inputs of each step: the path can be run iff the conditions hold together.
type Unrolled struct {
	path       *Path
	Conditions []*logic.Term                 // of the path
	By         []map[*logic.Term]*logic.Term // for each condition what variables and inputs stand for there
}

// Unroll writes the path so. The inputs of step i are called n@stepi.
func (p *Path) Unroll() *Unrolled {
	u := &Unrolled{path: p}
	now := map[*logic.Term]*logic.Term{}
	for _, v := range p.Vars {
		now[v] = v
	}
	u.add(p.Init, now)
	for i, c := range p.Steps {
		by := maps.Clone(now)
		for _, in := range c.Inputs {
			by[in] = InputAt(in, i)
		}
		u.add(c.Guard, by)
		next := map[*logic.Term]*logic.Term{}
		for v, t := range now {
			next[v] = t
			if e := c.Update[v]; e != nil {
				next[v] = logic.Substitute(e, by)
			}
		}
		now = next
	}
	u.add(p.Error, now)
	return u
}

func (u *Unrolled) add(f *logic.Term, by map[*logic.Term]*logic.Term) {
	u.Conditions, u.By = append(u.Conditions, logic.Substitute(f, by)), append(u.By, by)
}

// InputAt is what Unroll calls an input of step i, counted from 0.
func InputAt(in *logic.Term, i int) *logic.Term {
	return logic.Var(fmt.Sprintf("%s@step%d", in.Name(), i+1), in.Sort())
}

// Run makes an execution of a model of the conditions and replays it; what the model
// does not speak of is 0.
func (u *Unrolled) Run(m logic.Model) (*Execution, error) {
	valueOr0 := func(v *logic.Term) logic.Value {
		if value, ok := m[v.Name()]; ok {
			return value
		}
		return logic.Zero(v.Sort())
	}
	first := logic.Model{}
	for _, v := range u.path.Vars {
		first[v.Name()] = valueOr0(v)
	}
	var inputs []logic.Model
	for i, c := range u.path.Steps {
		in := logic.Model{}
		for _, name := range c.Inputs {
			in[name.Name()] = valueOr0(InputAt(name, i))
		}
		inputs = append(inputs, in)
	}
	return u.path.Replay(first, inputs)
}

// Execution is a run along a path: States[0] satisfies Init, step i leads from
// States[i] to States[i+1] with Inputs[i], and the last state satisfies Error.
// States give values to all program variables.
type Execution struct {
	States []logic.Model
	Inputs []logic.Model
}

// Replay runs the path from a state with given inputs by evaluation; the error
// says where it cannot be run.
func (p *Path) Replay(first logic.Model, inputs []logic.Model) (*Execution, error) {
	if len(inputs) != len(p.Steps) {
		return nil, fmt.Errorf("inputs for %d steps, not %d", len(inputs), len(p.Steps))
	}
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
