package smt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seltl/seltl/logic"
)

// optimizeRLimit bounds one optimisation: about 10 s on an idle machine. Tests lower it.
var optimizeRLimit uint64 = 30_000_000

// optimizer is z3's assert-soft in a child of its own. Its models are not looked at.
type optimizer struct {
	*backend
	proc *process // nil while none runs
}

// Maximize implements Optimizer.
func (z *optimizer) Maximize(ctx context.Context, hard, soft []*logic.Term, weights []int) (Status, logic.Model, bool, error) {
	status, m, err := z.assertSoft(ctx, hard, soft, weights)
	switch {
	case ctx.Err() != nil:
		return Unknown, nil, false, ctx.Err()
	case err != nil:
		return Unknown, nil, false, nil
	}
	return status, m, status == Sat, nil
}

// assertSoft lets z3 optimise. An error is a reason for Unknown.
func (z *optimizer) assertSoft(ctx context.Context, hard, soft []*logic.Term, weights []int) (Status, logic.Model, error) {
	if z.proc == nil {
		p, err := z.start()
		if err != nil {
			return Unknown, nil, err
		}
		z.proc = p
	}
	all := append(append([]*logic.Term{}, hard...), soft...)
	if slices.ContainsFunc(all, (*logic.Term).Floats) {
		return Unknown, nil, errors.New("floating-point numbers are not optimised")
	}
	var b strings.Builder
	b.WriteString("(reset)\n" + plainStrategy + z.budget(optimizeRLimit))
	limit := cmp.Or(z.hardLimit(), uncounted)
	for i, d := range logic.DatatypesOf(all...) {
		if i == 0 {
			b.WriteString(ownSorts)
		}
		b.WriteString(d.Text() + "\n")
	}
	for _, v := range logic.Vars(all...) {
		b.WriteString(logic.Declaration(v) + "\n")
	}
	for _, f := range hard {
		fmt.Fprintf(&b, "(assert %s)\n", f.Format(logic.SMTLIB))
	}
	for i, f := range soft {
		fmt.Fprintf(&b, "(assert-soft %s :weight %d :id seltl!goal)\n", f.Format(logic.SMTLIB), weights[i])
	}
	b.WriteString("(check-sat)\n" + askWork)
	z.proc.worked = 0
	began := time.Now()
	answers, err := z.proc.exchange(ctx, b.String(), limit)
	z.stats.Time += time.Since(began)
	if err != nil {
		z.proc = nil
		z.stats.Restarts++
		return Unknown, nil, err
	}
	answers = z.work(z.proc, answers)
	switch {
	case len(answers) == 1 && answers[0].Is("unsat"):
		return Unsat, nil, nil
	case len(answers) != 1 || !answers[0].Is("sat"):
		return Unknown, nil, nil
	}
	m, err := z.values(ctx, z.proc, all)
	if err != nil {
		z.proc.kill()
		z.proc = nil
		return Unknown, nil, err
	}
	z.stats.Models++
	return Sat, m, nil
}
