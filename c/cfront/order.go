package cfront

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// C leaves open in which order operands, arguments and the values of an initialiser are evaluated
// (C11 6.5p2, 6.5.2.2p10, 6.7.9p23). Here it is the order of the text. Where that makes a difference is
// what a verdict rests on: one of two evaluations changes what the other one reads or changes, say.

// openOrder are two evaluations whose order is open: instructions and terminators, and the
// values that come out.
type openOrder struct {
	left, right []any
	object      *Var // nil, or what is initialised: both store to it
	span        Span
}

// orders are the places of a routine where C leaves the order open, while it is lowered.
type orders struct {
	log   []any // all that was emitted, and values
	last  int   // behind the last of them that changes something
	pairs []emitted
}

// emitted is an openOrder by positions in what was emitted.
type emitted struct {
	from, between, to int
	object            *Var
	span              Span
}

// someEffects reports a list of initialisers with one that has an effect.
func someEffects(list *cc.InitializerList) bool {
	for ; list != nil; list = list.InitializerList {
		if i := list.Initializer; i.AssignmentExpression != nil && hasEffects(i.AssignmentExpression) || someEffects(i.InitializerList) {
			return true
		}
	}
	return false
}

func (o *orders) value(e Expr) {
	if e != nil {
		o.log = append(o.log, e)
	}
}

// target says what an assignment stores to, and reads first, if it is no simple one.
func (o *orders) target(p Place, reads bool) {
	o.log = append(o.log, stored(p))
	if reads {
		o.value(&Load{p})
	} else {
		p.operands(o.value)
	}
}

// stored is a place that is assigned to when both sides are known: routines that are called have come
// to their end then.
type stored Place

// looping is a loop, in a statement that is an expression; departing is a way out of one.
type (
	looping   struct{}
	departing struct{}
)

// openOrder says that the order of two evaluations is open, what was emitted from a position on, and
// from another one. Where neither changes anything, it makes no difference.
func (r *routine) openOrder(from, between int, n cc.Node, object *Var) {
	if r.orders.last > from {
		r.orders.pairs = append(r.orders.pairs, emitted{from, between, len(r.orders.log), object, r.span(n)})
	}
}

// emits takes down an instruction, or the end of a block.
func (o *orders) emits(x any) {
	o.log = append(o.log, x)
	switch x := x.(type) {
	case *Use, *Jump, *Branch, *Return:
		return
	case *Assign:
		if x.To.Var != nil && x.To.Var.Kind == Temp {
			return
		}
	}
	o.last = len(o.log)
}

// keep gives them to the routine.
func (o *orders) keep(f *Func) {
	for _, p := range o.pairs {
		f.open = append(f.open, openOrder{o.log[p.from:p.between], o.log[p.between:p.to], p.object, p.span})
	}
}

// effects are what an evaluation may read and change, and how it may end.
type effects struct {
	reads, writes map[*Var]bool
	own           map[*Var]bool // of writes: those of no routine that is called
	loads, stores bool          // through pointers
	changes       bool          // of stores: those of no routine that is called
	acts          bool          // it calls what a specification describes
	asks, streams bool          // it asks for an indicator of a stream, or uses one
	ruled         bool          // it calls what a rule is about
	fails         bool          // the failure that one asks about
	ends          bool          // in another way, or not at all
	leaves        bool          // of ends: the rest of the expression is not evaluated
	stops         bool          // of ends: without a mistake
	ways          ways          // of stops
	strays        bool          // it may leave what is modelled, by a mistake that is not checked
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
	return &effects{reads: map[*Var]bool{}, writes: map[*Var]bool{}, own: map[*Var]bool{}}
}

// add adds what a called routine does: not to its own variables, which are others in each call.
func (e *effects) add(callee *effects) {
	static := func(v *Var, _ bool) bool { return v.Kind != Global }
	for _, m := range []struct{ to, from map[*Var]bool }{{e.reads, callee.reads}, {e.writes, callee.writes}} {
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
	program *Program
	pointed map[*Func]bool
	address map[*Var]bool // whose address is taken
	errno   *Var
	known   map[*Func]*effects // of calls, and alone without those of what is called in turn
	alone   map[*Func]*effects
	work    int // left
	ends    bool
}

// maxOrderWork bounds the instructions that are looked at: beyond it, the order is taken to matter.
const maxOrderWork = 300_000

// OpenOrder returns where the order that C leaves open may make a difference for runs from a routine on,
// in the order of the text; nil: nowhere. ends says that one asks whether these end.
func (p *Program) OpenOrder(entry *Func, ends bool) (all []Span) {
	reached := reachedFrom(entry, p.pointed())
	if !slices.ContainsFunc(reached, func(f *Func) bool { return len(f.open) > 0 }) {
		return nil
	}
	o := &ordering{program: p, ends: ends, acting: slices.ContainsFunc(p.Funcs, func(f *Func) bool { return f.acts }), pointed: p.pointed(), address: map[*Var]bool{}, errno: p.errno(), known: map[*Func]*effects{}, alone: map[*Func]*effects{nothing: newEffects()}, work: maxOrderWork}
	for _, f := range append([]*Func{p.Init}, p.Funcs...) {
		f.Expressions(func(e Expr) {
			if a, ok := e.(*Addr); ok && a.Of.Var != nil {
				o.address[a.Of.Var] = true
			}
		})
	}
	for _, f := range reached {
		for _, pair := range f.open {
			if o.work < 0 || o.differ(o.of(pair.left), o.of(pair.right), pair.object) {
				all = append(all, pair.span)
			}
		}
	}
	slices.SortFunc(all, func(a, b Span) int {
		return cmp.Or(cmp.Compare(a.File.Name(), b.File.Name()), cmp.Compare(a.Start, b.Start))
	})
	return slices.Compact(all)
}

// reachedFrom are the routines that runs from one may come to.
func reachedFrom(entry *Func, pointed map[*Func]bool) []*Func {
	all, seen := []*Func{entry}, map[*Func]bool{entry: true}
	visit := func(f *Func) {
		if !seen[f] {
			all, seen[f] = append(all, f), true
		}
	}
	for i := 0; i < len(all); i++ {
		for _, b := range all[i].Blocks {
			for _, x := range b.Instrs {
				switch c, ok := x.(*Call); {
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
		case Expr:
			o.read(e, x)
		case stored:
			switch {
			case x.Var == nil:
				e.changes = true
			case x.Var.Kind != Temp:
				e.own[x.Var] = true
			}
		case *Assign:
			o.write(e, x.To)
			o.read(e, x.Value)
		case *Havoc:
			o.write(e, x.To)
		case *Clear:
			o.write(e, x.To)
		case *Use:
			o.read(e, x.Value)
		case *Assume:
			o.read(e, x.Cond)
			e.stop(byAssuming)
		case *Branch:
			o.read(e, x.Cond)
		case *Return:
			o.read(e, x.Value)
		case *Fail:
			e.fails = true
		case *Stop:
			e.stop(byExit)
		case looping:
			e.stop(byLooping)
		case departing:
			e.ends, e.leaves = true, true
		case *Call:
			o.call(e, x)
		}
	}
	return e
}

func (o *ordering) read(e *effects, x Expr) {
	if x == nil {
		return
	}
	eachExpr(x, func(x Expr) {
		o.work--
		l, ok := x.(*Load)
		o.mistake(e, x)
		switch {
		case !ok:
		case l.From.Var == nil:
			e.loads = true
		case l.From.Var.Kind != Temp:
			e.reads[l.From.Var] = true
		}
	})
}

// mistake adds what is no value for all operands: a failure, if that is checked, or the end of the run.
func (o *ordering) mistake(e *effects, x Expr) {
	switch x := x.(type) {
	case *Load:
		e.ends, e.strays = e.ends || x.From.Var == nil, e.strays || x.From.strays()
	case *Binary:
		if x.Op == Div || x.Op == Rem {
			n, ok := x.Y.(*Const)
			e.ends, e.strays = true, e.strays || !ok || n.Bits == 0
		}
	case *Const, *FuncAddr:
		return
	}
	e.fails = e.fails || len(o.program.Checked) > 0
}

// strays reports that this may be no place in memory.
func (p Place) strays() bool {
	return p.Var == nil || slices.ContainsFunc(p.Index, func(i Index) bool {
		n, ok := i.By.(*Const)
		return !ok || int64(n.Bits) < 0 || int64(n.Bits) >= i.Len
	})
}

func (o *ordering) write(e *effects, p Place) {
	p.operands(func(x Expr) { o.read(e, x) })
	e.strays = e.strays || p.strays()
	e.ends, e.fails = e.ends || p.Var == nil, e.fails || len(o.program.Checked) > 0 && (p.Var == nil || len(p.Index) > 0)
	switch {
	case p.Var == nil:
		e.stores, e.changes = true, true
	case p.Var.Kind != Temp:
		e.writes[p.Var], e.own[p.Var] = true, true
	}
}

func (o *ordering) call(e *effects, c *Call) {
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
		e.acts = e.acts || c.Callee.event
		if e.add(does); (c.Callee.Extern() || c.Callee.acts) && does.stores { // what is done in its place may name variables
			o.given(e, c.Args)
		}
		return
	}
	for f := range o.pointed {
		e.add(o.routine(f))
	}
}

// given adds that variables whose addresses a routine is given are read and written to.
func (o *ordering) given(e *effects, args []Expr) {
	for _, a := range args {
		eachExpr(a, func(x Expr) {
			if a, ok := x.(*Addr); ok && a.Of.Var != nil {
				e.reads[a.Of.Var], e.writes[a.Of.Var] = true, true
			}
		})
	}
}

// routine are the effects of a call of a routine, with those of what it calls in turn.
func (o *ordering) routine(f *Func) *effects {
	if e := o.known[f]; e != nil {
		return e
	}
	e := newEffects()
	o.known[f] = e
	if o.work < 0 {
		return e
	}
	reached := []*Func{f}
	if !f.acts { // whose body is not looked at
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
func (o *ordering) direct(f *Func) *effects {
	if e := o.alone[f]; e != nil {
		return e
	}
	e := newEffects()
	o.alone[f] = e
	if f.Extern() || f.acts {
		o.extern(e, f)
		return e
	}
	if f.loops() {
		if e.ends = true; !f.Library { // whose loops end, but for mistakes
			e.stop(byLooping)
		}
	}
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			if c, ok := i.(*Call); ok {
				i = &Call{Ptr: c.Ptr, Args: c.Args, To: c.To, Callee: nothing}
			}
			e.add(o.of([]any{i}))
		}
		e.add(o.of([]any{b.End}))
	}
	return e
}

// nothing is a routine that does nothing: what others do is added apart.
var nothing = &Func{Type: &Type{Kind: Function}}

// calls reports that a routine calls another one, or any.
func calls(f, callee *Func) bool {
	for _, b := range f.Blocks {
		if slices.ContainsFunc(b.Instrs, func(i Instr) bool { c, ok := i.(*Call); return ok && (c.Callee == callee || c.Callee == nil) }) {
			return true
		}
	}
	return false
}

// extern adds what a routine without a body does.
func (o *ordering) extern(e *effects, f *Func) {
	if f.acts {
		e.acts = true
		for _, c := range o.program.said[f.Name] {
			e.add(o.direct(c))
		}
	}
	e.fails = e.fails || failing[f.Name] || asserted[f.Name] || checking[f.Name]
	if assuming[f.Name] {
		e.stop(byAssuming)
	}
	if stopping[plainName(f.Name)] || f.noReturn {
		e.stop(byExit)
	}
	if f.Known == nil {
		return
	}
	name := plainName(f.Name)
	_, streams := streamArguments[strings.TrimSuffix(name, "_unlocked")]
	e.asks, e.streams = indicator(f) != "", streams || readsCharacter(f)
	if r := ruledAs(name); r != nil {
		e.ruled = slices.Contains(o.program.rules, r.rule)
	}
	if o.errno != nil {
		e.writes[o.errno] = true
	}
	if slices.ContainsFunc(f.Type.Params, func(t *Type) bool { return t.Kind == Pointer }) || f.Type.Variadic {
		e.loads = true
		e.stores = e.stores || f.means(AsOwn) || f.means(AsBody) || f.means(AsFormat) || f.means(AsRefused) || len(f.Known.outputs) > 0
	}
	e.ends = e.ends || f.means(AsRefused) || f.means(AsFormat) || f.means(AsBlocking)
}

// differ reports that the order of two evaluations may make a difference.
func (o *ordering) differ(left, right *effects, object *Var) bool {
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
func (o *ordering) somewhere(m map[*Var]bool) bool {
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

func overlap(a, b map[*Var]bool) bool {
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

// loops reports that control can come to a block of a routine twice.
func (f *Func) loops() bool {
	const open, done = 1, 2
	state := map[*Block]int{}
	type step struct {
		b    *Block
		next []*Block
	}
	if len(f.Blocks) == 0 {
		return false
	}
	stack := []step{{f.Blocks[0], following(f.Blocks[0])}}
	state[f.Blocks[0]] = open
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if len(top.next) == 0 {
			state[top.b] = done
			stack = stack[:len(stack)-1]
			continue
		}
		b := top.next[0]
		top.next = top.next[1:]
		switch state[b] {
		case open:
			return true
		case 0:
			state[b] = open
			stack = append(stack, step{b, following(b)})
		}
	}
	return false
}
