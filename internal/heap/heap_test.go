package heap

import (
	"runtime/debug"
	"testing"
)

// TestRoomy: the heap has the room that was asked for first, unless the user says how much.
func TestRoomy(t *testing.T) {
	percent := func() int {
		now := debug.SetGCPercent(100)
		debug.SetGCPercent(now)
		return now
	}
	before := percent()
	t.Setenv("GOGC", "100")
	if Roomy(64<<20, 200); percent() != before {
		t.Errorf("%d %% though GOGC is set", percent())
	}
	t.Setenv("GOGC", "")
	if Roomy(64<<20, 200); percent() < 1600 {
		t.Errorf("%d %%: less than 64 MiB", percent())
	}
}
