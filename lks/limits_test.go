package lks_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
)

func TestCompositionErrors(t *testing.T) {
	s := lks.Single(lightSwitch())
	var clash *lks.PropClash
	if _, err := lks.Compose("N", s, s); !errors.As(err, &clash) || clash.Prop != "lit" {
		t.Errorf("clash: %v", err)
	}
	if _, err := lks.Compose("N"); err == nil {
		t.Error("no parts: no error")
	}
	other := lks.Single(user())
	var notFlat *lks.NotFlat
	if _, err := lks.Compose("N", s.Yield(func(string) bool { return false }), other); !errors.As(err, &notFlat) || !strings.Contains(err.Error(), "priorities") {
		t.Errorf("priorities: %v", err)
	}
	watched, err := other.With(lightSwitch())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lks.Compose("N", watched, other); !errors.As(err, &notFlat) || !strings.Contains(err.Error(), "observers") {
		t.Errorf("observers: %v", err)
	}
	b := lks.NewBuilder("NOISY")
	b.Transition(b.State(), lks.TauName, 0)
	noisy, _ := b.Build()
	if _, err := s.With(noisy); err == nil || !strings.Contains(err.Error(), "silent") {
		t.Errorf("observer with tau: %v", err)
	}
	b = lks.NewBuilder("ANYWHERE")
	b.Initial(b.State(), b.State(), b.State(), b.State())
	anywhere, _ := b.Build()
	if _, err := lks.Compose("N", slices.Repeat([]*lks.Network{lks.Single(anywhere)}, 40)...); !limited(err, "initial states") {
		t.Errorf("too many initial states: %v", err)
	}
	// Thirty ways to do x, in six parts: 729 million rules.
	b = lks.NewBuilder("MANY")
	state := b.State()
	for i := range 30 {
		b.Transition(state, fmt.Sprint("x", i), state)
	}
	many, _ := b.Build()
	merged := lks.Single(many).Relabel(func(string) []string { return []string{"x"} })
	if _, err := lks.Compose("N", merged, merged, merged, merged, merged, merged); !limited(err, "ways to synchronise on x") {
		t.Errorf("too many rules: %v", err)
	}
}

// limited reports whether an error is a limit, which says that, and what to try.
func limited(err error, says string) bool {
	var e *budget.Exhausted
	return errors.As(err, &e) && e.Advice != "" && strings.Contains(e.Error(), says)
}

// TestStructureLimits: what structures cannot hold is a limit, not wrong input.
func TestStructureLimits(t *testing.T) {
	net := gen.Ring(6)
	restore := lks.Lower(100)
	_, err := net.Build(nil)
	restore()
	if !limited(err, "transitions") {
		t.Errorf("too many transitions: %v", err)
	}
	b := lks.NewBuilder("CHAIN")
	for s := range b.State() + 50 {
		b.Transition(s, lks.TauName, b.State())
		b.Transition(s, fmt.Sprint("a", s), s)
	}
	chain, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	restore = lks.Lower(100)
	_, err = lks.Minimise(chain, lks.Weak, nil)
	restore()
	if !limited(err, "weak bisimulation") {
		t.Errorf("too many saturated transitions: %v", err)
	}
	b = lks.NewBuilder("WIDE")
	for range 1 << 16 {
		b.State()
	}
	wide, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	n, err := lks.Compose("N", slices.Repeat([]*lks.Network{lks.Single(wide)}, 5)...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := explore.Reach(n, explore.Options{Resources: explore.Resources{Store: explore.Compact}}); !limited(err, "2^64 for the compact store") {
		t.Errorf("too many combinations: %v", err)
	}
}
