package programs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/program/gcl"
	"github.com/seltl/seltl/program/reader"
	"github.com/seltl/seltl/report"
)

// openSystems are the properties of specs/live that are not decided, and why.
var openSystems = map[string]string{
	// Nobody knows.
	"ranking/collatz.gcl ENDS": "it is not known whether",
	// The steps of the clock become smaller: a recurrence set is looked for with one number for
	// each input.
	"ranking/zeno.gcl RINGS": "neither a recurrence set nor a ranking function was found",
}

// TestLiveSystems decides what the systems of specs/live and specs/armc declare.
func TestLiveSystems(t *testing.T) {
	pool := Common
	var files []string
	for _, pattern := range []string{"../../specs/live/*.gcl", "../../specs/live/ranking/*.gcl", "../../specs/armc/*.gcl"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(found), err)
		}
		files = append(files, found...)
	}
	decided, open := 0, map[string]bool{}
	for i, file := range files {
		if testing.Short() && i%10 != 5 { // others take long
			continue
		}
		sys, err := LoadSystem(file, nil)
		if err != nil {
			t.Fatal(err)
		}
		formulas, err := SystemFormulas(sys)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range formulas {
			name := strings.TrimPrefix(strings.TrimPrefix(filepath.ToSlash(file), "../../specs/live/"), "../../specs/") + " " + f.Declared.Name
			r, _, err := VerifySystem(context.Background(), sys, []SystemFormula{f}, pool, check.Verification{}, cegar.Options{Rounds: 40})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			res := &r.Results[0]
			why, undecided := openSystems[name]
			switch {
			case undecided:
				if open[name] = true; res.Verdict != report.Unknown || !strings.Contains(res.Reason, why) {
					t.Errorf("%s is %s (%s), and listed as open: %s", name, res.Verdict, res.Reason, why)
				}
			case res.Verdict == report.Unknown:
				t.Errorf("%s is not decided: %s", name, res.Reason)
			case res.Expected == "":
				t.Errorf("%s: nothing is expected", name)
			case res.Verdict != res.Expected:
				t.Errorf("%s is %s, not %s", name, res.Verdict, res.Expected)
			default:
				decided++
			}
		}
	}
	if len(open) != len(openSystems) && !testing.Short() {
		t.Errorf("of %v only %v were met", openSystems, open)
	}
	t.Logf("%d properties decided, %d open", decided, len(open))
}

// TestLiveProlog asks about the systems of specs/armc whose language declares no properties.
func TestLiveProlog(t *testing.T) {
	pool := Common
	for _, c := range []struct {
		file, formula string
		want          report.Verdict
	}{
		{"inssort.pl", "F deadlock", report.Holds},
		{"inssort.pl", `G("at(entryA2)" -> F ("at(for)" | deadlock))`, report.Holds}, // that I is never -1/2 is another question
		{"fischer.pl", "F deadlock", report.Holds},
		{"coffee.pl", "F deadlock", report.Violated}, // the time goes on
		{"coffee.pl", `G("at(button)" -> F "at(coffee)")`, report.Violated},
		{"bpr.pl", "F deadlock", report.Violated},
	} {
		sys, err := LoadSystem("../../specs/armc/"+c.file, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := verifySystem(t, pool, sys, c.formula, check.Verification{}); got.Verdict != c.want {
			t.Errorf("%s: %s is %s (%s), not %s", c.file, c.formula, got.Verdict, got.Reason, c.want)
		}
	}
}

const someSystem = `var x: int;
var r: real;
input n: int;
const N = 3;
locations a, b, c;
init a when x == 0;
error b when x > N;
up: a -> a when x < 5 do x := x + 1;
over: a -> b when x >= N;
down: b -> b when x > 0 && 0 <= n && n <= 1 do x := x - n;
b -> c when x == 0;
c -> c when r > 0 do r := r - 1.0/2;
`

// TestSystemFormulas: what atoms mean, by verdicts that are known.
func TestSystemFormulas(t *testing.T) {
	pool := Common
	sys, err := gcl.ParseText("some.gcl", someSystem)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		formula string
		opts    check.Verification
		want    report.Verdict
	}{
		{`G("x >= 0")`, check.Verification{}, report.Holds},
		{`G("x <= N + 2")`, check.Verification{}, report.Holds},
		{`G !error`, check.Verification{}, report.Violated},
		{`G(error -> "at(b)" & "x > N")`, check.Verification{}, report.Holds},
		{`G("at(b)" & "x > N" -> error)`, check.Verification{}, report.Holds},
		{`G(over -> X "at( b )")`, check.Verification{}, report.Holds},
		{`X X X over`, check.Verification{}, report.Violated},
		{`F over`, check.Verification{}, report.Holds},
		{`F "at(c)"`, check.Verification{}, report.Violated}, // n may be 0 for ever
		{`G F down | F "at(c)"`, check.Verification{}, report.Holds},
		{`F deadlock`, check.Verification{}, report.Violated},
		{`G("at(c)" -> F deadlock)`, check.Verification{}, report.Holds},
		{`G(deadlock -> "at(c)" & "r <= 0")`, check.Verification{}, report.Holds},
		{`G(enabled(down) <-> "at(b)" & "x > 0")`, check.Verification{}, report.Holds},
		{`G(enabled(over) -> over)`, check.Verification{}, report.Violated},
		{`false`, check.Verification{Finite: product.IgnoreRuns}, report.Violated},
		{`F "at(c)" -> false`, check.Verification{Finite: product.IgnoreRuns}, report.Holds}, // who comes to c ends
		{`G("at(b)" & "x == 0" -> X "at(c)")`, check.Verification{}, report.Holds},
	} {
		if soak.Thin(i) {
			continue
		}
		if got := verifySystem(t, pool, sys, c.formula, c.opts); got.Verdict != c.want {
			t.Errorf("%s is %s (%s), not %s", c.formula, got.Verdict, got.Reason, c.want)
		}
	}
}

// TestSystemMessages: what is said of texts that are wrong.
func TestSystemMessages(t *testing.T) {
	pool := Common
	sys, err := gcl.ParseText("some.gcl", someSystem)
	if err != nil {
		t.Fatal(err)
	}
	for formula, want := range map[string]string{
		`G "at(d)"`:       `did you mean "at(a)"?`,
		`G "at(nowhere)"`: `there is no location "nowhere"`,
		`G "x"`:           "compare it with something",
		`G "x >"`:         "found end of text",
		`G "y > 1"`:       "y",
		`G x > 1`:         "x > 1",
		`G uq`:            `"up"`,
		`G tau`:           "tau",
		`G "n > 0"`:       "n", // an input is none of the state
		`G a`:             `"at(a)"`,
		`G enabled(nn)`:   "nn",
	} {
		src := source.NewFile("<formula>", formula)
		_, _, err := VerifySystem(context.Background(), sys, []SystemFormula{{At: src.Span(0, len(formula))}}, pool, check.Verification{}, cegar.Options{})
		var list source.List
		switch {
		case err == nil:
			t.Errorf("%s is read", formula)
		case errors.As(err, &list):
			var b strings.Builder
			list.Render(&b)
			if text := b.String(); !strings.Contains(text, want) {
				t.Errorf("%s: %s\n not %q", formula, text, want)
			}
		case !strings.Contains(err.Error(), want):
			t.Errorf("%s: %v, not %q", formula, err, want)
		}
	}
}

// TestSystemDivision: nothing holds by a run that divides by zero, and none of it is shown.
func TestSystemDivision(t *testing.T) {
	pool := Common
	for _, c := range []struct {
		init, formula string
		want          report.Verdict
	}{
		{"y == 2", `G "x >= 0"`, report.Holds},
		{"true", `G "x >= 0"`, report.Unknown},
		{"true", `F "at(b)"`, report.Unknown},
		{"y == 1", `F "10/y == 3"`, report.Violated},
		{"true", `G "10/y < 11"`, report.Unknown},
	} {
		sys, err := gcl.ParseText("d.gcl", "var x, y: int;\nlocations a, b;\ninit a when x == 8 && "+c.init+";\na -> b when y >= 0 && x/y >= 0 do x := x/y;\n")
		if err != nil {
			t.Fatal(err)
		}
		if got := verifySystem(t, pool, sys, c.formula, check.Verification{}); got.Verdict != c.want && !(c.init == "true" && got.Verdict == report.Violated) {
			t.Errorf("init %s, %s: %s (%s), not %s", c.init, c.formula, got.Verdict, got.Reason, c.want)
		}
	}
}

// TestSystemRefused: systems that cannot be asked about, and limits.
func TestSystemRefused(t *testing.T) {
	pool := Common
	for text, want := range map[string]string{
		"fun f(int): int;\nvar x: int;\nlocations a;\ninit a;\na -> a when f(x) > 0;\n": "unknown function (f)",
		"var x: int;\nlocations a;\ninit a when x > 0 && x < 1;\na -> a;\n":             "no initial state",
		"var x: int;\nlocations a;\ninit a when x > 0;\na -> a when x > 0;\n":           "",
	} {
		sys, err := gcl.ParseText("r.gcl", text)
		if err != nil {
			t.Fatal(err)
		}
		src := source.NewFile("<formula>", "G F deadlock")
		_, _, err = VerifySystem(context.Background(), sys, []SystemFormula{{At: src.Span(0, 12)}}, pool, check.Verification{}, cegar.Options{})
		var input *check.InputError
		if want == "" && err != nil || want != "" && (!errors.As(err, &input) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, not %q", text, err, want)
		}
	}
	text, err := os.ReadFile("../../specs/live/ranking/collatz.gcl")
	if err != nil {
		t.Fatal(err)
	}
	sys, err := reader.ParseText("collatz.gcl", string(text))
	if err != nil {
		t.Fatal(err)
	}
	formulas, _ := SystemFormulas(sys)
	r, _, err := VerifySystem(context.Background(), sys, formulas, pool, check.Verification{Options: check.Options{Limits: budget.Limits{Time: time.Millisecond}}}, cegar.Options{})
	if err != nil || r.Results[0].Verdict != report.Unknown || !strings.Contains(r.Results[0].Reason, "time") {
		t.Errorf("%+v, %v", r, err)
	}
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	r, _, err = VerifySystem(stopped, sys, formulas, pool, check.Verification{}, cegar.Options{})
	if err != nil || r.Exit != report.ExitInterrupted {
		t.Errorf("%+v, %v", r, err)
	}
}
