package safety

import (
	"errors"
	"slices"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// confirmWork bounds the question about all runs of a symbolic execution while others search, too: half a minute.
const confirmWork = 100_000_000

// wordsWork is how many times the work of a slice one question may do that confirms a proof over machine words, of
// which Z3 does so many times as much in a second.
const wordsWork = 5

// confirm checks the invariant of a proof: over machine words, but for MathIntegers. Slice is the work of the attempt,
// 0 without a bound; more says that it might be confirmed with a larger one.
func (s *search) confirm(sys *program.System, res *armc.Result, how Integers, slice int64) (v outcome.Verdict, more bool, err error) {
	solver, err := s.pool.Acquire(s.ctx)
	if err != nil {
		return outcome.Unknown, false, err
	}
	defer s.pool.Release(solver)
	switch {
	case res.Certificate.Enumeration && s.searched == s.enc.Words:
		return outcome.Holds, false, nil // whose states armc has visited a second time
	case sys != s.enc.Numbers || how != AutoIntegers:
	case res.Certificate.Enumeration, res.Certificate.Execution: // which is one over words, too, or none
		sys = s.enc.Words
	default:
		return s.inWords(res, solver, uint64(slice))
	}
	checker, end := res.Confirming(solver)
	defer end()
	work := uint64(0)
	if s.open() { // others may have another proof
		work = confirmWork
	}
	if err := armc.CheckCertificateWithin(s.ctx, sys, res.Certificate, checker, work); err != nil {
		s.notes = append(s.notes, outcome.Attempt{Name: "the proof is not confirmed", Reason: err})
		return outcome.Unknown, false, nil
	}
	if how == MathIntegers {
		res.Certificate = nil // it is of another system
		s.note = "unbounded integers"
	}
	return outcome.Holds, false, nil
}

// inWords checks the invariant of a proof over unbounded integers over machine words. Where it speaks of
// products, and where it fails as it is, it is strengthened by facts and by the sizes that follow. Slice and more are
// those of confirm.
func (s *search) inWords(res *armc.Result, solver smt.Solver, slice uint64) (v outcome.Verdict, more bool, err error) {
	proof, strong := res.Certificate, slices.ContainsFunc(res.Certificate.Invariant, logic.HasProduct)
	for {
		if strong {
			facts, err := armc.WithFacts(s.ctx, s.found.System, s.before)
			if err == nil {
				proof, err = armc.Sized(s.ctx, s.enc.Numbers, &armc.Certificate{Invariant: s.found.Invariant(facts.Invariant)}, solver, slice)
			}
			if err != nil {
				s.notes = append(s.notes, outcome.Attempt{Name: "safe for unbounded integers, but not confirmed for machine words", Reason: err})
				return outcome.Unknown, more, nil
			}
		}
		lifted, err := s.lifted(proof)
		if err != nil {
			s.notes = append(s.notes, outcome.Attempt{Name: "safe for unbounded integers", Reason: err})
			return outcome.Unknown, more, nil
		}
		solver.Limit(wordsWork * slice)
		if err = armc.CheckCertificate(s.ctx, s.enc.Words, lifted, solver); err == nil {
			res.Certificate, s.note = lifted, "unbounded integers, confirmed for machine words"
			return outcome.Holds, false, nil
		}
		s.notes = append(s.notes, outcome.Attempt{Name: "safe for unbounded integers, but not confirmed for machine words", Reason: err})
		refused := (*armc.Refused)(nil)
		more = more || slice > 0 && errors.As(err, &refused) && refused.Status == smt.Unknown
		if strong || s.ctx.Err() != nil {
			return outcome.Unknown, more, nil
		}
		strong = true
	}
}

// lifted reads a certificate over unbounded integers as one over machine words.
func (s *search) lifted(proof *armc.Certificate) (*armc.Certificate, error) {
	lifted := &armc.Certificate{}
	for _, inv := range proof.Invariant {
		t, err := s.enc.Lift(inv)
		if err != nil {
			return nil, err
		}
		lifted.Invariant = append(lifted.Invariant, t)
	}
	return lifted, nil
}

// replay runs the program itself on what a trace chose, and the trace over machine words.
func (s *search) replay(sys *program.System, t *program.Trace) error {
	run, err := s.enc.Replay(s.ctx, sys, t)
	var unheard *encode.Unheard
	var lines []machine.Line
	if errors.As(err, &unheard) {
		if another, told, bad := s.enc.ReplayApart(s.ctx, sys, t); bad == nil {
			run, lines, err = another, told, nil
		}
	}
	if err != nil {
		if other := s.oneMemory(sys, t); other != nil {
			sys, t = s.enc.Words, other
			run, err = s.enc.Replay(s.ctx, sys, t)
		}
	}
	if err != nil {
		return err
	}
	if last := sys.Locations[t.Location(sys, len(t.Edges))].Span; run.Outcome.Span.Pos().Line != last.Pos().Line || run.Outcome.Span.File != last.File {
		return errors.New("the replayed run fails elsewhere")
	}
	s.trace = t
	if sys == s.enc.Numbers {
		words, err := s.enc.InWords(t)
		if err != nil {
			return err
		}
		s.trace = words
	}
	s.run, s.lines = run, lines
	return nil
}

// oneMemory is a run along a trace whose memory of its own is one memory, over machine words; nil if there is none.
func (s *search) oneMemory(sys *program.System, t *program.Trace) *program.Trace {
	if sys == s.enc.Numbers {
		var err error
		if t, err = s.enc.InWords(t); err != nil {
			return nil
		}
	}
	solver, err := s.pool.Acquire(s.ctx)
	if err != nil {
		return nil
	}
	defer s.pool.Release(solver)
	other, err := s.enc.OneMemory(s.ctx, t, solver)
	if err != nil {
		return nil
	}
	return other
}
