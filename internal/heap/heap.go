// Package heap says how large the heap of a process grows before its garbage is
// collected. The runtime begins with 4 MiB: what makes many small values that die young
// then spends up to a third of its time on collections.
package heap

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

var once sync.Once

// Roomy lets the heap grow to some bytes before it is collected, and to percent more
// than what is live where that is more: a short run is never collected. What the user says
// by GOGC goes first. It does so once in a process.
func Roomy(room, percent int64) {
	if os.Getenv("GOGC") != "" {
		return
	}
	once.Do(func() {
		// The runtime's own least heap is 4 MiB at 100 %.
		debug.SetGCPercent(int(max(percent, 100*room/(4<<20))))
		afterCollection(func() {
			live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
			metrics.Read(live)
			debug.SetGCPercent(int(max(percent, 100*room/max(1, int64(live[0].Value.Uint64()))-100)))
		})
	})
}

// afterCollection does something after each collection of garbage, by an object that is
// garbage from the start.
func afterCollection(do func()) {
	runtime.AddCleanup(new([2]*byte), func(struct{}) {
		do()
		afterCollection(do)
	}, struct{}{})
}
