package serve

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/specs"
)

// folder is the one folder that files are read from and written to. Names of files in it have
// slashes.
type folder struct {
	root   *os.Root // which lets no path, and no link, lead out of it
	models []string // nil: all that are there
	write  bool
	most   int // bytes of a model
}

func openFolder(name string, models []string, write bool, most int) (*folder, error) {
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, check.FileError(name, err)
	}
	f := &folder{root: root, write: write, most: most}
	for _, m := range models {
		m = filepath.ToSlash(filepath.Clean(m))
		if _, err := f.readText(m); err != nil {
			root.Close()
			return nil, err
		}
		f.models = append(f.models, m)
	}
	return f, nil
}

// Bounds of what is listed.
const (
	mostListed = 500
	mostLooked = 20_000 // files and folders that are looked at
	deepest    = 6      // folders in folders
)

// list returns the names of models, sorted, and whether there may be more.
func (f *folder) list(ctx context.Context) (names []string, more bool) {
	if f.models != nil {
		return f.models, false
	}
	names = []string{}
	looked := 0
	_ = fs.WalkDir(f.root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if looked++; looked > mostLooked || len(names) == mostListed || ctx.Err() != nil {
			more = true
			return fs.SkipAll
		}
		switch {
		case err != nil:
			return nil // what cannot be read is not offered
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" || strings.Count(name, "/") >= deepest):
			return fs.SkipDir
		case !d.IsDir() && isModel(name):
			names = append(names, name)
		}
		return nil
	})
	return names, more
}

func isModel(name string) bool { return source.KindOf(name).Model() }

// open opens a regular file of the folder.
func (f *folder) open(name string) (io.ReadCloser, error) {
	outside := &check.InputError{Code: "outside", File: name, Text: fmt.Sprintf("%s: only files in the folder that is served can be read", name)}
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return nil, outside
	}
	// A pipe would wait for a writer when it is opened.
	info, err := f.root.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &check.InputError{Code: "no-such-file", File: name, Text: name + ": no such file in the folder that is served", Err: err}
	case err != nil && strings.Contains(err.Error(), "escapes"):
		return nil, outside
	case err != nil:
		return nil, check.FileError(name, err)
	case !info.Mode().IsRegular():
		return nil, &check.InputError{Code: "file", File: name, Text: name + ": this is no file"}
	}
	file, err := f.root.Open(name)
	if err != nil {
		return nil, check.FileError(name, err)
	}
	return file, nil
}

// readText returns the text of a model.
func (f *folder) readText(name string) (string, error) {
	if !isModel(name) {
		return "", &check.InputError{Code: "file", File: name, Text: fmt.Sprintf("%s: a model is needed, a file that ends in %s", name, strings.Join(check.ModelFiles, ", "))}
	}
	r, err := f.open(name)
	if err != nil {
		return "", err
	}
	defer r.Close()
	return f.text(name, r)
}

// text reads a model to its end.
func (f *folder) text(name string, r io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(r, int64(f.most)+1))
	switch {
	case err != nil:
		return "", check.FileError(name, err)
	case len(text) > f.most:
		return "", &check.InputError{Code: "too-large", File: name, Text: fmt.Sprintf("%s: it is larger than %s, too large to be edited here", name, budget.FormatBytes(int64(f.most))), Help: "check it on the command line"}
	}
	// The lines of a textarea end in \n.
	lines := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(string(text), "\uFEFF"))
	return strings.ToValidUTF8(lines, "\uFFFD"), nil
}

// versionOf tells texts apart, so that a page knows whether a file has changed.
func versionOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// replace writes a model: a new file takes its place at once. Unless over is set it must
// still have the version that was read, "" for none.
func (f *folder) replace(name, text, version string, over bool) error {
	switch {
	case !f.write:
		return failed(http.StatusForbidden, "read-only", "nothing is written to the folder", "seltl serve --write allows it")
	case !isModel(name) || !filepath.IsLocal(filepath.FromSlash(name)) || path.Clean(name) != name:
		return failed(http.StatusUnprocessableEntity, "file", fmt.Sprintf("%q is no name for a model", name), "a name in the folder is needed that ends in "+strings.Join(check.ModelFiles, ", "))
	case len(text) > f.most:
		return failed(http.StatusRequestEntityTooLarge, "too-large", "the model is larger than "+budget.FormatBytes(int64(f.most)), "")
	}
	mode := fs.FileMode(0o644)
	info, err := f.root.Lstat(name)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return failed(http.StatusUnprocessableEntity, "file", name+": this is a link, or no file: it is not replaced", "")
	case err == nil:
		mode = info.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist):
		return check.FileError(name, err)
	}
	if !over {
		now := ""
		if err == nil {
			old, err := f.readText(name)
			if err != nil {
				return err
			}
			now = versionOf(old)
		}
		if now == versionOf(text) {
			return nil // it was written already, and the answer was lost
		}
		if now != version {
			return failed(http.StatusConflict, "changed", name+" has changed since it was read", "")
		}
	}
	return f.swap(name, text, mode)
}

// swap puts a text into a file beside name, and that in the place of name.
func (f *folder) swap(name, text string, mode fs.FileMode) error {
	beside := path.Join(path.Dir(name), "."+path.Base(name)+"."+randomName(6))
	file, err := f.root.OpenFile(beside, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return check.FileError(name, err)
	}
	_, err = file.WriteString(text)
	err = errors.Join(err, file.Sync(), file.Close())
	if err == nil {
		err = f.root.Rename(beside, name)
	}
	if err != nil {
		_ = f.root.Remove(beside) // the first error counts
		return check.FileError(name, err)
	}
	return nil
}

// started is what a page begins with.
type started struct {
	identity
	Patience int64    `json:"patience"` // in milliseconds
	Version  string   `json:"version"`
	Write    bool     `json:"write"`
	Files    []string `json:"files"`
	More     bool     `json:"more,omitempty"` // than these
	Examples []string `json:"examples"`
	Drawn    int      `json:"drawn"`
	Fairness []string `json:"fairness"`
	Finite   []string `json:"finite"`
}

func (s *Server) start(ctx context.Context, _ *http.Request, _ *none) (*started, error) {
	files, more := s.folder.list(ctx)
	a := &started{identity: s.self, Patience: s.opts.Patience.Milliseconds(), Version: s.opts.Version, Write: s.opts.Write, Files: files, More: more, Drawn: s.opts.Drawn,
		Fairness: check.AutoFair.Names(), Finite: (*new(question)).finite().Names()}
	return a, fs.WalkDir(specs.Examples, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			a.Examples = append(a.Examples, name)
		}
		return err
	})
}

// stored is a text as it is in the folder.
type stored struct {
	Name    string `json:"name"`
	Text    string `json:"text"`
	Version string `json:"version"`
}

func (s *Server) text(_ context.Context, r *http.Request, _ *none) (*stored, error) {
	name := r.URL.Query().Get("name")
	if r.URL.Query().Get("from") == fromExamples {
		text, err := specs.Examples.ReadFile(name)
		if err != nil {
			return nil, failed(http.StatusNotFound, "no-such-file", fmt.Sprintf("there is no example %s", name), "")
		}
		return &stored{Name: name, Text: string(text)}, nil
	}
	text, err := s.folder.readText(name)
	return &stored{Name: name, Text: text, Version: versionOf(text)}, err
}

// saving is a text to be written.
type saving struct {
	stored
	Over  bool   `json:"over"`  // whatever is there
	Place string `json:"place"` // that is meant, "": this one
}

func (s *Server) save(_ context.Context, _ *http.Request, q *saving) (*stored, error) {
	if q.Place != "" && q.Place != s.self.Place {
		return nil, failed(http.StatusConflict, "other-folder", "another server answers here now, for another folder: nothing was written", "")
	}
	if err := s.folder.replace(q.Name, q.Text, q.Version, q.Over); err != nil {
		return nil, err
	}
	return &stored{Name: q.Name, Version: versionOf(q.Text)}, nil
}
