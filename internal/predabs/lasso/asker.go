package lasso

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// asker asks a bounded number of questions.
type asker struct {
	ctx  context.Context
	s    smt.Checker
	left int
}

// errSpent is the reason of who has asked all questions that were allowed.
var errSpent = errors.New("the number of questions is used up")

func newAsker(ctx context.Context, s smt.Checker, o Options) *asker {
	if o.Questions == 0 {
		o.Questions = 300
	}
	return &asker{ctx, s, o.Questions}
}

// unanswered is how many questions one without an answer counts for besides: it has taken all
// the work that is allowed, where most take little.
const unanswered = 20

func (q *asker) spend() bool {
	q.left--
	return q.left >= 0
}

// reason says why there was no answer.
func (q *asker) reason() string {
	if q.left < 0 {
		return errSpent.Error()
	}
	return q.s.Reason()
}

// proves reports that the formulas cannot hold together.
func (q *asker) proves(fs ...*logic.Term) (bool, error) {
	status, _, err := q.model(nil, fs...)
	return status == smt.Unsat, err
}

// maxInstances bounds how often a model is asked for that has wrong quotients.
const maxInstances = 6

// model returns Sat with a model of all formulas, in which all of vars have a value.
func (q *asker) model(vars []*logic.Term, fs ...*logic.Term) (smt.Status, logic.Model, error) {
	if logic.And(fs...).IsFalse() {
		return smt.Unsat, nil, nil
	}
	if a, weaker := abstracted(fs); a != nil {
		vars = append(slices.Clone(vars), logic.Vars(fs...)...)
		for range maxInstances {
			status, m, err := q.ask(vars, append(slices.Clone(weaker), a.lemmas...))
			if err != nil || status == smt.Unsat {
				return status, nil, err
			}
			if status == smt.Unknown {
				break
			}
			if a.real(m, fs) {
				return smt.Sat, m, nil
			}
		}
	}
	return q.ask(vars, fs)
}

// ask asks the solver.
func (q *asker) ask(vars, fs []*logic.Term) (smt.Status, logic.Model, error) {
	if !q.spend() {
		return smt.Unknown, nil, nil
	}
	status, m, err := smt.ModelOf(q.ctx, q.s, fs...)
	if status == smt.Unknown {
		q.left -= unanswered
	}
	if err != nil || status != smt.Sat {
		return status, nil, err
	}
	return status, complete(m, vars), nil
}

// complete returns the model with 0 for the variables that it does not speak of.
func complete(m logic.Model, vars []*logic.Term) logic.Model {
	m = maps.Clone(m)
	for _, v := range vars {
		if _, known := m[v.Name()]; !known {
			m[v.Name()] = logic.Zero(v.Sort())
		}
	}
	return m
}

// core returns assumptions that exclude each other with the formulas; ok is false if all of
// them may hold together.
func (q *asker) core(assumptions []*logic.Term, fs ...*logic.Term) (chosen []*logic.Term, ok bool, err error) {
	all := append(slices.Clone(assumptions), fs...)
	if a, weaker := abstracted(all); a != nil {
		n := len(assumptions)
		chosen, ok, err = q.coreOf(assumptions, weaker[:n], append(weaker[n:], a.lemmas...))
		if ok || err != nil {
			return chosen, ok, err
		}
	}
	return q.coreOf(assumptions, assumptions, fs)
}

// coreOf is core where the solver is asked about other formulas than the assumptions.
func (q *asker) coreOf(assumptions, asked, fs []*logic.Term) (chosen []*logic.Term, ok bool, err error) {
	if !q.spend() {
		return nil, false, nil
	}
	q.s.Push()
	defer q.s.Pop()
	for _, f := range fs {
		q.s.Assert(f)
	}
	status, err := q.s.Check(q.ctx, asked...)
	if status == smt.Unknown {
		q.left -= unanswered
	}
	if err != nil || status != smt.Unsat {
		return nil, false, err
	}
	core, err := q.s.Core(q.ctx)
	if core == nil {
		return assumptions, true, err
	}
	for _, i := range core {
		chosen = append(chosen, assumptions[i])
	}
	return chosen, true, err
}
