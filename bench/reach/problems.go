package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/seltl/seltl/program/clauses"
	"github.com/seltl/seltl/program/reader"
)

// problem is a system as a text, and what is known of it.
type problem struct {
	name   string
	ending string // of the language
	text   string
	expect string // "safe", "unsafe", or "" if that is not known
}

func verdictOf(safe bool) string {
	if safe {
		return "safe"
	}
	return "unsafe"
}

// known finds what a file says of its verdict.
var known = regexp.MustCompile(`(?m)^// expect: (holds|fails)$|^\(set-info :status (sat|unsat)\)`)

// problemsIn reads all systems below a folder (or one file), by their names.
func problemsIn(root string) ([]problem, error) {
	var out []problem
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		ending := filepath.Ext(path)
		if err != nil || d.IsDir() || !slices.Contains([]string{".gcl", ".pl", ".armc", ".smt2"}, ending) {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		p := problem{name: path, ending: ending, text: string(text)}
		if below, err := filepath.Rel(root, path); err == nil && below != "." {
			p.name = filepath.ToSlash(below)
		}
		if m := known.FindStringSubmatch(p.text); m != nil {
			p.expect = verdictOf(m[1] == "holds" || m[2] == "sat")
		}
		out = append(out, p)
		return nil
	})
	return out, err
}

// horn returns the problem as clauses.
func (p problem) horn() (string, error) {
	if p.ending == ".smt2" {
		return p.text, nil
	}
	sys, err := reader.ParseText("problem"+p.ending, p.text)
	if err != nil {
		return "", err
	}
	problem := clauses.Problem(sys)
	if err := problem.Validate(); err != nil {
		return "", err // with functions it is none
	}
	var b strings.Builder
	err = problem.Write(&b)
	return b.String(), err
}
