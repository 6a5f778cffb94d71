//go:build !unix || aix || solaris

package broker

import (
	"errors"
	"io/fs"
	"os"
)

// lock opens a file, or returns ErrInUse. Windows does not remove files that are open; the other
// systems here do, and have no lock.
func lock(name string) (*os.File, error) {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, ErrInUse
	}
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
}
