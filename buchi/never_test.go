package buchi

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seltl/seltl/ltl"
)

// claim writes the never claim of a formula.
func claim(t *testing.T, formula string) string {
	t.Helper()
	a := mustTranslate(t, ltl.MustParse(formula), Options{Acceptance: StateBuchi})
	var b strings.Builder
	if err := a.WriteNever(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestNeverClaimText(t *testing.T) {
	want := `never { /* F a */
T_init:
  do
  :: ((!a)) -> goto T_init
  :: ((a)) -> goto accept_S1
  od;
accept_S1:
  do
  :: ((true)) -> goto accept_S1
  od;
}
`
	if got := claim(t, "F a"); got != want {
		t.Errorf("got:\n%s", got)
	}
}

func TestNeverClaimErrors(t *testing.T) {
	var b strings.Builder
	a := mustTranslate(t, ltl.MustParse("G F a & G F b"), Options{})
	if err := a.WriteNever(&b); !errors.Is(err, ErrNotBuchi) {
		t.Errorf("generalised acceptance: %v", err)
	}
	a = mustTranslate(t, ltl.MustParse(`F "no name"`), Options{Acceptance: StateBuchi})
	if err := a.WriteNever(&b); err == nil || b.Len() > 0 {
		t.Errorf("an atom that SPIN cannot express: %v, %q", err, b.String())
	}
}

// TestSpinAcceptsClaims has SPIN verify a process that flips bits against claims,
// and compares its verdict with what is known.
func TestSpinAcceptsClaims(t *testing.T) {
	spin, err := exec.LookPath("spin")
	if err != nil {
		t.Skip("SPIN is not installed (`make setup` installs it)")
	}
	for i, c := range []string{
		"F a", "G a", "G F a & G F b", "a U b", "G(a -> F b)", "X X a", "false", "true",
		"F G a | G F(b & X c)", "(a R b) U c", "G(a -> X(b M c))",
	} {
		dir := t.TempDir()
		model := "bool a, b, c;\nactive proctype P() {\n  do\n  :: a = !a\n  :: b = !b\n  :: c = !c\n  od\n}\n"
		file := filepath.Join(dir, fmt.Sprintf("m%d.pml", i))
		if err := os.WriteFile(file, []byte(model+claim(t, c)), 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(spin, "-a", file)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if _, missing := os.Stat(filepath.Join(dir, "pan.c")); err != nil || missing != nil || strings.Contains(string(out), "rror") {
			t.Errorf("%s: SPIN refuses: %v\n%s", c, err, out)
		}
	}
}
