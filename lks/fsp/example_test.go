package fsp_test

import (
	"context"
	"fmt"
	"os"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

func smallMeter() *budget.Meter {
	return budget.New(context.Background(), budget.Limits{States: 2000}, nil)
}

func ExampleCompile() {
	text := `
LOCK {free} = (acquire -> HELD),
HELD {held} = (release -> LOCK).
USER = (acquire -> work -> release -> USER).
||SHOP = (a:USER || b:USER || {a, b}::LOCK).
ltl ONE = G (a.acquire -> X (!b.acquire W a.release))
`
	file, err := syntax.ParseText("shop.lks", text)
	if err != nil {
		fmt.Println(err)
		return
	}
	model, err := fsp.Compile(file, fsp.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	net, err := model.Network("") // the last composite
	if err != nil {
		fmt.Println(err)
		return
	}
	reached, err := explore.Reach(net, explore.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(net.Name(), reached.States, "states,", reached.Transitions, "transitions")
	properties, err := model.Properties("")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range properties {
		fmt.Println(p.Kind, p.Name, p.Formula)
	}
	// Output:
	// SHOP 5 states, 6 transitions
	// ltl ONE G(a.acquire -> X(!b.acquire W a.release))
}

func ExampleWrite() {
	b := lks.NewBuilder("SWITCH")
	off, on := b.State(), b.State("light")
	b.Transition(off, "press", on)
	b.Transition(on, "press", off)
	m, err := b.Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := fsp.Write(os.Stdout, m); err != nil {
		fmt.Println(err)
	}
	// Output:
	// SWITCH = S0,
	// S0 = (press -> S1),
	// S1 {light} = (press -> S0).
}

func ExampleModel_Processes() {
	file, err := syntax.ParseText("door.lks", `
DOOR = (open -> close -> DOOR).
property POLITE = (knock -> open -> POLITE).
||HOUSE = (DOOR || POLITE).
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	model, err := fsp.Compile(file, fsp.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range model.Processes() {
		fmt.Println(p.Kind, p.Name, p.Property, p.Span.Text())
	}
	// Output:
	// primitive DOOR false DOOR
	// primitive POLITE true POLITE
	// composite HOUSE false HOUSE
}
