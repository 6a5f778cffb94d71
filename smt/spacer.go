package smt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/scc"
	"github.com/seltl/seltl/internal/sexp"
	"github.com/seltl/seltl/logic"
)

// spacer is z3's Spacer in a child of its own.
type spacer struct {
	*backend
	proc *process // nil while none runs
}

// transformations are what Spacer does with clauses before it looks at them. Most problems get easier; but it
// answers with strongest postconditions then in place of interpolants, sometimes with models that are none,
// and its proofs are about other clauses.
var transformations = []string{inlineEager, "inline_linear", "slice", "coi", "subsumption_checker", "tail_simplifier_pve", "compress_unbound"}

// inlineEager replaces predicates by their clauses. Spacer's models of these are wrong, or have quantifiers.
const inlineEager = "inline_eager"

// spacerOptions are options of Spacer, all of which are set: those of the question before stay otherwise.
func spacerOptions(transform bool, seed int, weak bool) string {
	var b strings.Builder
	b.WriteString(withoutProofs + "(set-option :fp.engine spacer)\n")
	for _, t := range transformations {
		fmt.Fprintf(&b, "(set-option :fp.xform.%s %v)\n", t, transform)
	}
	fmt.Fprintf(&b, "(set-option :fp.spacer.random_seed %d)\n(set-option :fp.spacer.weak_abs %v)\n", seed, weak)
	b.WriteString(groundLemmas)
	return b.String()
}

// Spacer may find lemmas about all elements of arrays ([GurfinkelShohamVizel18]).
const (
	groundLemmas     = "(set-option :fp.spacer.ground_pobs true)\n(set-option :fp.spacer.q3.use_qgen false)\n"
	quantifiedLemmas = "(set-option :fp.spacer.ground_pobs false)\n(set-option :fp.spacer.q3.use_qgen true)\n"
)

// quantified are the options for these, with predicates kept.
var quantified = strings.Replace(kept, groundLemmas, quantifiedLemmas, 1)

// transformed are the options with transformations, which are z3's own choice.
var transformed = spacerOptions(true, 0, true)

// proved are these options for a proof in place of "unsat": that takes a tenth longer. kept are those that
// keep predicates.
var (
	proved = strings.Replace(transformed, withoutProofs, withProofs, 1)
	kept   = strings.NewReplacer("inline_eager true", "inline_eager false", "inline_linear true", "inline_linear false").Replace(transformed)
)

// plainOptions are those of the first attempt without transformations.
var plainOptions = spacerOptions(false, 0, true)

// spacerAttempts are tried one after the other until one answers. The first one is for problems with recursion
// only: of others interpolants are wanted.
var spacerAttempts = []string{transformed, plainOptions, spacerOptions(false, 7, true), spacerOptions(false, 7, false)}

// attempt is Spacer with some options. Its solutions are not looked at.
type attempt struct {
	*spacer
	options string
}

func (a *attempt) Horn(ctx context.Context, problem *horn.Problem, limit uint64) (HornResult, error) {
	write := problem.String
	if transforming(a.options) || a.options == quantified {
		write = problem.Script
	}
	result, err := a.solve(ctx, problem, write(), a.options, limit)
	switch {
	case ctx.Err() != nil:
		return HornResult{}, ctx.Err()
	case err != nil:
		var none *noSolution
		return HornResult{Reason: err.Error(), useless: errors.As(err, &none)}, nil
	}
	return result, nil
}

// transforming reports options with which Spacer replaces predicates, or arguments, and says something of them afterwards.
func transforming(options string) bool {
	return options == transformed || options == proved || options == kept
}

// recursive reports that some predicate depends on itself.
func recursive(problem *horn.Problem) bool {
	calls := make([][]int32, len(problem.Preds))
	for _, c := range problem.Clauses {
		for _, a := range c.Body {
			if c.Head != nil {
				calls[c.Head.Pred] = append(calls[c.Head.Pred], int32(a.Pred))
			}
		}
	}
	return scc.Cyclic(scc.EdgesOf(calls))
}

func bitVectors(problem *horn.Problem) bool { return hasParams(problem, logic.BitVecKind) }

// overFunctions: the logic of Horn clauses has no function as the argument of a predicate.
func overFunctions(problem *horn.Problem) bool { return hasParams(problem, logic.FunctionKind) }

// overFloats: Spacer does not know of floating-point numbers.
func overFloats(problem *horn.Problem) bool {
	return slices.ContainsFunc(problem.Clauses, func(c horn.Clause) bool { return c.Constraint.Floats() })
}

func hasParams(problem *horn.Problem, kind logic.SortKind) bool {
	return slices.ContainsFunc(problem.Preds, func(p horn.Pred) bool {
		return slices.ContainsFunc(p.Params, func(v *logic.Term) bool { return v.Sort().Kind() == kind })
	})
}

// hornRLimit bounds one attempt, since Spacer may run forever: about a minute on an idle
// machine.
const hornRLimit = 300_000_000

// bitVectorRLimit bounds problems over bit-vectors where nobody else does: one or two seconds. Spacer
// solves them soon or hardly ever.
const bitVectorRLimit = 10_000_000

// session is one question to Spacer and what follows it: answers come within a time, and work is counted.
type session struct {
	*spacer
	ctx    context.Context
	rlimit uint64
	limit  time.Duration
}

// within runs a session on a child that runs.
func (z *spacer) within(ctx context.Context, rlimit uint64, do func(*session) error) error {
	if z.proc == nil {
		p, _, err := z.child()
		if err != nil {
			return err
		}
		z.proc = p
	}
	began := time.Now()
	stop := z.proc.watch(countedLate(rlimit))
	defer func() {
		stop()
		z.stats.Time += time.Since(began)
		if z.proc != nil && z.leave(z.proc) { // the next one is the check of a solution
			z.proc = nil
		}
	}()
	return do(&session{z, ctx, rlimit, cmp.Or(z.hardLimit(), uncounted)})
}

func (s *session) ask(command string) ([]sexp.Node, error) {
	answers, err := s.proc.exchange(s.ctx, command, s.limit)
	if err != nil {
		if s.proc.late.Load() {
			s.stats.Work += lateWork(s.rlimit)
		}
		s.proc = nil
		s.stats.Restarts++
	}
	return answers, err
}

// ownStrategy takes back what a stack has told a child: z3's reset keeps it.
const ownStrategy = "(set-option :tactic.default_tactic \"\")\n(set-option :produce-unsat-cores false)\n(set-option :global-declarations false)\n"

// check asks about the clauses of a text, with options in front. An error is a reason for Unknown.
func (s *session) check(options, text string) (Status, error) {
	budget := options + s.budget(hornRLimit)
	if own := s.spacer.options.RLimit; s.rlimit > 0 && (own == 0 || own > s.rlimit) {
		budget += fmt.Sprintf("(set-option :rlimit %d)\n", s.rlimit)
	}
	s.proc.worked = 0
	answers, err := s.ask("(reset)\n" + ownStrategy + budget + "(set-logic HORN)\n" + text + "(check-sat)\n" + askWork)
	if err != nil {
		return Unknown, err
	}
	answers = s.work(s.proc, answers)
	switch {
	case len(answers) == 1 && answers[0].Is("unsat"):
		return Unsat, nil
	case len(answers) == 1 && answers[0].Is("unknown"):
		return Unknown, errors.New("no answer from Spacer")
	case len(answers) != 1 || !answers[0].Is("sat"):
		return Unknown, errors.New(nonsense(answers))
	}
	return Sat, nil
}

// The options that proofs need: they cost time, so that none is asked for before it is known that there is one.
const (
	withProofs    = "(set-option :produce-proofs true)\n"
	withoutProofs = "(set-option :produce-proofs false)\n"
)

// solve asks for a solution. An error is a reason for Unknown.
func (z *spacer) solve(ctx context.Context, problem *horn.Problem, text, options string, rlimit uint64) (result HornResult, err error) {
	err = z.within(ctx, bounded(problem, rlimit), func(s *session) error {
		result.Status, err = s.check(options, text)
		switch {
		case err != nil:
			return err
		case result.Status == Unsat && options == proved:
			answers, err := s.ask("(get-proof)\n")
			if err == nil && len(answers) == 1 {
				result.Refutation, _ = problem.RefutationOf(answers[0]) // none is as good as one that is not understood
			}
			return nil
		case result.Status == Unsat:
			return nil
		}
		answers, err := s.ask("(get-model)\n")
		switch {
		case err != nil:
			return err
		case len(answers) != 1:
			return errors.New(nonsense(answers))
		}
		read := problem.SolutionOf
		switch {
		case transforming(options):
			read = problem.ModelOf
		case options == quantified:
			read = problem.QuantifiedOf
		}
		if result.Solution, err = read(answers[0].List); err != nil {
			err = &noSolution{err}
		}
		return err
	})
	return result, err
}

// noSolution is why an answer "sat" is of no use.
type noSolution struct{ error }

// bounded is the limit of a problem, which may be 0.
func bounded(problem *horn.Problem, rlimit uint64) uint64 {
	if rlimit == 0 && bitVectors(problem) {
		return bitVectorRLimit
	}
	return rlimit
}

// refute asks for a proof; nil if none comes.
func (z *spacer) refute(ctx context.Context, problem *horn.Problem, rlimit uint64) (refutation horn.Refutation) {
	err := z.within(ctx, bounded(problem, rlimit), func(s *session) error {
		status, err := s.check(strings.Replace(plainOptions, withoutProofs, withProofs, 1), problem.Script())
		if err != nil || status != Unsat {
			return err
		}
		answers, err := s.ask("(get-proof)\n")
		if err != nil || len(answers) != 1 {
			return err
		}
		refutation, err = problem.RefutationOf(answers[0])
		return err
	})
	if err != nil {
		return nil
	}
	return refutation
}
