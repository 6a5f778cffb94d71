package sim_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/check/sim"
)

// shownText is a routine with pointer parameters, a union, a recursion, and elements that have no
// value when they are read.
const shownText = `struct S { int a; union { int i; unsigned char b[2]; } u; struct S *next; };
struct S g;
int fact(int n) {
	if (n <= 1)
		return 1;
	return n * fact(n - 1);
}
int h(struct S *s, int *p, char *q) {
	int loc[3];
	s->u.i = 258;
	s->a = 4;
	p[2] = 7;
	*p = loc[1];
	q[0] = 'x';
	q++;
	*q = 'y';
	loc[2] += 1;
	loc[2] = 5;
	g.u.i = 3;
	return fact(3);
}
`

// TestShown: what steps tell and what states list of memory behind pointers, of unions, results,
// drawn elements and activations.
func TestShown(t *testing.T) {
	s, err := sim.NewProgram(t.Context(), parsedProgram(t, shownText, "h"), sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	do := func(command string) {
		t.Helper()
		if _, err := s.Do(t.Context(), sim.ParseCommandOf(command, sim.ProgramVerbs)); err != nil {
			t.Fatalf("%s: %v", command, err)
		}
	}
	do("start 0xc0000000 0xc0100000 0xc0200000")
	for _, want := range []struct{ line, does string }{
		{":9", ""},
		{":10", "  s->u.i = 258, s->u.b[0] = 2 (bytes of s->u.i), s->u.b[1] = 1 (bytes of s->u.i)"},
		{":11", "  s->a = 4"},
		{":12", "  p[2] = 7"},
		{":13", "  *p = VALUE, loc[1] = VALUE (drawn)"},
		{":14", "  *q = 120"},
		{":15", "  q = 0xc0200001, q[-1] = 120"},
		{":16", "  *q = 121"},
		{":17", "  loc[2] = VALUE"},
		{":18", "  loc[2] = 5"},
		{":19", "  g.u.i = 3, g.u.b[0] = 3 (bytes of g.u.i)"},
		{":20", "  fact.n = 3"},
		{":4", ""}, {":6", "  fact#2.n = 2"},
		{":4", ""}, {":6", "  fact#3.n = 1"},
		{":4", ""}, {":5", "  returned 1"}, {":6", "  returned 2"}, {":6", "  returned 6"},
		{":20", ""},
	} {
		do("random")
		by := s.Now().Program.By[0]
		does := by.Does()
		if i := strings.Index(want.does, "VALUE"); i >= 0 {
			value, _, _ := strings.Cut(strings.TrimPrefix(does, want.does[:i]), ",")
			want.does = strings.ReplaceAll(want.does, "VALUE", value)
		}
		if !strings.HasSuffix(by.Event, want.line) || does != want.does {
			t.Errorf("%s %q, want %s %q", by.Event, does, want.line, want.does)
		}
		switch s.At() {
		case 16:
			stack := s.Parts()[0].Stack
			if names := []string{stack[0].Name(), stack[1].Name(), stack[2].Name(), stack[3].Name()}; strings.Join(names, " ") != "fact#3 fact#2 fact h" {
				t.Error(names)
			}
			holds(t, s, "fact.n = 3", "fact#2.n = 2", "fact#3.n = 1", "*h.q = 121", "h.q[-1] = 120", "h.s->a = 4", "h.s->u.b[1] = 1 (bytes of s->u.i)", "h.p[2] = 7", "g.u.b[1] = 0 (bytes of g.u.i)")
		}
	}
	run := s.Report().Results[0].Counterexample
	if err := s.Load(run); err != nil {
		t.Fatal(err)
	}
	for i := range run.Stem {
		for k, text := range run.Stem[i].State.Props {
			if text == "fact#2.n = 2" {
				run.Stem[i].State.Props[k] = "fact#2.n = 7"
				if err := s.Load(run); err == nil || !strings.Contains(err.Error(), "fact#2.n is 2, not 7") {
					t.Error(err)
				}
				return
			}
		}
	}
	t.Error("no state says what the second call has")
}

// holds demands values of the state.
func holds(t *testing.T, s *sim.Program, values ...string) {
	t.Helper()
	all := strings.Join(s.Parts()[0].Values, "\n") + "\n"
	for _, v := range values {
		if !strings.Contains("\n"+all, "\n"+v+"\n") {
			t.Errorf("%s is missing in\n%s", v, all)
		}
	}
}

// TestNamelessMember: of a union that begins with a member without a name, the first name in that
// says which bytes are shared.
func TestNamelessMember(t *testing.T) {
	s, err := sim.NewProgram(t.Context(), parsedProgram(t, "int main(void) {\n\tunion { struct { int a, b; }; short c; } x;\n\tx.c = 7;\n\treturn x.c;\n}\n", "main"), sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var gained []string
	for range 2 {
		a, err := s.Do(t.Context(), sim.ParseCommandOf("over", sim.ProgramVerbs))
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range a.Taken {
			gained = append(gained, step.Gained...)
		}
	}
	if !slices.Contains(gained, "x.c = 7 (bytes of x.a)") {
		t.Error(gained)
	}
}
