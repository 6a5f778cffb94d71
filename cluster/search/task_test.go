package search

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/cluster/exchange"
	"github.com/seltl/seltl/cluster/exchange/local"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
)

// openText opens files of a map.
func openText(files map[string]string) check.Open {
	return func(name string) (io.ReadCloser, error) {
		text, ok := files[name]
		if !ok {
			return nil, fs.ErrNotExist
		}
		return io.NopCloser(strings.NewReader(text)), nil
	}
}

// TestFamilies asks everything of the models of specs/families, from tasks that went through
// JSON, and compares with one process.
func TestFamilies(t *testing.T) {
	ctx := context.Background()
	files, err := filepath.Glob("../../specs/families/*.lks")
	if err != nil || len(files) < 4 {
		t.Fatal(files, err)
	}
	asked := 0
	for i, file := range files {
		m, err := check.Load(ctx, file, check.LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		properties, err := m.Declared()
		if err != nil {
			t.Fatal(err)
		}
		questions := []Question{{Kind: Count}, {Kind: Deadlock}, {Kind: Error}, {Kind: Reach, Formula: "deadlock"}, {Kind: LTL, Formula: "G F !deadlock", Finite: product.RefuseRuns}}
		for _, p := range properties {
			questions = append(questions, Question{Kind: LTL, Property: p.Name}, Question{Kind: LTL, Property: p.Name, Finite: product.IgnoreRuns})
		}
		for _, process := range m.FSP.Processes() {
			if process.Name != m.Process && !strings.HasPrefix(process.Name, "PHIL") || process.Name == "PHIL" {
				continue
			}
			for k, q := range questions {
				task, err := Read(ctx, file, check.LoadOptions{Process: process.Name, Params: map[string]int{"N": 3}}, q)
				if err != nil {
					t.Fatalf("%s: %+v: %v", file, q, err)
				}
				compareTask(t, task, sizes[(i+k)%4])
				asked++
			}
		}
	}
	if asked < 40 {
		t.Errorf("only %d questions", asked)
	}
}

// compareTask compares the answer of so many workers with that of one process.
func compareTask(t *testing.T, task *Task, size int) {
	t.Helper()
	ctx := context.Background()
	text, err := json.Marshal(task)
	if err != nil {
		t.Fatal(err)
	}
	var sent Task
	if err := json.Unmarshal(text, &sent); err != nil || sent.Digest() != task.Digest() {
		t.Fatalf("%s: %v", text, err)
	}
	results := make([]*Result, size)
	errs := local.Run(ctx, size, local.Options{}, func(ctx context.Context, ex exchange.Exchange) (err error) {
		results[ex.Rank()], err = Run(ctx, ex, nil, &sent, Options{})
		return err
	})
	c, err := task.Compile(ctx, budget.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	q := task.Question
	if q.Kind == LTL {
		want, wantErr := product.Verify(ctx, c.Net, c.Formula, product.Options{Finite: q.Finite})
		var refused *product.FiniteRunError
		if errors.As(wantErr, &refused) {
			if !errors.As(errs[0], &refused) {
				t.Errorf("%s, %+v: %v, want %v", task.Main, q, errs[0], wantErr)
			}
			return
		}
		if errs[0] != nil || wantErr != nil || string(results[0].Verdict) != want.Verdict.String() {
			t.Fatalf("%s, %+v, %d workers: %+v, %v, want %v, %v", task.Main, q, size, results[0], errs[0], want, wantErr)
		}
		return
	}
	opts := explore.Options{StopAtDeadlock: q.Kind == Deadlock || q.Kind == Reach, StopAtError: q.Kind == Error}
	opts.Store, opts.Workers = explore.Exact, 1
	want, err := explore.Reach(c.Net, opts)
	if err != nil || errs[0] != nil {
		t.Fatal(err, errs[0])
	}
	verdict := report.Holds
	if !want.Complete {
		verdict = report.Violated
	}
	got := results[0]
	if got.Verdict != verdict || got.States != want.States || got.Transitions != want.Transitions || got.Depth != want.Depth || got.Deadlocks != want.Deadlocks {
		t.Errorf("%s, %+v, %d workers: %+v, want %+v", task.Main, q, size, got, want)
	}
	if back, err := json.Marshal(got); err != nil || !json.Valid(back) {
		t.Error(err)
	}
}

// TestTaskErrors: a task that makes no sense is refused as the tool would, with positions.
func TestTaskErrors(t *testing.T) {
	files := map[string]string{
		"good.lks":  "P = (a -> b -> P).\nltl GOES = G F a\nassert LIVE = [] <> a\n",
		"bad.lks":   "P = (a -> .\n",
		"fair.lks":  "P = (a -> P | b -> P).\nfair strong {a}\nltl GOES = G F a\n",
		"needs.lks": "import P = \"other.aut\"\n||S = P.\n",
	}
	for _, c := range []struct {
		main string
		q    Question
		want string
	}{
		{"good.lks", Question{Kind: Count}, ""},
		{"good.lks", Question{Kind: LTL, Property: "GOES"}, ""},
		{"good.lks", Question{Kind: Reach, Formula: "deadlock & !enabled(a)"}, ""},
		{"good.lks", Question{Kind: LTL, Property: "LIVE"}, "fair choice"},
		{"good.lks", Question{Kind: LTL, Property: "GONE"}, "GONE"},
		{"good.lks", Question{Kind: LTL}, "needs a formula"},
		{"good.lks", Question{Kind: LTL, Formula: "G a", Property: "GOES"}, "needs a formula"},
		{"good.lks", Question{Kind: Count, Formula: "G a"}, "has no formula"},
		{"good.lks", Question{Kind: Reach}, "needs a formula"},
		{"good.lks", Question{Kind: Reach, Formula: "a"}, "more than one state"},
		{"good.lks", Question{Kind: Reach, Formula: "F deadlock"}, "more than one state"},
		{"good.lks", Question{Kind: LTL, Formula: "G (a -> )"}, "<formula>:1:"},
		{"good.lks", Question{Kind: Kind(9)}, "question"},
		{"good.lks", Question{Kind: LTL, Formula: "G a", Finite: 9}, "finite runs"},
		{"good.lks", Question{Kind: LTL, Formula: "G a", POR: 9}, "reduction"},
		{"bad.lks", Question{Kind: Count}, "bad.lks:1:11"},
		{"fair.lks", Question{Kind: LTL, Property: "GOES"}, "declares fairness"},
		{"needs.lks", Question{Kind: Count}, "other.aut"},
		{"gone.lks", Question{Kind: Count}, "does not exist"},
	} {
		_, err := Read(context.Background(), c.main, check.LoadOptions{Open: openText(files)}, c.q)
		switch {
		case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s %+v: %v, want %q", c.main, c.q, err, c.want)
		}
	}
	task := &Task{Schema: Schema + 1, Main: "good.lks"}
	if _, err := task.Compile(context.Background(), budget.Limits{}); err == nil || !strings.Contains(err.Error(), "schema") {
		t.Error(err)
	}
}

// TestDigest: whatever matters to the answer changes it.
func TestDigest(t *testing.T) {
	task := func() *Task {
		return &Task{Schema: 1, Main: "a", Files: map[string][]byte{"a": []byte("x"), "b": nil}, Params: map[string]int{"N": 2}, Question: Question{Kind: LTL, Formula: "G p"}}
	}
	seen := map[string]string{task().Digest(): "the same"}
	for name, change := range map[string]func(t *Task){
		"schema": func(t *Task) { t.Schema = 2 }, "main": func(t *Task) { t.Main = "b" }, "process": func(t *Task) { t.Process = "P" },
		"text": func(t *Task) { t.Files["a"] = []byte("y") }, "file": func(t *Task) { t.Files["c"] = nil }, "param": func(t *Task) { t.Params["N"] = 3 },
		"params": func(t *Task) { t.Params["M"] = 2 }, "formula": func(t *Task) { t.Question.Formula = "G q" }, "kind": func(t *Task) { t.Question.Kind = Reach },
		"reduction": func(t *Task) { t.Question.POR = product.NoPOR },
		"finite":    func(t *Task) { t.Question.Finite = product.IgnoreRuns }, "property": func(t *Task) { t.Question.Formula, t.Question.Property = "", "G p" },
	} {
		changed := task()
		change(changed)
		d := changed.Digest()
		if other, ok := seen[d]; ok {
			t.Errorf("%s and %s have the same digest", name, other)
		}
		seen[d] = name
	}
	if a, b := task(), task(); a.Digest() != b.Digest() {
		t.Error("it differs from itself")
	}
}
