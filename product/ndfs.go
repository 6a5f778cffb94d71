package product

// Nested depth-first search for a Büchi automaton with accepting states:
// Courcoubetis, Vardi, Wolper and Yannakakis (1992) with the improvements of
// Schwoon and Esparza, "A Note on On-the-Fly Verification Algorithms" (TACAS
// 2005), figure 2: two bits per state, cycles found as soon as an edge closes
// one in the blue search, no red search below states whose successors are all
// red. For weak automata, whose cycles are all accepting or all not, the blue
// search alone decides.
//
// Linear in states and edges of the product; two searches keep explicit stacks.

type colour = uint8

const (
	white colour = iota
	cyan         // on the blue stack
	blue         // left by the blue search, on no accepting cycle found so far
	red          // on no accepting cycle
)

type ndfs struct {
	g       *graph
	weak    bool
	colours []colour // by state number
	stack   []dfsFrame
	targets []int32 // successors of the states on the stack that are still to come
	nested  []dfsFrame
	nestedT []int32
}

type dfsFrame struct {
	state  int32
	allRed bool
	next   int // successors that are still to come: next to end of the search's list
	end    int
}

// run returns an accepting lasso of the product, nil if there is none.
func (d *ndfs) run() (*path, error) {
	roots, err := d.g.initial()
	if err != nil {
		return nil, err
	}
	for _, root := range roots {
		d.grow()
		if d.colours[root] != white {
			continue
		}
		p, err := d.search(root)
		if p != nil || err != nil {
			return p, err
		}
	}
	return nil, nil
}

func (d *ndfs) grow() {
	for len(d.colours) < d.g.numStates() {
		d.colours = append(d.colours, white)
	}
}

// push enters state s in the blue search.
func (d *ndfs) push(s int32) error {
	d.colours[s] = cyan
	if err := d.g.expand(s, len(d.stack)+1); err != nil {
		return err
	}
	d.grow()
	start := len(d.targets)
	for _, e := range d.g.out {
		d.targets = append(d.targets, e.target)
	}
	d.stack = append(d.stack, dfsFrame{state: s, next: start, end: len(d.targets), allRed: true})
	return nil
}

// search is dfs_blue from a white root.
func (d *ndfs) search(root int32) (*path, error) {
	if err := d.push(root); err != nil {
		return nil, err
	}
	if d.g.universal(root) {
		return d.finish()
	}
	for len(d.stack) > 0 {
		for {
			f := &d.stack[len(d.stack)-1]
			if f.next == f.end {
				break
			}
			t := d.targets[f.next]
			f.next++
			switch d.colours[t] {
			case cyan:
				if d.g.accepting(f.state) || d.g.accepting(t) {
					return d.blueLasso(t)
				}
				f.allRed = false
			case blue:
				f.allRed = false
			case white:
				if err := d.push(t); err != nil {
					return nil, err
				}
				if d.g.universal(t) {
					return d.finish()
				}
			}
		}
		if p, err := d.pop(); p != nil || err != nil {
			return p, err
		}
	}
	return nil, nil
}

// pop leaves the top state of the blue search, whose successors are all done.
func (d *ndfs) pop() (*path, error) {
	f := d.stack[len(d.stack)-1]
	switch {
	case f.allRed:
		d.colours[f.state] = red
	case d.g.accepting(f.state) && !d.weak:
		if p, err := d.searchRed(f.state); p != nil || err != nil {
			return p, err
		}
		d.colours[f.state] = red
	default:
		d.colours[f.state] = blue
	}
	d.stack = d.stack[:len(d.stack)-1]
	if len(d.stack) > 0 {
		parent := &d.stack[len(d.stack)-1]
		d.targets = d.targets[:parent.end]
		if d.colours[f.state] != red {
			parent.allRed = false
		}
	} else {
		d.targets = d.targets[:0]
	}
	return nil, nil
}

// searchRed is dfs_red: it looks for a way from the accepting seed, which tops
// the blue stack, back to that stack.
func (d *ndfs) searchRed(seed int32) (*path, error) {
	d.nested, d.nestedT = d.nested[:0], d.nestedT[:0]
	if err := d.pushRed(seed); err != nil {
		return nil, err
	}
	for len(d.nested) > 0 {
		f := &d.nested[len(d.nested)-1]
		if f.next == f.end {
			d.nested = d.nested[:len(d.nested)-1]
			d.nestedT = d.nestedT[:f.next]
			if len(d.nested) > 0 {
				d.nestedT = d.nestedT[:d.nested[len(d.nested)-1].end]
			}
			continue
		}
		t := d.nestedT[f.next]
		f.next++
		switch d.colours[t] {
		case cyan:
			return d.redLasso(t)
		case blue:
			d.colours[t] = red
			if err := d.pushRed(t); err != nil {
				return nil, err
			}
		}
	}
	return nil, nil
}

func (d *ndfs) pushRed(s int32) error {
	if err := d.g.expand(s, len(d.stack)+len(d.nested)+1); err != nil {
		return err
	}
	start := len(d.nestedT)
	for _, e := range d.g.out {
		// A white successor of a state that the blue search has left cannot be:
		// all of them were expanded there. So nestedT names known states only.
		d.nestedT = append(d.nestedT, e.target)
	}
	d.nested = append(d.nested, dfsFrame{state: s, next: start, end: len(d.nestedT)})
	return nil
}

// blueStates returns the states of the blue stack, and the position of t on it.
func (d *ndfs) blueStates(t int32) (states []int32, at int) {
	at = -1
	for i, f := range d.stack {
		states = append(states, f.state)
		if f.state == t {
			at = i
		}
	}
	return states, at
}

// blueLasso is closed by an edge from the top of the blue stack to t on it.
func (d *ndfs) blueLasso(t int32) (*path, error) {
	states, at := d.blueStates(t)
	return d.g.pathOf(states[:at+1], append(states[at:len(states):len(states)], t))
}

// redLasso is closed by an edge from the top of the red stack to t on the blue one.
func (d *ndfs) redLasso(t int32) (*path, error) {
	states, at := d.blueStates(t)
	loop := states[at:len(states):len(states)]
	for _, f := range d.nested[1:] {
		loop = append(loop, f.state)
	}
	return d.g.pathOf(states[:at+1], append(loop, t))
}

// finish completes the blue stack, whose top accepts whatever follows, to a lasso.
func (d *ndfs) finish() (*path, error) {
	states, _ := d.blueStates(-1)
	return d.g.complete(states)
}
