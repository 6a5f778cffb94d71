package smt

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/sexp"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
)

// TestComposedFunctions: functions of SMT-LIB that package logic makes of others have the values that z3 computes.
func TestComposedFunctions(t *testing.T) {
	z3, err := exec.LookPath("z3")
	if err != nil {
		t.Fatal(err) // as without it everywhere in this package: make setup installs it
	}
	var script strings.Builder
	var texts []string
	for seed := range soak.Cases(uint64(3000)) {
		r := gen.Rand(seed)
		w := 1 + r.IntN(9)
		word := func() string { return fmt.Sprintf("(_ bv%d %d)", r.IntN(1<<w), w) }
		number := func() string { return fmt.Sprintf("(- %d %d)", r.IntN(1000), r.IntN(1000)) }
		text := []string{
			"(bvsmod " + word() + " " + word() + ")", "(bvnand " + word() + " " + word() + ")", "(bvnor " + word() + " " + word() + ")",
			"(bvxnor " + word() + " " + word() + ")", "(bvcomp " + word() + " " + word() + ")",
			fmt.Sprintf("((_ rotate_left %d) %s)", r.IntN(20), word()), fmt.Sprintf("((_ rotate_right %d) %s)", r.IntN(20), word()),
			fmt.Sprintf("((_ repeat %d) %s)", 1+r.IntN(3), word()), "(bv2nat " + word() + ")",
			fmt.Sprintf("((_ int2bv %d) %s)", w, number()), "(is_int (/ (to_real " + number() + ") 2.0))",
		}[r.IntN(11)]
		nodes, err := sexp.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		term, err := logic.FromSexp(nodes[0], nil)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		v, err := logic.Eval(term, nil)
		if err != nil {
			t.Fatalf("seed %d: %s: %v", seed, text, err)
		}
		fmt.Fprintf(&script, "(push)\n(assert (= %s %s))\n(check-sat)\n(pop)\n", text, v.Term().Format(logic.SMTLIB))
		texts = append(texts, fmt.Sprintf("seed %d: %s = %v", seed, text, v))
	}
	cmd := exec.Command(z3, "-in")
	cmd.Stdin = strings.NewReader(script.String())
	said, _ := cmd.Output()
	answers := strings.Fields(string(said))
	if len(answers) != len(texts) {
		t.Fatalf("%.300s", said)
	}
	for i, a := range answers {
		if a != "sat" {
			t.Errorf("%s: z3 says %s", texts[i], a)
		}
	}
}

// TestInternalDivision: z3's own names of divisions, which clp.TestInternalDivision compares with those of SMT-LIB by z3.
func TestInternalDivision(t *testing.T) {
	for text, want := range map[string]string{
		"(bvsdiv_i #xf9 #x02)": "253", "(bvsmod_i #xf9 #x04)": "1", "(bvsrem_i #xf9 #x04)": "253", "(bvurem_i #xf9 #x04)": "1", "(bvudiv_i #xf9 #x04)": "62",
		"(bvudiv_i #xf9 #x00)": "255", "(bvsdiv_i #xf9 #x00)": "1", "(bvsrem_i #xf9 #x00)": "249", "(let ((x #x02)) (bvsdiv_i #xf9 x))": "253",
	} {
		nodes, _ := sexp.Parse(text)
		term, err := logic.FromSexp(nodes[0], nil)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if v, err := logic.Eval(term, nil); err != nil || v.String() != want {
			t.Errorf("%s: %v, %v", text, v, err)
		}
	}
}
