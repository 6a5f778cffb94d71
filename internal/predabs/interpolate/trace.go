package interpolate

import (
	"context"
	"fmt"
	"slices"

	"github.com/seltl/seltl/internal/rational"
	"github.com/seltl/seltl/internal/simplex"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// form is a linear sum of terms, by their numbers, and a constant.
type form struct {
	sum   []simplex.Term // sorted
	value rational.Rat
}

func (f form) add(factor rational.Rat, g form) form {
	return form{simplex.Combine(f.sum, factor, g.sum), f.value.Add(factor.Mul(g.value))}
}

// trace is a path as commands 0..n+1 (see purify). Position p, 0..n, is between the
// commands p and p+1. Formulas of a command are over the variables before it and its
// inputs; roots are what they are in terms of the first values of variables and of all
// inputs, each command's by names of their own.
type trace struct {
	ctx        context.Context
	vars       map[*logic.Term]bool // of the program
	steps      []*program.Command
	inputs     []map[*logic.Term]*logic.Term // of each step: input -> root
	terms      []*logic.Term                 // columns: what forms are sums of
	number     map[*logic.Term]int
	born       map[*logic.Term]int         // root of an input -> its step
	local      map[*logic.Term]*logic.Term // root of an input -> input
	updates    map[*logic.Term][]int       // variable -> the steps that assign to it, increasing
	linears    map[*logic.Term]form
	forms      map[at]form              // roots of the values that steps assign
	values     map[at]*logic.Term       // the same as terms
	primitives map[string]primitive     // by sum
	made       map[boundKey]*logic.Term // bounds
}

type at struct {
	step int
	v    *logic.Term
}

func newTrace(ctx context.Context, p *program.Path) *trace {
	t := &trace{ctx: ctx, vars: map[*logic.Term]bool{}, steps: purify(p), number: map[*logic.Term]int{}, born: map[*logic.Term]int{},
		local: map[*logic.Term]*logic.Term{}, updates: map[*logic.Term][]int{}, linears: map[*logic.Term]form{},
		forms: map[at]form{}, values: map[at]*logic.Term{}, primitives: map[string]primitive{}, made: map[boundKey]*logic.Term{}}
	for _, v := range p.Vars {
		t.vars[v] = true
	}
	for k, c := range t.steps {
		roots := map[*logic.Term]*logic.Term{}
		for _, in := range c.Inputs {
			root := logic.Var(fmt.Sprintf("%s@step%d", in.Name(), k), in.Sort())
			roots[in], t.born[root], t.local[root] = root, k, in
		}
		t.inputs = append(t.inputs, roots)
		for v := range c.Update {
			t.updates[v] = append(t.updates[v], k)
		}
	}
	return t
}

// column numbers a term.
func (t *trace) column(u *logic.Term) int {
	n, ok := t.number[u]
	if !ok {
		n = len(t.terms)
		t.number[u] = n
		t.terms = append(t.terms, u)
	}
	return n
}

// linear splits a number. An integer and its conversion to Real are one column.
func (t *trace) linear(u *logic.Term) form {
	if f, ok := t.linears[u]; ok {
		return f
	}
	l := logic.LinearOf(u)
	f := t.formOf(l)
	t.linears[u] = f
	return f
}

func (t *trace) formOf(l logic.Linear) form {
	f := form{value: rational.Of(l.Const)}
	for _, m := range l.Terms {
		u := m.Term
		if u.Op() == logic.OpToReal {
			u = u.Args()[0]
		}
		f.sum = append(f.sum, simplex.Term{Var: t.column(u), Coef: rational.Of(m.Coef)})
	}
	slices.SortFunc(f.sum, func(a, b simplex.Term) int { return a.Var - b.Var })
	return f
}

// lastUpdate returns the step before step k that gave the variable its value, or -1.
func (t *trace) lastUpdate(k int, v *logic.Term) int {
	steps := t.updates[v]
	i, _ := slices.BinarySearch(steps, k)
	if i == 0 {
		return -1
	}
	return steps[i-1]
}

// root returns a form of step k in terms of the roots.
func (t *trace) root(k int, f form) form {
	out := form{value: f.value}
	for _, m := range f.sum {
		out = out.add(m.Coef, t.rootOf(k, t.terms[m.Var]))
	}
	return out
}

func (t *trace) rootOf(k int, u *logic.Term) form {
	if u.Op() != logic.OpVar {
		return t.linear(t.rootTerm(k, u))
	}
	if in := t.inputs[k][u]; in != nil {
		return t.linear(in)
	}
	j := t.lastUpdate(k, u)
	if j < 0 {
		return t.linear(u)
	}
	f, ok := t.forms[at{j, u}]
	if !ok {
		f = t.root(j, t.linear(t.steps[j].Update[u]))
		t.forms[at{j, u}] = f
	}
	return f
}

// rootTerm is root of any term.
func (t *trace) rootTerm(k int, u *logic.Term) *logic.Term {
	by := map[*logic.Term]*logic.Term{}
	for _, v := range logic.Vars(u) {
		if in := t.inputs[k][v]; in != nil {
			by[v] = in
			continue
		}
		j := t.lastUpdate(k, v)
		if j < 0 {
			continue
		}
		value := t.values[at{j, v}]
		if value == nil {
			value = t.rootTerm(j, t.steps[j].Update[v])
			t.values[at{j, v}] = value
		}
		by[v] = value
	}
	return logic.Substitute(u, by)
}

// before returns what a form over the variables behind step k is before it.
func (t *trace) before(k int, f form) form {
	update := t.steps[k].Update
	out := form{value: f.value}
	for _, m := range f.sum {
		u := t.terms[m.Var]
		switch {
		case u.Op() != logic.OpVar:
			out = out.add(m.Coef, t.linear(logic.Substitute(u, update)))
		case update[u] != nil:
			out = out.add(m.Coef, t.linear(update[u]))
		default:
			out = out.add(m.Coef, form{sum: []simplex.Term{{Var: m.Var, Coef: rational.Int(1)}}})
		}
	}
	return out
}

// over reports whether only variables of the program occur in the columns of a form.
func (t *trace) over(f form) bool {
	return !slices.ContainsFunc(f.sum, func(m simplex.Term) bool { return !t.speaks(t.terms[m.Var]) })
}

// speaks is over for a term.
func (t *trace) speaks(u *logic.Term) bool {
	return !slices.ContainsFunc(logic.Vars(u), func(v *logic.Term) bool { return !t.vars[v] })
}
