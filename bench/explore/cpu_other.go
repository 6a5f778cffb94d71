//go:build !unix

package main

import "time"

var started = time.Now()

// cpuSeconds stands in with the time elapsed where processor time is not to be had.
func cpuSeconds() float64 { return time.Since(started).Seconds() }

func peakMemory() int64 { return 0 }
