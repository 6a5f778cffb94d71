package fsp

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp/syntax"
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

const (
	defaultMaxStates = 32 << 20
	defaultMaxLabels = 2 << 20
)

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

// nameKind is what a capitalised name of the file stands for.
type nameKind uint8

const (
	isConst nameKind = iota + 1
	isRange
	isSet
	isProcess
	isComposite
	isProgress
	isMenu
	isImport
	isFluent
	isAssert
	isLTL
)

var nameKinds = [...]string{
	isConst: "constant", isRange: "range", isSet: "set", isProcess: "process", isComposite: "composite",
	isProgress: "progress property", isMenu: "menu", isImport: "imported process", isFluent: "fluent",
	isAssert: "assertion", isLTL: "property",
}

// nameTable knows what each capitalised name is. A name can be a process and
// something else at once only where FSP tells them apart by place; seltl keeps
// one table and reports a name that is defined twice in the same role.
type nameTable struct {
	kind map[string]nameKind
	defs map[nameKind]map[string]syntax.Definition
	all  map[nameKind][]string // in order of definition
}

func (t *nameTable) of(kinds ...nameKind) []string {
	var names []string
	for _, k := range kinds {
		names = append(names, t.all[k]...)
	}
	return names
}

func kindOf(d syntax.Definition) nameKind {
	switch d.(type) {
	case *syntax.ConstDef:
		return isConst
	case *syntax.RangeDef:
		return isRange
	case *syntax.SetDef:
		return isSet
	case *syntax.ProcessDef:
		return isProcess
	case *syntax.CompositeDef:
		return isComposite
	case *syntax.ProgressDef:
		return isProgress
	case *syntax.MenuDef:
		return isMenu
	case *syntax.ImportDef:
		return isImport
	case *syntax.FluentDef:
		return isFluent
	case *syntax.AssertDef:
		return isAssert
	case *syntax.LTLDef:
		return isLTL
	}
	return 0
}

// rivals groups the roles in which a name may be defined only once.
var rivals = map[nameKind][]nameKind{
	isConst: {isConst, isRange, isSet}, isRange: {isConst, isRange, isSet}, isSet: {isConst, isRange, isSet},
	isProcess: {isProcess, isComposite, isImport}, isComposite: {isProcess, isComposite, isImport},
	isImport:   {isProcess, isComposite, isImport},
	isProgress: {isProgress}, isMenu: {isMenu},
	isFluent: {isFluent, isAssert, isLTL}, isAssert: {isFluent, isAssert, isLTL}, isLTL: {isFluent, isAssert, isLTL},
}

// compiler holds what is known of a file while it is compiled. Values of
// constants, ranges and sets, and compiled processes, are made when first
// needed.
type compiler struct {
	file *syntax.File
	opts Options
	errs source.List

	names  nameTable
	consts map[string]constant
	ranges map[string][2]int32
	sets   map[string][]string

	primitives map[string]*lks.LKS // by instance name
	networks   map[string]*network // of composites, by instance name
	fluents    map[string]*fluent  // by name of the instance; nil until needed
	fair       []fairSet
	compiling  []string // instance names of processes being compiled, outermost first
	warned     map[syntax.Span]bool
	vain       map[syntax.Span]*vain
	expect     map[syntax.Definition]Expectations
	failure    error // of the meter or a builder: stops the compilation
}

type constant struct {
	value value
	state uint8 // 1: being evaluated, 2: known, 3: wrong, and reported
}

// Compile gives a file its meaning. It evaluates constants, ranges and sets and
// checks all definitions for names and arity, but compiles processes only when
// they are asked for. The error is a source.List.
func Compile(file *syntax.File, opts Options) (*Model, error) {
	if err := file.Diagnostics.Err(); err != nil {
		return nil, err
	}
	if opts.MaxStates == 0 {
		opts.MaxStates = defaultMaxStates
	}
	if opts.MaxLabels == 0 {
		opts.MaxLabels = defaultMaxLabels
	}
	c := &compiler{
		file: file, opts: opts,
		names:  nameTable{kind: map[string]nameKind{}, defs: map[nameKind]map[string]syntax.Definition{}, all: map[nameKind][]string{}},
		consts: map[string]constant{}, ranges: map[string][2]int32{}, sets: map[string][]string{},
		primitives: map[string]*lks.LKS{}, networks: map[string]*network{}, warned: map[syntax.Span]bool{}, vain: map[syntax.Span]*vain{},
	}
	c.errs = append(c.errs, file.Diagnostics...)
	c.collect()
	c.checkParams()
	c.checkOperatorNames()
	for _, d := range file.Defs {
		c.guard(func() {
			switch d := d.(type) {
			case *syntax.ConstDef:
				c.constant(d.Name.Text)
			case *syntax.RangeDef:
				c.rangeOf(d.Name.Text)
			case *syntax.SetDef:
				c.set(d.Name.Text)
			}
		})
	}
	c.check()
	c.readExpectations()
	if !c.errs.HasErrors() {
		c.fairSets()
	}
	if err := c.errs.Err(); err != nil {
		return nil, err
	}
	return &Model{c: c}, nil
}

// guard runs f, which may abort after reporting an error; it reports whether f
// ran to its end.
func (c *compiler) guard(f func()) (ok bool) {
	vars := c.compiling
	defer func() {
		if r := recover(); r != nil {
			if _, is := r.(abort); !is {
				panic(r)
			}
			c.compiling = vars
			ok = false
		}
	}()
	f()
	return true
}

func (c *compiler) text(p syntax.Span) string { return c.file.Place(p).Text() }

func (c *compiler) errorf(at syntax.Span, code, help, format string, args ...any) *source.Diagnostic {
	d := c.errs.Errorf(c.file.Place(at), code, format, args...)
	d.Help = help
	return d
}

// fail reports an error and aborts the definition that is being evaluated.
func (c *compiler) fail(at syntax.Span, code, help, format string, args ...any) {
	c.errorf(at, code, help, format, args...)
	panic(abort{})
}

// exceed is fail for what the text describes and is more than a limit. Bounds that the
// text itself exceeds (of numbers and nesting) are errors: those of the language.
func (c *compiler) exceed(at syntax.Span, code, help, format string, args ...any) {
	c.errorf(at, code, help, format, args...).Limit = true
	panic(abort{})
}

// stop ends the compilation with an error that is not about the text, such as an
// exhausted budget.
func (c *compiler) stop(err error) {
	c.failure = err
	panic(abort{})
}

func (c *compiler) tick(phase string, states, transitions int) {
	if c.opts.Meter == nil {
		return
	}
	if err := c.opts.Meter.Tick(budget.Progress{Phase: phase, States: int64(states), Transitions: int64(transitions)}); err != nil {
		c.stop(err)
	}
}

// warnf adds a warning, once for each place.
func (c *compiler) warnf(at syntax.Span, code, help, format string, args ...any) {
	if c.warned[at] {
		return
	}
	c.warned[at] = true
	c.errs.Warnf(c.file.Place(at), code, format, args...).Help = help
}

// unknown reports a name that is not defined.
func (c *compiler) unknown(n string, at syntax.Span, what string, known []string) {
	help := ""
	switch k := c.names.kind[n]; {
	case k != 0:
		help = fmt.Sprintf("%s is a %s", n, nameKinds[k])
	default:
		sort.Strings(known)
		help = source.DidYouMean(n, known)
	}
	c.fail(at, "unknown-name", help, "unknown %s %q", what, n)
}

// collect fills the table of names.
func (c *compiler) collect() {
	for _, d := range c.file.Defs {
		k, n := kindOf(d), d.Head().Name
		if k == 0 {
			continue
		}
		for _, rival := range rivals[k] {
			if first, ok := c.names.defs[rival][n.Text]; ok {
				e := c.errorf(n.Span, "duplicate-definition", "", "%s is defined twice", n.Text)
				e.Related = []source.Related{{Span: c.file.Place(first.Head().Name.Span), Message: "first defined here, as a " + nameKinds[rival]}}
			}
		}
		if c.names.defs[k] == nil {
			c.names.defs[k] = map[string]syntax.Definition{}
		}
		if _, ok := c.names.defs[k][n.Text]; !ok {
			c.names.defs[k][n.Text] = d
			c.names.all[k] = append(c.names.all[k], n.Text)
		}
		if c.names.kind[n.Text] == 0 {
			c.names.kind[n.Text] = k
		}
	}
}

// checkParams reports overriding values whose name the file does not define.
func (c *compiler) checkParams() {
	known := map[string]bool{}
	for _, n := range c.names.of(isConst) {
		known[n] = true
	}
	for _, d := range c.file.Defs {
		for _, p := range paramsOf(d) {
			known[p.Name.Text] = true
		}
	}
	var all []string
	for n := range known {
		all = append(all, n)
	}
	sort.Strings(all)
	var given []string
	for n := range c.opts.Params {
		given = append(given, n)
	}
	sort.Strings(given)
	for _, n := range given {
		v := c.opts.Params[n]
		if !known[n] {
			d := c.errs.Errorf(source.Span{}, "unknown-parameter", "%s: there is no constant or parameter of that name to give the value %d", n, v)
			d.Help = source.DidYouMean(n, all)
		}
		if int(int32(v)) != v {
			c.errs.Errorf(source.Span{}, "bad-number", "%s=%d: numbers have 32 bits", n, v)
		}
	}
}

// checkOperatorNames warns of fluents and asserts with the name of an operator:
// ltl formulas take a name of the model first.
func (c *compiler) checkOperatorNames() {
	if len(c.names.of(isLTL)) == 0 {
		return
	}
	for _, k := range []nameKind{isFluent, isAssert} {
		for _, n := range c.names.of(k) {
			if len(n) == 1 && strings.Contains("FGXURWMV", n) {
				c.warnf(c.names.defs[k][n].Head().Name.Span, "operator-name", fmt.Sprintf("call the %s by a longer name, or write <> for F and [] for G", nameKinds[k]),
					"in ltl formulas %s is this %s, not the operator", n, nameKinds[k])
			}
		}
	}
}

func paramsOf(d syntax.Definition) []syntax.Param {
	switch d := d.(type) {
	case *syntax.ProcessDef:
		return d.Params
	case *syntax.CompositeDef:
		return d.Params
	case *syntax.AssertDef:
		return d.Params
	}
	return nil
}

// constant returns the value of a constant of the file.
func (c *compiler) constant(n string) (value, bool) {
	k := c.consts[n]
	if k.state == 2 {
		return k.value, true
	}
	def, ok := c.names.defs[isConst][n]
	if !ok {
		return value{}, false
	}
	d := def.(*syntax.ConstDef)
	switch k.state {
	case 1:
		c.fail(d.Name.Span, "circular", "", "the constant %s is defined by itself", n)
	case 3:
		panic(abort{})
	}
	if v, ok := c.opts.Params[n]; ok {
		c.consts[n] = constant{intValue(int32(v)), 2}
		return intValue(int32(v)), true
	}
	c.consts[n] = constant{state: 1}
	defer func() {
		if c.consts[n].state == 1 {
			c.consts[n] = constant{state: 3}
		}
	}()
	v := (&scope{c: c}).eval(d.Value)
	c.consts[n] = constant{v, 2}
	return v, true
}

// rangeOf returns the bounds of a named range.
func (c *compiler) rangeOf(n string) (lo, hi int32, ok bool) {
	if r, ok := c.ranges[n]; ok {
		return r[0], r[1], true
	}
	def, ok := c.names.defs[isRange][n]
	if !ok {
		return 0, 0, false
	}
	d := def.(*syntax.RangeDef)
	s := &scope{c: c}
	lo, hi = s.number(d.Lo), s.number(d.Hi)
	if lo > hi {
		s.backwards(d.Lo.Span.To(d.Hi.Span), lo, hi)
	}
	c.ranges[n] = [2]int32{lo, hi}
	return lo, hi, true
}

// set returns the elements of a named set, in order; they must not be changed.
func (c *compiler) set(n string) ([]string, bool) {
	if s, ok := c.sets[n]; ok {
		if s == nil { // being evaluated
			c.fail(c.names.defs[isSet][n].Head().Name.Span, "circular", "", "the set %s is defined by itself", n)
		}
		return s, true
	}
	def, ok := c.names.defs[isSet][n]
	if !ok {
		return nil, false
	}
	c.sets[n] = nil
	defer func() {
		if c.sets[n] == nil {
			c.sets[n] = []string{} // wrong, and reported
		}
	}()
	c.sets[n] = (&scope{c: c}).set(def.(*syntax.SetDef).Set)
	return c.sets[n], true
}

// arguments gives a process its parameters: the actual arguments, or for none
// (nil) the defaults, which Options.Params overrides.
func (c *compiler) arguments(n string, params []syntax.Param, actual []value, at syntax.Span) map[string]value {
	if actual != nil && len(actual) != len(params) {
		c.fail(at, "arity", "", "%s takes %d argument%s, got %d", n, len(params), plural(len(params)), len(actual))
	}
	if len(params) == 0 {
		return nil
	}
	values := make(map[string]value, len(params))
	for i, p := range params {
		override, given := c.opts.Params[p.Name.Text]
		switch {
		case actual != nil:
			values[p.Name.Text] = actual[i]
		case given:
			values[p.Name.Text] = intValue(int32(override))
		default:
			values[p.Name.Text] = (&scope{c: c}).eval(p.Value)
		}
	}
	return values
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// instanceName is the name of a process with arguments: P(1,red).
func instanceName(n string, actual []value) string {
	if actual == nil {
		return n
	}
	args := make([]string, len(actual))
	for i, v := range actual {
		args[i] = v.String()
	}
	return n + "(" + strings.Join(args, ",") + ")"
}

// begin marks a process as being compiled and reports one that needs itself.
func (c *compiler) begin(instance string, at syntax.Span) {
	if slices.Contains(c.compiling, instance) {
		c.fail(at, "recursive-process", "", "%s is made from itself: %s", instance, strings.Join(append(c.compiling, instance), " needs "))
	}
	if len(c.compiling) >= maxInstances {
		c.fail(at, "recursive-process", "", "more than %d processes are made from each other", maxInstances)
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
	if c.errs.HasErrors() {
		errs := slices.Clone(c.errs)
		// The model stays usable for its other processes.
		c.errs = slices.DeleteFunc(c.errs, func(d source.Diagnostic) bool { return d.Severity == source.Error })
		return errs.Err()
	}
	return nil
}
