//go:build unix && !aix && !solaris

package broker

import (
	"errors"
	"os"
	"syscall"
)

// lock opens a file and locks it, or returns ErrInUse. The lock goes with the open file, and so
// with the process, also one that is killed.
func lock(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = ErrInUse
		}
		return nil, err
	}
	return f, nil
}
