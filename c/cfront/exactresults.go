package cfront

import (
	"maps"
	"slices"
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
func (p *Program) ExactResults(entry *Func, observed []*Func) (all []string) {
	found := map[string]bool{}
	for _, f := range reachedFrom(entry, p.pointed()) {
		if !f.Library || f.standsIn {
			f.exactResults(found, observed)
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// exactResults notes the routines of whose results f uses more, or a condition does that reads its variables.
func (f *Func) exactResults(found map[string]bool, observed []*Func) {
	seen := map[*Var]bool{}
	for _, condition := range observed {
		for _, v := range namesakes(condition, f) {
			seen[v] = true
		}
	}
	of := map[*Var]map[string]bool{} // variables that hold results, of which routines
	add := func(v *Var, names map[string]bool) (added bool) {
		if of[v] == nil {
			of[v] = map[string]bool{}
		}
		for name := range names {
			added = added || !of[v][name]
			of[v][name] = true
		}
		return added
	}
	own := func(to *Place) bool {
		return to.Var != nil && to.Var.Kind != Global && to.Type == to.Var.Type && !seen[to.Var]
	}
	for changed := true; changed; {
		changed = false
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				switch i := i.(type) {
				case *Call:
					if name := plainNameOf(i.Callee); i.To != nil && i.Callee.isLibrary() && slices.Contains(slices.Concat(compares, tests), name) {
						if names := map[string]bool{name: true}; own(i.To) {
							changed = add(i.To.Var, names) || changed
						} else {
							found[name] = true
						}
					}
				case *Assign:
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
	exact := func(e Expr) {
		for v := range usedExactly(e, of) {
			maps.Copy(found, of[v])
		}
	}
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *Call:
				exact(i.Ptr)
				for _, a := range i.Args {
					exact(a)
				}
				if i.To != nil {
					i.To.operands(exact)
				}
			case *Assign:
				if i.To.operands(exact); !own(&i.To) || held(i.Value, of) == nil {
					exact(i.Value)
				}
			case *Assume:
				exact(i.Cond)
			}
		}
		switch t := b.End.(type) {
		case *Branch:
			if held(t.Cond, of) == nil {
				exact(t.Cond)
			}
		case *Return:
			exact(t.Value)
		}
	}
}

func (f *Func) isLibrary() bool { return f != nil && (f.Library || f.Known != nil) }

func plainNameOf(f *Func) string {
	if f == nil {
		return ""
	}
	return plainName(f.Name)
}

// held is the variable with a result that an expression is the value of, or its truth; nil if it is none.
func held(e Expr, of map[*Var]map[string]bool) *Var {
	switch e := e.(type) {
	case *Load:
		if e.From.Var != nil && of[e.From.Var] != nil {
			return e.From.Var
		}
	case *Convert:
		if e.T.Kind == Integer && e.T.Signed && e.T.Size >= 4 {
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
func usedExactly(e Expr, of map[*Var]map[string]bool) map[*Var]bool {
	used := map[*Var]bool{}
	var visit func(e Expr)
	visit = func(e Expr) {
		if e == nil {
			return
		}
		if b, ok := e.(*Binary); ok && b.Op >= Eq {
			x, y := b.X, b.Y
			if c, ok := x.(*Const); ok && c.Bits == 0 {
				x, y = y, x
			}
			c, ok := y.(*Const)
			if v := held(x, of); v != nil && ok && c.Bits == 0 && (b.Op == Eq || b.Op == Ne || onlySigns(of[v])) {
				return
			}
		}
		if v := held(e, of); v != nil {
			used[v] = true
		}
		operands(e, visit)
	}
	visit(e)
	return used
}
