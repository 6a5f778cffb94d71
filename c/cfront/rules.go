package cfront

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/c/ir"
)

// ParseRules reads a list like "stdio,malloc".
func ParseRules(list string) (all []ir.Rule, err error) {
	for name := range strings.SplitSeq(list, ",") {
		i := slices.Index(ir.RuleNames, name)
		if i < 0 {
			return nil, fmt.Errorf("%q is none of %s", name, strings.Join(ir.RuleNames, ", "))
		}
		if !slices.Contains(all, ir.Rule(i)) {
			all = append(all, ir.Rule(i))
		}
	}
	return all, nil
}

// ruled is what a routine means for the rules that are followed; nil: nothing.
func (l *linker) ruled(f *ir.Func) *ir.Ruled {
	if len(l.opts.Rules) == 0 || f.StandsIn || !f.Extern() {
		return nil
	}
	r := ir.RuledAs(ir.PlainName(f.Name))
	if r == nil || !slices.Contains(l.opts.Rules, r.Rule) || r.Arg >= 0 && (r.Arg >= len(f.Type.Params) || f.Type.Params[r.Arg].Kind != ir.Pointer) || r.Arg < 0 && f.Type.Result.Kind != ir.Pointer {
		return nil
	}
	return r
}

// followed are the variables of a rule: which object is followed, and its standing.
type followed struct {
	object, state *ir.Var
	stream        *ir.Var // the object that is followed, of streams that the program opens
	others        *ir.Var // where all others of these point to, any two of them to one place or not
	opened        bool    // there are such: others are not followed
}

// rules puts the rules of Options into the program.
func (l *linker) rules() {
	if len(l.opts.Rules) == 0 {
		return
	}
	vars := map[ir.Rule]*followed{}
	mutexes, recursive := l.mutexes()
	done := map[*ir.Call]bool{}
	for _, f := range slices.Clone(l.prog.Funcs) {
		for i := 0; i < len(f.Blocks); i++ { // some get others behind them
			b := f.Blocks[i]
			k := slices.IndexFunc(b.Instrs, func(in ir.Instr) bool {
				c, ok := in.(*ir.Call)
				return ok && c.Callee != nil && !done[c] && l.ruled(c.Callee) != nil
			})
			if k < 0 {
				continue
			}
			c := b.Instrs[k].(*ir.Call)
			done[c] = true
			r := l.ruled(c.Callee)
			if r.Arg >= len(c.Args) {
				continue // as another source declares it
			}
			t := c.Callee.Type.Result
			if r.Arg >= 0 {
				t = c.Callee.Type.Params[r.Arg]
			}
			if vars[r.Rule] == nil {
				vars[r.Rule] = l.follow(r.Rule, t)
			}
			w := &weaver{l: l, f: f, rule: r, vars: vars[r.Rule], span: c.Span, recursive: recursive}
			w.around(b, k, c)
		}
	}
	if v := vars[ir.RuleLocks]; v != nil {
		l.bornMutexes(v)
		l.firstMutexes(v, mutexes)
	}
}

// follow makes the variables of a rule.
func (l *linker) follow(r ir.Rule, t *ir.Type) *followed {
	name := map[ir.Rule]string{ir.RuleLocks: "followed mutex", ir.RuleStdio: "followed stream", ir.RuleMalloc: "followed memory"}[r]
	v := &followed{object: l.newGlobal(name, t, ir.Span{}), state: l.newGlobal("state of "+name, l.types.int(), ir.Span{})}
	v.state.Ghost = true
	l.prog.LocksMutexes = l.prog.LocksMutexes || r == ir.RuleLocks
	if r == ir.RuleStdio {
		v.stream = l.newGlobal("the stream", l.types.integer(1, false, false), ir.Span{})
		char := l.types.integer(1, false, false)
		v.others = l.newGlobal("other streams", &ir.Type{Kind: ir.Array, Size: othersMost, Elem: char, Len: othersMost, Name: "char[]"}, ir.Span{})
		v.stream.Ghost, v.others.Ghost = true, true
		l.eachCall(func(_ *ir.Func, c *ir.Call) {
			as := c.Callee
			v.opened = v.opened || as != nil && l.ruled(as) != nil && l.ruled(as).Opens
		})
		l.prog.OpensStreams = v.opened
	}
	return v
}

// weaver puts what a rule says of a call into the program.
type weaver struct {
	l         *linker
	f         *ir.Func
	now       *ir.Block
	rule      *ir.Ruled
	vars      *followed
	span      ir.Span
	recursive bool
}

func (w *weaver) int() *ir.Type { return w.l.types.int() }

func (w *weaver) is(s ir.Standing) ir.Expr {
	return ir.Fold(&ir.Binary{Op: ir.Eq, X: &ir.Load{From: ir.Whole(w.vars.state)}, Y: &ir.Const{T: w.int(), Bits: uint64(s)}, T: w.int()})
}

func (w *weaver) null(e ir.Expr) ir.Expr {
	return ir.Fold(&ir.Binary{Op: ir.Eq, X: e, Y: &ir.Const{T: e.Type(), Bits: 0}, T: w.int()})
}

// branch goes on in a new block where a condition holds, and to another one otherwise.
func (w *weaver) branch(cond ir.Expr, otherwise *ir.Block) {
	then := &ir.Block{}
	w.f.AddBlocks(then)
	w.now.End = &ir.Branch{Cond: cond, Then: then, Else: otherwise, Span: w.span}
	w.now = then
}

// fails is a failure where a condition holds.
func (w *weaver) fails(cond ir.Expr, what string, leaves bool) {
	good, bad := &ir.Block{}, &ir.Block{End: &ir.Fail{What: what, Span: w.span}}
	if leaves {
		bad.Instrs = []ir.Instr{&ir.Call{Callee: w.l.unread(), Unread: what + ", which may be one that can be held several times", Span: w.span}}
		bad.End = &ir.Stop{What: "what is not followed", Span: w.span}
	}
	w.f.AddBlocks(good, bad)
	w.now.End = &ir.Branch{Cond: cond, Then: bad, Else: good, Span: w.span}
	w.now = good
}

func (w *weaver) assign(v *ir.Var, e ir.Expr) {
	w.now.Instrs = append(w.now.Instrs, &ir.Assign{To: ir.Whole(v), Value: e, Span: w.span})
}

// around puts the rule around a call in a block.
func (w *weaver) around(b *ir.Block, k int, c *ir.Call) {
	behind := split(w.f, b, k+1)
	call := split(w.f, b, k)
	w.now = b
	var object ir.Expr
	if w.rule.Arg >= 0 {
		v := w.temp(w.vars.object.Type)
		e := c.Args[w.rule.Arg]
		if e.Type() != v.Type {
			e = ir.Fold(&ir.Convert{X: e, T: v.Type})
		}
		w.assign(v, e)
		object = &ir.Load{From: ir.Whole(v)}
		w.before(object, standardStream(c.Args[w.rule.Arg]))
	}
	w.now.End = &ir.Jump{To: call}
	w.now = call
	if c.To == nil && (w.rule.Zero || w.rule.Arg < 0) && c.Callee.Type.Result.Kind != ir.Void {
		to := ir.Whole(w.temp(c.Callee.Type.Result))
		c.To = &to
	}
	if w.rule.Opens {
		w.opens(c)
	}
	if c.To != nil && w.rule.Succeeds {
		w.now.Instrs = append(w.now.Instrs, &ir.Assign{To: *c.To, Value: &ir.Const{T: c.To.Type, Bits: 0}, Span: w.span})
	}
	if w.rule.Arg < 0 {
		object = &ir.Load{From: *c.To}
	}
	if w.rule.To != ir.Unfollowed {
		w.after(c, object, behind)
	}
	w.now.End = &ir.Jump{To: behind}
}

func (w *weaver) temp(t *ir.Type) *ir.Var {
	v := &ir.Var{Name: fmt.Sprintf("ruled@%d", len(w.f.Locals)), Type: t, Kind: ir.Temp, Span: w.span}
	w.f.Locals = append(w.f.Locals, v)
	return v
}

// standardStream reports stdin, stdout or stderr, which are not null.
func standardStream(e ir.Expr) bool {
	load, ok := e.(*ir.Load)
	return ok && load.From.Var != nil && load.From.Var.Stream()
}

// isFollowed reports whether an object is the one that is followed.
func (w *weaver) isFollowed(object ir.Expr) ir.Expr {
	return ir.Fold(&ir.Binary{Op: ir.Eq, X: object, Y: &ir.Load{From: ir.Whole(w.vars.object)}, T: w.int()})
}

// before fails where a call does not fit what was done with its object before.
func (w *weaver) before(object ir.Expr, standard bool) {
	if w.rule.Null != "" && !standard {
		w.fails(w.null(object), w.rule.Null, false)
	}
	on := &ir.Block{}
	for s := ir.Usable; s <= ir.Gone; s++ {
		if w.rule.Bad[s] != "" {
			w.branch(w.is(s), on)
			w.fails(w.isFollowed(object), w.rule.Bad[s], s == ir.Locked && w.rule.Again && w.recursive)
			w.now.End = &ir.Jump{To: on}
			w.f.AddBlocks(on)
			w.now, on = on, &ir.Block{}
		}
	}
}

// after notes what a call has done with its object, which may be the one that is followed from now on.
func (w *weaver) after(c *ir.Call, object ir.Expr, behind *ir.Block) {
	if w.rule.Zero && c.To != nil {
		w.branch(ir.Fold(&ir.Binary{Op: ir.Eq, X: &ir.Load{From: *c.To}, Y: &ir.Const{T: c.To.Type, Bits: 0}, T: w.int()}), behind)
	}
	w.branch(ir.Fold(&ir.Binary{Op: ir.Ne, X: object, Y: &ir.Const{T: object.Type(), Bits: 0}, T: w.int()}), behind)
	is, other := &ir.Block{}, &ir.Block{}
	w.f.AddBlocks(is, other)
	w.now.End = &ir.Branch{Cond: w.is(ir.Unfollowed), Then: other, Else: is, Span: w.span}
	w.now = is
	w.branch(w.isFollowed(object), behind)
	w.assign(w.vars.state, &ir.Const{T: w.int(), Bits: uint64(w.rule.To)})
	w.now.End = &ir.Jump{To: behind}
	if w.now = other; w.vars.opened {
		w.now.End = &ir.Jump{To: behind}
		w.now = &ir.Block{} // nothing leads there
		return
	}
	w.begins(object, w.rule.To, behind)
}

// begins lets an object be the one that is followed, or not.
func (w *weaver) begins(object ir.Expr, s ir.Standing, otherwise *ir.Block) {
	flag, draw := w.l.drawn(w.f, ir.FollowedInput, w.l.types.integer(1, false, true), w.span)
	w.now.Instrs = append(w.now.Instrs, draw)
	w.branch(flag, otherwise)
	if object.Type() != w.vars.object.Type {
		object = ir.Fold(&ir.Convert{X: object, T: w.vars.object.Type})
	}
	w.assign(w.vars.object, object)
	w.assign(w.vars.state, &ir.Const{T: w.int(), Bits: uint64(s)})
}

// othersMost is how many streams that are not followed can differ.
const othersMost = 1 << 16

// opens makes the call of a routine that opens a stream one that gives the stream that is followed, from then on, or any
// other one, or null: which of them it is depends on files that nobody knows.
func (w *weaver) opens(c *ir.Call) {
	l := w.l
	k := slices.Index(w.now.Instrs, ir.Instr(c))
	for _, a := range c.Args {
		w.now.Instrs = slices.Insert(w.now.Instrs, k, ir.Instr(&ir.Use{Value: a, Span: c.Span}))
		k++
	}
	w.now.Instrs = w.now.Instrs[:k]
	to, name := *c.To, c.Callee.Name
	null, other, on := &ir.Block{}, &ir.Block{}, &ir.Block{}
	flag, draw := l.drawn(w.f, "a stream from "+name+"()", l.types.integer(1, false, true), w.span)
	w.now.Instrs = append(w.now.Instrs, draw)
	w.branch(flag, null)
	null.Instrs, null.End = []ir.Instr{&ir.Assign{To: to, Value: &ir.Const{T: to.Type, Bits: 0}, Span: w.span}}, &ir.Jump{To: on}
	followed := &ir.Addr{Of: ir.Whole(w.vars.stream), Len: -1, T: to.Type}
	w.branch(w.is(ir.Unfollowed), other)
	w.begins(followed, ir.Usable, other)
	w.now.Instrs = append(w.now.Instrs, &ir.Assign{To: to, Value: followed, Span: w.span})
	w.now.End = &ir.Jump{To: on}
	which, draws := l.drawn(w.f, ir.OtherInput, l.types.integer(2, false, false), w.span)
	by := ir.Fold(&ir.Convert{X: which, T: l.types.integer(l.prog.Model.PointerSize(), true, false)})
	some := &ir.Move{P: &ir.Addr{Of: ir.Whole(w.vars.others), Len: othersMost, T: to.Type}, By: by, Stride: 1, T: to.Type}
	other.Instrs = []ir.Instr{draws, &ir.Assign{To: to, Value: some, Span: w.span}}
	other.End = &ir.Jump{To: on}
	w.f.AddBlocks(null, other, on)
	w.now = on
}

// mutexes are the places in globals that are mutexes, and begin as ones that are not held. recursive: some of the program
// may be of a type that can be held several times.
func (l *linker) mutexes() (all []ir.Place, recursive bool) {
	var mutex *ir.Type
	for _, f := range l.prog.Funcs {
		if r := l.ruled(f); r != nil && r.Rule == ir.RuleLocks {
			mutex = f.Type.Params[r.Arg].Elem
		}
	}
	l.eachCall(func(_ *ir.Func, c *ir.Call) {
		recursive = recursive || c.Callee != nil && c.Callee.Name == "pthread_mutexattr_settype"
	})
	if mutex == nil {
		return nil, recursive
	}
	for _, g := range l.prog.Globals {
		if !g.Extern {
			all = mutexesIn(all, ir.Whole(g), g.Type, mutex)
		}
	}
	plain := slices.DeleteFunc(slices.Clone(all), l.initialised)
	return plain, recursive || len(plain) < len(all)
}

// bornMutexes has a mutex in a local variable no longer be followed where its declaration is come to: it is another one
// from there on, though perhaps at the same place.
func (l *linker) bornMutexes(v *followed) {
	done := map[ir.Instr]bool{}
	for _, f := range l.prog.Funcs {
		for i := 0; i < len(f.Blocks); i++ {
			b := f.Blocks[i]
			k := slices.IndexFunc(b.Instrs, func(in ir.Instr) bool { return !done[in] && begun(in) != nil })
			if k < 0 {
				continue
			}
			local := begun(b.Instrs[k])
			done[b.Instrs[k]] = true
			all := mutexesIn(nil, ir.Whole(local), local.Type, v.object.Type.Elem)
			if len(all) == 0 {
				i-- // the rest of the block
				continue
			}
			if len(all) > maxFirstMutexes {
				refuse(local.Span, "c-rules", "leave the rule out (--rules)", "pthread-locks follows at most %d mutexes of one variable", maxFirstMutexes)
			}
			w := &weaver{l: l, f: f, vars: v, span: b.Instrs[k].At(), now: b}
			rest := split(f, b, k)
			for _, p := range all {
				next, other := &ir.Block{}, &ir.Block{}
				w.now.End = &ir.Branch{Cond: w.is(ir.Unfollowed), Then: next, Else: other, Span: w.span}
				w.f.AddBlocks(other)
				w.now = other
				w.branch(w.isFollowed(&ir.Addr{Of: p, Len: -1, T: v.object.Type}), next)
				w.assign(v.state, &ir.Const{T: w.int(), Bits: uint64(ir.Unfollowed)})
				w.now.End = &ir.Jump{To: next}
				w.f.AddBlocks(next)
				w.now = next
			}
			for _, p := range readyAt(rest.Instrs, all) {
				w.chooses(p, ir.Usable)
			}
			w.now.End = &ir.Jump{To: rest}
		}
	}
}

// chooses lets a place be the object that is followed, if none is.
func (w *weaver) chooses(p ir.Place, s ir.Standing) {
	next := &ir.Block{}
	w.branch(w.is(ir.Unfollowed), next)
	w.begins(&ir.Addr{Of: p, Len: -1, T: w.vars.object.Type}, s, next)
	w.now.End = &ir.Jump{To: next}
	w.f.AddBlocks(next)
	w.now = next
}

// readyAt are the places of a local variable that instructions, the first of its declaration, give zeros: mutexes that
// are not held.
func readyAt(instrs []ir.Instr, all []ir.Place) []ir.Place {
	if _, zeros := instrs[0].(*ir.Clear); !zeros {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(all), func(p ir.Place) bool {
		for _, in := range instrs[1:] { // what else the initialiser says
			switch in := in.(type) {
			case *ir.Assign:
				c, constant := in.Value.(*ir.Const)
				if in.To.Var == p.Var && (len(in.To.Index) > 0 || in.To.Off+in.To.Type.Size > p.Off && in.To.Off < p.Off+p.Type.Size) && (!constant || c.Bits != 0) {
					return true
				}
			case *ir.Call:
				return false
			}
		}
		return false
	})
}

// begun is the local variable, of more than a number, whose declaration an instruction may be of; nil if it is of none.
func begun(in ir.Instr) *ir.Var {
	var to ir.Place
	switch in := in.(type) {
	case *ir.Clear:
		to = in.To
	case *ir.Havoc:
		to = in.To
	case *ir.Assign:
		to = in.To
	default:
		return nil
	}
	if to.Var == nil || to.Var.Kind != ir.Local || !to.Var.Type.Aggregate() || to.Off != 0 || len(to.Index) > 0 || to.Type != to.Var.Type {
		return nil
	}
	return to.Var
}

// maxFirstMutexes bounds the mutexes that globals are or have.
const maxFirstMutexes = 100

// firstMutexes lets each mutex that a global is, or has, be followed from the beginning on.
func (l *linker) firstMutexes(v *followed, all []ir.Place) {
	entry := l.prog.Func(cmp.Or(l.opts.Entry, "main"))
	if entry == nil || entry.Extern() || len(all) == 0 {
		return
	}
	if len(all) > maxFirstMutexes || l.calledAgain(entry) {
		l.guarded(func() {
			refuse(entry.Span, "c-rules", "leave the rule out (--rules)", "pthread-locks follows at most %d mutexes among the globals, from the beginning of a routine that nothing calls", maxFirstMutexes)
		})
		return
	}
	w := &weaver{l: l, f: entry, vars: v, span: entry.Span, now: entry.Blocks[0]}
	begin := split(entry, w.now, 0)
	for _, p := range all {
		w.chooses(p, ir.Usable)
	}
	w.now.End = &ir.Jump{To: begin}
}

// mutexesIn adds the places of a type that are in another place.
func mutexesIn(all []ir.Place, p ir.Place, t, mutex *ir.Type) []ir.Place {
	if len(all) > maxFirstMutexes {
		return all
	}
	switch {
	case t == mutex || t.Name == mutex.Name && t.Kind == mutex.Kind && t.Size == mutex.Size && t.Size > 0:
		p.Type = mutex
		return append(all, p)
	case t.Kind == ir.Array && t.Elem.Size > 0:
		for i := range t.Size / t.Elem.Size {
			inner := p
			inner.Off, inner.Type = p.Off+i*t.Elem.Size, t.Elem
			before := len(all)
			if all = mutexesIn(all, inner, t.Elem, mutex); len(all) == before {
				break
			}
		}
	case t.Kind == ir.Struct:
		for _, field := range t.Fields {
			inner := p
			inner.Off, inner.Type = p.Off+field.Off, field.Type
			all = mutexesIn(all, inner, field.Type, mutex)
		}
	}
	return all
}

// initialised reports that a part of a global begins with something else than zeros.
func (l *linker) initialised(p ir.Place) bool {
	for _, b := range l.prog.Init.Blocks {
		for _, i := range b.Instrs {
			if a, ok := i.(*ir.Assign); ok && a.To.Var == p.Var && a.To.Off >= p.Off && a.To.Off < p.Off+p.Type.Size {
				if c, constant := a.Value.(*ir.Const); !constant || c.Bits != 0 {
					return true
				}
			}
		}
	}
	return false
}
