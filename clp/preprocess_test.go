package clp_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"

	. "github.com/seltl/seltl/clp"
)

// size counts the predicates that clauses conclude, and the arguments of calls.
func size(p *horn.Problem) (preds, args int) {
	seen := map[int]bool{}
	for _, c := range p.Clauses {
		if c.Head != nil {
			seen[c.Head.Pred] = true
		}
		for _, a := range c.Body {
			args += len(a.Args)
		}
	}
	return len(seen), args
}

// TestSmaller: random rules made smaller have the verdict of naive evaluation; solutions
// and derivations of them become those of all rules.
func TestSmaller(t *testing.T) {
	pool := common
	s := z3(t)
	n := soak.Long(uint64(40))
	fewer, solved, derived := 0, 0, 0
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 25))
		p := ruleSet(r)
		model := leastModel(p, rulesMax)
		c, err := p.Clauses()
		if err != nil {
			t.Fatal(err)
		}
		small, back, err := Shrink(context.Background(), s, c.Problem)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if err := small.Validate(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		preds, _ := size(c.Problem)
		if now, _ := size(small); now < preds {
			fewer++
		}
		res, err := Decide(context.Background(), OfProblem(small), pool, Options{Method: CAR, NoPasses: true, Rounds: 40})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		found := res.Verdict
		if found == Unknown {
			continue
		}
		if res, err = back(res); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		switch derivable := model[p.Goal][""]; {
		case derivable != (found == Derivable), res.Verdict != found:
			t.Fatalf("seed %d: %v, of all rules %v (%s), the goal is derivable: %v\n%s", seed, found, res.Verdict, res.Reason, derivable, p)
		case derivable:
			if err := res.Derivation.Replay(c.Problem); err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, p)
			}
			derived++
		default:
			if !contains(p, c, res.Solution, model) {
				t.Fatalf("seed %d: %v is no solution\n%s", seed, res.Solution, p)
			}
			if err := CheckSolution(context.Background(), c.Problem, res.Solution, s); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			solved++
		}
	}
	t.Logf("%d of %d have fewer relations; %d solutions, %d derivations", fewer, n, solved, derived)
	if fewer < int(n)/2 || solved < int(n)/8 || derived < int(n)/8 {
		t.Errorf("%d of %d have fewer relations; %d solutions, %d derivations", fewer, n, solved, derived)
	}
}

// TestUnfolded: what calls itself is left, with the arguments that matter; the solution
// speaks of every relation, and says something of those that were replaced.
func TestUnfolded(t *testing.T) {
	const text = `var x, y, z, copy: int; query Bad;
Start(x, z, copy) :- x == 0;
Middle(x, y, copy) :- Start(x, z, copy) && z > 3 && y == z + x;
Loop(x, y, copy) :- Middle(x, y, copy) || Loop(x - 1, y + 1, copy) && y > 0;
After(y, copy) :- Loop(x, y, copy) && x > 100;
Bad() :- After(y, copy) && y > 1000000 && y < 0;
Bad() :- Loop(x, y, copy) && x < 0;`
	p, err := ParseText("test.clp", text)
	if err != nil {
		t.Fatal(err)
	}
	c, err := p.Clauses()
	if err != nil {
		t.Fatal(err)
	}
	small, _, err := Shrink(context.Background(), z3(t), c.Problem)
	if err != nil {
		t.Fatal(err)
	}
	if preds, args := size(small); preds != 1 || args > 4 {
		t.Errorf("%d relations are left, %d arguments\n%s", preds, args, small)
	}
	res := decideText(t, text, Options{Method: CAR})
	if res.Verdict != Underivable || len(res.Solution) != len(c.Problem.Preds) {
		t.Fatalf("%v (%s)", res.Verdict, res.Reason)
	}
	if start := res.Solution[0]; start.IsTrue() || start.IsFalse() {
		t.Errorf("Start: %s", start)
	}
}

// TestNeeded: of a solution with conjuncts that do not matter, a solution without them is
// left.
func TestNeeded(t *testing.T) {
	p, err := ParseText("test.clp", `var x, y, z: int; query Bad;
Loop(x, y, z) :- x == 0 && y == 0 && z == 0 || Loop(x - 1, y - 1, z - 1) && x <= 100;
Bad() :- Loop(x, y, z) && x > 100 && y != x;`)
	if err != nil {
		t.Fatal(err)
	}
	c, err := p.Clauses()
	if err != nil {
		t.Fatal(err)
	}
	s := z3(t)
	v := c.Problem.Preds[0].Params
	zero, hundred := logic.IntConst(0), logic.IntConst(101)
	all := horn.Solution{logic.And(logic.Le(v[0], hundred), logic.Eq(v[0], v[1]), logic.Ge(v[2], zero), logic.Le(v[1], hundred), logic.Ge(v[0], zero))}
	if err := CheckSolution(context.Background(), c.Problem, all, s); err != nil {
		t.Fatal(err)
	}
	some, err := Needed(context.Background(), s, c.Problem, all)
	if err != nil {
		t.Fatal(err)
	}
	if want := logic.Eq(v[0], v[1]); some[0] != want {
		t.Errorf("%s is left, not %s", some[0], want)
	}
}
