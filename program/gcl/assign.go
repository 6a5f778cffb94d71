package gcl

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// assignments reads x := e, a[i] := e, ... . All values are those before the command;
// elements of one array are written in the order of the text.
func (g *gcl) assignments(c *program.Command) bool {
	whole := map[*logic.Term]bool{} // assigned as a whole, not by elements
	for {
		name, span, ok := g.Name("a variable")
		if !ok {
			return false
		}
		v := g.scope[name]
		if v == nil || v.Op() != logic.OpVar {
			g.Errs.Errorf(span, "unknown-variable", "unknown variable %q", name).Help = g.helpAssigned(name)
			return false
		}
		if program.Rigid(v) {
			g.Errs.Errorf(span, "function", "%s is a function, which no command changes", name).Help = "an array can be changed: var " + name + ": array[int] of int;"
			return false
		}
		indices, sort, ok := g.indices(name, v.Sort())
		if !ok {
			return false
		}
		if c.Update[v] != nil && (whole[v] || len(indices) == 0) {
			g.Errs.Errorf(span, "duplicate", "%q is assigned twice in one command", name)
			return false
		}
		if !g.Expect(":=") {
			return false
		}
		e, ok := g.value(c, name, sort)
		if !ok {
			return false
		}
		if len(indices) > 0 {
			array := c.Update[v]
			if array == nil {
				array = v
			}
			e = stored(array, indices, e)
		} else {
			whole[v] = true
		}
		c.Update[v] = e
		if !g.Take(",") {
			return true
		}
	}
}

// indices reads [i][j]; sort becomes that of the element.
func (g *gcl) indices(name string, sort *logic.Sort) ([]*logic.Term, *logic.Sort, bool) {
	var indices []*logic.Term
	for g.Tok == "[" {
		if sort.Kind() != logic.ArrayKind {
			g.Errs.Errorf(g.Span(), "sort", "%s has no element of that kind: its sort is %s", name, sort)
			return nil, nil, false
		}
		g.Next()
		i, at, ok := g.termFor(sort.Index())
		if !ok {
			return nil, nil, false
		}
		if i.Sort() != sort.Index() {
			g.Errs.Errorf(at, "sort", "%s has indices of sort %s, not %s", name, sort.Index(), i.Sort())
			return nil, nil, false
		}
		if !g.Expect("]") {
			return nil, nil, false
		}
		indices, sort = append(indices, i), sort.Element()
	}
	return indices, sort, true
}

// value reads the right side of an assignment to something of a sort; name is of the variable.
func (g *gcl) value(c *program.Command, name string, sort *logic.Sort) (*logic.Term, bool) {
	if g.Take("*") {
		in := logic.Var("any."+name, sort)
		for n := 2; has(c.Inputs, in.Name()); n++ {
			in = logic.Var(fmt.Sprintf("any.%s.%d", name, n), sort)
		}
		c.Inputs = append(c.Inputs, in)
		return in, true
	}
	e, at, ok := g.termFor(sort)
	if ok && e.Sort() != sort {
		g.Errs.Errorf(at, "sort", "%s of sort %s is assigned a term of sort %s", name, sort, e.Sort())
		return nil, false
	}
	if ok && sort == logic.Int {
		g.warnRounded(at, e, g.guards)
	}
	return e, ok
}

func has(vars []*logic.Term, name string) bool {
	return slices.ContainsFunc(vars, func(v *logic.Term) bool { return v.Name() == name })
}

// termFor reads a term where one of a sort is wanted.
func (g *gcl) termFor(sort *logic.Sort) (*logic.Term, source.Span, bool) {
	if sort == logic.Real {
		return g.termBy(logic.ParsePrefixReal, g.guards)
	}
	return g.termBy(logic.ParsePrefix, g.guards)
}

// stored is the array with an element, reached by some indices, replaced.
func stored(array *logic.Term, indices []*logic.Term, e *logic.Term) *logic.Term {
	if len(indices) > 1 {
		e = stored(logic.Select(array, indices[0]), indices[1:], e)
	}
	return logic.Store(array, indices[0], e)
}
