package predabs

import (
	"context"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/predabs/interpolate"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// interpolated tries one source of interpolants after the other, cheapest first.
func interpolated(ctx context.Context, s Interpolator, p *program.Path, known []*logic.Term) (*Predicates, error) {
	if out, err := farkas(ctx, s, p, known); out != nil || err != nil {
		return out, err
	}
	if out, err := BySpacer(ctx, s, p); out != nil || err != nil {
		return out, err
	}
	return unsatCore(ctx, s, p)
}

// farkas takes the first of our own sequences that the solver confirms, of the path or of
// what an unsatisfiable core leaves of it; nil if there is none.
func farkas(ctx context.Context, s smt.Checker, p *program.Path, known []*logic.Term) (*Predicates, error) {
	out, err := confirmed(ctx, s, p, interpolate.Sequences(ctx, p, known))
	if out != nil || err != nil || ofWords(p) {
		return out, err
	}
	reduced, err := reduce(ctx, s, p)
	if err != nil || reduced == p {
		return nil, err
	}
	return confirmed(ctx, s, p, interpolate.Sequences(ctx, reduced, known))
}

// ofWords reports whether a path speaks of machine words and of no numbers. What does not
// contradict itself by equal and opposite comparisons there is refuted by bits, and a core
// of them makes the search no easier.
func ofWords(p *program.Path) bool {
	all := p.Conditions()
	for _, c := range p.Steps {
		for _, e := range c.Update {
			all = append(all, e)
		}
	}
	words := false
	for _, v := range logic.Vars(all...) {
		if v.Sort().Arithmetic() {
			return false
		}
		words = words || v.Sort().Kind() == logic.BitVecKind
	}
	return words
}

// maxRefused bounds how many sequences in a row the solver may not confirm.
const maxRefused = 3

func confirmed(ctx context.Context, s smt.Checker, p *program.Path, sequences [][]*logic.Term) (*Predicates, error) {
	for _, seq := range sequences[:min(len(sequences), maxRefused)] {
		ok, err := Excludes(ctx, s, p, seq)
		if err != nil {
			return nil, err
		}
		if ok {
			return predicatesOf(Farkas, seq), nil
		}
	}
	return nil, nil
}

// predicatesOf are the conjuncts of a solution of the refinement constraints.
func predicatesOf(how Refinement, solution []*logic.Term) *Predicates {
	out := &Predicates{Method: how, Exact: true}
	for _, f := range solution {
		out.At = append(out.At, logic.Conjuncts(f))
	}
	return out
}

// Excludes is Verify by a single question: true only if it is proved that the solution
// satisfies all refinement constraints (eq. 10).
func Excludes(ctx context.Context, s smt.Checker, p *program.Path, solution []*logic.Term) (bool, error) {
	broken := []*logic.Term{logic.And(p.Init, logic.Not(solution[0]))}
	for i, c := range p.Steps {
		broken = append(broken, logic.And(solution[i], c.Guard, logic.Not(c.After(solution[i+1]))))
	}
	broken = append(broken, logic.And(solution[len(p.Steps)], p.Error))
	// No variable is in two constraints at once: they may share names.
	status, err := smt.CheckAll(ctx, s, logic.Or(broken...))
	return status == smt.Unsat, err
}

// spacerLimit bounds Spacer where it is one source of several: about half a second, in
// Z3's resource units, so that answers do not depend on the machine.
const spacerLimit = 2_500_000

// BySpacer is Spacer's solution of the refinement constraints, found within about half a
// second of work; nil if there is none.
func BySpacer(ctx context.Context, s smt.HornSolver, p *program.Path) (*Predicates, error) {
	return spacer(ctx, s, p, spacerLimit)
}

// spacer asks for a solution of the refinement constraints (eq. 12); nil if none was
// found. limit is in resource units, 0 for none.
func spacer(ctx context.Context, s smt.HornSolver, p *program.Path, limit uint64) (*Predicates, error) {
	result, err := s.Horn(ctx, hornProblem(p), limit)
	if err != nil || result.Status != smt.Sat {
		return nil, err
	}
	return predicatesOf(Spacer, result.Solution), nil
}

// hornProblem writes the refinement constraints as a Horn problem: one predicate for
// each position.
func hornProblem(p *program.Path) *horn.Problem {
	h := &horn.Problem{}
	app := func(i int, args []*logic.Term) *horn.App { return &horn.App{Pred: i, Args: args} }
	for range len(p.Steps) + 1 {
		h.Preds = append(h.Preds, horn.Pred{Params: p.Vars})
	}
	h.Clauses = append(h.Clauses, horn.Clause{Constraint: p.Init, Head: app(0, p.Vars)})
	for i, c := range p.Steps {
		after := make([]*logic.Term, len(p.Vars))
		for k, v := range p.Vars {
			after[k] = v
			if e := c.Update[v]; e != nil {
				after[k] = e
			}
		}
		h.Clauses = append(h.Clauses, horn.Clause{Body: []horn.App{*app(i, p.Vars)}, Constraint: c.Guard, Head: app(i+1, after)})
	}
	h.Clauses = append(h.Clauses, horn.Clause{Body: []horn.App{*app(len(p.Steps), p.Vars)}, Constraint: p.Error})
	return h
}
