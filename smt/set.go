package smt

import (
	"errors"
	"math/big"
	"slices"

	"github.com/seltl/seltl/internal/sexp"
	"github.com/seltl/seltl/logic"
)

// Z3 writes arrays of Booleans as the sets that they are:
// (lambda ((x!1 Int)) (or (= x!1 2) (= x!1 3))).

// errSet is why a set is not read.
var errSet = errors.New("value not understood: a set that is not made of equations of its element")

// setOf is an array of Booleans as a term: a constant array with some elements stored. The body combines
// equations of the bound variable with constants; all other elements are alike then.
func setOf(n sexp.Node, sort *logic.Sort) (*logic.Term, error) {
	if sort.Kind() != logic.ArrayKind || sort.Element() != logic.Bool || len(n.List) != 3 || len(n.List[1].List) != 1 || len(n.List[1].List[0].List) != 2 {
		return nil, errSet
	}
	name := n.List[1].List[0].List[0].Atom
	x := logic.Var(name, sort.Index())
	body, err := logic.FromSexp(n.List[2], logic.Scope{name: x})
	var named []*logic.Term
	if err != nil || !equations(n.List[2], name, sort.Index(), &named) {
		return nil, errSet
	}
	holds := func(element *logic.Term) (bool, error) {
		v, err := logic.Eval(body, logic.Model{name: mustEval(element)})
		return err == nil && v.Bool(), err
	}
	other, err := unnamed(named, sort.Index())
	if err != nil {
		return nil, err
	}
	others, err := holds(other)
	if err != nil {
		return nil, err
	}
	array := logic.ConstArray(sort, logic.BoolConst(others))
	for _, element := range named {
		in, err := holds(element)
		if err != nil {
			return nil, err
		}
		array = logic.Store(array, element, logic.BoolConst(in))
	}
	return array, nil
}

// equations reports whether a formula combines equations of a variable with constants, which it appends.
func equations(n sexp.Node, name string, sort *logic.Sort, named *[]*logic.Term) bool {
	if len(n.List) == 0 {
		return n.Is("true") || n.Is("false")
	}
	parts := n.List[1:]
	switch n.Head() {
	case "and", "or", "not", "ite", "=>", "xor":
		return !slices.ContainsFunc(parts, func(p sexp.Node) bool { return !equations(p, name, sort, named) })
	case "=":
		if len(parts) != 2 {
			return false
		}
		constant := parts[0]
		switch {
		case parts[0].Is(name):
			constant = parts[1]
		case !parts[1].Is(name):
			return false
		}
		c, err := logic.FromSexp(constant, nil)
		if err == nil && c.Sort() == logic.Int && sort == logic.Real {
			c = logic.ToReal(c)
		}
		if err != nil || c.Sort() != sort {
			return false
		}
		if _, err := logic.Eval(c, nil); err != nil {
			return false
		}
		*named = append(*named, c)
		return true
	}
	return false
}

// unnamed is an element that is none of some constants.
func unnamed(named []*logic.Term, sort *logic.Sort) (*logic.Term, error) {
	for k := range int64(len(named)) + 1 {
		var c *logic.Term
		switch sort.Kind() {
		case logic.IntKind, logic.RealKind:
			c = logic.Number(big.NewRat(k, 1), sort)
		case logic.BitVecKind:
			if k>>min(sort.Width(), 62) > 0 {
				return nil, errSet // all are named
			}
			c = logic.BVConst(big.NewInt(k), sort.Width())
		default:
			return nil, errSet
		}
		if v := mustEval(c).String(); !slices.ContainsFunc(named, func(t *logic.Term) bool { return mustEval(t).String() == v }) {
			return c, nil
		}
	}
	return nil, errSet
}

// mustEval is the value of a constant.
func mustEval(t *logic.Term) logic.Value {
	v, err := logic.Eval(t, nil)
	if err != nil {
		panic("smt: no constant: " + err.Error())
	}
	return v
}
