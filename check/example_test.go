package check_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/conform"
	"github.com/seltl/seltl/deadlock"
	"github.com/seltl/seltl/report"
)

// lamp is a model, as an editor would have it: in memory.
const lamp = `LAMP = OFF,
OFF {dark} = (press -> ON),
ON {lit}   = (press -> OFF | burn -> BROKEN),
BROKEN {dark} = (press -> BROKEN).
ltl LIGHT = G (press & dark -> X lit)  // expect: fails
`

func open(text string) check.Open {
	return func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
}

// Load a model, verify a formula, print the report.
func Example() {
	ctx := context.Background()
	m, err := check.Load(ctx, "lamp.lks", check.LoadOptions{Open: open(lamp)})
	if err != nil {
		fmt.Println(err)
		return
	}
	q, err := m.Ask("G(press & dark -> X lit)")
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := check.Verify(ctx, m, []check.Question{q}, check.Verification{})
	if err != nil {
		fmt.Println(err)
		return
	}
	r.Results[0].Statistics = nil // times differ from run to run
	if err := r.Text(os.Stdout, report.TextOptions{}); err != nil {
		fmt.Println(err)
	}
	fmt.Println("exit status", r.Exit)
	// Output:
	// FAILS   G(press & dark -> X lit)
	//   state  event  {what holds}  in which local state
	//       0         {dark}  in OFF
	//       1  press  {lit}  in ON
	//       2  burn   {dark}  in BROKEN
	//       3  press  {dark}  in BROKEN  <- bad
	//   state 3 is bad: whatever follows, the property is violated
	// exit status 1
}

// All decides what a model file declares, and what can be asked of any model. LIGHT is
// expected to fail: that it does is no violation.
func ExampleAll() {
	ctx := context.Background()
	m, err := check.Load(ctx, "lamp.lks", check.LoadOptions{Open: open(lamp)})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := check.All(ctx, m, check.Everything{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, res := range r.Results {
		fmt.Println(res.Kind, res.Name, res.Verdict)
	}
	fmt.Println("exit status", r.Exit)
	// Output:
	// deadlock  holds
	// safety  holds
	// progress (default) holds
	// ltl LIGHT violated
	// exit status 0
}

func ExampleDeadlock() {
	ctx := context.Background()
	m, err := check.Load(ctx, "forks.lks", check.LoadOptions{Open: open(`
P = (left -> right -> P).
Q = (right -> left -> Q).
||TABLE = (P || Q).
`)})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, _, err := check.Deadlock(ctx, m, check.Options{}, deadlock.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, w := range r.Results[0].Counterexample.Waiting {
		fmt.Printf("%s waits for %s, refused by %s\n", w.Component, w.Offers[0].Event, w.Offers[0].Refused[0])
	}
	// Output:
	// P waits for left, refused by Q
	// Q waits for right, refused by P
}

func ExampleConform() {
	ctx := context.Background()
	load := func(process string) *check.Model {
		m, err := check.Load(ctx, "model.lks", check.LoadOptions{Process: process, Open: open(`
SPEC = (a -> (b -> SPEC | c -> SPEC)).
IMPL = (a -> b -> IMPL)+{c}.
`)})
		if err != nil {
			panic(err)
		}
		return m
	}
	r, err := check.Conform(ctx, load("IMPL"), load("SPEC"), check.Options{}, conform.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Results[0].Formula, r.Results[0].Verdict)
	// Output:
	// IMPL conforms to SPEC (simulation) holds
}
