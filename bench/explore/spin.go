package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/seltl/seltl/lks"
)

// spinVariant is a way to compile and run SPIN's verifiers, exact and unreduced.
type spinVariant struct {
	name    string
	defines []string
}

var spinVariants = []spinVariant{
	{"bfs", []string{"-DBFS"}},
	{"dfs", nil},
}

// spinTimeout bounds every run of a program.
const spinTimeout = 2 * time.Minute

// haveSPIN reports whether SPIN and a C compiler are installed.
func haveSPIN() bool {
	for _, program := range []string{"spin", "gcc"} {
		if _, err := exec.LookPath(program); err != nil {
			return false
		}
	}
	return true
}

// buildSPIN makes the verifiers of a network in a folder.
func buildSPIN(net *lks.Network, dir string) error {
	model, err := promela(net)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "model.pml"), []byte(model), 0o600); err != nil {
		return err
	}
	if _, _, err := execute(dir, "spin", "-a", "model.pml"); err != nil {
		return err
	}
	for _, v := range spinVariants {
		args := append([]string{"-O3", "-w", "-DNOREDUCE", "-DSAFETY", "-DMEMLIM=8000", "-o", "pan-" + v.name}, v.defines...)
		if _, _, err := execute(dir, "gcc", append(args, "pan.c")...); err != nil {
			return err
		}
	}
	return nil
}

// runSPIN explores everything with one verifier and reads its report: bytes are
// those of stored states, without the hash table that the run was given.
func runSPIN(dir string, v spinVariant) (figures, error) {
	// -c0: do not stop at a deadlock; -w24: a hash table large enough not to grow.
	out, usage, err := execute(dir, "./pan-"+v.name, "-m10000000", "-w24", "-c0")
	if err != nil {
		return figures{}, err
	}
	f := usage
	f.states, err = number(out, `(?m)^ *([0-9.e+]+) states, stored`)
	if err != nil {
		return f, err
	}
	if f.transitions, err = number(out, `(?m)^ *([0-9.e+]+) transitions`); err != nil {
		return f, err
	}
	megabytes, err := number(out, `(?m)^ *([0-9.]+)\s+actual memory usage for states`)
	if err != nil {
		// SPIN leaves the line out where compression gains nothing.
		megabytes, err = number(out, `(?m)^ *([0-9.]+)\s+equivalent memory usage for states`)
	}
	f.bytes = megabytes * (1 << 20)
	return f, err
}

// number finds a number in the output of a program.
func number(out, pattern string) (float64, error) {
	found := regexp.MustCompile(pattern).FindStringSubmatch(out)
	if found == nil {
		return 0, fmt.Errorf("SPIN's report lacks %q", pattern)
	}
	return strconv.ParseFloat(found[1], 64)
}

// execute runs a program and returns what it printed and the time it took.
func execute(dir, name string, args ...string) (string, figures, error) {
	ctx, cancel := context.WithTimeout(context.Background(), spinTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	start := time.Now()
	out, err := cmd.CombinedOutput()
	f := figures{wall: time.Since(start).Seconds()}
	if cmd.ProcessState != nil {
		f.cpu = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	}
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", name, err, strings.TrimSpace(string(out)))
	}
	return string(out), f, err
}
