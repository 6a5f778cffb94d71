package buchi

import (
	"slices"

	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/scc"
	"github.com/seltl/seltl/ltl"
)

// Intersect returns an automaton for the words that both accept. The atoms are
// those of a, then those of b that a does not have; the constraints of both
// apply. Its size is at most the product of the sizes. It returns an error if the
// two have more than MaxSets acceptance sets together.
func Intersect(a, b *Automaton) (*Automaton, error) {
	if a.sets+b.sets > MaxSets {
		return nil, errTooManySets
	}
	p := &Automaton{man: bdd.New(), atoms: slices.Clone(a.atoms), sets: a.sets + b.sets}
	p.man.InheritLimit(a.man)
	left, right := importLabels(p, a), importLabels(p, b)
	p.care = p.man.And(left(a.care), right(b.care))
	p.multiply(a, b, func(l Label) Label { return p.man.And(left(l), p.care) }, right)
	return p, nil
}

// multiply gives p, which has none yet, the states and edges of the product of a and b, whose
// labels left and right bring to the diagrams of p. As in package omega, on purpose: edges
// and what is done to those of a state are each package's own.
func (p *Automaton) multiply(a, b *Automaton, left, right func(Label) Label) {
	type pair struct{ s, t int32 }
	number := map[pair]int32{{a.initial, b.initial}: 0}
	states := []pair{{a.initial, b.initial}}
	for i := 0; i < len(states); i++ {
		var es []Edge
		for _, e := range a.out[states[i].s] {
			le := left(e.Label)
			for _, f := range b.out[states[i].t] {
				l := p.man.And(le, right(f.Label))
				if l == NoLetter {
					continue
				}
				to := pair{e.To, f.To}
				n, ok := number[to]
				if !ok {
					n = int32(len(states))
					number[to] = n
					states = append(states, to)
				}
				es = append(es, Edge{l, n, e.Marks | f.Marks<<a.sets})
			}
		}
		p.out = append(p.out, p.mergeEdges(es))
	}
}

// importLabels returns a function that makes labels of src labels of dst, whose
// atoms are extended by those of src.
func importLabels(dst, src *Automaton) func(Label) Label {
	rename := make([]int, len(src.atoms))
	for i, at := range src.atoms {
		j := slices.Index(dst.atoms, at)
		if j < 0 {
			j = len(dst.atoms)
			dst.atoms = append(dst.atoms, at)
		}
		rename[i] = j
	}
	memo := map[Label]Label{}
	return func(l Label) Label { return src.man.Copy(dst.man, l, rename, memo) }
}

// Empty reports whether the automaton accepts no word.
func (a *Automaton) Empty() bool {
	_, empty := a.acceptingComponent()
	return empty
}

func (a *Automaton) acceptingComponent() (c *components, empty bool) {
	c = findComponents(a)
	all := a.AllMarks()
	for id := range c.marks {
		if c.accepting(int32(id), all) {
			return c, false
		}
	}
	return c, true
}

// AcceptedWord returns a word that the automaton accepts, false if there is none.
// The stem is shortest; the loop is short. Atoms that a step leaves open are false
// there where the constraints allow it.
func (a *Automaton) AcceptedWord() (ltl.Word, bool) {
	stem, loop, ok := a.acceptingRun()
	if !ok {
		return ltl.Word{}, false
	}
	return ltl.Word{Stem: a.letters(stem), Loop: a.letters(loop)}, true
}

func (a *Automaton) letters(path []Edge) []ltl.Letter {
	return lists.Map(path, func(e Edge) ltl.Letter { return a.oneLetter(e.Label) })
}

// oneLetter returns a letter that the label reads.
func (a *Automaton) oneLetter(l Label) ltl.Letter {
	var atoms []ltl.Atom
	for l > bdd.True {
		if a.man.Low(l) != NoLetter {
			l = a.man.Low(l)
		} else {
			atoms = append(atoms, a.atoms[a.man.Level(l)])
			l = a.man.High(l)
		}
	}
	return ltl.LetterOf(atoms...)
}

// acceptingRun returns the edges of an accepting lasso.
func (a *Automaton) acceptingRun() (stem, loop []Edge, ok bool) {
	c, empty := a.acceptingComponent()
	if empty {
		return nil, nil, false
	}
	all := a.AllMarks()
	// stem: to the nearest state of an accepting component.
	stem, at := a.shortestPath(a.initial, func(s int32) bool { return true },
		func(s int32) bool { return c.accepting(c.of[s], all) }, nil)
	inside := func(s int32) bool { return c.of[s] == c.of[at] }
	start := at
	for seen := uint64(0); seen != all || at != start || len(loop) == 0; {
		var part []Edge
		if seen != all {
			part, at = a.shortestPath(at, inside, nil, func(e Edge) bool { return e.Marks&^seen != 0 })
		} else if at != start {
			part, at = a.shortestPath(at, inside, func(s int32) bool { return s == start }, nil)
		} else {
			part, at = a.shortestPath(at, inside, nil, func(e Edge) bool { return e.To == start })
		}
		for _, e := range part {
			seen |= e.Marks
		}
		loop = append(loop, part...)
	}
	return stem, loop, true
}

// shortestPath searches breadth first from a state, within the states allowed,
// for a state with goal (if not nil) or for an edge with last (if not nil), which
// must exist. It returns the path and the state at its end.
func (a *Automaton) shortestPath(from int32, within, goal func(int32) bool, last func(Edge) bool) ([]Edge, int32) {
	if goal != nil && goal(from) {
		return nil, from
	}
	path, ok := scc.Path(from, a.Edges, func(e Edge) int32 { return e.To },
		func(e Edge) bool { return within(e.To) },
		func(e Edge) bool { return last != nil && last(e) || goal != nil && goal(e.To) })
	if !ok {
		panic("buchi: no path within a strongly connected component")
	}
	return path, path[len(path)-1].To
}

// Accepts reports whether the automaton accepts the word. Letters outside Care
// are not read. Time is proportional to the number of edges times the length of
// the word.
func (a *Automaton) Accepts(w ltl.Word) bool {
	if len(w.Loop) == 0 {
		panic("buchi: a word needs a loop")
	}
	return a.acceptsFrom([]int32{a.initial}, w)
}

// acceptsFrom is Accepts from a set of initial states. It looks only at what they reach.
func (a *Automaton) acceptsFrom(initial []int32, w ltl.Word) bool {
	values := make([][]bool, w.Len())
	for i := range values {
		letter := w.At(i)
		values[i] = make([]bool, len(a.atoms))
		for j, at := range a.atoms {
			values[i][j] = letter(at)
		}
	}
	// The product with the word, and a first state that goes to all initial ones.
	type position struct{ state, i int32 }
	p := &Automaton{out: make([][]Edge, 1), sets: a.sets}
	at := []position{{-1, -1}}
	number := map[position]int32{}
	add := func(x position) int32 {
		n, ok := number[x]
		if !ok {
			n = int32(len(at))
			number[x] = n
			at = append(at, x)
			p.out = append(p.out, nil)
		}
		return n
	}
	for _, s := range initial {
		p.out[0] = append(p.out[0], Edge{AnyLetter, add(position{s, 0}), 0})
	}
	for n := int32(1); int(n) < len(at); n++ {
		i := at[n].i
		next := int32(w.Next(int(i)))
		for _, e := range a.out[at[n].state] {
			if a.man.Sat(e.Label, func(j int) bool { return values[i][j] }) {
				to := add(position{e.To, next})
				p.out[n] = append(p.out[n], Edge{AnyLetter, to, e.Marks})
			}
		}
	}
	return !p.Empty()
}
