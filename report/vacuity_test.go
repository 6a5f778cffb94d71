package report

import (
	"encoding/json"
	"testing"
)

// TestVacuityReread: a report that is read again, as those of a batch are, says the same.
func TestVacuityReread(t *testing.T) {
	for want, v := range map[string]Vacuity{
		"but vacuously: no run counts":                                         {NoRun: true, Unfair: true},
		"but vacuously: all runs end, and none counts":                         {NoRun: true},
		"but vacuously: it is true of every run, of any model":                 {Valid: true},
		`but vacuously: "p" never happens`:                                     {Never: []VacuousPart{{Formula: "p", Says: "never happens"}}, Whole: true},
		`but in part vacuously: "p" never happens, "q" (in X q) has no effect`: {Never: []VacuousPart{{Formula: "p", Says: "never happens"}}, NoEffect: []VacuousPart{{Formula: "q", In: "X q"}}},
	} {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var again Vacuity
		if err := json.Unmarshal(text, &again); err != nil {
			t.Fatal(err)
		}
		if got := again.remark(); got != want || v.remark() != want {
			t.Errorf("%s: %q, not %q", text, got, want)
		}
	}
}
