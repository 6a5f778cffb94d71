package conform

import (
	"math"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/portfolio"
	"github.com/seltl/seltl/internal/statetable"
	"github.com/seltl/seltl/lks"
)

// game decides a simulation game by N-HORNSAT ([Chaki05], 5.4), lazily.
//
// A position (i, s) stands for the variable "the implementation, in i, does not
// win against the specification, in s". Every move i -a-> i' gives the clause
//
//	(i, s)  implies  (i', s1) or (i', s2) or ...
//
// over the answers of the specification: its a-successors of the same class as
// i', and, in weak simulation, s itself if the move is silent. The virtual
// position root has a clause for every initial state of the implementation.
//
// The thesis generates all clauses and then propagates falsehood along the
// hypergraph. Here a clause watches one answer that has not fallen, and only
// watched positions are generated. When a position falls, the clauses that watch
// it move on to their next answer, never back; a clause at the end of its answers
// makes its owner fall, and is the owner's challenge (CH1, CH2). So every answer
// of every clause is passed once: time and memory are linear in the clauses, but
// mostly only a fraction of them is ever generated. When nothing is left to do
// and root stands, the standing positions that were expanded are a simulation
// relation.
//
// Positions are expanded breadth-first, so that challenges are found near the
// initial positions first.
type game struct {
	impl  *space
	spec  *specification
	weak  bool
	meter *budget.Meter

	table    *statetable.Table // positions, as impl<<32 | spec
	standing []int32           // by position: stands, or the winning edge of impl
	progress []uint8           // by position: pending, queued or expanded
	watchers []int32           // by position: first clause that watches it, or -1
	clauses  []clause
	queue    []int32
	head     int
	fallen   []int32 // positions in the order of their fall
	settled  int     // fallen[:settled] have been propagated
	opening  []edge  // the answers to the choice of an initial state
	won      int32   // index into impl.initial of the winning one, or -1
	literals int64   // answers looked at
	greedy   bool    // false: all answers are generated, see widen

	lane *portfolio.Lane // is told of positions while greedy; may be nil
}

// clause of a position; see game.
type clause struct {
	owner int32 // position, or root
	edge  int32 // of impl; for root an index into impl.initial
	next  int32 // answers before this one have fallen or do not fit
	link  int32 // next clause that watches the same position
}

const (
	root   int32 = -1
	stands int32 = -1

	pending  uint8 = 0 // nobody who matters has asked for it
	queued   uint8 = 1
	expanded uint8 = 2
)

func newGame(impl *space, spec *specification, weak bool, meter *budget.Meter) *game {
	g := &game{impl: impl, spec: spec, weak: weak, meter: meter, table: statetable.New(1), won: -1, greedy: true}
	for _, s := range spec.initial {
		g.opening = append(g.opening, edge{-1, s, -1})
	}
	return g
}

func pack(impl, spec int32) [1]uint64 { return [1]uint64{uint64(impl)<<32 | uint64(spec)} }

// at returns the states of a position.
func (g *game) at(position int32) (impl, spec int32) {
	w := g.table.State(position)[0]
	return int32(w >> 32), int32(uint32(w))
}

// number returns a position, which it makes if new.
func (g *game) number(impl, spec int32) int32 {
	key := pack(impl, spec)
	p, fresh := g.table.Insert(key[:])
	if fresh {
		g.standing = append(g.standing, stands)
		g.progress = append(g.progress, pending)
		g.watchers = append(g.watchers, -1)
	}
	return p
}

// challenge is a move of the implementation and what may answer it: stay, unless
// it is -1, and then the targets of succ, as far as their classes fit.
type challenge struct {
	to   int32
	stay int32
	succ []edge
}

func (g *game) challenge(owner, e int32) challenge {
	if owner == root {
		return challenge{g.impl.initial[e], -1, g.opening}
	}
	_, spec := g.at(owner)
	move := g.impl.edges[e]
	c := challenge{move.target, -1, g.spec.succ(spec, move.action)}
	if g.weak && move.action == lks.TauID {
		c.stay = spec
	}
	return c
}

// answer returns the k-th answer, -1 if it does not fit, false at the end.
func (g *game) answer(c *challenge, k int32) (int32, bool) {
	if c.stay >= 0 {
		k--
	}
	s := c.stay
	if k >= 0 {
		if int(k) >= len(c.succ) {
			return -1, false
		}
		s = c.succ[k].target
	}
	g.literals++
	if !g.impl.classes[c.to].fits(g.spec.classes[s]) {
		return -1, true
	}
	return s, true
}

// solve plays until root has fallen or nothing is left to do. It reports whether
// the specification simulates the implementation.
func (g *game) solve() (bool, error) {
	for i := range g.impl.initial {
		g.addClause(root, int32(i))
	}
	g.settle()
	if err := g.run(math.MaxInt); err != nil {
		return false, err
	}
	return g.won < 0, nil
}

// run expands up to most positions.
func (g *game) run(most int) error {
	for steps := 0; g.head < len(g.queue) && steps < most && !(g.greedy && g.won >= 0); steps++ {
		if steps%256 == 0 {
			if err := g.tick(); err != nil {
				return err
			}
		}
		p := g.queue[g.head]
		g.head++
		if g.greedy && !g.needed(p) {
			g.progress[p] = pending
			continue
		}
		g.progress[p] = expanded
		if g.standing[p] != stands {
			continue
		}
		if err := g.expand(p); err != nil {
			return err
		}
		if g.head > 1<<16 && g.head > len(g.queue)/2 {
			g.queue = append(g.queue[:0], g.queue[g.head:]...)
			g.head = 0
		}
	}
	return nil
}

func (g *game) tick() error {
	if len(g.clauses) > mostEntries || g.table.Len() > mostEntries {
		return budget.Full("positions of the game", g.table.Len(), budget.Progress{})
	}
	if g.greedy {
		if err := g.lane.Reach(int64(g.table.Len())); err != nil {
			return err
		}
	}
	if g.meter == nil {
		return nil
	}
	return g.meter.Tick(budget.Progress{Phase: "playing", States: int64(g.table.Len()), Transitions: int64(len(g.clauses))})
}

// needed reports whether a clause of a standing position (or root) watches p, and
// forgets the other watchers: their owners will not rise again.
func (g *game) needed(p int32) bool {
	for g.watchers[p] >= 0 {
		c := &g.clauses[g.watchers[p]]
		if c.owner == root || g.standing[c.owner] == stands {
			return true
		}
		g.watchers[p] = c.link
	}
	return false
}

// expand generates the clauses of a position.
func (g *game) expand(p int32) error {
	i, _ := g.at(p)
	moves, err := g.impl.expanded(i)
	if err != nil {
		return err
	}
	from := g.impl.first[i]
	for k := range moves {
		g.addClause(p, from+int32(k))
		if g.greedy && g.standing[p] != stands {
			break
		}
	}
	g.settle()
	return nil
}

// addClause makes a clause. It watches an answer that is known and stands, if
// there is one, else the first.
func (g *game) addClause(owner, e int32) {
	if !g.greedy {
		g.generateAnswers(owner, e)
	}
	id := int32(len(g.clauses))
	g.clauses = append(g.clauses, clause{owner: owner, edge: e})
	c := g.challenge(owner, e)
	for k := int32(0); ; k++ {
		s, more := g.answer(&c, k)
		if !more {
			break
		}
		if s < 0 {
			continue
		}
		key := pack(c.to, s)
		if q := g.table.Find(key[:]); q >= 0 && g.standing[q] == stands {
			g.watch(id, q)
			return
		}
	}
	g.advance(id)
}

// advance lets a clause watch its next answer that has not fallen; without one,
// its owner falls.
func (g *game) advance(id int32) {
	owner, e, k := g.clauses[id].owner, g.clauses[id].edge, g.clauses[id].next
	c := g.challenge(owner, e)
	for ; ; k++ {
		s, more := g.answer(&c, k)
		if !more {
			g.clauses[id].next = k
			g.fall(owner, e)
			return
		}
		if s < 0 {
			continue
		}
		if q := g.number(c.to, s); g.standing[q] == stands {
			g.clauses[id].next = k
			g.watch(id, q)
			return
		}
	}
}

func (g *game) watch(id, q int32) {
	g.clauses[id].link = g.watchers[q]
	g.watchers[q] = id
	if g.progress[q] == pending {
		g.progress[q] = queued
		g.queue = append(g.queue, q)
	}
}

// fall records that the challenge by edge e wins from owner.
func (g *game) fall(owner, e int32) {
	if owner == root {
		if g.won < 0 {
			g.won = e
		}
		return
	}
	if g.standing[owner] == stands {
		g.standing[owner] = e
		g.fallen = append(g.fallen, owner)
	}
}

// settle propagates all falls.
func (g *game) settle() {
	for ; g.settled < len(g.fallen); g.settled++ {
		p := g.fallen[g.settled]
		id := g.watchers[p]
		g.watchers[p] = -1
		for id >= 0 {
			c := g.clauses[id]
			if c.owner == root || g.standing[c.owner] == stands {
				g.advance(id)
			}
			id = c.link
		}
	}
}

// generateAnswers queues all answers of a challenge.
func (g *game) generateAnswers(owner, e int32) {
	c := g.challenge(owner, e)
	for k := int32(0); ; k++ {
		s, more := g.answer(&c, k)
		if !more {
			return
		}
		if s < 0 {
			continue
		}
		if q := g.number(c.to, s); g.progress[q] == pending {
			g.progress[q] = queued
			g.queue = append(g.queue, q)
		}
	}
}

// widen goes on after root has fallen, now with every position that can come up
// in the game, until about most of them are expanded. It reports whether the
// game is known completely.
func (g *game) widen(most int) (bool, error) {
	g.greedy = false
	for i := range g.impl.initial {
		g.generateAnswers(root, int32(i))
	}
	// Positions expanded so far may have generated a part of their clauses only,
	// and a part of their answers: they are expanded anew.
	for p, n := int32(0), int32(g.table.Len()); p < n; p++ {
		if g.progress[p] != expanded {
			continue
		}
		i, _ := g.at(p)
		from := g.impl.first[i]
		for e := from; e < g.impl.last[i]; e++ {
			g.generateAnswers(p, e)
		}
	}
	g.settle()
	err := g.run(most)
	return g.head == len(g.queue), err
}

// certificate returns the number of positions that certify looks at.
func (g *game) certificate() int64 {
	n := int64(0)
	for p, e := range g.standing {
		if e == stands && g.progress[p] == expanded {
			n++
		}
	}
	return n
}

// certify checks that the expanded standing positions that the clauses lead to
// from root are a simulation relation that relates every initial state, by the
// definition: every move of the implementation has an answer in the relation. It
// uses the transitions and the set of positions, not the clauses.
func (g *game) certify() error {
	related := func(impl, spec int32) bool {
		key := pack(impl, spec)
		p := g.table.Find(key[:])
		return p >= 0 && g.standing[p] == stands && g.progress[p] == expanded && g.impl.classes[impl].fits(g.spec.classes[spec])
	}
	answered := func(c challenge) bool {
		if c.stay >= 0 && related(c.to, c.stay) {
			return true
		}
		for _, e := range c.succ {
			if related(c.to, e.target) {
				return true
			}
		}
		return false
	}
	for i := range g.impl.initial {
		if !answered(g.challenge(root, int32(i))) {
			return bug.Errorf("conform", "the certificate does not relate initial state %d", i)
		}
	}
	for p := int32(0); int(p) < g.table.Len(); p++ {
		if g.standing[p] != stands || g.progress[p] != expanded {
			continue
		}
		i, _ := g.at(p)
		for e := g.impl.first[i]; e < g.impl.last[i]; e++ {
			if !answered(g.challenge(p, e)) {
				return bug.Errorf("conform", "position %d of the certificate has a move without an answer", p)
			}
		}
		if g.impl.first[i] < 0 {
			return bug.Errorf("conform", "position %d of the certificate was not explored", p)
		}
	}
	return nil
}
