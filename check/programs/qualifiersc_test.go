package programs

import (
	"strings"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// qualified are programs whose verdicts hang on what is volatile: a read of that is any value.
var qualified = []trap{
	{text: "int z; int main(void){ volatile int *p=&z; __typeof__(*p) y=3; if(y!=3) reach_error(); }", want: report.Violated},
	{text: "int main(void){ struct{volatile int v;} s; __typeof__(s.v) y=3; if(y!=3) reach_error(); }", want: report.Violated},
	{text: "int main(void){ volatile int a[2]; __typeof__(a[0]) y=3; if(y!=3) reach_error(); }", want: report.Violated},
	{text: "typedef volatile int V; int main(void){ __typeof__(*(V*)0) y=3; if(y!=3) reach_error(); }", want: report.Violated},
	{text: "struct S{int a;}; int main(void){ volatile struct S s; __typeof__(s.a) y=3; if(y!=3) reach_error(); }", want: report.Violated},
	{text: "struct S{int a;}; int main(void){ volatile struct S s; __typeof__(s) y={3}; if(y.a!=3) reach_error(); }", want: report.Violated},
	{text: "int main(void){ volatile int x; __typeof__(*&x) y=3; if(y!=3) reach_error(); }", want: report.Violated},
	{text: "int main(void){ volatile int x; __typeof__((x)) y=3; if(y!=3) reach_error(); }", want: report.Violated},
	{text: "int z; int main(void){ volatile int x; __typeof__(x) *p=&z; z=3; if(*p!=3) reach_error(); }", want: report.Violated},
	{text: "typedef volatile int V; int main(void){ int y=((V){4}); if(y!=4) reach_error(); }", want: report.Violated},
	{text: "struct S{int a;}; int main(void){ int y=((volatile struct S){4}).a; if(y!=4) reach_error(); }", want: report.Violated},
	{text: "int main(void){ int y=((volatile int[]){4,5})[0]; if(y!=4) reach_error(); }", want: report.Violated},
	{text: "int main(void){ int y=*&(volatile int){4}; if(y!=4) reach_error(); }", want: report.Violated},
	{text: "int main(void){ volatile int *p=&(volatile int){4}; if(*p!=4) reach_error(); }", want: report.Violated},
	{text: "int main(void){ volatile int *p=(volatile int[]){4}; if(*p!=4) reach_error(); }", want: report.Violated},
	{text: "struct S{volatile int a;}; int main(void){ int y=((struct S){4}).a; if(y!=4) reach_error(); }", want: report.Violated},
	{text: "struct S{int a;}; int main(void){ volatile struct S s={4}; struct S t=s; if(t.a!=4) reach_error(); }", want: report.Violated},
	{text: "struct S{volatile int a;}; int main(void){ struct S s={4}; struct S t=s; if(t.a!=4) reach_error(); }", want: report.Violated},
	{text: "struct S{volatile int a[2];}; int main(void){ struct S s={{4}}; if(s.a[0]!=4) reach_error(); }", want: report.Violated},
	{text: "typedef volatile struct S{int a[2];} V; int main(void){ V s={{4}}; if(s.a[0]!=4) reach_error(); }", want: report.Violated},
	{text: "struct S{int a;}; int main(void){ struct S s={4}; volatile struct S *p=&s; if(p->a!=4) reach_error(); }", want: report.Violated},
	{text: "struct S{int a;}; int main(void){ struct S s={4}; if(((volatile struct S *)&s)->a!=4) reach_error(); }", want: report.Violated},
	{text: "int main(void){ int a[2]={4}; if(((volatile int *)a)[0]!=4) reach_error(); }", want: report.Violated},
	{text: "int main(void){ int s=4; if(*(volatile int *)&s!=4) reach_error(); }", want: report.Violated},
	{text: "int main(void){ int s=4; if(*(int volatile *)&s!=4) reach_error(); }", want: report.Violated},
	{text: "typedef int I; int main(void){ int s=4; if(*(I volatile *)&s!=4) reach_error(); }", want: report.Violated},
	{text: "int main(void){ int s=4; volatile int *p=&s; volatile int **q=&p; if(**q!=4) reach_error(); }", want: report.Violated},
	{text: "int main(void){ int s=4; int *volatile p=&s; if(p!=&s) reach_error(); }", want: report.Violated},
	{text: "volatile int *f(int *x){return x;} int main(void){ int s=4; if(*f(&s)!=4) reach_error(); }", want: report.Violated},
	{text: "int g(volatile int x){return x;} int main(void){ if(g(4)!=4) reach_error(); }", want: report.Violated},
	{text: "int g(volatile int *x){return *x;} int main(void){ int s=4; if(g(&s)!=4) reach_error(); }", want: report.Violated},
	{text: "int main(void){ volatile _Bool b=1; if(b) ; else reach_error(); }", want: report.Violated},
	{text: "enum E{A,B}; int main(void){ volatile enum E b=B; if(b!=B) reach_error(); }", want: report.Violated},
	{text: "struct S{volatile unsigned b:3;}; int main(void){ struct S s={4}; if(s.b!=4) reach_error(); }", want: report.Violated},
	{text: "union U{volatile int a; int b;}; int main(void){ union U u={4}; if(u.a!=4) reach_error(); }", want: report.Violated},
	{text: "int main(void){ volatile int a[2][2]={{4}}; if(a[0][0]!=4) reach_error(); }", want: report.Violated},
	{text: "typedef int A[2]; int main(void){ volatile A a={4}; if(a[0]!=4) reach_error(); }", want: report.Violated},
	{text: "int main(void){ int s=4; const volatile int *p=&s; if(*p!=4) reach_error(); }", want: report.Violated},
	{text: "int main(void){ int a[2]={4}; volatile int (*p)[2]=(volatile int (*)[2])&a; if((*p)[0]!=4) reach_error(); }", want: report.Violated},
	{text: "int main(void){ volatile int x=4; int y=({x;}); if(y!=4) reach_error(); }", want: report.Violated},
	{text: "int main(void){ volatile int x=4; x+=1; if(x!=5) reach_error(); }", want: report.Violated},
	{text: "int main(void){ volatile int x=4; int y=x++; if(y!=4) reach_error(); }", want: report.Violated},
	{text: "int main(void){ volatile int x; int y=(x=4); if(y!=4) reach_error(); }", want: report.Holds},
	{text: "int main(void){ int s=4; void *v=&s; if(*(volatile int*)v!=4) reach_error(); }", want: report.Violated},
	{text: "int main(void){ volatile int x=4; int y; __builtin_memcpy(&y,(void*)&x,4); if(y!=4) reach_error(); }", want: report.Holds},
	{text: "int main(void){ int k=1; int s=4,t=4; if(*(k?(volatile int*)&s:(volatile int*)&t)!=4) reach_error(); }", want: report.Violated},
	{text: "int main(void){ int s=4; if(*(0,(volatile int*)&s)!=4) reach_error(); }", want: report.Violated},
	{text: "int z; int main(void){ int *p=&z; if(*(volatile int **)&p!=&z) reach_error(); }", want: report.Holds},
	{text: "int z; int main(void){ int *p=&z; if(**(volatile int **)&p!=0) reach_error(); }", want: report.Violated},
	{text: "int z; int main(void){ int *p=&z; if(*(int *volatile*)&p!=&z) reach_error(); }", want: report.Violated},
	{text: "int z; int main(void){ int *p=&z; if(**(int *volatile*)&p!=0) reach_error(); }", want: report.Violated},
	{text: "int z; int main(void){ int a[2]={4}; if((*(volatile int (*)[2])a)[0]!=4) reach_error(); }", want: report.Violated},
	{text: "int z; int main(void){ int *a[2]={&z}; if((*(int *volatile (*)[2])a)[0]!=&z) reach_error(); }", want: report.Violated},
	{text: "int main(void){ int s=4; volatile int *p=&s; if(*p++!=4) reach_error(); }", want: report.Violated},
	{text: "int main(void){ int s=4; if(*((volatile int*)&s+0)!=4) reach_error(); }", want: report.Violated},
	{text: "int main(void){ int s=4; if(0[(volatile int*)&s]!=4) reach_error(); }", want: report.Violated},
	{text: "int main(void){ int s=4; int *p; if(*(p=(int*)(volatile int*)&s)!=4) reach_error(); }", want: report.Holds},
	{text: "int main(void){ int s=4; if(*(int*)(volatile int*)&s!=4) reach_error(); }", want: report.Holds},
	{text: "struct S{int a[2]; int *p;}; int z; int main(void){ volatile struct S s={{4}}; s.p=&z; if(*s.a!=4) reach_error(); }", want: report.Violated},
	{text: "struct S{int a[2]; int *p;}; int z; int main(void){ struct S s={{4},&z}; volatile struct S*q=&s; if(q->a[0]!=4) reach_error(); }", want: report.Violated},
	{text: "struct S{int a[2]; int *p;}; int z; int main(void){ struct S s={{4},&z}; volatile struct S*q=&s; if(q->p!=&z) reach_error(); }", want: report.Violated},
	{text: "struct S{int a[2]; int *p;}; int z; int main(void){ struct S s={{4},&z}; volatile struct S*q=&s; int *r=s.p; if(*r) reach_error(); }", want: report.Holds},
	{text: "struct S{struct{int b;} i;}; int main(void){ volatile struct S s={{4}}; if(s.i.b!=4) reach_error(); }", want: report.Violated},
	{text: "struct S{struct{int b:4;} i;}; int main(void){ volatile struct S s={{4}}; if(s.i.b!=4) reach_error(); }", want: report.Violated},
	{text: "struct S{int b:4;}; int main(void){ struct S s={4}; volatile struct S*q=&s; if(q->b!=4) reach_error(); }", want: report.Violated},
	{text: "struct S{int a;} s={4}; struct S f(void){return s;} int main(void){ if(f().a!=4) reach_error(); }", want: report.Holds},
	{text: "struct S{volatile int a;} s={4}; struct S f(void){return s;} int main(void){ if(f().a!=4) reach_error(); }", want: report.Violated},
	{text: "typedef volatile int V; int main(void){ int s=4; if(*(V*)&s!=4) reach_error(); }", want: report.Violated},
	{text: "typedef volatile int *V; int main(void){ int s=4; if(*(V)&s!=4) reach_error(); }", want: report.Violated},
	{text: "typedef volatile int *V; int main(void){ int s=4; int*p=&s; if(**(V*)&p!=4) reach_error(); }", want: report.Violated},
	{text: "typedef volatile int *V; int main(void){ int s=4; int*p=&s; if(*(V*)&p!=&s) reach_error(); }", want: report.Holds},
	{text: "int main(void){ volatile int x=4; int *p=(int*)&x; if(*p!=4) reach_error(); }", want: report.Holds},
	{text: "int main(void){ int s=4; volatile int x=1; if(*({ int q=x; &s;})!=4) reach_error(); }", want: report.Holds},
	{text: "int main(void){ int s=4; if(*({ (volatile int*)&s;})!=4) reach_error(); }", want: report.Violated},
	{text: "int main(void){ int s=4; if(*({ volatile int*p=&s; p;})!=4) reach_error(); }", want: report.Violated},
	{text: "int main(void){ int s[2]={4,5}; volatile int *p=&s[1]; if(p[-1]!=4) reach_error(); }", want: report.Violated},
	{text: "struct S{int a; struct S*n;}; int main(void){ struct S t={4,0}, s={1,&t}; volatile struct S *p=&s; if(p->n && p->n->a!=4) reach_error(); }", want: report.Violated},
	{text: "struct S{int a; volatile struct S*n;}; int main(void){ struct S t={4,0}, s={1,&t}; if(s.n->a!=4) reach_error(); }", want: report.Violated},
	{text: "struct S{int a; struct S*volatile n;}; int main(void){ struct S t={4,0}, s={1,&t}; if(s.n!=&t) reach_error(); }", want: report.Violated},
	{text: "static volatile int f; int main(void){ while(f==0); reach_error(); }", want: report.Violated},
	{text: "extern volatile int f; int main(void){ if(f==7) reach_error(); }", want: report.Violated},
	{text: "volatile int f(void){ return 4; } int main(void){ if(f()!=4) reach_error(); }", want: report.Holds},
	{text: "int main(void){ int s=4; if((volatile int)s!=4) reach_error(); }", want: report.Holds},
	{text: "int main(void){ volatile struct {int a;} s; s.a=4; __typeof__(s.a+0) y=3; if(y!=3) reach_error(); }", want: report.Holds},
	{text: "int main(void){ int s=4; __typeof__((volatile int*)&s) p=&s; if(*p!=4) reach_error(); }", want: report.Violated},
	{text: "union U{int a; char c[4];}; int main(void){ volatile union U u; u.a=4; if(u.c[0]!=4) reach_error(); }", want: report.Violated},
	{text: "int main(void){ volatile long long x=4; if((int)x!=4) reach_error(); }", want: report.Violated},
	{text: "int main(void){ volatile char a[4]=\"abc\"; if(a[0]!='a') reach_error(); }", want: report.Violated},
	{text: "int main(void){ char a[4]=\"abc\"; volatile char*p=a; while(*p) p++; if(p-a!=3) reach_error(); }", want: report.Violated},
	{text: "int main(void) { int x = 1; volatile int *a[2]; a[0] = &x; if (a[0] != &x) reach_error(); return 0; }", want: report.Holds},
	{text: "int main(void) { int x = 1; volatile int *a[2] = { &x }; if (a[1] != 0) reach_error(); return 0; }", want: report.Holds},
	{text: "int main(void) { volatile struct S { int k; } *a[2]; struct S x; a[0] = &x; if (a[0] != &x) reach_error(); return 0; }", want: report.Holds},
	{text: "int main(void) { int x = 1; volatile char *names[2] = { (char *)&x, 0 }; if (names[1]) reach_error(); return 0; }", want: report.Holds},
	{text: "int main(void) { int x = 1; volatile int *a[2] = { &x, &x }; *a[0] = 5; if (x != 5) reach_error(); return 0; }", want: report.Holds},
	{text: "int main(void) { int x = 1; const volatile int *a[2]; a[0] = &x; if (a[0] != &x) reach_error(); return 0; }", want: report.Holds},
	{text: "int main(void) { int x = 1; struct { volatile int *a[2]; } s; s.a[0] = &x; if (s.a[0] != &x) reach_error(); return 0; }", want: report.Holds},
	{text: "volatile int *a[2]; int x; int main(void) { a[0] = &x; if (a[0] != &x) reach_error(); }", want: report.Holds},
	{text: "int main(void) { int x = 1; volatile int (*p)[2], y[2]; int z[2]; p = &z; if (p != &z) reach_error(); return 0; }", want: report.Holds},
	{text: "volatile int *f(int k) { static int x; return &x; } int main(void) { volatile int *(*t[2])(int) = { f, f }; if (t[0] != t[1]) reach_error(); }", want: report.Holds},
	{text: "int main(void) { int z[2][2] = { 1 }; volatile int (*p)[2] = z; p++; if (p != z + 1) reach_error(); return 0; }", want: report.Holds},
	{text: "int main(void) { int x = 1, *p = &x; int *volatile *q = &p; if (q != &p) reach_error(); return 0; }", want: report.Holds},
	{text: "int main(void) { int z[2] = {1}; int (*volatile p)[2] = &z; if (p != &z) reach_error(); return 0; }", want: report.Violated},
	{text: "int f(void) { return 1; } int main(void) { int (*volatile t[2])(void) = { f, f }; if (t[0] != f) reach_error(); }", want: report.Violated},
	{text: "int f(void) { return 1; } int main(void) { int (*volatile t)(void) = f; if (t != f) reach_error(); }", want: report.Violated},
	{text: "volatile int f(void) { return 1; } int main(void) { volatile int (*t)(void) = f; if (t != f) reach_error(); }", want: report.Holds},
	{text: "int f(void) { return 1; } static int (*volatile t)(void); int main(void) { t = f; if (t() != 1) reach_error(); if (t != f) reach_error(); }", want: report.Unknown},
	{text: "volatile int m[2]; int main(void) { volatile int (*r)[2] = &m; if (r != &m) reach_error(); if ((void *)*r != (void *)m) reach_error(); }", want: report.Holds},
	{text: "struct S { volatile int (*h)(int); int n; } s = { .n = 4 }; int main(void) { if (s.n != 4 || s.h) reach_error(); }", want: report.Holds},
	{text: "volatile int (*h)(int), n2; int main(void) { if (h) reach_error(); }", want: report.Holds},
	{text: "volatile unsigned *const REGS[] = { (volatile unsigned *)0x4000, (volatile unsigned *)0x5000 }; int main(void) { if (REGS[0] == REGS[1]) reach_error(); if ((unsigned long)REGS[1] != 0x5000) reach_error(); }", want: report.Holds},
	{text: "int f(void) { return 1; } struct { int (*volatile cb)(void); int k; } s = { f }; int main(void) { if (s.cb == 0) reach_error(); }", want: report.Violated},
	{text: "int f(void) { return 1; } int call(int (*volatile t)(void)) { return t == f; } int main(void) { if (!call(f)) reach_error(); }", want: report.Violated},
	{text: "int x, *volatile *q, *p = &x; int main(void) { q = &p; if (q != &p) reach_error(); }", want: report.Holds},
	{text: "volatile int m[2][2]; int main(void) { volatile int (*r)[2] = m; if (r != m) reach_error(); }", want: report.Holds},
	{text: "struct S { volatile int *r; } s[2]; int x = 3; int main(void) { s[1].r = &x; if (*s[1].r != 3) reach_error(); }", want: report.Violated},
	{text: "int main(void) { int x = 3; volatile int *p = &x, **pp = &p; if (**pp != 3) reach_error(); return 0; }", want: report.Violated},
	{text: "int main(void) { int x = 3; volatile int *p = &x, **pp = &p; if (*pp[0] != 3) reach_error(); return 0; }", want: report.Violated},
	{text: "int main(void) { union { volatile int *r; long k; } s; int x = 3; s.r = &x; if (*s.r != 3) reach_error(); return 0; }", want: report.Violated},
	{text: "int main(void) { struct S { volatile int *const r; }; int x = 3; struct S s = { &x }; if (*s.r != 3) reach_error(); return 0; }", want: report.Violated},
	{text: "struct S { volatile int *r; }; struct S f(int *p) { struct S s = { p }; return s; } int main(void) { int x = 3; if (*f(&x).r != 3) reach_error(); }", want: report.Violated},
	{text: "int main(void) { struct S { volatile int *r; } s; struct S *p = &s; int x = 3; s.r = &x; if (*p->r != 3) reach_error(); return 0; }", want: report.Violated},
	{text: "int main(void) { struct R { int a[2]; } x = { 3 }; volatile struct R *p = &x; if (*(p->a + 1)) reach_error(); return 0; }", want: report.Violated},
	{text: "int main(void) { struct R { int a; } x = { 3 }; volatile struct R *p = &x; if (*&p->a != 3) reach_error(); return 0; }", want: report.Violated},
	{text: "int main(void) { struct R { volatile int a[2]; } x = { 3 }; if (*(x.a + 1)) reach_error(); return 0; }", want: report.Violated},
	{text: "int main(void) { struct S { volatile int *r; } s; int x = 3; s.r = &x; if (s.r[0] != 3) reach_error(); return 0; }", want: report.Violated},
	{text: "int main(void) { struct R { volatile int a[2]; } x = { 3 }, *p = &x; if (*(p->a + 1)) reach_error(); return 0; }", want: report.Violated},
	{text: "int main(void) { struct R { int SR, DR; }; struct S { volatile struct R *r; } s; struct R x = { 3, 4 }; s.r = &x; if (s.r->SR != 3) reach_error(); return 0; }", want: report.Violated},
	{text: "int main(void) { struct R { int SR, DR; }; struct S { volatile struct R *r; } s; struct R x = { 3, 4 }; s.r = &x; struct S *p = &s; if (p->r->SR != 3) reach_error(); return 0; }", want: report.Violated},
	{text: "struct R { int SR, DR; }; struct S { volatile struct R *r; }; struct R x = { 3, 4 }; struct S s = { &x }; int main(void) { if (s.r->SR != 3) reach_error(); }", want: report.Violated},
	{text: "struct R { int SR, DR; }; struct S { volatile struct R *r; }; struct R x = { 3, 4 }; struct S s = { &x }; int main(void) { if ((*s.r).SR != 3) reach_error(); }", want: report.Violated},
	{text: "struct S { volatile int *r; }; int x = 3; struct S s = { &x }; int main(void) { if (*s.r != 3) reach_error(); }", want: report.Violated},
	{text: "int main(void) { volatile int x = 3; struct S { volatile int *r; } s; s.r = &x; if (*s.r != 3) reach_error(); return 0; }", want: report.Violated},
	{text: "int main(void) { volatile int x = 3; volatile int *p = &x, **pp = &p; if (**pp != 3) reach_error(); return 0; }", want: report.Violated},
	{text: "int main(void) { volatile struct { int a[2]; } s = { { 3, 3 } }; if (*(s.a + 1) != 3) reach_error(); return 0; }", want: report.Violated},
	{text: "int f(void) { return 1; } int main(void) { volatile int *a[2]; a[0] = a[1] = 0; if (a[1]) reach_error(); }", want: report.Holds},
}

// open are programs that rest on the order of evaluation, on types or on constants.
var open = []trap{
	{text: "int x; int f(void) { x++; return x; } int main(void) { int y = 0; __builtin_add_overflow(x, f(), &y); if (y == 1) reach_error(); }", want: report.Violated, rests: "order"},
	{text: "int x; int f(void) { x++; return x; } int main(void) { int y = 0; __builtin_add_overflow(x, f(), &y); if (y == 2) reach_error(); }", want: report.Holds, rests: "order"},
	{text: "int x; int f(void) { x++; return x; } int main(void) { int y = __builtin_expect(x, f()); if (y == 1) reach_error(); }", want: report.Holds, rests: "order"},
	{text: "int x; int f(void) { x++; return x; } int main(void) { int y = __builtin_expect(x, f()); if (y == 0) reach_error(); }", want: report.Violated, rests: "order"},
	{text: "int x, *gp = &x; int main(void) { *gp = x++; if (x != 0) reach_error(); }", want: report.Holds, rests: "order"},
	{text: "int x, *gp = &x; int main(void) { *gp = (x = 2) + 1; if (x == 2) reach_error(); }", want: report.Holds, rests: "order"},
	{text: "int x, *gp = &x; int main(void) { x = (*gp)++; if (x == 1) reach_error(); }", want: report.Holds, rests: "order"},
	{text: "int x; int f(void) { x++; return x; } void *__builtin_assume_aligned(const void *, unsigned long, ...); int main(void) { int a[2]; int *p = __builtin_assume_aligned(a + x, f()); if (p == a) reach_error(); }", want: report.Violated, rests: "order"},
	{text: "int x; int f(void) { x++; return x; } int main(void) { int y = __builtin_sub_overflow(f(), x, &x); if (y) reach_error(); }", want: report.Holds, rests: "order"},
	{text: "int (*vf)(void); int two(int p, int q) { return p + q; } int bad(void) { reach_error(); return 1; } int main(void) { int y = two(vf(), bad()); }", want: report.Holds, rests: "order"},
	{text: "int (*vf)(void); int bad(void) { reach_error(); return 1; } int main(void) { int y = vf() + bad(); }", want: report.Holds, rests: "order"},
	{text: "int two(int p, int q) { return p + q; } int x; int f(void) { return ++x; } int main(void) { two(({ goto l; 1; }), f()); l: if (x == 1) reach_error(); }", want: report.Holds, rests: "order"},
	{text: "int x; int f(void) { return ++x; } int main(void) { int y = ({ goto l; 1; }) + f(); l: if (x == 1) reach_error(); }", want: report.Holds, rests: "order"},
	{text: "int x; int f(void) { return ++x; } int main(void) { int a[2] = { ({ goto l; 1; }), f() }; l: if (x == 1) reach_error(); }", want: report.Holds, rests: "order"},
	{text: "int x; int f(void) { return ++x; } int main(void) { int y = 0; if (__builtin_mul_overflow(f() + 1, x, &y)) reach_error(); if (y == 0) reach_error(); }", want: report.Holds, rests: "order"},
	{text: "int x; int f(void) { return ++x; } int main(void) { int y = 0; __builtin_sadd_overflow(f(), x, &y); if (y == 1) reach_error(); }", want: report.Holds, rests: "order"},
	{text: "int x; int f(void) { return ++x; } int main(void) { int y; if (__builtin_add_overflow(f(), x, &y) || y == 1) reach_error(); }", want: report.Holds, rests: "order"},
	{text: "typedef int *restrict R; int f(R p, int *q) { *p = 1; *q = 2; return *p; } int main(void) { int x; if (f(&x, &x) != 2) reach_error(); }", want: report.Holds, rests: "types"},
	{text: "int f(int *a, int *q) { int *restrict p = a; *p = 1; *q = 2; return *p; } int main(void) { int x; if (f(&x, &x) != 2) reach_error(); }", want: report.Holds, rests: "types"},
	{text: "int *restrict gp; int f(int *q) { *gp = 1; *q = 2; return *gp; } int main(void) { int x; gp = &x; if (f(&x) != 2) reach_error(); }", want: report.Holds, rests: "types"},
	{text: "struct S { int *restrict p; }; int f(struct S s, int *q) { *s.p = 1; *q = 2; return *s.p; } int main(void) { int x; struct S s = { &x }; if (f(s, &x) != 2) reach_error(); }", want: report.Holds, rests: "types"},
	{text: "int f(int n, int p[restrict n], int *q) { *p = 1; *q = 2; return *p; } int main(void) { int x; if (f(1, &x, &x) != 2) reach_error(); }", want: report.Holds, rests: "types"},
	{text: "int f(const int x) { int *p = (int *)&x; *p = 4; return x; } int main(void) { if (f(2) != 4) reach_error(); }", want: report.Holds, rests: "constants"},
	{text: "typedef struct { int a; } T; int f(const T t) { *(int *)&t.a = 4; return t.a; } int main(void) { T t = { 2 }; if (f(t) != 4) reach_error(); }", want: report.Holds, rests: "constants"},
	{text: "int f(void) { return 1; } int main(void) { int (*const t)(void) = f; *(void **)&t = 0; if (t) reach_error(); }", want: report.Holds, rests: "constants"},
	{text: "int z[2]; int main(void) { int (*const t)[2] = &z; *(void **)&t = 0; if (t) reach_error(); }", want: report.Holds, rests: "constants"},
	{text: "int two(int p, int q) { return p + q; } int bad(void) { reach_error(); return 1; } int main(void) { two(({ return 0; 1; }), bad()); }", want: report.Holds, rests: "order"},
	{text: "int bad(void) { reach_error(); return 1; } int main(void) { int y = ({ goto out; 1; }) + bad(); out: ; }", want: report.Holds, rests: "order"},
	{text: "int two(int p, int q) { return p + q; } int bad(void) { reach_error(); return 1; } int main(void) { for (;;) { two(({ break; 1; }), bad()); } }", want: report.Holds, rests: "order"},
	{text: "void exit(int); int ex(void) { exit(0); return 1; } int bad(void) { reach_error(); return 1; } int main(void) { __builtin_expect(ex(), bad()); }", want: report.Holds, rests: "order"},
}

// TestVolatileResults: a routine's result points to what is volatile, wherever the word stands, with and without a
// declaration before.
func TestVolatileResults(t *testing.T) {
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	var all []trap
	for _, spec := range []string{"volatile int *", "static volatile int *", "volatile static int *", "int volatile *", "static int volatile *", "const volatile int *",
		"volatile const int *", "int const volatile *const ", "unsigned volatile int *", "__volatile__ unsigned *", "__volatile unsigned char *const ",
		"volatile struct s { int a; } *", "volatile __attribute__((noinline)) int *", "__attribute__((noinline)) volatile int *", "volatile int __attribute__((noinline)) *",
		"int volatile __attribute__((unused)) *", "volatile int *volatile ", "extern volatile int *", "volatile\nint\n*", "volatile /* ( */ int *"} {
		for _, first := range []string{"", strings.Replace(spec, " { int a; }", "", 1) + "f(int);\n", "extern int k, " + "g(int);\n" + strings.Replace(spec, " { int a; }", "", 1) + "f(int), *h(void);\n"} {
			body, read := "static int s; return (void *)&s;", "*f(1) != 0"
			if strings.Contains(spec, "struct") {
				read = "f(1)->a != 0"
				first = "struct s;\n" + first
			}
			all = append(all, trap{text: first + spec + "f(int i) { " + body + " }\nint main(void) { if (" + read + ") reach_error(); }", want: report.Violated})
		}
	}
	askTraps(t, pool, all)
}

// TestVolatileLives: what a volatile pointer is read as may be memory of the program's that has ended, or be used
// outside of it, which is not followed.
func TestVolatileLives(t *testing.T) {
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	for _, c := range []struct {
		text  string
		check ir.Check
	}{
		{"int x; int *volatile p = &x; int main(void) { p[1] = 1; }", ir.CheckBounds},
		{"int x; struct s { int k; int *p; }; volatile struct s v; int main(void) { v.p = &x; struct s u = v; u.p[1] = 1; }", ir.CheckBounds},
		{"void *malloc(unsigned long); void free(void *); int *volatile q; int main(void) { int *m = malloc(4); q = m; free(m); *q = 5; }", ir.CheckMemory},
		{"int *volatile q; void f(void) { int x; q = &x; } int main(void) { f(); *q = 4; }", ir.CheckMemory},
	} {
		if got, reason := reachTextWith(t, pool, c.text, cfront.Options{Checks: []ir.Check{c.check}}); got != report.Unknown {
			t.Errorf("%s (%s)\n%s", got, reason, c.text)
		}
		if got, reason := reachTextWith(t, pool, c.text, cfront.Options{Checks: []ir.Check{c.check}, PlainVolatile: true}); got != report.Violated {
			t.Errorf("plain: %s (%s)\n%s", got, reason, c.text)
		}
	}
}

// TestQualifiers: what is volatile, const or restrict, wherever it is said, and evaluations whose order is open.
func TestQualifiers(t *testing.T) {
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	for _, all := range [][]trap{qualified, open} {
		askTraps(t, pool, all)
	}
}
