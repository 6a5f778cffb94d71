package encode

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
)

// step is what happens between two locations.
type step struct {
	from, to int
	frame    *Frame
	span     ir.Span
	do       func(c *context)
	fail     string // the failure that it leads to
	quiet    bool   // nothing of it is in the source
	narrow   bool   // it has too many ways if indices are told apart by branches
	// Of a component: what it performs, and what is done in the program: see machineStep.
	action string
	event  event
	calls  *ir.Func // a routine that is encoded apart, and called without arguments
	used   bool     // its result is
	silent bool     // the result of a routine that ends without one
}

// builder inlines a program into a graph of steps.
type builder struct {
	conditions   []*ir.Func // that the specification has of the component
	ends         []int      // of a program
	meter        *budget.Meter
	prog         *ir.Program
	mem          *memory
	pts          *pointsTo
	word         *ir.Type
	pointer      *ir.Type
	steps        []*step
	names        []string
	spans        []ir.Span
	sites        map[*ir.Call][]*step // that allocate
	entry        *ir.Func
	again        bool // a part of memory is seen in another way: all has to be encoded again
	frees        []freeing
	lives        *lives
	mortals      mortals
	returned     map[*ir.Var]bool // ir.Program.Returned, with ir.CheckMemory
	externs      map[string]bool
	stopping     map[string]bool
	errors       map[failure]int
	node         machine.Node // the instruction or end of a block whose steps are made
	ownMemory    bool         // some pointer has no target in the program
	givesStrange bool         // such a one is given to free()
	numbered     bool         // an address that is a number is accessed
	moved        bool         // Encoding.Moved

	opaque    map[string]*ir.Type // see Formula
	labels    map[string][]int
	loops     []LoopAt
	component *component // nil: the question is whether the program fails
	apart     *apart     // nil: all calls are inlined
}

// freeing is a step that frees what an argument points to.
type freeing struct {
	step *step
	arg  ir.Expr
}

// maxSteps bounds the size of a program after inlining.
const maxSteps = 100_000

func (b *builder) location(name string, span ir.Span) int {
	b.names, b.spans = append(b.names, name), append(b.spans, span)
	return len(b.names) - 1
}

func (b *builder) step(in *Frame, from, to int, span ir.Span, do func(c *context)) *step {
	span = in.place(span)
	if len(b.steps) >= maxSteps {
		refuse(span, "c-size", "", "the program is too large: more than %d steps after calls are inlined", maxSteps)
	}
	if len(b.steps)%budget.TickEvery == 0 {
		b.tick()
	}
	s := &step{from: from, to: to, frame: in, span: span, do: do, event: event{node: b.node}}
	b.steps = append(b.steps, s)
	return s
}

func nothing(*context) {}

// failure is what fails, and where.
type failure struct {
	span ir.Span
	what string
}

// errorAt is the location of a failure.
func (b *builder) errorAt(f *ir.Fail, in *Frame) int {
	key := failure{in.place(f.Span), f.What}
	if _, known := b.errors[key]; !known {
		b.errors[key] = b.location(fmt.Sprintf("error:%d", key.span.Pos().Line), key.span)
	}
	return b.errors[key]
}

// expand inlines an activation of a routine: it begins at the location that is
// returned, and goes on at after, with the result in to.
func (b *builder) expand(f *ir.Func, caller *Frame, at ir.Span, after int, to *ir.Place) int {
	if caller.active(f) {
		refuse(at, "c-recursion", "write a loop", "%s calls itself, and recursion is not supported yet", f.Name)
	}
	in := caller.enter(f, at)
	location := func(span ir.Span) int {
		span = in.place(span)
		return b.location(fmt.Sprintf("%s:%d", f.Name, span.Pos().Line), span)
	}
	begin := map[*ir.Block]int{}
	for _, block := range f.Blocks {
		span := f.Span
		if len(block.Instrs) > 0 {
			span = block.Instrs[0].At()
		} else if block.End.At().Valid() {
			span = block.End.At()
		}
		begin[block] = location(span)
		b.labelled(in, block, 0, begin[block])
	}
	b.looped(f, begin)
	b.begins(in, begin[f.Blocks[0]])
	for _, block := range f.Blocks {
		now := begin[block]
		for k, i := range block.Instrs {
			next := location(i.At())
			b.labelled(in, block, k+1, next)
			b.node = i
			if c, ok := i.(*ir.Call); ok {
				b.call(c, in, now, next)
			} else {
				do := func(c *context) { c.instr(i) }
				if h, ok := i.(*ir.Havoc); ok && h.Early && b.component != nil && caller == nil {
					b.component.early[h.To.Var] = true
					do = func(c *context) { c.keep(h.To) }
				}
				s := b.step(in, now, next, i.At(), do)
				s.quiet, s.silent = machine.Quiet(i), b.apart != nil && b.apart.silent[i]
			}
			now = next
		}
		b.node = block.End
		b.terminate(block.End, in, begin, now, after, to)
	}
	return begin[f.Blocks[0]]
}

func (b *builder) terminate(t ir.Terminator, in *Frame, begin map[*ir.Block]int, now, after int, to *ir.Place) {
	span := t.At()
	switch t := t.(type) {
	case *ir.Jump:
		b.step(in, now, begin[t.To], span, nothing)
	case *ir.Branch:
		b.step(in, now, begin[t.Then], span, func(c *context) { c.require(c.formula(t.Cond)) })
		b.step(in, now, begin[t.Else], span, func(c *context) { c.require(logic.Not(c.formula(t.Cond))) })
	case *ir.Return:
		b.step(in, now, after, span, func(c *context) {
			switch {
			case to == nil:
				if t.Value != nil && t.Value.Type().Scalar() {
					c.value(t.Value)
				}
			case t.Value == nil:
				c.fill(*to, false)
			default:
				c.store(*to, t.Value)
			}
			if in.Func != b.entry {
				c.outermost(in, t)
				c.endsRoutine(in.Func)
			}
		})
	case *ir.Fail:
		to, actions := b.errorAt(t, in), []string{""}
		if b.component != nil && b.component.ctx.Failures != nil {
			actions = b.component.ctx.Failures
		}
		for _, a := range actions {
			s := b.step(in, now, to, span, nothing)
			s.fail, s.action = t.What, a
		}
	case *ir.Stop:
		if t.Declared {
			b.stopping[t.What] = true
		}
		if b.component != nil {
			b.step(in, now, b.component.end, span, nothing).action = b.component.ctx.Exit
		} else {
			b.ends = append(b.ends, now)
		}
	}
}

// call inlines a call, of each routine that it may be.
func (b *builder) call(c *ir.Call, in *Frame, now, next int) {
	if c.Callee != nil {
		b.enter(c, c.Callee, in, now, next, nothing)
		return
	}
	var routines []*ir.Func
	for _, f := range b.pts.routines(c.Ptr) {
		if b.mem.outside(f) || len(f.Params) == len(c.Args) && f.Takes(c) {
			routines = append(routines, f)
		}
	}
	is := func(x *context, f *ir.Func) *logic.Term {
		t := c.Ptr.Type()
		return x.a.compare(ir.Eq, t, x.value(c.Ptr), x.a.number(t, b.mem.ofFunc(f).base))
	}
	if !b.pts.proposes(c.Ptr) { // no routine of the program: one without a body
		b.externs[fmt.Sprintf("the routine called by a pointer in line %d", c.Span.Pos().Line)] = true
		b.step(in, now, next, c.Span, func(x *context) {
			t := c.Ptr.Type()
			x.require(x.a.compare(ir.Ne, t, x.value(c.Ptr), x.a.number(t, 0)))
			x.external(c, &ir.Func{Type: t.Elem})
		})
		b.ownMemory = true
		return
	}
	for _, f := range routines {
		b.enter(c, f, in, now, next, func(x *context) { x.require(is(x, f)) })
	}
	b.step(in, now, next, c.Span, func(x *context) {
		for _, f := range routines {
			x.require(logic.Not(is(x, f)))
		}
		x.notNull(c.Ptr)
		x.lose("a call by a pointer whose target is not known")
	})
}

// inlines reports that a routine which is abstracted elsewhere is inlined where another
// one calls it, by name or by a pointer, which may point to what stands for it.
func (b *builder) inlines(in *Frame, f *ir.Func) bool {
	for in.Func.StandsIn && in.Caller != nil {
		in = in.Caller
	}
	return b.component != nil && !f.Extern() && slices.Contains(b.component.ctx.Inline[in.Func.Name], f.Name)
}

// enter calls one routine, under a condition.
func (b *builder) enter(c *ir.Call, f *ir.Func, in *Frame, now, next int, when func(*context)) {
	if s := b.mem.stubs[f]; s != nil && !b.inlines(in, f) {
		b.abstracted(in, c, s, now, next, when)
		return
	}
	if b.isApart(f) {
		s := b.step(in, now, next, c.Span, when)
		s.calls, s.used = f, b.apart.used[c]
		return
	}
	if f.Extern() {
		b.extern(f)
		s := b.step(in, now, next, c.Span, func(x *context) { when(x); x.external(c, f) })
		if allocates(f) {
			b.sites[c] = append(b.sites[c], s)
		} else if f.Frees() && len(c.Args) == 1 {
			b.frees = append(b.frees, freeing{s, c.Args[0]})
		}
		return
	}
	if b.reentered(c, f, in, now, next, when) {
		return
	}
	entry := b.expand(f, in, c.Span, next, c.To)
	b.node = c
	b.step(in, now, entry, c.Span, func(x *context) {
		when(x)
		for k, p := range f.Params {
			x.store(ir.Place{Var: p, Type: p.Type}, c.Args[k])
		}
		x.nested(f, 0)
	})
}

// extern notes what is assumed of a routine without a body: of one that the C library does not have,
// and of free.
func (b *builder) extern(f *ir.Func) {
	switch {
	case f.Frees():
		b.externs["free"] = true
	case f.Known == nil && !allocates(f):
		b.externs[f.Name] = true
	}
}

// repeats reports that a step can be done after itself.
func (b *builder) repeats(out [][]int, s *step) bool {
	seen := map[int]bool{}
	work := []int{s.to}
	for len(work) > 0 {
		l := work[len(work)-1]
		work = work[:len(work)-1]
		if l == s.from {
			return true
		}
		if !seen[l] {
			seen[l] = true
			work = append(work, out[l]...)
		}
	}
	return false
}

// outOfTime is what encoding panics with when its context ends.
type outOfTime struct{ err error }

// tick is called for every step that is encoded.
func (b *builder) tick() {
	if err := b.meter.Tick(budget.Progress{Phase: "encoding"}); err != nil {
		panic(outOfTime{err})
	}
}

// guarded runs what may refuse.
func guarded(do func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			switch r := r.(type) {
			case *refusal:
				err = source.List{r.Diagnostic}
			case outOfTime:
				err = r.err
			default:
				panic(r)
			}
		}
	}()
	do()
	return nil
}
