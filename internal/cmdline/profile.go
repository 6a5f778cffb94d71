package cmdline

import (
	"fmt"
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
