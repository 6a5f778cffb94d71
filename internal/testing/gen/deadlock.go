package gen

import (
	"fmt"
	"math/rand/v2"

	"github.com/seltl/seltl/lks"
)

// Meeting returns a random network of components that mostly meet in twos: the
// communication graph is a tree, a ring, or a few more edges, and hardly any
// step is taken alone, so that about half of these networks deadlock, often deep
// inside. It has up to so many components, of up to so many states each.
func Meeting(r *rand.Rand, components, states int) *lks.Network {
	n := 2 + r.IntN(components-1)
	actions := make([][]string, n)
	join := func(i, j int) {
		for k := range 1 + r.IntN(2) {
			a := fmt.Sprintf("m%d_%d_%d", i, j, k)
			actions[i], actions[j] = append(actions[i], a), append(actions[j], a)
		}
	}
	for i := 1; i < n; i++ {
		join(i, r.IntN(i))
	}
	for range r.IntN(3) {
		if i, j := r.IntN(n), r.IntN(n); i != j {
			join(i, j)
		}
	}
	if n > 2 && r.IntN(4) == 0 {
		for i := range 3 {
			actions[i] = append(actions[i], "all")
		}
	}
	parts := make([]*lks.Network, n)
	for i := range parts {
		parts[i] = lks.Single(meeter(r, fmt.Sprint("P", i), actions[i], 2+r.IntN(states-1)))
	}
	net, err := lks.Compose("meeting", parts...)
	if err != nil {
		panic(err)
	}
	return net
}

// meeter returns a component of which every state offers something.
func meeter(r *rand.Rand, name string, actions []string, states int) *lks.LKS {
	b := lks.NewBuilder(name)
	for range states {
		b.State()
	}
	if r.IntN(6) == 0 {
		b.Initial(0, int32(r.IntN(states)))
	}
	for _, a := range actions {
		b.Action(a)
	}
	for s := range states {
		for range 1 + r.IntN(4) {
			a := actions[r.IntN(len(actions))]
			if r.IntN(100) == 0 {
				a = lks.TauName
			}
			b.Transition(int32(s), a, int32(r.IntN(states)))
		}
	}
	m, err := b.Build()
	if err != nil {
		panic(err)
	}
	return m
}
