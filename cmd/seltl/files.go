package main

import (
	"bytes"
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

// maxInput bounds the size of an input file; the largest models that make sense
// as text are far below.
const maxInput = 1 << 30

// readSource reads a file, or standard input for "-".
func readSource(s streams, name string) (*source.File, error) {
	var data []byte
	var err error
	shown := name
	if name == "-" {
		shown = "<stdin>"
		data, err = io.ReadAll(io.LimitReader(s.in, maxInput+1))
	} else {
		data, err = readFile(name)
	}
	if err != nil {
		return nil, err
	}
	if len(data) > maxInput {
		return nil, &inputError{code: "too-large", file: shown, text: fmt.Sprintf("%s: larger than %d bytes", shown, maxInput)}
	}
	return source.NewFile(shown, string(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))), nil
}

func readFile(name string) ([]byte, error) {
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
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fileError(name, err)
	}
	return data, nil
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
