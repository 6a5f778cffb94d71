package cfront

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/source"
)

// linker makes one program of several sources.
type linker struct {
	opts     Options
	meter    *budget.Meter // of the context
	types    *types
	prog     *ir.Program
	vars     map[string]*ir.Var // with external linkage
	funcs    map[string]*ir.Func
	inits    *routine // the body of Program.Init
	taken    names    // names of globals
	errs     source.List
	strings  map[stringLiteral]*ir.Var
	weak     map[string]ir.Span // what is declared so
	promised map[string]bool    // routines with such attributes
	// volatiles: a source says of something that it is volatile.
	volatiles bool
	symbols   []symbol
	inputs    map[string]*ir.Func // see input
	defined   map[*ir.Var]ir.Span // of files' scopes, with an initialiser
	// standsFor are, while a condition is lowered, static variables by the names of its locals.
	standsFor map[string]*ir.Var
	// reads: a condition is lowered, which reads what the program has written, and changes nothing.
	reads bool
	// assembled are the names in assembly outside of routines.
	assembled []string
	// unasserted: static assertions are left out.
	unasserted bool
	// relabels: what is volatile in declarations of routines is written as relabelled has it.
	relabels bool
	path     []cc.Node // to what is judged, in the parser's tree
	text     int       // bytes of the sources and what they include
}

func newLinker(opts Options) *linker {
	l := &linker{opts: opts, meter: budget.New(opts.Context, budget.Limits{Memory: opts.Memory}, nil), types: newTypes(opts.Model), vars: map[string]*ir.Var{}, defined: map[*ir.Var]ir.Span{}, funcs: map[string]*ir.Func{}, taken: names{}, strings: map[stringLiteral]*ir.Var{}, inputs: map[string]*ir.Func{}, weak: map[string]ir.Span{}, promised: map[string]bool{}}
	init := &ir.Func{Name: ir.Initialisers, Type: &ir.Type{Kind: ir.Function, Size: -1, Result: &ir.Type{Kind: ir.Void, Size: -1, Name: "void"}, Name: "void()"}}
	l.prog = &ir.Program{Model: opts.Model, Init: init, Rules: opts.Rules, Scans: map[*ir.Func]*ir.Scanned{}}
	l.inits = &routine{linker: l, f: init, names: names{}}
	l.inits.begin(l.inits.block(""))
	l.types.lowered = l.constantOf
	return l
}

// module is the file scope of a source.
type module struct {
	*unit
	vars  map[string]*ir.Var // static ones
	funcs map[string]*ir.Func
}

func refuse(span ir.Span, code, help, format string, args ...any) {
	panic(&ir.Refusal{Diagnostic: source.Diagnostic{Span: span, Code: code, Message: fmt.Sprintf(format, args...), Help: help}})
}

// guarded runs a part of the work that may refuse.
func (l *linker) guarded(do func()) {
	defer func() {
		if r := recover(); r != nil {
			bad, ok := r.(*ir.Refusal)
			if !ok {
				panic(r)
			}
			if len(l.errs) < maxMessages {
				l.errs = append(l.errs, bad.Diagnostic)
			}
		}
	}()
	do()
}

// unit adds a source: first its declarations, then what they say. The error is of a context that has ended.
func (l *linker) unit(u *unit) error {
	m := &module{unit: u, vars: map[string]*ir.Var{}, funcs: map[string]*ir.Func{}}
	l.inits.module = m
	l.qualified(u)
	l.definitions(u)
	l.extensions(m)
	l.largeConstants(m)
	l.tags(m)
	for n := u.ast.TranslationUnit; n != nil; n = n.TranslationUnit {
		l.guarded(func() { l.external(m, n.ExternalDeclaration) })
		if err := l.stopped(); err != nil {
			return err
		}
	}
	l.assembledNames(m)
	return nil
}

func (l *linker) external(m *module, n *cc.ExternalDeclaration) {
	switch n.Case {
	case cc.ExternalDeclarationFuncDef:
		if n.FunctionDefinition.Position().Filename == conditionFile {
			l.condition(m, n.FunctionDefinition)
			return
		}
		d := n.FunctionDefinition
		l.later(m, d.Declarator, d.Declarator, func() { l.definition(m, d) })
	case cc.ExternalDeclarationDecl:
		l.declaration(m, n.Declaration)
	case cc.ExternalDeclarationAsmStmt:
		l.fileAssembly(n.AsmStatement)
	}
}

// span is the place of a node.
func (u *unit) span(n cc.Node) ir.Span {
	if n == nil {
		return ir.Span{}
	}
	p := n.Position()
	if p.Filename == conditionFile && u.outside != nil {
		return u.outside.span(p.Offset)
	}
	f := u.files[p.Filename]
	if f == nil {
		return ir.Span{}
	}
	return f.Span(p.Offset, p.Offset+1)
}

// declaration declares file-scope variables and routines.
func (l *linker) declaration(m *module, n *cc.Declaration) {
	for _, d := range initDeclarators(n) {
		if d.Declarator == nil || d.Declarator.IsTypename() {
			continue
		}
		if m.span(d.Declarator) == (ir.Span{}) { // built into the parser, or of a standard header
			if t := d.Declarator.Type(); t.Kind() != cc.Function && strings.HasPrefix(d.Declarator.Position().Filename, standardFolder) {
				l.global(m, d.Declarator, false) // errno, stdin
			}
			continue
		}
		l.later(m, d.Declarator, d, func() { l.declare(m, n, d) })
	}
}

// declare declares a variable, or a routine, of a file.
func (l *linker) declare(m *module, n *cc.Declaration, d *cc.InitDeclarator) {
	if a := d.Declarator.Type().Attributes(); a != nil && a.Alias() != "" {
		refuse(m.span(d.Declarator), "c-attribute", "use it by its own name", "%s is an alias of %s, which is not supported", d.Declarator.Name(), a.Alias())
	}
	if d.Declarator.Type().Kind() == cc.Function {
		f := l.routine(m, d.Declarator, d.Declarator.Type().(*cc.FunctionType))
		f.NoReturn = f.NoReturn || noreturn(n.DeclarationSpecifiers, d.Declarator.Type())
		return
	}
	v := l.global(m, d.Declarator, d.Case == cc.InitDeclaratorInit)
	if d.Case == cc.InitDeclaratorInit {
		if first, twice := l.defined[v]; twice {
			refuse(m.span(d.Declarator), "c-redefinition", "declare it extern in all files but one", "%s is defined in %s, too", v.Name, first.File.Name())
		}
		l.defined[v] = m.span(d.Declarator)
		l.inits.initialize(v, d.Initializer)
	}
}

// initDeclarators lists the declarators of a declaration.
func initDeclarators(n *cc.Declaration) (all []*cc.InitDeclarator) {
	for list := n.InitDeclaratorList; list != nil; list = list.InitDeclaratorList {
		all = append(all, list.InitDeclarator)
	}
	return all
}

// typeOf converts the type of a declared thing.
func (l *linker) typeOf(m *module, n cc.Node, c cc.Type) *ir.Type {
	t := l.types.of(c)
	if t == nil {
		refuse(m.span(n), "c-type", "use integers, pointers, arrays, structs and unions", "type %s is not supported", c)
	}
	return t
}

// global finds or makes a variable with static storage and a file scope.
func (l *linker) global(m *module, d *cc.Declarator, initialised bool) *ir.Var {
	name, scope := d.Name(), l.vars
	if d.Linkage() == cc.Internal || m.vars[name] != nil {
		scope = m.vars
	}
	t := l.typeOf(m, d, d.Type())
	if d.IsThreadLocal() {
		refuse(m.span(d), "c-threads", "make it an ordinary global", "%s is a variable of threads, which are not supported", name)
	}
	v := scope[name]
	if v != nil && v.Unread != nil {
		panic(v.Unread)
	}
	if v == nil {
		v = l.newGlobal(name, t, m.span(d))
		v.Extern = d.IsExtern() && !initialised
		v.Volatile = true
		scope[name] = v
	}
	v.Const, v.Volatile = l.types.declaredConst(d), v.Volatile && l.types.declaredVolatile(d)
	if v.Type.Size < 0 && t.Size >= 0 {
		v.Type = t
	}
	if !compatible(v.Type, t) {
		otherwise(m.span(d), name, t, v.Type)
	}
	if !d.IsExtern() || initialised {
		v.Extern = false
	}
	return v
}

// tentative gives an array that no source says the length of, and none says to be of another file, one element
// (C11 6.9.2, 2 and 5).
func (l *linker) tentative() {
	for _, v := range l.prog.Globals {
		if t := v.Type; !v.Extern && t.Kind == ir.Array && t.Size < 0 && t.Elem.Size >= 0 {
			one := *t
			one.Len, one.Size, v.Type = 1, t.Elem.Size, &one
		}
	}
}

// newGlobal makes a global with a name of its own.
func (l *linker) newGlobal(name string, t *ir.Type, span ir.Span) *ir.Var {
	v := &ir.Var{Name: l.taken.unique(name), Type: t, Kind: ir.Global, Span: span}
	l.prog.Globals = append(l.prog.Globals, v)
	return v
}

// names are those that were given, and up to which number with @ they are.
type names map[string]int

// unique returns a name that was not given before: x, x@2, x@3.
func (taken names) unique(name string) string {
	fresh := name
	for n := taken[name] + 1; taken[fresh] > 0; n++ {
		fresh, taken[name] = fmt.Sprintf("%s@%d", name, n), n
	}
	taken[fresh] = max(taken[fresh], 1)
	return fresh
}

// routine finds or makes a routine.
func (l *linker) routine(m *module, d *cc.Declarator, ft *cc.FunctionType) *ir.Func {
	name, scope := d.Name(), l.funcs
	if d.IsStatic() || m.funcs[name] != nil {
		scope = m.funcs
	}
	t := l.typeOf(m, d, ft)
	if t.Result == nil {
		refuse(m.span(d), "c-type", "return integers, pointers, structs or unions", "%s returns %s, which is not supported", name, ft.Result())
	}
	f := scope[name]
	if f == nil {
		f = &ir.Func{Name: name, Type: t, Span: m.span(d)}
		scope[name] = f
		l.prog.Funcs = append(l.prog.Funcs, f)
		return f
	}
	if !compatible(f.Type, t) {
		otherwise(m.span(d), name, t, f.Type)
	}
	if f.Extern() && f.Type.Unproto {
		f.Type = t
	}
	return f
}

// definition lowers the body of a routine.
func (l *linker) definition(m *module, n *cc.FunctionDefinition) {
	d := n.Declarator
	ft, ok := d.Type().(*cc.FunctionType)
	if !ok {
		refuse(m.span(n), "c", "", "this is no definition of a routine")
	}
	f := l.routine(m, d, ft)
	if !f.Extern() {
		refuse(m.span(n), "c-link", "rename one, or make it static", "%s is defined twice", f.Name)
	}
	l.define(m, n, f)
}

// define lowers a definition as the body of a routine.
func (l *linker) define(m *module, n *cc.FunctionDefinition, f *ir.Func) {
	d := n.Declarator
	ft := d.Type().(*cc.FunctionType)
	f.Type, f.Span, f.OldStyle = l.types.of(ft), m.span(d), oldStyle(d)
	f.NoReturn = f.NoReturn || noreturn(n.DeclarationSpecifiers, ft)
	r := &routine{linker: l, module: m, f: f, names: names{}, labels: map[string]*ir.Block{}}
	r.begin(r.block(""))
	r.open()
	for _, p := range ft.Parameters() {
		t := l.typeOf(m, p, p.Type().Decay())
		if t.Kind == ir.Void {
			continue
		}
		v := r.declare(p.Name(), t, ir.Param, m.span(p))
		v.Const, v.Volatile = l.types.declaredConst(p.Declarator), l.types.declaredVolatile(p.Declarator)
		l.restricted(p.Declarator)
		if p.Declarator != nil {
			text := cc.NodeSource(p.Declarator)
			l.prog.Retyped = l.prog.Retyped || strings.Contains(text, "restrict") // int a[restrict 2]
			if staticLength().MatchString(text) {
				l.promised[f.Name] = true
			}
		}
		f.Params = append(f.Params, v)
	}
	body := f.Blocks
	l.guarded(func() {
		for _, p := range f.Params {
			r.pad(ir.Whole(p), p.Span)
		}
		r.compound(n.CompoundStatement)
		r.end(&ir.Return{Span: m.span(&n.CompoundStatement.Token2)}) // at the closing brace
		r.finish()
		body = f.Blocks
	})
	f.Blocks = body
}

// stringLiteral is one by its content and the node that it is.
type stringLiteral struct {
	text string
	node any
}

// finish links, checks and returns the program.
func (l *linker) finish() (*ir.Program, error) {
	l.inits.end(&ir.Return{})
	l.inits.finish()
	l.renamed()
	l.guarded(l.unreadUses)
	l.known()
	l.tentative()
	l.standIns()
	l.events()
	l.guarded(l.rules)
	l.guarded(func() { l.specials() })
	l.prog.CopiesApart = l.opts.lives() && l.opts.Failures == nil
	l.guarded(func() {
		for _, f := range slices.Clone(l.prog.Funcs) {
			l.reallocs(f)
			if l.prog.CopiesApart {
				l.overlaps(f)
			}
			l.moves(f)
			l.outputs(f)
		}
		l.library()
		l.maths()
		l.keptTexts()
		l.weakSymbols()
		l.takePromises()
		l.callTypes()
		l.environment()
		l.ends()
		l.atStart()
	})
	for _, f := range l.prog.Funcs {
		if !l.opts.Steps {
			dropUnread(f, l.spoken(f.Name))
		}
	}
	if entry := l.prog.Func(cmp.Or(l.opts.Entry, "main")); !l.opts.NoEntry && len(l.errs) == 0 && (entry == nil || entry.Extern()) {
		var known []string
		for _, f := range l.prog.Funcs {
			if !f.Extern() {
				known = append(known, f.Name)
			}
		}
		help := "name the routine to begin with (--entry)"
		if s := source.DidYouMean(cmp.Or(l.opts.Entry, "main"), known); s != "" {
			help = s
		}
		l.errs.Errorf(l.inits.file.Span(0, 0), "c-entry", "there is no routine %s", cmp.Or(l.opts.Entry, "main")).Help = help
	}
	slices.SortStableFunc(l.prog.Funcs, func(a, b *ir.Func) int {
		switch {
		case a.Extern() == b.Extern():
			return 0
		case a.Extern():
			return 1
		}
		return -1
	})
	if err := l.errs.Err(); err != nil {
		return nil, l.errs
	}
	l.prog.BlockEnds, l.prog.Entry = l.opts.lives(), l.prog.Func(cmp.Or(l.opts.Entry, "main"))
	return l.prog, nil
}

// callTypes refuses calls that another source has lowered by a declaration, or without one, which does not
// fit what is defined.
func (l *linker) callTypes() {
	for _, f := range l.prog.Funcs {
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				if c, ok := i.(*ir.Call); ok && c.Callee != nil && !c.Callee.Extern() && !c.Callee.Takes(c) {
					l.guarded(func() {
						refuse(c.Span, "c-type", "declare it as it is defined", "%s is called here as if it were declared in another way than it is defined", c.Callee.Name)
					})
				}
			}
		}
	}
}
