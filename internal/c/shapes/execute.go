package shapes

import (
	"slices"

	"github.com/seltl/seltl/c/ir"
)

// instr executes an instruction but a call of a routine that has a body.
func (s *step) instr(i ir.Instr) error {
	s.span = i.At()
	switch i := i.(type) {
	case *ir.Assign:
		return s.assign(i)
	case *ir.Havoc:
		to, err := s.place(i.To)
		if err == nil {
			s.havoc(to, i.To)
		}
		return err
	case *ir.Clear:
		to, err := s.place(i.To)
		switch {
		case err != nil:
		case to.wide:
			err = s.giveUp("what an index that is not known leads to is cleared")
		default:
			s.clear(to, i.To.Type)
		}
		return err
	case *ir.Assume:
		possible, err := s.assume(i.Cond, true)
		if err == nil && !possible {
			err = errEnds
		}
		return err
	case *ir.Use:
		if load, ok := i.Value.(*ir.Load); ok && !load.Type().Scalar() {
			_, err := s.locate(load.From)
			return err
		}
		_, err := s.eval(i.Value)
		return err
	case *ir.End:
		for _, v := range i.Vars {
			s.ended(v)
		}
		return nil
	}
	return s.giveUp("an instruction that is not known")
}

// place finds one that is stored to.
func (s *step) place(p ir.Place) (spot, error) {
	x, err := s.locate(p)
	if err == nil && p.Var == nil {
		if v := s.objects[x.at].v; v != nil && (v.Const || v.Literal != "") {
			err = s.giveUp("an object may be changed that is constant")
		}
	}
	return x, err
}

// store stores a scalar.
func (s *step) store(to spot, t *ir.Type, bits bool, v value) {
	o := s.own(to.at)
	if to.wide || bits || t.Kind == ir.Float {
		o.forget(to.off, to.end-to.off)
		return
	}
	o.set(to.off, t, v)
}

func (s *step) assign(i *ir.Assign) error {
	to, err := s.place(i.To)
	if err != nil {
		return err
	}
	if !i.To.Type.Aggregate() {
		if i.Value.Type().Kind == ir.Float {
			s.store(to, i.To.Type, false, value{})
			return nil
		}
		v, err := s.eval(i.Value)
		if err == nil {
			s.store(to, i.To.Type, i.To.Bits > 0, v)
		}
		return err
	}
	from, err := s.locate(i.Value.(*ir.Load).From)
	if err == nil {
		err = s.copies(to, from, i.To.Type, i.Apart)
	}
	return err
}

// copies copies an aggregate.
func (s *step) copies(to, from spot, t *ir.Type, apart bool) error {
	if to.wide || from.wide {
		return s.giveUp("what an index that is not known leads to is copied")
	}
	if to.at == from.at && to.off < from.end && from.off < to.end {
		if apart || to.off != from.off {
			return s.giveUp("what is copied may overlap with where it goes")
		}
		return nil
	}
	src := s.objects[from.at]
	o := s.own(to.at)
	if whole := src.zeroed && to.off == 0 && to.end == o.size; whole {
		o.fields, o.zeroed = nil, true
	} else if o.forget(to.off, t.Size); src.zeroed {
		for off, scalar := range scalars(t) {
			o.set(to.off+off, scalar, numeral(0))
		}
	}
	for _, f := range slices.Clone(src.fields) {
		switch {
		case f.off >= from.off && f.until() <= from.end:
			o.set(f.off-from.off+to.off, f.t, f.v)
		case f.off < from.end && from.off < f.until(): // a part of it
			o.forget(max(f.off, from.off)-from.off+to.off, min(f.until(), from.end)-max(f.off, from.off))
		}
	}
	return nil
}

// havoc makes what is at a place any value.
func (s *step) havoc(to spot, p ir.Place) {
	o := s.own(to.at)
	if o.forget(to.off, to.end-to.off); !to.wide && p.Bits == 0 && p.Type.Scalar() {
		o.set(to.off, p.Type, s.fresh(ofType(p.Type)))
	}
}

// manyScalars is how many are looked at one by one.
const manyScalars = 64

// scalars are those of a type that lie side by side, with their offsets; nil if they are too many, or not known.
func scalars(t *ir.Type) map[int64]*ir.Type {
	all := map[int64]*ir.Type{}
	var visit func(t *ir.Type, off int64) bool
	visit = func(t *ir.Type, off int64) bool {
		switch {
		case t.Kind == ir.Integer, t.Kind == ir.Pointer, t.Kind == ir.IEEE:
			all[off] = t
			return len(all) <= manyScalars
		case t.Kind == ir.Array && t.Len >= 0 && t.Len <= manyScalars:
			for i := range t.Len {
				if !visit(t.Elem, off+i*t.Elem.Size) {
					return false
				}
			}
			return true
		case t.Kind == ir.Struct && !t.Union:
			for _, f := range t.Fields {
				if f.Bits == 0 && !visit(f.Type, off+f.Off) {
					return false
				}
			}
			return !slices.ContainsFunc(t.Fields, func(f ir.Field) bool { return f.Bits > 0 })
		}
		return false
	}
	if !visit(t, 0) {
		return nil
	}
	return all
}

// clear stores zeros.
func (s *step) clear(to spot, t *ir.Type) {
	o := s.own(to.at)
	if to.off == 0 && to.end == o.size {
		o.fields, o.zeroed = nil, true
		return
	}
	zeroed, part := o.zeroed, slices.ContainsFunc(o.fields, func(f field) bool {
		return f.off < to.end && to.off < f.until() && (f.off < to.off || f.until() > to.end)
	})
	if o.forget(to.off, to.end-to.off); zeroed && !part {
		o.zeroed = true
		return
	}
	for off, scalar := range scalars(t) {
		o.set(to.off+off, scalar, numeral(0))
	}
}

// ended ends the life of a local, or of the array of variable length that it points to.
func (s *step) ended(v *ir.Var) {
	at := s.top().vars[s.indices[v]]
	if v.Type.Kind == ir.Pointer {
		if i, exact, overlaps := s.objects[at].find(0, v.Type.Size); exact && !overlaps {
			if p := s.objects[at].fields[i].v; p.kind == address && slices.Contains(s.top().also, p.at) {
				s.kill(p.at)
				return
			}
		}
	}
	n := s.add(object{v: v, size: v.Type.Size}) // what comes next at its name is another object
	s.kill(at)
	k := s.indices[v]
	s.setTop(func(f *frame) {
		f.vars = slices.Clone(f.vars)
		f.vars[k] = n
	})
}

// enter begins a routine, whose arguments have been evaluated.
func (s *step) enter(c *ir.Call, f *ir.Func) error {
	if len(f.Params) != len(c.Args) || !f.Takes(c) {
		return s.giveUp("a call with other arguments than the routine has")
	}
	to, err := s.result(c)
	if err != nil {
		return err
	}
	args, from := make([]value, len(c.Args)), make([]spot, len(c.Args))
	for i, a := range c.Args {
		switch {
		case a.Type().Kind == ir.Struct:
			from[i], err = s.locate(a.(*ir.Load).From)
		case a.Type().Scalar():
			args[i], err = s.eval(a)
		}
		if err != nil {
			return err
		}
	}
	s.push(f, to)
	for i, p := range f.Params {
		o := s.top().vars[i]
		switch {
		case p.Type.Scalar():
			s.own(o).set(0, p.Type, s.passed(args[i], c.Args[i].Type(), p.Type))
		case p.Type.Kind == ir.Struct:
			if err := s.copies(spot{at: o, end: p.Type.Size}, from[i], p.Type, false); err != nil {
				return err
			}
		}
	}
	return nil
}

// passed is a value as one of the type of what it is stored to, which is as wide.
func (s *step) passed(v value, from, to *ir.Type) value {
	if from.Kind == to.Kind && from.Signed == to.Signed && from.Size == to.Size && from.Bool == to.Bool {
		return v
	}
	if from.FloatingPoint() || to.FloatingPoint() {
		return s.fresh(ofType(to))
	}
	return s.converted(v, from, to)
}

// result finds where the result of a call goes; nil if it goes nowhere.
func (s *step) result(c *ir.Call) (*target, error) {
	if c.To == nil {
		return nil, nil
	}
	x, err := s.place(*c.To)
	switch {
	case err != nil:
		return nil, err
	case x.wide:
		return nil, s.giveUp("a result goes to where an index that is not known leads")
	}
	return &target{at: value{kind: address, at: x.at, off: x.off}, t: c.To.Type, bits: c.To.Bits > 0}, nil
}

// push begins an activation.
func (s *step) push(f *ir.Func, to *target) {
	g := &frame{f: f, b: f.Blocks[0], to: to}
	for _, v := range slices.Concat(f.Params, f.Locals) {
		g.vars = append(g.vars, s.add(object{v: v, size: v.Type.Size}))
	}
	s.frames = append(s.frames, g)
}

// leave returns from a routine.
func (s *step) leave(t *ir.Return) error {
	f := s.top()
	var v value
	var from spot
	var err error
	valued := t.Value != nil && t.Value.Type().Kind != ir.Float
	if valued && t.Value.Type().Kind == ir.Struct {
		from, err = s.locate(t.Value.(*ir.Load).From)
	} else if valued {
		v, err = s.eval(t.Value)
	}
	if err != nil {
		return err
	}
	if f.to != nil {
		switch {
		case f.to.at.kind != address:
			return s.giveUp("where a result goes has ended")
		case s.objects[f.to.at.at].folded():
			return looked{f.to.at.at, f.to.at.last}
		}
		to := spot{at: f.to.at.at, off: f.to.at.off, end: f.to.at.off + f.to.t.Size}
		switch {
		case !valued:
			s.havoc(to, ir.Place{Type: f.to.t, Bits: map[bool]int{true: 1}[f.to.bits]})
		case f.to.t.Kind == ir.Struct:
			err = s.copies(to, from, f.to.t, false)
		default:
			s.store(to, f.to.t, f.to.bits, s.passed(v, t.Value.Type(), f.to.t))
		}
	}
	s.frames = s.frames[:len(s.frames)-1]
	for _, o := range slices.Concat(f.vars, f.also) {
		if s.objects[o] != nil {
			s.kill(o)
		}
	}
	return err
}
