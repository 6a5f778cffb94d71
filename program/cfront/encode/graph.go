package encode

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program/cfront"
)

// step is what happens between two locations.
type step struct {
	from, to int
	span     cfront.Span
	do       func(c *context)
	fail     string // the failure that it leads to
	narrow   bool   // it has too many ways if indices are told apart by branches
}

// builder inlines a program into a graph of steps.
type builder struct {
	prog      *cfront.Program
	mem       *memory
	pts       *pointsTo
	word      *cfront.Type
	pointer   *cfront.Type
	steps     []*step
	names     []string
	spans     []cfront.Span
	sites     map[*cfront.Call][]*step // that allocate
	entry     *cfront.Func
	again     bool // a part of memory is seen in another way: all has to be encoded again
	externs   map[string]bool
	errors    map[failure]int
	aliasing  bool // a routine without a body handed a pointer out that is dereferenced
	ownMemory bool // some pointer has no target in the program
}

// maxSteps bounds the size of a program after inlining.
const maxSteps = 100_000

// writing are routines of the C library that write to memory: without a body they are
// not followed.
var writing = map[string]bool{}

func init() {
	for _, name := range []string{"memset", "memcpy", "memmove", "strcpy", "strncpy", "strcat", "strncat", "sprintf", "snprintf", "vsprintf", "vsnprintf",
		"scanf", "sscanf", "fscanf", "fgets", "gets", "fread", "read", "recv", "realloc", "qsort", "bcopy", "bzero", "getline", "asprintf",
		"vscanf", "vsscanf", "vfscanf", "__isoc99_scanf", "__isoc99_sscanf", "__isoc99_fscanf", "__isoc99_vscanf", "__isoc99_vsscanf", "__isoc99_vfscanf",
		"__isoc23_scanf", "__isoc23_sscanf", "__isoc23_fscanf", "mempcpy", "memccpy", "stpcpy", "stpncpy", "strlcpy", "strlcat", "strtok", "strtok_r", "strsep", "swab",
		"wcscpy", "wcsncpy", "wmemcpy", "wmemset", "itoa", "getdelim", "getcwd", "readlink", "pread", "readv", "recvfrom", "recvmsg", "pipe", "stat", "fstat", "lstat",
		"gettimeofday", "clock_gettime", "rand_r", "posix_memalign", "vasprintf", "frexp", "modf", "remquo", "sincos", "getrusage", "uname", "gethostname", "sigaction", "socketpair",
		"__VERIFIER_nondet_memory", "__memcpy_chk", "__memset_chk", "__strcpy_chk", "__sprintf_chk", "__snprintf_chk",
		"__builtin_memset", "__builtin_memcpy", "__builtin_realloc"} {
		writing[name] = true
	}
}

// calling are routines of the C library that call a routine that they are given, now or
// later.
var calling = map[string]bool{"atexit": true, "on_exit": true, "at_quick_exit": true, "signal": true, "bsearch": true, "bsearch_s": true, "qsort_r": true, "qsort_s": true,
	"lsearch": true, "lfind": true, "tsearch": true, "twalk": true, "ftw": true, "nftw": true, "scandir": true, "call_once": true, "pthread_once": true, "pthread_atfork": true}

// results are routines that write their second result to an argument, unless it is null:
// its index.
var results = map[string]int{"time": 0, "wait": 0, "waitpid": 1, "strtol": 1, "strtoul": 1, "strtoll": 1, "strtoull": 1, "strtod": 1, "strtof": 1, "nanosleep": 1}

// writesResult reports a call of one of results with a pointer that may not be null.
func writesResult(c *cfront.Call, f *cfront.Func) bool {
	i, known := results[f.Name]
	if !known || i >= len(c.Args) {
		return false
	}
	e := c.Args[i]
	for {
		switch x := e.(type) {
		case *cfront.Convert:
			e = x.X
			continue
		case *cfront.Const:
			return x.Bits != 0
		}
		return true
	}
}

func (b *builder) location(name string, span cfront.Span) int {
	b.names, b.spans = append(b.names, name), append(b.spans, span)
	return len(b.names) - 1
}

func (b *builder) step(from, to int, span cfront.Span, do func(c *context)) *step {
	if len(b.steps) >= maxSteps {
		refuse(span, "c-size", "", "the program is too large: more than %d steps after calls are inlined", maxSteps)
	}
	s := &step{from: from, to: to, span: span, do: do}
	b.steps = append(b.steps, s)
	return s
}

func nothing(*context) {}

// failure is what fails, and where.
type failure struct {
	span cfront.Span
	what string
}

// errorAt is the location of a failure.
func (b *builder) errorAt(f *cfront.Fail) int {
	key := failure{f.Span, f.What}
	if _, known := b.errors[key]; !known {
		b.errors[key] = b.location(fmt.Sprintf("error:%d", f.Span.Pos().Line), f.Span)
	}
	return b.errors[key]
}

// expand inlines an activation of a routine: it begins at the location that is
// returned, and goes on at after, with the result in to.
func (b *builder) expand(f *cfront.Func, active []*cfront.Func, at cfront.Span, after int, to *cfront.Place) int {
	if slices.Contains(active, f) {
		refuse(at, "c-recursion", "write a loop", "%s calls itself, and recursion is not supported yet", f.Name)
	}
	active = append(slices.Clip(active), f)
	begin := map[*cfront.Block]int{}
	for _, block := range f.Blocks {
		span := f.Span
		if len(block.Instrs) > 0 {
			span = block.Instrs[0].At()
		} else if block.End.At().Valid() {
			span = block.End.At()
		}
		begin[block] = b.location(fmt.Sprintf("%s:%d", f.Name, span.Pos().Line), span)
	}
	for _, block := range f.Blocks {
		now := begin[block]
		for _, i := range block.Instrs {
			next := b.location(fmt.Sprintf("%s:%d", f.Name, i.At().Pos().Line), i.At())
			if c, ok := i.(*cfront.Call); ok {
				b.call(c, active, now, next)
			} else {
				b.step(now, next, i.At(), func(c *context) { c.instr(i) })
			}
			now = next
		}
		b.terminate(block.End, begin, now, after, to)
	}
	return begin[f.Blocks[0]]
}

func (b *builder) terminate(t cfront.Terminator, begin map[*cfront.Block]int, now, after int, to *cfront.Place) {
	span := t.At()
	switch t := t.(type) {
	case *cfront.Jump:
		b.step(now, begin[t.To], span, nothing)
	case *cfront.Branch:
		b.step(now, begin[t.Then], span, func(c *context) { c.require(c.formula(t.Cond)) })
		b.step(now, begin[t.Else], span, func(c *context) { c.require(logic.Not(c.formula(t.Cond))) })
	case *cfront.Return:
		b.step(now, after, span, func(c *context) {
			switch {
			case to == nil:
				if t.Value != nil && t.Value.Type().Scalar() {
					c.value(t.Value)
				}
			case t.Value == nil:
				c.fill(*to, false)
			default:
				c.store(*to, t.Value)
			}
		})
	case *cfront.Fail:
		b.step(now, b.errorAt(t), span, nothing).fail = t.What
	}
}

// call inlines a call, of each routine that it may be.
func (b *builder) call(c *cfront.Call, active []*cfront.Func, now, next int) {
	if c.Callee != nil {
		b.enter(c, c.Callee, active, now, next, nothing)
		return
	}
	var routines []*cfront.Func
	for _, f := range b.pts.routines(c.Ptr) {
		if f.Extern() || len(f.Params) == len(c.Args) {
			routines = append(routines, f)
		}
	}
	is := func(x *context, f *cfront.Func) *logic.Term {
		t := c.Ptr.Type()
		return x.a.compare(cfront.Eq, t, x.value(c.Ptr), x.a.number(t, b.mem.ofFunc(f).base))
	}
	if !b.pts.proposes(c.Ptr) { // no routine of the program: one without a body
		b.externs[fmt.Sprintf("the routine called by a pointer in line %d", c.Span.Pos().Line)] = true
		b.step(now, next, c.Span, func(x *context) {
			t := c.Ptr.Type()
			x.require(x.a.compare(cfront.Ne, t, x.value(c.Ptr), x.a.number(t, 0)))
			x.external(c, &cfront.Func{Type: t.Elem})
		})
		b.ownMemory = true
		return
	}
	for _, f := range routines {
		b.enter(c, f, active, now, next, func(x *context) { x.require(is(x, f)) })
	}
	b.step(now, next, c.Span, func(x *context) {
		for _, f := range routines {
			x.require(logic.Not(is(x, f)))
		}
		x.notNull(c.Ptr)
		x.lose("a call by a pointer whose target is not known")
	})
}

// enter calls one routine, under a condition.
func (b *builder) enter(c *cfront.Call, f *cfront.Func, active []*cfront.Func, now, next int, when func(*context)) {
	if f.Extern() {
		b.extern(c, f)
		s := b.step(now, next, c.Span, func(x *context) { when(x); x.external(c, f) })
		if allocates[f.Name] {
			b.sites[c] = append(b.sites[c], s)
		}
		return
	}
	entry := b.expand(f, active, c.Span, next, c.To)
	b.step(now, entry, c.Span, func(x *context) {
		when(x)
		for k, p := range f.Params {
			x.store(cfront.Place{Var: p, Type: p.Type}, c.Args[k])
		}
	})
}

func (b *builder) extern(c *cfront.Call, f *cfront.Func) {
	switch {
	case calling[f.Name]:
		refuse(c.Span, "c-call", "call them where they are called", "the routines that %s calls are not followed", f.Name)
	case writing[f.Name] || writesResult(c, f):
		refuse(c.Span, "c-memory", "assign what it writes, or give it a body", "what %s writes to memory is not followed", f.Name)
	case allocates[f.Name]:
	default:
		b.externs[f.Name] = true
	}
}

// repeats reports that a step can be done after itself.
func (b *builder) repeats(out [][]int, s *step) bool {
	seen := map[int]bool{}
	work := []int{s.to}
	for len(work) > 0 {
		l := work[len(work)-1]
		work = work[:len(work)-1]
		if l == s.from {
			return true
		}
		if !seen[l] {
			seen[l] = true
			work = append(work, out[l]...)
		}
	}
	return false
}

// guarded runs what may refuse.
func guarded(do func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			bad, ok := r.(*refusal)
			if !ok {
				panic(r)
			}
			err = source.List{bad.Diagnostic}
		}
	}()
	do()
	return nil
}
