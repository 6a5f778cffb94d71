package omega

import (
	"slices"

	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/ltl"
)

// Substitute returns the automaton with a formula without temporal operators in place of each of
// its atoms, in their order. Its atoms are those of the formulas.
func (a *Automaton) Substitute(formulas []*ltl.Formula) *Automaton {
	b := *a
	letters := Word{man: bdd.New()}
	letters.man.InheritLimit(a.man)
	for _, f := range formulas {
		for _, at := range ltl.Atoms(f) {
			if !slices.Contains(letters.atoms, at) {
				letters.atoms = append(letters.atoms, at)
			}
		}
	}
	b.atoms, b.man, b.out = letters.atoms, letters.man, make([][]Edge, len(a.out))
	means := lists.Map(formulas, letters.label)
	memo := map[Label]Label{NoLetter: NoLetter, AnyLetter: AnyLetter}
	var replace func(l Label) Label
	replace = func(l Label) Label {
		r, ok := memo[l]
		if !ok {
			r = b.man.ITE(means[a.man.Level(l)], replace(a.man.High(l)), replace(a.man.Low(l)))
			memo[l] = r
		}
		return r
	}
	for s, es := range a.out {
		own := lists.Map(es, func(e Edge) Edge { return Edge{replace(e.Label), e.To, e.Marks} })
		b.out[s] = b.merge(own)
	}
	return &b
}

// WordOf returns a word of the semantics of formulas as one over these atoms.
func WordOf(atoms []ltl.Atom, w ltl.Word) Word {
	own := Word{atoms: atoms, man: bdd.New()}
	letters := func(ls []ltl.Letter) []Label {
		out := make([]Label, len(ls))
		for i, l := range ls {
			cube := make(bdd.Cube, len(atoms))
			for v, at := range atoms {
				cube[v] = bdd.Lit(v, !l(at))
			}
			out[i] = own.man.CubeNode(cube)
		}
		return out
	}
	own.stem, own.loop = letters(w.Stem), letters(w.Loop)
	return own
}

// AcceptingStates returns the states of a run that accepts the word, the loop of which is
// repeated: stem and loop may read the loop of the word several times. False if there is none.
// The time is that of Empty for an automaton that is as many times as large as the word is long.
func (a *Automaton) AcceptingStates(w ltl.Word) (stem, loop []int32, ok bool) {
	type place struct {
		state int32
		at    int
	}
	p := a.like(0, a.sets, a.condition)
	places := []place{{a.initial, 0}}
	number := map[place]int32{places[0]: 0}
	for i := 0; i < len(places); i++ {
		var es []Edge
		for _, e := range a.reading(places[i].state, w, places[i].at) {
			to := place{e.To, after(w, places[i].at)}
			n, known := number[to]
			if !known {
				n = int32(len(places))
				number[to] = n
				places = append(places, to)
			}
			es = append(es, Edge{AnyLetter, n, e.Marks})
		}
		p.out = append(p.out, p.merge(es))
	}
	run, ok := p.AcceptingRun()
	for _, t := range run.Stem {
		stem = append(stem, places[t.From].state)
	}
	for _, t := range run.Loop {
		loop = append(loop, places[t.From].state)
	}
	return stem, loop, ok
}

// ReachedStates returns the states that the automaton can be in before each letter of the word,
// sorted; the loop is repeated, and may read that of the word several times. Sets may be empty.
// False if it takes more than so many letters until they repeat.
func (a *Automaton) ReachedStates(w ltl.Word, most int) (stem, loop [][]int32, ok bool) {
	var sets [][]int32
	var places []int
	set, at := []int32{a.initial}, 0
	for range most {
		for i := range sets {
			if places[i] == at && slices.Equal(sets[i], set) {
				return sets[:i], sets[i:], true
			}
		}
		sets, places = append(sets, set), append(places, at)
		var next []int32
		for _, s := range set {
			for _, e := range a.reading(s, w, at) {
				next = append(next, e.To)
			}
		}
		slices.Sort(next)
		set, at = slices.Compact(next), after(w, at)
	}
	return nil, nil, false
}

// reading returns the edges of a state on a letter of the word.
func (a *Automaton) reading(s int32, w ltl.Word, at int) []Edge {
	letter := w.Loop[max(0, at-len(w.Stem))]
	if at < len(w.Stem) {
		letter = w.Stem[at]
	}
	return lists.Filter(a.out[s], func(e Edge) bool { return a.Sat(e.Label, func(atom int) bool { return letter(a.atoms[atom]) }) })
}

// after returns the place of the letter behind one.
func after(w ltl.Word, at int) int {
	if at++; at == len(w.Stem)+len(w.Loop) {
		return len(w.Stem)
	}
	return at
}
