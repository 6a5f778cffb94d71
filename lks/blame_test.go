package lks_test

import (
	"testing"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
)

// TestBlame: two monitors, of which the second fails one step after the first, or at the
// same step, or never. A search of the composition itself sees one state in error.
func TestBlame(t *testing.T) {
	system := func() *lks.LKS {
		b := lks.NewBuilder("SYS")
		s0, s1, s2 := b.State(), b.State(), b.State()
		b.Transition(s0, "a", s1)
		b.Transition(s1, "b", s2)
		b.Transition(s2, "c", s0)
		b.Action("d") // never possible
		return mustBuild(t, b)
	}()
	// monitor fails by these actions, and takes the others.
	monitor := func(name string, fails ...string) *lks.LKS {
		b := lks.NewBuilder(name)
		s, e := b.State(), b.StateID(lks.Error, nil)
		for _, a := range []string{"a", "b", "c", "d"} {
			to := s
			for _, f := range fails {
				if a == f {
					to = e
				}
			}
			b.Transition(s, a, to)
		}
		return mustBuild(t, b)
	}
	fails := func(net *lks.Network, asked int32, ignored ...int32) bool {
		blamed, ok := net.Blame([]int32{asked}, ignored)
		if !ok {
			t.Fatal("no monitors")
		}
		r, err := explore.Reach(blamed, explore.Options{Goal: func(s []uint64) bool { return blamed.Fails(s, asked) }})
		if err != nil {
			t.Fatal(err)
		}
		return r.GoalState != nil
	}
	for _, test := range []struct {
		first, second []string
		one, two      bool // with the other ignored
		hidden        bool // two, with the other's errors
	}{
		{[]string{"a"}, []string{"a"}, true, true, true},
		{[]string{"a"}, []string{"b"}, true, true, false},
		{[]string{"b"}, []string{"a"}, true, true, true},
		{[]string{"a"}, []string{"d"}, true, false, false},
		{[]string{"d"}, []string{"c"}, false, true, true},
	} {
		net, err := lks.Compose("S", lks.Single(system), lks.Single(monitor("ONE", test.first...)), lks.Single(monitor("TWO", test.second...)))
		if err != nil {
			t.Fatal(err)
		}
		if one, two, hidden := fails(net, 1, 2), fails(net, 2, 1), fails(net, 2); one != test.one || two != test.two || hidden != test.hidden {
			t.Errorf("%v and %v: %v %v %v", test.first, test.second, one, two, hidden)
		}
		if _, ok := net.Blame(nil, []int32{0}); ok {
			t.Error("a system was taken for a monitor")
		}
	}
}

func mustBuild(t *testing.T, b *lks.Builder) *lks.LKS {
	t.Helper()
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return m
}
