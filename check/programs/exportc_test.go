package programs

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/program/reader"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/safety"
	"github.com/seltl/seltl/smt"
)

// TestExportedC: Spacer on the clauses that are written, and seltl on clauses and guarded
// commands when it reads them again, decide as is known. What leaves the model is an error.
func TestExportedC(t *testing.T) {
	pool := Common
	agreed := map[string]int{}
	for i, c := range []struct {
		body          string
		math, machine bool // no error can be reached
	}{
		{"int i, n = 0; for (i = 0; i < 10; i++) n += 2; if (n != 20) reach_error();", true, true},
		{"int i, n = 0; for (i = 0; i < 10; i++) n += 2; if (n == 20) reach_error();", false, false},
		{"int x = any(); if (x > 0 && x + 2 < 0) reach_error();", true, false},
		{"unsigned u = any(); if (u < 100 && u + 1 < u) reach_error();", true, true},
		{"int a[3], i = any(); if (i >= 0 && i < 3) { a[i] = 1; if (a[i] != 1) reach_error(); }", true, true},
		{"int a[3], i = any(); a[i] = 1;", false, false},
		{"int g = 0, h = 0, *p = any() ? &g : &h; *p = 1; if (g + h != 1) reach_error();", true, true},
		{"int x = any(), y = x; while (any()) { x++; y++; } if (x != y) reach_error();", true, true},
	} {
		e := encodeC(t, "int main(void) { "+c.body+" return 0; }")
		for how, safe := range map[safety.Integers]bool{safety.MathIntegers: c.math, safety.MachineIntegers: c.machine} {
			for _, blocks := range []armc.Encoding{armc.Small, armc.Spliced, armc.Large} {
				if soak.Skip(i*6 + int(how)*3 + int(blocks)) {
					continue
				}
				name := fmt.Sprintf("%s\n%v %v", c.body, how, blocks)
				sys := ExportedC(e, how, blocks)
				var smt2, commands strings.Builder
				if err := WriteClauses(&smt2, sys); err != nil {
					t.Fatal(name, err)
				}
				if err := WriteGCL(&commands, sys); err != nil {
					t.Fatal(name, err)
				}
				agree := func(by string, known, verdict bool) {
					if known && verdict != safe {
						t.Errorf("%s: %s says safe=%v", name, by, verdict)
					}
					if known {
						agreed[by]++
					}
				}
				status := spacerOn(t, pool, smt2.String())
				agree("spacer", status != smt.Unknown, status == smt.Sat)
				for file, text := range map[string]string{"p.smt2": smt2.String(), "p.gcl": commands.String()} {
					back, err := reader.ParseText(file, text)
					if err != nil {
						t.Fatal(name, err)
					}
					r, _, err := Reach(context.Background(), back, pool, check.Options{}, armc.Options{MaxQueries: 2000})
					if err != nil {
						t.Fatal(name, err)
					}
					v := r.Results[0].Verdict
					agree(file, v != report.Unknown, v == report.Holds)
				}
			}
		}
	}
	t.Log(agreed)
	for _, by := range []string{"spacer", "p.smt2", "p.gcl"} {
		if agreed[by] < 2 {
			t.Errorf("%s decided %d", by, agreed[by])
		}
	}
}

// spacerOn asks Z3 about clauses, with a bound on its work.
func spacerOn(t *testing.T, pool *smt.Pool, text string) smt.Status {
	t.Helper()
	p, err := horn.ParseText("p.smt2", text)
	if err != nil {
		t.Fatal(err)
	}
	solver, err := pool.Acquire(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Release(solver)
	work := uint64(150_000)
	if soak.On() {
		work = 1_500_000
	}
	res, err := solver.Horn(context.Background(), p, work)
	if err != nil {
		t.Fatal(err)
	}
	return res.Status
}
