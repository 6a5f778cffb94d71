package smt

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/seltl/seltl/internal/sexp"
	"github.com/seltl/seltl/logic"
)

// Horn is a set of constrained Horn clauses over unknown predicates.
type Horn struct {
	Preds   []HornPred
	Clauses []HornClause
}

// HornPred is an unknown predicate. Params are distinct variables, in whose
// terms its solution will be written; several predicates may share them.
type HornPred struct{ Params []*logic.Term }

// HornApp is predicate number Pred applied to terms.
type HornApp struct {
	Pred int
	Args []*logic.Term
}

// HornClause says: for all values of the variables, Body and Constraint imply
// Head, or false where Head is nil.
type HornClause struct {
	Body       []HornApp
	Constraint *logic.Term
	Head       *HornApp
}

// HornResult is the answer: Sat with a Solution for every predicate, over its
// Params, that was checked clause by clause; Unsat if there is none; or Unknown
// with a Reason.
type HornResult struct {
	Status   Status
	Solution []*logic.Term
	Reason   string
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

// Horn implements Solver by Spacer in a child of its own.
func (z *Z3) Horn(ctx context.Context, problem *Horn) (HornResult, error) {
	if z.closed {
		return HornResult{}, errClosed
	}
	z.stats.Horn++
	text := hornText(problem)
	result := HornResult{}
	attempts := spacerAttempts
	if problem.bitVectors() {
		attempts = attempts[:1] // it is slow on them, and others do no better
	}
	for _, options := range attempts {
		status, solution, err := z.spacer(ctx, problem, options+text)
		if ctx.Err() != nil {
			return HornResult{}, ctx.Err()
		}
		if err == nil && status == Sat {
			err = z.checkHorn(ctx, problem, solution)
		}
		switch {
		case ctx.Err() != nil:
			return HornResult{}, ctx.Err()
		case err != nil:
			result.Reason = err.Error()
		case status != Unknown:
			result = HornResult{Status: status, Solution: solution}
		}
		if result.Status != Unknown {
			break
		}
	}
	z.count(result.Status)
	return result, nil
}

func (h *Horn) bitVectors() bool {
	for _, p := range h.Preds {
		for _, v := range p.Params {
			if v.Sort().Kind() == logic.BitVecKind {
				return true
			}
		}
	}
	return false
}

func hornText(problem *Horn) string {
	var b strings.Builder
	for i, p := range problem.Preds {
		sorts := make([]string, len(p.Params))
		for j, v := range p.Params {
			sorts[j] = v.Sort().String()
		}
		fmt.Fprintf(&b, "(declare-fun seltl!I%d (%s) Bool)\n", i, strings.Join(sorts, " "))
	}
	for _, c := range problem.Clauses {
		writeClause(&b, c)
	}
	return b.String()
}

func writeClause(b *strings.Builder, c HornClause) {
	all := []*logic.Term{c.Constraint}
	for _, a := range c.Body {
		all = append(all, a.Args...)
	}
	if c.Head != nil {
		all = append(all, c.Head.Args...)
	}
	vars := logic.Vars(all...)
	b.WriteString("(assert ")
	if len(vars) > 0 {
		b.WriteString("(forall (")
		for _, v := range vars {
			fmt.Fprintf(b, "(%s %s)", logic.Symbol(v.Name()), v.Sort())
		}
		b.WriteString(") ")
	}
	b.WriteString("(=> (and true ")
	for _, a := range c.Body {
		writeApp(b, a)
	}
	b.WriteString(c.Constraint.Format(logic.SMTLIB))
	b.WriteString(") ")
	if c.Head != nil {
		writeApp(b, *c.Head)
	} else {
		b.WriteString("false")
	}
	b.WriteString(")")
	if len(vars) > 0 {
		b.WriteString(")")
	}
	b.WriteString(")\n")
}

func writeApp(b *strings.Builder, a HornApp) {
	if len(a.Args) == 0 {
		fmt.Fprintf(b, "seltl!I%d ", a.Pred)
		return
	}
	fmt.Fprintf(b, "(seltl!I%d %s) ", a.Pred, logic.Formats(a.Args, logic.SMTLIB, " "))
}

// hornLimit bounds one attempt where the options give no timeout: Spacer may run
// forever.
const hornLimit = 60 * time.Second

// bitVectorRLimit bounds problems over bit-vectors: about a second. Spacer
// solves them soon or hardly ever.
const bitVectorRLimit = 400_000

// spacer asks once. An error is a reason for Unknown.
func (z *Z3) spacer(ctx context.Context, problem *Horn, text string) (Status, []*logic.Term, error) {
	if z.horn == nil {
		p, err := start(z.path, z.args())
		if err != nil {
			return Unknown, nil, err
		}
		z.horn = p
	}
	limit := z.hardLimit()
	if limit == 0 {
		limit = hornLimit
	}
	began := time.Now()
	defer func() { z.stats.Time += time.Since(began) }()
	ask := func(command string) ([]sexp.Node, error) {
		answers, err := z.horn.exchange(ctx, command, limit)
		if err != nil {
			z.horn = nil
			z.stats.Restarts++
		}
		return answers, err
	}
	budget := z.budget()
	if problem.bitVectors() {
		budget += fmt.Sprintf("(set-option :rlimit %d)\n", bitVectorRLimit)
	}
	answers, err := ask("(reset)\n" + budget + spacerOptions + "(set-logic HORN)\n" + text + "(check-sat)\n")
	if err != nil {
		return Unknown, nil, err
	}
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
	solution, err := hornModel(problem, answers[0])
	if err != nil {
		return Unknown, nil, err
	}
	return Sat, solution, nil
}

// hornModel reads (define-fun seltl!I0 ((x!0 Int) ...) Bool body) for every
// predicate.
func hornModel(problem *Horn, n sexp.Node) ([]*logic.Term, error) {
	solution := make([]*logic.Term, len(problem.Preds))
	for _, d := range n.List {
		var i int
		if d.Head() != "define-fun" || len(d.List) != 5 {
			continue
		}
		if _, err := fmt.Sscanf(d.List[1].Atom, "seltl!I%d", &i); err != nil || i < 0 || i >= len(solution) {
			continue
		}
		params := problem.Preds[i].Params
		if len(d.List[2].List) != len(params) {
			return nil, errors.New("a predicate of the solution has other parameters")
		}
		scope := logic.Scope{}
		for k, v := range d.List[2].List {
			if len(v.List) != 2 {
				return nil, errors.New("a parameter of the solution is not understood")
			}
			scope[v.List[0].Atom] = params[k]
		}
		body, err := logic.FromSexp(d.List[4], scope)
		if err != nil {
			return nil, fmt.Errorf("the solution is not understood: %w", err)
		}
		if body.Sort() != logic.Bool {
			return nil, errors.New("the solution is not a formula")
		}
		solution[i] = body
	}
	for i, s := range solution {
		if s == nil {
			return nil, fmt.Errorf("the solution lacks predicate %d", i)
		}
	}
	return solution, nil
}

// checkHorn asks, clause by clause, whether the solution is one.
func (z *Z3) checkHorn(ctx context.Context, problem *Horn, solution []*logic.Term) error {
	s := z.independent()
	apply := func(a HornApp) *logic.Term {
		by := map[*logic.Term]*logic.Term{}
		for i, p := range problem.Preds[a.Pred].Params {
			by[p] = a.Args[i]
		}
		return logic.Substitute(solution[a.Pred], by)
	}
	for i, c := range problem.Clauses {
		fs := []*logic.Term{c.Constraint}
		for _, a := range c.Body {
			fs = append(fs, apply(a))
		}
		if c.Head != nil {
			fs = append(fs, logic.Not(apply(*c.Head)))
		}
		status, err := CheckAll(ctx, s, fs...)
		if err != nil {
			return err
		}
		if status != Unsat {
			return fmt.Errorf("the solution's clause %d is not confirmed (%s)", i, status)
		}
	}
	return nil
}
