package encode

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// eventKind is what a step of a component is, in terms of the program.
type eventKind uint8

const (
	machineStep eventKind = iota // package machine does the node
	chooses                      // an abstraction of a routine, whose call began before
	moves                        // a transition of its machine
	returns                      // the procedure has returned
	passesOver                   // a call of a routine from inside of it comes back, whatever it does
)

// event is what a run of the program has to show for a step.
type event struct {
	kind        eventKind
	node        machine.Node // of a machineStep
	stub        *stub        // of a machineStep that calls an abstracted routine; of chooses, moves
	abstraction int
	state       int // of chooses: the initial one
	transition  *Transition
	class       int
}

// Context is that of EncodeComponent, nil of a program.
func (e *Encoding) Context() *Context {
	if e.component == nil {
		return nil
	}
	return e.component.ctx
}

// Given is the object of its own that a parameter of the procedure points to, or a member of such
// an object at an offset; nil if there is none.
func (e *Encoding) Given(v *ir.Var, off int64) *ir.Var { return e.memory.given.to(v, off) }

// Way tells apart what a step of a component can be that is none of the program: of a routine's
// abstractions and their initial states that one is chosen, of a machine's transitions that one
// is made, of the classes of results that the procedure returns with one. False: it is a step of
// the program.
func (e *Encoding) Way(edge int) (way int, ok bool) {
	switch ev := &e.edges[edge].event; ev.kind {
	case chooses:
		for _, a := range ev.stub.abstractions[:ev.abstraction] {
			way += len(a.Machine.Initial)
		}
		return way + slices.Index(ev.stub.abstractions[ev.abstraction].Machine.Initial, ev.state), true
	case moves:
		for _, a := range ev.stub.abstractions {
			for i := range a.Machine.Transitions {
				if &a.Machine.Transitions[i] == ev.transition {
					return i, true
				}
			}
		}
	case returns:
		return ev.class, true
	}
	return 0, false
}

// Inside is the abstracted routine whose structure makes an edge a step. False: none does.
func (e *Encoding) Inside(edge int) (routine string, ok bool) {
	if ev := &e.edges[edge].event; ev.kind == moves {
		return ev.stub.f.Name, true
	}
	return "", false
}

// errArrived ends a run that has done the whole trace.
var errArrived = errors.New("the trace is done")

// ReplayComponent runs the procedure of EncodeComponent on the values that a run of the
// component chose, over Words or Numbers, by package machine, which knows nothing of the
// encoding: each step of the trace is a step of that machine; calls of abstracted routines
// do what the trace says, whose guards, assignments and results the machine evaluates, as
// it does the conditions on the first state and on what is returned. Nil if the run does
// the trace, in two layouts of memory. The trace may end anywhere but in a location of
// Lost. The recording says what the run was given.
func (e *Encoding) ReplayComponent(sys *program.System, t *program.Trace) (*machine.Recording, error) {
	if last := t.Location(sys, len(t.Edges)); e.Lost[last] != "" {
		return nil, fmt.Errorf("the trace leaves what is modelled: %s", e.Lost[last])
	}
	var first *machine.Recording
	for layout := range 2 {
		r := &replay{e: e, t: t, numbers: sys == e.Numbers, record: &machine.Recording{}}
		if err := r.run(layout); err != nil {
			return r.record, err
		}
		if first == nil {
			first = r.record
		}
	}
	return first, nil
}

// replay is a run of a component's procedure along a trace.
type replay struct {
	e       *Encoding
	t       *program.Trace
	numbers bool
	record  *machine.Recording
	m       *machine.Machine
	at      int      // the next edge
	queue   []uint64 // choices of the edge before
	params  []uint64
	own     ownMemory
	called  *stub   // what the instruction calls that is abstracted there
	open    *uint64 // what the procedure returns, if its return says nothing
}

func (r *replay) run(layout int) (err error) {
	e := r.e
	if r.own, err = e.ownMemory(map[bool]*program.System{false: e.Words, true: e.Numbers}[r.numbers], r.t); err != nil {
		return err
	}
	r.m = &machine.Machine{Program: e.Program, Outlived: e.Ended, Layout: layout, MaxSteps: maxReplay, MaxDepth: maxReplayDepth, Regions: true, Hands: true, Record: r.record, Begin: r.arguments,
		Step: r.step, Abstract: r.abstract, Choose: r.choose}
	out, err := r.m.Run(e.Entry, nil)
	switch {
	case out.Guessed != "":
		return errors.New("the run depends on " + out.Guessed)
	case r.m.Arguments(r.params) != "":
		return errors.New("the run depends on " + r.m.Arguments(r.params))
	case errors.Is(err, errArrived):
		return nil
	case err != nil:
		return err
	case out.Ending == machine.Returned && r.at < len(r.t.Edges) && r.event().kind == returns:
		if err := r.class(out.Value); err != nil {
			return err
		}
	case out.Ending == machine.Undefined || out.Ending == machine.Exceeded || out.Ending == machine.Refused:
		return fmt.Errorf("the run ends in step %d: %s", r.at, out.What)
	}
	if r.at < len(r.t.Edges) {
		return fmt.Errorf("the run ends after step %d: %s", r.at, out.What)
	}
	return nil
}

// event is what the next edge of the trace is.
func (r *replay) event() *event { return &r.e.edges[r.t.Edges[r.at]].event }

// take goes on with the next edge, and its choices.
func (r *replay) take() *event {
	ev := r.event()
	info := r.e.edges[r.t.Edges[r.at]]
	names := info.words
	if r.numbers {
		names = info.numbers
	}
	r.queue = nil
	for _, name := range names {
		r.queue = append(r.queue, bitsOf(r.t.Inputs[r.at], name))
	}
	r.at++
	return ev
}

// step compares what the machine does next with the trace.
func (r *replay) step(at machine.Node) error {
	if r.at == 0 {
		for _, f := range r.e.component.ctx.Initial {
			if err := r.record.Before(func() error { return r.check(f, true, r.params, 0) }); err != nil {
				return err
			}
		}
		if err := r.settle(); err != nil {
			return err
		}
	}
	if err := r.agree(); err != nil {
		return err
	}
	if r.at == len(r.t.Edges) {
		return errArrived
	}
	switch ev := r.take(); {
	case ev.kind == passesOver:
		return fmt.Errorf("what a routine that calls itself returns in step %d is not known", r.at)
	case ev.kind != machineStep || ev.node != at:
		return fmt.Errorf("the run goes another way in step %d, at line %d", r.at, at.At().Pos().Line)
	}
	r.called = r.e.edges[r.t.Edges[r.at-1]].event.stub
	r.open = nil
	if ret, ok := at.(*ir.Return); ok && ret.Value == nil && len(r.queue) > 0 {
		r.open = &r.queue[0]
		r.record.Choose(*r.open)
	}
	return nil
}

// settle gives the first values of the trace to what formulas read.
func (r *replay) settle() error {
	first := &program.Trace{Execution: program.Execution{States: r.t.States}}
	r.m.Choose = func(c *machine.Choice) (uint64, error) { return r.lazy(first, c), nil }
	defer func() { r.m.Choose = r.choose }()
	for _, f := range r.e.component.ctx.Observed {
		if err := r.record.Before(func() error { return r.m.Settle(f) }); err != nil {
			return err
		}
	}
	return nil
}

// agree compares what formulas read of the machine with what they read of the trace.
func (r *replay) agree() error {
	state := r.t.States[r.at]
	for i, f := range r.e.component.ctx.Observed {
		seen := &r.e.component.seen[i]
		where, undefined := seen.Words, seen.UndefinedWords
		if r.numbers {
			where, undefined = seen.Numbers, seen.UndefinedNumbers
		}
		if open, err := logic.Holds(undefined, state); open || err != nil {
			continue
		}
		want, err := logic.Holds(where, state)
		if err != nil {
			return err
		}
		holds, defined := r.m.ObserveBy(f, func(c *machine.Choice) (uint64, error) { return r.lazy(r.t, c), nil })
		if defined && holds != want {
			return fmt.Errorf("in step %d %s is %v, and %v of the trace", r.at, f.Name, holds, want)
		}
	}
	return nil
}

// lazy is the value that a trace has where memory had none.
func (r *replay) lazy(t *program.Trace, c *machine.Choice) uint64 {
	bits := r.e.startOf(t, r.own, c)
	if c.Type.Kind == ir.Pointer {
		bits = r.located(bits)
	}
	return bits
}

func (r *replay) choose(c *machine.Choice) (uint64, error) {
	if c.Lazy {
		return r.lazy(r.t, c), nil
	}
	if len(r.queue) == 0 {
		return 0, fmt.Errorf("the run asks for a value in step %d that the trace does not have", r.at)
	}
	bits := r.queue[0]
	r.queue = r.queue[1:]
	if c.Call != nil && c.Type.Kind == ir.Pointer {
		if there, known := r.e.handed(r.m, bits); known {
			bits = there
		}
	}
	return bits, nil
}

// check evaluates a condition on the machine.
func (r *replay) check(f *ir.Func, want bool, args []uint64, result uint64) error {
	got, err := r.m.Do(f, Arguments(f, args, result))
	if err == nil && (got != 0) != want {
		err = fmt.Errorf("in step %d %s is %d", r.at, f.Name, got)
	}
	return err
}

// Arguments are the values of a condition's parameters: of $1, $2, ... and of $0.
func Arguments(f *ir.Func, args []uint64, result uint64) []uint64 {
	out := make([]uint64, len(f.Params))
	copy(out, args)
	if n := len(out); n > 0 && f.Params[n-1].Name == "$0" {
		out[n-1] = result
	}
	return out
}

// abstract does a call of an abstracted routine as the trace says.
func (r *replay) abstract(c *ir.Call, f *ir.Func, args []uint64) (result uint64, done bool, err error) {
	s := r.called
	if s == nil || s.f != f {
		return 0, false, nil
	}
	var inside *Abstraction
	at := 0
	for {
		if err := r.agree(); err != nil {
			return 0, true, err
		}
		for _, g := range s.guards(inside, at) { // what is possible here, and what is not
			r.m.Decides(g, Arguments(g, args, 0))
		}
		if r.at == len(r.t.Edges) {
			return 0, true, errArrived
		}
		r.record.NextNode()
		ev := r.take()
		if ev.stub != s {
			return 0, true, fmt.Errorf("the run calls %s in step %d, and the trace does not", f.Name, r.at)
		}
		switch ev.kind {
		case chooses:
			inside, at = &s.abstractions[ev.abstraction], ev.state
			if inside.Guard != nil {
				err = r.check(inside.Guard, true, args, 0)
			}
		case moves:
			at = ev.transition.To
			if result, err = r.move(c, s, ev.transition, args); err == nil && ev.transition.To == Stop {
				return result, true, nil
			}
		default:
			err = fmt.Errorf("the run is inside of %s in step %d, and the trace is not", f.Name, r.at)
		}
		if err != nil {
			return 0, true, err
		}
	}
}

// guards are the conditions of what is possible in a state of an abstraction, and of all abstractions and what is
// possible first in them where none is chosen yet (nil).
func (s *stub) guards(inside *Abstraction, at int) (all []*ir.Func) {
	add := func(g *ir.Func) {
		if g != nil {
			all = append(all, g)
		}
	}
	for i := range s.abstractions {
		a := &s.abstractions[i]
		if inside == nil {
			add(a.Guard)
		}
		for k := range a.Machine.Transitions {
			if t := &a.Machine.Transitions[k]; inside == a && t.From == at || inside == nil && slices.Contains(a.Machine.Initial, t.From) {
				add(t.Guard)
			}
		}
	}
	return all
}

// move does a transition of a routine's machine.
func (r *replay) move(c *ir.Call, s *stub, t *Transition, args []uint64) (result uint64, err error) {
	if t.Guard != nil {
		if err := r.check(t.Guard, true, args, 0); err != nil {
			return 0, err
		}
	}
	if t.Assign != nil {
		if _, err := r.m.Do(t.Assign, args); err != nil {
			return 0, err
		}
	}
	if t.To != Stop || c.To == nil && len(t.Result) == 0 {
		return 0, nil
	}
	if s.result != nil {
		if result, err = r.choose(&machine.Choice{}); err != nil {
			return 0, err
		}
	}
	if c.To == nil && s.result != nil { // where there is a place, the machine notes it
		r.record.Choose(result)
	}
	for _, f := range t.Result {
		if err := r.check(f, true, args, result); err != nil {
			return 0, err
		}
	}
	return result, nil
}

// class checks what the procedure's return performs.
func (r *replay) class(value uint64) error {
	if r.open != nil {
		value = *r.open
	}
	r.record.NextNode()
	class := &r.e.component.ctx.Returns[r.take().class]
	for _, l := range class.Where {
		if err := r.check(l.Condition, !l.Negated, nil, value); err != nil {
			return err
		}
	}
	return nil
}
