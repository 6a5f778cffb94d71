package check

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/product"
)

// TestSpecs decides every property of every model in specs, by both searches and
// with shortest counterexamples, and compares with the verdict written beside it:
//
//	ltl P = formula   // expect: holds OTHER: fails
//
// is a property that holds for the default process and fails for process OTHER.
func TestSpecs(t *testing.T) {
	root := filepath.Join("..", "specs")
	checked := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".lks" {
			return err
		}
		if testing.Short() && d.Name() == "abb.lks" {
			return nil // takes longer than the rest
		}
		t.Run(filepath.ToSlash(strings.TrimPrefix(path, root)), func(t *testing.T) { checked += checkSpec(t, path) })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if checked < 80 {
		t.Errorf("only %d verdicts were checked", checked)
	}
}

func checkSpec(t *testing.T, path string) (checked int) {
	m := compileSpec(t, path)
	properties, err := m.Properties("")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range properties {
		if len(p.Expect) == 0 {
			t.Errorf("%s: %s has no // expect:", path, p.Name)
		}
		for process, want := range p.Expect {
			q, err := m.Property(process, p.Name)
			if err != nil {
				t.Fatal(err)
			}
			fair, err := m.Fairness(process, q.Network)
			if err != nil {
				t.Fatal(err)
			}
			checked += checkVerdict(t, q, fair, process, want)
		}
	}
	return checked
}

// checkVerdict decides a property under the fairness that the model declares.
func checkVerdict(t *testing.T, p *fsp.Property, fair []fsp.Fairness, process, want string) (checked int) {
	for _, opts := range []product.Options{
		{Search: product.Search{Emptiness: product.NestedDFS}}, {Search: product.Search{Emptiness: product.Components}},
		{Search: product.Search{Emptiness: product.NestedDFS}, Shortest: true}, {Search: product.Search{Emptiness: product.Components}, Shortest: true},
	} {
		if p.Kind == fsp.Assert {
			opts.Fairness = product.ChoiceFairness
		}
		opts.FairSets = fairSets(fair)
		res, err := product.Verify(context.Background(), p.Network, p.Formula, opts)
		if err != nil {
			t.Errorf("%s %s: %v", process, p.Name, err)
			continue
		}
		checked++
		got := "holds"
		if res.Verdict == product.Violated {
			got = "fails"
		}
		if got != want {
			t.Errorf("%s %s (%v, shortest %v): %s, want %s", process, p.Name, opts.Emptiness, opts.Shortest, got, want)
		}
	}
	return checked
}
