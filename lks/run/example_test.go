package run_test

import (
	"fmt"
	"log"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
)

// room is a lamp and somebody who switches it on, once.
func room() *lks.Network {
	lamp := lks.NewBuilder("LAMP")
	off, on := lamp.State(), lamp.State("lit")
	lamp.Transition(off, "press", on)
	lamp.Transition(on, "press", off)
	user := lks.NewBuilder("USER")
	outside, inside, done := user.State(), user.State(), user.State()
	user.Transition(outside, "enter", inside)
	user.Transition(inside, "press", done)
	var parts []*lks.Network
	for _, b := range []*lks.Builder{lamp, user} {
		m, err := b.Build()
		if err != nil {
			log.Fatal(err)
		}
		parts = append(parts, lks.Single(m))
	}
	net, err := lks.Compose("ROOM", parts...)
	if err != nil {
		log.Fatal(err)
	}
	return net
}

// A run is described step by step, and one component's part in it.
func Example() {
	net := room()
	r, err := run.Find(net, []string{"enter", "press"})
	if err != nil {
		log.Fatal(err)
	}
	for i, s := range r.Stem {
		fmt.Println(s.Event, "moves", s.Moved, "to", r.At(i+1).Local, r.At(i+1).Props)
	}
	fmt.Println("possible then:", r.Last.Enabled)
	for _, s := range r.Project(net, 0) {
		fmt.Printf("the lamp: %d -%s-> %d in step %d\n", s.From, s.Action, s.To, s.Index)
	}
	// Output:
	// enter moves [1] to [0 1] []
	// press moves [0 1] to [1 2] [lit]
	// possible then: []
	// the lamp: 0 -press-> 1 in step 1
}

// Replay checks a run against the components, whoever made it.
func ExampleRun_Replay() {
	net := room()
	r, err := run.Find(net, []string{"enter", "press"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Replay(net))
	r.Stem[1].Moved = nil
	fmt.Println(r.Replay(net))
	// Output:
	// <nil>
	// step 2: 2 components move, not 0
}

// Searches know packed states; a loop leads back to one of them.
func ExampleUnpack() {
	net := room()
	var succ lks.Successors
	e := net.Explorer()
	e.Initial(&succ)
	states, rules := [][]uint64{succ.States}, []int32{}
	for range 2 {
		var next lks.Successors
		e.Successors(states[len(states)-1], &next)
		states, rules = append(states, next.States[:net.Words()]), append(rules, next.Rules[0])
	}
	// It ends here: as an infinite run, the last state repeats.
	states, rules = append(states, states[2]), append(rules, run.Stutter)
	r, err := run.Unpack(net, states, rules, 2)
	fmt.Println(r, err)
	// Output:
	// enter press (-)* <nil>
}
