// Package hostile has inputs of which something is too much, each within the limit of a text: for
// tests that measure whether what is asked about them keeps its limits of time and memory.
package hostile

import (
	"fmt"
	"strings"
)

// Models returns models, by what is too much of them.
func Models() map[string]string {
	return map[string]string{
		"components":    "P=(a->P). ||S=(forall[i:0..100000] p[i]:P).",
		"two states":    "P=(a->b->P). ||S=(forall[i:0..5000] p[i]:P).",
		"combinations":  "P=P[0], P[i:0..29]=(a->P[(i*7+3)%30] | b[j:0..29]->P[j] | c->P[(i+1)%30] | c->P[(i+2)%30] | c->P[(i+3)%30]). ||S=(forall[i:0..19] p[i]:P/{c/p[i].c}).",
		"set":           "set S={e[0..4999]}\nP=(S->P). property W=(S->b->W). ||D=(P||W).",
		"index":         "P=P[0][0], P[i:0..99999][j:0..99999]=(a->P[i][j]).",
		"index in use":  "P=P[0][0], P[i:0..999][j:0..999]=(a[i]->P[(i+1)%1000][j]|b->P[i][(j+1)%1000]).",
		"parentheses":   "const N=" + strings.Repeat("(", 400_000) + "1" + strings.Repeat(")", 400_000) + "\nP=(a->P).",
		"nested groups": "P=" + strings.Repeat("(a->", 200_000) + "P" + strings.Repeat(")", 200_000) + ".",
		"chain":         "P = (" + strings.Repeat("a -> ", 150_000) + "P).\n",
		"recursion":     "P=(a->P). ||C(M=100000)=if M>0 then (P||C(M-1)) else P. ||S=C.",
		"dense":         "P=P[0], P[i:0..299]=({a[0..99]}->P[(i*7+1)%300] | {b[0..99]}->P[(i*11+1)%300]).",
		"relabelling":   "P=(a[0..999]->P)/{{x[0..999]}/{a[0..999]}}.",
		"replication":   "P=(a[0..99]->P). ||S={p[0..999]}::P.",
		"many":          strings.Repeat("P = (a -> b -> c -> STOP | d -> STOP).\n", 25_000),
		"damaged":       strings.Repeat("P = (a -> ] { -> .\n", 50_000),
		"formulas":      "P=(a->b->P). assert A=" + strings.Repeat("[](a-><>b)&&", 40_000) + "[]a",
		"words":         "P=(a->b->P). assert A=" + strings.Repeat("X ", 100_000) + "a",
		"fluents":       "P=(a->b->P). fluent F[i:0..9999]=<a,b> assert A=forall[i:0..9999] []F[i]",
		"marks":         "P=P[0], P[i:0..2999]=(a->P[(i+1)%3000]|a->P[(i+7)%3000]). deterministic ||D=P.",
		"progress":      "P=P[0], P[i:0..99]=(a[j:0..99]->P[(i+j)%100]). progress Q[k:0..99]={a[k]} ||S=({x,y,z}:P).",
	}
}

// lists is a C program whose objects are on two lists, in a ring, so that each may point into each.
const lists = `void __VERIFIER_error(void); struct l { struct l *n, *p; }; struct o { char t; struct l a; short w; struct l b; };
static struct l head = {&head, &head}, other = {&other, &other}; static struct o all[3];
static void put(struct l *x, struct l *at) { x->n = at->n; x->p = at; at->n->p = x; at->n = x; }
static void out(struct l *x) { x->n->p = x->p; x->p->n = x->n; x->n = x->p = x; }
#define OF(p, m) ((struct o *)((char *)(p) - __builtin_offsetof(struct o, m)))
int main(void) { int c = 0;
  for (int i = 0; i < 3; i++) { put(&all[i].a, &head); put(&all[i].b, other.p); }
  for (struct o *i = OF(other.n, b), *k = OF(i->b.n, b); &i->b != &other; i = k, k = OF(k->b.n, b)) { c += i->w; if (i->w == 1) out(&i->b); }
  for (struct o *i = OF(head.n, a), *k = OF(i->a.n, a); &i->a != &head; i = k, k = OF(k->a.n, a)) c += i->w;
  if (c) __VERIFIER_error(); }`

// wide is a C program with many variables, and many assignments to them.
func wide(variables, steps int) string {
	var names, body []string
	for i := range variables {
		names = append(names, fmt.Sprintf("v%d", i))
	}
	for i := range steps {
		body = append(body, fmt.Sprintf("v%d = v%d * v%d + __VERIFIER_nondet_int();", i%variables, (7*i+1)%variables, (5*i+3)%variables))
	}
	return "void __VERIFIER_error(void); int __VERIFIER_nondet_int(void); int " + strings.Join(names, ", ") + ";\nint main(void) { " + strings.Join(body, " ") + " if (v1 * v2 == 77) __VERIFIER_error(); }"
}

// Sources returns C programs, by what is too much of them.
func Sources() map[string]string {
	calls := "void f0(int x) { if (x) __VERIFIER_error(); }\n"
	for i := 1; i <= 40; i++ { // 2^40 calls, written out
		calls += fmt.Sprintf("void f%d(int x) { f%[2]d(x + 1); f%[2]d(x - 1); }\n", i, i-1)
	}
	ifs := ""
	for i := range 3_000 {
		ifs += fmt.Sprintf("if (__VERIFIER_nondet_int()) x += %d; ", i)
	}
	levels := "int x, *p1 = &x"
	for i := 2; i <= 60; i++ {
		levels += fmt.Sprintf(", %sp%d = &p%d", strings.Repeat("*", i), i, i-1)
	}
	var cases, chain strings.Builder
	structs := "struct s0 { int a; };\n"
	for i := range 4_000 {
		fmt.Fprintf(&cases, "case %d: if (__VERIFIER_nondet_int() == %d) __VERIFIER_error(); ", 7*i, i)
		fmt.Fprintf(&chain, "if (x == %d) x = %d; else ", i, i+1)
	}
	for i := 1; i <= 40; i++ { // 2^40 members
		structs += fmt.Sprintf("struct s%d { struct s%[2]d a, b; };\n", i, i-1)
	}
	return map[string]string{
		"cases":       "void __VERIFIER_error(void); int __VERIFIER_nondet_int(void);\nint main(void) { switch (__VERIFIER_nondet_int()) { " + cases.String() + "} }",
		"chain":       "void __VERIFIER_error(void); int __VERIFIER_nondet_int(void);\nint main(void) { int x = __VERIFIER_nondet_int(); " + chain.String() + "x = 0; if (x == 5000) __VERIFIER_error(); }",
		"structs":     "void __VERIFIER_error(void);\n" + structs + "struct s40 *p; int main(void) { if (sizeof *p != 4ul << 40) __VERIFIER_error(); }",
		"expansion":   "#define A(x) x x x x x x x x x x\n#define B(x) A(A(A(A(A(A(A(x)))))))\nint main(void) { B(;) }",
		"wide":        wide(300, 1200),
		"lists":       lists,
		"elements":    "void __VERIFIER_error(void); int f(int v) { return v; }\nint main(void) { int i = f(3); int a[5] = { 0 }; a[i]++; " + strings.Repeat("a[i] += a[i]; ", 4) + "a[i] <<= a[i]; if (a[1] == 5) __VERIFIER_error(); }",
		"members":     "void __VERIFIER_error(void); struct n { struct n *n; int v; } a = {&a, 1}, *p = &a; int main(void) { if (p" + strings.Repeat("->n", 200) + "->v != 1) __VERIFIER_error(); }",
		"levels":      "void __VERIFIER_error(void); " + levels + "; int main(void) { if (" + strings.Repeat("*", 60) + "p60) __VERIFIER_error(); }",
		"range":       "int a[100000000] = {[0 ... 99999999] = 1}; int main(void) { return a[7]; }",
		"parentheses": "int main(void) { return " + strings.Repeat("(", 400_000) + "1" + strings.Repeat(")", 400_000) + "; }",
		"blocks":      "int main(void) " + strings.Repeat("{", 200_000) + strings.Repeat("}", 200_000),
		"array":       "int a[2000000000]; int main(void) { for (long i = 0; i < 2000000000; i++) a[i] = i; if (a[7] != 7) __VERIFIER_error(); }",
		"declared":    "int a[1000][1000][1000] = { 1, [999] = { { 2 } } }; int main(void) { if (a[1][2][3]) __VERIFIER_error(); }",
		"pointers":    "int " + strings.Repeat("*", 200_000) + "p; int main(void) { return !p; }",
		"calls":       "void __VERIFIER_error(void);\n" + calls + "int main(void) { f40(0); }",
		"branches":    "void __VERIFIER_error(void); int __VERIFIER_nondet_int(void);\nint main(void) { int x = 0; " + ifs + "if (x == 7) __VERIFIER_error(); }",
		"statements":  "int main(void) { int x = 0; " + strings.Repeat("x = x * 3 + 1; ", 60_000) + "}",
		"macros":      "#define A x+x+x+x+x+x+x+x\n" + macros(12) + "int main(void) { int x = 1; return A12; }",
		"damaged":     strings.Repeat("int f( { ] ; struct \" \n", 50_000),
	}
}

// macros defines A1 to An, each eight times the one before.
func macros(n int) string {
	s := "#define A0 A\n"
	for i := 1; i <= n; i++ {
		s += fmt.Sprintf("#define A%d %s\n", i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("A%d+", i-1), 8), "+"))
	}
	return s
}

// Formulas returns formulas, one on each line of a text, by what is too much of them.
func Formulas() map[string]string {
	conj := make([]string, 24)
	for i := range conj {
		conj[i] = fmt.Sprintf("G F a%d", i)
	}
	until := "a0"
	for i := 1; i < 40; i++ {
		until = fmt.Sprintf("(%s) U (b%d R a%d)", until, i, i)
	}
	return map[string]string{
		"fairness":    "(" + strings.Join(conj, " & ") + ") <-> G F z\n",
		"untils":      until + "\n",
		"parentheses": strings.Repeat("(", 400_000) + "a" + strings.Repeat(")", 400_000) + "\n",
		"words":       strings.Repeat("X ", 100_000) + "a\n",
		"names":       "F(" + strings.Repeat("a", 2_000_000) + ")\n",
		"lines":       strings.Repeat("G(a -> F b)\n", 50_000),
		"repeats":     "{a[*100000];b[*100000]}[]-> c\n",
		"damaged":     strings.Repeat("G ( ] U\n", 100_000),
	}
}

// Automata returns automata over infinite words, in the format HOA, by what is too much of them.
func Automata() map[string]string {
	head := func(states, sets int, acc string) string {
		aps := make([]string, 16)
		for i := range aps {
			aps[i] = fmt.Sprintf("%q", fmt.Sprintf("p%d", i))
		}
		return fmt.Sprintf("HOA: v1\nStates: %d\nStart: 0\nAP: 16 %s\nAcceptance: %d %s\n--BODY--\n", states, strings.Join(aps, " "), sets, acc)
	}
	body := func(states int) string {
		var b strings.Builder
		for i := range states {
			fmt.Fprintf(&b, "State: %d\n[%d&!%d] %d {%d}\n[!%[2]d|%[3]d] %d\n[%[3]d] %d\n", i, i%16, (i+5)%16, (i*7+1)%states, i%16, (i*3+2)%states, (i*5+3)%states)
		}
		return b.String() + "--END--\n"
	}
	var rabin []string
	for i := range 8 {
		rabin = append(rabin, fmt.Sprintf("(Fin(%d)&Inf(%d))", 2*i, 2*i+1))
	}
	streett := strings.ReplaceAll(strings.ReplaceAll(strings.Join(rabin, "&"), "(F", "[F"), "&Inf", "|Inf")
	streett = strings.ReplaceAll(streett, "[F", "(F")
	return map[string]string{
		"Rabin":   head(2_000, 16, strings.Join(rabin, "|")) + body(2_000),
		"Streett": head(300, 16, streett) + body(300),
		"states":  head(2_000_000_000, 16, strings.Join(rabin, "|")) + "State: 0\n[t] 1999999999\n--END--\n",
		"sets":    head(2, 1_000_000_000, "Inf(999999999)") + "State: 0\n[t] 1\nState: 1\n[t] 0\n--END--\n",
		"labels":  head(1, 0, "t") + "State: 0\n[" + strings.Repeat("(0|1)&", 200_000) + "t] 0\n--END--\n",
		"nested":  head(1, 0, "t") + "State: 0\n[" + strings.Repeat("(", 400_000) + "0" + strings.Repeat(")", 400_000) + "] 0\n--END--\n",
	}
}

// Systems returns systems for reach (.gcl) and for clp (.smt2), by their names in files.
func Systems() map[string]string {
	return map[string]string{
		"nested.smt2":  "(set-logic HORN)\n(assert " + strings.Repeat("(not ", 300_000) + "true" + strings.Repeat(")", 300_000) + ")\n(check-sat)\n",
		"many.smt2":    "(set-logic HORN)\n(declare-fun p (Int) Bool)\n" + strings.Repeat("(assert (forall ((x Int)) (=> (and (p x) (> x 3)) (p (+ x 1)))))\n", 20_000) + "(assert (p 0))\n(assert (forall ((x Int)) (=> (p x) (< x 7))))\n(check-sat)\n",
		"numbers.smt2": "(set-logic HORN)\n(declare-fun p (Int) Bool)\n(assert (p " + strings.Repeat("9", 1_000_000) + "))\n(assert (forall ((x Int)) (=> (p x) (< (* x x) 7))))\n(check-sat)\n",
		"open.smt2":    "(set-logic HORN)\n" + strings.Repeat("(", 500_000),
		"numbers.gcl":  system("", "loop -> loop do x := x + "+strings.Repeat("9", 1_000_000)+";\n"),
		"deep.gcl":     system("", "loop -> loop do x := "+strings.Repeat("(", 300_000)+"x"+strings.Repeat(")", 300_000)+";\n"),
		"wide.gcl":     system(places(3_000), branches(3_000)),
		"damaged.clp":  strings.Repeat("p(X) :- q(X, ], r.\n", 50_000),
	}
}

// system is one of a variable, with more places and steps.
func system(places, steps string) string {
	return "var x: int;\nlocations loop" + places + ";\ninit loop when x == 0;\n" + steps + "assert loop: x != 77;\n"
}

func places(n int) (s string) {
	for i := range n {
		s += fmt.Sprintf(", l%d", i)
	}
	return s
}

func branches(n int) (s string) {
	for i := range n {
		s += fmt.Sprintf("loop -> l%d do x := 3*x + %[1]d;\nl%[1]d -> loop do x := x - 1;\n", i)
	}
	return s
}
