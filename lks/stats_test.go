package lks

import "testing"

// TestStatsError: the error state is no state in any figure, the transitions into it
// are transitions.
func TestStatsError(t *testing.T) {
	b := NewBuilder("M")
	s, u := b.State("p"), b.State("p")
	end, bad := b.StateID(End, []int32{b.Prop("p")}), b.StateID(Error, nil)
	b.Transition(s, "a", u)
	b.Transition(u, "a", s)
	b.Transition(u, "b", bad)
	b.Transition(u, "c", bad)
	b.Transition(s, "c", bad)
	b.Transition(s, "d", end)
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	want := Stats{States: 3, Transitions: 6, Initial: 1, Alphabet: 4, Props: 1, Labels: 1, Ends: 1, Errors: 1, Reachable: 3,
		MaxOut: 3, MaxIn: 1, Components: 2, LargestComponent: 2, Terminal: 1, Deterministic: true}
	got := m.Stats()
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got.AverageOut() != 2 {
		t.Errorf("%v transitions per state", got.AverageOut())
	}
}
