package cfront

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"modernc.org/cc/v4"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/c/checks"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/source"
)

// Options say how sources are read. The zero value is LP64 without macros.
type Options struct {
	Model   ir.DataModel
	Defines []string // NAME or NAME=TEXT
	Include []string // folders of included files, beside that of the including one
	// System are folders of the system's headers, which are used where a source includes one that does not come with
	// seltl: then all but those that come with compilers are the system's, so that they agree.
	System []string
	system bool // they are used
	// Context ends reading; nil: nothing does.
	Context context.Context
	// Memory bounds the bytes of the Go heap of the whole process while sources are read; 0 does not.
	Memory int64
	// Open reads an included file; nil: there are none but the standard ones.
	Open func(name string) (*source.File, error)
	// Entry is the routine that a program begins with; "" is main.
	Entry string
	// Steps keeps the steps that give a variable no value which anything reads: a formula may count them.
	Steps bool
	// NoEntry says that there need be none: the program is not run.
	NoEntry bool
	// Conditions are expressions from beside the sources: see Program.Conditions.
	Conditions []Condition
	// Abstract are routines that someone else says what they do: calls of them stay calls,
	// also of exit, assert, memcpy and the like.
	Abstract []string
	// Events are calls and returns of routines that are told: see Event.
	Events []ir.Event
	// Rules are for the order of calls: see Rule.
	Rules []ir.Rule
	// PlainVolatile: a volatile variable is changed by the program alone. Otherwise each read of one
	// gives any value.
	PlainVolatile bool
	// MallocFails: malloc, calloc and what uses them may have no memory, and give null.
	MallocFails bool
	// Failures are what the program fails by; nil: by all that a program can.
	Failures *Failures
	// Checks are kinds of mistakes that are failures, as AddChecks makes them.
	Checks []ir.Check
}

// lives reports that the ends of blocks have to be known.
func (o *Options) lives() bool { return slices.Contains(o.Checks, ir.CheckMemory) }

// maxMessages bounds how many messages of one run are reported.
const maxMessages = 20

// maxText bounds the sources of a program and the files that they include, which the parser
// opens once each, in bytes: it takes up to four hundred for one of them.
const maxText = 4 << 20

// maxExpansion bounds the work of macro expansion, in tokens.
const maxExpansion = 20_000_000

// Parse reads the sources of one program. The error is a source.List, or that of a budget.Meter once the
// context has ended.
func Parse(files []*source.File, opts Options) (*ir.Program, error) {
	return withHeaders(opts, func(o Options) (*ir.Program, error) { return parse(files, o) })
}

func parse(files []*source.File, opts Options) (*ir.Program, error) {
	l := newLinker(opts)
	var names []string
	var units []*unit
	for _, f := range files {
		u, err := l.translate(f)
		if err != nil {
			return nil, err
		}
		units = append(units, u)
		names = append(names, f.Name())
	}
	if len(opts.Conditions) > 0 && len(units) > 0 {
		for _, u := range units {
			l.qualified(u)
		}
		if err := l.withConditions(units); err != nil {
			return nil, err
		}
	}
	for _, u := range units {
		if err := l.unit(u); err != nil {
			return nil, err
		}
	}
	l.prog.Name = strings.Join(names, " ")
	p, err := l.finish()
	if err == nil && len(opts.Checks) > 0 {
		checks.Add(p, opts.Checks)
	}
	return p, err
}

// unit is a source as the parser understood it.
type unit struct {
	file    *source.File
	files   map[string]*source.File // by name, includes too
	ast     *cc.AST
	pragmas []cc.Token      // those with a meaning
	once    map[string]bool // files with #pragma once
	defines []string        // Options.Defines
	outside *outsideText
	packs   packState
	bad     map[cc.Node]*ir.Refusal // parts of routines, and initialisers, that are refused where they are used
}

// lineMarkers are what a preprocessor leaves: they are blanked, so that positions are
// those of the text that the user has.
var lineMarkers = onLines(`(?:line[ \t]+)?[0-9][^\n]*`)

func (l *linker) blankMarkers(text string) string {
	text = unbraced(unasserted(unnamed(large(hexadecimal(finished(spaced(ended(text)))))), l.unasserted))
	if l.relabels {
		text = relabelled(text)
	}
	var out strings.Builder
	from := 0
	for _, at := range lineMarkers().all(text) {
		out.WriteString(text[from:at[0]])
		out.WriteString(strings.Repeat(" ", at[1]-at[0]))
		from = at[1]
	}
	out.WriteString(text[from:])
	return out.String()
}

// translate runs the parser.
func (l *linker) translate(file *source.File) (*unit, error) { return l.translateWith(file, nil) }

// translateWith runs the parser on a source with conditions behind it.
func (l *linker) translateWith(file *source.File, outside *outsideText) (u *unit, err error) {
	abi, err := cc.NewABI("linux", map[ir.DataModel]string{ir.LP64: "amd64", ir.ILP32: "386"}[l.opts.Model])
	if err != nil {
		return nil, err
	}
	if err := l.read(file); err != nil {
		return nil, err
	}
	texts := l.texts(file, outside)
	builtin, all := builtinPieces().needed(texts)
	read := l.text
	u, err = l.run(abi, file, outside, builtin+listedBuiltins(texts))
	if u != nil && len(u.files) > 1 && !all { // files were included that nobody foresaw
		l.text = read
		for name, f := range u.files {
			if name != file.Name() {
				texts = append(texts, f.Text())
			}
		}
		u, err = l.run(abi, file, outside, cc.Builtin+listedBuiltins(texts))
	}
	defer func() { l.unasserted, l.relabels = false, false }()
	for err != nil { // what the parser takes for a mistake
		switch {
		case !l.unasserted && strings.Contains(err.Error(), "assertion failed") && slices.ContainsFunc(texts, laidOutByHand):
			l.unasserted = true // by the parser's layout
			l.prog.Notes = append(l.prog.Notes, ir.Note{Span: file.Span(0, 0), Text: "static assertions are not checked: they are about what is packed, aligned or has bit-fields"})
		case !l.relabels && strings.Contains(err.Error(), unreadVolatile):
			l.relabels = true
		default:
			return nil, err
		}
		l.text = read
		u, err = l.run(abi, file, outside, cc.Builtin+listedBuiltins(texts))
	}
	for _, f := range u.files {
		l.prog.Dated = l.prog.Dated || strings.Contains(f.Text(), "__DATE__") || strings.Contains(f.Text(), "__TIME__")
	}
	return u, nil
}

// laidOutByHand reports a text with packing, alignments or bit-fields.
func laidOutByHand(text string) bool {
	return strings.Contains(text, "pack") || strings.Contains(text, "align") || strings.Contains(text, "Align") || bitFields().MatchString(text)
}

// texts are what a source consists of before files are included, and names from beside it.
func (l *linker) texts(file *source.File, outside *outsideText) []string {
	all := append([]string{file.Text(), defines(l.opts.Defines)}, l.opts.Abstract...)
	for _, c := range l.opts.Conditions {
		all = append(all, c.Routine)
	}
	if outside != nil {
		all = append(all, outside.file.Text())
	}
	return all
}

// run is parse, unless the context or memory ends before: the parser does not ask, and what it does then is left to
// itself.
func (l *linker) run(abi *cc.ABI, file *source.File, outside *outsideText, builtin string) (*unit, error) {
	if l.opts.Context == nil && l.opts.Memory == 0 {
		return l.parse(abi, file, outside, builtin)
	}
	type parsed struct {
		u   *unit
		err error
	}
	done := make(chan parsed, 1)
	go func() {
		u, err := l.parse(abi, file, outside, builtin)
		done <- parsed{u, err}
	}()
	look := time.NewTicker(lookAtMemory)
	defer look.Stop()
	for {
		select {
		case p := <-done:
			return p.u, p.err
		case <-l.context().Done():
			return nil, l.stopped()
		case <-look.C:
			if err := l.stopped(); err != nil {
				return nil, err
			}
		}
	}
}

// lookAtMemory is how often memory is looked at.
const lookAtMemory = 50 * time.Millisecond

func (l *linker) context() context.Context {
	if l.opts.Context == nil {
		return context.Background()
	}
	return l.opts.Context
}

// stopped is the error of a context that has ended, or of memory that has.
func (l *linker) stopped() error { return l.meter.Tick(budget.Progress{Phase: "reading"}) }

// parse is translateWith with declarations of what is built in. With an error, the unit says
// which files were read.
func (l *linker) parse(abi *cc.ABI, file *source.File, outside *outsideText, builtin string) (u *unit, err error) {
	u = &unit{file: file, defines: l.opts.Defines, outside: outside, files: map[string]*source.File{file.Name(): file}}
	in := &includes{l: l, u: u}
	u.packs.enter(file.Name())
	if in.circle(file, file, map[*source.File]bool{}) {
		return u, withoutEnd(file)
	}
	cfg := &cc.Config{ABI: abi, FS: in, FSOnly: true, PragmaHandler: u.pragma, UnsignedEnums: true, ExpansionLimit: maxExpansion,
		IncludePaths: append([]string{""}, l.includePaths()...), SysIncludePaths: l.includePaths()}
	sources := []cc.Source{
		{Name: "<predefined>", Value: predefined(l.opts.Model) + l.systemMacros()},
		{Name: "<builtin>", Value: "#define " + volatileMacro + " __attribute__((" + volatileAttribute + "))\n" + withList(builtin, l.opts.Model)},
		{Name: commandLine, Value: defines(l.opts.Defines)},
		{Name: file.Name(), Value: l.blankMarkers(file.Text())},
	}
	if outside != nil {
		sources = append(sources, cc.Source{Name: conditionFile, Value: outside.file.Text()})
	}
	sources = append(sources, cc.Source{Name: endOfSources, Value: ";\n"}) // at the end itself the parser may go on for ever
	defer func() {
		if r := recover(); r != nil { // the parser's mistakes are not the user's
			var list source.List
			if at := openCondition(file.Text()); at >= 0 {
				list.Errorf(file.Span(at, at+1), "c", "this #if has no #endif")
			} else if strings.Contains(string(debug.Stack()), ".includeArg(") { // at the limit of expansions
				err = withoutEnd(file)
				return
			} else if list = panicPlaces(file); len(list) == 0 {
				list.Errorf(file.Span(0, 0), "c-parser", "the C parser failed: %v", firstLine(fmt.Sprint(r)))
			}
			err = list
		}
	}()
	u.ast, err = cc.Translate(cfg, sources)
	switch {
	case in.large != nil:
		return u, in.large
	case err != nil:
		if list := misreadPlaces(file); len(list) > 0 && strings.Contains(err.Error(), "TODO") {
			return u, list
		}
		if strings.Contains(err.Error(), "internal error") {
			if list := u.withoutPlace(cfg, sources); len(list) > 0 {
				return u, list
			}
		}
		return u, u.diagnostics(err)
	}
	return u, nil
}

// read counts a text that is to be parsed.
func (l *linker) read(f *source.File) error {
	var list source.List
	if l.text += len(f.Text()); l.text <= maxText {
		if at := tooDeep(f.Text()); at >= 0 {
			list.Errorf(f.Span(at, at+1), "too-deep", "nested more than %d deep", maxNesting)
			return list
		}
		if at := loneReturn(f.Text()); at >= 0 {
			list.Errorf(f.Span(at, at+1), "c-preprocessor", "a carriage return that alone ends a line is not supported").Help = "end lines with a line feed"
			return list
		}
		return nil
	}
	list.Errorf(f.Span(0, 0), "too-large", "with this text the sources have more than %d MiB, which is the most that is read", maxText>>20).
		Help = "is it the file that was meant?"
	return list
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

func (l *linker) includePaths() []string {
	all := append(append([]string{}, l.opts.Include...), standardFolder)
	if l.opts.system {
		all = append(all, l.opts.System...)
	}
	return all
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

// endOfSources is the name of what stands behind all sources.
const endOfSources = "<end>"

// openCondition is where #if stands without #endif, -1 if it does nowhere.
func openCondition(text string) int {
	var open []int
	for _, at := range conditions().FindAllStringSubmatchIndex(codeOf(text), -1) {
		switch name := text[at[2]:at[3]]; {
		case name != "endif":
			open = append(open, at[2]-1)
		case len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	if len(open) == 0 {
		return -1
	}
	return open[len(open)-1]
}

var conditions = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(ifdef|ifndef|if|endif)\b`) })

// commandLine is the name of the text that defines makes.
const commandLine = "<command line>"

// parserMessage is how the parser begins a message, and what it ends with: places in its
// own source.
var (
	parserMessage = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(.+?):(\d+):(\d+): (.*)$`) })
	parserOrigin  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(` *\([\w.]+\.go:\d+:[^)]*\)$`) })
)

// adviceOn is what to do about messages of the parser.
var adviceOn = map[string]string{"invalid character constant": "write one character, or the number: for 'ab', gcc takes 'a' * 256 + 'b'"}

// missingFile is how the parser says that #include names no file.
const missingFile = "include file not found"

// malformedNumber finds what the parser took for a number.
var malformedNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`PrimaryExpression(?:Float|Int) (\S+) `) })

// diagnostics makes messages of the parser's.
func (u *unit) diagnostics(err error) error {
	var list source.List
	for line := range strings.Lines(err.Error()) {
		line = parserOrigin().ReplaceAllString(strings.TrimSpace(line), "")
		if line == "" || len(list) >= maxMessages {
			continue
		}
		m := parserMessage().FindStringSubmatch(line)
		if m == nil && len(list) > 0 && strings.HasPrefix(line, "TODO") {
			continue // the parser's own, which follows from those before
		}
		if m == nil && strings.HasPrefix(line, "TODO") {
			line = "the C parser does not understand this file"
			if n := malformedNumber().FindStringSubmatch(err.Error()); n != nil {
				line = n[1] + " is no number"
			}
		}
		if m == nil {
			list.Errorf(u.file.Span(0, 0), "c", "%s", line)
			continue
		}
		m[1] = strings.TrimPrefix(m[1], "TODO ")
		span, help := u.file.Span(0, 0), adviceOn[m[4]]
		if m[1] == conditionFile && u.outside != nil {
			at := offsetOf(u.outside.file, m[2], m[3])
			if span = u.outside.span(at); u.outside.behind(at) && strings.HasPrefix(m[4], "unexpected ')'") {
				m[4], help = "something is missing behind this: the expression ends where an operand is expected", "a variable, a number, or an expression in brackets"
			}
		} else if m[1] == endOfSources {
			end := max(0, len(strings.TrimRight(u.file.Text(), " \t\r\n"))-1)
			span, m[4] = u.file.Span(end, end+1), "unexpected EOF"
		} else if m[1] == commandLine {
			list.Errorf(ir.Span{}, "c", "-D %s: %s", u.define(m[2]), source.Shown(m[4])).Help = "as in: -D NAME, or -D NAME=TEXT"
			continue
		} else if f := u.files[m[1]]; f != nil {
			at := offsetOf(f, m[2], m[3])
			span = f.Span(at, at+1)
			m[4], help = explained(f.Text(), at, m[4], help)
		}
		if strings.HasPrefix(m[4], missingFile) {
			help = "say in which folder it is: -I FOLDER. Headers of ISO C come with seltl; others are the system's, where it has them"
		}
		list.Errorf(span, "c", "%s", source.Shown(m[4])).Help = help
	}
	if missing := func(d source.Diagnostic) bool {
		return strings.HasPrefix(d.Message, missingFile) || d.Message == "no file is named"
	}; slices.ContainsFunc(list, missing) {
		// The parser then ends where it is.
		list = slices.DeleteFunc(list, func(d source.Diagnostic) bool { return d.Message == "unexpected EOF" })
	}
	if len(list) == 0 {
		list.Errorf(u.file.Span(0, 0), "c", "this is not C: %v", err)
	}
	return list
}

// explained says what a message of the parser's about a place in a text means.
func explained(text string, at int, message, help string) (string, string) {
	directive := isDirective(text, at)
	line, _, _ := strings.Cut(text[at:], "\n")
	switch {
	case message == "*cc.FunctionType": // with volatile from a macro, say
		return unreadVolatile, "name what it points to: typedef volatile int word; word *get(void);"
	case message == "internal error": // the parser's words for what it has no rule for
		message = "the C parser does not understand this"
		if directive {
			return "the condition is no integer expression", "numbers, defined(NAME) and macros for them, as in: #if LIMIT > 3"
		}
	case strings.HasPrefix(message, fmt.Sprintf("unexpected '%c'", unfinished)) && strings.HasPrefix(line, "''"):
		return "a character constant without a character", "write '\\0', or a number"
	case strings.HasPrefix(message, fmt.Sprintf("unexpected '%c'", unfinished)) && !strings.HasPrefix(line, string(unfinished)):
		return "this literal does not end in its line", fmt.Sprintf("close it with %.1s", line)
	case directive && strings.HasPrefix(line, "error"):
		return cmp.Or(strings.TrimSpace(strings.TrimPrefix(line, "error")), "#error"), help
	case strings.HasPrefix(message, "strconv."):
		n := quotedText().FindString(message)
		switch {
		case n == "":
		case directive:
			return n + " is not a number that the preprocessor reads", "write a decimal or hexadecimal one"
		case strings.HasSuffix(message, "out of range"):
			return n + " fits no type", "numbers have up to 64 bits"
		default:
			return n + " is no number", help
		}
	case directive && message == "invalid argument":
		return "no file is named", `as in: #include "FILE" or #include <FILE>`
	}
	return message, help
}

var quotedText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"[^"]*"`) })

// isDirective reports whether a place is on a line of the preprocessor.
func isDirective(text string, at int) bool {
	return strings.HasPrefix(strings.TrimSpace(text[strings.LastIndexByte(text[:at], '\n')+1:]), "#")
}

// define is what -D says in a line of the text that defines makes.
func (u *unit) define(line string) string {
	var n int
	fmt.Sscan(line, &n)
	return u.defines[max(0, min(n, len(u.defines))-1)]
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
	l     *linker
	u     *unit
	large error // the sources have too many bytes, or are nested too deep
}

// Open implements fs.FS.
func (i *includes) Open(name string) (fs.File, error) {
	if header, ok := strings.CutPrefix(filepath.ToSlash(name), standardFolder+"/"); ok {
		if i.l.opts.system && !ofCompilers[header] {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		}
		return standardHeaders.Open("include/" + header)
	}
	if i.l.opts.Open == nil || i.l.stopped() != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	f, err := i.l.opts.Open(name)
	switch {
	case err != nil && i.l.ofSystem(name) && strings.HasPrefix(path.Base(filepath.ToSlash(name)), "stubs-"):
		return textFile(name, ""), nil // what the system's library lacks: nobody asks
	case err != nil:
		return nil, errors.Join(fs.ErrNotExist, err)
	case i.l.ofSystem(name):
		f = source.NewFile(f.Name(), withAttributes(f.Text()))
	}
	if i.large == nil {
		i.large = i.l.read(f)
	}
	if i.large != nil {
		return nil, errors.Join(fs.ErrNotExist, i.large)
	}
	i.u.files[name] = f
	i.u.packs.enter(name)
	if i.circle(f, f, map[*source.File]bool{}) {
		i.large = withoutEnd(i.u.file)
		return nil, errors.Join(fs.ErrNotExist, i.large)
	}
	return textFile(name, i.l.blankMarkers(f.Text())), nil
}

// circle reports that a file comes to another one by files that are included whatever is defined: the parser
// would read them until memory is full.
func (i *includes) circle(from, to *source.File, seen map[*source.File]bool) bool {
	if seen[from] || mayEnd().MatchString(from.Text()) {
		return false
	}
	seen[from] = true
	for _, m := range included().FindAllStringSubmatch(from.Text(), -1) {
		for name, f := range i.u.files {
			if (name == m[1] || strings.HasSuffix(name, "/"+m[1])) && (f.Text() == to.Text() || i.circle(f, to, seen)) {
				return true
			}
		}
	}
	return false
}

var (
	included = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"`) })
	mayEnd   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`#[ \t]*(?:if|pragma)|_Pragma|/\*`) })
)

func withoutEnd(f *source.File) error {
	var list source.List
	list.Errorf(f.Span(0, 0), "c-include", "the files include each other without end").Help = "begin each of them with #pragma once, or #ifndef and #define of a name"
	return list
}
