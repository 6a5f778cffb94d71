package programs

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/testing/gcc"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

const floatHead = "#include <math.h>\nvoid reach_error(void); int in(void); unsigned word(void);\n"

var widths = map[ir.DataModel]int{ir.LP64: 64, ir.ILP32: 32}

// printed are the n words that a program prints which gcc has built; without gcc, or programs of a data model, the test is skipped.
func printed(t *testing.T, text string, model ir.DataModel, n int, flags ...string) []string {
	t.Helper()
	exe, err := gcc.Build(t.TempDir(), text, widths[model], flags...)
	if errors.Is(err, gcc.ErrMissing) {
		t.Skip("SKIPPED: ", err)
	} else if err != nil {
		t.Fatal(err)
	}
	_, out, _, err := gcc.Run(context.Background(), exe)
	words := strings.Fields(out)
	if err != nil || len(words) != n {
		t.Fatalf("%d results, not %d, error %v", len(words), n, err)
	}
	return words
}

// TestFloatsLikeGcc: programs of floating-point numbers have the results that gcc's have: of numbers that stand in them, and
// of inputs that are the same numbers.
func TestFloatsLikeGcc(t *testing.T) {
	const seed, together = 75, 5
	pool := smt.NewPool(1, func() (smt.Solver, error) { return smt.NewZ3(smt.Options{}) })
	defer pool.Close()
	asked, unknown, given := 0, map[bool]int{}, map[bool]int{}
	for group := range uint64(max(soak.Long(40), together) / together) {
		r := rand.New(rand.NewPCG(seed, group))
		model := []ir.DataModel{ir.LP64, ir.ILP32}[group%2]
		var texts []string
		var ints []int32
		var floats []uint32
		var all, main strings.Builder
		all.WriteString("#include <math.h>\n#include <stdio.h>\n")
		for k := range together {
			texts = append(texts, gen.FloatProgram(r, fmt.Sprintf("f%d", k)))
			i, f := gen.FloatInput(r)
			ints, floats = append(ints, i), append(floats, f)
			all.WriteString(texts[k])
			fmt.Fprintf(&main, "  y.u = %#xu; printf(\"%%llu\\n\", f%d(%d, y.f));\n", f, k, i)
		}
		fmt.Fprintf(&all, "int main(void) { union { unsigned u; float f; } y;\n%s  return 0; }\n", main.String())
		results := printed(t, all.String(), model, together, gen.FloatFlags(widths[model])...)
		for k, text := range texts {
			if testing.Short() && k > 0 {
				break
			}
			for _, open := range []bool{false, true} {
				start := fmt.Sprintf("int i = %d; y.u = %#xu;", ints[k], floats[k])
				if open {
					start = fmt.Sprintf("int i = in(); y.u = word(); if (i != %d || y.u != %#xu) return 0;", ints[k], floats[k])
				}
				for op, want := range map[string]report.Verdict{"!=": report.Holds, "==": report.Violated} {
					c := fmt.Sprintf("%s%sint main(void) { union { unsigned u; float f; } y; %s if (f%d(i, y.f) %s %sull) reach_error(); return 0; }\n", floatHead, text, start, k, op, results[k])
					got, why := reachTextWith(t, pool, c, cfront.Options{Model: model})
					asked++
					switch {
					case got == report.Unknown:
						if unknown[open]++; unknown[open] <= 3 {
							t.Logf("group %d, program %d: %s", group, k, why)
						}
					case got != want:
						t.Errorf("seed %d, group %d, program %d, %s: %v, wanted %v\n%s", seed, group, k, model, got, want, c)
					default:
						given[open]++
					}
				}
			}
		}
	}
	t.Logf("seed %d: %d questions; of constants %d answered, %d unknown; of inputs %d answered, %d unknown", seed, asked, given[false], unknown[false], given[true], unknown[true])
	if given[false] < 9*unknown[false] || given[true] == 0 {
		t.Error("too few answers")
	}
}
