package naive

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
	type place struct{ state, position int }
	type walk struct {
		at  place
		met uint64
	}
	next := func(p place, yield func(place, uint64)) {
		position := p.position + 1
		if position == a.Positions {
			position = a.Back
		}
		a.Edges(p.state, p.position, func(to int, marks uint64) { yield(place{to, position}, marks) })
	}
	start := place{a.Initial, 0}
	reached := map[place]bool{start: true}
	for places := []place{start}; len(places) > 0; places = places[1:] {
		next(places[0], func(to place, _ uint64) {
			if !reached[to] {
				reached[to] = true
				places = append(places, to)
			}
		})
	}
	for home := range reached {
		seen := map[walk]bool{}
		for walks := []walk{{at: home}}; len(walks) > 0; walks = walks[1:] {
			w, accepts := walks[0], false
			next(w.at, func(to place, marks uint64) {
				v := walk{to, w.met | marks}
				accepts = accepts || to == home && a.Holds(v.met)
				if !seen[v] {
					seen[v] = true
					walks = append(walks, v)
				}
			})
			if accepts {
				return true
			}
		}
	}
	return false
}
