package cegar

import (
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// TestRepresentations is theorem 4 and 3.4 of [Chaki05], state by state: what operations on
// representations give is what they give for sets.
func TestRepresentations(t *testing.T) {
	inside := 0
	for seed := range uint64(soak.Seeds(200)) {
		if soak.Skip(int(seed)) {
			continue
		}
		r := rand.New(rand.NewPCG(seed, 4))
		c := randomComponent(r, "p", []string{"a", "b"}, false)
		a := predabs.NewAbstracter(c, predabs.Observation{}, nil)
		all := predabs.NewRepresentation(a, logic.True())
		some := func() *predabs.Representation {
			out := all.Restrict(logic.BVULe(c.System.Vars[0], word(r.IntN(4))))
			for l := range out.At {
				if r.IntN(3) == 0 {
					out.At[l] = logic.Eq(c.System.Vars[1], word(r.IntN(4)))
				}
			}
			return out
		}
		x, y := some(), some()
		not, or, and, init := x.Complement(), x.Union(y), x.Intersection(y), predabs.InitialStates(a)
		where := logic.Eq(c.System.Vars[0], c.System.Vars[1])
		restricted := x.Restrict(where)
		pre := map[string]*predabs.Representation{"": x.PreImage(""), "a": x.PreImage("a")}
		for l := range c.System.Locations {
			for i := range 16 {
				m := logic.Model{}
				m["px"], _ = logic.Eval(word(i), nil)
				m["py"], _ = logic.Eval(word(i/4), nil)
				in := func(s *predabs.Representation) bool {
					ok, err := logic.Holds(s.At[l], m)
					if err != nil {
						t.Fatal(err)
					}
					return ok
				}
				here, there := in(x), in(y)
				diagonal, _ := logic.Holds(where, m)
				initial, _ := logic.Holds(c.System.Init[0].Where, m)
				if !in(all) || in(not) == here || in(or) != (here || there) || in(and) != (here && there) || in(restricted) != (here && diagonal) || in(init) != (l == 0 && initial) {
					t.Fatalf("seed %d: location %d, %v", seed, l, m)
				}
				for action, set := range pre {
					want := false
					for k, b := range a.Blocks.All {
						if b.From == l && a.Actions[k] == action {
							eachInput(b.Command, func(inputs logic.Model) {
								if next, err := b.Command.Step(m, inputs); err == nil {
									ok, _ := logic.Holds(x.At[b.To], next)
									want = want || ok
								}
							})
						}
					}
					// Inputs of a pre-image stand for any value.
					got := false
					free := &program.Command{Inputs: without(logic.Vars(set.At[l]), c.System.Vars)}
					eachInput(free, func(inputs logic.Model) {
						whole := logic.Model{"px": m["px"], "py": m["py"]}
						for name, v := range inputs {
							whole[name] = v
						}
						ok, _ := logic.Holds(set.At[l], whole)
						got = got || ok
					})
					if got != want {
						t.Fatalf("seed %d: pre-image of %q at location %d, %v: %v, wanted %v", seed, action, l, m, got, want)
					}
					if got {
						inside++
					}
				}
			}
		}
	}
	if inside == 0 {
		t.Error("no pre-image has a state")
	}
}

// without returns the terms that are not among others.
func without(all, others []*logic.Term) (out []*logic.Term) {
	for _, v := range all {
		known := false
		for _, o := range others {
			known = known || o == v
		}
		if !known {
			out = append(out, v)
		}
	}
	return out
}
