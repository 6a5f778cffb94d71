package armc_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"

	. "github.com/seltl/seltl/armc"
)

// Systems that need a step for each number, or a predicate, unless loops are taken any
// number of times.
var accelerable = map[string]struct {
	text   string
	want   Verdict
	length int // of a shortest run
}{
	"until":   {`var x: int; locations a, b; init a when x == 0; error b; a -> a when x != 20000 do x := x + 1; a -> b when x == 20000;`, Unsafe, 20_001},
	"below":   {`var x: int; locations a, b; init a when x == 0; error b when x == 20001; a -> a when x <= 20000 do x := x + 1; a -> b when x > 20000;`, Unsafe, 20_002},
	"no end":  {`var x: int; locations a; init a when x == 0; error a when x > 14000; a -> a do x := x + 7;`, Unsafe, 2_001},
	"beside":  {`var x, y: int; locations a; init a when x == 0; error a when x == 6000 && y == 7; a -> a do x := x + 1, y := *;`, Unsafe, 6_000},
	"inner":   {`var x, y: int; locations a, b; init a when x == 0 && y == 0; error a when y == 3; a -> b do x := 0; b -> b when x < 1000 do x := x + 1; b -> a when x >= 1000 do y := y + 1;`, Unsafe, 3_006},
	"by two":  {`var x: int; locations a, b; init a when x == 0; assert b: x == 1000000; a -> a when x < 1000000 do x := x + 2; a -> b when x >= 1000000;`, Safe, 0},
	"half":    {`var x, y: int; locations a, b; init a when x == 0 && y == 500; assert b: y == 1000; a -> a when x < 500 do x := x + 1; a -> a when 500 <= x && x < 1000 do x := x + 1, y := y + 1; a -> b when x >= 1000;`, Safe, 0},
	"any sum": {`var x, y, n: int; locations a, b; init a when x == 0 && y == n && n >= 0; assert b: x == n; a -> a when y > 0 do x := x + 1, y := y - 1; a -> b when y <= 0;`, Safe, 0},
}

// TestAccelerated: these are decided soon, in few rounds, by predicates and, where an error
// is met, by bounded search; and not without acceleration.
func TestAccelerated(t *testing.T) {
	pool := thePool(t)
	for name, test := range accelerable {
		sys := parseText(t, test.text)
		for _, o := range []Options{{Method: Forward}, {Method: Bounded}} {
			if o.Method == Bounded && test.want == Safe {
				continue
			}
			o.NoFacts, o.Rounds, o.Limits = true, 20, budget.Limits{Time: time.Minute}
			r, err := Check(ctx, sys, pool, o)
			if err != nil || r.Verdict != test.want {
				t.Errorf("%s, %s: %+v, %v", name, o.Method, r, err)
				continue
			}
			if test.want == Unsafe && (len(r.Trace.Edges) != test.length || r.Trace.Replay(sys) != nil) {
				t.Errorf("%s, %s: a run of %d steps, want %d", name, o.Method, len(r.Trace.Edges), test.length)
			}
			o.Rounds = 8
			o.NoAcceleration = true
			if name == "any sum" || testing.Short() {
				continue // Farkas alone has that sum; most of the time goes here
			}
			if r, err = Check(ctx, sys, pool, o); err != nil || r.Verdict != Unknown {
				t.Errorf("%s, %s: without acceleration: %+v, %v", name, o.Method, r, err)
			}
		}
	}
}

// TestTooFar: a run that is too long to be written down is no verdict.
func TestTooFar(t *testing.T) {
	pool := thePool(t)
	sys := parseText(t, `var x: int; locations a; init a when x == 0; error a when x == 1000000000; a -> a do x := x + 1;`)
	for _, m := range []Method{Forward, Bounded} {
		r, err := Check(ctx, sys, pool, Options{Method: m, Rounds: 5})
		if err != nil || r.Verdict != Unknown || r.Reason == nil {
			t.Errorf("%s: %+v, %v", m, r, err)
		}
	}
}

// TestAcceleratedRandom compares verdicts of random systems that count with those of
// explicit search, and with those without acceleration.
func TestAcceleratedRandom(t *testing.T) {
	pool := thePool(t)
	count := map[string]int{}
	n := soak.Long(uint64(30))
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 48))
		sys := gen.NewCounters(r)
		want := Safe
		if naive.Unsafe(sys, gen.CountersMax) {
			want = Unsafe
		}
		for _, o := range []Options{{}, {Method: Forward}, {Method: Forward, Blocks: Small}, {Method: Bounded}, {Method: Bounded, NoAcceleration: true}} {
			o.NoFacts, o.Rounds, o.MaxQueries = seed%2 == 0, 15, 1000
			if o.Method == Bounded {
				o.Rounds = 3 // beyond these, runs are found without acceleration, too
			}
			res, err := Check(ctx, sys, pool, o)
			if err != nil || res.Verdict != Unknown && res.Verdict != want {
				t.Fatalf("seed %d, %+v: %+v, %v, want %s", seed, o, res, err, want)
			}
			if res.Verdict == Unsafe && res.Trace.Replay(sys) != nil || res.Verdict == Safe && res.Certificate == nil {
				t.Fatalf("seed %d, %+v: %+v", seed, o, res)
			}
			count[fmt.Sprint(o.Method, o.NoAcceleration, " ", res.Verdict)]++
		}
	}
	t.Logf("verdicts: %v", count)
	if n >= 30 && (count["forward false holds"] < int(n) || count["forward false violated"] < int(n)/5 || count["bounded false violated"] <= count["bounded true violated"]) {
		t.Errorf("the systems do not say much: %v", count)
	}
}

// TestExplainAccelerated: the narration says what was found of loops taken any number of
// times.
func TestExplainAccelerated(t *testing.T) {
	pool := thePool(t)
	for name, want := range map[string]string{"half": "it is spurious; new predicates (farkas, with its loops taken any number of times):",
		"until": "with its loops taken more often it is a run of the system"} {
		sys := parseText(t, accelerable[name].text)
		text := ""
		o := Options{Method: Forward, NoFacts: true, Explain: func(r Round) { text += r.Explain(sys) }}
		if r, err := Check(ctx, sys, pool, o); err != nil || r.Verdict != accelerable[name].want || !strings.Contains(text, want) {
			t.Errorf("%s: %+v, %v\n%s", name, r, err, text)
		}
	}
}
