package cfront

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gcc"
	"github.com/seltl/seltl/internal/testing/soak"
)

// contracts are the routines with bodies of which not everything is computed: TestContracts, and what reads.
var contracts = map[string]bool{"__seltl_reads": true, "__seltl_text": true, "fwrite": true, "fwrite_unlocked": true, "getcwd": true, "gethostname": true, "getopt": true, "getopt_long": true, "inet_ntop": true, "poll": true,
	"recvfrom": true, "send": true, "sendto": true, "strftime": true, "strtod": true, "vsnprintf": true, "write": true}

// ran runs a routine with answers to what library bodies ask, by name.
func ran(t *testing.T, text, routine string, options Options, answer func(what string) (uint64, bool)) (string, machine.Outcome) {
	t.Helper()
	if routine != "main" {
		options.Entry = routine
	}
	p, err := Parse([]*source.File{source.NewFile("p.c", outDeclaration+text)}, options)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var b strings.Builder
	m := &machine.Machine{Program: p, MaxSteps: 5_000_000, MaxDepth: 100}
	m.Call = func(f *ir.Func, args []uint64) {
		if f.Name == "out" {
			fmt.Fprintf(&b, "%x\n", args[0])
		}
	}
	m.Choose = func(c *machine.Choice) (uint64, error) {
		if c.Call == nil {
			n, _ := answer("")
			return n, nil
		}
		if n, ok := answer(strings.TrimPrefix(c.Call.Callee.Name, ir.OwnPrefix)); ok {
			return n, nil
		}
		return 0, fmt.Errorf("%s is chosen", c.What())
	}
	out, err := m.Run(p.Func(routine), []uint64{1, 1 << 20}[:len(p.Func(routine).Params)])
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return b.String(), out
}

// sortSample is a routine that sorts, searches and moves elements with pointers in them.
func sortSample(r *rand.Rand, routine string) string {
	var keys []string
	n := r.Intn(8)
	for range n + 1 {
		keys = append(keys, fmt.Sprintf("{%d, names + %d}", r.Intn(9)-4, r.Intn(2)))
	}
	all := strings.Join(keys, ", ")
	at, count := r.Intn(n+1), r.Intn(n+2)
	count = min(count, n+1-at)
	return fmt.Sprintf(`struct %[1]s { int key; char *name; };
static int %[1]s_order(const void *x, const void *y) { const struct %[1]s *a = x, *b = y; return a->key != b->key ? (a->key > b->key) - (a->key < b->key) : (a->name > b->name) - (a->name < b->name); }
static int %[1]s_least(const int *key, const struct %[1]s *e) { return *key - e->key; }
static int %[1]s_down(const void *x, const void *y) { return *(const int *)y - *(const int *)x; }
void %[1]s(void) {
	static char names[2];
	struct %[1]s a[] = {%[2]s}, *e;
	int b[%[3]d], i, n = %[3]d, from = %[4]d, count = %[5]d;
	for (i = 0; i < n; i++) b[i] = a[i].key;
	qsort(a, n, sizeof a[0], %[1]s_order);
	qsort(b, n, sizeof *b, %[1]s_down);
	for (i = 0; i < n; i++) { out(a[i].key + 10); out(a[i].name - names); out(b[i] + 10); }
	for (i = -5; i < 6; i++) {
		e = bsearch(&i, a, n, sizeof *a, (int (*)(const void *, const void *))%[1]s_least);
		out(e ? e->key + 10 : 0);
		out(bsearch(&i, b, n, sizeof *b, %[1]s_down) != 0);
	}
	memmove(a + from, a, count * sizeof a[0]);
	memcpy(b, b + n - n / 2, n / 2 * sizeof b[0]);
	memset(b + n / 2, 0, (n - n / 2) * sizeof *b);
	for (i = 0; i < n; i++) { out(a[i].key + 10); out(a[i].name - names); out(b[i] + 10); }
}
`, routine, all, n+1, at, count)
}

// TestSortGCC: what qsort and bsearch do with a program's comparison, and memmove and its kind with elements that are
// counted, is what they do in gcc's programs, in whatever order equal elements come.
func TestSortGCC(t *testing.T) {
	for model := range ir.DataModel(2) {
		for round := range int64(soak.Long(2)) {
			var texts, routines []string
			for k := range 10 {
				routines = append(routines, fmt.Sprintf("s%d", k))
				texts = append(texts, sortSample(rand.New(rand.NewSource(round*100+int64(k))), routines[k]))
			}
			const declared = "void qsort(void *, __SIZE_TYPE__, __SIZE_TYPE__, int (*)(const void *, const void *)), *bsearch(const void *, const void *, __SIZE_TYPE__, __SIZE_TYPE__, int (*)(const void *, const void *)), *memmove(void *, const void *, __SIZE_TYPE__), *memcpy(void *, const void *, __SIZE_TYPE__), *memset(void *, int, __SIZE_TYPE__);\n"
			want, ok := compiled(t, model, declared+strings.Join(texts, ""), routines)
			if !ok {
				t.Skip("SKIPPED: ", gcc.ErrMissing)
			}
			for k, text := range texts {
				r := rand.New(rand.NewSource(round))
				got, out := ran(t, declared+text, routines[k], Options{Model: model}, func(what string) (uint64, bool) { return uint64(r.Intn(2)), what == "more" })
				if got != want[k] || out.Ending != machine.Returned {
					t.Errorf("%v, round %d: %+v %s\n%s", model, round, out, difference(got, want[k]), text)
				}
			}
		}
	}
}

// TestErrnoGCC: strtol and its kind set errno where a number is too large, and nowhere else.
func TestErrnoGCC(t *testing.T) {
	const declared = "long strtol(const char *, char **, int); unsigned long strtoul(const char *, char **, int); long long strtoll(const char *, char **, int); unsigned long long strtoull(const char *, char **, int);\n"
	for model := range ir.DataModel(2) {
		for round := range int64(soak.Cases(4)) {
			r := librarySample{rand.New(rand.NewSource(round)), true}
			var b strings.Builder
			b.WriteString("void numbers(void) { char *p;\n")
			for _, f := range []string{"strtol", "strtoul", "strtoll", "strtoull"} {
				for range 20 {
					fmt.Fprintf(&b, "*__errno_location() = 7; out(%s(%s, &p, 10)); out(*__errno_location());\n", f, r.numeral())
				}
			}
			text := "int *__errno_location(void);\n" + declared + b.String() + "}\n"
			want, ok := compiled(t, model, text, []string{"numbers"})
			if !ok {
				t.Skip("SKIPPED: ", gcc.ErrMissing)
			}
			if got, _ := ran(t, text, "numbers", Options{Model: model}, func(what string) (uint64, bool) { return 0, strings.HasPrefix(what, "errno") }); got != want[0] {
				t.Fatalf("%v, round %d: %s\n%s", model, round, difference(got, want[0]), text)
			}
		}
	}
}

// TestContracts: what is not computed has the bounds that the manuals say: where it is written, how long it is, what
// errno is.
func TestContracts(t *testing.T) {
	for _, c := range []struct {
		text    string
		answers string // a name and a number for each, in any order
		want    string
	}{
		{`long write(int, const void *, unsigned long); char b[4]; void f(void) { out(write(1, b, 4)); }`, "count 9 failed 0", "4 "},
		{`long write(int, const void *, unsigned long); char b[4]; void f(void) { out(write(1, b, 4)); }`, "count 2 failed 0", "2 "},
		{`long write(int, const void *, unsigned long); int *__errno_location(void); char b[4]; void f(void) { out(-write(1, b, 4)); out(*__errno_location()); }`, "count 2 failed 1 cause 4", "1 4 "},
		{`unsigned long fwrite(const void *, unsigned long, unsigned long, void *); char b[4]; void f(void) { out(fwrite(b, 2, 2, 0)); out(fwrite(b, 0, 2, 0)); }`, "count 9", "2 0 "},
		{`double strtod(const char *, char **); void f(void) { char s[] = "1.5x", *p; strtod(s, &p); out(p - s); }`, "far 8 double 0", "3 "},
		{`int vsnprintf(char *, unsigned long, const char *, __builtin_va_list); int g(char *s, const char *f, ...) { __builtin_va_list v; __builtin_va_start(v, f); int n = vsnprintf(s, 3, f, v); __builtin_va_end(v); return n; }
void f(void) { char s[4] = "abc"; out(g(s, "%d", 1)); out(s[0]); out(s[1]); out(s[2]); out(s[3]); }`, "more 1 byte 65 zero 0 length 7", "7 41 41 0 0 "},
		{`struct p { int fd; short events, revents; }; int poll(struct p *, unsigned long, int); void f(void) { struct p p[2] = {{3, 1}, {4, 1}}; out(poll(p, 2, 0)); out(p[0].fd); out(p[1].events); out(p[1].revents); }`, "failed 0 event 5", "2 3 1 5 "},
		{`struct l { int x[6]; }; void g(int n, ...) { struct l v; __builtin_va_start((struct l *)(&v)); __builtin_va_end((struct l *)(&v)); } void f(void) { g(1, 2); out(1); }`, "", "1 "},
		{`long time(long *); void f(void) { long t = 5, u = 6; time(&t); time((long *)0); out(u); out(t != 5); }`, "time() 3", "6 1 "},
		{`int pipe(int *); void f(void) { int p[3] = {7, 7, 7}; pipe(p); out(p[0] == 7); out(p[1] == 7); out(p[2]); }`, "pipe() 0", "0 0 7 "},
		{`struct a { int x, y; }; int accept(int, struct a *, unsigned *); void f(void) { struct a a[2] = {{7, 7}, {7, 7}}; unsigned n = 8; accept(1, a, &n); out(a[0].x == 7); out(a[1].x); n = 9; accept(1, a, &n); out(1); }`, "accept() 3", "0 7 ending"},
	} {
		answers := map[string]uint64{}
		words := strings.Fields(strings.ReplaceAll(c.answers, "()", ""))
		for k := 0; k < len(words); k += 2 {
			var n uint64
			fmt.Sscan(words[k+1], &n)
			answers[words[k]] = n
		}
		got, out := ran(t, c.text, "f", Options{}, func(what string) (uint64, bool) { n, ok := answers[what]; return n, ok })
		if got = strings.ReplaceAll(got, "\n", " "); out.Ending != machine.Returned {
			got += "ending"
		}
		if got != c.want {
			t.Errorf("%s: %q %+v\n%s", c.answers, got, out, c.text)
		}
	}
}

// TestHandlers: handlers that only set volatile variables are followed, others are not, and the message says what they do.
func TestHandlers(t *testing.T) {
	for body, why := range map[string]string{
		"stop = 1;":                       "",
		"if (n == 15) stop = n; (void)n;": "",
		"_exit(1);":                       "",
		"count = 1;":                      "count, which is not volatile",
		"work();":                         "calls a routine",
		"*p = 1;":                         "uses a pointer",
		"stop = 7 / n;":                   "may have no value",
		"assert(n);":                      "has an assertion",
	} {
		for _, install := range []string{"signal(15, h)", "act.handler = h; sigaction(15, &act, 0)"} {
			text := "void _exit(int); void assert(int); volatile int stop; int count, *p; void work(void) { count++; } struct sigaction { void (*handler)(int); } act; void (*signal(int, void (*)(int)))(int); int sigaction(int, const struct sigaction *, struct sigaction *);\n" +
				"void h(int n) { " + body + " }\nint main(void) { " + install + "; return 0; }"
			p, err := Parse([]*source.File{source.NewFile("p.c", text)}, Options{})
			if err != nil {
				t.Fatal(err, text)
			}
			if got := fmt.Sprint(p.Unread); (why == "") != (len(p.Unread) == 0) || !strings.Contains(got, why) {
				t.Errorf("%s: %s, want %q", text, got, why)
			}
		}
	}
}

// TestOurs: getopt is followed where it is given the arguments of the program, through whatever routines.
func TestOurs(t *testing.T) {
	const declared = "int getopt(int, char *const *, const char *);\n"
	for text, want := range map[string]bool{
		"int main(int c, char **v) { return getopt(c, v, \"a\"); }":                                                                  true,
		"int f(int c, char **v) { return getopt(c, v, \"a\"); } int main(int c, char **v) { return f(c, v); }":                       true,
		"int main(int c, char **v) { v++; return getopt(c, v, \"a\"); }":                                                             false,
		"int main(void) { char *v[] = {\"p\", \"-b\", 0}; return getopt(2, v, \"a\"); }":                                             false,
		"int f(int c, char **v) { return getopt(c, v, \"a\"); } int main(int c, char **v) { char *w[2]; return f(c, v) + f(1, w); }": false,
	} {
		_, out := ran(t, declared+text, "main", Options{}, func(what string) (uint64, bool) { return 1, what != "more" })
		ours := out.Ending == machine.Returned
		if ours != want {
			t.Errorf("%s: %+v", text, out)
		}
	}
}

// TestLargeConstants: constants beyond long long are read where 64 bits of them count.
func TestLargeConstants(t *testing.T) {
	for text, ok := range map[string]bool{
		"unsigned long x = 18446744073709551615;":                                                           true,
		"unsigned long x = (unsigned long)9223372036854775808l;":                                            true,
		"char *s = \"18446744073709551615\"; double d = 18446744073709551615.5; /* 18446744073709551615 */": true,
		"unsigned long x; int y = x < 18446744073709551615;":                                                true,
		"long x; int y = x < 18446744073709551615;":                                                         false,
		"long x = -9223372036854775808 / 2;":                                                                false,
		"int x = sizeof 18446744073709551615;":                                                              false,
		"long x = 9223372036854775807;":                                                                     true,
	} {
		p, err := Parse([]*source.File{source.NewFile("p.c", "int main(void) { "+text+" return 0; }")}, Options{})
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if (len(p.Unread) == 0) != ok {
			t.Errorf("%s: %v", text, p.Unread)
		}
	}
	if got := large("18446744073709551615u 9223372036854775808L 0x18446744073709551615"); got != "18446744073709551615u 0X08000000000000000L 0x18446744073709551615" {
		t.Error(got)
	}
}
