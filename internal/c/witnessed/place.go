package witnessed

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/svcomp"
)

// file is a source with its parts.
type file struct {
	src *source.File
	cfront.Outline
	lines []int
	adds  []insertion
	woven *woven
}

func newFile(src *source.File, o cfront.Options) (*file, error) {
	f := &file{src: src, lines: []int{0}}
	for i := range len(src.Text()) {
		if src.Text()[i] == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	out, err := cfront.OutlineOf(src, o)
	if err == nil {
		f.Outline = *out
	}
	return f, err
}

// expression is one of a witness, in which no macro has effects: macros are expanded where it is put.
func (f *file) expression(text string) (string, error) {
	text, err := Expression(text)
	if err != nil {
		return "", err
	}
	return text, f.harmless(text, map[string]bool{})
}

func (f *file) harmless(text string, seen map[string]bool) error {
	for rest := text; rest != ""; {
		t := tokens().FindString(rest)
		if t == "" {
			t = rest[:1]
		}
		rest = rest[len(t):]
		if seen[t] || !isName(t) {
			continue
		}
		seen[t] = true
		for _, body := range f.Macros[t] {
			if _, err := Expression(body); err != nil {
				return fmt.Errorf("the macro %s: %w", t, err)
			}
			if err := f.harmless(body, seen); err != nil {
				return err
			}
		}
	}
	return nil
}

// lineOf is the line, from 1, of an offset.
func (f *file) lineOf(at int) int {
	n, found := slices.BinarySearch(f.lines, at)
	if found {
		n++
	}
	return n
}

// offset is that of a line and a column, which counts characters as the format does; -1 if there is no such place.
func (f *file) offset(line, column int) int {
	if line > len(f.lines) {
		return -1
	}
	text, _, _ := strings.Cut(f.src.Text()[f.lines[line-1]:], "\n")
	n := 1
	for i := range text {
		if n == column {
			return f.lines[line-1] + i
		}
		n++
	}
	return -1
}

// at is the part of a kind at a location: the leftmost of a line, if there is no column. nil: there is none.
func (f *file) at(l svcomp.Location, kind cfront.SiteKind) *cfront.Site {
	column := -1
	if l.Column > 0 {
		if column = f.offset(l.Line, l.Column); column < 0 {
			return nil
		}
	}
	var begins *cfront.Site
	for i := range f.Sites {
		s := &f.Sites[i]
		if s.Kind != kind || f.lineOf(s.At) != l.Line || l.Function != "" && s.Func != l.Function {
			continue
		}
		if column < 0 || s.At == column {
			return s
		}
		if kind == cfront.CallSite && s.From == column && begins == nil { // some say where a call begins
			begins = s
		}
	}
	return begins
}

// wrong is a witness that does not fit the program.
func wrong(at source.Span, format string, args ...any) error {
	var list source.List
	list.Errorf(at, "svcomp-witness", "%s", fmt.Sprintf(format, args...))
	return list
}

// sourceOf is the file that a location names.
func (p *Program) sourceOf(l svcomp.Location) (*file, error) {
	base := func(name string) string { return path.Base(strings.ReplaceAll(name, `\`, "/")) }
	if hash := p.witness.Meta.Hashes[l.File]; hash != "" {
		for _, f := range p.files {
			if Hash(f.src) == hash {
				return f, nil
			}
		}
	}
	for _, f := range p.files {
		if base(f.src.Name()) == base(l.File) {
			return f, nil
		}
	}
	return nil, wrong(l.Span, "%s is no file of this program", source.Shown(l.File))
}
