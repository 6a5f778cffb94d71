package gen

import (
	"fmt"

	"github.com/seltl/seltl/lks"
)

// family helps to build components of the scalable models.
type family struct {
	parts []*lks.Network
}

// add makes a component with states 0 to n-1 and transitions "from action to".
func (f *family) add(name string, n int, initial int32, transitions []transition, props map[int32][]string) {
	b := lks.NewBuilder(name)
	for s := range int32(n) {
		b.State(props[s]...)
	}
	b.Initial(initial)
	for _, t := range transitions {
		b.Transition(t.from, t.action, t.to)
	}
	m, err := b.Build()
	if err != nil {
		panic(err)
	}
	f.parts = append(f.parts, lks.Single(m))
}

func (f *family) compose(name string) *lks.Network {
	n, err := lks.Compose(name, f.parts...)
	if err != nil {
		panic(err)
	}
	return n
}

type transition struct {
	from   int32
	action string
	to     int32
}

// Philosophers returns n dining philosophers and their n forks, with
// propositions eating0, eating1, ... If one is right-handed (the first), they
// cannot deadlock.
func Philosophers(n int, oneRightHanded bool) *lks.Network {
	var f family
	for i := range n {
		left, right := fmt.Sprint("getl", i), fmt.Sprint("getr", i)
		putLeft, putRight := fmt.Sprint("putl", i), fmt.Sprint("putr", i)
		if oneRightHanded && i == 0 {
			left, right, putLeft, putRight = right, left, putRight, putLeft
		}
		f.add(fmt.Sprint("phil", i), 5, 0, []transition{
			{0, left, 1}, {1, right, 2}, {2, fmt.Sprint("eat", i), 3}, {3, putLeft, 4}, {4, putRight, 0},
		}, map[int32][]string{3: {fmt.Sprint("eating", i)}})
	}
	for j := range n {
		r := (j + n - 1) % n
		f.add(fmt.Sprint("fork", j), 3, 0, []transition{
			{0, fmt.Sprint("getl", j), 1}, {1, fmt.Sprint("putl", j), 0},
			{0, fmt.Sprint("getr", r), 2}, {2, fmt.Sprint("putr", r), 0},
		}, nil)
	}
	return f.compose(fmt.Sprint("phil", n))
}

// ReadersWriters returns n readers and n writers, and a controller that admits
// any number of readers or one writer, with propositions reading0, writing0, ...
func ReadersWriters(n int) *lks.Network {
	var f family
	for _, k := range []string{"r", "w"} {
		name := map[string]string{"r": "reader", "w": "writer"}[k]
		prop := map[string]string{"r": "reading", "w": "writing"}[k]
		for i := range n {
			f.add(fmt.Sprint(name, i), 3, 0, []transition{
				{0, fmt.Sprint("req", k, i), 1}, {1, fmt.Sprint("start", k, i), 2}, {2, fmt.Sprint("end", k, i), 0},
			}, map[int32][]string{2: {fmt.Sprint(prop, i)}})
		}
	}
	var t []transition
	writing := int32(n + 1)
	for i := range n {
		for c := range int32(n) {
			t = append(t, transition{c, fmt.Sprint("startr", i), c + 1}, transition{c + 1, fmt.Sprint("endr", i), c})
		}
		t = append(t, transition{0, fmt.Sprint("startw", i), writing}, transition{writing, fmt.Sprint("endw", i), 0})
	}
	f.add("ctrl", n+2, 0, t, nil)
	return f.compose(fmt.Sprint("rw", n))
}

// Milner returns Milner's scheduler of n cells, with propositions run0, ready0, ...
func Milner(n int) *lks.Network {
	var f family
	for i := range n {
		turn, next := fmt.Sprint("c", i), fmt.Sprint("c", (i+1)%n)
		done := fmt.Sprint("b", i)
		initial := int32(0)
		if i == 0 {
			initial = 1
		}
		f.add(fmt.Sprint("cell", i), 5, initial, []transition{
			{0, turn, 1}, {1, fmt.Sprint("a", i), 2}, {2, next, 3}, {2, done, 4}, {3, done, 0}, {4, next, 0},
		}, map[int32][]string{2: {fmt.Sprint("run", i)}, 1: {fmt.Sprint("ready", i)}})
	}
	return f.compose(fmt.Sprint("milner", n))
}

// Ring returns a token ring of n stations, with propositions crit0, try0, tok0, ...
func Ring(n int) *lks.Network {
	var f family
	for i := range n {
		in, out := fmt.Sprint("tok", i), fmt.Sprint("tok", (i+1)%n)
		request := fmt.Sprint("req", i)
		initial := int32(0)
		if i == 0 {
			initial = 2
		}
		crit, try, tok := fmt.Sprint("crit", i), fmt.Sprint("try", i), fmt.Sprint("tok", i)
		f.add(fmt.Sprint("st", i), 6, initial, []transition{
			{0, request, 1}, {0, in, 2}, {1, in, 3}, {2, request, 3}, {2, out, 0},
			{3, fmt.Sprint("enter", i), 4}, {4, fmt.Sprint("exit", i), 5}, {5, out, 0},
		}, map[int32][]string{1: {try}, 2: {tok}, 3: {try, tok}, 4: {crit, tok}, 5: {tok}})
	}
	return f.compose(fmt.Sprint("ring", n))
}
