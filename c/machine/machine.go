package machine

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seltl/seltl/c/ir"
)

// Machine runs a program on concrete values. What the program does not determine is
// asked of Choose; the run is exact otherwise: memory is bytes, and what C leaves
// undefined ends it.
type Machine struct {
	Program *ir.Program
	// Choose gives a value that the program leaves open; nil: 0.
	Choose func(c *Choice) (uint64, error)
	// Call, if not nil, is told of every call of a routine without a body.
	Call func(f *ir.Func, args []uint64)
	// Abstract, if not nil, is told of every call of a routine, with the values of arguments
	// that are scalars, and may do it: then with the result of the call. It may use Do.
	Abstract func(c *ir.Call, f *ir.Func, args []uint64) (result uint64, done bool, err error)
	// Begin, if not nil, gives the arguments of the run, once globals have their places and
	// first values.
	Begin func() []uint64
	// Step, if not nil, is told of every Instr and Terminator before it is done.
	Step func(at Node) error
	// Regions: a pointer that points to no object, and is not null, points to memory of
	// its own, and to a routine without a body if it is called.
	Regions bool
	// Outlived are the variables of routines, ROUTINE.NAME, whose address the program may keep
	// longer than they live: it may be that of another variable then, or of another life of theirs.
	Outlived []string
	// Layout says where objects lie: each number is another one.
	Layout int
	// Hands: what routines without a body are given is noted, for Handed.
	Hands bool
	// Record, if not nil, is filled with what the run is given.
	Record *Recording
	// MaxSteps bounds instructions and blocks, MaxDepth calls inside of calls.
	MaxSteps, MaxDepth int
	// Stop, if not nil, is asked from time to time; its error ends the run.
	Stop func() error

	mem    memory
	region map[uint64]*object
	vars   map[*ir.Var]*object // globals
	funcs  map[uint64]*ir.Func
	addrs  map[*ir.Func]uint64
	sites  map[*ir.Call]int // how often each has allocated
	stack  []*frame
	steps  int
	event  int             // counts what makes memory without a value: see origin
	lazy   map[origin]byte // first values
	argc   int64           // of a Hosted program, with where argv is
	argv   uint64
	handed map[uint64]bool // addresses that routines without a body were given; with Hands
	// mutexes are by their addresses what the run knows of those that it has used.
	mutexes  map[uint64]mutexState
	guess    string           // Outcome.Guessed
	returned map[*ir.Var]bool // ir.Program.Returned, when it was asked for
	dep      label            // what the value depends on that is computed
	result   uint64
	resultOf label   // what it depends on
	given    []label // of the arguments of an event, while conditions on them are evaluated
	*guesses

	quiet bool // Step is not told
}

// Node is an Instr or a Terminator.
type Node interface{ At() ir.Span }

// Choice is a value that a program leaves open.
type Choice struct {
	Why  ir.Unknown
	Type *ir.Type
	Span ir.Span
	Call *ir.Call // the result of a routine without a body; else nil
	// Lazy: memory that has no value yet is read, at an offset of a variable or of what a
	// call allocated the Nth time; both nil for memory of its own (Machine.Regions).
	Lazy bool
	Var  *ir.Var
	Site *ir.Call
	Nth  int
	Off  int64
	At   uint64 // the address, of memory of its own
}

// Ending is how a run ends.
type Ending uint8

const (
	Returned  Ending = iota // the entry routine returned
	Stopped                 // exit, abort
	Failed                  // the failure that one asks about
	Refused                 // an assumption did not hold: there is no such run
	Undefined               // C does not say what happens
	Exceeded                // MaxSteps, MaxDepth
)

// Outcome is what came of a run.
type Outcome struct {
	Ending Ending
	What   string
	Span   ir.Span
	By     string // Fail.By
	Value  uint64 // what the entry routine returned
	// Broken is the mistake that makes a run Undefined, if it is one that can be checked.
	Broken ir.Check
	Misuse ir.Misuse // of memory, that ends it
	// Guessed, if not "", is what the run depends on that is not known: a value that floating point
	// or a routine of the C library would determine, or the order of objects in memory.
	Guessed string
	// Large: the run ends where more memory is allocated than runs here have.
	Large bool
	Steps int
}

type frame struct {
	f    *ir.Func
	vars map[*ir.Var]*object
	b    *ir.Block
	at   int // instruction
	to   *access
	mark int // memory to give back
	born int // the event that it began with
}

// halt ends a run from inside.
type halt struct{ Outcome }

func (h *halt) Error() string { return h.What }

// Run runs a routine with arguments. The error is Choose's.
func (m *Machine) Run(entry *ir.Func, args []uint64) (out Outcome, err error) {
	defer func() {
		out, err = m.ended(out, err)
		m.recordEnd(out)
	}()
	if args, err = m.prepare(entry, args); err != nil {
		return out, err
	}
	m.quiet = false
	out.Value, err = m.begin(entry, args)
	return out, err
}

// prepare gives globals their places and first values, and returns the arguments of the run.
func (m *Machine) prepare(entry *ir.Func, args []uint64) ([]uint64, error) {
	m.vars, m.funcs, m.addrs = map[*ir.Var]*object{}, map[uint64]*ir.Func{}, map[*ir.Func]uint64{}
	m.mem, m.stack, m.steps, m.guess = newMemory(m.Program.Model, m.Layout), nil, 0, ""
	if m.mem.lives = m.Program.BlockEnds; m.mem.lives {
		m.mem.taken = m.Program.TakenLocals()
	}
	m.guesses, m.dep = newGuesses(), 0
	if entry.Name != "main" { // who calls it may have used streams
		m.guesses.streams.others = indicators{end: isEither, fault: isEither, used: true}
	}
	m.quiet = true
	m.handed = map[uint64]bool{}
	m.region, m.sites, m.mutexes = map[uint64]*object{}, map[*ir.Call]int{}, nil
	m.recordRun(entry, args)
	for _, f := range m.Program.Funcs {
		o, err := m.mem.allocate(1, false)
		if err != nil {
			return nil, err
		}
		m.funcs[o.base], m.addrs[f] = f, o.base
	}
	for _, v := range m.Program.Globals {
		o, err := m.mem.allocate(v.Type.Size, !v.Extern)
		if err != nil {
			return nil, err
		}
		o.v = v
		m.vars[v] = o
	}
	if _, err := m.Do(m.Program.Init, nil); err != nil {
		return nil, err
	}
	if m.Begin != nil {
		args = m.Begin()
		m.recordArguments(args)
	}
	if m.argc, m.argv = 0, 0; m.Program.Hosted && len(args) > 1 {
		m.argc, m.argv = int64(args[0]), args[1]
	}
	return args, nil
}

// ended says how a run has ended that stopped with an error.
func (m *Machine) ended(out Outcome, err error) (Outcome, error) {
	out.Guessed, out.Steps = m.guess, m.steps
	if h, ok := errors.AsType[*halt](err); ok {
		out.Ending, out.What, out.Span, out.By, out.Broken, out.Misuse, out.Large, err = h.Ending, h.What, h.Span, h.By, h.Broken, h.Misuse, h.Large, nil
		m.inSource(&out)
	}
	return out, err
}

// Address is where a global is, during a run and after it.
func (m *Machine) Address(v *ir.Var) uint64 { return m.vars[v].base }

// begin runs a routine until it returns.
func (m *Machine) begin(f *ir.Func, args []uint64) (uint64, error) {
	depth := len(m.stack)
	if err := m.arrive(f, args); err != nil {
		return 0, err
	}
	err := m.loop(depth)
	return m.result, err
}

// arrive enters a routine with arguments.
func (m *Machine) arrive(f *ir.Func, args []uint64) error {
	m.enter(f, nil)
	for i, p := range f.Params {
		if !p.Type.Scalar() {
			continue
		}
		var bits uint64
		if i < len(args) {
			bits = args[i]
		}
		l := label(0)
		switch {
		case i < len(m.given):
			l = m.given[i]
		case p.Type.Kind == ir.Pointer && m.mem.find(bits) != nil:
			l = m.guesses.address()
		}
		o, err := m.object(p)
		if err != nil {
			return err
		}
		if err := m.put(access{o: o, t: p.Type}, ir.Extend(p.Type, bits), l); err != nil {
			return err
		}
	}
	return nil
}

// inSource says of what happened in a library routine where the program calls it.
func (m *Machine) inSource(out *Outcome) {
	for n := len(m.stack) - 1; n > 0 && m.stack[n].f.Library; n-- {
		if out.Ending == Undefined {
			out.What = m.stack[n].f.Inside(out.What)
		}
		caller := m.stack[n-1]
		out.Span = caller.b.Instrs[caller.at-1].At()
	}
}

func (m *Machine) enter(f *ir.Func, to *access) {
	m.event++
	m.stack = append(m.stack, &frame{f: f, vars: map[*ir.Var]*object{}, b: f.Blocks[0], to: to, mark: m.mem.mark(), born: m.event})
	if m.Record != nil {
		m.Record.entered[f] = true
	}
}

func (m *Machine) top() *frame { return m.stack[len(m.stack)-1] }

// object is where a variable lives now; the error is that there is no memory for it.
func (m *Machine) object(v *ir.Var) (*object, error) {
	if v.Kind == ir.Global {
		return m.vars[v], nil
	}
	f := m.top()
	if o := f.vars[v]; o != nil && !o.left {
		return o, nil
	}
	o, err := m.mem.allocate(v.Type.Size, false)
	if err != nil {
		return nil, err
	}
	o.v, o.born = v, f.born
	o.outlived = len(m.Outlived) > 0 && slices.Contains(m.Outlived, f.f.Name+"."+v.Name)
	f.vars[v] = o
	return o, nil
}

// loop runs until the stack is as deep as that.
func (m *Machine) loop(depth int) error {
	for len(m.stack) > depth {
		if err := m.once(); err != nil {
			return err
		}
	}
	return nil
}

// stopsEvery is how many steps there are from one question to Machine.Stop to the next.
const stopsEvery = 4096

// once does an instruction, or the end of a block.
func (m *Machine) once() error {
	f := m.top()
	if m.steps++; m.MaxSteps > 0 && m.steps > m.MaxSteps {
		return &halt{Outcome{Ending: Exceeded, What: fmt.Sprintf("the run is longer than %d steps", m.MaxSteps)}}
	}
	if m.Stop != nil && m.steps%stopsEvery == 0 {
		if err := m.Stop(); err != nil {
			return err
		}
	}
	if m.mem.full() {
		return &halt{Outcome{Ending: Exceeded, What: "the run takes more memory than 32-bit addresses reach"}}
	}
	if err := m.tell(f); err != nil {
		return err
	}
	m.dep = 0
	if f.at < len(f.b.Instrs) {
		f.at++
		return m.instr(f.b.Instrs[f.at-1])
	}
	return m.terminate(f, f.b.End)
}

// tell reports what is done next.
func (m *Machine) tell(f *frame) error {
	if m.quiet {
		return nil
	}
	if m.Record != nil {
		m.Record.nodes++
	}
	if m.Step == nil {
		return nil
	}
	return m.Step(f.next())
}

// next is what an activation does next.
func (f *frame) next() Node {
	if f.at < len(f.b.Instrs) {
		return f.b.Instrs[f.at]
	}
	return f.b.End
}

func (m *Machine) terminate(f *frame, t ir.Terminator) error {
	goOn := func(b *ir.Block) { f.b, f.at = b, 0 }
	switch t := t.(type) {
	case *ir.Jump:
		goOn(t.To)
	case *ir.Branch:
		c, err := m.truth(t.Cond, t.Span)
		if err != nil {
			return err
		}
		if c != 0 {
			goOn(t.Then)
		} else {
			goOn(t.Else)
		}
	case *ir.Return:
		return m.leave(f, t)
	case *ir.Fail:
		return &halt{Outcome{Ending: Failed, What: t.What, Span: t.Span, By: t.By, Misuse: t.Misuse}}
	case *ir.Stop:
		return &halt{Outcome{Ending: Stopped, What: t.What, Span: t.Span}}
	}
	return nil
}

// leave returns from a routine.
func (m *Machine) leave(f *frame, t *ir.Return) error {
	var bits uint64
	var copied *access
	var err error
	if t.Value != nil {
		if t.Value.Type().Kind == ir.Struct {
			a, err := m.place(t.Value.(*ir.Load).From, t.Span)
			if err != nil {
				return err
			}
			copied = &a
		} else if bits, err = m.eval(t.Value, t.Span); err != nil {
			return err
		}
	}
	l := m.depends()
	if len(m.stack) == 1 { // the surroundings see it
		m.decided(l)
	}
	m.stack = m.stack[:len(m.stack)-1]
	m.result, m.resultOf = bits, l
	switch {
	case f.to == nil:
	case copied != nil:
		f.to.o.copyFrom(f.to.off, copied.o, copied.off, copied.t.Size)
	case t.Value == nil: // falling off the end: any value
		if f.to.t.Scalar() {
			if bits, err = m.choose(&Choice{Type: f.to.t, Span: t.Span}); err != nil {
				return err
			}
			err = m.put(*f.to, bits, 0)
		}
	case f.to.t.Kind == ir.Float:
		f.to.o.labelled(*f.to, m.floating(t.Span), m.guesses)
	default:
		err = m.put(*f.to, bits, l)
	}
	m.mem.release(f.mark)
	return err
}

func (m *Machine) choose(c *Choice) (uint64, error) {
	var bits uint64
	var err error
	if m.Choose != nil {
		bits, err = m.Choose(c)
	}
	if c.Type.Bool {
		bits &= 1
	}
	bits = ir.Extend(c.Type, bits)
	m.recordChoice(c, bits)
	return bits, err
}

func (m *Machine) instr(i ir.Instr) error {
	switch i := i.(type) {
	case *ir.Assign:
		to, err := m.place(i.To, i.Span)
		if err != nil {
			return err
		}
		if m.changes(i.To, to); i.To.Type.Aggregate() {
			from, err := m.place(i.Value.(*ir.Load).From, i.Span)
			if err == nil {
				to.o.copyFrom(to.off, from.o, from.off, i.To.Type.Size)
			}
			return err
		}
		bits, err := m.eval(i.Value, i.Span)
		if err != nil {
			return err
		}
		return m.put(to, bits, m.depends())
	case *ir.Havoc:
		to, err := m.place(i.To, i.Span)
		if err == nil {
			m.changes(i.To, to)
		}
		var l label
		switch i.Why {
		case ir.Floating:
			l = m.floating(i.Span)
		case ir.Padding:
			l = m.guesses.label(guess{why: "the padding of a struct, which has any value" + placeIn(i.Span)})
		case ir.Leftover:
			l = m.guesses.label(guess{why: "what a routine of the library leaves in errno, which it need not change" + placeIn(i.Span)})
		case ir.Told:
			l = m.guesses.label(guess{why: "what a routine of the library writes, which is not computed" + placeIn(i.Span)})
		}
		if err != nil || i.To.Type.Aggregate() || i.To.Type.Kind == ir.Float {
			if err == nil {
				m.forget(to)
				to.o.labelled(to, l, m.guesses)
			}
			return err
		}
		bits, err := m.choose(&Choice{Why: i.Why, Type: i.To.Type, Span: i.Span})
		if err == nil {
			err = m.put(to, bits, l)
		}
		if off, size := to.span(); err == nil && i.Why == ir.Uninitialised {
			to.o.leftOpen(off, size, true)
		}
		return err
	case *ir.Clear:
		to, err := m.place(i.To, i.Span)
		if err == nil {
			m.changes(i.To, to)
			to.o.clear(to.off, to.t.Size)
		}
		return err
	case *ir.End:
		m.endAll(i)
		return nil
	case *ir.Assume:
		c, err := m.truth(i.Cond, i.Span)
		if err == nil && c == 0 {
			return &halt{Outcome{Ending: Refused, What: "an assumption does not hold", Span: i.Span}}
		}
		return err
	case *ir.Use:
		if load, ok := i.Value.(*ir.Load); ok && !load.Type().Scalar() {
			_, err := m.place(load.From, i.Span)
			return err
		}
		_, err := m.eval(i.Value, i.Span)
		return err
	case *ir.Call:
		return m.call(i)
	}
	return nil
}

func (m *Machine) undefined(span ir.Span, format string, args ...any) error {
	return &halt{Outcome{Ending: Undefined, What: fmt.Sprintf(format, args...), Span: span}}
}

// broken ends a run by a mistake that can be checked.
func (m *Machine) broken(kind ir.Check, span ir.Span, format string, args ...any) error {
	return &halt{Outcome{Ending: Undefined, What: fmt.Sprintf(format, args...), Span: span, Broken: kind}}
}

// invalid ends a run by a mistake that misuses memory.
func (m *Machine) invalid(how ir.Misuse, kind ir.Check, span ir.Span, format string, args ...any) error {
	return &halt{Outcome{Ending: Undefined, What: fmt.Sprintf(format, args...), Span: span, Broken: kind, Misuse: how}}
}

// call enters a routine, or does what one without a body does.
func (m *Machine) call(c *ir.Call) error {
	f := c.Callee
	if f == nil {
		at, err := m.eval(c.Ptr, c.Span)
		if err != nil {
			return err
		}
		m.decided(m.depends())
		if f = m.funcs[at]; f == nil && m.Regions && at != 0 && m.mem.foreign(at) {
			f = &ir.Func{Name: "<pointer>", Type: c.Ptr.Type().Elem}
		}
		if f == nil {
			kind := ir.CheckBounds
			if at == 0 {
				kind = ir.CheckNull
			}
			return m.broken(kind, c.Span, "a call through a pointer that is no routine's")
		}
		if !f.Extern() && (len(f.Params) != len(c.Args) || !f.Takes(c)) {
			return m.undefined(c.Span, "%d arguments for %s", len(c.Args), f.Type)
		}
	}
	m.recordTarget(c, f)
	var to *access
	if c.To != nil {
		a, err := m.place(*c.To, c.Span)
		if err != nil {
			return err
		}
		to = &a
		m.changes(*c.To, a)
	}
	if m.Abstract != nil {
		if done, err := m.abstract(c, f, to); done || err != nil {
			return err
		}
	}
	if f.Extern() {
		return m.external(c, f, to)
	}
	if len(m.stack) >= m.MaxDepth && m.MaxDepth > 0 {
		return &halt{Outcome{Ending: Exceeded, What: fmt.Sprintf("more than %d calls inside of calls", m.MaxDepth), Span: c.Span}}
	}
	bits, labels := make([]uint64, len(c.Args)), make([]label, len(c.Args))
	places := make([]access, len(c.Args))
	for i, a := range c.Args {
		var err error
		switch a.Type().Kind {
		case ir.Struct:
			places[i], err = m.place(a.(*ir.Load).From, c.Span)
		case ir.Float:
			labels[i] = m.floating(c.Span)
		default:
			bits[i], err = m.eval(a, c.Span)
			labels[i] = m.depends()
		}
		if err != nil {
			return err
		}
	}
	m.misused(f, bits, labels, c.Span)
	m.enter(f, to)
	for i, p := range f.Params {
		o, err := m.object(p)
		if err != nil {
			return err
		}
		switch {
		case p.Type.Kind == ir.Struct && places[i].o != nil:
			o.copyFrom(0, places[i].o, places[i].off, p.Type.Size)
		case p.Type.Scalar():
			if err := m.put(access{o: o, t: p.Type}, ir.Extend(p.Type, bits[i]), labels[i]); err != nil {
				return err
			}
		case p.Type.Kind == ir.Float:
			o.labelled(access{o: o, t: p.Type}, labels[i], m.guesses)
		}
	}
	return nil
}

// abstract has Machine.Abstract do a call.
func (m *Machine) abstract(c *ir.Call, f *ir.Func, to *access) (done bool, err error) {
	var args []uint64
	var given []label
	for _, a := range c.Args {
		bits := uint64(0)
		if a.Type().Scalar() {
			if bits, err = m.eval(a, c.Span); err != nil {
				return false, err
			}
		}
		args, given = append(args, bits), append(given, m.depends())
	}
	if f.Telling != nil { // conditions on these decide by themselves what they depend on
		m.given = given
		defer func() { m.given = nil }()
	}
	result, done, err := m.Abstract(c, f, args)
	if done && f.Telling == nil { // its guards and results may be about what it is given
		for _, l := range given {
			m.decided(l)
		}
	}
	switch {
	case !done || err != nil || to == nil:
	case to.t.Scalar():
		result = ir.Extend(to.t, result)
		m.recordChoice(&Choice{Type: to.t, Span: c.Span, Call: c}, result)
		err = m.put(*to, result, 0)
	default:
		m.forget(*to)
		to.o.labelled(*to, 0, m.guesses)
	}
	return done, err
}

// scalars are the values of arguments, 0 for those that are no scalars, and what each depends on.
func (m *Machine) scalars(c *ir.Call) (args []uint64, of []label, err error) {
	for _, a := range c.Args {
		bits := uint64(0)
		if a.Type().Scalar() {
			if bits, err = m.eval(a, c.Span); err != nil {
				return nil, nil, err
			}
		}
		args, of = append(args, bits), append(of, m.depends())
	}
	return args, of, nil
}

// external is a call of a routine without a body: one that seltl knows, or any result.
func (m *Machine) external(c *ir.Call, f *ir.Func, to *access) error {
	args, given, err := m.scalars(c)
	if err != nil {
		return err
	}
	m.hands(c, args)
	if m.misused(f, args, given, c.Span); m.Call != nil {
		m.Call(f, args)
	}
	if done, err := m.library(c, f, args, to); done || err != nil {
		for _, l := range given {
			m.decided(l)
		}
		return err
	}
	if why := f.Unmodelled(c); why != "" {
		return m.undefined(c.Span, "%s is not modelled", why)
	}
	k := f.Known
	if m.waits(f, args) {
		m.decided(m.guesses.label(guess{why: fmt.Sprintf("whether %s() returns%s", f.Name, placeIn(c.Span))}))
	}
	if to == nil {
		m.unseen(f, args, given)
		return nil
	}
	if !to.t.Scalar() {
		m.forget(*to)
		l := m.answered(f, args, given, 0, to.t, c.Span)
		if to.t.Kind == ir.Float {
			l = m.floating(c.Span)
		}
		to.o.labelled(*to, l, m.guesses)
		return nil
	}
	bits, err := m.choose(&Choice{Type: to.t, Span: c.Span, Call: c})
	if err != nil {
		return err
	}
	if !k.InRange(to.t, bits) {
		return &halt{Outcome{Ending: Refused, What: fmt.Sprintf("%s() does not return %s", f.Name, ir.Number(to.t, bits)), Span: c.Span}}
	}
	return m.put(*to, bits, m.answered(f, args, given, bits, to.t, c.Span))
}
