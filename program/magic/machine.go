package magic

// Machine is an LKS as it is written, or the extended finite state machine of a routine
// ([Chaki05], Def. 8): the states and transitions of a definition, its labels without
// variables and ranges. State 0 is the initial one; Stop is behind all that is done.
type Machine struct {
	Name string
	// States have the names that the definition gives them, or "" where none stands
	// between two arrows.
	States      []string
	Transitions []Transition // by From, then in the order of the text
	// Alphabet has the actions of the transitions and of the extension, sorted; epsilon and
	// returns are none.
	Alphabet []string
}

// Stop is the state STOP (END) of a Machine: it has no transitions.
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
	// Values are the values of the index variables that are bound where the step stands:
	// what the names in its C expressions mean beside constants.
	Values map[string]int32
	Span   Span
}
