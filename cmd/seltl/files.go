package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/internal/source"
)

// readSource reads a file, or standard input for "-". Aldebaran files may be larger than
// others.
func readSource(s streams, name string) (*source.File, error) {
	if filepath.Ext(name) == ".aut" {
		return readBounded(s, name, source.MaxSpace)
	}
	return readBounded(s, name, source.MaxText)
}

func readBounded(s streams, name string, most int64) (*source.File, error) {
	if name == "-" {
		return source.Read("<stdin>", s.in, most)
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if strings.ContainsAny(name, " ()[]<>!&|") {
			return nil, &inputError{code: "no-such-file", file: name, text: fmt.Sprintf("%q: no such file; the model comes first, then formulas", name)}
		}
		return nil, &inputError{code: "no-such-file", file: name, text: fmt.Sprintf("%s: no such file%s", name, suggestFile(name))}
	case err != nil:
		return nil, fileError(name, err)
	case info.IsDir():
		return nil, &inputError{code: "is-directory", file: name, text: fmt.Sprintf("%s: is a directory; name a model file in it%s", name, exampleIn(name))}
	case info.Size() > most:
		return nil, source.TooLarge(name, most)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fileError(name, err)
	}
	defer f.Close()
	src, err := source.Read(name, f, most)
	var tooLarge source.List
	if err != nil && !errors.As(err, &tooLarge) {
		return nil, fileError(name, err)
	}
	return src, err
}

// fileError drops the operation from an error of package os: people know that
// their file was opened.
func fileError(name string, err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		err = pathError.Err
	}
	return &inputError{code: "file", file: name, text: fmt.Sprintf("%s: %v", name, err), err: err}
}

// suggestFile names a file beside name that is spelled much like it.
func suggestFile(name string) string {
	entries, err := os.ReadDir(filepath.Dir(name))
	if err != nil {
		return ""
	}
	var known []string
	for _, e := range entries {
		known = append(known, e.Name())
	}
	for _, k := range known {
		if strings.TrimSuffix(k, filepath.Ext(k)) == filepath.Base(name) {
			return fmt.Sprintf(" (did you mean %s?)", filepath.Join(filepath.Dir(name), k))
		}
	}
	if s := source.Suggest(filepath.Base(name), known); s != "" {
		return fmt.Sprintf(" (did you mean %s?)", filepath.Join(filepath.Dir(name), s))
	}
	return ""
}

func exampleIn(dir string) string {
	for _, pattern := range []string{"*.lks", "*.lts", "*.fsp", "*.aut"} {
		if found, _ := filepath.Glob(filepath.Join(dir, pattern)); len(found) > 0 {
			return ", such as " + found[0]
		}
	}
	return ""
}

// writeFile writes a file whole or not at all: under another name first. It
// follows symbolic links, keeps the mode of a file that is there, and writes
// straight into what is no regular file, such as /dev/null.
//
// The error is an *outputError.
func writeFile(name string, write func(io.Writer) error) error {
	if err := replaceFile(name, write); err != nil {
		return &outputError{err}
	}
	return nil
}

// outputError says that a result could not be written where it was wanted. It
// leaves the result as it is.
type outputError struct{ err error }

func (e *outputError) Error() string { return e.err.Error() }
func (e *outputError) Unwrap() error { return e.err }

// fileFlags name files to be written in the end.
var fileFlags = []string{"svg", "dot", "certificate"}

// checkOutputs refuses files in folders that are not there, before a long search
// rather than after it.
func checkOutputs(c *cli.Context) error {
	for _, flag := range fileFlags {
		name := c.String(flag)
		if name == "" {
			continue
		}
		if info, err := os.Stat(filepath.Dir(name)); err != nil || !info.IsDir() {
			return usagef(c, "--%s %s: there is no folder %s", flag, name, filepath.Dir(name))
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
		return fileError(name, err)
	}
	defer os.Remove(tmp.Name())
	if err := write(tmp); err != nil {
		tmp.Close()
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := tmp.Chmod(mode); err != nil {
		tmp.Close()
		return fileError(name, err)
	}
	if err := tmp.Close(); err != nil {
		return fileError(name, err)
	}
	if err := os.Rename(tmp.Name(), target); err != nil {
		return fileError(name, err)
	}
	return nil
}

// writeInto writes into a device, a pipe, or the like.
func writeInto(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return fileError(name, err)
	}
	if err := write(f); err != nil {
		f.Close()
		return fileError(name, err)
	}
	if err := f.Close(); err != nil {
		return fileError(name, err)
	}
	return nil
}
