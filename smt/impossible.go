package smt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/seltl/seltl/internal/sexp"
	"github.com/seltl/seltl/logic"
)

// Refuter shows that formulas have no model.
type Refuter interface {
	// Impossible asks of each formula by itself whether it has none. The error is about the formula that it comes with:
	// it has a model, there is no answer, or ctx ended. limit bounds the work for each, in units of the solver; 0: only
	// its own options do.
	Impossible(ctx context.Context, limit uint64, fs []*logic.Term) (which int, err error)
}

// OneByOne is a Refuter that asks a checker about one formula after the other, in scopes of their own.
type OneByOne struct{ Checker }

// Impossible implements Refuter.
func (o OneByOne) Impossible(ctx context.Context, limit uint64, fs []*logic.Term) (which int, err error) {
	o.Reset()
	o.Limit(limit)
	for i, f := range fs {
		status, err := CheckAll(ctx, o.Checker, f)
		if err == nil {
			err = notUnsat(status)
		}
		if err != nil {
			return i, err
		}
	}
	return 0, nil
}

func notUnsat(s Status) error {
	if s == Unsat {
		return nil
	}
	return fmt.Errorf("the solver says %s", s)
}

// atOnce is how many formulas are sent together: behind one that is possible, this many more are asked about in vain.
const atOnce = 32

// Impossible implements Refuter: many formulas are one question to a child that knows nothing else. A solution of a
// hundred clauses is checked in milliseconds so, and one by one in tenths of a second.
func (z *Z3) Impossible(ctx context.Context, limit uint64, fs []*logic.Term) (which int, err error) {
	for from := 0; from < len(fs); from += atOnce {
		all := fs[from:min(from+atOnce, len(fs))]
		statuses, err := z.each(ctx, limit, all)
		if err != nil {
			return from, err
		}
		for i, s := range statuses {
			if err := notUnsat(s); err != nil {
				return from + i, err
			}
		}
	}
	return 0, nil
}

// each asks of each formula by itself whether it has a model.
func (b *backend) each(ctx context.Context, limit uint64, fs []*logic.Term) (statuses []Status, err error) {
	statuses = make([]Status, len(fs))
	var asked []*logic.Term
	for i, f := range fs {
		if statuses[i] = Unsat; !f.IsFalse() {
			asked = append(asked, f)
		}
	}
	if len(asked) == 0 {
		return statuses, nil
	}
	if b.closed {
		return nil, errClosed
	}
	p, _, err := b.child()
	if err != nil {
		return nil, &Missing{b.options.Path, err.Error()}
	}
	defer func() {
		if !b.leave(p) {
			p.kill()
		}
	}()
	p.worked = 0
	began := time.Now()
	stop := p.watch(time.Duration(len(asked)) * countedLate(cmp.Or(limit, b.options.RLimit)))
	answers, err := p.exchange(ctx, b.batch(limit, asked)+askWork, time.Duration(len(asked))*b.hardLimit())
	stop()
	b.stats.Time += time.Since(began)
	if err != nil {
		if p.late.Load() {
			b.stats.Work += lateWork(cmp.Or(limit, b.options.RLimit))
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		b.count(Unknown)
		return nil, err
	}
	if answers = b.work(p, answers); len(answers) != len(asked) {
		p.kill()
		b.count(Unknown)
		return nil, errors.New(nonsense(answers))
	}
	k := 0
	for i, f := range fs {
		if !f.IsFalse() {
			statuses[i] = statusOf(answers[k])
			if statuses[i] == Sat && f.Floats() {
				if statuses[i], _, err = b.exactly(ctx, limit, []*logic.Term{f}); err != nil {
					return nil, err
				}
			}
			b.count(statuses[i])
			k++
		}
	}
	return statuses, nil
}

func statusOf(answer sexp.Node) Status {
	switch {
	case answer.Is("unsat"):
		return Unsat
	case answer.Is("sat"):
		return Sat
	}
	return Unknown
}

// batch is questions that do not know of each other. Each formula is in a scope of its own, where its variables are
// declared; those about words begin anew each time, which z3 decides several times as fast as those of scopes.
func (b *backend) batch(limit uint64, fs []*logic.Term) string {
	datatypes, opening := logic.DatatypesOf(fs...), forget+plainStrategy+"(set-option :global-declarations false)\n"+b.within(limit)
	if len(datatypes) > 0 {
		opening += ownSorts
	}
	for _, d := range datatypes {
		opening += d.Text() + "\n"
	}
	words := false
	for t := range logic.Subterms(fs...) {
		words = words || t.Sort().Kind() == logic.BitVecKind
	}
	var text strings.Builder
	if !words {
		text.WriteString(opening)
	}
	for _, f := range fs {
		one := newStack(b)
		one.begin()
		one.pending.Reset()
		for _, d := range datatypes {
			for _, name := range d.Names() {
				one.declared[name] = d.Sorts()[0]
			}
		}
		one.writeAssert(f)
		if words {
			text.WriteString(opening + one.pending.String() + "(check-sat)\n")
		} else {
			text.WriteString("(push)\n" + one.pending.String() + "(check-sat)\n(pop)\n")
		}
	}
	return text.String()
}
