package omega

import (
	"encoding/binary"
	"fmt"
	"iter"
	"slices"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/ltl"
)

// Included returns whether b accepts all words that a accepts, and if not, a word that a
// accepts and b does not, which is evaluated on both before it is returned. Both may have
// atoms of their own; letters are over all of them. No complement of a nondeterministic
// automaton is made. Time is exponential in the square of the number of states of a Büchi
// automaton for b in the worst case, and about the product of the sizes if b is
// deterministic. Errors are those of the meter, which may be nil, and limits.
func Included(a, b *Automaton, meter *budget.Meter) (bool, Word, error) {
	var word Word
	found := false
	_, err := guarded(func() (*Automaton, error) {
		x, y := shared(a, b)
		var err error
		if y.Deterministic() && x.sets+y.sets < MaxSets { // one more where y is completed
			word, found, err = outsideDeterministic(x, y)
		} else {
			word, found, err = forklift(x, y, meter)
		}
		return nil, err
	})
	if err != nil || !found {
		return err == nil, Word{}, err
	}
	word = word.shortened()
	if !a.Accepts(word) || b.Accepts(word) {
		return false, Word{}, bug.Errorf("omega", "%v does not tell the automata apart", word)
	}
	return false, word, nil
}

// Equivalent returns whether both accept the same words, and if not, a word that one of them
// accepts, a if first. See Included.
func Equivalent(a, b *Automaton, meter *budget.Meter) (same bool, word Word, first bool, err error) {
	same, word, err = Included(a, b, meter)
	if err != nil || !same {
		return same, word, true, err
	}
	same, word, err = Included(b, a, meter)
	return same, word, false, err
}

// Universal returns whether the automaton accepts all words over its atoms, and if not, one
// that it does not accept. See Included.
func (a *Automaton) Universal(meter *budget.Meter) (bool, Word, error) {
	return Included(Everything(a.atoms...), a, meter)
}

// Everything returns an automaton that accepts all words over the atoms.
func Everything(atoms ...ltl.Atom) *Automaton {
	return &Automaton{atoms: atoms, man: bdd.New(), condition: always, out: [][]Edge{{{AnyLetter, 0, 0}}}}
}

// Nothing returns an automaton over no atoms that accepts no word.
func Nothing() *Automaton {
	return &Automaton{man: bdd.New(), condition: always, out: make([][]Edge, 1)}
}

// outsideDeterministic looks for a word in the product of a and the dual of b.
func outsideDeterministic(a, b *Automaton) (Word, bool, error) {
	b = b.Completed()
	p, err := Product(a, b.withCondition(b.condition.Dual()))
	if err != nil {
		return Word{}, false, err
	}
	w, ok := p.AcceptedWord()
	return w, ok, nil
}

// The search of [DoveriGantyMazzocchi22] for a word u·v^ω of a Büchi automaton A that a Büchi
// automaton B does not accept. Where u leads A to p and B to the states S, and v leads A from p
// to p by way of an accepting edge, what v can do to S decides. Of stems, those with least S
// are kept (fewer runs of B), in an antichain for each p. Of loops, those that can do least to
// the states of a set W, for each p and each largest W to which a stem leads: if there is a
// word at all, there is one of these stems and loops which stays within W.

// maxLetterClasses bounds the alphabet.
const maxLetterClasses = 1 << 14

// bitset is a set of states of B.
type bitset []uint64

func (x bitset) has(i int32) bool { return x[i/64]>>(i%64)&1 != 0 }
func (x bitset) add(i int32)      { x[i/64] |= 1 << (i % 64) }

// within reports whether x is a subset of y.
func (x bitset) within(y bitset) bool {
	for i, w := range x {
		if w&^y[i] != 0 {
			return false
		}
	}
	return true
}

func (x bitset) members() []int32 {
	var list []int32
	for i, w := range x {
		for _, b := range bitList(w) {
			list = append(list, int32(i*64+b))
		}
	}
	return list
}

func (x bitset) key() string {
	key := make([]byte, 0, 8*len(x))
	for _, w := range x {
		key = binary.LittleEndian.AppendUint64(key, w)
	}
	return string(key)
}

// fork is one search.
type fork struct {
	a, b    *Automaton // with the condition Inf(0), over the same diagrams
	letters []Label    // one of each class that no label tells apart
	words   int        // of a bitset
	// next and accepting are, by letter and state of B, the successors, and those by
	// accepting edges; read by letter and state of A the edges.
	next, accepting [][]bitset
	read            [][][]Edge
	c               *components // of a
	meter           *budget.Meter
	work            int
}

// place is a state of A and what is known of B there, with the way to it.
type place struct {
	state  int32
	set    bitset
	prev   *place
	letter int
	gone   bool // another place is better
}

// forklift returns a word of a that b does not accept.
func forklift(a, b *Automaton, meter *budget.Meter) (Word, bool, error) {
	f := &fork{meter: meter}
	atoms := a.atoms
	var err error
	for _, side := range []struct {
		from *Automaton
		to   **Automaton
	}{{a, &f.a}, {b, &f.b}} {
		if *side.to, err = side.from.toBuchi(buchi.Buchi, meter); err != nil {
			return Word{}, false, err
		}
	}
	man := bdd.New()
	f.a, f.b = f.a.over(atoms, man), f.b.over(atoms, man)
	classes, err := letterClasses(f.a, f.b)
	if err != nil {
		return Word{}, false, err
	}
	f.tables(classes)
	f.c = f.a.components()
	least, err := f.stems(func(old, new bitset) bool { return old.within(new) })
	if err != nil {
		return Word{}, false, err
	}
	largest, err := f.stems(func(old, new bitset) bool { return new.within(old) })
	if err != nil {
		return Word{}, false, err
	}
	for p := range f.a.out {
		if !f.begins(int32(p)) {
			continue
		}
		for _, w := range largest[p] {
			stems := lists.Filter(least[p], func(u *place) bool { return u.set.within(w.set) })
			word, found, err := f.loops(int32(p), w.set, stems)
			if err != nil || found {
				return word, found, err
			}
		}
	}
	return Word{}, false, nil
}

// begins reports whether an accepting edge of the state is on a cycle.
func (f *fork) begins(s int32) bool {
	return f.c.of[s] >= 0 && slices.ContainsFunc(f.a.out[s], func(e Edge) bool { return f.opens(s, e) })
}

func (f *fork) opens(s int32, e Edge) bool { return e.Marks&1 != 0 && f.c.of[s] == f.c.of[e.To] }

// tables says what one letter of each class does.
func (f *fork) tables(classes []Label) {
	f.words = (len(f.b.out) + 63) / 64
	for _, l := range classes {
		l = f.a.oneLetter(l)
		f.letters = append(f.letters, l)
		next, accepting := make([]bitset, len(f.b.out)), make([]bitset, len(f.b.out))
		for s, es := range f.b.out {
			next[s], accepting[s] = make(bitset, f.words), make(bitset, f.words)
			for _, e := range es {
				if f.b.man.Implies(l, e.Label) {
					if next[s].add(e.To); e.Marks&1 != 0 {
						accepting[s].add(e.To)
					}
				}
			}
		}
		f.next, f.accepting = append(f.next, next), append(f.accepting, accepting)
		read := make([][]Edge, len(f.a.out))
		for s, es := range f.a.out {
			for _, e := range es {
				if f.a.man.Implies(l, e.Label) {
					read[s] = append(read[s], e)
				}
			}
		}
		f.read = append(f.read, read)
	}
}

// labels are those of the edges of automata.
func labels(as ...*Automaton) iter.Seq[Label] {
	return func(yield func(Label) bool) {
		for _, a := range as {
			for _, es := range a.out {
				for _, e := range es {
					if !yield(e.Label) {
						return
					}
				}
			}
		}
	}
}

// splitter prepares to split the letters by labels of edges.
func (a *Automaton) splitter() *bdd.Splitter { return a.man.Splitter(AnyLetter, labels(a)) }

// letterClasses partitions the letters by the labels of automata over the same diagrams.
func letterClasses(as ...*Automaton) ([]Label, error) {
	classes := as[0].man.Classes(AnyLetter, labels(as...), maxLetterClasses)
	if classes == nil {
		return nil, &budget.Exhausted{What: "letters that labels tell apart", Limit: fmt.Sprint(maxLetterClasses)}
	}
	return classes, nil
}

// tick counts a place that was kept.
func (f *fork) tick() error {
	f.work++
	return tick(f.meter, "comparing languages", f.work)
}

// antichains are the places that were met by state, of which no other is better, and those of them that are to be looked at.
type antichains struct {
	*fork
	places [][]*place
	queue  []*place
	better func(old, new bitset) bool
}

func (f *fork) antichains(better func(old, new bitset) bool) *antichains {
	return &antichains{fork: f, places: make([][]*place, len(f.a.out)), better: better}
}

func (k *antichains) add(n *place) error {
	for _, old := range k.places[n.state] {
		if k.better(old.set, n.set) {
			return nil
		}
	}
	k.places[n.state] = slices.DeleteFunc(k.places[n.state], func(old *place) bool {
		old.gone = k.better(n.set, old.set)
		return old.gone
	})
	k.places[n.state] = append(k.places[n.state], n)
	k.queue = append(k.queue, n)
	return k.tick()
}

// stems returns for each state of A places to which stems lead, of which no other is better.
func (f *fork) stems(better func(old, new bitset) bool) ([][]*place, error) {
	kept := f.antichains(better)
	start := make(bitset, f.words)
	start.add(f.b.initial)
	if err := kept.add(&place{state: f.a.initial, set: start, letter: -1}); err != nil {
		return nil, err
	}
	for ; len(kept.queue) > 0; kept.queue = kept.queue[1:] {
		n := kept.queue[0]
		if n.gone {
			continue
		}
		for l, read := range f.read {
			if len(read[n.state]) == 0 {
				continue
			}
			set := f.stemStep(n.set, l)
			for _, e := range read[n.state] {
				if err := kept.add(&place{state: e.To, set: set, prev: n, letter: l}); err != nil {
					return nil, err
				}
			}
		}
	}
	return kept.places, nil
}

// loops looks for a loop at p after one of the stems, which lead to states among rows. The
// set of a place holds, for each row, where a loop leads, and then where it does so by way of
// an accepting edge.
func (f *fork) loops(p int32, rows bitset, stems []*place) (Word, bool, error) {
	members := rows.members()
	kept := f.antichains(bitset.within)
	identity := make(bitset, 2*f.words*len(members))
	for i, s := range members {
		f.row(identity, i, 0).add(s)
	}
	first := &place{state: p, set: identity, letter: -1}
	for l, read := range f.read {
		for _, e := range read[p] {
			if f.opens(p, e) {
				if err := kept.add(&place{state: e.To, set: f.step(identity, l), prev: first, letter: l}); err != nil {
					return Word{}, false, err
				}
			}
		}
	}
	for ; len(kept.queue) > 0; kept.queue = kept.queue[1:] {
		n := kept.queue[0]
		if n.gone {
			continue
		}
		if n.state == p {
			for _, u := range stems {
				if f.refutes(u.set, rows, members, n.set) {
					return f.word(u, n), true, nil
				}
			}
		}
		for l, read := range f.read {
			var set bitset
			for _, e := range read[n.state] {
				if f.c.of[e.To] != f.c.of[p] {
					continue
				}
				if set == nil {
					set = f.step(n.set, l)
				}
				if err := kept.add(&place{state: e.To, set: set, prev: n, letter: l}); err != nil {
					return Word{}, false, err
				}
			}
		}
	}
	return Word{}, false, nil
}

// row returns a part of a matrix: where row i leads (0), or where it does so by way of an
// accepting edge (1).
func (f *fork) row(m bitset, i, accepting int) bitset {
	at := (2*i + accepting) * f.words
	return m[at : at+f.words]
}

// step is a matrix after one more letter.
func (f *fork) step(m bitset, letter int) bitset {
	out := make(bitset, len(m))
	for i := range len(m) / (2 * f.words) {
		reach, accepting := f.row(out, i, 0), f.row(out, i, 1)
		met := f.row(m, i, 1)
		for _, s := range f.row(m, i, 0).members() {
			by := f.accepting[letter][s]
			if met.has(s) {
				by = f.next[letter][s]
			}
			for k, w := range f.next[letter][s] {
				reach[k] |= w
				accepting[k] |= by[k]
			}
		}
	}
	return out
}

// refutes reports that a loop, done for ever from the states of a set, never leads out of the
// rows and has no accepting run.
func (f *fork) refutes(set, rows bitset, members []int32, m bitset) bool {
	index := make(map[int32]int, len(members))
	for i, s := range members {
		index[s] = i
	}
	met := slices.Clone(set)
	queue := set.members()
	for i := 0; i < len(queue); i++ {
		reach := f.row(m, index[queue[i]], 0)
		if !reach.within(rows) {
			return false
		}
		for _, t := range reach.members() {
			if !met.has(t) {
				met.add(t)
				queue = append(queue, t)
			}
		}
	}
	for _, s := range queue {
		for _, t := range f.row(m, index[s], 1).members() {
			if f.leads(m, index, t, s) {
				return false
			}
		}
	}
	return true
}

// leads reports whether a loop, done some number of times, leads from s to t.
func (f *fork) leads(m bitset, index map[int32]int, s, t int32) bool {
	met := make(bitset, f.words)
	met.add(s)
	for queue := []int32{s}; len(queue) > 0; queue = queue[1:] {
		if queue[0] == t {
			return true
		}
		for _, u := range f.row(m, index[queue[0]], 0).members() {
			if !met.has(u) {
				met.add(u)
				queue = append(queue, u)
			}
		}
	}
	return false
}

// word puts a stem and a loop together.
func (f *fork) word(stem, loop *place) Word {
	letters := func(n *place) []Label {
		var list []Label
		for ; n.letter >= 0; n = n.prev {
			list = append(list, f.letters[n.letter])
		}
		slices.Reverse(list)
		return list
	}
	return Word{atoms: f.a.atoms, man: f.a.man, stem: letters(stem), loop: letters(loop)}
}
