package batch

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seltl/seltl/report"
)

// A result with any byte changed or left out is none.
func TestTampered(t *testing.T) {
	task := tasksOf("verify m.lks p")[0]
	text, err := sealResult(task, answer(task, report.Holds))
	if err != nil {
		t.Fatal(err)
	}
	r, err := readResult(text)
	if err != nil || r.Key != task.Key {
		t.Fatal(err)
	}
	for i := range text {
		for _, other := range [][]byte{
			append(append(bytes.Clone(text[:i]), text[i]^1), text[i+1:]...),
			append(bytes.Clone(text[:i]), text[i+1:]...),
			text[:i],
		} {
			got, err := readResult(other)
			// A name of the outermost object may be spelled in other letters, and blanks may end it.
			if err == nil && cmp.Diff(r, got) != "" {
				t.Errorf("byte %d: %s is read", i, other)
			}
		}
	}
	// Who makes a new sum is told from who ran another question.
	for from, to := range map[string]string{
		`"exit":0`: `"exit":9`, `"schema":"seltl.result/1"`: `"schema":"seltl.result/2"`, `"build":"b"`: `"build":"c"`,
		`"words":["verify"`: `"words":["check"`, `"report":{`: `"more":1,"report":{`, `"schema":"seltl.report/2"`: `"schema":"seltl.report/1"`,
		`"schema":"seltl.question/1"`: `"schema":"seltl.question/0"`,
	} {
		var s struct{ Text string }
		_, inner, _ := strings.Cut(string(text), `"text":`)
		s.Text = strings.TrimSuffix(inner, "}\n")
		changed := strings.Replace(s.Text, from, to, 1)
		if changed == s.Text {
			t.Fatalf("%s is not in %s", from, s.Text)
		}
		if _, err := readResult([]byte(`{"sha256":"` + Digest([]byte(changed)) + `","text":` + changed + "}\n")); err == nil {
			t.Errorf("with %s it is read", to)
		}
	}
}

// What a folder holds that is no result, or a result of another name.
func TestDamaged(t *testing.T) {
	f := folderOf(t)
	tasks := tasksOf("a", "b", "c", "d")
	text, err := sealResult(tasks[0], answer(tasks[0], report.Holds))
	if err != nil {
		t.Fatal(err)
	}
	for i, content := range []string{string(text), string(text), "", "null"} {
		if err := os.WriteFile(filepath.Join(f.dir, tasks[i].Key+".json"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var damaged *Damaged
	for i, task := range tasks {
		_, err := f.Result(task.Key)
		if i == 0 && err != nil || i > 0 && !errors.As(err, &damaged) {
			t.Errorf("%d: %v", i, err)
		}
	}
	b, err := f.Merge(PlanOf("build", nil, tasks))
	if err != nil || b.Counts.Missing != 3 || len(b.Messages) != 3 || b.Exit != report.ExitUnknown {
		t.Errorf("%+v, %v", b, err)
	}
	if _, _, err := f.LastPlan(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if err := os.WriteFile(filepath.Join(f.dir, "plan-0000.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.LastPlan(); !errors.As(err, &damaged) {
		t.Errorf("%v", err)
	}
	// A plan's keys are names of files.
	evil, err := seal(&Plan{Schema: PlanSchema, Units: []Planned{{Key: "../../etc/passwd"}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := readPlan(evil); err == nil {
		t.Error("a key that leads out of the folder is read")
	}
}

func FuzzReadResult(f *testing.F) {
	task := tasksOf("verify m.lks p")[0]
	for _, v := range []report.Verdict{report.Holds, report.Violated, report.Unknown} {
		text, err := sealResult(task, answer(task, v))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	plan, err := seal(PlanOf("b", []string{"l"}, []*Task{task}))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(plan)
	f.Fuzz(func(t *testing.T, text []byte) {
		// The sum is put right, or no input would come any further.
		if _, inner, ok := bytes.Cut(text, []byte(`"text":`)); ok {
			inner = bytes.TrimSuffix(bytes.TrimSpace(inner), []byte("}"))
			text = []byte(`{"sha256":"` + Digest(inner) + `","text":` + string(inner) + "}")
		}
		if r, err := readResult(text); err == nil {
			if r.Question.Key() != r.Key {
				t.Fatalf("%s: a result of another question", text)
			}
			again, err := seal(r)
			if err != nil {
				t.Fatal(err)
			}
			if back, err := readResult(again); err != nil || cmp.Diff(r, back) != "" {
				t.Fatalf("%s: %v\n%s", text, err, cmp.Diff(r, back))
			}
			b := &report.Batch{Units: []report.BatchUnit{{Unit: "u", Report: r.Report, Exit: r.Report.Exit}}}
			if err := b.Text(&bytes.Buffer{}, report.TextOptions{}, true); err != nil {
				t.Fatal(err)
			}
		}
		_, _ = readPlan(text)
	})
}
