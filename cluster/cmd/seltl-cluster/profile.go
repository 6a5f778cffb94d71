package main

import (
	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/cmdline"
)

// profileFlag is that of commands which search, or have others do it.
func profileFlag(usage string) cli.Flag { return &cli.StringFlag{Name: "cpuprofile", Usage: usage} }

// profiled wraps an action with the profiler of --cpuprofile.
func profiled(action cli.ActionFunc) cli.ActionFunc { return cmdline.Profiled(action, check.FileError) }
