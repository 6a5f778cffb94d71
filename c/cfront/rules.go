package cfront

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Rule is a rule for the order in which routines of the library are called on one object, a mutex, say. It is
// code in the program itself, as SLIC has it ([BallRajamani01]): a variable for an object that is followed, which may be any of
// those that the program comes to, one for the state that it is in, and failures where a call does not fit.
type Rule uint8

const (
	RuleLocks  Rule = iota // mutexes of POSIX threads
	RuleStdio              // streams
	RuleMalloc             // memory is freed once
)

var ruleNames = []string{"pthread-locks", "stdio", "malloc"}

func (r Rule) String() string { return ruleNames[r] }

// ParseRules reads a list like "stdio,malloc".
func ParseRules(list string) (all []Rule, err error) {
	for name := range strings.SplitSeq(list, ",") {
		i := slices.Index(ruleNames, name)
		if i < 0 {
			return nil, fmt.Errorf("%q is none of %s", name, strings.Join(ruleNames, ", "))
		}
		if !slices.Contains(all, Rule(i)) {
			all = append(all, Rule(i))
		}
	}
	return all, nil
}

// standing is the state of the object that is followed.
type standing uint8

const (
	unfollowed standing = iota // no object is
	ready                      // a mutex that is not held, a stream that is open
	locked                     // of a mutex
	gone                       // destroyed, closed, freed
)

// ruled is what a routine means for a rule.
type ruled struct {
	rule Rule
	arg  int // the object, -1: the result
	// bad says what is wrong in a state, "" nothing.
	bad [gone + 1]string
	// null says what is wrong about a null pointer.
	null string
	// to is the state behind the call, in which an object may begin to be followed; unfollowed: the one before.
	to standing
	// zero: it is so only if the routine returns 0.
	zero bool
	// succeeds: the result is 0 where nothing is wrong, which the verdict lists.
	succeeds bool
	// again: what is wrong if the object is held may be right of a mutex that may be held several times.
	again bool
	// opens: the result is a new object, or null.
	opens bool
}

// ruled is what a routine means for the rules that are followed; nil: nothing.
func (l *linker) ruled(f *Func) *ruled {
	if len(l.opts.Rules) == 0 || f.standsIn || !f.Extern() {
		return nil
	}
	r := ruledAs(plainName(f.Name))
	if r == nil || !slices.Contains(l.opts.Rules, r.rule) || r.arg >= 0 && (r.arg >= len(f.Type.Params) || f.Type.Params[r.arg].Kind != Pointer) || r.arg < 0 && f.Type.Result.Kind != Pointer {
		return nil
	}
	return r
}

// ruledAs is what a routine of the library means.
func ruledAs(name string) *ruled {
	states := func(free, held, gone string) [4]string { return [4]string{"", free, held, gone} }
	if does, is := strings.CutPrefix(name, "pthread_mutex_"); is {
		destroyed := name + "() of a mutex that was destroyed"
		switch does {
		case "lock":
			return &ruled{rule: RuleLocks, bad: states("", name+"() of a mutex that is held", destroyed), to: locked, succeeds: true, again: true}
		case "trylock", "timedlock", "clocklock":
			return &ruled{rule: RuleLocks, bad: states("", "", destroyed), to: locked, zero: true}
		case "unlock":
			return &ruled{rule: RuleLocks, bad: states(name+"() of a mutex that is not held", "", destroyed), to: ready, succeeds: true}
		case "init":
			return &ruled{rule: RuleLocks, bad: states("", name+"() of a mutex that is held", ""), to: ready}
		case "destroy":
			return &ruled{rule: RuleLocks, bad: states("", name+"() of a mutex that is held", destroyed), to: gone}
		}
		return nil
	}
	switch name {
	case "pthread_cond_wait", "pthread_cond_timedwait", "pthread_cond_clockwait":
		return &ruled{rule: RuleLocks, arg: 1, bad: states(name+"() with a mutex that is not held", "", name+"() with a mutex that was destroyed")}
	case "fopen", "fopen64", "tmpfile", "tmpfile64", "fdopen", "popen":
		return &ruled{rule: RuleStdio, arg: -1, opens: true}
	case "fclose", "pclose":
		return &ruled{rule: RuleStdio, bad: states("", "", name+"() of a stream that was closed"), null: name + "() of a null pointer", to: gone}
	case "free":
		return &ruled{rule: RuleMalloc, bad: states("", "", "memory is freed twice"), to: gone}
	}
	if arg, is := streamArguments[strings.TrimSuffix(strings.TrimPrefix(name, "_IO_"), "_unlocked")]; is {
		r := &ruled{rule: RuleStdio, arg: arg, bad: states("", "", name+"() of a stream that was closed"), null: name + "() of a null pointer"}
		if strings.HasPrefix(name, "fflush") {
			r.null = "" // of all streams
		}
		return r
	}
	return nil
}

// streamArguments are the routines that use a stream, with which argument that is.
var streamArguments = map[string]int{"fprintf": 0, "vfprintf": 0, "fscanf": 0, "vfscanf": 0, "fgetc": 0, "getc": 0, "getw": 0, "fgetwc": 0, "fputs": 1, "fputc": 1, "putc": 1, "putw": 1, "ungetc": 1, "fgets": 2, "getline": 2,
	"getdelim": 3, "fread": 3, "fwrite": 3, "fseek": 0, "fseeko": 0, "ftell": 0, "ftello": 0, "rewind": 0, "feof": 0, "ferror": 0, "clearerr": 0, "fflush": 0, "fileno": 0, "setbuf": 0, "setvbuf": 0, "fgetpos": 0, "fsetpos": 0, "freopen": 2,
	"__isoc99_fscanf": 0, "__isoc23_fscanf": 0}

// followed are the variables of a rule: which object is followed, and its standing.
type followed struct {
	object, state *Var
	stream        *Var // the object that is followed, of streams that the program opens
	others        *Var // where all others of these point to, any two of them to one place or not
	opened        bool // there are such: others are not followed
}

// rules puts the rules of Options into the program.
func (l *linker) rules() {
	if len(l.opts.Rules) == 0 {
		return
	}
	vars := map[Rule]*followed{}
	mutexes, recursive := l.mutexes()
	done := map[*Call]bool{}
	for _, f := range slices.Clone(l.prog.Funcs) {
		for i := 0; i < len(f.Blocks); i++ { // some get others behind them
			b := f.Blocks[i]
			k := slices.IndexFunc(b.Instrs, func(in Instr) bool {
				c, ok := in.(*Call)
				return ok && c.Callee != nil && !done[c] && l.ruled(c.Callee) != nil
			})
			if k < 0 {
				continue
			}
			c := b.Instrs[k].(*Call)
			done[c] = true
			r := l.ruled(c.Callee)
			if r.arg >= len(c.Args) {
				continue // as another source declares it
			}
			t := c.Callee.Type.Result
			if r.arg >= 0 {
				t = c.Callee.Type.Params[r.arg]
			}
			if vars[r.rule] == nil {
				vars[r.rule] = l.follow(r.rule, t)
			}
			w := &weaver{l: l, f: f, rule: r, vars: vars[r.rule], span: c.Span, recursive: recursive}
			w.around(b, k, c)
		}
	}
	if v := vars[RuleLocks]; v != nil {
		l.bornMutexes(v)
		l.firstMutexes(v, mutexes)
	}
}

// follow makes the variables of a rule.
func (l *linker) follow(r Rule, t *Type) *followed {
	name := map[Rule]string{RuleLocks: "followed mutex", RuleStdio: "followed stream", RuleMalloc: "followed memory"}[r]
	v := &followed{object: l.newGlobal(name, t, Span{}), state: l.newGlobal("state of "+name, l.types.int(), Span{})}
	v.state.Ghost = true
	l.prog.LocksMutexes = l.prog.LocksMutexes || r == RuleLocks
	if r == RuleStdio {
		v.stream = l.newGlobal("the stream", l.types.integer(1, false, false), Span{})
		char := l.types.integer(1, false, false)
		v.others = l.newGlobal("other streams", &Type{Kind: Array, Size: othersMost, Elem: char, Len: othersMost, Name: "char[]"}, Span{})
		v.stream.Ghost, v.others.Ghost = true, true
		l.eachCall(func(_ *Func, c *Call) {
			as := c.Callee
			v.opened = v.opened || as != nil && l.ruled(as) != nil && l.ruled(as).opens
		})
		l.prog.OpensStreams = v.opened
	}
	return v
}

// weaver puts what a rule says of a call into the program.
type weaver struct {
	l         *linker
	f         *Func
	now       *Block
	rule      *ruled
	vars      *followed
	span      Span
	recursive bool
}

func (w *weaver) int() *Type { return w.l.types.int() }

func (w *weaver) is(s standing) Expr {
	return fold(&Binary{Eq, &Load{whole(w.vars.state)}, &Const{w.int(), uint64(s)}, w.int()})
}

func (w *weaver) null(e Expr) Expr {
	return fold(&Binary{Eq, e, &Const{e.Type(), 0}, w.int()})
}

// branch goes on in a new block where a condition holds, and to another one otherwise.
func (w *weaver) branch(cond Expr, otherwise *Block) {
	then := &Block{}
	w.f.add(then)
	w.now.End = &Branch{Cond: cond, Then: then, Else: otherwise, Span: w.span}
	w.now = then
}

// fails is a failure where a condition holds.
func (w *weaver) fails(cond Expr, what string, leaves bool) {
	good, bad := &Block{}, &Block{End: &Fail{What: what, Span: w.span}}
	if leaves {
		bad.Instrs = []Instr{&Call{Callee: w.l.unread(), Unread: what + ", which may be one that can be held several times", Span: w.span}}
		bad.End = &Stop{What: "what is not followed", Span: w.span}
	}
	w.f.add(good, bad)
	w.now.End = &Branch{Cond: cond, Then: bad, Else: good, Span: w.span}
	w.now = good
}

func (w *weaver) assign(v *Var, e Expr) {
	w.now.Instrs = append(w.now.Instrs, &Assign{To: whole(v), Value: e, Span: w.span})
}

// around puts the rule around a call in a block.
func (w *weaver) around(b *Block, k int, c *Call) {
	behind := split(w.f, b, k+1)
	call := split(w.f, b, k)
	w.now = b
	var object Expr
	if w.rule.arg >= 0 {
		v := w.temp(w.vars.object.Type)
		e := c.Args[w.rule.arg]
		if e.Type() != v.Type {
			e = fold(&Convert{e, v.Type})
		}
		w.assign(v, e)
		object = &Load{whole(v)}
		w.before(object, standardStream(c.Args[w.rule.arg]))
	}
	w.now.End = &Jump{To: call}
	w.now = call
	if c.To == nil && (w.rule.zero || w.rule.arg < 0) && c.Callee.Type.Result.Kind != Void {
		to := whole(w.temp(c.Callee.Type.Result))
		c.To = &to
	}
	if w.rule.opens {
		w.opens(c)
	}
	if c.To != nil && w.rule.succeeds {
		w.now.Instrs = append(w.now.Instrs, &Assign{To: *c.To, Value: &Const{c.To.Type, 0}, Span: w.span})
	}
	if w.rule.arg < 0 {
		object = &Load{*c.To}
	}
	if w.rule.to != unfollowed {
		w.after(c, object, behind)
	}
	w.now.End = &Jump{To: behind}
}

func (w *weaver) temp(t *Type) *Var {
	v := &Var{Name: fmt.Sprintf("ruled@%d", len(w.f.Locals)), Type: t, Kind: Temp, Span: w.span}
	w.f.Locals = append(w.f.Locals, v)
	return v
}

// standardStream reports stdin, stdout or stderr, which are not null.
func standardStream(e Expr) bool {
	load, ok := e.(*Load)
	return ok && load.From.Var != nil && load.From.Var.Stream()
}

// isFollowed reports whether an object is the one that is followed.
func (w *weaver) isFollowed(object Expr) Expr {
	return fold(&Binary{Eq, object, &Load{whole(w.vars.object)}, w.int()})
}

// before fails where a call does not fit what was done with its object before.
func (w *weaver) before(object Expr, standard bool) {
	if w.rule.null != "" && !standard {
		w.fails(w.null(object), w.rule.null, false)
	}
	on := &Block{}
	for s := ready; s <= gone; s++ {
		if w.rule.bad[s] != "" {
			w.branch(w.is(s), on)
			w.fails(w.isFollowed(object), w.rule.bad[s], s == locked && w.rule.again && w.recursive)
			w.now.End = &Jump{To: on}
			w.f.add(on)
			w.now, on = on, &Block{}
		}
	}
}

// after notes what a call has done with its object, which may be the one that is followed from now on.
func (w *weaver) after(c *Call, object Expr, behind *Block) {
	if w.rule.zero && c.To != nil {
		w.branch(fold(&Binary{Eq, &Load{*c.To}, &Const{c.To.Type, 0}, w.int()}), behind)
	}
	w.branch(fold(&Binary{Ne, object, &Const{object.Type(), 0}, w.int()}), behind)
	is, other := &Block{}, &Block{}
	w.f.add(is, other)
	w.now.End = &Branch{Cond: w.is(unfollowed), Then: other, Else: is, Span: w.span}
	w.now = is
	w.branch(w.isFollowed(object), behind)
	w.assign(w.vars.state, &Const{w.int(), uint64(w.rule.to)})
	w.now.End = &Jump{To: behind}
	if w.now = other; w.vars.opened {
		w.now.End = &Jump{To: behind}
		w.now = &Block{} // nothing leads there
		return
	}
	w.begins(object, w.rule.to, behind)
}

// begins lets an object be the one that is followed, or not.
func (w *weaver) begins(object Expr, s standing, otherwise *Block) {
	flag, draw := w.l.drawn(w.f, followedInput, w.l.types.integer(1, false, true), w.span)
	w.now.Instrs = append(w.now.Instrs, draw)
	w.branch(flag, otherwise)
	if object.Type() != w.vars.object.Type {
		object = fold(&Convert{object, w.vars.object.Type})
	}
	w.assign(w.vars.object, object)
	w.assign(w.vars.state, &Const{w.int(), uint64(s)})
}

// followedInput is what a run is asked where an object may begin to be followed.
const followedInput = "is followed from here"

// otherInput is what a run is asked where a stream is opened that is not followed.
const otherInput = "which of the other streams it is"

// othersMost is how many streams that are not followed can differ.
const othersMost = 1 << 16

// opens makes the call of a routine that opens a stream one that gives the stream that is followed, from then on, or any
// other one, or null: which of them it is depends on files that nobody knows.
func (w *weaver) opens(c *Call) {
	l := w.l
	k := slices.Index(w.now.Instrs, Instr(c))
	for _, a := range c.Args {
		w.now.Instrs = slices.Insert(w.now.Instrs, k, Instr(&Use{Value: a, Span: c.Span}))
		k++
	}
	w.now.Instrs = w.now.Instrs[:k]
	to, name := *c.To, c.Callee.Name
	null, other, on := &Block{}, &Block{}, &Block{}
	flag, draw := l.drawn(w.f, "a stream from "+name+"()", l.types.integer(1, false, true), w.span)
	w.now.Instrs = append(w.now.Instrs, draw)
	w.branch(flag, null)
	null.Instrs, null.End = []Instr{&Assign{To: to, Value: &Const{to.Type, 0}, Span: w.span}}, &Jump{To: on}
	followed := &Addr{Of: whole(w.vars.stream), Len: -1, T: to.Type}
	w.branch(w.is(unfollowed), other)
	w.begins(followed, ready, other)
	w.now.Instrs = append(w.now.Instrs, &Assign{To: to, Value: followed, Span: w.span})
	w.now.End = &Jump{To: on}
	which, draws := l.drawn(w.f, otherInput, l.types.integer(2, false, false), w.span)
	by := fold(&Convert{which, l.types.integer(l.prog.Model.PointerSize(), true, false)})
	some := &Move{P: &Addr{Of: whole(w.vars.others), Len: othersMost, T: to.Type}, By: by, Stride: 1, T: to.Type}
	other.Instrs = []Instr{draws, &Assign{To: to, Value: some, Span: w.span}}
	other.End = &Jump{To: on}
	w.f.add(null, other, on)
	w.now = on
}

// mutexes are the places in globals that are mutexes, and begin as ones that are not held. recursive: some of the program
// may be of a type that can be held several times.
func (l *linker) mutexes() (all []Place, recursive bool) {
	var mutex *Type
	for _, f := range l.prog.Funcs {
		if r := l.ruled(f); r != nil && r.rule == RuleLocks {
			mutex = f.Type.Params[r.arg].Elem
		}
	}
	l.eachCall(func(_ *Func, c *Call) {
		recursive = recursive || c.Callee != nil && c.Callee.Name == "pthread_mutexattr_settype"
	})
	if mutex == nil {
		return nil, recursive
	}
	for _, g := range l.prog.Globals {
		if !g.Extern {
			all = mutexesIn(all, whole(g), g.Type, mutex)
		}
	}
	plain := slices.DeleteFunc(slices.Clone(all), l.initialised)
	return plain, recursive || len(plain) < len(all)
}

// bornMutexes has a mutex in a local variable no longer be followed where its declaration is come to: it is another one
// from there on, though perhaps at the same place.
func (l *linker) bornMutexes(v *followed) {
	done := map[Instr]bool{}
	for _, f := range l.prog.Funcs {
		for i := 0; i < len(f.Blocks); i++ {
			b := f.Blocks[i]
			k := slices.IndexFunc(b.Instrs, func(in Instr) bool { return !done[in] && begun(in) != nil })
			if k < 0 {
				continue
			}
			local := begun(b.Instrs[k])
			done[b.Instrs[k]] = true
			all := mutexesIn(nil, whole(local), local.Type, v.object.Type.Elem)
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
				next, other := &Block{}, &Block{}
				w.now.End = &Branch{Cond: w.is(unfollowed), Then: next, Else: other, Span: w.span}
				w.f.add(other)
				w.now = other
				w.branch(w.isFollowed(&Addr{Of: p, Len: -1, T: v.object.Type}), next)
				w.assign(v.state, &Const{w.int(), uint64(unfollowed)})
				w.now.End = &Jump{To: next}
				w.f.add(next)
				w.now = next
			}
			for _, p := range readyAt(rest.Instrs, all) {
				w.chooses(p, ready)
			}
			w.now.End = &Jump{To: rest}
		}
	}
}

// chooses lets a place be the object that is followed, if none is.
func (w *weaver) chooses(p Place, s standing) {
	next := &Block{}
	w.branch(w.is(unfollowed), next)
	w.begins(&Addr{Of: p, Len: -1, T: w.vars.object.Type}, s, next)
	w.now.End = &Jump{To: next}
	w.f.add(next)
	w.now = next
}

// readyAt are the places of a local variable that instructions, the first of its declaration, give zeros: mutexes that
// are not held.
func readyAt(instrs []Instr, all []Place) []Place {
	if _, zeros := instrs[0].(*Clear); !zeros {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(all), func(p Place) bool {
		for _, in := range instrs[1:] { // what else the initialiser says
			switch in := in.(type) {
			case *Assign:
				c, constant := in.Value.(*Const)
				if in.To.Var == p.Var && (len(in.To.Index) > 0 || in.To.Off+in.To.Type.Size > p.Off && in.To.Off < p.Off+p.Type.Size) && (!constant || c.Bits != 0) {
					return true
				}
			case *Call:
				return false
			}
		}
		return false
	})
}

// begun is the local variable, of more than a number, whose declaration an instruction may be of; nil if it is of none.
func begun(in Instr) *Var {
	var to Place
	switch in := in.(type) {
	case *Clear:
		to = in.To
	case *Havoc:
		to = in.To
	case *Assign:
		to = in.To
	default:
		return nil
	}
	if to.Var == nil || to.Var.Kind != Local || !to.Var.Type.Aggregate() || to.Off != 0 || len(to.Index) > 0 || to.Type != to.Var.Type {
		return nil
	}
	return to.Var
}

// maxFirstMutexes bounds the mutexes that globals are or have.
const maxFirstMutexes = 100

// firstMutexes lets each mutex that a global is, or has, be followed from the beginning on.
func (l *linker) firstMutexes(v *followed, all []Place) {
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
		w.chooses(p, ready)
	}
	w.now.End = &Jump{To: begin}
}

// mutexesIn adds the places of a type that are in another place.
func mutexesIn(all []Place, p Place, t, mutex *Type) []Place {
	if len(all) > maxFirstMutexes {
		return all
	}
	switch {
	case t == mutex || t.Name == mutex.Name && t.Kind == mutex.Kind && t.Size == mutex.Size && t.Size > 0:
		p.Type = mutex
		return append(all, p)
	case t.Kind == Array && t.Elem.Size > 0:
		for i := range t.Size / t.Elem.Size {
			inner := p
			inner.Off, inner.Type = p.Off+i*t.Elem.Size, t.Elem
			before := len(all)
			if all = mutexesIn(all, inner, t.Elem, mutex); len(all) == before {
				break
			}
		}
	case t.Kind == Struct:
		for _, field := range t.Fields {
			inner := p
			inner.Off, inner.Type = p.Off+field.Off, field.Type
			all = mutexesIn(all, inner, field.Type, mutex)
		}
	}
	return all
}

// initialised reports that a part of a global begins with something else than zeros.
func (l *linker) initialised(p Place) bool {
	for _, b := range l.prog.Init.Blocks {
		for _, i := range b.Instrs {
			if a, ok := i.(*Assign); ok && a.To.Var == p.Var && a.To.Off >= p.Off && a.To.Off < p.Off+p.Type.Size {
				if c, constant := a.Value.(*Const); !constant || c.Bits != 0 {
					return true
				}
			}
		}
	}
	return false
}
