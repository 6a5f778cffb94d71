package batch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/report"
)

// tasksOf makes a task of each line.
func tasksOf(lines ...string) (tasks []*Task) {
	src := source.NewFile("work.list", strings.Join(lines, "\n"))
	at := 0
	for _, line := range lines {
		q := Question{Schema: QuestionSchema, Build: "b", Words: strings.Fields(line), Inputs: []Input{}}
		tasks = append(tasks, &Task{Unit: Unit{Words: strings.Fields(line), At: src.Span(at, at+len(line))}, Question: q, Key: q.Key(), Words: q.Words})
		at += len(line) + 1
	}
	return tasks
}

// answer is a report with a verdict.
func answer(t *Task, v report.Verdict) *report.Report {
	return &report.Report{Version: "v", Command: "verify", Results: []report.Result{{Kind: "ltl", Formula: strings.Join(t.Words, " "), Verdict: v}}, Exit: v.Exit()}
}

func folderOf(t *testing.T) *Folder {
	t.Helper()
	f, err := Create(filepath.Join(t.TempDir(), "results"))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func names(t *testing.T, f *Folder) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func TestRun(t *testing.T) {
	f := folderOf(t)
	tasks := tasksOf("a", "b", "c", "a", "d")
	var asked []string
	ask := func(_ context.Context, task *Task) (*report.Report, error) {
		asked = append(asked, task.Words[0])
		if task.Words[0] == "c" {
			return nil, errors.New("it died")
		}
		return answer(task, report.Holds), nil
	}
	var events []string
	opts := Options{Report: func(e Event) { events = append(events, fmt.Sprintf("%s %v %v", e.Task.Words[0], e.There, e.Err)) }}
	got, err := Run(context.Background(), f, tasks, ask, opts)
	if want := (Outcome{Units: 4, Done: 3, Failed: 1}); err != nil || got != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	if want := []string{"a false <nil>", "b false <nil>", "c false it died", "d false <nil>"}; !slices.Equal(events, want) {
		t.Errorf("%q", events)
	}
	// What is there is not done again; what is not, is.
	asked = nil
	got, err = Run(context.Background(), f, tasks, ask, opts)
	if want := (Outcome{Units: 4, There: 3, Failed: 1}); err != nil || got != want || !slices.Equal(asked, []string{"c"}) {
		t.Errorf("%+v, %v, asked %v", got, err, asked)
	}
	if n := len(names(t, f)); n != 3 {
		t.Errorf("%d files", n)
	}
}

// Units are done again whose results are wanted anew, and those of which the result is
// damaged.
func TestAgain(t *testing.T) {
	f := folderOf(t)
	tasks := tasksOf("holds", "unknown", "violated")
	var asked []string
	ask := func(_ context.Context, task *Task) (*report.Report, error) {
		asked = append(asked, task.Words[0])
		return answer(task, report.Verdict(task.Words[0])), nil
	}
	run := func(again func(int) bool) []string {
		t.Helper()
		asked = nil
		if _, err := Run(context.Background(), f, tasks, ask, Options{Again: again}); err != nil {
			t.Fatal(err)
		}
		return asked
	}
	if got := run(nil); len(got) != 3 {
		t.Errorf("asked %v", got)
	}
	if got := run(func(status int) bool { return status == report.ExitUnknown }); !slices.Equal(got, []string{"unknown"}) {
		t.Errorf("asked %v", got)
	}
	name := filepath.Join(f.dir, tasks[0].Key+".json")
	if err := os.WriteFile(name, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := run(nil); !slices.Equal(got, []string{"holds"}) {
		t.Errorf("asked %v", got)
	}
	if _, err := f.Result(tasks[0].Key); err != nil {
		t.Error(err)
	}
}

// Interrupted units have no results: also those whose engines took the interruption for a
// limit. What was found before it counts.
func TestInterrupted(t *testing.T) {
	for _, c := range []struct {
		answer func(*Task) (*report.Report, error)
		stored int
	}{
		{func(*Task) (*report.Report, error) { return nil, budget.ErrInterrupted }, 1},
		{func(task *Task) (*report.Report, error) {
			r := answer(task, report.Unknown)
			r.Exit = report.ExitInterrupted
			return r, nil
		}, 1},
		{func(task *Task) (*report.Report, error) { return answer(task, report.Unknown), nil }, 1},
		{func(task *Task) (*report.Report, error) { return answer(task, report.Violated), nil }, 2},
	} {
		f := folderOf(t)
		ctx, cancel := context.WithCancel(context.Background())
		ask := func(_ context.Context, task *Task) (*report.Report, error) {
			if task.Words[0] == "b" {
				cancel()
				return c.answer(task)
			}
			return answer(task, report.Holds), nil
		}
		got, err := Run(ctx, f, tasksOf("a", "b", "c", "d"), ask, Options{})
		if !errors.Is(err, budget.ErrInterrupted) || len(names(t, f)) != c.stored || got.Done != c.stored || got.Left() != 4-c.stored {
			t.Errorf("%+v, %v, %d stored, want %d", got, err, len(names(t, f)), c.stored)
		}
		cancel()
	}
}

// Several units at once, each once, and never more than asked for.
func TestJobs(t *testing.T) {
	f := folderOf(t)
	var lines []string
	for i := range 60 {
		lines = append(lines, fmt.Sprint("unit", i))
	}
	var now, most atomic.Int32
	var mu sync.Mutex
	asked := map[string]int{}
	ask := func(_ context.Context, task *Task) (*report.Report, error) {
		if n := now.Add(1); n > most.Load() {
			most.Store(n)
		}
		defer now.Add(-1)
		mu.Lock()
		asked[task.Key]++
		mu.Unlock()
		time.Sleep(time.Millisecond / 4)
		return answer(task, report.Holds), nil
	}
	got, err := Run(context.Background(), f, tasksOf(lines...), ask, Options{Jobs: 4})
	if err != nil || got.Done != 60 || len(asked) != 60 || most.Load() > 4 {
		t.Errorf("%+v, %v, %d asked, %d at once", got, err, len(asked), most.Load())
	}
}

// A folder that cannot be written ends the run, with what was done before.
func TestUnwritable(t *testing.T) {
	f := folderOf(t)
	ask := func(_ context.Context, task *Task) (*report.Report, error) {
		if task.Words[0] == "b" {
			if err := os.Rename(f.dir, f.dir+".away"); err != nil {
				t.Fatal(err)
			}
		}
		return answer(task, report.Holds), nil
	}
	got, err := Run(context.Background(), f, tasksOf("a", "b", "c"), ask, Options{})
	if err == nil || !strings.Contains(err.Error(), "the result of b cannot be stored") || got.Done != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	if err := os.WriteFile(f.dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(f.dir); err == nil {
		t.Error("a file is taken for a folder")
	}
}

// Of a text that cannot be written whole nothing remains.
func TestDiskFull(t *testing.T) {
	f := folderOf(t)
	if err := os.Mkdir(filepath.Join(f.dir, "name.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(f.dir, "name.json", "x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.write("name.json", []byte("text")); err == nil {
		t.Error("a folder was written over")
	}
	if got := names(t, f); !slices.Equal(got, []string{"name.json"}) {
		t.Errorf("%q remain", got)
	}
}

// A result that nobody could read is none, and the others go on.
func TestUnreadable(t *testing.T) {
	f := folderOf(t)
	ask := func(_ context.Context, task *Task) (*report.Report, error) {
		r := answer(task, report.Holds)
		if task.Words[0] == "deep" {
			d := &report.Derivation{}
			r.Results[0].Derivation = d
			for range 20_000 {
				d.Calls = []*report.Derivation{{}}
				d = d.Calls[0]
			}
		}
		return r, nil
	}
	got, err := Run(context.Background(), f, tasksOf("a", "deep", "b"), ask, Options{})
	if want := (Outcome{Units: 3, Done: 2, Failed: 1}); err != nil || got != want || len(names(t, f)) != 2 {
		t.Errorf("%+v, %v, %v", got, err, names(t, f))
	}
}

// Leftovers of killed processes are no results; they are removed once they are old.
func TestClean(t *testing.T) {
	f := folderOf(t)
	old, young := filepath.Join(f.dir, tempPrefix+"1"+tempEnding), filepath.Join(f.dir, tempPrefix+"2"+tempEnding)
	for _, name := range []string{old, young, filepath.Join(f.dir, "other.txt")} {
		if err := os.WriteFile(name, []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	before := time.Now().Add(-2 * leftover)
	if err := os.Chtimes(old, before, before); err != nil {
		t.Fatal(err)
	}
	if err := f.Clean(); err != nil {
		t.Fatal(err)
	}
	if got := names(t, f); !slices.Equal(got, []string{tempPrefix + "2" + tempEnding, "other.txt"}) {
		t.Errorf("%q", got)
	}
}

// Links may stand for results and for their folder.
func TestLinks(t *testing.T) {
	f := folderOf(t)
	task := tasksOf("a")[0]
	if err := f.Store(task, answer(task, report.Holds)); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(filepath.Dir(f.dir), "link")
	if err := os.Symlink(f.dir, link); err != nil {
		t.Skip(err)
	}
	other, err := Create(link)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Result(task.Key); err != nil {
		t.Error(err)
	}
	// A result that is a link to another one's is none; it is replaced, and the other stays.
	b := tasksOf("b")[0]
	if err := os.Symlink(filepath.Join(f.dir, task.Key+".json"), filepath.Join(f.dir, b.Key+".json")); err != nil {
		t.Fatal(err)
	}
	var damaged *Damaged
	if _, err := f.Result(b.Key); !errors.As(err, &damaged) {
		t.Errorf("%v", err)
	}
	if err := f.Store(b, answer(b, report.Violated)); err != nil {
		t.Fatal(err)
	}
	for _, task := range []*Task{task, b} {
		if r, err := f.Result(task.Key); err != nil || r.Report.Results[0].Formula != task.Words[0] {
			t.Errorf("%v: %+v, %v", task.Words, r, err)
		}
	}
}

// A key is of what an answer depends on, each part of it.
func TestKey(t *testing.T) {
	base := func() Question {
		return Question{Schema: QuestionSchema, Build: "b", Words: []string{"verify", "m.lks", "G p"}, Inputs: []Input{{"m.lks", "00"}}}
	}
	seen := map[string]int{}
	for i, change := range []func(*Question){
		func(*Question) {},
		func(q *Question) { q.Schema += "x" },
		func(q *Question) { q.Build += "x" },
		func(q *Question) { q.Words[2] += " " },
		func(q *Question) { q.Words = []string{"verify", "m.lks G p"} },
		func(q *Question) { q.Words = append(q.Words, "") },
		func(q *Question) { q.Inputs[0].SHA256 = "01" },
		func(q *Question) { q.Inputs[0].Name = "n.lks" },
		func(q *Question) { q.Inputs = append(q.Inputs, Input{"i.aut", "00"}) },
		func(q *Question) { q.Inputs = nil },
	} {
		q := base()
		change(&q)
		if other, ok := seen[q.Key()]; ok {
			t.Errorf("questions %d and %d have one key", other, i)
		}
		seen[q.Key()] = i
	}
	q, r := base(), base()
	if q.Key() != r.Key() {
		t.Error("one question has two keys")
	}
}

func TestMerge(t *testing.T) {
	f := folderOf(t)
	tasks := tasksOf("holds 1", "violated 2", "unknown 3", "violated 4", "holds 5", "violated 6", "holds 1")
	for i, expect := range []string{"", "", "holds", "fails", "fails", "", ""} {
		tasks[i].Expect = expect
	}
	tasks[0].Group, tasks[1].Group, tasks[5].Group = "g", "g", "h"
	for _, task := range tasks[:5] {
		a := answer(task, report.Verdict(task.Words[0]))
		if task.Words[0] == "unknown" {
			a.Results[0].Lossy = &report.Lossy{Store: "bitstate", Coverage: 0.5}
			task.Group = "g"
		}
		if err := f.Store(task, a); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.AddPlan(PlanOf("build", []string{"work.list"}, tasks)); err != nil {
		t.Fatal(err)
	}
	plan, others, err := f.LastPlan()
	if err != nil || others != 0 {
		t.Fatal(others, err)
	}
	b, err := f.Merge(plan)
	if err != nil {
		t.Fatal(err)
	}
	var exits []int
	for _, u := range b.Units {
		exits = append(exits, u.Exit)
	}
	if want := []int{0, 1, 3, 0, 1, 3, 0}; !slices.Equal(exits, want) || b.Exit != 1 {
		t.Errorf("%v, want %v; exit %d", exits, want, b.Exit)
	}
	if want := (report.BatchCounts{Units: 7, Holds: 3, Violated: 2, Unknown: 1, Missing: 1}); b.Counts != want {
		t.Errorf("%+v", b.Counts)
	}
	want := []report.BatchGroup{{Name: "g", Units: 3, Exit: 1, First: 1, Coverage: &[2]float64{0.5, 0.5}}, {Name: "h", Units: 1, Missing: 1, Exit: 3, First: -1}}
	if d := cmp.Diff(want, b.Groups); d != "" {
		t.Error(d)
	}
	if b.Units[5].At != "work.list:6" || !b.Units[5].Missing || b.Units[3].AsExpected == nil || !*b.Units[3].AsExpected {
		t.Errorf("%+v, %+v", b.Units[5], b.Units[3])
	}
	// A plan that was worked at again is the last one, whatever came between.
	if err := f.AddPlan(PlanOf("build", []string{"other.list"}, tasks[:1])); err != nil {
		t.Fatal(err)
	}
	first := filepath.Join(f.dir, planName(t, f, plan))
	later := time.Now().Add(time.Minute)
	if err := os.Chtimes(first, later, later); err != nil {
		t.Fatal(err)
	}
	if again, others, err := f.LastPlan(); err != nil || others != 1 || len(again.Units) != 7 {
		t.Errorf("%d others, %v", others, err)
	}
}

func planName(t *testing.T, f *Folder, p *Plan) string {
	t.Helper()
	text, err := seal(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names(t, f) {
		if got, _ := os.ReadFile(filepath.Join(f.dir, name)); string(got) == string(text) {
			return name
		}
	}
	t.Fatal("the plan is not there")
	return ""
}
