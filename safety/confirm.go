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

// confirm checks the invariant of a proof: over machine words, but for MathIntegers.
func (s *search) confirm(sys *program.System, res *armc.Result, how Integers) (outcome.Verdict, error) {
	solver, err := s.pool.Acquire(s.ctx)
	if err != nil {
		return outcome.Unknown, err
	}
	defer s.pool.Release(solver)
	switch {
	case sys != s.enc.Numbers || how != AutoIntegers:
	case res.Certificate.Enumeration, res.Certificate.Execution: // which is one over words, too, or none
		sys = s.enc.Words
	default:
		return s.inWords(res, solver)
	}
	checker, end := res.Confirming(solver)
	defer end()
	work := uint64(0)
	if s.open() { // others may have another proof
		work = confirmWork
	}
	if err := armc.CheckCertificateWithin(s.ctx, sys, res.Certificate, checker, work); err != nil {
		s.notes = append(s.notes, outcome.Attempt{Name: "the proof is not confirmed", Reason: err})
		return outcome.Unknown, nil
	}
	if how == MathIntegers {
		res.Certificate = nil // it is of another system
		s.note = "unbounded integers"
	}
	return outcome.Holds, nil
}

// inWords checks the invariant of a proof over unbounded integers over machine words. Where it speaks of
// products, and where it fails as it is, it is strengthened by facts and by the sizes that follow.
func (s *search) inWords(res *armc.Result, solver smt.Solver) (outcome.Verdict, error) {
	proof, strong := res.Certificate, slices.ContainsFunc(res.Certificate.Invariant, logic.HasProduct)
	for {
		if strong {
			facts, err := armc.WithFacts(s.ctx, s.found.System, s.before)
			if err == nil {
				proof, err = armc.Sized(s.ctx, s.enc.Numbers, &armc.Certificate{Invariant: s.found.Invariant(facts.Invariant)}, solver)
			}
			if err != nil {
				s.notes = append(s.notes, outcome.Attempt{Name: "safe for unbounded integers, but not confirmed for machine words", Reason: err})
				return outcome.Unknown, nil
			}
		}
		lifted, err := s.lifted(proof)
		if err != nil {
			s.notes = append(s.notes, outcome.Attempt{Name: "safe for unbounded integers", Reason: err})
			return outcome.Unknown, nil
		}
		if err = armc.CheckCertificate(s.ctx, s.enc.Words, lifted, solver); err == nil {
			res.Certificate, s.note = lifted, "unbounded integers, confirmed for machine words"
			return outcome.Holds, nil
		}
		s.notes = append(s.notes, outcome.Attempt{Name: "safe for unbounded integers, but not confirmed for machine words", Reason: err})
		if strong || s.ctx.Err() != nil {
			return outcome.Unknown, nil
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
