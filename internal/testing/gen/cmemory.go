package gen

import "fmt"

// memoryGlobals declares what memoryStatement uses: large arrays, arrays of structures
// and structures with arrays, a union, a list.
func (g *cgen) memoryGlobals() {
	p := g.p
	g.line("void *malloc(%s); void *calloc(%s, %s); void *memcpy(void *, const void *, %s); void *memset(void *, int, %s);",
		sizeT, sizeT, sizeT, sizeT, sizeT)
	g.line("unsigned short %sbig[40] = { 5, [17] = 300, [39] = 7 }; long %sgrid[6][5];", p, p)
	g.line("struct %sq { int head; int data[24]; signed char tag; struct { short x; int y[3]; } in; } %sq1 = { 2, { 1, 2, 3 } }, %sq2;", p, p, p)
	g.line("struct %srec { short key; unsigned val; unsigned char b[3]; } %stab[20] = { { 1, 2, { 3 } }, [7] = { -4, 5, { 6, 7 } } };", p, p)
	g.line("union %su { unsigned w; unsigned short h[2]; unsigned char b[4]; signed char c; } %sun = { 77777 };", p, p)
	g.line("struct %snode { int val; struct %snode *next; } *%slist; char *%scp; int *%sip; unsigned %swords[20];", p, p, p, p, p, p)
	for _, n := range []string{"big[17]", "grid[2][3]", "q1.head", "q1.data[5]", "q2.tag", "q2.in.y[1]", "tab[7].val", "tab[3].key", "un.w", "un.h[1]", "un.b[2]", "un.c", "words[3]"} {
		g.names = append(g.names, p+n)
	}
}

const sizeT = "__SIZE_TYPE__"

// memoryExpr reads memory at indices that are computed.
func (g *cgen) memoryExpr(depth int) string {
	p, i := g.p, func(n int) string { return fmt.Sprintf("(unsigned)%s %% %d", g.expr(depth-1), n) }
	switch g.rng.Intn(8) {
	case 0:
		return fmt.Sprintf("%sbig[%s]", p, i(40))
	case 1:
		return fmt.Sprintf("%sgrid[%s][%s]", p, i(6), i(5))
	case 2:
		return fmt.Sprintf("%sq1.data[%s]", p, i(24))
	case 3:
		return fmt.Sprintf("%stab[%s].%s", p, i(20), g.pick([]string{"key", "val", "b[1]"}))
	case 4:
		return fmt.Sprintf("%sun.b[%s]", p, i(4))
	case 5:
		return fmt.Sprintf("%swords[%s]", p, i(20))
	case 6:
		return fmt.Sprintf("%stab[%s].b[%s]", p, i(20), i(3))
	default:
		return fmt.Sprintf("((unsigned long)&%sbig[%s] %s (unsigned long)(void *)%s)", p, i(40), g.pick([]string{"==", "!="}), g.pick([]string{"&" + p + "big[7]", p + "big", p + "words", "0"}))
	}
}

// memoryStatement writes, walks, allocates and copies.
func (g *cgen) memoryStatement() {
	p := g.p
	g.fresh++
	t := fmt.Sprintf("m%d", g.fresh)
	i := func(n int) string { return fmt.Sprintf("(unsigned)%s %% %d", g.expr(1), n) }
	switch g.rng.Intn(17) {
	case 0:
		g.line("%sbig[%s] = %s;", p, i(40), g.expr(2))
	case 1:
		g.line("%sgrid[%s][%s] %s %s;", p, i(6), i(5), g.pick([]string{"=", "+=", "^="}), g.expr(2))
	case 2:
		g.line("{ struct %sq *%s = %s ? &%sq1 : &%sq2; %s->data[%s] = %s; %s->in.y[%s]++; %s->tag = %s; out(%s->data[%s]); }", p, t, g.expr(1), p, p, t, i(24), g.expr(2), t, i(3), t, g.expr(1), t, i(24))
	case 3:
		g.line("{ struct %srec *%s = &%stab[%s]; %s->val = %s; %s->b[%s] = %s; %s->key--; out(%s - %stab); }", p, t, p, i(20), t, g.expr(2), t, i(3), g.expr(1), t, t, p)
	case 4:
		g.line("%s = %s;", g.pick([]string{p + "un.w", p + "un.h[1]", p + "un.b[" + i(4) + "]", p + "un.c"}), g.expr(2))
	case 5:
		g.line("%sq%d = %sq%d;", p, 1+g.rng.Intn(2), p, 1+g.rng.Intn(2))
	case 6:
		g.line("%stab[%s] = %stab[%s];", p, i(20), p, i(20))
	case 7:
		g.line("{ int n = 1 + (%s & 7); unsigned %s[n]; for (int k = 0; k < n; k++) %s[k] = k * %s; out(%s[(unsigned)%s %% (unsigned)n]); out(sizeof %s); }", g.expr(1), t, t, g.expr(1), t, g.expr(1), t)
	case 8:
		g.line("{ unsigned char *%s = (unsigned char *)%swords + %s; *%s = %s; out(%swords[%s]); }", t, p, i(80), t, g.expr(1), p, i(20))
	case 9:
		g.line("{ unsigned short *%s = %sbig + %s; %s += 3; *%s-- = %s; out(*%s); out(%s[-1]); }", t, p, i(30), t, t, g.expr(2), t, t)
	case 10:
		g.line("for (int k = 0; k < 3; k++) { struct %snode *%s = malloc(sizeof *%s); %s->val = %s + k; %s->next = %slist; %slist = %s; }", p, t, t, t, g.expr(1), t, p, p, t)
	case 11:
		g.line("{ int s = 0; for (struct %snode *%s = %slist; %s != 0; %s = %s->next) s = s * 3 + %s->val; out(s); }", p, t, p, t, t, t, t)
	case 12:
		g.line("{ int n = 2 + (%s & 15); int *%s = calloc(n, sizeof(int)); %s[1] = %s; %sip = &%s[n - 1]; *%sip += 2; out(%s[1]); out(%s[(unsigned)%s %% (unsigned)n]); }", g.expr(1), t, t, g.expr(2), p, t, p, t, t, g.expr(1))
	case 13:
		g.line("memcpy(&%sq%d, &%sq%d, sizeof %sq1);", p, 1+g.rng.Intn(2), p, 1+g.rng.Intn(2), p)
	case 14:
		g.line("%s;", g.pick([]string{
			fmt.Sprintf("memset(&%stab[%s], 0, sizeof %stab[0])", p, i(20), p), fmt.Sprintf("memset(&%sq2, 0, sizeof %sq2)", p, p),
			fmt.Sprintf("memset(%sbig, 0, sizeof %sbig)", p, p), fmt.Sprintf("memset(%swords + 1, 0x5a, 8)", p)}))
	case 15:
		g.line("{ unsigned long %s = (unsigned long)&%stab[2]; struct %srec *r = (struct %srec *)(%s + sizeof(struct %srec)); r->val = %s; out(%stab[3].val); out(%s == (unsigned long)&%stab[%s]); }", t, p, p, p, t, p, g.expr(2), p, t, p, i(4))
	default:
		g.line("{ %scp = (char *)&%s; %scp[%s] = %s; }", p, g.pick([]string{p + "un", p + "words[2]", p + "q1.head"}), p, i(4), g.expr(1))
	}
}
