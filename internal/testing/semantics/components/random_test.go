package components

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
)

// constructs are all that Random chooses: each must matter.
var constructs = []string{
	// of C
	"&&", "||", "?:", "++ or --", "arithmetic", "bits", "cast", "comma", "comparison", "compound assignment", "division", "enumerator", "mixed signs",
	"negation", "shift", "sizeof", "unary operator", "assignment as a value", "call in a condition", "unknown result", "argument", "assignment",
	"call", "result of a call", "converted result", "routine by a pointer", "struct copied", "else", "for", "while", "do", "way out of a loop",
	"break or continue", "break in a switch", "default", "goto", "assume", "null access", "division by what may be 0", "return inside", "return before a declaration", "break or continue before a declaration", "exit",
	"abort", "noreturn", "failure", "initialised global", "helper's result", "result", "static local", "unset local", "constant initialiser",
	"initialiser", "struct", "array", "union", "pointer", "designator",
	// of specifications
	"guard", "action", "epsilon", "assignment of a structure", "guard of an index", "range of an index", "condition on a result",
	"unsatisfiable result", "condition without a result", "too large a result", "any result", "extended alphabet", "alphabet", "routine of one caller", "inline", "hide", "hidden failure", "rename",
	"guard on arguments", "guard with a copy's number",
	// of what is asked
	"alternative of a claim", "step of a claim", "stop of a claim", "return of a claim", "temporal operator", "connective", "until", "response",
	"event", "proposition", "return event", "return with a condition", "event of a routine", "deadlock", "enabled", "label", "error event", "tautology", "constant formula",
}

// drawnAlone are constructs that have no other text to stand in their place: that they are drawn is all.
var drawnAlone = []string{"pointer parameter", "shadowed name", "no result", "several abstractions", "abstracted routine with a body", "a procedure twice", "copies with an index", "index called like a variable", "labels together", "label of a case", "predicate"}

// answers are all that can be asked of a drawn case, with a choice left out (-1: none); "?" of what
// cannot be enumerated.
func answers(d *Drawn, without, limit int) (all []string) {
	s, err := Load(d.Without(without), limit)
	if err != nil {
		return nil
	}
	add := func(a Answer, err error) {
		if err != nil {
			all = append(all, "?")
		} else {
			all = append(all, a.Verdict.String())
		}
	}
	add(s.Deadlock())
	for n := range d.Formulas {
		add(s.Satisfies(d.FormulaWithout(n, without), "stutter"))
	}
	for _, name := range d.Claims {
		add(s.Conforms(name, false))
	}
	return all
}

// TestConstructsMatter: every construct of the generator is drawn, and something else in its place
// changes an answer, again and again.
func TestConstructsMatter(t *testing.T) {
	const limit, tries = 400, 6
	const enough = 1
	drawn, mattered, tried := map[string]int{}, map[string]int{}, map[string]int{}
	missing := func() (all []string) {
		for _, c := range constructs {
			if mattered[c] < enough {
				all = append(all, c)
			}
		}
		for _, c := range drawnAlone {
			if drawn[c] < enough {
				all = append(all, c)
			}
		}
		return all
	}
	most, allowed := uint64(soak.Long(1400)), len(constructs)/5 // in the ordinary run, which is short
	if soak.On() {
		most, allowed = 20_000, 0
	}
	seed := uint64(0)
	for ; seed < most && len(missing()) > 0; seed++ {
		d := Random(rand.New(rand.NewPCG(seed, 3)))
		for c, n := range d.Constructs {
			drawn[c] += n
		}
		var list []int
		for i, c := range d.Choices() {
			if !slices.Contains(constructs, c) {
				t.Fatalf("the construct %q is in no list", c)
			}
			if mattered[c] < enough {
				list = append(list, i)
			}
		}
		if len(list) == 0 {
			continue
		}
		r := rand.New(rand.NewPCG(seed, 4))
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		slices.SortStableFunc(list, func(i, j int) int { return tried[d.Choices()[i]] - tried[d.Choices()[j]] })
		as := answers(d, -1, limit)
		if as == nil || slices.Contains(as, "?") {
			continue
		}
		for _, i := range list[:min(tries, len(list))] {
			c := d.Choices()[i]
			tried[c]++
			if other := answers(d, i, limit); other != nil && !slices.Equal(as, other) {
				mattered[c]++
			}
		}
	}
	for _, c := range append(slices.Clone(constructs), drawnAlone...) {
		t.Logf("%6d drawn, %3d of %4d mattered: %s", drawn[c], mattered[c], tried[c], c)
	}
	t.Log(seed, "cases")
	if left := missing(); len(left) > allowed && !testing.Short() {
		t.Errorf("%d cases: too seldom drawn, or in vain: %q", most, left)
	}
}
