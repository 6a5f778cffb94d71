package programs

import (
	"testing"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/report"
)

// literals are compound literals, whose length the parser does not always know.
var literals = []trap{
	{text: "int main(void) { if (((char[]){\"abc\"})[2] != 'c' || (char[]){\"ab\" \"cd\"}[4]) reach_error(); }", want: report.Holds},
	{text: "int main(void) { char *p = (char[]){(\"abc\")}; p[3] = 1; if (p[2] != 'c') reach_error(); }", want: report.Holds},
	{text: "int main(void) { char *p = (char[]){\"abc\"}; p[4] = 1; }", checks: []ir.Check{ir.CheckBounds}, want: report.Violated},
	{text: "int main(void) { char *p = (char[]){\"abc\",}; p[3] = 1; }", checks: []ir.Check{ir.CheckBounds}, want: report.Holds},
	{text: "int main(void) { if (((char[9]){\"abc\"})[1] != 'b' || ((char[9]){\"abc\"})[5]) reach_error(); }", want: report.Holds},
	{text: "typedef char D[9]; int main(void) { if (((D){\"abc\"})[1] != 'b' || ((D){\"abc\"})[7]) reach_error(); }", want: report.Holds},
	{text: "int main(void) { if (((char[3]){\"abc\"})[2] != 'c') reach_error(); }", want: report.Holds},
	{text: "int main(void) { if (sizeof((char[]){\"abc\"}) != 4) reach_error(); }", refuse: "the size of a literal that is a string in braces"},
	{text: "int main(void) { if (sizeof(__typeof__((char[]){\"abc\"})) != 4) reach_error(); }", refuse: "the size of a literal that is a string in braces"},
	{text: "int main(void) { char *p = (char *)(&(char[]){\"abc\"} + 1); }", refuse: "the size of a literal that is a string in braces"},
	{text: "int main(void) { if (((char[]){{\"abc\"}})[1] != 'b') reach_error(); }", refuse: "more than one pair of braces"},
	{text: "typedef int T[]; int main(void) { if (sizeof((T){1, 2, 3}) != 12 || sizeof((T){1}) != 4) reach_error(); }", refuse: "the length of this literal, which its type leaves open"},
	{text: "typedef int V[3]; int main(void) { if (sizeof((V){1}) != 12 || ((V){1, 2})[1] != 2 || ((const V){1})[2]) reach_error(); }", want: report.Holds},
	{text: "int main(void) { if (sizeof((int[]){1, 2}) != 8 || sizeof((char[][4]){\"ab\", \"cd\"}) != 8 || ((char *[]){\"abc\"})[0][1] != 'b') reach_error(); }", want: report.Holds},
	{text: "char x[16]; int main(void) { if (_Alignof(x) != 1) reach_error(); }", want: report.Holds},
	{text: "int main(void) { if (_Alignof(\"abc\") != 1) reach_error(); }", want: report.Holds},
	{text: "struct s { short a[4]; } s; int main(void) { if (_Alignof(short[2]) != 2 || _Alignof(s) != 2 || _Alignof(s.a[0]) != 2) reach_error(); }", want: report.Holds},
}

const padded = "#include <string.h>\nstruct s { char a; int b; }; int in(void); union u { struct s s; unsigned char c[8]; } u; struct s g(void) { struct s q = {1, 2}; return q; } int f(struct s s) { return ((char *)&s)[1]; } int fb(struct s s) { return s.b; }\n"

// paddings read what lies between the members of structs: where one is stored as a whole, that is not known.
var paddings = []trap{
	{text: padded + "int main(void) { u.c[1] = 5; u.s = (struct s){1, 2}; if (u.c[1]) reach_error(); }", want: report.Unknown},
	{text: padded + "int main(void) { for (int i = 0; i < 2; i++) { struct s s = {in(), 2}; unsigned char *p = (unsigned char *)&s; if (p[1]) reach_error(); p[1] = 5; } }", want: report.Unknown},
	{text: padded + "int main(void) { struct s s = {1, 2}, t = {1, 2}; if (memcmp(&s, &t, sizeof s)) reach_error(); }", want: report.Unknown},
	{text: padded + "int main(void) { struct s s = {1, 2}, t; t = s; if (memcmp(&s, &t, sizeof s)) reach_error(); }", want: report.Unknown},
	{text: padded + "int main(void) { struct s s; memset(&s, 0, sizeof s); if (f(s)) reach_error(); }", want: report.Unknown},
	{text: padded + "int main(void) { u.s = g(); if (u.c[2] != 0) reach_error(); }", want: report.Unknown},
	{text: padded + "int main(void) { struct s s[2] = {{1}, {2}}; if (((char *)s)[9]) reach_error(); }", want: report.Unknown},
	{text: padded + "int main(void) { struct s s = {1, 2}, *p = &u.s; u.c[1] = 0; *p = s; if (u.c[1]) reach_error(); }", want: report.Unknown},
	{text: padded + "int main(void) { struct s s, t; memset(&s, 0, sizeof s); s.a = 1; memcpy(&t, &s, sizeof s); if (memcmp(&s, &t, sizeof s)) reach_error(); }", want: report.Holds},
	{text: padded + "int main(void) { struct s s = {1, 2}, t; t = s; if (t.a != 1 || t.b != 2 || fb(t) != 2 || g().b != 2) reach_error(); }", want: report.Holds},
	{text: padded + "int main(void) { struct s s[3] = {{1, 2}, {3, 4}}, *p = s; p[2] = p[1]; if (p[2].a != 3 || p[2].b != 4 || p[0].b != 2 || s[1].a != 3) reach_error(); }", want: report.Holds},
	{text: padded + "int main(void) { struct s s = {1, 2}; if (s.b == 2) reach_error(); }", want: report.Violated},
	{text: padded + "struct s v; int main(void) { if (((char *)&v)[1]) reach_error(); }", want: report.Holds},
}

// blocks are statements in an if, a switch or a loop: compound literals in them end with them.
var blocks = []trap{
	{text: "struct o { int a, b; } *p, *q; int main(void) { if (!p) p = &(struct o){1, 2}; if (!q) q = &(struct o){3, 4}; if (p->a != 1) reach_error(); }", want: report.Holds, rests: "scope"},
	{text: "struct o { int a, b; } *p; int main(void) { if (p) ; else p = &(struct o){1, 2}; if (p->a != 1) reach_error(); }", want: report.Holds, rests: "scope"},
	{text: "int main(void) { int *p = 0; switch (1) default: p = (int[]){1, 2}; if (p[1] != 2) reach_error(); }", want: report.Holds, rests: "scope"},
	{text: "int main(void) { int *p = 0; if ((p = (int[]){1, 2})) ; if (p[1] != 2) reach_error(); }", want: report.Holds, rests: "scope"},
	{text: "int main(void) { int *p = 0; switch ((p = (int[]){1, 2})[0]) default: ; if (p[1] != 2) reach_error(); }", want: report.Holds, rests: "scope"},
	{text: "int main(void) { int *p = 0; for (int i = 0; i < 1; i++) p = (int[]){1, 2}; if (p[1] != 2) reach_error(); }", want: report.Holds, rests: "scope"},
	{text: "int main(void) { for (int *p = 0, i = 0; i < 2; i++) if (i) { if (*p != 7) reach_error(); } else p = (int[]){7}; }", want: report.Holds, rests: "scope"},
	{text: "int main(void) { int *p = 0, i = 0; do p = (int[]){1, 2}; while (i++ < 1); if (p[1] != 2) reach_error(); }", want: report.Holds, rests: "scope"},
	{text: "unsigned long a, b; int main(void) { if (!a) a = (unsigned long)&(int){1}; if (!b) b = (unsigned long)&(int){2}; if (a == b) reach_error(); }", want: report.Unknown},
	{text: "unsigned long a, b; int main(void) { if (!a) a = (unsigned long)&(int){1}; else return 0; while (!b) b = (unsigned long)&(int){2}; if (a == b) reach_error(); }", want: report.Unknown},
	{text: "int main(void) { int *p = (int[]){1, 2}; if (p[1] == 2) p = p; if (p[1] != 2) reach_error(); }", want: report.Holds},
	{text: "int main(void) { int s = 0; if (1) s = ((int[]){1, 2})[1]; if (s != 2) reach_error(); }", want: report.Holds},
}

// trusted are arguments of the library's routines that C says something about, and pointers to other types.
var trusted = []trap{
	{text: "int isalpha(int), in(void); int main(void) { if (isalpha(in()) == 3) reach_error(); }", want: report.Holds, rests: "arguments"},
	{text: "int toupper(int); char in(void); int main(void) { char c = in(); if (toupper(c) != c && (c < 'a' || c > 'z')) reach_error(); }", want: report.Holds, rests: "arguments"},
	{text: "int toupper(int); unsigned char in(void); int main(void) { unsigned char c = in(); if (toupper(c) != c && (c < 'a' || c > 'z')) reach_error(); }", want: report.Holds, rests: "!arguments"},
	{text: "int isspace(int), isdigit(int); int main(void) { if (isspace('a') || isdigit(-1)) reach_error(); }", want: report.Holds, rests: "!arguments"},
	{text: "int puts(const char *); int main(void) { char *n = 0; puts(n); }", checks: []ir.Check{ir.CheckNull}, want: report.Holds, rests: "arguments"},
	{text: "int puts(const char *); int main(void) { char b[2] = {'a', 'b'}; puts(b); }", checks: []ir.Check{ir.CheckBounds}, want: report.Holds, rests: "arguments"},
	{text: "#include <stdio.h>\nint main(void) { FILE *f = fopen(\"x\", \"r\"); int c = fgetc(f); fclose(f); return c == 0; }", checks: []ir.Check{ir.CheckNull}, want: report.Holds, rests: "arguments"},
	{text: "int puts(const char *); int main(void) { char *n = 0; puts(n); }", want: report.Holds, rests: "!arguments"},
	{text: "int isalpha(int), (*q)(int) = isalpha; int main(void) { if (q(400000000) == 3) reach_error(); }", want: report.Holds, rests: "arguments"},
	{text: "int puts(const char *), (*q)(const char *) = puts; int main(void) { q(0); }", checks: []ir.Check{ir.CheckNull}, want: report.Holds, rests: "arguments"},
	{text: "int puts(const char *); int main(void) { puts(\"a\"); }", checks: []ir.Check{ir.CheckNull}, want: report.Holds, rests: "!arguments"},
	{text: "long x; static long f(long *p, long long *q) { *p = 1; *q = 2; return *p; } int main(void) { if (f(&x, (long long *)&x) != 2) reach_error(); }", want: report.Holds, rests: "types"},
	{text: "struct a { int x; } a; struct b { int x; }; int main(void) { struct b *p = (struct b *)&a; p->x = 1; if (a.x != 1) reach_error(); }", want: report.Holds, rests: "types"},
	{text: "static void f(int *restrict p, int *restrict q) { *p = 1; *q = 2; if (*p != 2) reach_error(); } int y; int main(void) { f(&y, &y); }", want: report.Holds, rests: "types"},
	{text: "unsigned u; int i; int main(void) { int *p = (int *)&u; const int *k = (const int *)&i; unsigned char *c = (unsigned char *)&i; void *v = &i; int *w = (int *)v; if (!p || !k || !c || !w) reach_error(); }", want: report.Holds, rests: "!types"},
}

// constants are changed, which C leaves undefined, or could be.
var constants = []trap{
	{text: "struct s { const int k; int v; }; struct s s = {1, 2}; int main(void) { *(int *)&s.k = 4; if (s.k != 4) reach_error(); }", want: report.Holds, rests: "constants"},
	{text: "struct s { const int k; int v; }; struct { int n; struct s t[2]; } s; int main(void) { int *p = (int *)&s.t[1]; *p = 4; if (s.t[1].k != 4) reach_error(); }", want: report.Holds, rests: "constants"},
	{text: "int main(void) { const int k = 1; *(int *)&k = 2; if (k != 2) reach_error(); }", want: report.Holds, rests: "constants"},
	{text: "const struct { int a; } s = {1}; int main(void) { *(int *)&s = 2; if (s.a != 2) reach_error(); }", want: report.Holds, rests: "constants"},
	{text: "const int t[2][2] = {0}; int main(void) { int *p = (int *)t; p[1] = 2; if (t[0][1] != 2) reach_error(); }", want: report.Holds, rests: "constants"},
	{text: "typedef const int c; int main(void) { static c v[2]; int *p = (int *)v; p[1] = 1; }", want: report.Holds, rests: "constants"},
	{text: "int main(void) { char *p = \"abc\"; p[0] = 'x'; if (p[0] != 'x') reach_error(); }", want: report.Holds, rests: "constants"},
	{text: "char *strcpy(char *, const char *); int main(void) { char *p = \"abc\"; strcpy(p, \"x\"); }", want: report.Holds, rests: "constants"},
	{text: "char b[4]; char *strcpy(char *, const char *); int main(void) { char *p = b; strcpy(p, \"x\"); }", want: report.Holds, rests: "!constants"},
	{text: "int in(void); char b[4]; int main(void) { char *p = in() ? \"abc\" : b; if (p == b) *p = 1; }", want: report.Holds, rests: "constants"},
	{text: "const char *const names[2] = {\"a\"}; int main(void) { const char **q = (const char **)names; *q = \"d\"; }", want: report.Holds, rests: "constants"},
	{text: "const char *names[2] = {\"a\"}; int main(void) { const char **q = names; *q = \"d\"; names[0] = \"e\"; }", want: report.Holds, rests: "!constants"},
	{text: "const char *s = \"x\"; int main(void) { const char **q = &s; *q = \"y\"; }", want: report.Holds, rests: "!constants"},
	{text: "int v, *const p = &v; int main(void) { *p = 1; const int k = v; if (k != 1) reach_error(); }", want: report.Holds, rests: "!constants"},
	{text: "int get(char *s) { return *s; } void set(char *s) { *s = 1; } void never(void) { char *p = \"n\"; *p = 1; } int main(void) { char b[2]; set(b); get(\"abc\"); }", want: report.Holds, rests: "!constants"},
}

const addressHead = "typedef __UINTPTR_TYPE__ u; void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *); int in(void); u last; "

// lives are addresses of objects that one place of the program makes, and of lives of one variable: their
// order and distance are not known.
var lives = []trap{
	{text: addressHead + "int main(void) { for (int i = 0; i < 2; i++) { char *v = malloc(20); if (i && (u)v < last) reach_error(); last = (u)v; } }", want: report.Unknown},
	{text: addressHead + "u g(void) { return (u)malloc(24); } int main(void) { u a = g(), b = g(); if (b - a == 32) reach_error(); }", want: report.Unknown},
	{text: addressHead + "u g(void) { return (u)calloc(3, 8); } int main(void) { u a = g(), b = g(); if (a == b) reach_error(); }", want: report.Holds},
	{text: addressHead + "int main(void) { int *o = 0; for (int i = 0; i < 2; i++) { int *v = malloc(20); if (o && v < o) reach_error(); o = v; } }", want: report.Unknown},
	{text: addressHead + "int main(void) { for (int i = 0; i < 2; i++) { char *v = malloc(20), *w = v + 7; if (w < v || w - v != 7 || (u)w - (u)v != 7) reach_error(); } }", want: report.Holds},
	{text: addressHead + "int main(void) { char *o = 0; for (int i = 0; i < 2; i++) { char *q = __builtin_alloca(4); if (o && q < o) reach_error(); o = q; } }", want: report.Unknown},
	{text: addressHead + "int main(void) { for (int i = 0; i < 2; i++) { int x = i; if (i && (u)&x != last) reach_error(); last = (u)&x; } }", want: report.Unknown},
	{text: "int main(void) { const int *p = (const int[]){1, 2}, *q = (const int[]){1, 2}; if (p == q) reach_error(); }", want: report.Unknown},
	{text: "int main(void) { const int *p = (const int[]){1, 2}, *q = (int[]){1, 2}; if (p == q) reach_error(); }", want: report.Holds},
	{text: "typedef const char c; int main(void) { c *p = (c[]){\"a\"}, *q = \"a\"; if (p == q) reach_error(); }", want: report.Unknown},
}

// unions are initialised in routines: what lies behind the member is not known.
var unions = []trap{
	{text: "union u { char c; int i; }; int main(void) { union u u = {1}; if (u.i != 1) reach_error(); }", want: report.Unknown},
	{text: "union u { char c; int i; }; int main(void) { union u u = {.i = 1}; if (u.i != 1 || u.c != 1) reach_error(); }", want: report.Holds},
	{text: "union u { char c; int i; }; int main(void) { static union u u = {1}; union u v = {}; if (u.i != 1 || v.i) reach_error(); }", want: report.Holds},
	{text: "union u { struct { char c; int i; } s; char b[8]; }; int main(void) { union u u = {{1, 2}}; if (u.b[1]) reach_error(); }", want: report.Unknown},
	{text: "union u { struct { char c; int i; } s; char b[8]; }; int main(void) { union u u = {{1, 2}}; if (u.b[0] != 1 || u.b[4] != 2 || u.s.i != 2) reach_error(); }", want: report.Holds},
	{text: "union u { char c; int i; }; struct s { int a; union u u; } ; int main(void) { struct s s = {1, {2}}, t = {1}; if (s.a != 1 || s.u.c != 2 || t.u.i) reach_error(); }", want: report.Holds},
	{text: "union u { char c; int i; }; struct s { int a; union u u; } ; int main(void) { struct s s[2] = {{1, {2}}}; if (s[1].u.i) reach_error(); if (s[0].u.i != 2) reach_error(); }", want: report.Unknown},
	{text: "union u { char c; int i; }; int f(union u u) { return u.i; } int main(void) { if (f((union u){3}) != 3) reach_error(); }", want: report.Unknown},
}

const errnoHead = "#include <errno.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint in(void);\n"

// surroundings are what the library and the linker may do.
var surroundings = []trap{
	// How long an array is that another file defines, nobody says; one without a length that is defined here has one element.
	{text: "extern int a[]; int main(void) { a[0] = 1; }", checks: []ir.Check{ir.CheckBounds}, want: report.Unknown},
	{text: "extern int a[]; int main(void) { int *p = a; return p[2]; }", checks: []ir.Check{ir.CheckBounds}, want: report.Unknown},
	{text: "extern int a[]; void put(int *p) { p[3] = 1; } int main(void) { put(a); }", checks: []ir.Check{ir.CheckBounds}, want: report.Unknown},
	{text: "struct s; extern struct s q; int main(void) { char *p = (char *)&q; return p[1]; }", checks: []ir.Check{ir.CheckBounds}, want: report.Unknown},
	{text: "int a[]; int main(void) { a[0] = 1; }", checks: []ir.Check{ir.CheckBounds}, want: report.Holds},
	{text: "int a[]; int main(void) { a[1] = 1; }", checks: []ir.Check{ir.CheckBounds}, want: report.Violated},
	{text: "int a[], b[]; int b[3]; int main(void) { b[2] = 1; return a[0]; }", checks: []ir.Check{ir.CheckBounds}, want: report.Holds},
	{text: "extern int a[]; int a[2]; int main(void) { a[2] = 1; }", checks: []ir.Check{ir.CheckBounds}, want: report.Violated},
	{text: errnoHead + "int main(void) { errno = 0; int x; scanf(\"%d\", &x); if (errno) reach_error(); }", want: report.Violated},
	{text: errnoHead + "int main(void) { errno = 0; if (strlen(\"abc\") != 3) return 1; if (errno) reach_error(); }", want: report.Unknown},
	{text: errnoHead + "int main(void) { errno = 5; if (strlen(\"abc\") != 3) return 1; if (!errno) reach_error(); }", want: report.Holds},
	{text: errnoHead + "int main(void) { errno = 5; int x = 3 + in(); if (errno != 5) reach_error(); }", want: report.Holds},
	{text: errnoHead + "int main(void) { int c = getchar(); ungetc(c, stdin); if (c != -1 && getchar() != c) reach_error(); }", want: report.Unknown},
	{text: errnoHead + "int main(void) { if (getchar() == 'x') reach_error(); }", want: report.Violated},
	{text: errnoHead + "int main(void) { int r = rand(); srand(1); if (r != rand()) reach_error(); }", want: report.Unknown},
	{text: errnoHead + "int main(void) { if (!stdin) reach_error(); }", want: report.Holds},
	{text: errnoHead + "int nice(int); int main(void) { if (nice(5) == 7) reach_error(); }", want: report.Violated},
	{text: errnoHead + "int pclose(FILE *); FILE *popen(const char *, const char *); int main(void) { FILE *f = popen(\"x\", \"r\"); if (f && pclose(f) == 256) reach_error(); }", want: report.Violated},
	{text: errnoHead + "int main(void) { if (feof(stdin)) reach_error(); }", want: report.Holds},
	{text: errnoHead + "int main(void) { if (ferror(stdin)) reach_error(); }", want: report.Unknown},
	{text: errnoHead + "int main(void) { getchar(); if (feof(stdin)) reach_error(); }", want: report.Violated},
	{text: errnoHead + "int main(void) { if (getchar() >= 0 && feof(stdin)) reach_error(); }", want: report.Holds},
	{text: errnoHead + "int main(void) { if (getchar() < 0 && !feof(stdin)) reach_error(); }", want: report.Violated},
	{text: errnoHead + "int main(void) { if (getchar() < 0 && !feof(stdin) && !ferror(stdin)) reach_error(); }", want: report.Unknown},
	{text: errnoHead + "int main(void) { int x; scanf(\"%d\", &x); if (feof(stdin)) reach_error(); }", want: report.Unknown},
	{text: errnoHead + "int main(void) { char b[4]; if (fgets(b, 4, stdin) && feof(stdin)) reach_error(); }", want: report.Violated},
	{text: errnoHead + "int main(void) { char b[4]; fread(b, 1, 4, stdin); if (feof(stdin)) reach_error(); }", want: report.Violated},
	{text: errnoHead + "int main(void) { int c = 0; while (!feof(stdin)) c = getchar(); if (c == 120) reach_error(); }", want: report.Unknown},
	{text: errnoHead + "int main(void) { fputs(\"a\", stdout); if (feof(stdin)) reach_error(); }", want: report.Holds},
	{text: errnoHead + "int main(void) { in(); if (feof(stdin)) reach_error(); }", want: report.Unknown},
	{text: errnoHead + "int main(void) { printf(\"a\"); if (ferror(stdout)) reach_error(); }", want: report.Violated},
	{text: errnoHead + "int main(void) { while (getchar() >= 0) ; clearerr(stdin); if (feof(stdin)) reach_error(); }", want: report.Unknown},
	{text: errnoHead + "int main(void) { while (getchar() >= 0) ; rewind(stdin); if (ferror(stdin)) reach_error(); }", want: report.Unknown},
	{text: errnoHead + "int main(void) { FILE *f = fopen(\"a\", \"r\"); if (!f) return 0; fgetc(f); if (feof(stdin)) reach_error(); }", want: report.Unknown},
	{text: errnoHead + "int main(void) { FILE *f = fopen(\"a\", \"r\"); if (!f) return 0; fgetc(f); if (feof(f)) reach_error(); }", want: report.Violated},
	{text: errnoHead + "int main(void) { FILE *f = fopen(\"a\", \"r\"); if (f && ferror(f)) reach_error(); }", want: report.Unknown},
	{text: errnoHead + "int main(void) { if (fgetc(stdin) < 0 && ferror(stdin)) reach_error(); }", want: report.Violated},
	{text: errnoHead + "int main(void) { if (fputc(1, stdout) < 0 && !ferror(stdout)) reach_error(); }", want: report.Unknown},
	{text: errnoHead + "int main(void) { getchar(); if (feof(stdin) && !feof(stdin)) reach_error(); }", want: report.Unknown},
	{text: errnoHead + "int main(void) { char b[4]; if (!fgets(b, 4, stdin) && !feof(stdin)) reach_error(); }", want: report.Violated},
	{text: errnoHead + "int main(void) { if (fileno(stdin)) reach_error(); }", want: report.Unknown},
	{text: errnoHead + "int nice(int); int main(void) { if (nice(1) < -20) reach_error(); }", want: report.Holds},
	{text: errnoHead + "int main(void) { if (feof(stdin) == 2) reach_error(); }", want: report.Holds, rests: "results"},
	{text: errnoHead + "int main(void) { if (feof(stdin)) return 1; if (!ferror(stdin)) return 0; return ferror(stdin) && 0; }", want: report.Holds, rests: "!results"},
	{text: "extern int w(void) __attribute__((weak)); int main(void) { if (w == 0) reach_error(); }", refuse: "w is weak and defined nowhere"},
	{text: "extern int w __attribute__((__weak__)); int main(void) { if (&w == 0) reach_error(); }", refuse: "w is weak and defined nowhere"},
	{text: "__attribute__((weak)) int w(void) { return 1; } extern int other(void) __attribute__((weak)); int main(void) { if (w() != 1) reach_error(); }", want: report.Holds},
	{text: "struct s { char a; } __attribute__((aligned)); int main(void) { if (sizeof(struct s) != 16) reach_error(); }", want: report.Holds},
	{text: "struct s { char a; } __attribute__((aligned(16))); int main(void) { if (sizeof(struct s) != 16) reach_error(); }", want: report.Holds},
	{text: "struct __attribute__((ms_struct)) s { char a; }; int main(void) { struct s s; s.a = 1; }", refuse: "attribute ms_struct"},
	{text: "int main(void) { int x; if (sizeof(*(1 ? (void *)0 : &x)) == 4) reach_error(); }", refuse: "?: with a null pointer"},
	{text: "int main(void) { int a[3] = {1, 2, 3}, c = 0; int *p = c ? (void *)0 : a, *q = (c ? (void *)0 : a) + 1; if (p[1] != 2 || *q != 2 || (c ? (void *)0 : a + 2) - a != 2) reach_error(); }", want: report.Holds},
	{text: "int x = 1; int main(void) { if (*(0 ? &x : (volatile int *)&x) != 1) reach_error(); }", want: report.Violated},
	{text: "int h(c) char c; { return c; } int main(void) { int (*f)() = h; if (f(200) == -56) reach_error(); }", want: report.Unknown},
	{text: "int x[2]; int main(void) { void *v = x; if (sizeof(*(1 ? x : v)) == 1) reach_error(); }", refuse: "?: with a null pointer"},
	{text: "int in(void); struct s { int a, b; } s[2] = {{1, 2}, {3, 4}}; int main(void) { if (in()) return 0; if (((struct s *)((0 ? (void *)0 : s) + 1))->b != 4) reach_error(); }", want: report.Holds},
	{text: errnoHead + "#include <math.h>\nint main(void) { float x = -1; int s = signbit(x); if (s < 0) reach_error(); }", want: report.Holds, rests: "results"},
	{text: errnoHead + "#include <math.h>\nint main(void) { float x = -INFINITY; if ((isinf)(x) < 0) reach_error(); }", want: report.Violated, rests: "results"},
	{text: errnoHead + "int main(void) { if (strcmp(\"c\", \"a\") > 1) reach_error(); }", want: report.Holds, rests: "results"},
	{text: errnoHead + "int main(void) { switch (strcmp(\"b\", \"a\")) { case 1: break; default: reach_error(); } }", want: report.Holds, rests: "results"},
	{text: errnoHead + "#include <ctype.h>\nint main(void) { int n = 0; n += isupper('A'); if (n != 1) reach_error(); }", want: report.Holds, rests: "results"},
	{text: errnoHead + "#include <ctype.h>\nint c(const char *a) { return strcmp(a, \"x\"); } int main(void) { if (c(\"x\")) reach_error(); }", want: report.Holds, rests: "results"},
	{text: errnoHead + "#include <ctype.h>\nint main(void) { int r = memcmp(\"a\", \"b\", 1); if (strcmp(\"c\", \"a\") <= 0 || r >= 0 || !isalpha('a')) reach_error(); if (isdigit('5') && !strcmp(\"a\", \"a\")) return 0; reach_error(); }", want: report.Holds, rests: "!results"},
	{text: "enum { Z, Y }; static int s = 1 ? 2 : 3, t = Y && !Z; int v[1 ? 2 : 3]; int main(void) { if (s != 2 || t != 1 || sizeof v != 8 || (1 ? -1 : 0u) < 0 || sizeof(0 ? 1LL : 2) != 8) reach_error(); int Z = 1; if (!(Z ? 1 : 0)) reach_error(); }", want: report.Holds},
}

// scans read in the widths of a format, behind its white space, and fail as it says.
var scans = []trap{
	{text: errnoHead + "int main(void) { int x; if (scanf(\"%2d\", &x) == 1 && (x > 99 || x < -9)) reach_error(); }", want: report.Holds},
	{text: errnoHead + "int main(void) { int x; if (scanf(\"%2d\", &x) == 1 && x == 99) reach_error(); }", want: report.Violated},
	{text: errnoHead + "int main(void) { int x; if (scanf(\"%2d\", &x) == 1 && x == -9) reach_error(); }", want: report.Violated},
	{text: errnoHead + "int main(void) { int x; if (scanf(\"%1d\", &x) == 1 && x < 0) reach_error(); }", want: report.Holds},
	{text: errnoHead + "int main(void) { unsigned x; if (scanf(\"%3u\", &x) == 1 && x > 999 && x < 4294967197u) reach_error(); }", want: report.Holds},
	{text: errnoHead + "int main(void) { unsigned x; if (scanf(\"%3u\", &x) == 1 && x == 4294967197u) reach_error(); }", want: report.Violated},
	{text: errnoHead + "int main(void) { int x; if (scanf(\"%10d\", &x) == 1 && x < -1000000000) reach_error(); }", want: report.Violated},
	{text: errnoHead + "int main(void) { unsigned x; if (scanf(\"%3x\", &x) == 1 && x > 0xfff && x < 0xffffff01) reach_error(); }", want: report.Holds},
	{text: errnoHead + "int main(void) { unsigned x, y; if (scanf(\"%1o%2i\", &x, (int *)&y) == 2 && (x > 7 || y > 99 && y < -9u)) reach_error(); }", want: report.Holds},
	{text: errnoHead + "int main(void) { char c; if (scanf(\" %c\", &c) == 1 && c == ' ') reach_error(); }", want: report.Holds},
	{text: errnoHead + "int main(void) { char c; if (scanf(\"%c\", &c) == 1 && c == ' ') reach_error(); }", want: report.Violated},
	{text: errnoHead + "int main(void) { char c, d; if (scanf(\" %c%*c%c\", &c, &d) == 0) reach_error(); }", want: report.Holds},
	{text: errnoHead + "int main(void) { char c; if (scanf(\"x%c\", &c) == 0) reach_error(); }", want: report.Violated},
	{text: errnoHead + "int main(void) { char c; if (scanf(\"%*d%c\", &c) == 0) reach_error(); }", want: report.Violated},
	{text: errnoHead + "int main(void) { if (scanf(\" \") == -1) reach_error(); }", want: report.Holds},
	{text: errnoHead + "int main(void) { if (scanf(\"a%%\") == -1) reach_error(); }", want: report.Violated},
	{text: errnoHead + "int main(void) { int n; char c; if (scanf(\"%d%c\", &n, &c) == 2 && c >= '0' && c <= '9') reach_error(); }", want: report.Holds},
	{text: errnoHead + "int main(void) { int n; char c; if (scanf(\"%*d%c\", &c) == 1 && c == '7') reach_error(); }", want: report.Holds},
	{text: errnoHead + "int main(void) { int n; char c; if (scanf(\"%1d%c\", &n, &c) == 2 && c == '7') reach_error(); }", want: report.Violated},
	{text: errnoHead + "int main(void) { int n; char c; if (scanf(\"%i%c\", &n, &c) == 2 && c == '8') reach_error(); }", want: report.Violated},
	{text: errnoHead + "int main(void) { unsigned n; char c; if (scanf(\"%x%c\", &n, &c) == 2 && c == 'f') reach_error(); }", want: report.Holds},
	{text: errnoHead + "int main(void) { int n; char c; if (scanf(\"%d %c\", &n, &c) == 2 && c == '7') reach_error(); }", want: report.Violated},
	{text: "#include <math.h>\nint main(void) { if (llround(1e10) > 2147483647) reach_error(); }", want: report.Violated},
	{text: "#include <math.h>\nint main(void) { long x = lrintf(1e10f); if (x != (int)x) reach_error(); }", want: report.Violated},
	{text: "#include <math.h>\nint main(void) { if (sizeof(logbl(0)) != sizeof(long double) || sizeof(acoshf(1)) != 4 || sizeof(nan(\"\")) != 8 || sizeof(scalbln(1, 2)) != 8 || sizeof(ilogbl(1)) != 4) reach_error(); }", want: report.Holds},
	{text: "#include <stdio.h>\nint main(void) { long o = ftello64(stdin); if (o > 2147483647L) reach_error(); }", refuse: "ftello64 is not declared"},
	{text: "#include <string.h>\nint main(void) { if (sizeof(strchrnul((char[]){\"abc\"}, \"a\")) != 8) reach_error(); }", refuse: "strchrnul is not declared"},
	{text: "#include <string.h>\nchar *stpcpy(char *, const char *); int main(void) { char b[4]; if (stpcpy(b, \"ab\") != b + 2) reach_error(); }", want: report.Holds},
	{text: "int main(void) { int i, a[5] = {1, 2, 3, 4, 5}; int *p = &i; p = a; p += 3; if (p - a != 3) reach_error();\n reach_error(); }", want: report.Unknown},
	{text: "enum { X = 0x8000000000000000u }; int main(void) { if (!(X < 0)) reach_error(); }", refuse: "an enumeration with a constant above"},
	{text: "enum { X = sizeof(int) - 5 }; int main(void) { if (X < 1) reach_error(); }", refuse: "an enumeration with a constant above"},
	{text: "enum { X = 1ull << 40, Y = 0x7fffffffffffffff }; int main(void) { if (X < 1 || Y < X) reach_error(); }", want: report.Holds},
	{text: "int main(void) { int y0 = 3, index = 1; if (sizeof(y0) != 4 || index != 1) reach_error(); puts(\"x\"); }", want: report.Holds},
	{text: errnoHead + "int main(void) { int x; scanf(\"%0d\", &x); }", refuse: "%0d in the format"},
	{text: errnoHead + "int main(void) { long long x; scanf(\"%12lli\", &x); }", refuse: "%12lli in the format"},
	{text: "int main(int argc, char **argv) { if (argc > 1 && argv[1] == 0) reach_error(); }", want: report.Unknown},
	{text: "int scanf(const char *, ...); const int k = 3; int main(void) { scanf(\"%d\", (int *)&k); if (k != 3) reach_error(); }", want: report.Unknown},
	{text: "int get(void); const int k = 3; int main(void) { *(int *)&k = get(); if (k != 3) reach_error(); }", want: report.Unknown},
	{text: "int get(void); int f(void) { return get(); } const int k = 3; int main(void) { *(int *)&k = f(); if (k != 3) reach_error(); }", want: report.Unknown},
	{text: "int main(int argc, char **argv) { if (argc > 1) { argv[0][0] = 'a'; argv[1][0] = 'b'; if (argv[0][0] == 'b') reach_error(); } }", want: report.Unknown},
	{text: "int main(int argc, char **argv) { if (argc > 1) { char **w = (char **)argv[1]; *w = 0; if (argv[1] == 0) reach_error(); } }", want: report.Unknown},
	{text: "int main(int argc, char **argv) { if (argc > 2 && argv[1] + 1 == argv[2] && argv[1][0] != 0) reach_error(); }", want: report.Unknown},
	{text: "int main(int argc, char **argv) { if (argc > 2 && argv[1][0] == 'x' && argv[2][0] == 'y' && argv[1][1] == 'z') reach_error(); }", want: report.Violated},
	{text: "int main(int argc, char **argv) { if (argv[argc] == 0 && argc == 3 && !argv[2]) reach_error(); }", want: report.Unknown},
	{text: "int main(int argc, char **argv) { if (argc > 1) reach_error(); }", want: report.Violated},
}

const nulls = "#include <stdlib.h>\n#include <string.h>\n#include <stddef.h>\n#include <stdint.h>\nint in(void); struct S { int a, b; char name[8]; }; int x, xs[4]; void f0(void) { x = 1; } void z(int *x) { *x = 1; } struct L { int l; }; struct C { int k; struct L l; };\n"

// near are accesses at addresses that null, or a number, was moved to: near null they end the run, and
// moved by an address they are that of an object.
var near = []trap{
	{text: nulls + "int main(void) { struct S *s = 0; int *q = &s->b; *q = 1; reach_error(); }", want: report.Holds},
	{text: nulls + "int main(void) { struct S *s = 0; z(&s->b); reach_error(); }", want: report.Holds},
	{text: nulls + "int main(void) { struct S *s = 0; memset(&s->b, 0, 4); reach_error(); }", want: report.Holds},
	{text: nulls + "int main(void) { int *p = 0; p++; *p = 1; reach_error(); }", want: report.Holds},
	{text: nulls + "int main(void) { struct L *h = 0; struct C *c = (struct C *)((char *)h - offsetof(struct C, l)); c->k = 1; reach_error(); }", want: report.Holds},
	{text: nulls + "int main(void) { int (*r)[2] = 0; int *q = r[1]; *q = 5; reach_error(); }", want: report.Holds},
	{text: nulls + "int main(void) { *(int *)4 = 1; reach_error(); }", want: report.Holds},
	{text: nulls + "int main(void) { int y = *(int *)8; reach_error(); }", want: report.Holds},
	{text: nulls + "int main(void) { *(int *)-1 = 1; reach_error(); }", want: report.Holds},
	{text: nulls + "int main(void) { int *p = (int *)8; p[1] = 3; reach_error(); }", want: report.Holds},
	{text: nulls + "int main(void) { struct S *s = in() ? malloc(sizeof *s) : 0; int *q = &s->b; *q = 1; if (!s) reach_error(); }", want: report.Unknown},
	{text: nulls + "int main(void) { struct S *t = in() ? malloc(sizeof *t) : 0; strcpy(t->name, \"b\"); if (!t) reach_error(); }", want: report.Unknown},
	{text: nulls + "int main(void) { int a[4]; int *p = in() ? a : 0; for (int *q = p + 1; q < p + 4; q++) *q = 1; if (!p) reach_error(); }", want: report.Unknown},
	{text: nulls + "int main(void) { uintptr_t u = (uintptr_t)&x; *(int *)((char *)NULL + u) = 3; if (x) reach_error(); }", want: report.Unknown},
	{text: nulls + "int main(void) { int *q = 0, *p = &x; q = (int *)((char *)q + ((char *)p - (char *)q)); *q = 3; if (x) reach_error(); }", want: report.Unknown},
	{text: nulls + "int main(void) { uintptr_t u = (uintptr_t)&x; int *p = (int *)&((char *)0)[u]; *p = 3; if (x) reach_error(); }", want: report.Unknown},
	{text: nulls + "int main(void) { int *p = (int *)0 + (uintptr_t)xs / 4; *p = 3; if (xs[0]) reach_error(); }", want: report.Unknown},
	{text: nulls + "int main(void) { uintptr_t u = (uintptr_t)&x; int *p = (int *)((char *)1 + (u - 1)); *p = 3; if (x) reach_error(); }", want: report.Unknown},
	{text: nulls + "int main(void) { static struct S s; ((struct S *)((char *)0 + (uintptr_t)&s))->b = 4; if (s.b) reach_error(); }", want: report.Unknown},
	{text: nulls + "int main(void) { ((void (*)(void))((char *)0 + (uintptr_t)f0))(); if (x) reach_error(); }", want: report.Unknown},
	{text: nulls + "int main(void) { int **t = malloc(16); t[0] = 0; char *q = (char *)t[0]; q += (uintptr_t)&x; *(int *)q = 1; if (x) reach_error(); }", want: report.Unknown},
	{text: nulls + "int main(void) { char *p = 0; p += (long)in(); int x = 5; *(int *)p = 4; if (x != 5) reach_error(); }", want: report.Unknown},
	{text: nulls + "int main(void) { int *p = (int *)0x601040; if (p == &x) { *p = 7; if (x) reach_error(); } }", want: report.Holds, rests: "numbers"},
	{text: nulls + "int main(void) { *(int *)8 = 3; }", checks: []ir.Check{ir.CheckNull, ir.CheckBounds}, want: report.Holds, rests: "null"},
	{text: "int g; int main(void) { volatile int v; g = v; }", checks: []ir.Check{ir.CheckUninit}, want: report.Holds, rests: "written"},
	{text: "int in(void); int f(int c) { if (c) return 1; } int main(void) { int z = f(in()); if (z) return 1; }", checks: []ir.Check{ir.CheckUninit}, want: report.Holds, rests: "written"},
	{text: nulls + "int main(void) { int *p = in() ? &x : 0; if (p) *p = 3; if (x && x != 3) reach_error(); }", want: report.Holds, rests: "!numbers"},
}

// TestOutside: programs whose verdicts were wrong, or would be.
func TestOutside(t *testing.T) {
	pool := Common
	for _, all := range [][]trap{literals, blocks, trusted, paddings, constants, lives, unions, surroundings, scans, near} {
		askTraps(t, pool, all)
	}
}
