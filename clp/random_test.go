package clp_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/testing/soak"

	. "github.com/seltl/seltl/clp"
)

// TestLeastModel: the least models of random rules of CLP(B) are those of naive evaluation,
// and derivations are as low as the rounds say.
func TestLeastModel(t *testing.T) {
	derived := 0
	n := soak.Cases(uint64(6000))
	for seed := range n {
		p := booleanRules(rand.New(rand.NewPCG(seed, 20)))
		if err := p.Validate(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		m, err := Least(p, budget.New(context.Background(), budget.Limits{}, nil))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		want := leastModel(p, 1)
		for i, r := range p.Relations {
			for bits := range 1 << len(r.Params) {
				values, text := make([]bool, len(r.Params)), ""
				for k := range values {
					values[k] = bits>>k&1 == 1
					text += fmt.Sprint(values[k]) + ";"
				}
				if m.Holds(i, values...) != want[i][text] {
					t.Fatalf("seed %d: %s(%s) is %v\n%s", seed, r.Name, text, m.Holds(i, values...), p)
				}
			}
		}
		trace := m.Trace()
		if (trace != nil) != m.Goal() {
			t.Fatalf("seed %d: a trace is there: %v, the goal holds: %v", seed, trace != nil, m.Goal())
		}
		if trace == nil {
			continue
		}
		derived++
		c, err := p.Clauses()
		if err != nil {
			t.Fatal(err)
		}
		if err := trace.Valid(c.Problem); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p)
		}
	}
	if derived < int(n)/10 || derived > int(n)*9/10 {
		t.Errorf("%d of %d goals have a derivation", derived, n)
	}
}
