package conform

import (
	"context"
	"slices"
	"testing"

	"github.com/seltl/seltl/lks"
)

// TestRefused has a specification that insists on tea and coffee, or silently
// decides for tea and milk; the implementation has tea only.
func TestRefused(t *testing.T) {
	machine := func(build func(b *lks.Builder)) *lks.Network {
		b := lks.NewBuilder("M")
		for _, a := range []string{"tea", "coffee", "milk"} {
			b.Action(a)
		}
		build(b)
		m, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return lks.Single(m)
	}
	impl := machine(func(b *lks.Builder) {
		s := b.State()
		b.Transition(s, "tea", s)
	})
	spec := machine(func(b *lks.Builder) {
		first, second := b.State(), b.State()
		b.Transition(first, "tea", first)
		b.Transition(first, "coffee", first)
		b.Transition(second, "tea", second)
		b.Transition(second, "milk", second)
		b.Initial(first, second)
	})
	r, err := answer(context.Background(), impl, spec, Options{Preorder: Failures})
	if err != nil {
		t.Fatal(err)
	}
	if r.Holds() || r.Trace == nil || r.Trace.Reason != Refusal || len(r.Trace.Refused) != 2 {
		t.Fatalf("%+v", r.Trace)
	}
	var names []string
	for _, refused := range r.Trace.Refused {
		for _, a := range refused {
			names = append(names, r.Alphabet[a])
		}
	}
	if !slices.Equal(names, []string{"coffee", "milk"}) {
		t.Errorf("refused: %v", names)
	}
}
