// Package cells abstracts arrays to one cell of each, or two, at any index ([MonniauxGonnord16]): P(x, a) becomes Q(x, k, v), which
// is to hold of every index k and the element v that is there. A premise becomes several: one for each index at which the
// clause reads, and one for the index of the conclusion. Arrays are then no arguments any more, and what a clause says of them is said of
// the elements at these indices. A solution Q makes P(x, a) := forall k. Q(x, k, a[k]), which is checked as
// all solutions are. A derivation by cells says nothing.
package cells

import (
	"slices"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/unionfind"
	"github.com/seltl/seltl/logic"
)

// Shape is which indices predicates are given.
type Shape struct {
	each  bool // one for each array, and not one that all arrays with the same indices share
	count int
}

// Shapes are tried one after the other: one index relates the elements of arrays at the same place, several those at
// places with a distance, two the elements of one array.
var Shapes = []Shape{{count: 1}, {each: true, count: 1}, {count: 2}}

// cell is an index of a predicate, with the arrays that it is one of.
type cell struct {
	index  *logic.Term
	arrays []int         // parameters
	moved  []int64       // what is added to the index, of each
	values []*logic.Term // of each
}

// at is where the k-th array of a cell is looked at, for an index of the cell.
func (c *cell) at(index *logic.Term, k int) *logic.Term {
	if c.moved[k] == 0 {
		return index
	}
	return logic.Add(index, logic.IntConst(c.moved[k]))
}

// before is the index of the cell for which its k-th array is looked at somewhere.
func (c *cell) before(at *logic.Term, k int) *logic.Term {
	if c.moved[k] == 0 {
		return at
	}
	return logic.Sub(at, logic.IntConst(c.moved[k]))
}

// Cells makes clauses over cells.
type Cells struct {
	problem *horn.Problem
	of      [][]cell // by predicate
}

// Bounds of clauses over cells: instances of one premise, and indices of one array that are compared with each other.
const (
	maxInstances = 48
	maxIndices   = 16
)

// celled reports an array whose elements are no arrays.
func celled(s *logic.Sort) bool {
	return s.Kind() == logic.ArrayKind && s.Index().Kind() != logic.ArrayKind && s.Element().Kind() != logic.ArrayKind
}

// Arrayed reports that arguments of some predicate are arrays.
func Arrayed(p *horn.Problem) bool {
	return slices.ContainsFunc(p.Preds, func(d horn.Pred) bool {
		return slices.ContainsFunc(d.Params, func(v *logic.Term) bool { return celled(v.Sort()) })
	})
}

// New takes arrays that are parameters apart.
func New(p *horn.Problem, shape Shape) *Cells {
	z := &Cells{problem: p}
	moved := distances(p)
	for i, d := range p.Preds {
		taken := map[string]bool{}
		for _, v := range d.Params {
			taken[v.Name()] = true
		}
		var all []cell
		fresh := func(what string, s *logic.Sort) *logic.Term { return logic.Var(logic.UnusedName(taken, what), s) }
		for range shape.count {
			first := len(all)
			for k, v := range d.Params {
				if !celled(v.Sort()) {
					continue
				}
				at := slices.IndexFunc(all[first:], func(c cell) bool { return c.index.Sort() == v.Sort().Index() })
				if shape.each || at < 0 {
					at = len(all) - first
					all = append(all, cell{index: fresh("k!", v.Sort().Index())})
				}
				c := &all[first+at]
				c.arrays, c.values = append(c.arrays, k), append(c.values, fresh("v!", v.Sort().Element()))
				by := moved[i][k]
				if shape.each {
					by = 0
				}
				c.moved = append(c.moved, by)
			}
		}
		z.of = append(z.of, all)
	}
	return z
}

// Abstract is the problem over cells.
func (z *Cells) Abstract() *horn.Problem {
	out := &horn.Problem{}
	for i, d := range z.problem.Preds {
		p := horn.Pred{Name: z.problem.PredName(i), Span: d.Span}
		for _, v := range d.Params {
			if !celled(v.Sort()) {
				p.Params = append(p.Params, v)
			}
		}
		for _, c := range z.of[i] {
			p.Params = append(append(p.Params, c.index), c.values...)
		}
		out.Preds = append(out.Preds, p)
	}
	for i := range z.problem.Clauses {
		out.Clauses = append(out.Clauses, z.clauseOf(&z.problem.Clauses[i]))
	}
	return out
}

// Cells returns, for each predicate of the abstract problem, the arguments that are indices, and those that are elements.
func (z *Cells) Cells() (indices, elements [][]*logic.Term) {
	indices, elements = make([][]*logic.Term, len(z.of)), make([][]*logic.Term, len(z.of))
	for i, all := range z.of {
		for _, c := range all {
			indices[i], elements[i] = append(indices[i], c.index), append(elements[i], c.values...)
		}
	}
	return indices, elements
}

// Solution puts elements into the solution of the abstract problem.
func (z *Cells) Solution(of horn.Solution) horn.Solution {
	out := make(horn.Solution, len(of))
	for i, f := range of {
		by := map[*logic.Term]*logic.Term{}
		for _, c := range z.of[i] {
			for k, v := range c.values {
				by[v] = logic.Select(z.problem.Preds[i].Params[c.arrays[k]], c.at(c.index, k))
			}
		}
		out[i] = logic.Substitute(f, by)
	}
	return out
}

// clause is a clause while it is abstracted.
type clause struct {
	taken    map[string]bool
	plains   map[*logic.Term]*logic.Term // what stands for terms
	elements map[*logic.Term][]place     // of arrays that are variables, and of what is not understood
	linked   unionfind.Sets[*logic.Term] // arrays that equations relate
	equal    []equalArrays               //
	extra    []*logic.Term               // what holds of what was made
}

// place is an index of an array, and the variable that stands for the element there.
type place struct{ index, value *logic.Term }

// equalArrays is an equation between arrays, and the Boolean that stands for it.
type equalArrays struct{ a, b, holds *logic.Term }

func (z *Cells) clauseOf(source *horn.Clause) horn.Clause {
	c := solved(*source)
	k := &clause{taken: map[string]bool{}, plains: map[*logic.Term]*logic.Term{}, elements: map[*logic.Term][]place{}}
	for i := range z.problem.Preds {
		k.taken[z.problem.PredName(i)] = true
	}
	for _, v := range logic.Vars(c.Terms()...) {
		k.taken[v.Name()] = true
	}
	constraint := []*logic.Term{k.plain(c.Constraint)}
	for t := range logic.Subterms(c.Terms()...) {
		if t.Op() == logic.OpSelect {
			k.plain(t)
		}
	}
	out := horn.Clause{Name: c.Name, Span: c.Span}
	heads := map[*logic.Term][]*logic.Term{} // indices of the conclusion, by root
	if c.Head != nil {
		var tuple []*logic.Term
		for _, x := range z.of[c.Head.Pred] {
			h := logic.Var(logic.UnusedName(k.taken, "at!"), x.index.Sort())
			tuple = append(tuple, h)
			for n, a := range x.arrays {
				for _, r := range k.roots(c.Head.Args[a]) {
					heads[r] = append(heads[r], x.at(h, n))
				}
			}
		}
		head := k.app(z, *c.Head, tuple)
		out.Head = &head
	}
	k.equations(heads)
	for _, a := range c.Body {
		for _, tuple := range k.tuples(z, a, heads) {
			if made := k.app(z, a, tuple); !slices.ContainsFunc(out.Body, func(b horn.App) bool { return b.Pred == a.Pred && slices.Equal(b.Args, made.Args) }) {
				out.Body = append(out.Body, made)
			}
		}
	}
	out.Constraint = logic.And(append(append(constraint, k.extra...), k.congruence()...)...)
	return out
}

// app is an application at indices, one for each cell.
func (k *clause) app(z *Cells, a horn.App, tuple []*logic.Term) horn.App {
	out := horn.App{Pred: a.Pred}
	for _, t := range a.Args {
		if !celled(t.Sort()) {
			out.Args = append(out.Args, k.plain(t))
		}
	}
	for i, x := range z.of[a.Pred] {
		out.Args = append(out.Args, tuple[i])
		for j, n := range x.arrays {
			out.Args = append(out.Args, k.at(a.Args[n], x.at(tuple[i], j)))
		}
	}
	return out
}

// tuples are the indices at which a premise is taken: those of the conclusion, and where the clause reads the arrays.
func (k *clause) tuples(z *Cells, a horn.App, heads map[*logic.Term][]*logic.Term) [][]*logic.Term {
	var choices [][]*logic.Term
	product := 1
	for _, x := range z.of[a.Pred] {
		var all []*logic.Term
		add := func(t *logic.Term) {
			if t.Sort() == x.index.Sort() && !slices.Contains(all, t) {
				all = append(all, t)
			}
		}
		for j, n := range x.arrays {
			for _, r := range k.roots(a.Args[n]) {
				for _, h := range heads[r] {
					add(x.before(h, j))
				}
			}
		}
		for j, n := range x.arrays {
			for _, r := range k.roots(a.Args[n]) {
				for _, s := range k.elementsLike(r) {
					add(x.before(s, j))
				}
			}
		}
		if len(all) == 0 {
			all = append(all, logic.Var(logic.UnusedName(k.taken, "at!"), x.index.Sort()))
		}
		choices = append(choices, all)
		product *= len(all)
	}
	out := [][]*logic.Term{nil}
	if product > maxInstances { // those that differ from the first one in one place
		first := make([]*logic.Term, len(choices))
		for i, all := range choices {
			first[i] = all[0]
		}
		out = [][]*logic.Term{first}
		for i, all := range choices {
			for _, t := range all[1:] {
				other := slices.Clone(first)
				other[i] = t
				out = append(out, other)
			}
		}
		return out
	}
	for _, all := range choices {
		var next [][]*logic.Term
		for _, t := range out {
			for _, u := range all {
				next = append(next, append(slices.Clone(t), u))
			}
		}
		out = next
	}
	return out
}

// elementsLike are the indices at which an array, or one that equations relate it to, is read.
func (k *clause) elementsLike(root *logic.Term) (all []*logic.Term) {
	for r, es := range k.elements {
		if k.linked.Of(r) == root {
			for _, e := range es {
				all = append(all, e.index)
			}
		}
	}
	slices.SortFunc(all, (*logic.Term).Compare)
	return all
}

// roots are the arrays that an array is made of, by what stands for each.
func (k *clause) roots(a *logic.Term) []*logic.Term {
	switch a.Op() {
	case logic.OpStore:
		return k.roots(a.Args()[0])
	case logic.OpIte:
		return append(k.roots(a.Args()[1]), k.roots(a.Args()[2])...)
	case logic.OpConstArray:
		return nil
	}
	return []*logic.Term{k.linked.Of(a)}
}

// plain is a term without arrays: elements are variables.
func (k *clause) plain(t *logic.Term) *logic.Term {
	if len(t.Args()) == 0 {
		return t
	}
	if u := k.plains[t]; u != nil {
		return u
	}
	var out *logic.Term
	switch {
	case t.Op() == logic.OpSelect && celled(t.Args()[0].Sort()):
		out = k.at(t.Args()[0], k.plain(t.Args()[1]))
	case t.Op() == logic.OpEq && celled(t.Args()[0].Sort()):
		out = logic.Var(logic.UnusedName(k.taken, "same!"), logic.Bool)
		k.equal = append(k.equal, equalArrays{t.Args()[0], t.Args()[1], out})
		all := append(k.roots(t.Args()[0]), k.roots(t.Args()[1])...)
		for _, r := range all[min(1, len(all)):] {
			k.linked.Join(all[0], r)
		}
	default:
		args := make([]*logic.Term, len(t.Args()))
		for i, a := range t.Args() {
			args[i] = a
			if !celled(a.Sort()) {
				args[i] = k.plain(a)
			}
		}
		out = logic.Rebuild(t, args)
	}
	k.plains[t] = out
	return out
}

// at is the element of an array at an index.
func (k *clause) at(a, index *logic.Term) *logic.Term {
	switch a.Op() {
	case logic.OpStore:
		return logic.Ite(logic.Eq(index, k.plain(a.Args()[1])), k.plain(a.Args()[2]), k.at(a.Args()[0], index))
	case logic.OpIte:
		return logic.Ite(k.plain(a.Args()[0]), k.at(a.Args()[1], index), k.at(a.Args()[2], index))
	case logic.OpConstArray:
		return k.plain(a.Args()[0])
	}
	for _, e := range k.elements[a] {
		if e.index == index {
			return e.value
		}
	}
	v := logic.Var(logic.UnusedName(k.taken, "v!"), a.Sort().Element())
	k.elements[a] = append(k.elements[a], place{index, v})
	return v
}

// equations say what equations between arrays mean: equal elements where these are looked at, or a place where they differ.
func (k *clause) equations(heads map[*logic.Term][]*logic.Term) {
	for _, e := range k.equal {
		d := logic.Var(logic.UnusedName(k.taken, "at!"), e.a.Sort().Index())
		k.extra = append(k.extra, logic.Or(e.holds, logic.Ne(k.at(e.a, d), k.at(e.b, d))))
	}
	for _, e := range k.equal {
		var all []*logic.Term
		for _, r := range append(k.roots(e.a), k.roots(e.b)...) {
			all = append(append(all, heads[r]...), k.elementsLike(r)...)
		}
		slices.SortFunc(all, (*logic.Term).Compare)
		for _, i := range slices.Compact(all) {
			k.extra = append(k.extra, logic.Or(logic.Not(e.holds), logic.Eq(k.at(e.a, i), k.at(e.b, i))))
		}
	}
}

// congruence says that there is one element at each index.
func (k *clause) congruence() (all []*logic.Term) {
	for _, es := range k.elements {
		es = es[:min(len(es), maxIndices)]
		for i, e := range es {
			for _, f := range es[:i] {
				all = append(all, logic.Or(logic.Ne(e.index, f.index), logic.Eq(e.value, f.value)))
			}
		}
	}
	slices.SortFunc(all, (*logic.Term).Compare)
	return all
}

// mostSolved bounds how many variables of a clause are replaced.
const mostSolved = 400

// solved replaces variables of a clause that an equation defines, if they are arrays or Booleans.
func solved(c horn.Clause) horn.Clause {
	for range mostSolved {
		v, t := defined(logic.Conjuncts(c.Constraint))
		if v == nil {
			break
		}
		c = c.Substitute(map[*logic.Term]*logic.Term{v: t})
	}
	return c
}

// defined is a variable that a conjunct defines, and its value.
func defined(conjuncts []*logic.Term) (v, t *logic.Term) {
	for _, f := range conjuncts {
		switch {
		case f.Op() == logic.OpVar:
			return f, logic.True()
		case f.Op() == logic.OpNot && f.Args()[0].Op() == logic.OpVar:
			return f.Args()[0], logic.False()
		case f.Op() == logic.OpEq:
			for i, v := range f.Args() {
				if s := v.Sort(); v.Op() == logic.OpVar && (s == logic.Bool || s.Kind() == logic.ArrayKind) && !slices.Contains(logic.Vars(f.Args()[1-i]), v) {
					return v, f.Args()[1-i]
				}
			}
		}
	}
	return nil, nil
}

// String names a shape in reasons.
func (s Shape) String() string {
	switch {
	case s.each:
		return "single elements of arrays, each at an index of its own,"
	case s.count > 1:
		return "pairs of elements of arrays"
	}
	return "single elements of arrays"
}
