//go:build unix

// Package cputime reads the processor time of this process, and the memory of others that
// have ended: what benchmarks compare where other programs run beside them.
package cputime

import (
	"syscall"
	"time"
)

// Used returns the user and system time of all threads so far.
func Used() time.Duration {
	used, err := of(syscall.RUSAGE_SELF)
	if err != nil {
		return time.Since(start)
	}
	return used
}

// Children returns that of the children that have ended, and were waited for.
func Children() time.Duration {
	used, _ := of(syscall.RUSAGE_CHILDREN) // 0 if it is not known
	return used
}

func of(who int) (time.Duration, error) {
	var u syscall.Rusage
	err := syscall.Getrusage(who, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), err
}

var start = time.Now()
