package steps

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
)

// Point is where a run of a procedure is: before a node of the program, inside of a routine
// that is abstracted, before the action of the procedure's return, or at its end.
type Point struct {
	p *Procedure
	m *machine.Machine
	// call is the routine's that is being called, before whose call m is; nil: none.
	call *call
	// value is what the procedure has returned, if it has, and performs its action next.
	value *uint64
	end   *machine.Outcome
}

// call is that of an abstracted routine.
type call struct {
	at           *ir.Call
	f            *ir.Func
	args         []uint64
	abstractions []encode.Abstraction
	machine      *encode.Machine // the one that runs; nil: one is to be chosen
	state        int
}

// End is how the run has ended, nil if it goes on.
func (at *Point) End() *machine.Outcome { return at.end }

// Kind is what a move is.
type Kind uint8

const (
	Node      Kind = iota // what the program does next
	Choosing              // the abstraction of a routine that holds here
	Moving                // a transition of one
	Returning             // the action of the procedure's return
	Failing               // one of several actions of a failure
)

// Move is a way to go on from a point.
type Move struct {
	Kind   Kind
	Action string // "" is silent
	// Way tells the ways of one kind apart: in encode.Encoding.Way, too.
	Way  int
	Text string // for people; "" of a node
	// Result says that a routine returns a value on which there are conditions. None may satisfy
	// them: then it waits, and the move is none.
	Result bool
}

// Moves are the ways to go on: one, the program's own, but in an abstraction of a routine, where
// there can be several, or none. What they need of memory without a value is taken to be so.
func (at *Point) Moves() []Move {
	switch {
	case at.end != nil:
		return nil
	case at.value != nil:
		return at.classes()
	case at.call != nil && at.call.machine == nil:
		return at.beginnings()
	case at.call != nil:
		return at.transitions()
	}
	if _, fails := at.m.At().(*ir.Fail); fails && at.FailureIsAction() {
		actions := at.p.Context.Failures
		if len(actions) == 1 {
			return []Move{{Kind: Node, Action: actions[0]}}
		}
		var all []Move
		for way, a := range actions {
			all = append(all, Move{Kind: Failing, Way: way, Action: a, Text: at.p.Entry.Name + "() fails"})
		}
		return all
	}
	if _, stops := at.m.At().(*ir.Stop); stops && at.p.Context != nil {
		return []Move{{Kind: Node, Action: at.p.Context.Exit}}
	}
	return []Move{{Kind: Node}}
}

// beginnings are the initial states of the abstractions whose guards hold.
func (at *Point) beginnings() (all []Move) {
	way := 0
	for _, a := range at.call.abstractions {
		ok := at.holds(a.Guard, at.call.args, 0)
		for range a.Machine.Initial {
			if ok {
				all = append(all, Move{Kind: Choosing, Way: way, Text: a.Name})
			}
			way++
		}
	}
	return all
}

func (at *Point) transitions() (all []Move) {
	for i, t := range at.call.machine.Transitions {
		conditions, valued := append([]*ir.Func{t.Guard}, at.call.guards(&t)...), at.call.f.Type.Result.Scalar()
		if t.From == at.call.state && !slices.ContainsFunc(conditions, func(f *ir.Func) bool { return !at.holds(f, at.call.args, 0) }) {
			all = append(all, Move{Kind: Moving, Way: i, Action: t.Action, Text: at.call.text(&t), Result: valued && len(t.Result) > 0})
		}
	}
	return all
}

// guards are the conditions of a return that are not about the value: there is none that could be named.
func (c *call) guards(t *encode.Transition) []*ir.Func {
	if c.f.Type.Result.Scalar() {
		return nil
	}
	return t.Result
}

// text says what a transition does.
func (c *call) text(t *encode.Transition) string {
	text := c.f.Name + "()"
	if t.Assign != nil {
		text += " assigns"
	}
	if t.To == encode.Stop {
		text += ", returns"
	}
	return text
}

func (at *Point) classes() (all []Move) {
	for i, c := range at.p.Context.Returns {
		ok := true
		for _, l := range c.Where {
			ok = ok && at.holds(l.Condition, nil, *at.value) != l.Negated
		}
		if ok {
			all = append(all, Move{Kind: Returning, Way: i, Action: c.Action, Text: at.p.Entry.Name + "() has returned"})
		}
	}
	return all
}

// holds evaluates a condition, nil for true, without any effect: what depends on a value that
// memory does not have yet may hold.
func (at *Point) holds(f *ir.Func, args []uint64, result uint64) bool {
	if f == nil {
		return true
	}
	open := fmt.Errorf("an open value")
	m := at.m.Fork()
	m.Choose = func(*machine.Choice) (uint64, error) { return 0, open }
	got, err := m.Do(f, encode.Arguments(f, args, result))
	return err == open || err == nil && got != 0
}

// fork is a point that may change.
func (at *Point) fork() *Point {
	next := *at
	next.m = at.m.Fork()
	return &next
}

// Refused says that a value is not one that a specification allows, or a move none that is
// possible.
type Refused struct{ Text string }

func (e *Refused) Error() string { return e.Text }

// do goes on by a move. Values that the program leaves open come from the source. The error is
// the source's, or a *Refused.
func (at *Point) do(move Move, source Source) error {
	at.m.Choose = at.choose(source)
	err := at.goOn(move, source)
	if out := at.m.Halted(err); out != nil { // in a condition, or an assignment, of a specification
		at.end = out
		return nil
	}
	return err
}

func (at *Point) goOn(move Move, source Source) error {
	switch move.Kind {
	case Choosing:
		return at.beginIn(move.Way)
	case Moving:
		return at.transition(move.Way, source)
	case Returning:
		return at.returning(move.Way)
	}
	if at.call != nil || at.value != nil || at.end != nil {
		return &Refused{"the run is not before a node of the program"}
	}
	if c, ok := at.m.At().(*ir.Call); ok {
		f, args, err := at.called(c)
		if err != nil || f != nil {
			at.enter(c, f, args)
			return err
		}
	}
	open, err := at.openResult(source)
	if err != nil {
		return err
	}
	out, err := at.m.Next()
	if err != nil {
		return err
	}
	if out != nil && open != nil {
		out.Value = *open
	}
	at.settle(out)
	return nil
}

// caller is the routine that does the next step, or, of one that stands for another, the one that called it by a pointer.
func (at *Point) caller() *ir.Func {
	n := at.m.Depth() - 1
	for n > 0 && at.m.Activation(n).Func.StandsIn {
		n--
	}
	return at.m.Activation(n).Func
}

// called is the routine that a call calls, if that is abstracted.
func (at *Point) called(c *ir.Call) (*ir.Func, []uint64, error) {
	if at.p.Context == nil {
		return nil, nil, nil
	}
	caller := at.caller()
	if c.Callee != nil && at.p.abstractions(caller, c.Callee) == nil {
		return nil, nil, nil
	}
	m := at.m.Fork()
	m.Choose = at.m.Choose
	f, args, err := m.Called(c)
	if m.Halted(err) != nil || err == nil && at.p.abstractions(caller, f) == nil {
		return nil, nil, nil // as it goes on without us
	}
	at.m = m // what was read has its value now
	return f, args, err
}

func (at *Point) enter(c *ir.Call, f *ir.Func, args []uint64) {
	all := at.p.abstractions(at.caller(), f)
	at.call = &call{at: c, f: f, args: args, abstractions: all}
	if a := all[0]; len(all) == 1 && a.Guard == nil && len(a.Machine.Initial) == 1 { // as encode has it
		at.call.machine, at.call.state = a.Machine, a.Machine.Initial[0]
	}
}

func (at *Point) beginIn(way int) error {
	if at.call == nil || at.call.machine != nil {
		return &Refused{"no abstraction is to be chosen here"}
	}
	n := 0
	for _, a := range at.call.abstractions {
		for _, state := range a.Machine.Initial {
			if n == way {
				c := *at.call
				c.machine, c.state = a.Machine, state
				at.call = &c
				return at.require(a.Guard, c.args)
			}
			n++
		}
	}
	return &Refused{fmt.Sprintf("there is no abstraction %d", way)}
}

// require evaluates a guard where the run is.
func (at *Point) require(f *ir.Func, args []uint64) error {
	if f == nil {
		return nil
	}
	got, err := at.m.Do(f, encode.Arguments(f, args, 0))
	if err == nil && got == 0 {
		err = &Refused{"a guard does not hold"}
	}
	return err
}

func (at *Point) transition(way int, source Source) error {
	c := at.call
	if c == nil || c.machine == nil || way < 0 || way >= len(c.machine.Transitions) || c.machine.Transitions[way].From != c.state {
		return &Refused{fmt.Sprintf("there is no transition %d here", way)}
	}
	t := &c.machine.Transitions[way]
	if err := at.require(t.Guard, c.args); err != nil {
		return err
	}
	for _, f := range c.guards(t) {
		if err := at.require(f, c.args); err != nil {
			return err
		}
	}
	if t.Assign != nil {
		if _, err := at.m.Do(t.Assign, c.args); err != nil {
			return err
		}
	}
	if t.To != encode.Stop {
		inside := *c
		inside.state, at.call = t.To, &inside
		return nil
	}
	var result uint64
	if type_ := c.f.Type.Result; type_.Scalar() && (c.at.To != nil || len(t.Result) > 0) {
		var err error
		if result, err = at.result(t, type_, source); err != nil {
			return err
		}
	}
	at.m.Abstract = func(_ *ir.Call, f *ir.Func, _ []uint64) (uint64, bool, error) { return result, true, nil }
	out, err := at.m.Next()
	at.m.Abstract, at.call = nil, nil
	if err != nil {
		return err
	}
	at.settle(out)
	return nil
}

// result is what an abstracted routine returns.
func (at *Point) result(t *encode.Transition, type_ *ir.Type, source Source) (uint64, error) {
	c := at.call
	allowed := func(bits uint64) (bool, error) {
		for _, f := range t.Result {
			if got, err := at.m.Do(f, encode.Arguments(f, c.args, bits)); err != nil || got == 0 {
				return false, err
			}
		}
		return true, nil
	}
	ask := &Ask{Choice: &machine.Choice{Type: type_, Span: c.at.Span, Call: &ir.Call{Callee: c.f}}}
	if len(t.Result) > 0 {
		ask.Allowed = allowed
	}
	bits, err := source(ask)
	if err != nil {
		return 0, err
	}
	ok, err := allowed(bits)
	if err == nil && !ok {
		err = &Refused{fmt.Sprintf("%s() does not return %s here", c.f.Name, ir.Number(type_, bits))}
	}
	return bits, err
}

// openResult is the value that the procedure returns where it says none.
func (at *Point) openResult(source Source) (*uint64, error) {
	ret, ok := at.m.At().(*ir.Return)
	result := at.p.Entry.Type.Result
	if !ok || ret.Value != nil || at.m.Depth() > 1 || !result.Scalar() || at.p.Context == nil || len(at.p.Context.Returns) == 0 {
		return nil, nil
	}
	bits, err := source(&Ask{Choice: &machine.Choice{Type: result, Span: ret.Span}, result: true})
	return &bits, err
}

func (at *Point) returning(way int) error {
	if at.value == nil || way < 0 || way >= len(at.p.Context.Returns) {
		return &Refused{"the procedure has not returned"}
	}
	at.end, at.value = &machine.Outcome{Ending: machine.Returned, Value: *at.value}, nil
	return nil
}

// settle takes note of how the run has ended.
func (at *Point) settle(out *machine.Outcome) {
	if out == nil {
		return
	}
	if at.p.Context != nil && out.Ending == machine.Returned && len(at.p.Context.Returns) > 0 {
		value := out.Value
		at.value = &value
		return
	}
	at.end = out
}

// Here is where the run is in the program: the activations of routines of the sources, the
// innermost last; none at the end.
func (at *Point) Here() []machine.Activation {
	return at.m.Stack()[:at.Depth()]
}

// Depth is the length of Here.
func (at *Point) Depth() int {
	n := at.m.Depth()
	for n > 1 && at.m.Activation(n-1).Func.Library {
		n--
	}
	return n
}

// Innermost is the last of Here; ok is false at the end.
func (at *Point) Innermost() (a machine.Activation, ok bool) {
	n := at.Depth()
	if n == 0 {
		return a, false
	}
	return at.m.Activation(n - 1), true
}

// Values are those of memory: see machine.Machine.Values.
func (at *Point) Values() []machine.Held { return at.m.Values() }

// Gained are those of Values that are not, with the same value, of another point of the run.
func (at *Point) Gained(before *Point) []machine.Held { return at.m.Gained(before.m) }

// Size is that of the memory that the point keeps, in bytes, nearly.
func (at *Point) Size() int { return at.m.Size() }

// Inside says in which state of an abstraction of a routine the run is, "" if in none.
func (at *Point) Inside() string {
	c := at.call
	switch {
	case c == nil:
		return ""
	case c.machine == nil:
		return c.f.Name + "()"
	}
	label := fmt.Sprint(c.state)
	if c.machine.Names != nil {
		label = cmp.Or(c.machine.Names[c.state], label)
	}
	return c.f.Name + "()." + label
}

// Observe evaluates a condition in the activation at a level of Here, -1 for none: see
// machine.Machine.Observe.
func (at *Point) Observe(p *ir.Program, f *ir.Func, level int) (holds, defined bool) {
	return at.m.Observe(p, f, level)
}

// AtLabel reports that the procedure itself is at a label.
func (at *Point) AtLabel(label string) bool {
	if at.end != nil || at.value != nil || at.m.Depth() != 1 || at.call != nil {
		return false
	}
	p := at.m.Position()
	return slices.Contains(p.Block.At(p.Instr), label)
}

// Key is the same for two points only if the runs are in the same state; "" if that cannot be
// told.
func (at *Point) Key() string {
	key := at.m.Key()
	if key == "" {
		return ""
	}
	if at.end != nil {
		return fmt.Sprintf("%s end %d %s", key, at.end.Ending, at.end.What)
	}
	if at.value != nil {
		return fmt.Sprintf("%s returned %d", key, *at.value)
	}
	return key + at.Inside()
}

// Program is what is run.
func (at *Point) Program() *ir.Program { return at.p.Program }

// FailureIsAction reports that a failure performs an action, and ends the component as a return
// does.
func (at *Point) FailureIsAction() bool { return at.p.Context != nil && at.p.Context.Failures != nil }

// Control is the same for two points only if the runs are at the same place, whatever is in
// memory.
func (at *Point) Control() string {
	if at.end != nil || at.value != nil {
		return "end"
	}
	return at.m.Control() + at.Inside()
}
