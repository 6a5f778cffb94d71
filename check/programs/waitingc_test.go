package programs_test

import (
	"strings"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/source"
)

// TestWaitsInRoutine: a deadlock in a routine whose alternatives are all impossible says so.
func TestWaitsInRoutine(t *testing.T) {
	spec, err := specification.ParseText("w.spec", "W = (when ($1 == 1) return {} -> STOP).\ncproc w { abstract {w1, 1, W}; }\ncprog s = p {}\n")
	if err != nil {
		t.Fatal(err)
	}
	pool := programs.Common
	task := bind.Task{Sources: []*source.File{source.NewFile("w.c", "void w(int k);\nint p(void) { w(0); return 0; }\n")}, Spec: spec, Program: "s", C: cfront.Options{Model: ir.LP64}}
	r, _, err := programs.DeadlockC(t.Context(), &programs.SpecifiedC{Task: task}, pool, check.Options{}, cegar.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := r.Results[0].Counterexample
	if c == nil || len(c.Waiting) != 1 || c.Waiting[0].Routine != "w" || !strings.Contains(c.Note, "p waits in w(): no alternative is possible, w.c:2") {
		t.Errorf("%+v", c)
	}
}
