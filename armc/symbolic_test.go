package armc_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"

	. "github.com/seltl/seltl/armc"
)

// TestSymbolicRandom: symbolic execution is wrong of no system over words, arrays and inputs with few states, whose
// values are enumerated for comparison, and decides most; its certificates are read and checked again.
func TestSymbolicRandom(t *testing.T) {
	pool := thePool(t)
	s, err := pool.Acquire(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Release(s)
	count := map[Verdict]int{}
	n := soak.Long(uint64(300))
	for seed := range n {
		sys := gen.NewMixedSystem(rand.New(rand.NewPCG(seed, 91)))
		want := Safe
		if naive.Unsafe(sys, gen.SystemMax) {
			want = Unsafe
		}
		r, err := Check(ctx, sys, pool, Options{Method: Symbolic, NoFacts: true, MaxWork: 1_000_000, Enumeration: seed%2 == 0})
		if err != nil || r.Verdict != Unknown && r.Verdict != want {
			t.Fatalf("seed %d: %v, %v, want %v", seed, r.Verdict, err, want)
		}
		count[r.Verdict]++
		switch {
		case r.Verdict == Unsafe && seed%2 == 1:
			if err := r.Trace.Replay(sys); err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
		case r.Verdict == Safe && seed%4 == 0:
			var text bytes.Buffer
			if err := r.Certificate.Write(&text, sys); err != nil {
				t.Fatal(err)
			}
			again, err := ReadCertificate(&text, sys)
			if err == nil && again.Execution {
				err = CheckCertificate(ctx, sys, again, s)
			}
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		case want == Unsafe && seed%16 == 0: // of runs that do not end, it is not known
			soon, cancel := context.WithTimeout(ctx, time.Second)
			if err := CheckCertificate(soon, sys, &Certificate{Execution: true}, s); err == nil {
				t.Errorf("seed %d: the certificate of a false claim is accepted", seed)
			}
			cancel()
		}
	}
	t.Logf("%v", count)
	if n >= 100 && (count[Safe] < int(n)/8 || count[Unsafe] < int(n)/5) {
		t.Errorf("the random systems do not say much: %v", count)
	}
}

// TestSymbolic: what symbolic execution decides, and what it must not take for decided.
func TestSymbolic(t *testing.T) {
	const head = "var x, y: bv16; locations a, b, c; init a when x == 0bv16 && y == 0bv16; "
	for text, want := range map[string]Verdict{
		// a loop that guards end, and one that only the solver ends
		head + "a -> a when bvult(x, 300bv16) do x := bvadd(x, 1bv16); a -> b when !bvult(x, 300bv16); error b when x != 300bv16;":                                    Safe,
		head + "a -> a when bvult(x, 5bv16) do x := bvadd(x, bvor(bvand(y, 3bv16), 1bv16)), y := *; a -> b when !bvult(x, 5bv16); error b when bvult(8bv16, x);":      Safe,
		head + "a -> a when bvult(x, 5bv16) do x := bvadd(x, bvor(bvand(y, 3bv16), 1bv16)), y := *; a -> b when !bvult(x, 5bv16); error b when bvult(6bv16, x);":      Unsafe,
		head + "a -> b do x := 1bv16; a -> b do x := 2bv16; b -> c; error c when x == 1bv16;":                                                                         Unsafe, // both are possible
		head + "a -> b do x := 1bv16; a -> b do x := 2bv16; b -> c; error c when x == 2bv16;":                                                                         Unsafe,
		head + "a -> b do x := 1bv16; a -> b do x := 2bv16; b -> c; error c when x == 3bv16;":                                                                         Safe,
		head + "a -> b do x := *; b -> c do y := *; error c when x == 1bv16 && y == 2bv16;":                                                                           Unsafe,
		head + "a -> a when y == 0bv16 do x := *, y := 1bv16; a -> b when y == 1bv16 do y := x, x := *; error b when x != y;":                                         Unsafe, // an input is another one each time
		"var x: bv16; locations a, b; init a when x == 0bv16; init a when x == 1bv16; init b when x == 2bv16; a -> b; error b when x == 3bv16;":                       Safe,
		"var x: bv16; locations a, b; init a when x == 0bv16; init a when x == 1bv16; init b when x == 2bv16; a -> b; error b when x == 2bv16;":                       Unsafe,
		"var x: bv16; locations a, b; init a when x == 0bv16; init a when x == 1bv16; init b when x == 2bv16; a -> b; error b when x == 1bv16;":                       Unsafe,
		"var x: bv16; locations a; init a; error a when x == 77bv16;":                                                                                                 Unsafe, // at once
		head + "a -> a when bvult(x, 40bv16) do x := bvadd(x, 1bv16), y := *; a -> b when bvult(y, 3bv16); b -> c when x == 33bv16 && y == 2bv16; error c;":           Unsafe, // the loop left in any round
		"var x: int; locations a, b; init a when x == 0; a -> a when x < 50 do x := x + 1; a -> b when x >= 50; error b when x != 50;":                                Safe,
		"var x: bv16; var m: bool; locations a, b; init a when x == 0bv16 && !m; a -> b when m do x := 1bv16; a -> b when !m do x := 2bv16; error b when x == 1bv16;": Safe,
	} {
		sys := parseText(t, text)
		r, err := Check(ctx, sys, thePool(t), Options{Method: Symbolic, NoFacts: true, MaxWork: 20_000_000})
		if err != nil || r.Verdict != want {
			t.Errorf("%s\n%v, %v, want %v (%v)", text, r.Verdict, err, want, r.Reason)
		} else if want == Safe && !r.Certificate.Execution {
			t.Errorf("%s\nno execution: %+v", text, r.Certificate)
		}
	}
}

// TestSymbolicCertificate: what is said to be an execution of all runs is one, and is refused where an error is met.
func TestSymbolicCertificate(t *testing.T) {
	s, err := thePool(t).Acquire(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer thePool(t).Release(s)
	sys := parseText(t, "var x: bv16; locations a, b; init a; a -> b do x := bvand(x, 3bv16); error b when x == 3bv16;")
	err = CheckCertificate(ctx, sys, &Certificate{Execution: true}, s)
	if err == nil || !strings.Contains(err.Error(), "not safe at b (refuted)") {
		t.Errorf("%v", err)
	}
}
