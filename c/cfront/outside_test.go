package cfront

import (
	"strings"
	"testing"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/internal/source"
)

const outsideSource = `typedef struct { int state; struct cert *c; } SSL; struct cert { unsigned char n; };
enum { GOOD = 7 }; typedef int (*callback)(int, SSL *);
#define LIMIT (GOOD + 1)
static int hidden;
unsigned send(SSL *s, int how, callback cb, const char **names, unsigned char small, int table[4]);
static char *find(struct cert *c) { return 0; }
int main(void) { SSL s; hidden = 1; undeclared(3); s.state = 1; return send(&s, 2, 0, 0, 1, 0) + (find(0) == 0); }
`

// outside parses expressions as conditions on routines: "send|$1->state == 1".
func outside(t *testing.T, result bool, texts ...string) (*ir.Program, error) {
	t.Helper()
	var list []Condition
	spec := source.NewFile("p.spec", strings.Join(texts, "\n"))
	at := 0
	for _, text := range texts {
		routine, expr, _ := strings.Cut(text, "|")
		c := Condition{Routine: routine, Result: result}
		from := at + len(routine) + 1
		if to, value, ok := strings.Cut(expr, ":="); ok {
			c.To = spec.Span(from, from+len(to))
			from, expr = from+len(to)+2, value
		}
		c.Expr = spec.Span(from, from+len(expr))
		list = append(list, c)
		at += len(text) + 1
	}
	p, err := Parse([]*source.File{source.NewFile("p.c", outsideSource)}, Options{Conditions: list})
	if err == nil {
		if err := p.Verify(); err != nil {
			t.Fatal(err)
		}
	}
	return p, err
}

// TestConditions: expressions from elsewhere mean what they mean in the source.
func TestConditions(t *testing.T) {
	for _, c := range []struct {
		text string
		args []uint64
		want uint64
	}{
		{"send|$2 == GOOD", []uint64{0, 7}, 1},
		{"send|$2 == LIMIT || $2 < -1", []uint64{0, 8}, 1},
		{"send|($2 > 3 ? $2 : 3) == 3", []uint64{0, 4}, 0},
		{"send|$2 /* how: \"*/ == // comment\n 4", []uint64{0, 4}, 1},
		{"send|$5 > 255", []uint64{0, 0, 0, 0, 300}, 0},
		{"send|hidden == 0 && (char)$2 == 1", []uint64{0, 257}, 1},
		{"send|$1 == 0 || $1->state == 1 && $1->c->n == 2", []uint64{0}, 1},
		{"send|$3 == 0 && $4 == 0 && $6 == 0", []uint64{0, 0, 0, 0, 0, 0}, 1},
		{"find|sizeof($1->n) == 1 && $1 == 0", []uint64{0}, 1},
		{"undeclared|1", nil, 1},
		{"main|0", nil, 0},
	} {
		p, err := outside(t, false, c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		m := &machine.Machine{Program: p}
		if out, err := m.Run(p.Conditions[0], c.args); err != nil || out.Ending != machine.Returned || out.Value != c.want {
			t.Errorf("%s is %v %v, want %d", c.text, out, err, c.want)
		}
	}
	p, err := outside(t, true, "send|$0 > 3000000000", "undeclared|$0 < 0", "find|$0 == 0", "send|hidden := $2 + 1", "send|$1->state := GOOD")
	if err != nil {
		t.Fatal(err)
	}
	m := &machine.Machine{Program: p}
	for k, want := range []uint64{1, 1, 0} {
		f := p.Conditions[k]
		args := make([]uint64, len(f.Params))
		args[len(args)-1] = 0xFFFFFFFF
		if out, err := m.Run(f, args); err != nil || out.Value != want || f.Params[len(args)-1].Name != "$0" {
			t.Errorf("%s is %v %v, want %d", f.Name, out, err, want)
		}
	}
	if f := p.Conditions[3]; len(f.Blocks) != 1 || len(f.Blocks[0].Instrs) != 1 || f.Name != "hidden := $2 + 1" {
		t.Errorf("%s has %d blocks", f.Name, len(f.Blocks))
	}
}

// TestConditionsRefused: what has no value of its own is refused, at its place in the file
// that it stands in.
func TestConditionsRefused(t *testing.T) {
	for _, c := range []struct {
		text   string
		result bool
		want   string
	}{
		{"send|$2 = 1", false, "p.spec:1:6: error: an expression here has no side effects"},
		{"send|$2++", false, "side effects"},
		{"send|find(0) == 0", false, "side effects and calls nothing"},
		{"send|$9 == 1", false, "p.spec:1:6: error: $9: send has 6 parameters"},
		{"send|1 ==\n  $0", false, "p.spec:2:3: error: $0 is the result of send, which is not known here"},
		{"undeclared|$1", false, "undeclared is not declared"},
		{"send|$1->stat == 1", false, "p.spec:1:"},
		{"send|nobody == 1", false, "p.spec:1:6: error:"},
		{"send|$2 ==", false, "p.spec:1:"},
		{"send|1)) return 1; if ((1", false, "has no place in an expression"},
		{"send|1) + (1", false, "has no place in an expression"},
		{"send|({ 1; })", false, "has no place in an expression"},
		{"send|(1", false, "a bracket is open"},
		{"send|", false, "an expression is missing"},
		{"send|$ == 1", false, "$ needs a number"},
		{"send|&$2 == 0", false, "$2 has no address"},
		{"send|$2 > 1.5L", false, "floating point"},
		{"send|*$1", false, "p.spec:1:"},
	} {
		if _, err := outside(t, c.result, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n%v, want %s", c.text, err, c.want)
		}
	}
}

// TestConditionsOfSeveralSources: a condition belongs to the source that defines its
// routine, and several mistakes are told at once.
func TestConditionsOfSeveralSources(t *testing.T) {
	a := source.NewFile("a.c", "static int n = 1; int f(int); int main(void) { return f(n); }")
	b := source.NewFile("b.c", "static int n = 2; int f(int x) { return n + x; }")
	spec := source.NewFile("p.spec", "n == 2  x  $1 +  y")
	c := []Condition{{Routine: "f", Expr: spec.Span(0, 6)}}
	p, err := Parse([]*source.File{a, b}, Options{Conditions: c})
	if err != nil {
		t.Fatal(err)
	}
	m := &machine.Machine{Program: p}
	if out, err := m.Run(p.Conditions[0], nil); err != nil || out.Value != 1 {
		t.Errorf("n == 2 is %v %v in b.c", out, err)
	}
	c = append(c, Condition{Routine: "f", Expr: spec.Span(8, 9)}, Condition{Routine: "main", Expr: spec.Span(16, 18)})
	_, err = Parse([]*source.File{a, b}, Options{Conditions: c})
	var told strings.Builder
	if list, ok := err.(source.List); ok {
		list.Render(&told)
	}
	if !strings.Contains(told.String(), "p.spec:1:9: error") || !strings.Contains(told.String(), "p.spec:1:18: error") {
		t.Errorf("two mistakes: %v", told.String())
	}
}
