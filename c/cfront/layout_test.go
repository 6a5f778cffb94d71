package cfront

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gcc"
	"github.com/seltl/seltl/internal/testing/soak"
)

// drawnStruct draws a struct or union with bit-fields, and the names of its members that can be
// assigned to.
func drawnStruct(r *rand.Rand, depth int) (text string, members []string) {
	var b strings.Builder
	word := "struct"
	if r.IntN(7) == 0 {
		word = "union"
	}
	b.WriteString(word + " { ")
	for i := range 1 + r.IntN(5) {
		name := fmt.Sprint("m", i)
		switch x := r.IntN(20); {
		case x < 10:
			types := []string{"int", "unsigned", "char", "short", "unsigned char", "_Bool", "signed char", "unsigned short", "long long"}
			widths := []int{32, 32, 8, 16, 8, 1, 8, 16, 40}
			k := r.IntN(len(types))
			switch {
			case r.IntN(6) == 0:
				fmt.Fprintf(&b, "%s :%d; ", types[k], r.IntN(widths[k]+1))
			default:
				fmt.Fprintf(&b, "%s %s:%d; ", types[k], name, 1+r.IntN(widths[k]))
				if k < 8 { // wider ones are refused
					members = append(members, name)
				}
			}
		case x < 17 || depth > 1:
			t := []string{"char", "short", "int", "long", "char *", "long long"}[r.IntN(6)]
			if r.IntN(5) == 0 {
				fmt.Fprintf(&b, "%s %s[3]; ", t, name)
				name += "[1]"
			} else {
				fmt.Fprintf(&b, "%s %s; ", t, name)
			}
			members = append(members, name)
		default:
			inner, names := drawnStruct(r, depth+1)
			if r.IntN(3) == 0 {
				fmt.Fprintf(&b, "%s %s[2]; ", inner, name)
				name += "[1]"
			} else {
				fmt.Fprintf(&b, "%s %s; ", inner, name)
			}
			for _, n := range names {
				members = append(members, name+"."+n)
			}
		}
	}
	if len(members) == 0 {
		b.WriteString("int z; ")
		members = []string{"z"}
	}
	if r.IntN(4) == 0 {
		return b.String() + "} __attribute__((packed))", members
	}
	return b.String() + "}", members
}

// layoutCase is a type, a variable of it, and a routine that returns a number made of its bytes
// after a member was initialised or assigned.
func layoutCase(r *rand.Rand, k int) string {
	text, members := drawnStruct(r, 0)
	word, rest, _ := strings.Cut(text, " ")
	name, m := fmt.Sprintf("%s T%d", word, k), members[r.IntN(len(members))]
	first, then := "", fmt.Sprintf("v%d.%s = (__typeof__(v%d.%s + 0))1;", k, m, k, m)
	if r.IntN(2) == 0 {
		first, then = fmt.Sprintf(" = {.%s = (void *)1 != 0}", m), ""
		if r.IntN(3) == 0 {
			first = " = {0}"
		}
	}
	behind := fmt.Sprintf("unsigned char *p = (unsigned char *)&v%d; unsigned h = (char *)(&v%d + 1) - (char *)&v%d;", k, k, k)
	return fmt.Sprintf("%s %s;\nstatic %s v%d%s;\nstatic unsigned f%d(void) { %s %s for (int i = 0; i < 8; i++) if (i < (char *)(&v%d + 1) - (char *)&v%d) h = h * 31 + p[i] * (i + 1); return h; }\n",
		name, rest, name, k, first, k, then, behind, k, k)
}

// TestLayout: members lie where gcc has them, also behind bit-fields, and initialisers meet them.
func TestLayout(t *testing.T) {
	programs, each := 6, 25
	if testing.Short() {
		programs = 2
	}
	for seed := range uint64(programs) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { compareLayouts(t, seed, each) })
	}
}

func compareLayouts(t *testing.T, seed uint64, each int) {
	model := []ir.DataModel{ir.LP64, ir.ILP32}[seed%2]
	r := rand.New(rand.NewPCG(seed, 7))
	var b strings.Builder
	calls, refused := "", 0
	for k := range each {
		one := layoutCase(r, k)
		if err := refusedIn(one+fmt.Sprintf("int main(void) { return f%d(); }\n", k), model); err != nil {
			refused++
			continue
		}
		b.WriteString(one)
		calls += fmt.Sprintf(" h = h * 17 + f%d();", k)
	}
	if refused > each/2 {
		t.Errorf("seed %d: %d of %d are refused", seed, refused, each)
	}
	text := b.String() + "int main(void) { unsigned h = 0;" + calls + " return (h ^ h >> 8 ^ h >> 16 ^ h >> 24) & 255; }\n"
	p, err := Parse([]*source.File{source.NewFile("t.c", text)}, Options{Model: model})
	if err != nil {
		t.Fatal(err)
	}
	m := &machine.Machine{Program: p}
	out, err := m.Run(p.Func("main"), nil)
	if err != nil || out.Ending != machine.Returned {
		t.Fatalf("seed %d: %v, %+v", seed, err, out)
	}
	exe, err := gcc.Build(t.TempDir(), text, int(model.PointerSize())*8, "-w", "-O0")
	if errors.Is(err, gcc.ErrMissing) {
		t.Skip("SKIPPED: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if status, _, _, err := gcc.Run(context.Background(), exe); err != nil || uint64(status) != out.Value {
		t.Errorf("seed %d, %s: gcc's program ends with %d, %v; the machine with %d\n%s", seed, model, status, err, out.Value, text)
	}
}

// TestDisplaced: what the parser computes from places that compilers have elsewhere is computed here, and is
// refused where it has made other things of it.
func TestDisplaced(t *testing.T) {
	const types = `struct b { char a; int b : 3; short c; };
struct d { char c; int x:4; int y:30; int d; };
struct p { char a; int b; } __attribute__((packed));
struct q { char c; struct d d[2]; struct p p[3]; long l __attribute__((aligned(16))); };
int v[sizeof(struct p)], w[(int)(unsigned long)&((struct d *)0)->d];
char text[sizeof v + sizeof(struct b)];
struct e {}; union u { struct e e; }; struct n { char c; int z[2][0]; char d; struct e f[4]; } none[2];
struct p packed[] = {{1, 2}, {3, 4}, [4] = {5, 6}};
#define CHECK _Static_assert(sizeof(struct p) < 100, "")
`
	k := 0
	for _, e := range []string{"(long)&((struct b *)0)->c", "(long)&(*(struct q *)0).p", "(long)&((struct b *)0)[2]", "sizeof(struct b)", "sizeof(struct b [3])", "sizeof v", "sizeof w", "sizeof text", "sizeof(char[sizeof(struct q)])",
		"sizeof packed + packed[4].b", "_Alignof(struct q)", "(long)&((struct q *)0)->p[2].b", "(long)&((struct q *)0)->l", "sizeof(struct p) > 6 ? 1 : 2", "({ int n = 0; switch (5) { case sizeof(struct p): n = 7; } n; })", "sizeof(((struct q *)0)->p) << 1",
		"3 + sizeof(int[2][0])", "3 + sizeof(struct e[3][2])", "3 + sizeof(union u[4])", "sizeof(char[3 + sizeof(struct e[2])])", "3 + sizeof none[0].z", "sizeof none", "(long)&none[0].d - (long)none"} {
		for _, model := range []ir.DataModel{ir.LP64, ir.ILP32} {
			if k++; soak.Thin(k) {
				continue
			}
			text := types + "int main(void) { return " + e + "; }\n"
			p, err := Parse([]*source.File{source.NewFile("t.c", text)}, Options{Model: model})
			if err != nil {
				t.Errorf("%s: %v", e, err)
				continue
			}
			out, err := (&machine.Machine{Program: p}).Run(p.Func("main"), nil)
			if err != nil || out.Ending != machine.Returned {
				t.Errorf("%s: %v, %+v", e, err, out)
				continue
			}
			exe, err := gcc.Build(t.TempDir(), text, int(model.PointerSize())*8, "-w", "-O0")
			if errors.Is(err, gcc.ErrMissing) {
				t.Skip("SKIPPED: ", err)
			}
			if err != nil {
				t.Fatal(err)
			}
			if status, _, _, err := gcc.Run(context.Background(), exe); err != nil || uint64(status) != out.Value {
				t.Errorf("%s, %s: gcc's program ends with %d, %v; the machine with %d", e, model, status, err, out.Value)
			}
		}
	}
	for _, text := range []string{
		"enum { N = sizeof(struct p) }; int main(void) { return N; }",
		"struct r { int a : sizeof(struct p); }; int main(void) { return 0; }",
		"int a[] = {[sizeof(struct p)] = 1}; int main(void) { return a[5]; }",
		"struct s { int a : 31, b : 31; char c; } __attribute__((packed)) s; int main(void) { return s.b; }",
		"enum e { E = 1 } __attribute__((packed)); int main(void) { return sizeof(enum e); }",
		"typedef enum { E = 1 } const __attribute__((packed)) e; int main(void) { return sizeof(e); }",
		"struct s { enum { E = 1 } __attribute__((packed)) e; }; int main(void) { return sizeof(struct s); }",
	} {
		if err := refusedIn(types+text, ir.LP64); err == nil {
			t.Errorf("not refused: %s", text)
		}
	}
}
