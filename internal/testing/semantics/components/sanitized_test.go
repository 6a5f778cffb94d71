package components_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/clp"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gcc"
	"github.com/seltl/seltl/internal/testing/semantics/components"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/safety"
	"github.com/seltl/seltl/smt"
)

// runner runs a program on all inputs: each run in a process of its own, which takes inputs from a
// list, and says how many it took. Inputs are 0 to 3, or 0 and 1; lists grow from the left, so that
// every run is done once. It prints how many runs ended how.
const runner = `
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
enum { MOST = 6, RUNS = 1024 };
static struct shared { int taken, most[MOST]; } *shared;
static int list[MOST];
static int next_input(int most) {
    if (shared->taken == MOST) _exit(12);
    shared->most[shared->taken] = most;
    return list[shared->taken++];
}
_Bool any(void) { return next_input(1); }
unsigned char in(void) { return next_input(3); }
void reach_error(void) { _exit(10); }
void __VERIFIER_assume(int ok) { if (!ok) _exit(11); }
int tested(void);
int main(void) {
    int counts[256] = {0}, hung = 0, runs = 0;
    shared = mmap(0, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (;;) {
        shared->taken = 0;
        pid_t child = fork();
        if (!child) { fclose(stderr); ualarm(150000, 0); tested(); _exit(0); }
        int status;
        waitpid(child, &status, 0);
        if (WIFSIGNALED(status)) hung += WTERMSIG(status) == SIGALRM_, counts[9] += WTERMSIG(status) != SIGALRM_ && WTERMSIG(status) != SIGABRT_;
        else counts[WEXITSTATUS(status)]++;
        if (++runs == RUNS) break;
        int k = shared->taken - 1;
        while (k >= 0 && list[k] == shared->most[k]) list[k--] = 0;
        if (k < 0) break;
        list[k]++;
        for (int i = k + 1; i < MOST; i++) list[i] = 0;
    }
    printf("runs %d failed %d exhausted %d mistakes %d hung %d\n", runs, counts[10], counts[12] + (runs == RUNS), counts[99] + counts[9], hung);
    return 0;
}
`

// outcome is what all runs of a program come to.
type outcome struct{ runs, failed, exhausted, mistakes, hung int }

// run compiles a program with sanitizers, and runs it on all inputs.
func run(t *testing.T, text string) (o outcome, err error) {
	t.Helper()
	whole := strings.Replace(text, "int main(void)", "int tested(void)", 1) +
		strings.NewReplacer("SIGALRM_", "14", "SIGABRT_", "6").Replace(runner)
	for _, line := range []string{"void *malloc", "int strcmp"} { // the headers declare them
		whole = strings.Replace(whole, line, "//"+line, 1)
	}
	whole = "#include <stdlib.h>\n#include <string.h>\n#include <alloca.h>\n" + strings.Replace(whole, "void exit(int); void abort(void);", "", 1)
	exe, err := gcc.Build(t.TempDir(), whole, 64, "-O0", "-fwrapv", "-fsanitize=address,undefined", "-fno-sanitize=signed-integer-overflow,shift-base", "-fno-sanitize-recover=all", "-fno-common")
	if err != nil {
		return o, err
	}
	t.Setenv("ASAN_OPTIONS", "exitcode=99:detect_leaks=0:detect_stack_use_after_return=0")
	t.Setenv("UBSAN_OPTIONS", "exitcode=99")
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	_, out, _, err := gcc.Run(ctx, exe)
	if err != nil {
		return o, err
	}
	_, err = fmt.Sscanf(out, "runs %d failed %d exhausted %d mistakes %d hung %d", &o.runs, &o.failed, &o.exhausted, &o.mistakes, &o.hung)
	return o, err
}

// TestSanitized compares reach with what gcc's programs do on all inputs: a proof of a program that
// fails is wrong, and a failure of one that makes no mistake and fails on no input. SELTL_PROGRAMS
// is their number, SELTL_SEED the first seed.
func TestSanitized(t *testing.T) {
	n, seed := number("SELTL_PROGRAMS", soak.Long(20)), uint64(number("SELTL_SEED", 1))
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	counts := map[string]int{}
	for i := range uint64(n) {
		text := components.RandomProgram(rand.New(rand.NewPCG(seed+i, 5)))
		o, err := run(t, text)
		if errors.Is(err, gcc.ErrMissing) {
			t.Skip("SKIPPED: ", err)
		}
		if err != nil {
			counts["gcc: "+string([]rune(err.Error())[:min(300, len(err.Error()))])]++
			continue
		}
		r := rand.New(rand.NewPCG(seed+i, 6))
		how := []safety.Integers{safety.AutoIntegers, safety.AutoIntegers, safety.MachineIntegers}[r.IntN(3)]
		verdict, why := reach(t, pool, text, how)
		kind := "defined"
		switch {
		case o.failed > 0:
			kind = "fails"
		case o.mistakes > 0:
			kind = "mistakes"
		case o.exhausted > 0 || o.hung > 0:
			kind = "open"
		}
		counts[fmt.Sprintf("%s: %s", kind, verdict)]++
		if verdict == report.Unknown {
			counts["unknown: "+string([]rune(why)[:min(70, len([]rune(why)))])]++
		}
		if verdict == report.Holds && kind == "mistakes" {
			t.Logf("seed %d: a proof of a program that makes a mistake", seed+i)
		}
		if verdict == report.Holds && o.failed > 0 || verdict == report.Violated && kind == "defined" {
			t.Errorf("seed %d: %s (%v), and gcc says %+v\n%s", seed+i, verdict, how, o, text)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%6d %s", counts[k], k)
	}
}

// reach is the verdict about a program.
func reach(t *testing.T, pool *smt.Pool, text string, how safety.Integers) (report.Verdict, string) {
	t.Helper()
	p, err := cfront.Parse([]*source.File{source.NewFile("t.c", text)}, cfront.Options{Model: ir.LP64})
	if err != nil {
		return report.Unknown, "refused: " + short(err)
	}
	e, err := encode.Encode(p, "")
	opts := check.Options{Limits: budget.Limits{Time: 5 * time.Second}}
	if encode.IsRecursive(err) {
		if e, err = encode.EncodeApart(context.Background(), p, "main", false); err == nil {
			r, _, err := programs.ReachRoutines(context.Background(), e, pool, opts, clp.Options{}, how)
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			return r.Results[0].Verdict, r.Results[0].Reason
		}
	}
	if err != nil {
		return report.Unknown, "refused: " + err.Error()
	}
	r, _, err := programs.ReachC(context.Background(), e, pool, opts, safety.Options{Integers: how})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return r.Results[0].Verdict, r.Results[0].Reason
}
