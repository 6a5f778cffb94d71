package fairchoice_test

import (
	"context"
	"fmt"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/product/fairchoice"
)

// coin can be tossed again and again.
func coin() *lks.Network {
	b := lks.NewBuilder("COIN")
	ready, tossed := b.State(), b.State()
	b.Transition(ready, "toss", tossed)
	b.Transition(tossed, "heads", ready)
	b.Transition(tossed, "tails", ready)
	m, err := b.Build()
	if err != nil {
		panic(err)
	}
	return lks.Single(m)
}

func ExampleVerify() {
	net := coin()
	f, err := ltl.Parse(source.NewFile("", "G F (heads & X X heads)"), ltl.ParseOptions{Vocabulary: product.Vocabulary(net)})
	if err != nil {
		panic(err)
	}
	all, err := product.Verify(context.Background(), net, f, product.Options{})
	if err != nil {
		panic(err)
	}
	fair, err := fairchoice.Verify(context.Background(), net, f, product.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println("in all runs:", all.Verdict)
	fmt.Println("under fair choice:", fair.Verdict)
	// Output:
	// in all runs: violated
	// under fair choice: holds
}

func ExampleProgress() {
	report, err := fairchoice.Progress(context.Background(), coin(), []fairchoice.ProgressProperty{
		{Name: "TAILS", Actions: []string{"tails"}}, {Name: "EDGE", Actions: []string{"edge"}},
	}, product.Options{})
	if err != nil {
		panic(err)
	}
	for _, r := range report.Results {
		fmt.Println(r.Name, r.Verdict)
	}
	// Output:
	// TAILS holds
	// EDGE violated
}
