package main

import (
	"fmt"
	"os"
	"runtime/pprof"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check"
)

// profileFlag is that of commands which search, or have others do it.
func profileFlag(usage string) cli.Flag { return &cli.StringFlag{Name: "cpuprofile", Usage: usage} }

// profiled wraps an action with the profiler of --cpuprofile.
func profiled(action cli.ActionFunc) cli.ActionFunc {
	return func(c *cli.Context) error {
		name := c.String("cpuprofile")
		if name == "" {
			return action(c)
		}
		f, err := os.Create(name)
		if err != nil {
			return check.FileError(name, err)
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return fmt.Errorf("--cpuprofile: %w", err)
		}
		defer pprof.StopCPUProfile()
		return action(c)
	}
}
