package omega

import (
	"context"
	"errors"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/testing/gen"
)

// TestBound: whatever is done to an automaton with a bound ends when the context does.
func TestBound(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	stopped := budget.New(ctx, budget.Limits{}, nil)
	r := random(1)
	draw := func() *Automaton {
		return readOne(t, gen.HOA(r, gen.AutomatonOptions{Kind: "Emerson-Lei", States: 9, Sets: 4, Atoms: []string{"a", "b"}, Density: 2}))
	}
	for _, work := range []struct {
		name string
		do   func(a, b *Automaton, m *budget.Meter) error
	}{
		{"empty", func(a, _ *Automaton, _ *budget.Meter) error { a.Empty(); return nil }},
		{"word", func(a, _ *Automaton, _ *budget.Meter) error { a.AcceptedWord(); return nil }},
		{"trim", func(a, _ *Automaton, _ *budget.Meter) error { a.Trim(); return nil }},
		{"closure", func(a, _ *Automaton, _ *budget.Meter) error { a.Closure(); return nil }},
		{"quotient", func(a, _ *Automaton, _ *budget.Meter) error { a.Quotient(); return nil }},
		{"figures", func(a, _ *Automaton, _ *budget.Meter) error { a.Figures(); return nil }},
		{"product", func(a, b *Automaton, _ *budget.Meter) error { _, err := Product(a, b); return err }},
		{"product with one bound", func(a, b *Automaton, _ *budget.Meter) error { _, err := Product(b, a); return err }},
		{"determinise", func(a, _ *Automaton, m *budget.Meter) error { _, err := a.Determinise(m); return err }},
		{"complement", func(a, _ *Automaton, m *budget.Meter) error { _, err := a.Complement(m); return err }},
		{"included", func(a, b *Automaton, m *budget.Meter) error { _, _, err := Included(a, b, m); return err }},
		{"universal", func(a, _ *Automaton, m *budget.Meter) error { _, _, err := a.Universal(m); return err }},
		{"class", func(a, _ *Automaton, m *budget.Meter) error { _, err := a.Classify(m); return err }},
		{"stuttering", func(a, _ *Automaton, m *budget.Meter) error { _, err := a.StutterInvariant(m); return err }},
		{"liveness", func(a, _ *Automaton, m *budget.Meter) error { _, err := a.Liveness(m); return err }},
		{"state-based", func(a, _ *Automaton, m *budget.Meter) error { _, err := a.StateBasedForm(m); return err }},
		{"walk", func(a, _ *Automaton, m *budget.Meter) error { _, err := a.NewWalk(m); return err }},
		{"parity", func(a, _ *Automaton, m *budget.Meter) error { _, err := a.Convert(ParityForm, m); return err }},
		{"Büchi", func(a, _ *Automaton, m *budget.Meter) error { _, err := a.Convert(BuchiForm, m); return err }},
	} {
		a, b := draw().Bounded(stopped), draw()
		if err := Guard(func() error { return work.do(a, b, stopped) }); !errors.Is(err, budget.ErrInterrupted) {
			t.Errorf("%s: %v", work.name, err)
		}
	}
	few := budget.New(context.Background(), budget.Limits{States: 10}, nil)
	a, b := draw().Bounded(few), draw()
	var limit *budget.Exhausted
	if err := Guard(func() error { _, err := Product(a, b); return err }); !errors.As(err, &limit) || limit.What != "states" {
		t.Errorf("product: %v", err)
	}
}
