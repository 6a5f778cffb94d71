//go:build unix

package cputime

import (
	"os"
	"runtime"
	"syscall"
)

// Peak returns the most bytes of memory that a process had which has ended. On
// Linux it is not less than what this process has: that must stay small.
func Peak(p *os.ProcessState) float64 {
	u, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return bytes(u)
}

// OwnPeak returns the most bytes of memory that this process had so far.
func OwnPeak() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return bytes(&u)
}

func bytes(u *syscall.Rusage) float64 {
	if runtime.GOOS == "darwin" {
		return float64(u.Maxrss) // bytes there, KiB elsewhere
	}
	return float64(u.Maxrss) * 1024
}
