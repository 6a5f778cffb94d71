package encode

import (
	"errors"
	"fmt"

	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/cfront"
)

// Context is what the meaning of a component depends on beside its procedure ([Chaki05],
// Def. 9). Conditions are routines of cfront.Program.Conditions.
type Context struct {
	// Initial are conditions over the parameters of the procedure, all of which hold at first.
	Initial []*cfront.Func
	// Routines are the routines that are abstracted, by name: calls of them do what their
	// machines do, whether or not they have a body. The guards of a routine's abstractions
	// exclude each other, and one of them holds.
	Routines map[string][]Abstraction
	// Returns are what the procedure's own return performs, by its value: classes that
	// exclude each other, and one of which has each value. Empty: a return is silent.
	Returns []Class
	// Failure is what a failure performs (a label ERROR, reach_error, an assertion), which
	// ends the component. "": a failure leaves what is modelled.
	Failure string
	// Alphabet are actions that the component takes part in beside those that it can perform.
	Alphabet []string
}

// Abstraction is what a routine does where its guard holds, nil for always.
type Abstraction struct {
	Name    string // for people
	Guard   *cfront.Func
	Machine *Machine
}

// Machine is an extended finite state machine ([Chaki05], Def. 8), with states 0 to
// States-1 and Stop.
type Machine struct {
	States      int
	Initial     []int
	Transitions []Transition
}

// Stop is the state in which a routine has returned.
const Stop = -1

// Transition is one of a machine: its guard holds, nil for always; it assigns or performs
// its action, and goes on. One that goes to Stop returns from the call, with any value
// that satisfies the conditions of Result.
type Transition struct {
	From, To int
	Guard    *cfront.Func
	Action   string       // "" is silent
	Assign   *cfront.Func // nil, or an assignment l := r of cfront.Program.Conditions; then Action is ""
	Result   []*cfront.Func
	Span     cfront.Span
}

// Class is the set of values that satisfy all of some conditions on $0.
type Class struct {
	Action string // "" is silent
	Where  []Literal
}

// Literal is a condition, or its negation.
type Literal struct {
	Condition *cfront.Func
	Negated   bool
}

// EncodeComponent encodes a procedure in a context. Its components are those of
// Component; Encoding.Words and Numbers have no errors.
func EncodeComponent(p *cfront.Program, procedure string, ctx *Context) (*Encoding, error) {
	return nil, errors.New("not yet")
}

// Component is the component over one of the encoding's systems, Words or Numbers. Its
// slices are shared.
func (e *Encoding) Component(sys *program.System) *program.Component {
	return nil
}

// ReplayComponent runs the procedure on the values that a run of the component chose,
// over Words or Numbers, by cfront's machine, which knows nothing of the encoding:
// calls of abstracted routines do what the run says, which is checked to be what their
// machines can do. Nil if the run does each step of the trace, in two layouts of memory.
// The trace may end anywhere.
func (e *Encoding) ReplayComponent(sys *program.System, t *program.Trace) (*cfront.Recording, error) {
	return nil, fmt.Errorf("not yet")
}
