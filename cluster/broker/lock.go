package broker

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// ErrInUse refuses a store that another server has open: two would write the same files.
var ErrInUse = errors.New("the store is in use")

// lockFile is the file in a store that its server holds locked, and writes its process into.
const lockFile = "lock"

// lockStore locks the folder of a store, which it makes, until the file is closed or the process
// ends, however it does.
func lockStore(dir string) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	name := filepath.Join(dir, lockFile)
	f, err := lock(name)
	if errors.Is(err, ErrInUse) {
		holder := "another process"
		if text, err := os.ReadFile(name); err == nil && len(strings.TrimSpace(string(text))) > 0 {
			holder = "process " + strings.TrimSpace(string(text))
		}
		return nil, fmt.Errorf("--store %s: %w by %s", dir, ErrInUse, holder)
	}
	if err != nil {
		return nil, fmt.Errorf("--store %s cannot be locked: %w", dir, err)
	}
	if err = f.Truncate(0); err == nil {
		_, err = fmt.Fprintln(f, os.Getpid())
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}
