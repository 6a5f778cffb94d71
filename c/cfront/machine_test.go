package cfront

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gcc"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
)

const outDeclaration = "extern void out(unsigned long long);\n"

// computed runs a program's routine by the machine; each line is a number handed to out.
func computed(t *testing.T, p *Program, routine string) string {
	t.Helper()
	var b strings.Builder
	m := &Machine{Program: p, MaxSteps: 5_000_000, MaxDepth: 100}
	m.Call = func(f *Func, args []uint64) {
		if f.Name == "out" {
			fmt.Fprintf(&b, "%x\n", args[0])
		}
	}
	m.Choose = func(c *Choice) (uint64, error) {
		if c.Call == nil {
			return 0, nil // a variable before its first value
		}
		return 0, fmt.Errorf("%v: a value is chosen", c.Span.Pos())
	}
	out, err := m.Run(p.Func(routine), nil)
	if err != nil || out.Ending != Returned {
		fmt.Fprintf(&b, "ending %d at %v: %s %v\n", out.Ending, out.Span.Pos(), out.What, err)
	}
	return b.String()
}

// compiled runs the routines of one file by gcc; ok is false where there is no gcc for
// the data model.
func compiled(t *testing.T, model DataModel, text string, routines []string) (outputs []string, ok bool) {
	t.Helper()
	var b strings.Builder
	b.WriteString("int printf(const char *, ...);\nint atoi(const char *);\nvoid out(unsigned long long x) { printf(\"%llx\\n\", x); }\n")
	b.WriteString(text)
	b.WriteString("int main(int argc, char **argv) {\n")
	for _, r := range routines {
		fmt.Fprintf(&b, "%s(); printf(\"#\\n\");\n", r)
	}
	b.WriteString("return 0; }\n")
	exe, err := gcc.Build(t.TempDir(), b.String(), map[DataModel]int{LP64: 64, ILP32: 32}[model], "-O0", "-fwrapv")
	if errors.Is(err, gcc.ErrMissing) {
		return nil, false
	}
	if err != nil {
		t.Fatal(err)
	}
	_, output, _, err := gcc.Run(context.Background(), exe)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(output, "#\n"), true
}

// TestMachineGCC: what gcc's programs print is what the machine computes, for random
// programs and both data models.
func TestMachineGCC(t *testing.T) {
	batch := 20
	if testing.Short() {
		batch = 5
	}
	for model := range DataModel(2) {
		if testing.Short() && model != ILP32 {
			continue // each is compiled; this one differs more from what runs the tests
		}
		t.Run(model.String(), func(t *testing.T) {
			for b := range soak.Long(1) {
				var texts, routines []string
				for i := range batch {
					prefix := fmt.Sprintf("p%d_", i)
					texts = append(texts, gen.CProgram(rand.New(rand.NewSource(int64(b*batch+i))), prefix))
					routines = append(routines, prefix+"main")
				}
				want, ok := compiled(t, model, strings.Join(texts, ""), routines)
				if !ok {
					t.Skip("SKIPPED: ", gcc.ErrMissing)
				}
				for i, text := range texts {
					p, err := Parse([]*source.File{source.NewFile("p.c", outDeclaration+text)}, Options{Model: model, Entry: routines[i]})
					if err != nil {
						t.Fatalf("seed %d of gen.CProgram: %v", b*batch+i, err)
					}
					if err := p.Verify(); err != nil {
						t.Fatalf("seed %d: %v", b*batch+i, err)
					}
					if got := computed(t, p, routines[i]); got != want[i] {
						t.Fatalf("seed %d of gen.CProgram: %s", b*batch+i, difference(got, want[i]))
					}
				}
			}
		})
	}
}

// difference says where two outputs part.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d: the machine says %s, gcc %s", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("the machine says %d lines, gcc %d", len(g), len(w))
}
