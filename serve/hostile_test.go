package serve_test

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/seltl/seltl/internal/testing/hostile"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/serve"
)

// TestHostileModels: whatever a model is, a request that is waited for ends within about twice
// its limits of time and memory, and the next one is answered. Of the models some are tried, and
// all in a soak run.
func TestHostileModels(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	const quick, memory = time.Second, 512 << 20
	models := hostile.Models()
	names := slices.Sorted(maps.Keys(models))
	if soak.Cases(1) == 1 {
		names = []string{"combinations", "components", "fluents", "two states", "recursion"}
	}
	for _, name := range names {
		text := models[name]
		t.Run(name, func(t *testing.T) {
			c := newClient(t, serve.Options{Limits: serve.Limits{Quick: quick, Time: quick, Memory: memory, Body: 16 << 20, Model: 4 << 20}})
			doc := object{"name": "m.lks", "text": text}
			ask := func(what, path string, body any) object {
				runtime.GC()
				began, most := time.Now(), peak()
				_, a := c.ask(path, body)
				if took, used := time.Since(began), most(); took > 2*quick+slack || used > 2*memory {
					t.Errorf("%s: %v, %d MiB", what, took, used>>20)
				} else {
					t.Logf("%s: %v, %d MiB %s", what, took, used>>20, problem(a))
				}
				return a
			}
			ask("read", "/api/read", doc)
			ask("picture", "/api/picture", doc)
			ask("formula", "/api/formula", object{"name": "m.lks", "text": text, "formula": "G F a"})
			a := ask("simulation", "/api/simulations", doc)
			if id, ok := a["id"].(string); ok {
				ask("step", "/api/simulations/"+id, object{"command": "1"})
				ask("random", "/api/simulations/"+id, object{"command": "random 10000"})
				ask("goal", "/api/simulations/"+id, object{"command": "goto deadlock"})
				ask("graph", "/api/simulations/"+id+"/graph", nil)
				ask("run", "/api/simulations/"+id+"/run", nil)
				ask("copy", "/api/simulations/"+id+"/copy", object{})
			}
			if a := ask("after", "/api/read", object{"name": "n.lks", "text": "P = (a -> P)."}); problem(a) != "" {
				t.Error("the server is not itself any more: ", fmt.Sprint(a))
			}
		})
	}
}

// slack is for machines that have much else to do; a soak has less.
var slack = 40*time.Second/time.Duration(soak.Seeds(1)) + 4*time.Second

// peak returns a function that returns how much more memory was in use at once since.
func peak() func() uint64 {
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	stop, most := make(chan struct{}), make(chan uint64)
	go func() {
		var top uint64
		for {
			select {
			case <-stop:
				most <- top
				return
			case <-time.After(20 * time.Millisecond):
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				if m.HeapAlloc > before.HeapAlloc {
					top = max(top, m.HeapAlloc-before.HeapAlloc)
				}
			}
		}
	}()
	return func() uint64 { close(stop); return <-most }
}
