package omega

import (
	"slices"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/bdd"
)

// ShortestOutside returns a word that a accepts and b does not, with as few letters in stem and
// loop together as any has, given one such word. Words are looked at in the order of their
// lengths, but for those that do to both automata what a shorter one does: to the sets of
// states reached by a stem, and to the matrices of a loop. Time is exponential in the squares
// of the numbers of states in the worst case. Errors are those of the meter, which may be nil,
// and limits.
func ShortestOutside(a, b *Automaton, known Word, meter *budget.Meter) (Word, error) {
	word := known
	_, err := guarded(func() (*Automaton, error) {
		x, y := shared(a, b)
		s, err := newShortest(x, y, meter)
		if err != nil {
			return nil, err
		}
		found, ok, err := s.search(known.Len() - 1)
		if ok {
			word = found
		}
		return nil, err
	})
	if err != nil {
		return known, err
	}
	if !a.Accepts(word) || b.Accepts(word) {
		return known, bug.Errorf("omega", "%v does not tell the automata apart", word)
	}
	return word, nil
}

// shortest is one search: a fork for each automaton, in which it is the second one.
type shortest struct {
	sides [2]*fork
	stems [][]*lead // by length
	loops [][]*lead
	seen  map[string]bool // stems
	met   map[string]bool // loops
}

// lead is what a finite word does to both automata.
type lead struct {
	sets   [2]bitset
	prev   *lead
	letter int
}

func newShortest(a, b *Automaton, meter *budget.Meter) (*shortest, error) {
	man, atoms := bdd.New(), a.atoms
	var both [2]*Automaton
	for i, from := range []*Automaton{a, b} {
		x, err := from.toBuchi(buchi.Buchi, meter)
		if err != nil {
			return nil, err
		}
		both[i] = x.over(atoms, man)
	}
	classes, err := letterClasses(both[0], both[1])
	if err != nil {
		return nil, err
	}
	s := &shortest{seen: map[string]bool{}, met: map[string]bool{}}
	first, empty := &lead{letter: -1}, &lead{letter: -1}
	for i, x := range both {
		f := &fork{a: both[0], b: x, meter: meter}
		f.tables(classes)
		s.sides[i] = f
		first.sets[i] = make(bitset, f.words)
		first.sets[i].add(x.initial)
		empty.sets[i] = make(bitset, 2*f.words*len(x.out))
		for q := range x.out {
			f.row(empty.sets[i], q, 0).add(int32(q))
		}
	}
	s.stems, s.loops = [][]*lead{{first}}, [][]*lead{{empty}}
	return s, nil
}

// search looks for words with up to most letters.
func (s *shortest) search(most int) (Word, bool, error) {
	for total := 1; total <= most; total++ {
		if err := s.longer(); err != nil {
			return Word{}, false, err
		}
		for stem := range total {
			for _, loop := range s.loops[total-stem] {
				for _, u := range s.stems[stem] {
					if s.apart(u, loop) {
						f := s.sides[0]
						return Word{atoms: f.a.atoms, man: f.a.man, stem: f.letterList(u), loop: f.letterList(loop)}, true, nil
					}
				}
			}
		}
	}
	return Word{}, false, nil
}

// longer adds stems and loops with one more letter.
func (s *shortest) longer() error {
	f := s.sides[0]
	extend := func(all *[][]*lead, seen map[string]bool, step func(f *fork, m bitset, letter int) bitset) error {
		var next []*lead
		for _, n := range (*all)[len(*all)-1] {
			for l := range f.letters {
				longer := &lead{prev: n, letter: l}
				key := ""
				for i, side := range s.sides {
					longer.sets[i] = step(side, n.sets[i], l)
					key += longer.sets[i].key()
				}
				if seen[key] {
					continue
				}
				seen[key] = true
				next = append(next, longer)
				if err := f.tick(); err != nil {
					return err
				}
			}
		}
		*all = append(*all, next)
		return nil
	}
	if err := extend(&s.stems, s.seen, (*fork).stemStep); err != nil {
		return err
	}
	return extend(&s.loops, s.met, (*fork).step)
}

// stemStep is a set after one more letter.
func (f *fork) stemStep(set bitset, letter int) bitset {
	next := make(bitset, f.words)
	for _, s := range set.members() {
		for i, w := range f.next[letter][s] {
			next[i] |= w
		}
	}
	return next
}

// apart reports whether the first automaton accepts the word and the second does not.
func (s *shortest) apart(stem, loop *lead) bool {
	refuted := func(i int) bool {
		f := s.sides[i]
		rows := make(bitset, f.words)
		members := make([]int32, len(f.b.out))
		for q := range members {
			members[q] = int32(q)
			rows.add(int32(q))
		}
		return f.refutes(stem.sets[i], rows, members, loop.sets[i])
	}
	return refuted(1) && !refuted(0)
}

// letterList returns the letters of a finite word.
func (f *fork) letterList(n *lead) []Label {
	var list []Label
	for ; n.letter >= 0; n = n.prev {
		list = append(list, f.letters[n.letter])
	}
	slices.Reverse(list)
	return list
}
