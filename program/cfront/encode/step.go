package encode

import (
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program/cfront"
)

// store assigns an expression to a place.
func (c *context) store(to cfront.Place, e cfront.Expr) {
	switch {
	case to.Type.Aggregate():
		c.copy(to, e)
	case to.Type.Kind == cfront.Float:
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
func (c *context) put(to cfront.Place, v value) {
	at := c.cell(to)
	if at == nil {
		return
	}
	if to.Bits > 0 {
		v = c.a.narrow(to.Type, v, to.Bits)
	}
	c.updates[at] = v.t
}

// copy assigns an aggregate, scalar by scalar.
func (c *context) copy(to cfront.Place, e cfront.Expr) {
	load, ok := e.(*cfront.Load)
	parts, known := leaves(to.Type)
	if !ok || !known {
		refuse(c.span, "c-copy", "assign the members one by one", "%s is copied as a whole, which is not supported", to.Type)
	}
	from, at := c.locate(load.From), c.locate(to)
	if at.obj == nil {
		return
	}
	if from.obj == nil {
		c.fills = append(c.fills, fill{at.obj, at.off, to.Type.Size, false})
		return
	}
	for _, l := range parts {
		src := c.b.mem.cell(from.obj, from.off+l.off, l.t, l.bitOff, l.bits, c.span)
		dst := c.b.mem.cell(at.obj, at.off+l.off, l.t, l.bitOff, l.bits, c.span)
		if src != dst {
			c.updates[dst] = src.variable(c.a)
		}
	}
}

// fill gives a place zeros, or any values.
func (c *context) fill(p cfront.Place, zero bool) {
	if p.Type.Aggregate() || zero {
		if at := c.locate(p); at.obj != nil {
			c.fills = append(c.fills, fill{at.obj, at.off, p.Type.Size, zero})
		}
		return
	}
	at := c.cell(p)
	if at == nil {
		c.choice(p.Type, p.Bits)
		return
	}
	if at.t.Kind == cfront.Float {
		c.updates[at] = c.free(at.t)
	} else {
		c.updates[at] = c.choice(at.t, at.key.bits).t
	}
}

// instr encodes an instruction that is no call.
func (c *context) instr(i cfront.Instr) {
	switch i := i.(type) {
	case *cfront.Assign:
		c.store(i.To, i.Value)
	case *cfront.Havoc:
		c.fill(i.To, false)
	case *cfront.Clear:
		c.fill(i.To, true)
	case *cfront.Assume:
		c.require(c.formula(i.Cond))
	}
}

// external encodes a call of a routine without a body: any result, and nothing else.
func (c *context) external(i *cfront.Call, f *cfront.Func) {
	for _, a := range i.Args {
		if a.Type().Scalar() {
			c.value(a)
		}
	}
	switch {
	case i.To == nil:
	case allocates[f.Name]:
		o := c.b.mem.ofSite(i)
		if f.Name == "calloc" || f.Name == "__builtin_calloc" {
			c.fills = append(c.fills, fill{o, 0, o.size, true})
		}
		c.put(*i.To, c.a.number(i.To.Type, o.base))
	default:
		c.fill(*i.To, false)
	}
}

// alternative is one way through a step, in both encodings.
type alternative struct {
	words, numbers *context
	lost           string
}

// maxAlternatives bounds the ways through one step.
const maxAlternatives = 4096

// alternatives runs the encoding of a step with every script.
func (b *builder) alternatives(s *step) (all []alternative) {
	var script, arity []int
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
		if len(all) > maxAlternatives {
			refuse(s.span, "c-pointers", "split the statement", "this statement reads or writes through too many pointers and indices")
		}
	}
}

// attempt encodes a step along a script, and goes on with the first way at each further
// decision.
func (b *builder) attempt(s *step, a arithmetic, script, arity []int) (c *context) {
	c = &context{b: b, a: a, span: s.span, script: append([]int{}, script...), arity: append([]int{}, arity...), updates: map[*cell]*logic.Term{}, domains: map[*logic.Term]*logic.Term{}}
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
		for _, at := range f.obj.sorted() {
			if at.first() >= f.off*8 && at.end() <= (f.off+f.size)*8 && c.updates[at] == nil {
				if f.zero {
					out[at.variable(c.a)] = c.a.number(at.t, 0).t
				} else {
					out[at.variable(c.a)] = c.input("start!"+at.name, at.t, at.key.bits)
				}
			}
		}
	}
	for at, v := range c.updates {
		out[at.variable(c.a)] = v
	}
	return out
}
