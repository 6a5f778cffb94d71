package naive

import "maps"

// MullerGame is a game on a finite graph: at each vertex the player whose it is goes on; the
// first player wins if Holds of the marks of the vertices that are met infinitely often, or if
// the second cannot go on.
type MullerGame struct {
	First []bool // of each vertex: it is the first player's
	Marks []uint64
	Next  [][]int
	Holds func(marks uint64) bool
}

// Won returns the vertices from which the first player wins: by the recursion of McNaughton,
// over all subsets of marks with the other value.
func (g *MullerGame) Won() map[int]bool {
	all := map[int]bool{}
	for v := range g.Next {
		all[v] = true
	}
	// Where a player cannot go on, the other wins.
	won := map[int]bool{}
	for _, first := range []bool{true, false} {
		stuck := map[int]bool{}
		for v := range all {
			if len(g.Next[v]) == 0 && g.First[v] != first {
				stuck[v] = true
			}
		}
		for v := range g.attracted(all, stuck, first) {
			delete(all, v)
			won[v] = first
		}
	}
	for v := range g.solve(all) {
		won[v] = true
	}
	maps.DeleteFunc(won, func(_ int, first bool) bool { return !first })
	return won
}

// solve plays within a part from which nobody need leave.
func (g *MullerGame) solve(part map[int]bool) map[int]bool {
	part = maps.Clone(part)
	won := map[int]bool{}
	for len(part) > 0 {
		marks := uint64(0)
		for v := range part {
			marks |= g.Marks[v]
		}
		mine := g.Holds(marks)
		lost := g.lost(part, marks, mine)
		if len(lost) == 0 {
			if mine {
				maps.Copy(won, part)
			}
			return won
		}
		for v := range g.attracted(part, lost, !mine) {
			delete(part, v)
			if !mine {
				won[v] = true
			}
		}
	}
	return won
}

// lost returns vertices that the player who wins with all marks loses, some if there are any.
func (g *MullerGame) lost(part map[int]bool, marks uint64, mine bool) map[int]bool {
	for fewer := (marks - 1) & marks; marks != 0; fewer = (fewer - 1) & marks {
		if g.Holds(fewer) != mine {
			others := map[int]bool{}
			for v := range part {
				if g.Marks[v]&^fewer != 0 {
					others[v] = true
				}
			}
			rest := maps.Clone(part)
			for v := range g.attracted(part, others, mine) {
				delete(rest, v)
			}
			lost := map[int]bool{}
			won := g.solve(rest)
			for v := range rest {
				if won[v] != mine {
					lost[v] = true
				}
			}
			if len(lost) > 0 {
				return lost
			}
		}
		if fewer == 0 {
			break
		}
	}
	return nil
}

// attracted returns where a player can force a way to the goal.
func (g *MullerGame) attracted(part, goal map[int]bool, first bool) map[int]bool {
	in := maps.Clone(goal)
	for changed := true; changed; {
		changed = false
		for v := range part {
			if in[v] {
				continue
			}
			some, all := false, true
			for _, w := range g.Next[v] {
				if part[w] {
					some = some || in[w]
					all = all && in[w]
				}
			}
			if some && (g.First[v] == first || all) {
				in[v] = true
				changed = true
			}
		}
	}
	return in
}
