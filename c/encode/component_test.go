package encode

import (
	gocontext "context"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/lks"
)

// written is a context as a test writes it: conditions are texts.
type written struct {
	initial  []string
	routines map[string][]writtenAbstraction
	returns  []writtenClass
	failure  []string
}

type writtenAbstraction struct {
	guard string
	moves []writtenMove // of states 0, 1, ...; 0 is initial
}

// writtenMove is a transition; do is "", an action, "l := r", or "return CONDITION".
type writtenMove struct {
	from, to  int
	guard, do string
}

// writtenClass: "!c" is the negation of the condition c.
type writtenClass struct {
	action string
	where  []string
}

// component parses a program and encodes one of its procedures in a context.
func encodedComponent(text, procedure string, w *written) (*Encoding, error) {
	var spec strings.Builder
	var list []cfront.Condition
	var where [][4]int
	note := func(routine, expr, to string, result bool) int {
		from := spec.Len()
		spec.WriteString(to)
		mid := spec.Len()
		spec.WriteString("\n" + expr)
		where = append(where, [4]int{from, mid, mid + 1, spec.Len()})
		spec.WriteString("\n")
		list = append(list, cfront.Condition{Routine: routine, Result: result})
		return len(list) - 1
	}
	var late []func(p *ir.Program)
	into := func(place **ir.Func, k int) {
		late = append(late, func(p *ir.Program) { *place = p.Conditions[k] })
	}
	ctx := &Context{Failures: w.failure, Routines: map[string][]Abstraction{}, Initial: make([]*ir.Func, len(w.initial)), Returns: make([]Class, len(w.returns))}
	for i, e := range w.initial {
		into(&ctx.Initial[i], note(procedure, e, "", false))
	}
	for i, c := range w.returns {
		ctx.Returns[i] = Class{Action: c.action, Where: make([]Literal, len(c.where))}
		for k, e := range c.where {
			l := &ctx.Returns[i].Where[k]
			e, l.Negated = strings.CutPrefix(e, "!")
			into(&l.Condition, note(procedure, e, "", true))
		}
	}
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range w.routines {
			if !yield(name) {
				return
			}
		}
	}) {
		abstractions := make([]Abstraction, len(w.routines[name]))
		for i, a := range w.routines[name] {
			abstractions[i] = Abstraction{Name: fmt.Sprint(name, i), Machine: &Machine{Initial: []int{0}, Transitions: make([]Transition, len(a.moves))}}
			if a.guard != "" {
				into(&abstractions[i].Guard, note(name, a.guard, "", false))
			}
			m := abstractions[i].Machine
			for k, move := range a.moves {
				t := &m.Transitions[k]
				t.From, t.To = move.from, move.to
				m.States = max(m.States, t.From+1, t.To+1)
				if move.guard != "" {
					into(&t.Guard, note(name, move.guard, "", false))
				}
				if l, r, ok := strings.Cut(move.do, " := "); ok {
					into(&t.Assign, note(name, r, l, false))
				} else if e, ok := strings.CutPrefix(move.do, "return "); ok {
					t.Result = make([]*ir.Func, 1)
					into(&t.Result[0], note(name, e, "", true))
				} else {
					t.Action = move.do
				}
			}
		}
		ctx.Routines[name] = abstractions
	}
	file := source.NewFile("p.spec", spec.String())
	for i := range list {
		list[i].Expr = file.Span(where[i][2], where[i][3])
		if where[i][0] < where[i][1] {
			list[i].To = file.Span(where[i][0], where[i][1])
		}
	}
	p, err := cfront.Parse([]*source.File{source.NewFile("p.c", text)}, cfront.Options{Entry: procedure, Conditions: list})
	if err != nil {
		return nil, err
	}
	for _, f := range late {
		f(p)
	}
	return EncodeComponent(gocontext.Background(), p, procedure, ctx)
}

// concrete is the meaning of a component whose choices are those of a domain; both
// encodings have the same.
func concrete(t *testing.T, text, procedure string, w *written, domain ...int64) (*Encoding, *lks.LKS) {
	t.Helper()
	e, err := encodedComponent(text, procedure, w)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var words *lks.LKS
	for _, c := range []struct{ name string }{{"words"}, {"numbers"}} {
		sys := e.Words
		if c.name == "numbers" {
			sys = e.Numbers
		}
		comp := e.Component(sys)
		if err := comp.Validate(); err != nil {
			t.Fatal(err)
		}
		m, lost, err := naive.Concrete(comp, domain, 100_000)
		if err != nil || lost != "" {
			t.Fatal(err, lost)
		}
		if words == nil {
			words = m
		} else if got, want := runs(m), runs(words); !slices.Equal(got, want) {
			t.Errorf("numbers have the runs %q, words %q", got, want)
		}
	}
	return e, words
}

// runs are the sequences of actions of all maximal runs, "END" behind those that end.
func runs(m *lks.LKS) []string {
	found := map[string]bool{}
	var walk func(s int32, done string, depth int)
	walk = func(s int32, done string, depth int) {
		edges := m.Edges(s)
		switch {
		case m.Kind(s) == lks.End:
			found[strings.TrimSpace(done+" END")] = true
			return
		case len(edges) == 0 || depth > 60:
			found[strings.TrimSpace(done+" ...")] = true
			return
		}
		for _, e := range edges {
			next := done
			if a := m.Alphabet()[e.Action]; a != lks.TauName {
				next += " " + a
			}
			walk(e.Target, next, depth+1)
		}
	}
	for _, s := range m.Initial() {
		walk(s, "", 0)
	}
	var all []string
	for r := range found {
		all = append(all, r)
	}
	slices.Sort(all)
	return all
}

func expect(t *testing.T, what string, m *lks.LKS, want ...string) {
	t.Helper()
	if got := runs(m); !slices.Equal(got, want) {
		t.Errorf("%s: runs %q, want %q", what, got, want)
	}
}

func performs(action string) []writtenAbstraction {
	return []writtenAbstraction{{moves: []writtenMove{{0, Stop, "", action}}}}
}

// figure31 is the running example of the thesis, figure 3.1.
const figure31 = `void component() {
  int x,y,z;
  x = y;
  if(z) {
    if(x) alpha();
    else chi();
  } else {
    if(y) beta();
    else delta();
  }
}`

// TestFigure32: the component of figure 3.1 has the statements of figure 3.2 and example
// 7 (an assignment, three branches, four calls, an exit), and with the context of example
// 9 the runs that the text says.
func TestFigure32(t *testing.T) {
	w := &written{routines: map[string][]writtenAbstraction{"alpha": performs("a"), "beta": performs("b"), "chi": performs("c"), "delta": performs("d")}}
	e, m := concrete(t, figure31, "component", w, 0, 1)
	kinds := map[string]int{}
	for _, b := range e.Entry.Blocks {
		for _, i := range b.Instrs {
			kinds[fmt.Sprintf("%T", i)]++
		}
		kinds[fmt.Sprintf("%T", b.End)]++
	}
	if kinds["*ir.Assign"] != 1 || kinds["*ir.Branch"] != 3 || kinds["*ir.Call"] != 4 || kinds["*ir.Return"] != 1 {
		t.Errorf("statements %v", kinds)
	}
	expect(t, "example 9", m, "a END", "b END", "c END", "d END")
	if got := e.Component(e.Words).Alphabet; !slices.Equal(got, []string{"a", "b", "c", "d"}) {
		t.Errorf("alphabet %q", got)
	}
	if len(e.Externs) > 0 {
		t.Errorf("externs %q", e.Externs)
	}
}

// TestExample6: the expression *&v has the value of v.
func TestExample6(t *testing.T) {
	text := "int v = 5; void component(void) { if (*&v == 5) yes(); else no(); v = 6; if (*&v == 5) no(); }"
	w := &written{routines: map[string][]writtenAbstraction{"yes": {{guard: "*&v == 5", moves: []writtenMove{{0, Stop, "", "five"}}}, {guard: "!(*&v == 5)", moves: []writtenMove{{0, Stop, "", "other"}}}}, "no": performs("no")}}
	_, m := concrete(t, text, "component", w, 0)
	expect(t, "example 6", m, "five END")
}

// TestExample8: figure 3.3, a routine that assigns and performs actions.
func TestExample8(t *testing.T) {
	text := "int v; void lib(int p); void component(int p) { lib(p); if (v == 1) one(); else if (v == 2) two(); else none(); }"
	w := &written{routines: map[string][]writtenAbstraction{"one": performs("one"), "two": performs("two"), "none": performs("none"),
		"lib": {{moves: []writtenMove{{0, 1, "$1", "alpha"}, {1, Stop, "", "v := 1"}, {0, 2, "$1", "beta"}, {2, Stop, "", "v := 2"}, {0, Stop, "!$1", "v := 0"}}}}}}
	_, m := concrete(t, text, "component", w, -1, 0, 2)
	expect(t, "example 8", m, "alpha one END", "beta two END", "none END")
	w.initial = []string{"$1 == 0 || $1 == 9"}
	_, m = concrete(t, text, "component", w, -1, 0, 2)
	expect(t, "example 8, not called with others", m, "none END")
}

const myProc = `int my_proc(int x) {
    int y;
    if(x == 0) {
        y = foo();
        if(y > 0) return 10;
        else return 20;
    } else {
        y = bar();
        if(y < 0) return 30;
        else return 40;
    }
}`

// tutorial is the context of my_proc, from the tutorial of MAGIC (thesis 6.4).
func tutorial(foo string, initial ...string) *written {
	return &written{initial: initial, routines: map[string][]writtenAbstraction{
		"foo": {{moves: []writtenMove{{0, 1, "", "call_foo"}, {1, Stop, "", foo}}}},
		"bar": {{moves: []writtenMove{{0, 1, "", "call_bar"}, {1, Stop, "", "return $0 == 50"}}}},
	}, returns: []writtenClass{{"return {10}", []string{"$0 == 10"}}, {"return {20}", []string{"!$0 == 10", "$0 == 20"}}, {"other", []string{"!$0 == 10", "!$0 == 20"}}}}
}

// TestTutorial: the procedure of the tutorial.
func TestTutorial(t *testing.T) {
	_, m := concrete(t, myProc, "my_proc", tutorial("return $0 == -1", "$1 == 0"), -1, 0, 1, 50)
	expect(t, "x == 0", m, "call_foo return {20} END")
	_, m = concrete(t, myProc, "my_proc", tutorial("return $0 == -1", "$1 != 0"), -1, 0, 1, 50)
	expect(t, "x != 0", m, "call_bar other END")
	e, m := concrete(t, myProc, "my_proc", tutorial(""), -1, 0, 1, 50)
	expect(t, "any x, any result of foo", m, "call_bar other END", "call_foo return {10} END", "call_foo return {20} END")
	if got := e.Component(e.Numbers).Alphabet; !slices.Equal(got, []string{"call_bar", "call_foo", "other", "return {10}", "return {20}"}) {
		t.Errorf("alphabet %q", got)
	}
}

// TestComponentCalls: pointers to abstracted routines, several calls, calls inside of
// inlined routines, abstracted routines with bodies, guards that exclude each other,
// failures, exit, and results that nobody reads.
func TestComponentCalls(t *testing.T) {
	for _, c := range []struct {
		name, text string
		w          *written
		want       []string
	}{
		{"pointer", "int f(int x) { return 7; } int g(int x) { return 8; } void component(int p) { int (*h)(int) = p ? f : g; if (h(1) == 7) good(); }",
			&written{routines: map[string][]writtenAbstraction{"f": {{moves: []writtenMove{{0, 1, "", "f"}, {1, Stop, "", "return $0 == 7"}}}}, "good": performs("good")}},
			[]string{"END", "f good END"}},
		{"guards", "void f(int x, int y); void component(int p) { f(p, 1); f(3, p); }",
			&written{routines: map[string][]writtenAbstraction{"f": {{"$1 > $2", []writtenMove{{0, Stop, "", "gt"}}}, {"$1 < $2", []writtenMove{{0, Stop, "", "lt"}}}, {"$1 == $2", []writtenMove{{0, Stop, "", "eq"}}}}}},
			[]string{"eq gt END", "gt eq END", "gt gt END", "gt lt END", "lt gt END"}},
		{"inlined", "void in(int x) { if (x) f(); } void component(int p) { in(p); in(0); in(1); }",
			&written{routines: map[string][]writtenAbstraction{"f": performs("f")}}, []string{"f END", "f f END"}},
		{"body", "int f(int x) { return x; } void component(int p) { if (f(1) == 1) one(); }",
			&written{routines: map[string][]writtenAbstraction{"f": {{moves: []writtenMove{{0, Stop, "", "return $0 == $1 + 1"}}}}, "one": performs("one")}}, []string{"END"}},
		{"failure", "void component(int p) { if (p == 1) { ERROR: ; } if (p == 0) exit(1); f(); }",
			&written{failure: []string{"error"}, routines: map[string][]writtenAbstraction{"f": performs("f")}}, []string{"END", "error END", "f END"}},
		{"waits", "void component(int p) { f(p); f(1); }", // a routine that does not return
			&written{routines: map[string][]writtenAbstraction{"f": {{"", []writtenMove{{0, Stop, "", "a"}, {0, 1, "", ""}}}}}}, []string{"...", "a ...", "a a END"}},
		{"shared", "struct s { int n; struct s *p; } a; void f(struct s *p); void component(int p) { a.n = p; a.p = &a; f(&a); if (a.n == 7) seven(); }",
			&written{routines: map[string][]writtenAbstraction{"f": {{"$1->p->n == 0", []writtenMove{{0, Stop, "", "$1->n := 7"}}}, {"!($1->p->n == 0)", []writtenMove{{0, Stop, "", "no"}}}}, "seven": performs("seven")}},
			[]string{"no END", "no seven END", "seven END"}},
	} {
		_, m := concrete(t, strings.Replace(c.text, "f(p); f(1)", "f(); f()", 1), "component", c.w, 0, 1, 2, 3, 7, 8)
		expect(t, c.name, m, c.want...)
	}
}

// TestParameterObjects: a pointer parameter points to an object of its own, whose members
// are followed; pointers to structs in it are null or point to one of their own, too.
func TestParameterObjects(t *testing.T) {
	text := `struct cert { int n; struct cert *next; }; struct ssl { int state; struct cert *c; struct ssl *peer; void *data; };
		void component(struct ssl *s, int *out, int k) {
			*out = 3;
			if (s->state == 1) s->state = 2;
			if (s->state == 2 && *out == 3) step(s);
			if (s->c) { s->c->n = k; if (s->c->n == k) same(); else other(); }
			if (s->state == 7 && s == 0) other();
			if (s->state == 7 && out == &s->state) other();
		} void step(struct ssl *);`
	w := &written{initial: []string{"$1->state > 0 && $3 == 1"}, routines: map[string][]writtenAbstraction{"same": performs("same"), "other": performs("other"),
		"step": {{"$1->state == 2", []writtenMove{{0, Stop, "", "$1->state := 7"}}}, {"!($1->state == 2)", performs("wrong")[0].moves}}}}
	e, err := encodedComponent(text, "component", w)
	if err != nil {
		t.Fatal(err)
	}
	if !testing.Short() { // many variables are enumerated
		domain := []int64{0, 1, 2}
		for _, v := range e.memory.given.objects {
			domain = append(domain, int64(e.memory.ofVar(v).base))
		}
		_, m := concrete(t, text, "component", w, domain...)
		expect(t, "objects", m, "END", "same END")
	}
	if got := e.Objects(); !slices.Equal(got, []string{"(*s).c", "out", "s"}) {
		t.Errorf("objects %q", got)
	}
	rng := rand.New(rand.NewSource(2))
	long := 0
	for range 200 {
		trace := walkComponent(rng, e, e.Words, 60)
		if trace == nil {
			continue
		}
		if _, err := e.ReplayComponent(e.Words, trace); err != nil {
			t.Fatalf("%v\n%s", err, trace.Explain(e.Words))
		}
		long = max(long, len(trace.Edges))
	}
	if long < 10 {
		t.Errorf("the longest replayed walk has %d steps", long)
	}
}

// TestComponentsRefused: what a component cannot be made of.
func TestComponentsRefused(t *testing.T) {
	w := &written{failure: nil, routines: map[string][]writtenAbstraction{"f": performs("f")}}
	e, err := encodedComponent("void component(void) { ERROR: f(); }", "component", w)
	if err != nil {
		t.Fatal(err)
	}
	if c := e.Component(e.Words); len(c.Lost) != 1 || slices.Contains(c.Actions, "error") {
		t.Errorf("a failure that performs nothing is in %v", c.Lost)
	}
	if _, err := encodedComponent("void component(void) { f(); }", "componet", w); err == nil {
		t.Error("a procedure that there is not")
	}
	m := &Machine{States: 1, Initial: []int{0}, Transitions: []Transition{{From: 0, To: 1}}}
	if err := m.Validate(); err == nil {
		t.Error("a state that there is not")
	}
}

// TestReplayTampered: a run of another program, or with other values, is not replayed.
func TestReplayTampered(t *testing.T) {
	e, err := encodedComponent(myProc, "my_proc", tutorial("return $0 == -1"))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewSource(1))
	replayed := 0
	for range 20 {
		trace := walkComponent(rng, e, e.Words, 100)
		if trace == nil {
			continue
		}
		if _, err := e.ReplayComponent(e.Words, trace); err != nil {
			t.Fatal(err)
		}
		replayed++
		for i := range trace.Edges {
			if len(trace.Inputs[i]) == 0 {
				continue
			}
			for name, v := range trace.Inputs[i] {
				old := v
				trace.Inputs[i][name] = plusOne(v)
				if _, err := e.ReplayComponent(e.Words, trace); err == nil && strings.Contains(e.Words.Edges[trace.Edges[i]].Name, "foo") {
					t.Errorf("replayed with another result of %s", e.Words.Edges[trace.Edges[i]].Name)
				}
				trace.Inputs[i][name] = old
			}
		}
	}
	if replayed == 0 {
		t.Error("nothing was replayed")
	}
}
