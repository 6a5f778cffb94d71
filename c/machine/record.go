package machine

import (
	"cmp"
	"slices"
	"strings"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/lists"
)

// Recording is what a run of Machine was given, so that the run can be done again by a
// compiled program: see WriteHarness. A Machine fills it in.
type Recording struct {
	Outcome Outcome

	prog    *ir.Program
	entry   *ir.Func
	args    []uint64
	given   []given           // choices that instructions ask for, in order
	first   []first           // values of memory that had none when it was read
	regions []span            // memory of its own that pointers pointed to, by address
	entered map[*ir.Func]bool // routines that the run came to
	called  map[target]bool   // what pointers to routines pointed to, by call
	forgot  map[int]int64     // of events that are instructions: where the place begins
	chosen  []chosen          // all choices, in order
	nodes   int               // how many were done
	cut     bool              // pointers that were there are used as numbers, or the other way round
}

// chosen is a choice that some node made, counted from 1.
type chosen struct {
	node int
	bits uint64
}

// Args are the arguments of the run.
func (r *Recording) Args() []uint64 { return r.args }

// Nodes is how many nodes the run did.
func (r *Recording) Nodes() int { return r.nodes }

// Chosen are the values that nodes from one to another asked for, in order: those of memory
// without a value, too. Nodes are counted from 1.
func (r *Recording) Chosen(from, to int) (all []uint64) {
	at, _ := slices.BinarySearchFunc(r.chosen, from, func(c chosen, from int) int { return cmp.Compare(c.node, from) })
	for _, c := range r.chosen[at:] {
		if c.node > to {
			break
		}
		all = append(all, c.bits)
	}
	return all
}

// Choose notes a choice that a run makes in a way of its own.
func (r *Recording) Choose(bits uint64) { r.chosen = append(r.chosen, chosen{r.nodes, bits}) }

// Before does what belongs before the node that is being done.
func (r *Recording) Before(do func() error) error {
	r.nodes--
	defer func() { r.nodes++ }()
	return do()
}

// NextNode counts a node that a run does in a way of its own, as in Machine.Abstract.
func (r *Recording) NextNode() { r.nodes++ }

// Given is a value that a run was given.
type Given struct {
	What  string // "input()", or what else was asked for; "" of what the program does not ask for
	Value string // as C has it; of an address of the program's, what lies there
	Type  *ir.Type
	At    ir.Span
	Call  bool // it is what a routine of the program without a body returned
}

// Given returns the values that the run was given, in the order in which it asked for them:
// without those that memory has before it is written.
func (r *Recording) Given() []Given {
	return lists.Map(r.given, func(g given) Given {
		leaves := strings.HasPrefix(g.what, ir.ErrnoAfter) && int64(g.bits) <= 0 // as it was
		if leaves || g.what == ir.FollowedInput || g.what == ir.OtherInput {
			g.what = ""
		}
		return Given{g.what, cmp.Or(g.place, ir.Number(g.t, g.bits)), g.t, g.at, g.call}
	})
}

// Otherwise is how many values the run was given besides Given: its arguments, and those that memory had before it was
// written.
func (r *Recording) Otherwise() int { return len(r.args) + len(r.first) }

// given is a value that the program left open.
type given struct {
	bits uint64
	t    *ir.Type
	at   ir.Span
	what string
	call bool
	// place is what of the program's lies at the address that the value is; "" if nothing does.
	place string
}

// origin is where a byte without a value comes from: an object, a place in it, and the
// event that took its value away, the beginning of the object or a later one. Copies keep
// it, so that they have the same value, whichever is read first.
type origin struct {
	event int
	o     *object
	off   int64
}

// first is a value that memory turned out to have.
type first struct {
	origin
	size    int64
	bits    uint64
	pointer bool
}

// mixes notes what is written to a part of a pointer that was in memory from elsewhere, and what is read as a pointer
// that was a number there.
func (r *Recording) mixes(a access, size int64, pointer bool) {
	from := a.o.origin(a.off)
	r.cut = r.cut || slices.ContainsFunc(r.first, func(f first) bool {
		return f.pointer == pointer && f.event == from.event && f.o == from.o && f.off < from.off+size && from.off < f.off+f.size
	})
}

// target is a routine that a call by a pointer went to.
type target struct {
	call *ir.Call
	f    *ir.Func
}

// span is a range of addresses.
type span struct{ from, to uint64 }

func (m *Machine) recordRun(entry *ir.Func, args []uint64) {
	m.event, m.lazy = 0, map[origin]byte{}
	if m.Record != nil {
		*m.Record = Recording{prog: m.Program, entry: entry, args: args, entered: map[*ir.Func]bool{}, called: map[target]bool{}, forgot: map[int]int64{}}
	}
}

func (m *Machine) recordArguments(args []uint64) {
	if m.Record != nil {
		m.Record.args = args
	}
}

// recordEnd keeps how the run ended.
func (m *Machine) recordEnd(out Outcome) {
	if m.Record == nil {
		return
	}
	m.Record.Outcome = out
	for _, o := range m.region {
		m.Record.regions = append(m.Record.regions, span{o.base, o.base + uint64(len(o.data))})
	}
	slices.SortFunc(m.Record.regions, func(a, b span) int { return cmp.Compare(a.from, b.from) })
}

func (m *Machine) recordChoice(c *Choice, bits uint64) {
	if m.Record == nil {
		return
	}
	m.Record.chosen = append(m.Record.chosen, chosen{m.Record.nodes, bits})
	if c.Lazy {
		return
	}
	calls := c.Call != nil && c.Call.Callee != nil && c.Call.Callee.Known == nil && !strings.Contains(c.Call.Callee.Name, " ")
	m.Record.given = append(m.Record.given, given{bits, c.Type, c.Span, c.What(), calls, m.placed(c.Type, bits)})
}

// What says what is asked for.
func (c *Choice) What() string {
	switch {
	case c.Call != nil && c.Call.Callee != nil:
		what := c.Call.Callee.Name
		if asked := ir.LibraryInputs[what]; asked != "" {
			return asked
		}
		if !strings.Contains(what, " ") { // see linker.input
			what += "()"
		}
		return what
	case c.Call != nil:
		return "a routine's result"
	}
	return "any value"
}

func (m *Machine) recordTarget(c *ir.Call, f *ir.Func) {
	if m.Record != nil && c.Callee == nil {
		m.Record.called[target{c, f}] = true
	}
}

// forget takes the values of a part of an object away.
func (m *Machine) forget(a access) {
	m.event++
	a.o.forget(a.off, a.t.Size)
	if a.off == 0 && a.t.Size == int64(len(a.o.data)) {
		a.o.born, a.o.from = m.event, nil // it begins again
	} else {
		a.o.trace()
		for i := a.off; i < a.off+a.t.Size; i++ {
			a.o.from[i] = origin{m.event, a.o, i}
		}
	}
	if m.Record != nil {
		m.Record.forgot[m.event] = a.off
	}
}

// origin is where a byte comes from.
func (o *object) origin(off int64) origin {
	if o.from != nil {
		return o.from[off]
	}
	return origin{o.born, o, off}
}

// trace makes room for origins that differ from the object's own.
func (o *object) trace() {
	if o.from != nil {
		return
	}
	from := make([]origin, len(o.data))
	for i := range from {
		from[i] = origin{o.born, o, int64(i)}
	}
	o.from = from
}

// firstValue gives bytes a value that have none: that of their origin, if a copy was read
// before, or one that is chosen; of all together, or of each where they come from
// different places.
func (m *Machine) firstValue(a access, span ir.Span) error {
	off, size := a.span()
	from := a.o.origin(off)
	whole := true
	for i := range size {
		at := a.o.origin(off + i)
		_, chosen := m.lazy[at]
		whole = whole && a.o.lacks[off+i] && !chosen && at == origin{from.event, from.o, from.off + i}
	}
	if whole {
		bits, err := m.chooseFirst(a.t, from, from.off-off+a.off, span)
		if err == nil {
			err = m.write(a, bits)
		}
		if err != nil {
			return err
		}
		m.recordFirst(a, from, a.t.Kind == ir.Pointer && a.bits == 0)
		return nil
	}
	char := &ir.Type{Kind: ir.Integer, Size: 1, Name: ir.IntegerName(1, false, false)}
	for i := range size {
		at, b := a.o.origin(off+i), access{o: a.o, off: off + i, t: char}
		if !a.o.lacks[off+i] {
			continue
		}
		value, chosen := m.lazy[at]
		bits := uint64(value)
		if !chosen {
			var err error
			if bits, err = m.chooseFirst(char, at, at.off, span); err != nil {
				return err
			}
		}
		if err := m.write(b, bits); err != nil {
			return err
		}
		if !chosen {
			m.recordFirst(b, at, false)
		}
	}
	return nil
}

func (m *Machine) chooseFirst(t *ir.Type, from origin, off int64, span ir.Span) (uint64, error) {
	c := &Choice{Why: ir.Uninitialised, Type: t, Span: span, Lazy: true, Var: from.o.v, Site: from.o.site, Nth: from.o.nth, Off: off}
	if c.Var == nil && c.Site == nil {
		c.At = from.o.base + uint64(off)
	}
	k, is := m.argument(from.o)
	if !is || t.Kind != ir.Pointer || m.Choose == nil {
		return m.choose(c)
	}
	choose := m.Choose
	defer func() { m.Choose = choose }()
	m.Choose = func(c *Choice) (uint64, error) {
		bits, err := choose(c)
		if some := m.mem.next + 1<<25 + uint64(k)<<12; k == m.argc {
			bits = 0
		} else if bits == 0 && m.mem.foreign(some) {
			bits = some
		}
		return bits, err
	}
	return m.choose(c)
}

// argument is which element of argv memory is that the environment gives a Hosted program, from 0 to argc.
func (m *Machine) argument(o *object) (k int64, is bool) {
	if !m.Program.Hosted || m.argv == 0 || m.region[o.base] != o {
		return 0, false
	}
	size := m.Program.Model.PointerSize()
	k = int64(o.base-m.argv) / size
	return k, int64(o.base-m.argv)%size == 0 && int64(len(o.data)) == size && 0 <= k && k <= m.argc
}

// recordFirst keeps the value that an access has now, for copies and for the record.
func (m *Machine) recordFirst(a access, from origin, pointer bool) {
	off, size := a.span()
	f := first{origin: from, size: size, pointer: pointer}
	if from.o.site != nil || from.o.v != nil && !from.o.v.Extern { // else its surroundings give it
		a.o.leftOpen(off, size, true)
	}
	for i := size - 1; i >= 0; i-- {
		m.lazy[a.o.origin(off+i)] = a.o.data[off+i]
		f.bits = f.bits<<8 | uint64(a.o.data[off+i])
	}
	if m.Record != nil {
		m.Record.first = append(m.Record.first, f)
	}
}
