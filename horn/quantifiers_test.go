package horn_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"

	. "github.com/seltl/seltl/horn"
)

// qFormula is a formula over Booleans: its text, and its value.
type qFormula struct {
	text       string
	quantified bool
	holds      func(env map[string]bool) bool
}

// with gives a name a value.
func with(env map[string]bool, name string, value bool) map[string]bool {
	inner := map[string]bool{name: value}
	for n, v := range env {
		if n != name {
			inner[n] = v
		}
	}
	return inner
}

func qRandom(r *rand.Rand, depth int) qFormula {
	name := string("abc"[r.IntN(3)])
	if depth == 0 {
		return qFormula{name, false, func(env map[string]bool) bool { return env[name] }}
	}
	x, y := qRandom(r, depth-1), qRandom(r, depth-1)
	op := []string{"and", "or", "=>", "=", "not", "let", "ite", "forall", "exists", "xor"}[r.IntN(10)]
	f := qFormula{fmt.Sprintf("(%s %s %s)", op, x.text, y.text), x.quantified || y.quantified, nil}
	switch op {
	case "and":
		f.holds = func(env map[string]bool) bool { return x.holds(env) && y.holds(env) }
	case "or":
		f.holds = func(env map[string]bool) bool { return x.holds(env) || y.holds(env) }
	case "=>":
		f.holds = func(env map[string]bool) bool { return !x.holds(env) || y.holds(env) }
	case "=":
		f.holds = func(env map[string]bool) bool { return x.holds(env) == y.holds(env) }
	case "xor":
		f.holds = func(env map[string]bool) bool { return x.holds(env) != y.holds(env) }
	case "not":
		f = qFormula{"(not " + x.text + ")", x.quantified, func(env map[string]bool) bool { return !x.holds(env) }}
	case "let":
		f.text = fmt.Sprintf("(let ((%s %s)) %s)", name, x.text, y.text)
		f.holds = func(env map[string]bool) bool { return y.holds(with(env, name, x.holds(env))) }
	case "ite":
		z := qRandom(r, depth-1)
		f = qFormula{fmt.Sprintf("(ite %s %s %s)", z.text, x.text, y.text), f.quantified || z.quantified, func(env map[string]bool) bool {
			if z.holds(env) {
				return x.holds(env)
			}
			return y.holds(env)
		}}
	case "forall", "exists":
		f = qFormula{fmt.Sprintf("(%s ((%s Bool)) %s)", op, name, x.text), true, func(env map[string]bool) bool {
			a, b := x.holds(with(env, name, true)), x.holds(with(env, name, false))
			return a && b || op == "exists" && (a || b)
		}}
	}
	return f
}

// TestQuantifiersNaive: assertions with quantifiers are true where their clauses are.
func TestQuantifiersNaive(t *testing.T) {
	read, quantified, refuted := 0, 0, 0
	for seed := range soak.Cases(uint64(6000)) {
		r := gen.Rand(seed)
		f := qRandom(r, 2+r.IntN(3))
		p, err := ParseText("p", "(assert (forall ((a Bool) (b Bool) (c Bool)) "+f.text+"))")
		if err != nil {
			if !f.quantified {
				t.Fatalf("seed %d: %v", seed, err)
			}
			continue
		}
		read++
		want := true
		for i := range 8 {
			want = want && f.holds(map[string]bool{"a": i&1 > 0, "b": i&2 > 0, "c": i&4 > 0})
		}
		got := true
		for _, c := range p.Clauses {
			vars := logic.Vars(c.Constraint)
			for i := range 1 << len(vars) {
				m := logic.Model{}
				for k, v := range vars {
					m[v.Name()] = logic.BoolValue(i>>k&1 > 0)
				}
				if holds, err := logic.Holds(c.Constraint, m); err != nil || holds {
					got = false
				}
			}
		}
		if got != want {
			t.Fatalf("seed %d: %s is %v, and its clauses are %v\n%s", seed, f.text, want, got, p)
		}
		if f.quantified {
			if quantified++; !want {
				refuted++
			}
		}
	}
	t.Log(read, quantified, refuted)
	if n := soak.Cases(6000); quantified < n/8 || refuted < n/50 || quantified-refuted < n/150 {
		t.Errorf("%d are read, %d with quantifiers, of which %d are false", read, quantified, refuted)
	}
}
