package encode

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
)

// analysed is a program with its points-to sets.
type analysed struct {
	prog  *ir.Program
	entry *ir.Func
	funcs []*ir.Func
	mem   *memory
	pts   *pointsTo
}

func analysedOf(t *testing.T, text string, model ir.DataModel, entry string) *analysed {
	t.Helper()
	p, err := cfront.Parse([]*source.File{source.NewFile("p.c", text)}, cfront.Options{Model: model, Entry: entry})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	a := &analysed{prog: p, entry: p.Func(entry), funcs: append([]*ir.Func{p.Init}, p.Funcs...)}
	a.mem = newMemory(p, &ir.Type{Kind: ir.Pointer, Size: p.Model.PointerSize()})
	a.pts = analyse(a.mem, a.entry, a.funcs)
	a.pts.memo = nil // sets are changed here
	return a
}

func (a *analysed) closed() error { return a.pts.closed(a.entry, a.funcs) }

// same is an object of another memory of the same program.
func (a *analysed) same(o *object) *object {
	switch {
	case o.v != nil:
		return a.mem.vars[o.v]
	case o.site != nil:
		return a.mem.sites[o.site]
	}
	return a.mem.funcs[o.fn]
}

// wrong says which pointer in a state points to what the sets do not name.
func (a *analysed) wrong(e *Encoding, state logic.Model) string {
	c := &closed{p: a.pts, known: map[ir.Expr][]target{}}
	for _, x := range e.Words.Vars {
		at := e.cells[x.Name()]
		if at.run != nil || at.key.off < 0 || at.t.Kind != ir.Pointer {
			continue
		}
		n := wordOf(state[x.Name()])
		set := map[target]bool{}
		for _, t := range c.found(target{a.same(at.obj), at.key.off}, at.t) {
			set[t] = true
		}
		if n == 0 || set[target{a.pts.garbage, 0}] || set[target{a.pts.number, 0}] || set[target{a.pts.unknown, 0}] {
			continue
		}
		points := target{a.pts.walked, 0}
		for _, o := range e.memory.all {
			if off := n - o.base; o.slot == 0 && n >= o.base && off <= uint64(o.size) {
				points = target{a.same(o), int64(off)}
			} else if o.slot > 0 && n >= o.base && off < uint64(o.slot*o.many) {
				points = target{a.same(o), int64(off % uint64(o.slot))}
			}
		}
		if !c.together(set).names(points) {
			return fmt.Sprintf("%s is %#x, %s+%d", x.Name(), n, points.obj.name, points.off)
		}
	}
	return ""
}

// TestPointsToWalks: pointers point to what the sets name, in all states of random walks,
// and the sets are closed. Mutants of the sets, each without one of its targets or flags,
// are found not to be closed; those that are closed all the same do not lie about any of the
// states.
func TestPointsToWalks(t *testing.T) {
	noticed, harmless, pointers := 0, 0, 0
	for seed := range soak.Long(6) {
		rng := rand.New(rand.NewSource(int64(seed)))
		text := gen.CModel(rng)
		model := ir.DataModel(seed % 2)
		a := analysedOf(t, text, model, "main")
		if err := a.closed(); err != nil {
			t.Fatalf("seed %d of gen.CModel: %v", seed, err)
		}
		e, err := Encode(a.prog, "")
		if err != nil {
			continue // refused
		}
		var states []logic.Model
		seen := map[string]bool{}
		w := newWalker(e, rng)
		w.seen = func(state logic.Model) {
			key := ""
			for _, x := range e.Words.Vars {
				if at := e.cells[x.Name()]; at.t.Kind == ir.Pointer && at.run == nil {
					key += fmt.Sprint(wordOf(state[x.Name()]), " ")
				}
			}
			if !seen[key] && len(states) < 50 {
				seen[key] = true
				states = append(states, state)
			}
		}
		for range 5 {
			w.compare()
		}
		for _, state := range states {
			if bad := a.wrong(e, state); bad != "" {
				t.Fatalf("seed %d of gen.CModel: %s", seed, bad)
			}
		}
		pointers += len(states)
		all := 0
		a.mutants(func(string) { all++ })
		a.mutants(func(what string) {
			if rng.Intn(all) >= 60 {
				return
			}
			if a.closed() != nil {
				noticed++
				return
			}
			harmless++
			for _, state := range states {
				if bad := a.wrong(e, state); bad != "" {
					t.Errorf("seed %d of gen.CModel: %s is not noticed, but %s", seed, what, bad)
				}
			}
		})
	}
	t.Logf("%d mutants noticed, %d harmless, %d states with other pointers", noticed, harmless, pointers)
	if noticed <= harmless/4 || pointers == 0 {
		t.Errorf("few mutants are noticed: %d, %d harmless", noticed, harmless)
	}
}

// mutants makes one change after the other, for a moment.
func (a *analysed) mutants(try func(what string)) {
	p := a.pts
	order := func(x, y *object) int { return cmp.Or(cmp.Compare(x.base, y.base), cmp.Compare(x.name, y.name)) }
	for _, o := range slices.SortedFunc(maps.Keys(p.held), order) {
		for _, off := range slices.Sorted(maps.Keys(p.held[o])) {
			set := p.held[o][off]
			for _, gone := range list(set) {
				delete(set, gone)
				try(fmt.Sprintf("%s+%d holds no %s+%d", o.name, off, gone.obj.name, gone.off))
				set[gone] = true
			}
		}
	}
	for _, sets := range []map[*object]bool{p.open, p.escaped} {
		for _, gone := range slices.SortedFunc(maps.Keys(sets), order) {
			if sets[gone] {
				sets[gone] = false
				try(gone.name + " is not open or known to others")
				sets[gone] = true
			}
		}
	}
	for _, flag := range []*bool{&p.wild, &p.hidden} {
		if *flag {
			*flag = false
			try("no pointer is stored where others know it, or as an integer")
			*flag = true
		}
	}
}

// TestClosedMutants: of small programs, each mutant that matters is noticed, and the target
// that makes a program right is one of them.
func TestClosedMutants(t *testing.T) {
	for _, c := range []struct{ text, gone string }{
		{"int x; int main(void) { int *p = &x; *p = 1; return 0; }", "p+0 holds no x+0"},
		{"int x, y; int main(int c) { int *p = &x, **q = &p; if (c) *q = &y; return *p; }", "p+0 holds no y+0"},
		{"int x; int *id(int *a) { return a; } int main(void) { int *p = id(&x); return *p; }", "id+0 holds no x+0"},
		{"int x; int *id(int *a) { return a; } int main(void) { int *p = id(&x); return *p; }", "a+0 holds no x+0"},
		{"struct s { int n; int *p; } v, w; int x; int main(void) { v.p = &x; w = v; return *w.p; }", "w+4 holds no x+0"},
		{"int x; void give(int *); int *get(void); int main(void) { give(&x); int *p = get(); return *p; }", "x is not open or known to others"},
		{"int x; void give(int *); int *get(void); int main(void) { give(&x); int *p = get(); return *p; }", "p+0 holds no unknown+0"},
		{"int x; struct s { int *p; } *get(void); int main(void) { struct s *q = get(); q->p = &x; return *q->p; }", "unknown+0 holds no x+0"},
		{"int x; struct s { int *p; }; int main(struct s *q) { q->p = &x; return *q->p; }", "garbage+0 holds no x+0"},
		{"int x; struct s { int *p; }; int main(struct s *q) { q->p = &x; return *q->p; }", "x is not open or known to others"},
		{"int a[4]; int main(int i) { int *p = a + i; return *p; }", "p+0 holds no walked+0"},
		{"int x; struct s { long n[2]; } v; int main(void) { v.n[1] = (long)&x; return *(int *)v.n[1]; }", "no pointer is stored where others know it, or as an integer"},
		{"int f(void) { return 1; } int main(void) { int (*p)(void) = f; return p(); }", "p+0 holds no f+0"},
		{"void *malloc(unsigned); int main(void) { int *p = malloc(4); *p = 1; return *p; }", "p+0 holds no malloc:1+0"},
	} {
		a := analysedOf(t, c.text, ir.ILP32, "main")
		if err := a.closed(); err != nil {
			t.Errorf("%s\n%v", c.text, err)
			continue
		}
		found := false
		var all []string
		a.mutants(func(what string) {
			if what == c.gone {
				found = true
				if a.closed() == nil {
					t.Errorf("%s\nit is not noticed that %s", c.text, what)
				}
			}
			all = append(all, what)
		})
		if !found {
			t.Errorf("%s\n%s is none of\n%s", c.text, c.gone, strings.Join(all, "\n"))
		}
	}
}
