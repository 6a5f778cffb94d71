package product

import (
	"context"
	"errors"
	"testing"

	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/ltl"
)

// TestUnfair: whyFair finds every kind of unfairness in a run that is not fair.
func TestUnfair(t *testing.T) {
	// Two processes; one tosses a coin, which can fall on its edge, too.
	worker, coin := lks.NewBuilder("W"), lks.NewBuilder("C")
	w := worker.State()
	worker.Transition(w, "work", w)
	up, tossed := coin.State(), coin.State()
	coin.Transition(up, "toss", tossed)
	coin.Transition(tossed, "heads", up)
	coin.Transition(tossed, "tails", up)
	var parts []*lks.Network
	for _, b := range []*lks.Builder{worker, coin} {
		m, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, lks.Single(m))
	}
	net, err := lks.Compose("S", parts...)
	if err != nil {
		t.Fatal(err)
	}
	never := func(action string) *run.Run {
		f := ltl.MakeEventually(ltl.AtomOf(ltl.Atom{Kind: ltl.Event, Name: action}))
		r, err := Verify(context.Background(), net, f, Options{})
		if err != nil || r.Lasso == nil {
			t.Fatal(r, err)
		}
		return r.Lasso
	}
	heads := never("tails") // work is never done, or it is done for ever
	for _, c := range []struct {
		lasso *run.Run
		kind  Fairness
		sets  []FairSet
	}{
		{never("work"), ProcessFairness, nil},
		{never("work"), ActionFairness, nil},
		{never("work"), NoFairness, []FairSet{{Actions: []string{"work"}}}},
		{never("toss"), NoFairness, []FairSet{{Actions: []string{"toss", "heads"}}}},
		{heads, StrongActionFairness, nil},
		{heads, ChoiceFairness, nil},
	} {
		_, err := whyFair(net, c.lasso, c.kind, c.sets)
		if _, ok := errors.AsType[*bug.Error](err); !ok {
			t.Errorf("%v is fair by %v and %v: %v", c.lasso, c.kind, c.sets, err)
		}
	}
	// Tails are possible after every toss only.
	toss := never("work")
	reasons, err := whyFair(net, toss, NoFairness, []FairSet{{Actions: []string{"tails", "heads"}, Strong: true}, {Actions: []string{"tails"}}})
	if err != nil || len(reasons) != 2 || reasons[0].Why != Taken {
		t.Error(toss, reasons, err)
	}
	if tails := reasons[1]; tails.Why == NeverPossible {
		t.Error(toss, tails)
	}
}
