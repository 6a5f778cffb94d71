package eval

import (
	"slices"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// Env is what is known of a file while it is evaluated. Values of constants, ranges
// and sets are made when first needed, since each may use others that stand anywhere.
type Env struct {
	File *syntax.File
	// Params overrides constants and default values of parameters, by name.
	Params map[string]int
	// maxLabels bounds how many labels one label expression or set stands for.
	maxLabels int

	Names  Names
	Errs   source.List          // errors and warnings, in the order in which they were found
	Warned map[syntax.Span]bool // places that have a warning

	consts map[string]constant
	ranges map[string][2]int32
	sets   map[string][]string
}

// New returns the environment of a file, with what the parser found wrong and the names
// that are defined twice among its Errs.
func New(file *syntax.File, params map[string]int, maxLabels int) *Env {
	c := &Env{
		File: file, Params: params, maxLabels: maxLabels,
		Errs:   slices.Clone(file.Diagnostics),
		Names:  Names{Kind: map[string]syntax.Kind{}, Defs: map[syntax.Kind]map[string]syntax.Definition{}, All: map[syntax.Kind][]string{}},
		Warned: map[syntax.Span]bool{},
		consts: map[string]constant{}, ranges: map[string][2]int32{}, sets: map[string][]string{},
	}
	c.collect()
	return c
}

// abort is the type of Abort alone, so that nothing else is taken for it.
type abort struct{}

// Abort is the panic that unwinds an evaluation up to Guard after an error, which has
// been reported: expressions are evaluated in the middle of loops over labels, which
// have no use for a value that there is not. It never leaves the packages of the
// language.
var Abort = abort{}

// Guard runs f, which may abort; it reports whether f ran to its end.
func (c *Env) Guard(f func()) (ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if r != Abort {
				panic(r)
			}
			ok = false
		}
	}()
	f()
	return true
}

// Scope returns a scope without variables that knows the values of some parameters.
func (c *Env) Scope(params map[string]Value) *Scope { return &Scope{env: c, params: params} }

// Text returns the text of a span.
func (c *Env) Text(p syntax.Span) string { return c.File.Place(p).Text() }

// Errorf reports an error.
func (c *Env) Errorf(at syntax.Span, code, help, format string, args ...any) *source.Diagnostic {
	d := c.Errs.Errorf(c.File.Place(at), code, format, args...)
	d.Help = help
	return d
}

// Fail reports an error and aborts the definition that is being evaluated.
func (c *Env) Fail(at syntax.Span, code, help, format string, args ...any) {
	c.Errorf(at, code, help, format, args...)
	panic(Abort)
}

// Exceed is Fail for what the text describes and is more than a limit. Bounds that the
// text itself exceeds (of numbers and nesting) are errors: those of the language.
func (c *Env) Exceed(at syntax.Span, code, help, format string, args ...any) {
	c.Errorf(at, code, help, format, args...).Limit = true
	panic(Abort)
}

// Warnf adds a warning, once for each place.
func (c *Env) Warnf(at syntax.Span, code, help, format string, args ...any) {
	if c.Warned[at] {
		return
	}
	c.Warned[at] = true
	c.Errs.Warnf(c.File.Place(at), code, format, args...).Help = help
}

// Related is a second place that a diagnostic is about.
func (c *Env) Related(at syntax.Span, message string) source.Related {
	return source.Related{Span: c.File.Place(at), Message: message}
}
