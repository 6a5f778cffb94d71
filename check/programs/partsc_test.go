package programs

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
)

const copies = "void *memcpy(void *, const void *, unsigned long); void *memmove(void *, const void *, unsigned long); void *malloc(unsigned long); void *memset(void *, int, unsigned long); int __VERIFIER_nondet_int(void); int x; int main(void) { "

// truths are programs that read a _Bool whose byte may be neither 0 nor 1, which is no value of the type (C11 6.2.6.1, 5).
var truths = []trap{
	{text: copies + "union { _Bool b; unsigned char c; } u; u.c = 2; if (u.b > 1) reach_error(); }", want: report.Unknown},
	{text: copies + "union { _Bool b; unsigned char c; } u; u.c = 2; if (u.b <= 1) reach_error(); }", want: report.Unknown},
	{text: copies + "union { _Bool b; unsigned char c; } u; u.c = 1; if (u.b != 1) reach_error(); }", want: report.Holds},
	{text: copies + "union { _Bool b; unsigned char c; } u; u.c = __VERIFIER_nondet_int() & 1; if (u.b != u.c) reach_error(); }", want: report.Holds},
	{text: copies + "union { _Bool b; unsigned char c; } u; u.b = __VERIFIER_nondet_int(); if (u.c > 1) reach_error(); }", want: report.Holds},
	{text: copies + "_Bool b; unsigned char two = 2; memcpy(&b, &two, 1); if (b) reach_error(); }", want: report.Unknown},
	{text: copies + "_Bool b; memset(&b, 1, 1); if (b) reach_error(); }", want: report.Violated},
	{text: copies + "_Bool b; *(unsigned char *)&b = 3; if (!b) reach_error(); }", want: report.Unknown},
	{text: copies + "_Bool b[30]; memcpy(b, \"\\2\\3\", 2); unsigned i = __VERIFIER_nondet_int(); if (i > 1) return 0; int v = b[i]; reach_error(); }", want: report.Unknown},
	{text: copies + "_Bool b[30]; memcpy(b, \"\\1\\0\", 2); unsigned i = __VERIFIER_nondet_int(); if (i > 1) return 0; int v = b[i]; if (v != !i) reach_error(); }", want: report.Holds},
	{text: copies + "_Bool b[30]; unsigned char *q = (unsigned char *)b; unsigned i = __VERIFIER_nondet_int() & 15; q[i] = 5; if (b[i] == 1) reach_error(); }", want: report.Unknown},
	{text: copies + "_Bool a = 1, b; memcpy(&b, &a, 1); if (a != b) reach_error(); }", want: report.Holds},
	{text: copies + "struct { _Bool x; char y; } a = {1, 7}, b; b = a; if (b.x != 1 || b.y != 7) reach_error(); }", want: report.Holds},
}

// partial are programs that write to a part of a scalar, by copies and zeros: they had no effect. Their verdicts
// are gcc's.
var partial = []trap{
	{text: copies + "int i=0x12345678,j=0x11223344; memcpy(&i,&j,2); if(i==0x12343344) reach_error(); }", want: report.Violated},
	{text: copies + "int i=0x12345678,j=0x11223344; memcpy(&i,&j,2); if(i!=0x12343344) reach_error(); }", want: report.Holds},
	{text: copies + "int i=0x12345678,j=0x11223344; memcpy((char*)&i+1,&j,2); if(i!=0x12334478) reach_error(); }", want: report.Holds},
	{text: copies + "int a[2]={1,2},b[2]={3,4}; memcpy(a,b,6); if(a[1]==4) reach_error(); }", want: report.Violated},
	{text: copies + "int a[2]={1,2},b[2]={3,4}; memcpy(a,b,6); if(a[1]!=4) reach_error(); }", want: report.Holds},
	{text: copies + "long i=0x1234567812345678,j=0; memcpy(&i,&j,7); if(i==0x1200000000000000) reach_error(); }", want: report.Violated},
	{text: copies + "struct{int a; int b;} s={1,2},t={3,4}; memcpy(&s,&t,5); if(s.b==4) reach_error(); }", want: report.Violated},
	{text: copies + "struct{int a; int b;} s={1,2},t={3,4}; memcpy(&s,&t,5); if(s.b!=4) reach_error(); }", want: report.Holds},
	{text: copies + "struct{short a; int b;} s={1,0x02020202}; memset(&s,0,6); if(s.b==0x02020000) reach_error(); }", want: report.Violated},
	{text: copies + "struct{short a; int b;} s={1,0x02020202}; memset(&s,0,6); if(s.b!=0x02020000) reach_error(); }", want: report.Holds},
	{text: copies + "int a[3]={-1,-1,-1}; memset(a,0,5); if(a[1]==(int)0xffffff00) reach_error(); }", want: report.Violated},
	{text: copies + "int a[300]; a[0]=-1;a[1]=-1; memset(a,0,5); if(a[1]==(int)0xffffff00) reach_error(); }", want: report.Violated},
	{text: copies + "int a[300]; a[0]=-1;a[1]=-1; memset(a,0,5); if(a[1]!=(int)0xffffff00) reach_error(); }", want: report.Holds},
	{text: copies + "int a[300]; a[0]=-1;a[1]=-1; memset(a,0,8); if(a[1]!=0) reach_error(); }", want: report.Holds},
	{text: copies + "int a[300]; int n=__VERIFIER_nondet_int()&3; a[n]=-1;a[n+1]=-1; memset(a+n,0,5); if(a[n+1]==(int)0xffffff00) reach_error(); }", want: report.Violated},
	{text: copies + "int a[300]; int n=__VERIFIER_nondet_int()&3; a[n]=-1;a[n+1]=-1; memset(a+n,0,5); if(a[n+1]!=(int)0xffffff00) reach_error(); }", want: report.Holds},
	{text: copies + "int a[300]; int n=__VERIFIER_nondet_int()&3; a[n]=-1;a[n+1]=-1; memset((char*)(a+n)+1,0,4); if(a[n]!=(int)0x000000ff) reach_error(); }", want: report.Holds},
	{text: copies + "int a[300]; int n=__VERIFIER_nondet_int()&3; a[n]=-1;a[n+1]=-1; memset((char*)(a+n)+1,0,3); if(a[n]!=(int)0x000000ff) reach_error(); }", want: report.Holds},
	{text: copies + "int a[300]; int n=__VERIFIER_nondet_int()&3; a[n]=-1;a[n+1]=-1; memset((char*)(a+n)+1,0,3); if(a[n]==(int)0x000000ff) reach_error(); }", want: report.Violated},
	{text: copies + "int a[300]; int n=__VERIFIER_nondet_int()&3; a[n]=-1;a[n+1]=-1; memset(a+n,0,3); if(a[n]==(int)0xff000000) reach_error(); }", want: report.Violated},
	{text: copies + "struct {int x; short y;} a[300]; int n=__VERIFIER_nondet_int()&3; a[n].x=-1;a[n].y=-1; memset(a+n,0,5); if(a[n].y==(short)0xff00) reach_error(); }", want: report.Violated},
	{text: copies + "struct {int x; short y;} a[300]; int n=__VERIFIER_nondet_int()&3; a[n].x=-1;a[n].y=-1; memset(a+n,0,5); if(a[n].y!=(short)0xff00) reach_error(); }", want: report.Holds},
	{text: copies + "struct {int x; short y;} a[300]; int n=__VERIFIER_nondet_int()&3; a[n].x=-1;a[n].y=-1; memset(&a[n].y,0,5); if(a[n].y!=0) reach_error(); }", want: report.Holds},
	{text: copies + "struct {int x; short y;} a[300]; int n=__VERIFIER_nondet_int()&3; a[n].x=-1;a[n+1].x=-1; memset(&a[n].y,0,5); if(a[n+1].x!=0xffffff00) reach_error(); }", want: report.Holds},
	{text: copies + "struct {int x; short y;} a[300]; int n=__VERIFIER_nondet_int()&3; a[n].x=-1;a[n+1].x=-1; memset(&a[n].y,0,5); if(a[n+1].x==0xffffff00) reach_error(); }", want: report.Violated},
	{text: copies + "int a=-1; memset((char*)&a+1,0,2); if(a==(int)0xff0000ff) reach_error(); }", want: report.Violated},
	{text: copies + "int a=-1; memset((char*)&a+1,1,2); if(a==(int)0xff0101ff) reach_error(); }", want: report.Violated},
	{text: copies + "long q=-1; struct T{char c[3];} t={{0,0,0}}; *(struct T*)&q=t; if(q==-0x1000000) reach_error(); }", want: report.Violated},
	{text: copies + "long q=-1; struct T{char c[3];} t={{0,0,0}}; *(struct T*)&q=t; if(q!=-0x1000000) reach_error(); }", want: report.Holds},
	{text: copies + "struct T{char c[3];} t; long q=5; t=*(struct T*)&q; if(t.c[0]==5) reach_error(); }", want: report.Violated},
	{text: copies + "union U{int i; char c[8];} u; u.i=-1; memset(&u,0,2); if(u.i==(int)0xffff0000) reach_error(); }", want: report.Violated},
	{text: copies + "int*p=malloc(8); p[0]=-1; p[1]=-1; memset(p,0,6); if(p[1]==(int)0xffff0000) reach_error(); }", want: report.Violated},
	{text: copies + "int*p=malloc(8); p[0]=-1; p[1]=-1; memset(p,0,6); if(p[1]!=(int)0xffff0000) reach_error(); }", want: report.Holds},
	{text: copies + "static int z[4]={1,2,3,4}; int*p=z; memmove(p+1,p,7); if(z[1]!=1||z[2]!=2) reach_error(); }", want: report.Holds},
	{text: copies + "static int z[4]={1,2,0x3000000,4}; int*p=z; memmove(p+1,p,7); if(z[2]!=0x3000002) reach_error(); }", want: report.Holds},
	{text: copies + "static int z[4]={1,2,0x3000000,4}; int*p=z; memmove(p+1,p,7); if(z[2]==0x3000002) reach_error(); }", want: report.Violated},
	{text: copies + "struct B { int a : 7; int b : 9; } t = {3, 5}; memset(&t, 0, sizeof t); if (t.a || t.b) reach_error(); }", want: report.Holds},
	{text: copies + "struct B { int a : 7; int b : 9; } t = {3, 5}; memset(&t, 0, 1); if (t.a) reach_error(); }", want: report.Unknown},
}

// parts are programs that look at parts of an address, which may be 0 in some layout, and whole ones.
var parts = []trap{
	{text: copies + "union { int *p; unsigned u; } v; v.p = &x; if (v.u == 0) reach_error(); }", want: report.Unknown},
	{text: copies + "union { int *p; unsigned u; } v; v.p = &x; if (v.u < 2) reach_error(); }", want: report.Unknown},
	{text: copies + "union { int *p; unsigned u; } v; v.p = &x; switch (v.u) { case 0: reach_error(); } }", want: report.Unknown},
	{text: copies + "union { int *p; unsigned u[2]; } v; v.p = &x; v.u[1] = 0; if (v.p == 0) reach_error(); }", want: report.Unknown},
	{text: copies + "union { int *p; unsigned u[2]; } v; v.p = &x; v.u[0] = 0; if (v.p == 0) reach_error(); }", want: report.Unknown},
	{text: copies + "union { int *p; unsigned char c[8]; } v; v.p = &x; for (int i = 1; i < 8; i++) v.c[i] = 0; if (v.p == 0) reach_error(); }", want: report.Unknown},
	{text: copies + "int *p = &x; unsigned u; memcpy(&u, &p, 4); if (u == 0) reach_error(); }", want: report.Unknown},
	{text: copies + "int *p = &x; unsigned short u; memcpy(&u, (char *)&p + 2, 2); if (u == 0) reach_error(); }", want: report.Unknown},
	{text: copies + "int *p = &x; struct { unsigned a; } s; memcpy(&s, &p, sizeof s); if (s.a == 0) reach_error(); }", want: report.Unknown},
	{text: copies + "int *p = &x; memset(&p, 0, 4); if (p == 0) reach_error(); }", want: report.Unknown},
	{text: copies + "int *p = &x, *q = 0; memcpy(&q, &p, 4); if (q == 0) reach_error(); }", want: report.Unknown},
	{text: copies + "unsigned long a = (unsigned long)&x; if (*(unsigned *)&a == 0) reach_error(); }", want: report.Unknown},
	{text: copies + "union { void (*f)(void); unsigned u; } v; v.f = reach_error; if (v.u == 0) reach_error(); }", want: report.Unknown},
	{text: copies + "struct { int *a, *b; } s = {&x, &x}; memset((char *)&s + 4, 0, 8); if (s.a == 0) reach_error(); }", want: report.Unknown},
	{text: copies + "struct { int *a, *b; } s = {&x, &x}; *(long *)((char *)&s + 4) = 0; if (s.b == 0) reach_error(); }", want: report.Unknown},
	{text: copies + "struct { int *a, *b; } s = {&x, &x}; if (*(long *)((char *)&s + 4) == 0) reach_error(); }", want: report.Unknown},
	{text: copies + "char b[16]; *(int **)(b + 4) = &x; *(long *)b = 0; if (*(int **)(b + 4) == 0) reach_error(); }", want: report.Unknown},
	{text: copies + "int *p = &x, *q = 0; memcpy(&q, &p, 8); if (q != &x) reach_error(); }", want: report.Holds},
	{text: copies + "int *p = &x; memset(&p, 0, 8); if (p) reach_error(); }", want: report.Holds},
	{text: copies + "struct { int *a; int n; } s = {0, 0}, t; s.a = &x; t = s; if (t.n || !t.a || t.a != &x) reach_error(); }", want: report.Holds},
	{text: copies + "union { struct { int *p; } s; struct { int *q; } t; } v; v.s.p = &x; if (v.t.q != &x) reach_error(); }", want: report.Holds},
}

// byPointers are calls of routines of the library through pointers, which are what calls by name are.
var byPointers = []trap{
	{text: "void *malloc(unsigned long); int main(void) { void *(*f)(unsigned long) = malloc; int *p = f(4); if (!p) reach_error(); }", want: report.Holds, rests: "malloc"},
	{text: "void *malloc(unsigned long); static const struct { void *(*alloc)(unsigned long); } ops = {.alloc = malloc}; int main(void) { int *p = ops.alloc(4); *p = 1; }", checks: []ir.Check{ir.CheckNull}, fails: true, want: report.Violated},
	{text: "int strcmp(const char *, const char *); int (*cmp)(const char *, const char *) = strcmp; int main(void) { if (cmp(\"c\", \"a\") == 2) reach_error(); }", want: report.Holds, rests: "results"},
	{text: "int isalpha(int); int (*is)(int) = isalpha; int main(void) { if (is('a') != 1) reach_error(); }", want: report.Holds, rests: "results"},
	{text: "int isalpha(int); int (*is)(int) = isalpha; int main(void) { int (*was)(int) = isalpha; if (is != was || !is) reach_error(); }", want: report.Holds},
	{text: "#include <errno.h>\nint puts(const char *); int (*say)(const char *) = puts; int main(void) { errno = 0; say(\"a\"); if (errno) reach_error(); }", want: report.Violated},
	{text: "#include <errno.h>\nint printf(const char *, ...); int (*say)(const char *, ...) = printf; int main(void) { errno = 0; say(\"a\"); if (errno) reach_error(); }", refuse: "parameters are not fixed"},
	{text: "int printf(const char *, ...); int (*say)(const char *, ...) = printf; int main(void) { int x = 1; say(\"%d\", x); if (x != 1) reach_error(); }", want: report.Holds},
	{text: "void abort(void); void (*end)(void) = abort; int main(void) { end(); reach_error(); }", want: report.Holds},
	{text: "void fatal(const char *, ...) __attribute__((noreturn)); void (*end)(const char *, ...) = fatal; int main(void) { end(\"%d\", 1); reach_error(); }", want: report.Unknown},
	{text: "void err(int, const char *, ...); void (*end)(int, const char *, ...) = err; int main(void) { end(1, \"%d\", 1); reach_error(); }", want: report.Unknown},
	{text: "void (*end)(void) = reach_error; int main(void) { end(); }", want: report.Violated},
	{text: "int main(void) { int i = 0; __builtin_constant_p(i++); if (i == 0) reach_error(); }", want: report.Violated},
	{text: "int main(void) { int i = 0; __builtin_constant_p(i++); if (i != 0) reach_error(); }", want: report.Holds},
	{text: "int main(void) { int x = 0; __builtin_constant_p(1 / x); }", checks: []ir.Check{ir.CheckDiv}, want: report.Holds},
	{text: "int main(void) { char b[4], *p = b; __builtin_object_size(p++, 1); if (p != b) reach_error(); }", want: report.Holds},
	{text: "int main(void) { char *s = (char *)__func__; s[0] = 'x'; if (s[0] == 'x') reach_error(); }", want: report.Unknown},
}

// scopes are programs in which a name means one thing in a block and another one outside.
var scopes = []trap{
	{text: "int main(void) { int T = 3; { enum { T = 9 }; if (T != 9) reach_error(); } if (T != 3) reach_error(); }", want: report.Holds},
	{text: "int main(void) { int T = 3; { enum { T = 9 }; if (T != 3) reach_error(); } }", want: report.Violated},
	{text: "int f(int T) { { enum { T = 7 }; return T; } } int main(void) { if (f(1) != 7) reach_error(); }", want: report.Holds},
	{text: "int main(void) { enum { T = 9 }; { int T = 4; { enum { T = 6 }; if (T != 6) reach_error(); } if (T != 4) reach_error(); } if (T != 9) reach_error(); }", want: report.Holds},
	{text: "enum { T = 3 }; int main(void) { { int a = T; int T = 5; if (T != 5 || a != 3) reach_error(); } if (T != 3) reach_error(); }", want: report.Holds},
	{text: "int f(int x) { return x + 1; } int g(int x) { return x + 2; } int main(void) { int (*f)(int) = g; { int f(int); if (f(1) != 2) reach_error(); } if (f(1) != 3) reach_error(); }", want: report.Holds},
	{text: "int f(int x) { return x + 1; } int main(void) { int f = 3; { int f(int), (*p)(int) = f; if (f(1) != 2 || p(1) != 2 || (*f)(1) != 2 || &f != p) reach_error(); } if (f != 3) reach_error(); }", want: report.Holds},
	{text: "void g(void) {} int main(void) { void (*reach_error)(void) = g; { extern void reach_error(void); reach_error(); } }", want: report.Violated},
	{text: "#define B int T = 4; { enum { T = 6 }; if (T != 6) reach_error(); }\nint main(void) { B }", refuse: "T is a variable and a constant"},
	{text: "struct S { int a; }; int main(void) { { struct S *q; struct S { char c; }; if (sizeof *q != 1) reach_error(); } }", refuse: "S means two things"},
	{text: "struct S { int a; }; int main(void) { { typedef struct S S2; struct S { char c[3]; }; S2 z; if (sizeof z != 4) reach_error(); } }", refuse: "S means two things"},
	{text: "int main(void) { struct S { int a; }; { for (;;) { struct S *q; struct S { char c; }; if (sizeof *q != 4) reach_error(); break; } } }", refuse: "S means two things"},
	{text: "struct S { int a; }; int main(void) { { struct S { char c; }; struct S q; if (sizeof q != 1) reach_error(); } struct S r; if (sizeof r != 4) reach_error(); }", want: report.Holds},
	{text: "int main(void) { struct S *q; struct S { struct S *n; char c; } s = {0, 3}; q = &s; if (q->c != 3) reach_error(); }", want: report.Holds},
}

// floatLiterals are programs with floating literals, which compilers may compute as long doubles with ILP32.
var floatLiterals = []trap{
	{text: "int main(void) { if ((int)2.9999999999999999 != 3) reach_error(); }", want: report.Holds},
	{text: "int main(void) { if ((int)2.9999999999999999 != 3) reach_error(); }", model: ir.ILP32, rests: "floats", want: report.Holds},
	{text: "int main(void) { if ((int)2.5 != 2 || (int)0x1.8p1 != 3 || (int)1e9 != 1000000000) reach_error(); }", model: ir.ILP32, rests: "floats", want: report.Holds},
	{text: "int main(void) { if ((int)1e300 != 3) reach_error(); }", model: ir.ILP32, want: report.Unknown},
}

// TestParts: writing to parts of scalars, reading parts of addresses, library routines by pointers, scopes,
// literals.
func TestParts(t *testing.T) {
	pool := Common
	for _, all := range [][]trap{partial, truths, parts, byPointers, scopes, floatLiterals} {
		askTraps(t, pool, all)
	}
}

// TestPartsRandom: two structs with members of any width, some of whose bytes are filled or copied, are what the
// same does with arrays of bytes.
func TestPartsRandom(t *testing.T) {
	pool := Common
	for seed := range soak.Long(uint64(120)) {
		if t.Failed() {
			break
		}
		r := rand.New(rand.NewPCG(seed, 41))
		a, b := newBytes(r, "a"), newBytes(r, "b")
		var text strings.Builder
		text.WriteString("void *memcpy(void *, const void *, unsigned long); void *memmove(void *, const void *, unsigned long); void *memset(void *, int, unsigned long); int main(void) { ")
		for _, o := range []*inBytes{a, b} {
			text.WriteString(o.declared)
		}
		for range 1 + r.IntN(3) {
			to, from := a, b
			if r.IntN(2) == 0 {
				to, from = b, a
			}
			n := 1 + r.IntN(min(len(to.data), len(from.data)))
			at, of := r.IntN(len(to.data)-n+1), r.IntN(len(from.data)-n+1)
			switch r.IntN(4) {
			case 0:
				fmt.Fprintf(&text, "memset((char *)&%s + %d, 0, %d); ", to.name, at, n)
				clear(to.data[at : at+n])
			case 1:
				k := r.IntN(256)
				fmt.Fprintf(&text, "memset((char *)&%s + %d, %d, %d); ", to.name, at, k, n)
				for i := range n {
					to.data[at+i] = byte(k)
				}
			case 2:
				fmt.Fprintf(&text, "memmove((char *)&%s + %d, (char *)&%s + %d, %d); ", to.name, at, to.name, of%(len(to.data)-n+1), n)
				copy(to.data[at:at+n], to.data[of%(len(to.data)-n+1):])
			default:
				fmt.Fprintf(&text, "memcpy((char *)&%s + %d, (char *)&%s + %d, %d); ", to.name, at, from.name, of, n)
				copy(to.data[at:at+n], from.data[of:])
			}
		}
		was := append(a.values(), b.values()...)
		right, wrong := strings.Join(was, " && "), was[r.IntN(len(was))]
		t.Logf("seed %d", seed)
		(&trap{text: text.String() + "if (!(" + right + ")) reach_error(); }", want: report.Holds}).run(t, pool)
		(&trap{text: text.String() + "if (" + wrong + ") reach_error(); }", want: report.Violated}).run(t, pool)
	}
}

// inBytes is a struct, and its bytes.
type inBytes struct {
	name, declared string
	data           []byte
	members        []struct{ at, size int }
}

func newBytes(r *rand.Rand, name string) *inBytes {
	o := &inBytes{name: name}
	types := map[int]string{1: "unsigned char", 2: "unsigned short", 4: "unsigned", 8: "unsigned long"}
	var members, values []string
	for i := range 1 + r.IntN(3) {
		size := 1 << r.IntN(4)
		for len(o.data)%size > 0 { // no padding
			members, values = append(members, fmt.Sprintf("unsigned char p%d", len(o.data))), append(values, "7")
			o.members = append(o.members, struct{ at, size int }{len(o.data), 1})
			o.data = append(o.data, 7)
		}
		v := r.Uint64()
		members, values = append(members, fmt.Sprintf("%s m%d", types[size], i)), append(values, fmt.Sprintf("%#xUL", v>>(64-8*size)))
		o.members = append(o.members, struct{ at, size int }{len(o.data), size})
		o.data = binary.LittleEndian.AppendUint64(o.data, v>>(64-8*size))[:len(o.data)+size]
	}
	o.declared = fmt.Sprintf("struct { %s; } %s = {%s}; ", strings.Join(members, "; "), name, strings.Join(values, ", "))
	return o
}

// values say what the members are.
func (o *inBytes) values() (all []string) {
	i := 0
	for _, m := range o.members {
		word := append([]byte{}, o.data[m.at:m.at+m.size]...)
		v := binary.LittleEndian.Uint64(append(word, make([]byte, 8)...))
		name := fmt.Sprintf("p%d", m.at)
		if m.size > 1 || !strings.Contains(o.declared, " "+name) {
			name = ""
		}
		if name == "" {
			name = fmt.Sprintf("m%d", i)
			i++
		}
		all = append(all, fmt.Sprintf("%s.%s == %#xUL", o.name, name, v))
	}
	return all
}
