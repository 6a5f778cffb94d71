package concrete

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seltl/seltl/internal/statetable"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// Bounds of a visit: words of states that are kept, states that are visited, and ways of one step.
const (
	mostWords  = 1 << 25
	mostStates = 1 << 23
	mostWays   = 1 << 16
	smallest   = 8 // bits of what gets each value
)

// ErrMany is the error of Visit where there are more states than are visited.
var ErrMany = errors.New("there are too many states to visit them all")

// Possible is the error of Visit where a state that may be reached may be an error.
type Possible struct{ Location string }

func (e *Possible) Error() string {
	return fmt.Sprintf("a state at %s may be an error", e.Location)
}

// Visit returns nil if the states of a system that can be reached are few and none of them is an
// error. tick is asked for every state; its error ends the visit. Other errors are ErrMany, *Possible,
// and such of systems over what is not evaluated.
func Visit(sys *program.System, tick func(states int) error) error {
	v, err := newVisit(sys, tick)
	if err != nil {
		return err
	}
	for _, r := range sys.Init {
		for _, where := range logic.Disjuncts(r.Where) {
			if err := v.begin(r.Location, where); err != nil {
				return err
			}
		}
	}
	for len(v.todo) > 0 {
		s := v.todo[len(v.todo)-1]
		v.todo = v.todo[:len(v.todo)-1]
		if err := v.leave(s); err != nil {
			return err
		}
	}
	return nil
}

// visit is a call of Visit. What is compiled reads the machine.
type visit struct {
	*machine
	sys    *program.System
	tick   func(states int) error
	vars   int
	out    [][]*edge
	bad    [][]condition
	tables []*statetable.Table // of locations that keep states
	todo   []spot
	free   [][]uint64 // vectors that are not used
	states int
	words  int
}

// spot is a state that is to be left: its variables, and behind them which have no value, in bits.
type spot struct {
	location int
	vector   []uint64
}

type edge struct {
	to     int
	guard  term
	update []term
	slots  []int // that are updated
	reads  []int // small variables and inputs whose values matter
}

// condition is a region of errors.
type condition struct {
	where term
	reads []int
}

func newVisit(sys *program.System, tick func(states int) error) (*visit, error) {
	n := len(sys.Locations)
	v := &visit{machine: newMachine(), sys: sys, tick: tick, vars: len(sys.Vars), out: make([][]*edge, n), bad: make([][]condition, n), tables: make([]*statetable.Table, n)}
	for _, x := range sys.Vars {
		if _, err := v.slot(x); err != nil {
			return nil, err
		}
	}
	into := make([]int, n)
	for _, r := range sys.Init {
		into[r.Location] += 2
	}
	for _, e := range sys.Edges {
		into[e.To]++
		c, err := v.edge(e)
		if err != nil {
			return nil, err
		}
		v.out[e.From] = append(v.out[e.From], c)
	}
	for _, r := range sys.Error {
		where, err := v.compile(r.Where)
		if err != nil {
			return nil, err
		}
		v.bad[r.Location] = append(v.bad[r.Location], condition{where, v.read(r.Where)})
	}
	for l, k := range into {
		if k > 1 {
			v.tables[l] = statetable.New(v.vars + (v.vars+63)/64)
		}
	}
	return v, nil
}

// edge compiles a command. A variable that is only copied is not read: the copy has no value, then.
func (v *visit) edge(e program.Edge) (c *edge, err error) {
	c = &edge{to: e.To}
	for _, in := range e.Command.Inputs {
		if _, err := v.slot(in); err != nil {
			return nil, err
		}
	}
	if c.guard, err = v.compile(e.Command.Guard); err != nil {
		return nil, err
	}
	reads := []*logic.Term{e.Command.Guard}
	for _, x := range v.sys.Vars {
		t := e.Command.Update[x]
		if t == nil {
			continue
		}
		by, err := v.compile(t)
		if err != nil {
			return nil, err
		}
		c.slots, c.update = append(c.slots, v.slots[x]), append(c.update, by)
		if !slices.Contains(e.Command.Inputs, t) {
			reads = append(reads, t)
		}
	}
	c.reads = v.read(reads...)
	return c, nil
}

// read are the small ones of what is mentioned.
func (v *visit) read(ts ...*logic.Term) (slots []int) {
	for _, x := range logic.Vars(ts...) {
		if bits := width(x.Sort()); bits > 0 && bits <= smallest {
			slots = append(slots, v.slots[x])
		}
	}
	return slots
}

// begin enters the initial states that satisfy a formula: what its conjuncts say of variables one
// after the other.
func (v *visit) begin(location int, where *logic.Term) error {
	for i := range v.known {
		v.known[i] = false
	}
	all := logic.Conjuncts(where)
	for again := true; again; {
		again = false
		for _, f := range all {
			x, value, err := v.says(f)
			if err != nil {
				return err
			}
			if x >= 0 && !v.known[x] {
				v.values[x], v.known[x], again = value, true, true
			}
		}
	}
	f, err := v.compile(where)
	if err != nil {
		return err
	}
	if holds, known := f(v.machine); known && holds == 0 {
		return nil
	}
	return v.enter(location)
}

// says reads a conjunct that says what a variable is, of which nothing is known; -1 if it does not.
func (v *visit) says(f *logic.Term) (slot int, value uint64, err error) {
	x, by := f, logic.True()
	switch f.Op() {
	case logic.OpNot:
		x, by = f.Args()[0], logic.False()
	case logic.OpEq:
		x, by = f.Args()[0], f.Args()[1]
		if x.Op() != logic.OpVar || v.known[v.slots[x]] {
			x, by = by, x
		}
	}
	if x.Op() != logic.OpVar {
		return -1, 0, nil
	}
	t, err := v.compile(by)
	if err != nil {
		return -1, 0, err
	}
	value, known := t(v.machine)
	if !known {
		return -1, 0, nil
	}
	return v.slots[x], value, nil
}

// enter comes to a location with the values of the machine.
func (v *visit) enter(location int) error {
	s := v.store()
	if t := v.tables[location]; t != nil {
		if _, fresh := t.Insert(s); !fresh {
			v.free = append(v.free, s)
			return nil
		}
		if v.words += len(s); v.words > mostWords {
			return ErrMany
		}
	}
	if v.states++; v.states > mostStates {
		return ErrMany
	}
	if err := v.tick(v.states); err != nil {
		return err
	}
	for _, bad := range v.bad[location] {
		err := v.each(s, bad.reads, func() error {
			if holds, known := bad.where(v.machine); !known || holds != 0 {
				return &Possible{v.sys.Locations[location].Name}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	v.todo = append(v.todo, spot{location, s})
	return nil
}

// leave takes all edges from a state.
func (v *visit) leave(s spot) error {
	after, has := make([]uint64, 0, 8), make([]bool, 0, 8)
	for _, e := range v.out[s.location] {
		err := v.each(s.vector, e.reads, func() error {
			if holds, known := e.guard(v.machine); known && holds == 0 {
				return nil
			}
			after, has = after[:0], has[:0]
			for _, by := range e.update {
				value, known := by(v.machine)
				after, has = append(after, value), append(has, known)
			}
			before, had := v.swap(e.slots, after, has)
			err := v.enter(e.to)
			v.swap(e.slots, before, had)
			return err
		})
		if err != nil {
			return err
		}
	}
	v.free = append(v.free, s.vector)
	return nil
}

// swap gives slots values, and returns those that they had.
func (v *visit) swap(slots []int, values []uint64, has []bool) (before []uint64, had []bool) {
	for i, s := range slots {
		before, had = append(before, v.values[s]), append(had, v.known[s])
		v.values[s], v.known[s] = values[i], has[i]
	}
	return before, had
}

// each calls f with the values of a state, and with each value of some slots that have none.
func (v *visit) each(s []uint64, slots []int, f func() error) error {
	v.load(s)
	var open []int
	ways := 1
	for _, slot := range slots {
		if !v.known[slot] {
			open = append(open, slot)
			if ways <<= v.bits[slot]; ways > mostWays {
				return f() // with what is known
			}
		}
	}
	if len(open) == 0 {
		return f()
	}
	for way := range ways {
		for _, slot := range open {
			v.values[slot], v.known[slot] = uint64(way)&(1<<v.bits[slot]-1), true
			way >>= v.bits[slot]
		}
		if err := f(); err != nil {
			return err
		}
	}
	for _, slot := range open {
		v.known[slot] = false
	}
	return nil
}

// store and load write the values of variables, and read them; inputs have none then.
func (v *visit) store() []uint64 {
	n := v.vars
	var s []uint64
	if last := len(v.free) - 1; last >= 0 {
		s, v.free = v.free[last], v.free[:last]
	} else {
		s = make([]uint64, n+(n+63)/64)
	}
	clear(s[n:])
	for i := range n {
		if s[i] = v.values[i]; !v.known[i] {
			s[i] = 0
			s[n+i/64] |= 1 << (i % 64)
		}
	}
	return s
}

func (v *visit) load(s []uint64) {
	n := v.vars
	for i := range n {
		v.values[i], v.known[i] = s[i], s[n+i/64]>>(i%64)&1 == 0
	}
	for i := n; i < len(v.known); i++ {
		v.known[i] = false
	}
}
