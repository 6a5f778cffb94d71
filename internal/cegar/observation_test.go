package cegar

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// offered tells which actions, "" for a silent step, blocks of a component can do in a state.
func offered(a *predabs.Abstracter, location int, m logic.Model) map[string]bool {
	all := map[string]bool{}
	for _, b := range a.Blocks.Out[location] {
		eachInput(a.Blocks.All[b].Command, func(inputs logic.Model) {
			if _, err := a.Blocks.All[b].Command.Step(m, inputs); err == nil {
				all[a.Actions[b]] = true
			}
		})
	}
	return all
}

// TestOffers compares abstract states with all their concrete ones: where components
// communicate, they agree about what is possible, and everywhere about propositions.
func TestOffers(t *testing.T) {
	solver, err := smt.NewZ3(smt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer solver.Close()
	ctx := context.Background()
	states, refusing := 0, 0
	for seed := range uint64(soak.Seeds(150)) {
		if soak.Skip(int(seed)) {
			continue
		}
		r := rand.New(rand.NewPCG(seed, 71))
		c := randomComponent(r, "p", []string{"a", "b"}, false)
		prop := logic.BVULt(c.System.Vars[0], c.System.Vars[1])
		seen := predabs.Observation{Offers: true, Props: []predabs.Prop{{Name: "p.less", Formula: prop}, {Name: "p.second", At: []int{1}}}}
		a := predabs.NewAbstracter(c, seen, predabs.NewProver(solver))
		if a.Unclear != "" {
			continue
		}
		m := make(predabs.Mapping, len(c.System.Locations))
		m.AddAll(a.Always)
		model, err := a.Build(ctx, m, budget.New(ctx, budget.Limits{}, nil))
		if err != nil {
			t.Fatal(err)
		}
		net, err := model.LKS(false)
		if err != nil {
			t.Fatal(err)
		}
		for s, at := range model.States {
			acts := slices.ContainsFunc(a.Blocks.Out[at.Location], func(b int) bool { return a.Actions[b] != "" })
			may := map[string]bool{}
			for _, step := range model.Out[s] {
				may[a.Actions[step.Block]] = true
			}
			for i := range 16 {
				values := logic.Model{}
				values["px"], _ = logic.Eval(word(i), nil)
				values["py"], _ = logic.Eval(word(i/4), nil)
				if ok, _ := logic.Holds(model.Concrete(int32(s)), values); !ok {
					continue
				}
				states++
				less, _ := logic.Holds(prop, values)
				if got := net.HasProp(int32(s), net.Prop("p.less")); got != less {
					t.Errorf("seed %d: %s: the proposition is %v", seed, model.Describe(int32(s)), got)
				}
				if got := net.HasProp(int32(s), net.Prop("p.second")); got != (at.Location == 1) {
					t.Errorf("seed %d: %s: at 1 is %v", seed, model.Describe(int32(s)), got)
				}
				if !acts {
					continue
				}
				must := offered(a, at.Location, values)
				if len(must) < 2 {
					refusing++
				}
				for _, action := range []string{"", "a", "b"} {
					if may[action] != must[action] {
						t.Errorf("seed %d: %s at %v: %q is possible: %v, abstractly %v", seed, model.Describe(int32(s)), values, action, must[action], may[action])
					}
				}
			}
		}
	}
	t.Logf("%d concrete states, %d that refuse something", states, refusing)
	if refusing == 0 {
		t.Error("nothing is ever refused")
	}
}
