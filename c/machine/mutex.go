package machine

import (
	"strings"

	"github.com/seltl/seltl/c/ir"
)

// mutexState is what a run knows of a mutex of the program.
type mutexState uint8

const (
	mutexFree mutexState = iota // as one that was never locked is
	mutexHeld
	mutexUnsure // what decides is not computed
)

// waits reports that a call of a routine need not return. A thread that is alone waits for no mutex that it does not
// hold: threads are not followed. It notes what the call does to mutexes.
func (m *Machine) waits(f *ir.Func, args []uint64) bool {
	blocks := f.Means(ir.AsBlocking)
	does, is := strings.CutPrefix(f.Name, "pthread_mutex_")
	if f.Known == nil || !is || len(args) == 0 {
		return blocks
	}
	o := m.mem.find(args[0])
	own := o != nil && (o.v == nil || !o.v.Extern) // nobody else has locked it
	before := m.mutexes[args[0]]
	after := mutexUnsure
	switch does {
	case "lock":
		after = mutexHeld
	case "unlock", "init", "destroy":
		after = mutexFree
	}
	if m.mutexes == nil {
		m.mutexes = map[uint64]mutexState{}
	}
	m.mutexes[args[0]] = after
	return blocks && !(own && does == "lock" && before == mutexFree)
}
