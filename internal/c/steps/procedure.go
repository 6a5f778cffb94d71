package steps

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
)

// Procedure is what is run.
type Procedure struct {
	Program *ir.Program
	Entry   *ir.Func
	// Context is that of a component, in which routines are abstracted; nil: a whole program.
	Context *encode.Context
	// given is what a pointer points to: a parameter, or a member of what one points to.
	given func(v *ir.Var, off int64) *ir.Var
}

// OfProgram runs a program from a routine on.
func OfProgram(p *ir.Program, entry string) (*Procedure, error) {
	f := p.Func(entry)
	if f == nil || f.Extern() {
		return nil, fmt.Errorf("there is no routine %s with a body", entry)
	}
	return &Procedure{Program: p, Entry: f, given: func(*ir.Var, int64) *ir.Var { return nil }}, nil
}

// OfComponent runs the procedure of a component.
func OfComponent(e *encode.Encoding) *Procedure {
	return &Procedure{Program: e.Program, Entry: e.Entry, Context: e.Context(), given: e.Given}
}

// Source gives a value that a program leaves open. An error of it ends the step that asks.
type Source func(*Ask) (uint64, error)

// Ask is a value that is asked for.
type Ask struct {
	*machine.Choice
	// Param is the parameter of the procedure whose argument it is, "" of all else.
	Param string
	// Allowed reports what a specification allows as the value; nil: any of the type.
	Allowed func(bits uint64) (ok bool, err error)
	// Own is the address of the object that a pointer points to if it is not null, 0 if there is
	// none.
	Own    uint64
	result bool // of the procedure, whose return says none
}

// Garbage reports what a variable of the program, or what it allocated, holds before the program
// writes to it: nothing that its surroundings give.
func (a *Ask) Garbage() bool {
	if a.Lazy && (a.Var == nil && a.Site == nil || a.Var != nil && a.Var.Extern) {
		return false
	}
	return a.Param == "" && a.Call == nil && a.Why == ir.Uninitialised && a.Allowed == nil && !a.result
}

// What says what is asked for: "input()".
func (a *Ask) What() string {
	switch {
	case a.Param != "":
		return a.Param
	case a.Lazy && a.Var != nil:
		return "the first value of " + ir.Place{Var: a.Var, Off: a.Off, Type: a.Type}.String()
	case a.Lazy:
		return "a value in memory"
	}
	return a.Choice.What()
}

// Begin is where the procedure begins. Arguments that are scalars are asked for, but for
// pointers to objects of their own, and then what the conditions on the first state read, and
// what formulas do. The error is the source's, or a *Refused if these do not hold.
func (p *Procedure) Begin(source Source) (*Point, error) {
	m := &machine.Machine{Program: p.Program, MaxDepth: maxDepth, Regions: true}
	var failed error
	var args []uint64
	m.Begin = func() []uint64 {
		for _, v := range p.Entry.Params {
			bits := uint64(0)
			switch to := p.given(v, 0); {
			case to != nil:
				bits = m.Address(to)
			case v.Type.Scalar() && failed == nil:
				bits, failed = source(&Ask{Choice: &machine.Choice{Type: v.Type, Span: v.Span}, Param: v.Name})
			}
			args = append(args, bits)
		}
		return args
	}
	at := &Point{p: p, m: m}
	m.Choose = at.choose(source)
	out, err := m.Start(p.Entry, nil)
	if err = cmpError(failed, err); err != nil {
		return nil, err
	}
	if at.settle(out); p.Context == nil {
		return at, nil
	}
	for _, f := range p.Context.Initial {
		switch got, err := m.Do(f, encode.Arguments(f, args, 0)); {
		case m.Halted(err) != nil || err == nil && got == 0:
			return nil, &Refused{fmt.Sprintf("%s cannot begin so: the guard does not hold of its arguments", p.Entry.Name)}
		case err != nil:
			return nil, err
		}
	}
	for _, f := range p.Context.Observed {
		if err := m.Settle(f); err != nil {
			return nil, err
		}
	}
	return at, nil
}

func cmpError(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// maxDepth bounds calls inside of calls.
const maxDepth = 10_000

// choose asks a source for what the machine asks for.
func (at *Point) choose(source Source) func(*machine.Choice) (uint64, error) {
	return func(c *machine.Choice) (uint64, error) {
		ask := &Ask{Choice: c}
		if c.Lazy && c.Var != nil && c.Type.Kind == ir.Pointer {
			if to := at.p.given(c.Var, c.Off); to != nil {
				ask.Own = at.m.Address(to)
			}
		}
		return source(ask)
	}
}

// abstractions are those of a routine that another one calls, nil if it is not abstracted there. What stands for a
// routine is never: it calls that.
func (p *Procedure) abstractions(caller, f *ir.Func) []encode.Abstraction {
	if p.Context == nil || f == nil || f.StandsIn {
		return nil
	}
	if !f.Extern() && slices.Contains(p.Context.Inline[caller.Name], f.Name) {
		return nil
	}
	return p.Context.Routines[f.Name]
}
