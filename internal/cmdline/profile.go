package cmdline

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/pprof"

	"github.com/urfave/cli/v2"
)

// Profiled wraps an action with the profiler of a flag --cpuprofile FILE. created makes the error
// of a file that cannot be written.
func Profiled(action cli.ActionFunc, created func(name string, err error) error) cli.ActionFunc {
	return func(c *cli.Context) error {
		name := c.String("cpuprofile")
		if name == "" {
			return action(c)
		}
		if !replaceable(name) {
			return created(name, errors.New("it is there already, and no profile: another name is needed"))
		}
		f, err := os.Create(name)
		if err != nil {
			return created(name, err)
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return fmt.Errorf("--cpuprofile: %w", err)
		}
		defer pprof.StopCPUProfile()
		return action(c)
	}
}

// replaceable reports a file that is not there, empty, no regular file, or a profile, which is
// compressed.
func replaceable(name string) bool {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return true
	}
	f, err := os.Open(name)
	if err != nil {
		return true
	}
	defer f.Close()
	var magic [2]byte
	_, err = io.ReadFull(f, magic[:])
	return err == nil && magic == [2]byte{0x1f, 0x8b}
}
