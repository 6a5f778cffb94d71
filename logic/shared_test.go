package logic_test

import (
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	. "github.com/seltl/seltl/logic"
)

// TestShared: terms whose parts are shared are large as trees only. Reading,
// negating and printing them takes time by the number of their parts.
func TestShared(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("(", 60) + "i0 > 1" + strings.Repeat(" ? b0 : b1)", 60),
		"i0" + strings.Repeat(" / 2", 60) + " > 1",
		"i0" + strings.Repeat(" % 7 + i1", 60) + " > 1",
		strings.Repeat("!(b0 <-> (b1 -> ", 60) + "b2" + strings.Repeat("))", 60),
	} {
		f, err := Parse(source.NewFile("t", text), C, scopeOfAll())
		if err != nil {
			t.Fatal(err)
		}
		if Not(Not(f)) != f {
			t.Errorf("%.40s: double negation", text)
		}
		printed := f.Format(SMTLIB)
		again, err := Parse(source.NewFile("t", printed), SMTLIB, scopeOfAll())
		if err != nil || again != f {
			t.Errorf("%.40s: prints as %d bytes, read as another term: %v", text, len(printed), err)
		}
		if len(printed) > 100_000 || len(f.String()) > 100<<20 {
			t.Errorf("%.40s: %d bytes", text, len(printed))
		}
		m := Model{"b0": BoolValue(true), "b1": BoolValue(false), "b2": BoolValue(true), "i0": IntValue(100), "i1": IntValue(3)}
		if _, err := Holds(f, m); err != nil {
			t.Error(err)
		}
		if got := Substitute(f, map[*Term]*Term{Var("i0", Int): Var("i2", Int)}); len(Vars(got)) != len(Vars(f)) {
			t.Errorf("%.40s: substitution", text)
		}
	}
}
