package specification

import (
	"slices"
)

// Machine is an LKS as it is written, or the extended finite state machine of a routine
// ([Chaki05], Def. 8): the states and transitions of a definition, its labels without
// variables and ranges.
type Machine struct {
	Name    string
	Initial int // a state, or Stop
	// States have the names that the definition gives them, or "" where none stands
	// between two arrows. Names that are defined to be another state are none.
	States      []string
	Transitions []Transition // by From, then in the order of the text
	// Alphabet has the actions of the transitions and of the extension, sorted; epsilon and
	// returns are none.
	Alphabet []string
}

// Stop is the state STOP (or END) of a Machine, behind all that is done: it has no
// transitions.
const Stop = -1

// Transition is a transition of a Machine.
type Transition struct {
	From, To int
	Guard    *CExpr // nil: true
	Kind     StepKind
	Action   string // of StepAction: the full name
	// Condition of StepReturn (nil: return {}), Left := Right of StepAssign.
	Condition   *CExpr
	Left, Right *CExpr
	// Bound has the values of the index variables that are bound where the step stands:
	// what these names mean in its C expressions, before constants. Shared, not to be
	// changed.
	Bound Values
	Span  Span // of the step
}

// maxMachine bounds the states and the transitions of a machine: a hundred times what a
// person writes.
const maxMachine = 100_000

// Machine returns the states and transitions of a definition without mistakes, for these
// values of the constants. The error is Diagnostics.
func (f *File) Machine(d *LKSDef, constants Values) (*Machine, error) {
	b := &machineBuilder{
		evaluator: evaluator{file: f, constants: constants},
		m:         &Machine{Name: d.Name.Text},
		def:       d, equations: map[string]*State{}, numbers: map[string]int{},
	}
	for _, s := range d.States {
		b.equations[s.Name.Text] = s
	}
	for _, s := range d.States {
		if s.Body.Kind == BodyChoice {
			b.numbers[s.Name.Text] = b.state(s.Name.Text, s.Body, nil)
		}
	}
	b.m.Initial = b.target(&Body{Kind: BodyRef, Name: d.Name}, nil)
	for len(b.work) > 0 && !b.failed() {
		next := b.work[0]
		b.work = b.work[1:]
		b.step(next)
	}
	slices.SortStableFunc(b.m.Transitions, func(s, t Transition) int { return s.From - t.From })
	for _, t := range b.m.Transitions {
		if t.Kind == StepAction {
			b.m.Alphabet = append(b.m.Alphabet, t.Action)
		}
	}
	if d.Extension != nil {
		b.m.Alphabet = append(b.m.Alphabet, b.names(d.Extension, nil)...)
	}
	slices.Sort(b.m.Alphabet)
	b.m.Alphabet = slices.Compact(b.m.Alphabet)
	if err := b.err(); err != nil {
		return nil, err
	}
	return b.m, nil
}

// machineBuilder unfolds the equations of a definition.
type machineBuilder struct {
	evaluator
	m         *Machine
	def       *LKSDef
	equations map[string]*State
	numbers   map[string]int // of states with a choice, by name
	work      []pendingStep
}

// pendingStep is a step that is to be made transitions of.
type pendingStep struct {
	from   int
	choice *Choice
	index  int    // of the step in the choice
	bound  Values // variables that are bound before it
}

// state makes a state that does what a choice of alternatives says.
func (b *machineBuilder) state(name string, body *Body, bound Values) int {
	if len(b.m.States) == maxMachine {
		b.limit(body.Span, "%s has more than %d states", b.def.Name.Text, maxMachine)
		return Stop
	}
	number := len(b.m.States)
	b.m.States = append(b.m.States, name)
	for _, c := range body.Choices {
		b.work = append(b.work, pendingStep{from: number, choice: c, bound: bound})
	}
	return number
}

// target returns the state that a body is.
func (b *machineBuilder) target(body *Body, bound Values) int {
	for followed := 0; body.Kind == BodyRef; followed++ {
		name := body.Name.Text
		if name == stop || name == end {
			return Stop
		}
		if number, ok := b.numbers[name]; ok {
			return number
		}
		s := b.equations[name]
		if s == nil || followed > len(b.equations) {
			b.errorf(body.Name.Span, "circular-state", "say what it does: NAME = (a -> NAME)", "the state %q is defined by itself alone", name)
			return Stop
		}
		body = s.Body
	}
	return b.state("", body, bound)
}

// step makes the transitions of a step, one for each action that its label stands for.
func (b *machineBuilder) step(p pendingStep) {
	s := p.choice.Steps[p.index]
	t := Transition{From: p.from, Kind: s.Kind, Condition: s.Condition, Left: s.Left, Right: s.Right, Span: s.Span}
	if p.index == 0 {
		t.Guard = p.choice.Guard
	}
	if s.Kind != StepAction {
		b.transition(t, p, p.bound)
		return
	}
	b.expand(s.Label, p.bound, func(action string, bound Values) bool {
		t.Action = action
		b.transition(t, p, bound)
		return !b.failed()
	})
}

func (b *machineBuilder) transition(t Transition, p pendingStep, bound Values) {
	t.Bound = bound
	switch {
	case len(b.m.Transitions) == maxMachine:
		b.limit(t.Span, "%s has more than %d transitions", b.def.Name.Text, maxMachine)
		return
	case p.index+1 == len(p.choice.Steps):
		t.To = b.target(p.choice.Body, bound)
	default:
		t.To = b.state("", &Body{Span: t.Span}, nil)
		b.work = append(b.work, pendingStep{from: t.To, choice: p.choice, index: p.index + 1, bound: bound})
	}
	b.m.Transitions = append(b.m.Transitions, t)
}
