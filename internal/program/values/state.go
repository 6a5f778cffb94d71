package values

// A state is stored as the numbers of its variables, then, for each of them in 16 bits,
// what these are: 0 for a number, 1 for nothing, 2 for a number that it has not, else the
// position of the variable that it has its symbol from, plus 3, which has the number 0
// itself.

const (
	isNumber  = 0
	isNothing = 1
	isOther   = 2
	isLike    = 3
	// MaxTracked is how many variables can be tracked at a location.
	MaxTracked = 1<<16 - isLike
)

// load puts a stored state into the slots. What is not stored but used has a symbol of its
// own.
func (e *env) load(words []uint64, vars, uses []int32) {
	e.stamp++
	e.loaded = e.stamp
	e.active = e.active[:0]
	e.others = e.others[:0]
	numbers, sources := words[:len(vars)], words[len(vars):]
	for i, v := range vars {
		x := constant(numbers[i])
		switch like := sources[i/4] >> (i % 4 * 16) & 0xffff; like {
		case isNumber:
		case isNothing:
			x = e.fresh(v)
		case isOther:
			e.exclude(v+1, x.n)
			x = value{sym: v + 1}
		default:
			x.sym = vars[like-isLike] + 1
		}
		e.set(v, x)
	}
	for _, v := range uses {
		if e.since[v] != e.loaded {
			e.set(v, e.fresh(v))
		}
	}
}

// set assigns a slot.
func (e *env) set(slot int32, v value) {
	if e.since[slot] != e.loaded {
		e.since[slot] = e.loaded
		e.active = append(e.active, slot)
	}
	e.slots[slot] = v
}

func sourceOf(words []uint64, n, i int) int {
	return int(words[n+i/4] >> (i % 4 * 16) & 0xffff)
}

// encoder writes states.
type encoder struct {
	precision []Precision // by variable
	words     []uint64
	first     []place // by symbol
	calls     int
}

// place is the position of the first variable that has a symbol, in a call of encode.
type place struct{ call, at int }

// firstOf returns the place of a symbol, for a number of slots.
func (c *encoder) firstOf(sym int32, slots int) *place {
	if c.first == nil {
		c.first = make([]place, 2*slots+1+1<<8) // see do and encode for what symbols there are
	}
	return &c.first[sym]
}

// encode writes the values of some variables in the one way that all equal states have.
// The result is overwritten by the next call.
func (c *encoder) encode(e *env, vars []int32) []uint64 {
	n := len(vars)
	c.words = append(c.words[:0], make([]uint64, max(1, n+(n+3)/4))...)
	c.calls++
	for i, v := range vars {
		x := e.slots[v]
		if x.sym == 0 && c.precision[v] == Relative {
			// Numbers are differences from 0, which is not known any more.
			x.sym = int32(2*len(e.slots)) + 1 + int32(e.kinds[v])
		}
		if x.sym == 0 {
			c.words[i] = x.n
			continue
		}
		like := isNothing
		if x.sym != unknown {
			if f := c.firstOf(x.sym, len(e.slots)); f.call != c.calls {
				*f = place{c.calls, i}
			} else if d, ok := e.kinds[v].sub(x.n, e.slots[vars[f.at]].n); ok {
				// The first variable with the symbol has the number 0, and a source only
				// now that there is a second one.
				like, c.words[i] = f.at+isLike, d
				c.setSource(n, f.at, like)
			}
		}
		c.setSource(n, i, like)
	}
	// What a variable is not is known of those only that share their symbol with no other.
	for _, other := range e.others {
		f := c.firstOf(other.sym, len(e.slots))
		if f.call != c.calls || sourceOf(c.words, n, f.at) != isNothing {
			continue
		}
		// A sum is not followed: a counter would be something else in each round.
		if e.slots[vars[f.at]].n == 0 {
			c.words[f.at] = other.n
			c.setSource(n, f.at, isOther)
		}
	}
	return c.words
}

func (c *encoder) setSource(n, i, like int) {
	at, shift := n+i/4, i%4*16
	c.words[at] = c.words[at]&^(0xffff<<shift) | uint64(like)<<shift
}
