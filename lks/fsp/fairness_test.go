package fsp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// required lists requirements: "strong a b; weak c".
func required(all []fsp.Fairness) string {
	var parts []string
	for _, f := range all {
		kind := "weak "
		if f.Strong {
			kind = "strong "
		}
		parts = append(parts, kind+strings.Join(f.Actions, " "))
	}
	return strings.Join(parts, "; ")
}

// TestFairness has every way to write a set.
func TestFairness(t *testing.T) {
	const processes = `
const N = 2
range R = 1..N
set S = {send, lose}
P = (send -> (lose -> P | recv -> P)).
Q = (go[1..3] -> Q)\{go[3]}.
||SYS = (p[R]:P || Q).
`
	for fair, want := range map[string]string{
		"fair weak p[1].send":                       "weak p.1.send",
		"fair strong {p[1].send, go[1..2]}":         "strong go.1 go.2 p.1.send",
		"fair strong {p[1].lose, p[1].S}":           "strong p.1.lose p.1.send",
		"fair weak p[R].S\\{lose}":                  "weak p.1.send p.2.send",
		"fair weak forall [i:R] {p[i].send, go[1]}": "weak go.1 p.1.send; weak go.1 p.2.send",
		"fair strong forall [i:R][x:S] p[i].[x]":    "strong p.1.send; strong p.1.lose; strong p.2.send; strong p.2.lose",
		"fair strong p[i:R].S fair weak go[N]":      "strong p.1.lose p.1.send p.2.lose p.2.send; weak go.2",
		"ltl L = G F go[1]\nfair weak go[N]":        "weak go.2",
		"":                                          "",
	} {
		m := model(t, processes+fair)
		net, err := m.Network("")
		if err != nil {
			t.Fatal(err)
		}
		all, err := m.Fairness("", net)
		if got := required(all); err != nil || got != want {
			t.Errorf("%s: %s, want %s (%v)", fair, got, want, err)
		}
		if ws := m.Warnings(); len(ws) > 0 {
			t.Errorf("%s: %s", fair, render(ws))
		}
	}
}

// TestFairnessOfOthers: a process that is not the file's main one need not have
// all actions; before its own hiding it has those that it hides.
func TestFairnessOfOthers(t *testing.T) {
	m := model(t, `
P = (a -> b -> P).
Q = (b -> c -> Q).
||INNER = Q\{c}.
||SYS = (P || Q).
fair strong {a, b}
fair weak {c}`)
	for process, want := range map[string]string{"": "strong a b; weak c", "SYS": "strong a b; weak c", "P": "strong a b", "Q": "strong b; weak c"} {
		net, err := m.Network(process)
		if err != nil {
			t.Fatal(err)
		}
		all, err := m.Fairness(process, net)
		if got := required(all); err != nil || got != want {
			t.Errorf("%s: %s, want %s (%v)", process, got, want, err)
		}
	}
	if got := render(m.Warnings()); !strings.Contains(got, "test.lks:6:14: warning: this has no meaning for Q, which has no action a") {
		t.Error(got)
	}
	for i, find := range []func(string) (*lks.Network, error){m.Network, m.Composition} {
		net, err := find("INNER")
		if err != nil {
			t.Fatal(err)
		}
		all, err := m.Fairness("INNER", net)
		if got, want := required(all), []string{"strong b", "strong b; weak c"}[i]; err != nil || got != want {
			t.Errorf("%d: %s, want %s (%v)", i, got, want, err)
		}
	}
}

func ExampleModel_Fairness() {
	file, err := syntax.Parse(source.NewFile("p.lks", `
P = (send -> (lose -> P | recv -> P)).
||SYS = p[1..2]:P.
fair strong forall [i:1..2] {p[i].recv}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	model, err := fsp.Compile(file, fsp.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	net, err := model.Network("SYS")
	if err != nil {
		fmt.Println(err)
		return
	}
	all, err := model.Fairness("SYS", net)
	for _, f := range all {
		fmt.Println(f.Strong, f.Actions)
	}
	fmt.Println(err)
	// Output:
	// true [p.1.recv]
	// true [p.2.recv]
	// <nil>
}
