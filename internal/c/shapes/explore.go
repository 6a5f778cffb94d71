package shapes

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/c/ir"
)

// Options bound a proof. The zero value is without a bound, but for what there always is.
type Options struct {
	// Work is how many instructions are executed in one graph, times how large that is.
	Work int64
}

// Bounds of what is followed.
const (
	mostFrames  = 24
	mostObjects = 4000 // of a graph, with variables
	mostNodes   = 48   // of them, allocated, where a loop begins
	mostGraphs  = 1000 // of a place
)

// Prove reports that no run of a program, whose checks have been added (package checks), comes to a failure, or
// leaves what is modelled. The error is why that is not known: *budget.Exhausted where the work is done, or else
// what it cannot follow, which more work does not change.
func Prove(ctx context.Context, p *ir.Program, o Options) (did Effort, err error) {
	if p.Entry == nil || p.Entry.Extern() {
		return did, &gaveUp{what: "there is no routine to begin with"}
	}
	if p.Volatile && !p.PlainVolatile || len(p.Ending) > 0 || len(p.Rules) > 0 || len(p.Conditions) > 0 || len(p.VolatileConditions) > 0 {
		return did, &gaveUp{what: "volatile variables, signals, rules and conditions are not followed"}
	}
	e := &explorer{ctx: ctx, prog: p, work: o.Work, globals: map[*ir.Var]id{}, indices: map[*ir.Var]int{}, routines: map[*ir.Func]*places{}, kept: map[string][]*state{}}
	for _, f := range append([]*ir.Func{p.Init}, p.Funcs...) {
		for i, v := range slices.Concat(f.Params, f.Locals) {
			e.indices[v] = i
		}
	}
	err = e.run()
	did.Work, did.Lost = e.did, e.lost
	for _, kept := range e.kept {
		did.Graphs += len(kept)
	}
	return did, err
}

// Effort is what was done: work, and graphs that were kept.
type Effort struct {
	Work   int64
	Graphs int
	// Lost: memory may be lost, which was allocated, is not freed, and to which nothing leads any more; where the
	// program ends by a return, no variable of its routines does.
	Lost bool
}

// explorer visits all graphs of a program.
type explorer struct {
	ctx       context.Context
	prog      *ir.Program
	globals   map[*ir.Var]id
	indices   map[*ir.Var]int
	routines  map[*ir.Func]*places
	kept      map[string][]*state // by the place, with calls
	open      []*state
	work, did int64
	lost      bool
	wide      []int64
}

// places are what is known of the blocks of a routine.
type places struct {
	loop  map[*ir.Block]bool // control comes back to it
	meets map[*ir.Block]bool // several blocks lead to it
	live  map[*ir.Block][]bool
}

func (e *explorer) run() error {
	first := &state{symbols: map[symbol]numbers{}}
	for _, v := range e.prog.Globals {
		e.globals[v] = first.add(object{v: v, size: v.Type.Size, zeroed: !v.Extern})
	}
	e.wide = e.thresholds()
	s := &step{state: first, prog: e.prog, globals: e.globals, indices: e.indices}
	s.push(e.prog.Entry, nil)
	if e.prog.Init != nil && !e.prog.Init.Extern() {
		s.push(e.prog.Init, nil)
	}
	e.open = []*state{first}
	for len(e.open) > 0 {
		s := e.open[len(e.open)-1]
		e.open = e.open[:len(e.open)-1]
		if err := e.follow(s); err != nil {
			return err
		}
	}
	return nil
}

// thresholds are numbers that the program compares with, and their neighbours, sorted.
func (e *explorer) thresholds() []int64 {
	all := map[int64]bool{-1: true, 0: true, 1: true}
	for _, f := range e.prog.Funcs {
		f.Expressions(func(x ir.Expr) {
			if c, ok := x.(*ir.Const); ok && c.T.Kind == ir.Integer {
				for d := int64(-1); d <= 1; d++ {
					all[int64(c.Bits)+d] = true
				}
			}
		})
	}
	return slices.Sorted(maps.Keys(all))
}

// of are the places of a routine.
func (e *explorer) of(f *ir.Func) *places {
	if p := e.routines[f]; p != nil {
		return p
	}
	p := &places{loop: map[*ir.Block]bool{}, meets: map[*ir.Block]bool{}, live: live(f, e.indices)}
	e.routines[f] = p
	led, on, done := map[*ir.Block]int{}, map[*ir.Block]bool{}, map[*ir.Block]bool{}
	var visit func(b *ir.Block)
	visit = func(b *ir.Block) {
		on[b], done[b] = true, true
		for _, n := range ir.Following(b) {
			if led[n]++; led[n] > 1 {
				p.meets[n] = true
			}
			if on[n] {
				p.loop[n] = true
			} else if !done[n] {
				visit(n)
			}
		}
		on[b] = false
	}
	visit(f.Blocks[0])
	return p
}

// follow goes on from a graph until it comes to where others may have come.
func (e *explorer) follow(s *state) error {
	for {
		f := s.top()
		e.did += int64(8 + len(s.objects))
		switch {
		case e.work > 0 && e.did > e.work:
			return &budget.Exhausted{What: "work", Limit: fmt.Sprint(e.work)}
		case len(s.objects) > mostObjects:
			return &gaveUp{what: "there are too many objects"}
		case e.ctx.Err() != nil:
			return e.ctx.Err()
		}
		t := &step{state: s, prog: e.prog, globals: e.globals, indices: e.indices}
		var goes bool
		var err error
		if f.at < len(f.b.Instrs) {
			goes, err = true, e.do(t, f.b.Instrs[f.at])
		} else {
			goes, err = e.end(t, f.b.End)
		}
		var seg looked
		switch {
		case errors.As(err, &seg):
			e.open = append(e.open, s.split(seg.at, seg.last)...)
			return nil
		case errors.Is(err, errEnds):
			return nil
		case err != nil || !goes:
			return err
		}
	}
}

// do executes an instruction, and goes behind it.
func (e *explorer) do(t *step, i ir.Instr) error {
	next := func() { t.setTop(func(f *frame) { f.at++ }) }
	c, calls := i.(*ir.Call)
	if !calls {
		if err := t.instr(i); err != nil {
			return err
		}
		next()
		return nil
	}
	t.span = c.Span
	f := c.Callee
	if f == nil {
		v, err := t.eval(c.Ptr)
		switch {
		case err != nil:
			return err
		case v.kind == number && v.bits == 0:
			return t.giveUp("null may be called")
		case v.kind != routine:
			return t.giveUp("it is not known which routine is called")
		}
		f = v.f
	}
	if c.Unread != "" || f.Unread != nil {
		return t.giveUp("what is not supported is come to")
	}
	if f.Extern() {
		if err := t.external(c, f); err != nil {
			return err
		}
		next()
		return nil
	}
	if len(t.frames) > mostFrames {
		return t.giveUp("there are too many calls inside of calls")
	}
	if f.Specified || f.Telling != nil {
		return t.giveUp("%s() is specified", f.Name)
	}
	if err := t.check(c, f); err != nil {
		return err
	}
	frames := len(t.frames)
	if err := t.enter(c, f); err != nil {
		t.frames = t.frames[:min(frames, len(t.frames))]
		return err
	}
	g := *t.frames[frames-1]
	g.at++
	t.frames[frames-1] = &g
	return nil
}

// check sees that a routine of the library with a body of seltl's own is given what it is for.
func (s *step) check(c *ir.Call, f *ir.Func) error {
	if f.Library && (ir.ClosesStream(ir.PlainName(f.Name)) || slices.Contains(ir.OfCharacters, ir.PlainName(f.Name)) || ir.Indicator(f) != "") {
		return s.giveUp("%s() is called", f.Name)
	}
	return nil
}

// end executes the end of a block.
func (e *explorer) end(t *step, x ir.Terminator) (goes bool, err error) {
	t.span = x.At()
	switch x := x.(type) {
	case *ir.Jump:
		return e.arrive(t.state, x.To)
	case *ir.Branch:
		other := t.state.clone()
		possible, err := t.assume(x.Cond, true)
		if err != nil {
			return false, err
		}
		u := *t
		u.state = other
		also, err := u.assume(x.Cond, false)
		if err != nil {
			return false, err
		}
		if also {
			if !possible {
				other.disown()
				*t.state = *other
				return e.arrive(t.state, x.Else)
			}
			if goes, err := e.arrive(other, x.Else); err != nil {
				return false, err
			} else if goes {
				e.open = append(e.open, other)
			}
		}
		if !possible {
			return false, nil
		}
		return e.arrive(t.state, x.Then)
	case *ir.Return:
		if len(t.frames) == 1 {
			if x.Value != nil && x.Value.Type().Scalar() {
				_, err = t.eval(x.Value)
			}
			if err == nil {
				t.frames = nil
				e.ended(t.state)
			}
			return false, err
		}
		return true, t.leave(x)
	case *ir.Stop:
		e.ended(t.state)
		return false, nil
	case *ir.Fail:
		return false, t.giveUp("a failure may be reachable: %s", x.What)
	}
	return false, t.giveUp("a block has no end")
}

// ended looks at what the end of the program leaves.
func (e *explorer) ended(s *state) {
	s.collect(len(e.globals))
	e.lost = e.lost || s.lost
}

// arrive goes to a block; false: what is there covers the graph.
func (e *explorer) arrive(s *state, b *ir.Block) (goes bool, err error) {
	s.setTop(func(f *frame) { f.b, f.at = b, 0 })
	p := e.of(s.top().f)
	if !p.meets[b] && !p.loop[b] {
		return true, nil
	}
	s.forgets(p.live[b])
	s.collect(len(e.globals))
	key := place(s)
	old := e.kept[key]
	if len(old) > mostGraphs {
		return false, &gaveUp{what: "there are too many graphs", span: b.End.At()}
	}
	if p.loop[b] {
		s.fold(lossOf(len(old)))
		if s.collect(len(e.globals)); s.nodes() > mostNodes {
			return false, &gaveUp{what: "memory is linked in other ways than lists are", span: b.End.At()}
		}
	}
	e.lost = e.lost || s.lost
	e.did += int64(len(old) * len(s.objects))
	for _, t := range old {
		if covers(t, s, len(e.globals)) {
			return false, nil
		}
	}
	if p.loop[b] && len(old) >= joinAfter {
		e.grow(old, s)
		for _, t := range old {
			if covers(t, s, len(e.globals)) {
				return false, nil
			}
		}
	}
	if p.loop[b] {
		old = slices.DeleteFunc(old, func(t *state) bool { return covers(s, t, len(e.globals)) })
	}
	e.kept[key] = append(old, s.clone()) // since what goes on changes
	return true, nil
}

// How many graphs there are of a loop before numbers are joined, and before more is lost where nodes become one segment.
const (
	joinAfter  = 6
	kindsAfter = 8
	lossyAfter = 40
)

// lossOf is what may be lost where there are so many graphs of a loop.
func lossOf(graphs int) loss {
	switch {
	case graphs > lossyAfter:
		return contents
	case graphs > kindsAfter:
		return kindred
	}
	return order
}

// nodes counts what is allocated.
func (s *state) nodes() (n int) {
	for _, o := range s.objects {
		if o != nil && o.heap {
			n++
		}
	}
	return n
}

// grow makes a graph one that covers what was there with other numbers, too.
func (e *explorer) grow(old []*state, s *state) {
	alike := 0
	for i := len(old) - 1; i >= 0; i-- {
		if z := joins(old[i], s, len(e.globals), e.wide); z != nil {
			if alike++; alike >= joinAfter {
				if z.collect(len(e.globals)); covers(z, s, len(e.globals)) && covers(z, old[i], len(e.globals)) {
					z.disown()
					*s = *z
					return
				}
			}
		}
	}
}

// disown says that no object belongs to it alone.
func (s *state) disown() {
	for _, o := range s.objects {
		if o != nil && o.owner == s {
			o.owner = nil
		}
	}
}

// place is where a graph is: the calls, and the block.
func place(s *state) string {
	var b strings.Builder
	for _, f := range s.frames {
		fmt.Fprintf(&b, "%p %d %d;", f.f, f.b.Index, f.at)
	}
	return b.String()
}
