package predabs

import (
	"context"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
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
