package encode

import (
	"slices"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/internal/source"
)

// TestLibraryRefused: where a run comes to a routine of the C library that writes to memory or calls a
// routine back, it leaves what is modelled; a null pointer for a second result, and a routine that
// does not return, do not.
func TestLibraryRefused(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"int atexit(void (*)(void)); void f(void) {} int main(void) { atexit(f); }", "a call of atexit()"},
		{"int count; void (*signal(int, void (*)(int)))(int); void f(int x) { count = x; } int main(void) { signal(2, f); }", "coming to what is not read here (the handler f changes count, which is not volatile: when it runs is not known)"},
		{"int __isoc99_sscanf(const char *, const char *, ...); int main(void) { int x; __isoc99_sscanf(\"1\", \"%d\", &x); }", "a call of __isoc99_sscanf()"},
		{"void *reallocarray(void *, unsigned long, unsigned long); int main(void) { reallocarray(0, 2, 2); }", "a call of reallocarray()"},
		{"long time(long *); int main(void) { long t; time(&t); }", ""},
		{"struct f; void setbuf(struct f *, char *); int main(void) { char b[9]; setbuf(0, b); }", "a call of setbuf() with a place to write to"},
		{"int stat(const char *, struct s *); int main(void) { stat(\"a\", (struct s *)8); }", "a call of stat() with a pointer to what is no object of a known type"},
		{"float strtof(const char *, char **); int main(void) { char *e; strtof(\"1\", &e); }", "a call of strtof() with a place to write to"},
		{"int printf(const char *, ...); int main(void) { int n; printf(\"a%n\", &n); }", "a call of printf() with a pointer that it may write to"},
		{"int printf(const char *, ...); int main(int c, char **v) { int n; printf(v[0], &n); }", "a call of printf() with a pointer that it may write to"},
		{"int printf(const char *, ...); int main(int c, char **v) { int n; printf(v[0], v[1]); printf(\"%s\", v[1]); printf(\"%d%%n\", n); }", ""},
		{"int ioctl(int, unsigned long, ...); int main(void) { int n; ioctl(1, 2, &n); }", "a call of ioctl() with a pointer that it may write to"},
		{"int ioctl(int, unsigned long, ...); int main(void) { ioctl(1, 2, 3); ioctl(1, 2); }", ""},
		{"int setjmp(int *); int main(void) { int b; return setjmp(&b); }", "a call of setjmp()"},
		{"int main(void) { int x = 1; __sync_fetch_and_add(&x, 1); return x; }", "a call of __sync_fetch_and_add()"},
		{"int main(void) { int x; __atomic_store_n(&x, 1, 5); return x; }", "a call of __atomic_store_n()"},
		{"int main(void) { long x; return __builtin_mul_overflow(1L, 2L, &x); }", "a call of __builtin_mul_overflow()"},
		{"int main(void) { int x; return __builtin_mul_overflow(1, 2, &x); }", ""},
		{"int main(void) { return __builtin_types_compatible_p(int, int); }", "a call of __builtin_types_compatible_p()"},
		{"int f(double) __asm__(\"isnan\"); int main(void) { return f(1); }", "a call of f()"},
		{"int fork(void); int main(void) { return fork(); }", "a call of fork()"},
		{"struct b { int x; }; int setjmp(struct b *); int main(void) { struct b b; return setjmp(&b); }", "a call of setjmp()"},
		{"char *strerror(int); int main(void) { return strerror(1) == 0; }", "a call of strerror(), whose text is used,"},
		{"char *strerror(int); int puts(const char *); int main(void) { strerror(1); return puts(strerror(1)); }", ""},
		{"long time(long *); int main(void) { time(0); time((void *)0); }", ""},
		{"void die(void) __attribute__((noreturn)); _Noreturn void end(void); int main(int c) { if (c) die(); else end(); ERROR: return 0; }", ""},
	} {
		p, err := cfront.Parse([]*source.File{source.NewFile("p.c", c.text)}, cfront.Options{})
		if err != nil {
			t.Fatalf("%s\n%v", c.text, err)
		}
		e, err := Encode(p, "")
		if err != nil {
			t.Fatalf("%s\n%v", c.text, err)
		}
		var lost []string
		for _, why := range e.Lost {
			lost = append(lost, why)
		}
		if c.want == "" && len(lost) > 0 || c.want != "" && !slices.Contains(lost, c.want) {
			t.Errorf("%s\n%v, want %q", c.text, lost, c.want)
		}
		if c.want == "" && len(e.Failures) > 0 {
			t.Errorf("%s\na failure is reachable: %v", c.text, e.Failures)
		}
	}
}
