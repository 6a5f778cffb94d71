package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/seltl/seltl/bench/internal/decide"
	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/smt"
)

// TestFamilies: small ones have the verdict that all have.
func TestFamilies(t *testing.T) {
	z, err := smt.NewZ3(smt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for i, f := range families {
		for k, size := range []string{"=1", "=3"} {
			if testing.Short() && k != i%2 {
				continue
			}
			ps, err := chosen(f.name + size)
			if err != nil || len(ps) != 1 {
				t.Fatalf("%s: %v, %v", f.name, ps, err)
			}
			text, err := ps[0].horn()
			if err != nil {
				t.Fatalf("%s: %v\n%s", f.name, err, ps[0].text)
			}
			p, err := horn.ParseText(f.name, text)
			if err != nil {
				t.Fatal(err)
			}
			res, err := z.Horn(context.Background(), p, 0)
			want := map[string]smt.Status{"safe": smt.Sat, "unsafe": smt.Unsat}[ps[0].expect]
			if err != nil || res.Status != want {
				t.Errorf("%s: %v, %v, want %v", ps[0].name, res.Status, err, want)
			}
		}
	}
	all, err := chosen("all")
	some, err2 := chosen("flags,path=7")
	none, err3 := chosen("none")
	if len(all) < len(families) || err != nil || len(some) != 5 || some[4].name != "path 7" || err2 != nil || len(none) > 0 || err3 != nil {
		t.Errorf("%d, %d, %d problems; %v, %v, %v", len(all), len(some), len(none), err, err2, err3)
	}
	for _, wrong := range []string{"", "paths", "path=0", "path=x"} {
		if _, err := chosen(wrong); err == nil {
			t.Errorf("%q is accepted", wrong)
		}
	}
}

// TestProblemsIn: what files say of their verdicts is found.
func TestProblemsIn(t *testing.T) {
	dir := t.TempDir()
	want := map[string]string{"a.gcl": "safe", "b/c.gcl": "unsafe", "d.smt2": "unsafe", "e.smt2": "safe", "f.pl": ""}
	for name, text := range map[string]string{"a.gcl": "// a\n// expect: holds\nvar x: int;", "b/c.gcl": "// expect: fails", "d.smt2": "(set-logic HORN)\n(set-info :status unsat)",
		"e.smt2": "(set-info :status sat)", "f.pl": "r(p(a), p(b), {}, 1).", "g.txt": "no problem"} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ps, err := problemsIn(dir)
	if err != nil || len(ps) != len(want) {
		t.Fatalf("%v, %v", ps, err)
	}
	for _, p := range ps {
		if expect, ok := want[p.name]; !ok || expect != p.expect {
			t.Errorf("%s is said to be %q, want %q", p.name, p.expect, expect)
		}
	}
}

// TestVerdict: a wrong answer fails the run, a missing one does not.
func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		expect  string
		answers []string
		ok      bool
	}{
		{"", []string{"safe", "safe"}, true}, {"", []string{"unknown", "unsafe"}, true}, {"safe", []string{"unknown", "error"}, true},
		{"", []string{"safe", "unsafe"}, false}, {"safe", []string{"unsafe", "unknown"}, false}, {"unsafe", []string{"unsafe", "safe"}, false},
	} {
		b := &bench{lanes: lanes[:1], rows: []row{{problem: problem{expect: c.expect}}}}
		for _, v := range c.answers {
			b.rows[0].answers = append(b.rows[0].answers, decide.Answer{Verdict: v})
		}
		if err := b.verdict(io.Discard); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
