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
)

// smallest is how many bits what gets each value has; tests lower it.
var smallest = 8

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
	spans
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
	copies []bool // of the updates: they are a variable
	slots  []int  // that are updated
	reads  []int  // variables and inputs whose values matter
	bounds []bound
}

// condition is a region of errors.
type condition struct {
	where term
	reads []int
}

func newVisit(sys *program.System, tick func(states int) error) (*visit, error) {
	n := len(sys.Locations)
	v := &visit{machine: newMachine(), spans: newSpans(), sys: sys, tick: tick, vars: len(sys.Vars), out: make([][]*edge, n), bad: make([][]condition, n), tables: make([]*statetable.Table, n)}
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
			v.tables[l] = statetable.New(v.width())
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
		c.slots, c.update, c.copies = append(c.slots, v.slots[x]), append(c.update, by), append(c.copies, t.Op() == logic.OpVar)
		if !slices.Contains(e.Command.Inputs, t) {
			reads = append(reads, t)
		}
	}
	c.reads, c.bounds = v.read(reads...), v.machine.bounds(e.Command.Guard)
	return c, nil
}

// read are the words and Booleans of what is mentioned.
func (v *visit) read(ts ...*logic.Term) (slots []int) {
	for _, x := range logic.Vars(ts...) {
		if width(x.Sort()) > 0 {
			slots = append(slots, v.slots[x])
		}
	}
	return slots
}

// begin enters the initial states that satisfy a formula: what its conjuncts say of variables one
// after the other.
func (v *visit) begin(location int, where *logic.Term) error {
	clear(v.known)
	clear(v.values)
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
			holds, known := e.guard(v.machine)
			if known && holds == 0 {
				return nil
			}
			if !known {
				undo, possible := v.narrow(e.bounds)
				defer undo()
				if !possible {
					return nil
				}
			}
			after, has = after[:0], has[:0]
			for i, by := range e.update {
				value, known := by(v.machine)
				if !known && !e.copies[i] {
					value = 0
				}
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

// narrow gives what has no value the bounds of a guard that is taken for possible, until undo.
func (v *visit) narrow(bounds []bound) (undo func(), possible bool) {
	type old struct {
		slot  int
		value uint64
	}
	var olds []old
	possible = true
	for _, b := range bounds {
		if v.known[b.slot] {
			continue
		}
		now := v.spans.all[v.values[b.slot]].and(b.is)
		possible = possible && now.lo <= now.hi
		olds = append(olds, old{b.slot, v.values[b.slot]})
		v.values[b.slot] = v.spans.of(now)
	}
	return func() {
		for i := len(olds) - 1; i >= 0; i-- {
			v.values[olds[i].slot] = olds[i].value
		}
	}, possible
}

// choice is a slot without a value, and what it is tried with.
type choice struct {
	slot  int
	was   uint64
	first int64
	count int
}

// choices are those of a slot; none if they are many.
func (v *visit) choices(slot int) (c choice, ok bool) {
	c = choice{slot: slot, was: v.values[slot], count: 1 << min(v.bits[slot], smallest)}
	if s := v.spans.all[c.was]; s != whole && uint64(s.hi)-uint64(s.lo) < few {
		c.first, c.count = s.lo, int(s.hi-s.lo)+1
		return c, true
	}
	return c, v.bits[slot] <= smallest
}

// each calls f with the values of a state, and with each value of some slots that have none, if they have
// few.
func (v *visit) each(s []uint64, slots []int, f func() error) error {
	v.load(s)
	var open []choice
	ways := 1
	for _, slot := range slots {
		if v.known[slot] {
			continue
		}
		if c, ok := v.choices(slot); ok {
			open = append(open, c)
			if ways *= c.count; ways > mostWays {
				return f() // with what is known
			}
		}
	}
	if len(open) == 0 {
		return f()
	}
	for way := range ways {
		for _, c := range open {
			v.values[c.slot], v.known[c.slot] = cut(uint64(c.first+int64(way%c.count)), v.bits[c.slot]), true
			way /= c.count
		}
		if err := f(); err != nil {
			return err
		}
	}
	for _, c := range open {
		v.values[c.slot], v.known[c.slot] = c.was, false
	}
	return nil
}

// width is how many words a state has: a value for each variable, and bits of what has none; one without variables.
func (v *visit) width() int { return max(1, v.vars+(v.vars+63)/64) }

// store and load write the values of variables, and read them; inputs have none then.
func (v *visit) store() []uint64 {
	n := v.vars
	var s []uint64
	if last := len(v.free) - 1; last >= 0 {
		s, v.free = v.free[last], v.free[:last]
	} else {
		s = make([]uint64, v.width())
	}
	clear(s[n:])
	for i := range n {
		if s[i] = v.values[i]; !v.known[i] {
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
	clear(v.known[n:])
	clear(v.values[n:])
}
