package encode

import (
	"slices"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
)

// Objects have a life: two that live at the same time have different addresses, and the address
// of one that has ended may be that of one which begins later. In the model each has an address of
// its own, for ever. So whether two addresses are equal is open if they are of objects of which
// one may have ended before the other began; which may be two lives of one variable.

// lives is what is known about the lives of objects.
type lives struct {
	kept   map[string]bool // outlived
	stack  map[*ir.Call]*ir.Func
	behind map[*object]map[int]bool
	pairs  map[[2]*object]bool
}

// reused is the condition that two values are addresses in objects that need not have lived at the
// same time: whether they are equal depends on the layout then.
func (c *context) reused(x, y ir.Expr) *logic.Term {
	var all []*logic.Term
	v, w := c.value(x), c.value(y)
	second := c.objects(c.b.pts.value(y))
	for _, o := range c.objects(c.b.pts.value(x)) {
		for _, other := range second {
			if !c.b.apartInTime(o, other) {
				continue
			}
			both := logic.And(c.ever(o, v), c.ever(other, w))
			if o == other && o.each() > 0 && !c.b.mixes(o) {
				both = logic.And(both, logic.Not(c.same(o, v, w)))
			}
			all = append(all, both)
		}
	}
	return logic.Or(all...)
}

// ever is the condition that an address was one in an object in some life of it, or of its end.
func (c *context) ever(o *object, v value) *logic.Term {
	if o.slot == 0 || o.stacked == nil && !c.b.mixes(o) {
		return c.in(o, v)
	}
	t := c.b.pointer
	return logic.And(c.a.compare(ir.Le, t, c.a.number(t, o.base), v), c.a.compare(ir.Lt, t, v, c.a.number(t, o.base+uint64(o.slot*o.many))))
}

// apartInTime reports that one of two objects may have ended before the other one began.
func (b *builder) apartInTime(o, other *object) bool {
	if o != other && o.v != nil && other.v != nil && o.v.Pooled() && other.v.Pooled() {
		return true // or of literals, which a compiler may make one of
	}
	b.findLives()
	key := [2]*object{o, other}
	known, is := b.lives.pairs[key]
	if !is {
		known = b.before(o, other) || b.before(other, o)
		b.lives.pairs[key] = known
	}
	return known
}

func (b *builder) findLives() {
	if b.lives != nil {
		return
	}
	b.lives = &lives{kept: map[string]bool{}, stack: stackSites(b.prog.Funcs), behind: map[*object]map[int]bool{}, pairs: map[[2]*object]bool{}}
	for _, name := range b.pts.outlived(b.entry, b.prog.Funcs, b.prog.Checks(ir.CheckMemory)) {
		b.lives.kept[name] = true
	}
}

// mixes reports that an address may be kept when the life of what it points to has ended, and another
// life begins which has the same number in the model.
func (b *builder) mixes(o *object) bool {
	b.findLives()
	switch {
	case o.fn != nil || o.value || o.owner == nil && o.site == nil || o.lives > 0:
		return false
	case o.site == nil:
		return b.lives.kept[o.owner.Name+"."+o.v.Name]
	case b.lives.stack[o.site] == nil: // on the heap each has a number of its own
		return false
	case o.scoped:
		return o.site.To == nil || o.site.To.Var == nil || b.lives.kept[b.lives.stack[o.site].Name+"."+o.site.To.Var.Name]
	}
	return b.lives.kept[b.lives.stack[o.site].Name+".alloca()"]
}

// before reports that an object may have ended before another one, or the same variable or call
// again, begins.
func (b *builder) before(o, other *object) bool {
	switch {
	case o.fn != nil || o.value || o.owner == nil && o.site == nil: // global, or given at the beginning
		return false
	case other.fn != nil || other.value || other.owner == nil && other.site == nil:
		return false
	case o == other && o.site != nil && o.slot == 0 && !o.scoped: // allocated once
		return false
	}
	switch {
	case o.scoped || o.stacked != nil:
		return true
	case other.site != nil && other.site.Moves && o.onHeap():
		return true
	case o.site == nil:
		return b.lives.kept[o.owner.Name+"."+o.v.Name]
	case o.site.Callee == nil || !o.site.Callee.OnHeap():
		return true // it ends with the routine that allocates it
	case b.apart != nil:
		return len(b.freed(o)) > 0
	}
	return b.beginsBehind(other, b.freed(o))
}

// freed are the steps that may free an object.
func (b *builder) freed(o *object) (all []*step) {
	for _, s := range b.frees {
		if slices.Contains(b.targeted(s.arg), o) {
			all = append(all, s.step)
		}
	}
	return all
}

// targeted are the objects that an argument may point into.
func (b *builder) targeted(e ir.Expr) []*object { return (&context{b: b}).objects(b.pts.value(e)) }

// beginsBehind reports that an object may begin behind one of some steps.
func (b *builder) beginsBehind(o *object, steps []*step) bool {
	if len(steps) == 0 || o.site == nil && o.owner == b.entry && o.v.Depth == 0 {
		return false
	}
	if o.site == nil {
		return true
	}
	if b.lives.behind[o] == nil { // from where the calls that allocate it can be reached
		into := make([][]int, len(b.names))
		for _, s := range b.steps {
			into[s.to] = append(into[s.to], s.from)
		}
		reach := map[int]bool{}
		work := lists.Append(nil, b.sites[o.site], func(s *step) int { return s.from })
		for len(work) > 0 {
			l := work[len(work)-1]
			if work = work[:len(work)-1]; !reach[l] {
				reach[l] = true
				work = append(work, into[l]...)
			}
		}
		b.lives.behind[o] = reach
	}
	return slices.ContainsFunc(steps, func(s *step) bool { return b.lives.behind[o][s.to] })
}
