package assumptions

import (
	"maps"
	"slices"

	"github.com/seltl/seltl/c/ir"
)

// C says of strcmp and its kind which sign the result has, and of isalpha, feof, signbit and their kind whether it is 0.
// The bodies here return -1, 0 or 1, and 0 or 1: where a program does more with a result than compare it
// with 0, what it does may be different elsewhere.

// compares and tests are such routines.
var (
	compares = []string{"strcmp", "strncmp", "strcoll", "memcmp", "bcmp", "strcasecmp", "strncasecmp"}
	tests    = []string{"feof", "ferror", "feof_unlocked", "ferror_unlocked", "isalnum", "isalpha", "isascii", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct", "isspace", "isupper", "isxdigit",
		"signbit", "signbitf", "__signbit", "__signbitf", "isinf", "isinff", "__isinf", "__isinff", "isnan", "isnanf", "__isnan", "__isnanf", "finite", "finitef", "__finite", "__finitef"}
)

// ExactResults are the routines of either kind, in order, of whose results a program uses more than C
// says, perhaps, in what runs from a routine come to; so do conditions that are observed there (Observe).
func ExactResults(p *ir.Program, entry *ir.Func, observed []*ir.Func) (all []string) {
	found := map[string]bool{}
	for _, f := range reachedFrom(entry, p.Pointed()) {
		if !f.Library || f.StandsIn {
			exactResults(f, found, observed)
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// exactResults notes the routines of whose results f uses more, or a condition does that reads its variables.
func exactResults(f *ir.Func, found map[string]bool, observed []*ir.Func) {
	seen := map[*ir.Var]bool{}
	for _, condition := range observed {
		for _, v := range ir.Namesakes(condition, f) {
			seen[v] = true
		}
	}
	of := map[*ir.Var]map[string]bool{} // variables that hold results, of which routines
	add := func(v *ir.Var, names map[string]bool) (added bool) {
		if of[v] == nil {
			of[v] = map[string]bool{}
		}
		for name := range names {
			added = added || !of[v][name]
			of[v][name] = true
		}
		return added
	}
	taken := f.AddressTaken() // who knows the address may look at all of it
	own := func(to *ir.Place) bool {
		return to.Var != nil && to.Var.Kind != ir.Global && to.Type == to.Var.Type && !seen[to.Var] && !taken[to.Var]
	}
	for changed := true; changed; {
		changed = false
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				switch i := i.(type) {
				case *ir.Call:
					if name := plainNameOf(i.Callee); i.To != nil && isLibrary(i.Callee) && slices.Contains(slices.Concat(compares, tests), name) {
						if names := map[string]bool{name: true}; own(i.To) {
							changed = add(i.To.Var, names) || changed
						} else {
							found[name] = true
						}
					}
				case *ir.Assign:
					if v := held(i.Value, of); v != nil && own(&i.To) {
						changed = add(i.To.Var, of[v]) || changed
					}
				}
			}
		}
	}
	if len(of) == 0 {
		return
	}
	exact := func(e ir.Expr) {
		for v := range usedExactly(e, of) {
			maps.Copy(found, of[v])
		}
	}
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *ir.Call:
				exact(i.Ptr)
				for _, a := range i.Args {
					exact(a)
				}
				if i.To != nil {
					i.To.Operands(exact)
				}
			case *ir.Assign:
				if i.To.Operands(exact); !own(&i.To) || held(i.Value, of) == nil {
					exact(i.Value)
				}
			case *ir.Assume:
				exact(i.Cond)
			}
		}
		switch t := b.End.(type) {
		case *ir.Branch:
			if held(t.Cond, of) == nil {
				exact(t.Cond)
			}
		case *ir.Return:
			exact(t.Value)
		}
	}
}

func isLibrary(f *ir.Func) bool { return f != nil && (f.Library || f.Known != nil) }

func plainNameOf(f *ir.Func) string {
	if f == nil {
		return ""
	}
	return ir.PlainName(f.Name)
}

// held is the variable with a result that an expression is the value of, or its truth; nil if it is none.
func held(e ir.Expr, of map[*ir.Var]map[string]bool) *ir.Var {
	switch e := e.(type) {
	case *ir.Load:
		if e.From.Var != nil && of[e.From.Var] != nil {
			return e.From.Var
		}
	case *ir.Convert:
		if e.T.Kind == ir.Integer && e.T.Signed && e.T.Size >= 4 {
			return held(e.X, of)
		}
	}
	return nil
}

// onlySigns reports that what C says of the results of all of some routines is their sign.
func onlySigns(names map[string]bool) bool {
	for name := range names {
		if !slices.Contains(compares, name) {
			return false
		}
	}
	return true
}

// usedExactly are the variables with results that an expression uses otherwise than by comparing them with 0.
func usedExactly(e ir.Expr, of map[*ir.Var]map[string]bool) map[*ir.Var]bool {
	used := map[*ir.Var]bool{}
	var visit func(e ir.Expr)
	visit = func(e ir.Expr) {
		if e == nil {
			return
		}
		if b, ok := e.(*ir.Binary); ok && b.Op >= ir.Eq {
			x, y := b.X, b.Y
			if c, ok := x.(*ir.Const); ok && c.Bits == 0 {
				x, y = y, x
			}
			c, ok := y.(*ir.Const)
			if v := held(x, of); v != nil && ok && c.Bits == 0 && (b.Op == ir.Eq || b.Op == ir.Ne || onlySigns(of[v])) {
				return
			}
		}
		if v := held(e, of); v != nil {
			used[v] = true
		}
		ir.Operands(e, visit)
	}
	visit(e)
	return used
}
