// Package gcc compiles C texts and runs what comes out: for tests that compare with a
// compiler, and for benchmarks.
package gcc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
)

// ErrMissing says that programs of a data model cannot be made or run here.
var ErrMissing = errors.New("there is no gcc, it has no libraries for this data model, or its programs do not start here: make setup installs gcc-multilib and qemu-user")

// Build compiles a text in a folder, for 32 or 64 bits. It returns the program's path. The
// error is ErrMissing, also if programs of so many bits cannot be run, or has gcc's messages.
func Build(dir, text string, bits int, flags ...string) (string, error) {
	if !starts(bits) {
		return "", ErrMissing
	}
	return build(dir, text, bits, flags...)
}

func build(dir, text string, bits int, flags ...string) (string, error) {
	if _, err := exec.LookPath("gcc"); err != nil {
		return "", ErrMissing
	}
	src, exe := filepath.Join(dir, "program.c"), filepath.Join(dir, "program")
	if err := os.WriteFile(src, []byte(text), 0o666); err != nil {
		return "", err
	}
	args := append([]string{modelFlag(bits), "-w", "-o", exe, src}, flags...)
	cmd := exec.Command("gcc", args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C") // messages are read
	message, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return exe, nil
	case !errors.As(err, &exit):
		return "", err
	case bytes.Contains(message, []byte("No such file or directory")), !bytes.Contains(message, []byte("error:")):
		return "", ErrMissing // of headers or libraries: texts here include none
	case bytes.Contains(message, []byte("unrecognized command-line option '"+modelFlag(bits))):
		return "", ErrMissing // no such processor
	}
	return "", fmt.Errorf("gcc: %s", message)
}

// modelFlag makes programs of so many bits. Where characters have no sign by themselves, they get
// one, as the data models have it.
func modelFlag(bits int) string {
	if bits == 64 && runtime.GOARCH != "amd64" && runtime.GOARCH != "386" {
		return "-fsigned-char"
	}
	return fmt.Sprintf("-m%d", bits)
}

// started remembers by PATH and number of bits whether programs start.
var started sync.Map

// starts reports whether gcc's programs of so many bits run here, by running one: a kernel may
// refuse them though gcc has libraries for them.
func starts(bits int) bool {
	key := fmt.Sprint(bits, os.Getenv("PATH"))
	if known, ok := started.Load(key); ok {
		return known.(bool)
	}
	ok := false
	if dir, err := os.MkdirTemp("", "seltl-gcc-"); err == nil {
		defer os.RemoveAll(dir)
		if exe, err := build(dir, "int main(void) { return 7; }\n", bits); err == nil {
			status, _, _, err := Run(context.Background(), exe)
			ok = err == nil && status == 7
		}
	}
	started.Store(key, ok)
	return ok
}

// emulator runs 32-bit programs where the kernel does not.
const emulator = "qemu-i386"

// Lines compiles a text as Build does, runs the program, and returns the lines that it prints.
func Lines(ctx context.Context, dir, text string, bits int, flags ...string) ([]string, error) {
	exe, err := Build(dir, text, bits, flags...)
	if err != nil {
		return nil, err
	}
	_, out, _, err := Run(ctx, exe)
	return strings.Split(strings.TrimSpace(out), "\n"), err
}

// Run runs a program: its exit status, -1 if a signal ended it, and what it printed. One that the
// kernel does not know how to run is given to the emulator, if there is one.
func Run(ctx context.Context, exe string) (status int, stdout, stderr string, err error) {
	status, stdout, stderr, err = run(ctx, exe)
	if errors.Is(err, syscall.ENOEXEC) {
		if other, missing := exec.LookPath(emulator); missing == nil {
			return run(ctx, other, exe)
		}
	}
	return status, stdout, stderr, err
}

func run(ctx context.Context, command ...string) (status int, stdout, stderr string, err error) {
	var out, messages strings.Builder
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stdout, cmd.Stderr = &out, &messages
	err = cmd.Run()
	if _, ok := errors.AsType[*exec.ExitError](err); ok {
		err = nil
	}
	if err != nil {
		return 0, "", "", err
	}
	return cmd.ProcessState.ExitCode(), out.String(), messages.String(), nil
}
