//go:build unix

package smt

import (
	"os"
	"syscall"
)

// blockingPipe is os.Pipe without the poller of the Go runtime: who reads waits in the system
// call. With the poller, each line of an answer wakes the thread that polls, and then the one
// that reads, which is up to a tenth of our own time.
func blockingPipe() (r, w *os.File, err error) {
	var ends [2]int
	syscall.ForkLock.RLock() // no child is to inherit them before they are marked
	defer syscall.ForkLock.RUnlock()
	if err := syscall.Pipe(ends[:]); err != nil {
		return nil, nil, os.NewSyscallError("pipe", err)
	}
	for _, fd := range ends {
		syscall.CloseOnExec(fd)
	}
	return os.NewFile(uintptr(ends[0]), "|0"), os.NewFile(uintptr(ends[1]), "|1"), nil
}
