package sim_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/check/sim"
)

const vending = `
M = (coin -> M1),
M1 {paid} = (coin -> M2 | tea -> pour -> M),
M2 {paid} = (coffee -> pour -> M | coffee -> pour -> STOP).
menu USER = {coin, tea, coffee}
`

// TestHistory goes back and forth, and branches off.
func TestHistory(t *testing.T) {
	s := begin(t, loadText(t, vending), nil, sim.Options{})
	events := func(want string) {
		t.Helper()
		if got := strings.Join(s.History(), " "); got != want {
			t.Fatalf("%s, want %s", got, want)
		}
	}
	if err := s.Undo(); !errors.Is(err, sim.ErrAtStart) {
		t.Error(err)
	}
	if err := s.Redo(); !errors.Is(err, sim.ErrNoRedo) {
		t.Error(err)
	}
	must(t, s.ChooseNamed("coin"))
	must(t, s.ChooseNamed("co")) // coin, as coffee is not possible
	events("coin coin")
	must(t, s.Undo())
	must(t, s.Undo())
	events("coin coin")
	if p := s.Now(); p.Step != 0 || p.Ahead != 2 || !p.Choices[0].Ahead {
		t.Errorf("%+v", p)
	}
	must(t, s.Choose(1)) // what lies ahead: the rest stays
	events("coin coin")
	must(t, s.ChooseNamed("tea"))
	events("coin tea")
	if p := s.Now(); p.Ahead != 0 || p.Same != -1 {
		t.Errorf("%+v", p)
	}
	if n, stop, err := s.RunOn(context.Background(), 10); n != 1 || stop != sim.Menu || err != nil {
		t.Errorf("%d %s %v", n, stop, err)
	}
	if p := s.Now(); p.Same != 0 {
		t.Errorf("the same as %d", p.Same)
	}
	s.Reset()
	events("coin tea pour")
	must(t, s.Jump(3))
	if s.Jump(4) == nil || s.Jump(-1) == nil || s.Start(2) == nil {
		t.Error("jumps and starts beyond the end")
	}
	must(t, s.Start(1))
	events("")
}

// TestChoose: choices that there are not, that are several, that are not on the menu.
func TestChoose(t *testing.T) {
	s := begin(t, loadText(t, vending), nil, sim.Options{})
	must(t, s.ChooseNamed("coin"))
	must(t, s.ChooseNamed("coin"))
	var ambiguous *sim.Ambiguous
	if err := s.ChooseNamed("coffee"); !errors.As(err, &ambiguous) || len(ambiguous.Choices) != 2 {
		t.Errorf("%v", err)
	}
	var not *sim.NotPossible
	for name, want := range map[string]string{"tea": "tea is not possible here: M in M2 refuses it", "te": "there is no action te", "beer": "there is no action beer", "": "there is no action"} {
		if err := s.ChooseNamed(name); !errors.As(err, &not) || !strings.HasPrefix(not.Text, want) {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, n := range []int{0, -1, 3} {
		if err := s.Choose(n); !errors.As(err, &not) {
			t.Errorf("%d: %v", n, err)
		}
	}
	must(t, s.Choose(2))
	var menu *sim.NotOnMenu
	if err := s.ChooseNamed("pour"); !errors.As(err, &menu) {
		t.Errorf("%v", err)
	}
	must(t, s.SetMenu(sim.NoMenu))
	must(t, s.ChooseNamed("pour"))
	if s.Now().End != "deadlock" {
		s.Reset()
		must(t, s.SetMenu("USER"))
	}
	if err := s.SetMenu("NONE"); !errors.As(err, &not) {
		t.Errorf("%v", err)
	}
}

// TestPriorities: a low action is no choice where others are possible.
func TestPriorities(t *testing.T) {
	s := begin(t, loadText(t, "P = (a -> P | low -> P | b -> Q), Q = (low -> P).\n||S = P >> {low}.\n"), nil, sim.Options{})
	events := func() (all []string) {
		for _, c := range s.Choices() {
			all = append(all, c.Event)
		}
		return all
	}
	if got := events(); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("%v", got)
	}
	if err := s.ChooseNamed("low"); err == nil || !strings.Contains(err.Error(), "others have priority") {
		t.Error(err)
	}
	must(t, s.ChooseNamed("b"))
	if got := events(); !slices.Equal(got, []string{"low"}) {
		t.Errorf("%v", got)
	}
}

// TestSeed: the same seed, the same walk.
func TestSeed(t *testing.T) {
	m := load(t, "../../specs/classics/mutex.lks", "")
	walk := func(seed uint64) string {
		s := begin(t, m, nil, sim.Options{Seed: seed})
		if n, err := s.Random(context.Background(), 30); n != 30 || err != nil {
			t.Fatal(n, err)
		}
		return strings.Join(s.History(), " ")
	}
	first, again, other := walk(1), walk(1), walk(2)
	if first != again || first == other {
		t.Error("walks do not depend on the seed alone")
	}
}
