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
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return time.Since(start)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

var start = time.Now()
