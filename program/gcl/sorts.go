package gcl

import (
	"strconv"
	"strings"

	"github.com/seltl/seltl/logic"
)

// sortOf returns the sort of a name, or nil: int, real, bool, or bv8 and the like.
func sortOf(name string) *logic.Sort {
	switch name {
	case "int":
		return logic.Int
	case "real":
		return logic.Real
	case "bool":
		return logic.Bool
	}
	digits, ok := strings.CutPrefix(name, "bv")
	width, err := strconv.Atoi(digits)
	if !ok || err != nil || width < 1 || width > maxWidth || strconv.Itoa(width) != digits {
		return nil
	}
	return logic.BitVec(width)
}

const (
	maxWidth      = 64 // of bit-vectors: of machine words
	maxDimensions = 8  // of arrays of arrays
)

const arrayHelp = "an array is written array[int] of bool"

// sort reads a sort: that of a name, or array[INDEX] of ELEMENT.
func (g *gcl) sort() (*logic.Sort, bool) {
	var indices []*logic.Sort
	for g.Tok == "array" {
		if len(indices) == maxDimensions {
			g.Errs.Errorf(g.Span(), "sort", "arrays of more than %d dimensions", maxDimensions)
			return nil, false
		}
		g.Next()
		if !g.Expect("[") {
			return nil, false
		}
		index, ok := g.scalar(arrayHelp)
		if !ok || !g.Expect("]") || !g.Expect("of") {
			return nil, false
		}
		indices = append(indices, index)
	}
	sort, ok := g.scalar("the sorts are int, real, bool, and bv1 to bv64 for machine words; " + arrayHelp)
	for i := len(indices) - 1; i >= 0 && ok; i-- {
		sort = logic.ArrayOf(indices[i], sort)
	}
	return sort, ok
}

// scalar reads the name of a sort.
func (g *gcl) scalar(help string) (*logic.Sort, bool) {
	sort := sortOf(g.Tok)
	if sort == nil {
		g.Errs.Errorf(g.Span(), "sort", "unknown sort %s", g.Found()).Help = help
		return nil, false
	}
	g.Next()
	return sort, true
}

// function reads fun f(int, bool): int;.
func (g *gcl) function() bool {
	g.Next()
	name, span, ok := g.Name("a function")
	if !ok || !g.Expect("(") {
		return false
	}
	if g.Tok == ")" {
		g.Errs.Errorf(g.Span(), "syntax", "%s has no arguments", name).Help = "an unknown number is a variable that no command assigns: var " + name + ": int;"
		return false
	}
	const help = "functions take and return int, real, bool, and bv1 to bv64"
	var arguments []*logic.Sort
	for {
		sort, ok := g.scalar(help)
		if !ok {
			return false
		}
		arguments = append(arguments, sort)
		if !g.Take(",") {
			break
		}
	}
	if !g.Expect(")") || !g.Expect(":") {
		return false
	}
	result, ok := g.scalar(help)
	if !ok {
		return false
	}
	if g.declare(name, span) {
		f := logic.Var(name, logic.FunctionOf(arguments, result))
		g.scope[name], g.guards[name] = f, f
		g.system.Vars = append(g.system.Vars, f)
	}
	return g.Expect(";")
}
