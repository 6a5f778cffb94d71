package shapes

import (
	"slices"
	"strings"

	"github.com/seltl/seltl/c/ir"
)

// external does what a routine without a body does.
func (s *step) external(c *ir.Call, f *ir.Func) error {
	to, err := s.result(c)
	if err != nil {
		return err
	}
	var args []value
	for _, a := range c.Args {
		if !a.Type().Scalar() {
			return s.giveUp("a struct is given to %s()", f.Name)
		}
		v, err := s.eval(a)
		if err != nil {
			return err
		}
		args = append(args, v)
	}
	news, zeroed := f.Allocates()
	switch {
	case news:
		return s.allocate(c, f, args, zeroed, to)
	case f.Frees():
		return s.free(args)
	case f.Asks() == ir.AsksSize:
		p := args[0]
		if p.kind == address && s.objects[p.at].folded() {
			return looked{p.at, p.last}
		}
		if p.kind != address || p.off != 0 || !s.objects[p.at].heap || s.objects[p.at].size < 0 {
			return s.giveUp("the size of memory is asked for that is not known")
		}
		s.put(to, numeral(uint64(s.objects[p.at].size)))
		return nil
	case f.Asks() == ir.AsksApart:
		return s.apart(args)
	case f.Asks() == ir.AsksLeaks:
		return s.leaks()
	}
	if why := s.unknownCall(c, f, args); why != "" {
		return s.giveUp("%s", why)
	}
	if to != nil {
		n := anything
		if to.t.Scalar() {
			n = ofType(to.t)
			if low, high, ok := f.Known.Range(to.t); ok {
				n = numbers{known: true, low: low, high: high}
			}
		}
		s.put(to, s.fresh(n))
	}
	return nil
}

// unknownCall says why a call of a routine without a body is more than a result that may be any; "" if it is not.
func (s *step) unknownCall(c *ir.Call, f *ir.Func, args []value) string {
	name := f.Name
	if why := f.Unmodelled(c); why != "" {
		return why
	}
	if f.Specified || f.Telling != nil || f.HasEvents || f.Unread != nil {
		return name + "() is specified"
	}
	for _, a := range c.Args {
		if t := a.Type(); t.Kind == ir.Pointer && t.Elem != nil && t.Elem.Kind == ir.Function && !ir.IsNull(a) {
			return "a routine is given to " + name + "()"
		}
	}
	if f.Known == nil {
		return ""
	}
	if len(f.Known.Outputs) > 0 && !c.Filled {
		return "what " + name + "() writes is not known"
	}
	switch f.Known.Meaning {
	case ir.AsInput, ir.AsOnce, ir.AsSign, ir.AsUnknown, ir.AsMath:
	default:
		return name + "() is called"
	}
	plain := ir.PlainName(name)
	_, stream := ir.StreamArguments[strings.TrimSuffix(plain, "_unlocked")]
	if stream || ir.Indicator(f) != "" || ir.ClosesStream(plain) {
		return "a stream is given to " + name + "()"
	}
	if slices.Contains(ir.OfCharacters, plain) {
		if n := s.of(args[0], c.Args[0].Type()); !n.known || n.low < -1 || n.high > 255 {
			return name + "() may be given what is no character"
		}
	}
	for i, a := range c.Args {
		if a.Type().Kind == ir.Pointer {
			if v := args[i]; v.kind != address || s.objects[v.at] == nil || s.objects[v.at].v == nil || s.objects[v.at].v.Literal == "" {
				return "a pointer is given to " + name + "()"
			}
		}
	}
	return ""
}

// put stores the result of a call.
func (s *step) put(to *target, v value) {
	if to == nil {
		return
	}
	x := spot{at: to.at.at, off: to.at.off, end: to.at.off + to.t.Size}
	if !to.t.Scalar() {
		s.own(x.at).forget(x.off, to.t.Size)
		return
	}
	s.store(x, to.t, to.bits, v)
}

// mostAllocated bounds one allocation of which scalars are looked at, in bytes.
const mostAllocated = 1 << 24

// allocate makes memory. It succeeds; where it may fail, the program has another way.
func (s *step) allocate(c *ir.Call, f *ir.Func, args []value, zeroed bool, to *target) error {
	size := int64(1)
	for i, a := range args {
		n := s.of(a, c.Args[i].Type())
		if a.kind != number || !n.known || n.low < 0 || n.low > mostAllocated || size*n.low > mostAllocated {
			size = -1
			break
		}
		size *= n.low
	}
	if len(args) == 0 || size < 0 && f.Name == ir.ArrayRoutine {
		return s.giveUp("memory is allocated whose size is not known")
	}
	if f.Name == ir.ArrayRoutine && c.To != nil && c.To.Var != nil && s.prog.BlockEnds {
		s.ended(c.To.Var) // it is made again
		var err error
		if to, err = s.result(c); err != nil {
			return err
		}
	}
	o := s.add(object{size: size, heap: f.OnHeap(), zeroed: zeroed})
	if !f.OnHeap() {
		s.setTop(func(g *frame) { g.also = append(slices.Clone(g.also), o) })
	}
	s.put(to, value{kind: address, at: o})
	return nil
}

// free gives memory back.
func (s *step) free(args []value) error {
	if len(args) != 1 {
		return s.giveUp("free() is called with other arguments")
	}
	switch p := args[0]; {
	case p.kind == number && p.bits == 0:
		return nil
	case p.kind == address && s.objects[p.at].folded():
		return looked{p.at, p.last}
	case p.kind != address || p.off != 0 || !s.objects[p.at].heap:
		return s.giveUp("it is not known what is freed")
	default:
		s.kill(p.at)
		return nil
	}
}

// apart checks that what memcpy copies does not overlap with where it goes.
func (s *step) apart(args []value) error {
	x, y, n := args[0], args[1], args[2]
	for _, v := range []value{x, y} {
		if v.kind == address && s.objects[v.at].folded() {
			return looked{v.at, v.last}
		}
	}
	if x.kind == address && y.kind == address && x.at != y.at || n.kind == number && n.bits == 0 {
		return nil
	}
	if x.kind == address && y.kind == address && n.kind == number && n.bits < mostAllocated {
		if x.off+int64(n.bits) <= y.off || y.off+int64(n.bits) <= x.off {
			return nil
		}
	}
	return s.giveUp("what is copied may overlap with where it goes")
}

// leaks checks that all memory has been freed, where the program ends.
func (s *step) leaks() error {
	_, stops := s.top().b.End.(*ir.Stop)
	if len(s.frames) > 1 && !stops {
		return nil
	}
	if s.lost || slices.ContainsFunc(s.objects, func(o *object) bool { return o != nil && o.heap }) {
		return s.giveUp("memory may not be freed")
	}
	return nil
}
