package predabs

import (
	"context"
	"slices"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// Cartesian returns the strongest conjunction of predicates that holds after
// every step of the command from the states of the formula ([TUMLectures], eq. 7 and
// 9): the predicates in the order given. none says that there is no such step.
func (p *Prover) Cartesian(ctx context.Context, from *logic.Term, c *program.Command, predicates []*logic.Term) (cube []*logic.Term, none bool, err error) {
	maySat, yes, err := p.entailed(ctx, logic.And(from, c.Guard), p.after(c, predicates))
	if err != nil || !maySat {
		return nil, !maySat, err
	}
	return chosen(predicates, yes), false, nil
}

// after returns the predicates as they will be after the update. They are kept: each round
// of a refinement asks again about most of them.
func (p *Prover) after(c *program.Command, predicates []*logic.Term) []*logic.Term {
	if len(c.Update) == 0 {
		return predicates
	}
	out := make([]*logic.Term, len(predicates))
	var fresh []*logic.Term
	for i, f := range predicates {
		if out[i] = p.updated[update{c, f}]; out[i] == nil {
			fresh = append(fresh, f)
		}
	}
	if len(fresh) == 0 {
		return out
	}
	if len(p.updated) >= maxCached {
		clear(p.updated)
	}
	made := logic.SubstituteAll(fresh, c.Update)
	for i, f := range predicates {
		if out[i] == nil {
			out[i], made = made[0], made[1:]
			p.updated[update{c, f}] = out[i]
		}
	}
	return out
}

// update is a predicate after a command.
type update struct {
	command   *program.Command
	predicate *logic.Term
}

// CartesianOf is Cartesian of the formula itself, without a step.
func (p *Prover) CartesianOf(ctx context.Context, f *logic.Term, predicates []*logic.Term) (cube []*logic.Term, none bool, err error) {
	return p.Cartesian(ctx, f, &program.Command{Guard: logic.True()}, predicates)
}

// MaxBooleanPredicates bounds Boolean, whose result may have 2^n cubes.
const MaxBooleanPredicates = 64

// Boolean returns the strongest formula over the predicates that holds after
// every step of the command from the states of the formula, as cubes of
// predicates and negated predicates, one of each in the order given; no cubes
// mean that there is no such step.
//
// The predicates are searched as a decision tree (AllSAT without blocking
// clauses): a model answers one branch of every node on its path for free.
func (p *Prover) Boolean(ctx context.Context, from *logic.Term, c *program.Command, predicates []*logic.Term) (cubes [][]*logic.Term, err error) {
	b := &boolean{prover: p, ctx: ctx, predicates: predicates, after: p.after(c, predicates)}
	start := logic.And(from, c.Guard)
	p.solver.Push()
	defer p.solver.Pop()
	p.solver.Assert(start)
	m, none, err := b.ask(nil)
	if err != nil || none {
		return nil, err
	}
	err = b.search(m, nil, nil)
	return b.cubes, err
}

type boolean struct {
	prover            *Prover
	ctx               context.Context
	predicates, after []*logic.Term
	cubes             [][]*logic.Term
}

// ask looks for a model of the decisions; m is nil where the solver has no
// answer, which counts as possible.
func (b *boolean) ask(decisions []*logic.Term) (m logic.Model, none bool, err error) {
	b.prover.stats.Questions++
	status, err := b.prover.solver.Check(b.ctx, decisions...)
	if err != nil {
		return nil, false, err
	}
	b.prover.count(status)
	switch status {
	case smt.Unsat:
		return nil, true, nil
	case smt.Sat:
		m, err = b.prover.solver.Model(b.ctx)
	}
	return m, false, err
}

// search adds all cubes below the decisions, which are known to be possible. m
// is a model of them, or nil.
func (b *boolean) search(m logic.Model, decisions, cube []*logic.Term) error {
	n := len(decisions)
	if n == len(b.predicates) {
		b.cubes = append(b.cubes, slices.Clone(cube))
		return nil
	}
	after, predicate := b.after[n], b.predicates[n]
	// The branch that the model takes is possible; ask about the other.
	here := true
	known := false
	if m != nil {
		if holds, err := logic.Holds(after, m); err == nil {
			here, known = holds, true
		}
	}
	for _, value := range []bool{here, !here} {
		d, l := after, predicate
		if !value {
			d, l = logic.Not(after), logic.Not(predicate)
		}
		below := m
		if !known || value != here {
			var none bool
			var err error
			if below, none, err = b.ask(append(decisions, d)); err != nil {
				return err
			}
			if none {
				continue
			}
		}
		if err := b.search(below, append(decisions, d), append(cube, l)); err != nil {
			return err
		}
	}
	return nil
}
