package serve_test

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/serve"
)

// hostile are models, each within the limit of a text, of which something is too much.
func hostile() map[string]string {
	chain := "P = (" + strings.Repeat("a -> ", 150_000) + "P).\n"
	return map[string]string{
		"components":    "P=(a->P). ||S=(forall[i:0..100000] p[i]:P).",
		"two states":    "P=(a->b->P). ||S=(forall[i:0..5000] p[i]:P).",
		"combinations":  "P=P[0], P[i:0..29]=(" + strings.TrimPrefix(strings.Repeat(" | a->P[(i*7+3)%30]", 1), " |") + " | b[j:0..29]->P[j] | c->P[(i+1)%30] | c->P[(i+2)%30] | c->P[(i+3)%30]). ||S=(forall[i:0..19] p[i]:P/{c/p[i].c}).",
		"set":           "set S={e[0..4999]}\nP=(S->P). property W=(S->b->W). ||D=(P||W).",
		"index":         "P=P[0][0], P[i:0..99999][j:0..99999]=(a->P[i][j]).",
		"index in use":  "P=P[0][0], P[i:0..999][j:0..999]=(a[i]->P[(i+1)%1000][j]|b->P[i][(j+1)%1000]).",
		"parentheses":   "const N=" + strings.Repeat("(", 400_000) + "1" + strings.Repeat(")", 400_000) + "\nP=(a->P).",
		"nested groups": "P=" + strings.Repeat("(a->", 200_000) + "P" + strings.Repeat(")", 200_000) + ".",
		"chain":         chain,
		"recursion":     "P=(a->P). ||C(M=100000)=if M>0 then (P||C(M-1)) else P. ||S=C.",
		"dense":         "P=P[0], P[i:0..299]=({a[0..99]}->P[(i*7+1)%300] | {b[0..99]}->P[(i*11+1)%300]).",
		"relabelling":   "P=(a[0..999]->P)/{{x[0..999]}/{a[0..999]}}.",
		"replication":   "P=(a[0..99]->P). ||S={p[0..999]}::P.",
		"many":          strings.Repeat("P = (a -> b -> c -> STOP | d -> STOP).\n", 25_000),
		"damaged":       strings.Repeat("P = (a -> ] { -> .\n", 50_000),
		"formulas":      "P=(a->b->P). assert A=" + strings.Repeat("[](a-><>b)&&", 40_000) + "[]a",
		"words":         "P=(a->b->P). assert A=" + strings.Repeat("X ", 100_000) + "a",
		"fluents":       "P=(a->b->P). fluent F[i:0..9999]=<a,b> assert A=forall[i:0..9999] []F[i]",
		"marks":         "P=P[0], P[i:0..2999]=(a->P[(i+1)%3000]|a->P[(i+7)%3000]). deterministic ||D=P.",
	}
}

// TestHostileModels: whatever a model is, a request that is waited for ends within about twice
// its limits of time and memory, and the next one is answered. Of the models some are tried, and
// all in a soak run.
func TestHostileModels(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	const quick, memory = time.Second, 512 << 20
	models := hostile()
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
