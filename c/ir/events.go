package ir

// Event is what a question asks about a routine that no specification describes: that the program calls it,
// or that a call of it comes back. It is told by a call of a routine of its own, EventRoutine, which
// stands in front of each call of the routine in the program's sources, or behind it, and does nothing: who
// runs or encodes the program says what it is.
type Event struct {
	Routine string
	Return  bool
	// Values: it is told with the arguments, or the result.
	Values bool
}

// EventRoutine is the name of the routine without a body that tells an event. It has the parameters of the
// routine, or one, the result; none without Values.
func (e Event) EventRoutine() string {
	if e.Return {
		return "return of " + e.Routine
	}
	return "call of " + e.Routine
}

// Tells is the event that a routine tells, false if it tells none.
func (f *Func) Tells() (e Event, ok bool) {
	if f.Telling == nil {
		return Event{}, false
	}
	return *f.Telling, true
}

// Of reports an event of a routine.
func (e Event) Of(f *Func) bool {
	return !f.StandsIn && (f.Name == e.Routine || f.Extern() && PlainName(f.Name) == e.Routine)
}
