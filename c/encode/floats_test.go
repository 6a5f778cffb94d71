package encode

import (
	"errors"
	"fmt"
	"math/rand"
	randv2 "math/rand/v2"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gcc"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
)

// TestFloatsGCC: Words and the machine compute what gcc's programs do of floating-point numbers, in both data models.
func TestFloatsGCC(t *testing.T) {
	const seed, together = 76, 25
	compared, guessed := 0, 0
	for group := range uint64(max(soak.Long(400), together) / together) {
		model := ir.DataModel(group % 2)
		bits := map[ir.DataModel]int{ir.LP64: 64, ir.ILP32: 32}[model]
		r := randv2.New(randv2.NewPCG(seed, group))
		var texts, starts []string
		var all, main strings.Builder
		all.WriteString("#include <math.h>\n#include <stdio.h>\n")
		for k := range together {
			texts = append(texts, gen.FloatProgram(r, fmt.Sprintf("f%d", k)))
			i, f := gen.FloatInput(r)
			starts = append(starts, fmt.Sprintf("y.u = %#xu; i = %d;", f, i))
			all.WriteString(texts[k])
			fmt.Fprintf(&main, "  %s printf(\"%%llu\\n\", f%d(i, y.f));\n", starts[k], k)
		}
		const variables = "union { unsigned u; float f; } y; int i;"
		fmt.Fprintf(&all, "int main(void) { %s\n%s  return 0; }\n", variables, main.String())
		results, err := gcc.Lines(t.Context(), t.TempDir(), all.String(), bits, append(gen.FloatFlags(bits), "-w")...)
		if errors.Is(err, gcc.ErrMissing) {
			t.Skip("SKIPPED: ", err)
		}
		if err != nil || len(results) != together {
			t.Fatalf("%d results, error %v", len(results), err)
		}
		for k, text := range texts {
			c := fmt.Sprintf("#include <math.h>\nvoid reach_error(void);\n%sint main(void) { %s %s if (f%d(i, y.f) != %sull) reach_error(); return 0; }\n", text, variables, starts[k], k, results[k])
			p, err := cfront.Parse([]*source.File{source.NewFile("t.c", c)}, cfront.Options{Model: model})
			if err == nil {
				err = p.Verify()
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, c)
			}
			m := machine.Machine{Program: p, MaxSteps: 100_000}
			out, err := m.Run(p.Func("main"), nil)
			if strings.Contains(out.Guessed, "NaN") || strings.Contains(out.Guessed, "which of 0 and -0") { // signs of what is no number, reads of unions, and zeros that compilers fold
				guessed++
				continue
			}
			if compared++; err != nil || out.Ending != machine.Returned || out.Guessed != "" {
				t.Errorf("seed %d, group %d, program %d, %s: the machine ends with %q, error %v, guessed %q\n%s", seed, group, k, model, out.What, err, out.Guessed, c)
			}
			e, err := encoded(t, c, model)
			if err != nil {
				t.Fatal(err)
			}
			w := newWalker(e, rand.New(rand.NewSource(1)))
			at, state := e.Words.Init[0].Location, w.first()
			for edge := 0; edge >= 0; {
				var next logic.Model
				if edge, next = w.step(at, state); edge >= 0 {
					at, state = e.Words.Edges[edge].To, next
				}
			}
			if where := e.Words.Locations[at]; where.Name != "end" {
				t.Errorf("seed %d, group %d, program %d, %s: %s %q\n%s", seed, group, k, model, where.Name, e.Failures[at]+e.Lost[at], c)
			}
		}
	}
	t.Logf("seed %d: %d programs, and %d that depend on the bits of what is no number, or on the sign of zero", seed, compared, guessed)
	if compared < 9*guessed {
		t.Error("too few")
	}
}
