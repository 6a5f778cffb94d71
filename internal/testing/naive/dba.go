package naive

// DBA is a deterministic Büchi automaton over the letters 0 and 1, with initial
// state 0; Next is -1 where there is no edge. A run accepts if it passes infinitely
// often through edges in Accept.
type DBA struct {
	Next   [][2]int
	Accept [][2]bool
}

// DeterministicBuchi lists all automata of n states that agree with accepts on all
// words stem·loop^ω of up to 4 and 5 letters; with stateBased, only those where all
// edges of a state accept or none.
func DeterministicBuchi(n int, stateBased bool, accepts func(stem, loop []int) bool) []DBA {
	type word struct {
		stem, loop      []int
		known, accepted bool
	}
	var words []word
	for total := 1; total <= 9; total++ { // short ones first: most automata fail there
		for k := max(0, total-5); k <= min(4, total-1); k++ {
			for bits := range 1 << total {
				letters := make([]int, total)
				for i := range letters {
					letters[i] = bits >> i & 1
				}
				words = append(words, word{stem: letters[:k], loop: letters[k:]})
			}
		}
	}
	var found []DBA
	d := DBA{make([][2]int, n), make([][2]bool, n)}
	var fill func(i int)
	fill = func(i int) {
		if i == 2*n {
			for j := range words {
				w := &words[j]
				if !w.known {
					w.known, w.accepted = true, accepts(w.stem, w.loop)
				}
				if d.accepts(w.stem, w.loop) != w.accepted {
					return
				}
			}
			c := DBA{append([][2]int(nil), d.Next...), append([][2]bool(nil), d.Accept...)}
			found = append(found, c)
			return
		}
		for to := -1; to < n; to++ {
			for _, accept := range []bool{false, true} {
				if stateBased && i%2 == 1 && accept != d.Accept[i/2][0] {
					continue
				}
				d.Next[i/2][i%2], d.Accept[i/2][i%2] = to, accept
				fill(i + 1)
			}
		}
	}
	fill(0)
	return found
}

// accepts follows the word until the loop must repeat itself.
func (d DBA) accepts(stem, loop []int) bool {
	at := 0
	step := func(l int) (accept bool) {
		if at >= 0 {
			accept, at = d.Accept[at][l], d.Next[at][l]
		}
		return accept
	}
	for _, l := range stem {
		step(l)
	}
	for range len(d.Next) { // now on the cycle of loops
		for _, l := range loop {
			step(l)
		}
	}
	some := false
	for range len(d.Next) + 1 {
		for _, l := range loop {
			some = step(l) || some
		}
	}
	return some && at >= 0
}
