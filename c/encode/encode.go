package encode

import (
	"cmp"
	gocontext "context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// Encoding is a C program as systems of guarded commands.
type Encoding struct {
	Program *ir.Program
	Entry   *ir.Func
	// Words and Numbers have the same locations and edges. Their errors are failures of
	// the program and the locations of Lost.
	Words, Numbers *program.System
	// Lost are the locations where a run leaves what is modelled, with the reason.
	Lost map[int]string
	// Called are those of them that calls of routines lead to, and no mistakes.
	Called map[int]bool
	// Ends are the locations where runs come to their end, sorted: in a component, by a failure too.
	Ends []int
	// Failures are the locations of failures, with what they are.
	Failures map[int]string
	// Externs are the routines without a body that are called, sorted.
	Externs []string
	// Stopping are those of them that are declared not to return, sorted.
	Stopping []string
	// Regions: a pointer is dereferenced that points to no object of the program, since it
	// has no value, say. It points to memory of its own; null ends the run.
	Regions bool
	// GivesStrange: such a pointer is given to free(). What is done with its memory then is not followed.
	GivesStrange bool
	// AsksEnds: whether runs end is the question.
	AsksEnds bool
	// Numbered: what lies at an address is accessed that is a number of the program, such as a register
	// of a device. It is memory of its own, too.
	Numbered bool
	// Moved: a pointer from elsewhere is moved, and what is written there could be a member of an object of the
	// program's beside the one that it led to.
	Moved bool
	// Near: some pointer is a number that is no object's address, and not null.
	Near bool
	// Ended are variables whose address is kept where it can be used after the block that
	// declares them has ended, sorted: it is assumed that it is not.
	Ended []string
	// Took is how long it was made.
	Took time.Duration
	// Copies are the routines of the library that may be given parts of memory that overlap, where that is not
	// looked at, sorted.
	Copies []string
	// Constants are what is declared const, and string literals, that a pointer may be used to change, sorted.
	Constants []string
	// Limits are what is assumed of the sizes of memory that the program computes.
	Limits []string

	// Loops are the places of loops of the sources.
	Loops []LoopAt

	// Written are the globals that a component assigns to, and where it first does.
	Written map[*ir.Var]ir.Span

	// Recursions are the routines that call themselves, of EncodeComponent.
	Recursions []Recursion

	// Routines are those that are encoded apart: of EncodeApart. Their edges and locations are
	// among the others.
	Routines []Routine

	original  *ir.Program      // that Replay runs: before routines were kept apart
	pointed   map[*ir.Var]bool // variables whose address is taken, with Routines
	component *component       // of EncodeComponent
	labels    map[string][]int
	edges     []edgeInfo
	cells     map[string]*cell
	memory    *memory
}

// edgeInfo is what Replay needs of an edge: the inputs that the machine asks for, in
// both encodings; and where it belongs.
type edgeInfo struct {
	words, numbers []string
	owned          [2][]ownAccess // of words and of numbers
	returned       []*logic.Term  // of words: see context
	frame          *Frame
	quiet          bool
	action         string
	event          event
	calls          *ir.Func
	used, silent   bool
}

// Encode encodes a program that begins at a routine. The error is a source.List: what is
// not supported; any other one is a mistake of this package.
func Encode(p *ir.Program, entry string) (*Encoding, error) {
	return EncodeContext(gocontext.Background(), p, entry)
}

// EncodeContext is Encode, and gives up when the context ends: with budget.ErrInterrupted, or
// with a *budget.Exhausted of time.
func EncodeContext(ctx gocontext.Context, p *ir.Program, entry string) (e *Encoding, err error) {
	f := p.Func(cmp.Or(entry, "main"))
	if f == nil || f.Extern() {
		return nil, fmt.Errorf("there is no routine %s", cmp.Or(entry, "main"))
	}
	defer timed(&e, time.Now())
	b := newBuilder(p, f)
	b.meter = budget.New(ctx, budget.Limits{}, nil)
	b.mem.tick = b.tick
	if refused := guarded(func() { e, err = b.encode(f) }); refused != nil {
		return nil, refused
	}
	return e, err
}

// timed takes down how long an encoding was made, if it was.
func timed(e **Encoding, begin time.Time) {
	if *e != nil {
		(*e).Took = time.Since(begin)
	}
}

func newBuilder(p *ir.Program, f *ir.Func) *builder {
	size := p.Model.PointerSize()
	pointer := &ir.Type{Kind: ir.Pointer, Size: size}
	b := &builder{meter: budget.New(gocontext.Background(), budget.Limits{}, nil), prog: p, entry: f, mem: newMemory(p, pointer), sites: map[*ir.Call][]*step{}, externs: map[string]bool{}, stopping: map[string]bool{}, errors: map[failure]int{},
		word: &ir.Type{Kind: ir.Integer, Signed: true, Size: size}, pointer: pointer}
	for _, g := range b.prog.Funcs {
		for _, v := range slices.Concat(g.Params, g.Locals) {
			b.mem.ofVar(v).owner = g
		}
	}
	return b
}

// analyse finds what pointers may point to, and checks it.
func (b *builder) analyse(f *ir.Func, others ...*ir.Func) error {
	funcs := slices.Concat([]*ir.Func{b.prog.Init}, b.prog.Reached(append(slices.Clone(others), f)...), others)
	b.pts, b.conditions = analyse(b.mem, f, funcs), others
	return b.pts.closed(f, funcs)
}

func (b *builder) encode(f *ir.Func) (*Encoding, error) {
	if err := b.analyse(f); err != nil {
		return nil, err
	}
	start, done := b.location("start", f.Span), b.location("end", f.Span)
	b.ends = []int{done}
	begin := b.expand(f, nil, f.Span, done, nil)
	span := f.Span
	if len(f.Params) == 0 { // nothing is done there
		span = ir.Span{}
	}
	b.step(nil, start, begin, span, func(c *context) {
		for _, p := range f.Params {
			c.fill(ir.Place{Var: p, Type: p.Type}, false)
		}
	})
	return b.finish(start), nil
}

// finish makes systems of the steps.
func (b *builder) finish(start int) *Encoding {
	f := b.entry
	b.allocations()
	e := &Encoding{Program: b.prog, original: b.prog, Entry: f, Lost: map[int]string{}, Called: map[int]bool{}, Ends: b.ends, Failures: map[int]string{}, Loops: b.loops, Ended: b.pts.outlived(f, b.prog.Funcs, b.prog.Checks(ir.CheckMemory)), Constants: b.pts.changedConstants(f, b.prog.Funcs, b.conditions), Copies: b.pts.overlapping(f, b.prog.Funcs, b.prog.CopiesApart), Written: map[*ir.Var]ir.Span{}, labels: b.labels, cells: map[string]*cell{}, memory: b.mem}
	e.Words, e.Numbers = &program.System{Name: f.Name}, &program.System{Name: f.Name}
	b.discover()
	var alts []placed
	for _, s := range b.steps {
		if s.fail != "" {
			e.Failures[s.to] = s.fail
		}
		for _, a := range b.alternatives(s) {
			to := s.to
			if a.lost != "" {
				if s.frame != nil && s.frame.Func.Library {
					a.lost = s.frame.Func.Inside(a.lost)
				}
				to = b.lostAt(e, s, a.lost)
				e.Called[to] = e.Called[to] || a.words.called
			}
			alts = append(alts, placed{a, s, to})
		}
	}
	b.systems(e, alts, start)
	e.Limits = b.mem.assumptions(b.endsAsked())
	for _, f := range b.prog.Funcs {
		f.Expressions(func(x ir.Expr) {
			n, constant := x.(*ir.Const)
			e.Near = e.Near || constant && n.T.Kind == ir.Pointer && n.Bits != 0 && nobody(n)
		})
	}
	e.Stopping = slices.Sorted(maps.Keys(b.stopping))
	e.Externs, e.Regions, e.Numbered = slices.Sorted(maps.Keys(b.externs)), b.ownMemory, b.numbered
	e.GivesStrange, e.AsksEnds, e.Moved = b.givesStrange, b.endsAsked(), b.moved
	return e
}

// lostAt is the location where a step leaves what is modelled.
func (b *builder) lostAt(e *Encoding, s *step, why string) int {
	for l, known := range e.Lost {
		if known == why && b.spans[l] == s.span {
			return l
		}
	}
	l := b.location(fmt.Sprintf("lost:%d", s.span.Pos().Line), s.span)
	e.Lost[l] = why
	return l
}

// discover encodes until all cells are known, and how memory has to be seen: which cells
// there are decides what copies do, and where a pointer which was handed out by a routine
// without a body may point to.
func (b *builder) discover() {
	for known := -1; known != len(b.mem.names); {
		if b.again {
			b.mem.forget()
			b.again = false
		}
		known = len(b.mem.names)
		for _, s := range b.steps {
			b.alternatives(s)
		}
		if b.component != nil {
			b.alternatives(b.component.initial)
			for _, s := range b.component.observed {
				b.alternatives(s.steps[0])
				b.alternatives(s.steps[1])
			}
		}
		if b.resolve(); b.again {
			known = -1
		}
	}
}

// placed is an alternative between its locations.
type placed struct {
	alternative
	step *step
	to   int
}

// systems writes both systems, over the variables that errors depend on.
func (b *builder) systems(e *Encoding, alts []placed, start int) {
	unique, last := map[string]bool{}, map[string]int{} // lines have thousands of locations
	if b.component != nil {
		b.component.places(b, e)
	}
	for i, name := range b.names {
		fresh := name
		for n := last[name] + 1; unique[fresh]; n++ {
			fresh, last[name] = fmt.Sprintf("%s#%d", name, n+1), n
		}
		unique[fresh] = true
		l := program.Location{Name: fresh, Span: b.spans[i]}
		e.Words.Locations, e.Numbers.Locations = append(e.Words.Locations, l), append(e.Numbers.Locations, l)
	}
	changed := b.changed(alts)
	for i, a := range alts {
		name := fmt.Sprintf("%s#%d", b.names[a.step.from], i)
		a.words.writes(e.Written, a.step.span)
		for _, s := range []struct {
			sys *program.System
			c   *context
		}{{e.Words, a.words}, {e.Numbers, a.numbers}} {
			update := s.c.update()
			s.c.assigned(changed[s.c.over], update)
			s.sys.Edges = append(s.sys.Edges, program.Edge{Name: name, From: a.step.from, To: a.to, Span: a.step.span,
				Command: &program.Command{Inputs: s.c.inputs, Guard: logic.And(s.c.guards...), Update: update}})
		}
		e.edges = append(e.edges, edgeInfo{inputNames(a.words.choices), inputNames(a.numbers.choices), [2][]ownAccess{a.words.owned, a.numbers.owned}, a.words.returned, a.step.frame, a.step.quiet, a.step.action, a.step.event, a.step.calls, a.step.used, a.step.silent})
	}
	for _, o := range b.mem.all {
		for _, c := range o.sorted() {
			e.cells[c.name] = c
		}
	}
	var also []*logic.Term
	if b.component != nil {
		also = b.observe()
		for _, a := range alts { // on what a routine that calls itself returns may depend how often it does
			if r := a.words.result; a.words.back != nil && r != nil && a.numbers.result != nil {
				also = append(also, r, a.numbers.result)
			}
		}
	}
	b.regions(e, e.Words, words{}, start)
	b.regions(e, e.Numbers, numbers{}, start)
	if b.component != nil {
		also = append(also, b.initialStates(e, start)...)
	}
	relevant := relevantVars(also, e.Words, e.Numbers)
	slice(e.Words, relevant)
	slice(e.Numbers, relevant)
	if b.component != nil {
		e.Recursions = b.recursions(e, alts, changed)
	}
	for i, a := range alts {
		restrict(e.Words.Edges[i].Command, a.words.domains)
		restrict(e.Numbers.Edges[i].Command, a.numbers.domains)
	}
}

// restrict says which values the inputs have.
func restrict(c *program.Command, domains map[*logic.Term]*logic.Term) {
	all := []*logic.Term{c.Guard}
	for _, x := range c.Inputs {
		all = append(all, domains[x])
	}
	c.Guard = logic.And(all...)
}

func inputNames(vars []*logic.Term) (all []string) {
	return lists.Append(nil, vars, (*logic.Term).Name)
}

// regions are the initial states, in which globals have their first values, and errors.
func (b *builder) regions(e *Encoding, sys *program.System, a arithmetic, start int) {
	first := b.initialImage()
	var where []*logic.Term
	for _, o := range b.mem.all {
		for _, c := range o.sorted() {
			x := c.variable(b.mem, a)
			sys.Vars = append(sys.Vars, x)
			if o.v != nil {
				where = append(where, b.pointing(c, x, a))
			}
			switch {
			case c.key.off == countOff, c.key.off == goneOff && c.run == nil:
				where = append(where, logic.Eq(x, a.number(c.t, 0).t))
			case c.key.off == sizeOff, c.key.off == goneOff:
			case b.component != nil && slices.Contains(b.entry.Params, o.v):
				if c.run == nil {
					where = append(where, a.domain(c.t, x, c.key.bits))
				}
			case b.component != nil && o.v != nil && o.v.Kind != ir.Global && (b.component.open[c.name] || b.component.early[o.v]):
				where = append(where, first.undeclared(c, x, a))
			case b.component != nil && o.v != nil && o.v.Kind != ir.Global && c.run == nil: // gets its value where it is declared, nobody looks before, and one state suffices
				where = append(where, logic.Eq(x, a.number(c.t, 0).t))
			case o.v != nil && o.v.Kind != ir.Global: // gets its value where it is declared
			case c.run != nil && o.slot > 0 && o.zeroed:
				where = append(where, logic.Eq(x, logic.ConstArray(x.Sort(), a.number(c.t, 0).t)))
			case o.v == nil || o.v.Extern:
				if c.run == nil {
					where = append(where, a.domain(c.t, x, c.key.bits))
				}
			default:
				where = append(where, logic.Eq(x, first.of(c, a, x.Sort())))
			}
		}
	}
	sys.Init = []program.Region{{Location: start, Where: logic.And(where...), Name: "start"}}
	if b.component != nil {
		return
	}
	for _, l := range slices.Sorted(maps.Keys(e.Failures)) {
		sys.Error = append(sys.Error, program.Region{Location: l, Where: logic.True(), Name: e.Failures[l], Span: b.spans[l]})
	}
	for _, l := range slices.Sorted(maps.Keys(e.Lost)) {
		sys.Error = append(sys.Error, program.Region{Location: l, Where: logic.True(), Name: e.Lost[l], Span: b.spans[l]})
	}
}

// constant evaluates an initialiser.
func (b *builder) constant(e ir.Expr) (uint64, bool) {
	switch e := e.(type) {
	case *ir.Const:
		return e.Bits, true
	case *ir.FuncAddr:
		return b.mem.ofFunc(e.Func).base, true
	case *ir.Addr:
		if e.Of.Var == nil {
			return 0, false
		}
		at := b.mem.ofVar(e.Of.Var).base + uint64(e.Of.Off)
		for _, i := range e.Of.Index {
			n, ok := i.By.(*ir.Const)
			if !ok {
				return 0, false
			}
			at += n.Bits * uint64(i.Stride)
		}
		return at, true
	case *ir.Convert:
		if e.T.Kind == ir.Pointer && e.X.Type().Kind == ir.Pointer {
			return b.constant(e.X)
		}
	}
	return 0, false
}
