package encode

import (
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/program/cfront"
)

// TestLibraryRefused: routines of the C library that write to memory or call a routine
// back are not taken for routines that change nothing; a null pointer for a second
// result, and a routine that does not return, are.
func TestLibraryRefused(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"int atexit(void (*)(void)); void f(void) {} int main(void) { atexit(f); }", "the routines that atexit calls"},
		{"void (*signal(int, void (*)(int)))(int); void f(int x) {} int main(void) { signal(2, f); }", "the routines that signal calls"},
		{"int __isoc99_sscanf(const char *, const char *, ...); int main(void) { int x; __isoc99_sscanf(\"1\", \"%d\", &x); }", "what __isoc99_sscanf writes"},
		{"char *stpcpy(char *, const char *); int main(void) { char s[2]; stpcpy(s, \"a\"); }", "what stpcpy writes"},
		{"long time(long *); int main(void) { long t; time(&t); }", "what time writes"},
		{"long strtol(const char *, char **, int); int main(void) { char *e; strtol(\"1\", &e, 10); }", "what strtol writes"},
		{"long time(long *); int main(void) { time(0); time((void *)0); }", ""},
		{"void die(void) __attribute__((noreturn)); _Noreturn void end(void); int main(int c) { if (c) die(); else end(); ERROR: return 0; }", ""},
	} {
		p, err := cfront.Parse([]*source.File{source.NewFile("p.c", c.text)}, cfront.Options{})
		if err != nil {
			t.Fatalf("%s\n%v", c.text, err)
		}
		e, err := Encode(p, "")
		switch {
		case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s\n%v, want %q", c.text, err, c.want)
		case c.want == "" && len(e.Failures) > 0:
			t.Errorf("%s\na failure is reachable: %v", c.text, e.Failures)
		}
	}
}
