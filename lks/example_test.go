package lks_test

import (
	"fmt"
	"log"
	"os"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
)

// lightSwitch returns a switch; pressing it toggles the light.
func lightSwitch() *lks.LKS {
	b := lks.NewBuilder("SWITCH")
	off, on := b.State(), b.State("lit")
	b.Transition(off, "press", on)
	b.Transition(on, "press", off)
	m, err := b.Build()
	if err != nil {
		panic(err)
	}
	return m
}

// user presses a switch some time after coming in.
func user() *lks.LKS {
	b := lks.NewBuilder("USER")
	outside, inside, done := b.State(), b.State(), b.State()
	b.Transition(outside, "enter", inside)
	b.Transition(inside, "press", done)
	m, err := b.Build()
	if err != nil {
		panic(err)
	}
	return m
}

func Example() {
	room, err := lks.Compose("ROOM", lks.Single(lightSwitch()), lks.Single(user()))
	if err != nil {
		fmt.Println(err)
		return
	}
	reached, err := explore.Reach(room, explore.Options{Traces: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(reached.States, "states,", reached.Transitions, "transitions")
	if reached.Deadlock >= 0 {
		trace, _ := reached.Trace(reached.Deadlock)
		fmt.Println("deadlock after", trace.Events(), "checked:", trace.Replay(room) == nil)
	}
	// Output:
	// 3 states, 2 transitions
	// deadlock after [enter press] checked: true
}

func ExampleCompose_clash() {
	s := lks.Single(lightSwitch())
	_, err := lks.Compose("TWO", s, s)
	fmt.Println(err)
	two, err := lks.Compose("TWO", s.Prefix("hall"), s.Prefix("stairs"))
	fmt.Println(two.Alphabet(), two.Props(), err)
	// Output:
	// proposition lit belongs to both SWITCH and SWITCH: components of a composition must not share propositions; prefix one of them
	// [tau hall.press stairs.press] [hall.lit stairs.lit] <nil>
}

// Components whose propositions have the same names are composed after renaming.
func ExampleNetwork_RenameProps() {
	hall := lks.Single(lightSwitch())
	cellar, err := hall.Rename("CELLAR").RenameProps(func(old string) string { return "cellar." + old })
	if err != nil {
		fmt.Println(err)
		return
	}
	both, err := lks.Compose("HOUSE", hall, cellar)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(both.Props())
	// Output: [cellar.lit lit]
}

func ExampleExplorer() {
	n := lks.Single(lightSwitch())
	e := n.Explorer()
	var out lks.Successors
	e.Initial(&out)
	state := []uint64{out.States[0]}
	e.Successors(state, &out)
	for i, r := range out.Rules {
		to := out.States[i*n.Words() : (i+1)*n.Words()]
		component, prop, _ := n.Prop("lit")
		fmt.Println(n.Alphabet()[n.Rules()[r].Action], "leads to lit:", n.HasProp(to, component, prop))
	}
	// Output: press leads to lit: true
}

func ExampleMinimise() {
	b := lks.NewBuilder("CLOCK")
	tick, tock, rest := b.State(), b.State(), b.State()
	b.Transition(tick, "beat", tock)
	b.Transition(tock, lks.TauName, rest)
	b.Transition(rest, "beat", tick)
	m, _ := b.Build()
	for _, q := range []lks.Equivalence{lks.Strong, lks.Weak} {
		small, err := lks.Minimise(m, q, nil)
		fmt.Println(q, small.NumStates(), err)
	}
	// Output:
	// strong bisimulation 3 <nil>
	// weak bisimulation 1 <nil>
}

func ExampleWriteDOT() {
	if err := lks.WriteDOT(os.Stdout, lightSwitch()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// digraph "SWITCH" {
	//   node [shape=box, style=rounded, fontname="Helvetica"];
	//   edge [fontname="Helvetica"];
	//   label="SWITCH";
	//   labelloc=t;
	//   rankdir=LR;
	//   init0 [shape=point, label=""];
	//   init0 -> s0;
	//   s0 [label="0", tooltip="0\ninitial state"];
	//   s1 [label="1\n{lit}", tooltip="1\n{lit}"];
	//   s0 -> s1 [label="press"];
	//   s1 -> s0 [label="press"];
	// }
}

func ExampleWriteJSON() {
	if err := lks.WriteJSON(os.Stdout, lightSwitch()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"name":"SWITCH","alphabet":["press"],"props":["lit"],"initial":[0],
	// "states": [
	// {"name":"0"},
	// {"name":"1","props":[0]}],
	// "transitions": [
	// [0,1,1],
	// [1,1,0]]}
}

func ExampleLKS_Stats() {
	s := user().Stats()
	fmt.Println(s.States, "states,", s.Deadlocks, "deadlock,", s.Components, "components, deterministic:", s.Deterministic)
	// Output: 3 states, 1 deadlock, 3 components, deterministic: true
}

// A chain of buffers, of which only the two ends are seen: what is between them can
// pass on up to four items, in whatever way.
func ExampleNetwork_SimplifyTree() {
	var parts []*lks.Network
	for i := range 4 {
		b := lks.NewBuilder(fmt.Sprint("buffer", i))
		empty, full := b.State(), b.State()
		b.Transition(empty, fmt.Sprint("pass", i), full)
		b.Transition(full, fmt.Sprint("pass", i+1), empty)
		m, err := b.Build()
		if err != nil {
			log.Fatal(err)
		}
		parts = append(parts, lks.Single(m))
	}
	net, err := lks.Compose("chain", parts...)
	if err != nil {
		log.Fatal(err)
	}
	view := lks.View{
		Prop:   func(string) bool { return false },
		Action: func(name string) bool { return name == "pass0" || name == "pass4" },
	}
	small, err := net.SimplifyTree(view, lks.DivergenceBranching, lks.TreeLimits{States: 1000}, nil)
	if err != nil {
		log.Fatal(err)
	}
	whole := small.Network.Components()[0]
	fmt.Println(small.Parts, whole.NumStates(), "states,", whole.NumTransitions(), "transitions")
	// Output: [[0 1 2 3]] 5 states, 8 transitions
}
