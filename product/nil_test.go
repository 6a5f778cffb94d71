package product_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
)

func lamp(t *testing.T) *lks.Network {
	b := lks.NewBuilder("LAMP")
	off, on := b.State(), b.State()
	b.Transition(off, "switch_on", on)
	b.Transition(on, "switch_off", off)
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return lks.Single(m)
}

func TestNilFormula(t *testing.T) {
	if _, err := product.Verify(context.Background(), lamp(t), nil, product.Options{}); !errors.Is(err, ltl.ErrNil) {
		t.Errorf("Verify: %v", err)
	}
	if _, err := product.VerifyFairChoice(context.Background(), lamp(t), nil, product.Options{}); !errors.Is(err, ltl.ErrNil) {
		t.Errorf("VerifyFairChoice: %v", err)
	}
}

// Replay calls a rule that is not possible by its action, not by its number.
func TestReplayNamesActions(t *testing.T) {
	net := lamp(t)
	event := ltl.AtomOf(ltl.Atom{Kind: ltl.Event, Name: "switch_off"})
	r, err := product.Verify(context.Background(), net, ltl.MakeAlways(ltl.MakeNot(event)), product.Options{})
	if err != nil || r.Lasso == nil {
		t.Fatal(r, err)
	}
	steps := r.Lasso.Steps()
	l := &product.Lasso{Loop: steps}
	for i, rule := range net.Rules() {
		if net.Alphabet()[rule.Action] == "switch_off" {
			l.Loop[0].Rule = int32(i)
		}
	}
	if err := product.Replay(net, l); err == nil || !strings.Contains(err.Error(), "switch_off is not possible") {
		t.Errorf("%v", err)
	}
	l.Loop[0].Rule = 99
	if err := product.Replay(net, l); err == nil || !strings.Contains(err.Error(), "no rule 99") {
		t.Errorf("%v", err)
	}
}
