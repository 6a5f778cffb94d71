package emptiness

// Nested depth-first search for a Büchi automaton with accepting states:
// [Courcoubetis92] with the improvements of [SchwoonEsparza05], figure 2: two
// bits per state, cycles found as soon as an edge closes one in the blue
// search, no red search below states whose successors are all red. For weak
// automata, whose cycles are all accepting or all not, the blue search alone
// decides.
//
// Linear in states and edges of the product; two searches keep explicit stacks.

import (
	"slices"

	"github.com/seltl/seltl/internal/portfolio"
	"github.com/seltl/seltl/internal/statetable"
	"github.com/seltl/seltl/product/internal/meet"
)

// Marks of a state, with which every worker of a search sees its colour. It is
// white if it has none.
const (
	markBlue uint32 = 1 // left by the blue search, on no accepting cycle found so far
	markRed  uint32 = 2 // on no accepting cycle
	markCyan uint32 = 4 // on the blue stack; of ndfs and of the first worker of cndfs

	ndfsMarks = 3 // how many there are
)

// storedSearch is what searches have in common that keep the states of the product
// in a statetable.Shared.
type storedSearch struct {
	g       *meet.Graph // its table is not used
	table   *statetable.Shared
	in      *statetable.Inserter
	packed  []uint64
	numbers []int32  // of the successors of the state expanded last
	marks   []uint32 // their marks
}

func newStoredSearch(g *meet.Graph, table *statetable.Shared) storedSearch {
	return storedSearch{g: g, table: table, in: table.Inserter(), packed: make([]uint64, g.Words)}
}

// insert stores the numbers and marks of packed states, and reports whether there
// was room for them.
func (s *storedSearch) insert(states []uint64) bool {
	n := len(states) / s.g.Words
	s.numbers = slices.Grow(s.numbers[:0], n)[:n]
	s.marks = slices.Grow(s.marks[:0], n)[:n]
	return s.in.InsertAll(states, s.numbers, s.marks)
}

// packedOf returns states, one after the other.
func (s *storedSearch) packedOf(numbers []int32) []uint64 {
	packed := make([]uint64, len(numbers)*s.g.Words)
	for i, n := range numbers {
		s.table.State(n, packed[i*s.g.Words:(i+1)*s.g.Words])
	}
	return packed
}

// Len, Bytes and All are those of the table.
func (s *storedSearch) Len() int                            { return s.table.Len() }
func (s *storedSearch) Bytes() int64                        { return s.table.Bytes() }
func (s *storedSearch) All(yield func(state []uint64) bool) { s.table.All(yield) }

type ndfs struct {
	storedSearch
	weak      bool
	few       *portfolio.Lane // is told of states expanded or stored before the next is; may be nil
	blue, red dfsStack
}

// dfsStack is the stack of a depth-first search.
type dfsStack struct {
	frames  []frame
	targets []int32 // successors that are still to come, of all frames
}

// frame is a state on a stack; its successors that are still to come are
// targets[next:end].
type frame struct {
	state     int32
	allRed    bool // in ndfs: so far all successors are red
	plain     bool // in cndfs: see there
	next, end int
}

func (s *dfsStack) top() *frame { return &s.frames[len(s.frames)-1] }

// push puts a state on top, without successors.
func (s *dfsStack) push(state int32) *frame {
	s.frames = append(s.frames, frame{state: state, allRed: true, next: len(s.targets), end: len(s.targets)})
	return s.top()
}

// later adds a successor of the top.
func (s *dfsStack) later(t int32) {
	s.targets = append(s.targets, t)
	s.top().end++
}

// next takes the next successor of the top, or returns -1.
func (s *dfsStack) next() int32 {
	f := s.top()
	if f.next == f.end {
		return -1
	}
	f.next++
	return s.targets[f.next-1]
}

// pop takes the top away.
func (s *dfsStack) pop() {
	s.frames = s.frames[:len(s.frames)-1]
	s.targets = s.targets[:0]
	if len(s.frames) > 0 {
		s.targets = s.targets[:s.top().end]
	}
}

func (s *dfsStack) clear() { s.frames, s.targets = s.frames[:0], s.targets[:0] }

// bytes returns the memory that the stack holds.
func (s *dfsStack) bytes() int64 { return int64(cap(s.frames))*24 + int64(cap(s.targets))*4 }

// states returns the states from a place on.
func (s *dfsStack) states(from int) []int32 {
	var states []int32
	for _, f := range s.frames[from:] {
		states = append(states, f.state)
	}
	return states
}

// lasso returns the states of a lasso: its loop starts where t is on the stack, goes
// to the top, on by the red states, and back to t.
func (s *dfsStack) lasso(t int32, red []int32) (stem, loop []int32) {
	at := slices.IndexFunc(s.frames, func(f frame) bool { return f.state == t })
	states := s.states(0)
	return states[:at+1], slices.Concat(states[at:], red, states[at:at+1])
}

func newNDFS(g *meet.Graph) *ndfs {
	return &ndfs{storedSearch: newStoredSearch(g, statetable.NewShared(g.Words, g.Used, ndfsMarks, 1)), weak: g.Aut.Weak}
}

// Run returns an accepting lasso of the product, nil if there is none.
func (d *ndfs) Run() (*meet.Path, error) {
	defer d.in.Flush()
	roots, err := d.g.InitialPacked()
	if err != nil {
		return nil, err
	}
	d.enter(roots)
	for _, root := range slices.Clone(d.numbers) {
		if d.table.Marks(root) != 0 {
			continue
		}
		p, err := d.search(root)
		if p != nil || err != nil {
			return p, err
		}
	}
	return nil, nil
}

// enter is insert where there is always room.
func (d *ndfs) enter(states []uint64) {
	for !d.insert(states) || d.table.Crowded() {
		d.in.Flush()
		d.table.Grow()
	}
}

// searched returns how many states were expanded or stored, whichever is more.
func (d *ndfs) searched() int64 { return max(d.g.Expanded, int64(d.table.Len())) }

// expand finds the successors of a state.
func (d *ndfs) expand(state int32) error {
	if err := d.few.Reach(d.searched()); err != nil {
		return err
	}
	d.table.State(state, d.packed)
	if err := d.g.Step(d.packed, d.table.Len(), len(d.blue.frames)+len(d.red.frames)); err != nil {
		return err
	}
	d.enter(d.g.Targets)
	return nil
}

// search is dfs_blue from a white root.
func (d *ndfs) search(root int32) (*meet.Path, error) {
	p, err := d.push(root)
	for p == nil && err == nil && len(d.blue.frames) > 0 {
		t := d.blue.next()
		if t < 0 {
			p, err = d.pop()
			continue
		}
		switch m := d.table.Marks(t); {
		case m == 0:
			p, err = d.push(t)
		case m&markRed == 0:
			d.blue.top().allRed = false
		}
	}
	return p, err
}

// push enters a white state in the blue search. It looks at all successors at once
// and keeps the white ones for later: those that the search has left already, or is
// in, need not wait their turn. It returns a lasso if an edge back to the stack
// closes an accepting cycle, or if the state accepts whatever follows.
func (d *ndfs) push(state int32) (*meet.Path, error) {
	f := d.blue.push(state)
	d.table.Mark(state, markCyan, 0)
	if err := d.expand(state); err != nil {
		return nil, err
	}
	g := d.g
	if g.Universal() {
		return g.PathOf(d.packedOf(d.blue.states(0)), nil)
	}
	accepts := g.Aut.Accepting[g.Current]
	for i, m := range d.marks {
		switch {
		case m == 0:
			d.blue.targets = append(d.blue.targets, d.numbers[i])
		case m&markRed != 0:
		default:
			f.allRed = false
			if m&markCyan != 0 && (accepts || g.Aut.Accepting[g.AutomatonPart(g.Targets[i*g.Words:])]) {
				return d.lasso(d.numbers[i])
			}
		}
	}
	f.end = len(d.blue.targets)
	return nil, nil
}

// lasso is closed by an edge to t on the blue stack from the top of the red one, or
// else of the blue one.
func (d *ndfs) lasso(t int32) (*meet.Path, error) {
	var red []int32
	if len(d.red.frames) > 0 {
		red = d.red.states(1)
	}
	stem, loop := d.blue.lasso(t, red)
	return d.g.PathOf(d.packedOf(stem), d.packedOf(loop))
}

// pop leaves the top state of the blue search, whose successors are all done.
func (d *ndfs) pop() (*meet.Path, error) {
	f := *d.blue.top()
	isRed := f.allRed
	if !isRed && !d.weak && d.accepting(f.state) {
		if p, err := d.searchRed(f.state); p != nil || err != nil {
			return p, err
		}
		isRed = true
	}
	if isRed {
		d.table.Mark(f.state, markRed, markCyan)
	} else {
		d.table.Mark(f.state, markBlue, markCyan)
	}
	d.blue.pop()
	if len(d.blue.frames) > 0 && !isRed {
		d.blue.top().allRed = false
	}
	return nil, nil
}

// accepting reports whether the automaton's part of a state is.
func (s *storedSearch) accepting(state int32) bool {
	s.table.State(state, s.packed)
	return s.g.Aut.Accepting[s.g.AutomatonPart(s.packed)]
}

// searchRed is dfs_red: it looks for a way from the accepting seed, which tops
// the blue stack, back to that stack.
func (d *ndfs) searchRed(seed int32) (*meet.Path, error) {
	d.red.clear()
	p, err := d.pushRed(seed)
	for p == nil && err == nil && len(d.red.frames) > 0 {
		t := d.red.next()
		if t < 0 {
			d.red.pop()
		} else if d.table.Mark(t, markRed, 0)&markRed == 0 {
			p, err = d.pushRed(t)
		}
	}
	return p, err
}

// pushRed enters a state of the red search. A state that the blue search has left
// has no white successor: all of them were entered there.
func (d *ndfs) pushRed(state int32) (*meet.Path, error) {
	d.red.push(state)
	if err := d.expand(state); err != nil {
		return nil, err
	}
	for i, m := range d.marks {
		if m&markCyan != 0 {
			return d.lasso(d.numbers[i])
		}
		if m&markRed == 0 {
			d.red.later(d.numbers[i])
		}
	}
	return nil, nil
}

// StackBytes returns the memory of the stacks.
func (d *ndfs) StackBytes() int64 { return d.blue.bytes() + d.red.bytes() }
