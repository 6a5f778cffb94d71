package fsp

import (
	"errors"
	"slices"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp/internal/eval"
	"github.com/seltl/seltl/lks/fsp/syntax"
	"github.com/seltl/seltl/lks/fsp/types"
)

// Options of Compile. The zero value is useful.
type Options struct {
	// Params overrides constants and the default values of parameters by name
	// (the command line's -D N=9). Arguments written in the model are not
	// overridden. A name that the file does not define is an error.
	Params map[string]int
	// Meter bounds and reports the compilation; nil is no bound but the built-in
	// one on the size of a primitive process.
	Meter *budget.Meter
	// MaxStates bounds the states of each primitive process and of each
	// composite that must be built; 0 means 32 million.
	MaxStates int
	// MaxLabels bounds how many labels one label expression or set may stand for;
	// 0 means 2 million.
	MaxLabels int
	// Import reads the file of an import definition (an Aldebaran file, by the
	// path that is written there). Without it, imports are errors.
	Import func(path string) (*lks.LKS, error)
}

const defaultMaxStates = 32 << 20

// ProcessKind says what kind of definition a process is.
type ProcessKind uint8

const (
	Primitive ProcessKind = iota
	Composite
	Imported
)

func (k ProcessKind) String() string {
	return [...]string{"primitive", "composite", "imported"}[k]
}

// Process describes a process that a file defines.
type Process struct {
	Name     string
	Kind     ProcessKind
	Property bool // marked property
	Span     source.Span
}

// compiler holds what is known of a file while it is compiled. Compiled processes are
// made when first needed.
type compiler struct {
	*eval.Env
	opts Options

	primitives map[string]*lks.LKS // by instance name
	networks   map[string]*network // of composites, by instance name
	fluents    map[string]*fluent  // by name of the instance; nil until needed
	// wrongFluents are the names of those whose definition is wrong.
	wrongFluents []string
	fair         []fairSet
	compiling    []string // instance names of processes being compiled, outermost first
	vain         map[syntax.Span]*vain
	expect       map[syntax.Definition]Expectations
	failure      error // of the meter or a builder: stops the compilation

	warnedUnchecked bool
}

// scope evaluates what compositions and properties are made of, too.
type scope struct {
	eval.Scope
	c *compiler
}

// scope returns a scope without variables that knows the values of some parameters.
func (c *compiler) scope(params map[string]eval.Value) *scope {
	return &scope{*c.Env.Scope(params), c}
}

var errNil = errors.New("fsp: the file is nil")

// Compile gives a file its meaning. It evaluates constants, ranges and sets and
// checks all definitions for names and arity, but compiles processes only when
// they are asked for. The error is syntax.Diagnostics: those of the parser if the file
// has errors.
func Compile(file *syntax.File, opts Options) (*Model, error) {
	if file == nil {
		return nil, errNil
	}
	if err := file.Diagnostics.Err(); err != nil {
		return nil, err
	}
	if opts.MaxStates == 0 {
		opts.MaxStates = defaultMaxStates
	}
	info := types.Check(file, types.Options{Params: opts.Params, MaxLabels: opts.MaxLabels})
	c := &compiler{
		Env: info.Env(), opts: opts,
		primitives: map[string]*lks.LKS{}, networks: map[string]*network{}, vain: map[syntax.Span]*vain{},
	}
	c.readExpectations()
	if !c.Errs.HasErrors() {
		c.fairSets()
	}
	if err := c.Errs.Err(); err != nil {
		return nil, err
	}
	return &Model{c: c}, nil
}

// guard is Guard; processes that were being compiled when f aborted are not any more.
func (c *compiler) guard(f func()) bool {
	compiling := c.compiling
	ok := c.Guard(f)
	c.compiling = compiling
	return ok
}

// stop ends the compilation with an error that is not about the text, such as an
// exhausted budget.
func (c *compiler) stop(err error) {
	c.failure = err
	panic(eval.Abort)
}

func (c *compiler) tick(phase string, states, transitions int) {
	if c.opts.Meter == nil {
		return
	}
	if err := c.opts.Meter.Tick(budget.Progress{Phase: phase, States: int64(states), Transitions: int64(transitions)}); err != nil {
		c.stop(err)
	}
}

// instanceName is the name of a process with arguments: P(1,red).
func instanceName(n string, actual []eval.Value) string {
	if actual == nil {
		return n
	}
	args := lists.Map(actual, eval.Value.String)
	return n + "(" + strings.Join(args, ",") + ")"
}

// begin marks a process as being compiled and reports one that needs itself.
func (c *compiler) begin(instance string, at syntax.Span) {
	if slices.Contains(c.compiling, instance) {
		c.Fail(at, "recursive-process", "", "%s is made from itself: %s", instance, strings.Join(append(c.compiling, instance), " needs "))
	}
	if len(c.compiling) >= maxInstances {
		c.Fail(at, "recursive-process", "", "more than %d processes are made from each other", maxInstances)
	}
	c.compiling = append(c.compiling[:len(c.compiling):len(c.compiling)], instance)
}

func (c *compiler) end() { c.compiling = c.compiling[:len(c.compiling)-1] }

// maxInstances bounds recursive composites such as C(N) = (P || C(N-1)): each
// level is a recursion of the compiler, too.
const maxInstances = 2000

// result returns what went wrong since the compilation began, if anything.
func (c *compiler) result() error {
	if c.failure != nil {
		err := c.failure
		c.failure = nil
		return err
	}
	if c.Errs.HasErrors() {
		errs := slices.Clone(c.Errs)
		// The model stays usable for its other processes.
		c.Errs = slices.DeleteFunc(c.Errs, func(d source.Diagnostic) bool { return d.Severity == source.Error })
		return errs.Err()
	}
	return nil
}
