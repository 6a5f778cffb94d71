package cfront

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"

	"modernc.org/cc/v4"

	"github.com/seltl/seltl/internal/source"
)

// Options say how sources are read. The zero value is LP64 without macros.
type Options struct {
	Model   DataModel
	Defines []string // NAME or NAME=TEXT
	Include []string // folders of included files, beside that of the including one
	// Open reads an included file; nil: there are none but the standard ones.
	Open func(name string) (*source.File, error)
	// Entry is the routine that a program begins with; "" is main.
	Entry string
}

// maxMessages bounds how many messages of one run are reported.
const maxMessages = 20

// maxExpansion bounds the work of macro expansion, in tokens.
const maxExpansion = 20_000_000

// Parse reads the sources of one program. The error is a source.List.
func Parse(files []*source.File, opts Options) (*Program, error) {
	l := newLinker(opts)
	var names []string
	for _, f := range files {
		u, err := l.translate(f)
		if err != nil {
			return nil, err
		}
		l.unit(u)
		names = append(names, f.Name())
	}
	l.prog.Name = strings.Join(names, " ")
	return l.finish()
}

// unit is a source as the parser understood it.
type unit struct {
	file    *source.File
	files   map[string]*source.File // by name, includes too
	ast     *cc.AST
	pragmas []cc.Token // those with a meaning
}

// lineMarkers are what a preprocessor leaves: they are blanked, so that positions are
// those of the text that the user has.
var lineMarkers = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(?:line[ \t]+)?[0-9][^\n]*`)

func blankMarkers(text string) string {
	return lineMarkers.ReplaceAllStringFunc(text, func(m string) string { return strings.Repeat(" ", len(m)) })
}

// translate runs the parser.
func (l *linker) translate(file *source.File) (u *unit, err error) {
	abi, err := cc.NewABI("linux", map[DataModel]string{LP64: "amd64", ILP32: "386"}[l.opts.Model])
	if err != nil {
		return nil, err
	}
	u = &unit{file: file, files: map[string]*source.File{file.Name(): file}}
	cfg := &cc.Config{ABI: abi, FS: &includes{u: u, opts: &l.opts}, FSOnly: true, PragmaHandler: u.pragma, UnsignedEnums: true, ExpansionLimit: maxExpansion,
		IncludePaths: append([]string{""}, l.includePaths()...), SysIncludePaths: l.includePaths()}
	sources := []cc.Source{
		{Name: "<predefined>", Value: predefined(l.opts.Model)},
		{Name: "<builtin>", Value: cc.Builtin},
		{Name: "<command line>", Value: defines(l.opts.Defines)},
		{Name: file.Name(), Value: blankMarkers(file.Text())},
	}
	defer func() {
		if r := recover(); r != nil { // the parser's mistakes are not the user's
			var list source.List
			list.Errorf(file.Span(0, 0), "c-parser", "the C parser failed: %v", firstLine(fmt.Sprint(r)))
			err = list
		}
	}()
	if u.ast, err = cc.Translate(cfg, sources); err != nil {
		return nil, u.diagnostics(err)
	}
	return u, nil
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

func (l *linker) includePaths() []string {
	return append(append([]string{}, l.opts.Include...), standardFolder)
}

// defines writes what -D says as text.
func defines(list []string) string {
	var b strings.Builder
	for _, d := range list {
		name, text, given := strings.Cut(d, "=")
		if !given {
			text = "1"
		}
		fmt.Fprintf(&b, "#define %s %s\n", name, text)
	}
	return b.String()
}

// parserMessage is how the parser begins a message, and what it ends with: places in its
// own source.
var (
	parserMessage = regexp.MustCompile(`^(.+?):(\d+):(\d+): (.*)$`)
	parserOrigin  = regexp.MustCompile(` *\([\w.]+\.go:\d+:[^)]*\)$`)
)

// adviceOn is what to do about messages of the parser.
var adviceOn = map[string]string{"invalid character constant": "write one character, or the number: for 'ab', gcc takes 'a' * 256 + 'b'"}

// diagnostics makes messages of the parser's.
func (u *unit) diagnostics(err error) error {
	var list source.List
	for line := range strings.Lines(err.Error()) {
		line = parserOrigin.ReplaceAllString(strings.TrimSpace(line), "")
		if line == "" || len(list) >= maxMessages {
			continue
		}
		m := parserMessage.FindStringSubmatch(line)
		if m == nil {
			list.Errorf(u.file.Span(0, 0), "c", "%s", line)
			continue
		}
		span := u.file.Span(0, 0)
		if f := u.files[m[1]]; f != nil {
			span = f.Span(offsetOf(f, m[2], m[3]), offsetOf(f, m[2], m[3])+1)
		}
		list.Errorf(span, "c", "%s", m[4]).Help = adviceOn[m[4]]
	}
	if len(list) == 0 {
		list.Errorf(u.file.Span(0, 0), "c", "this is not C: %v", err)
	}
	return list
}

// offsetOf finds line and column, which counts bytes, in a text.
func offsetOf(f *source.File, line, column string) int {
	var l, c int
	fmt.Sscan(line, &l)
	fmt.Sscan(column, &c)
	at := 0
	for range l - 1 {
		next := strings.IndexByte(f.Text()[at:], '\n')
		if next < 0 {
			return len(f.Text())
		}
		at += next + 1
	}
	return at + max(c-1, 0)
}

// includes is the file system that the parser sees: the standard headers, and what
// Options.Open gives.
type includes struct {
	u    *unit
	opts *Options
}

// Open implements fs.FS.
func (i *includes) Open(name string) (fs.File, error) {
	if header, ok := strings.CutPrefix(filepath.ToSlash(name), standardFolder+"/"); ok {
		return standardHeaders.Open("include/" + header)
	}
	if i.opts.Open == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	f, err := i.opts.Open(name)
	if err != nil {
		return nil, errors.Join(fs.ErrNotExist, err)
	}
	i.u.files[name] = f
	return textFile(name, blankMarkers(f.Text())), nil
}
