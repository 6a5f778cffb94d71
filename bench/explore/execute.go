package main

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/seltl/seltl/bench/internal/cputime"
)

// timeout bounds every run of a program.
var timeout = 5 * time.Minute

// optimise is how compilers of other tools' models optimise.
var optimise = "-O3"

// execute runs a program and returns what it printed, and the time and memory it
// took.
func execute(dir, name string, args ...string) (string, figures, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	start := time.Now()
	out, err := cmd.CombinedOutput()
	f := figures{Wall: time.Since(start).Seconds()}
	if cmd.ProcessState != nil {
		f.CPU = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
		f.Peak = cputime.Peak(cmd.ProcessState)
	}
	switch {
	case ctx.Err() != nil:
		err = fmt.Errorf("%s took more than %v", name, timeout)
	case err != nil:
		err = fmt.Errorf("%s: %w\n%s", name, err, tail(string(out)))
	}
	return string(out), f, err
}

// tail returns the last lines of a program's output.
func tail(out string) string {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	return strings.Join(lines[max(0, len(lines)-4):], "\n")
}

// number finds a number in the output of a program.
func number(out, pattern string) (float64, error) {
	found := regexp.MustCompile(pattern).FindStringSubmatch(out)
	if found == nil {
		return 0, fmt.Errorf("the report lacks %q", pattern)
	}
	return strconv.ParseFloat(found[1], 64)
}
