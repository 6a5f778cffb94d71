package sim_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/seltl/seltl/check/sim"
	"github.com/seltl/seltl/internal/testing/soak"
)

// TestChoicesDiffer: no two choices show the same. (That all are there which a network allows is
// compared elsewhere, with the definition.)
func TestChoicesDiffer(t *testing.T) {
	for seed := range soak.Cases[uint64](60) {
		r := rand.New(rand.NewPCG(seed, 3))
		text := ""
		for i := range 2 {
			text += fmt.Sprintf("P%d = (a -> Q | a -> P%d | c -> Q | c -> Q), Q = (b -> P%d | a -> Q | d[0..1] -> P%d | d[0..1] -> Q)%s.\n", i, i, i, i, []string{"", "/{x/d}", "\\{b}", "/{{a, y}/a}"}[r.IntN(4)])
		}
		text += "||S = (p:P0 || q:P1)/{a/p.a, a/q.a, {e, f}/p.c}.\n"
		s := begin(t, loadText(t, text), nil, sim.Options{Seed: seed})
		for range 12 {
			choices := s.Choices()
			for i := range choices {
				for j := range choices[:i] {
					if reflect.DeepEqual(choices[i].Step, choices[j].Step) {
						t.Errorf("seed %d: choices %d and %d are one: %v\n%s", seed, i+1, j+1, choices[i].Step, text)
					}
				}
			}
			if p := s.Now(); p.More != 0 || len(p.Choices) != len(choices) {
				t.Errorf("seed %d: %d choices of %d and %d more", seed, len(p.Choices), len(choices), p.More)
			}
			if n, err := s.Random(t.Context(), 1); err != nil || n == 0 {
				break
			}
		}
	}
}

// TestManyChoices: of very many components the first choices are listed; others are taken by name.
func TestManyChoices(t *testing.T) {
	s := begin(t, loadText(t, "P = (a -> b -> P).\n||S = (forall[i:0..16999] p[i]:P).\n"), nil, sim.Options{})
	p := s.Now()
	if len(p.Choices) != 16 || p.More != 17_000-16 {
		t.Fatalf("%d choices, and %d more", len(p.Choices), p.More)
	}
	if err := s.ChooseNamed("p[16998].a"); err != nil {
		t.Fatal(err)
	}
	if by := s.Now().By; by == nil || by.Event != "p.16998.a" {
		t.Errorf("%v", by)
	}
	if err := s.ChooseNamed("p[16998].a"); err == nil {
		t.Error("p[16998].a is possible twice")
	}
	if err := s.Choose(17); err == nil {
		t.Error("a choice that is not listed is taken by its number")
	}
}
