package encode

import (
	gocontext "context"
	"errors"
	"maps"
	"math/big"
	"slices"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// What a pointer from elsewhere points to is memory of its own, of which a step reads any value. The runs that
// are found so are shown only if they can be run with one memory: with what they read first at each address,
// as far as the program did not write there. Where a run needs more than one, another run along its steps is
// looked for (OneMemory).

// ownAccess is a value that a step reads from memory of its own, or writes to it, at an address: terms over the
// state before the step, and its inputs.
type ownAccess struct {
	at, value *logic.Term // nil: not told
	place     ir.Place
	writes    bool
}

func (a *ownAccess) size() int64 { return a.place.Type.Size }

// mixes reports accesses of which one is of an address, and the other one of a number: where both are of the same
// bytes, the run needs that objects lie at some place.
func (a *ownAccess) mixes(b *ownAccess) bool {
	return (a.place.Type.Kind == ir.Pointer) != (b.place.Type.Kind == ir.Pointer)
}

// accessesOwn notes what is read at a place in memory of its own, or written. Its indices are computed already,
// or are so without another way through the step.
func (c *context) accessesOwn(p ir.Place, v value, writes bool) {
	if writes && p.Type.Kind == ir.Integer && p.Type.Size == 1 && c.b.pts.mayBeWider(p.Ptr) {
		c.lose("a byte written by a pointer from elsewhere, which may point into an object of the program's,")
	}
	c.b.moved = c.b.moved || writes && c.b.pts.movedBeside(p)
	if writes && c.b.pts.mayBeOther(p) {
		c.lose("a value written by a pointer from elsewhere that was cast, which may point into an object of the program's,")
	}
	told := p.Bits == 0 && p.Type.Scalar() && v.t != nil
	for _, i := range p.Index {
		told = told && steady(i.By)
	}
	if told {
		c.owned = append(c.owned, ownAccess{c.addressOf(p).t, v.t, p, writes})
	} else {
		c.owned = append(c.owned, ownAccess{place: p, writes: writes})
	}
}

// OwnAccesses reports that a trace of Words reads from memory of its own behind so many steps, that it writes there, and
// that it reads elsewhere if these steps are done once more: an address is another one at the end, or is not known.
func (e *Encoding) OwnAccesses(t *program.Trace, behind int) (reads, writes, moves bool) {
	before, after := t.States[behind], t.States[len(t.Edges)]
	for i := behind; i < len(t.Edges); i++ {
		for _, a := range e.edges[t.Edges[i]].owned[0] {
			reads, writes = reads || !a.writes, writes || a.writes
			moves = moves || a.at == nil || slices.ContainsFunc(logic.Vars(a.at), func(v *logic.Term) bool {
				x, known := before[v.Name()]
				y, again := after[v.Name()]
				return !known || !again || x.Compare(y) != 0
			})
		}
	}
	return reads, writes, moves
}

// steady reports an integer that is computed from constants and whole variables, and always has a value.
func steady(e ir.Expr) bool {
	if e.Type().Kind != ir.Integer {
		return false
	}
	switch e := e.(type) {
	case *ir.Const:
		return true
	case *ir.Load:
		return e.From.Var != nil && len(e.From.Index) == 0
	case *ir.Convert:
		return steady(e.X)
	case *ir.Binary:
		return slices.Contains([]ir.Op{ir.Add, ir.Sub, ir.Mul, ir.BitAnd, ir.BitOr, ir.BitXor}, e.Op) && steady(e.X) && steady(e.Y)
	}
	return false
}

// ownMemory is what a trace has first at each address of memory of its own that it reads.
type ownMemory map[uint64]byte

// ownMemory collects that of a trace of Words or Numbers. An error if addresses in it are read as numbers, or the
// other way round.
func (e *Encoding) ownMemory(sys *program.System, t *program.Trace) (ownMemory, error) {
	own, pointers := ownMemory{}, map[uint64]bool{}
	var err error
	for i := range t.Edges {
		e.ownAccesses(sys, t, i, func(a *ownAccess, at uint64, v logic.Value) {
			pointer := a.place.Type.Kind == ir.Pointer
			for k := range uint64(a.size()) {
				if before, known := pointers[at+k]; known && before != pointer {
					err = errors.New("the run depends on where objects lie in memory")
				}
				pointers[at+k] = pointer
			}
			own.put(at, a.size(), wordOf(v))
		})
	}
	return own, err
}

// ownAccesses tells those of a step of a trace of Words or Numbers, but for what it does not have the values of.
func (e *Encoding) ownAccesses(sys *program.System, t *program.Trace, i int, tell func(a *ownAccess, at uint64, v logic.Value)) {
	all := e.edges[t.Edges[i]].owned[map[bool]int{true: 1}[sys == e.Numbers]]
	if len(all) == 0 {
		return
	}
	known := maps.Clone(t.States[i])
	maps.Copy(known, t.Inputs[i])
	for k := range all {
		if all[k].at == nil {
			continue
		}
		at, err := logic.Eval(all[k].at, known)
		if err != nil {
			continue
		}
		if v, err := logic.Eval(all[k].value, known); err == nil && v.Num() != nil {
			tell(&all[k], wordOf(at), v)
		}
	}
}

// put keeps what is read at an address, but for what was read or written there before.
func (m ownMemory) put(at uint64, size int64, bits uint64) {
	for k := range uint64(size) {
		if _, read := m[at+k]; !read {
			m[at+k] = byte(bits >> (8 * k))
		}
	}
}

// at is what is read at an address.
func (m ownMemory) at(at uint64, size int64) (bits uint64) {
	for k := range uint64(min(size, 8)) {
		bits |= uint64(m[at+k]) << (8 * k)
	}
	return bits
}

// Read are the values that a step of a trace of Words reads from memory of its own, those that were told before
// left out.
func (d *Describer) Read(t *program.Trace, i int) (all []Shown) {
	d.e.ownAccesses(d.e.Words, t, i, func(a *ownAccess, at uint64, v logic.Value) {
		if !d.read[at] && !a.writes {
			all = append(all, Shown{Name: ir.ShownText(&ir.Load{From: a.place}), Value: d.value(a.place.Type, v)})
		}
		d.read[at] = true
	})
	return all
}

// maxOwn bounds the accesses to memory of its own of a run that is to be one of one memory.
const maxOwn = 48

// OneMemory looks for a run along the edges of a trace of Words whose memory of its own is one memory: what is
// read at an address is what was read or written there last. Nil if there is none, or too much to look at.
// With an error of the solver, or of the context.
func (e *Encoding) OneMemory(ctx gocontext.Context, t *program.Trace, solver smt.Checker) (*program.Trace, error) {
	path := &program.Path{Vars: e.Words.Vars, Init: where(e.Words.Init, t.Start), Error: where(e.Words.Error, t.Location(e.Words, len(t.Edges)))}
	if path.Error.IsFalse() { // it leads to what is not modelled
		path.Error = logic.True()
	}
	accesses := 0
	for _, edge := range t.Edges {
		path.Steps = append(path.Steps, e.Words.Edges[edge].Command)
		accesses += len(e.edges[edge].owned[0])
	}
	u := path.Unroll()
	var all []ownAccess
	var apart []*logic.Term // what routines return is none of the program's addresses
	for i, edge := range t.Edges {
		for _, x := range e.edges[edge].returned {
			x = logic.Substitute(x, u.By[i+1])
			apart = append(apart, logic.Or(logic.Eq(x, logic.Zero(x.Sort()).Term()), far(x)))
		}
		for _, a := range e.edges[edge].owned[0] {
			if a.at != nil {
				a.at, a.value = logic.Substitute(a.at, u.By[i+1]), logic.Substitute(a.value, u.By[i+1])
				all = append(all, a)
			}
		}
	}
	if accesses > maxOwn || accesses == 0 && len(apart) == 0 {
		return nil, nil
	}
	conditions := append(u.Conditions, oneMemory(all)...)
	ways := [][]*logic.Term{e.afar(all), nil}
	if len(apart) > 0 {
		ways = [][]*logic.Term{append(e.afar(all), apart...), apart, e.afar(all), nil}
	}
	for _, also := range ways {
		status, m, err := smt.ModelOf(ctx, solver, append(conditions[:len(conditions):len(conditions)], also...)...)
		if err != nil {
			return nil, err
		}
		if status != smt.Sat {
			continue
		}
		run, err := u.Run(m)
		if err != nil {
			return nil, err
		}
		return &program.Trace{Start: t.Start, Edges: t.Edges, Execution: *run}, nil
	}
	return nil, nil
}

// where is the condition of regions at a location.
func where(regions []program.Region, location int) *logic.Term {
	var all []*logic.Term
	for _, r := range regions {
		if r.Location == location {
			all = append(all, r.Where)
		}
	}
	return logic.Or(all...)
}

// far has an address far away from the program's objects.
func far(at *logic.Term) *logic.Term {
	w := at.Sort().Width()
	return logic.Eq(logic.Extract(at, w-1, w-8), logic.BVConst(big.NewInt(0x40), 8))
}

// afar has addresses far away from the program's objects, and as C aligns what lies there.
func (e *Encoding) afar(all []ownAccess) (is []*logic.Term) {
	for _, a := range all {
		is = append(is, far(a.at))
		if bits := big.NewInt(a.size()).BitLen() - 1; bits > 0 {
			is = append(is, logic.Eq(logic.Extract(a.at, bits-1, 0), logic.BVConst(new(big.Int), bits)))
		}
	}
	return is
}

// oneMemory says of accesses, in their order, that their values are those of one memory; two that meet lie one
// in the other.
func oneMemory(all []ownAccess) (is []*logic.Term) {
	for j := range all {
		for i := range j {
			a, b := &all[i], &all[j]
			if a.mixes(b) {
				is = append(is, disjoint(a, b))
				continue
			}
			is = append(is, logic.Or(disjoint(a, b), within(a, b), within(b, a)))
			if b.writes {
				continue
			}
			var between []*logic.Term
			for k := i + 1; k < j; k++ {
				if all[k].writes {
					between = append(between, logic.Not(disjoint(&all[k], a)))
				}
			}
			is = append(is, logic.Or(append(between, logic.And(agree(a, b), agree(b, a)))...))
		}
	}
	return is
}

// behind is how far an address lies behind another one.
func behind(a, b *ownAccess) *logic.Term { return logic.BVSub(b.at, a.at) }

func bytesOf(a *ownAccess, n int64) *logic.Term {
	return logic.BVConst(big.NewInt(n), a.at.Sort().Width())
}

// disjoint says that two accesses are to different bytes.
func disjoint(a, b *ownAccess) *logic.Term {
	return logic.And(logic.BVULe(bytesOf(a, a.size()), behind(a, b)), logic.BVULe(bytesOf(a, b.size()), behind(b, a)))
}

// within says that the bytes of one access are some of another one.
func within(in, of *ownAccess) *logic.Term {
	if in.size() > of.size() {
		return logic.False()
	}
	return logic.BVULe(behind(of, in), bytesOf(of, of.size()-in.size()))
}

// agree says that an access has the part of another's value that lies at its bytes, if they are within it.
func agree(in, of *ownAccess) *logic.Term {
	var all []*logic.Term
	for k := int64(0); k+in.size() <= of.size(); k++ {
		part := logic.Extract(of.value, int(8*(k+in.size()))-1, int(8*k))
		all = append(all, logic.Or(logic.Ne(behind(of, in), bytesOf(of, k)), logic.Eq(in.value, part)))
	}
	return logic.And(all...)
}
