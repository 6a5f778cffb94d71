package omega

import (
	"slices"

	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/ltl"
)

// shared returns the automata with their atoms and diagrams brought together: those of a,
// then those of b that a does not have.
func shared(a, b *Automaton) (*Automaton, *Automaton) {
	frame := &Automaton{man: bdd.New(), atoms: slices.Clone(a.atoms)}
	for _, at := range b.atoms {
		if !slices.Contains(frame.atoms, at) {
			frame.atoms = append(frame.atoms, at)
		}
	}
	y := b.over(frame.atoms, frame.man)
	return a.over(frame.atoms, frame.man), y // bounded as a is
}

// over returns the automaton with other diagrams, over atoms among which its own are.
func (a *Automaton) over(atoms []ltl.Atom, man *bdd.Manager) *Automaton {
	rename := lists.Map(a.atoms, func(at ltl.Atom) int { return slices.Index(atoms, at) })
	man.InheritLimit(a.man)
	b := *a
	b.man, b.atoms, b.out = man, atoms, make([][]Edge, len(a.out))
	memo := map[Label]Label{}
	for s, es := range a.out {
		b.out[s] = slices.Clone(es)
		for i := range es {
			b.out[s][i].Label = a.man.Copy(man, es[i].Label, rename, memo)
		}
	}
	return &b
}

// Product returns an automaton for the words that both accept, with at most as many states
// as pairs. The sets of b are numbered behind those of a. The error says that there are more
// than MaxSets.
func Product(a, b *Automaton) (*Automaton, error) {
	return joint(a, b, And)
}

// joint runs both automata, which are complete unless their conditions are joined by And,
// side by side.
func joint(a, b *Automaton, join func(...*Condition) *Condition) (*Automaton, error) {
	if a.sets+b.sets > MaxSets {
		return nil, errTooManySets
	}
	a, b = shared(a, b)
	p := a.like(0, a.sets+b.sets, join(a.condition, b.condition.shift(a.sets)))
	p.name = ""
	if p.meter == nil {
		p.meter = b.meter
	}
	type pair struct{ s, t int32 }
	var states numbering[pair]
	states.add(pair{a.initial, b.initial})
	for i := 0; i < len(states.list); i++ {
		step(p.meter, "multiplying", len(states.list))
		from := states.list[i]
		var es []Edge
		for _, e := range a.out[from.s] {
			for _, f := range b.out[from.t] {
				l := p.man.And(e.Label, f.Label)
				if l == NoLetter {
					continue
				}
				es = append(es, Edge{l, states.add(pair{e.To, f.To}), e.Marks | f.Marks<<a.sets})
			}
		}
		p.out = append(p.out, p.merge(es))
	}
	return p, nil
}

// Union returns an automaton for the words that one of them accepts: of deterministic
// automata their product, which is deterministic, of others their sum.
func Union(a, b *Automaton) (*Automaton, error) {
	if a.Deterministic() && b.Deterministic() {
		return joint(a.Completed(), b.Completed(), Or)
	}
	return Sum(a, b)
}

// Sum returns an automaton for the words that one of them accepts, which has the states of
// both and a new initial one.
func Sum(a, b *Automaton) (*Automaton, error) {
	a, b = shared(a, b)
	by, condition := 0, a.condition
	rejectA, rejectB := uint64(0), uint64(0)
	if a.condition.String() != b.condition.String() {
		// A run of one must not satisfy the condition of the other.
		a, rejectA = a.rejecting()
		b, rejectB = b.rejecting()
		by = a.sets
		if a.sets+b.sets > MaxSets {
			return nil, errTooManySets
		}
		condition = Or(a.condition, b.condition.shift(by))
	}
	n := int32(len(a.out))
	u := a.like(0, max(a.sets, b.sets+by), condition)
	u.name = ""
	for _, es := range a.out {
		own := lists.Map(es, func(e Edge) Edge { return Edge{e.Label, e.To, e.Marks | rejectB<<by} })
		u.out = append(u.out, own)
	}
	for _, es := range b.out {
		own := lists.Map(es, func(e Edge) Edge { return Edge{e.Label, e.To + n, e.Marks<<by | rejectA} })
		u.out = append(u.out, u.merge(own))
	}
	start := slices.Concat(u.out[a.initial], u.out[b.initial+n])
	for i := range start {
		start[i].Marks = 0 // nothing leads back
	}
	u.initial = int32(len(u.out))
	u.out = append(u.out, u.merge(start))
	return u, nil
}

// Project returns an automaton for the words that become accepted ones by some choice of the
// values of the atoms at each position: its labels do not speak of them.
func (a *Automaton) Project(atoms ...ltl.Atom) *Automaton {
	b := a.like(len(a.out), a.sets, a.condition)
	b.initial, b.atoms, b.name = a.initial, nil, ""
	rename := make([]int, len(a.atoms))
	for i, at := range a.atoms {
		if !slices.Contains(atoms, at) {
			rename[i] = len(b.atoms)
			b.atoms = append(b.atoms, at)
		} else {
			rename[i] = -1
		}
	}
	b.man = bdd.New()
	b.man.InheritLimit(a.man)
	memo := map[Label]Label{NoLetter: NoLetter, AnyLetter: AnyLetter}
	var exists func(l Label) Label
	exists = func(l Label) Label {
		r, ok := memo[l]
		if !ok {
			low, high := exists(a.man.Low(l)), exists(a.man.High(l))
			if v := rename[a.man.Level(l)]; v < 0 {
				r = b.man.Or(low, high)
			} else {
				r = b.man.ITE(b.man.Var(v), high, low)
			}
			memo[l] = r
		}
		return r
	}
	for s, es := range a.out {
		own := lists.Map(es, func(e Edge) Edge { return Edge{exists(e.Label), e.To, e.Marks} })
		b.out[s] = b.merge(own)
	}
	return b
}
