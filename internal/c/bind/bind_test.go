package bind_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/conform"
	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/smt"
)

func solver(t *testing.T) smt.Solver {
	t.Helper()
	z3, err := smt.NewZ3(smt.Options{RLimit: 50_000_000})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { z3.Close() })
	return z3
}

// bound binds an abstraction of a specification to a source.
func bound(t *testing.T, text, spec, program, abstraction string) (*bind.Question, error) {
	t.Helper()
	f, err := specification.ParseText("p.spec", spec)
	if err != nil {
		return nil, err
	}
	return bind.Bind(context.Background(), &bind.Task{Sources: []*source.File{source.NewFile("p.c", text)}, Spec: f, Program: program, Abstraction: abstraction}, solver(t))
}

func mustBind(t *testing.T, text, spec, abstraction string) *bind.Question {
	t.Helper()
	q, err := bound(t, text, spec, "", abstraction)
	if err != nil {
		var b strings.Builder
		if list, ok := err.(source.List); ok {
			list.Render(&b)
		}
		t.Fatal(err, b.String())
	}
	return q
}

// conforms decides a question by building the concrete semantics of all components, with
// values of a domain.
func conforms(t *testing.T, q *bind.Question, domain ...int64) bool {
	t.Helper()
	var parts []*lks.Network
	known := map[string]bool{}
	for _, c := range q.Components {
		comp := c.Encoding.Component(c.Encoding.Words)
		if err := comp.Validate(); err != nil {
			t.Fatal(err)
		}
		m, lost, err := naive.Concrete(comp, domain, 200_000)
		if err != nil || lost != "" {
			t.Fatal(err, lost)
		}
		for _, a := range m.Alphabet() {
			known[a] = true
		}
		parts = append(parts, lks.Single(m))
	}
	b := lks.NewBuilder("unused") // takes part in what nobody else does, and never does it
	b.State()
	for _, a := range q.Spec.Alphabet() {
		if !known[a] {
			b.Action(a)
		}
	}
	rest, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if len(rest.Alphabet()) > 1 {
		parts = append(parts, lks.Single(rest))
	}
	net, err := lks.Compose("impl", parts...)
	if err != nil {
		t.Fatal(err)
	}
	r, err := conform.Check(context.Background(), net, lks.Single(q.Spec), conform.Options{Preorder: conform.Weak, Restrict: true, SilentSpec: conform.Saturate})
	if err != nil {
		t.Fatal(err)
	}
	return r.Holds()
}

func file(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../../../specs/c/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestTutorial: the tutorial of MAGIC (thesis 6.4), decided on the concrete semantics: 5,
// 6, 9 and 10 hold, as far as FOO and BAR return what abs_5 to abs_12 speak of; 7, 8, 11
// and 12 do not.
func TestTutorial(t *testing.T) {
	for abstraction, want := range map[string]bool{"abs_5": true, "abs_6": true, "abs_7": false, "abs_8": false} {
		q := mustBind(t, file(t, "my_proc.c"), file(t, "my_proc.spec"), abstraction)
		if got := conforms(t, q, -1, 0, 1, 50); got != want {
			t.Errorf("%s: conforms %v, want %v", abstraction, got, want)
		}
		if len(q.Assumed) != 2 || q.Assumed[0].Routine != "bar" || q.Assumed[1].Name != "abs_3" || len(q.Externs) > 0 {
			t.Errorf("%s assumes %v and %v", abstraction, q.Assumed, q.Externs)
		}
	}
	for abstraction, want := range map[string]bool{"abs_9": true, "abs_10": true, "abs_11": false, "abs_12": false} {
		q := mustBind(t, file(t, "my_proc.c"), file(t, "my_conc.spec"), abstraction)
		if len(q.Components) != 2 || q.Components[1].Name != "my_proc#2" {
			t.Fatalf("%d components", len(q.Components))
		}
		if got := conforms(t, q, -1, 0, 1, 50); got != want {
			t.Errorf("%s: conforms %v, want %v", abstraction, got, want)
		}
	}
}

// TestClasses: conditions on results that overlap, and those of values that satisfy none.
func TestClasses(t *testing.T) {
	q := mustBind(t, "int p(int x) { return x; }", `
		S = (return {$0 > 0} -> STOP | return { ($0 < 10) } -> STOP | return {$0 == 3 && $0 == 4} -> STOP).
		cprog c = p { abstract a, {($1 != 7)}, S; }`, "")
	c := q.Components[0].Encoding
	if got := c.Component(c.Words).Alphabet; !slices.Equal(got, []string{"return {$0 < 10}", "return {$0 > 0 && $0 < 10}", "return {$0 > 0}"}) {
		t.Errorf("classes %q", got)
	}
	if !conforms(t, q, -1, 0, 1, 10, 20) {
		t.Error("each value is in a class")
	}
	q = mustBind(t, "int p(int x) { return x; }", "S = (return {$0 > 0} -> STOP). cprog c = p { abstract a, {(1)}, S; }", "")
	if got := q.Spec.Alphabet()[1:]; !slices.Equal(got, []string{"return {$0 > 0}", bind.Other}) {
		t.Errorf("alphabet %q", got)
	}
	if conforms(t, q, -1, 0, 1) || !conforms(t, q, 1, 2) {
		t.Error("0 is in no class of the specification")
	}
	q = mustBind(t, "void p(void) { f(); }", "F = (f -> return {} -> STOP). cproc f { abstract {b, 1, F}; } S = (f -> return {} -> STOP). cprog c = p { abstract a, {(1)}, S; }", "")
	if !conforms(t, q, 0) || !slices.Equal(q.Spec.Alphabet()[1:], []string{"f", bind.AnyReturn}) {
		t.Errorf("a procedure without a result: %q", q.Spec.Alphabet())
	}
}

// TestCopies: copies of a procedure with actions, guards and abstractions of their own;
// scoped abstractions, inlining, alphabets, hidden actions.
func TestCopies(t *testing.T) {
	text := `void left(int), right(int); void phil(int i) { left(i); right(i); } void get(int n) { done(); } void server(void) { get(1); }`
	spec := `const N = 2
		LEFT = (when ($1 == 1) left.get -> STOP). 
		RIGHT = (right.get -> STOP).
		cproc left { abstract {a, ($1 < N), LEFT}; abstract {b, ($1 >= N), STOP}; }
		cproc right { abstract {c, 1, RIGHT}; }
		cproc phil { alphabet {think}; }
		BOTH = (fork[1].get -> BOTH | fork[2].get -> BOTH | fork[0].get -> BOTH) +{phil[0].think}.
		cprog dp = phil[i:0..N-1] {
			abstract all, {($1 == i)}, BOTH;
			rename phil {left.get/fork[i].get, right.get/fork[(i+1) % N].get, think/phil[i].think};
			hide {fork[0].get};
		}`
	q := mustBind(t, text, spec, "")
	var got []string
	for _, c := range q.Components {
		got = append(got, c.Name+": "+strings.Join(c.Encoding.Component(c.Encoding.Words).Alphabet, " "))
	}
	if want := []string{"phil[0]: fork.1.get phil.0.think", "phil[1]: fork.1.get phil.1.think"}; !slices.Equal(got, want) {
		t.Errorf("alphabets %q, want %q", got, want)
	}
	if len(q.Warnings) != 2 { // fork.2.get, fork.0.get
		t.Errorf("warnings %v", q.Warnings)
	}
	for scope, want := range map[string]string{"": "plain", "server::": "scoped", "other::": "plain"} {
		spec := `A = (plain -> STOP). B = (scoped -> STOP). S = (plain -> STOP | scoped -> STOP | done -> STOP). D = (done -> STOP).
			cproc get { abstract {a, 1, A}; }
			cproc done { abstract {d, 1, D}; }
			cprog s = server { abstract all, {1}, S; }`
		if scope != "" {
			spec += "cproc " + scope + "get { abstract {b, 1, B}; }"
		}
		q := mustBind(t, text+" void other(void) { get(2); }", spec, "")
		if c := q.Components[0].Encoding; !slices.Equal(c.Component(c.Words).Alphabet, []string{want}) {
			t.Errorf("scope %q: alphabet %q", scope, c.Component(c.Words).Alphabet)
		}
		q = mustBind(t, text+" void other(void) { get(2); }", spec+" cproc server { inline get; }", "")
		if c := q.Components[0].Encoding; !slices.Equal(c.Component(c.Words).Alphabet, []string{"done"}) {
			t.Errorf("scope %q, inlined: alphabet %q", scope, c.Component(c.Words).Alphabet)
		}
	}
}

// TestMistakes: what a specification and sources say that do not fit together, each at its
// place, with a suggestion or a witness.
func TestMistakes(t *testing.T) {
	const text = "int g; int p(int x) { return f(x); } int q(int x) { g = x; return g; } int r(int y) { return g; } void v(void) { ERROR: ; } int f(int);"
	const f = "F = (f -> return {$0 > 0} -> STOP).\nS = (f -> return {$0 == 1} -> STOP).\n"
	for _, c := range []struct{ spec, want string }{
		{f + "cproc f { abstract {a, 1, F}; }\ncprog c = pp { abstract s, {1}, S; }", "p.spec:4:11: error: the sources have no procedure pp"},
		{f + "cprog c = p, q { abstract s, {1}, S; }", "1 guard for 2 components"},
		{f + "cprog c = p { abstract s, {1}, SS; }", "p.spec:3:32: error: there is no definition of SS"},
		{f + "cproc f { abstract {a, ($1 > 3), F}; abstract {b, ($1 < 3), F}; }\ncprog c = p { abstract s, {1}, S; }", "no abstraction of f applies where $1 = 3"},
		{f + "cproc f { abstract {a, ($1 >= 3), F}; abstract {b, ($1 <= 3), F}; }\ncprog c = p { abstract s, {1}, S; }", "p.spec:3:39: error: two abstractions of f apply where $1 = 3"},
		{f + "cproc f { abstract {a, ($2 > 3), F}; }\ncprog c = p { abstract s, {1}, S; }", "p.spec:3:25: error: $2: f has 1 parameters"},
		{f + "cproc f { abstract {a, 1, F}; }\ncprog c = p { abstract s, {x == 1}, S; }", "p.spec:4:28: error: undefined: x"},
		{f + "cproc f { abstract {a, 1, F}; }\ncprog c = p { abstract s, {1}, S; }\nT = (return {$1 == 2} -> STOP). cprog d = p { abstract s, {1}, T; }", "p.spec:4:7: error: there are several programs: c, d"},
		{f + "cprog c = q, r { abstract s, {1, 1}, S; }", "q assigns to the global g, which r uses"},
		{f + "cprog c = v { abstract s, {1}, S; }", "v returns no integer"},
		{f + "cprog c = v, v { abstract s, {1, 1}, T; }\nT = (f -> STOP) +{error}.", "several components can fail"},
		{f + "cproc q { inline nobody; }\ncprog c = p { abstract s, {1}, S; }", "nobody cannot be inlined"},
		{f + "cproc f { abstract {a, 1, G}; }\nG = (return {$0 == 1} -> G).\ncprog c = p { abstract s, {1}, S; }", "G goes on behind its return"},
		{f + "cprog c = p { abstract s, {1}, T; }\nT = (when ($1) f -> STOP).", "the specification T has a guard"},
		{f + "cprog c = p { abstract s, {1}, T; }\nT = (return {$1} -> STOP).", "$1 has no meaning"},
		{f, "there is no program here"},
		{f + "cprog c = p { abstract s, {1}, S; rename qq {a/b}; }", "has no component qq"},
	} {
		_, err := bound(t, text, c.spec, "", "")
		var b strings.Builder
		if list, ok := err.(source.List); ok {
			list.Render(&b)
		}
		if !strings.Contains(b.String(), c.want) {
			t.Errorf("%s\n%v%s, want %s", c.spec, err, b.String(), c.want)
		}
	}
	if _, err := bound(t, text, f+"cprog c = p { abstract s, {1}, S; }", "d", ""); err == nil {
		t.Error("a program that there is not")
	}
	if _, err := bound(t, text, f+"cprog c = p { abstract s, {1}, S; }", "", "t"); err == nil || !strings.Contains(err.Error(), "has no abstraction t") {
		t.Errorf("an abstraction that there is not: %v", err)
	}
	q, err := bound(t, text, f+"cproc ff { abstract {a, 1, F}; }\ncprog c = p { abstract s, {1}, S; }", "", "")
	if err != nil || !slices.Equal(q.Externs, []string{"f"}) || len(q.Warnings) != 1 { // the f of S is a call
		t.Errorf("%v: externs and warnings %v", err, q)
	}
}
