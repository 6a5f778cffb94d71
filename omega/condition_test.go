package omega

import (
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
)

func randomCondition(r *rand.Rand, size int) *Condition {
	if size <= 1 {
		switch r.IntN(10) {
		case 0:
			return True()
		case 1:
			return False()
		case 2, 3, 4, 5:
			return Inf(r.IntN(5))
		}
		return Fin(r.IntN(5))
	}
	left := 1 + r.IntN(size-1)
	x, y := randomCondition(r, left), randomCondition(r, size-left)
	if r.IntN(2) == 0 {
		return And(x, y)
	}
	return Or(x, y)
}

// TestConditions evaluates duals, normal forms, restrictions and Zielonka trees on all marks.
func TestConditions(t *testing.T) {
	for seed := range soak.Cases(uint64(2000)) {
		r := random(seed)
		c := randomCondition(r, 1+r.IntN(9))
		dual := c.Dual()
		or, ok1 := c.Disjuncts()
		and, ok2 := c.Conjuncts()
		if !ok1 || !ok2 {
			t.Fatal("too large")
		}
		some := uint64(r.IntN(32))
		_, satisfiable := c.model()
		any := false
		for marks := range uint64(32) {
			want := c.Holds(marks)
			any = any || want
			inOr, inAnd := false, true
			for _, cl := range or {
				inOr = inOr || marks&cl.Fin == 0 && marks&cl.Inf == cl.Inf
			}
			for _, cl := range and {
				inAnd = inAnd && (marks&cl.Fin != cl.Fin || marks&cl.Inf != 0)
			}
			if dual.Holds(marks) == want || inOr != want || inAnd != want || c.within(some).Holds(marks) != c.Holds(marks&some) || c.given(some).Holds(marks) != c.Holds(marks|some) {
				t.Fatalf("seed %d: %v, marks %b", seed, c, marks)
			}
		}
		if satisfiable != any {
			t.Fatalf("seed %d: %v: has a model: %v", seed, c, satisfiable)
		}
		checkZielonka(t, seed, c)
	}
}

// checkZielonka: children are the largest subsets with the other value, by definition.
func checkZielonka(t *testing.T, seed uint64, c *Condition) {
	t.Helper()
	z, err := newZielonka(c, 31, nil)
	if err != nil {
		t.Fatal(err)
	}
	for n, marks := range z.marks {
		want := map[uint64]bool{}
		for x := range uint64(32) {
			largest := x&^marks == 0 && c.Holds(x) != c.Holds(marks)
			for y := range uint64(32) {
				largest = largest && !(y != x && x&^y == 0 && y&^marks == 0 && c.Holds(y) != c.Holds(marks))
			}
			if largest {
				want[x] = true
			}
		}
		for _, child := range z.children[n] {
			if !want[z.marks[child]] {
				t.Fatalf("seed %d: %v: %b is no child of %b", seed, c, z.marks[child], marks)
			}
		}
		if len(want) != len(z.children[n]) {
			t.Fatalf("seed %d: %v: %d children of %b, want %d", seed, c, len(z.children[n]), marks, len(want))
		}
	}
}

// TestParity: by the number that decides.
func TestParity(t *testing.T) {
	for n := range 6 {
		for _, maximum := range []bool{false, true} {
			for _, odd := range []bool{false, true} {
				c := Parity(maximum, odd, n)
				for marks := range uint64(1) << n {
					decides := n
					if maximum {
						decides = -1
					}
					for i := range n {
						if marks>>i&1 != 0 && (maximum || decides == n) {
							decides = i
						}
					}
					if want := (decides%2 != 0) == odd; c.Holds(marks) != want {
						t.Errorf("max %v, odd %v, %d sets: %v on %b: %v", maximum, odd, n, c, marks, !want)
					}
				}
			}
		}
	}
}
