package predabs

import (
	"context"
	"fmt"
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// Refinement is a way to find predicates that exclude a path.
type Refinement uint8

const (
	// Interpolation takes a solution of the refinement constraints ([TUMLectures],
	// eq. 10): Farkas's, and where that has none Spacer's, within limits, and then
	// UnsatCore's.
	Interpolation Refinement = iota
	// Least takes the least solution: iterated post (eq. 11).
	Least
	// Greatest takes the greatest solution: weakest preconditions of no error.
	Greatest
	// UnsatCore is Greatest of the part of the path that an unsatisfiable core
	// needs.
	UnsatCore
	// AtomsOfPre takes the atoms of iterated pre ([Rybalchenko02], 3.3), here along
	// the path.
	AtomsOfPre
	// Farkas makes a solution of Farkas coefficients and case splits (package
	// interpolate).
	Farkas
	// Spacer takes the solution that Z3's Spacer finds (eq. 12).
	Spacer
)

var refinements = names.Of[Refinement]("refinement", "interpolation", "least", "greatest", "core", "atoms", "farkas", "spacer")

func (r Refinement) String() string                   { return refinements.String(r) }
func (r Refinement) MarshalText() ([]byte, error)     { return refinements.Marshal(r) }
func (r *Refinement) UnmarshalText(text []byte) error { return refinements.Unmarshal(text, r) }

// Names lists the texts of all values.
func (Refinement) Names() []string { return refinements.List() }

// maxConditions bounds what is asked about a path, in symbols: comparing terms that are nested ever deeper
// takes longer than any limit.
const maxConditions = 10_000_000

// Feasible asks whether the path can be run (FeasiblePath of [Podelski11]). Sat
// comes with a run that was replayed by evaluation; Unknown with a reason.
func Feasible(ctx context.Context, s smt.Checker, p *program.Path) (status smt.Status, run *program.Execution, reason string, err error) {
	u := p.Unroll()
	size := 0
	for _, f := range u.Conditions {
		if size += f.Size(); size > maxConditions || f.Size() > maxConditions {
			return smt.Unknown, nil, fmt.Sprintf("what a run of %d steps has to fulfil is too large for the solver", len(p.Steps)), nil
		}
	}
	status, m, err := smt.ModelOf(ctx, s, u.Conditions...)
	if err != nil || status == smt.Unsat {
		return status, nil, "", err
	}
	if status == smt.Unknown {
		return status, nil, s.Reason(), nil
	}
	if run, err = u.Run(m); err != nil {
		return smt.Unknown, nil, err.Error(), nil
	}
	return smt.Sat, run, "", nil
}

// maxCubes bounds disjunctions of cubes.
const maxCubes = 256

// Interpolator is what Refine asks: Horn problems, and cores.
type Interpolator interface {
	smt.Checker
	smt.HornSolver
}

// Refine returns, for every position 0..len(Steps) of a path that cannot be run,
// predicates that are to be tracked there. For all methods but AtomsOfPre, and
// unless Exact of the result is false, the conjunction at each position solves
// the refinement constraints (eq. 10): with these predicates the Cartesian
// abstraction excludes the path. known are predicates that are tracked somewhere, which
// Interpolation and Farkas prefer. Farkas and Spacer fall back to UnsatCore.
func Refine(ctx context.Context, s Interpolator, p *program.Path, how Refinement, known []*logic.Term) (out *Predicates, err error) {
	switch how {
	case Interpolation:
		return interpolated(ctx, s, p, known)
	case Least:
		return least(p), nil
	case Greatest:
		return greatest(ctx, p)
	case AtomsOfPre:
		return atomsOfPre(ctx, p)
	case Farkas:
		out, err = farkas(ctx, s, p, known)
	case Spacer:
		out, err = spacer(ctx, s, p, 0)
	}
	if out != nil || err != nil {
		return out, err
	}
	return unsatCore(ctx, s, p)
}

func unsatCore(ctx context.Context, s smt.Checker, p *program.Path) (*Predicates, error) {
	reduced, err := reduce(ctx, s, p)
	if err != nil {
		return nil, err
	}
	out, err := greatest(ctx, reduced)
	if err != nil {
		return nil, err
	}
	out.Method = UnsatCore
	return out, nil
}

// Predicates is the result of Refine.
type Predicates struct {
	Method Refinement      // that found them: Farkas, Spacer or UnsatCore where several are tried
	At     [][]*logic.Term // by position
	Exact  bool
}

// Solution returns the conjunction at each position.
func (r *Predicates) Solution() []*logic.Term {
	return lists.Map(r.At, func(ps []*logic.Term) *logic.Term { return logic.And(ps...) })
}

// Verify checks the refinement constraints (eq. 10) one by one with the solver:
// nil if every one of them is proved.
func Verify(ctx context.Context, prover *Prover, p *program.Path, solution []*logic.Term) error {
	must := func(what string, hypothesis, goal *logic.Term) error {
		yes, err := prover.Entails(ctx, hypothesis, goal)
		if err == nil && !yes {
			err = fmt.Errorf("%s is not proved", what)
		}
		return err
	}
	if err := must("init |= phi_0", p.Init, solution[0]); err != nil {
		return err
	}
	for i, c := range p.Steps {
		if err := must(fmt.Sprintf("post(phi_%d, rho_%d) |= phi_%d", i, i+1, i+1), logic.And(solution[i], c.Guard), c.After(solution[i+1])); err != nil {
			return err
		}
	}
	return must("phi_n and error |= false", logic.And(solution[len(p.Steps)], p.Error), logic.False())
}

// least computes iterated post.
func least(p *program.Path) *Predicates {
	out := &Predicates{Method: Least, Exact: true}
	cubes, ok := logic.DNF(p.Init, maxCubes)
	out.Exact = ok
	out.At = append(out.At, conjunctsOf(cubes))
	for _, c := range p.Steps {
		var next [][]*logic.Term
		for _, cube := range cubes {
			post, exact, ok := c.PostCube(cube, p.Vars)
			out.Exact = out.Exact && exact && ok
			for _, q := range post {
				if !logic.And(q...).IsFalse() && len(next) < maxCubes {
					next = append(next, q)
				}
			}
		}
		cubes = next
		out.At = append(out.At, conjunctsOf(cubes))
	}
	return out
}

// conjunctsOf returns predicates whose conjunction is the disjunction of cubes.
func conjunctsOf(cubes [][]*logic.Term) []*logic.Term {
	if len(cubes) == 1 {
		return logic.Conjuncts(logic.And(cubes[0]...))
	}
	or := lists.Append(nil, cubes, func(c []*logic.Term) *logic.Term { return logic.And(c...) })
	return logic.Conjuncts(logic.Or(or...))
}

// backward returns for each position cubes of states from which the rest of the
// path may be run, and whether they are exactly those. The error is that of the context.
func backward(ctx context.Context, p *program.Path) (at [][][]*logic.Term, exact bool, err error) {
	n := len(p.Steps)
	at = make([][][]*logic.Term, n+1)
	at[n], exact = logic.DNF(p.Error, maxCubes)
	for i := n - 1; i >= 0; i-- {
		for _, cube := range at[i+1] {
			if err := ctx.Err(); err != nil {
				return nil, false, err
			}
			pre, e, ok := p.Steps[i].PreCube(cube)
			exact = exact && e && ok
			for _, q := range pre {
				if len(at[i]) < maxCubes {
					at[i] = append(at[i], q)
				} else {
					exact = false
				}
			}
		}
	}
	return at, exact, nil
}

// greatest negates iterated pre: the weakest conditions under which the rest of
// the path cannot be run. Each negated cube is one predicate.
func greatest(ctx context.Context, p *program.Path) (*Predicates, error) {
	at, exact, err := backward(ctx, p)
	if err != nil {
		return nil, err
	}
	out := &Predicates{Method: Greatest, Exact: exact, At: make([][]*logic.Term, len(at))}
	for i, cubes := range at {
		for _, c := range cubes {
			f := logic.Not(logic.And(c...))
			if !f.IsTrue() && !slices.Contains(out.At[i], f) {
				out.At[i] = append(out.At[i], f)
			}
		}
	}
	return out, nil
}

func atomsOfPre(ctx context.Context, p *program.Path) (*Predicates, error) {
	at, _, err := backward(ctx, p)
	if err != nil {
		return nil, err
	}
	out := &Predicates{Method: AtomsOfPre, At: make([][]*logic.Term, len(at))}
	for i, cubes := range at {
		for _, c := range cubes {
			for _, l := range c {
				if !slices.Contains(out.At[i], l) {
					out.At[i] = append(out.At[i], l)
				}
			}
		}
	}
	return out, nil
}

// reduce returns the path without the conditions that an unsatisfiable core does
// not need: as infeasible as before, and weaker everywhere. Updates stay.
func reduce(ctx context.Context, s smt.Checker, p *program.Path) (*program.Path, error) {
	u, original := p.Unroll(), p.Conditions()
	// One assumption for every conjunct of every condition, later ones first in
	// the core's favour: a core near the error gives predicates at few places.
	var assumptions []*logic.Term
	var owner [][2]int
	conjuncts := make([][]*logic.Term, len(original))
	for i, f := range original {
		conjuncts[i] = logic.Conjuncts(f)
		for j, c := range logic.SubstituteAll(conjuncts[i], u.By[i]) {
			assumptions = append(assumptions, c)
			owner = append(owner, [2]int{i, j})
		}
	}
	keep, err := minimalCore(ctx, s, assumptions)
	if err != nil || keep == nil {
		return p, err
	}
	kept := make([][]*logic.Term, len(original))
	for _, k := range keep {
		i, j := owner[k][0], owner[k][1]
		kept[i] = append(kept[i], conjuncts[i][j])
	}
	out := &program.Path{Init: logic.And(kept[0]...), Error: logic.And(kept[len(kept)-1]...), Vars: p.Vars}
	for i, c := range p.Steps {
		out.Steps = append(out.Steps, &program.Command{Inputs: c.Inputs, Guard: logic.And(kept[i+1]...), Update: c.Update})
	}
	return out, nil
}

// minimalCore shrinks the solver's core by leaving out one assumption after the
// other. nil if the solver has no answer.
func minimalCore(ctx context.Context, s smt.Checker, assumptions []*logic.Term) ([]int, error) {
	s.Push()
	defer s.Pop()
	status, err := s.Check(ctx, assumptions...)
	if err != nil || status != smt.Unsat {
		return nil, err
	}
	core, err := s.Core(ctx)
	if err != nil || core == nil {
		return nil, err
	}
	if len(core) > 40 {
		return core, nil // small enough gains for many queries
	}
	for i := 0; i < len(core); {
		without := slices.Delete(slices.Clone(core), i, i+1)
		some := lists.Map(without, func(j int) *logic.Term { return assumptions[j] })
		status, err := s.Check(ctx, some...)
		if err != nil {
			return nil, err
		}
		if status == smt.Unsat {
			core = without
		} else {
			i++
		}
	}
	return core, nil
}
