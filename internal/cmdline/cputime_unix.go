//go:build unix

package cmdline

import (
	"syscall"
	"time"
)

// ProcessorTimes returns the user and system time of this process so far, and of the
// children that have ended.
func ProcessorTimes() (own, children time.Duration, known bool) {
	var u [2]syscall.Rusage
	for i, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		if err := syscall.Getrusage(who, &u[i]); err != nil {
			return 0, 0, false
		}
	}
	used := func(u syscall.Rusage) time.Duration { return time.Duration(u.Utime.Nano() + u.Stime.Nano()) }
	return used(u[0]), used(u[1]), true
}
