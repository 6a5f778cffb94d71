package product_test

import (
	"context"
	"errors"
	"testing"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/product/fairchoice"
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
	if _, err := fairchoice.Verify(context.Background(), lamp(t), nil, product.Options{}); !errors.Is(err, ltl.ErrNil) {
		t.Errorf("fairchoice.Verify: %v", err)
	}
}
