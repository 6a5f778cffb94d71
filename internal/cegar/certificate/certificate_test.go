package certificate

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

var x, in = logic.Var("x", logic.Int), logic.Var("in", logic.Int)

// edge is an edge of a component for tests.
type edge struct {
	from, to int
	action   string
	guard    *logic.Term // nil is true
	x        *logic.Term // what x becomes, nil for x
}

// component begins at location 0 with x = 0.
func component(name string, locations int, alphabet []string, ends []int, edges ...edge) *program.Component {
	c := &program.Component{Name: name, System: &program.System{Name: name, Vars: []*logic.Term{x}}, Alphabet: alphabet, Ends: ends}
	for l := range locations {
		c.System.Locations = append(c.System.Locations, program.Location{Name: string(rune('A' + l))})
	}
	c.System.Init = []program.Region{{Where: logic.Eq(x, logic.IntConst(0))}}
	for i, e := range edges {
		command := &program.Command{Inputs: []*logic.Term{in}, Guard: logic.True()}
		if e.guard != nil {
			command.Guard = e.guard
		}
		if e.x != nil {
			command.Update = map[*logic.Term]*logic.Term{x: e.x}
		}
		c.System.Edges = append(c.System.Edges, program.Edge{Name: "e" + string(rune('0'+i)), From: e.from, To: e.to, Command: command})
		c.Actions = append(c.Actions, e.action)
	}
	return c
}

// plain is an abstraction without predicates: one state at each of some locations; steps are
// by state.
func plain(c *program.Component, at []int, steps ...[]Step) Component {
	out := Component{Name: c.Name, Initial: []int{0}}
	for i, l := range at {
		out.Cuts = append(out.Cuts, Cut{Location: l})
		s := State{Location: l}
		if i < len(steps) {
			s.Steps = steps[i]
		}
		out.States = append(out.States, s)
	}
	return out
}

// check checks a certificate after writing and reading it.
func check(t *testing.T, task *Task, parts ...Component) error {
	t.Helper()
	s, err := smt.NewZ3(smt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var text bytes.Buffer
	c := &Certificate{Question: task.Question, Components: parts}
	if err := c.Write(&text, task.Components); err != nil {
		t.Fatal(err)
	}
	again, err := Read(&text, task.Components)
	if err != nil {
		t.Fatal(err)
	}
	return Check(context.Background(), task, again, s, budget.New(context.Background(), budget.Limits{}, nil))
}

// refused demands that a certificate is refused, with a text.
func refused(t *testing.T, err error, wanted string) {
	t.Helper()
	var r *Refused
	if !errors.As(err, &r) || !strings.Contains(err.Error(), wanted) {
		t.Errorf("%v; wanted that it is refused: %s", err, wanted)
	}
}

func step(action string, to int) Step { return Step{Action: action, To: to} }

// TestEndOffers: one that has ended offers nothing, and does not go round for ever: whoever
// waits for it is stuck.
func TestEndOffers(t *testing.T) {
	p := component("p", 2, []string{"a"}, []int{1}, edge{from: 0, to: 1})
	q := component("q", 2, []string{"a"}, []int{1}, edge{from: 0, to: 1, action: "a"})
	task := &Task{Question: Deadlock, Components: []*program.Component{p, q}}
	waits := plain(q, []int{0, 1}, []Step{step("a", 1)})
	refused(t, check(t, task, plain(p, []int{0, 1}, []Step{step("", 1)}), waits), "something is possible, or all have ended")
	refused(t, check(t, task, plain(p, []int{0, 1}, []Step{step("", 1)}, []Step{step("", 1)}), waits), "a silent step is always possible")
	refused(t, check(t, task, plain(p, []int{0, 1}, []Step{step("", 1)}, []Step{step("a", 1)}), waits), "a is always possible")
	refused(t, check(t, task, plain(p, []int{0, 1}, []Step{step("", 1), step("a", 0)}), waits), "a is always possible")
	task.Components[1] = component("q", 2, nil, []int{1}, edge{from: 0, to: 1, action: ""})
	if err := check(t, task, plain(p, []int{0, 1}, []Step{step("", 1)}), plain(q, []int{0, 1}, []Step{step("", 1)})); err != nil {
		t.Error(err)
	}
}

// TestOffersAgree: a guard that some stores of a state satisfy offers nothing that all have.
func TestOffersAgree(t *testing.T) {
	positive := logic.Ge(x, logic.IntConst(1))
	c := component("p", 3, []string{"a"}, []int{2}, edge{from: 0, to: 1, x: in}, edge{from: 1, to: 2, action: "a", guard: positive})
	task := &Task{Question: Deadlock, Components: []*program.Component{c}}
	merged := plain(c, []int{0, 1, 2}, []Step{step("", 1)}, []Step{step("a", 2)})
	refused(t, check(t, task, merged), "a is always possible")
	apart := plain(c, []int{0, 1, 2}, []Step{step("", 1), step("", 3)}, []Step{step("a", 2)})
	apart.Cuts[1].Predicates = []*logic.Term{positive}
	apart.States[1].Holds = []bool{true}
	apart.States = append(apart.States, State{Location: 1, Holds: []bool{false}})
	refused(t, check(t, task, apart), "something is possible")
	// A choice of an input that has a value to be chosen is possible, one that depends on a
	// variable is if the input can be eliminated.
	c.System.Edges[1].Command.Guard = logic.Eq(in, logic.IntConst(3))
	if err := check(t, task, merged); err != nil {
		t.Error(err)
	}
	c.System.Edges[1].Command.Guard = logic.And(logic.Ge(in, logic.IntConst(3)), logic.Lt(in, logic.IntConst(3)))
	refused(t, check(t, task, merged), "a is always possible")
	c.System.Edges[1].Command.Guard = logic.Ge(in, x)
	if err := check(t, task, merged); err != nil {
		t.Error(err)
	}
	c.System.Edges[1].Command.Guard = logic.Eq(logic.Mul(in, in), x)
	refused(t, check(t, task, merged), "a is always possible")
}

// TestCycleWithoutStates: a run must not leave the abstraction for ever.
func TestCycleWithoutStates(t *testing.T) {
	c := component("p", 3, nil, nil, edge{from: 0, to: 1}, edge{from: 1, to: 2}, edge{from: 2, to: 1})
	task := &Task{Question: Conformance, Spec: spec(t, "S"), Components: []*program.Component{c}}
	refused(t, check(t, task, plain(c, []int{0})), "every cycle has a state")
	if err := check(t, task, plain(c, []int{0, 1}, []Step{step("", 1)}, []Step{step("", 1)})); err != nil {
		t.Error(err)
	}
}

// TestLost: what leaves what is modelled is refused, if it is reached.
func TestLost(t *testing.T) {
	c := component("p", 2, nil, nil, edge{from: 0, to: 1, guard: logic.Eq(x, logic.IntConst(1))}, edge{from: 0, to: 0})
	c.Lost = map[int]string{1: "for a test"}
	task := &Task{Question: Conformance, Spec: spec(t, "S"), Components: []*program.Component{c}}
	refused(t, check(t, task, plain(c, []int{0, 1}, []Step{step("", 0), step("", 1)})), "for a test")
	known := plain(c, []int{0}, []Step{step("", 0)})
	refused(t, check(t, task, known), "the steps of the state are all that there are")
	known.Cuts[0].Predicates, known.States[0].Holds = []*logic.Term{logic.Eq(x, logic.IntConst(0))}, []bool{true}
	if err := check(t, task, known); err != nil {
		t.Error(err)
	}
}

// TestAtReturns: a loop through a place that is left for a while is not always there.
func TestAtReturns(t *testing.T) {
	c := component("p", 2, nil, nil, edge{from: 0, to: 1}, edge{from: 1, to: 0})
	at := ltl.AtomOf(ltl.Atom{Kind: ltl.Prop, Name: "at"})
	task := &Task{Question: Satisfaction, Formula: ltl.MakeAlways(at), Components: []*program.Component{c}, Props: [][]Prop{{{Name: "at", At: []int{0}}}}}
	stays := plain(c, []int{0}, []Step{step("", 0)})
	stays.States[0].Props = []string{"at"}
	refused(t, check(t, task, stays), "the steps of the state are all that there are")
	leaves := plain(c, []int{0, 1}, []Step{step("", 1)}, []Step{step("", 0)})
	leaves.States[0].Props = []string{"at"}
	refused(t, check(t, task, leaves), "every run satisfies the formula")
	task.Formula = ltl.MakeAlways(ltl.MakeEventually(at))
	if err := check(t, task, leaves); err != nil {
		t.Error(err)
	}
	task.Formula = ltl.MakeNext(at)
	refused(t, check(t, task, leaves), "does not notice silent steps")
}

// spec is a specification: transitions are FROM ACTION TO, states that begin with "e" are END.
func spec(t *testing.T, first string, transitions ...[3]string) *lks.LKS {
	b := lks.NewBuilder("spec")
	ids := map[string]int32{}
	state := func(name string) int32 {
		if _, known := ids[name]; !known {
			kind := lks.Normal
			if name[0] == 'e' {
				kind = lks.End
			}
			ids[name] = b.StateID(kind, nil)
		}
		return ids[name]
	}
	b.Initial(state(first))
	for _, x := range transitions {
		b.Transition(state(x[0]), x[1], state(x[2]))
	}
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestTerminates: a program that has terminated needs a specification that may.
func TestTerminates(t *testing.T) {
	c := component("p", 2, []string{"a"}, []int{1}, edge{from: 0, to: 1, action: "a"})
	does := plain(c, []int{0, 1}, []Step{step("a", 1)})
	for _, traces := range []bool{false, true} {
		task := &Task{Question: Conformance, Traces: traces, Components: []*program.Component{c}, Spec: spec(t, "S", [3]string{"S", "a", "T"})}
		if err := check(t, task, does); err == nil {
			t.Error("the specification does not end")
		}
		task.Spec = spec(t, "S", [3]string{"S", lks.TauName, "U"}, [3]string{"U", "a", "T"}, [3]string{"T", lks.TauName, "end"})
		if err := check(t, task, does); err != nil {
			t.Error(err)
		}
		task.Spec = spec(t, "S", [3]string{"S", "b", "end"})
		if err := check(t, task, does); err == nil {
			t.Error("the specification has no a")
		}
	}
}

// TestTooSoon: traces may choose late what a simulation has to choose at once.
func TestTooSoon(t *testing.T) {
	c := component("p", 4, []string{"a", "b", "c"}, []int{2, 3}, edge{from: 0, to: 1, action: "a"}, edge{from: 1, to: 2, action: "b"}, edge{from: 1, to: 3, action: "c"})
	does := plain(c, []int{0, 1, 2, 3}, []Step{step("a", 1)}, []Step{step("b", 2), step("c", 3)})
	task := &Task{Question: Conformance, Components: []*program.Component{c},
		Spec: spec(t, "S", [3]string{"S", "a", "B"}, [3]string{"S", "a", "C"}, [3]string{"B", "b", "end"}, [3]string{"C", "c", "end"})}
	refused(t, check(t, task, does), "the specification simulates")
	task.Traces = true
	if err := check(t, task, does); err != nil {
		t.Error(err)
	}
}

// TestTooLarge: what is too much to be looked at is said.
func TestTooLarge(t *testing.T) {
	var edges []edge
	for l := range 8 {
		edges = append(edges, edge{from: l, to: l + 1, guard: logic.Eq(x, in)}, edge{from: l, to: l + 1, guard: logic.Lt(x, in)})
	}
	c := component("p", 9, nil, []int{8}, edges...)
	task := &Task{Question: Deadlock, Components: []*program.Component{c}}
	one := plain(c, []int{0, 8}, []Step{step("", 1)})
	if err := check(t, task, one); err != nil {
		t.Error(err)
	}
	var large *TooLarge
	for _, limit := range []*int{&maxPaths, &maxPairs} {
		before := *limit
		*limit = 1
		if err := check(t, task, one); !errors.As(err, &large) {
			t.Errorf("%v; wanted that it is too large", err)
		}
		*limit = before
	}
}

// TestTasks: questions that are none are errors, and no verdict.
func TestTasks(t *testing.T) {
	c := component("p", 1, nil, nil)
	some := plain(c, []int{0})
	for name, task := range map[string]*Task{
		"no component":             {Question: Deadlock},
		"nothing is asked":         {Components: []*program.Component{c}},
		"no such question":         {Question: 7, Components: []*program.Component{c}},
		"two components":           {Question: Deadlock, Components: []*program.Component{c, c}},
		"that the components have": {Question: Satisfaction, Components: []*program.Component{c}, Formula: ltl.AtomOf(ltl.Atom{Kind: ltl.Event, Name: "a"})},
	} {
		var r *Refused
		cert := &Certificate{Question: task.Question, Components: slices.Repeat([]Component{some}, len(task.Components))}
		s, err := smt.NewZ3(smt.Options{})
		if err != nil {
			t.Fatal(err)
		}
		err = Check(context.Background(), task, cert, s, budget.New(context.Background(), budget.Limits{}, nil))
		if err == nil || errors.As(err, &r) || !strings.Contains(err.Error(), name) {
			t.Errorf("%v; wanted %s", err, name)
		}
		s.Close()
	}
}
