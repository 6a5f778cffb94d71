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
)

// ErrMissing says that there is no gcc, or that it has no libraries for a data model.
var ErrMissing = errors.New("there is no gcc, or it has no libraries for this data model")

// Build compiles a text in a folder, for 32 or 64 bits. It returns the program's path. The
// error is ErrMissing, or has gcc's messages.
func Build(dir, text string, bits int, flags ...string) (string, error) {
	if _, err := exec.LookPath("gcc"); err != nil {
		return "", ErrMissing
	}
	src, exe := filepath.Join(dir, "program.c"), filepath.Join(dir, "program")
	if err := os.WriteFile(src, []byte(text), 0o666); err != nil {
		return "", err
	}
	args := append([]string{fmt.Sprintf("-m%d", bits), "-w", "-o", exe, src}, flags...)
	message, err := exec.Command("gcc", args...).CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return exe, nil
	case !errors.As(err, &exit):
		return "", err
	case bytes.Contains(message, []byte("No such file or directory")), !bytes.Contains(message, []byte("error:")):
		return "", ErrMissing // of headers or libraries: texts here include none
	}
	return "", fmt.Errorf("gcc: %s", message)
}

// Run runs a program: its exit status, -1 if a signal ended it, and what it printed.
func Run(ctx context.Context, exe string) (status int, stdout, stderr string, err error) {
	var out, messages bytes.Buffer
	cmd := exec.CommandContext(ctx, exe)
	cmd.Stdout, cmd.Stderr = &out, &messages
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = nil
	}
	if err != nil {
		return 0, "", "", err
	}
	return cmd.ProcessState.ExitCode(), out.String(), messages.String(), nil
}
