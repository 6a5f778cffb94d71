package clp

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// The lemmas and laws of [Flanagan04] on random rules. Lemma 1 (a derivable goal has a
// satisfiable trace, and no other has one) and lemma 5 (answers are correct) are
// TestRandomRules.

// counting is a random rule set with a loop, a disjunction and two calls in a rule.
func counting(r *rand.Rand) *RuleSet {
	x, y, z := logic.Var("x", logic.Int), logic.Var("y", logic.Int), logic.Var("z", logic.Int)
	num := func(n int) *logic.Term { return logic.IntConst(int64(n)) }
	step, start, limit := 1+r.IntN(3), r.IntN(3), r.IntN(8)
	goal := logic.Ge(logic.Add(x, y), num(limit))
	if r.IntN(2) == 0 {
		goal = logic.Lt(logic.Add(x, y), num(-limit))
	}
	return &RuleSet{Goal: 2, Relations: []Relation{
		{Name: "P", Params: []*logic.Term{x}, Body: Or(Constraint(logic.Eq(x, num(start))),
			And(Constraint(logic.Le(x, num(limit))), Call(0, logic.Sub(x, num(step)))))},
		{Name: "Q", Params: []*logic.Term{x, y}, Body: And(Call(0, x), Or(Constraint(logic.Eq(y, logic.Add(x, num(step)))), Call(0, y)))},
		{Name: "goal", Body: And(Call(1, x, z), Call(0, y), Constraint(logic.Ge(z, num(start))), Constraint(goal))},
	}}
}

// someAbstraction is a random abstraction whose explicated formulas are true of all values.
func someAbstraction(r *rand.Rand, p *RuleSet) *Abstraction {
	a := Bottom(len(p.Relations))
	for i, rel := range p.Relations {
		for _, v := range rel.Params {
			for range r.IntN(3) {
				a.AddPredicate(i, logic.Le(v, logic.IntConst(int64(r.IntN(6)-1))))
			}
		}
		x, y := logic.Var("x", logic.Int), logic.Var("y", logic.Int)
		for range r.IntN(3) {
			k := int64(r.IntN(5))
			a.Explicate(i, logic.Or(logic.Gt(x, logic.IntConst(k)), logic.Le(x, logic.IntConst(k+int64(r.IntN(3))))))
			a.Explicate(i, logic.Or(logic.Ne(x, y), logic.Gt(x, logic.IntConst(k)), logic.Le(y, logic.IntConst(k))))
		}
	}
	return a
}

// TestLemmas2To4: what is derivable stays so when it is abstracted, and when an abstraction
// is made coarser; a trace of the abstraction is one of the rules, and derivable there under
// the replicated abstraction.
func TestLemmas2To4(t *testing.T) {
	s := solver(t)
	derivable := 0
	n := soak.Long(uint64(40))
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 22))
		p := counting(r)
		c := clausesOf(t, p)
		a, b := someAbstraction(r, p), someAbstraction(r, p)
		trace := least(t, a.Abstract(p)).Trace()
		if least(t, a.Join(b).Abstract(p)).Goal() && trace == nil {
			t.Fatalf("seed %d: lemma 3: the join has a derivation, and less has none", seed)
		}
		l := &lazy{ctx: context.Background(), solver: s, clauses: c, meter: meter(), alpha: Bottom(3)}
		if res, err := l.result(Options{Rounds: 30}); err != nil {
			t.Fatal(err)
		} else if res.Verdict == Derivable {
			if derivable++; trace == nil {
				t.Fatalf("seed %d: lemma 2: derivable, but not abstractly", seed)
			}
		}
		if trace == nil {
			continue
		}
		if err := trace.Valid(c.Problem); err != nil {
			t.Fatalf("seed %d: lemma 4: %v", seed, err)
		}
		variants, base := c.TraceRules(trace.Unfold(maxTree))
		if !least(t, a.Replicate(base).Abstract(variants)).Goal() {
			t.Fatalf("seed %d: lemma 4: the trace is none under the replicated abstraction", seed)
		}
	}
	if derivable < int(n)/12 {
		t.Errorf("only %d of %d goals are derivable", derivable, n)
	}
}

// TestLemmas6To8: a flattened trace is satisfiable if and only if the trace as rules of its
// own is derivable; an explanation excludes its trace, and CAR asks about no trace twice.
func TestLemmas6To8(t *testing.T) {
	s := solver(t)
	explained := 0
	n := soak.Long(uint64(20))
	for seed := range n {
		s.Reset() // the assumptions of all earlier questions stay with the child
		r := rand.New(rand.NewPCG(seed, 23))
		p := counting(r)
		c := clausesOf(t, p)
		l := &lazy{ctx: context.Background(), solver: s, clauses: c, source: Source(r.IntN(2)), meter: meter(), alpha: Bottom(3)}
		seen := map[string]bool{}
		for round := range 25 {
			var account Round
			trace, found, err := l.Check(round, &account)
			if err != nil || !found {
				break
			}
			if text := fmt.Sprint(trace.Unfold(maxTree)); seen[text] {
				t.Fatalf("seed %d: lemma 6: the same trace again: %s", seed, text)
			} else {
				seen[text] = true
			}
			ends, err := l.Validate(trace, &account)
			if err != nil {
				break
			}
			variants, own := c.TraceRules(l.tree)
			vc := clausesOf(t, variants)
			tree := &Trace{}
			for i, n := range l.tree.Nodes {
				tree.Nodes = append(tree.Nodes, Node{Clause: i, Calls: n.Calls})
			}
			flat, err := smt.CheckAll(l.ctx, s, Flatten(vc.Problem, tree).Formula())
			if err != nil || (flat == smt.Sat) != ends {
				t.Fatalf("seed %d: lemma 7: flattened it is %v, a derivation: %v", seed, flat, ends)
			}
			if ends {
				break
			}
			explained++
			gamma, err := l.explanation.Abstraction(l.ctx, s, vc, tree)
			if err != nil {
				t.Fatal(err)
			}
			if least(t, gamma.Abstract(variants)).Goal() {
				t.Fatalf("seed %d: lemma 8: the trace is derivable under what explains that it is none", seed)
			}
			laws(t, seed, gamma, own, len(p.Relations))
			if ok, err := l.Refine(trace, &account); err != nil || !ok {
				t.Fatalf("seed %d: lemma 6: nothing is learnt (%v)", seed, err)
			}
		}
	}
	if explained < int(n) {
		t.Errorf("only %d traces of %d rule sets were explained", explained, n)
	}
}

// laws are those of section 4.3.
func laws(t *testing.T, seed uint64, a *Abstraction, base []int, relations int) {
	same := func(a, b *Abstraction) bool { return a.Below(b) && b.Below(a) }
	c := a.Collapse(base, relations)
	if !a.Below(c.Replicate(base)) {
		t.Fatalf("seed %d: not below replicate(collapse)", seed)
	}
	if !same(c, c.Replicate(base).Collapse(base, relations)) {
		t.Fatalf("seed %d: collapse(replicate) is another abstraction", seed)
	}
	more := a.Join(a)
	more.AddPredicate(0, logic.Eq(logic.Var("x", logic.Int), logic.IntConst(77)))
	if !same(a, a.Join(a)) || !a.Below(more) || !c.Below(more.Collapse(base, relations)) || !c.Replicate(base).Below(more.Collapse(base, relations).Replicate(base)) {
		t.Fatalf("seed %d: collapse or replicate is not monotonic", seed)
	}
}
