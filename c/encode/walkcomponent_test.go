package encode

import (
	"fmt"
	"math/big"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

func plusOne(v logic.Value) logic.Value {
	n := new(big.Int).Add(v.Num().Num(), big.NewInt(1))
	return asWord(logic.NumValue(new(big.Rat).SetInt(n), logic.Int), v.Sort())
}

// walkComponent walks at random through a component, choosing among the edges that are
// possible; nil if it gets lost. At most so many steps.
func walkComponent(rng *rand.Rand, e *Encoding, sys *program.System, most int) *program.Trace {
	out := make([][]int, len(sys.Locations))
	for i, edge := range sys.Edges {
		out[edge.From] = append(out[edge.From], i)
	}
	random := func(x *logic.Term, small bool) logic.Value {
		if x.Sort().Kind() == logic.ArrayKind {
			return logic.Zero(x.Sort())
		}
		n := big.NewInt(int64(rng.Intn(4)) - 1)
		if !small {
			n = new(big.Int).SetUint64(rng.Uint64() >> rng.Intn(64))
		}
		return asWord(logic.NumValue(new(big.Rat).SetInt(n), logic.Int), x.Sort())
	}
	w := &walker{e: e, rng: rng}
	state := w.first()
	for _, p := range e.Entry.Params {
		for _, c := range e.memory.ofVar(p).sorted() {
			if x := c.variable(e.memory, words{}); state[x.Name()].Sort() != nil {
				state[x.Name()] = random(x, true)
			}
		}
	}
	if g := e.memory.given; g != nil {
		for _, v := range slices.Concat(e.Entry.Params, g.objects) {
			for _, c := range e.memory.ofVar(v).sorted() {
				x := c.variable(e.memory, words{})
				if state[x.Name()].Sort() == nil || v.Kind != ir.Param && c.obj.v.Type.Kind != ir.Struct {
					continue
				}
				if to := g.to(v, c.key.off); to != nil && (v.Kind == ir.Param || rng.Intn(2) == 0) {
					state[x.Name()] = logic.NumValue(new(big.Rat).SetInt(new(big.Int).SetUint64(e.memory.ofVar(to).base)), x.Sort())
				} else if to == nil {
					state[x.Name()] = random(x, true)
				}
			}
		}
	}
	if ok, err := logic.Holds(sys.Init[0].Where, state); !ok || err != nil {
		return nil
	}
	t := &program.Trace{Start: sys.Init[0].Location}
	t.States = append(t.States, state)
	at := t.Start
	for len(t.Edges) < most {
		found := false
		for try := 0; try < 40 && !found; try++ {
			if len(out[at]) == 0 {
				break
			}
			i := out[at][rng.Intn(len(out[at]))]
			inputs := logic.Model{}
			for _, x := range sys.Edges[i].Command.Inputs {
				inputs[x.Name()] = random(x, try%3 != 0)
				if strings.HasPrefix(x.Name(), "start!") {
					inputs[x.Name()] = logic.Zero(x.Sort()) // see walker.step
				}
			}
			next, err := sys.Edges[i].Command.Step(state, inputs)
			if err != nil {
				continue
			}
			if e.Lost[sys.Edges[i].To] != "" {
				return t
			}
			for _, x := range sys.Edges[i].Command.Inputs {
				known := strings.HasPrefix(x.Name(), "start!")
				for _, name := range e.edges[i].words {
					known = known || name == x.Name()
				}
				if !known { // any value, which the machine computes
					return t
				}
			}
			found, state, at = true, next, sys.Edges[i].To
			t.Edges, t.States, t.Inputs = append(t.Edges, i), append(t.States, next), append(t.Inputs, inputs)
		}
		if !found {
			break
		}
	}
	return t
}

// abstractions makes random ones for routines.
func randomContext(rng *rand.Rand, routines []string) *written {
	w := &written{failure: []string{"error"}, routines: map[string][]writtenAbstraction{}, returns: []writtenClass{{"pos", []string{"$0 > 0"}}, {"rest", []string{"!$0 > 0"}}}}
	machine := func() (moves []writtenMove) {
		states := 1 + rng.Intn(3)
		for from := range states {
			for k := 0; k < 1+rng.Intn(2); k++ {
				to := rng.Intn(states+1) - 1
				m := writtenMove{from: from, to: to, do: []string{"", "a", "b", "c"}[rng.Intn(4)]}
				if to == Stop && rng.Intn(2) == 0 {
					m.do = fmt.Sprintf("return $0 %s %d", []string{"==", "<", "!=", ">="}[rng.Intn(4)], rng.Intn(3))
				}
				if rng.Intn(3) == 0 {
					m.guard = []string{"1", "g0 > 0", "g0 > 0 || g1 == 1", "(g1 ? g0 : 2) < 1"}[rng.Intn(4)]
				}
				moves = append(moves, m)
			}
			if rng.Intn(4) == 0 {
				moves = append(moves, writtenMove{from: from, to: rng.Intn(states+1) - 1, do: "g0 := " + []string{"1", "g1 - 1", "g0 == 0 ? 2 : 0"}[rng.Intn(3)]})
			}
		}
		return moves
	}
	for _, name := range routines {
		if rng.Intn(2) == 0 {
			w.routines[name] = []writtenAbstraction{{"", machine()}}
		} else {
			w.routines[name] = []writtenAbstraction{{"g1 > 0", machine()}, {"!(g1 > 0)", machine()}}
		}
	}
	return w
}

// TestComponentMachine: a random walk through the component of a random procedure, with
// random abstractions of the routines that it calls, is what package machine does with
// the same choices: step by step, in words and, where nothing overflows, in numbers.
func TestComponentMachine(t *testing.T) {
	steps, actions, refused, whole := 0, map[string]int{}, 0, 0
	for seed := range soak.Cases(60) {
		rng := rand.New(rand.NewSource(int64(seed)))
		text, routines := gen.CProcedure(rng)
		e, err := encodedComponent(text, "proc", randomContext(rng, routines))
		if err != nil {
			refused++
			t.Logf("seed %d: %v", seed, err)
			continue
		}
		for _, sys := range []*program.System{e.Words, e.Numbers} {
			if err := e.Component(sys).Validate(); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		for range 6 {
			trace := walkComponent(rng, e, e.Words, 1+rng.Intn(300))
			if trace == nil {
				continue
			}
			if _, err := e.ReplayComponent(e.Words, trace); err != nil {
				t.Fatalf("seed %d of gen.CProcedure: %v\n%s\n%s", seed, err, text, trace.Explain(e.Words))
			}
			steps += len(trace.Edges)
			for _, i := range trace.Edges {
				actions[e.edges[i].action]++
			}
			if n := len(trace.Edges); n > 0 && e.Words.Locations[e.Words.Edges[trace.Edges[n-1]].To].Name == "end" {
				whole++
			}
		}
	}
	t.Log(steps, "steps", actions, refused, "refused", whole, "to the end")
	for _, a := range []string{"", "a", "b", "c", "pos", "rest"} {
		if actions[a] == 0 {
			t.Errorf("no walk performed %q", a)
		}
	}
	if refused > 20 || whole == 0 {
		t.Errorf("%d refused, %d to the end", refused, whole)
	}
}
