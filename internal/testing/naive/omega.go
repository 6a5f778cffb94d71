package naive

import "slices"

// LassoAutomaton is an automaton over infinite words as it reads one word, which goes back
// from its last position to another.
type LassoAutomaton struct {
	States, Initial int
	Positions, Back int
	// Edges calls yield for each edge of a state that reads the letter at a position.
	Edges func(state, position int, yield func(to int, marks uint64))
	// Holds says which sets of marks, met infinitely often, accept.
	Holds func(marks uint64) bool
}

// Accepts reports whether some run accepts, by definition: there is a pair of a state and a
// position that the run comes to, and a walk from it back to it whose marks together
// satisfy the condition. All walks are looked at that differ in where they are and what
// they have met.
func (a *LassoAutomaton) Accepts() bool {
	type edge struct {
		to    int // a place: the state times the positions, and the position
		marks uint64
	}
	type walk struct {
		at  int
		met uint64
	}
	// The places that the run comes to, and what leaves them.
	out := make([][]edge, a.States*a.Positions)
	start := a.Initial * a.Positions
	reached := make([]bool, len(out))
	reached[start] = true
	places := []int{start}
	for n := 0; n < len(places); n++ {
		at := places[n]
		position := at%a.Positions + 1
		if position == a.Positions {
			position = a.Back
		}
		a.Edges(at/a.Positions, at%a.Positions, func(state int, marks uint64) {
			to := state*a.Positions + position
			if out[at] = append(out[at], edge{to, marks}); !reached[to] {
				reached[to] = true
				places = append(places, to)
			}
		})
	}
	met := make([][]uint64, len(out)) // by the walks so far that end there
	var walks []walk
	for _, home := range places {
		for at := range met {
			met[at] = met[at][:0]
		}
		walks = append(walks[:0], walk{at: home})
		for n := 0; n < len(walks); n++ {
			for _, e := range out[walks[n].at] {
				w := walk{e.to, walks[n].met | e.marks}
				if w.at == home && a.Holds(w.met) {
					return true
				}
				if !slices.Contains(met[w.at], w.met) {
					met[w.at] = append(met[w.at], w.met)
					walks = append(walks, w)
				}
			}
		}
	}
	return false
}
