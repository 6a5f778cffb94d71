package deadlock

import (
	"fmt"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
)

// TestStubborn checks stubborn sets against what the proof in stubborn.go needs of
// them, by exploring what happens while no rule of the set does: a rule of the set
// that becomes possible was so from the beginning, none of its components has
// moved, and one of the set stays possible whatever happens.
func TestStubborn(t *testing.T) {
	sets, smaller, enabling := 0, 0, 0
	for seed := range soak.Long(uint64(2000)) {
		r := gen.Rand(seed)
		net := gen.Meeting(r, 6, 5)
		if seed%2 == 0 {
			net = randomNet(seed)
		}
		if net == nil || net.Low() != nil {
			continue
		}
		comps := components(net)
		quotients := make([]*quotient, len(comps))
		for i := range comps {
			p := newPartition(comps[i].m).Finest()
			if r.IntN(2) == 0 {
				p = randomPartition(r, comps[i].m)
			}
			quotients[i] = quotientOf(&comps[i], p)
		}
		a := compose(net, quotients, true)
		states := without(a, a.initial(), nil, 60)
		for _, s := range states {
			a.unpack(s)
			a.look()
			if a.kind() != lks.Normal || a.abstractDeadlock() {
				continue
			}
			set := slices.Clone(a.stubborn())
			sets++
			if err := a.violates(s, set); err != nil {
				t.Fatalf("seed %d, state %v: %v", seed, s, err)
			}
			a.unpack(s)
			a.look()
			for w := range a.may {
				for r := 64 * w; r < min(64*w+64, len(net.Rules())); r++ {
					if bit(a.may, r) && !slices.Contains(set, int32(r)) {
						smaller++
					}
				}
			}
		}
		for _, q := range quotients {
			for _, e := range q.enabling {
				if len(e) > 0 {
					enabling++
				}
			}
		}
	}
	t.Logf("%d sets, which leave out %d rules, %d sets of enablers computed", sets, smaller, enabling)
	if smaller < sets/10 || enabling < soak.Long(100) {
		t.Errorf("%d sets leave out %d rules, %d sets of enablers", sets, smaller, enabling)
	}
}

// without returns up to most states reachable from those given by rules that are
// not in the set.
func without(a *composite, from []uint64, set []int32, most int) [][]uint64 {
	var states [][]uint64
	seen := map[string]bool{}
	add := func(packed []uint64) {
		for i := 0; i < len(packed); i += a.states {
			s := slices.Clone(packed[i : i+a.states])
			if key := fmt.Sprint(s); !seen[key] {
				seen[key] = true
				states = append(states, s)
			}
		}
	}
	add(from)
	for at := 0; at < len(states) && len(states) < most; at++ {
		a.unpack(states[at])
		if a.kind() != lks.Normal {
			continue
		}
		a.look()
		for r := range a.net.Rules() {
			if bit(a.may, r) && !slices.Contains(set, int32(r)) {
				var out successors
				a.fire(states[at], []int32{int32(r)}, &out)
				add(out.states)
			}
		}
	}
	return states
}

// violates says what is wrong with a stubborn set of a state.
func (a *composite) violates(s []uint64, set []int32) error {
	a.unpack(s)
	a.look()
	at := slices.Clone(a.local)
	may, must := slices.Clone(a.may), slices.Clone(a.must)
	stays := slices.DeleteFunc(slices.Clone(set), func(r int32) bool { return !bit(must, int(r)) })
	for _, u := range without(a, s, set, 400) {
		a.unpack(u)
		if a.kind() != lks.Normal {
			continue
		}
		a.look()
		for _, r := range set {
			moved := slices.ContainsFunc(a.net.Rules()[r].Parts, func(p lks.Part) bool { return a.local[p.Component] != at[p.Component] })
			if bit(a.may, int(r)) && (!bit(may, int(r)) || moved) {
				return fmt.Errorf("rule %d of %v is possible in %v", r, set, u)
			}
		}
		stays = slices.DeleteFunc(stays, func(r int32) bool { return !bit(a.must, int(r)) })
	}
	if len(stays) == 0 {
		return fmt.Errorf("no rule of %v stays possible", set)
	}
	return nil
}
