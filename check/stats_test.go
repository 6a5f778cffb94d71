package check

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/seltl/seltl/lks/explore"
)

// TestStatsTooLarge: what is too large to be built is explored, with the same counts.
func TestStatsTooLarge(t *testing.T) {
	ctx := context.Background()
	m, err := Load(ctx, filepath.Join("..", "specs", "families", "philosophers.lks"), LoadOptions{Process: "PHILDL", Params: map[string]int{"N": 8}})
	if err != nil {
		t.Fatal(err)
	}
	figures := func() map[string]string {
		found, err := Stats(ctx, m, Options{}, explore.Resources{})
		if err != nil {
			t.Fatal(err)
		}
		lines := map[string]string{}
		for _, f := range found {
			lines[f.Name] = fmt.Sprint(f.Value)
		}
		return lines
	}
	built := figures()
	old := statsStates
	defer func() { statsStates = old }()
	statsStates = 10_000
	explored := figures()
	if built["deterministic"] == "" || explored["deterministic"] != "" || explored["explored"] != "yes" {
		t.Errorf("built: %v, explored: %v", built, explored)
	}
	for _, name := range []string{"process", "states", "transitions", "alphabet", "propositions", "deadlocks", "terminated", "error reachable"} {
		if built[name] == "" || built[name] != explored[name] {
			t.Errorf("%s: built %q, explored %q", name, built[name], explored[name])
		}
	}
}
