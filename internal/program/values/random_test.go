package values

import (
	"fmt"
	"math/big"
	"math/rand/v2"

	"github.com/seltl/seltl/logic"
)

// widths of bit-vectors in random terms: those at which something changes. Beyond 64 there
// are no values.
var widths = []int{1, 2, 3, 8, 16, 31, 32, 33, 63, 64, 65, 100}

// each is how many variables there are of a sort.
const each = 3

// terms makes random terms.
type terms struct {
	contents *contents // of all worlds
	*rand.Rand
	sorts []*logic.Sort // of the variables
	vars  []*logic.Term // each of every sort
}

// newTerms returns a source of terms of Bool and some sorts; all means every sort.
func newTerms(r *rand.Rand, all bool) *terms {
	g := &terms{Rand: r, sorts: []*logic.Sort{logic.Bool}}
	if all {
		g.sorts = append(g.sorts, logic.Int, logic.Real, logic.ArrayOf(logic.Int, logic.Int), logic.ArrayOf(logic.BitVec(8), logic.BitVec(64)))
		for _, w := range widths {
			g.sorts = append(g.sorts, logic.BitVec(w))
		}
	} else {
		for range 1 + r.IntN(2) {
			g.sorts = append(g.sorts, logic.Int, logic.BitVec(widths[r.IntN(len(widths)-2)]))
		}
	}
	for i, s := range g.sorts {
		for k := range each {
			g.vars = append(g.vars, logic.Var(fmt.Sprintf("x%d.%d", i, k), s))
		}
	}
	return g
}

// number returns a number that is small or near to where something changes, mostly.
func (g *terms) number() *big.Int {
	n := big.NewInt(int64(g.IntN(7) - 3))
	switch g.IntN(8) {
	case 0:
		n.Add(n, new(big.Int).Lsh(big.NewInt(1), uint(widths[g.IntN(len(widths))])))
	case 1:
		n.Lsh(big.NewInt(int64(2*g.IntN(2)-1)), 63)
		n.Add(n, big.NewInt(int64(g.IntN(2))))
	case 2:
		n.SetUint64(g.Uint64() >> g.IntN(64))
	}
	return n
}

func (g *terms) constant(s *logic.Sort) *logic.Term {
	switch s.Kind() {
	case logic.BoolKind:
		return logic.BoolConst(g.IntN(2) == 0)
	case logic.ArrayKind:
		return logic.ConstArray(s, g.constant(s.Element()))
	case logic.BitVecKind:
		return logic.BVConst(g.number(), s.Width())
	}
	return logic.Number(new(big.Rat).SetInt(g.number()), s)
}

func (g *terms) leaf(s *logic.Sort) *logic.Term {
	var fit []*logic.Term
	for _, v := range g.vars {
		if v.Sort() == s {
			fit = append(fit, v)
		}
	}
	if len(fit) == 0 || g.IntN(4) == 0 {
		return g.constant(s)
	}
	return fit[g.IntN(len(fit))]
}

// sort returns one of the sorts that some condition holds of.
func (g *terms) sort(fits func(*logic.Sort) bool) *logic.Sort {
	var some []*logic.Sort
	for _, s := range g.sorts {
		if fits(s) {
			some = append(some, s)
		}
	}
	return some[g.IntN(len(some))]
}

// term returns a random term with all operators that there are of its sort.
func (g *terms) term(s *logic.Sort, depth int) *logic.Term {
	if depth == 0 || g.IntN(8) == 0 {
		return g.leaf(s)
	}
	sub := func(s *logic.Sort) *logic.Term { return g.term(s, depth-1) }
	if g.IntN(8) == 0 {
		return logic.Ite(sub(logic.Bool), sub(s), sub(s))
	}
	for _, a := range g.sorts {
		if a.Kind() == logic.ArrayKind && a.Element() == s && g.IntN(6) == 0 {
			return logic.Select(sub(a), sub(a.Index()))
		}
	}
	switch s.Kind() {
	case logic.BoolKind:
		return g.formula(depth)
	case logic.ArrayKind:
		return logic.Store(sub(s), sub(s.Index()), sub(s.Element()))
	case logic.BitVecKind:
		return g.word(s, depth)
	}
	a, b := sub(s), sub(s)
	if s == logic.Int && len(g.sorts) > 6 && g.IntN(10) == 0 {
		return logic.Floor(sub(logic.Real))
	}
	if s == logic.Int && g.IntN(6) == 0 {
		return []func(a, b *logic.Term) *logic.Term{logic.IntDiv, logic.IntMod}[g.IntN(2)](a, b)
	}
	switch g.IntN(7) {
	case 0:
		return logic.Mul(a, b)
	case 1, 2:
		return logic.Scale(new(big.Rat).SetInt(g.number()), a)
	case 3, 4:
		return logic.Add(a, b)
	}
	return logic.Sub(a, b)
}

func (g *terms) formula(depth int) *logic.Term {
	sub := func(s *logic.Sort) *logic.Term { return g.term(s, depth-1) }
	switch g.IntN(9) {
	case 0:
		return logic.Not(sub(logic.Bool))
	case 1:
		return logic.And(sub(logic.Bool), sub(logic.Bool), sub(logic.Bool))
	case 2:
		return logic.Or(sub(logic.Bool), sub(logic.Bool), sub(logic.Bool))
	case 3, 4:
		s := g.sorts[g.IntN(len(g.sorts))]
		return logic.Eq(sub(s), sub(s))
	case 5, 6:
		s := g.sort(func(s *logic.Sort) bool { return s.Arithmetic() })
		return []func(a, b *logic.Term) *logic.Term{logic.Le, logic.Lt}[g.IntN(2)](sub(s), sub(s))
	}
	s := g.sort(func(s *logic.Sort) bool { return s.Kind() == logic.BitVecKind })
	return []func(a, b *logic.Term) *logic.Term{logic.BVULe, logic.BVULt, logic.BVSLe, logic.BVSLt}[g.IntN(4)](sub(s), sub(s))
}

func (g *terms) word(s *logic.Sort, depth int) *logic.Term {
	sub := func(s *logic.Sort) *logic.Term { return g.term(s, depth-1) }
	w := s.Width()
	switch g.IntN(9) {
	case 0:
		return []func(a *logic.Term) *logic.Term{logic.BVNot, logic.BVNeg}[g.IntN(2)](sub(s))
	case 1:
		t := sub(g.sort(func(s *logic.Sort) bool { return s.Kind() == logic.BitVecKind }))
		if extra := t.Sort().Width() - w; extra >= 0 {
			lo := g.IntN(extra + 1)
			return logic.Extract(t, lo+w-1, lo)
		}
		return []func(*logic.Term, int) *logic.Term{logic.ZeroExtend, logic.SignExtend}[g.IntN(2)](t, w-t.Sort().Width())
	case 2:
		if w > 1 {
			lo := 1 + g.IntN(w-1)
			return logic.Concat(sub(logic.BitVec(w-lo)), sub(logic.BitVec(lo)))
		}
	case 3, 4:
		return logic.BVAdd(sub(s), sub(s))
	}
	ops := []logic.Op{logic.OpBVMul, logic.OpBVUDiv, logic.OpBVURem, logic.OpBVSDiv, logic.OpBVSRem, logic.OpBVAnd, logic.OpBVOr, logic.OpBVXor,
		logic.OpBVShl, logic.OpBVLShr, logic.OpBVAShr}
	return logic.BVOp(ops[g.IntN(len(ops))], sub(s), sub(s))
}

// world is an environment, and what its symbols stand for in one of the states that it
// represents.
type world struct {
	*terms
	compiler
	env   env
	means map[int32]*big.Int
	state logic.Model
}

// newWorld gives the variables numbers, symbols, or nothing.
func (g *terms) newWorld() *world {
	w := &world{terms: g, means: map[int32]*big.Int{}, state: logic.Model{}}
	if g.contents == nil {
		g.contents = newContents()
	}
	w.env.contents = g.contents
	w.nodes, w.slots = map[*logic.Term]*node{}, map[*logic.Term]int32{}
	for i, v := range g.vars {
		w.slots[v] = int32(i)
		w.env.kinds = append(w.env.kinds, kindOf(v.Sort()))
		w.env.active = append(w.env.active, int32(i))
	}
	w.env.stamp, w.env.since = 1, make([]uint64, len(g.vars))
	for i, v := range g.vars {
		w.env.slots = append(w.env.slots, w.value(v, int32(i/each)))
	}
	for i, v := range g.vars {
		if x := w.env.slots[i]; x.sym > 0 && v.Sort() != logic.Bool && g.IntN(3) == 0 {
			w.env.exclude(x.sym, w.number(w.env.kinds[i]))
		}
	}
	w.sample()
	return w
}

// value chooses one; there are two symbols for each sort.
func (w *world) value(v *logic.Term, sort int32) value {
	k := kindOf(v.Sort())
	if k == opaque {
		return none
	}
	if k == arrays {
		return constant(w.content(v.Sort()))
	}
	c := w.number(k)
	switch w.IntN(6) {
	case 0:
		return none
	case 1, 2:
		return constant(c)
	}
	if w.IntN(2) == 0 {
		c = 0
	}
	return value{1 + 2*sort + int32(w.IntN(2)), c}
}

// content knows something of an array.
func (w *world) content(s *logic.Sort) (array uint64) {
	index, of := kindOf(s.Index()), kindOf(s.Element())
	if w.IntN(3) == 0 {
		array = w.env.contents.constant(constant(w.number(of)))
	}
	for range w.IntN(4) {
		v := constant(w.number(of))
		if w.IntN(4) == 0 {
			v = none
		}
		array = w.env.contents.with(constant(array), constant(w.number(index)), v)
	}
	return array
}

// array is one that fits what is known.
func (w *world) array(x content, s *logic.Sort) logic.Value {
	index, of := kindOf(s.Index()), kindOf(s.Element())
	a := w.constant(s)
	if x.rest.sym == 0 {
		a = logic.ConstArray(s, of.term(x.rest.n))
	} else {
		a = logic.Store(a, w.constant(s.Index()), w.constant(s.Element()))
	}
	for _, el := range x.elements {
		v := w.constant(s.Element())
		if el.value.sym == 0 {
			v = of.term(el.value.n)
		}
		a = logic.Store(a, index.term(el.index), v)
	}
	value, err := logic.Eval(a, nil)
	if err != nil {
		panic(err)
	}
	return value
}

// agrees reports that a known value may stand for one of a state.
func (w *world) agrees(x value, s *logic.Sort, got logic.Value) bool {
	if kindOf(s) != arrays {
		return w.concrete(x, s).Compare(got) == 0
	}
	known := w.env.contents.all[x.n]
	at := []*logic.Term{w.constant(s.Index()), w.constant(s.Index()), w.constant(s.Index())}
	for _, el := range known.elements {
		at = append(at, kindOf(s.Index()).term(el.index))
	}
	for _, index := range at {
		want := known.rest
		for _, el := range known.elements {
			if kindOf(s.Index()).term(el.index) == index {
				want = el.value
			}
		}
		element, err := logic.Eval(logic.Select(got.Term(), index), nil)
		if err != nil || want.sym == 0 && element.Compare(valueOf(numberOf(want.n, kindOf(s.Element())), s.Element())) != 0 {
			return false
		}
	}
	return true
}

// number returns a random number as values have it.
func (w *world) number(k kind) uint64 {
	n := w.terms.number()
	if k == integer {
		return uint64(n.Int64())
	}
	return k.cut(new(big.Int).And(n, new(big.Int).SetUint64(minusOne)).Uint64())
}

// sample chooses another state that the environment represents.
func (w *world) sample() {
	clear(w.means)
	for i, v := range w.vars {
		x := w.env.slots[i]
		switch {
		case v.Sort().Kind() == logic.ArrayKind:
			w.state[v.Name()] = w.array(w.env.contents.all[x.n], v.Sort())
		case x.sym == unknown:
			w.state[v.Name()] = valueOf(w.terms.number(), v.Sort())
		default:
			for x.sym != 0 && (w.means[x.sym] == nil || w.excluded(x.sym, v.Sort())) {
				w.means[x.sym] = w.terms.number()
			}
			w.state[v.Name()] = w.concrete(x, v.Sort())
		}
	}
}

// excluded reports that a symbol stands for what it is known not to be.
func (w *world) excluded(sym int32, s *logic.Sort) bool {
	other, known := w.env.other(sym)
	return known && valueOf(numberOf(other, kindOf(s)), s).Compare(valueOf(w.means[sym], s)) == 0
}

// concrete returns what a known value stands for.
func (w *world) concrete(x value, s *logic.Sort) logic.Value {
	n := numberOf(x.n, kindOf(s))
	if x.sym != 0 {
		n.Add(n, w.means[x.sym])
	}
	return valueOf(n, s)
}

// numberOf reads a word.
func numberOf(n uint64, k kind) *big.Int {
	if k == integer {
		return big.NewInt(int64(n))
	}
	return new(big.Int).SetUint64(n)
}

// valueOf makes a number a value; of a sort with finitely many, modulo them.
func valueOf(n *big.Int, s *logic.Sort) logic.Value {
	if s == logic.Bool {
		return logic.BoolValue(n.Bit(0) == 1)
	}
	return logic.NumValue(new(big.Rat).SetInt(n), s)
}
