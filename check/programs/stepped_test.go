package programs_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/check/sim"
	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// steppedAgain loads the counterexample of a result into a session, after a way through JSON, and
// takes every step of it: what is done is what the report tells, line by line, and round a loop
// once more.
func steppedAgain(t *testing.T, name string, c *programs.SteppedC, res *report.Result) {
	t.Helper()
	if res.Counterexample == nil {
		return
	}
	var b bytes.Buffer
	one := &report.Report{Command: "test", Results: []report.Result{*res}}
	if err := one.JSON(&b); err != nil {
		t.Fatal(err)
	}
	read, err := sim.ReadTrace(&b, "")
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	session, err := sim.NewProgram(t.Context(), c, sim.Options{Checkpoints: 2})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	run := read.Result.Counterexample
	if err := session.Load(run); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	var done []report.Step
	positions := []*sim.Position{session.Now()}
	for session.Now().Ahead > 0 {
		if err := session.Redo(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		now := session.Now()
		done, positions = append(done, now.Program.By...), append(positions, now)
	}
	again := rand.New(rand.NewPCG(uint64(len(positions)), 0)) // where few states are kept of all
	for range 3 {
		n := again.IntN(len(positions))
		if err := session.Jump(n); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(positions[n], session.Now(), cmpopts.IgnoreUnexported(sim.Choice{})); diff != "" {
			t.Fatalf("%s: state %d at first (-) and again (+):\n%s", name, n, diff)
		}
	}
	if err := session.Jump(len(positions) - 1); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for i := range done {
		done[i].Returns = nil // which only sessions tell
	}
	if diff := cmp.Diff(slices.Concat(run.Stem, run.Loop), done); diff != "" {
		t.Errorf("%s: told (-) and done (+):\n%s", name, diff)
	}
	for range session.Len() {
		if len(run.Loop) == 0 {
			break
		}
		if err := session.Redo(); err != nil {
			t.Errorf("%s: once more round the loop: %v", name, err)
			break
		}
	}
	if res.Kind == "ltl" {
		for _, p := range session.Properties() {
			if p.Verdict != sim.Violated && p.Lasso != sim.Violated {
				t.Errorf("%s: %s is %s, %s on the loop, after the run that violates it", name, p.Formula, p.Verdict, p.Lasso)
			}
		}
	}
}

// specifiedAgain is steppedAgain for a question about a specification.
func specifiedAgain(t *testing.T, name string, pool *smt.Pool, task bind.Task, formulas []programs.FormulaC, res *report.Result) {
	t.Helper()
	if res.Counterexample == nil {
		return
	}
	if res.Kind == "conform" {
		task.Abstraction = res.Name
	}
	c, err := programs.StepSpecifiedC(t.Context(), task, formulas, pool)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	steppedAgain(t, name, c, res)
}

// neverViolated walks at random through a program that satisfies a formula, or cannot get stuck
// (no formulas): no walk violates it, or gets stuck.
func neverViolated(t *testing.T, name string, pool *smt.Pool, task bind.Task, formulas []programs.FormulaC, res *report.Result) {
	t.Helper()
	if res.Verdict != report.Holds || strings.Contains(name, "__VERIFIER_assume") {
		return // an assumption that fails later undoes what a walk has shown
	}
	c, err := programs.StepSpecifiedC(t.Context(), task, formulas, pool)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for seed := range soak.Cases(uint64(2)) {
		session, err := sim.NewProgram(t.Context(), c, sim.Options{Seed: seed})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for range 60 {
			_, err := session.Random(t.Context(), 1)
			if now := session.Now(); now.End == "deadlock" && len(formulas) == 0 {
				t.Errorf("%s: seed %d gets stuck after %d steps: %v", name, seed, now.Step, now.Program.Why)
				return
			}
			for _, p := range session.Properties() {
				if p.Verdict == sim.Violated {
					t.Errorf("%s: seed %d violates %s in %d steps", name, seed, p.Formula, p.Since)
					return
				}
			}
			if err != nil {
				break
			}
		}
	}
}

func init() { programs.PlainAgain = plainAgain }

// plainAgain is steppedAgain for a program on its own.
func plainAgain(t *testing.T, p *ir.Program, r *report.Report) {
	t.Helper()
	c, err := programs.StepC(p, []string{p.Name}, cfront.Options{Entry: "main"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Results {
		steppedAgain(t, p.Name, c, &r.Results[i])
	}
}
