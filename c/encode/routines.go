package encode

import (
	"cmp"
	gocontext "context"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
)

// Routine is one that is not inlined: a part of the systems that begins at one location and
// returns at another. A call of it is an edge that changes nothing by itself. Arguments and
// result are variables of the systems that all routines share.
type Routine struct {
	Func       *ir.Func
	Begin, End int
}

// EncodeApart is EncodeContext for programs with recursion, and for those that are too large
// to inline: what calls itself is encoded apart, and in the latter case, or with all, every
// routine that is called in several places. Encoding.Routines are those; the systems are no transition
// systems of the program then, but what package relations makes relations of.
func EncodeApart(ctx gocontext.Context, p *ir.Program, entry string, all bool) (e *Encoding, err error) {
	defer timed(&e, time.Now())
	f := p.Func(cmp.Or(entry, "main"))
	if f == nil || f.Extern() {
		return nil, fmt.Errorf("there is no routine %s", cmp.Or(entry, "main"))
	}
	first := newBuilder(p, f)
	if err := guardedError(func() error { return first.analyse(f) }); err != nil {
		return nil, err
	}
	calls := first.pts.calls(p.Funcs)
	sites := first.pts.sites(p.Funcs)
	closure(calls)
	repeated, large := map[*ir.Func]bool{}, map[*ir.Func]bool{}
	for _, g := range p.Funcs {
		if g.Extern() {
			continue
		}
		if calls[g][g] {
			repeated[g] = true
		}
		if repeated[g] || sites[g] > 1 && !g.Library {
			large[g] = true
		}
	}
	kept := first.pts.keptInActivations(f, p.Funcs, calls)
	if all {
		return encodeApart(ctx, p, f, large, repeated, kept)
	}
	e, err = encodeApart(ctx, p, f, repeated, repeated, kept)
	if IsTooLarge(err) && len(large) > len(repeated) {
		e, err = encodeApart(ctx, p, f, large, repeated, kept)
	}
	return e, err
}

// keptInActivations are the locals whose address may be kept longer than an activation of their routine lives, of
// which there may be several: also in what an outer one has, whose own address is known. calls is closed.
func (p *pointsTo) keptInActivations(entry *ir.Func, funcs []*ir.Func, calls map[*ir.Func]map[*ir.Func]bool) map[string]bool {
	kept := map[string]bool{}
	for _, name := range p.outlived(entry, funcs, true) {
		kept[name] = true
	}
	taken := map[*ir.Var]bool{}
	for _, f := range funcs {
		maps.Copy(taken, addressed(f))
	}
	for o, cells := range p.held {
		for _, held := range cells {
			for t := range held {
				if at := t.obj; o.owner != nil && at.owner != nil && taken[o.v] && calls[o.owner][at.owner] && calls[at.owner][o.owner] {
					kept[at.owner.Name+"."+at.v.Name] = true
				}
			}
		}
	}
	return kept
}

// IsRecursive reports an error of Encode that says that the program has recursion, and
// IsTooLarge one that it is too large to be inlined: EncodeApart may do better.
func IsRecursive(err error) bool { return hasCode(err, "c-recursion") }

// IsTooLarge is described with IsRecursive.
func IsTooLarge(err error) bool { return hasCode(err, "c-size") }

func hasCode(err error, code string) bool {
	var list source.List
	return errors.As(err, &list) && slices.ContainsFunc(list, func(d source.Diagnostic) bool { return d.Code == code })
}

func guardedError(do func() error) (err error) {
	if refused := guarded(func() { err = do() }); refused != nil {
		return refused
	}
	return err
}

func encodeApart(ctx gocontext.Context, p *ir.Program, f *ir.Func, kept, repeated map[*ir.Func]bool, outlived map[string]bool) (e *Encoding, err error) {
	a := separate(p, kept, repeated)
	a.outlived = map[*ir.Call]bool{}
	if err := a.computed(repeated, p.Funcs); err != nil {
		return nil, err
	}
	b := newBuilder(a.prog, a.funcs[f])
	b.apart = a
	b.meter = budget.New(ctx, budget.Limits{}, nil)
	for _, g := range p.Funcs { // in their order, so that names are always the same
		for _, block := range a.funcs[g].Blocks {
			for _, i := range block.Instrs {
				if c, ok := i.(*ir.Call); ok && a.stacked[c] != nil {
					v := a.stacked[c]
					o := b.mem.ofSite(c, c.Callee)
					o.name, o.stacked, o.elem = g.Name+"."+v.Name, a.funcs[g], v.Type
					a.outlived[c] = outlived[o.name]
				}
			}
		}
	}
	err = guardedError(func() error {
		if err := b.analyse(b.entry); err != nil {
			return err
		}
		e, err = b.encodeRoutines(f, kept)
		return err
	})
	if err != nil {
		return nil, err
	}
	e.original, e.pointed = p, map[*ir.Var]bool{}
	for _, g := range a.prog.Funcs {
		maps.Copy(e.pointed, addressed(g))
	}
	e.Ended = append(e.Ended, a.liftedNames()...)
	slices.Sort(e.Ended)
	e.Ended = slices.Compact(e.Ended)
	return e, nil
}

// isApart reports a routine that is not inlined.
func (b *builder) isApart(f *ir.Func) bool {
	if b.apart == nil || f == nil {
		return false
	}
	for _, k := range b.apart.kept {
		if k.now == f {
			return true
		}
	}
	return false
}

// encodeRoutines encodes the entry routine, and each routine that is kept apart. f is the
// entry routine of the program before it was rewritten.
func (b *builder) encodeRoutines(f *ir.Func, kept map[*ir.Func]bool) (*Encoding, error) {
	g := b.entry
	start, done := b.location("start", f.Span), b.location("end", f.Span)
	b.ends = []int{done}
	begin := b.location("begin", f.Span)
	k := b.apart.kept[f]
	if k == nil {
		begin = b.expand(g, nil, f.Span, done, nil)
	} else {
		b.step(nil, begin, done, f.Span, nothing).calls = k.now
	}
	b.step(nil, start, begin, f.Span, func(c *context) {
		params := g.Params
		if k != nil {
			params = k.args
		}
		for _, p := range params {
			c.fill(ir.Place{Var: p, Type: p.Type}, false)
		}
	})
	var routines []Routine
	for _, h := range b.apart.prog.Funcs {
		if !b.isApart(h) {
			continue
		}
		end := b.location(h.Name+":end", h.Span)
		routines = append(routines, Routine{h, b.expand(h, nil, h.Span, end, nil), end})
	}
	e := b.finish(start)
	e.Routines = routines
	return e, nil
}

// CallOf is the number of the routine apart that an edge calls, -1 if it calls none.
func (e *Encoding) CallOf(edge int) int {
	f := e.edges[edge].calls
	return slices.IndexFunc(e.Routines, func(r Routine) bool { return f != nil && r.Func == f })
}

// UsesResult reports an edge that calls a routine apart whose result is used.
func (e *Encoding) UsesResult(edge int) bool { return e.edges[edge].used }

// Own reports a variable of the systems that belongs to one activation of a routine: no
// other one knows it.
func (e *Encoding) Own(name string) bool {
	c := e.cells[name]
	return c != nil && c.obj.v != nil && c.obj.owner != nil && !e.pointed[c.obj.v]
}

// Kept reports a variable that is after each call of a routine apart what it was before,
// though the routine assigns to it: how many activations of a routine there are.
func (e *Encoding) Kept(name string) bool {
	c := e.cells[name]
	return c != nil && c.obj.stacked != nil && c.key.off == countOff
}

// Range is what is known of a variable of Words or Numbers by its type alone.
func (e *Encoding) Range(inWords bool, name string) *logic.Term {
	c := e.cells[name]
	if c == nil || c.run != nil || c.key.off < 0 {
		return logic.True()
	}
	if inWords {
		return words{}.domain(c.t, c.variable(e.memory, words{}), c.key.bits)
	}
	x := c.variable(e.memory, numbers{})
	if v := (numbers{}).variable(c.t, x, c.key.bits); v.lo == nil {
		return logic.True()
	}
	return numbers{}.domain(c.t, x, c.key.bits)
}

// Fits says that a variable of Numbers has a value of its type.
func (e *Encoding) Fits(name string) *logic.Term {
	c := e.cells[name]
	if c == nil || c.run != nil || c.key.off < 0 {
		return logic.True()
	}
	if x := c.variable(e.memory, numbers{}); x.Sort() == logic.Int {
		return numbers{}.domain(c.t, x, c.key.bits)
	}
	return logic.True()
}

// LiftNamed is Lift of a formula whose variables stand for those that name says.
func (e *Encoding) LiftNamed(f *logic.Term, name func(string) string) (*logic.Term, error) {
	l := &lifter{e: e, formulas: map[*logic.Term]*logic.Term{}, terms: map[*logic.Term]exact{}, name: name}
	t := l.formula(f)
	return t, l.err
}

// Chosen are the values that an edge asks of the program's environment, in the order in
// which it asks, and whether that is a result of a routine that ends without one.
func (e *Encoding) Chosen(inWords bool, edge int) (names []string, silent bool) {
	i := e.edges[edge]
	if inWords {
		return i.words, i.silent
	}
	return i.numbers, i.silent
}

// ReplayChoices runs the program on values that it asks for, by package machine, which
// knows nothing of the encoding; the first are arguments of the entry routine. watch, if not
// nil, gets the machine before it runs. Nil if the program fails; the recording says what it
// did, and what it was given.
func (e *Encoding) ReplayChoices(queue []uint64, watch func(*machine.Machine)) (*machine.Recording, error) {
	f := e.original.Func(e.Entry.Name)
	var params []uint64
	for _, p := range f.Params {
		bits := uint64(0)
		if p.Type.Scalar() && len(queue) > 0 {
			bits, queue = queue[0], queue[1:]
		}
		params = append(params, bits)
	}
	zero := func(*machine.Choice) uint64 { return 0 }
	r := &machine.Recording{}
	m := &machine.Machine{Program: e.original, Outlived: e.Ended, Record: r}
	if watch != nil {
		watch(m)
	}
	if err := e.failing(m, f, queue, params, zero, true); err != nil {
		return r, err
	}
	again := &machine.Recording{}
	if err := e.failing(&machine.Machine{Program: e.original, Outlived: e.Ended, Layout: 1, Record: again}, f, queue, params, zero, true); err != nil || again.Outcome.Span != r.Outcome.Span {
		return r, errors.New("the run depends on where objects lie in memory")
	}
	return r, nil
}

// Bits is a number of a model as a word that a program is given.
func Bits(v logic.Value) uint64 { return wordOf(v) }

// ValueOf is a value of Words or Numbers as C has it.
func (e *Encoding) ValueOf(name string, v logic.Value) string {
	c := e.cells[name]
	if c == nil || v.Num() == nil {
		return v.String()
	}
	n := new(big.Int).Set(v.Num().Num())
	if w := c.t.Width(); v.Sort().Kind() == logic.BitVecKind && signed(c.t) && w > 0 && n.Bit(w-1) == 1 {
		n.Sub(n, power(w))
	}
	return strings.TrimSpace(n.String())
}
