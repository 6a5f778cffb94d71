package programs_test

import (
	"context"
	"testing"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/clp"
	"github.com/seltl/seltl/conform"
	"github.com/seltl/seltl/deadlock"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/safety"
)

// TestNothingGiven: engines that are given nothing say so; docs/api.md promises that.
func TestNothingGiven(t *testing.T) {
	refuse := func(name string, f func() error) {
		t.Helper()
		defer func() {
			if p := recover(); p != nil {
				t.Errorf("%s panics: %v", name, p)
			}
		}()
		if f() == nil {
			t.Errorf("%s has no error", name)
		}
	}
	ctx := context.Background()
	pool := programs.Common
	refuse("deadlock", func() error { _, err := deadlock.Check(ctx, nil, deadlock.Options{}); return err })
	refuse("livelock", func() error { _, err := deadlock.Livelock(ctx, nil, deadlock.Options{}); return err })
	refuse("conform", func() error { _, err := conform.Check(ctx, nil, nil, conform.Options{}); return err })
	refuse("product", func() error { _, err := product.Verify(ctx, nil, nil, product.Options{}); return err })
	refuse("buchi", func() error { _, err := buchi.Translate(nil, buchi.Options{}); return err })
	refuse("armc", func() error { _, err := armc.Check(ctx, nil, pool, armc.Options{}); return err })
	refuse("clp", func() error { _, err := clp.Decide(ctx, nil, pool, clp.Options{}); return err })
	refuse("safety", func() error { _, err := safety.Program(ctx, nil, pool, safety.Options{}); return err })
	refuse("safety2", func() error { _, err := safety.Routines(ctx, nil, pool, clp.Options{}, 0); return err })
	refuse("fsp", func() error { _, err := fsp.Compile(nil, fsp.Options{}); return err })
}
