package smt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seltl/seltl/internal/ieee"
	"github.com/seltl/seltl/logic"
)

// Operations on floating-point numbers are asked about in two steps. At first they are functions of which nothing
// is known, or, beside a solver, words, which costs little where an answer does not depend on them: Unsat is
// so for any results. Where that has a model, either the variables of it, with the results that they have, are one
// of all formulas, which package logic computes; or all is asked once more of a child that begins anew, with
// the operations of SMT-LIB's theory of floating-point numbers, a circuit each.

// exactWork bounds a question with that theory where nobody else does. z3 counts exactFactor times as many units in the
// same time for circuits.
const exactWork, exactFactor = 1_000_000, 10

// mostCongruent bounds the operations of which it is said that equal operands have equal results, which is hard to
// find out of circuits.
const mostCongruent = 64

// defineFloat tells the child what the word v is.
func (z *stack) defineFloat(v, is *logic.Term) {
	if z.words { // where it is clauses that are made of words
		z.declare(logic.Eq(v, is))
		return
	}
	if len(z.floats) == 0 && !z.exact {
		z.pending.WriteString(floatFunctions())
	}
	z.declare(logic.Eq(v, is))
	if z.exact && len(z.floats) <= 2*mostCongruent {
		for k := 0; k < len(z.floats); k += 2 {
			if other := z.floats[k+1]; other.FloatOp() == is.FloatOp() && other.Sort() == is.Sort() && other.Args()[0].Sort() == is.Args()[0].Sort() {
				same := []*logic.Term{logic.Eq(v, z.floats[k])}
				for i, a := range is.Args() {
					same = append(same, logic.Ne(a, other.Args()[i]))
				}
				fmt.Fprintf(&z.pending, "(assert %s)\n", logic.Or(same...).Format(logic.SMTLIB))
			}
		}
	}
	z.floats = append(z.floats, v, is)
	fmt.Fprintf(&z.pending, "(assert %s)\n", logic.Eq(v, is).Format(logic.SMTLIB))
}

func (z *stack) overFloats() bool {
	for _, f := range z.frames {
		if slices.ContainsFunc(f.asserted, (*logic.Term).Floats) {
			return true
		}
	}
	return slices.ContainsFunc(z.asked, (*logic.Term).Floats)
}

// decideFloats decides what has a model if operations give any results.
func (z *stack) decideFloats(ctx context.Context) error {
	formulas := z.formulas()
	m, err := z.values(ctx, z.proc, formulas)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil && computed(m, formulas) {
		z.model = m
		return nil
	}
	z.status, m, err = z.exactly(ctx, z.limit, formulas)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		z.status, z.reason = Unknown, err.Error()
	case z.status == Unknown:
		z.reason = "floating-point numbers took too long"
	}
	z.model, z.refuted = m, z.status == Unsat
	return nil
}

// repairs is how often variables are given the values that equations say.
const repairs = 8

// computed gives variables the values that equations say they have, and reports that all formulas are true then.
func computed(m logic.Model, formulas []*logic.Term) bool {
	var all []*logic.Term
	for _, f := range formulas {
		all = append(all, logic.Conjuncts(f)...)
	}
	for range repairs {
		changed := false
		for _, f := range all {
			if ok, err := logic.Holds(f, m); ok || err != nil || f.Op() != logic.OpEq {
				continue
			}
			for k, x := range f.Args() {
				if v, err := logic.Eval(f.Args()[1-k], m); x.Op() == logic.OpVar && err == nil && f.Args()[1-k].Op() != logic.OpNumber {
					m[x.Name()], changed = v, true
					break
				}
			}
		}
		if !changed {
			break
		}
	}
	return refute(m, formulas) == ""
}

// propagated are formulas in which variables that equations say are numbers are these, so that operations on them are
// computed.
func propagated(formulas []*logic.Term) []*logic.Term {
	known := map[*logic.Term]*logic.Term{}
	var equations []*logic.Term
	for {
		found := map[*logic.Term]*logic.Term{}
		for _, f := range formulas {
			for _, c := range logic.Conjuncts(f) {
				if c.Op() != logic.OpEq {
					continue
				}
				for k, x := range c.Args() {
					if n := c.Args()[1-k]; x.Op() == logic.OpVar && n.Op() == logic.OpNumber && known[x] == nil {
						found[x], known[x] = n, n
						equations = append(equations, c)
					}
				}
			}
		}
		if len(found) == 0 {
			return append(equations, formulas...)
		}
		formulas = logic.SubstituteAll(formulas, found)
	}
}

// exactly asks a child that begins anew whether formulas hold together. A model has been evaluated.
func (b *backend) exactly(ctx context.Context, limit uint64, formulas []*logic.Term) (Status, logic.Model, error) {
	return b.exactlyWithin(ctx, limit, formulas, moreRemainders)
}

// moreRemainders is how often a question is asked again with what the theory does not know.
const moreRemainders = 8

func (b *backend) exactlyWithin(ctx context.Context, limit uint64, formulas []*logic.Term, more int) (Status, logic.Model, error) {
	if formulas = propagated(formulas); slices.ContainsFunc(formulas, (*logic.Term).IsFalse) {
		return Unsat, nil, nil
	}
	one := newStack(b)
	one.exact = true
	one.begin()
	one.pending.Reset()
	opening := forget + "(set-option :tactic.default_tactic \"\")\n"
	if !slices.ContainsFunc(formulas, func(f *logic.Term) bool { return !one.inWords(f) }) {
		opening += "(set-logic QF_BVFP)\n"
	}
	work := cmp.Or(limit, b.options.RLimit, exactWork)
	opening += b.within(exactFactor*work) + floatTheory()
	for _, f := range formulas {
		one.sorted(f)
		one.writeAssert(f)
	}
	if one.datatypes {
		return Unknown, nil, errors.New("floating-point numbers and datatypes")
	}
	p, _, err := b.child()
	if err != nil {
		return Unknown, nil, &Missing{b.options.Path, err.Error()}
	}
	defer func() {
		if !b.leave(p) {
			p.kill()
		}
	}()
	p.worked = 0
	began := time.Now()
	stop := p.watch(countedLate(work))
	answers, err := p.exchange(ctx, opening+one.pending.String()+"(check-sat)\n"+askWork, b.hardLimit())
	stop()
	b.stats.Time += time.Since(began)
	if err != nil {
		if p.late.Load() {
			b.stats.Work += lateWork(work)
		}
		return Unknown, nil, err
	}
	before := b.stats.Work
	answers = b.work(p, answers)
	b.stats.Work = before + (b.stats.Work-before)/exactFactor
	if len(answers) != 1 {
		p.kill()
		return Unknown, nil, errors.New(nonsense(answers))
	}
	status := statusOf(answers[0])
	if status != Sat {
		return status, nil, ctx.Err()
	}
	m, err := b.values(ctx, p, formulas)
	if err != nil {
		return Unknown, nil, err
	}
	if refute(m, formulas) == "" {
		return Sat, m, nil
	}
	lemmas := remainders(m, formulas)
	if len(lemmas) == 0 || more == 0 {
		return Unknown, nil, errors.New("the remainder of floating-point numbers is computed for known ones only")
	}
	return b.exactlyWithin(ctx, limit, append(slices.Clone(formulas), lemmas...), more-1)
}

// remainders say what the operations that the theory does not have make of the operands that they have in a model.
func remainders(m logic.Model, formulas []*logic.Term) (lemmas []*logic.Term) {
	for t := range logic.Subterms(formulas...) {
		if t.Op() != logic.OpFloat || t.FloatOp() != ieee.Fmod && t.FloatOp() != ieee.Remainder {
			continue
		}
		x, y := t.Args()[0], t.Args()[1]
		a, err := logic.Eval(x, m)
		b, err2 := logic.Eval(y, m)
		if err == nil && err2 == nil {
			is := logic.Float(t.FloatOp(), t.Sort().Width(), a.Term(), b.Term())
			lemmas = append(lemmas, logic.Or(logic.Ne(x, a.Term()), logic.Ne(y, b.Term()), logic.Eq(t, is)))
		}
	}
	return lemmas
}

// floatFunctions declares the operations as functions.
func floatFunctions() string {
	var t strings.Builder
	for op := range ieee.Operations {
		for _, from := range []int{32, 64} {
			for _, to := range []int{32, 64} {
				if op.Widths(from, to) {
					f := logic.Float(op, to, slices.Repeat([]*logic.Term{logic.Var("x", logic.BitVec(from))}, map[bool]int{true: 2, false: 1}[op.Binary()])...)
					name, _, _ := strings.Cut(f.Format(logic.SMTLIB)[1:], " ")
					fmt.Fprintf(&t, "(declare-fun %s (%s) %s)\n", name, strings.TrimSpace(strings.Repeat(f.Args()[0].Sort().String()+" ", len(f.Args()))), f.Sort())
				}
			}
		}
	}
	return t.String()
}

// floatTheory defines the operations over words by those of the theory. Two are none of its: of fmod nothing
// is known, nor of remainder, which z3 has not always computed correctly (4.8).
func floatTheory() string {
	var t strings.Builder
	format := func(w int) string { return map[int]string{32: "8 24", 64: "11 53"}[w] }
	number := func(w int, x string) string { return fmt.Sprintf("((_ to_fp %s) %s)", format(w), x) }
	word := func(w int, x string) string {
		return fmt.Sprintf("(let ((r %s)) (ite (fp.isNaN r) (_ bv%d %d) (fp.to_ieee_bv r)))", x, ieee.NaN(w), w)
	}
	define := func(name string, operands, from, to int, body string) {
		params := fmt.Sprintf("(x (_ BitVec %d))", from)
		if operands == 2 {
			params += fmt.Sprintf(" (y (_ BitVec %d))", from)
		}
		fmt.Fprintf(&t, "(define-fun %s (%s) (_ BitVec %d) %s)\n", name, params, to, body)
	}
	for _, w := range []int{32, 64} {
		x, y := number(w, "x"), number(w, "y")
		for _, name := range []string{"add", "mul", "div"} {
			define("float."+name, 2, w, w, word(w, fmt.Sprintf("(fp.%s RNE %s %s)", name, x, y)))
		}
		define("float.sqrt", 1, w, w, word(w, fmt.Sprintf("(fp.sqrt RNE %s)", x)))
		for name, mode := range map[string]string{"floor": "RTN", "ceil": "RTP", "trunc": "RTZ", "round": "RNA", "rint": "RNE"} {
			define("float."+name, 1, w, w, word(w, fmt.Sprintf("(fp.roundToIntegral %s %s)", mode, x)))
		}
		for _, name := range []string{"fmod", "remainder"} {
			fmt.Fprintf(&t, "(declare-fun float.%s ((_ BitVec %d) (_ BitVec %d)) (_ BitVec %d))\n", name, w, w, w)
		}
		define(fmt.Sprintf("float.convert%d", 96-w), 1, w, 96-w, word(96-w, fmt.Sprintf("((_ to_fp %s) RNE %s)", format(96-w), x)))
		for _, n := range []int{32, 64} { // of integers
			define(fmt.Sprintf("float.of_signed%d", w), 1, n, w, word(w, fmt.Sprintf("((_ to_fp %s) RNE x)", format(w))))
			define(fmt.Sprintf("float.of_unsigned%d", w), 1, n, w, word(w, fmt.Sprintf("((_ to_fp_unsigned %s) RNE x)", format(w))))
			fits := func(low, high string) string {
				return fmt.Sprintf("(let ((t (fp.roundToIntegral RTZ %s))) (and (fp.leq %s t) (fp.lt t %s)))", x, low, high)
			}
			at := func(v float64) string { return number(w, fmt.Sprintf("(_ bv%d %d)", ieee.Word(w, v), w)) }
			half := float64(uint64(1) << (n - 1))
			define(fmt.Sprintf("float.to_signed%d", n), 1, w, n, fmt.Sprintf("(ite %s ((_ fp.to_sbv %d) RTZ %s) (_ bv0 %d))", fits(at(-half), at(half)), n, x, n))
			define(fmt.Sprintf("float.to_unsigned%d", n), 1, w, n, fmt.Sprintf("(ite %s ((_ fp.to_ubv %d) RTZ %s) (_ bv0 %d))", fits(at(0), at(2*half)), n, x, n))
		}
	}
	return t.String()
}
