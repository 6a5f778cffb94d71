package smt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/sexp"
	"github.com/seltl/seltl/logic"
)

// spacer is z3's Spacer in a child of its own.
type spacer struct {
	*backend
	proc *process // nil while none runs
}

// spacerOptions switch off everything that keeps Spacer from answering with
// interpolants: by default it inlines predicates, returns strongest
// postconditions, and sometimes models that are not models.
const spacerOptions = `(set-option :fp.engine spacer)
(set-option :fp.xform.inline_eager false)
(set-option :fp.xform.inline_linear false)
(set-option :fp.xform.slice false)
(set-option :fp.xform.coi false)
(set-option :fp.xform.subsumption_checker false)
(set-option :fp.xform.tail_simplifier_pve false)
(set-option :fp.xform.compress_unbound false)
`

// spacerAttempts are tried one after the other until one answers.
var spacerAttempts = []string{
	"(set-option :fp.spacer.random_seed 0)\n(set-option :fp.spacer.weak_abs true)\n",
	"(set-option :fp.spacer.random_seed 7)\n(set-option :fp.spacer.weak_abs true)\n",
	"(set-option :fp.spacer.random_seed 7)\n(set-option :fp.spacer.weak_abs false)\n",
}

// attempt is Spacer with some options. Its solutions are not looked at.
type attempt struct {
	*spacer
	options string
}

func (a *attempt) Horn(ctx context.Context, problem *horn.Problem, limit uint64) (HornResult, error) {
	status, solution, err := a.solve(ctx, problem, a.options+problem.String(), limit)
	switch {
	case ctx.Err() != nil:
		return HornResult{}, ctx.Err()
	case err != nil:
		return HornResult{Reason: err.Error()}, nil
	}
	return HornResult{Status: status, Solution: solution}, nil
}

func bitVectors(problem *horn.Problem) bool { return hasParams(problem, logic.BitVecKind) }

// overFunctions: the logic of Horn clauses has no function as the argument of a predicate.
func overFunctions(problem *horn.Problem) bool { return hasParams(problem, logic.FunctionKind) }

func hasParams(problem *horn.Problem, kind logic.SortKind) bool {
	return slices.ContainsFunc(problem.Preds, func(p horn.Pred) bool {
		return slices.ContainsFunc(p.Params, func(v *logic.Term) bool { return v.Sort().Kind() == kind })
	})
}

// hornRLimit bounds one attempt, since Spacer may run forever: about a minute on an idle
// machine.
const hornRLimit = 300_000_000

// bitVectorRLimit bounds problems over bit-vectors: about a second. Spacer
// solves them soon or hardly ever.
const bitVectorRLimit = 400_000

// solve asks once. An error is a reason for Unknown.
func (z *spacer) solve(ctx context.Context, problem *horn.Problem, text string, rlimit uint64) (Status, horn.Solution, error) {
	if z.proc == nil {
		p, err := z.start()
		if err != nil {
			return Unknown, nil, err
		}
		z.proc = p
	}
	limit := cmp.Or(z.hardLimit(), uncounted)
	began := time.Now()
	stop := z.proc.watch(countedLate(rlimit))
	defer func() {
		stop()
		z.stats.Time += time.Since(began)
	}()
	ask := func(command string) ([]sexp.Node, error) {
		answers, err := z.proc.exchange(ctx, command, limit)
		if err != nil {
			if z.proc.late.Load() {
				z.stats.Work += lateWork(rlimit)
			}
			z.proc = nil
			z.stats.Restarts++
		}
		return answers, err
	}
	budget := z.budget(hornRLimit)
	if bitVectors(problem) && (rlimit == 0 || rlimit > bitVectorRLimit) {
		rlimit = bitVectorRLimit
	}
	if own := z.options.RLimit; rlimit > 0 && (own == 0 || own > rlimit) {
		budget += fmt.Sprintf("(set-option :rlimit %d)\n", rlimit)
	}
	z.proc.worked = 0
	answers, err := ask("(reset)\n" + budget + spacerOptions + "(set-logic HORN)\n" + text + "(check-sat)\n" + askWork)
	if err != nil {
		return Unknown, nil, err
	}
	answers = z.work(z.proc, answers)
	switch {
	case len(answers) == 1 && answers[0].Is("unsat"):
		return Unsat, nil, nil
	case len(answers) == 1 && answers[0].Is("unknown"):
		return Unknown, nil, errors.New("no answer from Spacer")
	case len(answers) != 1 || !answers[0].Is("sat"):
		return Unknown, nil, errors.New(nonsense(answers))
	}
	if answers, err = ask("(get-model)\n"); err != nil {
		return Unknown, nil, err
	}
	if len(answers) != 1 {
		return Unknown, nil, errors.New(nonsense(answers))
	}
	solution, err := problem.SolutionOf(answers[0].List)
	if err != nil {
		return Unknown, nil, err
	}
	return Sat, solution, nil
}
