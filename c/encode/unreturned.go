package encode

import (
	"slices"
	"strings"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/logic"
)

// Where it is asked whether a component ends, a routine may call itself ([CookPodelskiRybalchenko09]): a run that goes on for
// ever either comes back from each such call that it waits for, or is inside of one for ever. So such a
// call has two ways. One begins the routine anew, and never comes back: the activations around it do no more, and its
// variables are taken for the new one. The other one stands for a call that comes back, whatever it does: what the
// routine may assign to has any values, and so has the result. There are more runs than those of the program,
// and none of those that are endless is lost.
type unreturned struct {
	calls map[*cfront.Func]map[*cfront.Func]bool // closed
	begin map[*Frame]int
	// inner says of a routine that calls itself whether the activation is inside of another one.
	inner map[*cfront.Func]*cfront.Var
}

// unreturned prepares the calls of routines to themselves; nil: these are refused.
func (b *builder) unreturned() *unreturned {
	if b.component == nil || !b.component.ctx.Ends {
		return nil
	}
	if b.component.unreturned == nil {
		u := &unreturned{calls: b.pts.calls(b.prog.Funcs), begin: map[*Frame]int{}, inner: map[*cfront.Func]*cfront.Var{}}
		closure(u.calls)
		for f := range u.calls {
			if u.calls[f][f] {
				v := &cfront.Var{Name: f.Name + " inside of itself", Type: b.word, Kind: cfront.Local, Span: f.Span, Ghost: true}
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
func (c *context) nested(f *cfront.Func, inside uint64) {
	if u := c.b.unreturned(); u != nil && u.inner[f] != nil {
		c.put(wholeOf(u.inner[f]), c.a.number(c.b.word, inside))
	}
}

// outermost requires that an activation is not inside of another one of its routine: those do not return.
func (c *context) outermost(f *cfront.Func) {
	if u := c.b.unreturned(); u != nil && u.inner[f] != nil {
		c.require(c.a.compare(cfront.Eq, c.b.word, c.value(loadOf(u.inner[f])), c.a.number(c.b.word, 0)))
	}
}

// reentered encodes a call of a routine that has an activation, and reports that it is one.
func (b *builder) reentered(call *cfront.Call, f *cfront.Func, in *Frame, now, next int, when func(*context)) bool {
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
	})
	over := b.step(in, now, next, call.Span, func(x *context) {
		when(x)
		for _, a := range call.Args {
			if a.Type().Scalar() {
				x.value(a)
			}
		}
		if x.over = outer; call.To != nil {
			x.fill(*call.To, false)
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
		b.pts.eachCall(g.Func, func(h *cfront.Func) { computed = computed || h.Name == cfront.ArrayRoutine })
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
	var taken map[*cfront.Var]bool
	shared := func(o *object) bool { return o.v == nil || o.owner == nil || taken[o.v] }
	all := map[*Frame][]*cell{}
	for _, over := range alts {
		outer := over.words.over
		if outer == nil || all[outer] != nil {
			continue
		}
		if taken == nil {
			taken = map[*cfront.Var]bool{}
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
