//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// cpuSeconds returns the processor time that this process has used.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	seconds := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
	return seconds(u.Utime) + seconds(u.Stime)
}

// peakOf returns the most bytes of memory that a process had which has ended. On
// Linux it is not less than what this process has: that must stay small.
func peakOf(p *os.ProcessState) float64 {
	u, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return float64(u.Maxrss) // bytes there, KiB elsewhere
	}
	return float64(u.Maxrss) * 1024
}
