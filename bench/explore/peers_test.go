package main

import (
	"testing"

	"github.com/seltl/seltl/lks/explore"
)

// TestPeersCount: SPIN and LTSmin, where they are installed, find as many states in
// what we write for them.
func TestPeersCount(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles models")
	}
	optimise = "-O0" // compiling takes longer than running
	b := &bench{specs: specs, spin: true, runs: 1}
	b.findPeers()
	if !b.spin {
		t.Skip("spin or gcc is not installed")
	}
	for _, i := range []instance{rw.sized(2), ring.sized(3)} {
		net := networkOf(t, i)
		r, err := explore.Reach(net, explore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		c, err := b.contest(i, "")
		if err != nil {
			t.Fatal(err)
		}
		defer c.close()
		c.spinRow(spinWay{flat: i.Process == ring.Process, all: true})
		c.spinRow(spinWay{flat: i.Process != ring.Process, bfs: i.Process == rw.Process, all: true})
		c.ltsminRows(ltsminWay{"tree", 1, false, nil})
		measure(c.rows, 1)
		for _, row := range c.rows {
			if row.err != nil || row.runs[0].States != float64(r.States) {
				t.Errorf("%v, %s: %+v %v, want %d states", i, row.name, row.runs, row.err, r.States)
			}
		}
	}
}
