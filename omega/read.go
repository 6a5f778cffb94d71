package omega

import (
	"errors"
	"io"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/hoa"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/ltl"
)

// Diagnostics is the error of texts that cannot be read: messages with positions, which
// Render prints with the lines they are about.
type Diagnostics = source.List

// Reader reads automata one after the other: in the Hanoi format, version 1, with any
// acceptance condition, and never claims. Several initial states become one, and universal
// branching is removed.
type Reader struct {
	// Meter, if there is one, makes what bounds the removal of universal branching.
	Meter func() *budget.Meter

	r        *hoa.Reader
	branches [2]int
}

// NewReader makes a Reader; name is what messages call the text. It consumes no more of
// r than what lies before the end of the automata that it has returned, and a buffer.
func NewReader(name string, r io.Reader) *Reader { return &Reader{r: hoa.NewReader(name, r)} }

// Next returns the next automaton. Its atoms have the kind ltl.Name. Those that end in
// --ABORT-- are passed over. The error is io.EOF behind the last; Diagnostics about one
// that is broken, or the one of Meter or a limit where universal branching is removed,
// behind which Next goes on; or an error of the input.
func (r *Reader) Next() (*Automaton, error) {
	h, err := r.r.Next()
	if err != nil {
		return nil, err
	}
	atoms := lists.Append(nil, h.Atoms, func(name string) ltl.Atom { return ltl.Atom{Kind: ltl.Name, Name: name} })
	if r.branches = branches(h); r.branches[1] > 0 {
		var meter *budget.Meter
		if r.Meter != nil {
			meter = r.Meter()
		}
		return newAlternating(h, atoms).removed(meter)
	}
	a := &Automaton{name: h.Name, atoms: atoms, man: h.Man, initial: h.Initial, sets: h.Sets, condition: conditionOf(h.Acceptance)}
	for _, es := range h.Out {
		out := lists.Map(es, func(e hoa.Edge) Edge { return Edge(e) })
		a.out = append(a.out, out)
	}
	return a, nil
}

// branches counts the states and edges with universal branching.
func branches(h *hoa.Automaton) (n [2]int) {
	for _, es := range h.Out {
		own := 0
		for _, e := range es {
			if e.To < 0 {
				own++
			}
		}
		n[1] += own
		n[0] += min(own, 1)
	}
	return n
}

// Branches returns how many states, and how many edges, of the automaton that Next came to last
// had universal branching.
func (r *Reader) Branches() (states, edges int) { return r.branches[0], r.branches[1] }

// Last returns the text of the automaton that Next came to last, whose positions are those in
// the whole input, and whether it is a never claim.
func (r *Reader) Last() (text *source.File, claim bool) { return r.r.Last() }

// ReadAll reads the automata that are left. The error joins the Diagnostics about all that
// are broken, and the others are returned with it; or it is an error of the input, or of
// what Next says of limits.
func (r *Reader) ReadAll() ([]*Automaton, error) {
	var automata []*Automaton
	var errs Diagnostics
	for {
		a, err := r.Next()
		var broken Diagnostics
		switch {
		case err == nil:
			automata = append(automata, a)
		case err == io.EOF:
			return automata, errs.Err()
		case errors.As(err, &broken):
			errs = append(errs, broken...)
		default:
			return automata, err
		}
	}
}
