package naive

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
)

// anyWord decides whether some word satisfies what is left of a formula: one of
// sets of propositions, with one event at most at each position.
type anyWord struct {
	f     *ltl.Formula
	all   *Structure
	known map[*ltl.Formula]bool
}

func (w *anyWord) possible(f *ltl.Formula) bool {
	if w.all == nil {
		w.all = w.universe()
	}
	if _, ok := w.known[f]; !ok {
		w.known[f] = w.all.Satisfiable(f, false, NoFairness)
	}
	return w.known[f]
}

// universe is a structure with all words.
func (w *anyWord) universe() *Structure {
	b := lks.NewBuilder("ALL")
	var props []string
	events := []string{lks.TauName}
	for _, a := range ltl.Atoms(w.f) {
		switch {
		case a.Kind == ltl.Prop:
			props = append(props, a.Name)
		case a.Name != lks.TauName:
			events = append(events, a.Name)
		}
	}
	var states []int32
	for set := range 1 << len(props) {
		var label []string
		for i, p := range props {
			if set>>i&1 != 0 {
				label = append(label, p)
			}
		}
		states = append(states, b.State(label...))
	}
	events = append(events, "other")
	b.Initial(states...)
	for _, from := range states {
		for _, to := range states {
			for _, e := range events {
				b.Transition(from, e, to)
			}
		}
	}
	m, err := b.Build()
	if err != nil {
		panic(err)
	}
	return ComposeStructure([]*lks.LKS{m})
}

// ShortestBadPrefix returns the number of steps of a shortest run of the network after which
// f is violated whatever follows, -1 if there is none of so many steps or fewer. With ends a
// prefix can be bad since the run ends there.
func ShortestBadPrefix(net *lks.Network, f *ltl.Formula, ends bool, most int) int {
	w := &anyWord{f: f, known: map[*ltl.Formula]bool{}}
	type node struct {
		state []uint64
		rest  *ltl.Formula
	}
	ex := net.Explorer()
	var succ lks.Successors
	words := net.Words()
	seen := map[string]bool{}
	var level []node
	enter := func(to *[]node, state []uint64, rest *ltl.Formula) {
		if key := fmt.Sprint(state, rest); !seen[key] {
			seen[key] = true
			*to = append(*to, node{slices.Clone(state), rest})
		}
	}
	ex.Initial(&succ)
	for i := range succ.Len() {
		enter(&level, succ.States[i*words:(i+1)*words], w.f)
	}
	for length := 0; len(level) > 0 && length <= most; length++ {
		var next []node
		for _, n := range level {
			if !w.possible(n.rest) {
				return length
			}
			ex.Successors(n.state, &succ)
			local := make([]int32, len(net.Components()))
			net.Unpack(n.state, local)
			letter := func(event string) ltl.Letter {
				return func(a ltl.Atom) bool {
					if a.Kind == ltl.Event {
						return a.Name == event
					}
					c, p, _ := net.Prop(a.Name)
					return net.Kind(n.state) != lks.Error && net.Components()[c].HasProp(local[c], p)
				}
			}
			bad := !w.possible(ltl.Residual(n.rest, letter("other")))
			for _, a := range ltl.Atoms(w.f) {
				bad = bad && (a.Kind != ltl.Event || !w.possible(ltl.Residual(n.rest, letter(a.Name))))
			}
			if bad || succ.Len() == 0 && ends && !ltl.Eval(n.rest, ltl.Word{Loop: []ltl.Letter{letter("")}}) {
				return length
			}
			for i, rule := range succ.Rules {
				enter(&next, succ.States[i*words:(i+1)*words], ltl.Residual(n.rest, letter(net.Alphabet()[net.Rules()[rule].Action])))
			}
		}
		level = next
	}
	return -1
}
