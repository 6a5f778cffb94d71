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
	for _, i := range e.active {
		e.slots[i] = value{}
	}
	e.active = e.active[:0]
	clear(e.others)
	for i, v := range vars {
		e.active = append(e.active, v)
		n := words[i]
		switch like := sourceOf(words, len(vars), i); like {
		case isNumber:
			e.slots[v] = constant(n)
		case isNothing:
			e.slots[v] = value{sym: v + 1}
		case isOther:
			e.slots[v] = value{sym: v + 1}
			e.exclude(v+1, n)
		default:
			e.slots[v] = value{vars[like-isLike] + 1, n}
		}
	}
	for _, v := range uses {
		if e.slots[v] == (value{}) && !contains(vars, v) {
			e.active = append(e.active, v)
			e.slots[v] = value{sym: v + 1}
		}
	}
}

// contains reports that a sorted list has a number.
func contains(list []int32, x int32) bool {
	lo, hi := 0, len(list)
	for lo < hi {
		if mid := (lo + hi) / 2; list[mid] < x {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo < len(list) && list[lo] == x
}

// set assigns a slot.
func (e *env) set(slot int32, v value) {
	if e.slots[slot].sym == 0 { // perhaps it has none yet
		e.activate(slot)
	}
	e.slots[slot] = v
}

func (e *env) activate(slot int32) {
	for _, i := range e.active {
		if i == slot {
			return
		}
	}
	e.active = append(e.active, slot)
}

func sourceOf(words []uint64, n, i int) int {
	return int(words[n+i/4] >> (i % 4 * 16) & 0xffff)
}

// encoder writes states.
type encoder struct {
	precision []Precision // by variable
	words     []uint64
	first     map[int32]int // by symbol: the position of the first variable that has it
}

// encode writes the values of some variables in the one way that all equal states have.
// The result is overwritten by the next call.
func (c *encoder) encode(e *env, vars []int32) []uint64 {
	n := len(vars)
	c.words = append(c.words[:0], make([]uint64, max(1, n+(n+3)/4))...)
	clear(c.first)
	if c.first == nil {
		c.first = map[int32]int{}
	}
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
			if f, known := c.first[x.sym]; !known {
				c.first[x.sym] = i
			} else if d, ok := e.kinds[v].sub(x.n, e.slots[vars[f]].n); ok {
				// The first variable with the symbol has the number 0, and a source only
				// now that there is a second one.
				like, c.words[i] = f+isLike, d
				c.setSource(n, f, like)
			}
		}
		c.setSource(n, i, like)
	}
	// What a variable is not is known of those only that share their symbol with no other.
	for sym, other := range e.others {
		i, known := c.first[sym]
		if !known || sourceOf(c.words, n, i) != isNothing {
			continue
		}
		// A sum is not followed: a counter would be something else in each round.
		if e.slots[vars[i]].n == 0 {
			c.words[i] = other
			c.setSource(n, i, isOther)
		}
	}
	return c.words
}

func (c *encoder) setSource(n, i, like int) {
	at, shift := n+i/4, i%4*16
	c.words[at] = c.words[at]&^(0xffff<<shift) | uint64(like)<<shift
}
