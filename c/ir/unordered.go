package ir

// C leaves open in which order operands, arguments and the values of an initialiser are evaluated
// (C11 6.5p2, 6.5.2.2p10, 6.7.9p23). Here it is the order of the text. Where that makes a difference is
// what a verdict rests on: one of two evaluations changes what the other one reads or changes, say.

// Unordered are two evaluations whose order is open: instructions and terminators, and the
// values that come out.
type Unordered struct {
	Left, Right []any
	Object      *Var // nil, or what is initialised: both store to it
	Span        Span
}

// Looping is a loop, in a statement that is an expression; departing is a way out of one.
type (
	Looping   struct{}
	Departing struct{}
)
