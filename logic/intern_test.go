package logic

import (
	"runtime"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
)

// TestInterned: equal terms are one, also when many have gone and the table was made anew.
func TestInterned(t *testing.T) {
	x := Var("x", Int)
	make := func(i int64) *Term { return Le(Add(x, IntConst(i)), Var("y", Int)) }
	var kept []*Term
	n := soak.Size(int64(20_000))
	for round := range int64(5) {
		for i := range n {
			if f := make(round*n + i); i%10 == 0 {
				kept = append(kept, f)
			}
		}
		runtime.GC()
	}
	for i, f := range kept {
		if n := int64(i) * 10; make(n) != f {
			t.Fatalf("%s is two terms", f)
		}
	}
	interned.Lock()
	defer interned.Unlock()
	used, young := 0, 0
	for _, s := range interned.table {
		if s.used() {
			used++
		}
		if s.young != nil {
			young++
		}
	}
	if used != interned.used || 3*used > 2*len(interned.table) {
		t.Errorf("%d slots of %d are used, not %d", used, len(interned.table), interned.used)
	}
	if young != interned.young || young >= mostYoung {
		t.Errorf("%d slots are young, not %d", young, interned.young)
	}
}
