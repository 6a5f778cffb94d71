package fairchoice

import (
	"errors"
	"math"
	"slices"
	"time"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/internal/statetable"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/omega"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/product/internal/meet"
	"github.com/seltl/seltl/product/internal/witness"
)

// Temporal operators can be eliminated from the walk, regular expressions and automata cannot. What
// they say is decided by a deterministic automaton that reads what the walk does: the pairs of a state
// of the network and one of the automaton are a walk again, which ends in a terminal set of pairs with
// probability 1, and takes all steps of that again and again. So the marks of all its steps decide
// ([CourcoubetisYannakakis95], section 4).

// reader is a deterministic automaton. Its states are numbers from 0, where it begins; omega.Dead is one,
// too, from which nothing is accepted.
type reader interface {
	step(state int32, value func(atom int) bool) (to int32, mark uint64)
	// join puts the marks of steps together that are taken again and again; none is that of no step.
	join(a, b uint64) uint64
	none() uint64
	accepts(marks uint64) bool
	size() int
}

// marked reads with an automaton that is deterministic. Marks are sets of marks.
type marked struct{ *omega.Automaton }

func (m marked) step(state int32, value func(atom int) bool) (int32, uint64) {
	for _, e := range m.Edges(state) {
		if m.Sat(e.Label, value) {
			return e.To, e.Marks
		}
	}
	return omega.Dead, 0
}

func (m marked) join(a, b uint64) uint64   { return a | b }
func (m marked) none() uint64              { return 0 }
func (m marked) accepts(marks uint64) bool { return m.Condition().Holds(marks) }
func (m marked) size() int                 { return m.NumStates() }

// safra determinises while it reads. Marks are priorities, of which the least counts.
type safra struct{ *omega.Walk }

func (s safra) step(state int32, value func(atom int) bool) (int32, uint64) {
	to, priority := s.Step(state, value)
	return to, uint64(priority)
}

func (s safra) join(a, b uint64) uint64   { return min(a, b) }
func (s safra) none() uint64              { return math.MaxInt32 } // larger than all, and odd
func (s safra) accepts(marks uint64) bool { return marks%2 == 0 }
func (s safra) size() int                 { return s.NumStates() }

// readerOf returns a reader of what an automaton accepts, and its first state.
func readerOf(a *omega.Automaton, meter *budget.Meter) (reader, int32, error) {
	if a.Deterministic() {
		return marked{a}, a.Initial(), nil
	}
	w, err := a.NewWalk(meter)
	if err != nil {
		return nil, 0, err
	}
	return safra{w}, 0, nil
}

// pairs are the states of the network with those that the reader is in; a step is one of the network,
// and is numbered like it from the first of its pair.
type pairs struct {
	*walk
	reader reader
	// violation: what the reader accepts violates the property.
	violation bool
	confirm   func(*run.Run) error
	table     *statetable.Table // a state of the network, one of the reader
	begins    []int32
	first     []int64  // by pair: its first step; one more at the end
	to        []int32  // by step: a pair, or -1 if the step does not count
	mark      []uint64 // by step
	read      map[letterRead]readTo
	value     []uint64 // scratch: a letter
}

type letterRead struct{ from, letter, class int32 }

type readTo struct {
	to   int32
	mark uint64
}

func (p *pairs) Nodes() int { return p.table.Len() }

func (p *pairs) Degree(n int32) int { return int(p.first[n+1] - p.first[n]) }

func (p *pairs) Successor(n int32, i int) (int32, bool) {
	to := p.to[p.first[n]+int64(i)]
	return to, to >= 0
}

// state is the network's state of a pair.
func (p *pairs) state(n int32) int32 { return int32(p.table.State(n)[0]) }

// reading is the reader's state of a pair.
func (p *pairs) reading(n int32) int32 { return int32(uint32(p.table.State(n)[1])) }

// byAutomaton decides a formula whose violations an automaton can tell.
func (w *walk) byAutomaton() error {
	start, atoms := time.Now(), ltl.Atoms(w.f)
	if _, err := meet.NewBinding(w.net, atoms); err != nil { // of atoms that the automaton need not have, too
		return err
	}
	b, err := buchi.Translate(ltl.MakeNot(w.f), buchi.Options{Constraints: meet.Constraints(w.net, atoms), Meter: w.meter})
	if err != nil {
		return err
	}
	a := omega.FromBuchi(b)
	w.result.Stats.Translate = time.Since(start)
	counts, err := w.explore(a.Atoms())
	if err != nil {
		return err
	}
	p := &pairs{walk: w, violation: true, confirm: func(l *run.Run) error { return witness.Confirm(w.net, w.f, l) }}
	return p.decide(a, counts)
}

// byLanguage decides a property that an automaton says.
func (w *walk) byLanguage(l product.Language) error {
	counts, err := w.explore(l.Automaton.Atoms())
	if err != nil {
		return err
	}
	p := &pairs{walk: w, violation: l.Negative, confirm: func(r *run.Run) error { return l.Confirm(w.net, r) }}
	return p.decide(l.Automaton, counts)
}

// decide looks whether some terminal set of pairs violates the property.
func (p *pairs) decide(a *omega.Automaton, counts []bool) error {
	start := time.Now()
	return bdd.Guard(func() error {
		reader, first, err := readerOf(a.Bounded(p.meter), p.meter)
		if err != nil {
			return err
		}
		p.reader = reader
		if err := p.build(first, counts); err != nil {
			return err
		}
		stats := &p.result.Stats
		stats.AutomatonStates = reader.size()
		stats.ModelStates, stats.States, stats.Transitions = int64(p.g.states.Len()), int64(p.Nodes()), int64(len(p.to))
		stats.StoreBytes = p.g.states.Table.Bytes() + p.table.Bytes()
		p.result.FiniteMet, p.result.NoRuns = p.g.stops, len(p.begins) == 0
		sets, err := components(p, func() error { return p.g.tick("looking for terminal sets") })
		if err != nil {
			return err
		}
		marks, bad := p.marksOf(sets), make([]bool, len(sets.terminal))
		for n := range int32(p.Nodes()) {
			if c := sets.of[n]; sets.terminal[c] {
				accepts := p.reading(n) != omega.Dead && p.reader.accepts(marks[c])
				bad[c] = accepts == p.violation
			}
		}
		stats.Search = time.Since(start)
		if !slices.Contains(bad, true) {
			p.result.Verdict = product.Holds
			return nil
		}
		return p.violated(sets, marks, bad, counts)
	})
}

// build makes the pairs that the walk comes to; counts says which states of the network it may come to
// (nil: all).
func (p *pairs) build(first int32, counts []bool) error {
	p.table, p.read, p.value = statetable.New(2), map[letterRead]readTo{}, make([]uint64, p.bind.Words)
	enter := func(state, reader int32) int32 {
		n, _ := p.table.Insert([]uint64{uint64(state), uint64(uint32(reader))})
		return n
	}
	for _, s := range p.g.initial {
		if counts == nil || counts[s] {
			p.begins = append(p.begins, enter(s, first))
		}
	}
	for n := int32(0); int(n) < p.table.Len(); n++ {
		s, at := p.state(n), p.reading(n)
		p.first = append(p.first, int64(len(p.to)))
		for e := p.g.first[s]; e < p.g.first[s+1]; e++ {
			r := p.next(at, s, p.g.rule[e])
			to := int32(-1)
			if t := p.g.target[e]; counts == nil || counts[t] {
				to = enter(t, r.to)
			}
			p.to, p.mark = append(p.to, to), append(p.mark, r.mark)
		}
		if n%budget.TickEvery == 0 {
			at := budget.Progress{Phase: "reading runs", States: int64(p.table.Len()), Transitions: int64(len(p.to))}
			if p.table.Full() {
				return budget.Full("states", p.table.Len(), at)
			}
			if err := p.meter.Tick(at); err != nil {
				return err
			}
		}
	}
	p.first = append(p.first, int64(len(p.to)))
	return nil
}

// next is what the reader does when it reads a step of the network.
func (p *pairs) next(from, state, rule int32) readTo {
	if from == omega.Dead {
		return readTo{omega.Dead, p.reader.none()}
	}
	k := letterRead{from, p.letter[state], 0}
	if rule != run.Stutter {
		k.class = p.bind.Class[rule]
	}
	r, known := p.read[k]
	if !known {
		n := p.bind.Words
		copy(p.value, p.bind.Letter[int(k.letter)*n:int(k.letter+1)*n])
		meet.Or(p.value, p.bind.Events[k.class])
		r.to, r.mark = p.reader.step(from, func(atom int) bool { return p.value[atom/64]>>(atom%64)&1 != 0 })
		p.read[k] = r
	}
	return r
}

// marksOf returns the marks of the steps inside each set.
func (p *pairs) marksOf(sets *sccs) []uint64 {
	marks := slices.Repeat([]uint64{p.reader.none()}, len(sets.terminal))
	for n := range int32(p.Nodes()) {
		c := sets.of[n]
		for e := p.first[n]; e < p.first[n+1]; e++ {
			if p.to[e] >= 0 && sets.of[p.to[e]] == c {
				marks[c] = p.reader.join(marks[c], p.mark[e])
			}
		}
	}
	return marks
}

// violated shows a way to where all terminal sets that can be reached violate the property, on to one
// of them, and a loop in it with all its marks.
func (p *pairs) violated(sets *sccs, marks []uint64, bad, counts []bool) error {
	start := time.Now()
	saved := make([]bool, len(bad)) // some terminal set that can be reached satisfies it
	for c := range saved {
		saved[c] = sets.terminal[c] && !bad[c]
	}
	members := make([][]int32, len(bad))
	for n := range int32(p.Nodes()) {
		members[sets.of[n]] = append(members[sets.of[n]], n)
	}
	for c := range saved { // sets come after those that they lead to
		for _, n := range members[c] {
			for _, t := range p.to[p.first[n]:p.first[n+1]] {
				saved[c] = saved[c] || t >= 0 && saved[sets.of[t]]
			}
		}
	}
	everywhere := func(int32) bool { return true }
	stem := wayTo(p, p.begins, false, everywhere, func(n int32) bool { return !saved[sets.of[n]] })
	on := wayTo(p, stem[len(stem)-1:], false, everywhere, func(n int32) bool { return sets.terminal[sets.of[n]] })
	stem = append(stem, on[1:]...)
	home := stem[len(stem)-1]
	lasso, err := p.lassoOf(stem, p.loop(home, sets, marks[sets.of[home]]))
	if err != nil {
		return err
	}
	if err := p.confirm(lasso); err != nil {
		return err
	}
	p.result.Certain = true
	if p.f != nil {
		return p.shown(lasso, counts, start)
	}
	p.result.Verdict, p.result.Lasso, p.result.Stats.Trace = product.Violated, lasso, time.Since(start)
	return nil
}

// loop goes round in the terminal set of a pair, over steps that have all its marks.
func (p *pairs) loop(home int32, sets *sccs, marks uint64) []int64 {
	inside := func(n int32) bool { return sets.of[n] == sets.of[home] }
	var loop []int64
	at, have := home, p.reader.none()
	take := func(edges []int64) {
		for _, e := range edges {
			loop, have, at = append(loop, e), p.reader.join(have, p.mark[e]), p.to[e]
		}
	}
	for have != marks {
		n, e := p.lacking(home, sets, have, marks)
		take(p.steps(wayTo(p, []int32{at}, false, inside, func(m int32) bool { return m == n })))
		take([]int64{e})
	}
	if at != home || len(loop) == 0 {
		take(p.steps(wayTo(p, []int32{at}, true, inside, func(m int32) bool { return m == home })))
	}
	return loop
}

// lacking returns a step inside the set of home, and its pair, by which marks come to be more: all, if
// there is one.
func (p *pairs) lacking(home int32, sets *sccs, have, marks uint64) (pair int32, step int64) {
	pair = -1
	for n := range int32(p.Nodes()) {
		if sets.of[n] != sets.of[home] {
			continue
		}
		for e := p.first[n]; e < p.first[n+1]; e++ {
			switch more := p.reader.join(have, p.mark[e]); {
			case p.to[e] < 0:
			case more == marks:
				return n, e
			case more != have && pair < 0:
				pair, step = n, e
			}
		}
	}
	return pair, step
}

// steps turns a way over pairs into steps, the first that fit.
func (p *pairs) steps(way []int32) []int64 {
	var steps []int64
	for i := 1; i < len(way); i++ {
		from, end := p.first[way[i-1]], p.first[way[i-1]+1]
		steps = append(steps, from+int64(slices.Index(p.to[from:end], way[i])))
	}
	return steps
}

// lassoOf is the run of the network. Where that ends it repeats its last state once.
func (p *pairs) lassoOf(stem []int32, loop []int64) (*run.Run, error) {
	edges := func(at int32, steps []int64) (edges []int64) {
		for _, e := range steps {
			edges = append(edges, p.g.first[p.state(at)]+e-p.first[at])
			at = p.to[e]
		}
		return edges
	}
	before, round := edges(stem[0], p.steps(stem)), edges(stem[len(stem)-1], loop)
	ends := func(e int64) bool { return p.g.rule[e] == run.Stutter }
	if ends(round[0]) {
		round = round[:1]
		if i := slices.IndexFunc(before, ends); i >= 0 {
			before = before[:i]
		}
	}
	if len(round) == 0 {
		return nil, &bug.Error{Stage: "fair choice", Err: errors.New("a terminal set without a step")}
	}
	return p.g.lasso(before, round)
}
