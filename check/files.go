package check

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/source"
)

// InputError is an input that is wrong as a whole, so that no diagnostic can point
// into it. Its code is as stable as those of diagnostics.
type InputError struct {
	Code string // "no-such-file"
	File string // "" if it is about none
	Text string
	Help string // what to do, or ""
	Err  error  // what lies behind it, or nil
}

func (e *InputError) Error() string { return e.Text }
func (e *InputError) Unwrap() error { return e.Err }

// Open opens a file of an input by its name. Where a name such as "-" stands for
// something else, an Open says so.
type Open func(name string) (io.ReadCloser, error)

// OpenFile is the Open of the file system. Its errors suggest files of like names.
func OpenFile(name string) (io.ReadCloser, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if strings.ContainsAny(name, " ()[]<>!&|") {
			return nil, &InputError{Code: "no-such-file", File: name, Text: fmt.Sprintf("%q: no such file; the model comes first, then formulas", name)}
		}
		return nil, &InputError{Code: "no-such-file", File: name, Text: fmt.Sprintf("%s: no such file%s", name, SuggestFile(name))}
	case err != nil:
		return nil, FileError(name, err)
	case info.IsDir():
		return nil, &InputError{Code: "is-directory", File: name, Text: fmt.Sprintf("%s: is a directory; name a %s", name, fileIn(name))}
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, FileError(name, err)
	}
	return f, nil
}

// ReadSource reads a text, from the file system if open is nil. Aldebaran files may be
// larger than others. What is opened as "-" is called <stdin>.
func ReadSource(name string, open Open) (*source.File, error) {
	if source.KindOf(name) == source.Transitions {
		return readBounded(name, open, source.MaxSpace) // a text that programs write
	}
	return readBounded(name, open, source.MaxText)
}

func readBounded(name string, open Open, most int64) (*source.File, error) {
	if open == nil {
		open = OpenFile
	}
	r, err := open(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if f, ok := r.(fs.File); ok && name != "-" {
		if info, err := f.Stat(); err == nil && info.Size() > most {
			return nil, source.TooLarge(name, most)
		}
	}
	if name == "-" {
		return source.Read("<stdin>", r, most)
	}
	src, err := source.Read(name, r, most)
	var tooLarge source.List
	if err != nil && !errors.As(err, &tooLarge) {
		return nil, FileError(name, err)
	}
	return src, err
}

// FileError drops the operation from an error of package os: people know that their
// file was opened. That reading was stopped remains what it is.
func FileError(name string, err error) error {
	if budget.Stopped(err) {
		return err
	}
	if pathError, ok := errors.AsType[*fs.PathError](err); ok {
		err = pathError.Err
	}
	return &InputError{Code: "file", File: name, Text: fmt.Sprintf("%s: %v", name, err), Err: err}
}

// SuggestFile names a file beside name that is spelled much like it, as
// " (did you mean X?)", or is "".
func SuggestFile(name string) string {
	entries, err := os.ReadDir(filepath.Dir(name))
	if err != nil {
		return ""
	}
	var known []string
	for _, e := range entries {
		if !e.IsDir() {
			known = append(known, e.Name())
		}
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

func fileIn(dir string) string {
	for _, pattern := range []string{"*.lks", "*.lts", "*.fsp", "*.aut"} {
		if found, _ := filepath.Glob(filepath.Join(dir, pattern)); len(found) > 0 {
			return "model file in it, such as " + found[0]
		}
	}
	return "file in it"
}

// IsC reports whether a file is, by its name, a C source.
func IsC(name string) bool { return source.KindOf(name) == source.C }

// IsSpec reports whether a file is, by its name, a specification of C programs.
func IsSpec(name string) bool { return source.KindOf(name) == source.Spec }
