package batches

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/batch"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/source"
)

// ExpectedUnits reads the files below a folder: each question of which a comment says what
// should come out is a unit. Folders whose names begin with a dot, and those of results, are
// passed over.
func ExpectedUnits(c *cli.Context, s cmdline.Streams, folder string) (all []batch.Unit, err error) {
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return check.FileError(path, err)
		case d.IsDir() && path != folder && (strings.HasPrefix(d.Name(), ".") || strings.HasSuffix(d.Name(), resultsEnding)):
			return filepath.SkipDir
		case d.IsDir() || !cmdline.IsFile(path):
			return nil
		}
		units, err := expectedOf(c, s, path)
		all = append(all, units...)
		return err
	})
	return all, err
}

// expectedOf are the units of one file.
func expectedOf(c *cli.Context, s cmdline.Streams, path string) (all []batch.Unit, err error) {
	questions, err := check.ExpectedQuestions(c.Context, path, s.Open)
	var wrong source.List
	var unread *check.Unread
	switch {
	case errors.As(err, &unread):
		return nil, unread.List
	case errors.As(err, &wrong) && len(wrong) > 0:
		// What is wrong with a file is the result of asking for it.
		return []batch.Unit{{Words: whole(path), At: wrong[0].Span}}, nil
	case err != nil:
		return nil, err
	}
	files := []string{path}
	if check.IsSpec(path) && len(questions) > 0 {
		sources := sourcesOf(path)
		if len(sources) == 0 {
			s.Say(4, "seltl: warning: %s: there is no C source of that name beside it; what it expects is left out", path)
			return nil, nil
		}
		files = append(sources, path)
	}
	for _, q := range questions {
		all = append(all, batch.Unit{Words: wordsOf(q, files), At: q.At, Expect: q.Verdict})
	}
	return all, nil
}

// whole is the command that asks everything of a file that cannot be read.
func whole(path string) []string {
	if check.IsSpec(path) {
		return append(append([]string{"conform"}, sourcesOf(path)...), path)
	}
	return []string{"check", path}
}

// sourcesOf are the C sources beside a specification that have its name.
func sourcesOf(spec string) (sources []string) {
	base := strings.TrimSuffix(spec, filepath.Ext(spec))
	for _, ending := range source.Endings(source.C) {
		if cmdline.IsFile(base + ending) {
			return []string{base + ending}
		}
	}
	return nil
}

// wordsOf is the command that asks a question of files.
func wordsOf(q check.ExpectedQuestion, files []string) []string {
	words := map[string][]string{
		"property": {"verify"}, "progress": {"check", "--only=progress"}, "safety": {"check", "--only=safety"},
		"deadlock": {"deadlock"}, "conform": {"conform"}, "": {"reach"},
	}[q.Kind]
	if q.Kind == "" && source.KindOf(files[0]).Query() {
		words = []string{"clp"}
	}
	words = slices.Concat(words[:1], files, words[1:])
	switch q.Kind {
	case "property":
		words = append(words, "--property="+q.Name)
	case "conform":
		words = append(words, "--abstraction="+q.Name)
	}
	if q.Process != "" {
		words = append(words, "--process="+q.Process)
	}
	return words
}
