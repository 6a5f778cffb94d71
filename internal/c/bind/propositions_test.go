package bind_test

import (
	"context"
	"math/big"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
)

func TestParseProposition(t *testing.T) {
	for atom, want := range map[string]bind.Spelling{
		"x > 0":                       {Expr: "x > 0"},
		"srv::s->state == 8448":       {Component: "srv", Expr: "s->state == 8448"},
		"phil[1]::at(eating)":         {Component: "phil[1]", Label: "eating"},
		"p#2::x":                      {Component: "p#2", Expr: "x"},
		"at ( done )":                 {Label: "done"},
		"a[0]":                        {Expr: "a[0]"},
		"at(done) && x":               {Expr: "at(done) && x"},
		" phil[0] :: hungry > thirst": {Component: "phil[0]", Expr: " hungry > thirst"},
	} {
		if got, ok := bind.ParseProposition(atom); !ok || got.Component != want.Component || got.Label != want.Label || got.Expr != want.Expr {
			t.Errorf("%q: %+v, %v", atom, got, ok)
		}
	}
	for _, action := range []string{"lock", "fork.1.get", "_x"} {
		if _, ok := bind.ParseProposition(action); ok {
			t.Errorf("%s is no action", action)
		}
	}
}

const observedC = `
struct node { int state; struct node *next; };
int g, unused;
void step(void);
void p(struct node *s, int a[4]) {
	int x = 0, y = 7;
	while (x < 3) {
		step();
again:
		x++;
	}
	g = y / (x - 3);
}
`

const observedSpec = `
STEP = (step -> return {} -> STOP).
cproc step { abstract {step_abs, 1, STEP}; }
cprog one = p {}
cprog two = p[i:0..1] { rename {step/step[i]}; }
`

func propositions(t *testing.T, program string, atoms ...string) (*bind.Question, error) {
	t.Helper()
	spec, err := specification.ParseText("p.spec", observedSpec)
	if err != nil {
		t.Fatal(err)
	}
	return bind.Bind(context.Background(), &bind.Task{Sources: []*source.File{source.NewFile("p.c", observedC)}, Spec: spec,
		Program: program, Unclaimed: true, PrivateGlobals: true, Propositions: atoms}, solver(t))
}

// TestPropositions: what a formula speaks of is kept, although nothing else depends on it; it
// is over the variables of the encoding, and has no value where C has none.
func TestPropositions(t *testing.T) {
	atoms := []string{"y > 6", "unused == 1", "s->state == 3", "10 / x > 2", "at(again)", "g != 0 || x < 3"}
	q, err := propositions(t, "one", atoms...)
	if err != nil {
		t.Fatal(err)
	}
	c := q.Components[0]
	known := map[*logic.Term]bool{}
	for _, v := range c.Encoding.Words.Vars {
		known[v] = true
	}
	if len(c.Propositions) != len(atoms) {
		t.Fatalf("%d propositions of %d", len(c.Propositions), len(atoms))
	}
	for i, p := range c.Propositions {
		if p.Name != atoms[i] || p.Label != (p.Name == "at(again)") {
			t.Errorf("%+v, want %s", p, atoms[i])
		}
		if p.Label {
			if name := c.Encoding.Words.Locations[p.At[0]].Name; !strings.HasPrefix(name, "p:10") {
				t.Errorf("%s is at %s", p.Name, name)
			}
			continue
		}
		vars := logic.Vars(p.Formula, p.Undefined)
		for _, v := range vars {
			if !known[v] {
				t.Errorf("%s: the encoding has no variable %s", p.Name, v)
			}
		}
		if len(vars) == 0 {
			t.Errorf("%s depends on nothing", p.Name)
		}
		if partial := p.Name == "10 / x > 2" || p.Name == "s->state == 3"; partial == p.Undefined.IsFalse() {
			t.Errorf("%s has no value where %s", p.Name, p.Undefined)
		}
		zero := logic.Model{}
		for _, v := range vars {
			zero[v.Name()] = logic.NumValue(new(big.Rat), v.Sort())
		}
		// With s null, and x 0.
		if undefined, err := logic.Holds(p.Undefined, zero); err != nil || undefined != (p.Name == "10 / x > 2" || p.Name == "s->state == 3") {
			t.Errorf("%s of zeros: undefined %v (%v)", p.Name, undefined, err)
		}
	}
}

func TestPropositionsRefused(t *testing.T) {
	for _, c := range []struct{ program, atom, message string }{
		{"one", "q::x > 0", "there is no component q"},
		{"two", "x > 0", "there are several components"},
		{"two", "p::x > 0", "there is no component p"},
		{"one", "at(agian)", "p has no label agian"},
		{"one", "z > 0", "z"},
		{"one", "x = 0", `there is no operator "="`},
		{"one", "x > 0 )", "expected"},
		{"two", "p#1::x > p#1 :: y", `write "p#1::x > y"`},
		{"two", "0 < p#1::x", `write "p#1::0 < x"`},
		{"two", "p#1::x > p#2::x", "a proposition is about one component, not about p#1 and p#2"},
		{"one", "at(gone)", "its labels are again"},
		{"one", "s->next->state == 3", "memory that nothing is known of"},
	} {
		_, err := propositions(t, c.program, c.atom)
		var b strings.Builder
		if list, ok := err.(source.List); ok {
			list.Render(&b)
		}
		if err == nil || !strings.Contains(b.String(), c.message) {
			t.Errorf("%s: %v %s", c.atom, err, b.String())
		}
	}
}
