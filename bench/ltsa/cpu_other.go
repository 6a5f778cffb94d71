//go:build !unix

package main

import "time"

var started = time.Now()

// cpuTime stands in with the time elapsed where processor time is not to be had.
func cpuTime() time.Duration { return time.Since(started) }
