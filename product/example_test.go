package product_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
)

// worker returns a process that takes a lock, works, and gives the lock back.
func worker(name string) *lks.LKS {
	b := lks.NewBuilder(name)
	idle := b.State(name + ".idle")
	holding := b.State(name + ".holding")
	b.Transition(idle, name+".acquire", holding)
	b.Transition(holding, name+".work", holding)
	b.Transition(holding, name+".release", idle)
	m, err := b.Build()
	if err != nil {
		log.Fatal(err)
	}
	return m
}

// lock returns a lock for these processes.
func lock(names ...string) *lks.LKS {
	b := lks.NewBuilder("lock")
	free, taken := b.State(), b.State()
	for _, name := range names {
		b.Transition(free, name+".acquire", taken)
		b.Transition(taken, name+".release", free)
	}
	m, err := b.Build()
	if err != nil {
		log.Fatal(err)
	}
	return m
}

func twoWorkers() *lks.Network {
	net, err := lks.Compose("system", lks.Single(worker("a")), lks.Single(worker("b")), lks.Single(lock("a", "b")))
	if err != nil {
		log.Fatal(err)
	}
	return net
}

func formula(net *lks.Network, text string) *ltl.Formula {
	f, err := ltl.ParseText(text, ltl.ParseOptions{Vocabulary: product.Vocabulary(net)})
	if err != nil {
		log.Fatal(err)
	}
	return f
}

// A network is built in memory and checked: the lock works.
func ExampleVerify() {
	net := twoWorkers()
	result, err := product.Verify(context.Background(), net, formula(net, "G !(a.holding & b.holding)"), product.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Verdict)
	// Output: holds
}

// A counterexample is walked step by step. Formulas can be made without text.
func ExampleVerify_counterexample() {
	net := twoWorkers()
	event := func(name string) *ltl.Formula { return ltl.AtomOf(ltl.Atom{Kind: ltl.Event, Name: name}) }
	everyone := ltl.MakeAlways(ltl.MakeEventually(event("b.acquire")))
	result, err := product.Verify(context.Background(), net, everyone, product.Options{Shortest: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Verdict)
	for i, step := range result.Lasso.Steps() {
		if i == len(result.Lasso.Stem) {
			fmt.Println("for ever:")
		}
		fmt.Printf("%-22s %s by", strings.Join(step.State.Props, ", "), step.Event)
		for _, c := range step.Moved {
			fmt.Printf(" %s", net.ComponentName(int(c)))
		}
		fmt.Println()
	}
	// Output:
	// violated
	// a.idle, b.idle         a.acquire by a lock
	// for ever:
	// a.holding, b.idle      a.work by a
}

// Fairness rules out counterexamples in which something possible never happens.
func ExampleVerify_fairness() {
	net := twoWorkers()
	f := formula(net, "G F b.acquire")
	for _, fairness := range []product.Fairness{product.NoFairness, product.ActionFairness, product.StrongActionFairness} {
		result, err := product.Verify(context.Background(), net, f, product.Options{Fairness: fairness})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(fairness, result.Verdict)
	}
	// Output:
	// none violated
	// action violated
	// strong-action holds
}

// Vocabulary lets ltl.Parse resolve names, and suggest some.
func ExampleVocabulary() {
	net := twoWorkers()
	_, err := ltl.ParseText("G a.hodling", ltl.ParseOptions{Vocabulary: product.Vocabulary(net)})
	fmt.Println(err != nil)
	fmt.Println(formula(net, "G(a.acquire -> X a.holding)"))
	// Output:
	// true
	// G(a.acquire -> X a.holding)
}

// Steps that a formula does not see, in an order that does not matter to it, need
// not all be followed; and components can be minimised for what it sees.
func ExampleOptions() {
	var switches []*lks.Network
	for i := range 12 {
		b := lks.NewBuilder(fmt.Sprint("SWITCH", i))
		off, on := b.State(), b.State(fmt.Sprint("on", i))
		b.Transition(off, fmt.Sprint("up", i), on)
		b.Transition(on, fmt.Sprint("down", i), off)
		m, err := b.Build()
		if err != nil {
			log.Fatal(err)
		}
		switches = append(switches, lks.Single(m))
	}
	net, err := lks.Compose("SWITCHES", switches...)
	if err != nil {
		log.Fatal(err)
	}
	f, err := ltl.ParseText("G(up0 -> X(!up0 W down0))", ltl.ParseOptions{Vocabulary: product.Vocabulary(net)})
	if err != nil {
		log.Fatal(err)
	}
	for _, opts := range []product.Options{
		{Reductions: product.Reductions{POR: product.NoPOR}},
		{},
		{Reductions: product.Reductions{Reduce: product.ReduceComponents}},
	} {
		result, err := product.Verify(context.Background(), net, f, opts)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(result.Verdict, result.POR, result.Stats.States)
	}
	// Output:
	// holds false 6144
	// holds true 17
	// holds true 3
}

// A store that can lose states finds violations, and proves nothing.
func ExampleVerify_lossyStore() {
	net := twoWorkers()
	r, err := product.Verify(context.Background(), net, formula(net, "G !(a.holding & b.holding)"), product.Options{Search: product.Search{Store: explore.HashCompact}})
	if err != nil {
		log.Fatal(err)
	}
	var lossy *explore.LossyStore
	fmt.Println(r.Verdict, errors.As(r.Reason, &lossy), r.Coverage > 0.999)
	// Output: unknown true true
}

// A search that reaches a limit has no verdict; the reason says which limit, and how
// far the search came.
func ExampleVerify_limits() {
	net := twoWorkers()
	result, err := product.Verify(context.Background(), net, formula(net, "G(a.acquire -> X a.holding)"), product.Options{
		Limits: budget.Limits{States: 2},
	})
	if err != nil {
		log.Fatal(err)
	}
	if limit, ok := errors.AsType[*budget.Exhausted](result.Reason); ok {
		fmt.Println(result.Verdict, limit.What, limit.Limit, limit.At.States)
	}
	// Output:
	// unknown states 2 3
}
