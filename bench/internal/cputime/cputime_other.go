//go:build !unix

// Package cputime reads the processor time of this process, and the memory of others that
// have ended: what benchmarks compare where other programs run beside them.
package cputime

import "time"

// Used returns the time since the program started, for want of something better.
func Used() time.Duration { return time.Since(start) }

// Children is not known here.
func Children() time.Duration { return 0 }

var start = time.Now()
