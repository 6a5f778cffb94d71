package main

import (
	"encoding/csv"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// task is a C program with what is known of it.
type task struct {
	Name     string // category/file
	path     string
	expect   string  // "safe", "unsafe", or "" if that is not known
	recorded float64 // seconds of CPAchecker 1.1, 0 if there is no figure
}

func (t task) category() string {
	category, _, found := strings.Cut(t.Name, "/")
	if !found {
		return ""
	}
	return category
}

// inName finds what the name of a file says of its verdict.
var inName = regexp.MustCompile(`[_-](true|false)([-_.]|$)`)

func verdictOf(text string) string {
	return map[string]string{"true": "safe", "false": "unsafe"}[text]
}

// tasksIn reads the tasks below a folder: those of its reference.csv, if it has one, or
// all C sources, whose names say true or false.
func tasksIn(root string) ([]task, error) {
	f, err := os.Open(filepath.Join(root, "reference.csv"))
	if errors.Is(err, fs.ErrNotExist) {
		return filesIn(root)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	var out []task
	column := func(row []string, name string) string {
		if i := slices.Index(rows[0], name); i >= 0 && i < len(row) {
			return row[i]
		}
		return ""
	}
	for _, row := range rows[1:] {
		name := column(row, "category") + "/" + column(row, "file")
		t := task{Name: name, path: filepath.Join(root, filepath.FromSlash(name)), expect: verdictOf(column(row, "expected"))}
		if text := column(row, "cpachecker_1_1_cpu_s"); text != "" {
			if t.recorded, err = strconv.ParseFloat(text, 64); err != nil {
				return nil, err
			}
		}
		out = append(out, t)
	}
	return out, nil
}

func filesIn(root string) (out []task, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains([]string{".c", ".i"}, filepath.Ext(path)) {
			return err
		}
		t := task{Name: filepath.Base(path), path: path}
		if below, err := filepath.Rel(root, path); err == nil && below != "." {
			t.Name = filepath.ToSlash(below)
		}
		if m := inName.FindStringSubmatch(filepath.Base(path)); m != nil {
			t.expect = verdictOf(m[1])
		}
		out = append(out, t)
		return nil
	})
	return out, err
}
