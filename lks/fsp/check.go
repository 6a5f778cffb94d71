package fsp

import (
	"fmt"
	"strings"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/fsp/syntax"
	"github.com/seltl/seltl/ltl"
)

// check looks at all definitions, used or not, for names that are not defined
// and wrong numbers of arguments.
func (c *compiler) check() {
	for _, d := range c.file.Defs {
		k := &checker{c: c, params: map[string]bool{}}
		for _, p := range paramsOf(d) {
			k.expr(p.Value) // defaults know constants only
		}
		for _, p := range paramsOf(d) {
			if k.params[p.Name.Text] {
				c.errorf(p.Name.Span, "duplicate-definition", "", "the parameter %s is defined twice", p.Name.Text)
			}
			k.params[p.Name.Text] = true
		}
		k.definition(d)
	}
}

// checker walks over one definition.
type checker struct {
	c      *compiler
	params map[string]bool
}

func (k *checker) definition(d syntax.Definition) {
	switch d := d.(type) {
	case *syntax.ProcessDef:
		for _, l := range d.Locals {
			k.label(l.Index)
			for _, s := range l.Labels {
				k.expr(s.Guard)
				k.stateLabel(s.Label)
			}
			k.body(l.Body)
		}
		k.unusedLocals(d)
		k.set(d.Extension)
		k.relabels(d.Relabel)
		k.hiding(d.Hide)
	case *syntax.CompositeDef:
		k.composition(d.Body)
		if d.Priority != nil {
			k.set(d.Priority.Set)
		}
		k.hiding(d.Hide)
	case *syntax.ProgressDef:
		k.indices(d.Ranges)
		k.label(d.Condition)
		k.label(d.Set)
	case *syntax.FairDef:
		k.indices(d.Ranges)
		k.label(d.Set)
	case *syntax.MenuDef:
		k.label(d.Set)
	case *syntax.FluentDef:
		k.indices(d.Ranges)
		k.label(d.Begin)
		k.label(d.End)
		k.expr(d.Initially)
	case *syntax.AssertDef:
		k.set(d.Extension)
		k.assertion(d.Formula)
	case *syntax.LTLDef:
		k.ltl(d)
	}
}

func (k *checker) body(b *syntax.Body) {
	if b == nil {
		return
	}
	for i := range b.Sequence {
		k.ref(&b.Sequence[i])
	}
	for _, e := range b.Index {
		k.expr(e)
	}
	k.expr(b.Cond)
	k.body(b.Yes)
	k.body(b.No)
	for _, ch := range b.Choices {
		k.expr(ch.Guard)
		for _, a := range ch.Actions {
			k.label(a)
		}
		k.body(ch.Body)
	}
}

// assertion checks the names of fluents and assertions.
func (k *checker) assertion(a *syntax.Assertion) {
	stack := []*syntax.Assertion{a}
	for len(stack) > 0 {
		a := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if a == nil {
			continue
		}
		if a.Op == syntax.AssertName {
			k.c.guard(func() { k.c.checkAssertName(a.Name) })
		}
		stack = append(stack, a.Right, a.Left)
	}
}

// ltl checks the syntax of a formula; names are resolved when it is read for a
// process.
func (k *checker) ltl(d *syntax.LTLDef) {
	if len(k.c.names.of(isImport)) > 0 {
		return // upper-case actions of imported processes are not known yet
	}
	err := ltl.CheckSyntax(k.c.file.Place(d.Formula), k.c.names.of(isFluent, isAssert, isLTL, isSet))
	if list, ok := err.(source.List); ok {
		k.c.errs = append(k.c.errs, list...)
	}
}

// ref checks that a process exists and takes that many arguments.
func (k *checker) ref(r *syntax.ProcessRef) {
	for _, e := range r.Args {
		k.expr(e)
	}
	k.c.guard(func() {
		params := paramsOf(k.c.process(r.Name))
		if r.Args != nil && len(r.Args) != len(params) {
			k.c.fail(r.Span, "arity", "", "%s takes %d argument%s, got %d", r.Name.Text, len(params), plural(len(params)), len(r.Args))
		}
	})
}

func (k *checker) composition(c *syntax.Composition) {
	if c == nil {
		return
	}
	k.expr(c.Cond)
	k.indices(c.Ranges)
	k.composition(c.Yes)
	k.composition(c.No)
	k.label(c.Share)
	k.label(c.Prefix)
	for _, g := range c.Group {
		k.composition(g)
	}
	if c.Kind == syntax.CompRef {
		k.ref(&c.Ref)
	}
	k.relabels(c.Relabel)
}

func (k *checker) relabels(rs []*syntax.Relabel) {
	for _, r := range rs {
		k.indices(r.Ranges)
		k.relabels(r.Body)
		k.label(r.New)
		k.label(r.Old)
	}
}

func (k *checker) hiding(h *syntax.Hiding) {
	if h != nil {
		k.set(h.Set)
	}
}

func (k *checker) label(l *syntax.Label) {
	if l == nil {
		return
	}
	for i := range l.Parts {
		p := &l.Parts[i]
		k.set(p.Set)
		k.set(p.Minus)
		if p.Index != nil {
			k.index(p.Index)
		}
	}
}

// stateLabel is label for a proposition; an unknown capital name is no set then.
func (k *checker) stateLabel(l *syntax.Label) {
	if len(l.Parts) == 1 && l.Parts[0].Kind == syntax.PartSet && l.Parts[0].Minus == nil {
		if n := l.Parts[0].Set.Name; n != "" && k.c.names.kind[n] == 0 && source.Suggest(n, k.c.names.of(isSet)) == "" {
			k.c.errorf(l.Span, "unknown-set", fmt.Sprintf("propositions begin with a small letter: %s", strings.ToLower(n[:1])+n[1:]), "unknown set %q", n)
			return
		}
	}
	k.label(l)
}

func (k *checker) indices(is []*syntax.Index) {
	for _, i := range is {
		k.index(i)
	}
}

func (k *checker) index(i *syntax.Index) {
	k.set(i.Set)
	k.expr(i.Lo)
	k.expr(i.Hi)
	if i.Expr != nil && i.Expr.Op == syntax.OpName && !i.Expr.Parens {
		defs := k.c.names.defs
		for _, kind := range []nameKind{isSet, isRange} {
			if _, ok := defs[kind][i.Expr.Text]; ok {
				return
			}
		}
		if !k.known(i.Expr.Text) {
			k.c.guard(func() {
				k.c.unknown(i.Expr.Text, i.Expr.Span, "set, range, constant or parameter", append(k.c.names.of(isSet, isRange, isConst), k.paramNames()...))
			})
		}
		return
	}
	k.expr(i.Expr)
}

func (k *checker) set(s *syntax.LabelSet) {
	if s == nil {
		return
	}
	if s.Name != "" {
		if _, ok := k.c.names.defs[isSet][s.Name]; !ok {
			k.c.guard(func() { (&scope{c: k.c}).set(s) })
		}
		return
	}
	for _, l := range s.Labels {
		k.label(l)
	}
}

func (k *checker) expr(e *syntax.Expr) {
	if e == nil {
		return
	}
	if e.Op == syntax.OpName && !k.known(e.Text) {
		k.c.guard(func() {
			k.c.unknown(e.Text, e.Span, "constant or parameter", append(k.c.names.of(isConst), k.paramNames()...))
		})
	}
	k.label(e.Label)
	k.expr(e.Left)
	k.expr(e.Right)
}

func (k *checker) known(n string) bool {
	_, ok := k.c.names.defs[isConst][n]
	return ok || k.params[n]
}

func (k *checker) paramNames() []string {
	var names []string
	for n := range k.params {
		names = append(names, n)
	}
	return names
}

// unusedLocals warns of local processes that nothing leads to, whatever the guards. A
// comma in the place of a full stop makes the next process one of them, and it vanishes.
func (k *checker) unusedLocals(d *syntax.ProcessDef) {
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
			k.c.warnf(l.Name.Span, "unused-local-process", fmt.Sprintf("for a process of its own, end the definition before %s with a full stop", name),
				"nothing in %s leads to %s, so it is left out", d.Name.Text, name)
		}
	}
}
