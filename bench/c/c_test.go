package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seltl/seltl/bench/internal/decide"
)

func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestTasksIn: what a table or the names of files say is found.
func TestTasksIn(t *testing.T) {
	dir := write(t, map[string]string{"reference.csv": "category,file,tier,expected,lines,cpachecker_1_1_cpu_s\na,x.c,1,true,3,1.5\na,y.i,1,false,3,\n"})
	tasks, err := tasksIn(dir)
	if err != nil || len(tasks) != 2 || tasks[0].Name != "a/x.c" || tasks[0].expect != "safe" || tasks[0].recorded != 1.5 || tasks[1].expect != "unsafe" || tasks[1].category() != "a" {
		t.Errorf("%+v, %v", tasks, err)
	}
	dir = write(t, map[string]string{"a_true.c": "", "b/c_false.cil.c": "", "b/d.c": "", "true-e.txt": "", "b/falsehood.i": ""})
	want := map[string]string{"a_true.c": "safe", "b/c_false.cil.c": "unsafe", "b/d.c": "", "b/falsehood.i": ""}
	if tasks, err = tasksIn(dir); err != nil || len(tasks) != len(want) {
		t.Errorf("%+v, %v", tasks, err)
	}
	for _, task := range tasks {
		if expect, ok := want[task.Name]; !ok || expect != task.expect {
			t.Errorf("%s is said to be %q", task.Name, task.expect)
		}
	}
}

// TestVerdict: what is wrong fails the run; what is not known does not, and neither does
// Spacer's answer about clauses that have more errors than the program.
func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		expect, column, verdict, harness, checked string
		ok                                        bool
	}{
		{"safe", "auto", "safe", "", "accepted", true}, {"unsafe", "auto", "unsafe", "fails", "", true}, {"", "auto", "unsafe", "fails", "", true},
		{"safe", "math", "unsafe", "fails", "", false}, {"unsafe", "auto", "safe", "", "accepted", false}, {"safe", "auto", "unknown", "", "", true},
		{"safe", "spacer", "unsafe", "", "", true}, {"unsafe", "spacer", "safe", "", "", false},
		{"unsafe", "auto", "unsafe", "it ends with status 0", "", false}, {"safe", "auto", "safe", "", "refused", false}, {"unsafe", "auto", "unsafe", "there is none", "", false},
	} {
		b := &bench{columns: columns, rows: []row{{expect: c.expect, Harness: c.harness, Checked: c.checked, Answers: map[string]decide.Answer{c.column: {Verdict: c.verdict}}}}}
		if err := b.verdict(io.Discard); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c, err)
		}
		var b1, b2 strings.Builder
		b.print(&b1, b.rows[0])
		b.summary(&b2)
		if wrong := strings.Contains(b1.String(), "WRONG"); wrong && c.ok {
			t.Errorf("%+v: %s", c, b1.String())
		}
	}
}

// TestState: rows that were kept are known again.
func TestState(t *testing.T) {
	b := &bench{state: filepath.Join(t.TempDir(), "state")}
	for _, name := range []string{"a/x.c", "a/y.c"} {
		if err := b.keep(row{Task: name, Harness: "fails", Answers: map[string]decide.Answer{"auto": {Verdict: "unsafe", Work: decide.Work{Rounds: 3}}}}); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := b.known()
	if err != nil || len(rows) != 2 || rows["a/y.c"].Answers["auto"].Work.Rounds != 3 || rows["a/y.c"].Harness != "fails" {
		t.Errorf("%+v, %v", rows, err)
	}
}

// TestDecide: a failing and a safe program through all columns, with harness and
// certificate.
func TestDecide(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it builds seltl")
	}
	if err := os.Chdir(filepath.Join("..", "..")); err != nil {
		t.Fatal(err)
	}
	dir := write(t, map[string]string{"lock_true.c": "int lock; int main(void) { if (lock) { ERROR: return 1; } lock = 1; return 0; }",
		"lock_false.c": "extern int any(void); int lock; int main(void) { lock = any(); if (lock) { ERROR: return 1; } return 0; }"})
	b := &bench{Setup: decide.Setup{Limits: decide.Limits{Time: 60e9, CPU: true}}, complain: io.Discard, model: "lp64", state: filepath.Join(dir, "state.json")}
	if err := b.main("auto,math,without-spacer,spacer", "", []string{dir}); err != nil {
		t.Fatal(err)
	}
	for _, r := range b.rows {
		for _, c := range columns {
			if a := r.Answers[c.name]; a.Verdict != r.expect {
				t.Errorf("%s: %s says %s %s", r.Task, c.name, a.Verdict, a.Why)
			}
		}
		if (r.expect == "safe") != (r.Checked == "accepted") || (r.expect == "unsafe") != (r.Harness == "fails") {
			t.Errorf("%s: %s, %s", r.Task, r.Checked, r.Harness)
		}
	}
}
