package deadlock_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/deadlock"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// load compiles the default process of a model file.
func load(t testing.TB, path string, process string, params map[string]int) *lks.Network {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := syntax.Parse(source.NewFile(path, string(text)))
	if err != nil {
		t.Fatal(err)
	}
	model, err := fsp.Compile(file, fsp.Options{Params: params})
	if err != nil {
		t.Fatal(err)
	}
	net, err := model.Network(process)
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// methods are those that always have an answer.
var methods = []deadlock.Options{
	{},
	{Method: deadlock.Plain},
	{Method: deadlock.Plain, NoReduction: true},
	{Method: deadlock.Iter},
	{Method: deadlock.Iter, NoAbandon: true},
}

var expected = regexp.MustCompile(`(?m)^// expect-deadlock: (yes|no)$`)

// TestSpecs checks the families of table 10.1 at the size that their files have.
func TestSpecs(t *testing.T) {
	paths, err := filepath.Glob("../specs/deadlock/*.lks")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no models: %v", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			m := expected.FindSubmatch(text)
			if m == nil {
				t.Fatal("no line expect-deadlock")
			}
			net := load(t, path, "", nil)
			for _, opts := range methods {
				r, err := answered(context.Background(), net, opts)
				if err != nil {
					t.Fatalf("%+v: %v", opts, err)
				}
				if r.Free() != (string(m[1]) == "no") {
					t.Errorf("%+v: free %v", opts, r.Free())
				}
			}
		})
	}
}

// TestTurns checks that the search of all states, whose steps are long where there
// are many components, does not take more than its share: the reduced search ends
// long before the limit.
func TestTurns(t *testing.T) {
	net := load(t, "../specs/deadlock/ucosd.lks", "", map[string]int{"N": 490})
	for _, method := range []deadlock.Method{deadlock.Auto, deadlock.Plain} {
		if testing.Short() && method == deadlock.Plain {
			continue
		}
		r, err := answered(context.Background(), net, deadlock.Options{Method: method, Limits: budget.Limits{States: 40_000}})
		if err != nil || r.Free() {
			t.Errorf("%v: %+v, %v", method, r, err)
		}
	}
}

// answered is deadlock.Check, whose unknown verdicts are errors here.
func answered(ctx context.Context, net *lks.Network, opts deadlock.Options) (*deadlock.Result, error) {
	r, err := deadlock.Check(ctx, net, opts)
	if err == nil {
		err = r.Reason
	}
	return r, err
}
