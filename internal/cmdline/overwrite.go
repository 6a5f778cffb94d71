package cmdline

import (
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check"
)

// FileUse says which files a command reads, and which it is to write: none is to be both. The
// zero value is good, and nil, which knows of none.
type FileUse struct {
	mu      sync.Mutex
	written []outputFile
	read    []string
	refused error // what looks for included files elsewhere does not hand on
}

// outputFile is a file that a flag names.
type outputFile struct{ flag, name string }

// Sparing refuses files to be written that are arguments of the command; inputs that other
// files and flags name are refused when they are opened, which is before anything is written.
func Sparing(action cli.ActionFunc, s Streams) cli.ActionFunc {
	return func(c *cli.Context) error {
		for _, f := range c.Command.Flags {
			_, isFile := KindOf(f).(*cli.StringFlag)
			flag := f.Names()[0]
			if name := c.String(flag); isFile && name != "" && (slices.Contains(FileFlags, flag) || flag == "cpuprofile" || flag == "checkpoint") {
				s.Files.writes(flag, name)
			}
		}
		for _, name := range c.Args().Slice() {
			if err := s.Files.spare(name); err != nil {
				return err
			}
		}
		if err := action(c); err != nil {
			return s.Files.reason(err)
		}
		return nil
	}
}

// reason is why a command has failed: an input was refused, or what it says itself.
func (u *FileUse) reason(err error) error {
	if u == nil {
		return err
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.refused != nil {
		return u.refused
	}
	return err
}

// writes notes that a flag names a file to be written.
func (u *FileUse) writes(flag, name string) {
	if u == nil {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.written = append(u.written, outputFile{flag, name})
}

// reads notes that a file is read, or refuses it if it is to be written.
func (u *FileUse) reads(name string) error {
	if err := u.spare(name); err != nil || u == nil || name == "-" {
		return err
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if !slices.Contains(u.read, name) {
		u.read = append(u.read, name)
	}
	return nil
}

// spare refuses an input that is to be written.
func (u *FileUse) spare(name string) error {
	if u == nil || name == "-" {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, w := range u.written {
		if SameFile(w.name, name) {
			u.refused = Overwriting("--"+w.flag+" "+w.name, name)
			return u.refused
		}
	}
	return nil
}

// Inputs are the files that were read so far.
func (u *FileUse) Inputs() []string {
	if u == nil {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Clone(u.read)
}

// SameFile reports whether two names are of one regular file: a device can be both read and
// written.
func SameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil || !one.Mode().IsRegular() {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// Overwriting is the error of a command that would write over what it reads.
func Overwriting(what, input string) error {
	return &check.InputError{Code: "file", File: input, Text: fmt.Sprintf("%s: this would write over an input of the command, %s", what, input), Help: "name another file to write"}
}
