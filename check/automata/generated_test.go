package automata

import (
	"strings"
	"testing"

	"github.com/seltl/seltl/check/formulas"
	"github.com/seltl/seltl/omega"
)

// TestRandomAcceptance: names, ranges and conditions are read; what is none is refused.
func TestRandomAcceptance(t *testing.T) {
	for text, want := range map[string]string{
		"Buchi": "Buchi", "co-Buchi": "co-Buchi", "all": "all", "none": "none", "2": "generalized-Buchi 2",
		"generalized-co-Buchi 3": "generalized-co-Buchi 3", "Rabin 2": "Rabin 2", "Streett 3": "Streett 3",
		"generalized-Rabin 2 3 2": "generalized-Rabin 2 3 2", "parity max odd 4": "parity max odd 4", "Inf(1) | Fin(0)": "parity max odd 2", "Rabin 0": "none",
	} {
		a, err := ParseRandomAcceptance(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		ra := RandomAutomata{Count: 2, States: formulas.Range{Min: 2, Max: 4}, Acceptance: a}
		err = ra.Each(func(_ int, a *omega.Automaton) error {
			if name := a.Condition().AccName(a.NumSets()); name != want && name != strings.Replace(want, "parity max odd 2", "Streett 1", 1) {
				t.Errorf("%s: %s (%v)", text, name, a.Condition())
			}
			return a.Check()
		})
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{"", "x", "Rabin", "Rabin x", "Rabin 40", "parity up even 3", "parity max even", "generalized-Rabin 2 1", "random 3 2", "65", "Inf(64)", "Inf(0", "Fin(!0)", "Inf(0) --BODY--", "generalized-Rabin 3 30 30 30"} {
		if _, err := ParseRandomAcceptance(text); err == nil {
			t.Errorf("%q is an acceptance", text)
		}
	}
	sizes := map[int]bool{}
	a, err := ParseRandomAcceptance("random 2..5 0.3")
	if err != nil {
		t.Fatal(err)
	}
	ra := RandomAutomata{Count: 50, States: formulas.Range{Min: 1, Max: 3}, Acceptance: a}
	_ = ra.Each(func(_ int, a *omega.Automaton) error {
		sizes[a.NumSets()] = true
		return nil
	})
	if len(sizes) != 4 || sizes[1] || sizes[6] {
		t.Errorf("sizes %v", sizes)
	}
}
