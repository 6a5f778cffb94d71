package encode

import (
	gocontext "context"
	"fmt"
	"maps"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// Context is what the meaning of a component depends on beside its procedure ([Chaki05],
// Def. 9). Conditions are routines of ir.Program.Conditions.
type Context struct {
	// Initial are conditions over the parameters of the procedure, all of which hold at first.
	Initial []*ir.Func
	// Routines are the routines that are abstracted, by name: calls of them do what their
	// machines do, whether or not they have a body. The guards of a routine's abstractions
	// exclude each other, and one of them holds.
	Routines map[string][]Abstraction
	// Inline are routines that are inlined where a routine calls them, by the name of that
	// one, though they are abstracted elsewhere.
	Inline map[string][]string
	// Returns are what the procedure's own return performs, by its value: classes that
	// exclude each other, and one of which has each value. Empty: a return is silent.
	Returns []Class
	// Failures are what a failure performs (a label ERROR, reach_error, an assertion), which
	// ends the component: one of these actions, "" a silent one. nil: a failure leaves what is
	// modelled.
	Failures []string
	// Exit is what the end of the program in the middle of a routine performs; "": nothing.
	Exit string
	// Alphabet are actions that the component takes part in beside those that it can perform.
	Alphabet []string
	// Ends: whether runs of the component end is the question, and nothing else. Routines may call themselves then: there are more
	// runs than the component has, and among them all that do not end. What allocates without a bound leaves
	// what is modelled.
	Ends bool
	// Observed are conditions on the variables of the procedure, of which the encoding keeps
	// what they depend on: see Encoding.Observed. Their parameters are those of the procedure,
	// then variables of it (cfront.Condition.Locals).
	Observed []*ir.Func
}

// Abstraction is what a routine does where its guard holds, nil for always.
type Abstraction struct {
	Name    string // for people
	Guard   *ir.Func
	Machine *Machine
}

// Machine is an extended finite state machine ([Chaki05], Def. 8), with states 0 to
// States-1 and Stop.
type Machine struct {
	States      int
	Names       []string // of the states, for people; or nil
	Initial     []int
	Transitions []Transition
	// Alphabet are actions that whoever calls the routine takes part in, beside those of
	// Transitions.
	Alphabet []string
}

// Stop is the state in which a routine has returned.
const Stop = -1

// Transition is one of a machine: its guard holds, nil for always; it assigns or performs
// its action, and goes on. One that goes to Stop returns from the call, with any value
// that satisfies the conditions of Result.
type Transition struct {
	From, To int
	Guard    *ir.Func
	Action   string   // "" is silent
	Assign   *ir.Func // nil, or an assignment l := r of ir.Program.Conditions; then Action is ""
	Result   []*ir.Func
	Span     ir.Span
}

// Class is the set of values that satisfy all of some conditions on $0.
type Class struct {
	Action string // "" is silent
	Where  []Literal
}

// Literal is a condition, or its negation.
type Literal struct {
	Condition *ir.Func
	Negated   bool
}

// EncodeComponent encodes a procedure in a context ([Chaki05], 3.2). Its components are
// those of Encoding.Component: a step of the procedure is an edge, a call of an abstracted
// routine goes to the initial states of its machine, each state of which is a location of
// its own for each call. Encoding.Words and Numbers have no errors. The error is a
// source.List: what is not supported; or, when stop ends, as EncodeContext has it.
func EncodeComponent(stop gocontext.Context, p *ir.Program, procedure string, ctx *Context) (e *Encoding, err error) {
	f := p.Func(procedure)
	if f == nil || f.Extern() {
		return nil, fmt.Errorf("there is no routine %s", procedure)
	}
	for name, abstractions := range ctx.Routines {
		for _, a := range abstractions {
			if err := a.Machine.Validate(); err != nil {
				return nil, fmt.Errorf("abstraction %s of %s: %w", a.Name, name, err)
			}
		}
	}
	objects := givenTo(f)
	if p.Hosted { // the environment gives it what it does without a specification, too
		objects = &given{}
	}
	b := newBuilder(withObjects(p, objects), f)
	b.component, b.mem.given = &component{ctx: ctx, early: map[*ir.Var]bool{}}, objects
	b.meter = budget.New(stop, budget.Limits{}, nil)
	if refused := guarded(func() { e, err = b.encodeComponent(f) }); refused != nil {
		return nil, refused
	}
	return e, err
}

// Validate reports the first inconsistency of a machine.
func (m *Machine) Validate() error {
	inside := func(s int) bool { return s >= 0 && s < m.States }
	for _, s := range m.Initial {
		if !inside(s) {
			return fmt.Errorf("initial state %d of %d", s, m.States)
		}
	}
	for i, t := range m.Transitions {
		switch {
		case !inside(t.From) || !inside(t.To) && t.To != Stop:
			return fmt.Errorf("transition %d from %d to %d of %d states", i, t.From, t.To, m.States)
		case t.Assign != nil && (t.Action != "" || len(t.Result) > 0):
			return fmt.Errorf("transition %d assigns, and does something else", i)
		case len(t.Result) > 0 && t.To != Stop:
			return fmt.Errorf("transition %d has a result, and does not return", i)
		}
	}
	return nil
}

// component is what the encoding of a component needs.
type component struct {
	ctx     *Context
	end     int // the location where the procedure has returned, or the run has ended
	result  *ir.Var
	initial *step // the conditions on the first state
	first   []placed
	inside  []int // locations that are states of called routines' machines
	// of Context.Observed
	observed []observation
	seen     []Observed
	open     map[string]bool // names of variables that these speak of
	// early are the variables of the procedure that have any value from the beginning on, wherever
	// they are declared.
	early map[*ir.Var]bool

	unreturned *unreturned
}

// stub is a routine that is abstracted: where its arguments are kept while it runs.
type stub struct {
	f            *ir.Func
	abstractions []Abstraction
	args         []*ir.Var
	result       *ir.Type // nil if it is not scalar
	inlined      bool     // somewhere
	called       bool
}

// spoken are the expressions in what is said of results that may be addresses: a result that is equal to one
// points to where that does.
func (s *stub) spoken() (all []ir.Expr) {
	for _, a := range s.abstractions {
		for _, t := range a.Machine.Transitions {
			for _, g := range t.Result {
				g.Expressions(func(e ir.Expr) {
					if t := e.Type(); t.Scalar() && !t.Bool {
						all = append(all, e)
					}
				})
			}
		}
	}
	return all
}

// outside reports a routine whose body is not followed.
func (m *memory) outside(f *ir.Func) bool { return f.Extern() || m.stubs[f] != nil }

// allocating reports a routine whose result is new memory.
func (m *memory) allocating(f *ir.Func) bool {
	return f.Extern() && m.stubs[f] == nil && allocates(f)
}

func (b *builder) encodeComponent(f *ir.Func) (*Encoding, error) {
	c := b.component
	conditions := b.stubs()
	for _, g := range c.ctx.Initial {
		b.bind(g, f.Params, nil)
		conditions = append(conditions, g)
	}
	if f.Type.Result.Scalar() {
		c.result = &ir.Var{Name: "$0", Type: f.Type.Result, Span: f.Span}
		b.mem.ofVar(c.result).owner = f
	}
	for _, class := range c.ctx.Returns {
		for _, l := range class.Where {
			b.bind(l.Condition, f.Params, c.result)
			conditions = append(conditions, l.Condition)
		}
	}
	for _, g := range c.ctx.Observed {
		b.bind(g, f.Params, nil)
		b.named(g, f)
		conditions = append(conditions, g)
	}
	if err := b.analyse(f, conditions...); err != nil {
		return nil, err
	}
	c.end = b.location("end", f.Span)
	returned, to := c.end, (*ir.Place)(nil)
	if len(c.ctx.Returns) > 0 {
		returned = b.location(f.Name+" returns", f.Span)
		if c.result != nil {
			to = &ir.Place{Var: c.result, Type: c.result.Type}
		}
	}
	begin := b.expand(f, nil, f.Span, returned, to)
	b.node = nil
	for i, class := range c.ctx.Returns {
		s := b.step(nil, returned, c.end, f.Span, func(x *context) {
			for _, l := range class.Where {
				x.holds(l.Condition, !l.Negated)
			}
		})
		s.action, s.event = class.Action, event{kind: returns, class: i}
	}
	c.initial = &step{from: begin, to: begin, span: f.Span, do: func(x *context) {
		for _, g := range c.ctx.Initial {
			x.holds(g, true)
		}
	}}
	for _, g := range c.ctx.Observed {
		ways := func(want bool) *step {
			return &step{from: begin, to: begin, span: g.Span, do: func(x *context) { x.holds(g, want) }}
		}
		c.observed = append(c.observed, observation{g, [2]*step{ways(false), ways(true)}})
	}
	e := b.finish(begin)
	e.component = c
	return e, nil
}

// stubs prepares the abstracted routines, and returns the conditions on them.
func (b *builder) stubs() (conditions []*ir.Func) {
	b.mem.stubs = map[*ir.Func]*stub{}
	for _, f := range b.prog.Funcs {
		abstractions, known := b.component.ctx.Routines[f.Name]
		if !known || f.StandsIn {
			continue
		}
		s := &stub{f: f, abstractions: abstractions}
		for _, names := range b.component.ctx.Inline {
			s.inlined = s.inlined || !f.Extern() && slices.Contains(names, f.Name)
		}
		first := 1
		if e, tells := f.Tells(); tells && e.Return {
			first = 0
		}
		for i, t := range f.Type.Params {
			v := &ir.Var{Name: fmt.Sprintf("$%d", first+i), Type: t, Span: f.Span}
			b.mem.ofVar(v).owner = f
			s.args = append(s.args, v)
		}
		if f.Type.Result.Scalar() {
			s.result = f.Type.Result
		}
		b.mem.stubs[f] = s
		add := func(list ...*ir.Func) {
			for _, g := range list {
				if g != nil {
					b.bind(g, s.args, nil)
					conditions = append(conditions, g)
				}
			}
		}
		for _, a := range abstractions {
			add(a.Guard)
			for _, t := range a.Machine.Transitions {
				add(t.Guard, t.Assign)
				add(t.Result...)
			}
		}
	}
	return conditions
}

// bind makes the parameters of a condition those variables; $0 too, if result is given.
func (b *builder) bind(condition *ir.Func, args []*ir.Var, result *ir.Var) {
	for _, v := range condition.Locals {
		b.mem.ofVar(v).owner = condition
	}
	for i, p := range condition.Params {
		switch {
		case p.Name == "$0" && result != nil:
			b.mem.vars[p] = b.mem.ofVar(result)
		case p.Name != "$0" && i < len(args):
			b.mem.vars[p] = b.mem.ofVar(args[i])
		default:
			b.mem.ofVar(p).owner = condition
		}
	}
}

// abstracted is a call of an abstracted routine: arguments are kept, then the machines of
// its abstractions run.
func (b *builder) abstracted(in *Frame, c *ir.Call, s *stub, now, next int, when func(*context)) {
	s.called = true
	single := len(s.abstractions) == 1 && s.abstractions[0].Guard == nil && len(s.abstractions[0].Machine.Initial) == 1
	name := fmt.Sprintf("%s:%d", s.f.Name, c.Span.Pos().Line)
	var entered int
	if !single {
		entered = b.location(name, c.Span)
	}
	for k, a := range s.abstractions {
		at := b.inlined(in, name, c, s, &a, next)
		if single {
			entered = at(a.Machine.Initial[0])
			break
		}
		for _, i := range a.Machine.Initial {
			choose := b.step(in, entered, at(i), c.Span, func(x *context) {
				if x.specified = true; a.Guard != nil {
					x.holds(a.Guard, true)
				}
			})
			choose.event = event{kind: chooses, stub: s, abstraction: k, state: i}
		}
	}
	call := b.step(in, now, entered, c.Span, func(x *context) {
		when(x)
		for i, e := range c.Args {
			switch {
			case !e.Type().Scalar():
			case i < len(s.args) && s.args[i].Type.Scalar():
				x.store(ir.Place{Var: s.args[i], Type: s.args[i].Type}, e)
			default:
				x.value(e)
			}
		}
	})
	call.event.stub = s
}

// inlined makes the inlined states of a machine at a call, and tells their locations.
func (b *builder) inlined(in *Frame, name string, c *ir.Call, s *stub, a *Abstraction, next int) func(state int) int {
	m := a.Machine
	places := map[int]int{Stop: next}
	out := make([][]int, m.States)
	for i, t := range m.Transitions {
		out[t.From] = append(out[t.From], i)
	}
	var work []int
	at := func(state int) int {
		if _, known := places[state]; !known {
			label := fmt.Sprint(state)
			if m.Names != nil {
				label = m.Names[state]
			}
			places[state] = b.location(name+"."+label, c.Span)
			b.component.inside = append(b.component.inside, places[state])
			work = append(work, state)
		}
		return places[state]
	}
	for _, i := range m.Initial {
		at(i)
	}
	for len(work) > 0 {
		from := work[0]
		work = work[1:]
		for _, k := range out[from] {
			t := &m.Transitions[k]
			move := b.step(in, at(from), at(t.To), c.Span, func(x *context) { x.transition(c, s, t) })
			move.action, move.event = t.Action, event{kind: moves, stub: s, transition: t}
		}
	}
	return at
}

// transition encodes a transition of a machine.
func (c *context) transition(call *ir.Call, s *stub, t *Transition) {
	c.specified = true
	if t.Guard != nil {
		c.holds(t.Guard, true)
	}
	if t.Assign != nil {
		c.do(t.Assign)
	}
	switch {
	case t.To != Stop || call.To == nil && len(t.Result) == 0:
	case s.result == nil: // no condition is about the value then, and each is one all the same
		for _, f := range t.Result {
			c.holds(f, true)
		}
		if call.To != nil {
			c.fill(*call.To, false)
		}
	default:
		v := c.choice(s.result, 0)
		for _, f := range t.Result {
			for _, p := range f.Params {
				if p.Name == "$0" {
					c.set(p, v)
				}
			}
			c.holds(f, true)
		}
		if call.To != nil {
			c.put(*call.To, c.a.convert(s.result, call.To.Type, v))
		}
	}
}

func (c *context) set(x *ir.Var, v value) {
	if c.env == nil {
		c.env = map[*ir.Var]value{}
	}
	c.env[x] = v
}

// instrs encodes the instructions of a block of a condition.
func (c *context) instrs(f *ir.Func, b *ir.Block) {
	for _, i := range b.Instrs {
		a := i.(*ir.Assign) // see cfront.Condition
		if a.To.Var != nil && slices.Contains(f.Locals, a.To.Var) {
			c.set(a.To.Var, c.value(a.Value))
		} else {
			c.store(a.To, a.Value)
		}
	}
}

// follow goes one way through the routine of a condition, and returns its end.
func (c *context) follow(f *ir.Func) *ir.Return {
	for at := f.Blocks[0]; ; {
		c.instrs(f, at)
		switch t := at.End.(type) {
		case *ir.Jump:
			at = t.To
		case *ir.Branch:
			yes := c.formula(t.Cond)
			if c.decide(2) == 0 {
				c.require(yes)
				at = t.Then
			} else {
				c.require(logic.Not(yes))
				at = t.Else
			}
		case *ir.Return:
			return t
		default:
			panic("a condition ends elsewhere")
		}
	}
}

// do encodes an assignment of ir.Program.Conditions.
func (c *context) do(f *ir.Func) { c.follow(f) }

// holds requires that a condition holds, or that it does not.
func (c *context) holds(f *ir.Func, want bool) {
	if straight(f) {
		t := c.straight(f.Blocks[0], map[*ir.Block]*logic.Term{})
		if !want {
			t = logic.Not(t)
		}
		c.require(t)
		return
	}
	if returnsOne(c.follow(f)) != want {
		c.require(logic.False())
	}
}

func returnsOne(r *ir.Return) bool {
	n, ok := r.Value.(*ir.Const)
	return ok && n.Bits != 0
}

// straight is a condition as one formula, where reading a value decides nothing.
func (c *context) straight(b *ir.Block, known map[*ir.Block]*logic.Term) *logic.Term {
	if known[b] != nil {
		return known[b]
	}
	t := logic.False()
	switch end := b.End.(type) {
	case *ir.Jump:
		t = c.straight(end.To, known)
	case *ir.Branch:
		yes := c.formula(end.Cond)
		t = logic.Or(logic.And(yes, c.straight(end.Then, known)), logic.And(logic.Not(yes), c.straight(end.Else, known)))
	case *ir.Return:
		if returnsOne(end) {
			t = logic.True()
		}
	}
	known[b] = t
	return t
}

// straight reports that a condition computes nothing that may be undefined, and reads
// nothing by pointers and indices.
func straight(f *ir.Func) bool {
	for _, b := range f.Blocks {
		if branch, ok := b.End.(*ir.Branch); len(b.Instrs) > 0 || ok && !plainExpr(branch.Cond) {
			return false
		}
	}
	return true
}

func plainExpr(e ir.Expr) bool {
	switch e := e.(type) {
	case *ir.Const, *ir.FuncAddr:
		return true
	case *ir.Load:
		return e.From.Var != nil && len(e.From.Index) == 0
	case *ir.Addr:
		return e.Of.Var != nil && len(e.Of.Index) == 0
	case *ir.Unary:
		return plainExpr(e.X)
	case *ir.Convert:
		return plainExpr(e.X)
	case *ir.Binary:
		if e.Op >= ir.Div && e.Op <= ir.Shr && !constantRight(e, e.X.Type()) {
			return false
		}
		return plainExpr(e.X) && plainExpr(e.Y)
	}
	return false
}

// places makes the locations of a component that its graph does not have.
func (c *component) places(b *builder, e *Encoding) {
	e.Ends = []int{c.end}
	for _, l := range slices.Sorted(maps.Keys(e.Failures)) {
		if c.ctx.Failures == nil {
			e.Lost[l] = e.Failures[l]
		} else {
			e.Ends = append(e.Ends, l)
		}
	}
	slices.Sort(e.Ends)
	for _, a := range b.alternatives(c.initial) {
		to := c.initial.to
		if a.lost != "" {
			to = b.lostAt(e, c.initial, a.lost)
		}
		c.first = append(c.first, placed{a, c.initial, to})
	}
}

// initialStates adds the conditions on the first state to the regions that say what
// memory begins with. It returns the conditions.
func (b *builder) initialStates(e *Encoding, start int) (conditions []*logic.Term) {
	for i, sys := range []*program.System{e.Words, e.Numbers} {
		base := sys.Init[0].Where
		sys.Init = nil
		where := map[int]*logic.Term{}
		var order []int
		for _, a := range b.component.first {
			x := []*context{a.words, a.numbers}[i]
			if len(x.inputs) > 0 {
				refuse(b.entry.Span, "c-initial", "write a condition on numbers", "the condition on the first state of %s depends on where objects lie, or on memory that nothing is known of", b.entry.Name)
			}
			if where[a.to] == nil {
				where[a.to] = logic.False()
				order = append(order, a.to)
			}
			where[a.to] = logic.Or(where[a.to], logic.And(x.guards...))
		}
		for _, l := range order {
			conditions = append(conditions, where[l])
			sys.Init = append(sys.Init, program.Region{Location: l, Where: logic.And(base, where[l]), Name: "start", Span: b.entry.Span})
		}
		if len(sys.Init) == 0 { // no state satisfies the conditions
			sys.Init = []program.Region{{Location: start, Where: logic.False(), Name: "start", Span: b.entry.Span}}
		}
	}
	return conditions
}

// Component is the component over one of the encoding's systems, Words or Numbers, of
// EncodeComponent. Slices are shared.
func (e *Encoding) Component(sys *program.System) *program.Component {
	c := &program.Component{Name: e.Entry.Name, System: sys, Ends: e.Ends, Lost: e.Lost}
	alphabet := slices.Clone(e.component.ctx.Alphabet)
	for _, info := range e.edges {
		c.Actions = append(c.Actions, info.action)
	}
	for _, class := range e.component.ctx.Returns {
		alphabet = append(alphabet, class.Action)
	}
	alphabet = append(alphabet, c.Actions...)
	for _, s := range e.memory.stubs {
		for _, a := range s.abstractions {
			if s.called {
				alphabet = append(alphabet, a.Machine.Alphabet...)
			}
		}
	}
	c.Waits = e.waits(sys)
	slices.Sort(alphabet)
	c.Alphabet = slices.DeleteFunc(slices.Compact(alphabet), func(a string) bool { return a == "" })
	return c
}

// waits are the states of routines in which the component waits, if their guards say so: not
// those in which something silent is possible whatever the variables are. Sorted.
func (e *Encoding) waits(sys *program.System) (all []int) {
	can := make([]bool, len(sys.Locations))
	for i, edge := range sys.Edges {
		if e.edges[i].action == "" && !can[edge.From] {
			where, exact := edge.Command.Able()
			can[edge.From] = exact && where.IsTrue()
		}
	}
	for _, l := range e.component.inside {
		if !can[l] {
			all = append(all, l)
		}
	}
	slices.Sort(all)
	return all
}

// Abstracted are the names of the abstracted routines that are called, sorted.
func (e *Encoding) Abstracted() (all []string) {
	for f, s := range e.memory.stubs {
		if s.called {
			all = append(all, f.Name)
		}
	}
	slices.Sort(all)
	return all
}

// writes adds the globals that a step assigns to.
func (c *context) writes(all map[*ir.Var]ir.Span, at ir.Span) {
	add := func(o *object) {
		if o.v == nil || o.v.Kind != ir.Global {
			return
		}
		if _, known := all[o.v]; !known {
			all[o.v] = at
		}
	}
	for cell := range c.updates {
		add(cell.obj)
	}
	for _, f := range c.fills {
		add(f.spot.obj)
	}
}

// Uses are the globals that what the component does depends on.
func (e *Encoding) Uses() map[*ir.Var]bool {
	all := map[*ir.Var]bool{}
	for _, x := range e.Words.Vars {
		if v := e.cells[x.Name()].obj.v; v != nil && v.Kind == ir.Global {
			all[v] = true
		}
	}
	return all
}
