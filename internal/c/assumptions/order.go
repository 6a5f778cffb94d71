// Package assumptions finds where a C program (package ir) rests on what C leaves open, so that a verdict lists it:
// the order of evaluation, results and arguments of the library of which C says less than is used, and the inside
// of the library's own objects.
package assumptions

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"github.com/seltl/seltl/c/ir"
)

// effects are what an evaluation may read and change, and how it may end.
type effects struct {
	reads, writes map[*ir.Var]bool
	own           map[*ir.Var]bool // of writes: those of no routine that is called
	loads, stores bool             // through pointers
	changes       bool             // of stores: those of no routine that is called
	acts          bool             // it calls what a specification describes
	asks, streams bool             // it asks for an indicator of a stream, or uses one
	ruled         bool             // it calls what a rule is about
	fails         bool             // the failure that one asks about
	ends          bool             // in another way, or not at all
	leaves        bool             // of ends: the rest of the expression is not evaluated
	stops         bool             // of ends: without a mistake
	ways          ways             // of stops
	strays        bool             // it may leave what is modelled, by a mistake that is not checked
}

// ways are how an evaluation may stop, which makes a difference where what comes of it is asked: it
// ends the program, the run is none, or it goes on for ever.
type ways uint8

const (
	byExit ways = 1 << iota
	byAssuming
	byLooping
)

func (e *effects) stop(by ways) { e.ends, e.stops, e.ways = true, true, e.ways|by }

func newEffects() *effects {
	return &effects{reads: map[*ir.Var]bool{}, writes: map[*ir.Var]bool{}, own: map[*ir.Var]bool{}}
}

// add adds what a called routine does: not to its own variables, which are others in each call.
func (e *effects) add(callee *effects) {
	static := func(v *ir.Var, _ bool) bool { return v.Kind != ir.Global }
	for _, m := range []struct{ to, from map[*ir.Var]bool }{{e.reads, callee.reads}, {e.writes, callee.writes}} {
		from := maps.Clone(m.from)
		maps.DeleteFunc(from, static)
		maps.Copy(m.to, from)
	}
	e.loads, e.stores = e.loads || callee.loads, e.stores || callee.stores
	e.acts, e.fails, e.ends = e.acts || callee.acts, e.fails || callee.fails, e.ends || callee.ends
	e.asks, e.streams, e.ruled = e.asks || callee.asks, e.streams || callee.streams, e.ruled || callee.ruled
	e.stops, e.strays, e.ways = e.stops || callee.stops, e.strays || callee.strays, e.ways|callee.ways
}

// ordering finds out where the order makes a difference.
type ordering struct {
	acting  bool // a specification says what some routines do
	program *ir.Program
	pointed map[*ir.Func]bool
	address map[*ir.Var]bool // whose address is taken
	errno   *ir.Var
	known   map[*ir.Func]*effects // of calls, and alone without those of what is called in turn
	alone   map[*ir.Func]*effects
	work    int // left
	ends    bool
}

// maxOrderWork bounds the instructions that are looked at: beyond it, the order is taken to matter.
const maxOrderWork = 300_000

// OpenOrder returns where the order that C leaves open may make a difference for runs from a routine on,
// in the order of the text; nil: nowhere. ends says that one asks whether these end.
func OpenOrder(p *ir.Program, entry *ir.Func, ends bool) (all []ir.Span) {
	reached := reachedFrom(entry, p.Pointed())
	if !slices.ContainsFunc(reached, func(f *ir.Func) bool { return len(f.Unordered) > 0 }) {
		return nil
	}
	o := &ordering{program: p, ends: ends, acting: slices.ContainsFunc(p.Funcs, func(f *ir.Func) bool { return f.Specified }), pointed: p.Pointed(), address: map[*ir.Var]bool{}, errno: p.Errno(), known: map[*ir.Func]*effects{}, alone: map[*ir.Func]*effects{nothing: newEffects()}, work: maxOrderWork}
	for _, f := range append([]*ir.Func{p.Init}, p.Funcs...) {
		f.Expressions(func(e ir.Expr) {
			if a, ok := e.(*ir.Addr); ok && a.Of.Var != nil {
				o.address[a.Of.Var] = true
			}
		})
	}
	for _, f := range reached {
		for _, pair := range f.Unordered {
			if o.work < 0 || o.differ(o.of(pair.Left), o.of(pair.Right), pair.Object) {
				all = append(all, pair.Span)
			}
		}
	}
	slices.SortFunc(all, func(a, b ir.Span) int {
		return cmp.Or(cmp.Compare(a.File.Name(), b.File.Name()), cmp.Compare(a.Start, b.Start))
	})
	return slices.Compact(all)
}

// reachedFrom are the routines that runs from one may come to.
func reachedFrom(entry *ir.Func, pointed map[*ir.Func]bool) []*ir.Func {
	all, seen := []*ir.Func{entry}, map[*ir.Func]bool{entry: true}
	visit := func(f *ir.Func) {
		if !seen[f] {
			all, seen[f] = append(all, f), true
		}
	}
	for i := 0; i < len(all); i++ {
		for _, b := range all[i].Blocks {
			for _, x := range b.Instrs {
				switch c, ok := x.(*ir.Call); {
				case !ok:
				case c.Callee != nil:
					visit(c.Callee)
				default:
					for f := range pointed {
						visit(f)
					}
				}
			}
		}
	}
	return all
}

// of are the effects of an evaluation.
func (o *ordering) of(what []any) *effects {
	e := newEffects()
	for _, x := range what {
		o.work--
		switch x := x.(type) {
		case ir.Expr:
			o.read(e, x)
		case ir.Stored:
			switch {
			case x.Var == nil:
				e.changes = true
			case x.Var.Kind != ir.Temp:
				e.own[x.Var] = true
			}
		case *ir.Assign:
			o.write(e, x.To)
			o.read(e, x.Value)
		case *ir.Havoc:
			o.write(e, x.To)
		case *ir.Clear:
			o.write(e, x.To)
		case *ir.Use:
			o.read(e, x.Value)
		case *ir.Assume:
			o.read(e, x.Cond)
			e.stop(byAssuming)
		case *ir.Branch:
			o.read(e, x.Cond)
		case *ir.Return:
			o.read(e, x.Value)
		case *ir.Fail:
			e.fails = true
		case *ir.Stop:
			e.stop(byExit)
		case ir.Looping:
			e.stop(byLooping)
		case ir.Departing:
			e.ends, e.leaves = true, true
		case *ir.Call:
			o.call(e, x)
		}
	}
	return e
}

func (o *ordering) read(e *effects, x ir.Expr) {
	if x == nil {
		return
	}
	ir.EachExpr(x, func(x ir.Expr) {
		o.work--
		l, ok := x.(*ir.Load)
		o.mistake(e, x)
		switch {
		case !ok:
		case l.From.Var == nil:
			e.loads = true
		case l.From.Var.Kind != ir.Temp:
			e.reads[l.From.Var] = true
		}
	})
}

// mistake adds what is no value for all operands: a failure, if that is checked, or the end of the run.
func (o *ordering) mistake(e *effects, x ir.Expr) {
	switch x := x.(type) {
	case *ir.Load:
		e.ends, e.strays = e.ends || x.From.Var == nil, e.strays || strays(x.From)
	case *ir.Binary:
		if x.Op == ir.Div || x.Op == ir.Rem {
			n, ok := x.Y.(*ir.Const)
			e.ends, e.strays = true, e.strays || !ok || n.Bits == 0
		}
	case *ir.Const, *ir.FuncAddr:
		return
	}
	e.fails = e.fails || len(o.program.Checked) > 0
}

// strays reports that this may be no place in memory.
func strays(p ir.Place) bool {
	return p.Var == nil || slices.ContainsFunc(p.Index, func(i ir.Index) bool {
		n, ok := i.By.(*ir.Const)
		return !ok || int64(n.Bits) < 0 || int64(n.Bits) >= i.Len
	})
}

func (o *ordering) write(e *effects, p ir.Place) {
	p.Operands(func(x ir.Expr) { o.read(e, x) })
	e.strays = e.strays || strays(p)
	e.ends, e.fails = e.ends || p.Var == nil, e.fails || len(o.program.Checked) > 0 && (p.Var == nil || len(p.Index) > 0)
	switch {
	case p.Var == nil:
		e.stores, e.changes = true, true
	case p.Var.Kind != ir.Temp:
		e.writes[p.Var], e.own[p.Var] = true, true
	}
}

func (o *ordering) call(e *effects, c *ir.Call) {
	if c.Ptr != nil { // which may be null
		e.ends, e.strays, e.fails = true, true, e.fails || len(o.program.Checked) > 0
	}
	o.read(e, c.Ptr)
	for _, a := range c.Args {
		o.read(e, a)
	}
	if c.To != nil {
		o.write(e, *c.To)
	}
	if c.Callee != nil {
		does := o.routine(c.Callee)
		e.acts = e.acts || c.Callee.HasEvents
		if e.add(does); (c.Callee.Extern() || c.Callee.Specified) && does.stores { // what is done in its place may name variables
			o.given(e, c.Args)
		}
		return
	}
	for f := range o.pointed {
		e.add(o.routine(f))
	}
}

// given adds that variables whose addresses a routine is given are read and written to.
func (o *ordering) given(e *effects, args []ir.Expr) {
	for _, a := range args {
		ir.EachExpr(a, func(x ir.Expr) {
			if a, ok := x.(*ir.Addr); ok && a.Of.Var != nil {
				e.reads[a.Of.Var], e.writes[a.Of.Var] = true, true
			}
		})
	}
}

// routine are the effects of a call of a routine, with those of what it calls in turn.
func (o *ordering) routine(f *ir.Func) *effects {
	if e := o.known[f]; e != nil {
		return e
	}
	e := newEffects()
	o.known[f] = e
	if o.work < 0 {
		return e
	}
	reached := []*ir.Func{f}
	if !f.Specified { // whose body is not looked at
		reached = reachedFrom(f, o.pointed)
	}
	for _, g := range reached {
		o.work -= 1 + len(g.Blocks)
		e.add(o.direct(g))
		if calls(g, f) {
			e.stop(byLooping)
		}
	}
	return e
}

// direct are the effects of a routine without those of what it calls.
func (o *ordering) direct(f *ir.Func) *effects {
	if e := o.alone[f]; e != nil {
		return e
	}
	e := newEffects()
	o.alone[f] = e
	if f.Extern() || f.Specified {
		o.extern(e, f)
		return e
	}
	if f.HasLoop() {
		if e.ends = true; !f.Library { // whose loops end, but for mistakes
			e.stop(byLooping)
		}
	}
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			if c, ok := i.(*ir.Call); ok {
				i = &ir.Call{Ptr: c.Ptr, Args: c.Args, To: c.To, Callee: nothing}
			}
			e.add(o.of([]any{i}))
		}
		e.add(o.of([]any{b.End}))
	}
	return e
}

// nothing is a routine that does nothing: what others do is added apart.
var nothing = &ir.Func{Type: &ir.Type{Kind: ir.Function}}

// calls reports that a routine calls another one, or any.
func calls(f, callee *ir.Func) bool {
	for _, b := range f.Blocks {
		if slices.ContainsFunc(b.Instrs, func(i ir.Instr) bool { c, ok := i.(*ir.Call); return ok && (c.Callee == callee || c.Callee == nil) }) {
			return true
		}
	}
	return false
}

// extern adds what a routine without a body does.
func (o *ordering) extern(e *effects, f *ir.Func) {
	if f.Specified {
		e.acts = true
		for _, c := range o.program.ConditionsAbout[f.Name] {
			e.add(o.direct(c))
		}
	}
	e.fails = e.fails || ir.FailRoutines[f.Name] || ir.AssertRoutines[f.Name] || ir.CheckRoutines[f.Name]
	if ir.AssumeRoutines[f.Name] {
		e.stop(byAssuming)
	}
	if ir.StopRoutines[ir.PlainName(f.Name)] || f.NoReturn {
		e.stop(byExit)
	}
	if f.Known == nil {
		return
	}
	name := ir.PlainName(f.Name)
	_, streams := ir.StreamArguments[strings.TrimSuffix(name, "_unlocked")]
	e.asks, e.streams = ir.Indicator(f) != "", streams || ir.ReadsCharacter(f)
	if r := ir.RuledAs(name); r != nil {
		e.ruled = slices.Contains(o.program.Rules, r.Rule)
	}
	if o.errno != nil {
		e.writes[o.errno] = true
	}
	if slices.ContainsFunc(f.Type.Params, func(t *ir.Type) bool { return t.Kind == ir.Pointer }) || f.Type.Variadic {
		e.loads = true
		e.stores = e.stores || f.Means(ir.AsOwn) || f.Means(ir.AsBody) || f.Means(ir.AsFormat) || f.Means(ir.AsRefused) || len(f.Known.Outputs) > 0
	}
	e.ends = e.ends || f.Means(ir.AsRefused) || f.Means(ir.AsFormat) || f.Means(ir.AsBlocking)
}

// differ reports that the order of two evaluations may make a difference.
func (o *ordering) differ(left, right *effects, object *ir.Var) bool {
	if left.reads[object] || right.reads[object] {
		return true
	}
	for _, e := range []*effects{left, right} {
		delete(e.writes, object)
		delete(e.own, object)
	}
	if o.acting && (left.acts && right.fails || left.fails && right.acts || left.ways != 0 && right.ways != 0 && bits.OnesCount8(uint8(left.ways|right.ways)) > 1) {
		return true // what a component does, and how it ends, is asked for
	}
	if left.leaves && right.does() || right.leaves && left.does() || left.changes && o.meets(right) || right.changes && o.meets(left) {
		return true
	}
	if o.ends && (left.ways&byLooping != 0 && (right.ways&^byLooping != 0 || right.fails) || right.ways&byLooping != 0 && (left.ways&^byLooping != 0 || left.fails)) {
		return true
	}
	if left.asks && right.streams || left.streams && right.asks || left.ruled && right.ruled {
		return true
	}
	return o.disturbs(left, right) || o.disturbs(right, left) || left.stops && right.strays || left.acts && right.acts ||
		overlap(left.own, right.own) || overlap(left.writes, right.writes)
}

// does reports that an evaluation has an effect.
func (e *effects) does() bool {
	return len(e.writes) > 0 || e.stores || e.acts || e.fails || e.ends
}

// meets reports that an evaluation itself changes what a pointer may point to.
func (o *ordering) meets(e *effects) bool { return e.changes || o.somewhere(e.own) }

// somewhere reports one of the variables that a pointer may point to.
func (o *ordering) somewhere(m map[*ir.Var]bool) bool {
	for v := range m {
		if o.address[v] || v.Extern {
			return true
		}
	}
	return false
}

// disturbs reports that one evaluation may change what another one reads, or does.
func (o *ordering) disturbs(a, b *effects) bool {
	if overlap(a.writes, b.reads) || a.ends && (b.fails || b.acts) {
		return true
	}
	return a.stores && (b.loads || b.stores || o.somewhere(b.reads) || o.somewhere(b.writes)) || b.loads && o.somewhere(a.writes)
}

func overlap(a, b map[*ir.Var]bool) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	for v := range a {
		if b[v] {
			return true
		}
	}
	return false
}
