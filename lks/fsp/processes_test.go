package fsp_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
)

// TestProcesses: fairness of processes is about the leaves, whatever stands between them.
func TestProcesses(t *testing.T) {
	m := model(t, `
A = (a -> A | c -> A).
B = (d -> B).
C = (e -> C).
||H = (A || B)\{c}.
||P = (A || B) << {a, d}.
||HP = (A || B) << {a, d} \{a, d}.
||IN = (x:HP || C) >> {e}.
compose ||K = (A || B).
minimal ||M = (A || B).
deterministic ||D = (A || B).
||SH = (H || C).
||SP = (P || C).
||SHP = (HP || C).
||SIN = (IN || q:C).
||SK = (K || C).
||SM = (M || C).
||SD = (D || C).
||SS = ({s, t}::P || C).
||SR = (P/{z/a, z/d} || C).
`)
	for _, c := range []struct {
		process, processes string
		bHolds             bool // B moves again and again: its action, by its name there, happens
		formula            string
	}{
		{"SH", "A B C", true, "G F d"},
		{"SP", "A B C", true, "G F d"},
		{"SK", "A B C", true, "G F d"},
		{"SM", "M C", false, "G F d"},
		{"SD", "D C", false, "G F d"},
		{"SHP", "A B C", true, "G F tau"},
		{"SIN", "x:A x:B C q:C", true, "G F tau"},
		{"SIN", "x:A x:B C q:C", false, "F G e"},
		{"SS", "{s,t}::A {s,t}::B C", true, "G F {s.d, t.d}"},
		{"SR", "A B C", true, "G F z"},
	} {
		net, err := m.Composition(c.process)
		if err != nil {
			t.Fatal(err)
		}
		names := net.Processes().Names
		if got := strings.Join(names, " "); got != c.processes {
			t.Errorf("%s has the processes %s, not %s", c.process, got, c.processes)
		}
		f, err := ltl.Parse(source.NewFile("<test>", c.formula), ltl.ParseOptions{Vocabulary: product.Vocabulary(net)})
		if err != nil {
			t.Fatal(c.process, err)
		}
		r, err := product.Verify(context.Background(), net, f, product.Options{Fairness: product.ProcessFairness})
		if err != nil || (r.Verdict == product.Holds) != c.bHolds {
			t.Errorf("%s: %s: %v, %v", c.process, c.formula, r, err)
			continue
		}
		for _, why := range r.Fair { // every process has a reason
			if why.Kind == product.ProcessFairness && (why.Process < 0 || int(why.Process) >= len(names)) {
				t.Errorf("%s: %+v", c.process, why)
			}
		}
		if !c.bHolds && len(r.Fair) != len(names) {
			t.Errorf("%s: %d reasons for %d processes", c.process, len(r.Fair), len(names))
		}
	}
	// Where one action is done now by these and now by those, it is told who.
	net, err := m.Composition("SHP")
	if err != nil {
		t.Fatal(err)
	}
	p := net.Processes()
	var silent [][]int32
	for _, r := range net.Rules() {
		if net.Alphabet()[r.Action] == "tau" {
			silent = append(silent, p.Moved(r.Parts))
		}
	}
	slices.SortFunc(silent, slices.Compare)
	silent = slices.CompactFunc(silent, slices.Equal)
	if !slices.EqualFunc(silent, []int32{0, 1, 2}, func(by []int32, one int32) bool { return slices.Equal(by, []int32{one}) }) {
		t.Errorf("silent steps of %v are by %v", p.Names, silent)
	}
}
