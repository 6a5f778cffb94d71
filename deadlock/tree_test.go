package deadlock

import (
	"context"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
)

// TestTree has networks of which minimisation leaves next to nothing: one that no other
// method decides, and one with a deadlock, the way to which plain search finds.
func TestTree(t *testing.T) {
	for _, method := range []Method{Auto, Tree} {
		r, err := answer(context.Background(), gen.ReadersWriters(30), Options{Method: method})
		if err != nil || !r.Free() || r.Method != Tree || r.Minimised.Exploration.States > 2000 {
			t.Errorf("%v: %+v, %v", method, r, err)
		}
	}
	r, err := answer(context.Background(), gen.Philosophers(8, false), Options{Method: Tree})
	if err != nil || r.Free() || r.Method != Plain || r.Minimised == nil {
		t.Errorf("%+v, %v", r, err)
	}
}
