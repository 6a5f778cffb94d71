package buchi

import (
	"errors"
	"fmt"
	"iter"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/bdd"
)

// Minimisation of deterministic Büchi automata by SAT solving, after [Ehlers10] and
// [BaarirDuretLutz14]. The clauses describe a candidate of n states and its product with
// a reference automaton, in which no cycle may be accepting on one side only. n grows
// from the number of residual languages, so that the first candidate found is a smallest
// one, and that there is no smaller one has been proved.
//
// Two things differ from the papers: candidates may lack edges, exactly where the
// reference does (both have non-empty languages in all states), and letters that
// no label tells apart are one letter.

// ErrNotRecurrence is returned by MinimiseSAT for a language that no
// deterministic Büchi automaton accepts.
var ErrNotRecurrence = errors.New("no deterministic Büchi automaton accepts this language")

// ErrNoSmaller is returned by MinimiseSAT for a nondeterministic automaton that
// is smaller than every deterministic one.
var ErrNoSmaller = errors.New("every deterministic Büchi automaton for this language has more states")

// SATOptions bound a minimisation. The zero value bounds the size of the problem,
// not the time.
type SATOptions struct {
	// Meter bounds the time and the memory; nil is no bound.
	Meter *budget.Meter
	// MaxStates bounds the deterministic automaton to start from; 0 is 200.
	MaxStates int
	// MaxClauses bounds each SAT problem; 0 is two million.
	MaxClauses int
}

// MinimiseSAT returns a smallest deterministic Büchi automaton, with one
// acceptance set on edges, or on states if a is StateBased. Smallest is meant in
// states; a state that accepts nothing is not counted and is not there, unless a
// is complete: then so is the result.
//
// With an error, the automaton is a itself: ErrNotRecurrence and ErrNoSmaller say
// why there is nothing to be found, *budget.Exhausted and budget.ErrInterrupted
// that the search was cut short. A deterministic a that no automaton with one set
// has fewer states than is returned without an error, whatever its sets. A result
// with more states than a is never returned.
//
// The result has been checked to accept the language of a. The problems have some
// n³m²l clauses for n states of the result, m of a deterministic automaton for
// a, and l classes of letters, and take exponential time in the worst case.
//
// The result shares diagrams with a; only one minimisation runs at a time in a
// process.
func MinimiseSAT(a *Automaton, opts SATOptions) (*Automaton, error) {
	if opts.MaxStates == 0 {
		opts.MaxStates = 200
	}
	if opts.MaxClauses == 0 {
		opts.MaxClauses = 2_000_000
	}
	tick := func() error { return nil }
	if opts.Meter != nil {
		tick = func() error { return opts.Meter.Tick(budget.Progress{Phase: "minimising"}) }
	}
	a.man.SetLimit(maxNodes, func(int) error { return tick() })
	defer a.man.SetLimit(0, nil)
	result := a
	err := nodeLimit(bdd.Guard(func() error {
		b, err := minimiseSAT(a, opts, tick)
		if err == nil {
			result = b
		}
		return err
	}))
	return result, err
}

func minimiseSAT(a *Automaton, opts SATOptions, tick func() error) (*Automaton, error) {
	ref, err := satReference(a, opts.MaxStates)
	if err != nil {
		return nil, err
	}
	// A deterministic input only makes way for fewer states.
	most := len(trim(a).out)
	if a.Deterministic() {
		most--
	}
	s, err := newCandidateSearch(ref, a.stateBased, opts.MaxClauses, tick)
	if err != nil {
		return nil, err
	}
	fewest, err := residuals(ref)
	if err != nil {
		return nil, err
	}
	for n := fewest; n <= most; n++ {
		b, err := s.find(n)
		if err != nil {
			return nil, err
		}
		if b != nil {
			return confirm(a, ref, b)
		}
	}
	if a.Deterministic() {
		return a, nil
	}
	return nil, ErrNoSmaller
}

// satReference returns a trimmed deterministic automaton with at most one acceptance
// set for the language of a.
func satReference(a *Automaton, limit int) (*Automaton, error) {
	d := trim(oneSet(trim(a)))
	if !d.Deterministic() {
		p := determinize(d, limit)
		if p == nil {
			return nil, largeReference(limit)
		}
		if p.out.Mixed(1) {
			return nil, ErrNotRecurrence
		}
		d = p.buchi()
		if r := reduceSimulation(d); r.Deterministic() && r.sets <= 1 {
			d = trim(r)
		}
	}
	if len(d.out) > limit {
		return nil, largeReference(limit)
	}
	return d, nil
}

func largeReference(limit int) error {
	return &budget.Exhausted{What: "states", Limit: fmt.Sprintf("%d in a deterministic automaton", limit)}
}

// residuals counts the languages that are accepted from the states of a trimmed
// deterministic automaton with at most one acceptance set: every deterministic
// automaton for its language has a state for each.
func residuals(a *Automaton) (int, error) {
	c := complementDeterministic(a)
	within := func(s, t int32) (bool, error) {
		x, y := *a, *c // only the initial states differ
		x.initial, y.initial = s, t
		return disjoint(&x, &y)
	}
	var found []int32 // one state for each language
	for s := range int32(len(a.out)) {
		known := false
		for _, t := range found {
			same, err := within(s, t)
			if same && err == nil {
				same, err = within(t, s)
			}
			if err != nil {
				return 0, err
			}
			if known = same; known {
				break
			}
		}
		if !known {
			found = append(found, s)
		}
	}
	return len(found), nil
}

// confirm checks that b accepts the language of a and of ref, and brings it into
// the form of a.
func confirm(a, ref, b *Automaton) (*Automaton, error) {
	for _, pair := range [][2]*Automaton{{a, complementDeterministic(b)}, {b, complementDeterministic(ref)}} {
		empty, err := disjoint(pair[0], pair[1])
		if err != nil {
			return nil, err
		}
		if !empty {
			return nil, bug.Errorf("buchi", "the SAT solver's automaton accepts another language")
		}
	}
	b = renumber(b)
	if a.complete() {
		b = complete(b)
	}
	if len(b.out) > len(a.out) {
		return nil, ErrNoSmaller
	}
	b.name = a.name
	return b, nil
}

// complementDeterministic returns a nondeterministic automaton for the words that
// a deterministic automaton, with at most one acceptance set, does not accept: it
// guesses from where on no accepting edge comes. State s becomes s and, after the
// guess, n+1+s; n is where a word without a run goes.
func complementDeterministic(a *Automaton) *Automaton {
	n := int32(len(a.out))
	c := a.like(int(2*n + 1))
	c.initial, c.sets, c.stateBased = a.initial, 1, false
	all := a.AllMarks()
	for s, es := range a.out {
		var before, after []Edge
		for _, e := range es {
			before = append(before, Edge{e.Label, e.To, 0})
			if e.Marks != all {
				before = append(before, Edge{e.Label, n + 1 + e.To, 0})
				after = append(after, Edge{e.Label, n + 1 + e.To, 1})
			}
		}
		none := a.man.Diff(a.care, a.union(es))
		before = append(before, Edge{none, n, 0})
		c.out[s], c.out[int(n)+1+s] = c.mergeEdges(before), c.mergeEdges(after)
	}
	c.out[n] = c.mergeEdges([]Edge{{a.care, n, 1}})
	return c
}

// candidateSearch looks for candidates of a given size.
type candidateSearch struct {
	ref        *Automaton
	stateBased bool
	letters    []Label
	next       [][]int32 // of each state and letter: the target, -1 if none
	accept     [][]bool  // of each state and letter: whether the edge accepts
	inside     []int32   // of each state: its component; -1 if it has no cycle
	pairs      [][]int32 // of each two states of a component: a number; else -1
	numPairs   int
	maxClauses int
	tick       func() error

	// Of the problem under way:
	n       int
	clauses [][]int
	err     error
}

// maxLetters bounds the classes of letters.
const maxLetters = 1 << 10

func newCandidateSearch(ref *Automaton, stateBased bool, maxClauses int, tick func() error) (*candidateSearch, error) {
	s := &candidateSearch{ref: ref, stateBased: stateBased, maxClauses: maxClauses, tick: tick}
	if s.letters = labelClasses(ref, maxLetters); s.letters == nil {
		return nil, &budget.Exhausted{What: "classes of letters", Limit: fmt.Sprint(maxLetters)}
	}
	all := ref.AllMarks()
	for _, es := range ref.out {
		next, accept := make([]int32, len(s.letters)), make([]bool, len(s.letters))
		for l, letter := range s.letters {
			next[l] = -1
			for _, e := range es {
				if !ref.man.Disjoint(e.Label, letter) {
					next[l], accept[l] = e.To, e.Marks == all
				}
			}
		}
		s.next, s.accept = append(s.next, next), append(s.accept, accept)
	}
	c := findComponents(ref)
	for q := range ref.out {
		s.inside = append(s.inside, -1)
		if c.cyclic[c.of[q]] {
			s.inside[q] = c.of[q]
		}
	}
	for q := range ref.out {
		row := make([]int32, len(ref.out))
		for r := range row {
			row[r] = -1
			if s.inside[q] >= 0 && s.inside[q] == s.inside[r] {
				row[r] = int32(s.numPairs)
				s.numPairs++
			}
		}
		s.pairs = append(s.pairs, row)
	}
	return s, nil
}

// labelClasses partitions the letters into those that every label reads or does
// not read together; nil if there are more than limit classes.
func labelClasses(a *Automaton, limit int) []Label { return a.man.Classes(a.care, labels(a), limit) }

// splitter prepares to split the letters by labels of edges.
func (a *Automaton) splitter() *bdd.Splitter { return a.man.Splitter(a.care, labels(a)) }

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

// The variables: edge(q,l,r) the candidate goes from q to r with letter l;
// mark(q,l) that edge accepts; both(q,s) the product reaches q with s of the
// reference; path(k,q,s,r,t) the product goes from (q,s) to (r,t) within a
// component of the reference, for k = 0 by edges that the reference does not
// accept, for k = 1 by edges that the candidate does not accept.

func (s *candidateSearch) edge(q, l, r int) int {
	return 1 + (q*len(s.letters)+l)*s.n + r
}

func (s *candidateSearch) mark(q, l int) int {
	if s.stateBased {
		l = 0
	}
	return s.edge(s.n, 0, 0) + q*len(s.letters) + l
}

func (s *candidateSearch) both(q, ref int) int {
	return s.mark(s.n, 0) + q*len(s.ref.out) + ref
}

func (s *candidateSearch) path(k, q, from, r, to int) int {
	return s.both(s.n, 0) + ((k*s.n+q)*s.n+r)*s.numPairs + int(s.pairs[from][to])
}

// add adds a clause.
func (s *candidateSearch) add(literals ...int) {
	if s.err != nil {
		return
	}
	s.clauses = append(s.clauses, literals)
	if len(s.clauses) > s.maxClauses {
		s.err = &budget.Exhausted{What: "clauses", Limit: fmt.Sprint(s.maxClauses)}
	} else if len(s.clauses)%budget.TickEvery == 0 {
		s.err = s.tick()
	}
}

// find returns an automaton of at most n states for the language of the
// reference, nil if there is none.
func (s *candidateSearch) find(n int) (*Automaton, error) {
	s.n, s.clauses = n, nil
	s.shape()
	s.product()
	for q := range n {
		for from := range s.ref.out {
			s.cycles(q, from)
		}
	}
	if s.err == nil {
		s.err = s.tick()
	}
	if s.err != nil {
		return nil, s.err
	}
	vars := s.both(n, 0) - 1 + 2*n*n*s.numPairs
	model, err := solveSAT(s.clauses, vars, s.tick)
	if model == nil || err != nil {
		return nil, err
	}
	return s.decode(model), nil
}

// shape says that candidates are deterministic. States are numbered in the order
// of a breadth-first search, roughly: edge number i does not lead beyond i+1.
func (s *candidateSearch) shape() {
	for q := range s.n {
		for l := range s.letters {
			for r := range s.n {
				for r2 := range r {
					s.add(-s.edge(q, l, r), -s.edge(q, l, r2))
				}
				if r > q*len(s.letters)+l+1 {
					s.add(-s.edge(q, l, r))
				}
			}
		}
	}
}

// product says what the product reaches, and that both sides have edges for the
// same letters.
func (s *candidateSearch) product() {
	s.add(s.both(0, int(s.ref.initial)))
	for q := range s.n {
		for ref, next := range s.next {
			if s.inside[ref] >= 0 {
				// Paths of no edges.
				s.add(-s.both(q, ref), s.path(0, q, ref, q, ref))
				s.add(-s.both(q, ref), s.path(1, q, ref, q, ref))
			}
			for l, to := range next {
				some := []int{-s.both(q, ref)}
				for r := range s.n {
					if to < 0 {
						s.add(-s.both(q, ref), -s.edge(q, l, r))
						continue
					}
					some = append(some, s.edge(q, l, r))
					s.add(-s.both(q, ref), -s.edge(q, l, r), s.both(r, int(to)))
				}
				if to >= 0 {
					s.add(some...)
				}
			}
		}
	}
}

// cycles extends the paths from (q, from), and says that those that come back are
// accepting on both sides or on none.
func (s *candidateSearch) cycles(q, from int) {
	for mid, next := range s.next {
		if s.pairs[from][mid] < 0 {
			continue
		}
		for l, to := range next {
			if to < 0 || s.pairs[from][to] < 0 {
				continue
			}
			for r := range s.n {
				rejected, unmarked := s.path(0, q, from, r, mid), s.path(1, q, from, r, mid)
				for r2 := range s.n {
					edge, mark := s.edge(r, l, r2), s.mark(r, l)
					back := r2 == q && int(to) == from
					switch {
					case s.accept[mid][l] && back:
						s.add(-unmarked, -edge, mark)
					case back: // also by unmarked edges: nothing to say
						s.add(-rejected, -edge, -mark)
					default:
						s.add(-unmarked, -edge, mark, s.path(1, q, from, r2, int(to)))
						if !s.accept[mid][l] {
							s.add(-rejected, -edge, s.path(0, q, from, r2, int(to)))
						}
					}
				}
			}
		}
	}
}

// decode reads a candidate from a model.
func (s *candidateSearch) decode(model []bool) *Automaton {
	b := s.ref.like(s.n)
	b.initial, b.sets, b.stateBased = 0, 1, s.stateBased
	for q := range s.n {
		var es []Edge
		for l, letter := range s.letters {
			marks := uint64(0)
			if model[s.mark(q, l)] {
				marks = 1
			}
			for r := range s.n {
				if model[s.edge(q, l, r)] {
					es = append(es, Edge{letter, int32(r), marks})
				}
			}
		}
		b.out[q] = b.mergeEdges(es)
	}
	return trim(b)
}
