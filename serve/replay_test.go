package serve_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/serve"
)

// Every counterexample that the server finds in specs can be stepped through by its simulator: each
// step has the event and leads to the state that the report says, and so does each way back.
func TestReplay(t *testing.T) {
	root, runs := filepath.Join("..", "specs"), 0
	c := newClient(t, serve.Options{Folder: root, Limits: serve.Limits{States: 20_000, Time: 5 * time.Second, Drawn: 1, Kept: 1000, Simulations: 4}})
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".lks" || testing.Short() && !strings.Contains(path, "classics") {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(root, path)
		if err == nil {
			runs += replayModel(t, c, filepath.ToSlash(name), string(text))
		}
		return err
	})
	if least := map[bool]int{true: 5, false: 20}[testing.Short()]; err != nil || runs < least {
		t.Errorf("%d runs, %v", runs, err)
	}
	t.Logf("%d runs", runs)
}

// replayModel checks a model, and steps through all runs that come out.
func replayModel(t *testing.T, c *client, name, text string) (runs int) {
	t.Helper()
	_, a := c.ask("/api/checks", object{"name": name, "text": text, "ask": "all"})
	a = c.decided(a)
	part, ok := a["result"].(object)
	if !ok {
		return 0 // it has no default process that can be checked
	}
	results, _ := part["report"].(object)["results"].([]any)
	for i, r := range results {
		trace, ok := r.(object)["counterexample"].(object)
		if !ok {
			continue
		}
		stem, _ := trace["stem"].([]any)
		loop, _ := trace["loop"].([]any)
		if len(stem)+len(loop) > 200 {
			continue // the page has not all of it
		}
		runs++
		_, view := c.ask("/api/simulations", object{"name": name, "text": text, "check": a["id"], "result": i})
		if problem(view) != "" {
			t.Errorf("%s, result %d: %v", name, i, view["error"])
			continue
		}
		at := "/api/simulations/" + view["id"].(string)
		same(t, name, trace["initial"], view, trace)
		before := []any{view["position"].(object)["state"]}
		for k, step := range slices.Concat(stem, loop) {
			if _, view = c.ask(at, object{"command": "redo"}); problem(view) != "" {
				t.Fatalf("%s, result %d, step %d: %v", name, i, k+1, view["error"])
			}
			if by := view["position"].(object)["by"].(object); step.(object)["event"] != "τ" && by["event"] != step.(object)["event"] && step.(object)["event"] != "tau" {
				t.Errorf("%s, result %d, step %d: by %v, not %v", name, i, k+1, by["event"], step.(object)["event"])
			}
			same(t, fmt.Sprintf("%s, result %d, step %d", name, i, k+1), step.(object)["state"], view, trace)
			before = append(before, view["position"].(object)["state"])
		}
		for k := len(before) - 2; k >= 0; k-- {
			if _, view = c.ask(at, object{"command": "undo"}); !reflect.DeepEqual(view["position"].(object)["state"], before[k]) {
				t.Errorf("%s, result %d: back at step %d it is another state", name, i, k)
			}
		}
	}
	return runs
}

// same compares the local states that a report and a view say, by the names of components.
func same(t *testing.T, where string, told any, view, trace object) {
	t.Helper()
	locals := view["position"].(object)["state"].(object)["locals"].([]any)
	shown := map[string][]string{}
	for i, k := range view["components"].([]any) {
		name := k.(object)["name"].(string)
		shown[name] = append(shown[name], fmt.Sprint(locals[i]))
	}
	said := map[string][]string{}
	for i, name := range trace["components"].([]any) {
		said[name.(string)] = append(said[name.(string)], fmt.Sprint(told.(object)["locals"].([]any)[i]))
	}
	for name, states := range said {
		if !slices.Equal(states, shown[name]) {
			t.Errorf("%s: %s is in %v, not in %v", where, name, shown[name], states)
		}
	}
}
