package programs

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/clp"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gcc"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/safety"
)

// memoryInputs is how many inputs programs of memoryC are run on: two values of any(), the others are 0.
const memoryInputs = 16

const memoryPrelude = "void *malloc(unsigned long), *calloc(unsigned long, unsigned long), *realloc(void *, unsigned long); void free(void *), exit(int), *memcpy(void *, const void *, unsigned long), *alloca(unsigned long); int any(void);\n"

func parseMemory(t *testing.T, text string, checks ...ir.Check) *ir.Program {
	t.Helper()
	p, err := cfront.Parse([]*source.File{source.NewFile("m.c", text)}, cfront.Options{Checks: checks})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if err := p.Verify(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return p
}

// ranMemory says how the front end's machine runs a program on each input: . it ends, M memory is used that has
// ended, F it is freed wrongly, O copied to where it overlaps, L it is left, ? else.
func ranMemory(t *testing.T, text string) string {
	t.Helper()
	p := parseMemory(t, memoryPrelude+strings.ReplaceAll(text, "@", ""), ir.CheckMemory, ir.CheckLeaks)
	var b strings.Builder
	for inputs := range memoryInputs {
		k := 0
		m := &machine.Machine{Program: p, MaxSteps: 100_000, MaxDepth: 10, Choose: func(c *machine.Choice) (uint64, error) {
			if c.Lazy || c.Why == ir.Uninitialised && c.Call == nil {
				return 0, nil
			}
			k++
			return uint64(inputs >> (2 * (k - 1)) & 3), nil
		}}
		out, err := m.Run(p.Func("main"), nil)
		switch {
		case err != nil:
			t.Fatal(err)
		case out.Broken == ir.CheckMemory:
			b.WriteByte("OMF"[out.Misuse])
		case out.Broken == ir.CheckLeaks:
			b.WriteByte('L')
		case out.Ending == machine.Returned || out.Ending == machine.Stopped:
			b.WriteByte('.')
		default:
			t.Logf("%s: %s", out.What, text)
			b.WriteByte('?')
		}
	}
	return b.String()
}

// sanitized is a program that runs others on all inputs, each in a process of its own, under gcc's sanitizer.
const sanitized = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>
const char *__asan_default_options(void) { return "detect_leaks=0:detect_stack_use_after_return=1"; }
const char *__asan_get_report_description(void);
void __asan_on_error(void) {
	const char *what = __asan_get_report_description();
	_exit(strstr(what, "overlap") ? 'O' : strcmp(what, "double-free") && strcmp(what, "bad-free") ? 'M' : 'F');
}
static int given, live;
static int any(void) { int v = given & 3; given >>= 2; return v; }
static void *counted(void *p) { live++; return p; }
static void *again(void *p, size_t n) { if (!p) live++; return realloc(p, n); }
static void gone(void *p) { free(p); if (p) live--; }
static void over(int status) { _exit(live ? 'L' : '.'); }
#define malloc(n) counted(malloc(n))
#define calloc(n, m) counted(calloc(n, m))
#define realloc again
#define free gone
#define exit over
`

// sanitizedMain runs them, and prints a line for each.
const sanitizedMain = `
#undef exit
int main(void) {
	for (int k = 0; k < sizeof all / sizeof *all; k++) {
		for (int i = 0; i < %d; i++) {
			int status;
			fflush(stdout);
			if (!fork()) {
				given = i;
				all[k]();
				over(0);
			}
			wait(&status);
			putchar(WIFEXITED(status) ? WEXITSTATUS(status) : '!');
		}
		putchar('\n');
	}
	return 0;
}
`

// TestMemoryMachine: the front end's machine finds mistakes of memory where gcc's sanitizer does.
func TestMemoryMachine(t *testing.T) {
	batch := int64(50)
	if testing.Short() {
		batch = 20
	}
	counts := map[byte]int{}
	for first := int64(0); first < soak.Long(int64(300)); first += batch {
		var text, names strings.Builder
		text.WriteString(sanitized)
		var all []string
		for k := range batch {
			p := memoryC(rand.New(rand.NewSource(first+k)), true)
			all = append(all, p)
			text.WriteString(strings.ReplaceAll(p, "@", fmt.Sprintf("_%d", k)))
			fmt.Fprintf(&names, "main_%d, ", k)
		}
		fmt.Fprintf(&text, "static int (*all[])(void) = { %s };\n"+sanitizedMain, names.String(), memoryInputs)
		lines, err := gcc.Lines(context.Background(), t.TempDir(), text.String(), 64, "-O0", "-fsanitize=address,undefined")
		if errors.Is(err, gcc.ErrMissing) {
			t.Skip("SKIPPED: ", err)
		}
		if err != nil || int64(len(lines)) != batch {
			t.Fatal(err, len(lines))
		}
		for k, p := range all {
			got := ranMemory(t, strings.ReplaceAll(p, "main@", "main"))
			if got != lines[k] {
				t.Errorf("seed %d: the machine says %s, the sanitizer %s\n%s", first+int64(k), got, lines[k], p)
			}
			for _, c := range []byte(got) {
				counts[c]++
			}
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d runs end, %d use what has ended, %d free wrongly, %d leave memory", counts['.'], counts['M'], counts['F'], counts['L'])
	if counts['.'] == 0 || counts['M'] == 0 || counts['F'] == 0 && !testing.Short() || counts['L'] == 0 { // few free wrongly
		t.Error("all of these are to occur")
	}
}

// TestMemoryVerdicts: what is decided of such programs is what running them on all inputs says.
func TestMemoryVerdicts(t *testing.T) {
	counts := map[report.Verdict]int{}
	for seed := range soak.Long(int64(200)) {
		rng := rand.New(rand.NewSource(seed))
		text := strings.ReplaceAll(memoryC(rng, rng.Intn(4) == 0), "main@", "main")
		kinds := [][]ir.Check{{ir.CheckMemory}, {ir.CheckLeaks}, {ir.CheckMemory, ir.CheckLeaks}}[rng.Intn(3)]
		p := parseMemory(t, memoryPrelude+strings.ReplaceAll(text, "@", ""), kinds...)
		got, reason := askMemory(t, p, false)
		counts[got]++
		ran := ranMemory(t, text)
		// any() may be any number, also where gcc and the machine give 0: a failure need not be among these runs.
		fails := false
		for _, k := range kinds {
			fails = fails || strings.ContainsAny(ran, map[ir.Check]string{ir.CheckMemory: "MFO", ir.CheckLeaks: "L"}[k])
		}
		if got == report.Holds && fails {
			t.Errorf("seed %d, %v: it holds, but runs say %s\n%s", seed, kinds, ran, text)
		}
		if got == report.Unknown {
			t.Logf("seed %d: %s", seed, reason)
		}
	}
	t.Log(counts)
}

// askMemory decides a program. Again: a run is done again, with the values that are told; those of numbers that
// depend on addresses are others.
func askMemory(t *testing.T, p *ir.Program, again bool) (report.Verdict, string) {
	t.Helper()
	e, err := encode.Encode(p, "")
	if encode.IsRecursive(err) {
		if e, err = encode.EncodeApart(context.Background(), p, "", false); err != nil {
			t.Fatal(err)
		}
		r, _, err := ReachRoutines(context.Background(), e, Common, check.Options{Limits: budget.Limits{Time: 3 * time.Second}}, clp.Options{}, safety.AutoIntegers)
		if err != nil {
			t.Fatal(err)
		}
		return r.Results[0].Verdict, fmt.Sprint(r.Results[0].Reason)
	}
	if err != nil {
		return report.Unknown, err.Error()
	}
	r, res, err := ReachC(context.Background(), e, Common, check.Options{}, safety.Options{Engine: armc.Options{MaxQueries: 400}})
	if err != nil {
		t.Fatal(err)
	}
	if again {
		PlainAgain(t, p, r)
	}
	if r.Results[0].Verdict == report.Violated {
		NotProved(t, p, r.Results[0].Formula)
	}
	if r.Results[0].Verdict == report.Holds {
		if err := accepted(t, Common, e, res.Certificate); err != nil {
			t.Fatal(err)
		}
	}
	return r.Results[0].Verdict, fmt.Sprint(r.Results[0].Reason)
}
