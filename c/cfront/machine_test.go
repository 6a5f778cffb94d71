package cfront

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gcc"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
)

const outDeclaration = "extern void out(unsigned long long);\n"

// computed runs a program's routine by the machine; each line is a number handed to out.
func computed(t *testing.T, p *ir.Program, routine string) string {
	t.Helper()
	var b strings.Builder
	m := &machine.Machine{Program: p, MaxSteps: 5_000_000, MaxDepth: 100}
	m.Call = func(f *ir.Func, args []uint64) {
		if f.Name == "out" {
			fmt.Fprintf(&b, "%x\n", args[0])
		}
	}
	m.Choose = func(c *machine.Choice) (uint64, error) {
		if c.Call == nil {
			return 0, nil // a variable before its first value
		}
		return 0, fmt.Errorf("%v: a value is chosen", c.Span.Pos())
	}
	out, err := m.Run(p.Func(routine), nil)
	if err != nil || out.Ending != machine.Returned {
		fmt.Fprintf(&b, "ending %d at %v: %s %v\n", out.Ending, out.Span.Pos(), out.What, err)
	}
	return b.String()
}

// compiled runs the routines of one file by gcc; ok is false where there is no gcc for
// the data model.
func compiled(t *testing.T, model ir.DataModel, text string, routines []string) (outputs []string, ok bool) {
	t.Helper()
	var b strings.Builder
	b.WriteString("int printf(const char *, ...);\nint atoi(const char *);\nvoid out(unsigned long long x) { printf(\"%llx\\n\", x); }\n")
	b.WriteString(text)
	b.WriteString("int main(int argc, char **argv) {\n")
	for _, r := range routines {
		fmt.Fprintf(&b, "%s(); printf(\"#\\n\");\n", r)
	}
	b.WriteString("return 0; }\n")
	bits := map[ir.DataModel]int{ir.LP64: 64, ir.ILP32: 32}[model]
	exe, err := gcc.Build(t.TempDir(), b.String(), bits, gen.FloatFlags(bits)...)
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
	for model := range ir.DataModel(2) {
		if testing.Short() && model != ir.ILP32 {
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

// TestRoom: a run whose objects need more memory than there is for one ends so, whatever they are, and takes
// none of it; what has ended gives its memory back.
func TestRoom(t *testing.T) {
	for text, want := range map[string]machine.Ending{
		"char a[300000000]; int main(void) { return a[0]; }":                                                             machine.Exceeded,
		"int main(void) { char a[300000000]; a[0] = 1; return a[0]; }":                                                   machine.Exceeded,
		"void *malloc(unsigned long); int main(void) { for (int i = 0; i < 20; i++) malloc(16000000); return 0; }":       machine.Exceeded,
		"int f(int n) { char a[80000000]; a[0] = n; return n ? f(n - 1) : a[0]; } int main(void) { return f(5); }":       machine.Exceeded,
		"int f(int n) { char a[80000000]; a[0] = n; return a[0]; } int main(void) { for (int i = 0; i < 9; i++) f(i); }": machine.Returned,
		"char a[250000000]; int main(void) { return a[0]; }":                                                             machine.Returned,
	} {
		if testing.Short() && strings.Contains(text, "80000000") {
			continue // half a second
		}
		p, err := Parse([]*source.File{source.NewFile("p.c", text)}, Options{Entry: "main"})
		if err != nil {
			t.Fatal(err)
		}
		out, err := (&machine.Machine{Program: p, MaxSteps: 10_000, MaxDepth: 100}).Run(p.Func("main"), nil)
		if err != nil || out.Ending != want {
			t.Errorf("%s: ending %d (%s), %v, want %d", text, out.Ending, out.What, err, want)
		}
	}
}
