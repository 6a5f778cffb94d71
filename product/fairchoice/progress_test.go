package fairchoice_test

import (
	"context"
	"slices"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/product/fairchoice"
)

func TestProgress(t *testing.T) {
	// pick chooses a fair coin (heads, tails) or a trick coin (heads).
	coin := network(t, func(b *lks.Builder) {
		start, fair, trick := b.State(), b.State(), b.State()
		b.Transition(start, "pick", fair)
		b.Transition(start, "pick", trick)
		b.Transition(fair, "heads", fair)
		b.Transition(fair, "tails", fair)
		b.Transition(trick, "heads", trick)
	})
	props := []fairchoice.ProgressProperty{
		{Name: "HEADS", Actions: []string{"heads"}},
		{Name: "TAILS", Actions: []string{"tails"}},
		{Name: "IF", Condition: []string{"tails"}, Actions: []string{"heads"}},
		{Name: "IF2", Condition: []string{"heads"}, Actions: []string{"tails"}},
		{Name: "NONE", Actions: []string{"edge"}},
	}
	report, err := fairchoice.Progress(context.Background(), coin, props, product.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []product.Verdict{product.Holds, product.Violated, product.Holds, product.Violated, product.Violated}
	for i, r := range report.Results {
		if r.Verdict != want[i] {
			t.Errorf("%s: %v, want %v", r.Name, r.Verdict, want[i])
		}
		if (r.Lasso != nil) != (r.Verdict == product.Violated) {
			t.Errorf("%s: %v with lasso %v", r.Name, r.Verdict, r.Lasso)
		}
	}
	if tails := report.Results[1]; tails.Lasso.String() != "pick (heads)*" || !slices.Equal(tails.Terminal, []string{"heads"}) {
		t.Errorf("TAILS: %v in %v", tails.Lasso, tails.Terminal)
	}
	if report.States != 3 || report.Transitions != 5 || report.TerminalSets != 2 || report.Error != nil {
		t.Errorf("%+v", report)
	}
}

// TestProgressRecurring: what a model does once, or never, and that it terminates is
// no violation; that an action which could come again and again need not, is one.
func TestProgressRecurring(t *testing.T) {
	for _, c := range []struct {
		name    string
		build   func(b *lks.Builder)
		want    product.Verdict
		missing []string
		never   []string
	}{
		{"terminates", func(b *lks.Builder) {
			b.Action("x")
			s, end := b.State(), b.StateID(lks.End, nil)
			b.Transition(s, "a", s)
			b.Transition(s, "b", end)
		}, product.Holds, nil, []string{"x"}},
		{"begins", func(b *lks.Builder) {
			s, loop := b.State(), b.State()
			b.Transition(s, "a", loop)
			b.Transition(loop, "b", loop)
		}, product.Holds, nil, nil},
		{"deadlock", func(b *lks.Builder) {
			s, end := b.State(), b.State()
			b.Transition(s, "a", s)
			b.Transition(s, "b", end)
		}, product.Violated, []string{"a"}, nil},
		{"starves", func(b *lks.Builder) {
			s, loop := b.State(), b.State()
			b.Transition(s, "a", s)
			b.Transition(s, "b", loop)
			b.Transition(loop, "c", loop)
		}, product.Violated, []string{"a"}, nil},
	} {
		props := []fairchoice.ProgressProperty{{Name: "x", Of: fairchoice.EveryRecurringAction}}
		report, err := fairchoice.Progress(context.Background(), network(t, c.build), props, product.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r := report.Results[0]; r.Verdict != c.want || !slices.Equal(r.Missing, c.missing) || !slices.Equal(report.Never, c.never) {
			t.Errorf("%s: %v, missing %v, never %v", c.name, r.Verdict, r.Missing, report.Never)
		}
	}
}

func TestProgressDefault(t *testing.T) {
	stops := network(t, func(b *lks.Builder) {
		s, end := b.State(), b.State()
		b.Transition(s, "a", s)
		b.Transition(s, "b", end)
	})
	report, err := fairchoice.Progress(context.Background(), stops, nil, product.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := report.Results[0]
	if r.Name != fairchoice.DefaultProgress || r.Verdict != product.Violated || r.Lasso.String() != "b (-)*" ||
		!slices.Equal(r.Missing, []string{"a", "b"}) || r.Terminal != nil {
		t.Errorf("%+v %v", r, r.Lasso)
	}
}

func TestProgressWithError(t *testing.T) {
	net := network(t, func(b *lks.Builder) {
		s := b.State()
		bad := b.StateID(lks.Error, nil)
		b.Transition(s, "a", s)
		b.Transition(s, "b", bad)
	})
	report, err := fairchoice.Progress(context.Background(), net, nil, product.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if report.Error == nil || report.Error.String() != "b (-)*" {
		t.Errorf("error %v", report.Error)
	}
}

func TestProgressAndFairChoiceLimits(t *testing.T) {
	net := network(t, func(b *lks.Builder) {
		first := b.State()
		for s := first; s < 20_000; s++ {
			b.Transition(s, "a", b.State())
		}
	})
	opts := product.Options{Limits: budget.Limits{States: 5000}}
	report, err := fairchoice.Progress(context.Background(), net, nil, opts)
	if err != nil || report.Reason == nil || report.Results[0].Verdict != product.Unknown {
		t.Errorf("%+v, %v", report, err)
	}
	r, err := fairchoice.Verify(context.Background(), net, formulaOf(t, net, "F a"), opts)
	if err != nil || r.Reason == nil || r.Verdict != product.Unknown {
		t.Errorf("%+v, %v", r, err)
	}
}
