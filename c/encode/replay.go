package encode

import (
	gocontext "context"
	"errors"
	"fmt"
	"math/big"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// maxReplay bounds the steps of a replayed run, and its calls inside of calls.
const maxReplay, maxReplayDepth = 10_000_000, 10_000

// Asks returns how many values an edge of Words asks for, in the order of the recording of
// Replay; those of the first edge are arguments of the entry routine.
func (e *Encoding) Asks(edge int) int { return len(e.edges[edge].words) }

// Replay runs the program on the values that a trace of Words or Numbers chose, by
// package machine, which knows nothing of the encoding. Nil if it fails where the trace
// ends; the recording says what it did, and what it was given. *Unheard: a routine without a body would return an
// address that it does not know.
func (e *Encoding) Replay(ctx gocontext.Context, sys *program.System, t *program.Trace) (*machine.Recording, error) {
	return e.replay(ctx, sys, t, nil)
}

// ReplayApart is Replay, but such an address is one of memory of its own: if the run fails all the same, it is another
// one than the trace. It is told by its lines.
func (e *Encoding) ReplayApart(ctx gocontext.Context, sys *program.System, t *program.Trace) (*machine.Recording, []machine.Line, error) {
	var lines *[]machine.Line
	r, err := e.replay(ctx, sys, t, func(m *machine.Machine) {
		if m.Layout == 0 {
			lines = machine.Watch(m)
		}
	})
	if err != nil {
		return r, nil, err
	}
	return r, *lines, nil
}

// Unheard is an address of the program's that a routine without a body would return, which was not given to it.
type Unheard struct{ Name string }

func (e *Unheard) Error() string {
	return "the run depends on an address that " + e.Name + " does not know"
}

func (e *Encoding) replay(ctx gocontext.Context, sys *program.System, t *program.Trace, apart func(*machine.Machine)) (*machine.Recording, error) {
	var queue []uint64
	args := 0
	for i, edge := range t.Edges {
		names := e.edges[edge].words
		if sys == e.Numbers {
			names = e.edges[edge].numbers
		}
		for _, name := range names {
			queue = append(queue, bitsOf(t.Inputs[i], name))
		}
		if i == 0 {
			args = len(queue)
		}
	}
	var params []uint64
	for _, p := range e.Entry.Params {
		if p.Type.Scalar() && len(params) < args {
			params = append(params, queue[len(params)])
		} else {
			params = append(params, 0)
		}
	}
	own, err := e.ownMemory(sys, t)
	if err != nil {
		return &machine.Recording{}, err
	}
	var first *machine.Recording
	for layout := range 2 {
		r := &machine.Recording{}
		m := &machine.Machine{Program: e.original, Outlived: e.Ended, Layout: layout, Record: r, Stop: ctx.Err}
		if apart != nil {
			apart(m)
		}
		err := e.failing(m, e.original.Func(e.Entry.Name), queue[args:], params, func(c *machine.Choice) uint64 { return e.startOf(t, own, c) }, apart != nil)
		switch {
		case first == nil && err != nil:
			return r, err
		case first == nil:
			first = r
		case err != nil || r.Outcome.Span != first.Outcome.Span:
			return first, errors.New("the run depends on where objects lie in memory")
		}
	}
	return first, nil
}

// failing runs a routine on values that the program leaves open, and those of memory that it
// did not write to: nil if the run fails. Addresses that routines without a body return and do not know are *Unheard, or
// those of memory apart from the program's.
func (e *Encoding) failing(m *machine.Machine, entry *ir.Func, queue, params []uint64, lazy func(*machine.Choice) uint64, apart bool) error {
	m.MaxSteps, m.MaxDepth, m.Regions, m.Hands = maxReplay, maxReplayDepth, true, true
	next := 0
	m.Choose = func(c *machine.Choice) (uint64, error) {
		if c.Lazy {
			return lazy(c), nil
		}
		if next >= len(queue) {
			return 0, errors.New("the run goes on behind the trace")
		}
		next++
		if c.Call != nil && c.Type.Kind == ir.Pointer {
			at, known := e.handed(m, queue[next-1])
			switch {
			case known:
				return at, nil
			case !apart:
				return 0, &Unheard{c.What()}
			}
		}
		return queue[next-1], nil
	}
	out, err := m.Run(entry, params)
	args := m.Arguments(params)
	switch {
	case err != nil:
		return err
	case args != "" && out.Ending == machine.Failed:
		return errors.New("the run depends on " + args)
	case out.Guessed != "":
		return errors.New("the run depends on " + out.Guessed)
	case out.Ending == machine.Returned:
		return errors.New("the replayed run does not fail: it comes to its end")
	case out.Ending != machine.Failed:
		return fmt.Errorf("the replayed run does not fail: %s", out.What)
	}
	return nil
}

// handed is an address that a trace has a routine without a body return, where the machine has the object that is
// there in the trace; false if the routine does not know it.
func (e *Encoding) handed(m *machine.Machine, at uint64) (there uint64, known bool) {
	for _, o := range e.memory.all {
		if o.fn != nil || o.value || at < o.base {
			continue
		}
		off, nth := at-o.base, uint64(0)
		if each := uint64(o.each()); each > 0 {
			off, nth = off%each, off/each
		}
		if off >= uint64(o.size) || o.slot == 0 && o.lives == 0 && nth > 0 {
			continue
		}
		return m.Handed(o.v, o.site, int(nth), int64(off))
	}
	return at, true
}

// startOf is what a trace has in memory that the program did not write to, memory of its own among it: 0
// where nothing depends on it.
func (e *Encoding) startOf(t *program.Trace, own ownMemory, c *machine.Choice) uint64 {
	o := e.memory.vars[c.Var]
	if o == nil {
		o = e.memory.sites[c.Site]
	}
	if o == nil {
		return own.at(c.At, c.Type.Size)
	}
	return e.startAt(t, o, c.Off, c.Type.Size, uint64(c.Nth))
}

// startAt is what some bytes of an object begin with.
func (e *Encoding) startAt(t *program.Trace, o *object, off, size int64, nth uint64) uint64 {
	r, at, index := o.runAt(off), off, uint64(0)
	if r != nil {
		index = uint64((off - r.lo) / r.unit)
		at = off - int64(index)*r.unit
		if o.slot > 0 {
			index = o.base + nth*uint64(o.slot) + uint64(off)
		}
	}
	if size > 1 && (o.bytes[off] || r != nil && r.unit == 1) {
		var bits uint64
		for k := range size {
			bits |= e.startAt(t, o, off+k, 1, nth) & 0xff << (8 * k)
		}
		return bits
	}
	for _, c := range o.sorted() {
		if c.key.off != at || c.key.size != size {
			continue
		}
		first := t.States[0][c.name]
		for _, inputs := range t.Inputs {
			if v, ok := inputs["start!"+c.name]; ok {
				first = v
				break
			}
		}
		if r == nil {
			return wordOf(first)
		}
		if first.Sort() == nil {
			return 0
		}
		element, err := logic.Eval(logic.Select(first.Term(), logic.Number(new(big.Rat).SetInt(new(big.Int).SetUint64(index)), first.Sort().Index())), nil)
		if err != nil {
			return 0
		}
		return wordOf(element)
	}
	return 0
}

// bitsOf is the value of an input as a word; 0 if the trace does not have it, since
// nothing depends on it then.
func bitsOf(inputs logic.Model, name string) uint64 {
	return wordOf(inputs[name])
}

func wordOf(v logic.Value) uint64 {
	if v.Num() == nil {
		return 0
	}
	n := new(big.Int).Mod(v.Num().Num(), new(big.Int).Lsh(big.NewInt(1), 64))
	return n.Uint64()
}

// InWords runs the edges of a trace of Numbers over machine words, with the values that
// it begins with and chooses; an error if a guard does not hold there.
func (e *Encoding) InWords(t *program.Trace) (*program.Trace, error) {
	out := &program.Trace{Start: t.Start, Edges: t.Edges}
	state := logic.Model{}
	for _, x := range e.Words.Vars {
		state[x.Name()] = logic.Zero(x.Sort())
		if v, ok := t.States[0][x.Name()]; ok {
			state[x.Name()] = asWord(v, x.Sort())
		}
	}
	out.States = append(out.States, state)
	for i, edge := range t.Edges {
		c := e.Words.Edges[edge].Command
		from := map[string]string{}
		for k, name := range e.edges[edge].words {
			from[name] = e.edges[edge].numbers[k]
		}
		inputs := logic.Model{}
		for _, x := range c.Inputs {
			name := x.Name()
			if other, ok := from[name]; ok {
				name = other
			}
			inputs[x.Name()] = logic.Zero(x.Sort())
			if v, ok := t.Inputs[i][name]; ok {
				inputs[x.Name()] = asWord(v, x.Sort())
			}
		}
		next, err := c.Step(state, inputs)
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
		state = next
		out.States, out.Inputs = append(out.States, state), append(out.Inputs, inputs)
	}
	return out, out.Replay(e.Words)
}

// asWord is a number, or an array of numbers, as machine words.
func asWord(v logic.Value, s *logic.Sort) logic.Value {
	if s.Kind() != logic.ArrayKind {
		return logic.NumValue(new(big.Rat).SetInt(new(big.Int).Mod(v.Num().Num(), power(s.Width()))), s)
	}
	number := func(t *logic.Term, s *logic.Sort) *logic.Term {
		return asWord(logic.NumValue(t.Num(), logic.Int), s).Term()
	}
	var in func(t *logic.Term) *logic.Term
	in = func(t *logic.Term) *logic.Term {
		args := t.Args()
		if t.Op() == logic.OpConstArray {
			return logic.ConstArray(s, number(args[0], s.Element()))
		}
		return logic.Store(in(args[0]), number(args[1], s.Index()), number(args[2], s.Element()))
	}
	out, err := logic.Eval(in(v.Term()), nil)
	if err != nil {
		return logic.Zero(s)
	}
	return out
}
