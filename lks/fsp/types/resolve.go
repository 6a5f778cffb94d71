package types

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/fsp/internal/eval"
	"github.com/seltl/seltl/lks/fsp/syntax"
	"github.com/seltl/seltl/ltl"
)

// resolver walks over one definition after the other, notes what every name stands for,
// and reports those that stand for nothing. Index variables are only noted: where they
// are used in vain, evaluation says so, and only if it comes there.
type resolver struct {
	info    *Info
	env     *eval.Env
	globals map[syntax.Kind]map[string]*Object

	// Of the definition at hand:
	def    syntax.Definition
	params map[string]*Object
	locals map[string]*Object
	vars   []*Object // that are bound, the innermost last
	silent bool      // nothing is reported
}

func (r *resolver) add(o *Object) *Object {
	r.info.Objects = append(r.info.Objects, o)
	return o
}

func (r *resolver) declareGlobals() {
	all := r.env.File.Extent()
	for _, d := range r.env.File.Defs {
		kind, n := syntax.KindOf(d), d.Head().Name
		if kind == 0 || n.Text == "" {
			continue
		}
		if r.globals[kind] == nil {
			r.globals[kind] = map[string]*Object{}
		}
		o := r.globals[kind][n.Text]
		if o == nil {
			o = r.add(&Object{Name: n.Text, Kind: kind, Def: d, Decl: d, Scope: all})
			r.globals[kind][n.Text] = o
		}
		o.Defs = append(o.Defs, n.Span)
	}
}

// global notes the use of a name that is one of some kinds, the first that it is.
func (r *resolver) global(n string, at syntax.Span, kinds ...syntax.Kind) bool {
	for _, k := range kinds {
		if o := r.globals[k][n]; o != nil {
			o.Uses = append(o.Uses, at)
			return true
		}
	}
	return false
}

// report runs f, which reports an error and may abort.
func (r *resolver) report(f func()) {
	if !r.silent {
		r.env.Guard(f)
	}
}

// bind brings the variable of an index into scope, if it has one.
func (r *resolver) bind(i *syntax.Index, until int32) {
	if n := i.Variable; n.Text != "" {
		r.vars = append(r.vars, r.add(&Object{
			Name: n.Text, Kind: syntax.Variable, Def: r.def, Decl: i, Defs: []syntax.Span{n.Span}, Scope: syntax.Span{Start: i.End, End: until},
		}))
	}
}

// block runs f and forgets the variables that it brings into scope.
func (r *resolver) block(f func()) {
	n := len(r.vars)
	f()
	r.vars = r.vars[:n]
}

func (r *resolver) definition(d syntax.Definition) {
	r.def, r.silent = d, d.Head().Bad
	r.params, r.locals, r.vars = map[string]*Object{}, map[string]*Object{}, nil
	r.declareParams(syntax.ParamsOf(d))
	end := d.Head().End
	switch d := d.(type) {
	case *syntax.ConstDef:
		r.quietly(func() { r.expr(d.Value) }) // its evaluation has reported what is wrong
	case *syntax.RangeDef:
		r.quietly(func() { r.expr(d.Lo); r.expr(d.Hi) })
	case *syntax.SetDef:
		r.quietly(func() { r.set(d.Set) })
	case *syntax.ProcessDef:
		r.process(d)
	case *syntax.CompositeDef:
		r.composition(d.Body)
		if d.Priority != nil {
			r.set(d.Priority.Set)
		}
		r.hiding(d.Hide)
	case *syntax.ProgressDef:
		r.indices(d.Ranges, end)
		r.label(d.Condition)
		r.label(d.Set)
	case *syntax.FairDef:
		r.indices(d.Ranges, end)
		r.label(d.Set)
	case *syntax.MenuDef:
		r.label(d.Set)
	case *syntax.FluentDef:
		r.indices(d.Ranges, end)
		r.label(d.Begin)
		r.label(d.End)
		r.expr(d.Initially)
	case *syntax.AssertDef:
		r.set(d.Extension)
		r.assertion(d.Formula)
	case *syntax.LTLDef:
		r.ltl(d)
	}
}

// quietly runs f without reporting anything.
func (r *resolver) quietly(f func()) {
	silent := r.silent
	r.silent = true
	f()
	r.silent = silent
}

func (r *resolver) declareParams(ps []syntax.Param) {
	for _, p := range ps {
		r.expr(p.Value) // defaults know constants only
	}
	for i := range ps {
		p := &ps[i]
		n := p.Name
		if o := r.params[n.Text]; o != nil {
			r.report(func() {
				r.env.Errorf(n.Span, "duplicate-definition", "", "the parameter %s is defined twice", n.Text)
			})
			o.Defs = append(o.Defs, n.Span)
		} else if n.Text != "" {
			r.params[n.Text] = r.add(&Object{
				Name: n.Text, Kind: syntax.Parameter, Def: r.def, Decl: p, Defs: []syntax.Span{n.Span}, Scope: r.def.Extent(),
			})
		}
	}
}

func (r *resolver) process(d *syntax.ProcessDef) {
	r.locals[d.Name.Text] = r.globals[syntax.Process][d.Name.Text]
	for _, l := range d.Locals[1:] {
		o := r.locals[l.Name.Text]
		if o == nil {
			if l.Name.Text == "" {
				continue
			}
			o = r.add(&Object{Name: l.Name.Text, Kind: syntax.Local, Def: d, Decl: l, Scope: d.Span})
			r.locals[l.Name.Text] = o
		}
		o.Defs = append(o.Defs, l.Name.Span)
	}
	for _, l := range d.Locals {
		r.block(func() {
			r.openLabel(l.Index, l.End)
			for _, s := range l.Labels {
				r.expr(s.Guard)
				r.stateLabel(s.Label)
			}
			r.body(l.Body)
		})
	}
	r.report(func() { r.unusedLocals(d) })
	r.set(d.Extension)
	r.relabels(d.Relabel)
	r.hiding(d.Hide)
}

func (r *resolver) body(b *syntax.Body) {
	if b == nil {
		return
	}
	for i := range b.Sequence {
		r.ref(&b.Sequence[i])
	}
	if o := r.locals[b.Name.Text]; o != nil {
		o.Uses = append(o.Uses, b.Name.Span)
	}
	r.exprs(b.Index)
	r.expr(b.Cond)
	r.body(b.Yes)
	r.body(b.No)
	for _, ch := range b.Choices {
		r.block(func() {
			r.expr(ch.Guard)
			for _, a := range ch.Actions {
				r.openLabel(a, ch.End)
			}
			r.body(ch.Body)
		})
	}
}

// assertion reports unknown names of fluents and assertions; all else is left to the
// translation, since it may use variables of the place where the assertion is used.
func (r *resolver) assertion(a *syntax.Assertion) {
	if a == nil {
		return
	}
	r.block(func() {
		if a.Op == syntax.AssertName {
			if !r.global(a.Name.Text, a.Name.Span, syntax.Fluent, syntax.Assert, syntax.Set) {
				r.report(func() { r.env.CheckAssertName(a.Name) })
			}
		}
		r.quietly(func() {
			r.indices(a.Ranges, a.End)
			r.exprs(a.Args)
			r.expr(a.Expr)
			r.label(a.Label)
		})
		r.assertion(a.Left)
		r.assertion(a.Right)
	})
}

// ltl checks the syntax of a formula; package ltl resolves its names when it is read
// for a process.
func (r *resolver) ltl(d *syntax.LTLDef) {
	r.formulaNames(d)
	if len(r.env.Names.Of(syntax.Import)) > 0 {
		return // upper-case actions of imported processes are not known yet
	}
	r.report(func() {
		// A property with the name of an operator is an error of its own.
		properties := slices.DeleteFunc(r.env.Names.Of(syntax.LTL), isOperator)
		err := ltl.CheckSyntax(r.env.File.Place(d.Formula), append(properties, r.env.Names.Of(syntax.Fluent, syntax.Assert, syntax.Set)...))
		if list, ok := err.(source.List); ok {
			r.env.Errs = append(r.env.Errs, list...)
		}
	})
}

// ref checks that a process exists and takes that many arguments.
func (r *resolver) ref(p *syntax.ProcessRef) {
	r.exprs(p.Args)
	r.global(p.Name.Text, p.Name.Span, syntax.Process, syntax.Composite, syntax.Import)
	r.report(func() {
		params := syntax.ParamsOf(r.env.Process(p.Name))
		if p.Args != nil && len(p.Args) != len(params) {
			r.env.Fail(p.Span, "arity", "", "%s takes %d argument%s, got %d", p.Name.Text, len(params), eval.Plural(len(params)), len(p.Args))
		}
	})
}

func (r *resolver) composition(c *syntax.Composition) {
	if c == nil {
		return
	}
	r.expr(c.Cond)
	r.block(func() {
		r.indices(c.Ranges, c.End)
		r.composition(c.Yes)
		r.composition(c.No)
	})
	r.label(c.Share)
	r.block(func() {
		end := c.End
		if len(c.Relabel) > 0 {
			end = c.Relabel[0].Start
		}
		r.openLabel(c.Prefix, end)
		for _, g := range c.Group {
			r.composition(g)
		}
		if c.Kind == syntax.CompRef {
			r.ref(&c.Ref)
		}
	})
	r.relabels(c.Relabel)
}

func (r *resolver) relabels(rs []*syntax.Relabel) {
	for _, d := range rs {
		r.block(func() {
			r.indices(d.Ranges, d.End)
			r.relabels(d.Body)
			r.openLabel(d.New, d.End)
			r.openLabel(d.Old, d.End)
		})
	}
}

func (r *resolver) hiding(h *syntax.Hiding) {
	if h != nil {
		r.set(h.Set)
	}
}

// label is openLabel of a label whose variables nothing else sees.
func (r *resolver) label(l *syntax.Label) {
	if l != nil {
		r.block(func() { r.openLabel(l, l.End) })
	}
}

// openLabel resolves a label and leaves its variables in scope. Its ranges and sets do
// not see them, its expressions those of the parts before.
func (r *resolver) openLabel(l *syntax.Label, until int32) {
	if l == nil {
		return
	}
	outer := len(r.vars)
	for i := range l.Parts {
		p := &l.Parts[i]
		if p.Kind == syntax.PartIndex && r.lone(p.Index) {
			r.index(p.Index)
			continue
		}
		bound := slices.Clone(r.vars[outer:])
		r.vars = r.vars[:outer]
		r.set(p.Set)
		r.set(p.Minus)
		if p.Index != nil {
			r.index(p.Index)
		}
		r.vars = append(r.vars, bound...)
		if p.Index != nil {
			r.bind(p.Index, until)
		}
	}
}

// lone reports whether an index is an expression, and no range or set.
func (r *resolver) lone(i *syntax.Index) bool {
	return i.Expr != nil && i.Variable.Text == ""
}

// stateLabel is label for a proposition; an unknown capital name is no set then.
func (r *resolver) stateLabel(l *syntax.Label) {
	if len(l.Parts) == 1 && l.Parts[0].Kind == syntax.PartSet && l.Parts[0].Minus == nil {
		if n := l.Parts[0].Set.Name; n != "" && r.env.Names.Kind[n] == 0 && source.Suggest(n, r.env.Names.Of(syntax.Set)) == "" {
			r.report(func() {
				r.env.Errorf(l.Span, "unknown-set", fmt.Sprintf("propositions begin with a small letter: %s", strings.ToLower(n[:1])+n[1:]), "unknown set %q", n)
			})
			return
		}
	}
	r.label(l)
}

// indices resolves the ranges of a forall or a definition, and binds their variables.
func (r *resolver) indices(is []*syntax.Index, until int32) {
	if len(is) > 0 {
		r.openLabel(eval.IndexLabel(is), until)
	}
}

func (r *resolver) index(i *syntax.Index) {
	r.set(i.Set)
	r.expr(i.Lo)
	r.expr(i.Hi)
	if e := i.Expr; e != nil && e.Op == syntax.OpName && !e.Parens {
		if !r.global(e.Text, e.Span, syntax.Set, syntax.Range) && !r.number(e.Text, e.Span) {
			r.report(func() {
				r.env.Unknown(e.Text, e.Span, "set, range, constant or parameter", append(r.env.Names.Of(syntax.Set, syntax.Range, syntax.Constant), r.paramNames()...))
			})
		}
		return
	}
	r.expr(i.Expr)
}

func (r *resolver) set(s *syntax.LabelSet) {
	switch {
	case s == nil:
	case s.Name == "":
		for _, l := range s.Labels {
			r.label(l)
		}
	case !r.global(s.Name, s.Span, syntax.Set):
		r.report(func() { r.env.Scope(nil).Set(s) })
	}
}

func (r *resolver) exprs(es []*syntax.Expr) {
	for _, e := range es {
		r.expr(e)
	}
}

func (r *resolver) expr(e *syntax.Expr) {
	if e == nil {
		return
	}
	switch e.Op {
	case syntax.OpVariable:
		r.variable(e.Text, r.nameOf(e))
	case syntax.OpName:
		if !r.number(e.Text, r.nameOf(e)) {
			r.report(func() {
				r.env.Unknown(e.Text, e.Span, "constant or parameter", append(r.env.Names.Of(syntax.Constant), r.paramNames()...))
			})
		}
	}
	r.label(e.Label)
	r.expr(e.Left)
	r.expr(e.Right)
}

// nameOf returns the place of a name without the parentheses around it.
func (r *resolver) nameOf(e *syntax.Expr) syntax.Span {
	if !e.Parens {
		return e.Span
	}
	tokens := r.env.File.Tokens
	i := sort.Search(len(tokens), func(i int) bool { return tokens[i].Start >= e.Start })
	for tokens[i].Kind == syntax.Symbol {
		i++
	}
	return tokens[i].Span
}

func (r *resolver) variable(n string, at syntax.Span) {
	for _, o := range slices.Backward(r.vars) {
		if o.Name == n {
			o.Uses = append(o.Uses, at)
			return
		}
	}
}

// number notes the use of a parameter or constant; false if there is none.
func (r *resolver) number(n string, at syntax.Span) bool {
	if o := r.params[n]; o != nil {
		o.Uses = append(o.Uses, at)
		return true
	}
	return r.global(n, at, syntax.Constant)
}

func (r *resolver) paramNames() []string { return slices.Collect(maps.Keys(r.params)) }

// unusedLocals warns of local processes that nothing leads to, whatever the guards. A
// comma in the place of a full stop makes the next process one of them, and it vanishes.
func (r *resolver) unusedLocals(d *syntax.ProcessDef) {
	used := map[string]bool{d.Locals[0].Name.Text: true}
	var visit func(b *syntax.Body)
	visit = func(b *syntax.Body) {
		if b == nil {
			return
		}
		used[b.Name.Text] = true
		visit(b.Yes)
		visit(b.No)
		for _, c := range b.Choices {
			visit(c.Body)
		}
	}
	visited := map[*syntax.LocalDef]bool{}
	for again := true; again; {
		again = false
		for _, l := range d.Locals {
			if used[l.Name.Text] && !visited[l] {
				visited[l], again = true, true
				visit(l.Body)
			}
		}
	}
	for _, l := range d.Locals {
		if !visited[l] {
			name := l.Name.Text
			r.env.Warnf(l.Name.Span, "unused-local-process", fmt.Sprintf("for a process of its own, end the definition before %s with a full stop", name),
				"nothing in %s leads to %s, so it is left out", d.Name.Text, name)
		}
	}
}
