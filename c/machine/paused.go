package machine

import (
	"errors"
	"maps"
	"slices"

	"github.com/seltl/seltl/c/ir"
)

// Start begins a run that Next goes on with, node by node: what Run does, but for Begin's
// arguments, which are asked for all the same. The outcome is not nil if the run has ended
// before the first node. The error is Choose's.
func (m *Machine) Start(entry *ir.Func, args []uint64) (*Outcome, error) {
	args, err := m.prepare(entry, args)
	if err == nil {
		err = m.arrive(entry, args)
	}
	m.quiet = false
	return m.stopped(err)
}

// Next does what At is. The outcome is not nil if the run ends there. After an error, which is
// Choose's, Abstract's or Step's, the machine is of no use: who may want to go on keeps a Fork.
func (m *Machine) Next() (*Outcome, error) {
	out, err := m.stopped(m.once())
	if out == nil && err == nil && len(m.stack) == 0 {
		out = &Outcome{Ending: Returned, Value: m.result, Guessed: m.guess, Steps: m.steps}
	}
	return out, err
}

// stopped makes an outcome of the error of a run that ends.
func (m *Machine) stopped(err error) (*Outcome, error) {
	if err == nil {
		return nil, nil
	}
	if out, err := m.ended(Outcome{}, err); err != nil {
		return nil, err
	} else {
		return &out, nil
	}
}

// Result is what the routine has returned that ended last, as C has it: "-1", "NULL".
func (m *Machine) Result(t *ir.Type) string { return m.shown(t, m.result) }

// At is what a run that was started does next; nil if it has ended.
func (m *Machine) At() Node {
	if len(m.stack) == 0 {
		return nil
	}
	return m.top().next()
}

// Activation is one of a routine that has not ended.
type Activation struct {
	Func *ir.Func
	// At is where it is: of the innermost one what comes next, of others their call.
	At ir.Span
	// Began tells activations apart.
	Began int
}

// Stack are the activations of routines, the innermost last.
func (m *Machine) Stack() []Activation {
	all := make([]Activation, len(m.stack))
	for i := range m.stack {
		all[i] = m.Activation(i)
	}
	return all
}

// Depth is the length of Stack.
func (m *Machine) Depth() int { return len(m.stack) }

// Activation is one of Stack.
func (m *Machine) Activation(level int) Activation {
	f := m.stack[level]
	if level < len(m.stack)-1 {
		return Activation{f.f, f.b.Instrs[f.at-1].At(), f.born} // the call
	}
	return Activation{f.f, f.coming(), f.born}
}

// coming is where that stands which an activation does next: behind jumps that stand nowhere.
func (f *frame) coming() ir.Span {
	at := f.next()
	for range len(f.f.Blocks) {
		jump, ok := at.(*ir.Jump)
		if !ok || jump.Span.Valid() {
			break
		}
		at = (&frame{b: jump.To}).next()
	}
	return at.At()
}

// Position tells the places in a program of the innermost activation apart.
type Position struct {
	Block *ir.Block
	Instr int
}

// Position is where the innermost activation is.
func (m *Machine) Position() Position {
	f := m.top()
	return Position{f.b, f.at}
}

// Called is the routine that a call calls where the run is, with the values of arguments that
// are scalars: what Abstract is told of it.
func (m *Machine) Called(c *ir.Call) (f *ir.Func, args []uint64, err error) {
	if f = c.Callee; f == nil {
		at, err := m.eval(c.Ptr, c.Span)
		if err != nil {
			return nil, nil, err
		}
		if f = m.funcs[at]; f == nil {
			return nil, nil, nil
		}
	}
	if c.To != nil {
		if _, err := m.place(*c.To, c.Span); err != nil {
			return nil, nil, err
		}
	}
	args, _, err = m.scalars(c)
	return f, args, err
}

// Fork returns a machine that goes on from where this one is, without its functions and
// Record. Bytes are copied when one of both writes to them: time is linear in the number of
// objects.
func (m *Machine) Fork() *Machine {
	c := &copying{made: make(map[*object]*object, len(m.mem.objects))}
	n := *m
	n.guesses = m.guesses.copy()
	n.Choose, n.Call, n.Abstract, n.Begin, n.Step, n.Record = nil, nil, nil, nil, nil, nil
	n.Hands, n.handed = false, nil
	n.mem.objects = make([]*object, len(m.mem.objects))
	for i, o := range m.mem.objects {
		n.mem.objects[i] = c.object(o)
	}
	n.region = make(map[uint64]*object, len(m.region))
	for at, o := range m.region {
		n.region[at] = c.object(o)
	}
	n.vars = c.vars(m.vars)
	n.sites, n.mutexes = maps.Clone(m.sites), maps.Clone(m.mutexes)
	n.lazy = make(map[origin]byte, len(m.lazy))
	for from, b := range m.lazy {
		from.o = c.object(from.o)
		n.lazy[from] = b
	}
	n.stack = make([]*frame, len(m.stack))
	for i, f := range m.stack {
		g := *f
		g.vars = c.vars(f.vars)
		if f.to != nil {
			to := *f.to
			to.o = c.object(to.o)
			g.to = &to
		}
		n.stack[i] = &g
	}
	for len(c.traced) > 0 {
		o := c.traced[len(c.traced)-1]
		c.traced = c.traced[:len(c.traced)-1]
		o.from = slices.Clone(o.from)
		for i := range o.from {
			o.from[i].o = c.object(o.from[i].o)
		}
	}
	return &n
}

// Size is that of the memory which a fork takes that nothing is shared with, in bytes, nearly.
func (m *Machine) Size() int {
	const object, perByte, frame = 256, 2, 512
	size := frame*len(m.stack) + object*(len(m.mem.objects)+len(m.region)+len(m.lazy))
	for _, o := range m.mem.objects {
		size += perByte * len(o.data)
	}
	return size
}

// copying makes one object of each.
type copying struct {
	made   map[*object]*object
	traced []*object // whose origins still name objects of the other run
}

func (c *copying) object(o *object) *object {
	if o == nil {
		return nil
	}
	if c.made[o] == nil {
		o.shared = true
		n := *o
		c.made[o] = &n
		if n.from != nil {
			c.traced = append(c.traced, &n)
		}
	}
	return c.made[o]
}

func (c *copying) vars(of map[*ir.Var]*object) map[*ir.Var]*object {
	all := make(map[*ir.Var]*object, len(of))
	for v, o := range of {
		all[v] = c.object(o)
	}
	return all
}

// Halted is the outcome of a run that an error of Do or Called ends, nil if it is none of these.
func (m *Machine) Halted(err error) *Outcome {
	if _, ok := errors.AsType[*halt](err); !ok {
		return nil
	}
	out, _ := m.ended(Outcome{}, err)
	return &out
}

// Quiet reports a node that the source does not have at its place.
func Quiet(at Node) bool {
	switch i := at.(type) {
	case *ir.Havoc:
		return i.Early
	case *ir.End:
		return true
	case *ir.Assign:
		_, constant := i.Value.(*ir.Const)
		return constant && i.To.Var != nil && i.To.Var.Kind == ir.Temp
	}
	return false
}
