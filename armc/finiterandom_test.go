package armc_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"

	. "github.com/seltl/seltl/armc"
)

// TestFiniteSystems: systems over words, arrays and inputs with few states are all decided, as
// enumeration of all values does; bounded search alone is wrong of none. Certificates are read again.
func TestFiniteSystems(t *testing.T) {
	pool := thePool(t)
	s, err := pool.Acquire(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Release(s)
	count, alone, mentioned := map[Verdict]int{}, map[Verdict]int{}, map[Verdict]int{}
	n := soak.Long(uint64(2000))
	for seed := range n {
		sys := gen.NewMixedSystem(rand.New(rand.NewPCG(seed, 72)))
		want := Safe
		if naive.Unsafe(sys, gen.SystemMax) {
			want = Unsafe
		}
		r, err := Check(ctx, sys, pool, Options{Enumeration: seed%2 == 0})
		if err != nil || r.Verdict != want {
			t.Fatalf("seed %d: %v (%v), %v, want %v", seed, r.Verdict, r.Reason, err, want)
		}
		count[want]++
		if r.Verdict == Safe && seed%8 == 0 {
			var text bytes.Buffer
			if err := r.Certificate.Write(&text, sys); err != nil {
				t.Fatal(err)
			}
			again, err := ReadCertificate(&text, sys)
			if err == nil {
				err = CheckCertificate(ctx, sys, again, s)
			}
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
		if seed%4 == 1 { // what is said of elements is wrong of none, and says something
			if r, err = Check(ctx, sys, pool, Options{Method: Houdini, MaxWork: 2_000_000}); err != nil || r.Verdict != Unknown && r.Verdict != want {
				t.Fatalf("seed %d: houdini: %v, %v, want %v", seed, r.Verdict, err, want)
			}
			mentioned[r.Verdict]++
		}
		if seed%4 > 0 {
			continue
		}
		if r, err = Check(ctx, sys, pool, Options{Method: Bounded, Rounds: 20}); err != nil || r.Verdict != Unknown && r.Verdict != want {
			t.Fatalf("seed %d: bounded: %v, %v, want %v", seed, r.Verdict, err, want)
		}
		if alone[r.Verdict]++; r.Verdict == Unknown && want == Unsafe {
			t.Errorf("seed %d: bounded: %v", seed, r.Reason)
		}
	}
	t.Logf("%v; bounded: %v, houdini: %v", count, alone, mentioned)
	if n >= 100 && (count[Safe] < int(n)/5 || count[Unsafe] < int(n)/5) {
		t.Errorf("the random systems do not say much: %v", count)
	}
}

// TestEnumerationCertificate: what is said to be enumerated is, and is refused where an error is among
// the states, or nobody can say what they are.
func TestEnumerationCertificate(t *testing.T) {
	const counter = `var x: bv16; locations a; init a when x == 0bv16; a -> a do x := bvadd(x, 3bv16); `
	for text, good := range map[string]bool{
		counter + "error a when x != x || bvult(x, 0bv16);":                                    true,
		counter + "error a when x == 2bv16;":                                                   false,
		`var x: real; locations a; init a when x == 0; a -> a do x := x; error a when x == 1;`: false,
		`var x: bv16; locations a, b; init a; a -> b do x := *; error b when x == 5bv16;`:      false,
	} {
		sys := parseText(t, text)
		err := CheckCertificate(ctx, sys, &Certificate{Enumeration: true}, nil)
		if (err == nil) != good {
			t.Errorf("%s: %v", text, err)
		}
	}
	sys := parseText(t, `var x, y: bv16; locations a; init a when x == 0bv16 && y == 0bv16; error a when bvult(7bv16, bvand(x, 7bv16)) || y == 5bv16 && x == 1bv16; a -> a do x := bvadd(x, 3bv16), y := bvxor(x, bvlshr(x, 1bv16));`)
	r, err := Check(ctx, sys, thePool(t), Options{Method: Enumerate, NoFacts: true, Enumeration: true})
	if err != nil || r.Verdict != Safe || !r.Certificate.Enumeration {
		t.Fatalf("%+v, %v", r, err)
	}
	var text bytes.Buffer
	if err := r.Certificate.Write(&text, sys); err != nil {
		t.Fatal(err)
	}
	again, err := ReadCertificate(&text, sys)
	if err != nil || !again.Enumeration {
		t.Fatalf("%+v, %v", again, err)
	}
}
