package family_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/ltl/family"
)

// Every formula that Spot generates for its families (testdata/families.ltl) is one of ours,
// and every family that grows has at least one of them.
func TestFamilies(t *testing.T) {
	text, err := os.ReadFile("testdata/families.ltl")
	if err != nil {
		t.Fatal(err)
	}
	wanted, err := ltl.ParseAll(source.NewFile("families.ltl", string(text)), ltl.ParseOptions{})
	if err != nil || len(wanted) < 270 {
		t.Fatal(len(wanted), err)
	}
	ours := map[*ltl.Formula]string{}
	members := map[string][]*ltl.Formula{}
	for _, f := range family.All() {
		for n := f.Least; n <= min(f.Most, 60); n++ {
			if !f.Patterns() && n > 12 {
				break
			}
			for m := f.Least; m <= f.Least+4 && (f.Arity == 2 || m == f.Least); m++ {
				args := []int{n, m}[:f.Arity]
				g, err := f.Formula(args...)
				if err != nil {
					t.Fatal(err)
				}
				ours[g] = fmt.Sprint(f.Name, args)
				members[f.Name] = append(members[f.Name], g)
			}
		}
	}
	found := map[*ltl.Formula]bool{}
	for _, w := range wanted {
		if found[w.Formula] = true; ours[w.Formula] == "" {
			t.Errorf("families.ltl:%d: no family has %s", w.Span.Pos().Line, w.Formula)
		}
	}
	for name, gs := range members {
		here := false
		for _, g := range gs {
			here = here || found[g]
		}
		if !here && (!strings.HasSuffix(name, "-patterns") || name == "lily-patterns") {
			t.Errorf("no formula of %s is among Spot's", name)
		}
	}
}

func TestPatterns(t *testing.T) {
	for name, n := range map[string]int{
		"dac-patterns": 55, "eh-patterns": 12, "hkrss-patterns": 55, "lily-patterns": 23, "p-patterns": 20, "sb-patterns": 27, "sejk-patterns": 3,
	} {
		f, err := family.Named(name)
		if err != nil || f.Most != n || !f.Patterns() {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
	if f, err := family.Named("spec-patterns"); err != nil || f.Name != "dac-patterns" {
		t.Error(f, err)
	}
	if _, err := family.Named("and-gff"); err == nil || !strings.Contains(err.Error(), `did you mean "and-gf"`) {
		t.Error(err)
	}
}

// Arguments outside a family are errors, and the largest ones can be built.
func TestArguments(t *testing.T) {
	for _, f := range family.All() {
		args := []int{f.Least - 1, f.Least - 1}[:f.Arity]
		if _, err := f.Formula(args...); err == nil {
			t.Errorf("%s%v is made", f.Name, args)
		}
		if _, err := f.Formula(); err == nil {
			t.Errorf("%s without arguments is made", f.Name)
		}
		if testing.Short() && !f.Patterns() {
			continue
		}
		args = []int{min(f.Most, 100), min(f.Most, 100)}[:f.Arity]
		if g, err := f.Formula(args...); err != nil || g.Size() == 0 {
			t.Errorf("%s%v: %v", f.Name, args, err)
		}
	}
}

func ExampleNamed() {
	f, err := family.Named("sejk-f")
	if err != nil {
		fmt.Println(err)
		return
	}
	g, err := f.Formula(1, 2)
	fmt.Println(g, err)
	// Output: GF a1 U G(GF a0 U XX b) <nil>
}
