package programs_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/checks"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/internal/c/witnessed"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/svcomp"
	"github.com/seltl/seltl/report"
)

// validate validates a witness whose content is written short: a line a waypoint, TYPE ACTION LINE:COLUMN CONSTRAINT, a
// blank line between segments; or an invariant, TYPE LINE:COLUMN EXPRESSION.
func validate(t *testing.T, program, property, content string) (*report.Report, error) {
	t.Helper()
	src := source.NewFile("p.c", program)
	var b strings.Builder
	kind, place := "invariant_set", func(at string) string {
		line, column, _ := strings.Cut(at, ":")
		if column != "" {
			column = ", column: " + column
		}
		return fmt.Sprintf("{file_name: p.c, line: %s%s}", line, column)
	}
	segment := false
	for line := range strings.Lines(content) {
		words := strings.SplitN(strings.TrimSpace(line), " ", 4)
		switch {
		case words[0] == "":
			segment = false
		case strings.HasSuffix(words[0], "invariant"):
			fmt.Fprintf(&b, "    - invariant: {type: %s, location: %s, value: %q, format: c_expression}\n", words[0], place(words[1]), strings.Join(words[2:], " "))
		default:
			kind = "violation_sequence"
			if !segment {
				b.WriteString("    - segment:\n")
			}
			constraint := ""
			if len(words) > 3 {
				constraint = fmt.Sprintf(", constraint: {value: %q}", words[3])
			}
			fmt.Fprintf(&b, "      - waypoint: {type: %s, action: %s, location: %s%s}\n", words[0], words[1], place(words[2]), constraint)
			segment = true
		}
	}
	text := fmt.Sprintf(`- entry_type: %s
  metadata: {format_version: "2.0", task: {input_files: [p.c], input_file_hashes: {p.c: %s}, specification: "%s", data_model: LP64, language: C}}
  content:
%s`, kind, witnessed.Hash(src), property, b.String())
	if b.Len() == 0 {
		text = strings.TrimSuffix(text, "\n") + " []\n"
	}
	w, err := svcomp.ParseWitness(source.NewFile("w.yml", text))
	if err != nil {
		return nil, err
	}
	return programs.ValidateC(context.Background(), &programs.WitnessC{Name: "w.yml", Witness: w, Sources: []*source.File{src}, Options: cfront.Options{}}, check.Options{})
}

const unreach, noOverflow = "G ! call(reach_error())", "G ! overflow"

// TestValidateInvariants: where invariants stand, and what they say there.
func TestValidateInvariants(t *testing.T) {
	const loops = `int in(void); void reach_error(void) {}
int g;
int main(void) {
  int n = in(), i = 0;
  if (n < 1 || n > 9) return 0;
  while (i < n)
    i++;
  for (int k = 0; k < n; k++) g = k;
  do { i--; } while (i > 0);
  for (;;) { if (i++ == 5) break; }
  if (i != 6) reach_error();
  return 0;
}
`
	for _, c := range []struct {
		content string
		want    report.Verdict
	}{
		{"", report.Holds},
		{"loop_invariant 6:3 0 <= i && i <= n", report.Holds},
		{"loop_invariant 6:3 i < n", report.Violated}, // not when it ends
		{"loop_invariant 6 i <= n", report.Holds},
		{"location_invariant 7:5 i < n", report.Holds}, // in the body, without braces
		{"location_invariant 7:5 i < n - 1", report.Violated},
		{"location_invariant 6:3 i == 0", report.Holds}, // before the loop, once
		{"loop_invariant 6:3 i == 0", report.Violated},
		{"loop_invariant 8:3 k <= n && g <= n", report.Holds}, // k is the loop's own
		{"loop_invariant 8:3 k < n", report.Violated},
		{"loop_invariant 9:3 i >= 0 && i < n", report.Holds}, // at the end of the body
		{"loop_invariant 9:3 i >= 1", report.Violated},
		{"loop_invariant 10:3 i >= 0 && i <= 5", report.Holds},
		{"loop_invariant 10:3 i >= 0 && i <= 4", report.Violated},
		{"location_invariant 11:3 i == 6", report.Holds},
		{"location_invariant 4:3 g == 0", report.Holds}, // before a declaration
		{"loop_invariant 6:3 i <= n\nlocation_invariant 11:3 i == 7\nloop_invariant 8:3 k <= 3", report.Violated},
	} {
		r, err := validate(t, loops, unreach, c.content)
		if err != nil || r.Results[0].Verdict != c.want || r.Exit != c.want.Exit() {
			t.Errorf("%s: %v, %+v", c.content, err, r)
		}
		if err == nil && strings.Contains(c.content, "k <= 3") { // both that do not hold are told
			if note := r.Results[0].Note; !strings.Contains(note, "i == 7 does not hold") || !strings.Contains(note, "k <= 3 does not hold") || strings.Contains(note, "i <= n does") {
				t.Errorf("%s", note)
			}
		}
	}
	for content, message := range map[string]string{
		"loop_invariant 7:5 i < n":        "no loop here",
		"location_invariant 7:6 1":        "no statement begins here",
		"loop_invariant 60:1 1":           "no loop here",
		"loop_invariant 6:3 x == 0":       "in this expression",
		"loop_invariant 6:3 i = 0":        "changes something",
		"loop_invariant 6:3 in() == 0":    "is called",
		"loop_invariant 6:3 1)); g = ((1": "closes nothing",
		"loop_invariant 6:3 i == 0) + (1": "closes nothing",
	} {
		if r, err := validate(t, loops, unreach, content); err == nil || !strings.Contains(err.Error(), message) || !strings.Contains(err.Error(), "w.yml:") {
			t.Errorf("%s: %v, %v", content, r, err)
		}
	}
	// The property, too, has to hold, and what an invariant says must have a value.
	r, err := validate(t, strings.Replace(loops, "i != 6", "i == 6", 1), unreach, "loop_invariant 6:3 i <= n")
	if err != nil || r.Results[0].Verdict != report.Violated || !strings.Contains(r.Results[0].Note, "the property does not hold") {
		t.Errorf("%v, %+v", err, r)
	}
	r, err = validate(t, loops, noOverflow, "loop_invariant 6:3 i + 2147483647 > 0 || 1")
	if err != nil || r.Results[0].Verdict != report.Violated || !strings.Contains(r.Results[0].Note, "does not fit int") {
		t.Errorf("%v, %+v", err, r)
	}
	// What a witness says changes nothing, and ends nothing.
	tricky := "#define RESET (g = 0)\n#define DEEP RESET\n#define SIX 6\nvoid reach_error(void) {}\nint g, *p;\nint main(void) {\n  g = SIX;\n  if (g == 6) reach_error();\n}\n"
	for _, content := range []string{"location_invariant 8:3 RESET == 0", "location_invariant 8:3 DEEP == 0"} {
		if r, err := validate(t, tricky, unreach, content); err == nil || !strings.Contains(err.Error(), "changes something") {
			t.Errorf("%s: %v, %+v", content, err, r)
		}
	}
	for content, note := range map[string]string{"location_invariant 7:3 *p == 0 || 1": "null pointer", "location_invariant 7:3 p[1] == 0 || 1": "null", "location_invariant 8:3 g == SIX": "the property does not hold"} {
		if r, err := validate(t, tricky, unreach, content); err != nil || r.Results[0].Verdict != report.Violated || !strings.Contains(r.Results[0].Note, note) {
			t.Errorf("%s: %v, %+v", content, err, r)
		}
	}
	shadow := "void reach_error(void) {}\nint main(void) { int i = 7;\n  for (int i = 0; i < 3; i++) ;\n  return i; }\n"
	if r, err := validate(t, shadow, unreach, "loop_invariant 3:3 i < 4"); err == nil || !strings.Contains(err.Error(), "not clear") {
		t.Errorf("%v, %v", r, err)
	}
}

// TestValidateWaypoints: which runs pass which waypoints.
func TestValidateWaypoints(t *testing.T) {
	const program = `int in(void); void reach_error(void) {}
int twice(int x) { return 2 * x; }
void nothing(void) {}
int main(void) {
  int a = in(), b = in();
  if (a > 5)
    b = 3;
  else b = b > 0 ? 1 : 2;
  while (a > 0 && a < 100) a--;
  nothing();
  int c = twice(b);
  switch (b) { case 1: c = 10; break; case 2: c++; break; default: c--; }
  for (;;) { if (c > 0) break; }
  if (a == 0 && c == 5) reach_error();
  reach_error();
  return 0;
}
`
	for _, c := range []struct {
		content string
		want    report.Verdict
	}{
		{"target follow 15:3", report.Holds},
		{"target follow 14:25", report.Holds}, // after b = 2 or 3
		{"target follow 14", report.Holds},
		{"target follow 13:3", report.Violated},                                                              // which is none
		{"branching follow 6:3 true\n\ntarget follow 14:25", report.Holds},                                   // b = 3, c = 5
		{"branching follow 6:3 false\n\ntarget follow 14:25", report.Holds},                                  // b = 2, c = 5
		{"branching follow 6:3 false\n\nbranching follow 8:18 true\n\ntarget follow 14:25", report.Violated}, // b = 1, c = 10
		{"branching follow 6:3 false\n\nbranching follow 8:18 true\n\ntarget follow 15:3", report.Holds},
		{"branching follow 6:3 true\n\nbranching follow 8:18 true\n\ntarget follow 15:3", report.Violated}, // not both
		{"branching follow 9:3 true\n\nbranching follow 9:3 true\n\nbranching follow 9:3 false\n\ntarget follow 15:3", report.Holds},
		{"branching follow 9:3 false\n\nbranching follow 9:3 true\n\ntarget follow 15:3", report.Violated},
		{"branching avoid 9:3 true\nbranching follow 9:3 false\n\ntarget follow 15:3", report.Holds},
		{"branching avoid 9:3 true\nbranching follow 9:3 false\n\ntarget follow 14:25", report.Holds}, // a is 0
		{"branching avoid 6:3 true\nbranching avoid 9:3 true\nbranching follow 9:3 false\n\nassumption follow 10:3 a < 0\n\ntarget follow 14:25", report.Violated},
		{"assumption follow 6:3 a == 77\n\ntarget follow 14:25", report.Holds},
		{"assumption follow 6:3 a == 77\n\ntarget follow 15:3", report.Violated},
		{"assumption follow 7:5 a == 5\n\ntarget follow 15:3", report.Violated}, // in the branch of a > 5
		{"assumption follow 7:5 a == 6\n\ntarget follow 14:25", report.Holds},
		{"assumption follow 9:3 a == 7\n\nassumption follow 9:3 a == 6\n\ntarget follow 14:25", report.Holds},                                // at each test
		{"assumption follow 9:3 a == 7\n\nassumption follow 9:3 a == 3\n\ntarget follow 14:25", report.Violated},                             // not at the next one
		{"branching follow 9:3 false\n\nassumption follow 10:3 a == 0\n\nassumption avoid 14:3 b < 3\ntarget follow 14:25", report.Violated}, // a is 0 at once, and b < 3
		{"assumption follow 9:3 a == 3\n\nassumption follow 9:3 a == 7\n\ntarget follow 14:25", report.Violated},
		{"function_return follow 5:14 \\result == 4\n\nfunction_return follow 5:24 \\result == -1\n\ntarget follow 14:25", report.Holds},
		{"function_return follow 5:14 \\result == 4\n\nfunction_return follow 5:24 \\result > 0\n\ntarget follow 14:25", report.Violated},
		{"function_return follow 5:24 \\result == 4\n\nfunction_return follow 5:14 \\result == 4\n\ntarget follow 15:3", report.Violated}, // in this order
		{"function_return follow 11:18 \\result == 4\n\ntarget follow 14:25", report.Holds},
		{"function_return follow 11:18 \\result == 2\n\ntarget follow 14:25", report.Violated},
		{"function_return follow 11:11 \\result == 4\n\ntarget follow 14:25", report.Holds}, // some say where it begins
		{"function_enter follow 10:11\n\ntarget follow 15:3", report.Holds},
		{"function_enter avoid 10:11\ntarget follow 15:3", report.Violated},
		{"function_enter follow 11:18\n\nfunction_enter follow 10:11\n\ntarget follow 15:3", report.Violated},
		{"function_enter follow 10:11\n\nfunction_return follow 10:11\n\nfunction_enter follow 11:18\n\nfunction_return follow 11:18 \\result != 7\n\ntarget follow 15:3", report.Holds},
		{"branching follow 12:3 1\n\ntarget follow 15:3", report.Holds},
		{"branching follow 12:3 1\n\ntarget follow 14:25", report.Violated},
		{"branching follow 12:3 default\n\ntarget follow 14:25", report.Holds},
		{"branching avoid 12:3 default\nbranching follow 12:3 2\n\ntarget follow 14:25", report.Holds},
		{"branching follow 13:3 true\n\ntarget follow 15:3", report.Holds},
		{"branching follow 13:3 true\n\nassumption follow 13:14 c == 10\n\ntarget follow 15:3", report.Holds},
		{"branching follow 13:3 false\n\ntarget follow 15:3", report.Violated},
	} {
		r, err := validate(t, program, unreach, c.content)
		if err != nil || r.Results[0].Verdict != c.want {
			t.Errorf("%s\n%v, %+v", c.content, err, r)
			continue
		}
		if run := r.Results[0].Counterexample; (run != nil) != (c.want == report.Holds) {
			t.Errorf("%s: the run is %v", c.content, run)
		} else if run != nil {
			text := fmt.Sprintf("%+v", run)
			if n := strings.Count(c.content, "follow") - 1; n > 0 && !strings.Contains(text, fmt.Sprintf("waypoint %d of %d", n, n)) || strings.Contains(text, "__seltl") {
				t.Errorf("%s: %s", c.content, text)
			}
		}
	}
	for content, message := range map[string]string{
		"branching follow 7:5 true\n\ntarget follow 15:3":                  "nothing branches here",
		"branching follow 6:3 1\n\ntarget follow 15:3":                     "true and false",
		"branching follow 12:3 9\n\ntarget follow 15:3":                    "no case",
		"function_return follow 5:20 \\result == 1\n\ntarget follow 15:3":  "no call ends here",
		"function_return follow 10:11 \\result == 1\n\ntarget follow 15:3": "returns nothing",
		"function_return follow 11:18 x == 1\n\ntarget follow 15:3":        "\\result",
		"assumption follow 6:3 a = 1\n\ntarget follow 15:3":                "changes",
		"assumption follow 6:3 z == 1\n\ntarget follow 15:3":               "in this expression",
		"target follow 15:99": "no such place",
	} {
		if r, err := validate(t, program, unreach, content); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%s: %v, %v", content, r, err)
		}
	}
}

// TestValidateOverflow: the statement of the target is where it overflows.
func TestValidateOverflow(t *testing.T) {
	const program = `int in(void); void reach_error(void) {}
int main(void) {
  int a = in(), b = in();
  if (a > 0) {
    a = a + b;
    b = a << 30;
  }
  reach_error();
}
`
	for content, want := range map[string]report.Verdict{
		"target follow 5:5": report.Holds,
		"target follow 6:5": report.Holds,
		"target follow 8:3": report.Violated, // which is asked about by another property
		"function_return follow 3:14 \\result == 4\n\nfunction_return follow 3:24 \\result == 2147483645\n\ntarget follow 5:5": report.Holds,
		"function_return follow 3:14 \\result == 4\n\nfunction_return follow 3:24 \\result == 2147483643\n\ntarget follow 5:5": report.Violated,
		"function_return follow 3:14 \\result == 1\n\nfunction_return follow 3:24 \\result == 0\n\ntarget follow 6:5":          report.Violated,
	} {
		r, err := validate(t, program, noOverflow, content)
		if err != nil || r.Results[0].Verdict != want {
			t.Errorf("%s: %v, %+v", content, err, r)
		}
	}
	r, err := validate(t, program, "F end", "target follow 5:5")
	if err != nil || r.Results[0].Verdict != report.Unknown || !strings.Contains(r.Results[0].Reason, "termination") {
		t.Errorf("%v, %+v", err, r)
	}
}

// TestProperties: of one program each question is about its failures alone.
func TestProperties(t *testing.T) {
	const program = `#include <assert.h>
int in(void), n; void reach_error(void) { assert(0); }
int main(void) {
  int a = in();
  if (a == 1) reach_error();
  if (a == 2) { ERROR: return 1; }
  if (a == 3) assert(a == 4);
  if (a == 2147483640) a = a + in();
  return 1 << 31;
}
`
	for property, line := range map[string]int{
		unreach: 5, "G ! label(ERROR)": 6, "G ! call(__assert_fail())": 7, noOverflow: 8, "G ! call(nobody())": 0,
	} {
		p := svcomp.Of("main", property)
		q, err := programs.Question(p)
		if err != nil {
			t.Fatal(err)
		}
		content := fmt.Sprintf("target follow %d", max(line, 1))
		want := report.Holds
		if line == 0 {
			want = report.Violated
		}
		r, err := validate(t, program, property, content)
		if err != nil || r.Results[0].Verdict != want {
			t.Errorf("%s: %v, %+v", property, err, r)
		}
		for other := 5; other <= 8; other++ { // no other line is at fault
			if r, err := validate(t, program, property, fmt.Sprintf("target follow %d", other)); other != line && (err != nil || r.Results[0].Verdict != report.Violated) {
				t.Errorf("%s in line %d: %v, %+v", property, other, err, r)
			}
		}
		prog, err := cfront.Parse([]*source.File{source.NewFile("p.c", program)}, cfront.Options{Failures: q.Failures})
		if err != nil {
			t.Fatal(err)
		}
		checks.Add(prog, q.Checks)
		checks.AddAt(prog, []ir.Check{ir.CheckNull}, func(at ir.Span) bool { return at.Start%2 == 0 })
		prog.FailOnly(func(f *ir.Fail) bool { return f.Span.Start%3 > 0 }, nil, 0)
		prog.FailOnly(func(*ir.Fail) bool { return true }, prog.Globals[slices.IndexFunc(prog.Globals, func(v *ir.Var) bool { return v.Name == "n" })], 3)
		if err := prog.Verify(); err != nil {
			t.Errorf("%s: %v", property, err)
		}
	}
	for _, k := range svcomp.Kinds() {
		_, err := programs.Question(svcomp.Named(string(k)))
		var outside interface{ Error() string }
		if err != nil && (!errors.As(err, &outside) || !strings.Contains(err.Error(), string(k))) {
			t.Errorf("%s: %v", k, err)
		}
	}
}
