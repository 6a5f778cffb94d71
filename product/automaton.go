package product

import (
	"context"
	"errors"
	"fmt"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/omega"
	"github.com/seltl/seltl/product/internal/meet"
)

// Language is a property that an automaton says. Its atoms must be those of a network, as for
// formulas.
type Language struct {
	Automaton *omega.Automaton
	// Negative: the automaton accepts the runs that violate the property, as a never claim
	// does, and not those that satisfy it.
	Negative bool
}

// VerifyAutomaton is Verify for a property that an automaton says: are all words of runs
// accepted by it, or, if it is negative, none? What rests on a formula is left out: reductions,
// bad prefixes, and the search for a shortest run. A positive one is complemented: whole if
// that is small, else along the runs of the network, which has as many states as pairs of one
// of the network and a Safra tree that its runs come to. A counterexample
// is replayed, and its word given to the automaton as it is, which is not what was searched.
func VerifyAutomaton(ctx context.Context, net *lks.Network, l Language, opts Options) (*Result, error) {
	if net == nil {
		return nil, lks.ErrNil
	}
	return verifyAutomaton(ctx, net, l, opts, maxWhole)
}

// ErrNoAutomaton is the error about a Language without one.
var ErrNoAutomaton = errors.New("product: there is no automaton")

// verifyAutomaton is VerifyAutomaton where complements of so many states are made whole.
func verifyAutomaton(ctx context.Context, net *lks.Network, l Language, opts Options, whole int64) (*Result, error) {
	if l.Automaton == nil {
		return nil, ErrNoAutomaton
	}
	if opts.Store == explore.Auto {
		opts.Store = explore.Numbered
	}
	asked := opts
	opts.POR, opts.Reduce, opts.NoPrefix = NoPOR, NoReduce, true
	t := newTask(ctx, net, opts, lengths{workers: manyStates, whole: whole})
	t.language = &l
	if err := t.check(); err != nil {
		return nil, err
	}
	r, err := t.result(t.within())
	if r == nil {
		return nil, err
	}
	if asked.POR == EagerPOR {
		r.NoPORBecause = automatonSees
	}
	if asked.reducesFirst() {
		r.NoReductionBecause = automatonSees
	}
	return r, err
}

// automatonSees is why reductions are left out.
const automatonSees = "the property is an automaton"

// violations returns an automaton of the words that violate the property, with the acceptance
// that the search needs.
func (s *search) violations() (b *buchi.Automaton, err error) {
	acceptance := buchi.Generalised
	if s.emptiness.method().OnStates {
		acceptance = buchi.StateBuchi
	}
	err = bdd.Guard(func() error {
		bad := s.language.Automaton.Bounded(s.meter)
		if !s.language.Negative {
			if bad, err = s.complement(bad); err != nil {
				return err
			}
		}
		if bad, err = bad.Convert(omega.GeneralisedBuchiForm, s.meter); err != nil {
			return err
		}
		if b, err = bad.Buchi(); err != nil {
			return err
		}
		b, err = buchi.Reduce(b, acceptance, s.meter)
		return err
	})
	return b, err
}

// Confirm replays a run and gives its word to the automaton: an error, a *bug.Error, if it does not
// violate the property.
func (l *Language) Confirm(net *lks.Network, lasso *run.Run) error {
	err := lasso.Replay(net)
	if err == nil && len(lasso.Loop) == 0 {
		err = errors.New("the loop is empty")
	}
	if err != nil {
		return &bug.Error{Stage: "replay of the counterexample", Err: err}
	}
	word := omega.WordOf(l.Automaton.Atoms(), meet.Word(lasso))
	if l.Automaton.Accepts(word) != l.Negative {
		return &bug.Error{Stage: "evaluation of the counterexample", Err: fmt.Errorf("the automaton does not agree about %v", lasso)}
	}
	return nil
}

// Passed says which states of an automaton a run passes.
type Passed struct {
	// Stem and Loop hold the states that the automaton can be in before each step, of which
	// the loop is repeated; it may go round the run's loop several times. Of a run that is
	// accepted they hold one state each, those of an accepting run.
	Stem, Loop [][]int32
	Accepted   bool
}

// maxPassed bounds the steps until the states that a run passes repeat.
const maxPassed = 1000

// Passes returns the states of the automaton that a run with a loop passes; nil if it takes very
// long until they repeat.
func (l *Language) Passes(lasso *run.Run) *Passed {
	word := meet.Word(lasso)
	if stem, loop, ok := l.Automaton.AcceptingStates(word); ok {
		return &Passed{Stem: singles(stem), Loop: singles(loop), Accepted: true}
	}
	stem, loop, ok := l.Automaton.ReachedStates(word, maxPassed)
	if !ok {
		return nil
	}
	return &Passed{Stem: stem, Loop: loop}
}

func singles(states []int32) [][]int32 {
	return lists.Append(nil, states, func(s int32) []int32 { return []int32{s} })
}

// atoms returns the atoms of the property.
func (t *task) atoms() []ltl.Atom {
	if t.language != nil {
		return t.language.Automaton.Atoms()
	}
	return ltl.Atoms(t.f)
}
