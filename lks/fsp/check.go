package fsp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/ltl"
)

// check looks at all definitions, used or not, for names that are not defined
// and wrong numbers of arguments.
func (c *compiler) check() {
	for _, d := range c.file.defs {
		k := &checker{c: c, params: map[string]bool{}}
		for _, p := range paramsOf(d) {
			k.expr(p.value) // defaults know constants only
		}
		for _, p := range paramsOf(d) {
			if k.params[p.name.text] {
				c.errorf(p.name.pos, "duplicate-definition", "", "the parameter %s is defined twice", p.name.text)
			}
			k.params[p.name.text] = true
		}
		k.definition(d)
	}
}

// checker walks over one definition.
type checker struct {
	c      *compiler
	params map[string]bool
}

func (k *checker) definition(d definition) {
	switch d := d.(type) {
	case *processDef:
		for _, l := range d.locals {
			k.label(l.index)
			for _, s := range l.labels {
				k.expr(s.guard)
				k.stateLabel(s.label)
			}
			k.body(l.body)
		}
		k.unusedLocals(d)
		k.set(d.extension)
		k.relabels(d.relabel)
		k.hiding(d.hide)
	case *compositeDef:
		k.composition(d.body)
		if d.priority != nil {
			k.set(d.priority.set)
		}
		k.hiding(d.hide)
	case *progressDef:
		k.indices(d.ranges)
		k.label(d.condition)
		k.label(d.set)
	case *fairDef:
		k.indices(d.ranges)
		k.label(d.set)
	case *menuDef:
		k.label(d.set)
	case *fluentDef:
		k.indices(d.ranges)
		k.label(d.begin)
		k.label(d.end)
		k.expr(d.initially)
	case *assertDef:
		k.set(d.extension)
		k.assertion(d.formula)
	case *ltlDef:
		k.ltl(d)
	}
}

func (k *checker) body(b *body) {
	if b == nil {
		return
	}
	for i := range b.sequence {
		k.ref(&b.sequence[i])
	}
	for _, e := range b.index {
		k.expr(e)
	}
	k.expr(b.cond)
	k.body(b.yes)
	k.body(b.no)
	for _, ch := range b.choices {
		k.expr(ch.guard)
		for _, a := range ch.actions {
			k.label(a)
		}
		k.body(ch.body)
	}
}

// assertion checks the names of fluents and assertions.
func (k *checker) assertion(a *assertion) {
	stack := []*assertion{a}
	for len(stack) > 0 {
		a := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if a == nil {
			continue
		}
		if a.op == assertName {
			k.c.guard(func() { k.c.checkAssertName(a.name) })
		}
		stack = append(stack, a.right, a.left)
	}
}

// ltl checks the syntax of a formula; names are resolved when it is read for a
// process.
func (k *checker) ltl(d *ltlDef) {
	if len(k.c.names.of(isImport)) > 0 {
		return // upper-case actions of imported processes are not known yet
	}
	// A property with the name of an operator is an error of its own.
	properties := slices.DeleteFunc(k.c.names.of(isLTL), isOperator)
	err := ltl.CheckSyntax(k.c.file.span(d.formula), append(properties, k.c.names.of(isFluent, isAssert, isSet)...))
	if list, ok := err.(source.List); ok {
		k.c.errs = append(k.c.errs, list...)
	}
}

// ref checks that a process exists and takes that many arguments.
func (k *checker) ref(r *processRef) {
	for _, e := range r.args {
		k.expr(e)
	}
	k.c.guard(func() {
		params := paramsOf(k.c.process(r.name))
		if r.args != nil && len(r.args) != len(params) {
			k.c.fail(r.pos, "arity", "", "%s takes %d argument%s, got %d", r.name.text, len(params), plural(len(params)), len(r.args))
		}
	})
}

func (k *checker) composition(c *composition) {
	if c == nil {
		return
	}
	k.expr(c.cond)
	k.indices(c.ranges)
	k.composition(c.yes)
	k.composition(c.no)
	k.label(c.share)
	k.label(c.prefix)
	for _, g := range c.group {
		k.composition(g)
	}
	if c.kind == compRef {
		k.ref(&c.ref)
	}
	k.relabels(c.relabel)
}

func (k *checker) relabels(rs []*relabel) {
	for _, r := range rs {
		k.indices(r.ranges)
		k.relabels(r.body)
		k.label(r.new)
		k.label(r.old)
	}
}

func (k *checker) hiding(h *hiding) {
	if h != nil {
		k.set(h.set)
	}
}

func (k *checker) label(l *label) {
	if l == nil {
		return
	}
	for i := range l.parts {
		p := &l.parts[i]
		k.set(p.set)
		k.set(p.minus)
		if p.index != nil {
			k.index(p.index)
		}
	}
}

// stateLabel is label for a proposition; an unknown capital name is no set then.
func (k *checker) stateLabel(l *label) {
	if len(l.parts) == 1 && l.parts[0].kind == partSet && l.parts[0].minus == nil {
		if n := l.parts[0].set.text; n != "" && k.c.names.kind[n] == 0 && source.Suggest(n, k.c.names.of(isSet)) == "" {
			k.c.errorf(l.pos, "unknown-set", fmt.Sprintf("propositions begin with a small letter: %s", strings.ToLower(n[:1])+n[1:]), "unknown set %q", n)
			return
		}
	}
	k.label(l)
}

func (k *checker) indices(is []*index) {
	for _, i := range is {
		k.index(i)
	}
}

func (k *checker) index(i *index) {
	k.set(i.set)
	k.expr(i.lo)
	k.expr(i.hi)
	if i.expr != nil && i.expr.op == opName && !i.expr.parens {
		defs := k.c.names.defs
		for _, kind := range []nameKind{isSet, isRange} {
			if _, ok := defs[kind][i.expr.text]; ok {
				return
			}
		}
		if !k.known(i.expr.text) {
			k.c.guard(func() {
				k.c.unknown(i.expr.text, i.expr.pos, "set, range, constant or parameter", append(k.c.names.of(isSet, isRange, isConst), k.paramNames()...))
			})
		}
		return
	}
	k.expr(i.expr)
}

func (k *checker) set(s *labelSet) {
	if s == nil {
		return
	}
	if s.text != "" {
		if _, ok := k.c.names.defs[isSet][s.text]; !ok {
			k.c.guard(func() { (&scope{c: k.c}).set(s) })
		}
		return
	}
	for _, l := range s.labels {
		k.label(l)
	}
}

func (k *checker) expr(e *expr) {
	if e == nil {
		return
	}
	if e.op == opName && !k.known(e.text) {
		k.c.guard(func() {
			k.c.unknown(e.text, e.pos, "constant or parameter", append(k.c.names.of(isConst), k.paramNames()...))
		})
	}
	k.label(e.label)
	k.expr(e.left)
	k.expr(e.right)
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
func (k *checker) unusedLocals(d *processDef) {
	used := map[string]bool{d.locals[0].name.text: true}
	var visit func(b *body)
	visit = func(b *body) {
		if b == nil {
			return
		}
		used[b.name.text] = true
		visit(b.yes)
		visit(b.no)
		for _, c := range b.choices {
			visit(c.body)
		}
	}
	visited := map[*localDef]bool{}
	for again := true; again; {
		again = false
		for _, l := range d.locals {
			if used[l.name.text] && !visited[l] {
				visited[l], again = true, true
				visit(l.body)
			}
		}
	}
	for _, l := range d.locals {
		if !visited[l] {
			name := l.name.text
			k.c.warnf(l.name.pos, "unused-local-process", fmt.Sprintf("for a process of its own, end the definition before %s with a full stop", name),
				"nothing in %s leads to %s, so it is left out", d.name.text, name)
		}
	}
}
