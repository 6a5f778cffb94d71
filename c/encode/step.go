package encode

import (
	"fmt"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/logic"
)

// store assigns an expression to a place.
func (c *context) store(to ir.Place, e ir.Expr) {
	if to.Ptr != nil && len(c.b.pts.value(to.Ptr)) == 0 && (to.Type.Aggregate() || c.address(e)) {
		c.notNull(to.Ptr)
		c.lose("an address is stored where no object is")
	}
	switch {
	case to.Type.Aggregate():
		c.copy(to, e)
	case to.Type.Kind == ir.Float:
		c.fill(to, false)
	default:
		v := c.value(e)
		if to.Bits > 0 && c.address(e) {
			v = c.any(to.Type)
		}
		c.put(to, v)
	}
}

// put assigns a value to a scalar place.
func (c *context) put(to ir.Place, v value) {
	at := c.locate(to)
	if at.obj == nil {
		c.accessesOwn(to, v, true)
		return
	}
	if to.Bits > 0 {
		v = c.a.narrow(to.Type, v, to.Bits)
	}
	c.patch(at, to.Type.Size)
	c.write(at, to.Type, to.BitOff, to.Bits, v)
}

// copy assigns an aggregate.
func (c *context) copy(to ir.Place, e ir.Expr) {
	load, ok := e.(*ir.Load)
	if !ok {
		refuse(c.span, "c-copy", "assign the members one by one", "%s is copied as a whole, which is not supported", to.Type)
	}
	from, at := c.locate(load.From), c.locate(to)
	if from.obj == nil {
		c.accessesOwn(load.From, value{}, false)
	}
	switch {
	case at.obj == nil:
		c.accessesOwn(to, value{}, true)
	case from.obj == nil:
		c.refill(at, to.Type.Size, false)
	default:
		c.copyParts(at, from, to.Type.Size)
	}
}

// fill gives a place zeros, or any values.
func (c *context) fill(p ir.Place, zero bool) {
	if p.Type.Aggregate() || zero {
		if at := c.locate(p); at.obj != nil {
			c.refill(at, p.Type.Size, zero)
		} else {
			c.accessesOwn(p, value{}, true)
		}
		return
	}
	at := c.locate(p)
	switch {
	case at.obj == nil:
		c.accessesOwn(p, c.choice(p.Type, p.Bits), true)
	case p.Type.Kind == ir.Float:
		c.write(at, p.Type, 0, 0, value{t: c.free(p.Type)})
	default:
		c.patch(at, p.Type.Size)
		c.write(at, p.Type, p.BitOff, p.Bits, c.choice(p.Type, p.Bits))
	}
}

// keep is fill at the beginning of a component's own procedure: what has any value from the first
// position on keeps that. The machine asks for the value of a scalar, and is given the same.
func (c *context) keep(p ir.Place) {
	if p.Type.Aggregate() {
		return
	}
	at := c.locate(p)
	if at.obj == nil || p.Type.Kind == ir.Float {
		c.fill(p, false)
		return
	}
	now, again := c.read(at, p.Type, p.BitOff, p.Bits), c.choice(p.Type, p.Bits)
	c.require(logic.Eq(now.t, again.t))
}

// refill fills bytes, once all cells are known.
func (c *context) refill(at spot, size int64, zero bool) {
	if r := at.run; r != nil && (!at.known || at.abs > r.lo || at.abs+size < r.hi) && size/r.unit > maxParts {
		c.lose("a part of an array of more than %d elements is filled", maxParts)
	}
	c.patch(at, size)
	c.cut(at, size)
	c.fills = append(c.fills, fill{at, size, zero})
}

// instr encodes an instruction that is no call.
func (c *context) instr(i ir.Instr) {
	switch i := i.(type) {
	case *ir.Assign:
		c.store(i.To, i.Value)
	case *ir.Havoc:
		c.fill(i.To, false)
	case *ir.Clear:
		c.fill(i.To, true)
	case *ir.End:
		c.endsBlock(i)
	case *ir.Assume:
		c.require(c.formula(i.Cond))
	case *ir.Use:
		if load, ok := i.Value.(*ir.Load); ok && !load.Type().Scalar() {
			c.locate(load.From)
		} else {
			c.value(i.Value)
		}
	}
}

// external encodes a call of a routine without a body: any result that it has, and nothing else.
func (c *context) external(i *ir.Call, f *ir.Func) {
	for _, a := range i.Args {
		if a.Type().Scalar() {
			c.value(a)
		}
	}
	if why := f.Unmodelled(i); why != "" {
		c.called = true
		c.lose("%s", why)
	}
	switch {
	case allocates(f):
		c.allocate(i, f)
	case f.Asks() != ir.NoQuestion:
		c.asks(i, f)
	case f.Frees() && len(i.Args) == 1:
		c.giveBack(i.Args[0])
	case i.To != nil:
		if low, high, bounded := f.Known.Range(i.To.Type); bounded {
			c.between(*i.To, low, high)
		} else {
			known := len(c.choices)
			c.fill(*i.To, false)
			if i.To.Type.Kind == ir.Pointer {
				c.returned = append(c.returned, c.choices[known:]...)
			}
		}
	}
}

// between gives a place any number between two.
func (c *context) between(p ir.Place, low, high int64) {
	at, t := c.locate(p), p.Type
	v := c.choice(t, p.Bits)
	c.require(c.a.compare(ir.Le, t, c.a.number(t, uint64(low)), v))
	c.require(c.a.compare(ir.Le, t, v, c.a.number(t, uint64(high))))
	if at.obj != nil {
		c.patch(at, t.Size)
		c.write(at, t, p.BitOff, p.Bits, v)
	}
}

// alternative is one way through a step, in both encodings.
type alternative struct {
	words, numbers *context
	lost           string
}

// maxAlternatives bounds the ways through one step.
const maxAlternatives = 256

// alternatives runs the encoding of a step with every script.
func (b *builder) alternatives(s *step) (all []alternative) {
	b.tick()
	var script, arity []int
	ways := 0
	for {
		w := b.attempt(s, words{}, script, arity)
		script, arity = w.script, w.arity
		if !logic.And(w.guards...).IsFalse() {
			n := b.attempt(s, numbers{}, script, arity)
			all = append(all, alternative{w, n, w.lost})
		}
		last := len(script) - 1
		for last >= 0 && script[last]+1 >= arity[last] {
			last--
		}
		if last < 0 {
			return all
		}
		script, arity = append([]int{}, script[:last+1]...), append([]int{}, arity[:last+1]...)
		script[last]++
		if ways++; ways > maxAlternatives && !s.narrow {
			s.narrow, b.again = true, true
			return nil
		}
		if ways > maxAlternatives {
			refuse(s.span, "c-pointers", "split the statement", "this statement reads or writes through too many pointers and indices")
		}
	}
}

// attempt encodes a step along a script, and goes on with the first way at each further
// decision.
func (b *builder) attempt(s *step, a arithmetic, script, arity []int) (c *context) {
	c = &context{b: b, a: a, span: s.span, branches: maxBranches, script: append([]int{}, script...), arity: append([]int{}, arity...), values: map[ir.Expr]value{}, updates: map[*cell]*logic.Term{}, domains: map[*logic.Term]*logic.Term{}}
	if s.narrow {
		c.branches = 1
	}
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(lostWay); !ok {
				panic(r)
			}
			c.updates, c.fills = map[*cell]*logic.Term{}, nil
		}
	}()
	s.do(c)
	return c
}

// update are the assignments of a context, now that all cells are known.
func (c *context) update() map[*logic.Term]*logic.Term {
	out := map[*logic.Term]*logic.Term{}
	for _, f := range c.fills {
		c.fillCells(f, out)
	}
	for at, v := range c.updates {
		out[at.variable(c.b.mem, c.a)] = v
	}
	return out
}

// fillCells assigns to the cells that lie in filled bytes.
func (c *context) fillCells(f fill, out map[*logic.Term]*logic.Term) {
	filling := func(at *cell) *logic.Term {
		if f.zero {
			return c.a.number(at.t, 0).t
		}
		return c.input("start!"+at.name, at.t, at.key.bits)
	}
	for _, at := range f.spot.obj.sorted() {
		if at.key.off < 0 || c.updates[at] != nil {
			continue
		}
		x := at.variable(c.b.mem, c.a)
		switch {
		case at.run == nil && f.spot.known:
			if at.first() >= f.spot.abs*8 && at.end() <= (f.spot.abs+f.size)*8 {
				out[x] = filling(at)
			}
		case at.run == nil:
		case f.spot.known && f.spot.abs <= at.run.lo && at.run.hi <= f.spot.abs+f.size: // as a whole
			if out[x] = logic.Var("start!"+at.name, x.Sort()); f.zero {
				out[x] = logic.ConstArray(x.Sort(), c.a.number(at.t, 0).t)
			} else {
				c.inputs, c.domains[out[x]] = append(c.inputs, out[x]), logic.True()
			}
		case f.spot.known && (at.run.hi <= f.spot.abs || f.spot.abs+f.size <= at.run.lo):
		case f.spot.known || at.run == f.spot.run:
			c.fillElements(f, at, x, out)
		}
	}
}

// fillElements fills some elements of a run.
func (c *context) fillElements(f fill, at *cell, x *logic.Term, out map[*logic.Term]*logic.Term) {
	now := x
	for _, p := range c.parts(f.spot, f.size) {
		s := c.shift(f.spot, p.off)
		if s.run != at.run || s.off != at.key.off || p.t.Size != at.key.size || p.bitOff != at.key.bitOff || p.bits != at.key.bits {
			continue
		}
		v := c.a.number(at.t, 0).t
		if !f.zero {
			v = c.input(fmt.Sprintf("start!%s!%d", at.name, p.off), at.t, at.key.bits)
		}
		now = logic.Store(now, s.at, v)
	}
	out[x] = now
}
