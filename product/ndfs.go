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

	accepting colour = 4 // added to cyan
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
	// universal: the state accepts whatever follows, see graph.universal.
	universal bool
	next      int // successors that are still to come: next to end of the search's list
	end       int
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

// push enters state s in the blue search. It looks at all successors at once and
// keeps the white ones for later: those that the search has left already, or is
// in, need not wait their turn. It returns the successor on the stack with which
// an accepting cycle closes, or -1.
func (d *ndfs) push(s int32) (closing int32, err error) {
	if err := d.g.expand(s, len(d.stack)+1); err != nil {
		return -1, err
	}
	d.grow()
	accepts := d.g.aut.accepting[d.g.current]
	d.colours[s] = cyan
	if accepts {
		d.colours[s] = cyan | accepting
	}
	f := dfsFrame{state: s, next: len(d.targets), allRed: true, universal: d.g.universal()}
	for i := range d.g.out {
		t := d.g.out[i].target
		switch c := d.colours[t]; c {
		case white:
			d.targets = append(d.targets, t)
		case red:
		case blue:
			f.allRed = false
		default:
			if accepts || c&accepting != 0 {
				d.stack = append(d.stack, f)
				return t, nil
			}
			f.allRed = false
		}
	}
	f.end = len(d.targets)
	d.stack = append(d.stack, f)
	return -1, nil
}

// search is dfs_blue from a white root.
func (d *ndfs) search(root int32) (*path, error) {
	for enter := root; ; {
		closing, err := d.push(enter)
		if err != nil {
			return nil, err
		}
		if d.stack[len(d.stack)-1].universal {
			return d.finish()
		}
		if closing >= 0 {
			return d.blueLasso(closing)
		}
		for enter = -1; enter < 0; {
			f := &d.stack[len(d.stack)-1]
			if f.next < f.end {
				enter = d.follow(f)
				continue
			}
			if p, err := d.pop(); p != nil || err != nil {
				return p, err
			}
			if len(d.stack) == 0 {
				return nil, nil
			}
		}
	}
}

// follow takes the next successor of the top of the stack and returns it if it
// is still white, else -1.
func (d *ndfs) follow(f *dfsFrame) int32 {
	t := d.targets[f.next]
	f.next++
	switch d.colours[t] {
	case white:
		return t
	case red:
	default:
		f.allRed = false
	}
	return -1
}

// pop leaves the top state of the blue search, whose successors are all done.
func (d *ndfs) pop() (*path, error) {
	f := d.stack[len(d.stack)-1]
	switch accepts := d.colours[f.state]&accepting != 0; {
	case f.allRed:
		d.colours[f.state] = red
	case accepts && !d.weak:
		if p, err := d.searchRed(f.state); p != nil || err != nil {
			return p, err
		}
		d.colours[f.state] = red
	default:
		d.colours[f.state] = blue
	}
	d.stack = d.stack[:len(d.stack)-1]
	d.targets = d.targets[:0]
	if len(d.stack) > 0 {
		parent := &d.stack[len(d.stack)-1]
		d.targets = d.targets[:parent.end]
		if d.colours[f.state] != red {
			parent.allRed = false
		}
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
			d.nestedT = d.nestedT[:0]
			if len(d.nested) > 0 {
				d.nestedT = d.nestedT[:d.nested[len(d.nested)-1].end]
			}
			continue
		}
		t := d.nestedT[f.next]
		f.next++
		switch d.colours[t] {
		case cyan, cyan | accepting:
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
	for i := range d.g.out {
		// A state that the blue search has left has no white successor: all of
		// them were entered there.
		if t := d.g.out[i].target; d.colours[t] != red {
			d.nestedT = append(d.nestedT, t)
		}
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
