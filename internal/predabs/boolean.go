package predabs

import (
	"context"
	"fmt"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// MaxBooleanPredicates bounds Boolean, whose result may have 2^n cubes.
const MaxBooleanPredicates = 64

// Boolean returns the strongest formula over the predicates that holds after
// every step of the command from the states of the formula, as cubes of
// predicates and negated predicates, one of each in the order given; no cubes
// mean that there is no such step.
//
// The predicates are searched as a decision tree: a model answers one branch of every node on
// its path for free, and while many predicates are left, what differs from it is asked for at
// once. The error is a *budget.Exhausted where they are too many
// (Prover.MaxValuations).
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
	work              int
}

// maxBooleanWork bounds the questions of one call where Prover.MaxValuations does not, each of
// which may find a cube; one without an answer counts unanswered times, since the solver has
// tried for long.
const (
	maxBooleanWork = 1 << 16
	unanswered     = 1 << 11
)

// ask looks for a model of the decisions; m is nil where the solver has no
// answer, which counts as possible.
func (b *boolean) ask(decisions []*logic.Term) (m logic.Model, none bool, err error) {
	most := b.prover.MaxValuations
	if most == 0 {
		most = maxBooleanWork
	}
	if b.work++; b.work > most {
		return nil, false, &budget.Exhausted{What: "valuations", Limit: fmt.Sprintf("%d questions about which values %d predicates may have together", most, len(b.predicates)),
			Advice: "fewer guards, propositions or predicates that do not exclude each other"}
	}
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
	default:
		b.work += unanswered
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
	if n+few < len(b.predicates) && m != nil {
		if values := b.values(m, n); values != nil {
			return b.apart(values, decisions, cube)
		}
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
		d, l := sign(after, value), sign(predicate, value)
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

// few predicates are asked about one by one: these questions are shorter.
const few = 8

// sign is a formula or its negation.
func sign(f *logic.Term, value bool) *logic.Term {
	if value {
		return f
	}
	return logic.Not(f)
}

// values are those in a model of the predicates from number n on; nil where it says nothing of
// one.
func (b *boolean) values(m logic.Model, n int) []bool {
	values := make([]bool, len(b.after)-n)
	for i, f := range b.after[n:] {
		holds, err := logic.Holds(f, m)
		if err != nil {
			return nil
		}
		values[i] = holds
	}
	return values
}

// apart adds all cubes below the decisions, values being those of one of them: that one, and
// for every predicate those that differ from it there first. Of predicates that exclude each
// other, as values of a variable do, a decision tree asks a number of questions that is quadratic
// in theirs, this one a linear one.
func (b *boolean) apart(values []bool, decisions, cube []*logic.Term) error {
	n := len(decisions)
	for i, v := range values {
		decisions, cube = append(decisions, sign(b.after[n+i], v)), append(cube, sign(b.predicates[n+i], v))
	}
	decisions, cube = slices.Clone(decisions), slices.Clone(cube)
	b.cubes = append(b.cubes, cube)
	solver := b.prover.solver
	solver.Push()
	defer solver.Pop()
	agrees := logic.And(decisions[n:]...)
	solver.Assert(logic.Not(agrees))
	done := make([]bool, len(values))
	for {
		m, none, err := b.ask(decisions[:n:n])
		if err != nil || none {
			return err
		}
		first := -1
		if m != nil {
			for i, v := range b.values(m, n) {
				if v != values[i] {
					first = i
					break
				}
			}
		}
		if first < 0 || done[first] {
			return b.oneByOne(decisions, cube, n, done)
		}
		at := n + first
		if err := b.search(m, append(decisions[:at:at], logic.Not(decisions[at])), append(cube[:at:at], logic.Not(cube[at]))); err != nil {
			return err
		}
		done[first] = true
		solver.Assert(logic.Or(logic.Not(logic.And(decisions[n:at]...)), decisions[at]))
	}
}

// oneByOne is what apart does where the solver has no answer: it asks about every predicate by
// itself at which a cube may differ first, but for those that are done.
func (b *boolean) oneByOne(decisions, cube []*logic.Term, n int, done []bool) error {
	for i := range done {
		at := n + i
		if done[i] {
			continue
		}
		other := append(decisions[:at:at], logic.Not(decisions[at]))
		m, none, err := b.ask(other)
		if err != nil {
			return err
		}
		if none {
			continue
		}
		if err := b.search(m, other, append(cube[:at:at], logic.Not(cube[at]))); err != nil {
			return err
		}
	}
	return nil
}
