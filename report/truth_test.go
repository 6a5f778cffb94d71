package report

import "testing"

// TestHiddenStates: what is said to be left out is what the blocks leave out.
func TestHiddenStates(t *testing.T) {
	for n := range 400 {
		for room := 1; room < 40; room++ {
			shown := 0
			for from := 0; from < n; from += room {
				if to := min(from+room, n); from == 0 || to >= n-room {
					shown += to - from
				}
			}
			if got := hiddenStates(n, room); got != n-shown {
				t.Fatalf("%d states, %d a block: %d hidden, not %d", n, room, got, n-shown)
			}
		}
	}
}
