package emptiness

import "github.com/seltl/seltl/product/internal/meet"

// Search for strongly connected components on the fly, for generalised acceptance
// on edges: [Couvreur99]. A depth-first search keeps a stack of the components of
// the part seen so far that may still grow; an edge into one of them merges all
// above it. The answer is known as soon as the edges of one component together
// carry all acceptance marks, before the component is complete.
//
// Linear in states and edges of the product, whatever the number of acceptance
// sets; explicit stacks.

type sccSearch struct {
	g      *meet.Graph
	fair   *streett // nil: every run counts
	number []int32  // by state: 0 not met, dead done, otherwise order of entering
	last   int32
	stack  []dfsFrame
	edges  []sccEdge // successors of the states on the stack that are still to come
	live   []int32   // states that are not dead, in the order of entering
	roots  []sccRoot
}

// dfsFrame is a state on the stack of a search that numbers states.
type dfsFrame struct {
	state int32
	// universal: the state accepts whatever follows, see graph.universal.
	universal bool
	next      int // successors that are still to come: next to end of the search's list
	end       int
}

// sccEdge is an edge without its source; marks are markSets[markSet] of the matcher.
type sccEdge struct{ target, markSet int32 }

type sccRoot struct {
	number int32  // of its first state
	live   int32  // index in live of its first state
	marks  uint64 // of the edges inside
	into   uint64 // of the tree edge that enters it
	cyclic bool   // has an edge inside
}

const dead = int32(-1)

// components starts a search by components.
func components(p *Problem) (Search, error) {
	c := &sccSearch{g: p.Graph}
	if p.Fair != nil {
		c.fair = &streett{g: p.Graph, fair: p.Fair}
	}
	return c, nil
}

// Len, Bytes and All are those of the graph's table.
func (c *sccSearch) Len() int                            { return c.g.Table.Len() }
func (c *sccSearch) Bytes() int64                        { return c.g.Table.Bytes() }
func (c *sccSearch) All(yield func(state []uint64) bool) { c.g.Table.All(yield) }

// StackBytes is 0: the search keeps its stacks beside a table that is larger.
func (c *sccSearch) StackBytes() int64 { return 0 }

// Run returns an accepting (and fair) lasso of the product, nil if there is none.
func (c *sccSearch) Run() (*meet.Path, error) {
	roots, err := c.g.Initial()
	if err != nil {
		return nil, err
	}
	for _, root := range roots {
		c.grow()
		if c.number[root] != 0 {
			continue
		}
		p, err := c.search(root)
		if p != nil || err != nil {
			return p, err
		}
	}
	return nil, nil
}

func (c *sccSearch) grow() {
	for len(c.number) < c.g.NumStates() {
		c.number = append(c.number, 0)
	}
}

// push enters state s by an edge with marks into. Successors that are not dead
// are merged at once, those not met are kept for later.
func (c *sccSearch) push(s int32, into uint64) error {
	if err := c.g.Expand(s, len(c.stack)+1); err != nil {
		return err
	}
	c.grow()
	c.last++
	c.number[s] = c.last
	c.roots = append(c.roots, sccRoot{number: c.last, live: int32(len(c.live)), into: into})
	c.live = append(c.live, s)
	f := dfsFrame{state: s, next: len(c.edges), universal: c.g.Universal()}
	for i := range c.g.Out {
		e := &c.g.Out[i]
		switch n := c.number[e.Target]; n {
		case 0:
			c.edges = append(c.edges, sccEdge{e.Target, e.MarkSet})
		case dead:
		default:
			c.merge(n, e.Marks)
		}
	}
	f.end = len(c.edges)
	c.stack = append(c.stack, f)
	return nil
}

// accepted reports whether the component on top has been found accepting; with
// fairness that is decided when it is complete.
func (c *sccSearch) accepted() bool {
	top := &c.roots[len(c.roots)-1]
	return c.fair == nil && top.cyclic && top.marks == c.g.Aut.AllMarks
}

func (c *sccSearch) search(root int32) (*meet.Path, error) {
	for enter, into := root, uint64(0); ; {
		if err := c.push(enter, into); err != nil {
			return nil, err
		}
		if c.fair == nil && c.stack[len(c.stack)-1].universal {
			return c.g.Complete(c.stackStates())
		}
		for enter = -1; enter < 0; {
			if c.accepted() {
				return c.lasso(c.live[c.roots[len(c.roots)-1].live:])
			}
			f := &c.stack[len(c.stack)-1]
			if f.next < f.end {
				e := c.edges[f.next]
				f.next++
				into = c.g.MarksOf(e.markSet)
				switch n := c.number[e.target]; n {
				case 0:
					enter = e.target
				case dead:
				default:
					c.merge(n, into)
				}
				continue
			}
			if p, err := c.pop(); p != nil || err != nil {
				return p, err
			}
			if len(c.stack) == 0 {
				return nil, nil
			}
		}
	}
}

// merge puts all components from the one that holds number n upwards into one:
// an edge with these marks leads back to it.
func (c *sccSearch) merge(n int32, marks uint64) {
	top := len(c.roots) - 1
	for c.roots[top].number > n {
		marks |= c.roots[top].marks | c.roots[top].into
		top--
	}
	c.roots = c.roots[:top+1]
	c.roots[top].marks |= marks
	c.roots[top].cyclic = true
}

// pop leaves the top state of the search; if it is the root of its component,
// the component is complete.
func (c *sccSearch) pop() (*meet.Path, error) {
	f := c.stack[len(c.stack)-1]
	if r := c.roots[len(c.roots)-1]; r.number == c.number[f.state] {
		states := c.live[r.live:]
		if c.fair != nil && r.cyclic && r.marks == c.g.Aut.AllMarks {
			fairPart, err := c.fair.within(states)
			if err != nil {
				return nil, err
			}
			if fairPart != nil {
				return c.fairLasso(fairPart)
			}
		}
		for _, s := range states {
			c.number[s] = dead
		}
		c.live = c.live[:r.live]
		c.roots = c.roots[:len(c.roots)-1]
	}
	c.stack = c.stack[:len(c.stack)-1]
	c.edges = c.edges[:0]
	if len(c.stack) > 0 {
		c.edges = c.edges[:c.stack[len(c.stack)-1].end]
	}
	return nil, nil
}

func (c *sccSearch) stackStates() []int32 {
	states := make([]int32, len(c.stack))
	for i, f := range c.stack {
		states[i] = f.state
	}
	return states
}

// lasso makes a lasso whose loop stays in the component of these states (part
// of which may still be unexplored) and carries all marks.
func (c *sccSearch) lasso(component []int32) (*meet.Path, error) {
	inside := make(map[int32]bool, len(component))
	for _, s := range component {
		inside[s] = true
	}
	stem := c.stemTo(inside)
	return c.g.Tour(stem, inside, c.g.MarkGoals())
}

// stemTo returns the states of the stack up to the first one inside.
func (c *sccSearch) stemTo(inside map[int32]bool) []int32 {
	states := c.stackStates()
	for i, s := range states {
		if inside[s] {
			return states[:i+1]
		}
	}
	return states
}
