package product

import (
	"slices"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/frontier"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product/internal/meet"
)

// Occasion is a Boolean formula, at any position of a run or, AtStart, at the first one.
type Occasion struct {
	Formula *ltl.Formula
	AtStart bool
}

// mostLetters bounds what a search by Never looks at: occasions that are evaluated on letters.
const mostLetters = 1 << 20

// Never says of each occasion whether it comes in no run of the network (Holds), whatever runs
// count. It explores the network breadth-first until each has come, and up to so many states: with
// more of them nothing is known of those that have not come, but for what no letter satisfies, and for
// those at the start. The error is an *ltl.AtomError or the meter's.
func Never(net *lks.Network, occasions []Occasion, most int64, meter *budget.Meter) (never []Verdict, err error) {
	never = make([]Verdict, len(occasions))
	s := &occurring{net: net, occasions: occasions, never: never, seen: map[[2]int32]bool{}}
	var formulas []*ltl.Formula
	for i, o := range occasions {
		formulas, s.open = append(formulas, o.Formula), append(s.open, i)
	}
	s.atoms = ltl.Atoms(formulas...)
	if s.bind, err = meet.NewBinding(net, s.atoms); err != nil {
		return never, err
	}
	var complete bool
	err = budget.Within(func() (err error) { complete, err = s.explore(most, meter); return err })
	for _, i := range s.open {
		if err == nil && (complete || s.started && occasions[i].AtStart) {
			never[i] = Holds
		}
	}
	return never, err
}

// occurring explores a network for occasions.
type occurring struct {
	net       *lks.Network
	occasions []Occasion
	open      []int // those that have not come
	never     []Verdict
	started   bool // the initial states have been expanded
	atoms     []ltl.Atom
	bind      *meet.Binding
	seen      map[[2]int32]bool // letters with classes of events that were looked at
	looks     int
}

// soon is after how many states what has not come is asked whether it can.
const soon = 256

// dropImpossible takes away what no letter of the network satisfies: a & b of two events.
func (s *occurring) dropImpossible(meter *budget.Meter) (err error) {
	s.open = slices.DeleteFunc(s.open, func(i int) bool {
		f := s.occasions[i].Formula
		if f.Op() == ltl.Atomic || err != nil {
			return false
		}
		var possible bool
		_, possible, err = buchi.Satisfiable(f, buchi.Options{Constraints: meet.Constraints(s.net, ltl.Atoms(f)), Meter: meter})
		if err != nil || possible {
			return false
		}
		s.never[i] = Holds
		return true
	})
	return err
}

// explore reports whether it has seen all states that can be reached, or has met all occasions.
func (s *occurring) explore(most int64, meter *budget.Meter) (complete bool, err error) {
	ex, states := s.net.Explorer(), frontier.New(s.net.Words())
	var succ lks.Successors
	ex.Initial(&succ)
	states.Reach(-1, succ.States, succ.Rules)
	initial, transitions := int32(states.Len()), int64(0)
	for n := range states.InOrder {
		s.started = s.started || n >= initial
		if n == soon {
			if err := s.dropImpossible(meter); err != nil {
				return false, err
			}
		}
		if len(s.open) == 0 || int64(states.Len()) > most || s.looks > mostLetters {
			return len(s.open) == 0, nil
		}
		state := states.State(n)
		ex.Successors(state, &succ)
		letter := s.bind.LetterOf(state, &succ)
		if succ.Len() == 0 {
			s.look(letter, 0, n < initial)
			continue
		}
		for _, r := range succ.Rules {
			s.look(letter, s.bind.Class[r], n < initial)
		}
		states.Reach(n, succ.States, succ.Rules)
		transitions += int64(succ.Len())
		if states.Due(meter, n, transitions) {
			if err := states.Tick(meter, budget.Progress{Phase: "looking for what never happens", Transitions: transitions}); err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// look finds the occasions that come with a letter and a class of events.
func (s *occurring) look(letter, class int32, initial bool) {
	key := [2]int32{letter, class}
	if s.seen[key] { // initial states come first
		return
	}
	s.seen[key] = true
	s.looks += len(s.open)
	holds := func(a ltl.Atom) bool {
		k, _ := slices.BinarySearchFunc(s.atoms, a, ltl.Atom.Compare)
		word, bit := k/64, uint64(1)<<(k%64)
		return (s.bind.Letter[int(letter)*s.bind.Words+word]|s.bind.Events[class][word])&bit != 0
	}
	s.open = slices.DeleteFunc(s.open, func(i int) bool {
		o := s.occasions[i]
		if o.AtStart && !initial || !ltl.EvalBoolean(o.Formula, holds) {
			return false
		}
		s.never[i] = Violated
		return true
	})
}
