package cmdline

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check"
)

// WriteFile writes a file whole or not at all: under another name first. It
// follows symbolic links, keeps the mode of a file that is there, and writes
// straight into what is no regular file, such as /dev/null.
//
// The error is an *OutputError.
func WriteFile(name string, write func(io.Writer) error) error {
	if err := replaceFile(name, write); err != nil {
		return &OutputError{err}
	}
	return nil
}

// OutputError says that a result could not be written where it was wanted. It
// leaves the result as it is.
type OutputError struct{ err error }

func (e *OutputError) Error() string { return e.err.Error() }
func (e *OutputError) Unwrap() error { return e.err }

// FileFlags name files to be written in the end.
var FileFlags = []string{"svg", "solution", "dot", "waits", "certificate", "chc", "gcl", "harness", "draw-models", "csv", "html", "save", "output"}

// CheckOutputs refuses files in folders that are not there, before a long search
// rather than after it.
func CheckOutputs(c *cli.Context) error {
	for _, flag := range FileFlags {
		name := c.String(flag)
		if name == "" {
			continue
		}
		if info, err := os.Stat(filepath.Dir(name)); err != nil || !info.IsDir() {
			return Usagef(c, "--%s %s: there is no folder %s", flag, name, filepath.Dir(name))
		}
	}
	return nil
}

func replaceFile(name string, write func(io.Writer) error) error {
	mode := fs.FileMode(0o644)
	target := name
	if resolved, err := filepath.EvalSymlinks(name); err == nil {
		target = resolved
	}
	if info, err := os.Stat(target); err == nil {
		if !info.Mode().IsRegular() {
			return writeInto(name, write)
		}
		mode = info.Mode().Perm()
	}
	tmp, err := os.CreateTemp(filepath.Dir(target), ".seltl-*")
	if err != nil {
		return check.FileError(name, err)
	}
	defer os.Remove(tmp.Name())
	if err := write(tmp); err != nil {
		tmp.Close()
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := tmp.Chmod(mode); err != nil {
		tmp.Close()
		return check.FileError(name, err)
	}
	if err := tmp.Close(); err != nil {
		return check.FileError(name, err)
	}
	if err := os.Rename(tmp.Name(), target); err != nil {
		return check.FileError(name, err)
	}
	return nil
}

// writeInto writes into a device, a pipe, or the like.
func writeInto(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return check.FileError(name, err)
	}
	if err := write(f); err != nil {
		f.Close()
		return check.FileError(name, err)
	}
	if err := f.Close(); err != nil {
		return check.FileError(name, err)
	}
	return nil
}
