package bind

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// Task is what is to be bound: one abstraction of a program, that is whether components
// conform to a definition.
type Task struct {
	Sources []*source.File
	C       cfront.Options      // Conditions, Abstract and Entry are set here
	Spec    *specification.File // without mistakes
	// Plain: nobody has written Spec, which says that a routine of the sources is the one component.
	Plain bool
	// Constants are those of the command line.
	Constants specification.Values
	// Program is the name of a cprog block; "" is the only one.
	Program string
	// Abstraction is the name of an abstract statement in it; "" is the only one.
	Abstraction string
	// Unclaimed: nothing is claimed that could be compared with a definition: the question is
	// about the components themselves. Returns are silent then, but where Propositions speak
	// of them.
	Unclaimed bool
	// Propositions are to be known of the states of components, in the spelling of formulas:
	// see ParseProposition. Those that are about returning are actions: Question.Returns.
	Propositions []string
	// Formulas are where propositions stand, in quotes, for messages about them.
	Formulas []source.Span
	// PrivateGlobals: each component has globals of its own. Otherwise a global that one
	// component assigns to and another uses is an error.
	PrivateGlobals bool
	// Exit is an action that a component performs where it ends the program in the middle of a
	// routine: a routine that is called and does so does not return. "": none.
	Exit string
	// Ends: whether all runs end is the question, and nothing else: see encode.Context.
	Ends bool
}

// Question is what a Task asks: do the components together do only what Spec does? Without
// a claim, Abstraction and Spec are nil.
type Question struct {
	Abstraction *specification.Abstract
	Program     *ir.Program
	Components  []*Component
	Spec        *lks.LKS
	// Assumed are the abstractions of routines that the components call, which the answer
	// rests on; sorted by routine.
	Assumed []Assumption
	// Externs are the routines that are called and have neither a body nor an abstraction.
	Externs []string
	// Objects are the pointers, with their component, that are assumed to point to an object
	// of their own: "srv: s".
	Objects []string
	// Returns are, for the Propositions that are about returning, the actions that they stand
	// for. Each component has its own.
	Returns map[string][]string
	// Begins are, of the question whether a routine does what is assumed of it (Task.Exit), the variables
	// that it uses which have other values than at the beginning when the program calls it, perhaps.
	Begins []string
	// Endless: of that question, the routine perhaps never ends, since it has a loop or calls what may wait.
	Endless bool
	// Private are the globals of which each component has one of its own, though one assigns
	// to it and another uses it.
	Private  []string
	Warnings source.List
}

// Component is one component of a Question.
type Component struct {
	// Name is that of the procedure, with its index ("phil[2]"); copies that are written
	// out are numbered: "my_proc", "my_proc#2".
	Name      string
	Procedure string
	Context   *encode.Context
	Encoding  *encode.Encoding
	// Predicates are those that the specification asks to be tracked, over the variables of
	// Encoding.Words.
	Predicates []*logic.Term
	// Propositions are those of Task.Propositions that are about this component.
	Propositions []Proposition
}

// Assumption is an abstraction of a routine.
type Assumption struct {
	Routine, Name string
	Span          source.Span
}

// Abstractions are the statements of a cprog block ("" is the only one) that can be asked.
// The error is a source.List.
func Abstractions(spec *specification.File, program string) ([]*specification.Abstract, error) {
	b := &binder{task: &Task{Spec: spec, Program: program}}
	b.program()
	return abstracts(b.prog), b.err()
}

// abstracts are the abstract statements of a cprog block.
func abstracts(p *specification.ProgDef) (all []*specification.Abstract) {
	if p == nil {
		return nil
	}
	for _, s := range p.Statements {
		if a, ok := s.(*specification.Abstract); ok {
			all = append(all, a)
		}
	}
	return all
}

// Properties are the formulas of a cprog block ("" is the only one), those with some names, or
// all. The error is a source.List.
func Properties(spec *specification.File, program string, names ...string) (all []*specification.Property, err error) {
	b := &binder{task: &Task{Spec: spec, Program: program}}
	b.program()
	if b.prog == nil {
		return nil, b.err()
	}
	var known []string
	for _, s := range b.prog.Statements {
		if p, ok := s.(*specification.Property); ok {
			known = append(known, p.Name.Text)
			if len(names) == 0 || slices.Contains(names, p.Name.Text) {
				all = append(all, p)
			}
		}
	}
	for _, n := range names {
		if !slices.Contains(known, n) {
			b.errorf(b.prog.Name, "unknown-property", source.DidYouMean(n, known), "the program %s has no property %s", b.prog.Name.Text, n)
		}
	}
	return all, b.err()
}

// Declaring is the name of the one among several cprog blocks that has all of some abstractions or
// properties; "" if more or fewer have, or there are no names, or no other blocks.
func Declaring(spec *specification.File, names ...string) string {
	blocks := 0
	var having []string
	for _, d := range spec.Defs {
		p, ok := d.(*specification.ProgDef)
		if !ok {
			continue
		}
		if blocks++; !slices.ContainsFunc(names, func(name string) bool { return !declares(p, name) }) {
			having = append(having, p.Name.Text)
		}
	}
	if blocks == 1 || len(names) == 0 || len(having) != 1 {
		return ""
	}
	return having[0]
}

func declares(p *specification.ProgDef, name string) bool {
	return slices.ContainsFunc(p.Statements, func(s specification.Statement) bool {
		switch s := s.(type) {
		case *specification.Abstract:
			return s.Name.Text == name
		case *specification.Property:
			return s.Name.Text == name
		}
		return false
	})
}

// Bind binds a task. The checker decides whether guards exclude each other, and which
// classes of results there are; it is left without assertions. The error is a source.List:
// what is wrong, all of it as far as it can be told in one run; or it is ctx's or the
// checker's.
func Bind(ctx context.Context, task *Task, checker smt.Checker) (*Question, error) {
	b := &binder{ctx: ctx, task: task, checker: checker, keys: map[string]int{}, checked: map[string]bool{}, machines: map[string]*specification.Machine{}}
	for _, stage := range []func(){b.program, b.constants, b.abstraction, b.instances, b.propositions, b.sources, b.routines, b.events, b.returns, b.conditions, b.guards, b.classes, b.components, b.uncalled, b.renamings, b.specification, b.globals, b.report} {
		stage()
		if b.failure != nil {
			return nil, b.failure
		}
		if err := b.err(); err != nil {
			return nil, err
		}
	}
	b.q.Warnings = b.errs
	return b.q, nil
}

// binder is the work of Bind, stage by stage: each stage ends with all of its errors.
type binder struct {
	ctx     context.Context
	task    *Task
	checker smt.Checker
	errs    source.List
	failure error // of the checker

	prog     *specification.ProgDef
	values   specification.Values
	abstract *specification.Abstract
	parts    []*part
	plain    *ir.Program // of the sources, without conditions
	machines map[string]*specification.Machine
	spec     *specification.Machine

	list    []cfront.Condition
	keys    map[string]int
	checked map[string]bool        // which routines' guards
	split   [][]bool               // the classes: which conditions of results each satisfies
	results []*specification.CExpr // the conditions on what is returned
	any     bool                   // return {} stands in the specification
	q       *Question
}

// part is a component as the specification lists it.
type part struct {
	ref        *specification.ComponentRef
	name       string
	procedure  string
	bound      specification.Values
	guards     []*specification.CExpr
	initial    []int // conditions
	stubs      map[string][]*abstraction
	inline     map[string][]string
	alphabet   []string
	results    []int // conditions on what is returned
	predicates []*specification.CExpr
	tracked    []int // conditions, of predicates
	asked      []*asked
	returns    []*asked // of what is returned: its classes are split so
	told       []*told  // calls of routines and their returns that are asked about
	split      [][]bool
	rename     map[string][]string
	hide       map[string]bool
	component  *Component
}

// abstraction is one of a routine, for a part.
type abstraction struct {
	of      *specification.Abstract
	guard   int
	machine *specification.Machine
	moves   []move
}

// move are the conditions of a transition, or -1.
type move struct{ guard, assign, result int }

func (b *binder) err() error { return b.errs.Err() }

func (b *binder) place(n specification.Node) source.Span { return b.task.Spec.Place(n.Extent()) }

func (b *binder) errorf(n specification.Node, code, help, format string, args ...any) *source.Diagnostic {
	d := b.errs.Errorf(b.place(n), code, format, args...)
	d.Help = help
	return d
}

func (b *binder) warnf(n specification.Node, code, help, format string, args ...any) {
	b.errs.Warnf(b.place(n), code, format, args...).Help = help
}

// add adds an error of another package, to be told with its own.
func (b *binder) add(err error) {
	if list, ok := err.(source.List); ok {
		b.errs = append(b.errs, list...)
	} else if b.ctx.Err() != nil {
		b.failure = b.ctx.Err()
	} else if err != nil {
		b.errs.Errorf(b.task.Spec.Source.Span(0, 0), "c", "%v", err)
	}
}

// program finds the cprog block.
func (b *binder) program() {
	var names []string
	start := b.task.Spec.Source.Span(0, 0)
	for _, d := range b.task.Spec.Defs {
		if p, ok := d.(*specification.ProgDef); ok {
			if names = append(names, p.Name.Text); len(names) == 1 {
				start = b.task.Spec.Place(p.Name.Span)
			}
			if b.task.Program == "" || b.task.Program == p.Name.Text {
				b.prog = p
			}
		}
	}
	switch {
	case len(names) == 0:
		b.errs.Errorf(start, "no-program", "there is no program here").Help = "write cprog NAME = PROCEDURE { abstract NAME, {(1)}, LKS; }"
	case b.task.Program == "" && len(names) > 1:
		b.errs.Errorf(start, "which-program", "there are several programs: %s", quoted(names)).Help = "name one (--process)"
	case b.prog == nil:
		b.errs.Errorf(start, "unknown-program", "there is no program %s", b.task.Program).Help = near(b.task.Program, "programs are", names)
	}
}

func quoted(names []string) string {
	text := ""
	for i, n := range names {
		if i > 0 {
			text += ", "
		}
		text += n
	}
	return text
}

func (b *binder) constants() {
	values, err := b.task.Spec.Constants(b.task.Constants)
	b.values = values
	b.add(err)
}

// abstraction finds the abstract statement.
func (b *binder) abstraction() {
	if b.task.Unclaimed {
		return
	}
	var names []string
	for _, a := range abstracts(b.prog) {
		names = append(names, a.Name.Text)
		if b.task.Abstraction == "" || b.task.Abstraction == a.Name.Text {
			b.abstract = a
		}
	}
	switch {
	case len(names) == 0:
		b.errorf(b.prog.Name, "no-abstraction", "write abstract NAME, {(1)}, LKS;", "the program %s has no abstraction", b.prog.Name.Text)
	case b.task.Abstraction == "" && len(names) > 1:
		b.errorf(b.prog.Name, "which-abstraction", "name one (--abstraction)", "the program %s has several abstractions: %s", b.prog.Name.Text, quoted(names))
	case b.abstract == nil:
		b.errorf(b.prog.Name, "unknown-abstraction", source.DidYouMean(b.task.Abstraction, names), "the program %s has no abstraction %s", b.prog.Name.Text, b.task.Abstraction)
	}
}

// instances lists the components, copy by copy.
func (b *binder) instances() {
	refs := b.prog.Components
	times := map[string]int{}
	for i, ref := range refs {
		copies, err := b.task.Spec.Copies(ref, b.values)
		b.add(err)
		bounds := []specification.Values{nil}
		if ref.Index != nil {
			bounds = nil
			for _, n := range copies {
				bounds = append(bounds, specification.Values{ref.Index.Variable.Text: n})
			}
		}
		for k, bound := range bounds {
			p := &part{ref: ref, procedure: ref.Procedure.Text, name: ref.Procedure.Text, bound: bound}
			for _, guards := range b.guardLists() {
				p.guards = append(p.guards, guards[i])
			}
			if bound != nil {
				p.name = fmt.Sprintf("%s[%d]", p.name, copies[k])
			}
			if times[p.name]++; times[p.name] > 1 {
				p.name = fmt.Sprintf("%s#%d", p.name, times[p.name])
			}
			b.parts = append(b.parts, p)
		}
	}
	if len(b.parts) == 0 && b.err() == nil {
		b.errorf(b.prog.Name, "no-component", "", "the program %s has no component", b.prog.Name.Text)
	}
}

// guardLists are the guards of the components: of the claim, and of assume statements.
func (b *binder) guardLists() (all [][]*specification.CExpr) {
	if b.abstract != nil {
		all = append(all, b.abstract.Guards)
	}
	for _, s := range b.prog.Statements {
		if s, ok := s.(*specification.Assume); ok {
			all = append(all, s.Guards)
		}
	}
	return all
}

// sources reads the C sources, and looks for the names that the specification speaks of.
func (b *binder) sources() {
	opts := b.task.C
	opts.Context, opts.Conditions, opts.Entry, opts.Abstract = b.ctx, nil, b.entry(), b.abstracted()
	p, err := cfront.Parse(b.task.Sources, opts)
	if err != nil {
		b.misnamed(err)
		return
	}
	b.plain = p
	var defined, known []string
	for _, f := range p.Funcs {
		known = append(known, f.Name)
		if !f.Extern() {
			defined = append(defined, f.Name)
		}
	}
	told := map[string]bool{}
	for _, c := range b.parts {
		if f := p.Func(c.procedure); (f == nil || f.Extern()) && !told[c.procedure] {
			told[c.procedure] = true
			b.errorf(c.ref.Procedure, "unknown-procedure", source.DidYouMean(c.procedure, defined), "the sources have no procedure %s", c.procedure)
		}
	}
	for _, d := range b.procs() {
		for _, n := range []specification.Name{d.Scope, d.Name} {
			if n.Text != "" && p.Func(n.Text) == nil {
				b.warnf(n, "unknown-routine", source.DidYouMean(n.Text, known), "the sources neither define nor call %s: what is said about it is ignored", n.Text)
			}
		}
		for _, s := range d.Statements {
			if s, ok := s.(*specification.Inline); ok {
				for _, n := range s.Routines {
					if !slices.Contains(defined, n.Text) {
						b.errorf(n, "unknown-procedure", source.DidYouMean(n.Text, defined), "%s cannot be inlined: the sources have no procedure of that name", n.Text)
					}
				}
			}
		}
	}
}

// entry is the routine that the program begins with: "", as the environment calls it, for main() where that is the
// only component.
func (b *binder) entry() string {
	if name := b.parts[0].procedure; len(b.parts) > 1 || name != "main" {
		return name
	}
	return ""
}

// misnamed adds the errors of the sources. That there is no procedure to begin with is one
// of the specification.
func (b *binder) misnamed(err error) {
	list, ok := err.(source.List)
	if !ok || len(list) != 1 || list[0].Code != "c-entry" || b.task.Plain {
		b.add(err)
		return
	}
	help := "" // of the command line's entry routine otherwise, which a specification has none of
	if strings.HasPrefix(list[0].Help, "did you mean") {
		help = list[0].Help
	}
	b.errorf(b.parts[0].ref.Procedure, "unknown-procedure", help, "the sources have no procedure %s", b.parts[0].procedure)
}

// procs are the cproc blocks.
func (b *binder) procs() (all []*specification.ProcDef) {
	for _, d := range b.task.Spec.Defs {
		if p, ok := d.(*specification.ProcDef); ok {
			all = append(all, p)
		}
	}
	return all
}

// abstracted are the routines that some block has abstractions of.
func (b *binder) abstracted() (names []string) {
	for _, d := range b.procs() {
		for _, s := range d.Statements {
			if _, ok := s.(*specification.Abstract); ok {
				names = append(names, d.Name.Text)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// globals refuses globals that components share.
func (b *binder) globals() {
	told := map[*ir.Var]bool{}
	for _, writer := range b.q.Components {
		written := slices.SortedFunc(maps.Keys(writer.Encoding.Written), func(v, w *ir.Var) int {
			return slices.Index(b.q.Program.Globals, v) - slices.Index(b.q.Program.Globals, w)
		})
		for _, user := range b.q.Components {
			uses := user.Encoding.Uses()
			for _, v := range written {
				if writer == user || !uses[v] || told[v] {
					continue
				}
				told[v] = true
				if b.task.PrivateGlobals {
					b.q.Private = append(b.q.Private, v.Name)
					continue
				}
				d := b.errs.Errorf(writer.Encoding.Written[v], "shared-global", "%s assigns to the global %s, which %s uses: components share no memory", writer.Name, v.Name, user.Name)
				d.Help = "let each have its own (--globals=private), or make it a parameter"
				d.Related = []source.Related{{Span: v.Span, Message: "it is declared here"}}
			}
		}
	}
	slices.Sort(b.q.Private)
	if b.task.Exit == "" {
		return
	}
	for _, user := range b.q.Components {
		uses := user.Encoding.Uses()
		b.q.Endless = b.q.Endless || len(user.Encoding.Abstracted()) > 0 || user.Encoding.Words.Loops()
		for _, v := range b.q.Program.Globals {
			if uses[v] && !v.Const && v.Literal == "" {
				b.q.Begins = append(b.q.Begins, v.Name)
			}
		}
	}
}

// report fills in what the answer rests on.
func (b *binder) report() {
	externs := map[string]bool{}
	seen := map[*specification.Abstract]bool{}
	for i, c := range b.q.Components {
		for _, name := range c.Encoding.Externs {
			externs[name] = true
		}
		for _, name := range c.Encoding.Objects() {
			b.q.Objects = append(b.q.Objects, c.Name+": "+name)
		}
		for _, name := range c.Encoding.Abstracted() {
			for _, a := range b.parts[i].stubs[name] {
				if !seen[a.of] {
					seen[a.of] = true
					b.q.Assumed = append(b.q.Assumed, Assumption{name, a.of.Name.Text, b.place(a.of)})
				}
			}
		}
	}
	slices.SortStableFunc(b.q.Assumed, func(x, y Assumption) int {
		if x.Routine < y.Routine {
			return -1
		} else if x.Routine > y.Routine {
			return 1
		}
		return 0
	})
	b.q.Externs = slices.Sorted(maps.Keys(externs))
}
