package clp

import (
	"context"
	"slices"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// The example Rational of [Flanagan04], as printed: figure 1 (the buggy program, whose
// constructor is called with its arguments in the wrong order, and the fixed one), figure
// 2 and the abstraction δ of section 4.

const (
	rTRat = iota
	rEtrunc
	rTreadInt
	rEloop
	rEmain
)

var (
	mapSort          = logic.ArrayOf(logic.Int, logic.Int)
	vx, vy           = logic.Var("x", logic.Int), logic.Var("y", logic.Int)
	vi, vr           = logic.Var("i", logic.Int), logic.Var("r", logic.Int)
	vthis            = logic.Var("this", logic.Int)
	vn, vd, vh       = logic.Var("n", mapSort), logic.Var("d", mapSort), logic.Var("h", mapSort)
	vn2, vd2, vh2    = logic.Var("n'", mapSort), logic.Var("d'", mapSort), logic.Var("h'", mapSort)
	isInt            = logic.Var("isInt", logic.FunctionOf([]*logic.Sort{logic.Int}, logic.Bool))
	zero             = logic.IntConst(0)
	divisorIsZero    = logic.Eq(logic.Select(vd, vthis), zero)
	newDivisorIsZero = logic.Eq(logic.Select(vd2, vthis), zero)
	stored           = logic.Eq(vd2, logic.Store(vd, vthis, vy))
)

// rational is the rule set of figure 1.
func rational(fixed bool) *RuleSet {
	a, b := vy, vx
	if fixed {
		a, b = vx, vy
	}
	p := &RuleSet{Goal: rEmain, Relations: []Relation{
		{Name: "TRat", Params: []*logic.Term{vx, vy, vn, vd, vh, vn2, vd2, vh2, vthis}, Body: And(
			Constraint(logic.Eq(logic.Select(vh, vthis), zero)), Constraint(logic.Eq(vh2, logic.Store(vh, vthis, logic.IntConst(1)))),
			Constraint(logic.Eq(vn2, logic.Store(vn, vthis, vx))), Constraint(stored))},
		{Name: "Etrunc", Params: []*logic.Term{vthis, vn, vd}, Body: Constraint(divisorIsZero)},
		{Name: "TreadInt", Params: []*logic.Term{vr}, Body: Constraint(logic.Apply(isInt, vr))},
		{Name: "Eloop", Params: []*logic.Term{vthis, vi, vn, vd}, Body: And(Constraint(logic.Lt(vi, logic.IntConst(100000))),
			Or(Call(rEtrunc, vthis, vn, vd), Call(rEloop, vthis, logic.Add(vi, logic.IntConst(1)), vn, vd)))},
		{Name: "Emain", Body: And(Call(rTreadInt, vx), Call(rTreadInt, vy), Constraint(logic.Ne(vy, zero)),
			Call(rTRat, a, b, vn, vd, vh, vn2, vd2, vh2, vthis), Call(rEloop, vthis, zero, vn2, vd2))},
	}}
	return p
}

// delta is the abstraction of section 4.
func delta() *Abstraction {
	a := Bottom(5)
	a.AddPredicate(rEtrunc, divisorIsZero)
	a.AddPredicate(rEloop, divisorIsZero)
	a.AddPredicate(rTRat, stored)
	a.Explicate(rEmain, logic.Implies(logic.And(newDivisorIsZero, stored), logic.Eq(vy, zero)))
	return a
}

func solver(t testing.TB) smt.Solver {
	t.Helper()
	z, err := smt.NewZ3(smt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { z.Close() })
	return z
}

func meter() *budget.Meter { return budget.New(context.Background(), budget.Limits{}, nil) }

func clausesOf(t testing.TB, p *RuleSet) *Clauses {
	t.Helper()
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	c, err := p.Clauses()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Problem.Validate(); err != nil {
		t.Fatal(err)
	}
	return c
}

func least(t testing.TB, p *RuleSet) *LeastModel {
	t.Helper()
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	m, err := Least(p, meter())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestFigure1: the third column is the abstraction of the second by δ, and has no
// derivation; a finer abstraction has none either, a coarser one has.
func TestFigure1(t *testing.T) {
	fixed := rational(true)
	abstract := delta().Abstract(fixed)
	m := least(t, abstract)
	if m.Goal() {
		t.Error("δ is precise enough for the fixed program")
	}
	wanted := map[int][2]int{rTRat: {1, 4}, rEtrunc: {1, 1}, rTreadInt: {0, 1}, rEloop: {1, 3}, rEmain: {0, 5}}
	for r, want := range wanted {
		rule := &abstract.Relations[r]
		literals := 0
		rule.Body.Parts[0].Walk(func(f *Formula) {
			if f.Op == OpCall || f.Op == OpConstraint {
				literals++
			}
		})
		if len(rule.Params) != want[0] || literals != want[1] {
			t.Errorf("%s: %d parameters and %d literals, want %v", rule.Name, len(rule.Params), literals, want)
		}
	}
	// Emain calls TRat with [d' = store(d, this, y)] and Eloop with [select(d', this) = 0].
	main := abstract.Relations[rEmain].Body
	var args []string
	main.Walk(func(f *Formula) {
		for _, a := range f.Args {
			args = append(args, a.Name())
		}
	})
	if want := []string{"[" + stored.String() + "]", "[" + newDivisorIsZero.String() + "]"}; !slices.Equal(args, want) {
		t.Errorf("Emain calls with %v, want %v", args, want)
	}
	explicated := main.Parts[1].Constraint
	boolean := func(h *logic.Term) *logic.Term { return logic.Var("["+h.String()+"]", logic.Bool) }
	if want := logic.Implies(logic.And(boolean(newDivisorIsZero), boolean(stored)), boolean(logic.Eq(vy, zero))); explicated != want {
		t.Errorf("Emain has the clause %s, want %s", explicated, want)
	}
	finer := delta()
	finer.AddPredicate(rEloop, logic.Lt(vi, zero))
	if least(t, finer.Abstract(fixed)).Goal() {
		t.Error("a finer abstraction has a derivation")
	}
	coarser := delta()
	coarser.Interface[rEloop] = nil
	if !least(t, coarser.Abstract(fixed)).Goal() || !least(t, delta().Abstract(rational(false))).Goal() {
		t.Error("without the predicate of Eloop, or with the bug, there is a derivation")
	}
}

// TestFigure2: the trace for the coarsest abstraction is the one printed.
func TestFigure2(t *testing.T) {
	p := rational(true)
	c := clausesOf(t, p)
	trace := least(t, Bottom(5).Abstract(p)).Trace()
	if err := trace.Valid(c.Problem); err != nil {
		t.Fatal(err)
	}
	tree := trace.Unfold(100)
	var names []string
	for _, n := range tree.Nodes {
		names = append(names, p.Relations[c.Relation(n.Clause)].Name)
	}
	if want := []string{"Emain", "TreadInt", "TreadInt", "TRat", "Eloop", "Etrunc"}; !slices.Equal(names, want) {
		t.Errorf("the trace is %v, want %v", names, want)
	}
	flat := Flatten(c.Problem, tree)
	if status, err := smt.CheckAll(context.Background(), solver(t), flat.Formula()); err != nil || status != smt.Unsat {
		t.Errorf("the trace is %v (%v), want unsat", status, err)
	}
}

// TestRational: the bug is found, with its values; the fixed program is proved in two
// rounds with localised cores, whose abstraction is δ.
func TestRational(t *testing.T) {
	for _, source := range []Source{Cores, Interpolants} {
		for _, fixed := range []bool{false, true} {
			p := rational(fixed)
			c := clausesOf(t, p)
			s := solver(t)
			l := &lazy{ctx: context.Background(), solver: s, clauses: c, source: source, meter: meter(), alpha: Bottom(5)}
			r, err := l.result(Options{})
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case fixed && r.Verdict != Underivable, !fixed && r.Verdict != Derivable:
				t.Errorf("%v, fixed %v: %v %s", source, fixed, r.Verdict, r.Reason)
			case fixed && source == Cores:
				if r.Stats.Rounds != 2 {
					t.Errorf("%d rounds, want 2", r.Stats.Rounds)
				}
				if d := delta(); !l.alpha.Below(d) || !d.Below(l.alpha) {
					t.Errorf("the abstraction is %v %v, want δ", l.alpha.Interface, l.alpha.Explicated)
				}
			case fixed:
				t.Logf("with interpolants: %d rounds", r.Stats.Rounds)
			default:
				if err := r.Derivation.Replay(c.Problem); err != nil {
					t.Error(err)
				}
			}
		}
	}
}
