package cfront

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gcc"
)

// readCases are routines that use what compilers have beside C, or what the parser misreads: gcc and the
// machine return the same. Each is int FN(void).
var readCases = []string{
	// Enumerations of which some constants fit int.
	"enum e1 { A1 = -1, B1 = 0x80000000 }; int FN(void) { return (A1 < 0u) + 2 * (B1 > 0) + 4 * (sizeof(enum e1) == sizeof(long long)) + 8 * (A1 + 0u > 5); }",
	"enum e2 { A2 = 1, B2 = 0x100000000 }; int FN(void) { enum e2 x = B2; return (x - 0x200000000 > 0) + 2 * ((A2 - 2) < 0) + 4 * ((B2 >> 32) == 1) + 8 * (-A2 < 0); }",
	"enum e3 { A3, B3 = 0xffffffff, C3 = 5 }; int FN(void) { return (B3 + 1 == 0) + 2 * (C3 - 6 < 0) + 4 * (-C3 < 0) + 8 * (B3 > 0); }",
	// Names of parameters in the types of casts.
	"long FNg(long freq) { return freq + 1; } int FN(void) { int freq = 3; void *v = (void *)FNg; long (*f)(long) = (long (*)(long freq))v; return f(freq) + sizeof freq; }",
	"int FN(void) { char x = 1; return sizeof(int (*)(long x, int y)) + sizeof x + sizeof(void (**)(struct s *x)) + ((int (*)(int (*x)(long x), int n, int a[n]))0 == 0); }",
	"typedef int T4; int FN(void) { unsigned char y = 2, T = 3; int (*p)(T4, const T4 y, T4 T[2]) = (int (*)(T4, const T4 y, T4 T[2]))0; return sizeof y + sizeof T + (p == 0); }",
	// asm that does nothing.
	`int FN(void) { int x = 5, y = 6; __asm__ __volatile__("" : : : "memory"); asm("" : "+r"(x)); asm("" : "=r"(y) : "0"(x)); __asm__("nop"); asm volatile("rep; nop" ::: "memory"); return x * 10 + y; }`,
	`int FN(void) { int a[2] = {7, 8}; int *p = a; asm("" : "=r"(p) : "0"(p + 1)); return *p; }`,
	// Packed members, and those that are aligned by hand.
	"struct p5 { char a; int b; short c; } __attribute__((packed)); int FN(void) { struct p5 x = {1, 0x01020304, 5}, y; unsigned char *p = (unsigned char *)&x; y = x; return p[1] + p[2] * 2 + p[5] + sizeof x + y.c + y.b / 1000000; }",
	"#pragma pack(push, 1)\nstruct p6 { char a; long long b; unsigned c : 3, d : 7; };\n#pragma pack(pop)\nstruct p6 v6 = {1, -2, 5, 100}; int FN(void) { v6.d++; return sizeof v6 + v6.c + v6.d + (v6.b == -2); }",
	"struct p7 { char a; int b __attribute__((packed)); int c __attribute__((aligned(8))); }; int FN(void) { struct p7 x = {1, 2, 3}; struct p7 *q = &x; return q->b * 16 + q->c + sizeof *q + (int)((char *)&q->c - (char *)q); }",
	"struct p8 { unsigned a : 5; unsigned b : 11; unsigned char c; } __attribute__((packed)); int FN(void) { struct p8 x = {17, 1025, 200}; x.b += x.a; x.c -= x.b; return x.a + x.b + x.c; }",
	"typedef int u9 __attribute__((aligned(1))); struct p9 { char c; u9 i; }; int FN(void) { struct p9 a[3] = {{1, 2}, {3, 4}, {5, 6}}; int s = 0; for (int i = 0; i < 3; i++) s = s * 3 + a[i].i; return s + sizeof a; }",
	"union w10 { int *i; void *v; } __attribute__((transparent_union)); int FN(void) { union w10 u; int x = 4; u.i = &x; return *u.i + (sizeof u == sizeof(void *)); }",
	// What no run comes to.
	"extern int FNx(int) __attribute__((alias(\"FNy\"))); int FNy(int x) { return x; } static inline int FNz(void) { return FNx(3) + __builtin_goto_nowhere(1); } int FN(void) { return FNy(4); }",
	"static __inline __int128 FNw(__int128 x) { return x * x; } struct w { __int128 v; int n; }; int FN(void) { return sizeof(struct w *) + 3; }",
	`static inline int FNq(int x) { int r; asm("bsf %1,%0" : "=r"(r) : "r"(x)); return r; } int FN(void) { int x = 3; if (x > 5) { x = FNq(x); goto l; } return x; l: return 2; }`,
	"static int FNv(int n, ...) { return n * 2; } int FN(void) { int k = 3; return FNv(4, k++, 2L) + k; }",
	"int FN(void) { int s = 0; for (int i = 0; i < 3; i++) { if (i == 7) { static void *t[] = {&&a, &&b}; goto *t[0]; a: s++; b: s++; } s += i; } return s; }",
	"_Static_assert(sizeof(int) == 4, \"int\"); int FN(void) { _Static_assert(sizeof(char) == 1, \"c\"); _Static_assert(1 < 2); return 5; }",
	"int FN(void) { int x = ({ int y = 3; y * 2; }); struct s { int a, b; } *p = &(struct s){x, 2}; return p->a + p->b + (int){4}; }",
	"int FN(void) { long a = __builtin_expect_with_probability(3, 1, 0.5); int v[4] = {1, 2, 3, 4}; int *p = __builtin_assume_aligned(v, 4); return a + p[2]; }",
	"unsigned char FNm[4] = { {34}, 5, {6} }; int FN(void) { char s[4] = {'a', {'b'}}; return FNm[0] + FNm[1] + FNm[2] + s[1]; }",
	"int FN(void) { unsigned char m1[4] = { {34} }; static char m2[] = {{ 'a' + 1}, 2}; struct { int a, b; } s[2] = {{1}, {2}}; return m1[0] + m1[1] + m2[0] + sizeof m2 + s[1].a; }",
	"enum FNE { P11 = 1 }; int FN(void) { int n = 0; { enum FNE { Y11 = -1 }; enum FNE y = Y11; n = (y < 0); } return n + P11; }",
	"struct FNs { int a; }; int FN(void) { int n = sizeof(struct FNs); { struct FNs { char c; }; n = n * 10 + sizeof(struct FNs); } return n; }",
	"struct FNs { char c; int i; } __attribute__((packed)); _Static_assert(sizeof(struct FNs) == 5, \"\"); int FN(void) { return sizeof(struct FNs); }",
	"#pragma once\nint FNo;\n#pragma once\nint FN(void) { return FNo + 3; }",
	"void FNt(int x) { } int FN(void) { int n = 0; switch (n) { int k; case 0: k = 3; n = k; } return n; }",
}

// TestRead: see readCases.
func TestRead(t *testing.T) {
	for _, model := range []ir.DataModel{ir.LP64, ir.ILP32} {
		var all, calls strings.Builder
		want := map[int]string{}
		for k, text := range readCases {
			name := fmt.Sprintf("f%d", k)
			text = strings.ReplaceAll(text, "FN", name) + "\n"
			if model == ir.ILP32 && strings.Contains(text, "__int128") {
				continue // gcc has none there
			}
			if strings.Contains(text, "goto_nowhere") {
				text = strings.Replace(text, "static inline int f", "static inline int __builtin_goto_nowhere(int x) { return x; }\nstatic inline int f", 1)
			}
			p, err := Parse([]*source.File{source.NewFile("t.c", text+fmt.Sprintf("int main(void) { return %s(); }\n", name))}, Options{Model: model})
			if err != nil {
				t.Errorf("%s: %v", text, err)
				continue
			}
			if err := p.Verify(); err != nil {
				t.Errorf("%s: %v", text, err)
			}
			out, err := (&machine.Machine{Program: p, MaxSteps: 10000}).Run(p.Func("main"), nil)
			if err != nil || out.Ending != machine.Returned {
				t.Errorf("%s, %s: %v, %+v", text, model, err, out)
				continue
			}
			want[k] = fmt.Sprint(int32(out.Value))
			all.WriteString(text)
			fmt.Fprintf(&calls, "  printf(\"%d %%d\\n\", %s());\n", k, name)
		}
		exe, err := gcc.Build(t.TempDir(), all.String()+"int printf(const char *, ...);\nint main(void) {\n"+calls.String()+"  return 0;\n}\n", int(model.PointerSize())*8, "-w", "-O0", "-fno-toplevel-reorder")
		if errors.Is(err, gcc.ErrMissing) {
			t.Skip("SKIPPED: ", err)
		}
		if err != nil {
			t.Fatal(err)
		}
		_, out, _, err := gcc.Run(context.Background(), exe)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(out)) {
			var k int
			var got string
			if fmt.Sscan(line, &k, &got); got != want[k] {
				t.Errorf("%s, %s: gcc has %s, the machine %s", readCases[k], model, got, want[k])
			}
		}
	}
}

// TestReached: a routine is reached that is called, or whose address is taken, by one that is, or by the first
// value of a variable.
func TestReached(t *testing.T) {
	const text = `int a(void) { return 1; } int b(void) { return a(); } int c(void) { return 2; } int d(void) { return c(); }
int e(void) { return d(); } int (*table[])(void) = {0, d}; int f(int (*p)(void)) { return p(); } int never(void) { return f(b); }
int g(void); int main(void) { int (*p)(void) = b; return p() + g(); }`
	prog, err := Parse([]*source.File{source.NewFile("t.c", text)}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range prog.Reached(prog.Func("main")) {
		names = append(names, f.Name)
	}
	if got := strings.Join(names, " "); got != "a b c d main g" {
		t.Errorf("reached are %s", got)
	}
}
