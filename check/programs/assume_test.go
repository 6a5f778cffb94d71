package programs_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
)

const assumeC = `
void lock(void); void unlock(void); void wait_lock(void); void wait_unlock(void);
int choice(void);
void __VERIFIER_assume(int);
void mutex(void) { while (1) { wait_lock(); wait_unlock(); } }
void keeps(void) { lock(); __VERIFIER_assume(0); }
void kept(void) { lock(); }
void loops(void) { while (1) { lock(); unlock(); __VERIFIER_assume(0); } }
void twice(void) { int x = choice(); __VERIFIER_assume(x > 5); lock(); if (x > 6) lock(); unlock(); while (1) { lock(); unlock(); } }
void never_twice(void) { int x = choice(); __VERIFIER_assume(x > 5); lock(); if (x < 5) lock(); unlock(); while (1) { lock(); unlock(); } }
void late(void) { int x = choice(); lock(); if (x > 5) lock(); unlock(); while (1) { lock(); unlock(); __VERIFIER_assume(x > 3); } }
`

const assumeSpec = `
LOCK = (lock -> return {} -> STOP).
UNLOCK = (unlock -> return {} -> STOP).
cproc lock { abstract {lock_abs, 1, LOCK}; }
cproc wait_lock { abstract {wait_lock_abs, 1, LOCK}; }
cproc unlock { abstract {unlock_abs, 1, UNLOCK}; }
cproc wait_unlock { abstract {wait_unlock_abs, 1, UNLOCK}; }
cproc keeps { alphabet {unlock}; }
cproc kept { alphabet {unlock}; }
cprog assumed = keeps, mutex { ltl ENDS = F "keeps::return"; ltl LOCKS = F lock; }  // expect: no deadlock
cprog ended = kept, mutex { ltl ENDS = F "kept::return"; ltl AGAIN = G F lock; }  // expect: deadlock
cprog cyclic = loops, mutex { ltl NEVER = G !lock; ltl ONCE = G(unlock -> X G !unlock); }  // expect: no deadlock
cprog found = twice, mutex {}  // expect: deadlock
cprog excluded = never_twice, mutex { ltl AGAIN = G(lock -> F unlock); }  // expect: no deadlock
cprog before = late, mutex {}  // expect: deadlock
`

// TestFailedAssumptions: a run in which an assumption fails does not exist. It is no deadlock, also
// where others wait for the component for ever, no end, and violates nothing; runs in which all
// hold are what they are.
func TestFailedAssumptions(t *testing.T) {
	dir := t.TempDir()
	program, spec := filepath.Join(dir, "p.c"), filepath.Join(dir, "p.spec")
	for name, text := range map[string]string{program: assumeC, spec: assumeSpec} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	pool := programs.Common
	for _, levels := range []cegar.Levels{cegar.OneLevel, cegar.TwoLevels} {
		if testing.Short() && levels == cegar.TwoLevels {
			continue
		}
		for _, name := range []string{"assumed", "ended", "cyclic", "found", "excluded", "before"} {
			r, res := deadlockC(t, pool, program, spec, name, nil, cegar.Options{Levels: levels})
			if r.AsExpected == nil || !*r.AsExpected {
				t.Errorf("%s, levels %v: %v %s, expected %v", name, levels, r.Verdict, r.Reason, r.Expected)
			}
			if name == "found" && res.Deadlock == nil {
				t.Errorf("%s: there is no run", name)
			}
		}
	}
	file, err := programs.LoadSpec(spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	src, err := check.ReadSource(program, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]report.Verdict{
		// No run of keeps goes on, and none of loops: all of them hold for want of runs.
		"assumed ENDS": report.Holds, "assumed LOCKS": report.Holds, "cyclic NEVER": report.Holds, "cyclic ONCE": report.Holds,
		"ended ENDS": report.Holds, "ended AGAIN": report.Violated, "excluded AGAIN": report.Holds,
	} {
		var program, property string
		for i := range name {
			if name[i] == ' ' {
				program, property = name[:i], name[i+1:]
			}
		}
		formulas, err := programs.PropertiesC(file, program, property)
		if err != nil {
			t.Fatal(err)
		}
		q := &programs.SpecifiedC{Task: bind.Task{Sources: []*source.File{src}, Spec: file, Program: program, C: cfront.Options{Model: ir.LP64}}}
		r, _, err := programs.VerifyC(context.Background(), q, formulas, pool, check.Verification{Finite: product.StutterRuns}, cegar.Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, render(err))
		}
		if got := r.Results[0]; got.Verdict != want {
			t.Errorf("%s: %v (%s), not %v", name, got.Verdict, got.Reason, want)
		}
	}
}
