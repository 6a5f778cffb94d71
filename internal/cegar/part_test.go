package cegar

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// randomPart walks along blocks from the start, with branches, and needs something at some of
// its nodes.
func randomPart(r *rand.Rand, a *predabs.Abstracter) *part {
	p := &part{of: a, nodes: []node{{parent: -1, block: -1}}}
	defer func() {
		for n := range p.nodes {
			if r.IntN(4) == 0 {
				p.nodes[n].holds = logic.Not(logic.Eq(a.Component.System.Vars[r.IntN(2)], word(r.IntN(4))))
			}
		}
	}()
	for range 1 + r.IntN(5) {
		n := r.IntN(len(p.nodes))
		out := a.Blocks.Out[p.nodes[n].location]
		if len(out) == 0 {
			continue
		}
		b := out[r.IntN(len(out))]
		p.nodes[n].children = append(p.nodes[n].children, len(p.nodes))
		p.nodes = append(p.nodes, node{parent: n, block: b, location: a.Blocks.All[b].To})
	}
	return p
}

// follows tries all inputs.
func follows(p *part, n, location int, m logic.Model) bool {
	if f := p.nodes[n].holds; f != nil {
		if ok, err := logic.Holds(f, m); !ok || err != nil {
			return false
		}
	}
	for _, child := range p.nodes[n].children {
		some := false
		for _, b := range p.of.Blocks.Out[location] {
			if b != p.nodes[child].block {
				continue
			}
			block := p.of.Blocks.All[b]
			eachInput(block.Command, func(inputs logic.Model) {
				if next, err := block.Command.Step(m, inputs); err == nil && !some {
					some = follows(p, child, block.To, next)
				}
			})
		}
		if !some {
			return false
		}
	}
	return true
}

func eachInput(c *program.Command, try func(logic.Model)) {
	inputs := logic.Model{}
	var choose func(i int)
	choose = func(i int) {
		if i == len(c.Inputs) {
			try(inputs)
			return
		}
		values := []logic.Value{logic.BoolValue(false), logic.BoolValue(true)}
		if c.Inputs[i].Sort() == small {
			values = nil
			for k := range 4 {
				v, _ := logic.Eval(word(k), nil)
				values = append(values, v)
			}
		}
		for _, v := range values {
			inputs[c.Inputs[i].Name()] = v
			choose(i + 1)
		}
	}
	choose(0)
}

// TestPart compares feasible with all inputs tried (theorem 13).
func TestPart(t *testing.T) {
	solver, err := smt.NewZ3(smt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer solver.Close()
	ctx := context.Background()
	var can, cannot int
	for seed := range uint64(soak.Seeds(400)) {
		if soak.Skip(int(seed)) {
			continue
		}
		r := rand.New(rand.NewPCG(seed, 6))
		a := predabs.NewAbstracter(randomComponent(r, "p", []string{"a", "b"}, false), predabs.Observation{}, predabs.NewProver(solver))
		p := randomPart(r, a)
		start := false
		for i := range 16 {
			m := logic.Model{}
			m["px"], _ = logic.Eval(word(i), nil)
			m["py"], _ = logic.Eval(word(i/4), nil)
			if ok, _ := logic.Holds(a.Blocks.Init[0], m); ok {
				start = start || follows(p, 0, 0, m)
			}
		}
		status, run, reason, err := p.feasible(ctx, solver)
		if err != nil || (status == smt.Sat) != start || status == smt.Unknown {
			t.Errorf("seed %d: %v %s %v, wanted %v", seed, status, reason, err, start)
		}
		if status == smt.Sat && len(run.states) != len(p.nodes) {
			t.Errorf("seed %d: %d states", seed, len(run.states))
		}
		if start {
			can++
		} else {
			cannot++
		}
	}
	if t.Logf("%d parts can be followed, %d cannot", can, cannot); can == 0 || cannot == 0 {
		t.Error("the cases do not tell the two apart")
	}
}
