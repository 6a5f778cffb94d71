package deadlock_test

import (
	"context"
	"errors"
	"testing"

	"github.com/seltl/seltl/deadlock"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/product/fairchoice"
)

// TestNilNetwork: what is given no network says so.
func TestNilNetwork(t *testing.T) {
	ctx, f := context.Background(), ltl.MustParse("F a")
	for name, ask := range map[string]func() error{
		"product.Verify": func() error { _, err := product.Verify(ctx, nil, f, product.Options{}); return err },
		"product.VerifyAutomaton": func() error {
			_, err := product.VerifyAutomaton(ctx, nil, product.Language{}, product.Options{})
			return err
		},
		"fairchoice.Verify":   func() error { _, err := fairchoice.Verify(ctx, nil, f, product.Options{}); return err },
		"fairchoice.Progress": func() error { _, err := fairchoice.Progress(ctx, nil, nil, product.Options{}); return err },
		"deadlock.Check":      func() error { _, err := deadlock.Check(ctx, nil, deadlock.Options{}); return err },
		"deadlock.Local":      func() error { _, err := deadlock.Local(ctx, nil, deadlock.Options{}); return err },
		"deadlock.Livelock":   func() error { _, err := deadlock.Livelock(ctx, nil, deadlock.Options{}); return err },
		"explore.Reach":       func() error { _, err := explore.Reach(nil, explore.Options{}); return err },
	} {
		if err := ask(); !errors.Is(err, lks.ErrNil) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, parts := range [][]*lks.Network{{nil}, {nil, nil}} {
		if _, err := lks.Compose("s", parts...); err == nil {
			t.Error("a part that is nil is composed")
		}
	}
}

// TestNamesOfBuilder: a name that no text could have is refused.
func TestNamesOfBuilder(t *testing.T) {
	for _, c := range []struct {
		action, prop string
		ok           bool
	}{{"a", "p", true}, {"return {$0 == 1}", "y == 9", true}, {"", "p", false}, {"a", "", false}, {"a\nb", "p", false}, {"a", "p\x00", false}} {
		b := lks.NewBuilder("m")
		b.Transition(b.State(c.prop), c.action, b.State())
		if _, err := b.Build(); (err == nil) != c.ok {
			t.Errorf("%q, %q: %v", c.action, c.prop, err)
		}
	}
}
