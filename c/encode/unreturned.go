package encode

import (
	"slices"
	"strings"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/logic"
)

// Where it is asked whether a component ends, a routine may call itself ([CookPodelskiRybalchenko09]): a run that goes on for
// ever either comes back from each such call that it waits for, or is inside of one for ever. So such a
// call has two ways. One begins the routine anew, and never comes back: the activations around it do no more, and its
// variables are taken for the new one. The other one stands for a call that comes back, whatever it does: what the
// routine may assign to has any values, and so has the result. There are more runs than those of the program,
// and none of those that are endless is lost.
type unreturned struct {
	calls map[*ir.Func]map[*ir.Func]bool // closed
	begin map[*Frame]int
	// inner says of a routine that calls itself whether the activation is inside of another one.
	inner map[*ir.Func]*ir.Var
}

// endsAsked reports that whether runs end is the question.
func (b *builder) endsAsked() bool { return b.component != nil && b.component.ctx.Ends }

// unreturned prepares the calls of routines to themselves; nil: these are refused.
func (b *builder) unreturned() *unreturned {
	if !b.endsAsked() {
		return nil
	}
	if b.component.unreturned == nil {
		u := &unreturned{calls: b.pts.calls(b.prog.Funcs), begin: map[*Frame]int{}, inner: map[*ir.Func]*ir.Var{}}
		closure(u.calls)
		for f := range u.calls {
			if u.calls[f][f] {
				v := &ir.Var{Name: f.Name + " inside of itself", Type: b.word, Kind: ir.Local, Span: f.Span, Ghost: true}
				b.mem.ofVar(v).owner = f
				u.inner[f] = v
			}
		}
		b.component.unreturned = u
	}
	return b.component.unreturned
}

// begins notes where an activation begins.
func (b *builder) begins(in *Frame, at int) {
	if u := b.unreturned(); u != nil {
		u.begin[in] = at
	}
}

// nested says whether an activation of a routine is inside of another one.
func (c *context) nested(f *ir.Func, inside uint64) {
	if u := c.b.unreturned(); u != nil && u.inner[f] != nil {
		c.put(wholeOf(u.inner[f]), c.a.number(c.b.word, inside))
	}
}

// outermost requires that an activation is not inside of another one of its routine: those do not return.
func (c *context) outermost(in *Frame, r *ir.Return) {
	u := c.b.unreturned()
	if u == nil || u.inner[in.Func] == nil {
		return
	}
	c.require(c.a.compare(ir.Eq, c.b.word, c.value(loadOf(u.inner[in.Func])), c.a.number(c.b.word, 0)))
	if c.back = in; r.Value != nil {
		c.result = c.number(r.Value)
	}
}

// number is the value of an expression that is an integer and no address; else nil.
func (c *context) number(e ir.Expr) *logic.Term {
	if e.Type().Kind != ir.Integer || c.address(e) {
		return nil
	}
	return c.value(e).t
}

// reentered encodes a call of a routine that has an activation, and reports that it is one.
func (b *builder) reentered(call *ir.Call, f *ir.Func, in *Frame, now, next int, when func(*context)) bool {
	u := b.unreturned()
	if u == nil || !in.active(f) {
		return false
	}
	outer := in
	for outer.Func != f {
		outer = outer.Caller
	}
	why := b.shared(in, outer)
	b.step(in, now, u.begin[outer], call.Span, func(x *context) {
		when(x)
		if why != "" {
			x.lose("%s", why)
		}
		for k, p := range f.Params {
			x.store(wholeOf(p), call.Args[k])
		}
		x.nested(f, 1)
		x.down = true
	})
	over := b.step(in, now, next, call.Span, func(x *context) {
		when(x)
		for _, a := range call.Args {
			if a.Type().Scalar() {
				x.value(a)
			}
			x.given = append(x.given, x.number(a))
		}
		if x.over = outer; call.To != nil {
			before := len(x.choices)
			if x.fill(*call.To, false); len(x.choices) > before && call.To.Type.Kind == ir.Integer && call.To.Bits == 0 {
				x.result = x.choices[before]
			}
		}
	})
	over.event.kind = passesOver
	return true
}

// shared says why activations of a routine cannot have the same variables; "" if they can. Those of an outer one
// must not be known to an inner one.
func (b *builder) shared(in, outer *Frame) string {
	if outer.Caller == nil {
		return "a call of " + outer.Func.Name + ", with which the program begins"
	}
	for g := in; g != outer.Caller; g = g.Caller {
		computed := false
		b.pts.eachCall(g.Func, func(h *ir.Func) { computed = computed || h.Name == ir.ArrayRoutine })
		if len(addressed(g.Func)) > 0 || computed {
			return "a call of " + outer.Func.Name + ", which calls itself, while pointers may point to variables of " + g.Func.Name
		}
	}
	return ""
}

// within reports an activation that is a part of another one.
func (f *Frame) within(outer *Frame) bool {
	for ; f != nil; f = f.Caller {
		if f == outer {
			return true
		}
	}
	return false
}

// changed are, by activation, the cells that what is called again may assign to, and that it shares with its callers.
func (b *builder) changed(alts []placed) map[*Frame][]*cell {
	var taken map[*ir.Var]bool
	shared := func(o *object) bool { return o.v == nil || o.owner == nil || taken[o.v] }
	all := map[*Frame][]*cell{}
	for _, over := range alts {
		outer := over.words.over
		if outer == nil || all[outer] != nil {
			continue
		}
		if taken == nil {
			taken = map[*ir.Var]bool{}
			for _, f := range b.prog.Funcs {
				for v := range addressed(f) {
					taken[v] = true
				}
			}
		}
		cells := []*cell{}
		for _, a := range alts {
			if !a.step.frame.within(outer) {
				continue
			}
			for at := range a.words.updates {
				cells = append(cells, at)
			}
			for _, f := range a.words.fills {
				cells = append(cells, f.spot.obj.sorted()...)
			}
		}
		cells = slices.DeleteFunc(cells, func(at *cell) bool { return !shared(at.obj) })
		slices.SortFunc(cells, func(x, y *cell) int { return strings.Compare(x.name, y.name) })
		all[outer] = slices.Compact(cells)
	}
	return all
}

// assigned gives cells any values.
func (c *context) assigned(cells []*cell, out map[*logic.Term]*logic.Term) {
	for _, at := range cells {
		x := at.variable(c.b.mem, c.a)
		if out[x] != nil {
			continue
		}
		if at.run == nil {
			out[x] = c.input("any!"+at.name, at.t, at.key.bits)
			continue
		}
		out[x] = logic.Var("any!"+at.name, x.Sort())
		c.inputs, c.domains[out[x]] = append(c.inputs, out[x]), logic.True()
	}
}

// Recursion is a routine that calls itself, of a component with Context.Ends, in one of the places where it is called.
// What an activation that comes back has done is a relation between what it begins with and what it leaves.
type Recursion struct {
	Func  *ir.Func
	Begin int // its location
	// Begins are what it begins with: its parameters that are numbers, nil for another one. Shared are the variables that it may
	// assign to, and that others know, as far as these are numbers.
	Begins []*logic.Term
	Shared []*logic.Term
	// Returns are the edges of Words by which it comes back, Over those by which it passes over a call of
	// itself, Again those by which it begins anew.
	Returns, Over []Passed
	Again         []int
	// Types are those of all these terms, and Result that of what it returns, nil if that is no number.
	Types  map[*logic.Term]*ir.Type
	Result *ir.Type

	depth int // of its activation
}

// Deeper is how many activations an edge of Words leaves behind that are not in its frame: it begins a routine anew.
func (e *Encoding) Deeper(edge int) int {
	for _, r := range e.Recursions {
		if slices.Contains(r.Again, edge) {
			return e.FrameOf(edge).Depth + 1 - r.depth
		}
	}
	return 0
}

// Passed is an edge by which an activation comes back, or by which one is passed over.
type Passed struct {
	Edge   int
	Given  []*logic.Term               // of Over: what the inner one begins with, as Recursion.Begins
	Result *logic.Term                 // over variables and inputs of the edge; nil: it is not known
	After  map[*logic.Term]*logic.Term // what variables of Recursion.Shared are then
}

// recursions collects them from the alternatives, which are the edges.
func (b *builder) recursions(e *Encoding, alts []placed, changed map[*Frame][]*cell) (all []Recursion) {
	known := map[*Frame]int{}
	of := func(f *Frame) *Recursion {
		if _, is := known[f]; !is {
			known[f] = len(all)
			r := Recursion{Func: f.Func, Begin: b.component.unreturned.begin[f], Types: map[*logic.Term]*ir.Type{}, depth: f.Depth}
			if t := f.Func.Type.Result; t.Kind == ir.Integer {
				r.Result = t
			}
			for _, p := range f.Func.Params {
				var x *logic.Term
				for _, at := range b.mem.ofVar(p).sorted() {
					if p.Type.Kind == ir.Integer && at.run == nil && at.key.off == 0 && at.t.Size == p.Type.Size {
						x = at.variable(b.mem, words{})
						r.Types[x] = p.Type
					}
				}
				r.Begins = append(r.Begins, x)
			}
			for _, at := range changed[f] {
				if x := at.variable(b.mem, words{}); at.run == nil && at.t.Kind == ir.Integer && at.key.bits == 0 && at.key.off >= 0 {
					r.Types[x] = at.t
					r.Shared = append(r.Shared, x)
				}
			}
			all = append(all, r)
		}
		return &all[known[f]]
	}
	for i, a := range alts {
		w := a.words
		if w.over == nil || a.lost != "" {
			continue
		}
		r := of(w.over)
		r.Over = append(r.Over, Passed{Edge: i, Given: w.given, Result: w.result, After: e.Words.Edges[i].Command.Update})
	}
	for i, a := range alts {
		w := a.words
		for f, n := range known {
			switch r := &all[n]; {
			case a.lost != "" || !a.step.frame.within(f):
			case w.back == f:
				r.Returns = append(r.Returns, Passed{Edge: i, Result: w.result, After: e.Words.Edges[i].Command.Update})
			case w.down && a.to == r.Begin:
				r.Again = append(r.Again, i)
			}
		}
	}
	return all
}
