package armc

import (
	"context"
	"testing"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// mute has no answers: each takes some work, as far as it may.
type mute struct {
	smt.Solver
	takes, done, limit uint64
}

func (m *mute) Check(context.Context, ...*logic.Term) (smt.Status, error) {
	if m.done += m.takes; m.limit > 0 && m.takes > m.limit {
		m.done += m.limit - m.takes
	}
	return smt.Unknown, nil
}

func (m *mute) Stats() smt.Stats  { return smt.Stats{Work: m.done} }
func (m *mute) Limit(work uint64) { m.limit = work }

// TestSliced: a question without an answer is open, so that it is asked again with more work, only if it had
// less than without a slice, and has done it: what a solver cannot answer would be asked for ever.
func TestSliced(t *testing.T) {
	for _, c := range []struct {
		name        string
		most, takes uint64
		each        uint64 // 0: that of a method which searches alone
		slice, want bool
	}{
		{"it gives up at once", 1_000_000, 10, 0, true, false},
		{"the slice is done", 1_000_000, 50_000_000, 0, true, true},
		{"a lane's question has all that it ever has", 64_000_000, 50_000_000, 2_000_000, true, false},
		{"a lane's question has what is left", 1_500_000, 50_000_000, 2_000_000, true, true},
		{"the slice is more than a question ever has", 64_000_000, 50_000_000, 0, true, false},
		{"there is no slice", 1_000_000, 50_000_000, 0, false, false},
	} {
		q := &rationed{Solver: &mute{takes: c.takes}, most: c.most, slice: c.slice}
		if q.Limit(c.each); c.each == 0 {
			q.Limit(q.question())
		}
		if status, err := q.Check(context.Background()); status != smt.Unknown || err != nil || q.open != c.want {
			t.Errorf("%s: %v, %v, open %v", c.name, status, err, q.open)
		}
	}
}
