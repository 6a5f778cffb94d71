package components

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// RandomProgram draws a whole program for questions about failures: a main that reads a few inputs
// by any() (0 or 1) and in() (a byte), computes on all kinds of objects, and fails by
// reach_error(), now and then. What it reads has a value.
func RandomProgram(r *rand.Rand) string {
	g := &generator{Rand: r, performed: map[string]bool{}, used: map[string]int{}, whole: true}
	var c strings.Builder
	c.WriteString("void __VERIFIER_assume(int); void reach_error(void); void exit(int); void abort(void); _Bool any(void); unsigned char in(void);\n")
	c.WriteString("void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *); unsigned long strlen(const char *);\n")
	c.WriteString("int strcmp(const char *, const char *); void *memcpy(void *, const void *, unsigned long); void *memset(void *, int, unsigned long); int abs(int); void *alloca(unsigned long);\n")
	c.WriteString("_Noreturn static void gone(void) { exit(3); }\nenum e { E0, E1, E2 };\nstruct s { _Bool x; unsigned char y; };\nunion u { unsigned char c; _Bool b; };\n")
	c.WriteString("union w { unsigned int whole; unsigned char part[4]; short half; };\nstruct b { unsigned a : 2; int c : 3; unsigned char d; };\nstruct list { int value; struct list *next; };\n")
	c.WriteString("static int sum(int n) { return n <= 0 ? 0 : n + sum(n - 1); }\nstatic void twice(int *p) { *p = *p * 2; }\nstatic struct s pair(int n) { struct s r = {n & 1, n}; return r; }\n")
	c.WriteString(g.globalVariables())
	for range g.IntN(3) {
		c.WriteString(g.helper())
	}
	g.scope, g.every, g.result, g.jumps = nil, nil, "int", false
	c.WriteString("int main(void) {\n")
	for range 1 + g.IntN(3) {
		c.WriteString(g.local(1))
	}
	for range 1 + g.IntN(2) {
		c.WriteString(g.input())
	}
	c.WriteString(g.block(3+g.IntN(4), 3))
	for range 1 + g.IntN(2) {
		c.WriteString("if (" + g.boolean(2) + ") " + "reach_error();\n")
	}
	c.WriteString("return 0;\n}\n")
	return resolved(c.String(), -1)
}

// input reads one.
func (g *generator) input() string {
	if v, ok := g.target(); ok {
		if v.t == "_Bool" {
			return v.name + " = any();\n"
		}
		return v.name + " = in() & " + pick(g, "1", "3") + ";\n"
	}
	return ";\n"
}

// object draws statements about memory: whole programs have them, which no formula looks into.
func (g *generator) object() string {
	v, ok := g.target()
	if !ok {
		return ""
	}
	name := g.name("m")
	e, f := g.value("int"), g.value("int")
	small := "((" + g.expr(1) + ") & 1)"
	texts := []string{
		"int *@ = malloc(sizeof(int)); *@ = " + e + "; $ = *@; free(@);",
		"int *@ = calloc(2, sizeof(int)); @[" + small + "] = " + e + "; $ = @[0] + @[1]; free(@);",
		"int *@ = malloc(4 + 4 * " + small + "); *@ = " + e + "; twice(@); $ = *@ & 7; free(@);",
		"struct list @ = {1, 0}, @n = {2, &@}; $ = @n.next->value" + pick(g, "", " + 1") + ";",
		"struct list *@ = 0; for (int @i = 0; @i < 2; @i++) { struct list *@n = malloc(sizeof(struct list)); @n->value = @i + 1; @n->next = @; @ = @n; } $ = @->" + pick(g, "next->", "") + "value; while (@) { struct list *@n = @->next; free(@); @ = @n; }",
		"union w @; @.whole = 0x01020304u + " + small + "; $ = @.part[" + small + "] & 7;",
		"union w @; @.whole = 0; @.half = -1; $ = @.part[1 + " + small + "] & 3;",
		"struct b @ = {1, -1, 2}; @.a += " + e + "; @.c = " + f + "; $ = @.a + (@.c < 0);",
		"char @[4] = \"ab\"; @[" + small + "] = 'c'; $ = @[0] == 'c';",
		"char @[8] = \"abc\"; @[1 + " + small + "] = 0; $ = strlen(@) & 3;",
		"char @[3] = \"a\", @n[3] = \"b\"; @[0] += " + small + "; $ = strcmp(@, @n) == 0;",
		"int @[3] = {1, 2, 3}, @n[3]; memcpy(@n, @, sizeof @n); @n[" + small + "] = 0; $ = @n[1] & 3;",
		"unsigned char @[4]; memset(@, 1 + " + small + ", 4); $ = @[3];",
		"int @[2][2] = {{1, 2}, {3}}; $ = @[" + small + "][1];",
		"int @ = sum((" + e + ") & 3); $ = @ & 7;",
		"struct s @ = pair(" + e + "); $ = @.x + (@.y > 1);",
		"struct s *@ = &(struct s){1, " + small + "}; $ = @->y;",
		"int @n = 1 + " + small + "; int @[@n]; @[@n - 1] = " + e + "; $ = @[@n - 1] & 3;",
		"int @ = " + e + "; int *@p = &@; ++*@p; $ = *@p & 3;",
		"int @[3] = {0, 1, 2}; int *@p = @; @p += " + small + "; $ = @p[1] + (@p - @);",
		"int @[3] = {0, 1, 2}, *@p = @ + 2; $ = *@p-- + (@p > @);",
		"unsigned char @ = 250 + ((" + e + ") & 7); $ = (@ < 250);",
		"short @ = 32767; @ += " + small + "; $ = (@ < 0);",
		"unsigned @ = 0u - " + small + "; $ = (@ > 5u);",
		"int @ = -7 + " + small + "; $ = (@ / 2 == -3) + (@ % 4 < 0);",
		"long @ = 1L << (31 + " + small + "); $ = (int)(@ >> 31) & 3;",
		"int @ = (int)(signed char)(120 + ((" + e + ") & 15)); $ = (@ < 0);",
		"$ = abs(" + small + " - 1);",
		"int (*@)(int) = sum; $ = @(" + small + ") & 3;",
		"static int @ = 1; @ += " + small + "; $ = @ & 3;",
		"unsigned long @; { int @i = 1; @ = (unsigned long)&@i; } $ = (@ != 0);",
		"int *@ = malloc(4); unsigned long @a = (unsigned long)@; free(@); $ = (@a == 0);",
		"int @i = 0; again@: @i++; if (@i < 2 + " + small + ") goto again@; $ = @i & 3;",
		"int *@ = alloca(8); @[1] = " + e + "; $ = @[1] & 3;",
		"enum e @ = E1; switch (@ + " + small + ") { case E1: $ = 1; break; case E2: $ = 0; }",
		"struct { struct s in; int n; } @ = {{1, 2}, 3}, @n; @n = @; @n.in.y ^= " + small + "; $ = @n.in.y & 3;",
	}
	text := strings.ReplaceAll(texts[g.IntN(len(texts))], "@", name)
	return fmt.Sprintf("{ %s }\n", strings.ReplaceAll(text, "$", v.name))
}
